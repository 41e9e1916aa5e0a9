// Whether two elements with different forms are the same.
//
//   sum over s of p[s]          sum over s of p[2 * s], and of p[2 * s + 1]
//   sum over (a, b) of p[a, b]  sum over s of p[s floordiv 3, s mod 3]
//
// Forms differ where indices are split, ordered or numbered otherwise. Then
// elements are compared op by op, maps by exact/, and reductions by their
// *tuples*: the body of a reduction is a function of the tuple of all indices
// at which it reads. So two reductions by one op, whose bodies have one form,
// are the same if for each index of the result every tuple occurs equally
// often: both reduce one bag. For min, max, and, or the sets suffice. A sum of
// summands of one form is one bag, over the union of their tuples; a variable
// that no tuple has counts its summand as often as it has values.
//
// Tuples are compared as relations from the index of the result: these are
// equal, and on both sides each tuple comes from one value of the variables.
// Where tuples repeat, the values of the variables themselves are taken to the
// tuple, in any order.
//
// What laws and maps leave is a question for a solver, if it is to be asked
// (letSolverDecide()): are two functions of the same elements equal?
//
// HLO leaves the order of a reduction open, so this holds of floats, too.
// Nested sums, and common factors, are one bag only in a ring, or with
// FloatLaws::Reassociate.
//
// Law (tests/same/values/same_tuples_test.cc): elements that are the same are
// so in every run.
#ifndef INDEXICAL_SAME_VALUES_SAME_ELEMENTS_H
#define INDEXICAL_SAME_VALUES_SAME_ELEMENTS_H

#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/exact/exact.h"
#include "indexical/same/values/element_table.h"

namespace indexical {

class SameElements {
 public:
  SameElements(ElementTable &table, const ExactOptions &options)
      : table_(table), options_(options) {}

  /// Returns whether the elements are the same at each index of the region, of
  /// which both are functions.
  bool areSame(ElementId first, ElementId second, const IndexingMap &region);
  /// Forgets what was asked before, and how much of the budget it took.
  void begin() {
    proofs_ = solved_ = innerOpened_ = 0;
    known_.clear();
  }
  /// Whether from now on a solver is asked where laws do not suffice.
  void letSolverDecide(bool decides) { asksSolver_ = decides; }
  /// From now on the second element may be less open than the first: it may
  /// reduce in a tree of its own what the first reduces, and begin with what
  /// changes nothing. So a kernel settles what HLO leaves open.
  void letSecondSettle() { secondSettles_ = true; }
  /// Returns whether a question of exact/ was not asked because there were too
  /// many.
  bool isSpent() const { return proofs_ > kMostProofs; }
  /// Returns whether the budget did not suffice for all pairs of elements.
  /// Terms of deep modules multiply, so that these are counted.
  bool isBudgetSpent() const { return steps_ > mostSteps(); }

 private:
  static constexpr int kMostProofs = 200;
  static constexpr int kMostSolved = 8;
  static constexpr int kMostInnerOpened = 32;
  static constexpr size_t kMostSummands = 64;
  /// The operations of a step, the steps of a pair of elements and of an
  /// element as a function of variables, and the operations of one question if
  /// the budget says no number.
  static constexpr int64_t kOperationsOfStep = 10;
  static constexpr int64_t kStepsOfPair = 10, kStepsOfFunction = 50;
  static constexpr int64_t kUsualOperations = 50'000'000;
  /// The most questions of all comparisons that the solver may give up.
  static constexpr int kMostGivenUp = 2;

  /// An element as a function of variables of a summand: variable k of the
  /// element is variable `variables[k]` of the summand.
  struct Factor {
    ElementId element;
    llvm::SmallVector<uint32_t, 6> variables;
  };
  /// A condition on variables of a summand.
  struct Where {
    IndexingMap region;
    llvm::SmallVector<uint32_t, 6> variables;
  };
  struct Summand {
    Coefficient by{1};
    std::vector<Factor> factors;
    std::vector<Where> where;
    std::vector<Interval> bounds;  ///< of the variables
  };
  using Tokens = std::vector<int64_t>;
  /// The form of a body without its indices, and these.
  struct Form {
    Tokens tokens;
    struct Leaf {
      IndexingMap map;
      llvm::SmallVector<uint32_t, 6> variables;
    };
    std::vector<Leaf> leaves;
  };
  struct Bag {
    Tokens tokens;
    Coefficient by;
    std::vector<std::pair<Form, Summand>> summands;
  };
  struct Tuples;
  class Picking;

