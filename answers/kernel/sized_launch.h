// A launch whose sizes are expressions of names; private to answers/kernel.
//
//   --grid='cdiv(n, B), H' --shape='x=f32[H,n]' --arg=n=1000 --arg=H=8, B = 128
//     grid     8 x 8 x 1
//     shapes   x: f32[8,1000]
//   without --arg=H=8
//     open     `H` has no value
#ifndef INDEXICAL_ANSWERS_KERNEL_SIZED_LAUNCH_H
#define INDEXICAL_ANSWERS_KERNEL_SIZED_LAUNCH_H

#include <array>
#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/program/kernel/size_terms.h"

namespace indexical {

/// Shapes of arguments, by name, as text.
using NamedShapes = std::vector<std::pair<std::string, std::string>>;

struct SizedLaunch {
  std::vector<kernels::SizeTerm> terms;  ///< of the grid; empty: not said so
  std::string text;                      ///< of these
  bool isOfFile = false;                 ///< whether the file says them
  std::optional<std::array<int64_t, 3>> grid;  ///< if all names have values
  std::string reason;                          ///< why there is none
  NamedShapes shapes;  ///< with numbers; those of names without values are left
                       ///< out
  kernels::SizeValues values;
  kernels::SizeRanges ranges;  ///< of names without a value, as is assumed
  /// Other assumptions about names without a value; other names are numbers.
  std::vector<kernels::SizeCondition> conditions;
  std::set<std::string> otherNames;  ///< that need not be arguments
  std::vector<kernels::Taken> taken;

  bool isSaid() const { return !terms.empty(); }
  bool isOpen() const { return isSaid() && !grid; }
  /// Returns the sizes of a launch with that grid, if no terms say another.
  kernels::ReadOptions::Sizes sizesOf(
      const std::optional<std::array<int64_t, 3>> &numbers) const;
};

/// Returns the conditions of --assume, `m <= n and n mod 16 = 0`.
absl::StatusOr<std::vector<kernels::SizeCondition>> conditionsIn(
    llvm::StringRef text);

/// Returns the launch that the call and the file say. An error names a text
/// that is not a size, a name without a value in a shape, or a side below 1.
absl::StatusOr<SizedLaunch> launchOfSizes(const kernels::KernelSource &source,
                                          const KernelQuestion &question);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_SIZED_LAUNCH_H
