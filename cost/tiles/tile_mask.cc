#include "indexical/cost/tiles/tile_mask.h"

#include <algorithm>
#include <optional>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallBitVector.h"

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/shape.h"

namespace indexical {
namespace {

/// Tiles of the root that are looked at one by one.
constexpr int64_t kMostTiles = 1 << 14;

/// Numbers or expressions.
struct Side {
  std::optional<int64_t> number;  ///< nothing: the expression that is usual
  static Side of(int64_t number) { return {number}; }
};
struct AxisMask {
  Side full, begins, ends;
};

/// The values of one tile along a dimension: the first one may be any of an
/// interval.
struct Values {
  Interval first;
  int64_t count, stride;

  Interval last() const {
    return first + Interval::point((count - 1) * stride);
  }
  bool isInside(int64_t extent) const {
    return count <= 0 || (first.lower >= 0 && last().upper < extent);
  }
};

class AxisMasks {
 public:
  AxisMasks(const SymbolicTile &tile, const RootTile &root,
            llvm::ArrayRef<int64_t> shape)
      : tile_(tile), map_(tile.map()), root_(root), shape_(shape) {}

  AxisMask of(size_t j) const {
    const int64_t extent = shape_[j];
    // What is always right: the tile as it is, in the tensor.
    const AxisMask usual{{}, Side::of(0), Side::of(extent)};
    if (isConstantSize(j)) return usual;
    const auto all = valuesOf(j);
    if (!all || all->empty()) return usual;
    int64_t full = 0;
    for (const Values &each : *all) full = std::max(full, each.count);
    auto fits = [&](Interval bounds) {
      return llvm::all_of(*all, [&](const Values &each) {
        return isMasked(each, full, bounds, extent);
      });
    };
    if (const Interval whole{0, extent - 1}; fits(whole))
      return {Side::of(full), Side::of(0), Side::of(extent)};
    Interval read{Interval::kInfinity, Interval::kMinusInfinity};
    for (const Values &each : *all) {
      if (each.count <= 0) continue;
      read.lower = std::min(read.lower, std::max<int64_t>(0, each.first.lower));
      read.upper =
          std::max(read.upper, std::min(extent - 1, each.last().upper));
    }
    if (read.lower <= read.upper && fits(read))
      return {Side::of(full), Side::of(read.lower), Side::of(read.upper + 1)};
    const bool areInside = llvm::all_of(
        *all, [&](const Values &each) { return each.isInside(extent); });
    if (areInside) return {Side::of(full), {}, {}};
    return usual;
  }

 private:
  /// Whether the size depends on no offset.
  bool isConstantSize(size_t j) const {
    bool is = true;
    map_.expressions().visitVariables({tile_.sizes()[j]}, [&](VariableId id) {
      is = is && id.kind != VariableKind::Dimension;
    });
    return is;
  }

  /// Returns the values of each tile of the root that differs in them; nothing
  /// if they are too many or not known.
  std::optional<std::vector<Values>> valuesOf(size_t j) const {
    const llvm::SmallVector<FormId, 3> forms = {
        tile_.offsets()[j], tile_.sizes()[j], tile_.strides()[j]};
    llvm::SmallBitVector used(map_.dimensions().size());
    bool hasSymbols = false;
    map_.expressions().visitVariables(forms, [&](VariableId id) {
      if (id.kind == VariableKind::Dimension) used.set(id.index);
      hasSymbols |= id.kind == VariableKind::Range;
    });
    if (hasSymbols) return std::nullopt;
    const llvm::SmallVector<unsigned, 4> along(used.set_bits());
    int64_t tiles = 1;
    for (unsigned k : along) {
      if (root_.sizes[k].isSymbol() || root_.shape[k] == kDynamicSize)
        return std::nullopt;
      tiles = boundedProduct(tiles, (std::max<int64_t>(1, root_.shape[k]) - 1) /
                                            root_.sizes[k].value +
                                        1);
    }
    if (tiles > kMostTiles) return std::nullopt;
    std::vector<int64_t> at(map_.dimensions().size(), 0);
    std::vector<Values> all;
    while (true) {
      auto bounds = [&](VariableId id) {
        return id.kind == VariableKind::Dimension
                   ? Interval::point(at[id.index])
                   : map_.variable(id).bounds;
      };
      FormBounds values(map_.expressions(), bounds);
      const Interval first = values(forms[0]), count = values(forms[1]),
                     stride = values(forms[2]);
      if (!first.isFinite() || !count.isPoint() || !stride.isPoint())
        return std::nullopt;
      all.push_back({first, count.lower, std::max<int64_t>(1, stride.lower)});
      size_t k = 0;
      for (; k < along.size(); ++k) {
        if (moveToNextTile(at[along[k]], root_.sizes[along[k]].value,
                           root_.shape[along[k]]))
          break;
      }
      if (k == along.size()) return all;
    }
  }

  /// Whether, of `full` values of the tile, those in the bounds are those that
  /// it has in the tensor, whichever its first value is.
  static bool isMasked(const Values &of, int64_t full, Interval bounds,
                       int64_t extent) {
    for (int64_t first : {of.first.lower, of.first.upper}) {
      auto numbersIn = [&](Interval within, int64_t count) -> Interval {
        const int64_t from =
            std::max<int64_t>(0, ceilDiv(within.lower - first, of.stride));
        const int64_t to =
            std::min(count - 1, floorDiv(within.upper - first, of.stride));
        return from > to ? Interval{0, -1} : Interval{from, to};
      };
      if (numbersIn(bounds, full) != numbersIn({0, extent - 1}, of.count))
        return false;
    }
    // Between two values of the first, all masks are the same only if none of
    // them cuts.
    return of.first.isPoint() ||
           (of.count == full && of.isInside(extent) &&
            bounds.lower <= of.first.lower && of.last().upper <= bounds.upper);
  }

  const SymbolicTile &tile_;
  const IndexingMap &map_;
  const RootTile &root_;
  const llvm::ArrayRef<int64_t> shape_;
};

}  // namespace

absl::StatusOr<TileMask> maskOf(const InstructionTile &tile,
                                const RootTile &root) {
  if (llvm::is_contained(tile.shape, kDynamicSize) || tile.open.tensor)
    return absl::InvalidArgumentError("a size of the tensor is not known");
  const SymbolicTile &of = tile.tile;
  const AxisMasks masks(of, root, tile.shape);
  const size_t rank = of.rank(), axes = rank + of.memberCount();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto map, withBody(of.map(), [&](IndexingMapBuilder &b, MapBody &body) {
        const llvm::SmallVector<Expr, 6> old = body.results;
        llvm::SmallVector<Expr, 4> full, begins, ends;
        for (size_t j = 0; j < rank; ++j) {
          const AxisMask mask = masks.of(j);
          const Expr first = old[axes - rank + j],
                     count = old[2 * axes - rank + j],
                     stride = old[3 * axes - rank + j];
          auto choose = [&](const Side &side, Expr other) {
            return side.number ? b.constant(*side.number) : other;
          };
          full.push_back(choose(mask.full, count));
          begins.push_back(choose(mask.begins, first));
          ends.push_back(mask.ends.number ? b.constant(*mask.ends.number)
                                          : first + (count - 1) * stride + 1);
        }
        body.results.clear();
        for (const auto *part : {&full, &begins, &ends})
          body.results.append(part->begin(), part->end());
      }));
  return TileMask(std::move(map));
}

}  // namespace indexical
