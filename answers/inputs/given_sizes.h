// Sizes that a call gives to parameters of a module that leaves them open.
//
//   --size=x:0=8                          x: tensor<?x4xf32> is tensor<8x4xf32>
//   --arguments='tensor<8x4xf32>, …'      the types of all parameters
//
// Every command that reads a module has both. The command then sees the module
// with these sizes (program/maps/refine.h), and not that they were open.
#ifndef INDEXICAL_ANSWERS_INPUTS_GIVEN_SIZES_H
#define INDEXICAL_ANSWERS_INPUTS_GIVEN_SIZES_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/shape.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A size of a parameter.
struct GivenSize {
  std::string parameter;  ///< its name without `%`, or its number
  int64_t dimension = 0, value = 0;
};

struct GivenSizes {
  std::vector<GivenSize> sizes;
  /// The array leaves of all parameters, in order.
  std::optional<std::vector<ArrayShape>> arguments;

  bool empty() const { return sizes.empty() && !arguments; }
};

/// Parses types of MLIR or shapes of HLO with commas between, and returns their
/// array leaves. An error has no place and says what would be right.
absl::StatusOr<std::vector<ArrayShape>> shapesOfArguments(llvm::StringRef text);

/// Returns `size` for each size that a parameter of an entry leaves open
/// without a bound, for an example.
GivenSizes exampleSizes(const Program &program, int64_t size);

/// Gives the sizes to the entry of each module. Sizes that stay open are added
/// to the program's notes, and so is whether the module is refinable. Returns
/// an error if a size does not fit its parameter, or no module has a parameter.
absl::Status giveSizes(Program &program, const GivenSizes &given);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_GIVEN_SIZES_H
