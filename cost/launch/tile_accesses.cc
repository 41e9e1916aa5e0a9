#include "indexical/cost/launch/tile_accesses.h"

#include <algorithm>
#include <deque>
#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/ops/address.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

using Exprs = llvm::SmallVector<Expr, 8>;
using Numbers = llvm::SmallVector<int64_t, 8>;

/// The tile of an array, by its dimensions, and the dimension that lanes follow
/// first (-1: none that is contiguous). One width of vectors is chosen for all
/// accesses with the same form.
using TileForm = std::pair<Numbers, int64_t>;

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

  /// Finds how the elements of the access lie in memory. It is called before
  /// the other functions.
  absl::Status measure() {
    int64_t first = 0;
    INDEXICAL_ASSIGN_OR_RETURN(auto steps, stepsInMemory(first));
    // A thread's vector goes along the first variable of the order, then lanes
    // go on, then loops. The variable of the array's contiguous dimension is
    // the first, the others follow in the order of the dimensions.
    const llvm::SmallVector<int64_t, 8> dimensions = dimensionsOfVariables();
    for (size_t k = 0; k < sizes_.size(); ++k)
      if (steps[k] && sizes_[k] > 1) order_.push_back(k);
    auto isContiguous = [&](int64_t k) { return *steps[k] == 1; };
    llvm::stable_sort(order_, [&](int64_t a, int64_t b) {
      if (isContiguous(a) != isContiguous(b)) return isContiguous(a);
      if (dimensions[a] != dimensions[b]) return dimensions[a] < dimensions[b];
      return *steps[a] < *steps[b];
    });
    for (int64_t k : order_) total_ *= padded(k);
    form_.first.assign(buffer_.dimensions.size(), 1);
    for (int64_t k : order_)
      if (dimensions[k] >= 0) form_.first[dimensions[k]] *= padded(k);
    const bool isDense = !order_.empty() && isContiguous(order_[0]);
    form_.second = isDense ? dimensions[order_[0]] : -1;
    // Vectors begin at multiples of themselves, in every row and every tile.
    auto isAligned = [&](int64_t v) {
      if (first % v != 0) return false;
      for (size_t k = 0; k < sizes_.size(); ++k) {
        const auto step = steps[k];
        const int64_t by = static_cast<int64_t>(k) != order_[0]
                               ? step.value_or(0)
                           : k < rank_ ? visit_.tile[k]
                                       : 0;
        if (by % v != 0) return false;
      }
      return true;
    };
    const int64_t bits = storedBits(buffer_);
    while (isDense && bits > 0 &&
           2 * width_ * bits <= device_.vectorBytes * 8 &&
           2 * width_ <= padded(order_[0]) && isAligned(2 * width_))
      width_ *= 2;
    return absl::OkStatus();
  }

  const TileForm &form() const { return form_; }
  /// Elements that one access of a thread may have.
  int64_t width() const { return width_; }

  /// (bl_x)[tile] -> index in the buffer.
  absl::StatusOr<IndexingMap> shown() const {
    IndexingMapBuilder b;
    const Expr block = b.dimension({0, grid_.blocks[0] - 1}, "bl_x");
    const Expr number = tileNumber(b, block);
    Exprs tile;
    for (size_t k = 0; k < sizes_.size(); ++k)
      tile.push_back(b.range({0, sizes_[k] - 1}, "t" + std::to_string(k)));
    INDEXICAL_ASSIGN_OR_RETURN(auto places, placesOf(b, number, tile));
    return compose(places, map_);
  }

  /// The threads of the block, to the index in the buffer. A thread has
  /// `perThread` elements in a row, as far as there are as many. If there are
  /// fewer elements than threads, the others load them as well, and do not
  /// store them.
  absl::StatusOr<IndexingMap> threads(int64_t perThread, Phase phase) const {
    const int64_t row =
        std::min(perThread, std::max<int64_t>(1, total_ / grid_.threads[0]));
    const int64_t v = std::min(width_, row);
    IndexingMapBuilder b;
    Exprs ids;
    static constexpr const char *kNames[] = {"th_x", "th_y", "th_z",
                                             "bl_x", "bl_y", "bl_z"};
    for (size_t i = 0; i < 6; ++i)
      ids.push_back(
          b.dimension({0, (i < 3 ? grid_.threads[i] : grid_.blocks[i - 3]) - 1},
                      kNames[i]));
    const Expr block = tileNumber(b, ids[3]);
    const int64_t once = grid_.threads[0] * row;
    const Expr step = b.range({0, ceilDiv(total_, once) - 1}, "step");
    const Expr part =
        row > v ? b.range({0, row / v - 1}, "part") : b.constant(0);
    const Expr vector = b.range({0, v - 1}, "vector");
    Expr number = step * once + ids[0] * row + part * v + vector;
    if (phase == Phase::Read && total_ < once)
      number = mod(number, total_);
    else
      b.constraint(number, {0, total_ - 1});
    Exprs tile(sizes_.size(), b.constant(0));
    int64_t below = 1;
    for (int64_t k : order_) {
      tile[k] = mod(floorDiv(number, below), padded(k));
      b.constraint(tile[k], {0, sizes_[k] - 1});
      below *= padded(k);
    }
    INDEXICAL_ASSIGN_OR_RETURN(auto places, placesOf(b, block, tile));
    return withIndex(places);
  }

 private:
  int64_t padded(int64_t k) const {
    return static_cast<int64_t>(llvm::PowerOf2Ceil(sizes_[k]));
  }

  /// The number of the tile: a block has one, or goes through some.
  Expr tileNumber(IndexingMapBuilder &b, Expr block) const {
    if (visit_.tilesOfBlock == 1) return block;
    const Expr number = block * visit_.tilesOfBlock +
                        b.range({0, visit_.tilesOfBlock - 1}, "tile");
    int64_t tiles = 1;
    for (size_t k = 0; k < rank_; ++k)
      tiles *= ceilDiv(visit_.space.shape.dimensions[k], visit_.tile[k]);
    b.constraint(number, {0, tiles - 1});
    return number;
  }

  /// For each variable the first dimension of the array that depends on it, or
  /// -1.
  llvm::SmallVector<int64_t, 8> dimensionsOfVariables() const {
    llvm::SmallVector<int64_t, 8> dimensions(sizes_.size(), -1);
    for (size_t d = map_.results().size(); d-- > 0;)
      map_.expressions().visitVariables(map_.results()[d], [&](VariableId id) {
        if (id.index < dimensions.size())
          dimensions[id.index] = static_cast<int64_t>(d);
      });
    return dimensions;
  }

  /// Returns the map from the builder's variables to the root's index and the
  /// ranges.
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
    // Bounds that the composition narrows restrict which threads take part.
    for (auto [k, v] : llvm::enumerate(whole->dimensions())) {
      const Interval given = k < ids ? places.dimensions()[k].bounds
                                     : places.ranges()[k - ids].bounds;
      if (!(v.bounds == given))
        b.constraint(b.expression(variables[k]), v.bounds);
    }
    return b.build();
  }

  /// Returns the step in memory to the next value of each variable; nothing for
  /// variables that change nothing. Sets `first` to the place of the first
  /// element.
  absl::StatusOr<llvm::SmallVector<std::optional<int64_t>, 8>> stepsInMemory(
      int64_t &first) const {
    INDEXICAL_ASSIGN_OR_RETURN(auto address, addressMap(buffer_));
    INDEXICAL_ASSIGN_OR_RETURN(auto whole, compose(map_, address));
    llvm::SmallVector<std::optional<int64_t>, 8> steps(sizes_.size());
    if (whole.isKnownEmpty()) return steps;
    std::set<uint32_t> used;
    whole.expressions().visitVariables(
        whole.results(), [&](VariableId id) { used.insert(id.index); });
    IndexingMap::Point point;
    for (const Variable &v : whole.dimensions())
      point.dimensions.push_back(v.bounds.lower);
    const auto here = whole.evaluate(point);
    if (here) first = (*here)[0];
    for (size_t k = 0; k < sizes_.size() && here; ++k) {
      if (!used.count(k)) continue;
      ++point.dimensions[k];
      const auto next = whole.evaluate(point);
      --point.dimensions[k];
      if (next) steps[k] = std::abs((*next)[0] - (*here)[0]);
      // It has a step, if a later one: it is not the fastest.
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
  Numbers order_;  ///< variables that move, as lanes follow them
  int64_t total_ = 1, width_ = 1;
  TileForm form_;
};

/// A kernel's accesses, on their way to threads.
class TiledAccesses {
 public:
  TiledAccesses(const LaunchPlan &plan, const Device &device, Kernel &kernel)
      : plan_(plan),
        device_(device),
        kernel_(kernel),
        spaces_(std::move(kernel.launches)) {
    kernel.launches.clear();
  }

  absl::Status run() {
    for (const auto *accesses : {&kernel_.reads, &kernel_.writes})
      for (const MemoryAccess &access : *accesses)
        INDEXICAL_RETURN_IF_ERROR(measure(access));
    for (const Phase phase : {Phase::Read, Phase::Write})
      INDEXICAL_RETURN_IF_ERROR(retile(phase));
    return absl::OkStatus();
  }

 private:
  const Visit *visitOf(const MemoryAccess &access) const {
    const auto visit = llvm::find_if(plan_.visits, [&](const Visit &of) {
      return of.space == spaces_[access.launch];
    });
    const bool isKnown =
        access.map.precision() == Precision::Exact &&
        llvm::all_of(access.map.pieces(), [](const IndexingMap &piece) {
          return piece.runtime().empty() && piece.collectives().empty();
        });
    return isKnown && visit != plan_.visits.end() ? &*visit : nullptr;
  }

  absl::Status measure(const MemoryAccess &access) {
    const Visit *visit = visitOf(access);
    if (!visit) return absl::OkStatus();
    for (const IndexingMap &piece : access.map.pieces()) {
      TileAccess &of = pieces_.emplace_back(piece, *visit, plan_.grid, device_,
                                            kernel_.buffers[access.buffer]);
      INDEXICAL_RETURN_IF_ERROR(of.measure());
      int64_t &widest = widest_[of.form()];
      widest = std::max(widest, of.width());
    }
    return absl::OkStatus();
  }

  absl::Status retile(Phase phase) {
    auto &accesses = phase == Phase::Read ? kernel_.reads : kernel_.writes;
    std::vector<MemoryAccess> tiled;
    for (MemoryAccess &access : accesses) {
      if (!visitOf(access)) {
        access.map.weaken(Precision::Cover);
        access.launch = kernel_.launches.size();
        kernel_.launches.push_back(spaces_[0]);
        tiled.push_back(std::move(access));
        continue;
      }
      for (size_t n = access.map.pieces().size(); n > 0; --n)
        INDEXICAL_RETURN_IF_ERROR(add(pieces_[next_++], access, phase, tiled));
    }
    accesses = std::move(tiled);
    return absl::OkStatus();
  }

  absl::Status add(const TileAccess &of, const MemoryAccess &access,
                   Phase phase, std::vector<MemoryAccess> &tiled) {
    // Loads of one form have the widest vectors of all, stores their own.
    INDEXICAL_ASSIGN_OR_RETURN(
        auto threads,
        of.threads(phase == Phase::Read ? widest_[of.form()] : of.width(),
                   phase));
    if (threads.isKnownEmpty()) return absl::OkStatus();
    INDEXICAL_ASSIGN_OR_RETURN(auto shown, of.shown());
    LaunchSpace space;
    space.shape = kernel_.buffers[access.buffer];
    space.order = ThreadOrder::Given;
    space.threads = std::move(threads);
    space.followTile = true;
    const bool isThere = llvm::any_of(tiled, [&](const MemoryAccess &known) {
      return known.buffer == access.buffer &&
             kernel_.launches[known.launch] == space;
    });
    if (isThere) return absl::OkStatus();
    MemoryAccess one = access;
    one.byWarps = true;  // all warps load a scalar
    one.launch = kernel_.launches.size();
    one.map = IndexingRelation(identityOf(space.shape));
    one.place = kernel_.users.size();
    KernelUser user = kernel_.userOf(access);
    user.tile = std::move(shown);
    user.fromRoot = access.map;
    kernel_.users.push_back(std::move(user));
    kernel_.launches.push_back(std::move(space));
    tiled.push_back(std::move(one));
    return absl::OkStatus();
  }

  const LaunchPlan &plan_;
  const Device &device_;
  Kernel &kernel_;
  const std::vector<LaunchSpace> spaces_;
  std::deque<TileAccess> pieces_;  ///< of reads, then writes, in their order
  size_t next_ = 0;                ///< of these
  std::map<TileForm, int64_t> widest_;
};

}  // namespace

absl::Status tileAccesses(const LaunchPlan &plan, const Device &device,
                          Kernel &kernel) {
  return TiledAccesses(plan, device, kernel).run();
}

}  // namespace indexical
