// Stores and loads of a program that a barrier puts in order.
//
//   tt.store %p, %v       phase 0
//   gpu.barrier
//   %x = tt.load %p       phase 1: %x is %v
//   gpu.barrier
//   tt.store %p, %w       phase 2: this one stays
//
// Threads have no order without a barrier: which thread makes an access is not
// known. So what a load finds is decided only if each store to its array is
// made once by a program, in a phase of its own, and at the same coordinates of
// the tile in which the load is made, or not there: and if no two programs, or
// two coordinates, store one element.
//
// A compiled kernel makes its accesses thread by thread, each in the order of
// the file: there a load finds what was there if each thread stores where it
// has loaded alone.
//
// Law (tests/answers/kernel/held_values_test.py): kernels that load what they
// have stored compute what an interpreter finds.
#ifndef INDEXICAL_SAME_KERNEL_ORDERED_STORES_H
#define INDEXICAL_SAME_KERNEL_ORDERED_STORES_H

#include <optional>
#include <string>

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns the store whose value a load finds in the elements that `element`,
/// one of its maps, names. Returns null if that is not known: `reason` says
/// why.
const KernelAccess *storeFoundBy(const TritonKernel &kernel,
                                 const KernelAccess &load,
                                 const PointerMap &element,
                                 const ExactOptions &options,
                                 std::string &reason);

/// Whether a load finds in the elements that `element`, one of its maps, names
/// what the array holds at the start: no thread stores to one of them but the
/// one that loads it, and later.
bool findsStart(const TritonKernel &kernel, const KernelAccess &load,
                const PointerMap &element, const ExactOptions &options);

/// Whether a later store of the same program stores to all elements to which
/// this one does.
bool isOverwritten(const TritonKernel &kernel, const KernelAccess &store,
                   const ExactOptions &options);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_ORDERED_STORES_H
