#include "indexical/answers/words.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

using llvm::StringRef;

namespace {

std::string bytesText(int64_t bits) {
  return bits % 8 == 0 ? std::to_string(bits / 8) + " B"
                       : std::to_string(bits) + " bits";
}

std::string layoutText(llvm::ArrayRef<int64_t> minorToMajor) {
  std::string text = "layout {";
  llvm::ListSeparator comma(",");
  for (int64_t k : minorToMajor)
    text += llvm::StringRef(comma).str() + std::to_string(k);
  return text + "}";
}

}  // namespace

std::string nameOf(const Pattern &pattern) {
  switch (pattern.kind) {
    case PatternKind::Never:
      return "never";
    case PatternKind::Gathered:
      return "gathered";
    case PatternKind::Scalar:
      return "scalar";
    case PatternKind::FewLanes:
      return "few lanes";
    case PatternKind::Broadcast:
      return "broadcast";
    case PatternKind::Contiguous:
      return "contiguous";
    case PatternKind::Overlapping:
      return "overlapping";
    case PatternKind::Rows:
      return "rows";
    case PatternKind::Transposed:
      return "transposed";
    case PatternKind::Strided:
      return "strided";
    case PatternKind::Unknown:
      return "unknown";
  }
  return "";
}

bool hasBits(const Pattern &pattern) {
  return pattern.kind == PatternKind::Rows ||
         pattern.kind == PatternKind::Transposed ||
         pattern.kind == PatternKind::Strided;
}

std::string wordsOf(const Pattern &pattern) {
  if (pattern.isBound)
    return pattern.kind == PatternKind::Gathered
               ? "indices that are not known decide"
               : "values that are not known decide";
  std::string words = nameOf(pattern);
  const bool isHalo = pattern.kind == PatternKind::Contiguous && pattern.halo;
  if (pattern.kind == PatternKind::Rows)
    words = "rows of " + bytesText(pattern.bits);
  else if (pattern.kind == PatternKind::Transposed)
    words += ", stride " + bytesText(pattern.bits);
  else if (pattern.kind == PatternKind::Strided)
    words = "stride " + bytesText(pattern.bits);
  else if (isHalo)
    words = "halo";
  if (pattern.reversed) words += ", reversed";
  if (pattern.unaligned) words += ", unaligned";
  if (pattern.halo && hasBits(pattern)) words += ", halo";
  if (pattern.byEveryThread) words += ", by every thread";
  return words;
}

std::string wordsOf(const Remedy &remedy) {
  switch (remedy.kind) {
    case RemedyKind::None:
      return "";
    case RemedyKind::SortedIndices:
      return "sorted indices, or longer slices";
    case RemedyKind::MoreLanes:
      return "more lanes along the most minor dimension";
    case RemedyKind::AlignedStart:
      return "a start at whole sectors";
    case RemedyKind::PaddedRows:
      return "rows padded to whole sectors";
    case RemedyKind::HaloTile:
      return "a tile with its halo through shared memory";
    case RemedyKind::AlignedWarps:
      return "warps that begin where a sector does";
    case RemedyKind::SharedTile:
      return "a tile through shared memory";
    case RemedyKind::OtherLayout:
      return "another layout";
    case RemedyKind::WholeVectors:
      return "rows that vectors divide, or one element a lane";
    case RemedyKind::OneElement:
      return "one element a lane";
    case RemedyKind::PackedElements:
      return "elements packed together";
  }
  return "";
}

std::string wordsOf(const Remedy &remedy, StringRef array) {
  const std::string layout =
      remedy.layout.empty() ? ""
                            : layoutText(remedy.layout) + " of " + array.str();
  if (remedy.kind == RemedyKind::OtherLayout && !layout.empty()) return layout;
  const std::string words = wordsOf(remedy);
  return layout.empty() || words.empty() ? words : words + ", or " + layout;
}

std::string wordsOf(const Footprint &footprint) {
  switch (footprint.why) {
    case Unfound::Nothing:
      return "";
    case Unfound::Cover:
      return "what is read is a part of the map, and not known";
    case Unfound::Varies:
      return "a runtime variable has another value for each index";
    case Unfound::NotGiven:
      return "the value of a runtime variable is not known";
    case Unfound::UnknownSize:
      return "a size is not known";
    case Unfound::NoBox:
      return "the least box was not found";
    case Unfound::Undecided:
      return footprint.decision.empty() ? "it was not found"
                                        : footprint.decision;
  }
  return "";
}

std::string wordsOf(Doubt doubt) {
  switch (doubt) {
    case Doubt::None:
      return "";
    case Doubt::UnknownOp:
      return "what an op of a module means is not known";
    case Doubt::Cover:
      return "what a module reads is known only as a cover";
    case Doubt::Collective:
      return "the element is read through a collective";
    case Doubt::UnknownSource:
      return "the source of a runtime variable is not traced to a parameter";
  }
  return "";
}

}  // namespace indexical
