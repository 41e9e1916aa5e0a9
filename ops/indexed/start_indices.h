// Start indices: the operands that say where a dynamic slice begins.
//
// There is one scalar for each dimension, or one tensor of rank 1 that holds
// them all (the older form). An index is clamped so that the slice fits. That
// gives the runtime variable its interval: for a slice of 5 out of 20,
//
//   rt0 in [0, 15], clamped, the value of operand leaf `first` at ()
//
// If a size is open, so is the end of the interval to which the index is
// clamped, and no runtime variable would have the right value. Then there are
// two pieces (ops/core/variants.h): one for an index that is not behind the
// last place that fits, and one for an index that is, so that the slice begins
// at that place.
#ifndef INDEXICAL_OPS_INDEXED_START_INDICES_H
#define INDEXICAL_OPS_INDEXED_START_INDICES_H

#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/variants.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace families {

struct StartIndices {
  const OpShapes &op;
  /// The first operand leaf that holds start indices.
  size_t first;
  const ArrayShape &sliced;
  ArrayShape slice;
  /// The operand that has the slice's shape, if its sizes may be open.
  int64_t sliceTensor = -1;

  /// Verifies that start indices are integers, that there are as many as needed
  /// (rule `count`), and that each is a scalar (rule `each`).
  absl::Status verify(Rule count, Rule each) const;

  /// Returns the open dimensions: those in which the last start that fits is
  /// not known.
  Int64s openDimensions() const;

  /// Returns where the slice begins in dimension k, clamped so that it fits.
  /// Each open dimension has two pieces, and `variant` says which is built:
  /// true for indices behind the last start that fits, which then is the
  /// result; false for the others, where the index is. Adds that condition to
  /// `builder`.
  Expr start(IndexingMapBuilder &builder, SizeVariables &variables, int64_t k,
             const Variant &variant) const;

  /// Returns the pieces that `make(variant, builder, variables)` builds, or a
  /// cover if there would be too many.
  template <typename Make>
  Answer pieces(const Sides &sides, const OpSizes &sizes, Make make) const {
    const size_t open = openDimensions().size();
    if (!areFewVariants(open)) return sides.everything(Precision::Cover);
    return ofVariants(open,
                      [&](const Variant &variant, IndexingMapBuilder &builder) {
                        SizeVariables variables(sizes, builder);
                        make(variant, builder, variables);
                      });
  }
};

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_INDEXED_START_INDICES_H
