// Tiles: what a box of a computation's result is in every instruction before.
//
// A *tile* of the root has, in dimension k, an offset ok, a size, and a stride:
// the indices ok + stride * i for 0 <= i < size, as far as the root has them.
// Offsets are multiples of the sizes; sizes and strides are numbers, or names
// that stand for any. What the tile is in another tensor is again a tile where
// the elements it reads there are a product of such progressions, and then its
// offsets, sizes and strides are expressions of the root's:
//
//   f { p = f32[12,4] parameter(0)
//       ROOT r = f32[4,12] reshape(p) }         tile (a, b) of r
//
//   p: offsets  (o0 * 3 + o1 floordiv 4, o1 mod 4)
//      sizes    (a * ((b + 3) floordiv 4), b - (b - 1) floordiv 4 * 4)
//      strides  (3 where b is at most 4, else 1; 1)
//      where    (4 mod b) * (b mod 4) in [0, 0] and
//               (a - 1) * (n - 1) * (3 - n) in [0, 0], n = (b + 3) floordiv 4
//
// (in the sizes stands for b what is left of it in the last tile, where b does
// not divide 12: b - (b - 12 mod b) * ((o1 + b - 1) floordiv 12)),
// so that (2, 4) is [2, 4] with stride 3, (2, 12) is [6, 4], and (2, 8) is no
// tile at all. A tile is found on the *composed* map from the root: two
// reshapes that cancel leave no trace.
//
//   conditions   of the sizes alone: where they hold the tile is exact, at
//                every offset: its points that lie in the tensor are the
//                elements that are read; some sizes meet them (a tile of
//                one element does, in most cases)
//   not exact    the smallest box around the elements, and the expression for
//                which there is no tile
//
// Sizes that are not known are runtime variables of the tile, as they are of
// the map. Where a tile sticks out of the root, and the shape does not cut it,
// offsets and sizes say so: of the first 3 elements of r = f32[?] reverse(p),
// the tile of p is at rt0 - o0 - a and has a elements.
//
// A map in pieces (paddings, several paths) has a tile for each. A scalar's
// tile is the scalar. It is exact if every tile of the root reads it; if some
// do not (those without padding do not read a pad's value), a form says which.
// How a tile is found: tile_maker.h.
//
// Laws (tests/analysis/tile_test.cc, by running the program): an exact tile's
// points are what the root tile's elements depend on; else the tile is the
// least box around them.
#ifndef INDEXICAL_ANALYSIS_TILES_TILE_H
#define INDEXICAL_ANALYSIS_TILES_TILE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

/// A size or stride of the root's tile: a number of at least 1, or the name of
/// a symbol. Equal names are one symbol.
struct TileExtent {
  int64_t value = 0;  ///< where the name is empty
  std::string name;
  bool isSymbol() const { return !name.empty(); }
  static TileExtent of(int64_t value) { return {value, {}}; }
  static TileExtent symbol(std::string name) { return {0, std::move(name)}; }
};

/// A tile of a tensor, one extent a dimension. A size larger than the
/// dimension's is the dimension's; of a dimension whose size is not known,
/// Interval::kInfinity is that size.
struct RootTile {
  llvm::SmallVector<int64_t, 4> shape;  ///< kDynamicSize: not known
  llvm::SmallVector<TileExtent, 4> sizes;
  llvm::SmallVector<TileExtent, 4> strides;  ///< empty: 1 everywhere

  /// The names of its symbols, each once, in order.
  std::vector<std::string> symbols() const;
  /// An error where a number is missing or not positive.
  absl::Status verify() const;
};

/// Numbers, one a dimension.
struct ConcreteTile {
  llvm::SmallVector<int64_t, 4> offsets, sizes, strides;
};

/// What the root's tile is in another tensor.
class SymbolicTile {
 public:
  size_t rank() const { return map_.results().size() / 3; }
  /// Whether it is what is read wherever the conditions hold.
  bool isExact() const { return exact_; }
  /// Whether a tile that is not exact is the smallest box for certain.
  bool isLeast() const { return least_; }

  /// Whether every index of the root reads what the map says, whatever the
  /// sizes are that are not known, and no other value of the run counts.
  bool isOfAll() const { return ofAll_; }

  /// The tile as a map: from the root's offsets, named o0, o1, …, as
  /// dimensions, and the symbols as ranges, to offsets, then sizes, then
  /// strides (of a scalar: to isRead()); its constraints are the conditions.
  const IndexingMap &map() const { return map_; }
  llvm::ArrayRef<FormId> offsets() const { return part(0); }
  llvm::ArrayRef<FormId> sizes() const { return part(1); }
  llvm::ArrayRef<FormId> strides() const { return part(2); }
  llvm::ArrayRef<Constraint> conditions() const { return map_.constraints(); }
  /// Of a scalar that is not exact because some tiles of the root may not read
  /// it: 1 where the tile at the root's offsets does, else 0. Nothing if that
  /// is not known. It is the one result of map().
  std::optional<FormId> isRead() const {
    if (map_.results().size() != 1) return std::nullopt;
    return map_.results()[0];
  }
  std::string str(FormId form) const { return map_.str(form); }
  /// `a mod 4 in [0, 0]`
  std::string str(const Constraint &condition) const;