  int64_t mostSteps() const {
    return options_.operationsOr(kUsualOperations) / kOperationsOfStep;
  }
  bool compute(ElementId first, ElementId second, const IndexingMap &region,
               bool isInner);
  /// Returns whether either zero will do, in any order.
  bool isAnyZero() const {
    return has(table_.floats(), FloatLaws::ZeroSign) &&
           has(table_.floats(), FloatLaws::Reassociate);
  }
  /// Returns the element as the one of two spellings that both sides are taken
  /// to (settled_elements.cc).
  ElementId settled(ElementId id);
  std::string convertedBytes(ElementId id, ElementType type) const;
  bool mayReadBits(const Element &element) const;
  bool isClampOfLiterals(const Element &element) const;
  bool areAlike(ElementId first, ElementId second, const IndexingMap &region);
  bool haveSameMaps(const IndexingMap &left, const IndexingMap &right,
                    const IndexingMap &region);
  bool haveSameOperands(const Element &a, const Element &b,
                        const IndexingMap &region);
  bool areSameSets(const Element &a, const Element &b,
                   const IndexingMap &region);
  /// Returns a number that elements have in common if they are of one form,
  /// but for their indices and the order of operands. Others may have it, too.
  size_t outlineOf(ElementId id, int depth) const;
  bool areTurned(const Element &a, const Element &b) const;
  /// As areSame, for operands of an element. Sums and products that are
  /// operands of their own kind are opened a few times only, since the
  /// outermost one is.
  bool areSameIn(const Element &around, ElementId first, ElementId second,
                 const IndexingMap &region);

  /// Returns whether the second is a sum of which one summand alone is not 0,
  /// and that is the first (picked_summands.cc).
  bool isPicked(ElementId first, ElementId second, const IndexingMap &region);

  /// Returns whether a solver shows it of what both are computed of
  /// (solved_elements.cc).
  bool isSolved(ElementId first, ElementId second, const IndexingMap &region);

  // same_tuples.cc
  bool areSameSums(ElementId first, ElementId second,
                   const IndexingMap &region);
  bool areSameBags(const Op &op, ElementId first, ElementId second,
                   const IndexingMap &region);
  bool areSameBags(const Op &op, ElementId first, ElementId second,
                   const IndexingMap &region, bool keepsBodies);
  bool expandSums(std::vector<Summand> &summands);
  /// The summands of a reduction, and what it took to find them.
  struct Opened {
    /// Whether what a reduction has at each index stays as it is, and is not
    /// taken apart.
    bool keepsBodies = false;
    std::vector<Summand> summands;
    std::vector<Summand> neutral;  ///< change nothing but the sign of a zero
    std::vector<ElementId> inits;
    bool isReduced = false;       ///< a reduction is among what was opened
    bool isReassociated = false;  ///< floats were, by that law
  };
  bool expandBag(const Op &op, Opened &bag, bool isTree);
  std::optional<Form> formOf(const Summand &summand);
  /// Adds the element as a function of what it has of the variables
  /// (same_functions.cc). Returns false if it is not one.
  bool addFunction(const Factor &factor, Form &form);
  /// Returns one of the arrays that are the same.
  ElementId sameArray(ElementId array);
  bool addForm(const Factor &factor, Form &form, int depth);
  bool addSorted(std::vector<Form> parts, Form &form);
  std::optional<std::vector<Bag>> bagsOf(std::vector<Summand> summands,
                                         size_t outer, bool isIdempotent,
                                         int64_t width);
  bool areSameBags(std::vector<Summand> first, std::vector<Summand> second,
                   const IndexingMap &region, bool isIdempotent, int64_t width);
  std::optional<int64_t> countOfValues(const Bag &bag, size_t outer,
                                       const IndexingMap &region);
  bool haveSameTuples(const Bag &first, const Bag &second, size_t outer,
                      const IndexingMap &region, bool isIdempotent);
  std::optional<Tuples> tuplesOf(const Bag &bag, size_t outer,
                                 const IndexingMap &region,
                                 llvm::ArrayRef<size_t> withVariables);
  bool isYes(const absl::StatusOr<Decision> &decision) const {
    return decision.ok() && decision->answer == Answer::Yes;
  }
  int64_t tokenOf(const Op &op);

  ElementTable &table_;
  const ExactOptions &options_;
  bool secondSettles_ = false, asksSolver_ = false;
  int64_t steps_ = 0;
  int proofs_ = 0, solved_ = 0, givenUp_ = 0, innerOpened_ = 0;
  bool isInner_ = false;  ///< of sums and products, inside of their kind
  /// By the elements, the region, whether a solver was asked, and whether they
  /// are inside of their kind.
  std::map<std::tuple<ElementId, ElementId, size_t, bool, bool>, bool> known_;
  std::vector<Op> ops_;  // by token
  /// By token: functions of the variables of the region.
  std::vector<std::pair<ElementId, IndexingMap>> functions_;
  std::vector<ElementId> arrays_;  // no two of which are the same
  const std::vector<Interval> *bounds_ = nullptr;  // of the form's variables
};

}  // namespace indexical

#endif  // INDEXICAL_SAME_VALUES_SAME_ELEMENTS_H
