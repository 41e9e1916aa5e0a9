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
struct ShiftedResult {
  uint32_t result;
  int64_t constant;
};

/// Returns the map's results as results of the first map that are shifted, if
/// all of its dimensions are among them.
std::optional<llvm::SmallVector<ShiftedResult, 6>> shiftedResults(
    const IndexingMap &map) {
  llvm::SmallVector<ShiftedResult, 6> results;
  llvm::SmallVector<bool, 6> isUsed(map.dimensions().size(), false);
  const ExpressionTable &table = map.expressions();
  for (FormId form : map.results()) {
    const llvm::ArrayRef<Term> terms = table.terms(form);
    if (terms.size() != 1 || terms[0].coefficient != 1) return std::nullopt;
    const Atom &atom = table.atom(terms[0].atom);
    if (atom.kind != AtomKind::Variable) return std::nullopt;
    results.push_back({atom.variable().index, table.constant(form)});
    isUsed[atom.variable().index] = true;
  }
  if (llvm::is_contained(isUsed, false)) return std::nullopt;
  return results;
}

/// Whether constraints may make a result another sum of variables in its new
/// place, where another dimension is the first choice (collapse.h).
bool mayBeOthers(const IndexingMap &map,
                 llvm::ArrayRef<ShiftedResult> results) {
  const ExpressionTable &table = map.expressions();
  return !map.constraints().empty() &&
         llvm::any_of(llvm::enumerate(results), [&](const auto &item) {
           const auto [result, constant] = item.value();
           const FormId form = map.results()[result];
           return (result != item.index() || constant != 0) &&
                  !table.isConstant(form) && table.isSumOfVariables(form);
         });
}

/// Returns the index whose digits the results are, with the digits in their new
/// places. Returns nothing if a result gets a constant added.
std::optional<Delinearization> delinearization(
    const IndexingMap &first, llvm::ArrayRef<ShiftedResult> results) {
  auto isMoved = [](const ShiftedResult &shifted) {
    return shifted.constant != 0;
  };
  if (!delinearizationOf(first) || llvm::any_of(results, isMoved))
    return std::nullopt;
  Delinearization digits = *delinearizationOf(first);
  digits.results.clear();
  for (const ShiftedResult &shifted : results)
    digits.results.push_back(delinearizationOf(first)->results[shifted.result]);
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
  const auto results = shiftedResults(second);
  if (!results || mayBeOthers(first, *results) ||
      !asksForNothing(second, first))
    return std::nullopt;

  pool.adopt(first.expressions(), 0, 0);
  IndexingMapBuilder b(pool);
  for (const Variable &v : first.dimensions()) b.addDimension(v.bounds, v.name);
  for (const Variable &v : first.ranges()) b.addRange(v.bounds, "");
  for (const auto &[result, constant] : *results)
    b.result(b.expression(pool.shift(first.results()[result], constant)));
  for (const Constraint &c : first.constraints())
    b.constraint(b.expression(c.form), c.bounds);
  SimplifierMarks marks(b);
  marks.setCanonical(true);
  if (!first.constraints().empty()) {
    llvm::SmallVector<Interval, 6> bounds;
    const auto before = boundsOfResults(first);
    for (const auto &[result, constant] : *results)
      bounds.push_back(before[result] + Interval::point(constant));
    marks.setResultBounds(bounds);
  }
  if (auto digits = delinearization(first, *results))
    marks.setDelinearization(*std::move(digits));
  auto map = b.build();
  if (map.ok()) return *std::move(map);
  pool.clear();
  return std::nullopt;
}

}  // namespace indexical
