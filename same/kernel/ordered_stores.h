// Stores and loads of a program that barriers order.
//
//   tt.store %p, %v       phase 0
//   gpu.barrier
//   %x = tt.load %p       phase 1: %x is %v
//   gpu.barrier
//   tt.store %p, %w       phase 2: this one stays
//
// Threads are unordered without a barrier: the thread that makes an access is
// unknown. So the value that a load finds is decided only if each store to its
// array is made once by a program, in a phase of its own, and at the same
// coordinates of the tile as the load, or nowhere; and if no two programs, or
// two coordinates, store one element.
//
// The threads of a compiled kernel are known, and each makes its accesses in
// the order of the file: there no barrier is needed between accesses at one
// coordinate, and a load finds the initial content if each thread stores only
// where it alone has loaded.
//
// Law (tests/answers/kernel/held_values_test.py): kernels that load elements
// that they have stored compute the interpreter's values.
#ifndef INDEXICAL_SAME_KERNEL_ORDERED_STORES_H
#define INDEXICAL_SAME_KERNEL_ORDERED_STORES_H

#include <optional>
#include <string>

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns the store whose value a load finds in the elements that `element`,
/// one of its maps, names; null if it is unknown: `reason` says why.
const KernelAccess *storeFoundBy(const TritonKernel &kernel,
                                 const KernelAccess &load,
                                 const PointerMap &element,
                                 const ExactOptions &options,
                                 std::string &reason);

/// Returns whether a load finds the array's initial content in the elements
/// that `element`, one of its maps, names: only the thread that loads an
/// element stores to it, and later. Conservative: false when unknown.
bool findsStart(const TritonKernel &kernel, const KernelAccess &load,
                const PointerMap &element, const ExactOptions &options);

/// Returns whether a later store of the same program stores to all elements of
/// this one. Conservative: false when unknown.
bool isOverwritten(const TritonKernel &kernel, const KernelAccess &store,
                   const ExactOptions &options);

/// Returns whether a store or an atomic operation behind this one, of the same
/// program, may store to an element that `element`, one of the store's maps,
/// names: what is stored need not stay. Conservative: true when unknown. The
/// store is one of the kernel's accesses.
bool mayBeOverwritten(const TritonKernel &kernel, const KernelAccess &store,
                      const PointerMap &element, const ExactOptions &options);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_ORDERED_STORES_H
