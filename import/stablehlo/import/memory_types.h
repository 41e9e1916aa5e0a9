// Facts about memory from types and ops alone: private to memory_forms.cc.
#ifndef INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_TYPES_H
#define INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_TYPES_H

#include <cstdint>

#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

bool isMemory(mlir::Type type);
/// Returns whether an operand or a result of the op is memory.
bool isOfMemory(mlir::Operation *op);
bool usesMemory(mlir::Region &region);

/// Returns the type of what memory of the type holds; null if it has no rank.
mlir::RankedTensorType heldBy(mlir::Type type);

/// Whether elements of a memref lie each at a place of their own, or two may
/// share one; unknown where only the run knows a stride.
enum class MemoryPlaces : uint8_t { Apart, Unknown, Shared };
MemoryPlaces placesOf(mlir::MemRefType type);

/// Returns whether the part lies in the memory, as far as its numbers say so.
bool isInside(mlir::memref::SubViewOp part);

/// Returns whether the op has no effects but that ops in it read memory.
bool onlyReads(mlir::Operation &op);

/// Writes ops of bufferization on tensors as those of tensor.
void writeTensors(MlirModule &parsed);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_IMPORT_MEMORY_TYPES_H
