#include "tests/import/stablehlo/upstream_interpreter.h"

#include <algorithm>
#include <cstdlib>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"


namespace indexical::testing {
namespace {

void collect(mlir::Operation *op, mlir::Operation *outer,
             std::vector<mlir::Value> &leaves, size_t own) {
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &inner : region.getOps()) {
      for (mlir::Value value : inner.getOperands()) {
        bool isInside = false;
        for (mlir::Operation *at = value.getParentRegion()->getParentOp(); at;
             at = at->getParentOp())
          isInside |= at == outer;
        const auto first = leaves.begin() + own;
        if (!isInside && std::find(first, leaves.end(), value) == leaves.end())
          leaves.push_back(value);
      }
      collect(&inner, outer, leaves, own);
    }
}

int64_t evaluateAffine(mlir::AffineExpr expr, const Index &dims,
                       const Index &symbols) {
  if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dims[d.getPosition()];
  if (auto s = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols[s.getPosition()];
  if (auto c = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return c.getValue();
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = evaluateAffine(binary.getLHS(), dims, symbols);
  const int64_t b = evaluateAffine(binary.getRHS(), dims, symbols);
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

/// The value of a scalar op from those of its operands.
int64_t numberOf(mlir::Operation &op, const std::vector<Cell> &operands) {
  if (auto constant = llvm::dyn_cast<mlir::arith::ConstantOp>(op)) {
    auto integer = llvm::dyn_cast<mlir::IntegerAttr>(constant.getValue());
    return integer ? integer.getInt() : 0;
  }
  if (llvm::isa<mlir::arith::AddIOp>(op))
    return operands[0].number + operands[1].number;
  if (llvm::isa<mlir::arith::SubIOp>(op))
    return operands[0].number - operands[1].number;
  if (llvm::isa<mlir::arith::MulIOp>(op))
    return operands[0].number * operands[1].number;
  if (llvm::isa<mlir::arith::RemUIOp>(op))
    return operands[0].number % operands[1].number;
  if (llvm::isa<mlir::arith::MinSIOp, mlir::arith::MinUIOp>(op))
    return std::min(operands[0].number, operands[1].number);
  if (llvm::isa<mlir::arith::MaxSIOp, mlir::arith::MaxUIOp>(op))
    return std::max(operands[0].number, operands[1].number);
  auto results = [&](mlir::AffineMap map) {
    Index dims, symbols, all;
    for (auto [i, cell] : llvm::enumerate(operands))
      (i < map.getNumDims() ? dims : symbols).push_back(cell.number);
    for (mlir::AffineExpr expr : map.getResults())
      all.push_back(evaluateAffine(expr, dims, symbols));
    return all;
  };
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    return results(apply.getAffineMap())[0];
  if (auto least = llvm::dyn_cast<mlir::affine::AffineMinOp>(op)) {
    const Index all = results(least.getMap());
    return *std::min_element(all.begin(), all.end());
  }
  if (auto most = llvm::dyn_cast<mlir::affine::AffineMaxOp>(op)) {
    const Index all = results(most.getMap());
    return *std::max_element(all.begin(), all.end());
  }
  return operands.empty() ? 0 : operands[0].number;
}

}  // namespace

Index sizesOf(mlir::Type type) {
  auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
  return shaped ? Index(shaped.getShape()) : Index();
}

std::vector<mlir::Value> leavesOf(mlir::Operation *op) {
  std::vector<mlir::Value> leaves(op->operand_begin(), op->operand_end());
  collect(op, op, leaves, leaves.size());
  return leaves;
}

Tensor leafTensor(mlir::Value value, int64_t leaf) {
  Tensor tensor(sizesOf(value.getType()));
  for (size_t i = 0; i < tensor.elements.size(); ++i)
    tensor.elements[i] = {{leaf, static_cast<int64_t>(i)}};
  return tensor;
}

Reads wholeLeaf(mlir::Value value, int64_t leaf) {
  Reads reads;
  for (int64_t i = 0; i < countOf(sizesOf(value.getType())); ++i)
    reads.push_back({leaf, i});
  return reads;
}

std::vector<Cell> runRegion(mlir::Region &region,
                            const std::vector<Cell> &arguments,
                            const Index &loops,
                            const std::vector<mlir::Value> &leaves,
                            const OperandValues &values) {
  llvm::DenseMap<mlir::Value, Cell> cells;
  for (auto [argument, cell] : llvm::zip(region.getArguments(), arguments))
    cells[argument] = cell;
  auto cellOf = [&](mlir::Value value) {
    if (auto found = cells.find(value); found != cells.end())
      return found->second;
    // Captured: behind the op's own operands.
    const size_t own = region.getParentOp()->getNumOperands();
    const size_t leaf =
        std::find(leaves.begin() + own, leaves.end(), value) - leaves.begin();
    Cell cell;
    cell.reads = wholeLeaf(value, leaf);
    if (!values[leaf].empty()) cell.number = values[leaf][0];
    return cell;
  };
  for (mlir::Operation &op : region.front()) {
    std::vector<Cell> operands;
    auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op);
    for (mlir::Value value : op.getOperands())
      operands.push_back(
          extract && value == extract.getTensor() ? Cell() : cellOf(value));
    if (op.hasTrait<mlir::OpTrait::IsTerminator>()) return operands;
    Cell cell;
    for (const Cell &operand : operands) unite(cell.reads, operand.reads);
    cell.number = numberOf(op, operands);
    if (auto index = llvm::dyn_cast<mlir::linalg::IndexOp>(op))
      cell.number = loops[index.getDim()];
    if (extract) {
      Index place;
      for (size_t k = 1; k < operands.size(); ++k)
        place.push_back(operands[k].number);
      const size_t own = region.getParentOp()->getNumOperands();
      const int64_t leaf =
          std::find(leaves.begin() + own, leaves.end(), extract.getTensor()) -
          leaves.begin();
      const int64_t element =
          rowMajor(sizesOf(extract.getTensor().getType()), place);
      cell.reads.push_back({leaf, element});
      cell.number = values[leaf].empty() ? 0 : values[leaf][element];
    }
    normalize(cell.reads);
    for (mlir::Value result : op.getResults()) cells[result] = cell;
  }
  llvm::errs() << "a region without a terminator\n";
  std::abort();
}

std::vector<Tensor> interpret(mlir::Operation *op,
                              const OperandValues &values) {
  const llvm::StringRef dialect = op->getName().getDialectNamespace();
  std::vector<Tensor> results =
      dialect == "tensor"   ? interpretTensor(op, values)
      : dialect == "linalg" ? interpretLinalg(op, values)
                            : interpretVector(op, values);
  for (Tensor &tensor : results)
    for (Reads &reads : tensor.elements) normalize(reads);
  return results;
}

}  // namespace indexical::testing
