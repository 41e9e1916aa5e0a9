// Values that take elements of others from other places.
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/APFloat.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/quiet_ops.h"
#include "indexical/import/triton/stored_values.h"
#include "indexical/import/triton/value_ops.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::triton {

using kernels::KernelValue;
using llvm::StringRef;
using mlir::Operation;
using Kind = KernelValue::Kind;

std::optional<IndexingMap> StoredValues::placed(
    const KernelValue &value,
    llvm::function_ref<void(IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                            llvm::SmallVectorImpl<Expr> &)>
        source) const {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> outer, tile, inner;
  for (int64_t size : programs_.grid)
    outer.push_back(b.dimension({0, size - 1}));
  for (const auto &loop : value.loops)
    outer.push_back(b.dimension({0, loop.count - 1}));
  for (int64_t size : value.tile) tile.push_back(b.dimension({0, size - 1}));
  source(b, tile, inner);
  for (Expr each : outer) b.result(each);
  for (Expr each : inner) b.result(each);
  auto map = b.build();
  if (map.ok()) map = simplify(*map);
  if (!map.ok()) return std::nullopt;
  return *std::move(map);
}

KernelValue StoredValues::moved(KernelValue value, mlir::OpResult result) {
  Operation &op = *result.getOwner();
  const StringRef name = op.getName().getStringRef().split('.').second;
  auto fail = [&] {
    return unknown(value, absl::StrCat("line ", value.line, ": what `",
                                       op.getName().getStringRef().str(),
                                       "` computes is not followed"));
  };
  if (op.getNumOperands() == 0) return fail();
  const auto from = shapeOf(op.getOperand(0).getType());
  using Exprs = llvm::SmallVectorImpl<Expr>;
  std::optional<IndexingMap> map;
  auto place = [&](llvm::function_ref<void(IndexingMapBuilder &,
                                           llvm::ArrayRef<Expr>, Exprs &)>
                       source) { map = placed(value, source); };
  if (name == "local_load") {
    value.kind = Kind::Move;
    value.operands = {heldBy(op.getOperand(0), &op)};
    const auto same =
        placed(value, [](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                         Exprs &to) { to.append(tile.begin(), tile.end()); });
    if (!same) return fail();
    value.maps = {{0, *same}};
    return value;
  }
  if (changesLayout(op.getName().getStringRef())) {
    if (from != shapeOf(result.getType())) return fail();
    place([](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.append(tile.begin(), tile.end());
    });
  } else if (name == "splat" || name == "unsplat") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr>, Exprs &to) {
      to.append(from.size(), b.constant(0));
    });
  } else if (name == "expand_dims") {
    const auto axis = integerOf(op.getAttr("axis"));
    if (!axis) return fail();
    place([&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      for (size_t k = 0; k < tile.size(); ++k)
        if (static_cast<int64_t>(k) != *axis) to.push_back(tile[k]);
    });
  } else if (name == "broadcast") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      for (size_t k = 0; k < from.size(); ++k)
        to.push_back(from[k] == 1 ? b.constant(0) : tile[k]);
    });
  } else if (name == "trans") {
    const auto order = op.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    const size_t rank = from.size();
    if (rank == 0 || value.tile.size() != rank) return fail();
    place([&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.assign(tile.begin(), tile.end());
      for (size_t k = 0; k < rank; ++k)
        to[order ? order.asArrayRef()[k] : rank - 1 - k] = tile[k];
    });
  } else if (name == "reshape") {
    const auto reorders = op.getAttrOfType<mlir::BoolAttr>("allow_reorder");
    if (reorders ? reorders.getValue() : op.hasAttr("allow_reorder"))
      return fail();
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      Expr at = b.constant(0);
      for (size_t k = 0; k < tile.size(); ++k)
        at = at * value.tile[k] + tile[k];
      to.append(from.size(), b.constant(0));
      int64_t below = 1;
      for (size_t k = from.size(); k-- > 0; below *= from[k])
        to[k] = mod(floorDiv(at, below), from[k]);
    });
  } else if (name == "split") {
    place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
      to.append(tile.begin(), tile.end());
      to.push_back(b.constant(result.getResultNumber()));
    });
  } else if (name == "join" && op.getNumOperands() == 2) {
    value.kind = Kind::Move;
    for (int64_t side : {0, 1}) {
      place([&](IndexingMapBuilder &b, llvm::ArrayRef<Expr> tile, Exprs &to) {
        to.append(tile.begin(), tile.end() - 1);
        b.constraint(tile.back(), Interval::point(side));
      });
      if (!map) return fail();
      value.operands.push_back(of(op.getOperand(side)));
      value.maps.push_back({side, *map});
    }
    return value;
  }
  if (!map) return fail();
  value.kind = Kind::Move;
  value.operands = {of(op.getOperand(0))};
  value.maps = {{0, *map}};
  return value;
}

int64_t StoredValues::spread(const KernelValue &value, int64_t number) {
  const KernelValue &scalar = values_[number];
  if (value.tile.empty() || !scalar.tile.empty() ||
      scalar.kind == Kind::Unknown)
    return number;
  KernelValue move = value;
  move.type = scalar.type;
  const auto map = placed(value, [](IndexingMapBuilder &, llvm::ArrayRef<Expr>,
                                    llvm::SmallVectorImpl<Expr> &) {});
  if (!map) return number;
  move.kind = Kind::Move;
  move.text.clear();
  move.operands = {number};
  move.maps = {{0, *map}};
  return add(std::move(move));
}

KernelValue StoredValues::turnedAround(const KernelValue &value, int64_t number,
                                       int64_t axis) {
  KernelValue move = value;
  const auto map =
      placed(value, [&](IndexingMapBuilder &, llvm::ArrayRef<Expr> tile,
                        llvm::SmallVectorImpl<Expr> &to) {
        to.append(tile.begin(), tile.end());
        to[axis] = -tile[axis] + (value.tile[axis] - 1);
      });
  if (!map) return unknown(move, "a scan is not followed");
  move.kind = Kind::Move;
  move.operands = {number};
  move.maps = {{0, *map}};
  return move;
}

}  // namespace indexical::triton