  /// Why it is not exact.
  struct Reason {
    enum class Kind : uint8_t {
      Expression,  ///< has, over a tile, no progression of values that is
                   ///< independent of the others'
      Domain,      ///< so has the form of the map's first constraint
      Map,         ///< it is not exact itself, or the tile too large to write,
                   ///< or it is a scalar that some tiles do not read
    };
    Kind kind = Kind::Map;
    int64_t dimension = -1;  ///< of the tensor; -1: of all
    IndexingMap map = {};    ///< from the root, as far as it is blamed
    FormId form = 0;         ///< of that map; nothing where the kind is Map

    /// The text of the form, or nothing.
    std::string expression() const {
      return kind == Kind::Map ? "" : map.str(form);
    }
  };
  const std::optional<Reason> &reason() const { return reason_; }

  /// Whether it is exact for these values of the symbols, whatever the sizes
  /// are that are not known.
  bool isExactFor(llvm::ArrayRef<int64_t> symbols) const {
    return isExactFor(symbols, {});
  }
  /// Whether it is exact where these are the values of the runtime variables of
  /// map(), in order.
  bool isExactFor(llvm::ArrayRef<int64_t> symbols,
                  llvm::ArrayRef<int64_t> runtime) const;
  /// Its numbers at root offsets; nothing where arithmetic leaves 64 bits.
  std::optional<ConcreteTile> at(llvm::ArrayRef<int64_t> offsets,
                                 llvm::ArrayRef<int64_t> symbols,
                                 llvm::ArrayRef<int64_t> runtime = {}) const;

 private:
  friend class TileMaker;
  llvm::ArrayRef<FormId> part(size_t i) const {
    return map_.results().slice(i * rank(), rank());
  }

  IndexingMap map_;
  bool exact_ = true, least_ = true, ofAll_ = false;
  std::optional<Reason> reason_;
};

/// Of tensors with sizes that are not known: every index of theirs to itself,
/// whose constraints say where indices end (`d0 - rt0 in [-inf, -1]`), in terms
/// of runtime variables that have the sources of the map's. Nothing: all sizes
/// are known, or there is no telling.
struct OpenEnds {
  std::optional<IndexingMap> root, tensor;
};

/// What the tile of a tensor is under `map`, which goes from that tensor to
/// one of the shape. `isMapExact`: else what is read is a part of the map, and
/// the tile is not exact. An error where `root` does not verify, its shape is
/// not that of the map's dimensions, or arithmetic leaves 64 bits. Requires a
/// map in canonical form, not known to be empty.
absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact = true);
/// The same, where sizes of either tensor are not known.
absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact, const OpenEnds &open);

/// A tile of an instruction.
struct InstructionTile {
  int32_t instruction = 0;
  int64_t leaf = 0;
  /// Instructions between the root and this one, on one way that leads to the
  /// tile: those of equal tiles are left out.
  std::vector<int32_t> path;
  /// What the root reads of the leaf on that way; its runtime variables are
  /// the tile's, at the tile's offsets.
  IndexingMap map;
  bool isMapExact = true;  ///< else what is read is a part of the map
  SymbolicTile tile;
  /// The instruction from whose operand on a tile that is not exact is not so;
  /// -1 where the root's own is not, which only arithmetic past 64 bits does.
  int32_t lostAt = -1;
};

/// The tiles of every instruction below result leaf `rootLeaf` of `root`, which
/// come first; instructions in file order backwards, users before producers.
/// What is not read has none.
absl::StatusOr<std::vector<InstructionTile>> tilesOf(ProgramIndexing &maps,
                                                     int32_t computation,
                                                     int32_t root,
                                                     int64_t rootLeaf,
                                                     const RootTile &tile);

/// The same for several leaves of the root, all of the tile's shape, handed on
/// leaf by leaf: of thousands each costs what lies on its way down.
absl::Status forTilesOf(
    ProgramIndexing &maps, int32_t computation, int32_t root,
    llvm::ArrayRef<int64_t> rootLeaves, const RootTile &tile,
    llvm::function_ref<void(int64_t rootLeaf, std::vector<InstructionTile>)>
        take);

/// Which of the candidates, each the values of the root's symbols, make every
/// tile exact: their numbers.
std::vector<size_t> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles,
    llvm::ArrayRef<std::vector<int64_t>> candidates);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_TILES_TILE_H
