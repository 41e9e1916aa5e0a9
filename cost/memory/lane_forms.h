// Addresses of a warp as forms over the variables that all of its lanes share.
//
// Lanes share the *outer* variables: block, warp in the block, loops, range
// values; each counts from 0 to its extent - 1. Only numbers differ from lane
// to lane. A form is then, for each lane,
//
//   constant + number[lane] + sum of coefficient * outer variable
//                           + sum of coefficient * digit
//
// A digit is (P floordiv s) mod n of a form P (n = 0: no mod). On a box of the
// outer variables in which no lane carries over, it is a form without digits:
//
//   P = 32 * w + lane, lanes 0 … 31, s = 1000
//     w in [0, 30]    ->  0
//     w in [31, 31]   ->  0 in lanes 0 … 7, 1 in the others: P is 992 + lane
//
// A *problem* is a box, and for each piece of a read its address, constraints
// and digits. `settle` resolves all digits that the box allows; if some are
// left, the box has to be split further (warp_sums.h).
//
// A *slot* is a lane, or one of the elements of a vector of a lane.
#ifndef INDEXICAL_COST_MEMORY_LANE_FORMS_H
#define INDEXICAL_COST_MEMORY_LANE_FORMS_H

#include <algorithm>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/interval.h"

namespace indexical {
namespace lanes {

/// Numbers of all slots, one list behind the other, freed as a stack is.
class LaneNumbers {
 public:
  explicit LaneNumbers(size_t slots) : slots_(slots) {}
  size_t slots() const { return slots_; }
  /// Adds a list of zeros, and returns its number.
  int32_t add() {
    numbers_.resize(numbers_.size() + slots_);
    return static_cast<int32_t>(numbers_.size() / slots_) - 1;
  }
  int64_t *of(int32_t list) { return numbers_.data() + list * slots_; }
  const int64_t *of(int32_t list) const {
    return numbers_.data() + list * slots_;
  }
  size_t mark() const { return numbers_.size(); }
  void release(size_t mark) { numbers_.resize(mark); }

 private:
  size_t slots_;
  std::vector<int64_t> numbers_;
};

constexpr int32_t kNoNumbers = -1;

struct Form {
  int64_t constant = 0;
  int32_t numbers = kNoNumbers;  ///< of the slots; kNoNumbers: all are 0
  llvm::SmallVector<int64_t, 10> outer;  ///< one coefficient a variable
  llvm::SmallVector<std::pair<uint32_t, int64_t>, 2> digits;

  bool isLinear() const { return digits.empty(); }
};

/// A digit of a lanes' form. Not an atom of an ExpressionTable, and not the
/// weighted layouts::Digit.
struct Digit {
  Form parent;
  int64_t stride = 1, modulus = 0;
};

struct LaneConstraint {
  Form form;
  Interval bounds;
};

/// A runtime variable that is only added to the address: lanes that read one
/// element of its source have one value of it.
struct RuntimeTerm {
  int64_t coefficient = 0;  ///< in bits
  Interval values;
  int64_t elements = 0;  ///< of the source; at most so many values are taken
};

/// One map of a read. Not the layouts::Piece, which is a part of an input.
struct Piece {
  std::vector<Digit> digits;  ///< parts before wholes
  Form address;               ///< in bits, without the runtime terms
  std::vector<LaneConstraint> constraints;
  std::vector<RuntimeTerm> runtime;
  /// The indices of all elements that they are, one form behind the other.
  std::vector<Form> sources;
  /// These elements are not part of the address: they decide alone whether a
  /// lane takes part. Their indices stand as those of `sources` do.
  std::vector<Form> deciders;
  llvm::SmallVector<uint32_t, 32> alive;  ///< slots in which it may hold
};

/// An outer variable that is the sum of two others (overlaps.h). Its value v
/// stands for the pairs of numbers below `first` and below `second` of which
/// from + v is the sum.
struct Weight {
  size_t variable = 0;
  int64_t first = 1, second = 1, from = 0;

