// Opcodes of sizes that are known at run time.
#include "indexical/import/hlo/opcodes/builders.h"

namespace indexical {
namespace opcodes {
namespace {

/// The attribute `dimensions`, one dimension of operand 0.
bool takeDimension(const ResolvedInstruction &in, int64_t &dimension) {
  return in.attributes.requiredInteger("dimensions", dimension);
}

bool isDimensionOf(const ArrayShape &array, int64_t dimension) {
  return dimension >= 0 && dimension < array.rank();
}

}  // namespace

bool buildSetDimensionSize(const ResolvedInstruction &in, const Shape &result,
                           OpDraft &out) {
  auto *op = makeOfArrays<SetDimensionSizeOp>(in, result, out);
  return op && takeDimension(in, op->dimension);
}

// Some of the elements may not be there.
bool inferSetDimensionSize(const ResolvedInstruction &in, Shape &shape) {
  ArrayShape array;
  int64_t dimension;
  if (!takeArray(in, 0, array) || !takeDimension(in, dimension)) return false;
  if (!isDimensionOf(array, dimension)) return cannotInfer(in);
  array.dynamic.resize(array.rank());
  array.dynamic[dimension] = true;
  return finish(shape, std::move(array));
}

/// A size is no element: nothing is read.
bool buildGetDimensionSize(const ResolvedInstruction &in, const Shape &result,
                           OpDraft &out) {
  int64_t dimension;
  auto *op = makeOfArrays<NullaryOp>(in, result, out);
  if (!op || !takeDimension(in, dimension)) return false;
  op->sizeOf = dimension;
  if (!result.array.isScalar())
    return in.fail("the result of " + in.opcodeText() +
                   " is a size, s32[], not " + result.str());
  return true;
}

bool buildDynamicReshape(const ResolvedInstruction &in, const Shape &result,
                         OpDraft &out) {
  return makeOfArrays<DynamicReshapeOp>(in, result, out) != nullptr;
}

}  // namespace opcodes
}  // namespace indexical
