// Reading Triton's IR: TTIR or TTGIR as text, to a kernel as relations.
//
//   options  grid 97, 4 warps, arg3 = 98432
//   parseKernel(ttir, options), its first access, a load of argument 0:
//     (bl_x, bl_y, bl_z, t0) -> (bl_x * 1024 + t0),
//     domain: bl_x in [0, 96], …, bl_x * 1024 + t0 in [-inf, 98431]
//
// The file is read with MLIR's parser (dialect.h), its ops are followed
// (trace.h), and their integers become maps (pieces.h). An op that is not
// understood makes the kernel incomplete; the kernel still has the accesses
// that do not depend on it.
//
// Laws (tests/answers/kernel/triton_test.py): the elements of each access,
// program and loop are those of an interpreter that shares no code, on random
// kernels and on real ones; without aliases, without `loc`, in generic form and
// with other names the kernel is the same.
#ifndef INDEXICAL_IMPORT_TRITON_READ_H
#define INDEXICAL_IMPORT_TRITON_READ_H

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/read_options.h"

namespace indexical::kernels {

/// Returns whether the text is Triton's IR rather than another dialect of
/// MLIR's.
bool looksLikeTriton(llvm::StringRef text);

/// Returns the kernel of the text. If no grid is given, it is that of the first
/// indexing map. Returns an InvalidArgument status with its place if the text
/// is not Triton IR, there is no such function or argument, a value breaks the
/// `tt.divisibility` of its argument, an array has not as many sides as the box
/// of its descriptor, or the grid is not known. Returns the status of the stop
/// once that is reached.
absl::StatusOr<TritonKernel> parseKernel(llvm::StringRef text,
                                         const ReadOptions &options = {});

/// Returns the products of sizes in the addresses of each array of a kernel
/// that is read for all sizes (open_sizes.h). Requires `options.open`, whose
/// own products do not count. Errors are those of parseKernel.
absl::StatusOr<ProductsOfArrays> productsOfSizes(llvm::StringRef text,
                                                 const ReadOptions &options);

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_TRITON_READ_H
