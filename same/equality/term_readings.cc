#include "indexical/same/equality/term_readings.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/same/equality/split_indices.h"

namespace indexical {
namespace {

/// The pieces of two relations that pass the same collectives.
struct Way {
  llvm::ArrayRef<int64_t> collectives;
  IndexingRelation pieces[2];
};

/// Returns the pieces of both relations by the collectives that they pass, in
/// the order of the pieces: the numbers of collectives depend on earlier
/// queries.
std::vector<Way> byWays(const IndexingRelation &a, const IndexingRelation &b) {
  std::vector<Way> ways;
  for (int side : {0, 1})
    for (const IndexingMap &piece : (side ? b : a).pieces()) {
      auto way = llvm::find_if(ways, [&](const Way &known) {
        return known.collectives == piece.collectives();
      });
      if (way == ways.end())
        way = ways.insert(ways.end(), Way{piece.collectives(), {}});
      way->pieces[side].add(piece);
    }
  return ways;
}

bool isKnownUnread(const IndexingRelation &relation) {
  return relation.pieces().empty() && relation.precision() == Precision::Exact;
}

}  // namespace

absl::StatusOr<TermReadings::Reading> TermReadings::compareTraced(
    const IndexingRelation &a, const IndexingRelation &b) const {
  INDEXICAL_ASSIGN_OR_RETURN(auto first, sides_[0].traced(a));
  INDEXICAL_ASSIGN_OR_RETURN(auto second, sides_[1].traced(b));
  return compareNamed(first, second);
}

absl::StatusOr<TermReadings::Reading> TermReadings::compare(
    const IndexingRelation &a, const IndexingRelation &b) const {
  if (isKnownUnread(a) && isKnownUnread(b)) {
    Reading unread;
    unread.decision.answer = Answer::Yes;
    unread.isRead = false;
    return unread;
  }
  auto reading = compareTraced(a, b);
  if (!reading.ok() || reading->decision.answer != Answer::Undecided ||
      a.precision() != Precision::Exact || b.precision() != Precision::Exact)
    return reading;
  const IndexingRelation first = sides_[0].byCases(a);
  const IndexingRelation second = sides_[1].byCases(b);
  if (!(first == a && second == b)) {
    auto split = compareTraced(first, second);
    if (split.ok() && split->decision.answer != Answer::Undecided) return split;
  }
  auto element = compareElements(a, b);
  if (!element.ok() || element->decision.answer == Answer::Undecided)
    return reading;
  return element;
}

/// Like compareTraced(), with each piece split so that each runtime variable
/// names one element.
absl::StatusOr<TermReadings::Reading> TermReadings::compareElements(
    const IndexingRelation &a, const IndexingRelation &b) const {
  INDEXICAL_ASSIGN_OR_RETURN(auto first, sides_[0].traced(a));
  INDEXICAL_ASSIGN_OR_RETURN(auto second, sides_[1].traced(b));
  const auto parts = withSplitIndices(first);
  const auto others = withSplitIndices(second);
  if (!parts || !others) return Reading();
  return compareNamed(*parts, *others);
}

TermReadings::Reading TermReadings::compareNamed(
    const IndexingRelation &first, const IndexingRelation &second) const {
  Reading reading;
  const IndexingRelation a = witnesses_.named(first);
  const IndexingRelation b = witnesses_.named(second);
  const Doubt doubts[] = {sides_[0].doubtOf(a), sides_[1].doubtOf(b)};
  const Doubt doubt = doubts[0] == Doubt::None ? doubts[1] : doubts[0];
  if (a.precision() != Precision::Exact || b.precision() != Precision::Exact) {
    reading.doubt = doubt;
    return reading;
  }
  reading.decision.answer = Answer::Yes;
  for (const Way &way : byWays(a, b)) {
    auto equal = areEqual(way.pieces[0], way.pieces[1], options_);
    Decision decision;
    if (equal.ok())
      decision = *std::move(equal);
    else
      decision.reason = std::string(equal.status().message());
    const Engine engine = std::max(decision.engine, reading.decision.engine);
    if (decision.answer != Answer::Yes) reading.decision = std::move(decision);
    reading.decision.engine = engine;
    if (reading.decision.answer != Answer::Yes) break;
  }
  if (reading.decision.answer != Answer::No) return reading;
  PairWitness &witness = *reading.decision.witness;
  if (doubt == Doubt::None && witnesses_.isPossible(witness, a) &&
      witnesses_.isPossible(witness, b)) {
    witnesses_.tell(witness, {&a, &b});
    reading.isFewer = llvm::all_of(byWays(a, b), [&](const Way &way) {
      const auto within = isSubset(way.pieces[1], way.pieces[0], options_);
      return within.ok() && within->answer == Answer::Yes;
    });
    return reading;
  }
  reading.doubt = doubt;
  reading.decision.answer = Answer::Undecided;
  reading.decision.reason =
      doubt == Doubt::None ? "an index has a value that its type has not" : "";
  reading.decision.witness.reset();
  return reading;
}

}  // namespace indexical
