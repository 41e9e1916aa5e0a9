// Arrays that a running program computes, and the ways that lead to them.
//
// The computation `add_one` runs twice: its sum is two values.
//
//   f { x = f32[4] parameter(0)
//       y = f32[4] call(x), to_apply=add_one
//       ROOT z = f32[4] call(y), to_apply=add_one }
//
//   {add_one, sum, LeafId(), {{f, y}}}    the first
//   {add_one, sum, LeafId(), {{f, z}}}    the second
#ifndef INDEXICAL_PROGRAM_MODULE_VALUE_H
#define INDEXICAL_PROGRAM_MODULE_VALUE_H

#include <cstdint>
#include <tuple>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/module/ids.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The place of a call: an instruction of a computation of the module.
struct CallSite {
  ComputationId computation;
  InstructionId instruction;
  int32_t called = 0;  ///< which of the computations that it names
  bool operator<(const CallSite &o) const {
    return std::tie(computation, instruction, called) <
           std::tie(o.computation, o.instruction, o.called);
  }
  bool operator==(const CallSite &o) const {
    return std::tie(computation, instruction, called) ==
           std::tie(o.computation, o.instruction, o.called);
  }
};

/// One array leaf that a running program computes.
struct Value {
  ComputationId computation;
  InstructionId instruction;
  LeafId result;
  /// The calls that lead to it from the computation of the question, outermost
  /// first.
  llvm::SmallVector<CallSite, 2> calls;
  bool operator<(const Value &o) const;
};

/// Returns whether both are one leaf, on one path.
inline bool isSameValue(const Value &a, const Value &b) {
  return !(a < b) && !(b < a);
}

/// Returns the instruction that computes the value.
const Instruction &instructionOf(const Module &module, const Value &value);

/// Returns the value that an operand leaf of the instruction is.
Value operandOf(const Module &module, const Value &value, LeafId operandLeaf);

/// Returns the value upstream of tuples, copies and calls. A value that a call
/// passes to a parameter is its caller's, if the calls of `at` lead back to
/// that caller.
Value originOf(const Module &module, Value at);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_VALUE_H
