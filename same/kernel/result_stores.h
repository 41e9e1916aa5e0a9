// Whether a kernel stores every element of a result, and none outside of it;
// private to same/kernel.
//
//   result f32[256], 4 programs, program p stores p * 64 + t, t < 64   proved
//   3 programs of these      violated: no program stores element 192
//   5 programs               violated: program 4 stores element 256
//
// Values are not compared, nor the program that stores an element, or how
// often.
#ifndef INDEXICAL_SAME_KERNEL_RESULT_STORES_H
#define INDEXICAL_SAME_KERNEL_RESULT_STORES_H

#include <cstdint>

#include "llvm/ADT/StringRef.h"

#include "indexical/exact/exact.h"
#include "indexical/ops/shape.h"
#include "indexical/program/check/check.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Whether all elements of a result have to be stored.
enum class Stored : uint8_t { All, Some };

/// Returns the check of the stores to an argument, which is an array of that
/// shape. The witness is StoredOutside or NotStored, without the result's
/// number. The answer is undecided if the kernel is incomplete, if a store or
/// an atomic operation may access any element or depends on values, or if the
/// pointer's elements do not have the size of the array's.
Check checkStores(const TritonKernel &kernel, int64_t argument,
                  const ArrayShape &shape, const ExactOptions &options,
                  Stored stored = Stored::All);

/// Returns the text of the element type of a pointer or a descriptor; "" for
/// another argument.
llvm::StringRef elementTypeOf(const KernelArgument &argument);

/// Returns whether the pointer's elements are of the array's type: `f32` are
/// `f32`, and `i32` both `s32` and `u32`; `i1` and `i8` are `pred`.
bool hasElementsOf(const KernelArgument &argument, const ArrayShape &shape);

}  // namespace indexical::kernels

#endif  // INDEXICAL_SAME_KERNEL_RESULT_STORES_H
