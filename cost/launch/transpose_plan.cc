// Transposes through shared memory: a warp reads along the operand's rows, and
// writes along the result's.
//
//   f32[64,96] to f32[96,64]: blocks of 128 threads, tiles of 32 x 32
//   read    row s0 * 4 + th_x floordiv 32, column th_x mod 32 of the operand
//   write   the same of the result's tile; the shared tile has 33 columns, so
//           that lanes that go down a column meet other banks
#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/plans.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using Numbers = llvm::SmallVector<int64_t, 6>;

constexpr int64_t kTile = 32;

struct Machine {
  int64_t threads, rows, vectorBytes;
};
Machine machineOf(const Device &device) {
  return device.vendor == Vendor::Amd ? Machine{256, 8, 16}
                                      : Machine{128, 4, 4};
}

template <typename T>
llvm::SmallVector<T, 6> permuted(llvm::ArrayRef<T> of,
                                 llvm::ArrayRef<int64_t> permutation) {
  llvm::SmallVector<T, 6> result;
  for (int64_t k : permutation) result.push_back(of[k]);
  return result;
}

ElementType wordOf(int64_t bits) {
  switch (bits) {
    case 4:
      return ElementType::U4;
    case 8:
      return ElementType::U8;
    case 16:
      return ElementType::U16;
    case 64:
      return ElementType::U64;
    case 128:
      return ElementType::C128;
    default:
      return ElementType::U32;
  }
}

/// The visits of both phases, from the two thread maps as functions of a shape.
template <typename ReadMap, typename WriteMap>
absl::Status addVisits(const PlanContext &in, ReadMap readMap,
                       WriteMap writeMap, LaunchPlan &plan) {
  for (const TiledTranspose &of : in.choice.transposes) {
    const ArrayShape &shape = in.operandShape(of.instruction, LeafId(0));
    INDEXICAL_ASSIGN_OR_RETURN(auto map, readMap(shape));
    Visit visit = visitAt(Phase::Read, of.instruction, shape, std::move(map));
    visit.operand = LeafId(0);
    plan.visits.push_back(std::move(visit));
  }
  for (auto [hero, root] : llvm::zip(in.choice.heroes, in.body.roots())) {
    const ArrayShape &shape = in.shapeOf(root);
    INDEXICAL_ASSIGN_OR_RETURN(auto map,
                               hero.isTiled ? writeMap(shape) : readMap(shape));
    Visit visit = visitAt(hero.isTiled ? Phase::Write : Phase::Read,
                          root.instruction, shape, std::move(map));
    if (hero.isTiled) visit.stops = {hero.instruction};
    visit.leaf = root.results[0].leaf;
    visit.result = root.results[0].result;
    plan.visits.push_back(std::move(visit));
  }
  return absl::OkStatus();
}

//===-- Plain -------------------------------------------------------------===//

class PlainTranspose {
 public:
  PlainTranspose(const PlanContext &in, const TiledTranspose &of)
      : in_(in), of_(of), machine_(machineOf(in.device)) {
    const size_t rank = of.input.size();
    moved_ = of.keepsMinor()
                 ? std::array<int64_t, 2>{static_cast<int64_t>(rank) - 2,
                                          of.permutation[rank - 2]}
                 : std::array<int64_t, 2>{static_cast<int64_t>(rank) - 1,
                                          of.permutation.back()};
    vector_ = of.keepsMinor() ? of.input.back() : widestVector();
    setTile(of.keepsMinor() ? 1 : vector_);
  }

  Grid grid() const {
    Grid grid;
    grid.threads[0] = machine_.threads;
    grid.blocks[0] = productOf(blocks_);
    return grid;
  }

  absl::StatusOr<IndexingMap> read(const ArrayShape &shape) const {
    LaunchMap map(grid());
    const Exprs tile = digitsOf(place(map), tile_);
    Exprs index = digitsOf(map.block(), blocks_);
    for (size_t k = 0; k < index.size(); ++k)
      index[k] = index[k] * tile_[k] + tile[k];
    return map.to(index, of_.input, shape);
  }

