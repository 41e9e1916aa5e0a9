// A kernel on a page: its source, with the figures at the lines of its
// accesses. Lines that waste more than half of what they move are marked.

#include <map>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Base64.h"

#include "indexical/answers/pictures/pictures.h"
#include "indexical/answers/words.h"
#include "indexical/writers/kernel.h"
#include "indexical/writers/verdict.h"

namespace indexical {
namespace {

using kernels::KernelAccess;
using llvm::StringRef;

/// A note on a line, and whether it reports a fault.
struct LineNote {
  std::string text;
  bool isBad = false;
};
using LineNotes = std::map<uint32_t, std::vector<LineNote>>;

std::string figureText(const Figure &figure) {
  return figure.isKnown() ? absl::StrCat(figure.least)
                          : absl::StrCat(figure.least, " to ", figure.most);
}

std::string kindText(kernels::AccessKind kind) {
  switch (kind) {
    case kernels::AccessKind::Load:
      return "load";
    case kernels::AccessKind::Store:
      return "store";
    case kernels::AccessKind::Atomic:
      break;
  }
  return "atomic";
}

LineNote noteOf(const KernelFindings &found, size_t number,
                const Device &device) {
  const KernelAccess &access = found.kernel.accesses[number];
  const kernels::MeasuredAccess &measured = found.traffic.accesses[number];
  LineNote note;
  note.text = kindText(access.kind);
  if (const int64_t argument = access.argument(); argument >= 0)
    absl::StrAppend(&note.text, " of ", found.kernel.arguments[argument].name);
  if (measured.traffic && measured.traffic->figures) {
    const AccessFigures &of = *measured.traffic->figures;
    absl::StrAppend(
        &note.text, ": ", wordsOf(measured.traffic->finding.pattern), ", ",
        figureText(of.sectors), " sectors (ideal ",
        figureText(of.sectorsFewest), "), ", figureText(of.bytesUsed),
        " bytes used, ", figureText(of.wastedBytes), " wasted, vectors of ",
        of.vector);
    const int64_t moved = sumsOf(*measured.traffic, device).moved;
    note.isBad = of.wastedBytes.least > moved / 2;
  } else if (!measured.reason.empty()) {
    absl::StrAppend(&note.text, ": no figures, ", measured.reason);
  }
  const Check &check = found.bounds[number];
  if (check.answer != Check::Proved)
    absl::StrAppend(&note.text, "; in bounds ", wordOf(check.answer).str());
  if (check.witness)
    absl::StrAppend(&note.text, ": program (",
                    absl::StrJoin(check.witness->first.program, ", "),
                    ") takes element ", outsideText(*check.witness));
  note.isBad |= check.answer == Check::Violated;
  if (!access.stack.empty())
    absl::StrAppend(&note.text, "; ", access.stack[0].file, ":",
                    access.stack[0].line);
  return note;
}

LineNotes notesOf(const KernelFindings &found, const Device &device) {
  LineNotes notes;
  for (size_t i = 0; i < found.kernel.accesses.size(); ++i)
    notes[found.kernel.accesses[i].place.line].push_back(
        noteOf(found, i, device));
  for (auto [access, figures] :
       llvm::zip_equal(found.kernel.shared, found.shared))
    if (figures)
      notes[access.place.line].push_back(
          {absl::StrCat(kindText(access.kind), " of shared memory: vectors of ",
                        figures->vector, ", conflicts ", figures->conflicts),
           figures->conflicts > 1});
  if (found.kernel.incomplete)
    notes[found.kernel.incomplete->place.line].push_back(
        {"not understood: " + found.kernel.incomplete->reason, true});
  return notes;
}

void writeNotes(const std::vector<LineNote> &notes, llvm::raw_ostream &os) {
  for (const LineNote &note : notes) {
    os << "<i" << (note.isBad ? " class=\"worse\">" : ">");
    llvm::printHTMLEscaped(note.text, os);
    os << "</i>";
  }
}

/// Pictures of so many layouts stand on a page, of so many elements at most.
constexpr size_t kMostPictures = 8;
constexpr int64_t kMostPictured = 1 << 14;

/// Writes the tiles of the kernel, each layout once, folded: which lane and
/// register holds which element. The pictures have styles of their own, so they
/// are images.
void writeTiles(const kernels::TritonKernel &kernel, llvm::raw_ostream &os) {
  std::map<std::string, const layouts::Layout *> tiles;
  const auto add = [&](const std::string &text,
                       const std::optional<layouts::Layout> &layout) {
    if (!layout || !layout->points() || *layout->points() > kMostPictured)
      return;
    std::vector<std::string> sides;
    for (const layouts::Space &space : layout->outputs())
      sides.push_back(absl::StrCat(space.size));
    tiles.emplace(absl::StrCat(absl::StrJoin(sides, " x "), ", ", text),
                  &*layout);
  };
  for (const KernelAccess &access : kernel.accesses)
    add(access.layoutText, access.layout);
  for (const kernels::SharedAccess &access : kernel.shared)
    add(access.layoutText, access.layout);
  size_t written = 0;
  for (const auto &[name, layout] : tiles) {
    if (written == kMostPictures) break;
    const auto picture = pictureOfLayouts(name, *layout, nullptr);
    if (!picture.ok()) continue;
    ++written;
    std::string svg;
    llvm::raw_string_ostream text(svg);
    writeSvg(*picture, text);
    os << "<details><summary>a tile of ";
    llvm::printHTMLEscaped(name, os);
    os << "</summary><img alt=\"lanes and registers by element\" "
          "src=\"data:image/svg+xml;base64,"
       << llvm::encodeBase64(text.str()) << "\"></details>\n";
  }
}

}  // namespace

void KernelResult::section(llvm::raw_ostream &os, StringRef anchor) {
  std::string summary;
  llvm::raw_string_ostream words(summary);
  writeSummaryText(words);
  os << "<section class=\"kernel\"><h2>";
  llvm::printHTMLEscaped(found_.kernel.function, os);
  os << "</h2>\n<div class=\"summary\">";
  llvm::printHTMLEscaped(words.str(), os);
  os << "</div>\n<div class=\"lines\" tabindex=\"0\">";
  const LineNotes notes = notesOf(found_, device_);
  // Notes without a line stand in front.
  if (const auto none = notes.find(0); none != notes.end())
    writeNotes(none->second, os);
  StringRef rest = found_.text;
  for (uint32_t line = 1; !rest.empty(); ++line) {
    const auto [text, next] = rest.split('\n');
    rest = next;
    const auto found = notes.find(line);
    const bool isMarked = found != notes.end();
    if (isMarked) os << "<span id=\"" << anchor << "l" << line << "\">";
    os << "<b>" << line << "</b>" << (isMarked ? "<mark>" : "");
    llvm::printHTMLEscaped(text, os);
    os << (isMarked ? "</mark></span>" : "\n");
    if (isMarked) writeNotes(found->second, os);
  }
  os << "</div>\n";
  writeTiles(found_.kernel, os);
  os << "</section>\n";
}

}  // namespace indexical
