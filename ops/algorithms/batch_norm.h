#ifndef INDEXICAL_OPS_ALGORITHMS_BATCH_NORM_H
#define INDEXICAL_OPS_ALGORITHMS_BATCH_NORM_H

#include "indexical/ops/descriptor.h"

namespace indexical {

/// Statistics are of all elements with one index of dimension `featureIndex`.
///   Training:  operand, scale, offset -> output, mean, variance
///   Inference: operand, scale, offset, mean, variance -> output
///   Gradient:  operand, scale, mean, variance, gradient of the output ->
///              gradients of operand, scale, offset
struct BatchNormOp : OpDescriptor {
  enum class Kind : uint8_t { Training, Inference, Gradient };
  Kind kind = Kind::Training;
  int64_t featureIndex = 0;

  static constexpr OpKind kKinds[] = {
      {"batch-norm-training", Traits().with(KernelRole::Bytes)},
      {"batch-norm-inference", {}},
      {"batch-norm-grad", Traits().with(KernelRole::Bytes)},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(kind, featureIndex);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(BatchNormOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_ALGORITHMS_BATCH_NORM_H
