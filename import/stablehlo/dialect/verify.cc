#include "indexical/import/stablehlo/dialect/verify.h"

#include <limits>

#include "llvm/ADT/StringExtras.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/TypeUtilities.h"

#include "indexical/import/stablehlo/dialect/quantization.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

using llvm::StringRef;
using mlir::failure;
using mlir::success;

mlir::InFlightDiagnostic broken(Operation *op, StringRef constraint) {
  mlir::InFlightDiagnostic error = op->emitOpError();
  if (!constraint.empty()) error << constraint << ": ";
  return error;
}

std::string listed(Numbers numbers) {
  std::string text = "[";
  for (auto [i, number] : llvm::enumerate(numbers)) {
    if (i > 0) text += ", ";
    text += number == kUnknown ? "?" : std::to_string(number);
  }
  return text + "]";
}

//===-- Lists -------------------------------------------------------------===//

LogicalResult isUnique(Operation *op, StringRef constraint,
                       const llvm::Twine &name, Numbers numbers) {
  llvm::SmallVector<int64_t> sorted(numbers);
  llvm::sort(sorted);
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return success();
  return broken(op, constraint)
         << name << " must not repeat an entry, but " << listed(numbers)
         << " has " << *twice << " twice";
}

LogicalResult inRange(Operation *op, StringRef constraint, StringRef name,
                      Numbers numbers, int64_t high, StringRef limit,
                      int64_t low) {
  for (int64_t number : numbers)
    if (number < low || number >= high)
      return broken(op, constraint)
             << name << " must be in [" << low << ", " << high << "), " << limit
             << " being " << high << ", but has " << number;
  return success();
}

LogicalResult atLeast(Operation *op, StringRef constraint, StringRef name,
                      Numbers numbers, int64_t least) {
  for (int64_t number : numbers)
    if (number < least)
      return broken(op, constraint)
             << name << " must be at least " << least << ", but has " << number;
  return success();
}

//===-- Shapes ------------------------------------------------------------===//

RankedTensorType tensorType(mlir::Value value) {
  return llvm::cast<RankedTensorType>(value.getType());
}

Size sizeOf(RankedTensorType type, int64_t dimension) {
  int64_t size = type.getDimSize(dimension);
  if (!mlir::ShapedType::isDynamic(size)) return {size, size};
  return {kUnknown, boundOf(type, dimension)};
}

bool agree(Size left, Size right) {
  if (left.known() && right.known()) return left.value == right.value;
  if (left.known()) return right.bound == kUnknown || left.value <= right.bound;
  if (right.known()) return left.bound == kUnknown || right.value <= left.bound;
  return true;
}

bool shapesAgree(RankedTensorType left, RankedTensorType right) {
  if (left.getRank() != right.getRank()) return false;
  for (int64_t d = 0; d < left.getRank(); ++d)
    if (!agree(sizeOf(left, d), sizeOf(right, d))) return false;
  return true;
}

LogicalResult sameShape(Operation *op, StringRef constraint, StringRef leftName,
                        RankedTensorType left, StringRef rightName,
                        RankedTensorType right) {
  if (shapesAgree(left, right)) return success();
  return broken(op, constraint)
         << leftName << " and " << rightName
         << " must have the same shape, but are " << left << " and " << right;
}

LogicalResult shapeIs(Operation *op, StringRef constraint, StringRef name,
                      RankedTensorType type, Numbers expected,
                      const llvm::Twine &because) {
  bool same = type.getRank() == static_cast<int64_t>(expected.size());
  for (size_t d = 0; same && d < expected.size(); ++d)
    same = agree(sizeOf(type, d), {expected[d], expected[d]});
  if (same) return success();
  return broken(op, constraint)
         << name << " must have the shape " << listed(expected) << ", "
         << because << ", but has " << listed(type.getShape());
}

