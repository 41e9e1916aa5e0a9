// Loops that count: what they read, in closed form. Private to program/.
//
//   while i < 8, i from 0, i + 1 behind each trip
//     v = f32[1] dynamic-slice(x, i)
//     u = f32[1] exponential(v)
//     out1 = f32[10] dynamic-update-slice(out, u, i)
//   out reads x      (d0) -> (d0), d0 in [0, 7]
//   out reads out    (d0) -> (d0), d0 in [8, 9]
//
// The condition compares the counter with a number and reads nothing else, so
// that the number of trips is known, and in trip t the counter is first +
// step * t, in its type. A runtime variable of the body that follows from the
// counter is then an expression of t, which is a range of the map. A leaf of
// the state has a closed form in two cases:
//
//   written      a trip updates a slice whose start is never clamped, no two
//                trips meet, and nothing reads the leaf: each element has what
//                its one trip wrote, or what it was in the beginning
//   accumulated  a trip reads the element that it computes, and no other of the
//                leaf: each element has what it was, and what all trips read
//
// Everything else that is read must be a leaf that the body leaves as it is. If
// one of these conditions does not hold, a loop of few trips is followed trip
// by trip (unrolled_loops.h), and any other one is covered (loops.h).
//
// Law (tests/program/maps/counted_loops_test.cc, by running the loop trip by
// trip): the relation is what the last state reads of the first.
#ifndef INDEXICAL_PROGRAM_MAPS_COUNTED_LOOPS_H
#define INDEXICAL_PROGRAM_MAPS_COUNTED_LOOPS_H

#include <algorithm>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>
#include <vector>

#include "indexical/program/maps/loop_boxes.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"
#include "indexical/program/maps/value_numbers.h"

namespace indexical {

/// A while whose condition compares a counter with a number, and nothing else.
struct CountedLoop {
  LeafId leaf;  ///< of the state, the counter
  Value value;  ///< the same in the body, at the begin of a trip
  int64_t first = 0, step = 0, trips = 0;
  /// Numbers that are passed to condition and body, the same in every trip.
  std::map<Value, int64_t> numbers;
  /// The operand leaves that the counter and the condition depend on.
  std::set<LeafId> control;

  /// Returns the counter's values at the begin of trips. Requires trips > 0.
  Interval values() const {
    const int64_t last = first + step * (trips - 1);
    return {std::min(first, last), std::max(first, last)};
  }
};

/// Finds out whether a loop counts. `leaves` are the leaves of its operands,
/// and `passes` those of the state that the body leaves as they are.
std::optional<CountedLoop> findCountedLoop(const Module &module,
                                           ComputationId c,
                                           const Callee &condition,
                                           const Callee &body,
                                           llvm::ArrayRef<OperandLeaf> leaves,
                                           const std::vector<bool> &passes);

/// The reads of a leaf of a counted loop's state, if they have a closed form.
struct CountedReads {
  bool isKnown = false;
  /// By operand leaf, output to input and input to output.
  std::map<LeafId, std::pair<IndexingRelation, IndexingRelation>> reads;
};

class CountedLoops {
 public:
  /// The arguments must outlive the object.
  CountedLoops(const ProgramGraph &graph, const SolvedComputations &solved,
               ValueNumbers &values, LoopBoxes &boxes)
      : graph_(graph), solved_(solved), values_(values), boxes_(boxes) {}

  /// Returns what a result of a while reads. Requires that its body and its
  /// condition are solved. The reference stays valid.
  const CountedReads &readsOf(Leaf result, const Callee &body);

 private:
  const std::optional<CountedLoop> &loopOf(ComputationId c, InstructionId i,
                                           const Callee &body);
  std::optional<CountedLoop> findLoop(ComputationId c, InstructionId i,
                                      const Callee &body);
  CountedReads findReads(Leaf result, const Callee &body);
  CountedReads closedForm(Leaf result, const CountedLoop &loop,
                          const Callee &body);
  CountedReads tripByTrip(Leaf result, const CountedLoop &loop,
                          const Callee &body);

  const ProgramGraph &graph_;
  const SolvedComputations &solved_;
  ValueNumbers &values_;
  LoopBoxes &boxes_;
  /// Nothing for a loop that is not counted.
  std::map<std::pair<ComputationId, InstructionId>, std::optional<CountedLoop>>
      loops_;
  std::map<Leaf, CountedReads> reads_;
  /// The reads of loops that are followed trip by trip, by leaf of the state.
  std::map<std::pair<ComputationId, InstructionId>, std::vector<CountedReads>>
      unrolled_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_COUNTED_LOOPS_H
