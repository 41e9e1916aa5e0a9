// One walk over expressions.
//
//   (d0 * 8 + d1) floordiv 4 + 3, where d0 = 2 and d1 = 5
//     atom d0                       variable(d0)               2
//     atom d1                       variable(d1)               5
//     atom (8*d0 + d1) floordiv 4   digit(21, 4, 0)            5
//     form                          sum(3 + that)              8
//
// A *domain* says what each kind of part becomes: numbers at a point
// (evaluation.h), intervals (bounds.h), an AffineMap, text, code. It has
//
//   Value                            what an atom becomes
//   variable(id)                     a Value, as the next five
//   digit(parent, stride, modulus)   parent is a ValuedSum<Value>, as a and b
//   product(a, b)
//   quotient(a, b)
//   remainder(a, b)
//   positivePart(a)
//   sum(form)                        what a form becomes: any type
//
// and a domain that lacks one does not compile. Fold walks. It is a loop with a
// stack of its own: how deep an expression is makes no difference. Every atom
// is worked out once, after its parts, from left to right; results stay with
// the fold, so that forms of one table may be asked one after the other, and
// while the table grows. Only the atoms that a form needs are worked out.
//
// Law (tests/indexing/fold_test.cc): each part is visited once, after its own
// parts, and the value is that of a recursion.
#ifndef INDEXICAL_INDEXING_FOLD_H
#define INDEXICAL_INDEXING_FOLD_H

#include <cstddef>
#include <cstdint>
#include <utility>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"

namespace indexical {

/// The values of those atoms of a table that a fold has visited.
template <typename Value>
class AtomValues {
 public:
  bool has(AtomId atom) const {
    return atom < rounds_.size() && rounds_[atom] == round_;
  }
  const Value &operator[](AtomId atom) const { return values_[atom]; }
  void set(AtomId atom, Value value, uint32_t atomCount) {
    if (rounds_.size() <= atom) {
      rounds_.resize(atomCount, 0);
      values_.resize(atomCount);
    }
    rounds_[atom] = round_;
    values_[atom] = std::move(value);
  }
  /// Forgets all, keeps the memory: it costs nothing.
  void restart() {
    if (++round_ != 0) return;
    rounds_.clear();
    round_ = 1;
  }

 private:
  llvm::SmallVector<Value, 16> values_;
  llvm::SmallVector<uint32_t, 16> rounds_;
  uint32_t round_ = 1;
};

/// A form whose atoms have values: constant + sum of coefficient * value. It is
/// read while a domain is asked, and not kept.
template <typename Value>
class ValuedSum {
 public:
  ValuedSum(const ExpressionTable &table, FormId form,
            const AtomValues<Value> &values)
      : table_(table), form_(form), values_(values) {}

  const ExpressionTable &table() const { return table_; }
  FormId form() const { return form_; }
  int64_t constant() const { return table_.constant(form_); }
  size_t size() const { return table_.terms(form_).size(); }
  bool isConstant() const { return table_.isConstant(form_); }
  int64_t coefficient(size_t i) const {
    return table_.terms(form_)[i].coefficient;
  }
  const Value &value(size_t i) const {
    return values_[table_.terms(form_)[i].atom];
  }
  const Atom &atom(size_t i) const {
    return table_.atom(table_.terms(form_)[i].atom);
  }
  /// Returns the value of an atom inside of the form.
  const Value &valueOf(AtomId atom) const { return values_[atom]; }

 private:
  const ExpressionTable &table_;
  FormId form_;
  const AtomValues<Value> &values_;
};

/// Returns the domain's value of the atom. `operand` gives the argument that
/// the domain takes for an operand. All folds choose by the kind of an atom
/// here.
template <typename Domain, typename Operand>
auto valueOfAtom(const Atom &atom, Domain &&domain, Operand &&operand)
    -> decltype(domain.variable(atom.variable())) {
  if (atom.kind == AtomKind::Variable) return domain.variable(atom.variable());
  auto &&a = operand(atom.a);
  if (atom.kind == AtomKind::Digit)
    return domain.digit(a, atom.stride, atom.modulus);
  if (atom.kind == AtomKind::PositivePart) return domain.positivePart(a);
  auto &&b = operand(atom.b);
  if (atom.kind == AtomKind::Product) return domain.product(a, b);
  if (atom.kind == AtomKind::Quotient) return domain.quotient(a, b);
  return domain.remainder(a, b);
}

/// The parts of an atom as an algebra builds them, variables replaced.
struct AlgebraDomain {
  ExpressionAlgebra &to;
  llvm::function_ref<FormId(VariableId)> replace;

  FormId variable(VariableId id) const { return replace(id); }
  FormId digit(FormId parent, int64_t stride, int64_t modulus) const {
    return to.digit(parent, stride, modulus);
  }
  FormId product(FormId a, FormId b) const { return to.product(a, b); }
  FormId quotient(FormId a, FormId b) const { return to.quotient(a, b); }
  FormId remainder(FormId a, FormId b) const { return to.remainder(a, b); }
  FormId positivePart(FormId a) const { return to.positivePart(a); }
};

template <typename Domain>
class Fold {
 public:
  using Value = typename Domain::Value;

  /// Makes a fold of forms of the table, which must outlive it, with the values
  /// of `domain`.
  Fold(const ExpressionTable &table, Domain domain)
      : table_(table), domain_(std::move(domain)) {}

  /// Returns the domain's sum() of the form.
  decltype(auto) operator()(FormId form) {
    reach(form);
    return domain_.sum(sumOf(form));
  }
  /// Returns the form with the values of its atoms, which the domain's sum()
  /// has not yet added.
  ValuedSum<Value> valued(FormId form) {
    reach(form);
    return sumOf(form);
  }
  Domain &domain() { return domain_; }
  /// Forgets what it found, keeps the memory.
  void restart() { values_.restart(); }

 private:
  /// A form that is being visited: the terms before `term` have values, and the
  /// operands before `operand` of that term's atom have been pushed.
  struct Frame {
    FormId form;
    uint32_t term, operand;
  };

  ValuedSum<Value> sumOf(FormId form) const {
    return ValuedSum<Value>(table_, form, values_);
  }

  void reach(FormId root) {
    const size_t bottom = stack_.size();
    stack_.push_back({root, 0, 0});
    while (stack_.size() > bottom) {
      Frame &at = stack_.back();
      const llvm::ArrayRef<Term> terms = table_.terms(at.form);
      while (at.term < terms.size() && values_.has(terms[at.term].atom))
        ++at.term;
      if (at.term == terms.size()) {
        stack_.pop_back();
        continue;
      }
      const AtomId id = terms[at.term].atom;
      const Atom &atom = table_.atom(id);
      const Operands operands = atom.operands();
      if (at.operand < operands.size()) {
        stack_.push_back({operands[at.operand++], 0, 0});
        continue;
      }
      at.operand = 0;
      ++at.term;
      auto sumOf = [this](FormId form) { return this->sumOf(form); };
      values_.set(id, valueOfAtom(atom, domain_, sumOf), table_.atomCount());
    }
  }

  const ExpressionTable &table_;
  Domain domain_;
  AtomValues<Value> values_;
  llvm::SmallVector<Frame, 8> stack_;
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_FOLD_H
