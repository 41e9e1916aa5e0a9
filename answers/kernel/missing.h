// Options that give what a kernel's text leaves open, so that a user is asked
// once; private to answers/kernel.
//
//   def add(x, n, …), without --grid, --arg and --shape
//     the number of programs is not known; --grid=X[,Y[,Z]] gives it; also
//     open: --arg=n=NUMBER, --shape=x=SHAPE
#ifndef INDEXICAL_ANSWERS_KERNEL_MISSING_H
#define INDEXICAL_ANSWERS_KERNEL_MISSING_H

#include "absl/status/status.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/kernel/sized_launch.h"

namespace indexical {

/// Sets the options that would decide more: the value of each integer that
/// decides which elements are accessed, or how many programs there are, and the
/// shape of each array that is accessed.
void addMissing(KernelFindings &found);

/// Returns the error about a kernel without a grid, with these options behind
/// its message; the error as it is if the kernel is wrong with a grid, too.
absl::Status withWhatIsOpen(const kernels::KernelSource &source,
                            const kernels::ReadOptions &options,
                            const NamedShapes &shapes,
                            const absl::Status &status);

/// Returns why a kernel in Python, of which a constant has no value, has no
/// TTIR, with `--grid` behind the message if nothing says the grid, either.
absl::Status refusalOf(const kernels::KernelSource &source,
                       const KernelQuestion &question, bool hasFusion);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_MISSING_H
