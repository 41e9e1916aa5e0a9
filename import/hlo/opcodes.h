// The opcodes of HLO: a table of their properties.
//
// A row says how many operands an opcode takes, which functions make its
// descriptor (ops/op.h) and find a result shape that is left out, and which
// kind of op it is. docs/internals/ops.md is this table, written out.
#ifndef INDEXICAL_IMPORT_HLO_OPCODES_H
#define INDEXICAL_IMPORT_HLO_OPCODES_H

#include <cstdint>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/op.h"

namespace indexical {

struct ResolvedInstruction;  // import/hlo/op_builder.h

struct OpcodeInfo {
  /// Least and most; or kAny.
  struct Operands {
    int8_t least, most;
  };
  static constexpr int8_t kAny = -1;

  llvm::StringLiteral name;
  Operands operands;
  bool (*build)(const ResolvedInstruction &, const Shape &result, OpDraft &op);
  bool (*infer)(const ResolvedInstruction &, Shape &shape);
  /// The kind of op, with its traits (ops/descriptor.h).
  const OpKind *kind;
};

/// Returns the opcode of that name, or null. `X-start`, `X-update` and `X-done`
/// of a known opcode X, which XLA prints for an async op that wraps one X, are
/// found as `async-start`, `async-update` and `async-done`.
const OpcodeInfo *findOpcode(llvm::StringRef name);

/// Returns the rows of all opcodes, in the order of names.
llvm::ArrayRef<OpcodeInfo> opcodeTable();

/// Returns the names of the table, for suggestions.
llvm::ArrayRef<llvm::StringRef> opcodeNames();

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_OPCODES_H
