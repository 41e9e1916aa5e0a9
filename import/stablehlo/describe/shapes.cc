#include "indexical/import/stablehlo/describe/shapes.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"
#include "mlir/Dialect/Quant/IR/QuantTypes.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

ElementType integerType(mlir::IntegerType type) {
  if (type.getWidth() == 1 && !type.isUnsigned()) return ElementType::Pred;
  const std::string name =
      (type.isUnsigned() ? "u" : "s") + std::to_string(type.getWidth());
  return parseElementType(name).value_or(ElementType::Unknown);
}

ElementType floatType(mlir::FloatType type) {
  return llvm::TypeSwitch<mlir::FloatType, ElementType>(type)
      .Case([](mlir::Float16Type) { return ElementType::F16; })
      .Case([](mlir::BFloat16Type) { return ElementType::BF16; })
      .Case([](mlir::Float32Type) { return ElementType::F32; })
      .Case([](mlir::Float64Type) { return ElementType::F64; })
      .Case([](mlir::Float4E2M1FNType) { return ElementType::F4E2M1FN; })
      .Case([](mlir::Float8E3M4Type) { return ElementType::F8E3M4; })
      .Case([](mlir::Float8E4M3Type) { return ElementType::F8E4M3; })
      .Case([](mlir::Float8E4M3FNType) { return ElementType::F8E4M3FN; })
      .Case([](mlir::Float8E4M3B11FNUZType) {
        return ElementType::F8E4M3B11FNUZ;
      })
      .Case([](mlir::Float8E4M3FNUZType) { return ElementType::F8E4M3FNUZ; })
      .Case([](mlir::Float8E5M2Type) { return ElementType::F8E5M2; })
      .Case([](mlir::Float8E5M2FNUZType) { return ElementType::F8E5M2FNUZ; })
      .Case([](mlir::Float8E8M0FNUType) { return ElementType::F8E8M0FNU; })
      .Default([](mlir::FloatType) { return ElementType::Unknown; });
}

ArrayShape arrayOf(mlir::ShapedType type) {
  ArrayShape shape(elementTypeOf(type.getElementType()), {});
  for (int64_t size : type.getShape())
    shape.dimensions.push_back(mlir::ShapedType::isDynamic(size) ? kDynamicSize
                                                                 : size);
  // `vector<[4]xf32>` has a multiple of 4 elements that the machine knows.
  if (auto vector = llvm::dyn_cast<mlir::VectorType>(type))
    for (auto [k, isScalable] : llvm::enumerate(vector.getScalableDims()))
      if (isScalable) shape.dimensions[k] = kDynamicSize;
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  auto bounds =
      tensor
          ? llvm::dyn_cast_or_null<stablehlo::BoundsAttr>(tensor.getEncoding())
          : nullptr;
  if (!bounds) return shape;
  for (auto [k, bound] : llvm::enumerate(bounds.getBounds())) {
    if (static_cast<int64_t>(k) >= shape.rank() ||
        mlir::ShapedType::isDynamic(bound))
      continue;
    shape.dimensions[k] = bound;
    shape.dynamic.resize(shape.rank());
    shape.dynamic[k] = true;
  }
  return shape;
}

absl::StatusOr<Shape> tupleOf(mlir::TypeRange types) {
  std::vector<Shape> elements;
  for (mlir::Type type : types) {
    INDEXICAL_ASSIGN_OR_RETURN(auto element, shapeOf(type));
    elements.push_back(std::move(element));
  }
  return Shape::ofTuple(std::move(elements));
}

bool isScalar(mlir::Type type) {
  return llvm::isa<mlir::IntegerType, mlir::FloatType, mlir::IndexType,
                   mlir::ComplexType, mlir::quant::QuantizedType>(type);
}

}  // namespace

ElementType elementTypeOf(mlir::Type type) {
  if (auto quantized = llvm::dyn_cast<mlir::quant::QuantizedType>(type)) {
    mlir::Type stored = quantized.getStorageType();
    // A calibrated type says a range, and not how it is stored.
    if (!stored) return ElementType::Unknown;
    auto integer = llvm::dyn_cast<mlir::IntegerType>(stored);
    if (!integer || quantized.isSigned()) return elementTypeOf(stored);
    return parseElementType("u" + std::to_string(integer.getWidth()))
        .value_or(ElementType::Unknown);
  }
  if (auto complex = llvm::dyn_cast<mlir::ComplexType>(type)) {
    if (complex.getElementType().isF32()) return ElementType::C64;
    return complex.getElementType().isF64() ? ElementType::C128
                                            : ElementType::Unknown;
  }
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(type))
    return integerType(integer);
  if (auto real = llvm::dyn_cast<mlir::FloatType>(type)) return floatType(real);
  return type.isIndex() ? ElementType::S64 : ElementType::Unknown;
}

bool isUnranked(mlir::Type type) {
  return llvm::isa<mlir::UnrankedTensorType, mlir::UnrankedMemRefType>(type);
}

ArrayShape arrayShapeOf(mlir::RankedTensorType type) { return arrayOf(type); }

absl::StatusOr<Shape> shapeOf(mlir::Type type) {
  if (isUnranked(type)) return Shape::ofArray(ArrayShape());
  if (auto shaped = llvm::dyn_cast<mlir::ShapedType>(type))
    return Shape::ofArray(arrayOf(shaped));
  if (isScalar(type))
    return Shape::ofArray(ArrayShape(elementTypeOf(type), {}));
  if (auto tuple = llvm::dyn_cast<mlir::TupleType>(type))
    return tupleOf(tuple.getTypes());
  if (auto future = llvm::dyn_cast<stablehlo::FutureType>(type))
    return tupleOf(future.getTypes());
  if (llvm::isa<stablehlo::TokenType>(type)) return Shape::token();
  if (llvm::isa<mlir::NoneType>(type) ||
      type.getDialect().getNamespace() == "shape")
    return Shape::opaque();
  // Nothing can name the elements of a value of another type, such as
  // `!tosa.shape<2>`, which stand as one.
  return Shape::ofArray(ArrayShape());
}

absl::StatusOr<Shape> shapeOf(mlir::TypeRange types) {
  return types.size() == 1 ? shapeOf(types.front()) : tupleOf(types);
}

}  // namespace indexical
