#include "tests/support/element_values.h"

#include "llvm/ADT/SmallVector.h"

#include "tests/support/integer_arithmetic.h"

namespace indexical::testing {
namespace {

std::optional<int64_t> elementwise(const ElementwiseOp &op, int64_t element,
                                   const OperandValues &operands) {
  llvm::SmallVector<int64_t, 3> x;
  if (!isInteger(op.results[0].type)) return std::nullopt;
  for (size_t k = 0; k < op.operands.size(); ++k) {
    if (!isInteger(op.operands[k].type) || operands[k].empty())
      return std::nullopt;
    x.push_back(operands[k][op.operands[k].isScalar() ? 0 : element]);
  }
  return computed(op, x);
}

/// Copies and conversions of floats.
bool keepsElements(const Op &op) {
  return op.is<ElementwiseOp>() &&
         (op.kind().name == "copy" || op.kind().name == "convert");
}

}  // namespace

bool movesElements(const Op &op) {
  return op.isOneOf<BroadcastOp, ReshapeOp, TransposeOp, ReverseOp, SliceOp,
                    BitcastOp, GatherOp, DynamicSliceOp, ForwardOp, PadOp,
                    ConcatenateOp>();
}

std::optional<int64_t> decidedValue(const Op &op, int64_t result,
                                    int64_t element, const Reads &reads,
                                    const OperandValues &operands) {
  const ArrayShape &shape = shapesOf(op).results[result];
  if (auto *constant = op.as<ConstantOp>())
    return constant->values.empty() ? std::nullopt
                                    : std::optional(constant->values[element]);
  if (auto *iota = op.as<IotaOp>()) {
    const int64_t i = indexAt(shape.dimensions, element)[iota->dimension];
    return isInteger(shape.type) ? wrapped(i, shape.type) : i;
  }
  if (auto *nullary = op.as<NullaryOp>()) {
    if (!nullary->sizeOf) return std::nullopt;
    return nullary->operands[0].dimensions
        [*nullary->sizeOf == NullaryOp::kAllSizes ? element : *nullary->sizeOf];
  }
  if (auto *each = op.as<ElementwiseOp>())
    if (auto value = elementwise(*each, element, operands)) return value;
  if (!movesElements(op) && !keepsElements(op)) return std::nullopt;
  // An operand behind the first may be an index.
  const bool isAny = op.isOneOf<ForwardOp, PadOp, ConcatenateOp>();
  std::optional<int64_t> value;
  for (const Read &read : reads)
    if ((isAny || read.operand == 0) && !operands[read.operand].empty())
      value = operands[read.operand][read.element];
  return value;
}

}  // namespace indexical::testing
