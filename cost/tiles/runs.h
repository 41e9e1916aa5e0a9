// Runs: the arithmetic of progressions whose ends are forms; private to
// analysis/.
//
// A *tile* gives every variable of a pool a value: to dimensions its offsets,
// to ranges its sizes, to runtime variables the values that only the program's
// run knows. A *run* is a progression in every tile,
//
//   first, first + gap, first + 2 * gap, …        `cut` values, at least one
//
// whose parts are forms of those variables. Of f32[12] in tiles of a elements,
// the tile at offset o, a multiple of a, has the run
//
//   first = o      gap = 1      full = a      cut = a, or less at the end
//   most = 12      multiple = a               edges = {12}
//
// The laws below derive the runs of sums, quotients and remainders. A law holds
// in every tile in which its *conditions* are zero: these are forms of the
// sizes that are never negative. Conditions suffice, but are not always needed.
// Below, {a; o} stands for the run above, and {n} for 0, 1, … n - 1.
//
// Sum. c * {a; o} has the gap |c|, and the least value c * o, or c * (o + a -
// 1) if c is negative. A sum of two runs with the gaps g <= h is a progression
// if
//
//   one of them has one value                      {1} + 3 * {a; o}
//   h = m * g, and the first has m values          {3} + 3 * {a; o}
//   h = m * g, and the first has more than m       {4} + 3 * {a; o}
//
// In the second case the first run ends one g before the second has its next
// value. In the third, it goes on past that value, and the sums meet. So
//
//   3 * {a; o} + {n}, n <= 3    where (a - 1) * (n - 1) * (3 - n) is zero:
//                               a * n values, which are 1 apart if n is more
//                               than 1, else 3
//   3 * {a; o} + {4}            always: 3 * (a - 1) + 4 values
//   2 * {a; o} + 3 * {b; p}     where (a - 1) * (b - 1) is zero
//
// More runs are added one by one, from the least gap on. A tile that is cut has
// less values: only a run that is never cut has its m values in every tile.
//
// Quotient. The values v floordiv m, for v of a run whose neighbours are at
// most m apart, are all integers from the first to the last:
//
//   {a; o} floordiv 4           (o + a - 1) floordiv 4 - o floordiv 4 + 1
//                               values, from o floordiv 4 on. This run is
//                               *floating*: its size depends on the offset.
//
// Remainder. The values v mod m, for v of a run with the gap 1, are a run if
// no tile crosses a multiple of m, or if all begin and end at one, or if each
// has m values. No tile of a values crosses one if a divides m, and all begin
// and end at one if m divides a, and the last is cut at a multiple of m:
//
//   {a; o} mod 4                where (4 mod a) * (a mod 4) is zero: of a - (a
//                               - 1) floordiv 4 * 4 values, from o mod 4 on
//   {6; o} mod 4                always: {4}
//   {a; o} mod 5                where 5 mod a is zero: 12 is no multiple of 5.
//                               With a = 5 the last tile has {2} and not {5},
//                               so this run may lack some of its values.
//
// Digits. Several digits (v floordiv m) mod n of one v are a product of runs
// under the same conditions at each multiple of m at which two of them part:
//
//   {a; o} floordiv 4 and mod 4     where (4 mod a) * (a mod 4) is zero: (a +
//                                   3) floordiv 4 quotients, and a - (a - 1)
//                                   floordiv 4 * 4 remainders
//
// If v is a sum, its tiles must begin at multiples of their size, or of m: so
// the least value of each part, and the constant, must be a multiple of the
// sum's size, or of m.
//
// A law that cannot decide returns nothing, or its forms fail
// (TileForms::hasFailed); the comments below call that *not known*. Numbers
// that leave 64 bits are not known either.
//
// Laws (tests/cost/tiles/runs_test.cc, by enumeration): in each tile in which
// the conditions are zero, the values of the answer are the values of the runs.
// The promises of a run's fields hold for every run that a law returns.
#ifndef INDEXICAL_COST_TILES_RUNS_H
#define INDEXICAL_COST_TILES_RUNS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/tiles/tile_forms.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// The progression first, first + gap, … in every tile. The gap is at least 1.
struct Run {
  FormId first = 0;
  FormId gap = 0;
  /// The number of values, at least one.
  FormId cut = 0;
  /// The number of values in a tile of these sizes that is not cut. The offsets
  /// do not change it, and `cut` is not more.
  FormId full = 0;
  /// Whether `cut` depends on the offset also if no tile is cut. Then `full`
  /// means nothing.
  bool floating = false;
  /// An upper bound of the number of values in any tile.
  int64_t most = 1;
  /// Whether a tile may lack values even in sizes in which a tile that is not
  /// cut has `most` of them. If false, or if the run is one value, no tile is
  /// cut in such sizes, and all tiles have the same values, which begin at 0 or
  /// at a number.
  bool mayLack = false;
  /// A form that divides `first` in a tile that is not cut, unless `first` is a
  /// number.
  FormId multiple = 0;
  /// The values at which tiles may be cut: a cut tile begins at an edge, or
  /// ends before one.
  llvm::SmallVector<int64_t, 2> edges;
  /// Whether tiles may be cut elsewhere, too.
  bool hasOtherEdges = false;

