#include "indexical/simplifier/shortcuts/shortcuts.h"

#include "indexical/simplifier/shortcuts/plain.h"
#include "indexical/simplifier/shortcuts/plain_product.h"
#include "indexical/simplifier/shortcuts/rearrange.h"
#include "indexical/simplifier/shortcuts/separable.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
std::optional<IndexingMap> simplifiedAtOnce(const IndexingMap &map,
                                            bool rename) {
  if (map.isKnownEmpty() || isSimplified(map)) return std::nullopt;
  return simplifiedPlainMap(map, rename);
}

std::optional<IndexingMap> productAtOnce(const IndexingMap &first,
                                         const IndexingMap &second,
                                         ExpressionPool &pool) {
  if (auto product = plainProduct(first, second)) return product;
  if (auto product = separableProduct(first, second, pool)) return product;
  return rearrangedProduct(first, second, pool);
}

}  // namespace indexical
