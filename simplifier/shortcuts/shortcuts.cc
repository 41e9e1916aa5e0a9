#include "indexical/simplifier/shortcuts/shortcuts.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/simplifier/marks.h"
#include "indexical/simplifier/shortcuts/rearrange.h"
#include "indexical/simplifier/shortcuts/separable.h"

namespace indexical {
namespace {

/// Whether the map is canonical as it is: each result is a number or a
/// dimension that has more values than one, scaled and moved, on a box.
bool isPlain(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  auto isEmpty = [](const Variable &v) { return v.bounds.isEmpty(); };
  auto isMoved = [&](FormId form) {
    const llvm::ArrayRef<Term> terms = table.terms(form);
    if (terms.empty()) return true;
    const Atom &atom = table.atom(terms[0].atom);
    return terms.size() == 1 && atom.kind == AtomKind::Variable &&
           !map.dimensions()[atom.variable().index].bounds.isPoint();
  };
  return map.ranges().empty() && map.runtime().empty() &&
         map.constraints().empty() && map.collectives().empty() &&
         llvm::none_of(map.dimensions(), isEmpty) &&
         llvm::all_of(map.results(), isMoved);
}

}  // namespace

std::optional<IndexingMap> simplifiedAtOnce(const IndexingMap &map) {
  if (map.isKnownEmpty() || map.isCanonical() || !isPlain(map))
    return std::nullopt;
  return SimplifierMarks::marked(map);
}

std::optional<IndexingMap> productAtOnce(const IndexingMap &first,
                                         const IndexingMap &second,
                                         ExpressionPool &pool) {
  if (auto product = separableProduct(first, second, pool)) return product;
  return rearrangedProduct(first, second, pool);
}

}  // namespace indexical
