// Copies of whole tiles, traced: by descriptors (TMA, TDM), by AMD's ops on
// buffers, and XLA's `extract` and `insert`; private to import/triton.
//
//   descriptors.cc    copies by a descriptor, and changes of one
//   amd_ops.cc        AMD's ops on buffers and tiles
//   xla_tiles.cc      tiles of XLA
#ifndef INDEXICAL_IMPORT_TRITON_TILE_COPIES_H
#define INDEXICAL_IMPORT_TRITON_TILE_COPIES_H

#include <cstddef>
#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/memory_ops.h"

namespace indexical::triton {

class TileCopies : public MemoryOps {
 protected:
  using MemoryOps::MemoryOps;

  /// Traces a copy by a descriptor (TMA, TDM), or a change of a descriptor:
  /// descriptors.cc. Returns false for other ops.
  bool traceDescriptorOp(mlir::Operation &op, llvm::StringRef name);
  /// Traces an op of AMD's: amd_ops.cc. Returns false for other ops.
  bool traceAmd(mlir::Operation &op, llvm::StringRef name);
  /// Traces XLA's `extract` or `insert` of a tile: xla_tiles.cc.
  void traceTile(mlir::Operation &op);

 private:
  std::optional<TermList> indicesOfBox(mlir::Operation &op,
                                       const BlockPointer &array,
                                       llvm::ArrayRef<int64_t> tile);
  std::optional<TermList> indicesOfRows(mlir::Operation &op,
                                        const BlockPointer &array,
                                        llvm::ArrayRef<int64_t> tile);
  void addPredicates(TracedAccess &access, size_t from);
  void traceUpdate(mlir::Operation &op);
  void traceBuffer(mlir::Operation &op, llvm::StringRef name,
                   kernels::AccessKind kind, unsigned pointer, unsigned values);
  void traceCopyOut(mlir::Operation &op);
  void traceSlice(mlir::Operation &op);
  void traceConcat(mlir::Operation &op);
  /// Returns the pointer of each element of the tile, whose numbers begin at
  /// that operand, and masks the dimensions of the buffer.
  std::optional<TermId> tilePointer(mlir::Operation &op, unsigned operand,
                                    TracedAccess &access);
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_TILE_COPIES_H
