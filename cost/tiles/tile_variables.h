// Gives the values of a map's variables over a tile of the root, as forms;
// private to analysis/.
//
//   (d0, d1){rt0} -> …, tile (a, 4) of f32[?,12]
//
//   d0    a values from o0 on, as far as there are: the root ends at rt0
//   d1    4 values from o1 on; no tile is cut, since 4 divides 12
//   rt0   has one value in a tile
#ifndef INDEXICAL_COST_TILES_TILE_VARIABLES_H
#define INDEXICAL_COST_TILES_TILE_VARIABLES_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

/// A dimension of the root's tile, and of the map.
struct TileDimension {
  FormId offset, size, stride;
  int64_t extent = 1;         ///< the root's size, if it is known
  bool isOpen = false;        ///< it is not known, or only bounded
  Interval all;               ///< indices that the root may have
  std::optional<FormId> end;  ///< of an open one: its size
  Interval bounds;            ///< of the map's variable
  bool divides = false;       ///< tiles are never cut at the root's end
  bool isWhole = false;       ///< there is one tile only
  bool isSingle = false;      ///< a tile has one value

  /// Returns whether the map's variable has less indices than the root.
  bool isNarrow() const { return bounds != all; }
};

class TileVariables {
 public:
  /// Sizes of a tensor, as far as they are known.
  using Sizes = llvm::SmallVector<std::optional<FormId>, 4>;

  TileVariables(const IndexingMap &map, const RootTile &root,
                llvm::ArrayRef<int64_t> shape, const OpenEnds &open);
  TileVariables(const TileVariables &) = delete;
  TileVariables &operator=(const TileVariables &) = delete;

  TileForms &forms() { return f_; }
  const IndexingMap &map() const { return map_; }
  const RootTile &root() const { return root_; }
  llvm::ArrayRef<TileDimension> dimensions() const { return dimensions_; }
  /// The names of the root's symbols, and their values.
  llvm::ArrayRef<std::string> symbols() const { return symbols_; }
  llvm::ArrayRef<Interval> symbolBounds() const { return symbolBounds_; }
  /// The runtime variables of the map, then moreRuntime().
  llvm::ArrayRef<FormId> runtime() const { return runtime_; }
  /// Sizes of the root and the tensor that the map does not name. They have no
  /// names.
  llvm::ArrayRef<RuntimeVariable> moreRuntime() const { return moreRuntime_; }
  /// The tensor.
  llvm::ArrayRef<int64_t> shape() const { return shape_; }
  const Sizes &shapeEnds() const { return shapeEnds_; }
  /// Returns whether a size of the root or of the tensor may be a form.
  bool hasOpenSizes() const { return open_.root || open_.tensor; }

  /// Returns the end of a range that has no upper bound, as far as it is known;
  /// nothing for any other range.
  std::optional<FormId> rangeEnd(uint32_t range) const {
    return rangeEnds_[range];
  }
  /// Returns whether the constraint is just the end of a variable.
  bool isEnd(size_t constraint) const { return isEnd_[constraint]; }
  /// Returns whether there is a constraint that is more than the end of a
  /// variable.
  bool hasConstraints() const { return llvm::is_contained(isEnd_, false); }
  /// Forms of sizes that are not negative where the map holds.
  llvm::ArrayRef<FormId> sizeGates() const { return sizeGates_; }

  /// Returns whether an atom of the map, or all those of a form, has one value
  /// in a tile.
  bool isSingle(AtomId atom);
  bool areSingle(FormId form);
  /// Makes tiles have one value in this dimension, from here on.
  void makeSingle(uint32_t dimension);
  /// Returns the value of an atom of the map that has one.
  FormId valueAt(AtomId atom);
  /// Returns the form's value. Requires that each of its atoms has one value.
  FormId formAt(FormId form);

  /// Returns how many values of a dimension's tile the map's variable has. The
  /// number may be less than 1.
  FormId countOf(const TileDimension &dimension);
  /// Returns the last index of a dimension that the map's variable may have.
  std::optional<FormId> lastIndex(const TileDimension &dimension);

  /// The bounds of a form, or an atom, of the map on its box.
  Interval bounds(FormId form) const;
  Interval atomBounds(AtomId atom) const;

  /// Returns the factors of a product of which just one has one value in a
  /// tile, and is not negative: the other factor, then that one. Returns
  /// nothing for any other atom.
  std::optional<std::pair<FormId, FormId>> scaledBy(const Atom &atom);

 private:
  // tile_open.cc
  void addRuntime(const RuntimeVariable &variable);
  FormId importRuntime(const IndexingMap &from, uint32_t number);
  Sizes sizesOf(llvm::ArrayRef<int64_t> shape,
                const std::optional<IndexingMap> &identity);
  void findEnds();

  void boundSymbols();
  void addDimensions();
  TileDimension dimensionOf(size_t k, llvm::ArrayRef<FormId> symbols,
                            std::optional<FormId> end);

  const IndexingMap &map_;
  const ExpressionTable &table_;
  const RootTile &root_;
  llvm::ArrayRef<int64_t> shape_;
  const OpenEnds &open_;
  TileForms f_;
  llvm::SmallVector<TileDimension, 6> dimensions_;
  const std::vector<std::string> symbols_;
  llvm::SmallVector<Interval, 4> symbolBounds_;
  llvm::SmallVector<FormId, 4> runtime_;
  llvm::SmallVector<RuntimeVariable, 2> moreRuntime_;
  Sizes shapeEnds_, rangeEnds_;
  llvm::SmallVector<FormId, 2> sizeGates_;
  llvm::SmallVector<bool, 4> isEnd_;
  llvm::DenseMap<AtomId, bool> singles_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_VARIABLES_H
