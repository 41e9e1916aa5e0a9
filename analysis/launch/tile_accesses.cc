#include "indexical/analysis/launch/tile_accesses.h"

#include <algorithm>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/program/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Exprs = llvm::SmallVector<Expr, 8>;
using Numbers = llvm::SmallVector<int64_t, 8>;

/// One map of an access, from the index space of a root.
class TileAccess {
 public:
  TileAccess(const IndexingMap &map, const Visit &visit, const Grid &grid,
             const Device &device, const ArrayShape &buffer)
      : map_(rangesToDimensions(map)),
        visit_(visit),
        grid_(grid),
        device_(device),
        buffer_(buffer) {
    rank_ = visit.tile.size();
    for (int64_t side : visit.tile) sizes_.push_back(side);
    for (const Variable &range : map.ranges()) {
      sizes_.push_back(range.bounds.count());
      first_.push_back(range.bounds.lower);
    }
  }

  /// (bl_x)[tile] -> index in the buffer.
  absl::StatusOr<IndexingMap> shown() const {
    IndexingMapBuilder b;
    const Expr block = b.dimension({0, grid_.blocks[0] - 1}, "bl_x");
    Exprs tile;
    for (size_t k = 0; k < sizes_.size(); ++k)
      tile.push_back(b.range({0, sizes_[k] - 1}, "t" + std::to_string(k)));
    auto places = placesOf(b, block, tile);
    if (!places.ok()) return places.status();
    return compose(*places, map_);
  }

  /// The threads of the block, to the index in the buffer.
  absl::StatusOr<IndexingMap> threads() const {
    int64_t first = 0;
    auto steps = stepsInMemory(first);
    if (!steps.ok()) return steps.status();
    // What the fastest variable has in one access, then lanes, then loops.
    Numbers order;
    for (size_t k = 0; k < sizes_.size(); ++k)
      if ((*steps)[k] && sizes_[k] > 1) order.push_back(k);
    llvm::stable_sort(order, [&](int64_t a, int64_t b) {
      return *(*steps)[a] < *(*steps)[b];
    });
    int64_t total = 1;
    for (int64_t k : order) total *= padded(k);
    const bool isDense = !order.empty() && *(*steps)[order[0]] == 1;
    // Vectors begin at multiples of themselves, in every row and every tile.
    auto isAligned = [&](int64_t v) {
      if (first % v != 0) return false;
      for (size_t k = 0; k < sizes_.size(); ++k) {
        const auto step = (*steps)[k];
        const int64_t by = static_cast<int64_t>(k) != order[0]
                               ? step.value_or(0)
                           : k < rank_ ? visit_.tile[k]
                                       : 0;
        if (by % v != 0) return false;
      }
      return true;
    };
    int64_t v = 1;
    const int64_t bits = storedBits(buffer_);
    while (isDense && bits > 0 && 2 * v * bits <= device_.vectorBytes * 8 &&
           2 * v <= padded(order[0]) && isAligned(2 * v) &&
           2 * v * grid_.threads[0] <= std::max(total, grid_.threads[0]))
      v *= 2;
    IndexingMapBuilder b;
    Exprs ids;
    static constexpr const char *kNames[] = {"th_x", "th_y", "th_z",
                                             "bl_x", "bl_y", "bl_z"};
    for (size_t i = 0; i < 6; ++i)
      ids.push_back(
          b.dimension({0, (i < 3 ? grid_.threads[i] : grid_.blocks[i - 3]) - 1},
                      kNames[i]));
    const int64_t once = grid_.threads[0] * v;
    const Expr step = b.range({0, ceilDiv(total, once) - 1}, "step");
    const Expr vector = b.range({0, v - 1}, "vector");
    const Expr number = step * once + ids[0] * v + vector;
    b.constraint(number, {0, total - 1});
    Exprs tile(sizes_.size(), b.constant(0));
    int64_t below = 1;
    for (int64_t k : order) {
      tile[k] = mod(floorDiv(number, below), padded(k));
      b.constraint(tile[k], {0, sizes_[k] - 1});
      below *= padded(k);
    }
    auto places = placesOf(b, ids[3], tile);
    if (!places.ok()) return places.status();
    return withIndex(*places);
  }

