// Tiles: the elements of every instruction that a box of a computation's result
// reads.
//
// A *tile* of the root has, in dimension k, an offset ok, a size, and a stride:
// the indices ok + stride * i for 0 <= i < size, as far as the root has them.
// Offsets are multiples of the sizes; sizes and strides are numbers, or names
// that stand for any. The elements that a tile reads of another tensor are
// again a tile if they are a product of such progressions. The offsets, sizes
// and strides of that tile are expressions of the root's:
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
// (in the sizes, b stands for the rest of the last tile if b does not divide
// 12: b - (b - 12 mod b) * ((o1 + b - 1) floordiv 12)), so that (2, 4) is [2,
// 4] with stride 3, (2, 12) is [6, 4], and (2, 8) is not a tile. A tile is
// found on the *composed* map from the root: two reshapes that cancel leave no
// trace.
//
//   conditions   of the sizes alone: where they hold the tile is exact, at
//                every offset: its points that lie in the tensor are the
//                elements that are read; some sizes meet them (a tile of
//                one element does, in most cases)
//   not exact    the smallest box around the elements, and the expression for
//                which there is no tile
//
// Sizes that are unknown at compile time are runtime variables of the tile, as
// they are of the map. If a tile extends beyond the root, and the shape does
// not cut it, offsets and sizes say so: of the first 3 elements of r = f32[?]
// reverse(p), the tile of p is at rt0 - o0 - a and has a elements.
//
// A map in pieces (paddings, several paths) has a tile for each. A scalar's
// tile is the scalar. If some tiles of the root do not read the scalar (those
// without padding do not read a pad's value), a form says which; if that is
// unknown, the tile is not exact. How a tile is found: tile_analysis.h; tiles
// of several results, of the steps of a reduction, and from an operand to
// results: tile_space.h.
//
// Laws (tests/cost/tiles/tile_test.cc, by running the program): an exact
// tile's points are what the root tile's elements depend on; else the tile is
// the least box around them.
#ifndef INDEXICAL_COST_TILES_TILE_H
#define INDEXICAL_COST_TILES_TILE_H

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile_path.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// A size or stride of the root's tile: a number of at least 1, or the name of
/// a symbol. Equal names are one symbol.
struct TileExtent {
  int64_t value = 0;  ///< if the name is empty
  std::string name;
  bool isSymbol() const { return !name.empty(); }
  static TileExtent of(int64_t value) { return {value, {}}; }
  static TileExtent symbol(std::string name) { return {0, std::move(name)}; }
};

/// A tile of a tensor, with one extent for each dimension. A size above the
/// dimension's means the whole dimension; Interval::kInfinity means the whole
/// of a dimension of unknown size. Steps of a reduction are further dimensions
/// of it (tile_space.h).
struct RootTile {
  llvm::SmallVector<int64_t, 4> shape;  ///< kDynamicSize: not known
  llvm::SmallVector<TileExtent, 4> sizes;
  llvm::SmallVector<TileExtent, 4> strides;  ///< empty: 1 everywhere
  size_t stepCount = 0;  ///< so many of the last dimensions are steps

  /// Returns the name of a dimension's offset: o0, o1, …, and k0, k1, … of the
  /// steps.
  std::string offsetName(size_t k) const;

  /// The names of its symbols, each once, in order.
  std::vector<std::string> symbols() const;
  /// Returns an error if a number is missing or not positive.
  absl::Status verify() const;
};

/// Numbers, one a dimension.
struct ConcreteTile {
  llvm::SmallVector<int64_t, 4> offsets, sizes, strides;
};

/// The elements of another tensor that the root's tile reads, as a tile.
class SymbolicTile {
 public:
  /// The number of the tensor's dimensions.
  size_t rank() const { return axes() - members_; }
  /// The number of axes in front of them, each a member of the group of one of
  /// map.collectives(): the tile has elements of several members' tensors.
  size_t memberCount() const { return members_; }
  /// Returns whether the tile is exactly what is read if the conditions hold.
  bool isExact() const { return exact_; }
  /// Returns whether a tile that is not exact is the smallest box for certain.
  bool isLeast() const { return least_; }

  /// Returns whether every index of the root reads what the map says, for all
  /// values of sizes that are not known, and the reads depend on no other value
  /// of the run.
  bool isOfAll() const { return ofAll_; }

