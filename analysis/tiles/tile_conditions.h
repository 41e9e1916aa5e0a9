// What has to hold so that a tile is exact, and the expression that is to blame
// if it cannot hold; private to analysis/.
//
//   condition   a form of the sizes that is never negative, and has to be zero
//   gate        1 if the map holds somewhere in the tile, else 0
#ifndef INDEXICAL_ANALYSIS_TILES_TILE_CONDITIONS_H
#define INDEXICAL_ANALYSIS_TILES_TILE_CONDITIONS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/analysis/tiles/runs.h"
#include "indexical/analysis/tiles/tile.h"
#include "indexical/analysis/tiles/tile_variables.h"

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

  /// From here on the form, or that of a result, is to blame.
  void blame(FormId form) { current_ = {form, -1}; }
  void blameResult(size_t result) {
    current_ = {variables_.map().results()[result],
                static_cast<int64_t>(result)};
  }
  /// Notes that there is no tile, and returns false.
  bool fail() { return fail(current_); }
  /// What was to blame when fail() was called last.
  const std::optional<TileBlame> &blamed() const { return blamed_; }

  /// Requires that a form is zero. Fails if it never is.
  bool require(FormId zero);
  /// Requires all that a law requires.
  bool require(const RunConditions &law);
  llvm::ArrayRef<FormId> zeros() const { return zeros_; }

  void addGate(FormId isOpen);
  void clearGates() { gates_.clear(); }
  /// Makes the first progression empty where a gate is 0. Returns false if it
  /// has to, and there is none.
  bool applyGates(llvm::MutableArrayRef<Progression> parts);

  /// Fails if it is certain that no sizes meet all conditions.
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

#endif  // INDEXICAL_ANALYSIS_TILES_TILE_CONDITIONS_H
