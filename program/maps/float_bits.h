// Which integers of a module hold bits of floats: private to program/.
//
//   f { x = f32[8] parameter(0)
//       b = s32[8] bitcast-convert(x)      bits of f32, as they are
//       h = s32[8] shift-right-logical(b, one)      bits, changed
//       i = s32[8] convert(x)              none: a step of x changes no bit of i
//       ROOT r = f32[8] bitcast-convert(b) }
//
// A derivative that goes into integers by a movement of bits can come back by
// another one. An integer that holds no bits of floats carries none. The answer
// is a superset: of a computation that is called in several places, an argument
// holds what it holds in any of them.
//
// Law (tests/program/maps/float_bits_test.cc): if another value of a
// parameter's element changes an element of a result, by ways without
// conversions and comparisons of floats, their pair is an entry of the
// Jacobian.
#ifndef INDEXICAL_PROGRAM_MAPS_FLOAT_BITS_H
#define INDEXICAL_PROGRAM_MAPS_FLOAT_BITS_H

#include <cstdint>
#include <vector>

#include "indexical/ops/derivative.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

class FloatBits {
 public:
  /// `module` must stay as it is as long as the object lives.
  explicit FloatBits(const Module &module);

  /// Returns what a leaf of an instruction's results holds. A leaf of floats
  /// holds nothing: its type says what it is.
  HeldBits of(ComputationId c, InstructionLeaf leaf) const {
    return areNone_ ? HeldBits() : held_[c][leaf.instruction][leaf.leaf];
  }
  /// Returns what the leaves of a computation's parameters hold, in order, as
  /// numbers; nothing if no integer of the module holds any.
  std::vector<int64_t> ofParameters(ComputationId c) const;
  /// Returns whether a computation that the instruction applies moves bits of
  /// floats to integers.
  bool bodyMovesBits(const Instruction &instruction) const;

 private:
  void findMoving();
  void solve();
  bool update(ComputationId c);
  bool updateInstruction(ComputationId c, InstructionId i,
                         llvm::ArrayRef<OperandLeaf> leaves);
  bool add(ComputationId c, InstructionId i, int64_t leaf, HeldBits bits);
  bool bitsDecide(ComputationId c, InstructionId i,
                  llvm::ArrayRef<OperandLeaf> leaves) const;
  bool passTo(const Callee &callee, ComputationId c, InstructionId i,
              llvm::ArrayRef<OperandLeaf> leaves);
  HeldBits ofOperand(ComputationId c, const OperandLeaf &leaf) const {
    return held_[c][leaf.instruction][leaf.result];
  }

  const Module &module_;
  bool areNone_ = true;
  std::vector<bool> moves_;  ///< by computation, and what it calls
  /// By computation, instruction and leaf.
  std::vector<std::vector<std::vector<HeldBits>>> held_;
  std::vector<bool> isOpen_;  ///< computations that are to be looked at again
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_FLOAT_BITS_H
