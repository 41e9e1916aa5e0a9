// The answers for whole computations: private to program/.
//
// A call, a loop and a scan ask what the root of their callee reads. The callee
// is solved before (recursion.h), so that questions about it only read this
// table. The solver alone adds to it.
#ifndef INDEXICAL_PROGRAM_MAPS_SOLVED_COMPUTATIONS_H
#define INDEXICAL_PROGRAM_MAPS_SOLVED_COMPUTATIONS_H

#include <map>
#include <optional>
#include <utility>

#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// The relations of a computation in one direction, by a leaf of the root and a
/// parameter's leaf. A pair that is not there is not read.
using Whole = std::map<LeafPair, IndexingRelation>;

class SolvedComputations {
 public:
  bool has(ComputationId c) const { return answers_.count(c); }
  /// Returns a computation's answer, or an empty one if it is not solved.
  const Whole &whole(ComputationId c, Direction direction) const {
    static const Whole none;
    const auto found = answers_.find(c);
    if (found == answers_.end()) return none;
    return direction == Direction::OutputToInput ? found->second.first
                                                 : found->second.second;
  }
  const Whole &reads(ComputationId c) const {
    return whole(c, Direction::OutputToInput);
  }
  const Whole &users(ComputationId c) const {
    return whole(c, Direction::InputToOutput);
  }
  /// Adds a computation that is not solved.
  void add(ComputationId c, Whole reads, Whole users) {
    answers_.try_emplace(c, std::move(reads), std::move(users));
  }

  /// Returns the first limit within a solved computation and those that it
  /// calls, or nothing if there is none. A computation that is not in the
  /// module, as in a snippet, has none.
  std::optional<Limit> limit(ComputationId c) const {
    const auto found = limits_.find(c);
    return found == limits_.end() ? std::nullopt : std::optional(found->second);
  }
  /// Gives a computation this limit unless it has one.
  void addLimit(ComputationId c, const Limit &limit) {
    limits_.try_emplace(c, limit);
  }

 private:
  std::map<ComputationId, std::pair<Whole, Whole>> answers_;
  std::map<ComputationId, Limit> limits_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SOLVED_COMPUTATIONS_H
