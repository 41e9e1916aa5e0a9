#include "indexical/cost/tiles/tile_steps.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

const DotDimensions *dotDimensions(const Op &op) {
  if (const auto *dot = op.as<DotOp>()) return dot;
  if (const auto *dot = op.as<ScaledDotOp>()) return dot;
  if (const auto *dot = op.as<RaggedDotOp>()) return dot;
  return nullptr;
}

int64_t sizeOf(const ArrayShape &shape, int64_t dimension) {
  return shape.isFixed(dimension) ? shape.dimensions[dimension] : kDynamicSize;
}

/// Returns how many indices of an operand one index of its scale is for.
int64_t blockOf(const ArrayShape &operand, const ArrayShape &scale,
                int64_t dimension) {
  const int64_t size = sizeOf(operand, dimension),
                blocks = sizeOf(scale, dimension);
  return size > 0 && blocks > 0 ? size / blocks : 0;
}

}  // namespace

std::vector<int64_t> summedExtents(const Op &op) {
  std::vector<int64_t> extents;
  const auto &operands = shapesOf(op).operands;
  auto add = [&](llvm::ArrayRef<int64_t> dimensions) {
    for (int64_t dimension : dimensions)
      extents.push_back(sizeOf(operands[0], dimension));
  };
  if (const DotDimensions *dot = dotDimensions(op)) {
    add(dot->lhsContracting);
  } else if (const auto *reduce = op.as<ReduceOp>()) {
    if (!operands.empty()) add(reduce->dimensions);
  } else if (const auto *scan = op.as<ScanOp>()) {
    if (scan->inputs() > 0) add({scan->dimension});
  }
  return extents;
}

std::optional<SummedAxis> summedAxis(const Op &op, int64_t leaf,
                                     size_t dimension) {
  if (const DotDimensions *dot = dotDimensions(op)) {
    const bool isScale = op.is<ScaledDotOp>() && (leaf == 2 || leaf == 3);
    const int64_t side = isScale ? leaf - 2 : leaf;
    if (side > 1) return std::nullopt;
    SummedAxis axis;
    axis.axis =
        (side == 0 ? dot->lhsContracting : dot->rhsContracting)[dimension];
    if (!isScale) return axis;
    const auto &operands = shapesOf(op).operands;
    if (operands[leaf].isScalar()) return std::nullopt;
    axis.block = blockOf(operands[side], operands[leaf], axis.axis);
    if (axis.block < 1) return std::nullopt;
    return axis;
  }
  if (const auto *reduce = op.as<ReduceOp>()) {
    const int64_t inputs = shapesOf(op).operands.size() / 2;
    if (leaf >= inputs) return std::nullopt;
    return SummedAxis{reduce->dimensions[dimension], 1};
  }
  if (const auto *scan = op.as<ScanOp>()) {
    if (leaf >= scan->inputs()) return std::nullopt;
    return SummedAxis{scan->dimension, 1};
  }
  return std::nullopt;
}

std::optional<MatrixDimensions> matrixOf(const Op &op) {
  const DotDimensions *dot = dotDimensions(op);
  if (!dot) return std::nullopt;
  const size_t batch = dot->lhsBatch.size();
  return MatrixDimensions{batch, shapesOf(op).operands[0].dimensions.size() -
                                     batch - dot->lhsContracting.size()};
}

absl::StatusOr<MapsInSteps> boundToSteps(
    const IndexingMap &first, const IndexingMap &second,
    llvm::ArrayRef<std::pair<SummedAxis, size_t>> axes) {
  MapsInSteps bound;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto longer, withBody(first, [&](IndexingMapBuilder &b, MapBody &body) {
        for (const auto &[axis, dimension] : axes)
          body.results.push_back(b.expression(b.pool().variable(
              {VariableKind::Dimension, static_cast<uint32_t>(dimension)})));
      }));
  INDEXICAL_ASSIGN_OR_RETURN(bound.first, simplify(longer));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto tied, withBody(second, [&](IndexingMapBuilder &b, MapBody &body) {
        for (const auto &[axis, dimension] : axes) {
          const Expr turn = b.dimension(first.dimensions()[dimension].bounds);
          const Expr index = floorDiv(turn, axis.block);
          body.constraints.push_back(
              {body.results[axis.axis] - index, Interval::point(0)});
        }
      }));
  INDEXICAL_ASSIGN_OR_RETURN(bound.second, simplify(tied));
  return bound;
}

absl::StatusOr<IndexingMap> inTurns(
    const IndexingMap &map,
    llvm::ArrayRef<std::pair<SummedAxis, size_t>> axes) {
  INDEXICAL_ASSIGN_OR_RETURN(
      auto tied, withBody(map, [&](IndexingMapBuilder &b, MapBody &body) {
        for (const auto &[axis, dimension] : axes) {
          const Expr turn = b.expression(b.pool().variable(
              {VariableKind::Dimension, static_cast<uint32_t>(dimension)}));
          body.constraints.push_back(
              {body.results[axis.axis] - floorDiv(turn, axis.block),
               Interval::point(0)});
        }
      }));
  return simplify(tied);
}

}  // namespace indexical
