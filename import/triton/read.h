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

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

struct ReadOptions {
  std::string path;      ///< for places of `loc`s in this file
  std::string function;  ///< empty: the only one that no other calls
  std::optional<std::array<int64_t, 3>> grid;
  std::optional<int64_t> warps;  ///< if the module does not say
  /// The values of integer arguments, by name (`arg3`, or as the file has it)
  /// or by number.
  std::vector<std::pair<std::string, int64_t>> arguments;
  /// The values of arguments that are floats, likewise.
  std::vector<std::pair<std::string, double>> numbers;
  /// The array of an argument that is a descriptor: its sides, and how many
  /// elements apart neighbours along each are.
  struct ArgumentArray {
    /// Its name or number, as above; or `#` and how many arguments before it
    /// are pointers or descriptors. Of these one whose box has another number
    /// of sides is left out.
    std::string argument;
    std::vector<int64_t> sizes, strides;
  };
  std::vector<ArgumentArray> arrays;  ///< those of pointers change nothing
  /// Pointers that name one array, by name or number, as above: one list an
  /// array.
  std::vector<std::vector<std::string>> aliases;
  bool values = false;       ///< whether to read what stores store, too
  int64_t vectorBytes = 16;  ///< the most that a lane takes at once

  static constexpr int64_t kMostSteps = 1'000'000;
  static constexpr int64_t kMostAccesses = 4096;
  /// How many ops are followed, each counted again in every call and loop
  /// around it, and how many accesses. A kernel with more is incomplete.
  int64_t steps = kMostSteps, accesses = kMostAccesses;
  /// Must outlive the call. Null: nothing ends the call.
  const Stop *stop = nullptr;
};

/// Returns whether the text is Triton's IR rather than another dialect of
/// MLIR's.
bool looksLikeTriton(llvm::StringRef text);

/// Returns the kernel of the text. If no grid is given, it is that of the first
/// indexing map. Returns an InvalidArgument status with its place if the text
/// is no Triton IR, there is no such function or argument, a value breaks the
/// `tt.divisibility` of its argument, an array has not as many sides as the box
/// of its descriptor, or the grid is not known. Returns the status of the stop
/// once that is reached.
absl::StatusOr<TritonKernel> parseKernel(llvm::StringRef text,
                                         const ReadOptions &options = {});

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_TRITON_READ_H
