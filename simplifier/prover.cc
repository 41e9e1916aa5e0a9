#include "indexical/simplifier/prover.h"

#include "indexical/indexing/transforms.h"
#include "indexical/simplifier/enumeration.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

bool EnumerationProver::isEmpty(const IndexingMap &map) {
  auto set = simplify(asSet(map));
  if (!set.ok()) return false;
  if (set->isKnownEmpty()) return true;
  Meter meter(operations_);
  return Enumeration(*set, meter).sample().found == Sample::Found::Nothing;
}

}  // namespace indexical
