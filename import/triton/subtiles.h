// Regions that run once for each part of a tile, written out; private to
// import/triton.
//
//   ttng.subtiled_region inputs(%a, %b : i32, i32)
//       tile_mappings = [array<i32: 0>, array<i32: 1>]
//     setup {
//     ^bb0(%x: i32, %y: i32):
//       ttng.subtiled_region_yield %x, %y : i32, i32
//     } tile(%at: i32) {                    // %at = %a, and then %at = %b
//       tt.descriptor_store %d[%at], %v : …
//       ttng.subtiled_region_yield
//     } teardown {
//       ttng.subtiled_region_yield
//     }
//
// becomes two stores, at %a and at %b. The setup runs once. The tile runs once
// for each list of `tile_mappings`, whose numbers say which of the setup's
// values its arguments are; one argument more is the number of the part. The
// teardown runs at the end, and its values are the op's results. Barriers say
// when parts may run, and not what they do.
//
// Source: facebookexperimental/triton, SubtiledRegionOp of
// TritonNvidiaGPUOps.td and its pass LowerSubtiledRegion.
#ifndef INDEXICAL_IMPORT_TRITON_SUBTILES_H
#define INDEXICAL_IMPORT_TRITON_SUBTILES_H

#include <vector>

#include "llvm/ADT/DenseMap.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/Operation.h"

namespace indexical::triton {

/// Writes out all such regions of a module. One whose numbers do not fit its
/// values stays as it is, and is not understood.
class WrittenSubtiles {
 public:
  /// `module` must outlive the object.
  explicit WrittenSubtiles(mlir::ModuleOp module);
  ~WrittenSubtiles();
  WrittenSubtiles(const WrittenSubtiles &) = delete;

  /// Returns the op of the file of which this one is a copy. An op that stands
  /// in place of a part's number is none of the file, and its own original.
  mlir::Operation *originalOf(mlir::Operation *op) const {
    const auto found = originals_.find(op);
    return found == originals_.end() ? op : found->second;
  }

 private:
  void write(mlir::Operation *op);

  llvm::DenseMap<mlir::Operation *, mlir::Operation *> originals_;
  /// The ops that were written out. They keep their memory, so that no new op
  /// takes their place in what the parser knows.
  std::vector<mlir::Operation *> removed_;
  size_t ops_ = 0;
};

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_SUBTILES_H
