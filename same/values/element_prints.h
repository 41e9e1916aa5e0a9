// A hash of how an element is computed at one index.
//
//   add(x[0], y[0]), add(y[0], x[0])    one print
//   x[0] + x[0], x[0]                   two
//   tanh(x[0]), tanh(x[1])              two
//
// A print is what a term is at a random point of a ring: that of integers is
// the one modulo 2^64, that of floats a field. An element of a parameter is a
// random number there, and so is what an op that is none of the ring makes of
// the prints of its operands. Terms that the laws of the ring make one have one
// print, and so have elements of arrays that are put together in other ways.
// Other terms have one only by chance.
//
// Equal prints name, and prove nothing: what is infinite or no number is none
// of a ring.
#ifndef INDEXICAL_SAME_VALUES_ELEMENT_PRINTS_H
#define INDEXICAL_SAME_VALUES_ELEMENT_PRINTS_H

#include <cstdint>
#include <map>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

class ElementPrints {
 public:
  struct Print {
    uint64_t number = 0;
    bool isConstant = true;  ///< no parameter is read
  };

  /// Takes at most so many steps. Keeps a reference to the table.
  ElementPrints(const ElementTable &table, int64_t steps);

  /// Returns nothing if a part of the element is not known, such as what stands
  /// behind the end of an array, or if no steps are left.
  std::optional<Print> at(ElementId id, llvm::ArrayRef<int64_t> point);
  bool isSpent() const { return steps_ < 0; }

 private:
  using Maybe = std::optional<Print>;
  using Point = std::vector<int64_t>;

  Maybe compute(ElementId id, const Point &point);
  Maybe readAt(const Element &read, const Point &point);
  Maybe sumAt(ElementId id, const Point &point);
  Maybe reducedAt(const Element &reduced, const Point &point);
  bool addTuples(const Op &op, ElementId id, const Point &point,
                 std::vector<Print> &all);
  Maybe togetherAt(ElementId id, const Point &point);
  Maybe appliedAt(const Element &applied, const Point &point);
  Maybe alongAt(const Element &line, const Point &point);
  Maybe combined(const Op &op, ElementType type, std::vector<Print> all);
  /// Returns the point with the values of the map's runtime variables.
  std::optional<IndexingMap::Point> pointOf(const IndexingMap &map,
                                            const Point &point);
  std::optional<Point> resultsOf(const IndexingMap &map, const Point &point);
  uint64_t tokenOf(const Op &op);

  struct OpHash {
    size_t operator()(const Op &op) const { return op.hash(); }
  };
  const ElementTable &table_;
  int64_t steps_;
  TrialNumbers numbers_;  ///< of integers that steer
  std::unordered_map<Op, uint64_t, OpHash> ops_;
  std::map<std::pair<ElementId, Point>, Maybe> known_;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_ELEMENT_PRINTS_H
