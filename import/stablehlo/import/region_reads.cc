#include "indexical/import/stablehlo/import/region_reads.h"

#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/SetVector.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/IR/Matchers.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/indexing/affine_map.h"
#include "indexical/indexing/bounds.h"
#include "indexical/ops/indices.h"

namespace indexical {
namespace {

/// Longer chains of index arithmetic are not followed.
constexpr int kMostDepth = 64;

bool isScalar(mlir::Type type) { return type.isIntOrIndexOrFloat(); }

Interval indicesOf(mlir::ShapedType type, int64_t k) {
  static_assert(mlir::ShapedType::kDynamic == kDynamicSize);
  return indexical::indicesOf(type.getDimSize(k));
}

/// Returns a result of the affine map as an expression of `access`. Operand i
/// of the map is operands[i].
std::optional<Expr> applied(mlir::AffineMap map, unsigned result,
                            Access &access, llvm::ArrayRef<Expr> operands) {
  IndexingMapBuilder builder;
  auto expr =
      fromAffineExpr(map.getResult(result), builder, map.getNumSymbols());
  if (!expr.ok() || builder.pool().overflowed()) return std::nullopt;
  auto put = [&](VariableId id) {
    const size_t i = id.kind == VariableKind::Dimension
                         ? id.index
                         : map.getNumDims() + id.index;
    return operands[i].form();
  };
  ExpressionImport import(builder.pool(), access.pool(), put);
  return Expr(&access.pool(), import(expr->form()));
}

/// The map of affine.apply, affine.min or affine.max, and how its results
/// become one.
struct AppliedMap {
  mlir::AffineMap map;
  Expr (*join)(Expr, Expr) = nullptr;
};

std::optional<AppliedMap> appliedMapOf(mlir::Operation *op) {
  if (auto apply = llvm::dyn_cast<mlir::affine::AffineApplyOp>(op))
    return AppliedMap{apply.getAffineMap(), min};
  if (auto least = llvm::dyn_cast<mlir::affine::AffineMinOp>(op))
    return AppliedMap{least.getMap(), min};
  if (auto most = llvm::dyn_cast<mlir::affine::AffineMaxOp>(op))
    return AppliedMap{most.getMap(), max};
  return std::nullopt;
}

/// Whether the expression is 0 or more for all values of runtime variables.
/// Loops are, for they go over indices.
bool isNeverNegative(Access &access, Expr expression) {
  FormBounds bounds(access.pool(), [](VariableId id) {
    return id.kind == VariableKind::Range ? Interval{0, Interval::kInfinity}
                                          : Interval::all();
  });
  return bounds(expression.form()).lower >= 0;
}

}  // namespace

llvm::SmallVector<mlir::Value, 4> capturedValues(mlir::Operation *op) {
  llvm::SetVector<mlir::Value> values;
  for (mlir::Region &region : op->getRegions())
    region.walk<mlir::WalkOrder::PreOrder>([&](mlir::Operation *inner) {
      for (mlir::Value value : inner->getOperands())
        if (!op->isAncestor(value.getParentRegion()->getParentOp()))
          values.insert(value);
    });
  return llvm::SmallVector<mlir::Value, 4>(values.begin(), values.end());
}

RegionReads::RegionReads(mlir::Operation *op, mlir::Region &region)
    : region_(region) {
  int64_t leaf = op->getNumOperands();
  for (mlir::Value value : capturedValues(op)) {
    auto shape = shapeOf(value.getType());
    captured_[value] = leaf;
    leaf += shape.ok() ? shape->leafCount() : 1;
  }
}

bool RegionReads::isInside(mlir::Value value) const {
  return region_.isAncestor(value.getParentRegion());
}

llvm::SmallVector<RegionRead, 4> RegionReads::of(mlir::Value value) const {
  llvm::SmallVector<RegionRead, 4> reads;
  llvm::DenseSet<mlir::Value> seen;
  llvm::DenseSet<mlir::Operation *> extracts;
  llvm::SmallVector<mlir::Value, 8> work = {value};
  while (!work.empty()) {
    const mlir::Value next = work.pop_back_val();
    if (!seen.insert(next).second) continue;
    if (!isInside(next)) {
      auto found = captured_.find(next);
      RegionRead read;
      read.kind = RegionRead::Kind::Captured;
      read.number = found->second;
      read.exact = isScalar(next.getType());
      reads.push_back(read);
      continue;
    }
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(next)) {
      if (argument.getOwner() == &region_.front()) {
        RegionRead read;
        read.number = argument.getArgNumber();
        reads.push_back(read);
      } else {  // of a region inside: what its op reads
        mlir::Operation *parent = argument.getOwner()->getParentOp();
        llvm::append_range(work, parent->getOperands());
      }
      continue;
    }
    mlir::Operation *op = next.getDefiningOp();
    if (llvm::isa<mlir::tensor::DimOp>(op)) {
      work.push_back(op->getOperand(1));
      continue;
    }
    if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op);
        extract && !isInside(extract.getTensor())) {
      if (extracts.insert(op).second) {
        RegionRead read;
        read.kind = RegionRead::Kind::Captured;
        read.number = captured_.find(extract.getTensor())->second;
        read.extract = op;
        reads.push_back(read);
      }
      llvm::append_range(work, extract.getIndices());
      continue;
    }
    llvm::append_range(work, op->getOperands());
    // All results of an op are taken to depend on everything that its regions
    // use.
    for (mlir::Region &nested : op->getRegions())
      nested.walk([&](mlir::Operation *inner) {
        llvm::append_range(work, inner->getOperands());
      });
  }
  return reads;
}

