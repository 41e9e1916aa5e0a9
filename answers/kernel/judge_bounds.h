// Which elements a judged kernel accesses, against the shapes of the call and
// against what the old kernel accesses; private to answers/kernel.
//
//   --shape=x=f32[n], x[o] where o <= n
//     outside at some sizes: neither kernel is compared there
//   no shape, x[o] without a mask, and old has the mask o < n
//     new may access elements of `x` that old does not
#ifndef INDEXICAL_ANSWERS_KERNEL_JUDGE_BOUNDS_H
#define INDEXICAL_ANSWERS_KERNEL_JUDGE_BOUNDS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "indexical/exact/exact.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/open_sizes.h"
#include "indexical/same/kernel/kernel_pair.h"

namespace indexical {

/// Whether a kernel stays in its arrays at all sizes.
struct OpenBounds {
  /// Each access is proved or undecided.
  std::vector<Check> accesses;
  /// Whether an access is outside at some sizes.
  bool isViolated = false;
};

/// Compares what a kernel accesses, which is read for all sizes, with the
/// shapes of the call, by argument: `x`, `f32[R,C]`.
OpenBounds boundsForSizes(
    const kernels::TritonKernel &kernel, const kernels::OpenSizes &sizes,
    const std::vector<std::pair<std::string, std::string>> &shapes,
    const ExactOptions &options);

/// Adds the elements of an array that a kernel accesses. Returns false if they
/// are not known.
bool addTouched(const kernels::TritonKernel &kernel, int64_t array,
                IndexingRelation &elements);

/// Returns that the new kernel accesses an element that the old one does not,
/// of an array whose size is not known; "" if it is not known to do so. Both
/// are read with their values.
std::string whyMoreThanOld(const kernels::TritonKernel &first,
                           const kernels::TritonKernel &second,
                           const kernels::PairedArguments &arguments,
                           const kernels::BufferSizes &sizes,
                           const ExactOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_JUDGE_BOUNDS_H
