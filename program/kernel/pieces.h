// Pieces: a term as affine maps, each with the conditions under which it holds.
//
//   select (less (sub 1 (mul 8 q)) 8) … with q = program floordiv 704, 88
//   programs: q is 0 by its bounds, so that the choice is known and every
//   division by it is one by a constant: one piece
//
//   with 900 programs, of which the last group is smaller: two pieces, one
//   where q is 0 and one where it is 1
//
// Arithmetic of 8 to 32 bits that may wrap is written as a remainder, so that a
// piece is exact. Signed division is split if the sign is not known. A term
// that cannot be written (a xor, a shift by a variable, a sum that may leave 64
// bits) gives an error that names it; in a mask it may be true or false.
// Integers of 64 bits whose bounds are not known are assumed not to wrap,
// unless a number from 2^62 on is involved.
//
// A value that is not known is a runtime variable whose source is a table of
// its own: its index has the program, and the loops and coordinates on which
// the value depends. So it is one value at one point of the space, and another
// one in another program, iteration or lane.
//
//   value 3 of program x, in loop 0      element (bl_x, 0, 0, loop0) of table 3
//
// Law (tests/program/kernel/pieces_test.cc, by enumeration): at every point of
// the space the pieces that hold there have the term's value, and exactly one
// holds, wherever the term has a value. A term without a value, such as a
// division by 0, has any.
#ifndef INDEXICAL_PROGRAM_KERNEL_PIECES_H
#define INDEXICAL_PROGRAM_KERNEL_PIECES_H

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {

/// The space whose points a piece maps. Its variables are all dimensions: bl_x,
/// bl_y and bl_z, then the loops, then the tile's coordinates.
struct PieceSpace {
  std::array<int64_t, 3> grid = {1, 1, 1};
  struct LoopCount {
    int64_t loop = 0;   ///< its number in terms
    int64_t count = 1;  ///< the most times that it runs
    /// The turns that a pipelined loop works on at once: its loads may come as
    /// many turns before, less one.
    int64_t stages = 1;
  };
  std::vector<LoopCount> loops;  ///< outermost first
  llvm::SmallVector<int64_t, 4> tile;
  /// `values` holds the arguments whose values are known, by number;
  /// `argumentNames` holds the names of all.
  std::map<int64_t, int64_t> values;
  std::vector<std::string> argumentNames;
  /// The assumptions about arguments without a value, by number.
  std::map<int64_t, Interval> argumentBounds;
  /// The arguments whose arrays nothing changes while the kernel runs.
  std::set<int64_t> readOnly;
  /// Of the access: what has no value is another value in another access.
  int64_t number = 0;
};

/// The value that a term has if the conditions hold. If `argument` is not -1,
/// the value is the number of an element of that argument's buffer.
struct TermPiece {
  using Conditions = llvm::SmallVector<std::pair<FormId, Interval>, 4>;
  Conditions when;
  Expr value;
  int64_t argument = -1;
};

struct PointerMap {
  int64_t argument = -1;
  IndexingMap map;  ///< from the space to the number of the element
};

class PieceMaker {
 public:
  static constexpr size_t kMostPieces = 64;
  /// A divisor that has at most so many values is split into one piece a value.
  static constexpr int64_t kMostDivisors = 16;

  /// Terms of an expression, written out. Squares of squares double them.
  static constexpr int64_t kMostTerms = 1000;
  /// Terms of one bit that stand in each other. Deeper ones are an error.
  static constexpr int64_t kMostDeep = 1000;

  /// `stop`, if it is not null, ends questions with its status.
  PieceMaker(const Terms &terms, PieceSpace space, const Stop *stop = nullptr);
  ~PieceMaker();

  /// Returns the elements that the pointer names where the mask holds, as
  /// disjoint maps. An error says what cannot be written as a map.
  absl::StatusOr<std::vector<PointerMap>> elements(TermId pointer,
                                                   std::optional<TermId> mask);
  /// Returns whether a mask so far had a part that is not known. The elements
  /// are then more than those that are accessed.
  bool isCover() const { return isCover_; }

  /// Returns the runtime variables so far, with the bounds of their types.
  llvm::ArrayRef<RuntimeVariable> runtime() const { return runtime_; }

  /// Returns bounds of an integer over the space.
  absl::StatusOr<Interval> bounds(TermId term);
  /// Returns how many terms were written, those of one bit as conditions.
  int64_t steps() const { return known_.size() + knownCases_.size(); }

 private:
  using Pieces = std::vector<TermPiece>;
  using Conditions = TermPiece::Conditions;
  using Cases = std::vector<Conditions>;

  static absl::Status notWritten(const char *what);
  static absl::Status tooManyCases();
  /// Returns the values of a signed integer of so many bits.
  static Interval bitsInterval(int32_t bits);

  absl::StatusOr<Pieces> pieces(TermId term);
  absl::StatusOr<Pieces> compute(TermId term);
  absl::StatusOr<Pieces> leaf(const TermNode &term);
  absl::StatusOr<Pieces> loaded(const TermNode &term);
  /// Returns a value of `bits` bits that is not known: element `index` of table
  /// `number`, besides the program.
  absl::StatusOr<Pieces> anyValue(int64_t number, int32_t bits,
                                  llvm::ArrayRef<TermId> index);
  /// Returns the piece with any value of `bits` bits.
  TermPiece undefined(const TermPiece &piece, int32_t bits);
  Expr runtime(RuntimeVariable variable);
  /// Returns whether the term is a shift by no number of its bits.
  bool shiftsOut(const TermNode &term, const TermPiece &amount);
  absl::StatusOr<Pieces> binary(const TermNode &term);
  absl::StatusOr<Pieces> divided(const TermNode &term,
                                 const TermPiece &dividend,
                                 const TermPiece &divisor);
  absl::StatusOr<Pieces> dividedBy(TermKind kind, int32_t bits,
                                   const TermPiece &dividend, int64_t divisor);
  absl::StatusOr<Expr> combined(const TermNode &term, const TermPiece &a,
                                const TermPiece &b);
  /// Returns the cases in which a term of one bit is true, or those in which it
  /// is false.
  absl::StatusOr<Cases> cases(TermId term, bool isTrue);
  absl::StatusOr<Cases> computeCases(TermId term, bool isTrue);
  absl::StatusOr<Cases> compared(const TermNode &term, bool isTrue);
  /// Returns the cases of a condition that is not known.
  Cases mayBe();
  absl::StatusOr<Pieces> asUnsigned(Pieces pieces, int32_t bits);

  Interval boundsOf(Expr value, const Conditions &when);
  /// Returns an error if an expression that was made since the last call leaves
  /// 64 bits.
  absl::Status checkOverflow();
  /// Returns whether arithmetic of 64 bits with this result may wrap. It is
  /// assumed not to if it is with a value whose bounds are not known.
  bool mayWrap(const TermPiece &result);
  TermPiece wrappedTo(TermPiece piece, int32_t bits);
  /// Returns both conditions, or nothing if they cannot hold together.
  std::optional<Conditions> joined(const Conditions &a, const Conditions &b);
  /// Adds the condition that the value is within the bounds. Returns false if
  /// it cannot be.
  bool require(Conditions &when, Expr value, Interval bounds);
  void declare(IndexingMapBuilder &builder) const;

  const Terms &terms_;
  const PieceSpace space_;
  ExpressionPool pool_;
  IndexingMapBuilder builder_;
  std::vector<Expr> variables_;
  std::vector<Interval> variableBounds_;
  std::vector<RuntimeVariable> runtime_;
  std::map<TermId, Pieces> known_;
  int64_t undefined_ = 0;  ///< values without a definition so far
  std::map<std::pair<TermId, bool>, absl::StatusOr<Cases>> knownCases_;
  const Budget budget_;
  int64_t depth_ = 0;  ///< of terms of one bit
  int64_t joins_ = 0;
  bool isStopped_ = false;
  bool isCover_ = false;
};

}  // namespace indexical::kernels

#endif  // INDEXICAL_PROGRAM_KERNEL_PIECES_H
