// The opcodes of HLO, and which op descriptor (ops/op.h) each becomes.
#ifndef INDEXICAL_HLO_OPCODES_H
#define INDEXICAL_HLO_OPCODES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// What the op builder makes of an opcode: one function a family.
enum class Family : uint8_t {
  Elementwise,
  Nullary,
  Parameter,
  Constant,
  Iota,
  Broadcast,
  Transpose,
  Reverse,
  Reshape,
  Bitcast,
  BitcastConvert,
  Slice,
  DynamicSlice,
  DynamicUpdateSlice,
  Concatenate,
  Pad,
  Gather,
  Dot,
  Reduce,
  ReduceWindow,
  Copy,     ///< elementwise; forwards tuples
  Forward,  ///< the result's leaves are the first operand's, or all
  GetTupleElement,
  CopyStart,
  CopyDone,
  Call,
  Cover,  ///< every element, as far as is known
  Opaque,
};

constexpr int8_t kAnyCount = -1;

struct OpcodeInfo {
  llvm::StringLiteral name;
  Family family;
  int8_t leastOperands;
  int8_t mostOperands;  ///< or kAnyCount
};

/// The opcode of that name, or null. `X-start`, `X-update` and `X-done` of a
/// known opcode X, which XLA prints for an async op that wraps one X, are found
/// as `async-start`, `async-update` and `async-done`.
const OpcodeInfo *findOpcode(llvm::StringRef name);

/// The names of the table, for suggestions.
llvm::ArrayRef<llvm::StringRef> opcodeNames();

}  // namespace indexical

#endif  // INDEXICAL_HLO_OPCODES_H
