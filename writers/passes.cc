#include "indexical/writers/passes.h"

#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/passes/keys.h"
#include "indexical/writers/equality.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/partitioned.h"
#include "indexical/writers/passes_section.h"
#include "indexical/writers/sums_sink.h"
#include "indexical/writers/values.h"
#include "indexical/writers/verdict.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// Shows each line of what `write` writes two columns to the right.
template <typename Write>
void indented(llvm::raw_ostream &os, Write write) {
  std::string text;
  llvm::raw_string_ostream inner(text);
  write(inner);
  StringRef rest = text;
  while (!rest.empty()) {
    auto [line, next] = rest.split('\n');
    os << "  " << line << '\n';
    rest = next;
  }
}

std::string passOf(const Dump &dump) {
  if (dump.pass.empty()) return "the step to " + dump.file;
  return dump.pipeline.empty() ? dump.pass : dump.pass + " of " + dump.pipeline;
}

std::string placed(llvm::ArrayRef<InstructionLine> way) {
  std::vector<std::string> parts;
  for (const InstructionLine &at : way)
    parts.push_back(at.instruction + " at line " + std::to_string(at.line));
  return llvm::join(parts, ", ");
}

/// Writes the facts of a pair of dumps beside its files and ways.
void writeDetails(const DumpComparison &found, llvm::raw_ostream &os) {
  const Verdict &verdict = found.verdict;
  if (verdict.isSame() && verdict.answer != Verdict::Same)
    writeLost(*found.values, os);
  if (found.values) writeValues(*found.values, os);
  writeDeciders(verdict.decidedBy, os);
  if (found.partitioned) writePartitionedResults(*found.partitioned, os);
  for (const CompiledKernel &kernel : found.kernels)
    if (!kernel.verdict.isSameAt(Level::Values))
      os << "kernel " << kernel.kernel << ": "
         << verdictText(sharedWord(kernel.verdict), kernel.verdict) << '\n';
  if (!found.equality) return;
  for (const LeafEquality &leaf : found.equality->leaves) {
    if (leaf.decision.answer == Answer::Yes) continue;
    os << "result " << leaf.result << ", parameter " << leaf.parameter << ": ";
    writeLeaf(leaf, os);
  }
}

void writeText(const PassEntry &pair, llvm::raw_ostream &os) {
  const DumpComparison &found = pair.found;
  os << passOf(pair.to) << ": "
     << verdictText(wordOf(found.verdict.answer), found.verdict) << '\n';
  indented(os, [&](llvm::raw_ostream &os) {
    os << "from " << pair.from.file << '\n' << "to   " << pair.to.file << '\n';
    writeDetails(found, os);
    for (int side : {0, 1})
      if (!found.ways[side].empty())
        os << kSides[side] << ": " << placed(found.ways[side]) << '\n';
  });
}

}  // namespace

void PassesResult::writeSummaryLine(llvm::raw_ostream &os) const {
  const ChainFigures &of = found_.figures;
  os << of.dumps << " dumps, " << of.changed
     << (of.changed == 1 ? " pass" : " passes") << " changed something";
  if (of.changed > 0) {
    os << ": " << of.changedEqual() << " equal, ";
    if (of.fewerReads > 0) os << of.fewerReads << " with fewer reads, ";
    os << of.different << " different, " << of.undecided << " undecided";
  }
  std::set<std::string> assumed;
  for (const DumpComparison &found : found_.compared)
    assumed.insert(found.verdict.assumed.begin(), found.verdict.assumed.end());
  os << assumedText(std::vector<std::string>(assumed.begin(), assumed.end()))
     << '\n';
}

void PassesResult::section(llvm::raw_ostream &os, StringRef anchor) {
  os << "<p>";
  writeSummaryLine(os);
  os << "</p>\n<ol class=\"passes\">\n";
  for (auto [number, found] : llvm::enumerate(found_.compared)) {
    if (!found_.isChosen(found)) continue;
    const PassEntry pair(found_, number);
    std::string details = found.verdict.reason;
    if (!details.empty()) details += '\n';
    llvm::raw_string_ostream inner(details);
    writeDetails(found, inner);
    writePairOnPage({pair.from, pair.to, found, passOf(pair.to), details},
                    (anchor + "p" + std::to_string(number)).str(), os);
  }
  os << "</ol>\n";
}

void PassesResult::text(llvm::raw_ostream &os, TextStyle) {
  writeSummaryLine(os);
  for (auto [number, found] : llvm::enumerate(found_.compared)) {
    const bool isShown = found_.only.empty()
                             ? found.verdict.answer != Verdict::Same
                             : found_.isChosen(found);
    if (isShown && !found.sameText) writeText(PassEntry(found_, number), os);
  }
}

void PassesResult::structure(Structure &to) {
  to.beginList("passes", ItemLayout::OneALine);
  for (auto [number, found] : llvm::enumerate(found_.compared)) {
    if (!found_.isChosen(found)) continue;
    to.item({"pair", [&, number = number](ValueSink &sink) {
               writeKeys(PassEntry(found_, number), sink);
             }});
  }
  to.endList();
  to.head([&](ValueSink &sink) { writeKeys(found_, sink); });
  writeSummary(found_.figures, to);
}

void PassesResult::rows(Row row) {
  for (auto [number, found] : llvm::enumerate(found_.compared))
    if (found_.isChosen(found))
      row([&, number = number](ValueSink &to) {
        writeCells(PassEntry(found_, number), to);
      });
}

void PassesResult::totals(AddTotal to) {
  const ChainFigures &of = found_.figures;
  to("chains", 1);
  to("dumps", of.dumps);
  to("changed", of.changed);
  to("equal", of.changedEqual());
  to("fewer reads", of.fewerReads);
  to("different", of.different);
  to("undecided", of.undecided);
}

}  // namespace indexical
