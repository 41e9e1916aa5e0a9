// Checks of a kernel: whether its accesses stay in their buffers, and whether
// no element is written twice without an order.
//
//   97 programs of 1024, mask element < 98432, buffer of 98432
//     inBounds       proved
//   the same without the mask
//     inBounds       violated: program 96 accesses element 98432 at t0 = 128
//   program * 512 + coordinate, tiles of 1024
//     writtenOnce    violated: programs 0 and 1 write element 512
//
// Answers are proofs for the whole launch, or name a program; what the budget
// does not suffice for, or what depends on values that are not known, is
// undecided. A value that is not known may be another one in each program and
// iteration. Different arguments are taken to be different buffers, unless the
// call says that they point to one array (KernelArgument::sameAs).
//
// Two programs have no order, and the threads of one program have none: nothing
// says which thread makes a store. So two stores of one element are a race but
// for one store that a loop makes again at the same coordinates of its tile.
// Atomic operations take turns with each other, and not with the stores of
// another program.
//
// Law (tests/cost/kernel/checks_test.cc, by enumeration): a proof holds for
// every program and tile; a witness does what it says.
#ifndef INDEXICAL_PROGRAM_KERNEL_CHECKS_H
#define INDEXICAL_PROGRAM_KERNEL_CHECKS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// How many elements the buffer of each argument has, if that is known.
using BufferSizes = std::vector<std::optional<int64_t>>;

/// Whether every element of the access is in its buffer. The witness is
/// OutOfBounds: a program, its loops and coordinates, the element, and the size
/// of the buffer unless that is not known (an element below 0 is outside of
/// any). `runtime` has the variables whose bounds the call gives.
Check inBounds(const KernelAccess &access, const BufferSizes &sizes,
               const ExactOptions &options = {});
/// Whether no two writers of an element are without an order. The witness is
/// WrittenTwice: the argument as its array, both writers, and the lines of all
/// stores to that argument. In a race with an atomic operation the store is the
/// first.
Check writtenOnce(const TritonKernel &kernel, const ExactOptions &options = {});

/// Returns what the two writers of a witness are: `programs`, `program` (one
/// program writes twice) or `atomic` (the second is an atomic operation of
/// another program).
llvm::StringRef raceOf(const Witness &witness);

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_CHECKS_H
