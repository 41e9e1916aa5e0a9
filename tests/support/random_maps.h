// Random maps, and maps as sets of pairs.
//
//   Random random(17);
//   IndexingMap map = randomMap(random, MapOptions());
//   World world(17);
//   pairsOf(map, world);  // {(d, f(d, s, rt)) : the domain holds}
//
// A World says what a runtime variable's value is: any element of any tensor
// has one, by a hash of its place. Maps that stand for the same relation have
// the same pairs in every world. Nothing is known of a variable without a
// source: it takes all its values, as a range does.
#ifndef INDEXICAL_TESTS_SUPPORT_RANDOM_MAPS_H
#define INDEXICAL_TESTS_SUPPORT_RANDOM_MAPS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/indexing_map.h"
#include "tests/oracle/tensor.h"
#include "tests/support/expression_tree.h"
#include "tests/support/random.h"

namespace indexical::testing {

struct MapOptions {
  int64_t leastDimensions = 0, mostDimensions = 3;
  int64_t mostRanges = 2, mostRuntime = 0;
  int64_t leastResults = 0, mostResults = 3;
  int64_t mostConstraints = 2;
  int64_t depth = 3;
  bool sources = false;  ///< runtime variables name elements of tensors 0 to 2,
                         ///< whose ranks are those numbers
  bool openDimensions = false;
  bool semiAffine = false;
  bool minima = false;
};

/// The parts of a random map, which a builder and the text are made from.
struct MapParts {
  std::vector<Interval> dimensions, ranges, runtime;
  std::vector<Tree> results;
  std::vector<std::pair<Tree, Interval>> constraints;
  struct Source {
    bool clamped = false;
    int64_t tensor = 0;
    std::vector<Tree> index;
  };
  std::vector<Source> sources;  ///< empty: runtime variables have none

  IndexingMap build() const;
  /// Returns the map, or an error if it leaves 64 bits.
  absl::StatusOr<IndexingMap> buildOrError() const;
  /// In the text of formats.md, but not as it would be printed.
  std::string text() const;
};

MapParts randomParts(Random &random, const MapOptions &options);
IndexingMap randomMap(Random &random, const MapOptions &options);

class World {
 public:
  explicit World(uint64_t seed, Interval values = {-3, 9})
      : seed(seed), values(values) {}
  virtual ~World() = default;
  /// Returns the value of the variable's source before any clamp. `index` is
  /// the element's index and, behind it, the members of the way. The standard
  /// implementation returns the element.
  virtual std::optional<int64_t> value(const RuntimeVariable &variable,
                                       llvm::ArrayRef<int64_t> index) const {
    return element(variable.source.tensor, index);
  }
  /// Returns the element, or nothing if the tensor has no such element.
  virtual std::optional<int64_t> element(int64_t tensor,
                                         llvm::ArrayRef<int64_t> index) const;

 private:
  uint64_t seed;
  Interval values;
};

/// Returns the values of all runtime variables for these dimensions and ranges,
/// or nothing if an element that is not clamped is out of bounds. `unknown` has
/// the values of the variables without a source, in their order. `undefined`
/// says which variables have no element there, or depend on one that has none.
std::optional<Index> runtimeValues(const IndexingMap &map, const World &world,
                                   llvm::ArrayRef<int64_t> dimensions,
                                   llvm::ArrayRef<int64_t> ranges,
                                   llvm::ArrayRef<int64_t> unknown = {},
                                   std::vector<bool> *undefined = nullptr);

using Pair = std::pair<Index, Index>;

/// Returns all pairs whose dimensions, and ranges without an end, are in
/// `window`, sorted, each once. The second part of a pair is the results and,
/// behind them, the members of the way. A point of the domain at which an
/// expression has no value is a test failure.
std::vector<Pair> pairsOf(const IndexingMap &map, const World &world,
                          Interval window = {-99, 99});

/// Returns the map's text, and behind it the sources of its runtime variables:
/// `rt0 = clamped element (d0 + 1, s0) of tensor 2`.
std::string describe(const IndexingMap &map);

/// Returns the number of terms in the text of the results and constraints.
int64_t writtenSize(const IndexingMap &map);
/// Returns the map without what it says of itself, so that it is simplified
/// again.
IndexingMap unmarked(const IndexingMap &map);

/// Returns the first pair that only one of the lists has, as text, or "" if the
/// lists are equal.
std::string difference(const std::vector<Pair> &first,
                       const std::vector<Pair> &second);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_RANDOM_MAPS_H
