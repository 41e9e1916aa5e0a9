// Elimination: equations solved for the variables that are not wanted.
//
//   x0 = d0 floordiv 8, x1 = d0 mod 8        solved for d0:  d0 = x0 * 8 + x1
//   x0 = d0 mod 8, d0 in [0, 31]             d0 = 8 * t + x0, t in [0, 3]
//   x0 = d0 * 3 + d1, d1 in [0, 1]           d0 = x0 floordiv 3, d1 = x0 mod 3,
//                                            x0 mod 3 in [0, 1]
//   x0 = d0 floordiv n, x1 = d0 mod n        d0 = x0 * n + x1, x1 - n in
//                                            [-inf, -1]
//
// An equation between a sum of unknown atoms and a known form is cut if the sum
// is a mixed radix (a low part is less than a number that all the others are
// multiples of). An unknown atom alone has a value. If all the digits of a
// parent have values, so has the parent, which is an equation again. Digits of
// one parent may be digits of two parents that look different
// (simplifier/join.h): they are joined. Digits that nothing determines are new
// variables. An equation that is left is solved for a variable that it has only
// once, or stays a constraint. Every step is an equivalence, so the points are
// the same before and after.
//
// Law (tests/exact/projection_test.cc, by enumeration): the points of the
// system are those of the result, the eliminated variables at their values.
#ifndef INDEXICAL_EXACT_ELIMINATION_H
#define INDEXICAL_EXACT_ELIMINATION_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/exact/system.h"
#include "indexical/simplifier/canonical_form.h"

namespace indexical {

class Elimination {
 public:
  /// Takes a system to solve. `unknown` says for each of its variables whether
  /// it is to be eliminated.
  Elimination(const System &system, llvm::ArrayRef<bool> unknown);

  /// Adds the equation a = b between forms of the system.
  void equate(FormId a, FormId b);
  void solve();

  /// Returns the value of a form of the system as a form of result(), over
  /// known and free variables.
  FormId value(FormId form);
  /// Returns the system of known and free variables. Variables of the given
  /// system keep their numbers; no form uses those that were eliminated.
  const System &result();
  /// Returns the variables that are free: unknown ones that remain, and new
  /// ones.
  llvm::ArrayRef<uint32_t> freeVariables() const { return free_; }
  bool overflowed() const { return pool_.overflowed(); }

 private:
  struct Equation {
    FormId unknown, known;  ///< equal; each may have atoms of both kinds
  };
  struct DigitValue {
    AtomId digit;
    FormId value;
  };

  bool isUnknown(FormId form) const;
  bool atomIsUnknown(AtomId atom) const;
  FormId substitute(FormId form);
  void require(FormId form, Interval bounds);
  void determine(uint32_t variable, FormId value);
  void determineAtom(AtomId atom, FormId value);

  void settle(Equation equation);
  void settleTerm(Term term, FormId value);
  bool cutRadix(llvm::ArrayRef<Term> terms, FormId known);
  void substituteDigits();
  enum class Missing : uint8_t { Refuse, NewVariables };
  bool joinDigits(Missing missing);
  bool joinParent(FormId parent, Missing missing);
  bool joinNeighbours();
  bool joinBySize();
  bool isAbove(const Atom &quotient, const Atom &rest);
  bool solveForVariable(bool unitOnly);
  FormId fresh(Interval bounds);
  bool isInside64Bits(FormId form);

  const System &system_;
  VariableBounds box_;
  ExpressionPool pool_;
  CanonicalForms forms_;
  std::vector<bool> unknown_;
  llvm::SmallVector<bool, 16> divides_;  ///< a variable stands in a divisor
  llvm::SmallVector<std::optional<FormId>, 16> solution_;
  llvm::SmallVector<Equation, 8> queue_, stuck_;
  llvm::SmallVector<DigitValue, 8> digits_;
  /// Quotients and remainders by sizes that have values.
  llvm::SmallVector<DigitValue, 4> bySizes_;
  llvm::SmallVector<Constraint, 8> constraints_;
  llvm::SmallVector<uint32_t, 4> free_;
  llvm::DenseMap<FormId, FormId> substituted_;
  /// Whether a solution was added since `substituted_` began.
  bool memoIsOld_ = false;
  /// Whether one was added since the stuck equations were last tried.
  bool solved_ = false;
  int64_t steps_ = 0;
  System result_;
};

}  // namespace indexical

#endif  // INDEXICAL_EXACT_ELIMINATION_H
