// The numbers of points, elements and pairs of maps: the answer of `count`.
//
//   (d0){rt0} -> (d0 floordiv 4 + rt0), domain: d0 in [0, 31], rt0 in [0, 7]
//
//   CountQuestion question;
//   question.runtime = {{"rt0", 4}};
//   auto found = countsOf({*map}, question);
//   auto points = found->maps[0].domain.value;   // 32
//   auto elements = found->maps[0].image.value;  // 8
//
// Equal maps are counted once. An undecided question has used up its
// operations: after sixteen of them, each further question gets fewer, unless
// the budget names a number.
#ifndef INDEXICAL_ANSWERS_COUNT_COUNT_H
#define INDEXICAL_ANSWERS_COUNT_COUNT_H

#include <cstddef>
#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/answers/ask.h"
#include "indexical/exact/exact.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// The three figures of one map; a figure that was not found has no value.
struct MapFigures {
  Count domain;  ///< points, over all variables
  Count image;   ///< different elements
  Count pairs;   ///< different (index, element) pairs

  bool areKnown() const;
  Engine engine() const;  ///< the strongest that was needed
};

struct CountQuestion {
  /// Values of runtime variables, by name; others have their lower bound.
  std::vector<std::pair<std::string, int64_t>> runtime;
  /// Whether to tell why unknown sizes leave no point.
  bool explain = false;
  /// Returns the error with what the caller knows of map number `map`, such as
  /// its place in a file.
  std::function<absl::Status(const absl::Status &, size_t map)> about;
};

struct CountAnswer {
  std::vector<MapFigures> maps;  ///< fewer if the budget's stop was reached
  std::vector<std::string> certificates;  ///< if they were asked for

  bool areKnown() const;
};

/// Returns the figures of each map. Returns an error if a value is outside of
/// the bounds of its variable, or if no map has a variable of that name.
absl::StatusOr<CountAnswer> countsOf(llvm::ArrayRef<IndexingMap> maps,
                                     const CountQuestion &question = {},
                                     const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_COUNT_COUNT_H
