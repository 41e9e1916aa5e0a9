// Whether a kernel loads an element that it has overwritten, or may have.
//
//   x[8 * program + t0] = load, y[8 * program + t0 + 1] = store, x is y
//     violated: program (1, 0, 0) loads element 8, which program (0, 0, 0)
//     stores: programs have no order
//
//   x[7 - t0] = load x[t0], in one program
//     violated without a barrier between them, and proved with one
//
// Two accesses of one element, of which one is a store, have an order
//
// - of two programs: never;
// - if a barrier that all threads pass is between them;
// - at one coordinate of tiles that the same threads hold, and in a compiled
//   kernel if one thread makes both;
// - if the value that is stored needs what is loaded: the sum of a row follows
//   the loads of the row, and an elementwise value follows its own element.
//
// In a pipelined loop (`tt.num_stages` = n) the loads of the next n - 1 turns
// may come before the stores of a turn, also at one coordinate.
//
// Atomic operations, copies that take time and warps that work apart are not
// followed: an array for which they matter is undecided, and so is one whose
// elements depend on values that are not known.
//
// Shared memory of a compiled kernel is asked for in the same way, a program at
// a time. Only a barrier of all threads orders them: lanes of a warp have no
// order by being of one warp. If they exchange values, that is undecided.
//
//   s[t0] = x[t0]                 violated: thread 0 loads element 1 of s in no
//   y[t0] = s[255 - t0]           order with thread 254 …
//   the same with a barrier       proved
//
// Law (tests/answers/kernel/overwritten_test.py, by enumeration): a proof holds
// for all pairs of accesses, and the two of a witness have no order.
#ifndef INDEXICAL_PROGRAM_KERNEL_OVERWRITTEN_H
#define INDEXICAL_PROGRAM_KERNEL_OVERWRITTEN_H

#include <cstddef>
#include <vector>

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns whether some array, by the arguments that point to it, is both
/// loaded and stored, so that overwritten() has a question.
bool isLoadedAndStored(const TritonKernel &kernel);

/// Returns whether some variable of the shared memory of a compiled kernel is
/// both loaded and stored.
bool isSharedLoadedAndStored(const TritonKernel &kernel);

/// Returns whether every load finds what it would find if all stores were to
/// arrays of their own, or what the program stored before it. The kernel has to
/// be read with its values; else more is undecided. The witness is Overwritten:
/// the argument of the load as its array, the store and the load.
Check overwritten(const TritonKernel &kernel, const ExactOptions &options = {});

/// Returns the same of the shared memory of a compiled kernel. The witness is
/// SharedOverwritten; its array is the number that the maps of SharedAccess
/// have.
Check sharedOverwritten(const TritonKernel &kernel,
                        const ExactOptions &options = {});

/// Returns whether no two threads of one program of a compiled kernel store one
/// element of an array, by its first argument, without a barrier between. The
/// witness is Overwritten, of two stores.
Check storedInOrder(const TritonKernel &kernel, int64_t array,
                    const ExactOptions &options = {});

/// Returns the stores that their own program may make before one of its loads,
/// of an element that both have: numbers of accesses, in the order of the file.
/// `element` is a map of the load, which is an access of the kernel. If
/// overwritten() is proved, and there are none, the load finds what the array
/// held before the launch.
std::vector<size_t> storesBefore(const TritonKernel &kernel, size_t load,
                                 const PointerMap &element,
                                 const ExactOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_OVERWRITTEN_H
