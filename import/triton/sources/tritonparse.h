// Records of tritonparse: the kernels that a program compiled and launched.
//
//   {"event_type": "compilation", "payload": {"metadata": {"hash": "ca64…",
//     "num_warps": 4, "src_constants": {"(4,)": 1024}, …},
//     "file_content": {"add_kernel.ttir": "…", "add_kernel.ttgir": "…"},
//     "python_source": {"code": "def add_kernel(a_ptr, b_ptr, …", …}}}
//   {"event_type": "launch", "grid": [97, 1, 1],
//     "compilation_metadata": {"hash": "ca64…", …}, "extracted_args": {…}}
//
// A line is an event, and a launch belongs to the compilation with its hash.
// The values and shapes of a launch have the names of the Python function's
// parameters. A parameter that is constant has no argument in the kernel.
//
// Source: the logs of tritonparse (structured_logging.py), those of Triton 3.4
// in particular.
#ifndef INDEXICAL_IMPORT_TRITON_SOURCES_TRITONPARSE_H
#define INDEXICAL_IMPORT_TRITON_SOURCES_TRITONPARSE_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/sources/kernel_source.h"

namespace indexical::kernels {

/// Returns whether the first line of the text is an event.
bool looksLikeTritonparse(llvm::StringRef text);

struct TritonRecord {
  std::vector<KernelSource> kernels;
  /// The lines of launches of kernels that the record does not have.
  std::vector<Place> launchesOfUnknown;
};

/// Returns the kernel of each launch, and of each compilation that is never
/// launched, in the order of the lines. The text is the TTGIR, or the TTIR if
/// there is none. Events of other types are passed over. Returns an
/// InvalidArgument status with its line if a line is not an event.
absl::StatusOr<TritonRecord> readTritonparse(llvm::StringRef text);

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_TRITON_SOURCES_TRITONPARSE_H
