// The values and aliases that a call gives to a kernel's arguments by name.
//
//   arg3 = 98432, n_elements = 98432, 3 = 98432     the same argument
#ifndef INDEXICAL_PROGRAM_KERNEL_NAMED_ARGUMENTS_H
#define INDEXICAL_PROGRAM_KERNEL_NAMED_ARGUMENTS_H

#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::kernels {

/// Returns whether a name means that argument: its own name, its number, or
/// `arg` and its number.
bool isNamed(const TritonKernel &kernel, size_t number,
             const std::string &name);

/// Sets the values, numbers and aliases of the kernel's arguments. `places` has
/// where each argument stands, or is empty; `place` is that of the kernel.
/// Returns an InvalidArgument status for a name that there is not, for a value
/// that is none of the type, and for one that its divisibility refuses.
absl::Status setGiven(const ReadOptions &options, TritonKernel &kernel,
                      Place place, llvm::ArrayRef<Place> places = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_NAMED_ARGUMENTS_H
