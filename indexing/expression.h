// Expressions: integer linear forms over interned atoms.
//
// A *form* is  constant + sum of coefficient * atom.  An *atom* is a variable,
// a *digit* (P floordiv stride) mod modulus of a parent form P (modulus 0: no
// mod), the *positive part* [P] = max(P, 0) of a parent form P, or, if sizes
// are unknown, a product of two forms or a quotient or remainder by a form.
// Forms and atoms live in a table, each stored once: equal ids are equal
// expressions.
//
//   (d0 * 8 + d1) floordiv 4 + 3
//     form 1: 8*d0 + 1*d1           atom 2: digit(form 1, stride 4, modulus 0)
//     form 2: 3 + 1*atom 2
//
//   min(d0, 5), which is d0 - max(d0 - 5, 0)
//     form 3: -5 + 1*d0             atom 3: the positive part of form 3
//     form 4: 1*d0 + -1*atom 3
//
// An ExpressionTable is read only and may be shared between threads. It refers
// to arrays that another object owns, as an ArrayRef does: an IndexingMap, or
// an ExpressionStore, of which there are two kinds. An ExpressionPool grows by
// interning; its constructors combine like terms and fold constants and do no
// more (simplifier/ does). FrozenExpressions are a copy of chosen forms. In all
// tables the parts of an atom have smaller numbers than the atom: a loop in the
// order of the numbers meets every part before the whole.
//
// Arithmetic is checked: an operation that would leave 64 bits (or produce the
// smallest integer, which has no negative) sets `overflowed()` and returns 0.
//
// Law (tests/indexing/expression_test.cc): evaluation of a constructor's result
// equals the operation on the values of its arguments.
#ifndef INDEXICAL_INDEXING_EXPRESSION_H
#define INDEXICAL_INDEXING_EXPRESSION_H

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/interval.h"

namespace indexical {

enum class VariableKind : uint8_t { Dimension, Range, Runtime };

/// A variable by its kind and its number among those of its kind. The order is
/// dimensions, ranges, runtime variables.
struct VariableId {
  VariableKind kind = VariableKind::Dimension;
  uint32_t index = 0;
  uint32_t key() const { return (static_cast<uint32_t>(kind) << 28) | index; }
  static VariableId fromKey(uint32_t key) {
    return {static_cast<VariableKind>(key >> 28), key & 0x0fffffff};
  }
  bool operator==(VariableId o) const { return key() == o.key(); }
  bool operator<(VariableId o) const { return key() < o.key(); }
};

using FormId = uint32_t;
using AtomId = uint32_t;

struct Term {
  AtomId atom;
  int64_t coefficient;
  bool operator==(const Term &o) const {
    return atom == o.atom && coefficient == o.coefficient;
  }
};

enum class AtomKind : uint8_t {
  Variable,
  Digit,         ///< (a floordiv stride) mod modulus; modulus 0: no mod
  Product,       ///< a * b
  Quotient,      ///< a floordiv b
  Remainder,     ///< a mod b
  PositivePart,  ///< max(a, 0)
};

/// The forms that an atom is composed of.
struct Operands {
  FormId forms[2];
  uint32_t count;
  const FormId *begin() const { return forms; }
  const FormId *end() const { return forms + count; }
  uint32_t size() const { return count; }
  FormId operator[](size_t i) const { return forms[i]; }
  operator llvm::ArrayRef<FormId>() const { return {forms, count}; }
};

struct Atom {
  AtomKind kind = AtomKind::Variable;
  uint32_t a = 0;             ///< Variable: VariableId::key(); else a form
  uint32_t b = 0;             ///< a form, if there are two
  uint32_t leadVariable = 0;  ///< smallest key of a variable inside
  int64_t stride = 0, modulus = 0;
  VariableId variable() const { return VariableId::fromKey(a); }
  /// Returns the variable, or nothing if the atom is not one.
  std::optional<VariableId> asVariable() const {
    if (kind != AtomKind::Variable) return std::nullopt;
    return variable();
  }
  /// Returns the forms that the atom is composed of: none, one or two.
  Operands operands() const {
    const bool isOfOne =
        kind == AtomKind::Digit || kind == AtomKind::PositivePart;
    const uint32_t count = kind == AtomKind::Variable ? 0 : isOfOne ? 1 : 2;
    return {{a, b}, count};
  }
  bool operator==(const Atom &o) const {
    return kind == o.kind && a == o.a && b == o.b && stride == o.stride &&
           modulus == o.modulus;
  }
};

/// Returns (inner floordiv stride) mod modulus (modulus 0: no mod) as one digit
/// of the inner digit's parent. Returns nothing if it is not one digit, or if
/// arithmetic leaves 64 bits.
std::optional<Atom> digitOfDigit(const Atom &inner, int64_t stride,
                                 int64_t modulus);

class ExpressionTable {
 public:
  int64_t constant(FormId form) const { return forms_[form].constant; }
  /// Returns the terms in structural order (compareAtoms), without coefficients
  /// of 0.
  llvm::ArrayRef<Term> terms(FormId form) const {
    const FormData &data = forms_[form];
    return llvm::ArrayRef<Term>(terms_.data() + data.firstTerm, data.termCount);
  }
  const Atom &atom(AtomId atom) const { return atoms_[atom]; }
  uint32_t formCount() const { return forms_.size(); }
  uint32_t atomCount() const { return atoms_.size(); }

