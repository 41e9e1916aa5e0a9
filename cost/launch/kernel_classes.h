// Classes of kernels that are alike: one body, the same shapes, one launch.
//
//   a = f32[8,16] fusion(x, y), calls=f     f { … ROOT r = add(p, q) }
//   b = f32[8,16] fusion(a, z), calls=g     g { … ROOT s = add(t, u) }
//   c = f32[8,16] fusion(b, b), calls=h     h { … ROOT v = add(w, o) }
//
//   a, b    one class: f and g differ in names alone
//   c       another one: it reads one array twice, and so moves less
//
// Two kernels are alike if their ops are equal, with shapes, layouts and
// attributes, their configurations and targets are, the same ones of their
// operands are one array, and the computations that they call are equal,
// instruction for instruction. Names, lines and op_names do not count. A
// compiler launches kernels that are alike in one way.
//
// Laws (tests/cost/launch/kernel_classes_test.cc): classes do not depend on
// names; a kernel that differs in an op, a shape, a layout, a configuration, or
// in which operands are the same is of another class.
#ifndef INDEXICAL_COST_LAUNCH_KERNEL_CLASSES_H
#define INDEXICAL_COST_LAUNCH_KERNEL_CLASSES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringMap.h"

#include "indexical/program/module/program.h"

namespace indexical {

/// Numbers classes over the modules of a program, which must outlive it.
class KernelClasses {
 public:
  /// Returns the number of the class of kernels that this one is like: they
  /// have equal ops, shapes, layouts, configurations and bodies, and the same
  /// ones of their operands are one array. A class that is new gets the next
  /// number, from 0 on.
  size_t classOf(const Module &module, ComputationId computation,
                 InstructionId instruction);

 private:
  using Key = llvm::SmallVector<uint64_t, 8>;
  struct Hash {
    size_t operator()(const Key &key) const;
  };

  uint64_t textNumber(llvm::StringRef text);
  /// Numbers the body of a computation; equal ones have one number.
  uint64_t bodyNumber(const Module &module, ComputationId computation,
                      int depth);
  /// Appends what the instruction is, but for its operands.
  void describe(const Module &module, const Instruction &instruction, int depth,
                Key &key);

  llvm::StringMap<uint64_t> texts_;
  llvm::DenseMap<std::pair<const Module *, int32_t>, uint64_t> bodyOf_;
  std::map<std::vector<uint64_t>, uint64_t> bodies_;
  std::unordered_map<Key, size_t, Hash> classes_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_KERNEL_CLASSES_H
