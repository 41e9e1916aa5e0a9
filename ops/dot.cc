// Dot: two operands contracted. The result has the batch dimensions, then what
// is left of operand 0, then of operand 1.
//
//   f32[4,128,256] dot f32[4,256,64], batch {0} {0}, contracting {2} {1}
//   output to input  operand 0  (d0, d1, d2)[s0] -> (d0, d1, s0)
//                    operand 1  (d0, d1, d2)[s0] -> (d0, s0, d2)
//                               s0 in [0, 255]
//   input to output  operand 0  (d0, d1, d2)[s0] -> (d0, d1, s0)
//                               s0 in [0, 63]
//                    operand 1  (d0, d1, d2)[s0] -> (d0, s0, d2)
//                               s0 in [0, 127]
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "ops/family.h"

namespace indexical {
namespace families {
namespace {

const Int64s &batchOf(const DotOp &op, int64_t operand) {
  return operand == 0 ? op.lhsBatch : op.rhsBatch;
}

const Int64s &contractingOf(const DotOp &op, int64_t operand) {
  return operand == 0 ? op.lhsContracting : op.rhsContracting;
}

/// The dimensions of an operand that are neither batch nor contracting.
Int64s freeOf(const DotOp &op, int64_t operand) {
  Int64s free;
  for (int64_t k = 0; k < op.operands[operand].rank(); ++k)
    if (!llvm::is_contained(batchOf(op, operand), k) &&
        !llvm::is_contained(contractingOf(op, operand), k))
      free.push_back(k);
  return free;
}

/// For each dimension of the operand, its place in the result.
llvm::SmallVector<std::optional<int64_t>, 6> resultPlaces(const DotOp &op,
                                                          int64_t operand) {
  llvm::SmallVector<std::optional<int64_t>, 6> places(
      op.operands[operand].rank());
  int64_t next = 0;
  for (int64_t k : batchOf(op, operand)) places[k] = next++;
  if (operand == 1) next += freeOf(op, 0).size();
  for (int64_t k : freeOf(op, operand)) places[k] = next++;
  return places;
}

/// Bounds of contracting pair c; the two operands' sizes are equal.
Interval contractingBounds(const DotOp &op, size_t c) {
  return sharedIndices(op.operands[0], op.lhsContracting[c], op.operands[1],
                       op.rhsContracting[c]);
}

absl::Status verifyPairs(const DotOp &op, llvm::StringRef name,
                         const Int64s &lhs, const Int64s &rhs) {
  const std::string lists =
      absl::StrCat("lhs_", name.str(), "_dims ", textOf(lhs), " and rhs_",
                   name.str(), "_dims ", textOf(rhs));
  if (lhs.size() != rhs.size()) return invalid(lists + " would be as many");
  for (size_t k = 0; k < lhs.size(); ++k)
    if (!canAgree(op.operands[0], lhs[k], op.operands[1], rhs[k]))
      return invalid(absl::StrCat(lists, ": dimension ", lhs[k], " of ",
                                  textOf(op.operands[0]), " and ", rhs[k],
                                  " of ", textOf(op.operands[1]),
                                  " would have the same size"));
  return absl::OkStatus();
}

absl::Status verifyLists(const DotOp &op, int64_t operand) {
  const std::string side = operand == 0 ? "lhs" : "rhs";
  const Int64s &batch = batchOf(op, operand);
  const Int64s &contracting = contractingOf(op, operand);
  const ArrayShape &shape = op.operands[operand];
  if (auto s = checkDimensions(side + "_batch_dims", batch, shape); !s.ok())
    return s;
  if (auto s = checkDimensions(side + "_contracting_dims", contracting, shape);
      !s.ok())
    return s;
  for (int64_t k : batch)
    if (llvm::is_contained(contracting, k))
      return invalid(absl::StrCat(side, "_batch_dims ", textOf(batch), " and ",
                                  side, "_contracting_dims ",
                                  textOf(contracting), " both name ", k));
  return absl::OkStatus();
}

}  // namespace

absl::Status verify(const DotOp &op) {
  if (auto status = checkLeaves(op, 2, 1); !status.ok()) return status;
  for (int64_t k : {0, 1})
    if (auto status = verifyLists(op, k); !status.ok()) return status;
  if (auto s = verifyPairs(op, "batch", op.lhsBatch, op.rhsBatch); !s.ok())
    return s;
  if (auto s =
          verifyPairs(op, "contracting", op.lhsContracting, op.rhsContracting);
      !s.ok())
    return s;
  Int64s sizes;
  auto append = [&](int64_t operand, const Int64s &dimensions) {
    const ArrayShape &shape = op.operands[operand];
    for (int64_t k : dimensions)
      sizes.push_back(isFixed(shape, k) ? shape.dimensions[k] : kDynamicSize);
  };
  append(0, op.lhsBatch);
  append(0, freeOf(op, 0));
  append(1, freeOf(op, 1));
  return checkSizes("the result", op.results[0], sizes,
                    "the batch and free dimensions of the operands");
}

Answer outputToInput(const DotOp &op, int64_t, int64_t operand) {
  const ArrayShape &shape = op.operands[operand], &result = op.results[0];
  const auto places = resultPlaces(op, operand);
  llvm::SmallVector<Interval, 6> bounds;
  for (int64_t j = 0; j < result.rank(); ++j)
    bounds.push_back(indicesOf(result, j));
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (places[k])
      bounds[*places[k]] = sharedIndices(shape, k, result, *places[k]);

  IndexingMapBuilder builder;
  Exprs d, index(shape.rank());
  for (const Interval &interval : bounds)
    d.push_back(builder.dimension(interval));
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (places[k]) index[k] = d[*places[k]];
  const Int64s &contracting = contractingOf(op, operand);
  for (size_t c = 0; c < contracting.size(); ++c)
    index[contracting[c]] = builder.range(contractingBounds(op, c));
  for (Expr e : index) builder.result(e);
  return answerOf(builder);
}

Answer inputToOutput(const DotOp &op, int64_t, int64_t operand) {
  const ArrayShape &shape = op.operands[operand], &result = op.results[0];
  const auto places = resultPlaces(op, operand);
  const Int64s &contracting = contractingOf(op, operand);
  IndexingMapBuilder builder;
  llvm::SmallVector<std::optional<Expr>, 6> index(result.rank());
  for (int64_t k = 0; k < shape.rank(); ++k) {
    if (places[k])
      index[*places[k]] =
          builder.dimension(sharedIndices(shape, k, result, *places[k]));
    else
      builder.dimension(contractingBounds(
          op, llvm::find(contracting, k) - contracting.begin()));
  }
  for (int64_t j = 0; j < result.rank(); ++j)
    builder.result(index[j] ? *index[j] : builder.range(indicesOf(result, j)));
  return answerOf(builder);
}

}  // namespace families
}  // namespace indexical