  absl::StatusOr<IndexingMap> write(const ArrayShape &shape) const {
    LaunchMap map(grid());
    const Numbers tile = permuted<int64_t>(tile_, of_.permutation);
    const Exprs inTile = digitsOf(place(map), tile);
    const Exprs block =
        permuted<Expr>(digitsOf(map.block(), blocks_), of_.permutation);
    Exprs index;
    for (size_t k = 0; k < block.size(); ++k)
      index.push_back(block[k] * tile[k] + inTile[k]);
    return map.to(index, of_.output, shape);
  }

  absl::Status addShared(const TiledTranspose &of, LaunchPlan &plan) const {
    Numbers padded = tile_;
    padded[of_.keepsMinor() ? padded.size() - 2 : padded.size() - 1] += 1;
    auto touched = [&](bool isSwapped) {
      LaunchMap map(grid());
      Exprs at = digitsOf(place(map), tile_);
      if (isSwapped) std::swap(at[moved_[0]], at[moved_[1]]);
      Expr number = map.builder().constant(0);
      for (size_t k = 0; k < at.size(); ++k)
        number = number * padded[k] + at[k];
      return map.to(number);
    };
    return addTile(plan, ArrayShape(wordOf(of.bits), padded), touched(true),
                   touched(false));
  }

 private:
  void setTile(int64_t v) {
    tile_.assign(of_.input.size(), 1);
    for (int64_t k : moved_) tile_[k] = kTile * v;
    if (of_.keepsMinor()) tile_.back() = of_.input.back();
    blocks_.clear();
    for (auto [size, side] : llvm::zip(of_.input, tile_))
      blocks_.push_back(ceilDiv(size, side));
  }

  /// Returns the most elements of one access with which there are still enough
  /// blocks and shared memory.
  int64_t widestVector() {
    int64_t widest = 1;
    for (const TiledTranspose &of : in_.choice.transposes)
      widest = std::max(widest, ceilDiv(of.bits, 8));
    for (int64_t v = machine_.vectorBytes / widest; v > 1; v /= 2) {
      setTile(v);
      int64_t shared = 0;
      for (auto [hero, root] : llvm::zip(in_.choice.heroes, in_.body.roots()))
        if (hero.isTiled)
          shared += kTile * (kTile + 1) * v * v *
                    ceilDiv(bitsOf(in_.shapeOf(root).type), 8);
      if (productOf(blocks_) * machine_.threads >=
              v * v * in_.device.cores * in_.device.coreThreads &&
          shared <= in_.device.sharedBytes && of_.input[moved_[0]] % v == 0 &&
          of_.input[moved_[1]] % v == 0)
        return v;
    }
    return 1;
  }

  /// The number of the place in the tile that a thread has.
  Expr place(LaunchMap &map) const {
    const int64_t side = of_.keepsMinor() ? kTile : tile_[moved_[0]];
    Expr s0 = map.loop(side / machine_.rows, "s0");
    Expr s1 = map.loop(vector_, "s1");
    const int64_t step =
        (of_.keepsMinor() ? kTile * vector_ : side) * machine_.rows;
    return s0 * step + map.thread() * vector_ + s1;
  }

  const PlanContext &in_;
  const TiledTranspose &of_;
  const Machine machine_;
  std::array<int64_t, 2> moved_;  ///< dimensions of the input that are tiled
  int64_t vector_ = 1;
  Numbers tile_, blocks_;
};

/// The grid, the shared tiles and the visits of either kind.
template <typename Transpose>
absl::Status planBy(const PlanContext &in, LaunchPlan &plan) {
  const Transpose of(in, in.choice.transposes.front());
  plan.grid = of.grid();
  for (const TiledTranspose &each : in.choice.transposes)
    INDEXICAL_RETURN_IF_ERROR(of.addShared(each, plan));
  return addVisits(
      in, [&](const ArrayShape &shape) { return of.read(shape); },
      [&](const ArrayShape &shape) { return of.write(shape); }, plan);
}

}  // namespace

absl::Status planTranspose(const PlanContext &in, LaunchPlan &plan) {
  return planBy<PlainTranspose>(in, plan);
}

//===-- Packed ------------------------------------------------------------===//

