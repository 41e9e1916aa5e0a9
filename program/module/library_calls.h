// Custom calls whose meaning is known: calls of libraries that XLA writes, and
// annotations that it, JAX and others write as custom calls.
//
//   r = (bf16[16,6144], s8[4194304]) custom-call(x, w),
//       custom_call_target="__cublas$gemm", backend_config={
//         "gemm_backend_config":{"dot_dimension_numbers":{
//           "lhs_contracting_dimensions":["1"],
//           "rhs_contracting_dimensions":["1"]}}}
//   result 0 reads x as a dot does, the workspace reads nothing
//
// The reads of a call follow from its shapes and its configuration. A call that
// is not as such calls are (other shapes, a configuration that is not
// understood) has no meaning here, and stays opaque. All other targets do, too.
//
// Law (tests/import/hlo/library_calls_test.cc): a call reads what the ops that
// it stands for read.
#ifndef INDEXICAL_PROGRAM_MODULE_LIBRARY_CALLS_H
#define INDEXICAL_PROGRAM_MODULE_LIBRARY_CALLS_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/custom_calls.h"

namespace indexical {

/// Returns the op that the call is, or nothing if the call has no meaning here.
std::optional<Op> libraryCall(const CustomCall &call);

struct LibraryTarget {
  llvm::StringLiteral name;
  llvm::StringLiteral meaning;  ///< what it reads, in words
};
/// Returns the targets that are known, by name.
llvm::ArrayRef<LibraryTarget> libraryTargets();

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_LIBRARY_CALLS_H
