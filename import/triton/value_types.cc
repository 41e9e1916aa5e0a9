#include "indexical/import/triton/value_types.h"

#include "indexical/import/triton/dialect.h"

namespace indexical::triton {

llvm::SmallVector<int64_t, 4> shapeOf(mlir::Type type) {
  llvm::SmallVector<int64_t, 4> shape;
  if (auto tensor = llvm::dyn_cast_if_present<mlir::RankedTensorType>(type))
    shape.assign(tensor.getShape().begin(), tensor.getShape().end());
  return shape;
}

mlir::Type elementOf(mlir::Type type) {
  if (auto tensor = llvm::dyn_cast_if_present<mlir::RankedTensorType>(type))
    return tensor.getElementType();
  return type;
}

bool isDescriptor(mlir::Type type) {
  const auto named = llvm::dyn_cast<NamedType>(type);
  return named && named.kind() == "tt.tensordesc" && memoryOf(type);
}

bool isPixelDescriptor(mlir::Type type) {
  const auto named = llvm::dyn_cast<NamedType>(type);
  return named && named.kind().ends_with(".tensordesc_im2col") &&
         memoryOf(type);
}

bool isInteger(mlir::Type type) { return elementOf(type).isIntOrIndex(); }

bool isTerm(mlir::Type type) {
  const int32_t bits = termBits(type);
  return isInteger(type) && (bits <= 62 || bits == 64);
}

std::optional<int64_t> integerOf(mlir::Attribute attribute) {
  const auto integer = llvm::dyn_cast_or_null<mlir::IntegerAttr>(attribute);
  return integer ? integer.getValue().trySExtValue() : std::nullopt;
}

int32_t termBits(mlir::Type type) {
  const mlir::Type element = elementOf(type);
  if (auto integer = llvm::dyn_cast<mlir::IntegerType>(element))
    return integer.getWidth();
  return 64;
}

mlir::RankedTensorType blockOf(mlir::Type type) {
  const auto pointer = llvm::dyn_cast<NamedType>(type);
  if (!pointer || !pointer.pointee()) return {};
  return llvm::dyn_cast<mlir::RankedTensorType>(pointer.pointee());
}

mlir::RankedTensorType memoryOf(mlir::Type type) {
  const auto named = llvm::dyn_cast<NamedType>(type);
  if (!named || named.pointee()) return {};
  return llvm::dyn_cast_or_null<mlir::RankedTensorType>(named.content());
}

llvm::SmallVector<int64_t, 4> wholeShapeOf(mlir::Type type) {
  const auto own = memoryOf(type);
  const auto named = llvm::dyn_cast<NamedType>(type);
  llvm::SmallVector<int64_t, 4> sides = shapeOf(own);
  if (!own || !named) return sides;
  llvm::SmallVector<llvm::StringRef, 4> words;
  named.body().rsplit(',').second.trim().split(words, 'x');
  llvm::SmallVector<int64_t, 4> whole;
  for (llvm::StringRef word : words)
    if (word.getAsInteger(10, whole.emplace_back())) return sides;
  if (whole.size() < sides.size()) return sides;
  whole.erase(whole.begin(), whole.end() - sides.size());
  return whole;
}

int64_t bitsOf(mlir::Type type) {
  mlir::Type element = elementOf(type);
  if (auto pointer = llvm::dyn_cast<NamedType>(element)) {
    if (!pointer.pointee() && !isDescriptor(pointer) &&
        !isPixelDescriptor(pointer))
      return 0;
    element = elementOf(pointer.content());
  }
  if (element.isIndex()) return 64;
  return element.isIntOrFloat() ? element.getIntOrFloatBitWidth() : 0;
}

}  // namespace indexical::triton
