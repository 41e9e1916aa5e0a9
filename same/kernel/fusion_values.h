// Does a kernel compute its fusion's values?
//
//   kernel   y[p * 32 + t] = sub(a[p * 32 + t], b[p * 32 + t])
//   fusion   ROOT y = f32[128] multiply(a, b)
//     different: program (0, 0, 0) stores element (1) of y as subtract(a, b),
//     4, and the fusion's multiply(a, b) is -3, where a[1] = 1, b[1] = -3
//
// Each element that a program stores is a term over elements of the arguments,
// and so is the fusion's element in the same place: the fusion's root, composed
// with the map of the store. The two are compared like terms of two modules
// (same/values), with one more law: HLO leaves the order of a reduction open,
// and a kernel may use any tree.
//
// If all stores to a result are right and cover it, the result is right in any
// order of the stores.
//
// Law (tests/answers/kernel/kernel_values_test.py): a kernel that an
// interpreter distinguishes from its fusion never has the same values, and
// numbers of a witness are those of the interpreter.
#ifndef INDEXICAL_SAME_KERNEL_FUSION_VALUES_H
#define INDEXICAL_SAME_KERNEL_FUSION_VALUES_H

#include "absl/status/status.h"

#include "indexical/exact/exact.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/module/program.h"
#include "indexical/same/kernel/comparison.h"
#include "indexical/same/values/module_values.h"

namespace indexical::kernels {

/// Raises the verdict of compareWithFusion() to `same values` or `different`
/// where values prove it, and adds the first terms that differ. The kernel must
/// have been read with its values. Returns an error if the budget's stop is
/// reached.
absl::Status compareStoredValues(const TritonKernel &kernel,
                                 const Module &module,
                                 ComputationId computation,
                                 const ValueOptions &values,
                                 const ExactOptions &options,
                                 FusionComparison &comparison);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_FUSION_VALUES_H