// Sizes that are known more than once must be the same everywhere, so each is
// compared with all that is known of it so far.
LogicalResult verifyAgreeingShapes(Operation *op) {
  llvm::SmallVector<mlir::Type> types(op->getOperandTypes());
  types.append(op->result_type_begin(), op->result_type_end());
  llvm::SmallVector<Size> sizes;
  RankedTensorType first;
  for (mlir::Type each : types) {
    auto type = llvm::dyn_cast<RankedTensorType>(each);
    if (!type) continue;
    if (!first) {
      first = type;
      sizes.resize(type.getRank());
    }
    bool same = type.getRank() == first.getRank();
    for (int64_t d = 0; same && d < type.getRank(); ++d) {
      Size size = sizeOf(type, d);
      same = agree(sizes[d], size);
      if (!sizes[d].known()) sizes[d].value = size.value;
      if (sizes[d].bound == kUnknown ||
          (size.bound != kUnknown && size.bound < sizes[d].bound))
        sizes[d].bound = size.bound;
    }
    if (!same)
      return op->emitOpError()
             << "must have one shape in all its operands and results, but has "
             << types;
  }
  return keepsRulesOfScales(op);
}

LogicalResult verifyAgreeingElements(Operation *op) {
  mlir::Type result = op->getResult(0).getType();
  for (mlir::Type operand : op->getOperandTypes())
    if (!baselinesAgree(operand, result))
      return op->emitOpError()
             << "must have one element type in all its operands and results, "
                "but has "
             << operand << " and " << result;
  return success();
}

//===-- Element types -----------------------------------------------------===//

LogicalResult saysItsSizes(Operation *op, llvm::StringRef name, mlir::Type type,
                           BoundedSizes allowed) {
  auto tensor = llvm::dyn_cast<RankedTensorType>(type);
  const bool mayHaveBound = allowed == BoundedSizes::One;
  std::optional<int64_t> bounded;
  for (int64_t k = 0; tensor && k < tensor.getRank(); ++k) {
    const Size size = sizeOf(tensor, k);
    if (size.known()) continue;
    if (size.bound == kUnknown || !mayHaveBound)
      return broken(op, "")
             << "dimension " << k << " of " << name << " must have a size"
             << (mayHaveBound ? " or a bound" : "")
             << ", for nothing else says what it is, but is of "
                "the type "
             << type;
    if (bounded)
      return broken(op, "")
             << "only one dimension of " << name
             << " may have a bound instead of a size, but " << *bounded
             << " and " << k << " have one in the type " << type;
    bounded = k;
  }
  return mlir::success();
}

bool elementsAgree(mlir::Type left, mlir::Type right) {
  return mlir::getElementTypeOrSelf(left) == mlir::getElementTypeOrSelf(right);
}

bool baselinesAgree(mlir::Type left, mlir::Type right) {
  if (elementsAgree(left, right)) return true;
  auto a = llvm::dyn_cast<mlir::quant::QuantizedType>(
      mlir::getElementTypeOrSelf(left));
  auto b = llvm::dyn_cast<mlir::quant::QuantizedType>(
      mlir::getElementTypeOrSelf(right));
  return a && b && a.getStorageType() == b.getStorageType() &&
         a.isSigned() == b.isSigned() &&
         a.getStorageTypeMin() == b.getStorageTypeMin() &&
         a.getStorageTypeMax() == b.getStorageTypeMax() &&
         a.getExpressedType() == b.getExpressedType();
}

LogicalResult sameElements(Operation *op, StringRef constraint,
                           StringRef leftName, RankedTensorType left,
                           StringRef rightName, RankedTensorType right) {
  if (elementsAgree(left, right)) return success();
  return broken(op, constraint)
         << leftName << " and " << rightName
         << " must have the same element type, but have "
         << left.getElementType() << " and " << right.getElementType();
}

LogicalResult sameBaselines(Operation *op, StringRef constraint,
                            StringRef leftName, RankedTensorType left,
                            StringRef rightName, RankedTensorType right) {
  if (baselinesAgree(left, right)) return success();
  return sameElements(op, constraint, leftName, left, rightName, right);
}

bool typesAgree(mlir::Type left, mlir::Type right) {
  if (left == right) return true;
  auto leftTensor = llvm::dyn_cast<RankedTensorType>(left);
  auto rightTensor = llvm::dyn_cast<RankedTensorType>(right);
  if (leftTensor && rightTensor)
    return elementsAgree(left, right) && shapesAgree(leftTensor, rightTensor);
  auto leftTuple = llvm::dyn_cast<mlir::TupleType>(left);
  auto rightTuple = llvm::dyn_cast<mlir::TupleType>(right);
  return leftTuple && rightTuple && leftTuple.size() == rightTuple.size() &&
         llvm::all_of(llvm::zip(leftTuple.getTypes(), rightTuple.getTypes()),
                      [](auto pair) {
                        return typesAgree(std::get<0>(pair), std::get<1>(pair));
                      });
}

