// How a tile is found on one map, private to analysis/.
//
//   (d0, d1) -> (d0 * 3 + d1 floordiv 4, d1 mod 4), tile (a, b)
//
// Every atom of a result takes, over a tile, a *run* of values: so many, one
// after the other. d0: a values. The digits of d1, together: b values cut at
// multiples of 4, which is a product of runs only if b divides 4 or 4 divides b
// (tile_digits.cc). A result is a sum of runs, and a progression if they fit
// into each other: of 3 * d0 + (0 or 1 or 2) either one has one value, or the
// smaller one all of them (tile_sums.cc). An atom that two results use must
// have one value. Requirements are collected as conditions, each a form that is
// never negative and has to be zero. Conditions that no sizes meet together are
// found by trying sizes (tile_conditions.cc).
//
// A constraint of the map cuts a progression, if it restricts one of a result
// (tile_constraints.cc). If something does not fit, the tile is a box instead
// (tile_cover.cc).
#ifndef INDEXICAL_ANALYSIS_TILES_TILE_MAKER_H
#define INDEXICAL_ANALYSIS_TILES_TILE_MAKER_H

#include <cstdint>
#include <map>
#include <optional>
#include <utility>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/analysis/tiles/tile.h"
#include "indexical/analysis/tiles/tile_forms.h"
#include "indexical/indexing/indexing_map.h"

namespace indexical {

class TileMaker {
 public:
  TileMaker(const IndexingMap &map, const RootTile &root,
            llvm::ArrayRef<int64_t> shape, const OpenEnds &open);

  absl::StatusOr<SymbolicTile> make(bool isMapExact);

 private:
  /// Expressions with more terms than this are not written: they would be too
  /// long to read.
  static constexpr int64_t kMostTerms = 2000;

  /// One dimension of the root's tile.
  struct Side {
    FormId offset, size, stride;
    int64_t extent = 1;         ///< the root's size, if it is known
    bool isOpen = false;        ///< it is not known, or only bounded
    Interval all;               ///< indices that the root may have
    std::optional<FormId> end;  ///< of an open one: its size
    Interval bounds;            ///< of the map's variable
    bool divides = false;       ///< tiles are never cut at the root's end
    bool isWhole = false;       ///< there is one tile only
    bool isSingle = false;      ///< a tile has one value

    bool isNarrow() const { return bounds != all; }
  };

  /// The values of an atom in a tile: first, first + gap, … The tile's offsets
  /// decide `first`; `full` is how many there are if nothing is cut, and
  /// depends on the sizes alone unless the run is floating; `cut` is how many
  /// there are.
  struct Run {
    FormId first = 0, full = 0, cut = 0, gap = 0;
    int64_t most = 1;     ///< values over all tiles
    FormId multiple = 0;  ///< that `first` is a multiple of, if not cut
    bool floating = false;
    bool mayLack = false;  ///< it may lack some of the `most` values
    llvm::SmallVector<int64_t, 2> edges;  ///< where a tile may be cut
    bool hasOtherEdges = false;           ///< and elsewhere
  };
  struct Part {
    int64_t coefficient;
    AtomId atom;
    Run run;
    int64_t gap;      ///< |coefficient| * the run's gap; 0: that is no number
    FormId multiple;  ///< that the part's least value is a multiple of
  };

  /// A sum of runs: the parts with more than one value, and the least value.
  struct Sum {
    FormId least = 0;
    /// The rest of the sum: a constant, and multiples of these forms.
    int64_t constant = 0;
    llvm::SmallVector<FormId, 4> multiples;
    llvm::SmallVector<Part, 4> parts;  ///< by gap
  };

  struct Progression {
    FormId first = 0, count = 0, stride = 0;
  };

  /// Least and greatest value of a cover.
  struct Ends {
    FormId least = 0, greatest = 0;
    bool exact = true;  ///< both are values
  };

  struct Clip {
    size_t result;
    std::optional<FormId> lower, upper;
  };

  /// A constraint on the remainder of a division.
  struct Residue {
    FormId parent;  ///< of the map's table
    int64_t divisor;
    Interval bounds;
  };

  // tile_open.cc
  using Sizes = llvm::SmallVector<std::optional<FormId>, 4>;
  void addRuntime(const RuntimeVariable &variable);
  FormId importRuntime(const IndexingMap &from, uint32_t number);
  Sizes sizesOf(llvm::ArrayRef<int64_t> shape,
                const std::optional<IndexingMap> &identity);
  void findEnds();
  std::optional<FormId> lastIndex(const Side &side);
  FormId formAt(FormId form);
  std::optional<std::pair<FormId, FormId>> scaledBy(const Atom &atom);
  Run scaledRun(FormId varying, FormId factor);
  bool addAround(Progression &all, llvm::MutableArrayRef<Part> parts);
  std::optional<Ends> endsOfOpen(const Atom &atom);
  bool isCutByOpenShape(size_t result, const Term &term);

