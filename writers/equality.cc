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

void writeWitness(const PairWitness &witness, llvm::raw_ostream &os) {
  os << "  at index " << tupleText(witness.index);
  for (const auto &[name, value] : witness.runtime)
    os << ", " << name << " = " << value;
  os << (witness.runtime.empty() ? " " : ", ") << "only the " << sideOf(witness)
     << " reads " << tupleText(witness.element) << '\n';
}

}  // namespace

void writeLeaf(const LeafEquality &leaf, llvm::raw_ostream &os) {
  line(leaf, os);
  if (leaf.decision.witness) writeWitness(*leaf.decision.witness, os);
  if (leaf.because) writeBecause(*leaf.because, os);
  writeMeanings("some", leaf.forSome, os);
  for (int side = 0; side < 2; ++side)
    if (!leaf.paths[side].empty())
      os << "  " << kSides[side] << ": " << llvm::join(leaf.paths[side], ", ")
         << '\n';
}

/// Returns `equal in values`, `fewer reads, equal in values`.
static std::string valuesLine(SameVerdict verdict) {
  switch (verdict) {
    case SameVerdict::FewerReads:
      return "fewer reads, equal in values (terms)";
    case SameVerdict::OtherReads:
      return "equal in values, other reads (terms)";
    case SameVerdict::Equal:
      return "equal in values (terms)";
    default:
      return wordOf(verdict).str() + " in values";
  }
}

void EqualityResult::text(llvm::raw_ostream &os, TextStyle) {
  const Sameness &same = found_.same;
  const ModuleEquality &reads = same.reads;
  if (same.level == SameLevel::Values) {
    os << valuesLine(same.verdict) << assumedText(same.assumed) << '\n';
    writeValues(*same.values, os);
    if (same.verdict == SameVerdict::Equal) return;
    if (same.values->isEqual) writeLost(*same.values, os);
  }
  writeDeciders(same.decidedBy, os);
  if (!found_.isOfMaps) {
    // A law may have dropped what the reads differ in.
    const bool isOpen = same.level == SameLevel::Reads &&
                        same.verdict == SameVerdict::Undecided &&
                        reads.answer == Answer::No;
    if (isOpen) os << "undecided: a law that drops a read may explain that\n";
    os << equalityWord(reads.answer) << " in reads";
    if (reads.answer != Answer::Undecided)
      os << " (" << methodName(reads.byTerms, reads.engine) << ")";
    if (same.level == SameLevel::Reads) os << assumedText(same.assumed);
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
    if (!reads.where.empty())
      os << "  where " << llvm::join(reads.where, ", ") << '\n';
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
