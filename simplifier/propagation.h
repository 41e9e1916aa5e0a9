// What constraints say of all that they are made of.
//
//   d0 in [0, 99],
//   (d0 floordiv 10) * 9 + d0 mod 10 in [18, 45], d0 mod 10 in [0, 8]
//     -> d0 floordiv 10 in [2, 5], d0 in [20, 58]
//
// Every atom and every sum has an interval, and they tighten one another: a sum
// its terms and they the sum, a digit its parent, whose ends move to the next
// values that have such a digit, and digits of one parent each other.
//
// Law (tests/simplifier/domain_test.cc, by enumeration): at each point
// where all that was told holds, everything is in its interval.
#ifndef INDEXICAL_SIMPLIFIER_PROPAGATION_H
#define INDEXICAL_SIMPLIFIER_PROPAGATION_H

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/interval.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

class Propagation {
 public:
  /// On a box, which may change between a run and the next restart().
  Propagation(ExpressionPool &pool, const VariableBounds &box)
      : pool_(pool), box_(box) {}

  /// A form that was told, by the order of telling.
  using Told = uint32_t;
  /// lower <= form <= upper.
  Told tell(FormId form, Interval bounds);
  /// Other bounds than those that were told.
  void tellAgain(Told told, Interval bounds);
  /// What is known of it.
  Interval bounds(Told told) const;

  /// Lets all tighten one another until nothing changes, for so many rounds at
  /// most: whether that was enough, so that another round would find nothing.
  bool run(int mostRounds);
  /// Forgets what was found, keeps what was told. To be called before the first
  /// run.
  void restart();
  /// Whether it is seen that no point is left.
  bool isEmpty() const { return empty_; }

  void forVariables(llvm::function_ref<void(VariableId, Interval)> visit) const;
  /// Sums and digits that have tighter bounds than by the variables' alone.
  void forTightened(llvm::function_ref<void(FormId, Interval)> visit);

 private:
  /// factor * sum + constant, for a sum of terms without a common factor, of
  /// which the first is positive.
  struct Scaled {
    uint32_t sum = 0;
    int64_t factor = 1, constant = 0;
    bool operator==(const Scaled &o) const {
      return sum == o.sum && factor == o.factor && constant == o.constant;
    }
  };
  static constexpr uint32_t kNone = UINT32_MAX;
  struct AtomNode {
    Atom atom;
    AtomId id;
    Scaled a, b;
    Interval range, natural;
    uint32_t nextDigit = kNone;  // of the same sum
  };
  struct Piece {
    uint32_t atom;
    int64_t coefficient;
  };
  struct Sum {
    FormId form;
    uint32_t first, count;  // pieces
    Interval told, range, natural;
    uint32_t firstDigit = kNone;
  };

  Scaled scaled(FormId form);
  uint32_t atomNode(AtomId id);
  llvm::ArrayRef<Piece> pieces(const Sum &sum) const {
    return llvm::ArrayRef<Piece>(pieces_).slice(sum.first, sum.count);
  }
  Interval rangeOf(const Scaled &form) const;
  Interval digitBounds(const AtomNode &digit) const;
  void meet(Interval &range, Interval bounds);
  void findNatural();
  void forward(Sum &sum);
  void backward(Sum &sum);
  void meetDigits(const Sum &sum);
  void meetDigitsOfOne(const Sum &sum);

  ExpressionPool &pool_;
  const VariableBounds &box_;
  /// Each after all that it is made of.
  llvm::SmallVector<AtomNode, 8> atoms_;
  llvm::SmallVector<Sum, 8> sums_;
  llvm::SmallVector<Piece, 16> pieces_;
  llvm::SmallVector<Scaled, 4> told_;
  llvm::SmallDenseMap<AtomId, uint32_t, 16> atomNodes_;
  llvm::SmallDenseMap<FormId, uint32_t, 16> sumNodes_;
  bool empty_ = false;
  bool changed_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PROPAGATION_H
