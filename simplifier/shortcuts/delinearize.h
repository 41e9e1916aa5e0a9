// Maps whose results are the digits of one index.
//
//   first    (d0) -> (d0 floordiv 12, (d0 floordiv 4) mod 3, d0 mod 4)
//              d0, at strides 12, 4 and 1
//   second   (d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 6,
//                             (d1 * 4 + d2) mod 6)
//              d0 * 12 + d1 * 4 + d2, at strides 6 and 1
//   product  (d0) -> (d0 floordiv 6, d0 mod 6)
//
// A chain of reshapes has one index from end to end. Where the second's index
// is the one that the first's results are the digits of, the product's results
// are that index's, cut as the second cuts its own: nothing need be composed.
//
// Law (tests/simplifier/shortcuts/delinearize_test.cc): the digits have the
// values that the results have; products have the forms that they have without.
#ifndef INDEXICAL_SIMPLIFIER_SHORTCUTS_DELINEARIZE_H
#define INDEXICAL_SIMPLIFIER_SHORTCUTS_DELINEARIZE_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/composition.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

/// What the results of the map are the digits of, as they are written or, where
/// that does not tell, as `results`, their canonical forms, have bounds: the
/// last one lowest.
std::optional<Delinearization> delinearized(const IndexingMap &map,
                                            CanonicalForms &forms,
                                            llvm::ArrayRef<FormId> results);

/// The same for a product that is still in parts, in the product's variables;
/// nothing where the parts are those of a single map.
std::optional<Delinearization> delinearizedProduct(const MapParts &parts);

/// Whether variables and results, each with all values from 0 to its bound,
/// fill the index, or what the one constraint leaves of it. What is composed by
/// such an index has the forms that it has without.
bool isWhole(const Delinearization &digits, CanonicalForms &forms,
             llvm::ArrayRef<Constraint> constraints,
             llvm::ArrayRef<FormId> results);

/// Whether the product holds wherever its dimensions are in their bounds, as
/// the strides of the first map's digits tell. Requires a product that
/// delinearizedProduct knows.
bool staysInside(const MapParts &parts);

/// The digits, the index in what `replace` makes of its variables.
llvm::SmallVector<FormId, 4> digitsOf(
    const Delinearization &delinearization, CanonicalForms &forms,
    llvm::function_ref<FormId(VariableId)> replace);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_DELINEARIZE_H