  /// The tile as a map: from the root's offsets, named o0, o1, …, as
  /// dimensions, and the symbols as ranges, to offsets, then sizes, then
  /// strides (of a scalar: to isRead()), of the members first; its constraints
  /// are the conditions.
  const IndexingMap &map() const { return map_; }
  llvm::ArrayRef<FormId> offsets() const {
    return part(0).drop_front(members_);
  }
  llvm::ArrayRef<FormId> sizes() const { return part(1).drop_front(members_); }
  llvm::ArrayRef<FormId> strides() const {
    return part(2).drop_front(members_);
  }
  /// Return the offsets, sizes and strides of the members.
  llvm::ArrayRef<FormId> memberOffsets() const {
    return part(0).take_front(members_);
  }
  llvm::ArrayRef<FormId> memberSizes() const {
    return part(1).take_front(members_);
  }
  llvm::ArrayRef<FormId> memberStrides() const {
    return part(2).take_front(members_);
  }
  /// Returns the tile with the members as dimensions of the tensor, in front.
  SymbolicTile withMembersAsDimensions() const {
    SymbolicTile tile = *this;
    tile.members_ = 0;
    return tile;
  }
  llvm::ArrayRef<Constraint> conditions() const { return map_.constraints(); }
  /// Returns, for a scalar that is not exact because some tiles of the root may
  /// not read it, a form that is 1 if the tile at the root's offsets reads it,
  /// else 0. Returns nothing if that is not known. The form is the one result
  /// of map().
  std::optional<FormId> isRead() const {
    if (map_.results().size() != 1) return std::nullopt;
    return map_.results()[0];
  }
  std::string str(FormId form) const { return map_.str(form); }
  /// `a mod 4 in [0, 0]`
  std::string str(const Constraint &condition) const;

  /// Why the tile is not exact.
  struct Reason {
    enum class Kind : uint8_t {
      Expression,  ///< its values over a tile are not a progression that is
                   ///< independent of the others'
      Domain,      ///< those of the map's first constraint are not one
      Map,         ///< the map is not exact, or the tile too large to write,
                   ///< or the tensor a scalar that some tiles do not read
    };
    Kind kind = Kind::Map;
    int64_t dimension = -1;  ///< of the tensor; -1: of all
    IndexingMap map = {};    ///< from the root, as far as it is blamed
    FormId form = 0;         ///< of that map; not set if the kind is Map
    /// If the elements are those of one member of a collective's group, and the
    /// others read nothing: the member, as a form of that map.
    std::optional<FormId> memberForm = {};

    /// The text of the form, or nothing.
    std::string expression() const {
      return kind == Kind::Map ? "" : map.str(form);
    }
    /// The text of the member, its position in its group, or nothing.
    std::string member() const {
      return memberForm ? map.str(*memberForm) : "";
    }
  };
  const std::optional<Reason> &reason() const { return reason_; }

  /// Returns whether the tile is exact for these values of the symbols and all
  /// values of sizes that are not known.
  bool isExactFor(llvm::ArrayRef<int64_t> symbols) const {
    return isExactFor(symbols, {});
  }
  /// Returns whether the tile is exact if the runtime variables of map() have
  /// these values, in order.
  bool isExactFor(llvm::ArrayRef<int64_t> symbols,
                  llvm::ArrayRef<int64_t> runtime) const;
  /// Returns the tile's numbers at root offsets; nothing if arithmetic leaves
  /// 64 bits.
  std::optional<ConcreteTile> at(llvm::ArrayRef<int64_t> offsets,
                                 llvm::ArrayRef<int64_t> symbols,
                                 llvm::ArrayRef<int64_t> runtime = {}) const;
  /// Returns the numbers of the tile of members at root offsets; nothing if
  /// arithmetic leaves 64 bits.
  std::optional<ConcreteTile> membersAt(
      llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
      llvm::ArrayRef<int64_t> runtime = {}) const;
  /// Returns whether the tile at root offsets reads the tensor. Conservative:
  /// true when unknown, and for a tensor that is not a scalar.
  bool isReadAt(llvm::ArrayRef<int64_t> offsets,
                llvm::ArrayRef<int64_t> symbols,
                llvm::ArrayRef<int64_t> runtime = {}) const;

 private:
  friend class TileDescription;
  std::optional<ConcreteTile> valuesAt(
      std::array<llvm::ArrayRef<FormId>, 3> forms,
      llvm::ArrayRef<int64_t> offsets, llvm::ArrayRef<int64_t> symbols,
      llvm::ArrayRef<int64_t> runtime) const;
  size_t axes() const { return map_.results().size() / 3; }
  llvm::ArrayRef<FormId> part(size_t i) const {
    return map_.results().slice(i * axes(), axes());
  }

  IndexingMap map_;
  size_t members_ = 0;
  bool exact_ = true, least_ = true, ofAll_ = false;
  std::optional<Reason> reason_;
};

