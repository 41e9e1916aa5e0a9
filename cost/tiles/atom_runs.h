// The runs of a map's atoms over a tile of the root; private to analysis/.
//
//   (d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), tile (a, b)
//
//   d0           a values
//   the digits   b values of d1, cut at multiples of 4: a product of runs only
//   of d1        if b divides 4 or 4 divides b
//
// runs.h defines runs, and derives the runs of sums and digits.
#ifndef INDEXICAL_COST_TILES_ATOM_RUNS_H
#define INDEXICAL_COST_TILES_ATOM_RUNS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/runs.h"
#include "indexical/cost/tiles/tile_conditions.h"
#include "indexical/cost/tiles/tile_uses.h"
#include "indexical/cost/tiles/tile_variables.h"

namespace indexical {

/// A constraint on the remainder of a division.
struct RemainderBounds {
  FormId parent;  ///< of the map's table
  int64_t divisor;
  Interval bounds;
};

class AtomRuns {
 public:
  AtomRuns(TileVariables &variables, const TileUses &uses,
           TileConditions &conditions)
      : variables_(variables),
        f_(variables.forms()),
        table_(variables.map().expressions()),
        uses_(uses),
        conditions_(conditions),
        cutByShape_(indexical::cutByShape(variables, uses)) {}

  /// Returns the run of an atom of the map. Adds conditions under which it is
  /// one.
  Run runOf(AtomId atom);
  /// Returns the sum of the runs of a form's atoms.
  RunSum sumOf(FormId form);
  /// Returns whether some atom has no run. A run that was returned for it has
  /// no meaning.
  bool hasFailed() const { return hasFailed_; }

  /// The one atom of each result that the shape cuts.
  llvm::ArrayRef<std::optional<AtomId>> cutByShape() const {
    return cutByShape_;
  }
  bool isCutByShape(AtomId atom) const {
    return llvm::is_contained(cutByShape_, std::optional<AtomId>(atom));
  }

  /// Restricts the digits that are asked for from here on to values that the
  /// constraint allows.
  void restrict(const RemainderBounds &bounds) { bounds_.push_back(bounds); }
  void clearRestrictions() { bounds_.clear(); }
  /// Returns whether there is such a constraint on the remainders of a form.
  bool isRestricted(FormId parent) const;
  /// Returns the restriction of the values that are divided by the digit's
  /// divisor, if the digit is a quotient; else null.
  const RemainderBounds *restrictionOf(const Atom &digit) const;
  /// Returns the run of a digit whose parent's values are restricted so, and
  /// have the widest gap 1. Adds a gate for tiles in which there are none. If
  /// the run is not known, the restriction excludes no value of the digit where
  /// the gate is 1.
  std::optional<Run> restrictedRun(const RunSum &parent, const Atom &digit,
                                   const RemainderBounds &bounds);

 private:
  Run dimensionRun(AtomId atom, const TileDimension &dimension);
  Run boundsRun(VariableId variable);
  Run scaledRun(FormId varying, FormId factor);
  bool addDigits(FormId parent);
  bool addDigits(FormId parent, llvm::ArrayRef<AtomId> digits);
  bool isNeverCut(FormId parent, llvm::ArrayRef<AtomId> digits);

  TileVariables &variables_;
  TileForms &f_;
  const ExpressionTable &table_;
  const TileUses &uses_;
  TileConditions &conditions_;
  const llvm::SmallVector<std::optional<AtomId>, 4> cutByShape_;
  llvm::SmallVector<RemainderBounds, 2> bounds_;
  llvm::DenseMap<AtomId, Run> runs_;
  bool hasFailed_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_ATOM_RUNS_H
