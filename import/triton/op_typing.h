// Which types an op's operands and results have, by its name and the types
// that its text states; private to import/triton. op_syntax.cc reads the text.
//
//   tt.load %p, %m : tensor<64x!tt.ptr<f32>>    a load: the pointer's type, a
//                                               tensor of i1; the result is
//                                               tensor<64xf32>
//   ttng.wait_barrier %b, %phase : !ttg.memdesc<…>
//                                               an op whose operands do not
//                                               matter: it is read without
#ifndef INDEXICAL_IMPORT_TRITON_OP_TYPING_H
#define INDEXICAL_IMPORT_TRITON_OP_TYPING_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/OpImplementation.h"

namespace indexical::triton {

using OpOperands = llvm::SmallVector<mlir::OpAsmParser::UnresolvedOperand, 4>;
using OpTypes = llvm::SmallVector<mlir::Type, 4>;

/// The pieces of an op's text, as they are read before the operands have types.
struct OpText {
  OpOperands operands;                  ///< in order, those of brackets too
  llvm::SmallVector<int32_t, 3> lists;  ///< operands of each bracket
  llvm::SmallVector<llvm::StringRef, 2> words;
  /// The word in front of each operand, `mask` of `mask = %m` and `into` of
  /// `into %t`, or an empty one; and the type that stands behind the operand,
  /// `rbits = %r : tensor<…>`, or null.
  llvm::SmallVector<llvm::StringRef, 4> labels;
  llvm::SmallVector<mlir::Type, 4> ownTypes;
  llvm::SmallVector<int64_t, 4> numbers;  ///< in brackets
  OpTypes types, results;                 ///< in front of the arrow, behind it
  bool hasArrow = false;
};

/// Returns whether the table knows the op of that name.
bool isTypedOp(llvm::StringRef name);

/// Returns the types of the operands and sets those of the results. Returns
/// nothing if the written types do not say what the operands are. If the
/// operands of an op do not matter, it drops them.
std::optional<OpTypes> operandTypes(mlir::OpAsmParser &parser,
                                    llvm::StringRef name, OpText &text,
                                    OpTypes &results);

/// Does the same for the ops of accelerators: buffer ops, and copies by
/// descriptors. It puts the operands in the order of MLIR's generic form.
/// Returns nothing, and changes nothing, for other ops.
std::optional<OpTypes> acceleratorTypes(mlir::OpAsmParser &parser,
                                        llvm::StringRef name, OpText &text,
                                        OpTypes &results);
bool isAcceleratorOp(llvm::StringRef name);

/// Returns the type of tokens, `!ttg.async.token`.
mlir::Type tokenType(mlir::MLIRContext *context);
/// Returns a tensor of that element with the shape and layout of `shaped`, or
/// the element alone if that is not a tensor.
mlir::Type likeWith(mlir::Type shaped, mlir::Type element);

/// Returns the type of a pointer to `pointee`.
mlir::Type pointerTo(mlir::Type pointee);
/// Returns the type of a descriptor of such a tensor.
mlir::Type descriptorOf(mlir::RankedTensorType tensor);
/// Returns the type of shared memory that holds such a tensor, which has `body`
/// between its angle brackets.
mlir::Type memoryOf(mlir::RankedTensorType tensor, llvm::StringRef body);

/// Reads what may stand behind the layout of a piece of memory, `, #smem,
/// mutable, 2x8x16`: words, attributes and sizes. Sets `isMemory` if there is
/// any.
mlir::ParseResult parseMemoryTail(mlir::AsmParser &parser, bool &isMemory);

/// Returns the types of the operands of an op on tensor memory, and nothing for
/// a text in another form. A token stands in brackets behind the memory.
std::optional<OpTypes> tensorMemoryTypes(mlir::OpAsmParser &parser,
                                         llvm::StringRef op,
                                         const OpText &text);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_OP_TYPING_H
