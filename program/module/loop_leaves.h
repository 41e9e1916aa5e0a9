// Which of a loop's operands each of its results depends on, as the flow of
// arrays through the loop's body says it, without maps.
//
//   body { p = (s32[], f32[8], f32[8]) parameter(0)
//          i, x, y = the elements of p
//          ROOT r = (s32[], f32[8], f32[8]) tuple(i + 1, x, x + y) }
//   w = while(t), body=body, condition=…
//
//   of(w, 0)   0           of(w, 1)   0, 1        of(w, 2)   0, 1, 2
//
// The condition reads i, so that the number of trips depends on operand 0, and
// every result on the number of trips. A loop that carries thousands of arrays
// has millions of pairs, of which few depend on each other. The answer is a
// superset: each instruction of the body but a tuple, an element of one and a
// loop depends on all its operands.
//
// Law (tests/program/maps/leaf_pairs_test.cc): each pair that has maps is
// there.
#ifndef INDEXICAL_PROGRAM_MODULE_LOOP_LEAVES_H
#define INDEXICAL_PROGRAM_MODULE_LOOP_LEAVES_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/program.h"

namespace indexical {

class LoopLeaves {
 public:
  /// `module` must outlive the object.
  explicit LoopLeaves(const Module &module) : module_(module) {}

  /// Returns the operand leaves that the loop's result depends on, sorted.
  /// Returns nothing if they may be all: if the instruction is not a loop, its
  /// body is not in the module, or the bodies are too large to follow.
  std::optional<llvm::ArrayRef<int64_t>> of(ComputationId computation,
                                            InstructionId loop, LeafId result);

 private:
  using Leaves = std::vector<int64_t>;
  /// By result, then the numbers of operand leaves; empty: may be all.
  using Loop = std::vector<Leaves>;

  const Loop &loop(ComputationId computation, InstructionId i);
  std::optional<Loop> find(ComputationId computation, InstructionId i);
  /// Returns for each leaf of the computation's root the parameters' leaves
  /// that it depends on.
  std::optional<std::vector<Leaves>> below(ComputationId computation);

  const Module &module_;
  std::map<std::pair<ComputationId, InstructionId>, Loop> loops_;
  int64_t steps_ = 0;
  int depth_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_LOOP_LEAVES_H