namespace {

/// Groups of 32 threads go along a row of a tile of words.
class PackedTranspose {
 public:
  PackedTranspose(const PlanContext &in, const TiledTranspose &of)
      : of_(of), tile_(packedTile(of)) {
    threads_ = machineOf(in.device).threads;
    groups_ = threads_ / kTile;
    Numbers sides(of.input.size(), 1);
    sides[tile_.row] = tile_.rows;
    sides[tile_.column] = tile_.columns;
    if (tile_.middle >= 0) sides[tile_.middle] = tile_.middles;
    sides_ = sides;
    for (int64_t k : of.permutation)
      blocks_.push_back(ceilDiv(of.input[k], sides[k]));
  }

  Grid grid() const {
    Grid grid;
    grid.threads[0] = threads_;
    grid.blocks[0] = productOf(blocks_);
    return grid;
  }

  absl::StatusOr<IndexingMap> read(const ArrayShape &shape) const {
    LaunchMap map(grid());
    const Exprs index = indexOf(map, readPlace(map));
    return map.to(index, of_.input, shape);
  }
  absl::StatusOr<IndexingMap> write(const ArrayShape &shape) const {
    LaunchMap map(grid());
    const Exprs index = indexOf(map, writePlace(map));
    return map.to(permuted<Expr>(index, of_.permutation), of_.output, shape);
  }

  absl::Status addShared(const TiledTranspose &of, LaunchPlan &plan) const {
    auto touched = [&](bool isWritten) {
      LaunchMap map(grid());
      const TileElement at = isWritten ? readPlace(map) : writePlace(map);
      keep(map, at);
      const int64_t v = tile_.vector;
      return map.to(at.row * tile_.side +
                    mod(at.column + floorDiv(at.row, v) * v, tile_.side));
    };
    return addTile(plan, ArrayShape(wordOf(of.bits), {tile_.side, tile_.side}),
                   touched(true), touched(false));
  }

 private:
  struct TileElement {
    Expr row, column;
  };

  TileElement readPlace(LaunchMap &map) const {
    const int64_t v = tile_.vector;
    Expr s0 = map.loop(ceilDiv(tile_.rows, groups_), "s0");
    Expr s1 = map.loop(v, "s1");
    return {s0 * groups_ + floorDiv(map.thread(), kTile),
            mod(map.thread(), kTile) * v + s1};
  }
  TileElement writePlace(LaunchMap &map) const {
    const int64_t v = tile_.vector;
    Expr s0 = map.loop(ceilDiv(columns(), v * groups_), "s0");
    Expr s1 = map.loop(v, "s1");
    Expr s2 = map.loop(v, "s2");
    return {mod(map.thread(), kTile) * v + s2,
            (s0 * groups_ + floorDiv(map.thread(), kTile)) * v + s1};
  }
  int64_t columns() const { return tile_.columns * tile_.middles; }
  void keep(LaunchMap &map, const TileElement &at) const {
    map.keep(at.row, {0, tile_.rows - 1});
    map.keep(at.column, {0, columns() - 1});
  }

  /// The index of the input at that place of the block's tile.
  Exprs indexOf(LaunchMap &map, const TileElement &at) const {
    keep(map, at);
    const Exprs digits = digitsOf(map.block(), blocks_);
    Exprs index(of_.input.size());
    for (auto [output, k] : llvm::enumerate(of_.permutation))
      index[k] = digits[output] * sides_[k];
    index[tile_.row] = index[tile_.row] + at.row;
    if (tile_.middle >= 0)
      index[tile_.middle] =
          index[tile_.middle] + floorDiv(at.column, tile_.columns);
    index[tile_.column] =
        index[tile_.column] +
        (tile_.middles > 1 ? mod(at.column, tile_.columns) : at.column);
    return index;
  }

  const TiledTranspose &of_;
  const PackedTile tile_;
  int64_t threads_, groups_;
  Numbers sides_;   ///< of the tile, in the order of the input
  Numbers blocks_;  ///< in the order of the output
};

}  // namespace

absl::Status planPackedTranspose(const PlanContext &in, LaunchPlan &plan) {
  return planBy<PackedTranspose>(in, plan);
}

}  // namespace indexical
