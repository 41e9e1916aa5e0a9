// The earliest values of two modules that are not known to be the same.
//
//   first    m = f32[4] multiply(x, y)        line 4
//            ROOT r = f32[4] add(m, x)
//   second   d = f32[4] divide(x, y)          line 4
//            ROOT r = f32[4] add(d, x)
//
//   firstDivergence    m of the first: multiply(x[i], y[i])
//                      d of the second: divide(x[i], y[i])
//
// Values of the second module are looked at from the parameters on. Each is
// looked up among the first's: by its number, then by same_elements.h. The
// divergence is the first one that is not there although all its operands are.
// It is paired with the first module's value of which that is true, too, and
// which shares most of its operands. Ops that move elements, and constants, are
// not divergences: their users show them.
//
// Calls and fusions are looked through; a loop is one value.
#ifndef INDEXICAL_SAME_VALUES_FIRST_DIVERGENCE_H
#define INDEXICAL_SAME_VALUES_FIRST_DIVERGENCE_H

#include <optional>

#include "indexical/indexing/budget.h"
#include "indexical/program/module/program.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/same/values/module_values.h"
#include "indexical/same/values/same_elements.h"

namespace indexical {

/// Returns the place for a leaf of the result; nothing if the modules are
/// large, or the meter has not enough left. Terms have the names of the
/// parameters of `names`.
std::optional<Divergence> firstDivergence(
    ElementTerms &first, ElementTerms &second, ElementTable &table,
    SameElements &same, LeafId result, const Meter &meter, const Module &names);

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_FIRST_DIVERGENCE_H
