// Canonical maps of single variables, result by result: private to simplifier/.
//
//   (d0)[s0] -> (s0 * 2 + 1, 5), d0 in [0, 9], s0 in [0, 7]
//     a box, of results 2 * s0 + 1 in [1, 15], and 5
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_RESULTS_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_RESULTS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/plain_map.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {

/// Returns whether the map is canonical and has nothing but dimensions and
/// ranges, without names.
inline bool isPlainBox(const IndexingMap &map) {
  auto hasNoName = [](const Variable &v) { return v.name.empty(); };
  return isSimplified(map) && map.constraints().empty() &&
         map.runtime().empty() && map.collectives().empty() &&
         llvm::all_of(map.dimensions(), hasNoName) &&
         llvm::all_of(map.ranges(), hasNoName);
}

/// Returns the result if it is a number or one variable, scaled and moved.
inline std::optional<PlainResult> plainResult(const IndexingMap &map,
                                              FormId form) {
  const ExpressionTable &table = map.expressions();
  const llvm::ArrayRef<Term> terms = table.terms(form);
  if (terms.empty()) return PlainResult::number(table.constant(form));
  if (terms.size() > 1) return std::nullopt;
  const auto id = table.atom(terms[0].atom).asVariable();
  if (!id) return std::nullopt;
  return PlainResult::of(*id, terms[0].coefficient, table.constant(form));
}

/// Returns coefficient * of + constant; nothing beyond 64 bits.
inline std::optional<PlainResult> scaled(const PlainResult &of,
                                         int64_t coefficient,
                                         int64_t constant) {
  const auto factor = checkedMul(of.coefficient, coefficient);
  const auto moved = checkedMul(of.constant, coefficient);
  const auto sum = moved ? checkedAdd(*moved, constant) : moved;
  if (!factor || !sum) return std::nullopt;
  return PlainResult{of.variable, *factor, *sum};
}

/// Returns whether all values of the map's result are in the bounds.
inline bool isInside(const IndexingMap &map, const PlainResult &result,
                     const Interval &bounds) {
  if (result.coefficient == 0) return bounds.contains(result.constant);
  const Interval &own =
      map.variable(VariableId::fromKey(result.variable)).bounds;
  for (int64_t end : {own.lower, own.upper}) {
    const auto product = checkedMul(end, result.coefficient);
    const auto value =
        product ? checkedAdd(*product, result.constant) : product;
    if (!value || !bounds.contains(*value)) return false;
  }
  return own.isFinite();
}

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_PLAIN_RESULTS_H
