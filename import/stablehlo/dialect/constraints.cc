#include "indexical/import/stablehlo/dialect/constraints.h"

#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

namespace indexical::stablehlo {

namespace {

unsigned kindOf(mlir::Type element) {
  if (element.isInteger(1)) return kPred;
  if (llvm::isa<mlir::IntegerType>(element)) return kInt;
  if (element.isIndex()) return kIndex;
  if (llvm::isa<mlir::FloatType>(element)) return kFloat;
  if (llvm::isa<mlir::ComplexType>(element)) return kComplex;
  if (llvm::isa<mlir::quant::QuantizedType>(element)) return kQuantized;
  return 0;
}

// The dense integers of that width and rank, or null. `dense<0>` can stand for
// more elements than a memory holds: no list of the specification repeats one
// number so often.
mlir::DenseIntElementsAttr denseIntegers(mlir::Attribute attribute,
                                         unsigned width, int64_t rank) {
  constexpr int64_t kMostRepeated = 1 << 20;
  auto dense = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute);
  if (!dense || !dense.getElementType().isInteger(width) ||
      dense.getType().getRank() != rank ||
      (dense.isSplat() && !hasAtMost(kMostRepeated, dense)))
    return nullptr;
  return dense;
}

llvm::SmallVector<int64_t> values(mlir::DenseIntElementsAttr dense) {
  llvm::SmallVector<int64_t> numbers;
  for (const llvm::APInt &number : dense.getValues<llvm::APInt>())
    numbers.push_back(number.getSExtValue());
  return numbers;
}

}  // namespace

bool hasAtMost(int64_t most, mlir::DenseElementsAttr dense) {
  int64_t count = 1;
  bool overflowed = false;
  for (int64_t size : dense.getType().getShape()) {
    if (size == 0) return true;
    overflowed |= llvm::MulOverflow(count, size, count);
  }
  return !overflowed && count <= most;
}

bool isTensorOf(mlir::Type type, unsigned kinds) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  return tensor && (kinds == kAny || (kindOf(tensor.getElementType()) & kinds));
}

bool isToken(mlir::Type type) { return llvm::isa<TokenType>(type); }

bool isFuture(mlir::Type type) { return llvm::isa<FutureType>(type); }

bool isIntegerList(mlir::Attribute attribute) {
  return llvm::isa_and_present<mlir::DenseI64ArrayAttr>(attribute) ||
         denseIntegers(attribute, 64, 1);
}

bool isBooleanList(mlir::Attribute attribute) {
  return llvm::isa_and_present<mlir::DenseBoolArrayAttr>(attribute) ||
         denseIntegers(attribute, 1, 1);
}

bool isIntegerTable(mlir::Attribute attribute) {
  return static_cast<bool>(denseIntegers(attribute, 64, 2));
}

bool isReplicaGroups(mlir::Attribute attribute) {
  return isIntegerTable(attribute) ||
         llvm::isa_and_present<ReplicaGroupMeshAxesAttr>(attribute);
}

llvm::SmallVector<int64_t> integers(mlir::Attribute attribute) {
  if (auto array = llvm::dyn_cast_or_null<mlir::DenseI64ArrayAttr>(attribute))
    return llvm::SmallVector<int64_t>(array.asArrayRef());
  if (auto dense = denseIntegers(attribute, 64, 1)) return values(dense);
  return {};
}

llvm::SmallVector<bool> booleans(mlir::Attribute attribute) {
  if (auto array = llvm::dyn_cast_or_null<mlir::DenseBoolArrayAttr>(attribute))
    return llvm::SmallVector<bool>(array.asArrayRef());
  llvm::SmallVector<bool> result;
  if (auto dense = denseIntegers(attribute, 1, 1))
    for (int64_t value : values(dense)) result.push_back(value != 0);
  return result;
}

llvm::SmallVector<llvm::SmallVector<int64_t>> integerTable(
    mlir::Attribute attribute) {
  llvm::SmallVector<llvm::SmallVector<int64_t>> rows;
  auto dense = denseIntegers(attribute, 64, 2);
  if (!dense) return rows;
  llvm::SmallVector<int64_t> numbers = values(dense);
  int64_t columns = dense.getType().getDimSize(1);
  for (int64_t row = 0; row < dense.getType().getDimSize(0); ++row)
    rows.emplace_back(numbers.begin() + row * columns,
                      numbers.begin() + (row + 1) * columns);
  return rows;
}

mlir::Attribute integerList(mlir::MLIRContext *context,
                            llvm::ArrayRef<int64_t> numbers) {
  return mlir::DenseI64ArrayAttr::get(context, numbers);
}

mlir::Attribute booleanList(mlir::MLIRContext *context,
                            llvm::ArrayRef<bool> values) {
  return mlir::DenseBoolArrayAttr::get(context, values);
}

mlir::Attribute integerTable(mlir::MLIRContext *context,
                             llvm::ArrayRef<llvm::SmallVector<int64_t>> rows,
                             int64_t columns) {
  llvm::SmallVector<int64_t> numbers;
  for (const auto &row : rows) numbers.append(row.begin(), row.end());
  if (columns < 0) columns = rows.front().size();
  auto type =
      mlir::RankedTensorType::get({static_cast<int64_t>(rows.size()), columns},
                                  mlir::IntegerType::get(context, 64));
  return mlir::DenseIntElementsAttr::get(type, numbers);
}

}  // namespace indexical::stablehlo
