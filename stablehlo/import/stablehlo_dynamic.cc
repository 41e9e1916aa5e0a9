// Ops whose sizes are known in the run. Those that differ from a static op by
// operands in the place of attributes are described as it is:
//
//   dynamic_pad(x, z, low, high, interior)     PadOp of 5 operands, no lists
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "stablehlo/import/attributes.h"
#include "stablehlo/import/stablehlo_rows.h"

namespace indexical::rows {
namespace {

/// Whether each is a value of the type, whose elements are integers.
bool areOf(mlir::Type type, llvm::ArrayRef<int64_t> values) {
  auto integer =
      llvm::dyn_cast<mlir::IntegerType>(mlir::getElementTypeOrSelf(type));
  if (!integer) return false;
  return llvm::all_of(values, [&](int64_t value) {
    return integer.isUnsigned()
               ? value >= 0 && llvm::isUIntN(integer.getWidth(), value)
               : llvm::isIntN(integer.getWidth(), value);
  });
}

/// The elements of a list of integers that are known beside the program's run:
/// a constant, or constants put together, as frameworks write lists.
///
///   %1 = stablehlo.reshape %0 : (tensor<i32>) -> tensor<1xi32>
///   %2 = stablehlo.concatenate %1, %1, dim = 0      {1, 1} of a constant 1
///
/// Empty: not known.
std::vector<int64_t> knownList(mlir::Value value, int depth = 0) {
  constexpr int kMostDepth = 6;
  constexpr int64_t kMostElements = 64;
  auto type = llvm::dyn_cast<mlir::RankedTensorType>(value.getType());
  mlir::Operation *op = value.getDefiningOp();
  if (!op || !type || depth > kMostDepth || !type.hasStaticShape() ||
      type.getNumElements() > kMostElements)
    return {};
  const llvm::StringRef name = op->getName().getStringRef();
  if (name == "stablehlo.constant") return constantValues(op->getAttr("value"));
  if (name == "stablehlo.reshape" || name == "stablehlo.convert") {
    auto values = knownList(op->getOperand(0), depth + 1);
    return areOf(type, values) ? values : std::vector<int64_t>();
  }
  if (name != "stablehlo.concatenate" || type.getRank() != 1) return {};
  std::vector<int64_t> values;
  for (mlir::Value part : op->getOperands()) {
    const auto known = knownList(part, depth + 1);
    values.insert(values.end(), known.begin(), known.end());
  }
  const bool all = static_cast<int64_t>(values.size()) == type.getNumElements();
  return all ? values : std::vector<int64_t>();
}

}  // namespace

/// An operand's size that is not known may be 1, and expand, unless the op says
/// which of the two it is.
absl::StatusOr<Op> describeDynamicBroadcastInDim(mlir::Operation *op,
                                                 OpShapes shapes) {
  auto made = make<BroadcastOp>(std::move(shapes));
  Int64s same;
  auto dimensions = takeIntegers(op, "broadcast_dimensions", made.dimensions);
  auto expanding =
      takeOptionalIntegers(op, "known_expanding_dimensions", made.expanding);
  auto others = takeOptionalIntegers(op, "known_nonexpanding_dimensions", same);
  const ArrayShape &operand = made.operands[0];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    const bool isFixed = operand.dimensions[k] != kDynamicSize &&
                         (operand.dynamic.empty() || !operand.dynamic[k]);
    if (!isFixed && !llvm::is_contained(same, k) &&
        !llvm::is_contained(made.expanding, k))
      made.maybeExpanding.push_back(k);
  }
  return finished(std::move(made), dimensions, expanding, others);
}

/// Reads no element: it is a size, which computations of sizes go on with.
absl::StatusOr<Op> describeGetDimensionSize(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<NullaryOp>(std::move(shapes));
  int64_t dimension = 0;
  auto status = takeInteger(op, "dimension", dimension);
  made.sizeOf = dimension;
  return finished(std::move(made), status);
}

/// Composition does not follow a stride that only the run knows: it would
/// divide by what might be 0.
absl::StatusOr<Op> describeRealDynamicSlice(mlir::Operation *op,
                                            OpShapes shapes) {
  const std::vector<int64_t> values = knownList(op->getOperand(3));
  const bool known =
      !values.empty() && llvm::all_of(values, [](int64_t v) { return v > 0; });
  return known ? describeSlice(op, std::move(shapes))
               : describeCover(op, std::move(shapes));
}

absl::StatusOr<Op> describeDynamicReshape(mlir::Operation *, OpShapes shapes) {
  return Op(make<DynamicReshapeOp>(std::move(shapes)));
}

absl::StatusOr<Op> describeSetDimensionSize(mlir::Operation *op,
                                            OpShapes shapes) {
  auto made = make<SetDimensionSizeOp>(std::move(shapes));
  auto status = takeInteger(op, "dimension", made.dimension);
  return finished(std::move(made), status);
}

}  // namespace indexical::rows
