#ifndef INDEXICAL_OPS_PRODUCTS_CONVOLUTION_H
#define INDEXICAL_OPS_PRODUCTS_CONVOLUTION_H

#include "indexical/ops/descriptor.h"
#include "indexical/ops/reduction/reduce_window.h"

namespace indexical {

/// The roles of the dimensions of a convolution's tensors: numbers of
/// dimensions, the spatial ones in the order of the window's.
struct ConvolutionDimensions {
  int64_t inputBatch = 0, inputFeature = 1;
  Int64s inputSpatial;
  int64_t kernelInputFeature = 1, kernelOutputFeature = 0;
  Int64s kernelSpatial;
  int64_t outputBatch = 0, outputFeature = 1;
  Int64s outputSpatial;
};

/// Operand 0 is convolved with operand 1, the kernel, which is read whole for
/// its output feature, also where it meets padding. With feature groups, the
/// input's features and the output features are cut into as many equal parts
/// and only equal parts meet; with batch groups the input's batch and the
/// output features are. The window's sizes are the kernel's. Operand 2, if
/// there is one, holds the padding instead of the window: a row {low, high} for
/// each spatial dimension.
struct ConvolutionOp : OpDescriptor, ConvolutionDimensions {
  llvm::SmallVector<WindowDimension, 4> window;
  int64_t featureGroups = 1, batchGroups = 1;  ///< one of them is 1

  static constexpr OpKind kKinds[] = {
      {"convolution", Traits()
                          .with(KernelRole::Bytes)
                          .withNote("a cover with sparse operands")},
  };
  template <typename Take>
  auto fields(Take take) const {
    return take(inputBatch, inputFeature, inputSpatial, kernelInputFeature,
                kernelOutputFeature, kernelSpatial, outputBatch, outputFeature,
                outputSpatial, window, featureGroups, batchGroups);
  }
};
INDEXICAL_FAMILY_WITH_SIZES(ConvolutionOp)

}  // namespace indexical

#endif  // INDEXICAL_OPS_PRODUCTS_CONVOLUTION_H
