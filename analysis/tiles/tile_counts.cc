#include "indexical/analysis/tiles/tile_counts.h"

#include <algorithm>
#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/tiles/tile_forms.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/evaluation.h"

namespace indexical {
namespace {

/// Ways whose tiles are taken together: there are 2^n - 1 sets of them.
constexpr size_t kMostWays = 4;

/// first, first + stride, …; the stride is at least 1.
struct Progression {
  int64_t first = 0, count = 0, stride = 1;
  /// Requires that it lies in a tensor, and that `count` is at least 1.
  int64_t last() const { return first + (count - 1) * stride; }
};

/// Returns the part of the progression in [0, size).
Progression within(Progression p, int64_t size) {
  if (p.count <= 0) return {0, 0, 1};
  if (p.first < 0) {
    const int64_t skipped = floorDiv(-1 - p.first, p.stride) + 1;
    if (skipped >= p.count) return {0, 0, 1};
    // Of a long stride the first value that is left may be past 64 bits.
    const auto first = checkedAdd(p.first + (skipped - 1) * p.stride, p.stride);
    if (!first) return {0, 0, 1};
    p.first = *first;
    p.count -= skipped;
  }
  if (p.first >= size) return {0, 0, 1};
  p.count = std::min(p.count, (size - 1 - p.first) / p.stride + 1);
  return p;
}

/// Returns x with a * x = 1 modulo b, for numbers without a common factor.
int64_t inverseModulo(int64_t a, int64_t b) {
  int64_t x = 1, next = 0, rest = a, divisor = b;
  while (divisor != 0) {
    const int64_t quotient = rest / divisor;
    rest = std::exchange(divisor, rest % divisor);
    x = std::exchange(next, x - quotient * next);
  }
  return floorMod(x, b);
}

/// Returns the values that both have. Both lie in a tensor: their values are at
/// least 0.
Progression common(const Progression &a, const Progression &b) {
  if (a.count <= 0 || b.count <= 0) return {0, 0, 1};
  const int64_t least = std::max(a.first, b.first);
  const int64_t greatest = std::min(a.last(), b.last());
  const int64_t shared = std::gcd(a.stride, b.stride);
  if (least > greatest || (b.first - a.first) % shared != 0) return {0, 0, 1};
  // a.first + n * a.stride is one of the values of b's stride for one n below
  // b.stride / shared, and so for each n that far on.
  const int64_t turns = b.stride / shared;
  const auto steps = static_cast<int64_t>(
      static_cast<__int128>(floorMod((b.first - a.first) / shared, turns)) *
      inverseModulo(a.stride / shared, turns) % turns);
  const __int128 period = static_cast<__int128>(a.stride) * turns;
  __int128 value = static_cast<__int128>(steps) * a.stride + a.first;
  if (value < least) value += (least - value + period - 1) / period * period;
  if (value > greatest) return {0, 0, 1};
  if (value + period > greatest) return {static_cast<int64_t>(value), 1, 1};
  return {static_cast<int64_t>(value),
          static_cast<int64_t>((greatest - value) / period + 1),
          static_cast<int64_t>(period)};
}

}  // namespace

namespace {

/// Visits the variables that decide which tiles read a scalar.
void visitScalar(const SymbolicTile &tile,
                 llvm::function_ref<void(VariableId)> visit) {
  if (const auto isRead = tile.isRead())
    tile.map().expressions().visitVariables({*isRead}, visit);
}

/// Whether the scalar is read at offsets of the root, 0 or 1; nothing if that
/// is not known, or a value at runtime decides.
std::optional<int64_t> readsScalar(const TileWay &way,
                                   llvm::ArrayRef<int64_t> offsets) {
  const auto isRead = way.tile->isRead();
  if (!isRead)
    return way.tile->isExact() ? std::optional<int64_t>(1) : std::nullopt;
  bool isRuntime = false;
  visitScalar(*way.tile, [&](VariableId id) {
    isRuntime |= id.kind == VariableKind::Runtime;
  });
  if (isRuntime) return std::nullopt;
  auto valueOf = [&](VariableId id) {
    return id.kind == VariableKind::Dimension ? offsets[id.index]
                                              : way.symbols[id.index];
  };
  Evaluation evaluate(way.tile->map().expressions(), valueOf);
  return evaluate(*isRead);
}

}  // namespace

int64_t BlockCounter::blocksAlong(size_t k,
                                  llvm::ArrayRef<int64_t> sizes) const {
  return ceilDiv(std::max<int64_t>(1, rootShape_[k]), sizes[k]);
}

std::vector<BlockCounter::ReadDimensions> BlockCounter::partsOf(
    llvm::ArrayRef<TileWay> ways, size_t rank) const {
  std::vector<ReadDimensions> parts;
  if (rank == 0) {
    ReadDimensions scalar;
    scalar.offsets.resize(rootShape_.size());
    for (const TileWay &way : ways)
      visitScalar(*way.tile, [&](VariableId id) {
        if (id.kind == VariableKind::Dimension) scalar.offsets.set(id.index);
      });
    parts.push_back(std::move(scalar));
  }
  for (size_t j = 0; j < rank; ++j) {
    ReadDimensions part;
    part.dimensions = {j};
    part.offsets.resize(rootShape_.size());
    for (const TileWay &way : ways) {
      const SymbolicTile &tile = *way.tile;
      tile.map().expressions().visitVariables(
          {tile.offsets()[j], tile.sizes()[j], tile.strides()[j]},
          [&](VariableId id) {
            if (id.kind == VariableKind::Dimension) part.offsets.set(id.index);
          });
    }
    for (size_t p = 0; p < parts.size();)
      if (parts[p].offsets.anyCommon(part.offsets)) {
        part.offsets |= parts[p].offsets;
        part.dimensions.append(parts[p].dimensions);
        parts.erase(parts.begin() + p);
      } else {
        ++p;
      }
    parts.push_back(std::move(part));
  }
  return parts;
}

/// Returns the bound that follows from the bounds of the sizes.
BlockCounter::ElementCount BlockCounter::boundOf(
    const ReadDimensions &part, const TileWay &way,
    llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> shape) {
  const IndexingMap &map = way.tile->map();
  auto variable = [&](VariableId id) {
    return id.kind == VariableKind::Range
               ? Interval::point(way.symbols[id.index])
               : map.variable(id).bounds;
  };
  FormBounds bounds(map.expressions(), variable);
  ElementCount sum{1, 1, false};
  for (size_t j : part.dimensions) {
    const Interval count = bounds(way.tile->sizes()[j]);
    sum.most =
        boundedProduct(sum.most, std::clamp<int64_t>(count.upper, 0, shape[j]));
  }
  sum.all = sum.most;
  for (unsigned k : part.offsets.set_bits())
    sum.all = boundedProduct(sum.all, blocksAlong(k, sizes));
  return sum;
}

namespace {

/// Returns the values of a tile along dimension j in a tensor of that size, at
/// offsets of the root; nothing if a value at runtime decides how many lie in
/// it.
std::optional<Progression> progressionAt(const TileWay &way, size_t j,
                                         int64_t size,
                                         llvm::ArrayRef<int64_t> offsets) {
  const IndexingMap &map = way.tile->map();
  const ExpressionTable &table = map.expressions();
  const FormId first = way.tile->offsets()[j];
  // Runtime variables move the tile from one end of their bounds to the other.
  llvm::SmallVector<int64_t, 4> signs(map.runtime().size(), 0);
  for (const Term &term : table.terms(first)) {
    const Atom &atom = table.atom(term.atom);
    if (atom.kind == AtomKind::Variable &&
        atom.variable().kind == VariableKind::Runtime)
      signs[atom.variable().index] = term.coefficient;
  }
  std::optional<Progression> found;
  for (bool isLast : {false, true}) {
    auto valueOf = [&](VariableId id) {
      if (id.kind == VariableKind::Dimension) return offsets[id.index];
      if (id.kind == VariableKind::Range) return way.symbols[id.index];
      const Interval &bounds = map.runtime()[id.index].bounds;
      return isLast == (signs[id.index] > 0) ? bounds.upper : bounds.lower;
    };
    Evaluation evaluate(table, valueOf);
    const auto from = evaluate(first);
    const auto count = evaluate(way.tile->sizes()[j]);
    const auto stride = evaluate(way.tile->strides()[j]);
    if (!from || !count || !stride) return std::nullopt;
    found = within({*from, *count, *stride}, size);
    if (llvm::all_of(signs, [](int64_t sign) { return sign == 0; })) break;
    if (found->count != std::max<int64_t>(0, *count)) return std::nullopt;
  }
  return found;
}

/// Whether runtime variables are but added to the offset along dimension j.
bool movesAtMost(const SymbolicTile &tile, size_t j) {
  const ExpressionTable &table = tile.map().expressions();
  bool isSo = true;
  auto find = [&](VariableId id) { isSo &= id.kind != VariableKind::Runtime; };
  table.visitVariables({tile.sizes()[j], tile.strides()[j]}, find);
  for (const Term &term : table.terms(tile.offsets()[j])) {
    const Atom &atom = table.atom(term.atom);
    table.visitVariables(atom.operands(), find);
  }
  return isSo;
}

}  // namespace

BlockCounter::ElementCount BlockCounter::goThrough(
    const ReadDimensions &part, llvm::ArrayRef<TileWay> ways,
    llvm::ArrayRef<int64_t> sizes, llvm::ArrayRef<int64_t> shape) {
  for (const TileWay &way : ways)
    for (size_t j : part.dimensions)
      if (!movesAtMost(*way.tile, j)) return {0, 0, false};
  llvm::SmallVector<unsigned, 4> along(part.offsets.set_bits());
  llvm::SmallVector<int64_t, 4> offsets(rootShape_.size(), 0);
  ElementCount sum;
  while (true) {
    int64_t elements = 1;
    for (const TileWay &way : ways) {
      if (!shape.empty()) break;
      const auto isRead = readsScalar(way, offsets);
      if (!isRead) return {0, 0, false};
      elements *= *isRead;
    }
    for (size_t j : part.dimensions) {
      std::optional<Progression> shared;
      for (const TileWay &way : ways) {
        const auto own = progressionAt(way, j, shape[j], offsets);
        if (!own) return {0, 0, false};
        shared = shared ? common(*shared, *own) : *own;
      }
      elements = boundedProduct(elements, shared->count);
    }
    sum.all = boundedSum(sum.all, elements);
    sum.most = std::max(sum.most, elements);
    size_t k = 0;
    for (; k < along.size(); ++k) {
      if (moveToNextTile(offsets[along[k]], sizes[along[k]],
                         rootShape_[along[k]]))
        break;
    }
    if (k == along.size()) break;
  }
  return sum;
}

BlockCounter::ElementCount BlockCounter::sumOf(const ReadDimensions &part,
                                               llvm::ArrayRef<TileWay> ways,
                                               llvm::ArrayRef<int64_t> sizes,
                                               llvm::ArrayRef<int64_t> shape) {
  std::vector<int64_t> key(part.dimensions.begin(), part.dimensions.end());
  for (const TileWay &way : ways) {
    key.push_back(-1 - way.id);
    llvm::SmallBitVector symbols(way.symbols.size());
    visitScalar(*way.tile, [&](VariableId id) {
      if (id.kind == VariableKind::Range) symbols.set(id.index);
    });
    for (size_t j : part.dimensions)
      way.tile->map().expressions().visitVariables(
          {way.tile->offsets()[j], way.tile->sizes()[j],
           way.tile->strides()[j]},
          [&](VariableId id) {
            if (id.kind == VariableKind::Range) symbols.set(id.index);
          });
    for (unsigned s : symbols.set_bits()) key.push_back(way.symbols[s]);
  }
  int64_t blocks = 1;
  for (unsigned k : part.offsets.set_bits()) {
    key.push_back(sizes[k]);
    blocks = boundedProduct(blocks, blocksAlong(k, sizes));
  }
  auto [known, isNew] = known_.try_emplace(std::move(key));
  if (isNew) {
    const int64_t steps = 1 + part.dimensions.size() * ways.size();
    if (blocks <= meter_.left() / steps && meter_.spend(blocks * steps))
      known->second = goThrough(part, ways, sizes, shape);
    else
      known->second.isCounted = false;
    if (!known->second.isCounted)
      known->second = boundOf(part, ways[0], sizes, shape);
  }
  return known->second;
}

BlockCounter::ElementCount BlockCounter::sumOf(llvm::ArrayRef<TileWay> ways,
                                               llvm::ArrayRef<int64_t> sizes,
                                               llvm::ArrayRef<int64_t> shape) {
  ElementCount sum{1, 1, true};
  llvm::SmallBitVector offsets(rootShape_.size());
  for (const ReadDimensions &part : partsOf(ways, shape.size())) {
    const ElementCount of = sumOf(part, ways, sizes, shape);
    sum.all = boundedProduct(sum.all, of.all);
    sum.most = boundedProduct(sum.most, of.most);
    sum.isCounted &= of.isCounted;
    offsets |= part.offsets;
  }
  for (size_t k = 0; k < rootShape_.size(); ++k)
    if (!offsets.test(k) &&
        (k < firstStep_ || ways[0].loops >> (k - firstStep_) & 1))
      sum.all = boundedProduct(sum.all, blocksAlong(k, sizes));
  sum.isCounted &= sum.all != Interval::kInfinity;
  return sum;
}

BlockReads BlockCounter::count(llvm::ArrayRef<TileWay> ways,
                               llvm::ArrayRef<int64_t> sizes,
                               llvm::ArrayRef<int64_t> shape) {
  std::vector<TileWay> different;
  for (const TileWay &way : ways)
    if (llvm::none_of(different, [&](const TileWay &other) {
          return other.id == way.id && other.symbols == way.symbols;
        }))
      different.push_back(way);
  BlockReads reads;
  for (const TileWay &way : different) {
    const ElementCount sum = sumOf(way, sizes, shape);
    reads.elements = boundedSum(reads.elements, sum.all);
    reads.held = boundedSum(reads.held, sum.most);
    reads.isCounted &= sum.isCounted;
  }
  if (different.size() == 1 || !reads.isCounted) return reads;
  // The place of a tile that depends on runtime decides what it shares with
  // another.
  const bool varies = llvm::any_of(different, [](const TileWay &way) {
    return !way.tile->map().runtime().empty();
  });
  // Nor do ways in different loops share elements at once.
  const bool areApart = llvm::any_of(different, [&](const TileWay &way) {
    return way.loops != different[0].loops;
  });
  if (different.size() > kMostWays || varies || areApart) {
    reads.isCounted = false;
    return reads;
  }
  __int128 elements = 0;
  for (unsigned set = 1; set < (1u << different.size()); ++set) {
    std::vector<TileWay> chosen;
    for (size_t i = 0; i < different.size(); ++i)
      if (set >> i & 1) chosen.push_back(different[i]);
    const ElementCount sum = sumOf(chosen, sizes, shape);
    if (!sum.isCounted) {
      reads.isCounted = false;
      return reads;
    }
    elements += chosen.size() % 2 ? sum.all : -sum.all;
  }
  reads.isCounted = elements < Interval::kInfinity;
  if (reads.isCounted) reads.elements = static_cast<int64_t>(elements);
  return reads;
}

}  // namespace indexical
