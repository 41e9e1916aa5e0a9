// A kernel judged by another one for all sizes at once; private to
// answers/kernel.
//
//   z[p * 256 + t], below n, against blocks of 128, n without a value
//     same for each n from 1 to 2147483647
//   the same without the mask
//     different at n = 37, and the same where n mod 256 = 0
//
// Both kernels are read for all sizes (program/kernel/open_sizes.h), and are
// the same for all if the one proof holds. Two that are not known to be are
// judged at a few sizes, of which the first that tells them apart is the
// witness; and once more under conditions, the weakest first:
//
//   n mod B < A    what is left of a block is less than a smaller block
//   n mod B = 0    a size divides into blocks, for the constants of the kernels
//   n <= B         a size is one block; and n <= B - 1
//   n = B
//   R = C          two sizes are equal
//
// Nothing else is looked for. A proof takes these for granted: sizes at which
// the old kernel stays in its arrays and stores no element twice, and at which
// no integer of 32 bits of an address, a mask or a loop leaves its range.
#ifndef INDEXICAL_ANSWERS_KERNEL_JUDGE_SIZES_H
#define INDEXICAL_ANSWERS_KERNEL_JUDGE_SIZES_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/import/triton/sources/kernel_source.h"
#include "indexical/program/kernel/kernel.h"
#include "indexical/program/kernel/size_terms.h"
#include "indexical/same/kernel/kernel_pair.h"

namespace indexical {

/// One kernel of a pair, as it was read without values of its sizes.
struct OpenSide {
  const kernels::KernelSource &source;
  const KernelQuestion &question;
  const kernels::TritonKernel &kernel;
};

/// Returns whether an argument is an integer without a value.
bool isOpenSize(const kernels::KernelArgument &argument);

/// The sizes of two kernels that have no value.
struct SizesOfPair {
  struct Named {
    std::string name;
    int64_t least = 1, most = 1, step = 1;
    bool isOfGrid = false;  ///< it is not an argument of either kernel
    /// The sum of sizes that it is, if conditions say one.
    std::optional<kernels::SizeTerm> said;
  };
  std::vector<Named> sizes;
  /// The assumptions about several sizes: `#1 <= 2 * #0`. In these and in
  /// `said`, a size is named by its number.
  std::vector<kernels::SizeCondition> conditions;
  /// By name of an argument or of the grid: the size. The new kernel's, and the
  /// old one's.
  std::map<std::string, size_t> sizeOf[2];

  bool isEmpty() const { return sizes.empty(); }
};

/// A condition of sizes.
struct SizesWhere {
  enum class Kind : uint8_t { All, Remainder, Divides, AtMost, Is, Equal };
  Kind kind = Kind::All;
  size_t size = 0, other = 0;
  int64_t number = 0, part = 0;  ///< `part` is of a remainder
};
std::string textOf(const SizesWhere &where, const SizesOfPair &sizes);

/// The result of a proof for all sizes of a condition.
struct ProvedForSizes {
  /// It is the same, or undecided with its reason.
  kernels::PairComparison compared;
  /// The new kernel's stores: each element once, and none read too late.
  Check once, ordered;
  /// By access: that it stays in the shapes of the call; undecided without.
  std::vector<Check> bounds;
  /// Whether the budget ended before it was decided.
  bool isLong = false;
};

/// Returns the sizes without a value, of both. Nothing: a kernel cannot be read
/// for all sizes, or there are none.
std::optional<SizesOfPair> sizesOfPair(
    const OpenSide (&sides)[2], const kernels::PairedArguments &arguments,
    const Budget &budget);

/// Compares both for all sizes of the condition. Returns an error if the
/// budget's stop is reached.
absl::StatusOr<ProvedForSizes> compareForSizes(
    const OpenSide (&sides)[2], const kernels::PairedArguments &arguments,
    const SizesOfPair &sizes, const SizesWhere &where, const Budget &budget);

/// Returns conditions to try, the weakest first.
std::vector<SizesWhere> conditionsOf(const OpenSide (&sides)[2],
                                     const SizesOfPair &sizes);

/// Returns values to try, by size: some lists.
std::vector<std::vector<int64_t>> valuesToTry(const OpenSide (&sides)[2],
                                              const SizesOfPair &sizes);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_JUDGE_SIZES_H
