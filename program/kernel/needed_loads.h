// The elements of a load that a stored value needs, so that the store follows
// the load of each.
//
//   %v = tt.load %p : 16x32      %s = "tt.reduce"(%v), axis 1
//   tt.store %q, %s              element t0 of %s needs all (t0, any)
//
//   tt.store %q, (exp %v)        element (t0, t1) needs (t0, t1) alone
//
// A store of other threads' elements follows nothing else: without a barrier,
// the load of (3, 0) may come after the store of (2, 0).
#ifndef INDEXICAL_PROGRAM_KERNEL_NEEDED_LOADS_H
#define INDEXICAL_PROGRAM_KERNEL_NEEDED_LOADS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// The elements of a load that an element of a store needs.
struct NeededElements {
  /// For each coordinate of the load's tile the one of the store's tile that it
  /// equals, or nothing if all are needed.
  llvm::SmallVector<std::optional<size_t>, 4> from;
  /// Whether those of the loop's earlier turns are needed, too.
  bool isOfAllTurns = false;
};

/// Every element in one of `all` is needed. If the value is not known, others
/// may be.
struct NeededLoads {
  std::vector<NeededElements> all;
  bool isKnown = true;
};

/// Returns what the store needs of the load, an access of the kernel by its
/// number. It is not known unless the kernel was read with its values.
NeededLoads neededBy(const TritonKernel &kernel, const KernelAccess &store,
                     size_t load);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_NEEDED_LOADS_H
