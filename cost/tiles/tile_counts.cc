#include "indexical/cost/tiles/tile_counts.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/progressions.h"
#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/evaluation.h"

namespace indexical {
namespace {

/// Ways whose tiles are taken together: there are 2^n - 1 sets of them.
constexpr size_t kMostWays = 4;

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
std::optional<ArithmeticProgression> progressionAt(
    const TileWay &way, size_t j, int64_t size,
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
  std::optional<ArithmeticProgression> found;
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
      std::optional<ArithmeticProgression> shared;
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

/// Returns what a count of the part depends on.
std::vector<int64_t> BlockCounter::keyOf(const ReadDimensions &part,
                                         llvm::ArrayRef<TileWay> ways,
                                         llvm::ArrayRef<int64_t> sizes) const {
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
  for (unsigned k : part.offsets.set_bits()) key.push_back(sizes[k]);
  return key;
}

BlockCounter::ElementCount BlockCounter::sumOf(const ReadDimensions &part,
                                               llvm::ArrayRef<TileWay> ways,
                                               llvm::ArrayRef<int64_t> sizes,
                                               llvm::ArrayRef<int64_t> shape) {
  int64_t blocks = 1;
  for (unsigned k : part.offsets.set_bits())
    blocks = boundedProduct(blocks, blocksAlong(k, sizes));
  auto [known, isNew] = known_.try_emplace(keyOf(part, ways, sizes));
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

//===-- Turns -------------------------------------------------------------===//

namespace {

/// Whether the elements of the source that runtime variables are do not depend
/// on offsets: each turn of a block then reads the same.
bool areSameInTurns(const SymbolicTile &tile) {
  bool areSo = true;
  for (const RuntimeVariable &variable : tile.map().runtime())
    tile.map().expressions().visitVariables(variable.index,
                                            [&](VariableId) { areSo = false; });
  return areSo;
}

}  // namespace

/// Returns the number of elements of a part that all ways read, where a way
/// reads what its tile reads in any turn; nothing if it is not counted.
std::optional<int64_t> BlockCounter::inAnyTurn(const ReadDimensions &part,
                                               llvm::ArrayRef<TileWay> ways,
                                               llvm::ArrayRef<int64_t> sizes,
                                               llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<unsigned, 4> blocks, turns;
  int64_t visits = 1 + part.dimensions.size() * ways.size();
  for (unsigned k : part.offsets.set_bits()) {
    (k < firstStep_ ? blocks : turns).push_back(k);
    visits = boundedProduct(visits, blocksAlong(k, sizes));
  }
  if (visits > meter_.left() || !meter_.spend(visits)) return std::nullopt;
  llvm::SmallVector<int64_t, 4> offsets(rootShape_.size(), 0);
  auto moveOn = [&](llvm::ArrayRef<unsigned> along) {
    for (unsigned k : along)
      if (moveToNextTile(offsets[k], sizes[k], rootShape_[k])) return true;
    return false;
  };
  int64_t sum = 0;
  do {
    std::optional<std::vector<ProgressionBox>> shared;
    for (const TileWay &way : ways) {
      std::vector<ProgressionBox> read;
      do {
        ProgressionBox box;
        if (shape.empty()) {
          const auto isRead = readsScalar(way, offsets);
          if (!isRead) return std::nullopt;
          if (*isRead == 0) continue;
        }
        for (size_t j : part.dimensions) {
          const auto own = progressionAt(way, j, shape[j], offsets);
          if (!own) return std::nullopt;
          box.push_back(*own);
        }
        read.push_back(std::move(box));
      } while (moveOn(turns));
      auto once = withoutOverlap(std::move(read), meter_);
      if (once && shared) once = common(*shared, *once, meter_);
      if (!once) return std::nullopt;
      shared = std::move(once);
    }
    sum = boundedSum(sum, countOf(*shared));
  } while (moveOn(blocks));
  return sum;
}

/// Returns the number of elements that all ways read, over all blocks, each
/// element once a block; nothing if it is not counted.
std::optional<int64_t> BlockCounter::onceABlock(llvm::ArrayRef<TileWay> ways,
                                                llvm::ArrayRef<int64_t> sizes,
                                                llvm::ArrayRef<int64_t> shape) {
  int64_t sum = 1;
  llvm::SmallBitVector offsets(rootShape_.size());
  for (const ReadDimensions &part : partsOf(ways, shape.size())) {
    llvm::SmallBitVector turns = part.offsets;
    turns.reset(0, firstStep_);
    std::optional<int64_t> count;
    if (turns.none()) {
      const ElementCount of = sumOf(part, ways, sizes, shape);
      if (of.isCounted) count = of.all;
    } else if (llvm::all_of(ways, [&](const TileWay &way) {
                 return areSameInTurns(*way.tile) &&
                        llvm::all_of(part.dimensions, [&](size_t j) {
                          return movesAtMost(*way.tile, j);
                        });
               })) {
      std::vector<int64_t> key = keyOf(part, ways, sizes);
      auto [known, isNew] = once_.try_emplace(std::move(key));
      if (isNew) known->second = inAnyTurn(part, ways, sizes, shape);
      count = known->second;
    }
    if (!count) return std::nullopt;
    sum = boundedProduct(sum, *count);
    offsets |= part.offsets;
  }
  for (size_t k = 0; k < firstStep_; ++k)
    if (!offsets.test(k)) sum = boundedProduct(sum, blocksAlong(k, sizes));
  return sum == Interval::kInfinity ? std::nullopt : std::optional(sum);
}

//===-- All ways ----------------------------------------------------------===//

namespace {

/// Returns the elements that any of the ways reads, by the number of those that
/// all ways of a set read; nothing if that is not counted for each set.
std::optional<int64_t> ofAnyWay(
    llvm::ArrayRef<TileWay> ways,
    llvm::function_ref<std::optional<int64_t>(llvm::ArrayRef<TileWay>)> ofAll) {
  // The place of a tile that depends on runtime decides what it shares with
  // another.
  const bool varies = llvm::any_of(ways, [](const TileWay &way) {
    return !way.tile->map().runtime().empty();
  });
  if (ways.size() > 1 && (ways.size() > kMostWays || varies))
    return std::nullopt;
  __int128 elements = 0;
  for (unsigned set = 1; set < (1u << ways.size()); ++set) {
    std::vector<TileWay> chosen;
    for (size_t i = 0; i < ways.size(); ++i)
      if (set >> i & 1) chosen.push_back(ways[i]);
    const auto count = ofAll(chosen);
    if (!count) return std::nullopt;
    elements += chosen.size() % 2 ? *count : -*count;
  }
  if (elements >= Interval::kInfinity) return std::nullopt;
  return static_cast<int64_t>(elements);
}

}  // namespace

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
  const bool isHeldKnown = reads.isCounted;
  // Ways in different loops are not read in the same turns.
  const bool areApart = llvm::any_of(different, [&](const TileWay &way) {
    return way.loops != different[0].loops;
  });
  if (isHeldKnown && !areApart)
    reads.loaded = ofAnyWay(different, [&](llvm::ArrayRef<TileWay> chosen) {
      const ElementCount sum = sumOf(chosen, sizes, shape);
      return sum.isCounted ? std::optional(sum.all) : std::nullopt;
    });
  std::optional<int64_t> once = reads.loaded;
  if (firstStep_ < rootShape_.size())
    once = ofAnyWay(different, [&](llvm::ArrayRef<TileWay> chosen) {
      return onceABlock(chosen, sizes, shape);
    });
  if (once) {
    reads.elements = *once;
  } else {
    // No block reads more than there is.
    int64_t most = 1;
    for (size_t k = 0; k < firstStep_; ++k)
      most = boundedProduct(most, blocksAlong(k, sizes));
    for (int64_t size : shape)
      most = boundedProduct(most, std::max<int64_t>(0, size));
    reads.elements = std::min(reads.loaded.value_or(reads.elements), most);
  }
  reads.isCounted = isHeldKnown && once.has_value();
  return reads;
}

}  // namespace indexical
