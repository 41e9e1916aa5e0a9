// Finds the reads of a while as boxes, which hold for any number of trips:
// private to program/.
//
//   body(x, w) = (x + w[i], w), condition reads i
//   x   itself, all of w that has its other indices, and i
//   w   itself: the body leaves it as it is
//
// After some trips, the state reads what the closure of the body's reads says
// (closure.h).
#ifndef INDEXICAL_PROGRAM_MAPS_LOOP_BOXES_H
#define INDEXICAL_PROGRAM_MAPS_LOOP_BOXES_H

#include <cstdint>
#include <map>
#include <tuple>
#include <utility>
#include <vector>

#include "indexical/program/maps/closure.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"

namespace indexical {

/// The reads of a while: of each leaf of its state, of the leaves of its
/// operands. The operands are the state itself, which comes first, and the
/// values that the body captures.
struct LoopReads {
  std::vector<bool> passes;  ///< a result that the body leaves as it is
  std::vector<BoxRow> rows;  ///< the leaves after any number of trips
  BoxRow condition;          ///< what the condition reads of the first state
};

class LoopBoxes {
 public:
  /// The arguments must outlive the object.
  LoopBoxes(const ProgramGraph &graph, const SolvedComputations &solved)
      : graph_(graph), solved_(solved) {}

  /// Returns the reads of a while, of which loops of the same body, condition
  /// and operand leaves share one. Requires that its body and its condition are
  /// solved. The reference stays valid.
  const LoopReads &of(ComputationId c, InstructionId i, const Callee &body);

 private:
  /// The numbers of the operand leaves that are passed to a computation.
  using Numbers = std::vector<int64_t>;
  BoxRow boxesOf(ComputationId c, LeafId rootLeaf,
                 llvm::ArrayRef<int64_t> numbers) const;
  LoopReads find(ComputationId c, InstructionId i, const Callee &body,
                 const Numbers &numbers, const Numbers &tested) const;

  const ProgramGraph &graph_;
  const SolvedComputations &solved_;
  /// By body and condition (or none), and what is passed to each.
  std::map<std::tuple<ComputationId, ComputationId, Numbers, Numbers>,
           LoopReads>
      loops_;
  /// The loops of instructions that were asked about.
  std::map<std::pair<ComputationId, InstructionId>, const LoopReads *> at_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_LOOP_BOXES_H