  // tile_map.cc
  void addSides();
  bool makeExact();
  absl::StatusOr<SymbolicTile> makeScalar();
  bool countUses();
  void use(FormId form, llvm::DenseSet<FormId> &parents);
  bool makeSingle(AtomId atom);
  bool isParameter(AtomId atom);
  bool areParameters(FormId form);
  bool require(FormId zero);
  bool fail(FormId form, int64_t dimension);
  bool fail() { return fail(blamed_, blamedDimension_); }
  void blame(size_t result) {
    blamed_ = map_.results()[result];
    blamedDimension_ = result;
  }
  FormId valueAt(AtomId atom);
  Run runOf(AtomId atom);
  Run dimensionRun(AtomId atom, uint32_t k);
  Interval ownBounds(FormId form);
  Interval ownAtomBounds(AtomId atom);
  bool isCutByShape(size_t result, const Term &term);
  void chooseCutByShape();
  bool isCutByShape(AtomId atom) const {
    return llvm::is_contained(cutByShape_, std::optional<AtomId>(atom));
  }
  FormId rawCount(const Side &side);
  bool hasConditions() const { return llvm::is_contained(isEnd_, false); }
  bool addGates(llvm::MutableArrayRef<Progression> parts);
  absl::StatusOr<SymbolicTile> build(llvm::ArrayRef<Progression> parts,
                                     bool withConditions);

  // tile_digits.cc
  Sum sumOf(FormId form);
  bool addDigits(FormId parent);
  bool hasAllValues(const Atom &digit, FormId count);
  bool digitsOf(const Sum &sum, llvm::ArrayRef<AtomId> digits);
  bool isContiguous(const Sum &sum, FormId &full, FormId &cut);
  int64_t widestGap(const Sum &sum);
  void addCut(const Sum &sum, FormId full, int64_t divisor,
              llvm::SmallVectorImpl<FormId> &zeros);
  bool isNeverCut(const Sum &sum, llvm::ArrayRef<AtomId> digits);
  Progression quotientsOf(const Sum &sum, int64_t shift, int64_t divisor,
                          Interval remainders);
  std::optional<Run> residueRun(const Sum &sum, FormId parent,
                                const Atom &digit);

  // tile_sums.cc
  std::optional<Progression> progressionOf(size_t result);
  std::optional<Progression> progressionOf(Sum sum);

  // tile_constraints.cc
  bool addConstraints();
  bool addConstraint(const Constraint &constraint);
  bool addClip(llvm::ArrayRef<Term> terms, std::optional<FormId> lower,
               std::optional<FormId> upper);
  bool clip(Progression &progression, const Clip &clip);
  void addGate(FormId isOpen);

  // tile_conditions.cc
  bool someSizesMeetConditions();
  std::optional<size_t> refutedBy(llvm::ArrayRef<size_t> conditions,
                                  llvm::ArrayRef<uint32_t> symbols);

  // tile_cover.cc
  absl::StatusOr<SymbolicTile> makeCover();
  Ends endsOfForm(FormId form);
  Ends endsOfAtom(AtomId atom);
  Ends endsOfDimension(uint32_t k);
  Ends endsOfResult(size_t result);
  int64_t gapOf(FormId form);
  bool areConstraintsApart() const;

  const IndexingMap &map_;
  const ExpressionTable &table_;
  const RootTile &root_;
  llvm::ArrayRef<int64_t> shape_;
  const OpenEnds &open_;
  TileForms f_;
  llvm::SmallVector<Side, 6> sides_;
  std::vector<std::string> symbols_;
  llvm::SmallVector<Interval, 4> symbolBounds_;
  llvm::SmallVector<FormId, 4> runtime_;
  /// Sizes of the root and the tensor that the map does not name.
  llvm::SmallVector<RuntimeVariable, 2> moreRuntime_;
  Sizes shapeEnds_;  ///< the tensor's sizes, as far as they are known
  /// Forms of sizes that are not negative where the map holds.
  llvm::SmallVector<FormId, 2> sizeGates_;
  Sizes rangeEnds_;  ///< of ranges without an upper bound: where they end
  llvm::SmallVector<bool, 4> isEnd_;  ///< constraints that say an end alone

  llvm::DenseMap<AtomId, int> uses_;
  llvm::DenseMap<AtomId, bool> parameters_;
  llvm::DenseMap<AtomId, Run> runs_;
  /// The one atom of each result that is left to be cut by the shape.
  llvm::SmallVector<std::optional<AtomId>, 4> cutByShape_;
  llvm::SmallVector<Clip, 2> clips_;
  llvm::SmallVector<size_t, 2> clipped_;  ///< also where the shape does it
  llvm::SmallVector<Residue, 2> residues_;
  llvm::SmallVector<FormId, 4> conditions_;
  /// The expression that was worked on when each of them came, and its result.
  llvm::SmallVector<std::pair<FormId, int64_t>, 4> blames_;
  /// Each is 1 if the map holds somewhere in the tile, else 0.
  llvm::SmallVector<FormId, 2> gates_;
  /// For a scalar that some tiles do not read: 1 if the tile reads it, else 0.
  std::optional<FormId> isRead_;
  llvm::SmallVector<bool, 4> used_;  ///< dimensions that results use
  /// The expression that is worked on: a result's, or a constraint's.
  FormId blamed_ = 0;
  int64_t blamedDimension_ = -1;
  bool hasFailed_ = false;  ///< some digits have no runs
  SymbolicTile::Reason reason_;
  bool coverIsLeast_ = true;
};

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_TILES_TILE_MAKER_H
