#include "tests/oracle/oracle.h"

#include <type_traits>
#include <variant>

#include "llvm/ADT/STLExtras.h"

#include "tests/oracle/definitions.h"
#include "tests/support/delegated_op.h"
#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

/// Element `i` of operand `k` has been read from itself alone.
Tensors operandTensors(const OpShapes &op) {
  Tensors tensors;
  for (const ArrayShape &shape : op.operands) {
    Tensor tensor(shape.dimensions);
    for (size_t i = 0; i < tensor.elements.size(); ++i)
      tensor.elements[i].push_back(
          {static_cast<int64_t>(tensors.size()), static_cast<int64_t>(i)});
    tensors.push_back(std::move(tensor));
  }
  return tensors;
}

Tensors everythingReadsEverything(const OpShapes &op, const Tensors &operands) {
  Reads everything;
  for (const Tensor &operand : operands)
    for (const Reads &reads : operand.elements) unite(everything, reads);
  Tensors results = emptyResults(op);
  for (Tensor &result : results)
    for (Reads &reads : result.elements) reads = everything;
  return results;
}

/// Returns the forwarded operands, then the results of the op that is started.
/// Contexts read nothing.
Tensors start(const StartOp &op, const Tensors &operands,
              const OperandValues &values) {
  Tensors results = emptyResults(op);
  for (int64_t r = 0; r < op.forwards; ++r)
    results[r].elements = operands[r].elements;
  Tensors started = evaluate(op.inner, values);
  for (size_t r = 0; r < started.size(); ++r)
    results[op.forwards + r].elements = started[r].elements;
  return results;
}

/// Returns whether the region computes an element with these reads: an update
/// or a source lands on the element, or elements are reduced to it.
bool usesRegion(const Op &op, const Reads &reads) {
  int64_t through = -1;
  if (auto *scatter = op.as<ScatterOp>()) through = scatter->results.size() + 1;
  if (op.is<SelectAndScatterOp>()) through = 1;
  if (op.is<ReduceOp>()) through = 0;
  return through < 0 ||
         llvm::any_of(
             reads, [&](const Read &read) { return read.operand == through; });
}

/// Returns the results of the inner op. Each element that a region computes
/// also reads everything that the regions capture.
Tensors capturing(const CapturingOp &op, const Tensors &operands,
                  const OperandValues &values) {
  Tensors results = evaluate(op.inner, values);
  Reads captured;
  for (size_t k = shapesOf(op.inner).operands.size(); k < operands.size(); ++k)
    for (const Reads &reads : operands[k].elements) unite(captured, reads);
  for (Tensor &result : results)
    for (Reads &reads : result.elements)
      if (usesRegion(op.inner, reads)) unite(reads, captured);
  return results;
}

/// Each operand is broadcast, then all are read at one place.
Tensors broadcasting(const BroadcastingOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  Tensor &result = results[0];
  forEachIndex(result.sizes, [&](const Index &index) {
    for (size_t k = 0; k < operands.size(); ++k) {
      Index at;
      for (size_t j = 0; j < operands[k].sizes.size(); ++j)
        at.push_back(operands[k].sizes[j] == 1 ? 0
                                               : index[op.dimensions[k][j]]);
      unite(result.at(index), operands[k].at(at));
    }
  });
  return results;
}

/// Runs the scan step by step: each output reads the initial carries and the
/// inputs of all steps so far.
Tensors scan(const ScanOp &op, const Tensors &operands) {
  Tensors results = emptyResults(op);
  const size_t inputs = operands.size() - op.carries;
  const size_t outputs = results.size() - op.carries;
  Reads met;
  for (size_t k = inputs; k < operands.size(); ++k)
    for (const Reads &reads : operands[k].elements) unite(met, reads);
  const int64_t steps = operands[0].sizes[op.dimension];
  for (int64_t t = 0; t < steps; ++t) {
    const int64_t at = op.reverse ? steps - 1 - t : t;
    for (size_t k = 0; k < inputs; ++k)
      forEachIndex(operands[k].sizes, [&](const Index &index) {
        if (index[op.dimension] == at) unite(met, operands[k].at(index));
      });
    for (size_t r = 0; r < outputs; ++r)
      forEachIndex(results[r].sizes, [&](const Index &index) {
        if (index[op.dimension] == at) results[r].at(index) = met;
      });
  }
  for (size_t r = outputs; r < results.size(); ++r)
    for (Reads &reads : results[r].elements) reads = met;
  return results;
}

template <typename T, typename... Candidates>
constexpr bool isOneOf = (std::is_same_v<T, Candidates> || ...);

template <typename T>
Tensors run(const T &op, const OperandValues &values) {
  const Tensors operands = operandTensors(op);
  if constexpr (std::is_base_of_v<CollectiveShapes, T> ||
                std::is_same_v<T, CollectivePermuteOp>)
    return everythingReadsEverything(op, operands);  // collectives.h has them
  else if constexpr (isOneOf<T, NullaryOp, ConstantOp, IotaOp>)
    return emptyResults(op);
  else if constexpr (isOneOf<T, CoverOp, CallOp, ConditionalOp, WhileOp,
                             ReadAllOp>)
    return everythingReadsEverything(op, operands);
  else if constexpr (isOneOf<T, ScanOp>)
    return scan(op, operands);
  else if constexpr (isOneOf<T, CustomOp>)
    return evaluate(delegateOf(op), values);
  else if constexpr (isOneOf<T, StartOp>)
    return start(op, operands, values);
  else if constexpr (isOneOf<T, BroadcastingOp>)
    return broadcasting(op, operands);
  else if constexpr (isOneOf<T, CapturingOp>)
    return capturing(op, operands, values);
  else if constexpr (isOneOf<T, DynamicSliceOp, DynamicUpdateSliceOp, GatherOp,
                             RaggedDotOp, ScatterOp>)
    return define(op, operands, values);
  else
    return define(op, operands);
}

}  // namespace

Tensors emptyResults(const OpShapes &op) {
  Tensors tensors;
  for (const ArrayShape &shape : op.results)
    tensors.emplace_back(shape.dimensions);
  return tensors;
}

std::vector<Tensor> evaluate(const Op &op, const OperandValues &values) {
  Tensors results =
      visitOp([&](const auto &family) { return run(family, values); }, op);
  for (Tensor &result : results)
    for (Reads &reads : result.elements) normalize(reads);
  return results;
}

}  // namespace indexical::testing
