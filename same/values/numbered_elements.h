// Elements of which the parts that depend on no parameter are numbers.
//
//   x[i] + {1, 2, 3}[i] * {5, 7, 11}[i]     x[i] + {5, 14, 33}[i]
//   select(iota < 2, x[i], y[i]), i < 2     x[i]
//   {{1, 2}, {3, 4}}[j, i]                  {{1, 3}, {2, 4}}[i, j]
//
// Two elements whose constants are written in other ways are made alike: each
// largest part that is a number at every index of the region becomes a literal
// of that region, or one number. Numbers are those of computed_bytes.h.
//
// Law (tests/same/values/constants_test.cc): a module of constants
// equals the one that an interpreter folds, and no other.
#ifndef INDEXICAL_SAME_VALUES_NUMBERED_ELEMENTS_H
#define INDEXICAL_SAME_VALUES_NUMBERED_ELEMENTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/elementwise/nullary.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

/// Returns the bytes of one element of a literal, whose index has one number
/// for each of the literal's dimensions; nothing if they are not known.
std::optional<llvm::StringRef> bytesAt(const ConstantOp &literal,
                                       llvm::ArrayRef<int64_t> index);

class NumberedElements {
 public:
  /// Takes so many steps for all elements that it is asked about.
  NumberedElements(ElementTable &table, int64_t steps)
      : table_(table), steps_(steps) {}

  /// Returns the element of the same numbers in the region, of which it is a
  /// function; itself if no part of it is a number, or if that takes too many
  /// steps.
  ElementId numbered(ElementId id, const IndexingMap &region);

 private:
  using Point = std::vector<int64_t>;
  using Bytes = std::optional<std::string>;

  /// Returns the bytes of a constant element at a point; nothing if they are
  /// not known.
  Bytes at(ElementId id, const Point &point);
  Bytes compute(ElementId id, const Point &point);
  Bytes readAt(const Element &read, const Point &point);
  Bytes sumAt(ElementId id, const Point &point);
  Bytes reducedAt(ElementId id, const Point &point);
  /// Returns a sum of two of which one is a zero whose sign is open.
  Bytes sumWithZero(const Element &sum, const Point &point);
  std::optional<int64_t> valueOf(const RuntimeVariable &variable,
                                 const Point &point);
  /// Returns the literal of a region's box that has the element's numbers.
  std::optional<ElementId> literalOf(ElementId id, const IndexingMap &region);
  ElementId rebuilt(ElementId id, const IndexingMap &region);
  ElementId rebuiltSum(ElementId id, const IndexingMap &region);
  ElementId rebuiltPieces(ElementId id, const IndexingMap &region);

  ElementTable &table_;
  int64_t steps_;
  std::map<std::pair<ElementId, Point>, Bytes> known_;
  std::set<std::pair<ElementId, Point>> openZeros_;  ///< 0 or -0
  std::map<std::pair<ElementId, size_t>, ElementId> made_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_NUMBERED_ELEMENTS_H
