// Whether a map is in normal form, and if not, which invariants are broken.
//
//   (d0) -> (d0 mod 8 + 1), domain: d0 in [0, 7]
//     N4 is broken by d0 mod 8: its bounds say that it is d0
//
// docs/internals/normal_form.md states the invariants N1, N2… and why each is
// there. They are checked one by one here, for every form of a map. This shares
// no code with the rewriting (simplifier/), and so can check it against the
// page. Known facts of a form come from interval arithmetic on the bounds of
// the variables alone (indexing/bounds.h); a form may be simpler than that.
//
// Law (tests/simplifier/normal_form_test.cc): what simplifier/ marks as
// canonical breaks none, on random maps and chains; each invariant is broken by
// the counter-example that the page gives for it.
#ifndef INDEXICAL_SIMPLIFIER_NORMAL_FORM_NORMAL_FORM_H
#define INDEXICAL_SIMPLIFIER_NORMAL_FORM_NORMAL_FORM_H

#include <string>
#include <vector>

#include "indexical/indexing/indexing_map.h"

namespace indexical {

struct BrokenInvariant {
  std::string invariant;  ///< `N4`
  std::string where;      ///< the expression or constraint, as text
};

/// Returns all broken invariants, each once for each place, even for a map that
/// is not marked as canonical.
std::vector<BrokenInvariant> brokenInvariants(const IndexingMap &map);

/// Returns whether no invariant is broken. Costs no text.
bool isNormal(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_NORMAL_FORM_NORMAL_FORM_H
