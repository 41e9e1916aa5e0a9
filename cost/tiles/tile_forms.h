// Forms of tiles: the arithmetic with which tiles are written, private to
// analysis/.
//
//   o0 in [0, 11], a in [1, 12]
//   smaller(o0 + a, 12)   o0 + a - max(o0 + a - 12, 0): min(o0 + a, 12)
//   ceilDiv(a, 4)         (a + 3) floordiv 4
//
// An expression has no condition; a *step* stands for one: of x in [L, U],
// step(x) = (x + M) floordiv M, with M > max(-L, U), is 1 if x is not negative,
// else 0. If x has no bounds, as with sizes that are not known, M is a form:
// that of x with all of its terms added.
//
// Only what makes tiles readable is simplified: multiples are taken out of
// divisions, and what bounds decide is decided.
#ifndef INDEXICAL_COST_TILES_TILE_FORMS_H
#define INDEXICAL_COST_TILES_TILE_FORMS_H

#include <cstdint>
#include <initializer_list>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/expression.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/interval.h"

namespace indexical {

/// Counts and distances of at least 0, which stay at the greatest integer if
/// they would pass it: they are compared, and never written.
inline int64_t boundedSum(int64_t a, int64_t b) {
  int64_t sum;
  return __builtin_add_overflow(a, b, &sum) ? Interval::kInfinity : sum;
}
inline int64_t boundedProduct(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? Interval::kInfinity : product;
}

/// Moves an offset on to the next tile along a dimension. If there is none, the
/// offset becomes 0, and the result is false.
inline bool moveToNextTile(int64_t &offset, int64_t size, int64_t extent) {
  const bool isOn = offset < extent && size < extent - offset;
  offset = isOn ? offset + size : 0;
  return isOn;
}

class TileForms {
 public:
  ExpressionPool pool;

  /// A new variable, a multiple of a number; those of a kind are numbered in
  /// the order of the calls.
  FormId add(VariableKind kind, Interval bounds, int64_t multipleOf = 1);
  Interval bounds(FormId form);

  FormId number(int64_t value) { return pool.constantForm(value); }
  FormId add(FormId a, FormId b) { return pool.add(a, b); }
  FormId sub(FormId a, FormId b) { return pool.sub(a, b); }
  FormId shift(FormId a, int64_t by) { return pool.shift(a, by); }
  FormId scale(FormId a, int64_t by) { return pool.scale(a, by); }
  FormId product(FormId a, FormId b) { return pool.product(a, b); }
  bool isNumber(FormId form) const { return pool.isConstant(form); }
  bool isNumber(FormId form, int64_t value) const {
    return pool.isConstant(form, value);
  }
  int64_t valueOf(FormId form) const { return pool.constant(form); }

  /// (form floordiv stride) mod modulus, stride >= 1; modulus 0: no mod.
  FormId digit(FormId form, int64_t stride, int64_t modulus);
  FormId floorDiv(FormId form, int64_t by) { return digit(form, by, 0); }
  FormId ceilDiv(FormId form, int64_t by) {
    return digit(shift(form, by - 1), by, 0);
  }
  /// Returns a bound of digit(form, stride, modulus), modulus >= 1, that
  /// follows from what its variables are multiples of: of (o0 * 2 + 1) mod 8,
  /// o0 a multiple of 2, that is 5.
  int64_t greatestDigit(FormId form, int64_t stride, int64_t modulus);
  /// Returns form mod by. Requires that `by` is at least 1.
  FormId remainder(FormId form, FormId by);
  /// Returns max(form, 0), as an atom where bounds do not decide.
  FormId part(FormId form);
  /// Returns form floordiv by. Requires that `by` is at least 1.
  FormId quotient(FormId form, FormId by);

  /// Returns 1 if the form is not negative, else 0. If a term may be any
  /// integer, or if the form passes 2^60, returns 0, and `hasFailed()` is true
  /// from then on.
  FormId step(FormId form);
  /// Like part, but a step where it is 0 or 1.
  FormId positive(FormId form);
  FormId larger(FormId a, FormId b) { return add(b, positive(sub(a, b))); }
  FormId smaller(FormId a, FormId b) { return sub(a, positive(sub(a, b))); }

  /// Returns a form that is zero exactly if one of the factors is. Requires
  /// factors that are never negative.
  FormId anyZero(llvm::ArrayRef<FormId> factors);

  /// Returns whether forms are short enough to be read. Tiles are not written
  /// with longer ones.
  bool areShort(llvm::ArrayRef<FormId> forms) const;

  /// Returns whether something could not be written.
  bool hasFailed() const { return failed_ || pool.overflowed(); }

 private:
  /// All values of a form are `rest` plus multiples of `of`; 0: it is `rest`.
  struct Residue {
    int64_t of = 1, rest = 0;
  };
  Residue residueOf(FormId form);
  Residue residueOf(const Atom &atom);
  FormId openStep(FormId form);
  FormId within(FormId form, Interval values);

  llvm::SmallVector<Interval, 8> variables_[3];
  llvm::SmallVector<int64_t, 8> multiples_[3];
  llvm::SmallVector<Interval, 32> atoms_;  ///< bounds; empty: not known yet
  bool failed_ = false;
};

/// Forms of tiles as a domain of indexing/fold.h.
struct TileFormsDomain {
  TileForms &forms;
  llvm::function_ref<FormId(VariableId)> value;

  FormId variable(VariableId id) const { return value(id); }
  FormId digit(FormId parent, int64_t stride, int64_t modulus) const {
    return forms.digit(parent, stride, modulus);
  }
  FormId product(FormId a, FormId b) const { return forms.product(a, b); }
  FormId quotient(FormId a, FormId b) const { return forms.quotient(a, b); }
  FormId remainder(FormId a, FormId b) const { return forms.remainder(a, b); }
  FormId positivePart(FormId form) const { return forms.part(form); }
};

}  // namespace indexical

#endif  // INDEXICAL_COST_TILES_TILE_FORMS_H