std::optional<Expr> RegionReads::valueOf(mlir::Value value, Access &access,
                                         const Argument &argument,
                                         const Loop &loop, Interval bounds,
                                         int depth) const {
  if (depth > kMostDepth) return std::nullopt;
  llvm::APInt number;
  if (mlir::matchPattern(value, mlir::m_ConstantInt(&number))) {
    if (number.getSignificantBits() > 63) return std::nullopt;
    return access.constant(number.getSExtValue());
  }
  if (!isInside(value)) {
    auto found = captured_.find(value);
    if (found == captured_.end() || !value.getType().isIntOrIndex())
      return std::nullopt;
    return access.element(bounds, found->second, {});
  }
  if (auto block = llvm::dyn_cast<mlir::BlockArgument>(value)) {
    if (block.getOwner() != &region_.front()) return std::nullopt;
    return argument(access, block.getArgNumber(), bounds);
  }
  mlir::Operation *op = value.getDefiningOp();
  auto operand = [&](unsigned i, Interval within) {
    return valueOf(op->getOperand(i), access, argument, loop, within,
                   depth + 1);
  };
  if (auto index = llvm::dyn_cast<mlir::linalg::IndexOp>(op)) {
    if (op->getParentRegion() != &region_) return std::nullopt;
    return loop(access, index.getDim());
  }
  // A signed conversion to a wider type, or to an index, keeps the value; but
  // an i1 that holds, which is 1 as an element, is -1 there.
  if (llvm::isa<mlir::arith::ExtSIOp>(op) ||
      (llvm::isa<mlir::arith::IndexCastOp>(op) && value.getType().isIndex())) {
    if (op->getOperand(0).getType().isInteger(1)) return std::nullopt;
    return operand(0, bounds);
  }
  if (auto extract = llvm::dyn_cast<mlir::tensor::ExtractOp>(op)) {
    if (isInside(extract.getTensor()) || !value.getType().isIntOrIndex())
      return std::nullopt;
    auto index = indexOf(op, access, argument, loop);
    if (!index) return std::nullopt;
    // If a runtime variable is in its bounds, so is the index of its source: an
    // index that is one runtime variable has the tensor's indices as its
    // bounds.
    auto type = llvm::cast<mlir::ShapedType>(extract.getTensor().getType());
    for (auto [k, e] : llvm::enumerate(*index)) {
      bool runtime = false;
      access.pool().visitVariables({e.form()}, [&](VariableId id) {
        runtime |= id.kind == VariableKind::Runtime;
      });
      if (runtime && access.pool().asVariable(e.form())) continue;
      if (runtime) return std::nullopt;
      access.constraint(e, indicesOf(type, k));
    }
    const int64_t leaf = captured_.find(extract.getTensor())->second;
    return access.element(bounds, leaf, *index);
  }
  // What is least or greatest wraps around nowhere.
  const bool isLeast =
      llvm::isa<mlir::arith::MinSIOp, mlir::arith::MinUIOp>(op);
  if (isLeast || llvm::isa<mlir::arith::MaxSIOp, mlir::arith::MaxUIOp>(op)) {
    if (!value.getType().isIntOrIndex() || value.getType().isInteger(1))
      return std::nullopt;
    auto a = operand(0, Interval::all()), b = operand(1, Interval::all());
    if (!a || !b) return std::nullopt;
    const bool isSigned =
        llvm::isa<mlir::arith::MinSIOp, mlir::arith::MaxSIOp>(op);
    if (!isSigned &&
        (!isNeverNegative(access, *a) || !isNeverNegative(access, *b)))
      return std::nullopt;
    return isLeast ? min(*a, *b) : max(*a, *b);
  }
  // Narrower integers wrap around.
  if (!value.getType().isIndex()) return std::nullopt;
  if (const auto map = appliedMapOf(op)) {
    llvm::SmallVector<Expr, 4> operands;
    for (unsigned i = 0; i < op->getNumOperands(); ++i) {
      auto e = operand(i, Interval::all());
      if (!e) return std::nullopt;
      operands.push_back(*e);
    }
    std::optional<Expr> all;
    for (unsigned r = 0; r < map->map.getNumResults(); ++r) {
      const auto one = applied(map->map, r, access, operands);
      if (!one) return std::nullopt;
      all = all ? map->join(*all, *one) : *one;
    }
    return all;
  }
  if (!llvm::isa<mlir::arith::AddIOp, mlir::arith::SubIOp, mlir::arith::MulIOp>(
          op))
    return std::nullopt;
  auto a = operand(0, Interval::all()), b = operand(1, Interval::all());
  if (!a || !b) return std::nullopt;
  if (llvm::isa<mlir::arith::AddIOp>(op)) return *a + *b;
  if (llvm::isa<mlir::arith::SubIOp>(op)) return *a - *b;
  return access.product(*a, *b);
}

