// Finds the layout that the uses of a value demand; private to import/triton.
//
//   %s = tt.load %p : tensor<64x!tt.ptr<f32>>      64 elements, 128 threads
//   %e = tt.expand_dims %s {axis = 1}
//   %b = tt.broadcast %e : … -> tensor<64x128xf32>
//   %m = arith.mulf %x, %b
//   tt.store %q, %m                                the load takes the layout of
//                                                  this store, without
//                                                  dimension 1
//
// Triton's pass against conversions of layouts lets a load of fewer elements
// than threads take the layout in which it is used: to load again is cheap. If
// uses demand different layouts, there are several such loads.
//
// Source: Triton, RemoveLayoutConversions.cpp; measured kernels
// (tests/answers/kernel/measured).
#ifndef INDEXICAL_IMPORT_TRITON_LAYOUT_DEMANDS_H
#define INDEXICAL_IMPORT_TRITON_LAYOUT_DEMANDS_H

#include <optional>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "mlir/IR/Operation.h"

namespace indexical::triton {

/// The layout of the tile of `anchor`, an op on memory, in which dimensions of
/// one element were put at `axes`, in this order.
struct LayoutDemand {
  mlir::Operation *anchor = nullptr;
  llvm::SmallVector<int64_t, 2> axes;

  bool operator==(const LayoutDemand &o) const {
    return anchor == o.anchor && axes == o.axes;
  }
};

/// Returns what the uses of the op's result demand. Returns nothing if a use is
/// not understood. `isAnchor` says of an op on memory whether it keeps its own
/// layout.
std::optional<std::vector<LayoutDemand>> layoutDemands(
    mlir::Operation *load,
    llvm::function_ref<bool(mlir::Operation *)> isAnchor);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_LAYOUT_DEMANDS_H