  /// Returns the run of one value.
  static Run point(TileForms &f, FormId value);
  /// Returns the run that has these values in all tiles. Requires finite
  /// bounds.
  static Run all(TileForms &f, Interval values);
};

/// A run times a number, which is not the smallest integer.
struct ScaledRun {
  int64_t coefficient = 1;
  Run run;
};

/// A sum of scaled runs.
struct RunSum {
  struct Part : ScaledRun {
    int64_t gap;      ///< |coefficient| * the run's gap; 0: it is not a number
    FormId multiple;  ///< divides the part's least value
  };
  FormId least = 0;                  ///< its least value
  llvm::SmallVector<Part, 4> parts;  ///< those of more than one value, by gap
  /// The least value, less those of the parts, is this number plus multiples of
  /// the forms in `multiples`. The number is not known if it leaves 64 bits.
  std::optional<int64_t> constant;
  llvm::SmallVector<FormId, 4> multiples;

  RunSum(TileForms &f, int64_t constant, llvm::ArrayRef<ScaledRun> runs);

  /// An upper bound of the distance between neighbouring values.
  int64_t widestGap(TileForms &f) const;
};

/// The values first, first + stride, …: `count` of them.
struct Progression {
  FormId first = 0, count = 0, stride = 0;
};

/// The conditions of a law: forms that are never negative, and must be zero.
class TileRunConditions {
 public:
  explicit TileRunConditions(TileForms &forms) : forms_(forms) {}

  /// Requires that the form is zero. Returns false if it never is.
  bool require(FormId zero);
  llvm::ArrayRef<FormId> zeros() const { return zeros_; }
  /// Drops all but the first conditions.
  void keep(size_t count) { zeros_.resize(count); }

 private:
  TileForms &forms_;
  llvm::SmallVector<FormId, 4> zeros_;
};

/// Returns the values of the sum as a progression, which is the sum in all
/// tiles in which the conditions are zero; nothing if that is not known.
std::optional<Progression> progressionOf(TileForms &f, const RunSum &sum,
                                         TileRunConditions &conditions);

/// Returns the progression's values between two bounds. The stride must be a
/// number, else the answer is nothing. The count may become 0.
std::optional<Progression> clipped(TileForms &f, Progression values,
                                   std::optional<FormId> lower,
                                   std::optional<FormId> upper);

/// Returns a form that is 0 in tiles in which the run has all of the `most`
/// values.
FormId lackOf(TileForms &f, const Run &run);

/// Returns the sum times a form that is never negative, if the sum has at most
/// one part; else nothing.
std::optional<Run> product(TileForms &f, const RunSum &sum, FormId by);

/// (v floordiv stride) mod modulus of a value v; modulus 0: no mod.
struct RunDigit {
  int64_t stride = 1, modulus = 0;
};

/// Whether digits are those of what a tile has, or of what it has if it is not
/// cut. The latter requires a sum whose least value does not depend on cuts.
enum class TileCuts { Count, DoNotCount };

/// Returns a run for each digit of the sum: in a tile in which the conditions
/// are zero, the values of the digits are the product of the runs. Returns
/// nothing if that is not known. Requires digits by stride, then modulus, none
/// of which is the value itself, and `values` that contain the sum's in every
/// tile.
std::optional<llvm::SmallVector<Run, 4>> digitsOf(
    TileForms &f, const RunSum &sum, llvm::ArrayRef<RunDigit> digits,
    Interval values, TileCuts cuts, TileRunConditions &conditions);

/// The quotients by a divisor of some of a sum's values.
struct SomeQuotients {
  FormId isAny = 0;        ///< 1 if there are any in the tile, else 0
  std::optional<Run> run;  ///< them, in tiles that have any, if it is known
};

/// Returns v floordiv divisor for those values v of the sum for which (v +
/// shift) mod divisor is one of the remainders. Requires a sum whose widest gap
/// is 1, and remainders in [0, divisor - 1].
SomeQuotients quotientsOf(TileForms &f, const RunSum &sum, int64_t shift,
                          int64_t divisor, Interval remainders);

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_RUNS_H
