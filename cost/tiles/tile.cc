// What a tile says: its numbers, and the cases of the run in which it is read.
#include "indexical/cost/tiles/tile.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {

//===-- Tiles -------------------------------------------------------------===//

std::vector<std::string> RootTile::symbols() const {
  std::vector<std::string> names;
  for (const auto *extents : {&sizes, &strides})
    for (const TileExtent &extent : *extents)
      if (extent.isSymbol() && !llvm::is_contained(names, extent.name))
        names.push_back(extent.name);
  return names;
}

std::string RootTile::offsetName(size_t k) const {
  const size_t results = shape.size() - stepCount;
  return k < results ? "o" + std::to_string(k)
                     : "k" + std::to_string(k - results);
}

absl::Status RootTile::verify() const {
  const size_t rank = shape.size();
  if (sizes.size() != rank || (!strides.empty() && strides.size() != rank))
    return absl::InvalidArgumentError(
        "a tile of a tensor of " + std::to_string(rank) +
        " dimensions needs as many sizes (and strides, where it has any); "
        "there are " +
        std::to_string(sizes.size()) + " sizes and " +
        std::to_string(strides.size()) + " strides");
  for (const auto *extents : {&sizes, &strides})
    for (const TileExtent &extent : *extents)
      if (!extent.isSymbol() && extent.value < 1)
        return absl::InvalidArgumentError(
            "a tile's sizes and strides are at least 1, not " +
            std::to_string(extent.value));
  return absl::OkStatus();
}

std::string SymbolicTile::str(const Constraint &condition) const {
  return map_.str(condition.form) + " in " + condition.bounds.str();
}

std::vector<RunCase> casesOf(const IndexingMap &map) {
  std::vector<RunCase> cases;
  for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i) {
    const RuntimeVariable &variable = map.runtime()[i];
    if (variable.clamped) continue;
    const Interval all = variable.source.values();
    if (variable.bounds.lower > std::max<int64_t>(all.lower, 1) ||
        variable.bounds.upper < all.upper)
      cases.push_back({map.nameOf({VariableKind::Runtime, i}) + " in " +
                           variable.bounds.str(),
                       {i}});
  }
  for (const Constraint &constraint : map.constraints()) {
    RunCase made;
    bool isOfRun = true;
    map.expressions().visitVariables({constraint.form}, [&](VariableId id) {
      isOfRun = isOfRun && id.kind == VariableKind::Runtime;
      made.runtime.push_back(id.index);
    });
    if (!isOfRun) continue;
    made.text = map.str(constraint.form) + " in " + constraint.bounds.str();
    cases.push_back(std::move(made));
  }
  return cases;
}

bool SymbolicTile::isExactFor(llvm::ArrayRef<int64_t> symbols,
                              llvm::ArrayRef<int64_t> runtime) const {
  if (!exact_ || symbols.size() != map_.ranges().size()) return false;
  // The tile that was found holds for sizes up to those of the root.
  for (auto [variable, value] : llvm::zip(map_.ranges(), symbols))
    if (!variable.bounds.contains(value)) return false;
  bool isGiven = true;
  auto value = [&](VariableId id) -> int64_t {
    if (id.kind == VariableKind::Range) return symbols[id.index];
    const bool isRuntime = id.kind == VariableKind::Runtime;
    isGiven = isGiven && isRuntime && id.index < runtime.size();
    return isGiven ? runtime[id.index] : 1;
  };
  Evaluation evaluate(map_.expressions(), value);
  return llvm::all_of(conditions(), [&](const Constraint &condition) {
    auto found = evaluate(condition.form);
    return found && isGiven && condition.bounds.contains(*found);
  });
}

std::optional<ConcreteTile> SymbolicTile::valuesAt(
    std::array<llvm::ArrayRef<FormId>, 3> forms,
    llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
    llvm::ArrayRef<int64_t> runtime) const {
  auto value = [&](VariableId id) -> int64_t {
    llvm::ArrayRef<int64_t> values = id.kind == VariableKind::Dimension
                                         ? offsets
                                     : id.kind == VariableKind::Range ? symbols
                                                                      : runtime;
    return id.index < values.size() ? values[id.index] : 0;
  };
  Evaluation evaluate(map_.expressions(), value);
  ConcreteTile tile;
  for (auto [part, values] :
       {std::pair(forms[0], &tile.offsets), std::pair(forms[1], &tile.sizes),
        std::pair(forms[2], &tile.strides)})
    for (FormId form : part) {
      const auto found = evaluate(form);
      if (!found) return std::nullopt;
      values->push_back(*found);
    }
  return tile;
}

