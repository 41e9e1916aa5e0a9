// From an instruction's syntax to the descriptor of its op (ops/op.h).
//
//   t = f32[3,2] transpose(x), dimensions={1,0}
//
//   TransposeOp: operands {f32[2,3]}, results {f32[3,2]}, permutation {1, 0}
//
// Shapes of operands and result are counted as array leaves. Attributes that
// HLO lets one leave out get the value that this stands for, so a descriptor
// is always complete.
#ifndef INDEXICAL_IMPORT_HLO_OP_BUILDER_H
#define INDEXICAL_IMPORT_HLO_OP_BUILDER_H

#include <string>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/opcodes.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/ops/op.h"
#include "indexical/program/module/program.h"

namespace indexical {

class CustomCallRegistry;  // program/module/custom_calls.h

/// An instruction whose operands are known.
struct ResolvedInstruction {
  Source &source;
  const InstructionSyntax &syntax;
  const OpcodeInfo *opcode;  ///< null: not in the table
  Attributes attributes;
  llvm::ArrayRef<const Shape *> operands;
  ShapeList operandLeaves;  ///< their array leaves
  /// For each element of operand 0, the number of its first leaf; only of a
  /// get-tuple-element whose operand is a tuple.
  llvm::ArrayRef<int64_t> firstLeaves;
  /// The root's shape of each called computation; null if it is not known.
  llvm::ArrayRef<const Shape *> calledRoots;
  const Module &module;
  llvm::ArrayRef<CalledComputation> called;
  const CustomCallRegistry *customCalls;  ///< or null
  const SharedShape *shape = nullptr;     ///< the instruction's own, if known

  /// Returns the array leaves of a result's shape. If that is the instruction's
  /// shape, they are shared with it.
  ShapeList leavesOf(const Shape &result) const {
    return shape && &**shape == &result ? shape->leaves() : result.leaves();
  }

  /// Notes an error at the opcode.
  bool fail(const llvm::Twine &message) const {
    return source.fail(attributes.opcodePlace(), message);
  }
  std::string opcodeText() const { return ("`" + syntax.opcode + "`").str(); }
};

/// Returns whether the number of operands is one that the opcode can have.
bool checkOperandCount(const ResolvedInstruction &instruction);

/// Fills in `op`; the instruction's result has the shape `result`.
bool buildOp(const ResolvedInstruction &instruction, const Shape &result,
             OpDraft &op);

/// Finds the shape of the result, for a text that leaves it out. An error for
/// ops whose operands do not determine it (`reshape`, `convert`, `iota`…).
bool inferShape(const ResolvedInstruction &instruction, Shape &shape);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_OP_BUILDER_H