 private:
  int64_t padded(int64_t k) const {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(sizes_[k]));
  }

  /// The map from what the builder has to the root's index and the ranges.
  absl::StatusOr<IndexingMap> placesOf(IndexingMapBuilder &b, Expr block,
                                       const Exprs &tile) const {
    Numbers counts;
    for (size_t k = 0; k < rank_; ++k)
      counts.push_back(
          ceilDiv(visit_.space.shape.dimensions[k], visit_.tile[k]));
    Exprs digits(rank_, b.constant(0));
    int64_t below = 1;
    for (size_t n = 0; n < rank_; ++n) {
      const size_t k = visit_.goesDown ? n : rank_ - 1 - n;
      digits[k] = n + 1 == rank_ ? floorDiv(block, below)
                                 : mod(floorDiv(block, below), counts[k]);
      below *= counts[k];
    }
    for (size_t k = 0; k < rank_; ++k) {
      const Expr at = digits[k] * visit_.tile[k] + tile[k];
      b.constraint(at, {0, visit_.space.shape.dimensions[k] - 1});
      b.result(at);
    }
    for (size_t k = rank_; k < sizes_.size(); ++k)
      b.result(tile[k] + first_[k - rank_]);
    return b.build();
  }

  /// The composition, with the variables of `places` as they are.
  absl::StatusOr<IndexingMap> withIndex(const IndexingMap &places) const {
    const size_t ids = places.dimensions().size();
    auto whole = compose(rangesToDimensions(places), map_);
    if (!whole.ok() || whole->isKnownEmpty()) return whole;
    IndexingMapBuilder b;
    llvm::SmallVector<FormId, 10> variables;
    for (const Variable &v : places.dimensions())
      variables.push_back(b.dimension(v.bounds, v.name).form());
    for (const Variable &v : places.ranges())
      variables.push_back(b.range(v.bounds, v.name).form());
    auto replace = [&](VariableId id) { return variables[id.index]; };
    ExpressionImport import(whole->expressions(), b.pool(), replace);
    for (FormId form : whole->results()) b.result(b.expression(import(form)));
    for (const Constraint &constraint : whole->constraints())
      b.constraint(b.expression(import(constraint.form)), constraint.bounds);
    // Bounds that the composition found narrower say who takes part.
    for (auto [k, v] : llvm::enumerate(whole->dimensions())) {
      const Interval given = k < ids ? places.dimensions()[k].bounds
                                     : places.ranges()[k - ids].bounds;
      if (!(v.bounds == given))
        b.constraint(b.expression(variables[k]), v.bounds);
    }
    return b.build();
  }

  /// How far the next value of each variable is in memory; nothing for those
  /// that change nothing. `first`: where the first element is.
  absl::StatusOr<llvm::SmallVector<std::optional<int64_t>, 8>> stepsInMemory(
      int64_t &first) const {
    auto address = addressMap(buffer_);
    if (!address.ok()) return address.status();
    auto whole = compose(map_, *address);
    if (!whole.ok()) return whole.status();
    llvm::SmallVector<std::optional<int64_t>, 8> steps(sizes_.size());
    if (whole->isKnownEmpty()) return steps;
    std::set<uint32_t> used;
    whole->expressions().visitVariables(
        whole->results(), [&](VariableId id) { used.insert(id.index); });
    IndexingMap::Point point;
    for (const Variable &v : whole->dimensions())
      point.dimensions.push_back(v.bounds.lower);
    const auto here = whole->evaluate(point);
    if (here) first = (*here)[0];
    for (size_t k = 0; k < sizes_.size() && here; ++k) {
      if (!used.count(k)) continue;
      ++point.dimensions[k];
      const auto next = whole->evaluate(point);
      --point.dimensions[k];
      if (next) steps[k] = std::abs((*next)[0] - (*here)[0]);
      // It moves, only later: it is not the fastest.
      if (steps[k] == 0) steps[k] = INT64_MAX;
    }
    return steps;
  }

  const IndexingMap map_;
  const Visit &visit_;
  const Grid &grid_;
  const Device &device_;
  const ArrayShape &buffer_;
  size_t rank_ = 0;
  Numbers sizes_;  ///< of the tile, then of the ranges
  Numbers first_;  ///< of the ranges
};

}  // namespace

absl::Status tileAccesses(const LaunchPlan &plan, const Device &device,
                          Kernel &kernel) {
  std::vector<LaunchSpace> spaces = std::move(kernel.launches);
  kernel.launches.clear();
  auto retile = [&](std::vector<MemoryAccess> &accesses) -> absl::Status {
    std::vector<MemoryAccess> tiled;
    for (MemoryAccess &access : accesses) {
      const auto visit = llvm::find_if(plan.visits, [&](const Visit &of) {
        return of.space == spaces[access.launch];
      });
      const ArrayShape &buffer = kernel.buffers[access.buffer];
      const bool isKnown =
          access.map.precision() == Precision::Exact &&
          llvm::all_of(access.map.pieces(), [](const IndexingMap &piece) {
            return piece.runtime().empty() && piece.collectives().empty();
          });
      if (!isKnown || visit == plan.visits.end()) {
        access.map.weaken(Precision::Cover);
        access.launch = kernel.launches.size();
        kernel.launches.push_back(spaces[0]);
        tiled.push_back(std::move(access));
        continue;
      }
      for (const IndexingMap &piece : access.map.pieces()) {
        const TileAccess of(piece, *visit, plan.grid, device, buffer);
        auto threads = of.threads();
        if (!threads.ok()) return threads.status();
        if (threads->isKnownEmpty()) continue;
        auto shown = of.shown();
        if (!shown.ok()) return shown.status();
        LaunchSpace space;
        space.shape = buffer;
        space.order = ThreadOrder::Given;
        space.threads = *std::move(threads);
        space.followTile = true;
        const bool isThere =
            llvm::any_of(tiled, [&](const MemoryAccess &known) {
              return known.buffer == access.buffer &&
                     kernel.launches[known.launch] == space;
            });
        if (isThere) continue;
        MemoryAccess one = access;
        one.launch = kernel.launches.size();
        one.map = IndexingRelation(identityOf(buffer));
        one.place = kernel.users.size();
        KernelUser user = kernel.userOf(access);
        user.tile = *std::move(shown);
        user.fromRoot = access.map;
        kernel.users.push_back(std::move(user));
        kernel.launches.push_back(std::move(space));
        tiled.push_back(std::move(one));
      }
    }
    accesses = std::move(tiled);
    return absl::OkStatus();
  };
  if (auto status = retile(kernel.reads); !status.ok()) return status;
  return retile(kernel.writes);
}

}  // namespace indexical
