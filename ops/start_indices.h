// Start indices: the operands that say where a dynamic slice begins.
//
// There is one scalar a dimension, or one tensor of rank 1 that holds them all
// (the older form). An index is clamped so that the slice fits, which makes the
// runtime variable's interval: for a slice of 5 out of 20,
//
//   rt0 in [0, 15], clamped, the value of operand leaf `first` at ()
//
// Where a size is open, so is the end of the interval to which the index is
// clamped, and no runtime variable would have the right value. Then a range
// variable stands for it, which makes a cover.
#ifndef INDEXICAL_OPS_START_INDICES_H
#define INDEXICAL_OPS_START_INDICES_H

#include "ops/family.h"

namespace indexical {
namespace families {

struct StartIndices {
  const OpShapes &op;
  /// The first operand leaf that holds start indices.
  size_t first;
  const ArrayShape &sliced;
  ArrayShape slice;

  absl::Status verify() const;

  /// Whether the interval to which the index of dimension k is clamped is
  /// known.
  bool isKnown(int64_t k) const;
  /// Exact where all are known.
  Precision precision() const;
  /// The start of dimension k, as a variable of the map.
  Expr start(IndexingMapBuilder &builder, int64_t k) const;

  /// Every element of a result reads every start index.
  Answer outputToInput(int64_t result, int64_t operand) const {
    return everything(op.results[result], op.operands[operand]);
  }
  Answer inputToOutput(int64_t result, int64_t operand) const {
    return everything(op.operands[operand], op.results[result]);
  }
};

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_START_INDICES_H
