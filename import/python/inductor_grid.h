// The grids of Inductor's launches; private to import/python.
//
//   .run(a, b, 1000, grid=grid(1000), stream=s)     to 2024: cdiv(1000, XBLOCK)
//   .run(a, b, 1000, stream=s), 'grid_type': 'Grid1D'      from 2025: the same
//   .run(a, b, 4, 2, 1, stream=s), 'grid_type': 'FixedGrid'        (4, 2, 1)
//   .run(a, b, n, grid=grid_wrapper_for_add_0, stream=s)
//                                      what that function of the file returns
//
// Source: torch/_inductor/runtime/triton_heuristics.py, 2.0 to 2.10, and the
// grids of torch/_inductor/kernel/.
#ifndef INDEXICAL_IMPORT_PYTHON_INDUCTOR_GRID_H
#define INDEXICAL_IMPORT_PYTHON_INDUCTOR_GRID_H

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/import/python/module.h"
#include "indexical/import/python/read.h"

namespace indexical::python {

struct InductorLaunch {
  const JitFunction &function;
  const PythonKernel &kernel;
  const kernels::SizeValues &values;  ///< of constants, arguments
  llvm::ArrayRef<int64_t> behind;     ///< arguments after the kernel's own
  const Node *grid;                   ///< the keyword `grid`, or null
  /// Returns the value of an expression of the host; std::nullopt if it is not
  /// a known integer.
  std::function<std::optional<int64_t>(const Node &)> numberOf;
  /// Returns the sides that a function of the host (`grid_wrapper_for_add_0`,
  /// or a lambda) computes from constants; std::nullopt if they are unknown.
  std::function<std::optional<std::vector<int64_t>>(const Node &)> sidesBy;
  /// Returns the expression that the file assigns to a name, or null.
  std::function<const Node *(llvm::StringRef)> constant;
};

/// Returns the grid of a launch; std::nullopt if it is unknown, with the reason
/// in `why`.
std::optional<std::array<int64_t, 3>> gridOf(const InductorLaunch &launch,
                                             std::string &why);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_INDUCTOR_GRID_H
