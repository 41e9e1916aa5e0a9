// Scaled dot: two operands, each multiplied by a scale, contracted.
//
//   f32[128,256] dot f32[64,256], contracting {1} {1}, lhs scale f32[128,8]
//   output to input  lhs        (d0, d1)[s0] -> (d0, s0),  s0 in [0, 255]
//                    lhs scale  (d0, d1)[s0] -> (d0, s0),  s0 in [0, 7]
//   input to output  lhs scale  (d0, d1)[s0] -> (d0, s0),  s0 in [0, 63]
//
// Each element of a scale belongs to a block of the operand. If the result
// chooses the operand's element, it reads the scale of that element's block:
//
//   lhs scale f32[4,8]   (d0, d1)[s0] -> (d0 floordiv 32, s0)
//   the other way        (d0, d1)[s0, s1] -> (d0 * 32 + s0, s1), s0 in [0, 31]
//
// A contraction over nothing multiplies nothing, and reads no scale.
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/access_builder.h"
#include "indexical/ops/core/size_collector.h"
#include "indexical/ops/products/contraction.h"

namespace indexical {
namespace families {
namespace {

Contraction contractionOf(const ScaledDotOp &op) {
  Contraction contraction(op, op);
  contraction.meet(contraction.result, op.results[0]);
  return contraction;
}

/// A scale and the operand that it scales, dimension by dimension.
struct Scale {
  const ArrayShape &scale;
  const Contraction contraction;
  const Int64s &indices;  ///< of the operand's dimensions

  Scale(const ScaledDotOp &op, int64_t operand)
      : scale(op.operands[operand]),
        contraction(contractionOf(op)),
        indices(contraction.operands[operand - 2]) {}

  /// A scalar has one block in every dimension.
  bool isOneBlock(int64_t k) const {
    return scale.isScalar() || (isFixed(scale, k) && scale.dimensions[k] == 1);
  }

  /// The size of a block of dimension k, if it is known.
  std::optional<int64_t> block(int64_t k) const {
    const std::optional<int64_t> size = contraction.sizes[indices[k]];
    if (isOneBlock(k)) return size;
    if (!size || !isFixed(scale, k) || scale.dimensions[k] == 0)
      return std::nullopt;
    return *size / scale.dimensions[k];
  }

  bool isContracted(int64_t k) const {
    return !contraction.inResult(indices[k]);
  }

  /// Whether there is nothing to contract.
  bool isUnused() const {
    for (size_t k = 0; k < indices.size(); ++k)
      if (contraction.sizes[indices[k]] == 0) return true;
    return false;
  }

  /// Which block an index is in must be known, and whether there are any.
  Precision precision() const {
    for (size_t k = 0; k < indices.size(); ++k)
      if (!block(k) && (isContracted(k) || !isOneBlock(k)))
        return Precision::Cover;
    return Precision::Exact;
  }
};

absl::Status verifyScale(const ScaledDotOp &op, int64_t side) {
  const ArrayShape &operand = op.operands[side], &scale = op.operands[2 + side];
  if (scale.isScalar()) return absl::OkStatus();
  bool divides = scale.rank() == operand.rank();
  for (int64_t k = 0; divides && k < scale.rank(); ++k) {
    if (!isFixed(scale, k) || !isFixed(operand, k)) continue;
    const int64_t size = operand.dimensions[k], blocks = scale.dimensions[k];
    divides = blocks == 0 ? size == 0 : size % blocks == 0;
  }
  if (divides) return absl::OkStatus();
  return invalid(absl::StrCat(
      "operand ", 2 + side, ", a scale, has the shape ", textOf(scale),
      "; it would be a scalar, or have sizes that divide those of operand ",
      side, ", ", textOf(operand)));
}

}  // namespace

absl::Status verify(const ScaledDotOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 4, 1));
  INDEXICAL_RETURN_IF_ERROR(verifyDimensions(op, op));
  for (int64_t side : {0, 1}) INDEXICAL_RETURN_IF_ERROR(verifyScale(op, side));
  const Contraction contraction(op, op);
  return checkSizes("the result", op.results[0],
                    contraction.sizesOf(contraction.result),
                    "the batch and free dimensions of the operands");
}

Answer reads(const ScaledDotOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  if (operand < 2) {
    const Contraction contraction = contractionOf(op);
    return contracted(sides, contraction, contraction.operands[operand]);
  }
  const Scale scale(op, operand);
  if (scale.isUnused()) return sides.nothing();
  const Int64s &result = scale.contraction.result;
  Bounds places;
  for (int64_t index : result)
    places.push_back(scale.contraction.bounds[index]);
  const Bounds blocks = indicesOf(scale.scale);
  IndexingMapBuilder builder;
  AccessBuilder access(sides, builder, places, blocks);
  for (int64_t k = 0; k < scale.scale.rank(); ++k) {
    const std::optional<int64_t> size = scale.block(k);
    if (scale.isOneBlock(k)) {
      access.operand(k, 0);
    } else if (size && !scale.isContracted(k)) {
      const Loop block = access.loop(blocks[k]);
      access.operand(k, block);
      access.result(llvm::find(result, scale.indices[k]) - result.begin(),
                    access.part(block * *size, *size));
    }
  }
  return access.answer(scale.precision());
}

void addSizeRules(const ScaledDotOp &op, SizeCollector &c) {
  addContractionSizes(c, op, op);
}

}  // namespace families
}  // namespace indexical
