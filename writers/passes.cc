#include "indexical/writers/passes.h"

#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/writers/equality.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/partitioned.h"
#include "indexical/writers/passes_section.h"
#include "indexical/writers/values.h"

namespace indexical {

namespace json = llvm::json;
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
  if (found.verdict == Verdict::FewerReads ||
      found.verdict == Verdict::OtherReads)
    writeLost(*found.values, os);
  if (found.values) writeValues(*found.values, os);
  writeDeciders(found.decidedBy, os);
  if (found.partitioned) writePartitionedResults(*found.partitioned, os);
  if (!found.equality) return;
  for (const LeafEquality &leaf : found.equality->leaves) {
    if (leaf.decision.answer == Answer::Yes) continue;
    os << "result " << leaf.result << ", parameter " << leaf.parameter << ": ";
    writeLeaf(leaf, os);
  }
}

void writeText(const Dump &from, const Dump &to, const DumpComparison &found,
               llvm::raw_ostream &os) {
  os << passOf(to) << ": " << wordOf(found.verdict);
  if (!found.reason.empty()) os << ": " << found.reason;
  os << '\n';
  indented(os, [&](llvm::raw_ostream &os) {
    os << "from " << from.file << '\n' << "to   " << to.file << '\n';
    writeDetails(found, os);
    for (int side : {0, 1})
      if (!found.ways[side].empty())
        os << kSides[side] << ": " << placed(found.ways[side]) << '\n';
  });
}

StringRef engineOf(const DumpComparison &found) {
  if (found.sameText) return "text";
  if (found.partitioned) return engineName(Engine::Enumeration);
  if (!found.equality) return "";
  return found.equality->byTerms ? "terms" : engineName(found.equality->engine);
}

void writePair(const Dump &from, const Dump &to, const DumpComparison &found,
               json::OStream &json) {
  json.attribute("from", jsonString(from.file));
  json.attribute("to", jsonString(to.file));
  json.attribute("pass", jsonString(to.pass));
  json.attribute("pipeline", jsonString(to.pipeline));
  json.attribute("answer", answerWord(found.verdict));
  json.attribute("level", found.level == Level::Values ? "values" : "reads");
  if (const StringRef engine = engineOf(found); !engine.empty())
    json.attribute("engine", engine);
  if (!found.reason.empty()) json.attribute("reason", jsonString(found.reason));
  if (found.verdict == Verdict::FewerReads && !found.values->lost.empty())
    json.attributeArray("laws", [&] { writeLost(*found.values, json); });
  if (found.values) {
    writeValues(*found.values, json);
    writeTerms(found.verdict, *found.values, json);
  }
  writeDeciders(found.decidedBy, json);
  if (found.partitioned) {
    json.attribute("devices", found.partitioned->devices);
    json.attributeArray("partitioned", [&] {
      for (const PartitionedResult &result : found.partitioned->results)
        if (result.answer != PartitionedAnswer::Equal)
          json.object([&] { writePartitionedResult(result, json); });
    });
  }
  if (found.sameText || !found.equality) return;
  json.attributeArray("pairs", [&] {
    for (const LeafEquality &leaf : found.equality->leaves)
      if (leaf.decision.answer != Answer::Yes)
        json.object([&] { writeLeaf(leaf, json); });
  });
  if (found.ways[0].empty() && found.ways[1].empty()) return;
  json.attributeObject("path", [&] {
    for (int side : {0, 1})
      json.attributeArray(kSides[side], [&] {
        for (const InstructionLine &at : found.ways[side])
          json.array([&] {
            json.value(jsonString(at.instruction));
            json.value(at.line);
          });
      });
  });
}

}  // namespace

PassesResult::PassesResult(const DumpChain &chain,
                           const std::vector<DumpComparison> &compared,
                           const std::set<Verdict> &only)
    : chain_(chain), compared_(compared), only_(only), first_(compared.size()) {
  for (auto [number, found] : llvm::enumerate(compared)) {
    changed_ += !found.sameText;
    equal_ +=
        found.verdict == Verdict::Equal || found.verdict == Verdict::OtherReads;
    fewer_ += found.verdict == Verdict::FewerReads;
    undecided_ += found.verdict == Verdict::Undecided;
    different_ += found.verdict == Verdict::Different;
    if (found.verdict == Verdict::Different && first_ == compared.size())
      first_ = number;
  }
}

void PassesResult::writeSummary(llvm::raw_ostream &os) const {
  const int64_t equal =
      equal_ - (static_cast<int64_t>(compared_.size()) - changed_);
  os << chain_.dumps.size() << " dumps, " << changed_
     << (changed_ == 1 ? " pass" : " passes") << " changed something";
  if (changed_ > 0) {
    os << ": " << equal << " equal, ";
    if (fewer_ > 0) os << fewer_ << " with fewer reads, ";
    os << different_ << " different, " << undecided_ << " undecided";
  }
  os << '\n';
}

void PassesResult::section(llvm::raw_ostream &os, StringRef anchor) {
  os << "<p>";
  writeSummary(os);
  os << "</p>\n<ol class=\"passes\">\n";
  for (auto [number, found] : llvm::enumerate(compared_)) {
    if (!only_.empty() && !only_.count(found.verdict)) continue;
    std::string details = found.reason;
    if (!details.empty()) details += '\n';
    llvm::raw_string_ostream inner(details);
    writeDetails(found, inner);
    writePairOnPage({chain_.dumps[number], chain_.dumps[number + 1], found,
                     passOf(chain_.dumps[number + 1]), details},
                    (anchor + "p" + std::to_string(number)).str(), os);
  }
  os << "</ol>\n";
}

void PassesResult::text(llvm::raw_ostream &os, TextStyle) {
  writeSummary(os);
  for (auto [number, found] : llvm::enumerate(compared_)) {
    const bool isShown = only_.empty() ? found.verdict != Verdict::Equal
                                       : only_.count(found.verdict) > 0;
    if (isShown && !found.sameText)
      writeText(chain_.dumps[number], chain_.dumps[number + 1], found, os);
  }
}

void PassesResult::structure(Structure &to) {
  to.beginList("passes", ItemLayout::OneALine);
  for (auto [number, found] : llvm::enumerate(compared_)) {
    if (!only_.empty() && !only_.count(found.verdict)) continue;
    auto members = [&, number = number, &found = found](json::OStream &json) {
      writePair(chain_.dumps[number], chain_.dumps[number + 1], found, json);
    };
    ListItem item;
    item.kind = "pair";
    item.members = members;
    to.item(item);
  }
  to.endList();
  if (first_ < compared_.size())
    to.head([&](json::OStream &json) {
      json.attribute("first", jsonString(chain_.dumps[first_ + 1].pass));
    });
  to.summary({{"dumps", static_cast<int64_t>(chain_.dumps.size())},
              {"changed", changed_},
              {"equal", equal_},
              {"fewer_reads", fewer_},
              {"different", different_},
              {"undecided", undecided_}});
}

void PassesResult::totals(AddTotal to) {
  to("chains", 1);
  to("dumps", chain_.dumps.size());
  to("changed", changed_);
  to("equal", equal_ - (static_cast<int64_t>(compared_.size()) - changed_));
  to("fewer reads", fewer_);
  to("different", different_);
  to("undecided", undecided_);
}

}  // namespace indexical