std::optional<ConcreteTile> SymbolicTile::at(
    llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
    llvm::ArrayRef<int64_t> runtime) const {
  return valuesAt({this->offsets(), sizes(), strides()}, offsets, symbols,
                  runtime);
}

std::optional<ConcreteTile> SymbolicTile::membersAt(
    llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
    llvm::ArrayRef<int64_t> runtime) const {
  return valuesAt({memberOffsets(), memberSizes(), memberStrides()}, offsets,
                  symbols, runtime);
}

bool SymbolicTile::isReadAt(llvm::ArrayRef<int64_t> offsets,
                            llvm::ArrayRef<int64_t> symbols,
                            llvm::ArrayRef<int64_t> runtime) const {
  const auto form = isRead();
  if (!form) return true;
  const auto found = valuesAt({*form, {}, {}}, offsets, symbols, runtime);
  return !found || found->offsets[0] != 0;
}

//===-- Sizes that fit ----------------------------------------------------===//

namespace {

RootTile withNumbers(RootTile root, llvm::ArrayRef<int64_t> symbols) {
  const auto names = root.symbols();
  for (auto *extents : {&root.sizes, &root.strides})
    for (TileExtent &extent : *extents)
      if (extent.isSymbol())
        extent = TileExtent::of(
            symbols[llvm::find(names, extent.name) - names.begin()]);
  return root;
}

}  // namespace

std::vector<size_t> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles,
    llvm::ArrayRef<std::vector<int64_t>> candidates) {
  std::vector<size_t> fitting;
  for (size_t c = 0; c < candidates.size(); ++c)
    if (llvm::all_of(tiles, [&](const InstructionTile &tile) {
          return tile.tile.isExactFor(candidates[c]);
        }))
      fitting.push_back(c);
  return fitting;
}

absl::StatusOr<std::vector<size_t>> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles, const RootTile &root,
    llvm::ArrayRef<std::vector<int64_t>> candidates) {
  std::vector<size_t> fitting;
  for (size_t c = 0; c < candidates.size(); ++c) {
    bool fits = true;
    for (const InstructionTile &each : tiles) {
      if (each.tile.isExactFor(candidates[c])) continue;
      INDEXICAL_ASSIGN_OR_RETURN(
          auto tile, tileThrough(each.map, withNumbers(root, candidates[c]),
                                 each.shape, each.isMapExact, each.open));
      fits = tile.isExactFor({});
      if (!fits) break;
    }
    if (fits) fitting.push_back(c);
  }
  return fitting;
}

absl::StatusOr<bool> crossesParts(const InstructionTile &tile,
                                  const RootTile &root,
                                  llvm::ArrayRef<int64_t> symbols,
                                  size_t dimension,
                                  llvm::ArrayRef<int64_t> parts) {
  constexpr int64_t kMostTiles = 1 << 14;
  const RootTile numbers = withNumbers(root, symbols);
  INDEXICAL_ASSIGN_OR_RETURN(
      const auto own,
      tileThrough(tile.map, numbers, tile.shape, tile.isMapExact, tile.open));
  const bool isOpen =
      llvm::any_of(parts, [](int64_t part) { return part < 0; });
  if (isOpen || !own.isExact() || !tile.map.runtime().empty()) return true;
  std::vector<unsigned> along;
  own.map().expressions().visitVariables(
      {own.offsets()[dimension], own.sizes()[dimension],
       own.strides()[dimension]},
      [&](VariableId id) {
        if (id.kind == VariableKind::Dimension &&
            !llvm::is_contained(along, id.index))
          along.push_back(id.index);
      });
  std::vector<int64_t> at(root.shape.size(), 0);
  for (int64_t tried = 0; tried < kMostTiles; ++tried) {
    const auto values = own.at(at, {});
    if (!values) return true;
    const int64_t first = values->offsets[dimension];
    const int64_t last = std::min(
        first + (values->sizes[dimension] - 1) * values->strides[dimension],
        tile.shape[dimension] - 1);
    int64_t end = 0;
    for (int64_t part : parts) {
      end += part;
      if (first < end && last >= end && values->sizes[dimension] > 0)
        return true;
    }
    size_t k = 0;
    for (; k < along.size(); ++k) {
      if (moveToNextTile(at[along[k]], numbers.sizes[along[k]].value,
                         root.shape[along[k]]))
        break;
    }
    if (k == along.size()) return false;
  }
  return true;
}

}  // namespace indexical
