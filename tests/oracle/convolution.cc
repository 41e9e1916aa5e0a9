// Convolution as StableHLO defines it: groups are split off and concatenated
// again, the input is spread out and padded, and windows are cut out of it.
// Select-and-scatter moves its windows over tensors that are made so.
#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"

namespace indexical::testing {
namespace {

/// Returns the tensor with dimension `order[k]` as dimension k.
Tensor transposed(const Tensor &tensor, const Index &order) {
  Index sizes;
  for (int64_t k : order) sizes.push_back(tensor.sizes[k]);
  Tensor result(sizes);
  forEachIndex(tensor.sizes, [&](const Index &from) {
    Index to;
    for (int64_t k : order) to.push_back(from[k]);
    result.at(to) = tensor.at(from);
  });
  return result;
}

/// Returns part `part` of the `count` equal parts along a dimension.
Tensor part(const Tensor &tensor, int64_t dimension, int64_t count,
            int64_t part) {
  Index sizes = tensor.sizes;
  sizes[dimension] /= count;
  Tensor result(sizes);
  forEachIndex(sizes, [&](const Index &to) {
    Index from = to;
    from[dimension] += part * sizes[dimension];
    result.at(to) = tensor.at(from);
  });
  return result;
}

Tensor concatenated(const std::vector<Tensor> &parts, int64_t dimension) {
  Index sizes = parts[0].sizes;
  sizes[dimension] *= parts.size();
  Tensor result(sizes);
  for (size_t p = 0; p < parts.size(); ++p)
    forEachIndex(parts[p].sizes, [&](const Index &from) {
      Index to = from;
      to[dimension] += p * parts[p].sizes[dimension];
      result.at(to) = parts[p].at(from);
    });
  return result;
}

/// Returns the tensor dilated and padded along dimensions first, first + 1, …
Tensor padded(const Tensor &tensor, int64_t first,
              llvm::ArrayRef<WindowDimension> window) {
  Index sizes = tensor.sizes;
  for (size_t i = 0; i < window.size(); ++i) {
    int64_t &size = sizes[first + i];
    if (size > 0) size += (size - 1) * (window[i].baseDilation - 1);
    size += window[i].padLow + window[i].padHigh;
  }
  Tensor result(sizes);
  forEachIndex(tensor.sizes, [&](const Index &from) {
    Index to = from;
    for (size_t i = 0; i < window.size(); ++i)
      to[first + i] =
          from[first + i] * window[i].baseDilation + window[i].padLow;
    if (isInside(sizes, to)) result.at(to) = tensor.at(from);
  });
  return result;
}

Index sizesOf(llvm::ArrayRef<WindowDimension> window) {
  Index sizes;
  for (const WindowDimension &w : window) sizes.push_back(w.size);
  return sizes;
}

/// Input [b, spatial..., f], kernel [spatial..., i, o], no groups. Result [b,
/// spatial..., o], of the sizes `counts` along the spatial dimensions.
Tensor convolved(const Tensor &input, const Tensor &kernel,
                 llvm::ArrayRef<WindowDimension> window, const Index &counts) {
  const Tensor base = padded(input, 1, window);
  const int64_t features = kernel.sizes.end()[-2];
  Index sizes = {input.sizes[0]};
  sizes.append(counts);
  sizes.push_back(kernel.sizes.back());
  Tensor result(sizes);
  forEachIndex(sizes, [&](const Index &to) {
    forEachIndex(sizesOf(window), [&](const Index &within) {
      Index from = {to[0]}, weight = within;
      for (size_t i = 0; i < window.size(); ++i) {
        from.push_back(to[1 + i] * window[i].stride +
                       within[i] * window[i].windowDilation);
        if (window[i].reversed) weight[i] = window[i].size - 1 - within[i];
      }
      from.push_back(0), weight.push_back(0), weight.push_back(to.back());
      for (int64_t f = 0; f < features; ++f) {
        from.back() = weight.end()[-2] = f;
        unite(result.at(to), base.at(from));
        unite(result.at(to), kernel.at(weight));
      }
    });
  });
  return result;
}

Index ordered(int64_t first, const Int64s &between, int64_t last) {
  Index order = {first};
  order.append(between.begin(), between.end());
  order.push_back(last);
  return order;
}

}  // namespace

Tensors define(const ConvolutionOp &op, const Tensors &operands) {
  const Tensor input = transposed(
      operands[0], ordered(op.inputBatch, op.inputSpatial, op.inputFeature));
  Index kernelOrder(op.kernelSpatial.begin(), op.kernelSpatial.end());
  kernelOrder.append({op.kernelInputFeature, op.kernelOutputFeature});
  const Tensor kernel = transposed(operands[1], kernelOrder);
  Tensors results = emptyResults(op);
  Index counts;
  for (int64_t k : op.outputSpatial) counts.push_back(results[0].sizes[k]);

  const int64_t last = input.sizes.size() - 1;
  std::vector<Tensor> parts;
  for (int64_t g = 0; g < op.featureGroups; ++g)
    for (int64_t h = 0; h < op.batchGroups; ++h)
      parts.push_back(convolved(
          part(part(input, last, op.featureGroups, g), 0, op.batchGroups, h),
          part(part(kernel, last, op.featureGroups, g), last, op.batchGroups,
               h),
          op.window, counts));
  const Tensor whole = concatenated(parts, last);
  const Index order =
      ordered(op.outputBatch, op.outputSpatial, op.outputFeature);
  forEachIndex(whole.sizes, [&](const Index &from) {
    Index to(from.size());
    for (size_t k = 0; k < order.size(); ++k) to[order[k]] = from[k];
    results[0].at(to) = whole.at(from);
  });
  return results;
}

Tensors define(const SelectAndScatterOp &op, const Tensors &operands) {
  // The reads at a place say which element of the operand lies there.
  const Tensor base = padded(operands[0], 0, op.window);
  Tensors results = emptyResults(op);
  forEachIndex(operands[1].sizes, [&](const Index &source) {
    Reads window;
    forEachIndex(sizesOf(op.window), [&](const Index &within) {
      Index place;
      for (size_t k = 0; k < within.size(); ++k)
        place.push_back(source[k] * op.window[k].stride +
                        within[k] * op.window[k].windowDilation);
      unite(window, base.at(place));
    });
    for (const Read &candidate : window) {
      Reads &to = results[0].elements[candidate.element];
      unite(to, window);
      unite(to, operands[1].at(source));
    }
  });
  for (Reads &reads : results[0].elements) unite(reads, operands[2].at({}));
  return results;
}

}  // namespace indexical::testing