bool isPromotable(mlir::Type from, mlir::Type to) {
  from = mlir::getElementTypeOrSelf(from);
  to = mlir::getElementTypeOrSelf(to);
  if (from == to) return true;
  if (llvm::isa<mlir::IntegerType>(from) && llvm::isa<mlir::IntegerType>(to))
    return from.isInteger(1) == to.isInteger(1) &&
           from.isUnsignedInteger() == to.isUnsignedInteger() &&
           from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
  if (llvm::isa<mlir::FloatType>(from) && llvm::isa<mlir::FloatType>(to))
    return from.getIntOrFloatBitWidth() <= to.getIntOrFloatBitWidth();
  auto fromComplex = llvm::dyn_cast<mlir::ComplexType>(from);
  auto toComplex = llvm::dyn_cast<mlir::ComplexType>(to);
  if (fromComplex && toComplex)
    return isPromotable(fromComplex.getElementType(),
                        toComplex.getElementType());
  auto fromQuantized = llvm::dyn_cast<mlir::quant::QuantizedType>(from);
  auto toQuantized = llvm::dyn_cast<mlir::quant::QuantizedType>(to);
  return fromQuantized && toQuantized && fromQuantized.getStorageType() &&
         toQuantized.getStorageType() &&
         fromQuantized.getExpressedType() == toQuantized.getExpressedType() &&
         fromQuantized.getStorageTypeIntegralWidth() <=
             toQuantized.getStorageTypeIntegralWidth();
}

//===-- Bodies ------------------------------------------------------------===//

mlir::Block *onlyBlock(Operation *op, StringRef constraint, StringRef name,
                       mlir::Region &body) {
  if (!body.hasOneBlock()) {
    broken(op, constraint) << name << " must have one block, not "
                           << std::distance(body.begin(), body.end());
    return nullptr;
  }
  mlir::Block &block = body.front();
  if (block.empty() ||
      block.back().getName().getStringRef() != "stablehlo.return") {
    broken(op, constraint) << name << " must end with stablehlo.return";
    return nullptr;
  }
  return &block;
}

LogicalResult isReduction(Operation *op, StringRef constraint, StringRef name,
                          mlir::Region &body, mlir::TypeRange inputs,
                          mlir::TypeRange inits,
                          llvm::SmallVectorImpl<mlir::Type> &elements) {
  mlir::Block *block = onlyBlock(op, constraint, name, body);
  if (!block) return failure();
  size_t count = inputs.size();
  if (block->getNumArguments() != 2 * count)
    return broken(op, constraint)
           << name << " must take two values for each of the " << count
           << " inputs, " << 2 * count << " in all, but takes "
           << block->getNumArguments();
  mlir::Operation &last = block->back();
  if (last.getNumOperands() != count)
    return broken(op, constraint)
           << name << " must return one value for each of the " << count
           << " inputs, but returns " << last.getNumOperands();
  for (size_t i = 0; i < count; ++i) {
    // Some reductions accumulate rows: the body then has the shape of the init.
    llvm::ArrayRef<int64_t> shape;
    if (i < inits.size())
      shape = llvm::cast<RankedTensorType>(inits[i]).getShape();
    mlir::Type type = last.getOperand(i).getType();
    auto tensor = llvm::dyn_cast<RankedTensorType>(type);
    if (!tensor ||
        mlir::failed(mlir::verifyCompatibleShape(tensor.getShape(), shape)))
      return broken(op, constraint)
             << name << " must return tensors of the shape " << listed(shape)
             << ", but value " << i << " is " << type;
    for (size_t side : {i, count + i}) {
      mlir::Type argument = block->getArgument(side).getType();
      if (typesAgree(argument, type)) continue;
      return broken(op, constraint)
             << name << " must take and return the same type for input " << i
             << ", but takes " << argument << " as argument " << side
             << " and returns " << type;
    }
    for (mlir::TypeRange from : {inputs, inits})
      if (i < from.size() && !isPromotable(from[i], type))
        return broken(op, constraint)
               << name << " computes with " << type << " for input " << i
               << ", to which " << mlir::getElementTypeOrSelf(from[i])
               << " cannot be promoted";
    elements.push_back(tensor.getElementType());
  }
  return success();
}

}  // namespace indexical::stablehlo
