#include "tests/oracle/definitions.h"

namespace indexical::testing {

Tensors define(const ElementwiseOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  for (Tensor &result : results)
    forEachIndex(result.sizes, [&](const Index &index) {
      for (const Tensor &operand : operands)
        unite(result.at(index),
              operand.sizes.empty() ? operand.at({}) : operand.at(index));
    });
  return results;
}

Tensors define(const BroadcastOp &op, const Tensors &operands) {
  const Tensor &operand = operands[0];
  Tensors results = emptyResults(op);
  forEachIndex(results[0].sizes, [&](const Index &index) {
    // As the definition of StableHLO's broadcast_in_dim has it.
    Index from;
    for (size_t k = 0; k < op.dimensions.size(); ++k)
      from.push_back(operand.sizes[k] == 1 ? 0 : index[op.dimensions[k]]);
    results[0].at(index) = operand.at(from);
  });
  return results;
}

Tensors define(const TransposeOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  forEachIndex(operands[0].sizes, [&](const Index &from) {
    Index to;
    for (int64_t dimension : op.permutation) to.push_back(from[dimension]);
    results[0].at(to) = operands[0].at(from);
  });
  return results;
}

Tensors define(const ReverseOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  forEachIndex(operands[0].sizes, [&](const Index &from) {
    Index to = from;
    for (int64_t dimension : op.dimensions)
      to[dimension] = operands[0].sizes[dimension] - 1 - from[dimension];
    results[0].at(to) = operands[0].at(from);
  });
  return results;
}

Tensors define(const ReshapeOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  int64_t counter = 0;
  forEachIndex(results[0].sizes, [&](const Index &to) {
    results[0].at(to) = operands[0].elements[counter++];
  });
  return results;
}

Tensors define(const SliceOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  forEachIndex(operands[0].sizes, [&](const Index &from) {
    Index to;
    for (size_t k = 0; k < from.size(); ++k) {
      if (from[k] < op.starts[k] || from[k] >= op.limits[k]) return;
      if ((from[k] - op.starts[k]) % op.strides[k] != 0) return;
      to.push_back((from[k] - op.starts[k]) / op.strides[k]);
    }
    results[0].at(to) = operands[0].at(from);
  });
  return results;
}

Tensors define(const ConcatenateOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  int64_t written = 0;
  for (const Tensor &operand : operands) {
    forEachIndex(operand.sizes, [&](const Index &from) {
      Index to = from;
      to[op.dimension] += written;
      results[0].at(to) = operand.at(from);
    });
    written += operand.sizes[op.dimension];
  }
  return results;
}

Tensors define(const PadOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  for (Reads &reads : results[0].elements) reads = operands[1].at({});
  forEachIndex(operands[0].sizes, [&](const Index &from) {
    Index to;
    for (size_t k = 0; k < from.size(); ++k)
      to.push_back(op.low[k] + from[k] * (op.interior[k] + 1));
    if (isInside(results[0].sizes, to))
      results[0].at(to) = operands[0].at(from);
  });
  return results;
}

Tensors define(const ForwardOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  for (size_t r = 0; r < results.size(); ++r)
    if (op.reads[r] >= 0) results[r].elements = operands[op.reads[r]].elements;
  return results;
}

}  // namespace indexical::testing
