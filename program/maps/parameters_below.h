// Which parameters each leaf of an entry may depend on.
//
//   p = (f32[4], f32[4]) parameter(0)      p0 {p0}, p1 {p1}
//   a = add(p0, p1), b = negate(p1)        a {p0, p1}, b {p1}
//   ROOT r = tuple(a, b)                   r0 {p0, p1}, r1 {p1}
//
// A result is looked for from the root down in as many steps as there are
// instructions, and a training step has a thousand results. Here each leaf gets
// its set once, of those of its operands, by bits. Sets that are equal to one
// of an operand are that one. Loops are followed leaf by leaf (loop_leaves.h).
//
// Law (tests/program/maps/leaf_pairs_test.cc): each parameter that the maps say
// is read is there, and each that is there is met by a walk along operands.
#ifndef INDEXICAL_PROGRAM_MAPS_PARAMETERS_BELOW_H
#define INDEXICAL_PROGRAM_MAPS_PARAMETERS_BELOW_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/BitVector.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/loop_leaves.h"
#include "indexical/program/module/program.h"

namespace indexical {

class ParametersBelow {
 public:
  /// Prepares the sets of the entry's leaves. `termOf` returns the number by
  /// which the leaf of a parameter is known. The module must live as long as
  /// this.
  ParametersBelow(const Module &module, LoopLeaves &loops,
                  ProgramIndexing &maps,
                  llvm::function_ref<int32_t(InstructionLeaf)> termOf);

  /// Returns the parameters' leaves that this leaf may depend on, by their
  /// numbers, sorted; nothing if the sets are too large to be kept, or if a
  /// size comes from an instruction that is not in front of its user.
  std::optional<std::vector<int32_t>> of(InstructionLeaf leaf) const;

 private:
  using SetId = int32_t;
  bool place(InstructionId i, LoopLeaves &loops, ProgramIndexing &maps,
             llvm::function_ref<int32_t(InstructionLeaf)> termOf);
  std::optional<SetId> unionOf(llvm::ArrayRef<SetId> sets);
  std::optional<SetId> add(llvm::BitVector set);

  const Module &module_;
  std::vector<int32_t> terms_;              ///< sorted; a bit each
  std::vector<llvm::BitVector> sets_;       ///< the first is empty
  std::vector<std::vector<SetId>> leaves_;  ///< by instruction and leaf
  bool isComplete_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_PARAMETERS_BELOW_H
