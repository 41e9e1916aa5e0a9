// Whether a kernel stores every element of a result, and none outside of it;
// private to cost/kernel.
//
//   result f32[256], 4 programs, program p stores p * 64 + t, t < 64   proved
//   3 programs of these      violated: no program stores element 192
//   5 programs               violated: program 4 stores element 256
//
// Values are not looked at, nor who stores an element, or how often.
#ifndef INDEXICAL_SAME_KERNEL_RESULT_STORES_H
#define INDEXICAL_SAME_KERNEL_RESULT_STORES_H

#include <cstdint>
#include <optional>
#include <string>

#include "indexical/exact/exact.h"
#include "indexical/ops/shape.h"
#include "indexical/program/kernel/checks.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/same/kernel/comparison.h"

namespace indexical::kernels {

struct StoresCheck {
  CheckAnswer answer = CheckAnswer::Proved;
  std::string reason;  ///< of an undecided one
  // A violated one has one of these.
  std::optional<OutsideStore> outside;  ///< without the result's number
  std::optional<int64_t> notStored;     ///< an element
};

/// Checks the stores to that argument, which stands for an array of that shape.
/// The answer is undecided if the kernel is incomplete, if a store or an atomic
/// operation may go anywhere or depends on values, or if the pointer's elements
/// have another size than those of the array.
StoresCheck checkStores(const TritonKernel &kernel, int64_t argument,
                        const ArrayShape &shape, const ExactOptions &options);

/// Returns whether the pointer's elements are of the array's type: `f32` are
/// `f32`, and `i32` both `s32` and `u32`; `i1` and `i8` are `pred`.
bool hasElementsOf(const KernelArgument &argument, const ArrayShape &shape);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_RESULT_STORES_H