  /// Returns how many pairs the value stands for.
  int64_t at(int64_t value) const {
    const int64_t sum = from + value;
    return std::min({sum + 1, first, second, first + second - 1 - sum});
  }
};

struct Problem {
  llvm::SmallVector<int64_t, 10> extents;
  std::vector<Piece> pieces;
  /// The weights of variables whose values stand for several points each.
  llvm::SmallVector<Weight, 1> weights = {};
  int64_t times = 1;  ///< how often each point counts, beside weights

  /// Returns whether each point of the box counts once.
  bool countsOnce() const { return weights.empty() && times == 1; }
};

/// Why a problem cannot be summed at once: the form has more than one floor by
/// `divisor` in the box, or lies only partly within the bounds.
struct UnsettledForm {
  Form form;
  int64_t divisor = 0;  ///< 0: a constraint
  Interval bounds;      ///< of a constraint
  size_t piece = 0;
};

/// Returns how many times the divisor is taken out of the coefficient of a
/// variable that spans `span`: not at all if coefficient * span stays below the
/// divisor, else so that the rest is smallest.
int64_t multiplesIn(int64_t coefficient, int64_t span, int64_t divisor);

class LaneAlgebra {
 public:
  explicit LaneAlgebra(LaneNumbers &numbers) : numbers_(numbers) {}

  static Form zero(const Problem &problem);
  /// Adds factor * b to a.
  void add(Form &a, const Form &b, int64_t factor);
  /// Returns what a form adds for this slot: its constant and the slot's own
  /// number, without the terms of outer variables and digits.
  int64_t at(const Form &form, uint32_t slot) const {
    return form.constant +
           (form.numbers == kNoNumbers ? 0 : numbers_.of(form.numbers)[slot]);
  }

  /// Restricts the box to the part in which x is in [from, from + extent - 1].
  /// From then on x counts from 0. A weight of the only value that is left is a
  /// factor of all points.
  static void restrict(Problem &problem, size_t x, int64_t from,
                       int64_t extent);
  /// Replaces x by x + extent * y, with a new variable y of `count` values.
  /// Requires that x has no weight.
  static void split(Problem &problem, size_t x, int64_t extent, int64_t count);
  /// Merges outer variables x and y wherever every form has them as x *
  /// extent(y) + y, or a multiple of it: y then counts to extent(x) * extent(y)
  /// - 1, and x has one value. Goes on until no two are left to merge, and
  /// returns whether any were.
  static bool mergeVariables(Problem &problem);

  /// Resolves digits, and drops constraints that hold, and slots and pieces
  /// that nothing reads. Returns the first form that prevents it on this box,
  /// or nothing if all is resolved.
  std::optional<UnsettledForm> settle(Problem &problem);

  /// Returns the least and the most that the form's terms add to a slot's
  /// number on the box.
  Interval spanOf(const Problem &problem, const Piece &piece,
                  const Form &form) const;

  LaneNumbers &numbers() const { return numbers_; }

  /// Calls `visit` with every form of the piece.
  template <typename PieceType, typename Visit>
  static void visitForms(PieceType &piece, Visit visit) {
    for (auto &digit : piece.digits) visit(digit.parent);
    visit(piece.address);
    for (auto &constraint : piece.constraints) visit(constraint.form);
    for (auto &source : piece.sources) visit(source);
    for (auto &decider : piece.deciders) visit(decider);
  }

 private:
  bool takeFloor(const Problem &problem, const Piece &piece, const Form &form,
                 int64_t divisor, Form &quotient);
  std::optional<UnsettledForm> settleDigits(const Problem &problem,
                                            Piece &piece);
  std::optional<UnsettledForm> settleConstraints(const Problem &problem,
                                                 Piece &piece);
  Form withDigits(const Form &form, llvm::ArrayRef<Form> digits);
  void takeConstant(Form &form, llvm::ArrayRef<uint32_t> alive);
  Interval boundsOf(const Problem &problem, const Piece &piece,
                    const Digit &digit) const;

  LaneNumbers &numbers_;
};

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_LANE_FORMS_H
