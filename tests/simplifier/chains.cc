#include "tests/simplifier/chains.h"

#include <algorithm>
#include <cassert>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::testing {
namespace {

using Kind = ChainOp::Kind;

Sizes upTo(int64_t rank) {
  Sizes order;
  for (int64_t k = 0; k < rank; ++k) order.push_back(k);
  return order;
}

int64_t countOf(llvm::ArrayRef<int64_t> sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

std::string listOf(llvm::ArrayRef<int64_t> list) {
  return "[" +
         llvm::join(
             llvm::map_range(list, [](int64_t x) { return std::to_string(x); }),
             ",") +
         "]";
}

}  // namespace

//===-- Ops ---------------------------------------------------------------===//

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

int64_t writtenSize(const IndexingMap &map) {
  int64_t size = 0;
  for (FormId form : map.results()) size += map.expressions().writtenSize(form);
  for (const Constraint &c : map.constraints())
    size += map.expressions().writtenSize(c.form);
  return size;
}

llvm::StringRef handoverName(Handover handover) {
  static constexpr const char *kNames[] = {"forms", "forms as text", "raw",
                                           "raw as text"};
  return kNames[static_cast<int>(handover)];
}

absl::StatusOr<IndexingMap> composedInTurn(llvm::ArrayRef<ChainOp> ops,
                                           Handover handover) {
  const bool isRaw =
      handover == Handover::Raw || handover == Handover::RawAsText;
  const bool asText =
      handover == Handover::FormsAsText || handover == Handover::RawAsText;
  absl::StatusOr<IndexingMap> map;
  for (size_t i = 0; i < ops.size(); ++i) {
    IndexingMap step = ops[i].map();
    if (i == 0 || !isRaw) {
      auto simple = simplify(step);
      if (!simple.ok()) return simple;
      step = *std::move(simple);
    }
    map = i == 0 ? std::move(step) : compose(*map, step);
    if (map.ok() && asText) {
      if (writtenSize(*map) > kMostWritten)
        return absl::ResourceExhaustedError("a text too long");
      map = parseMap(map->strOneLine());
    }
    if (!map.ok()) return map;
  }
  return map;
}

//===-- Families ----------------------------------------------------------===//

llvm::StringRef familyName(ChainFamily family) {
  static constexpr const char *kNames[] = {"reshapes", "bitcasts", "transposes",
                                           "reverses", "slices",   "pads"};
  return kNames[static_cast<int>(family)];
}

namespace {

const int64_t kCounts[] = {384,   720,    1024,   11520,     30030,    32768,
                           46189, 302400, 510510, 7919 * 64, 4096 * 81};
const int64_t kSmallCounts[] = {12, 16, 24, 30, 36, 48, 60, 72};
// The sizes of tensors that slices make larger, as the prototype has them.
const int64_t kSlicedCounts[] = {24, 48, 60, 64, 72, 96, 120, 384, 720};
constexpr int64_t kMostSliced = 1'000'000;

template <size_t n>
int64_t pick(Random &random, const int64_t (&list)[n]) {
  return list[random.in(0, n - 1)];
}

llvm::SmallVector<int64_t, 16> primeFactors(int64_t count) {
  llvm::SmallVector<int64_t, 16> factors;
  for (int64_t p = 2; p * p <= count; ++p)
    for (; count % p == 0; count /= p) factors.push_back(p);
  if (count > 1) factors.push_back(count);
  return factors;
}

Sizes which(Random &random, size_t rank, int percent) {
  Sizes flags;
  for (size_t k = 0; k < rank; ++k)
    flags.push_back(random.in(1, 100) <= percent);
  return flags;
}

/// Returns reshapes, each with a transpose and a reverse behind it if the
/// family has them.
Chain reshapes(ChainFamily family, int64_t length, Random &random,
               const ChainOptions &options) {
  const int64_t count =
      options.small ? pick(random, kSmallCounts) : pick(random, kCounts);
  Chain chain;
  const Sizes first = randomSizes(random, count, options.mostRank);
  Sizes from = first;
  for (int64_t i = 0; i < length; ++i) {
    Sizes to = randomSizes(random, count, options.mostRank);
    chain.ops.push_back(ChainOp::reshape(from, to));
    if (family != ChainFamily::Reshapes)
      chain.ops.push_back(
          ChainOp::transpose(to, random.permutation(to.size())));
    from = chain.ops.back().to;
    if (family == ChainFamily::Reverses)
      chain.ops.push_back(
          ChainOp::reverse(from, which(random, from.size(), 30)));
  }
  if (family == ChainFamily::Reshapes)
    chain.direct = ChainOp::reshape(first, from).map();
  return chain;
}

/// Axes made of atoms, which are never cut.
struct AtomicShape {
  llvm::ArrayRef<int64_t> atomSizes;
  std::vector<llvm::SmallVector<int64_t, 8>> axes;  ///< major atoms first