  bool isConstant(FormId form) const { return forms_[form].termCount == 0; }
  bool isConstant(FormId form, int64_t value) const {
    return isConstant(form) && constant(form) == value;
  }
  /// Returns the atom if the form is one atom alone, else nothing.
  std::optional<AtomId> asAtom(FormId form) const {
    const FormData &data = forms_[form];
    if (data.termCount != 1 || data.constant != 0) return std::nullopt;
    const Term &term = terms_[data.firstTerm];
    if (term.coefficient != 1) return std::nullopt;
    return term.atom;
  }
  /// Returns the variable if the form is one variable alone, else nothing.
  std::optional<VariableId> asVariable(FormId form) const;
  /// Returns whether all atoms of the form are variables.
  bool isSumOfVariables(FormId form) const;
  /// Returns whether an atom of the table is a positive part.
  bool haveParts() const;

  /// Returns a number below 0, 0 or above 0 if x comes before y, is y, or comes
  /// after it. The order does not depend on numbers of atoms: it is by the
  /// smallest variable inside, with variables before atoms composed of them.
  int compareAtoms(AtomId x, AtomId y) const;
  int compareForms(FormId x, FormId y) const;

  /// Returns how many terms the form's text has, at most 2^62. A part that
  /// several terms share is counted wherever it is written, so a small table
  /// may have a long text.
  int64_t writtenSize(FormId form) const;

  /// Calls `visit` once for each variable inside the forms.
  void visitVariables(llvm::ArrayRef<FormId> forms,
                      llvm::function_ref<void(VariableId)> visit) const;

  /// Returns whether both tables have equal atoms and forms under equal
  /// numbers.
  bool operator==(const ExpressionTable &other) const;
  size_t hash() const;

 protected:
  struct FormData {
    int64_t constant = 0;
    uint32_t firstTerm = 0, termCount = 0;
    bool operator==(const FormData &o) const {
      return constant == o.constant && firstTerm == o.firstTerm &&
             termCount == o.termCount;
    }
  };
  // Those who own the arrays.
  friend class ExpressionStore;
  friend class IndexingMap;
  friend class PlainMapWriter;  // plain_map.cc
  llvm::ArrayRef<Atom> atoms_;
  llvm::ArrayRef<FormData> forms_;
  llvm::ArrayRef<Term> terms_;
};

/// A table that owns its arrays.
class ExpressionStore : public ExpressionTable {
 public:
  ExpressionStore() = default;
  ExpressionStore(const ExpressionStore &other) { assign(other); }
  ExpressionStore &operator=(const ExpressionStore &other) {
    if (this != &other) assign(other);
    return *this;
  }

 protected:
  /// Takes over copies of the arrays of any table.
  void assign(const ExpressionTable &table);
  void clearArrays();
  void addAtom(const Atom &atom) {
    ownAtoms_.push_back(atom);
    atoms_ = ownAtoms_;
  }
  void addForm(llvm::ArrayRef<Term> terms, int64_t constant);
  llvm::MutableArrayRef<Atom> ownAtoms() { return ownAtoms_; }

 private:
  llvm::SmallVector<Atom, 16> ownAtoms_;
  llvm::SmallVector<FormData, 16> ownForms_;
  llvm::SmallVector<Term, 24> ownTerms_;
};

/// A part of a linear combination: coefficient * form.
struct ScaledForm {
  FormId form;
  int64_t coefficient;
};

/// Builds expressions in one place. `Pool` interns them as they are written;
/// simplifier/'s CanonicalForms is the algebra that simplifies as it builds.
class ExpressionAlgebra {
 public:
  virtual ~ExpressionAlgebra() = default;
  virtual FormId variable(VariableId id) = 0;
  /// Returns constant + the sum of the parts.
  virtual FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) = 0;
  /// Returns (form floordiv stride) mod modulus. Requires stride >= 1, and
  /// modulus 0 (no mod) or >= 1.
  virtual FormId digit(FormId form, int64_t stride, int64_t modulus) = 0;
  virtual FormId product(FormId a, FormId b) = 0;
  virtual FormId quotient(FormId a, FormId b) = 0;
  virtual FormId remainder(FormId a, FormId b) = 0;
  /// Returns max(form, 0).
  virtual FormId positivePart(FormId form) = 0;
  /// Returns whether a digit of a digit of this form is to be made as one
  /// digit.
  virtual bool wantsDigitsFlat(FormId) const { return false; }

