// Reading kernels of Triton from the Python that people write, to TTIR.
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
// The text is parsed, and nothing of it runs; no import is opened. Types,
// constants and grids come from the call, from what the file says of a launch
// (Inductor's `triton_meta`, `triton.Config`, literals of `k[grid](…)`), from
// defaults, and else from how an argument is used: `taken` has all that the
// call did not say. Each `triton.Config` is a kernel of its own.
//
// Laws (tests/import/python): what is read is what an interpreter of the
// language does that shares no code with this, on random kernels. What is not
// known is refused with its place, and never guessed.
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
  std::string path;      ///< what locations name
  std::string function;  ///< empty: all that no other one calls
  /// Types of arguments as signatures have them: `x`, `*fp16`.
  std::vector<std::pair<std::string, std::string>> types;
  /// Values of constants, as Python: `B`, `128`; `T`, `tl.float16`.
  std::vector<std::pair<std::string, std::string>> constants;
  /// Values of arguments. An integer that is 1 is a constant.
  std::vector<std::pair<std::string, int64_t>> arguments;
  std::vector<std::pair<std::string, double>> numbers;
};

struct PythonKernel {
  std::string name;
  Place place;  ///< of `def`
  /// What is wrong with it; the fields below are then empty.
  std::optional<Refusal> refusal;
  std::string ttir;
  std::vector<std::string> parameters;  ///< all, in order
  /// Parameters that are constants, with their values.
  std::vector<std::pair<std::string, std::string>> constants;
  kernels::SizeValues sizes;  ///< those of them that are integers
  std::vector<kernels::Taken> taken;
  /// The values of its `triton.Config`: names and values, in its order; and the
  /// number of that among all. -1: it has none.
  std::vector<std::pair<std::string, std::string>> config;
  int64_t configNumber = -1;
  std::optional<int64_t> warps;
  std::vector<kernels::SizeTerm> grid;  ///< empty: the file does not say
};

/// Whether the text is Python that holds kernels of Triton.
bool looksLikePython(llvm::StringRef text);

/// Returns the kernels of the text, in its order, each once a configuration.
/// One that is refused is among them. Returns an InvalidArgument status if the
/// text is too long or holds no kernel, or if there is no such function,
/// argument, type or constant.
absl::StatusOr<std::vector<PythonKernel>> readPython(
    llvm::StringRef text, const PythonOptions &options = {});

/// Returns the sizes of a list: `cdiv(n, B), H`. They are made of integers,
/// names, `+`, `-`, `*`, `//`, `%`, `cdiv`, `min` and `max`. Returns an
/// InvalidArgument status for any other text.
absl::StatusOr<std::vector<kernels::SizeTerm>> readSizes(llvm::StringRef text);

/// Returns a condition of two sizes, as `C <= B` or `n == 4 * C`. Returns an
/// InvalidArgument status for any other text.
absl::StatusOr<kernels::SizeCondition> readCondition(llvm::StringRef text);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_READ_H
