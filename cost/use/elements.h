// Elements: the elements of another array that one element needs, or by which
// it is needed.
//
//   r = f32[4] reduce(p), p f32[4,3], dimension 1
//     element (2) of r needs      (2, 0), (2, 1), (2, 2) of p
//     element (2, 1) of p is in   (2) of r
//   s = f32[2] dynamic-slice(p, i), p f32[8]
//     element (1) of s needs      (1 + i) of p: it depends on i
//
// The relation is taken at one index, and its elements are then enumerated. So
// an answer is a list, not a map. A long list is truncated; the number of
// elements is found separately (exact/).
//
// Law (tests/cost/use/elements_test.cc, by running the program): the elements
// are those on which the value depends; if the relation is not exact, those are
// among them.
#ifndef INDEXICAL_COST_USE_ELEMENTS_H
#define INDEXICAL_COST_USE_ELEMENTS_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/exact/exact.h"
#include "indexical/indexing/relation.h"

namespace indexical {

struct ElementsOptions {
  size_t most = 1000;  ///< so many elements are listed
  ExactOptions exact;  ///< its budget is that of the list, too
  /// Returns the value of the element that runtime variable `i` of a map has;
  /// nothing if it is not known.
  std::function<std::optional<int64_t>(const IndexingMap &map, size_t i)>
      runtimeValue;
};

struct Elements {
  using Index = llvm::SmallVector<int64_t, 4>;

  /// The elements, sorted, each once. Nothing if they depend on values that are
  /// not known.
  std::optional<std::vector<Index>> listed;
  bool more = false;             ///< there may be others
  std::optional<int64_t> count;  ///< of all; nothing if it was not found
  bool isExact = true;           ///< else they are among the listed ones
  /// An element whose value decides which ones they are.
  struct Source {
    int64_t tensor = -1;  ///< as sources of runtime variables name it
    /// The index of the element; nothing if it differs from case to case.
    std::optional<Index> index;
    bool operator==(const Source &o) const {
      return tensor == o.tensor && index == o.index;
    }
  };
  llvm::SmallVector<Source, 2> dependsOn;
};

/// Returns the elements of the relation at that index of its dimensions.
/// Requires an index of their rank. Returns an error if a map leaves 64 bits.
absl::StatusOr<Elements> elementsAt(const IndexingRelation &relation,
                                    llvm::ArrayRef<int64_t> index,
                                    const ElementsOptions &options = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_USE_ELEMENTS_H