  FormId constantForm(int64_t value) { return linear({}, value); }
  FormId add(FormId a, FormId b) { return linear({{a, 1}, {b, 1}}, 0); }
  FormId sub(FormId a, FormId b) { return linear({{a, 1}, {b, -1}}, 0); }
  FormId scale(FormId a, int64_t factor) { return linear({{a, factor}}, 0); }
  FormId shift(FormId a, int64_t constant) {
    return linear({{a, 1}}, constant);
  }
  /// Returns the greater of the two, as b + max(a - b, 0).
  FormId max(FormId a, FormId b) {
    return linear({{b, 1}, {positivePart(sub(a, b)), 1}}, 0);
  }
  /// Returns the lesser of the two, as a - max(a - b, 0).
  FormId min(FormId a, FormId b) {
    return linear({{a, 1}, {positivePart(sub(a, b)), -1}}, 0);
  }
  /// Returns a floordiv divisor, rounded toward minus infinity. Requires
  /// divisor != 0 and not INT64_MIN.
  FormId floorDivBy(FormId a, int64_t divisor);
  /// Returns a mod modulus, which is in [0, modulus - 1]. Requires
  /// modulus >= 1.
  FormId mod(FormId a, int64_t modulus) { return digit(a, 1, modulus); }
};

class ExpressionPool : public ExpressionStore, public ExpressionAlgebra {
 public:
  ExpressionPool() { clear(); }

  FormId variable(VariableId id) override;
  FormId linear(llvm::ArrayRef<ScaledForm> parts, int64_t constant) override;
  FormId digit(FormId form, int64_t stride, int64_t modulus) override;
  FormId product(FormId a, FormId b) override;
  FormId quotient(FormId a, FormId b) override;
  FormId remainder(FormId a, FormId b) override;
  FormId positivePart(FormId form) override;

  /// Returns whether an atom is a positive part, at no cost: work for these is
  /// done for no others.
  bool haveParts() const { return haveParts_; }
  /// Returns constant + the sum of these terms, which may be in any order and
  /// have an atom twice.
  FormId form(llvm::MutableArrayRef<Term> terms, int64_t constant);
  FormId atomForm(AtomId atom);
  AtomId internAtom(Atom atom);

  bool overflowed() const { return overflowed_; }
  void setOverflowed(bool overflowed) { overflowed_ = overflowed; }
  /// Forgets everything, keeps the memory.
  void clear();
  /// Clears the pool (kept.h). Returns false if it has grown large.
  bool recycle();
  /// Takes over all of a table under the same numbers, its range and runtime
  /// variables counted from there on. Requires an empty pool.
  void adopt(const ExpressionTable &table, uint32_t rangeShift,
             uint32_t runtimeShift);

 private:
  uint32_t leadOf(FormId form) const;
  uint32_t leadOf(const Atom &atom) const;
  FormId internForm(llvm::ArrayRef<Term> sorted, int64_t constant);
  void placeAtoms(size_t slots);
  void placeForms(size_t slots);

  llvm::SmallVector<uint32_t, 32> atomSlots_, formSlots_;
  /// By kind and index, the variable's form plus 1; 0: not yet.
  llvm::SmallVector<uint32_t, 8> variables_[3];
  bool overflowed_ = false;
  bool haveParts_ = false;
};

/// Copies forms of a table into an algebra, variables replaced, each part once.
class ExpressionImport {
 public:
  ExpressionImport(const ExpressionTable &from, ExpressionAlgebra &to,
                   llvm::function_ref<FormId(VariableId)> replace)
      : from_(from), to_(to), replace_(replace) {}
  FormId operator()(FormId form);
  /// Makes `imported` the copy of `form` from here on.
  void seed(FormId form, FormId imported);

 private:
  FormId atom(AtomId atom);
  FormId digit(const Atom &atom);
  const ExpressionTable &from_;
  ExpressionAlgebra &to_;
  llvm::function_ref<FormId(VariableId)> replace_;
  llvm::SmallVector<int64_t, 16> forms_, atoms_;  // -1: not yet
};

/// A copy of chosen forms alone, numbered in the order in which they are met:
/// tables frozen from the same forms in the same order are equal.
class FrozenExpressions : public ExpressionStore {
 public:
  FrozenExpressions() = default;
  /// Copies `forms`, and the parts that they are composed of, from `from`, and
  /// replaces each entry of `forms` by the number of its copy. Equal forms get
  /// one number.
  FrozenExpressions(const ExpressionTable &from,
                    llvm::MutableArrayRef<FormId> forms);

 private:
  FormId copy(const ExpressionTable &from, FormId form,
              llvm::MutableArrayRef<int64_t> formMap,
              llvm::MutableArrayRef<int64_t> atomMap);
};

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_EXPRESSION_H
