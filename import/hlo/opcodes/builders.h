// The functions that make descriptors of opcodes, for the table of opcodes.
//
// Two functions belong to an opcode. `buildX` fills in the descriptor of an
// instruction whose operands and result shape are known; `inferX` finds the
// shape of a result that the text leaves out. Each group of opcodes is one file
// here, and the row in import/hlo/opcodes.cc names the two:
//
//   {"pad", {2, 2}, buildPad, inferPad, kindOf<PadOp>()},
//
// Both return false and note an error if the instruction is wrong.
#ifndef INDEXICAL_IMPORT_HLO_OPCODES_BUILDERS_H
#define INDEXICAL_IMPORT_HLO_OPCODES_BUILDERS_H

#include <utility>

#include "llvm/ADT/Twine.h"

#include "indexical/import/hlo/op_builder.h"

namespace indexical {
namespace opcodes {

#define INDEXICAL_BUILD(Name)                                          \
  bool build##Name(const ResolvedInstruction &in, const Shape &result, \
                   OpDraft &out);
#define INDEXICAL_INFER(Name) \
  bool infer##Name(const ResolvedInstruction &in, Shape &shape);
#define INDEXICAL_OPCODE(Name) \
  INDEXICAL_BUILD(Name)        \
  INDEXICAL_INFER(Name)

// elementwise.cc: opcodes that keep the index, read nothing, or read all.
INDEXICAL_OPCODE(Elementwise)
INDEXICAL_BUILD(WithScalars)  ///< elementwise, scalars may stand beside arrays
INDEXICAL_BUILD(Nullary)
INDEXICAL_BUILD(Constant)
INDEXICAL_BUILD(Iota)
INDEXICAL_BUILD(Cover)
INDEXICAL_BUILD(Opaque)

// moving.cc
INDEXICAL_BUILD(Broadcast)
INDEXICAL_OPCODE(Transpose)
INDEXICAL_BUILD(Reverse)
INDEXICAL_BUILD(Reshape)
INDEXICAL_BUILD(Bitcast)
INDEXICAL_BUILD(BitcastConvert)
INDEXICAL_OPCODE(Slice)
INDEXICAL_OPCODE(DynamicSlice)
INDEXICAL_BUILD(DynamicUpdateSlice)
INDEXICAL_OPCODE(Concatenate)
INDEXICAL_OPCODE(Pad)
INDEXICAL_OPCODE(Gather)

// reductions.cc
INDEXICAL_OPCODE(Reduce)
INDEXICAL_OPCODE(ReduceWindow)
INDEXICAL_BUILD(SelectAndScatter)

// products.cc
INDEXICAL_OPCODE(Dot)
INDEXICAL_OPCODE(ScaledDot)
INDEXICAL_OPCODE(RaggedDot)
INDEXICAL_OPCODE(Convolution)

// scatter.cc
INDEXICAL_OPCODE(Scatter)

// algorithms.cc
INDEXICAL_BUILD(Sort)
INDEXICAL_OPCODE(TopK)
INDEXICAL_OPCODE(Fft)
INDEXICAL_BUILD(BatchNormTraining)
INDEXICAL_BUILD(BatchNormInference)
INDEXICAL_BUILD(BatchNormGrad)
INDEXICAL_INFER(BatchNorm)  ///< of training and grad
INDEXICAL_BUILD(Cholesky)
INDEXICAL_BUILD(TriangularSolve)

// sizes.cc
INDEXICAL_OPCODE(SetDimensionSize)
INDEXICAL_BUILD(GetDimensionSize)
INDEXICAL_BUILD(DynamicReshape)

// transfers.cc
INDEXICAL_OPCODE(Send)
INDEXICAL_OPCODE(ReceiveDone)

// tuples.cc
INDEXICAL_BUILD(Copy)
INDEXICAL_BUILD(Forward)
INDEXICAL_OPCODE(Tuple)
INDEXICAL_OPCODE(TupleElement)
INDEXICAL_BUILD(CopyStart)
INDEXICAL_BUILD(CopyDone)

// calls.cc
INDEXICAL_BUILD(Call)
INDEXICAL_BUILD(Conditional)
INDEXICAL_BUILD(While)
INDEXICAL_BUILD(Scan)
INDEXICAL_INFER(CalledRoot)

// custom_calls.cc
INDEXICAL_BUILD(CustomCall)

// async.cc
INDEXICAL_BUILD(AsyncStart)
INDEXICAL_BUILD(AsyncUpdate)
INDEXICAL_BUILD(AsyncDone)

// collectives.cc
INDEXICAL_OPCODE(AllGather)
INDEXICAL_BUILD(AllReduce)
INDEXICAL_BUILD(CollectiveStart)  ///< of any of these
INDEXICAL_OPCODE(ReduceScatter)
INDEXICAL_BUILD(AllToAll)
INDEXICAL_BUILD(CollectiveBroadcast)
INDEXICAL_BUILD(CollectivePermute)
INDEXICAL_BUILD(RaggedAllToAll)

// shapes.cc: shapes that many opcodes infer alike.
INDEXICAL_INFER(Nothing)  ///< the operands do not determine it
INDEXICAL_INFER(Token)
INDEXICAL_INFER(Unsigned)  ///< u32[]
INDEXICAL_INFER(Signed)    ///< s32[]
INDEXICAL_INFER(AsFirst)   ///< operand 0's
INDEXICAL_INFER(AsSecond)
INDEXICAL_INFER(AsAll)           ///< the operand's, or a tuple of all
INDEXICAL_INFER(ElementOfFirst)  ///< element 0 of operand 0, a tuple
INDEXICAL_INFER(SecondElementOfFirst)

#undef INDEXICAL_BUILD
#undef INDEXICAL_INFER
#undef INDEXICAL_OPCODE

//===-- What they share ---------------------------------------------------===//

/// Makes `out` a descriptor of type T with the instruction's shapes, and
/// returns it.
template <typename T>
T &make(const ResolvedInstruction &in, const Shape &result, OpDraft &out) {
  T &op = out.emplace<T>();
  op.operands = in.operandLeaves;
  op.results = in.leavesOf(result);
  return op;
}

/// Variadic ops have a tuple of arrays for their result.
enum class Results : uint8_t { OneArray, OneOrTuple };

bool checkArrays(const ResolvedInstruction &in, const Shape &result,
                 Results results);

/// Makes `out` a descriptor of type T with the instruction's shapes, and
/// returns it. Notes an error and returns null if an operand or the result is
/// not an array.
template <typename T>
T *makeOfArrays(const ResolvedInstruction &in, const Shape &result,
                OpDraft &out, Results results = Results::OneArray) {
  return checkArrays(in, result, results) ? &make<T>(in, result, out) : nullptr;
}

/// Reads the window. Notes an error and returns false if there is none, but
/// dimensions to move it over.
bool takeWindow(const ResolvedInstruction &in, int64_t dimensions,
                llvm::SmallVectorImpl<WindowDimension> &window);
/// Sets `size` to the number of places that the window has over `size`
/// elements. Returns false if the window is not valid or the number leaves 64
/// bits. A size that is not known stays so.
bool windowed(const WindowDimension &window, int64_t &size);

/// Returns the count and the thing: `1 operand`, `2 operands`.
std::string countOf(size_t count, llvm::StringRef thing);

/// Notes that the shape must be written.
bool cannotInfer(const ResolvedInstruction &in);
/// Sets `array` to the array that operand `i` is, without its layout. If there
/// is no such array, notes that the shape must be written, and returns false.
bool takeArray(const ResolvedInstruction &in, size_t i, ArrayShape &array);
/// Sets `shape` to that of the array.
bool finish(Shape &shape, ArrayShape array);

}  // namespace opcodes
}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_OPCODES_BUILDERS_H
