// Custom calls of a module that contain a kernel of Triton.
//
//   custom-call(x, y), custom_call_target="triton_kernel_call_ffi",
//       backend_config={opaque = "x\9C\ED…"}
//     the bytes      zlib's format of a message of jaxlib's triton.proto
//     the kernel     its TTIR, 4 warps, grid 1 x 1 x 1
//
//   stablehlo.custom_call @__gpu$xla.gpu.triton(%x) {mhlo.backend_config =
//       {grid_x = 8 : i32, ir = "…", num_warps = 4 : i32, …}}
//     the kernel     the text in `ir`
//
// The arguments of such a kernel are the arrays of the call, operands before
// results, and numbers among them.
//
// Source: jaxlib/gpu/triton.proto and XLA's triton_call.h.
#ifndef INDEXICAL_IMPORT_TRITON_SOURCES_CUSTOM_CALL_H
#define INDEXICAL_IMPORT_TRITON_SOURCES_CUSTOM_CALL_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/triton/sources/kernel_source.h"
#include "indexical/ops/shape.h"

namespace indexical::kernels {

/// Returns whether calls of that target hold a kernel of Triton.
bool isTritonTarget(llvm::StringRef target);

/// Returns the kernels of a call of a target of Triton: one, or one for each
/// choice that the runtime has (autotuning). `config` is what its
/// backend_config holds (configuration_text.h), `arrays` the leaves of its
/// operands, then of its results. Returns an InvalidArgument status if the
/// bytes are damaged or hold no kernel.
absl::StatusOr<std::vector<KernelSource>> kernelsOfCall(
    llvm::StringRef config, llvm::ArrayRef<ArrayShape> arrays);

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_TRITON_SOURCES_CUSTOM_CALL_H
