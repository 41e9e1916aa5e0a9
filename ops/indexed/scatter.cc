// Scatter: slices of the updates, put into the input at places that are read
// from the indices. The mirror of gather (indexed_slices.h).
//
//   input f32[8], indices s32[5,1], updates f32[5,3] -> f32[8]
//   update_window_dims={1}, scatter_dims_to_operand_dims={0},
//   index_vector_dim=1
//   updates  (d0)[s0]{rt0} -> (s0, d0 - rt0),  d0 - rt0 in [0, 2]
//            rt0 the index at (s0, 0), not clamped
//   inverse  (d0, d1){rt0} -> (d1 + rt0)
//   input    (d0) -> (d0)
//   indices  (d0)[s0, s1] -> (s0, s1)
//
// An index is not clamped. In HLO a slice that is partly outside is left out,
// so rt0 in [0, 5] belongs to the domain; in StableHLO its elements inside are
// written, so rt0 in [-2, 7], and d1 + rt0 in [0, 7].
//
// An element that is not overwritten keeps its input; one that is reads its
// input as often as the update computation does. So result r reads input r
// always if the computation's result r does, and otherwise perhaps. It
// perhaps reads another input k if, by one application or by several on the
// same element, result r comes to depend on argument k.
#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/indexed/indexed_slices.h"