  Sizes sizes() const {
    Sizes sizes;
    for (const auto &axis : axes) {
      sizes.push_back(1);
      for (int64_t atom : axis) sizes.back() *= atomSizes[atom];
    }
    return sizes;
  }

  void regroup(llvm::ArrayRef<int64_t> atoms, Random &random,
               int64_t mostRank) {
    axes.assign(random.in(1, mostRank), {});
    llvm::SmallVector<int64_t, 8> cuts;
    for (size_t k = 1; k < axes.size(); ++k)
      cuts.push_back(random.in(0, atoms.size()));
    llvm::sort(cuts);
    cuts.insert(cuts.begin(), 0);
    cuts.push_back(atoms.size());
    for (size_t k = 0; k < axes.size(); ++k)
      axes[k].assign(atoms.begin() + cuts[k], atoms.begin() + cuts[k + 1]);
  }

  void permute(llvm::ArrayRef<int64_t> order) {
    auto old = axes;
    for (size_t k = 0; k < order.size(); ++k) axes[k] = old[order[k]];
  }
};

/// Each axis of `to` as the digits that its atoms are of the axes of `from`.
IndexingMap directOf(const AtomicShape &from, const AtomicShape &to) {
  IndexingMapBuilder b;
  llvm::SmallVector<Expr, 16> digits(from.atomSizes.size());
  const Sizes sizes = from.sizes();
  for (size_t k = 0; k < sizes.size(); ++k) {
    const Expr d = b.dimension({0, sizes[k] - 1});
    int64_t stride = 1;
    for (int64_t atom : llvm::reverse(from.axes[k])) {
      digits[atom] = mod(floorDiv(d, stride), from.atomSizes[atom]);
      stride *= from.atomSizes[atom];
    }
  }
  for (const auto &axis : to.axes) {
    Expr linear = b.constant(0);
    for (int64_t atom : axis)
      linear = linear * from.atomSizes[atom] + digits[atom];
    b.result(linear);
  }
  return *b.build();
}

Chain bitcasts(int64_t length, Random &random, const ChainOptions &options) {
  // Some prime factors stay together: one atom.
  llvm::SmallVector<int64_t, 16> sizes;
  for (int64_t p : primeFactors(options.small ? pick(random, kSmallCounts)
                                              : pick(random, kCounts)))
    if (sizes.empty() || !random.oneIn(4))
      sizes.push_back(p);
    else
      sizes[random.in(0, sizes.size() - 1)] *= p;
  AtomicShape shape{sizes, {}};
  llvm::SmallVector<int64_t, 16> atoms;
  for (int64_t k : random.permutation(sizes.size())) atoms.push_back(k);
  shape.regroup(atoms, random, options.mostRank);
  const AtomicShape first = shape;
  Chain chain;
  for (int64_t i = 0; i < length; ++i) {
    const Sizes from = shape.sizes();
    if (random.oneIn(3)) {
      const Sizes order = random.permutation(from.size());
      shape.permute(order);
      chain.ops.push_back(ChainOp::transpose(from, order));
      continue;
    }
    const bool plain = random.oneIn(3);  // a reshape
    const Sizes fromOrder =
        plain ? upTo(from.size()) : Sizes(random.permutation(from.size()));
    atoms.clear();
    for (int64_t k : fromOrder)
      atoms.append(shape.axes[k].begin(), shape.axes[k].end());
    shape.regroup(atoms, random, options.mostRank);
    // The axes as they follow in memory get their numbers.
    Sizes toOrder = upTo(shape.axes.size());
    if (!plain) {
      const Sizes place = random.permutation(shape.axes.size());
      shape.permute(place);
      for (size_t k = 0; k < place.size(); ++k) toOrder[place[k]] = k;
    }
    chain.ops.push_back(
        ChainOp::bitcast(from, fromOrder, shape.sizes(), toOrder));
  }
  chain.direct = directOf(first, shape);
  return chain;
}

//===-- Chains that lose and gain elements --------------------------------===//

ChainOp slice(const Sizes &from, Random &random) {
  ChainOp op;
  op.kind = Kind::Slice;
  op.from = from;
  for (int64_t size : from) {
    op.step.push_back(random.oneIn(2) ? 1 : random.in(2, 3));
    op.start.push_back(random.oneIn(2) ? 0 : random.in(1, 2));
    op.to.push_back(op.start.back() + op.step.back() * (size - 1) + 1 +
                    random.oneIn(3));
  }
  return op;
}

ChainOp pad(const Sizes &from, Random &random) {
  ChainOp op;
  op.kind = Kind::Pad;
  op.from = from;
  for (int64_t size : from) {
    const int64_t low = random.oneIn(2) ? 0 : random.in(0, (size - 1) / 2);
    const int64_t high = random.oneIn(2) ? 0 : random.in(0, (size - 1 - low));
    op.start.push_back(std::min<int64_t>(low, 2));
    op.step.push_back(random.oneIn(2) ? 1 : random.in(1, 3));
    op.to.push_back(1 +
                    (size - 1 - op.start.back() - std::min<int64_t>(high, 2)) /
                        op.step.back());
  }
  return op;
}

/// Returns the op of one operand of a concatenation: a part of one axis.
ChainOp piece(const Sizes &from, Random &random) {
  ChainOp op;
  op.kind = Kind::Pad;
  op.from = op.to = from;
  op.start.assign(from.size(), 0), op.step.assign(from.size(), 1);
  const size_t axis = random.in(0, from.size() - 1);
  op.to[axis] = random.in((from[axis] + 1) / 2, from[axis]);
  op.start[axis] = random.in(0, from[axis] - op.to[axis]);
  return op;
}

ChainOp dropped(const Sizes &from, int64_t axis) {
  ChainOp op;
  op.kind = Kind::Drop;
  op.from = op.to = from;
  op.axis = axis;
  op.to.erase(op.to.begin() + axis);
  return op;
}

ChainOp inserted(const Sizes &from, Random &random) {
  ChainOp op;
  op.kind = Kind::Insert;
  op.from = op.to = from;
  op.axis = random.in(0, from.size());
  const int64_t size = random.in(1, 6);
  op.to.insert(op.to.begin() + op.axis, size);
  op.start = {random.in(0, size - 1)};
  return op;
}

ChainOp randomOp(ChainFamily family, const Sizes &from, Random &random,
                 const ChainOptions &options) {
  const int64_t rank = from.size(),
                mostRank = std::min<int64_t>(4, options.mostRank);
  while (true) switch (random.in(0, family == ChainFamily::Pads ? 8 : 5)) {
      case 0:
      case 1:
        return ChainOp::reshape(from,
                                randomSizes(random, countOf(from), mostRank));
      case 2:
        return ChainOp::transpose(from, random.permutation(rank));
      case 3:
        return ChainOp::reverse(from, which(random, rank, 40));
      case 4:
        if (countOf(from) > kMostSliced) break;
        return slice(from, random);
      case 5:
        if (options.invertible || rank < 2) break;
        return dropped(from, random.in(0, rank - 1));
      case 6:
        return pad(from, random);
      case 7:
        return piece(from, random);
      default:
        if (rank >= options.mostRank || countOf(from) > kMostSliced) break;
        return inserted(from, random);
    }
}

}  // namespace

Sizes randomSizes(Random &random, int64_t count, int64_t mostRank) {
  Sizes sizes(random.in(1, mostRank), 1);
  for (int64_t p : primeFactors(count))
    sizes[random.in(0, sizes.size() - 1)] *= p;
  return sizes;
}

Chain randomChain(ChainFamily family, int64_t length, Random &random,
                  const ChainOptions &options) {
  if (family == ChainFamily::Bitcasts) return bitcasts(length, random, options);
  if (family != ChainFamily::Slices && family != ChainFamily::Pads)
    return reshapes(family, length, random, options);
  Chain chain;
  Sizes from = randomSizes(
      random,
      options.small ? pick(random, kSmallCounts) : pick(random, kSlicedCounts),
      std::min<int64_t>(4, options.mostRank));
  for (int64_t i = 0; i < length; ++i) {
    chain.ops.push_back(randomOp(family, from, random, options));
    from = chain.ops.back().to;
  }
  return chain;
}

}  // namespace indexical::testing
