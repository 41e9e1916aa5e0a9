// Start indices: the operands that say where a dynamic slice begins.
//
// There is one scalar a dimension, or one tensor of rank 1 that holds them all
// (the older form). An index is clamped so that the slice fits, which makes the
// runtime variable's interval: for a slice of 5 out of 20,
//
//   rt0 in [0, 15], clamped, the value of operand leaf `first` at ()
//
// Where a size is open, so is the end of the interval to which the index is
// clamped, and no runtime variable would have the right value. Then there are
// two pieces (ops/core/variants.h): where the index is not behind the last
// place that fits, and where it is, so that the slice begins at that place.
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
  /// The operand that has the slice's shape, where its sizes may be open.
  int64_t sliceTensor = -1;

  /// The rules of their number and of the type of each have these numbers.
  absl::Status verify(Rule count, Rule each) const;

  /// The dimensions that are sliced to an end that is not known.
  Int64s openDimensions() const;

  /// The start of dimension k, as an expression of the map. `variant` answers,
  /// for each open dimension, whether the index is behind the last place.
  Expr start(IndexingMapBuilder &builder, SizeVariables &variables, int64_t k,
             const Variant &variant) const;

  /// The pieces that `make(variant, builder, variables)` builds; a cover
  /// instead where they would be too many.
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
