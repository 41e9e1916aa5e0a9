#include "indexical/simplifier/shortcuts/rearrange.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
namespace {

/// A result of the first map, and what is added to it.
struct Place {
  uint32_t result;
  int64_t constant;
};

/// Returns the place of each of the map's results, if all of its dimensions are
/// among them.
std::optional<llvm::SmallVector<Place, 6>> placesIn(const IndexingMap &map) {
  llvm::SmallVector<Place, 6> places;
  llvm::SmallVector<bool, 6> isUsed(map.dimensions().size(), false);
  const ExpressionTable &table = map.expressions();
  for (FormId form : map.results()) {
    const llvm::ArrayRef<Term> terms = table.terms(form);
    if (terms.size() != 1 || terms[0].coefficient != 1) return std::nullopt;
    const Atom &atom = table.atom(terms[0].atom);
    if (atom.kind != AtomKind::Variable) return std::nullopt;
    places.push_back({atom.variable().index, table.constant(form)});
    isUsed[atom.variable().index] = true;
  }
  if (llvm::is_contained(isUsed, false)) return std::nullopt;
  return places;
}

/// Whether constraints may make a result another sum of variables in its new
/// place, where another dimension is the first choice (collapse.h).
bool mayBeOthers(const IndexingMap &map, llvm::ArrayRef<Place> places) {
  const ExpressionTable &table = map.expressions();
  return !map.constraints().empty() &&
         llvm::any_of(llvm::enumerate(places), [&](const auto &place) {
           const auto [result, constant] = place.value();
           const FormId form = map.results()[result];
           return (result != place.index() || constant != 0) &&
                  !table.isConstant(form) && table.isSumOfVariables(form);
         });
}

/// Returns the index whose digits the results are, with the digits in their new
/// places. Returns nothing if a result gets a constant added.
std::optional<Delinearization> delinearization(const IndexingMap &first,
                                               llvm::ArrayRef<Place> places) {
  auto isMoved = [](const Place &place) { return place.constant != 0; };
  if (!delinearizationOf(first) || llvm::any_of(places, isMoved))
    return std::nullopt;
  Delinearization digits = *delinearizationOf(first);
  digits.results.clear();
  for (const Place &place : places)
    digits.results.push_back(delinearizationOf(first)->results[place.result]);
  return digits;
}

}  // namespace

std::optional<IndexingMap> rearrangedProduct(const IndexingMap &first,
                                             const IndexingMap &second,
                                             ExpressionPool &pool) {
  if (!isSimplified(first) || !first.runtime().empty() ||
      !first.collectives().empty() ||
      first.results().size() != second.dimensions().size() ||
      !second.ranges().empty() || !second.runtime().empty() ||
      !second.collectives().empty())
    return std::nullopt;
  const auto places = placesIn(second);
  if (!places || mayBeOthers(first, *places) || !asksForNothing(second, first))
    return std::nullopt;

  pool.adopt(first.expressions(), 0, 0);
  IndexingMapBuilder b(pool);
  for (const Variable &v : first.dimensions()) b.addDimension(v.bounds, v.name);
  for (const Variable &v : first.ranges()) b.addRange(v.bounds, "");
  for (const auto &[result, constant] : *places)
    b.result(b.expression(pool.shift(first.results()[result], constant)));
  for (const Constraint &c : first.constraints())
    b.constraint(b.expression(c.form), c.bounds);
  SimplifierMarks marks(b);
  marks.setCanonical(true);
  if (!first.constraints().empty()) {
    llvm::SmallVector<Interval, 6> bounds;
    const auto before = boundsOfResults(first);
    for (const auto &[result, constant] : *places)
      bounds.push_back(before[result] + Interval::point(constant));
    marks.setResultBounds(bounds);
  }
  if (auto digits = delinearization(first, *places))
    marks.setDelinearization(*std::move(digits));
  auto map = b.build();
  if (map.ok()) return *std::move(map);
  pool.clear();
  return std::nullopt;
}

}  // namespace indexical
