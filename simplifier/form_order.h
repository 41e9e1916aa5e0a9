// An order of forms in which nothing falls for ever.
//
//   (d0 * 8 + d1) floordiv 4   length 5, numbers 1 + 4
//   (d0 * 8 + d1) mod 4        length 6, numbers 1 + 4 + 4: greater
//   (d0 * 2 + d1) floordiv 4   as great as the first one
//
// A function that asks for forms while it makes one could go on for ever. If it
// asks only for forms that are less, it ends: the length, the numbers and the
// constant are natural numbers.
#ifndef INDEXICAL_SIMPLIFIER_FORM_ORDER_H
#define INDEXICAL_SIMPLIFIER_FORM_ORDER_H

#include <cstdint>

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/measures.h"

namespace indexical {

/// How great a form is: a longer one is greater, then one of greater numbers,
/// then one of a greater constant.
struct FormOrder {
  uint64_t length = 0;  ///< Measures::weight()
  /// The magnitudes of its coefficients, and the periods and moduli of its
  /// digits, added up.
  unsigned __int128 numbers = 0;
  uint64_t constant = 0;  ///< its magnitude
  bool operator<(const FormOrder &o) const;
  FormOrder &operator+=(const FormOrder &o);
};

FormOrder formOrder(const ExpressionTable &table, Measures &measures,
                    FormId form);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_FORM_ORDER_H
