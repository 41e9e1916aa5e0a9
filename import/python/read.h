// Reads Triton kernels from Python source, and lowers them to TTIR.
//
//   @triton.jit
//   def add(x, y, n, B: tl.constexpr):
//       o = tl.program_id(0) * B + tl.arange(0, B)
//       tl.store(y + o, tl.load(x + o, mask=o < n) + 1, mask=o < n)
//
//   options  x=*fp16, B=128, grid cdiv(n, B)
//   readPython(text, options), its only kernel:
//     ttir    tt.func public @add(%x: !tt.ptr<f16>, %y: !tt.ptr<f32>, %n: i32)
//     taken   the type *fp32 of `y`, from how it is used
//
// The text is parsed, and is not run; imports are not opened. Types, constants
// and grids come from the options, then from a launch in the file (Inductor's
// `triton_meta`, `triton.Config`, literals of `k[grid](…)`), then from
// defaults, then from the use of an argument. `taken` lists all that do not
// come from the options. Each `triton.Config` is a kernel of its own.
//
// Laws (tests/import/python): on random kernels, the TTIR does what an
// interpreter of the language does that shares no code with this reader.
// Unknown constructs are refused with their place, never guessed.
#ifndef INDEXICAL_IMPORT_PYTHON_READ_H
#define INDEXICAL_IMPORT_PYTHON_READ_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/python/refusal.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/program/kernel/size_terms.h"
#include "indexical/program/kernel/taken.h"

namespace indexical::python {

struct PythonOptions {
  std::string path;      ///< the file's name in locations
  std::string function;  ///< empty: all that no other function calls
  /// The types of arguments, as signatures have them: `x`, `*fp16`.
  std::vector<std::pair<std::string, std::string>> types;
  /// The values of constants, as Python expressions: `B`, `128`; `T`,
  /// `tl.float16`.
  std::vector<std::pair<std::string, std::string>> constants;
  /// The values of arguments. An integer argument of value 1 is a constant.
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, double>> numbers;
};

struct PythonKernel {
  std::string name;
  Place place;  ///< of `def`
  /// Why it is not read; if set, the fields below are empty.
  std::optional<Refusal> refusal;
  std::string ttir;
  std::vector<std::string> parameters;  ///< all, in order
  /// The constant parameters, with their values.
  std::vector<std::pair<std::string, std::string>> constants;
  kernels::SizeValues sizes;  ///< the integers among them
  std::vector<kernels::Taken> taken;
  /// Its `triton.Config`: names and values, in their order; and its number
  /// among the configurations. -1: it has none.
  std::vector<std::pair<std::string, std::string>> config;
  int64_t configNumber = -1;
  std::optional<int64_t> warps;
  std::vector<kernels::SizeTerm> grid;  ///< empty: unknown
};

/// Returns whether the text looks like Python with Triton kernels.
bool looksLikePython(llvm::StringRef text);

/// Returns the kernels of the text, in its order, once for each configuration,
/// including refused ones. Returns an InvalidArgument status if the text is too
/// long or has no kernel, or if the options name a function, an argument, a
/// type or a constant that does not exist.
absl::StatusOr<std::vector<PythonKernel>> readPython(
    llvm::StringRef text, const PythonOptions &options = {});

/// Returns the sizes of a list: `cdiv(n, B), H`. They are composed of integers,
/// names, `+`, `-`, `*`, `//`, `%`, `cdiv`, `min` and `max`. Returns an
/// InvalidArgument status for any other text.
absl::StatusOr<std::vector<kernels::SizeTerm>> readSizes(llvm::StringRef text);

/// Returns a comparison of two sizes, such as `C <= B` or `n == 4 * C`. Returns
/// an InvalidArgument status for any other text.
absl::StatusOr<kernels::SizeCondition> readCondition(llvm::StringRef text);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_READ_H
