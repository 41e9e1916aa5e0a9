// Finds which leaves of an instruction can read which: private to program/.
//
//   t = (f32[8], f32[8], s32[]) tuple(x, y, i)
//   w = (f32[8], f32[8], s32[]) while(t), body=b, …   b leaves y as it is
//
//   forOperands(w, 1)   1: result 1 reads operand leaf 1 alone
//
// A tuple, a call or a loop may have thousands of leaves, of which each reads
// one or two. To ask every pair would be millions of questions.
#ifndef INDEXICAL_PROGRAM_MAPS_LEAF_USES_H
#define INDEXICAL_PROGRAM_MAPS_LEAF_USES_H

#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/maps/loop_boxes.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"

namespace indexical {

/// The pairs for which an instruction can have maps.
struct ReadPairs {
  using Pair = std::pair<LeafId, LeafId>;
  std::vector<Pair> byResult;   ///< (result, operand leaf), sorted
  std::vector<Pair> byOperand;  ///< (operand leaf, result), sorted
};

/// All questions require that the computations that the instruction calls are
/// solved.
class LeafUses {
 public:
  /// The arguments must outlive the object.
  LeafUses(const ProgramGraph &graph, const SolvedComputations &solved,
           LoopBoxes &boxes)
      : graph_(graph), solved_(solved), boxes_(boxes) {}

  /// Returns null if any result may read any operand leaf.
  const ReadPairs *pairsOf(ComputationId c, InstructionId i);
  using Visit = llvm::function_ref<absl::Status(LeafId)>;
  /// Visits the operand leaves that a result may read, in order.
  absl::Status forOperands(ComputationId c, InstructionId i, LeafId result,
                           Visit visit);
  /// Visits the results that may read an operand leaf, in order.
  absl::Status forResults(ComputationId c, InstructionId i, LeafId leaf,
                          Visit visit);

 private:
  std::optional<ReadPairs> findPairs(ComputationId c, InstructionId i);
  void addOfLoop(ComputationId c, InstructionId i, const Callee &body,
                 ReadPairs &pairs);
  bool addOfCalls(ComputationId c, InstructionId i, ReadPairs &pairs);

  const ProgramGraph &graph_;
  const SolvedComputations &solved_;
  LoopBoxes &boxes_;
  std::map<std::pair<ComputationId, InstructionId>, std::optional<ReadPairs>>
      pairs_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_LEAF_USES_H
