// Ops of memory, traced: pointers to blocks, loads, stores, atomics, and
// descriptors in memory; private to import/triton.
//
//   memory_ops.cc     accesses, and what they point at
//   tensor_maps.cc    descriptors that the kernel writes into memory
//
// A dry trace records no access (carried_values.h).
#ifndef INDEXICAL_IMPORT_TRITON_MEMORY_OPS_H
#define INDEXICAL_IMPORT_TRITON_MEMORY_OPS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/tensor_ops.h"

namespace indexical::triton {

class MemoryOps : public TensorOps {
 protected:
  using TensorOps::TensorOps;

  /// Traces an op on block pointers or memory. Returns false for other ops.
  bool traceMemory(mlir::Operation &op, llvm::StringRef name);
  TracedAccess accessOf(mlir::Operation &op, kernels::AccessKind kind);
  /// Masks the access by one condition more.
  void addCondition(TracedAccess &access, TermId condition);
  /// Masks the access by operand `number` of its op, if the op has so many.
  void addMask(TracedAccess &access, unsigned number);
  /// Masks the access by that value, known or not.
  void addMask(TracedAccess &access, mlir::Value mask);
  void record(TracedAccess access);
  /// Points the access at the elements of the block's array that have these
  /// indices, and masks the dimensions that are checked.
  void pointAtIndices(TracedAccess &access, const BlockPointer &block,
                      llvm::ArrayRef<TermId> at,
                      llvm::ArrayRef<int32_t> checked);
  /// Sets the result of a load, whose mask and other value may be null.
  void setLoaded(mlir::Operation &op, std::optional<TermId> pointer,
                 mlir::Value mask, mlir::Value other);
  /// Traces an op of TritonGPU.
  void traceGpu(mlir::Operation &op, llvm::StringRef name);
  /// Traces an op on a descriptor that the kernel writes into memory (TMA):
  /// tensor_maps.cc. Returns false for other ops.
  bool traceTensorMap(mlir::Operation &op, llvm::StringRef name);

 private:
  void traceBlock(mlir::Operation &op, bool isDescriptor);
  void traceAdvance(mlir::Operation &op);
  /// Sets the pointer of each element of a block, and masks the dimensions that
  /// are checked.
  void pointInto(TracedAccess &access, const BlockPointer &block,
                 llvm::ArrayRef<int32_t> checked);
  void pointAt(TracedAccess &access, mlir::Value pointer);
  void traceLoad(mlir::Operation &op);
  /// Sets a result of integers to what an array holds at the pointer.
  void setElement(mlir::Operation &op, TermId pointer, mlir::Value mask,
                  mlir::Value other);
  void traceStore(mlir::Operation &op);
  void traceAtomic(mlir::Operation &op, llvm::StringRef name);
  void traceCopy(mlir::Operation &op);
  void tracePoll(mlir::Operation &op);
  /// Records an op that loads, stores or allocates a tile of shared memory.
  void traceShared(mlir::Operation &op, llvm::StringRef name);
  void traceTensorMapCreate(mlir::Operation &op);

  /// The op that writes a descriptor into a piece of memory.
  llvm::DenseMap<mlir::Value, mlir::Operation *> tensorMaps_;
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_MEMORY_OPS_H
