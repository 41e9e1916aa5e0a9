// Maps of a CustomOp that also know its sizes.
//
//   linalg.add ins(%a, %b : tensor<?xf32>, tensor<?xf32>)
//              outs(%c : tensor<?xf32>)
//     dimension 0 of operand 0 = of operand 1 = of operand 2 = of result 0
//
// These rules hold when the op executes. A size that several tensors have is
// one variable, that of the first of these tensors.
#ifndef INDEXICAL_OPS_SIZED_MAPS_H
#define INDEXICAL_OPS_SIZED_MAPS_H

#include <functional>
#include <utility>

#include "indexical/ops/sizes.h"

namespace indexical {

class SizedMaps {
 public:
  using Sizes = std::function<void(const OpShapes &, SizeRules &)>;
  explicit SizedMaps(Sizes sizes) : sizes_(std::move(sizes)) {}
  virtual ~SizedMaps() = default;

  /// Adds rules: the sizes of the op's tensors that are equal, and the formulas
  /// of others. Adds none if none are known.
  void addSizeRules(const OpShapes &shapes, SizeRules &rules) const {
    if (sizes_) sizes_(shapes, rules);
  }

 private:
  Sizes sizes_;
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_SIZED_MAPS_H
