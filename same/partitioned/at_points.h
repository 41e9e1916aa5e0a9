// Evaluates two modules of the same parameters, element by element: private to
// same/partitioned/.
//
//   WHOLE  ROOT r = f32[4] add(x, y)
//   PARTS  ROOT r = f32[4] add(x, reverse(y))
//
//   at (0)    x[0] = 1, y[0] = 2, y[3] = 0: 3 and 1; only the second reads y[3]
//
// Terms of all elements are made once, and are computed at the requested
// points.
#ifndef INDEXICAL_SAME_PARTITIONED_AT_POINTS_H
#define INDEXICAL_SAME_PARTITIONED_AT_POINTS_H

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/program.h"
#include "indexical/same/equality/module_equality.h"
#include "indexical/same/values/element_numbers.h"
#include "indexical/same/values/element_prints.h"
#include "indexical/same/values/element_terms.h"

namespace indexical {

class AtPoints {
 public:
  using Point = std::vector<int64_t>;

  /// Keeps references to both modules.
  AtPoints(const Module &whole, const Module &parts);

  /// Returns the position in the list of the first point at which numbers show
  /// that the modules' elements of the result differ. Returns std::nullopt if
  /// they show no difference, or if that takes too many steps.
  std::optional<size_t> firstApart(LeafId result, llvm::ArrayRef<Point> points);
  /// Returns numbers that show a difference at one point; std::nullopt if there
  /// are none known.
  std::optional<NumbersAt> apartAt(LeafId result, const Point &point);

  /// Returns whether the whole module's result may depend on an unknown array.
  /// Conservative: true when unknown.
  bool isOpen(LeafId result);

  using Site = ElementTerms::Site;
  /// Returns all values from which the whole module's results are computed.
  std::vector<Site> valuesOfWhole();
  /// Returns the prints of all elements of a value of a module (0: the whole),
  /// in order, each of which may be unknown. Returns std::nullopt if the value
  /// is not followed, or has too many elements.
  std::optional<std::vector<std::optional<ElementPrints::Print>>> printsOf(
      int side, Site site);

 private:
  std::optional<std::pair<ElementId, ElementId>> both(LeafId result);

  const Module *const modules_[2];
  TermTable arrays_;
  ElementTable table_;
  EqualityOptions options_;
  Meter meter_;
  std::optional<ElementTerms> sides_[2];
  std::optional<ElementPrints> prints_;
  int64_t elements_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_AT_POINTS_H
