#include "indexical/writers/passes_section.h"

#include <string>

#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/passes.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The lines of a dump that are marked: those of the way, and of what stands in
/// the way of an answer.
std::set<uint32_t> marksOf(const DumpComparison &found, int side) {
  std::set<uint32_t> marks;
  for (const InstructionLine &at : found.ways[side]) marks.insert(at.line);
  if (found.equality && found.verdict.answer == Verdict::Undecided)
    for (const LeafEquality &leaf : found.equality->leaves)
      if (leaf.because && leaf.because->module == side)
        marks.insert(leaf.because->line);
  if (side == 0 && found.values && found.values->isEqual)
    for (const LostRead &lost : found.values->lost) marks.insert(lost.line);
  return marks;
}

void writeLines(const Dump &dump, const std::set<uint32_t> &marks,
                StringRef anchor, llvm::raw_ostream &os) {
  Input file;
  const auto input = readDump(dump, file);
  os << "<div><p class=\"soft\">";
  llvm::printHTMLEscaped(dump.file, os);
  os << "</p><div class=\"lines\" tabindex=\"0\">";
  StringRef rest = input.ok() ? StringRef(input->text) : StringRef();
  for (uint32_t line = 1; !rest.empty(); ++line) {
    const auto [text, next] = rest.split('\n');
    rest = next;
    // Empty lines stand for those of the file before its section.
    if (line <= dump.linesBefore) continue;
    const bool isMarked = marks.count(line) > 0;
    if (isMarked) os << "<span id=\"" << anchor << "l" << line << "\">";
    os << "<b>" << line << "</b>" << (isMarked ? "<mark>" : "");
    llvm::printHTMLEscaped(text, os);
    os << (isMarked ? "</mark></span>\n" : "\n");
  }
  os << "</div></div>\n";
}

void writeWay(llvm::ArrayRef<InstructionLine> way, int side, StringRef anchor,
              llvm::raw_ostream &os) {
  if (way.empty()) return;
  os << "<p>" << kSides[side] << ": ";
  for (size_t k = 0; k < way.size(); ++k) {
    os << (k ? ", " : "") << "<a href=\"#" << anchor << "l" << way[k].line
       << "\">";
    llvm::printHTMLEscaped(way[k].instruction, os);
    os << " at line " << way[k].line << "</a>";
  }
  os << "</p>\n";
}

}  // namespace

void writePairOnPage(const PairOnPage &pair, StringRef anchor,
                     llvm::raw_ostream &os) {
  const DumpComparison &found = pair.found;
  const bool isOpen = found.verdict.answer == Verdict::Different;
  const bool hasMore = found.verdict.answer != Verdict::Same;
  os << "<li>"
     << (!hasMore ? "<p>"
         : isOpen ? "<details open><summary>"
                  : "<details><summary>");
  llvm::printHTMLEscaped(pair.title, os);
  os << ": <span class=\"verdict" << (isOpen ? " worse" : "") << "\">"
     << wordOf(found.verdict.answer) << "</span>"
     << (found.sameText ? " <span class=\"soft\">(the same text)</span>" : "")
     << (hasMore ? "</summary>\n" : "</p></li>\n");
  if (!hasMore) return;
  StringRef rest = pair.details;
  while (!rest.empty()) {
    const auto [line, next] = rest.split('\n');
    os << "<p>";
    llvm::printHTMLEscaped(line, os);
    os << "</p>\n";
    rest = next;
  }
  const std::string anchors[] = {(anchor + "f").str(), (anchor + "s").str()};
  for (int side : {0, 1}) writeWay(found.ways[side], side, anchors[side], os);
  os << "<div class=\"sides\">\n";
  for (int side : {0, 1})
    writeLines(side ? pair.to : pair.from, marksOf(found, side), anchors[side],
               os);
  os << "</div></details></li>\n";
}

}  // namespace indexical