/// The ends of tensors with sizes that are not known: maps from every index to
/// itself, whose constraints say where indices end (`d0 - rt0 in [-inf, -1]`).
/// Their runtime variables have the sources of the map's. Nothing if all sizes
/// are known, or if the ends are not.
struct OpenEnds {
  std::optional<IndexingMap> root, tensor;
};

/// Returns the elements that `root`, a tile of one tensor, reads by `map` of
/// another tensor, of this shape. If `isMapExact` is false, the reads are a
/// part of the map, and the tile is not exact. If the map passes collectives,
/// the members that it reads of are axes in front of the tensor's. Returns an
/// error if `root` does not verify, if its shape is not that of the map's
/// dimensions, or if arithmetic leaves 64 bits. Requires a map in canonical
/// form that is not known to be empty.
absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact = true);
/// Like tileThrough() above, if sizes of either tensor are not known.
absl::StatusOr<SymbolicTile> tileThrough(const IndexingMap &map,
                                         const RootTile &root,
                                         llvm::ArrayRef<int64_t> shape,
                                         bool isMapExact, const OpenEnds &open);

/// A condition on runtime values under which a map holds.
struct RunCase {
  std::string text;               ///< `rt0 in [2, inf]`
  std::vector<uint32_t> runtime;  ///< the runtime variables in it
};
/// Returns the constraints that name only sizes, elements and devices. They say
/// in which runs the map holds: if one of them fails, a tile of the map has no
/// elements. `size >= 1` is left out, for a tensor without elements has no
/// tiles.
std::vector<RunCase> casesOf(const IndexingMap &map);

/// A tile of an instruction.
struct InstructionTile {
  InstructionId instruction;
  LeafId leaf;
  /// The instructions between the root and this one along one path that leads
  /// to the tile. Paths of equal tiles are left out. So are, for each leaf of
  /// the root, further paths once those of its tiles have a million names
  /// together; `way` has them all.
  std::vector<InstructionId> path;
  TilePath way;  ///< the same, of every tile
  /// The number of the tile from which it was found, among those that are
  /// returned for the leaf of the root; -1: it is the root's.
  int32_t behind = -1;
  /// The map from the root to the leaf along that path. Its runtime variables
  /// are the tile's, at the tile's offsets.
  IndexingMap map;
  bool isMapExact = true;  ///< else what is read is a part of the map
  SymbolicTile tile;
  /// If the tile is not exact, the first instruction on the path whose
  /// operand's tile is not; -1 if the root's own tile is not, which only
  /// happens if arithmetic leaves 64 bits.
  InstructionId lostAt;
  size_t root = 0;  ///< of TileSpace::roots(): the one whose tile it is of
  llvm::SmallVector<int64_t, 6> shape = {};  ///< of the leaf
  OpenEnds open = {};                        ///< if sizes are not known
};

/// Returns the tiles of an instruction's result `root`, and then those of every
/// instruction upstream of it, in reverse file order, users before producers.
/// An instruction that is not read has none.
absl::StatusOr<std::vector<InstructionTile>> tilesOf(ProgramIndexing &maps,
                                                     const Leaf &root,
                                                     const RootTile &tile);

/// Like tilesOf(), for several leaves of the root, all of the tile's shape.
/// Calls `take` leaf by leaf: each leaf costs only the instructions upstream of
/// it.
absl::Status forTilesOf(
    ProgramIndexing &maps, ComputationId computation, InstructionId root,
    llvm::ArrayRef<LeafId> rootLeaves, const RootTile &tile,
    llvm::function_ref<void(LeafId rootLeaf, std::vector<InstructionTile>)>
        take);

/// Returns the numbers of the candidates for which the conditions of every tile
/// hold. A candidate has a value for each of the root's symbols.
std::vector<size_t> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles,
    llvm::ArrayRef<std::vector<int64_t>> candidates);
/// Returns the numbers of the candidates for which every tile is exact: by its
/// conditions, or because the tile with these numbers is exact.
absl::StatusOr<std::vector<size_t>> sizesThatFit(
    llvm::ArrayRef<InstructionTile> tiles, const RootTile &root,
    llvm::ArrayRef<std::vector<int64_t>> candidates);

/// Returns true if, for these values of the root's symbols, some tile of the
/// tensor straddles a boundary between two parts. The parts have these sizes
/// along the dimension. Conservative: true when unknown.
absl::StatusOr<bool> crossesParts(const InstructionTile &tile,
                                  const RootTile &root,
                                  llvm::ArrayRef<int64_t> symbols,
                                  size_t dimension,
                                  llvm::ArrayRef<int64_t> parts);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_H