std::optional<Access::Exprs> RegionReads::indexOf(mlir::Operation *extract,
                                                  Access &access,
                                                  const Argument &argument,
                                                  const Loop &loop) const {
  auto op = llvm::cast<mlir::tensor::ExtractOp>(extract);
  auto type = llvm::cast<mlir::ShapedType>(op.getTensor().getType());
  Access::Exprs index;
  for (auto [k, value] : llvm::enumerate(op.getIndices())) {
    auto e = valueOf(value, access, argument, loop, indicesOf(type, k), 0);
    if (!e) return std::nullopt;
    index.push_back(*e);
  }
  return index;
}

void RegionReads::addCaptured(AccessList &list, const RegionRead &read,
                              const ArrayShape &leaf,
                              const std::function<void(Access &)> &begin,
                              const Argument &argument,
                              const Loop &loop) const {
  bool followed = true;
  if (read.extract) {
    Access probe;
    begin(probe);
    followed = indexOf(read.extract, probe, argument, loop).has_value() &&
               !probe.pool().overflowed();
  }
  Access &access = list.add();
  begin(access);
  if (read.extract && followed)
    access.operand = *indexOf(read.extract, access, argument, loop);
  else
    access.operand = access.loopsOver(leaf);
  if (!read.exact || !followed) list.weaken(Precision::Cover);
}

}  // namespace indexical
