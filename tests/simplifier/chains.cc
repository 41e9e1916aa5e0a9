#include "tests/simplifier/chains.h"

#include <algorithm>
#include <limits>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

llvm::StringRef familyName(ChainFamily family) {
  static constexpr const char *kNames[] = {"reshapes", "bitcasts", "transposes",
                                           "reverses", "slices",   "pads",
                                           "mixtures"};
  return kNames[static_cast<int>(family)];
}

namespace {

using Kind = ChainOp::Kind;

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

ChainOp opOf(Kind kind, const Sizes &from) {
  ChainOp op;
  op.kind = kind;
  op.from = op.to = from;
  return op;
}

ChainOp slice(const Sizes &from, Random &random) {
  ChainOp op = opOf(Kind::Slice, from);
  for (int64_t &size : op.to) {
    op.step.push_back(random.oneIn(2) ? 1 : random.in(2, 3));
    op.start.push_back(random.oneIn(2) ? 0 : random.in(1, 2));
    size = op.start.back() + op.step.back() * (size - 1) + 1 + random.oneIn(3);
  }
  return op;
}

ChainOp pad(const Sizes &from, Random &random) {
  ChainOp op = opOf(Kind::Pad, from);
  for (int64_t &size : op.to) {
    const int64_t low = random.oneIn(2) ? 0 : random.in(0, (size - 1) / 2);
    const int64_t high = random.oneIn(2) ? 0 : random.in(0, (size - 1 - low));
    op.start.push_back(std::min<int64_t>(low, 2));
    op.step.push_back(random.oneIn(2) ? 1 : random.in(1, 3));
    size = 1 + (size - 1 - op.start.back() - std::min<int64_t>(high, 2)) /
                   op.step.back();
  }
  return op;
}

/// Returns the op of one operand of a concatenation: a part of one axis.
ChainOp piece(const Sizes &from, Random &random) {
  ChainOp op = opOf(Kind::Pad, from);
  op.start.assign(from.size(), 0), op.step.assign(from.size(), 1);
  const size_t axis = random.in(0, from.size() - 1);
  op.to[axis] = random.in((from[axis] + 1) / 2, from[axis]);
  op.start[axis] = random.in(0, from[axis] - op.to[axis]);
  return op;
}

ChainOp dropped(const Sizes &from, int64_t axis) {
  ChainOp op = opOf(Kind::Drop, from);
  op.axis = axis;
  op.to.erase(op.to.begin() + axis);
  return op;
}

ChainOp inserted(const Sizes &from, Random &random) {
  ChainOp op = opOf(Kind::Insert, from);
  op.axis = random.in(0, from.size());
  const int64_t size = random.in(1, 6);
  op.to.insert(op.to.begin() + op.axis, size);
  op.start = {random.in(0, size - 1)};
  return op;
}

ChainOp dynamicSlice(const Sizes &from, Random &random, bool clamped) {
  ChainOp op = opOf(Kind::Dynamic, from);
  op.clamped = clamped;
  for (int64_t &size : op.to)
    if (random.oneIn(2)) size += random.in(1, 3);
  return op;
}

ChainOp window(const Sizes &from, Random &random) {
  ChainOp op = opOf(Kind::Window, from);
  for (int64_t &size : op.to) {
    op.extent.push_back(random.oneIn(2) ? 1 : random.in(2, 3));
    op.step.push_back(random.oneIn(2) ? 1 : random.in(1, 3));
    const int64_t low =
        random.oneIn(3) ? random.in(0, op.extent.back() - 1) : 0;
    const int64_t high =
        random.oneIn(3) ? random.in(0, op.extent.back() - 1) : 0;
    op.start.push_back(low);
    size = std::max<int64_t>(
        1, (size - 1) * op.step.back() + op.extent.back() - low - high);
  }
  return op;
}

/// Neighbours multiplied, an axis cut in two.
Sizes regrouped(const Sizes &from, Random &random) {
  Sizes to;
  for (int64_t size : from)
    if (!to.empty() && random.oneIn(2))
      to.back() *= size;
    else
      to.push_back(size);
  const size_t k = random.in(0, to.size() - 1);
  const int64_t part = random.in(1, to[k]);
  if (to[k] % part == 0) {
    to[k] /= part;
    to.insert(to.begin() + k + 1, part);
  }
  return to;
}

/// The knobs that all ops of one chain share.
struct Knobs {
  int64_t lastKind = 0;  ///< of the list in randomOp
  int64_t mostRank = 0;
  int64_t mostElements = std::numeric_limits<int64_t>::max();
  bool regroups = false;  ///< reshapes keep most of the axes
  bool clamped = false;   ///< the runtime variables
};

Knobs knobsOf(ChainFamily family, Random &random, const ChainOptions &options) {
  if (family != ChainFamily::Mixtures)
    return {family == ChainFamily::Pads ? 8 : 5, options.mostRank};
  return {options.variables ? 10 : 8, 5, options.small ? 300 : 20'000,
          /*regroups=*/true, /*clamped=*/random.oneIn(2)};
}

std::optional<ChainOp> candidate(const Knobs &knobs, const Sizes &from,
                                 Random &random, const ChainOptions &options) {
  const int64_t rank = from.size(),
                mostRank = std::min<int64_t>(4, knobs.mostRank);
  switch (random.in(0, knobs.lastKind)) {
    case 0:
    case 1:
      if (knobs.regroups && random.oneIn(2))
        return ChainOp::reshape(from, regrouped(from, random));
      return ChainOp::reshape(from,
                              randomSizes(random, countOf(from), mostRank));
    case 2:
      return ChainOp::transpose(from, random.permutation(rank));
    case 3:
      return ChainOp::reverse(from, which(random, rank, 40));
    case 4:
      if (countOf(from) > kMostSliced) return std::nullopt;
      return slice(from, random);
    case 5:
      if (options.invertible || rank < 2) return std::nullopt;
      return dropped(from, random.in(0, rank - 1));
    case 6:
      return pad(from, random);
    case 7:
      return piece(from, random);
    case 8:
      if (rank >= knobs.mostRank || countOf(from) > kMostSliced)
        return std::nullopt;
      return inserted(from, random);
    case 9:
      return dynamicSlice(from, random, knobs.clamped);
    default:
      return window(from, random);
  }
}

/// Sizes from 1 to 6, and some larger.
Sizes mixedSizes(Random &random, const ChainOptions &options) {
  Sizes sizes(random.in(1, options.small ? 3 : 4), 1);
  for (int64_t &size : sizes)
    size = !options.small && random.oneIn(10)
               ? random.in(7, 64)
               : random.in(1, options.small ? 4 : 6);
  return sizes;
}

Sizes firstSizes(ChainFamily family, Random &random,
                 const ChainOptions &options) {
  if (family == ChainFamily::Mixtures) return mixedSizes(random, options);
  return randomSizes(
      random,
      options.small ? pick(random, kSmallCounts) : pick(random, kSlicedCounts),
      std::min<int64_t>(4, options.mostRank));
}

Chain mixed(ChainFamily family, int64_t length, Random &random,
            const ChainOptions &options) {
  const Knobs knobs = knobsOf(family, random, options);
  Chain chain;
  Sizes from = firstSizes(family, random, options);
  while (static_cast<int64_t>(chain.ops.size()) < length) {
    auto op = candidate(knobs, from, random, options);
    // A reshape that regroups may have one axis more.
    if (!op || countOf(op->to) > std::max(knobs.mostElements, countOf(from)) ||
        (knobs.regroups &&
         static_cast<int64_t>(op->to.size()) > knobs.mostRank))
      continue;
    from = op->to;
    chain.ops.push_back(*std::move(op));
  }
  return chain;
}

}  // namespace

Sizes upTo(int64_t rank) {
  Sizes order;
  for (int64_t k = 0; k < rank; ++k) order.push_back(k);
  return order;
}

Sizes randomSizes(Random &random, int64_t count, int64_t mostRank) {
  Sizes sizes(random.in(1, mostRank), 1);
  for (int64_t p : primeFactors(count))
    sizes[random.in(0, sizes.size() - 1)] *= p;
  return sizes;
}

Chain randomChain(ChainFamily family, int64_t length, Random &random,
                  const ChainOptions &options) {
  switch (family) {
    case ChainFamily::Bitcasts:
      return bitcasts(length, random, options);
    case ChainFamily::Reshapes:
    case ChainFamily::Transposes:
    case ChainFamily::Reverses:
      return reshapes(family, length, random, options);
    case ChainFamily::Slices:
    case ChainFamily::Pads:
    case ChainFamily::Mixtures:
      return mixed(family, length, random, options);
  }
  return {};
}

}  // namespace indexical::testing
