// The conditions under which a tile is exact, and the expression that is to
// blame if they cannot hold; private to analysis/.
//
//   condition   a form of the sizes that is never negative, and has to be zero
//   gate        1 if the map holds somewhere in the tile, else 0
#ifndef INDEXICAL_COST_TILES_TILE_CONDITIONS_H
#define INDEXICAL_COST_TILES_TILE_CONDITIONS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/tiles/tile_variables.h"

namespace indexical {

/// An expression of the map for which there is no tile.
struct TileBlame {
  FormId form = 0;
  int64_t dimension = -1;  ///< of the tensor; -1: of all
};

class TileConditions {
 public:
  explicit TileConditions(TileVariables &variables)
      : f_(variables.forms()), variables_(variables) {}

  /// Sets the expression that later failures blame: a form, or a result's.
  void blame(FormId form) { current_ = {form, -1}; }
  void blameResult(size_t result) {
    current_ = {variables_.map().results()[result],
                static_cast<int64_t>(result)};
  }
  /// Notes that there is no tile, and returns false.
  bool fail() { return fail(current_); }
  /// Returns the expression that the last failure blamed; nothing if there was
  /// none.
  const std::optional<TileBlame> &blamed() const { return blamed_; }

  /// Requires that a form is zero. Fails if it never is.
  bool require(FormId zero);
  /// Requires the conditions of a law. Fails if one never is zero.
  bool require(const TileRunConditions &law);
  llvm::ArrayRef<FormId> zeros() const { return zeros_; }

  void addGate(FormId isOpen);
  void clearGates() { gates_.clear(); }
  /// Multiplies the count of the first progression by the gates. Returns false
  /// if there is no progression, and a gate that is not the number 1.
  bool applyGates(llvm::MutableArrayRef<Progression> parts);

  /// Tries whether some sizes meet all conditions that the sizes alone decide.
  /// Returns false, with a blame, if it is certain that none do.
  bool someSizesMeetAll();

 private:
  bool fail(const TileBlame &blame);
  std::optional<size_t> refutedBy(llvm::ArrayRef<size_t> conditions,
                                  llvm::ArrayRef<uint32_t> symbols);

  TileForms &f_;
  const TileVariables &variables_;
  llvm::SmallVector<FormId, 4> zeros_;
  llvm::SmallVector<TileBlame, 4> blames_;  ///< for each of them
  llvm::SmallVector<FormId, 2> gates_;
  TileBlame current_;
  std::optional<TileBlame> blamed_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_CONDITIONS_H
