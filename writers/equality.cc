#include "indexical/writers/equality.h"

#include <set>
#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/answers/equality/keys.h"
#include "indexical/answers/equality/words.h"
#include "indexical/writers/equality_words.h"
#include "indexical/writers/values.h"
#include "indexical/writers/verdict.h"

namespace indexical {
namespace {

void line(const LeafEquality &leaf, llvm::raw_ostream &os) {
  const Decision &decision = leaf.decision;
  os << equalityWord(decision.answer);
  if (decision.answer == Answer::Undecided)
    os << ": " << reasonOf(leaf) << '\n';
  else
    os << " (" << methodName(leaf.byTerms, decision.engine) << ")\n";
}

void writeBecause(const EqualityObstacle &because, llvm::raw_ostream &os) {
  os << "  " << becauseText(because);
  if (!because.reason.empty()) os << ": " << because.reason;
  os << '\n';
}

/// Writes the ops of unknown meaning for which the answer holds.
void writeMeanings(const char *which, llvm::ArrayRef<std::string> names,
                   llvm::raw_ostream &os) {
  if (names.empty()) return;
  os << "  for " << which << " meaning of " << llvm::join(names, ", ") << '\n';
}

/// Returns the names at any of the equal pairs.
std::vector<std::string> meaningsOfEqual(const ModuleEquality &equality) {
  std::set<std::string> names;
  for (const LeafEquality &leaf : equality.leaves)
    if (leaf.decision.answer == Answer::Yes)
      names.insert(leaf.forAny.begin(), leaf.forAny.end());
  return {names.begin(), names.end()};
}

}  // namespace

void writeLeaf(const LeafEquality &leaf, llvm::raw_ostream &os) {
  line(leaf, os);
  if (leaf.decision.witness) os << "  " << witnessText(witnessOf(leaf)) << '\n';
  if (leaf.because) writeBecause(*leaf.because, os);
  writeMeanings("some", leaf.forSome, os);
  for (int side = 0; side < 2; ++side)
    if (!leaf.paths[side].empty())
      os << "  " << kSides[side] << ": " << llvm::join(leaf.paths[side], ", ")
         << '\n';
}

void EqualityResult::text(llvm::raw_ostream &os, TextStyle) {
  const Sameness &same = found_.same;
  const ModuleEquality &reads = same.reads;
  const Verdict &verdict = same.verdict;
  if (verdict.level == Level::Values) {
    os << verdictText(wordsOf(verdict.answer).values, verdict) << '\n';
    writeValues(*same.values, os);
    if (verdict.answer == Verdict::Same) return;
    if (same.values->isEqual) writeLost(*same.values, os);
  }
  writeDeciders(verdict.decidedBy, os);
  if (!found_.isOfMaps) {
    // A law may have dropped what the reads differ in.
    const bool isOpen = verdict.level == Level::Reads &&
                        verdict.answer == Verdict::Undecided &&
                        reads.answer == Answer::No;
    if (isOpen) os << "undecided: a law that drops a read may explain that\n";
    os << equalityWord(reads.answer) << " in reads";
    if (reads.answer != Answer::Undecided)
      os << " (" << methodName(reads.byTerms, reads.engine) << ")";
    if (verdict.level == Level::Reads) os << assumedText(verdict.assumed);
    os << '\n';
    if (reads.answer != Answer::Yes)
      if (const int64_t equal =
              pairsWithoutLeaf(reads) +
              llvm::count_if(reads.leaves, [](const LeafEquality &leaf) {
                return leaf.decision.answer == Answer::Yes;
              }))
        os << equal << " of " << reads.results * reads.parameters
           << " pairs are equal\n";
    writeMeanings("any", meaningsOfEqual(reads), os);
    if (!verdict.where.empty())
      os << "  where " << llvm::join(verdict.where, ", ") << '\n';
  }
  for (const LeafEquality &leaf : reads.leaves) {
    if (!found_.isOfMaps) {
      if (leaf.decision.answer == Answer::Yes) continue;
      os << "result " << leaf.result << ", parameter " << leaf.parameter
         << ": ";
    }
    writeLeaf(leaf, os);
  }
}

void EqualityResult::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(found_, sink); });
}

void EqualityResult::rows(Row row) {
  forEachPair(found_, [&](const PairEntry &pair) {
    row([&](ValueSink &to) {
      writeCells(found_, to);
      writeCells(pair, to);
    });
  });
}

}  // namespace indexical
