#include "indexical/cost/tiles/tile_ways.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/cost/tiles/tile_search.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

llvm::SmallVector<int64_t, 6> axesWithMembers(const InstructionTile &tile) {
  constexpr int64_t kAnyGroup = int64_t{1} << 40;
  llvm::SmallVector<int64_t, 6> axes(tile.tile.memberCount(), kAnyGroup);
  axes.append(tile.shape.begin(), tile.shape.end());
  return axes;
}

}  // namespace

size_t TileWays::add(InstructionTile tile) {
  llvm::SmallVector<int64_t, 6> axes = axesWithMembers(tile);
  const size_t hash = tile.map.hash();
  const size_t count = ways_.size();
  size_t way = count;
  for (auto [at, last] = waysOfMap_.equal_range(hash); at != last; ++at) {
    const InstructionTile &known = tiles_[at->second];
    if (known.map == tile.map && known.isMapExact == tile.isMapExact &&
        ways_[at->second].axes == axes)
      way = at->second;
  }
  if (way < count) return way;
  Way added;
  added.axes = std::move(axes);
  added.symbols = symbolsOf(tile.map);
  waysOfMap_.emplace(hash, way);
  ways_.push_back(std::move(added));
  tile.tile = tile.tile.withMembersAsDimensions();
  tiles_.push_back(std::move(tile));
  return way;
}

/// Returns the symbols that are sizes of dimensions that the map looks at.
llvm::SmallVector<unsigned, 4> TileWays::symbolsOf(
    const IndexingMap &map) const {
  llvm::SmallBitVector used(root_.shape.size());
  auto use = [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) used.set(id.index);
  };
  map.expressions().visitVariables(map.resultsAndMembers(), use);
  for (const Constraint &constraint : map.constraints())
    map.expressions().visitVariables(constraint.form, use);
  for (const RuntimeVariable &variable : map.runtime())
    map.expressions().visitVariables(variable.index, use);
  llvm::SmallVector<unsigned, 4> symbols;
  for (size_t k = 0; k < root_.shape.size(); ++k) {
    const Interval whole{0, std::max<int64_t>(1, root_.shape[k]) - 1};
    if (!used.test(k) && map.dimensions()[k].bounds == whole) continue;
    if (!root_.sizes[k].isSymbol()) continue;
    const unsigned symbol =
        llvm::find(symbols_, root_.sizes[k].name) - symbols_.begin();
    if (!llvm::is_contained(symbols, symbol)) symbols.push_back(symbol);
  }
  return symbols;
}

RootTile TileWays::rootFor(llvm::ArrayRef<int64_t> values) const {
  RootTile root = root_;
  for (TileExtent &size : root.sizes)
    if (size.isSymbol())
      size = TileExtent::of(
          values[llvm::find(symbols_, size.name) - symbols_.begin()]);
  return root;
}

/// Symbols that the way does not depend on are taken as 1.
absl::StatusOr<const TileWays::Verdict *> TileWays::judge(
    size_t number, llvm::ArrayRef<int64_t> values) {
  Way &way = ways_[number];
  std::vector<int64_t> key;
  for (unsigned s : way.symbols) key.push_back(values[s]);
  auto [known, isNew] = way.verdicts.try_emplace(std::move(key));
  Verdict &verdict = known->second;
  if (!isNew) return &verdict;
  const InstructionTile &any = tiles_[number];
  if (any.tile.isExactFor(values)) {
    verdict.exact = true;
    verdict.tile = &any.tile;
    verdict.id = static_cast<int64_t>(number);
    verdict.symbols.assign(values.begin(), values.end());
    return &verdict;
  }
  meter_.spend(TileSearchOptions::kTileOperations);
  std::vector<int64_t> own(values.size(), 1);
  for (unsigned s : way.symbols) own[s] = values[s];
  INDEXICAL_ASSIGN_OR_RETURN(
      auto tile, tileThrough(any.map, rootFor(own), any.shape, any.isMapExact));
  byNumbers_.push_back(
      std::make_unique<SymbolicTile>(tile.withMembersAsDimensions()));
  verdict.tile = byNumbers_.back().get();
  // A scalar is a tile, whichever tiles read it.
  const bool isScalar = way.axes.empty() && any.isMapExact;
  verdict.exact = verdict.tile->isExact() || isScalar;
  verdict.id = static_cast<int64_t>(tiles_.size() + byNumbers_.size());
  return &verdict;
}

}  // namespace indexical
