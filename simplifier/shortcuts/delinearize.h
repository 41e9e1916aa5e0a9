// Maps whose results are the digits of one index.
//
//   first    (d0) -> (d0 floordiv 12, (d0 floordiv 4) mod 3, d0 mod 4)
//              d0, at strides 12, 4 and 1
//   second   (d0, d1, d2) -> (d0 * 2 + (d1 * 4 + d2) floordiv 6,
//                             (d1 * 4 + d2) mod 6)
//              d0 * 12 + d1 * 4 + d2, at strides 6 and 1
//   product  (d0) -> (d0 floordiv 6, d0 mod 6)
//
// A chain of reshapes has one index from end to end. If the second map's index
// has the first's results as its digits, the product's results are digits of
// the first's index, cut as the second cuts its own. Nothing need be composed.
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

/// Returns the index whose digits the results of the map are, or nothing if
/// none is found or results are single variables. It reads the results as they
/// are written. If that does not show an index, it takes `results`, their
/// canonical forms, as digits as wide as their bounds, the last one lowest.
std::optional<Delinearization> delinearized(const IndexingMap &map,
                                            CanonicalForms &forms,
                                            llvm::ArrayRef<FormId> results);

/// Like delinearized, for a product that is still in parts, in the product's
/// variables. Returns nothing if the parts are those of a single map.
std::optional<Delinearization> delinearizedProduct(const MapParts &parts);

/// Returns whether the values of the index's variables, from 0 on, fill the
/// index, or what the one constraint leaves of it, and the results' values fill
/// the same. A product by way of such an index has the forms that it has
/// without it.
bool isWhole(const Delinearization &digits, CanonicalForms &forms,
             llvm::ArrayRef<Constraint> constraints,
             llvm::ArrayRef<FormId> results);

/// Returns whether the product holds wherever its dimensions are in their
/// bounds, which the strides of the first map's digits show. Requires a product
/// that delinearizedProduct returns.
bool staysInside(const MapParts &parts);

/// Returns the digits of the index, with its variables replaced by `replace`.
llvm::SmallVector<FormId, 4> digitsOf(
    const Delinearization &delinearization, CanonicalForms &forms,
    llvm::function_ref<FormId(VariableId)> replace);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SHORTCUTS_DELINEARIZE_H