namespace indexical {
namespace families {
namespace {

using BodyRead = ScatterOp::BodyRead;

int64_t countOf(const ScatterOp &op) { return op.results.size(); }

SliceNames namesOf(const ScatterOp &) {
  SliceNames names;
  names.operand = {"input 0", "inputs[0]"};
  names.operandRank = {"the rank of input 0", "rank(inputs[0])"};
  names.indices = "scatter_indices";
  names.indicesRank = "rank(scatter_indices)";
  names.slicesRank = {"the rank of update 0", "rank(updates[0])"};
  names.windowDims = "update_window_dims";
  names.collapsedDims = "inserted_window_dims";
  names.operandBatching = "input_batching_dims";
  names.indicesBatching = "scatter_indices_batching_dims";
  names.indexMap = "scatter_dims_to_operand_dims";
  names.collapsedAndBatching = "inserted_window_dims with input_batching_dims";
  names.mapAndBatching =
      "scatter_dims_to_operand_dims with input_batching_dims";
  names.ranks = "C2";
  names.windowOrder = "C7";
  names.windowRange = "C8";
  names.collapsedUnique = "C9";
  names.collapsedOrder = "C10";
  names.collapsedRange = "C11";
  names.batchingOrder = "C12";
  names.batchingRange = "C13";
  names.indicesUnique = "C14";
  names.indicesRange = "C15";
  names.indicesNoVector = "C16";
  names.batchingCount = "C17";
  names.batchingSizes = "C18";
  names.vectorSize = "C19";
  names.mapUnique = "C20";
  names.mapRange = "C21";
  names.vectorRange = "C22";
  return names;
}

SliceNumbers numbersOf(const ScatterOp &op, int64_t input, int64_t update) {
  return {op.operands[input],
          op.operands[countOf(op)],
          op.operands[update],
          op.updateWindowDims,
          op.insertedWindowDims,
          op.inputBatchingDims,
          op.scatterIndicesBatchingDims,
          op.scatterDimsToOperandDims,
          op.indexVectorDim};
}

//===-- Verification ------------------------------------------------------===//

/// Whether an element of one type can be updated by one of the other. HLO lets
/// floating point types of another precision meet.
bool typesMeet(const ScatterOp &op, ElementType input, ElementType update) {
  if (op.partlyOutside == ScatterOp::PartlyOutside::SkipElements ||
      isInteger(input) || isInteger(update))
    return input == update;
  return isComplex(input) == isComplex(update);
}

const Name kInput = {"input", "inputs"}, kUpdate = {"update", "updates"};
const Name kResult = {"result", "results"};

/// Shapes of inputs, updates and results among each other: C1, C3, C5, C6, C24.
absl::Status verifyLeaves(const ScatterOp &op) {
  const int64_t operands = op.operands.size(), n = operands / 2;
  if (n == 0 || operands % 2 == 0)
    return Broken("C5") << "there must be as many updates as inputs, N > 0 of "
                           "each, with scatter_indices between them: 2 * N + 1 "
                           "operands, not "
                        << operands;
  for (int64_t k = 0; k < n; ++k) {
    absl::Status status = checkSameShape("C1", kInput[0], op.operands[0],
                                         kInput[k], op.operands[k]);
    status.Update(checkSameShape("C3", kUpdate[0], op.operands[n + 1],
                                 kUpdate[k], op.operands[n + 1 + k]));
    INDEXICAL_RETURN_IF_ERROR(status);
  }
  if (countOf(op) != n)
    return Broken("C24") << "there must be a result for each of the " << n
                         << " inputs, not " << countOf(op);
  for (int64_t k = 0; k < n; ++k) {
    const ArrayShape &input = op.operands[k], &update = op.operands[n + 1 + k];
    INDEXICAL_RETURN_IF_ERROR(
        checkSameShape("C24", kInput[k], input, kResult[k], op.results[k]));
    if (!typesMeet(op, input.type, update.type))
      return Broken("C6") << kInput[k] << " and " << kUpdate[k]
                          << " must have the same element type, but are "
                          << input << " and " << update;
  }
  return absl::OkStatus();
}

/// C4: an update has the batch sizes of the indices and a window of the input.
absl::Status verifyUpdates(const ScatterOp &op) {
  const SliceNumbers numbers = numbersOf(op, 0, countOf(op) + 1);
  const ArrayShape &update = numbers.slices, &indices = numbers.indices;
  const int64_t rank = indices.rank() -
                       (op.indexVectorDim < indices.rank() ? 1 : 0) +
                       op.updateWindowDims.size();
  if (update.rank() != rank)
    return Broken("C4") << Name{"the rank of update 0", "rank(updates[0])"}
                        << " must be " << rank
                        << ", the dimensions of scatter_indices without "
                           "index_vector_dim and those of update_window_dims, "
                           "but is "
                        << update.rank();
  const IndexedSlices slices(numbers, countOf(op));
  for (size_t b = 0; b < slices.batch.size(); ++b) {
    const int64_t d = slices.batch[b], e = slices.indicesBatch[b];
    if (!canAgree(update, d, indices, e))
      return Broken("C4") << "dimension " << d << " of " << kUpdate[0]
                          << " must be " << SizeText{indices.dimensions[e]}
                          << ", the size of scatter_indices, but is "
                          << SizeText{update.dimensions[d]};
  }
  for (int64_t k = 0; k < numbers.operand.rank(); ++k) {
    const int64_t most = numbers.operand.dimensions[k];
    if (!slices.offset[k] || most == kDynamicSize) continue;
    const int64_t d = *slices.offset[k];
    if (isFixed(update, d) && update.dimensions[d] > most)
      return Broken("C4") << "dimension " << d << " of " << kUpdate[0]
                          << " is a window and must be at most " << most
                          << ", the size of " << kInput[0] << ", but is "
                          << update.dimensions[d];
  }
  return absl::OkStatus();
}

//===-- What the results read ---------------------------------------------===//

BodyRead bodyRead(const ScatterOp &op, int64_t result, int64_t argument) {
  if (op.bodyReads.empty()) return BodyRead::Maybe;
  return op.bodyReads[result * countOf(op) + argument];
}

/// Whether result r can come to depend on argument k, r included.
bool reaches(const ScatterOp &op, int64_t result, int64_t argument) {
  llvm::SmallVector<int64_t, 4> reached = {result};
  for (size_t i = 0; i < reached.size(); ++i)
    for (int64_t k = 0; k < countOf(op); ++k)
      if (bodyRead(op, reached[i], k) != BodyRead::Never &&
          !llvm::is_contained(reached, k))
        reached.push_back(k);
  return llvm::is_contained(reached, argument);
}

/// Returns what a result reads of an input, or the inverse: `from` and `to` are
/// the shapes of both, in either order.
Answer readsOfInput(const ScatterOp &op, int64_t result, int64_t input,
                    const ArrayShape &from, const ArrayShape &to) {
  if (!reaches(op, result, input)) return IndexingRelation();
  const bool overwrites = !op.operands[countOf(op) + 1].isEmpty();
  if (!overwrites && result != input) return IndexingRelation();
  Answer same = identity(from, to);
  const bool always =
      result == input && bodyRead(op, result, input) == BodyRead::Always;
  if (same.ok() && overwrites && !always) same->weaken(Precision::Cover);
  return same;
}

/// Dimensions of a result with those of the indices that they are. Any index
/// vector may name an element, but for those of another batch.
SharedDimensions batchOf(const ScatterOp &op) {
  SharedDimensions batch;
  for (size_t b = 0; b < op.inputBatchingDims.size(); ++b)
    batch.push_back(
        {op.inputBatchingDims[b], op.scatterIndicesBatchingDims[b]});
  return batch;
}

//===-- Updates -----------------------------------------------------------===//

IndexedSlices updatesOf(const ScatterOp &op, int64_t result, int64_t operand) {
  const ArrayShape &input = op.operands[result], &update = op.operands[operand];
  IndexedSlices slices(numbersOf(op, result, operand), countOf(op));
  for (int64_t k = 0; k < input.rank(); ++k) {
    const auto offset = slices.offset[k];
    const Interval inside = sharedIndices(input, k, op.results[result], k);
    const Interval window = offset ? indicesOf(update, *offset) : indicesOf(1);
    SliceStart start = {inside - window, SliceStart::Restricted, {}};
    if (op.partlyOutside == ScatterOp::PartlyOutside::SkipSlice) {
      // A slice whose size is not known has one element at least.
      const bool windowKnown = !offset || isFixed(update, *offset);
      start.bounds = {0, inside.upper};
      if (windowKnown)
        start.bounds = start.bounds - Interval::point(window.upper);
      start.bounds.lower = 0;
      if (!windowKnown || !isFixed(input, k))
        start.last = [=](SizeVariables &v) {
          return v.size({result, k}) -
                 (offset ? v.size({operand, *offset}) : v.constant(1));
        };
    }
    slices.inside.push_back(inside);
    slices.window.push_back(window);
    slices.starts.push_back(start);
  }
  return slices;
}

}  // namespace

absl::Status verify(const ScatterOp &op) {
  INDEXICAL_RETURN_IF_ERROR(verifyLeaves(op));
  const SliceNumbers numbers = numbersOf(op, 0, countOf(op) + 1);
  INDEXICAL_RETURN_IF_ERROR(verifyNumbers(numbers, namesOf(op)));
  INDEXICAL_RETURN_IF_ERROR(verifyIndices(numbers, namesOf(op)));
  INDEXICAL_RETURN_IF_ERROR(verifyUpdates(op));
  const size_t n = countOf(op);
  if (op.bodyReads.empty() || op.bodyReads.size() == n * n)
    return absl::OkStatus();
  return invalid(absl::StrCat("the update computation's reads are known of ",
                              counted(op.bodyReads.size(), "pair"),
                              " of a result and an argument; ",
                              counted(n, "result"), " would have ", n * n));
}

Answer reads(const ScatterOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  if (operand < countOf(op))
    return readsOfInput(op, result, operand, sides.from(), sides.to());
  if (operand == countOf(op)) return sides.sharing(batchOf(op));
  // The slices are what is read.
  const Direction mirrored =
      sides.isForward() ? Direction::InputToOutput : Direction::OutputToInput;
  return updatesOf(op, result, operand).reads(mirrored, OpSizes(op));
}

void addSizeRules(const ScatterOp &op, SizeCollector &c) {
  const int64_t n = op.results.size();
  for (int64_t r = 0; r < n; ++r) {
    c.same(0, r);
    c.same(0, c.result(r));
    c.same(n + 1, n + 1 + r);
  }
  // C18, C17: the batch sizes of the indices are those of the updates.
  const IndexedSlices slices(numbersOf(op, 0, n + 1), n);
  for (size_t b = 0; b < slices.batch.size(); ++b)
    c.equal({n, slices.indicesBatch[b]}, {n + 1, slices.batch[b]});
  for (size_t b = 0; b < op.inputBatchingDims.size(); ++b)
    c.equal({0, op.inputBatchingDims[b]},
            {n, op.scatterIndicesBatchingDims[b]});
}

}  // namespace families
}  // namespace indexical
