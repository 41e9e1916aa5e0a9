#include <cstdlib>

#include "mlir/Dialect/Linalg/IR/Linalg.h"

#include "tests/import/stablehlo/upstream_interpreter.h"

namespace indexical::testing {
namespace {

int64_t valueOf(mlir::AffineExpr expr, const Index &loops) {
  if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return loops[d.getPosition()];
  if (auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return c.getValue();
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = valueOf(binary.getLHS(), loops);
  const int64_t b = valueOf(binary.getRHS(), loops);
  switch (expr.getKind()) {
    case mlir::AffineExprKind::Add:
      return a + b;
    case mlir::AffineExprKind::Mul:
      return a * b;
    case mlir::AffineExprKind::Mod:
      return ((a % b) + b) % b;
    case mlir::AffineExprKind::FloorDiv:
      return a >= 0 ? a / b : -((-a + b - 1) / b);
    default:
      return a >= 0 ? (a + b - 1) / b : -((-a) / b);
  }
}

Index placeOf(mlir::AffineMap map, const Index &loops) {
  Index place;
  for (mlir::AffineExpr expr : map.getResults())
    place.push_back(valueOf(expr, loops));
  return place;
}

std::vector<Tensor> runStructured(mlir::linalg::LinalgOp op,
                                  const OperandValues &values) {
  const std::vector<mlir::Value> leaves = leavesOf(op);
  const auto maps = op.getIndexingMapsArray();
  Index counts(op.getNumLoops(), 0);
  for (size_t i = 0; i < maps.size(); ++i)
    for (size_t k = 0; k < maps[i].getNumResults(); ++k)
      if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(maps[i].getResult(k)))
        counts[d.getPosition()] = sizesOf(op->getOperand(i).getType())[k];
  // Operands, the inits being what the results are so far.
  std::vector<Tensor> tensors;
  std::vector<std::vector<int64_t>> numbers;
  for (size_t i = 0; i < maps.size(); ++i) {
    tensors.push_back(leafTensor(leaves[i], i));
    numbers.push_back(values[i]);
    numbers.back().resize(tensors.back().elements.size());
  }
  const int64_t inputs = op.getNumDpsInputs();
  forEachIndex(counts, [&](const Index &loops) {
    std::vector<Cell> arguments;
    for (size_t i = 0; i < maps.size(); ++i) {
      const Index place = placeOf(maps[i], loops);
      arguments.push_back({tensors[i].at(place),
                           numbers[i][rowMajor(tensors[i].sizes, place)]});
    }
    const std::vector<Cell> yields =
        runRegion(op->getRegion(0), arguments, loops, leaves, values);
    for (size_t r = 0; r < yields.size(); ++r) {
      const Index place = placeOf(maps[inputs + r], loops);
      Reads reads = yields[r].reads;
      normalize(reads);
      tensors[inputs + r].at(place) = reads;
    }
  });
  tensors.erase(tensors.begin(), tensors.begin() + inputs);
  return tensors;
}

/// The place in the unpacked tensor of a packed element.
template <typename RelayoutOp>
Index unpackedPlace(RelayoutOp op, const Index &packed, int64_t rank,
                    llvm::ArrayRef<int64_t> tiles) {
  Index place(rank);
  llvm::ArrayRef<int64_t> permutation = op.getOuterDimsPerm();
  for (int64_t k = 0; k < rank; ++k)
    place[permutation.empty() ? k : permutation[k]] = packed[k];
  for (size_t i = 0; i < tiles.size(); ++i) {
    int64_t &coordinate = place[op.getInnerDimsPos()[i]];
    coordinate = coordinate * tiles[i] + packed[rank + i];
  }
  return place;
}

/// Tile sizes, those that are operands from their values.
template <typename RelayoutOp>
Index tilesOf(RelayoutOp op, const OperandValues &values, size_t first) {
  Index tiles;
  for (int64_t tile : op.getStaticInnerTiles())
    tiles.push_back(mlir::ShapedType::isDynamic(tile) ? values[first++][0]
                                                      : tile);
  return tiles;
}

/// Every element reads operands from `first` on whole: sizes.
void readWhole(Tensor &result, mlir::Operation *op, size_t first) {
  for (size_t k = first; k < op->getNumOperands(); ++k)
    for (Reads &reads : result.elements)
      unite(reads, wholeLeaf(op->getOperand(k), k));
}

std::vector<Tensor> runPack(mlir::linalg::PackOp op,
                            const OperandValues &values) {
  const bool pads = static_cast<bool>(op.getPaddingValue());
  const size_t first = pads ? 3 : 2;
  const Index tiles = tilesOf(op, values, first);
  const Index source = sizesOf(op.getSource().getType());
  Tensor result(sizesOf(op->getResult(0).getType()));
  forEachIndex(result.sizes, [&](const Index &index) {
    const Index place = unpackedPlace(op, index, source.size(), tiles);
    if (isInside(source, place))
      result.at(index).push_back({0, rowMajor(source, place)});
    else
      result.at(index).push_back({2, 0});
  });
  readWhole(result, op, first);
  return {result};
}

std::vector<Tensor> runUnpack(mlir::linalg::UnPackOp op,
                              const OperandValues &values) {
  const Index tiles = tilesOf(op, values, 2);
  const Index source = sizesOf(op.getSource().getType());
  Tensor result(sizesOf(op->getResult(0).getType()));
  forEachIndex(source, [&](const Index &index) {
    const Index place = unpackedPlace(op, index, result.sizes.size(), tiles);
    if (isInside(result.sizes, place))
      result.at(place).push_back({0, rowMajor(source, index)});
  });
  readWhole(result, op, 2);
  return {result};
}

std::vector<Tensor> runSoftmax(mlir::linalg::SoftmaxOp op) {
  Tensor result(sizesOf(op->getResult(0).getType()));
  const int64_t dimension = op.getDimension();
  forEachIndex(result.sizes, [&](const Index &index) {
    Index place = index;
    for (int64_t s = 0; s < result.sizes[dimension]; ++s) {
      place[dimension] = s;
      result.at(index).push_back({0, rowMajor(result.sizes, place)});
    }
  });
  return {result};
}

}  // namespace

std::vector<Tensor> interpretLinalg(mlir::Operation *op,
                                    const OperandValues &values) {
  if (auto structured = llvm::dyn_cast<mlir::linalg::LinalgOp>(op))
    return runStructured(structured, values);
  if (auto pack = llvm::dyn_cast<mlir::linalg::PackOp>(op))
    return runPack(pack, values);
  if (auto unpack = llvm::dyn_cast<mlir::linalg::UnPackOp>(op))
    return runUnpack(unpack, values);
  return runSoftmax(llvm::cast<mlir::linalg::SoftmaxOp>(op));
}

}  // namespace indexical::testing
