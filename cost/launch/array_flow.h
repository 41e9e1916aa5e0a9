// The way of arrays from kernel to kernel: who writes one, and who reads it.
//
//   k = f32[8] fusion(p), …           readers of k: m, through b and t
//   b = f32[2,4] bitcast(k)           k is no result of the module
//   t = (f32[2,4]) tuple(b)
//   g = f32[2,4] get-tuple-element(t), index=0
//   ROOT m = f32[2,4] fusion(g), …    source of its operand: k
//
// Tuples, their elements, bitcasts and calls are looked through. A loop or a
// branch is not: what passes into one, or out of it, is open, because the
// module need not say what is read of it, and how often.
//
// Laws (tests/cost/launch/array_flow_test.cc): a source is a kernel, a
// parameter or a constant, never a tuple or a bitcast; an array lists exactly
// the kernels whose operands have it as their source.
#ifndef INDEXICAL_COST_LAUNCH_ARRAY_FLOW_H
#define INDEXICAL_COST_LAUNCH_ARRAY_FLOW_H

#include <cstdint>
#include <optional>
#include <tuple>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The uses of an array that a kernel writes, or that the module is given.
struct ArrayUses {
  struct Reader {
    ComputationId computation;
    InstructionId instruction;
    LeafId operandLeaf;  ///< the number of the operands' leaf
  };
  std::vector<Reader> readers;  ///< kernels, in the order of the file
  bool isResult = false;        ///< of the module
  /// Whether it passes into a loop, a branch, or a launch of another stream.
  bool isOpen = false;

  /// Returns the kernel that alone reads the array, and once; else null.
  const Reader *onlyReader() const {
    return readers.size() == 1 && !isResult && !isOpen ? &readers.front()
                                                       : nullptr;
  }
};

class ArrayFlow {
 public:
  /// Follows all arrays of the module, which must outlive the object.
  explicit ArrayFlow(const Module &module);

  /// Returns the uses of a leaf of a kernel's result, or of a parameter.
  const ArrayUses &usesOf(const Leaf &array) const;
  /// Returns the array that the leaf of the instruction's operands is, behind
  /// tuples, bitcasts and calls; nothing if there is no such leaf.
  std::optional<Leaf> sourceOf(ComputationId computation,
                               InstructionId instruction,
                               LeafId operandLeaf) const;

 private:
  using Key = std::tuple<int32_t, int32_t, int64_t>;
  /// The places that run a computation.
  struct Callers {
    size_t calls = 0;  ///< by `call`
    Leaf call;         ///< the last of them
    bool byOthers = false;
  };

  Leaf behind(Leaf leaf) const;
  /// Returns the next leaf on the way to the source; none: it is the source.
  std::optional<Leaf> nextBehind(const Leaf &leaf) const;
  ArrayUses &at(const Leaf &leaf);
  void walk(ComputationId computation);

  const Module &module_;
  std::vector<Callers> callers_;
  mutable std::vector<OperandLeafLists> operands_;  // of each computation
  /// Sources that were found: ways that meet are gone once.
  mutable llvm::DenseMap<Key, Leaf> sources_;
  llvm::DenseMap<Key, ArrayUses> uses_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_ARRAY_FLOW_H
