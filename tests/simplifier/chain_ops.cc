// The ops of a chain: their maps, and what they do to an index.
#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "tests/oracle/tensor.h"
#include "tests/simplifier/chains.h"

namespace indexical::testing {
namespace {

using Kind = ChainOp::Kind;

std::string listOf(llvm::ArrayRef<int64_t> list) {
  return "[" +
         llvm::join(
             llvm::map_range(list, [](int64_t x) { return std::to_string(x); }),
             ",") +
         "]";
}

}  // namespace

ChainOp ChainOp::bitcast(Sizes from, Sizes fromOrder, Sizes to, Sizes toOrder) {
  assert(countOf(from) == countOf(to));
  ChainOp op;
  op.from = std::move(from), op.fromOrder = std::move(fromOrder);
  op.to = std::move(to), op.toOrder = std::move(toOrder);
  return op;
}

ChainOp ChainOp::reshape(Sizes from, Sizes to) {
  Sizes fromOrder = upTo(from.size()), toOrder = upTo(to.size());
  return bitcast(std::move(from), fromOrder, std::move(to), toOrder);
}

ChainOp ChainOp::transpose(Sizes from, Sizes order) {
  ChainOp op;
  op.kind = Kind::Transpose;
  for (int64_t k : order) op.to.push_back(from[k]);
  op.from = std::move(from), op.toOrder = std::move(order);
  return op;
}

ChainOp ChainOp::reverse(Sizes sizes, Sizes which) {
  ChainOp op;
  op.kind = Kind::Reverse;
  op.from = op.to = std::move(sizes), op.start = std::move(which);
  return op;
}

std::vector<Expr> ChainOp::addVariables(IndexingMapBuilder &b) const {
  std::vector<Expr> own;
  for (size_t k = 0; k < from.size(); ++k) {
    if (kind == Kind::Window && extent[k] > 1)
      own.push_back(b.range({0, extent[k] - 1}));
    if (kind != Kind::Dynamic || to[k] == from[k]) continue;
    RuntimeVariable start;
    start.bounds = {0, to[k] - from[k]};
    start.clamped = clamped;
    own.push_back(b.runtime(std::move(start)));
  }
  return own;
}

llvm::SmallVector<Expr, 6> ChainOp::apply(IndexingMapBuilder &b,
                                          llvm::ArrayRef<Expr> d,
                                          llvm::ArrayRef<Expr> own) const {
  llvm::SmallVector<Expr, 6> index(d);
  switch (kind) {
    case Kind::Bitcast: {
      Expr linear = b.constant(0);
      for (int64_t k : fromOrder) linear = linear * from[k] + d[k];
      int64_t stride = countOf(to);
      index.resize(to.size());
      for (int64_t k : toOrder) {
        // As XLA writes it: the rest of one size is what the next one divides.
        Expr rest = mod(linear, stride);
        stride /= to[k];
        index[k] = floorDiv(rest, stride);
        linear = rest;
      }
      break;
    }
    case Kind::Transpose:
      for (size_t k = 0; k < to.size(); ++k) index[k] = d[toOrder[k]];
      break;
    case Kind::Reverse:
      for (size_t k = 0; k < d.size(); ++k)
        if (start[k]) index[k] = b.constant(from[k] - 1) - d[k];
      break;
    case Kind::Slice:
      for (size_t k = 0; k < d.size(); ++k)
        index[k] = d[k] * step[k] + start[k];
      break;
    case Kind::Pad:
      for (size_t k = 0; k < d.size(); ++k) {
        const Expr inner = d[k] - start[k];
        index[k] = floorDiv(inner, step[k]);
        b.constraint(inner, {0, (to[k] - 1) * step[k]});
        if (step[k] > 1) b.constraint(mod(inner, step[k]), {0, 0});
      }
      break;
    case Kind::Drop:
      index.erase(index.begin() + axis);
      break;
    case Kind::Insert:
      index.insert(index.begin() + axis, b.constant(start[0]));
      break;
    case Kind::Dynamic:
      for (size_t k = 0; k < d.size(); ++k)
        if (to[k] != from[k])
          index[k] = d[k] + own.front(), own = own.drop_front();
      break;
    case Kind::Window:
      for (size_t k = 0; k < d.size(); ++k) {
        index[k] = d[k] * step[k] - start[k];
        if (extent[k] > 1)
          index[k] = index[k] + own.front(), own = own.drop_front();
        b.constraint(index[k], {0, to[k] - 1});
      }
      break;
  }
  return index;
}

IndexingMap ChainOp::map() const {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 6> d;
  for (int64_t size : from) d.push_back(b.dimension({0, size - 1}));
  for (Expr expression : apply(b, d, addVariables(b))) b.result(expression);
  return *b.build();
}

std::optional<Sizes> ChainOp::at(llvm::ArrayRef<int64_t> index) const {
  Sizes result(to.size(), 0);
  switch (kind) {
    case Kind::Bitcast: {
      int64_t linear = 0;
      for (int64_t k : fromOrder) linear = linear * from[k] + index[k];
      for (int64_t k : llvm::reverse(toOrder)) {
        result[k] = linear % to[k];
        linear /= to[k];
      }
      break;
    }
    case Kind::Transpose:
      for (size_t k = 0; k < to.size(); ++k) result[k] = index[toOrder[k]];
      break;
    case Kind::Reverse:
      for (size_t k = 0; k < to.size(); ++k)
        result[k] = start[k] ? from[k] - 1 - index[k] : index[k];
      break;
    case Kind::Slice:
      for (size_t k = 0; k < to.size(); ++k)
        result[k] = index[k] * step[k] + start[k];
      break;
    case Kind::Pad:
      for (size_t k = 0; k < to.size(); ++k) {
        const int64_t inner = index[k] - start[k];
        if (inner < 0 || inner % step[k] != 0 || inner / step[k] >= to[k])
          return std::nullopt;
        result[k] = inner / step[k];
      }
      break;
    case Kind::Drop:
      result.assign(index.begin(), index.end());
      result.erase(result.begin() + axis);
      break;
    case Kind::Insert:
      result.assign(index.begin(), index.end());
      result.insert(result.begin() + axis, start[0]);
      break;
    case Kind::Dynamic:
    case Kind::Window:
      assert(false && "it reads no single element");
      break;
  }
  return result;
}

ChainOp ChainOp::inverse() const {
  ChainOp op = *this;
  std::swap(op.from, op.to);
  switch (kind) {
    case Kind::Bitcast:
      std::swap(op.fromOrder, op.toOrder);
      break;
    case Kind::Transpose:
      for (size_t k = 0; k < to.size(); ++k) op.toOrder[toOrder[k]] = k;
      break;
    case Kind::Slice:
      op.kind = Kind::Pad;
      break;
    case Kind::Pad:
      op.kind = Kind::Slice;
      break;
    case Kind::Insert:
      op.kind = Kind::Drop;
      break;
    case Kind::Dynamic:
    case Kind::Window:
    case Kind::Reverse:
    case Kind::Drop:
      assert(kind == Kind::Reverse && "many indices read one element");
      break;
  }
  return op;
}

std::string ChainOp::str() const {
  static constexpr const char *kNames[] = {"bitcast", "transpose", "reverse",
                                           "slice",   "pad",       "drop",
                                           "insert",  "dynamic",   "window"};
  const bool isReshape = kind == Kind::Bitcast && llvm::is_sorted(fromOrder) &&
                         llvm::is_sorted(toOrder);
  std::string text = isReshape ? "reshape" : kNames[static_cast<int>(kind)];
  text += " " + listOf(from) + " -> " + listOf(to);
  if (isReshape) return text;
  if (kind == Kind::Bitcast) text += " from order " + listOf(fromOrder);
  if (!toOrder.empty()) text += " order " + listOf(toOrder);
  if (kind == Kind::Drop || kind == Kind::Insert)
    text += " axis " + std::to_string(axis);
  if (!start.empty() && kind != Kind::Drop)
    text += (kind == Kind::Reverse ? " axes " : " start ") + listOf(start);
  if (!step.empty()) text += " step " + listOf(step);
  if (clamped) text += " clamped";
  if (!extent.empty()) text += " extent " + listOf(extent);
  return text;
}

std::vector<ChainOp> undone(llvm::ArrayRef<ChainOp> ops) {
  std::vector<ChainOp> back;
  for (const ChainOp &op : llvm::reverse(ops)) back.push_back(op.inverse());
  return back;
}

std::optional<Sizes> at(llvm::ArrayRef<ChainOp> ops, Sizes index) {
  for (const ChainOp &op : ops) {
    auto next = op.at(index);
    if (!next) return std::nullopt;
    index = *std::move(next);
  }
  return index;
}

}  // namespace indexical::testing
