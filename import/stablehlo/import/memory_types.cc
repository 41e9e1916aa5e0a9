#include "indexical/import/stablehlo/import/memory_types.h"

#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/Dialect/Bufferization/IR/Bufferization.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Builders.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"

namespace indexical {

namespace bufferization = mlir::bufferization;
namespace memref = mlir::memref;
namespace tensor = mlir::tensor;

bool isMemory(mlir::Type type) { return llvm::isa<mlir::BaseMemRefType>(type); }

bool isOfMemory(mlir::Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isMemory) ||
         llvm::any_of(op->getResultTypes(), isMemory);
}

bool usesMemory(mlir::Region &region) {
  return region
      .walk([](mlir::Operation *op) {
        return isOfMemory(op) ? mlir::WalkResult::interrupt()
                              : mlir::WalkResult::advance();
      })
      .wasInterrupted();
}

mlir::RankedTensorType heldBy(mlir::Type type) {
  auto memory = llvm::dyn_cast<mlir::MemRefType>(type);
  if (!memory ||
      !mlir::RankedTensorType::isValidElementType(memory.getElementType()))
    return {};
  return mlir::RankedTensorType::get(memory.getShape(),
                                     memory.getElementType());
}

MemoryPlaces placesOf(mlir::MemRefType type) {
  if (type.getLayout().isIdentity()) return MemoryPlaces::Apart;
  llvm::SmallVector<int64_t> strides;
  int64_t offset = 0;
  if (mlir::failed(type.getStridesAndOffset(strides, offset)))
    return MemoryPlaces::Shared;
  llvm::SmallVector<std::pair<int64_t, int64_t>> known;  // stride and size
  bool isKnown = true;
  for (auto [stride, size] : llvm::zip(strides, type.getShape())) {
    if (size == 1) continue;
    if (mlir::ShapedType::isDynamic(stride)) {
      isKnown = false;
      continue;
    }
    if (stride < 1 || stride > (int64_t{1} << 40) || size > (int64_t{1} << 20))
      return MemoryPlaces::Shared;
    known.push_back({stride, size});
  }
  llvm::sort(known);
  int64_t reach = 0;  // the largest offset that smaller strides make
  for (auto [stride, size] : known) {
    if (stride <= reach || reach < 0) return MemoryPlaces::Shared;
    reach =
        mlir::ShapedType::isDynamic(size) ? -1 : reach + stride * (size - 1);
  }
  return isKnown ? MemoryPlaces::Apart : MemoryPlaces::Unknown;
}

bool isInside(memref::SubViewOp part) {
  for (auto [size, offset, count, stride] :
       llvm::zip(part.getSourceType().getShape(), part.getStaticOffsets(),
                 part.getStaticSizes(), part.getStaticStrides())) {
    if ((!mlir::ShapedType::isDynamic(offset) && offset < 0) ||
        (!mlir::ShapedType::isDynamic(count) && count < 0) ||
        (!mlir::ShapedType::isDynamic(stride) && stride < 1))
      return false;
    if (mlir::ShapedType::isDynamic(size) ||
        mlir::ShapedType::isDynamic(offset) ||
        mlir::ShapedType::isDynamic(count) ||
        mlir::ShapedType::isDynamic(stride) || count == 0)
      continue;
    if (offset >= size || (count - 1) > (size - 1 - offset) / stride)
      return false;
  }
  return true;
}

bool onlyReads(mlir::Operation &op) {
  if (llvm::isa<memref::LoadOp, memref::DimOp>(op)) return true;
  if (!op.hasTrait<mlir::OpTrait::HasRecursiveMemoryEffects>())
    return mlir::isMemoryEffectFree(&op);
  auto own = llvm::dyn_cast<mlir::MemoryEffectOpInterface>(op);
  if (own && !own.hasNoEffect()) return false;
  return llvm::all_of(op.getRegions(), [](mlir::Region &region) {
    return llvm::all_of(region.getOps(), [](mlir::Operation &inner) {
      return onlyReads(inner);
    });
  });
}

void writeTensors(MlirModule &parsed) {
  std::vector<mlir::Operation *> ops;
  parsed.module->walk([&](mlir::Operation *op) {
    if (llvm::isa<bufferization::AllocTensorOp,
                  bufferization::MaterializeInDestinationOp>(op))
      ops.push_back(op);
  });
  for (mlir::Operation *op : ops) {
    mlir::OpBuilder b(op);
    if (auto made = llvm::dyn_cast<bufferization::AllocTensorOp>(op)) {
      auto type = llvm::dyn_cast<mlir::RankedTensorType>(made.getType());
      if (!type) continue;
      if (made.getCopy()) {
        if (made.getCopy().getType() == type)
          parsed.replace(op, made.getCopy());
        continue;
      }
      if (type.getEncoding()) continue;
      auto empty = tensor::EmptyOp::create(b, op->getLoc(), type.getShape(),
                                           type.getElementType(),
                                           made.getDynamicSizes());
      parsed.written[empty] = {op, true};
      parsed.replace(op, empty);
      continue;
    }
    auto copy = llvm::cast<bufferization::MaterializeInDestinationOp>(op);
    if (op->getNumResults() == 1 &&
        copy.getSource().getType() == op->getResult(0).getType())
      parsed.replace(op, copy.getSource());
  }
}

}  // namespace indexical
