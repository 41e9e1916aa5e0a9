#include "simplifier/prover.h"

#include "indexing/transforms.h"
#include "simplifier/simplify.h"

namespace indexical {

Sample EnumerationProver::sample(const IndexingMap &map) const {
  auto set = simplify(asSet(map));
  if (!set.ok()) return {};
  if (set->isKnownEmpty()) return Sample::nothing();
  Budget budget(operations_);
  return Enumeration(*set, budget).sample();
}

}  // namespace indexical
