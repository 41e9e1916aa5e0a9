#include "simplifier/prover.h"

#include "indexing/transforms.h"
#include "simplifier/enumeration.h"
#include "simplifier/simplify.h"

namespace indexical {

bool EnumerationProver::isEmpty(const IndexingMap &map) {
  auto set = simplify(asSet(map));
  if (!set.ok()) return false;
  if (set->isKnownEmpty()) return true;
  Budget budget(operations_);
  return Enumeration(*set, budget).sample().found == Sample::Found::Nothing;
}

}  // namespace indexical
