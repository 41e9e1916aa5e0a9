// A text of a kernel together with what is known of its launch.
//
//   {"event_type": "launch", "grid": [97], "extracted_args": {"n_elements":
//    {"type": "int", "value": 98432}, …}, …}        a record of tritonparse
//     text       the kernel's TTGIR
//     read       grid 97, 4 warps, argument 3 is 98432
//     shapes     of arguments 0 to 2: f32[98432]
//
// Records of tritonparse (tritonparse.h) and custom calls of a module
// (custom_call.h) hold such texts. parseKernel (import/triton/read.h) reads
// them with those options.
#ifndef INDEXICAL_IMPORT_TRITON_SOURCES_KERNEL_SOURCE_H
#define INDEXICAL_IMPORT_TRITON_SOURCES_KERNEL_SOURCE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/import/triton/read.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/ops/shape.h"
#include "indexical/program/kernel/size_terms.h"
#include "indexical/program/kernel/taken.h"

namespace indexical::kernels {

/// The facts of a text in Python about a kernel, beside its TTIR
/// (import/python/read.h).
struct WrittenKernel {
  std::shared_ptr<const std::string> text;  ///< in Python
  Place place;                              ///< of its `def`
  absl::Status refusal;                     ///< why it has no TTIR
  std::vector<Taken> taken;
  std::vector<std::string> parameters;
  /// Its constants and their values as text, those that are integers, and those
  /// of its `triton.Config`.
  std::vector<std::pair<std::string, std::string>> constants;
  SizeValues sizes;
  std::vector<std::pair<std::string, std::string>> config;
  int64_t configNumber = -1;   ///< among those of the kernel; -1: it has none
  std::vector<SizeTerm> grid;  ///< empty: the file does not say
};

struct KernelSource {
  std::string text;
  ReadOptions read;
  /// The arrays that pointer arguments point to, by the argument's number.
  std::vector<std::pair<int64_t, ArrayShape>> shapes;
  int64_t launch = -1;      ///< the number of a record's launch; -1: none
  std::string instruction;  ///< the custom call; empty: none
  Place place;              ///< of the record, or of the custom call
  std::optional<WrittenKernel> written;  ///< if the text was made of Python
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_IMPORT_TRITON_SOURCES_KERNEL_SOURCE_H
