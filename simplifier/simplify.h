// Maps in canonical form.
//
//   simplify   ((d0 * 8 + d1) floordiv 8, d1 mod 8), d0 in [0, 3], d1 in [0, 7]
//          ->  (d0, d1)
//
// Laws (tests/simplifier/simplifier_test.cc, by enumeration): the simplified
// map is the same relation; simplify(simplify(m)) == simplify(m); equal maps
// that are made by reshapes have equal forms.
//
// A round makes the forms of the constraints (canonical_form.h), lets them and
// the bounds tighten one another (domain.h, propagation.h), and counts
// variables that are known modulo n in steps of n (dense.h), until nothing
// changes. Then the results are made with these facts; results that are
// variables at all points become them (collapse.h); and all is written as it
// was given (emission.h). Two kinds of products are known at once: those whose
// results follow one dimension each (separable.h), and those whose second map
// only moves the results of a canonical one (rearrange.h).
#ifndef INDEXICAL_SIMPLIFIER_SIMPLIFY_H
#define INDEXICAL_SIMPLIFIER_SIMPLIFY_H

#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/composition.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/relation.h"
#include "indexical/simplifier/explanation.h"
#include "indexical/simplifier/prover.h"

namespace indexical {

struct SimplifyOptions {
  /// Variables with one value: written as that value (ranges and runtime
  /// variables then go; a dimension stays in its list), or kept as variables
  /// if one of the map's variables is given with one value.
  bool foldPoints = true;
  /// Range and runtime variables that remain are renamed s0…, rt0… without
  /// gaps; else they keep their names.
  bool rename = false;
  /// Receives the rewrites that are made; null if they are not recorded.
  std::vector<Rewrite> *rewrites = nullptr;
  /// Proves what forms do not show (proof.h): that the domain has no point,
  /// that a constraint follows from the others, that a result equals a simpler
  /// expression. Null if there is no prover.
  Prover *prover = nullptr;
  /// The budget's stop is checked before the map is returned: if it was
  /// reached, the prover may have missed proofs, and the map would not be
  /// canonical.
  Budget budget;
};

/// Returns the map in canonical form on its domain. Dimensions are never
/// dropped or renumbered. Ranges and runtime variables that nothing uses are
/// dropped. Returns an error if arithmetic leaves 64 bits.
absl::StatusOr<IndexingMap> simplify(const IndexingMap &map,
                                     const SimplifyOptions &options = {});

/// Returns the relational product: `first` maps a to b, `second` b to c, the
/// result a to c. Its ranges are the second's, then the first's, and its
/// runtime variables too; those that remain are renamed s0…, rt0…. Every
/// runtime variable keeps its own source, whose index follows the composition.
/// Returns an error if the number of `first`'s results is not that of
/// `second`'s dimensions.
absl::StatusOr<IndexingMap> compose(const IndexingMap &first,
                                    const IndexingMap &second,
                                    ResultSide side = ResultSide::First);

/// Returns the product of all pieces; equal pieces merge, empty ones are
/// dropped. The precision is the weaker one. The budget's stop is checked
/// between products.
absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingRelation &second,
                                         ResultSide side = ResultSide::First,
                                         const Budget &budget = {});
/// Return the product with a map, which is an exact relation of one piece.
absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingMap &second);
absl::StatusOr<IndexingRelation> compose(const IndexingMap &first,
                                         const IndexingRelation &second);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_SIMPLIFY_H
