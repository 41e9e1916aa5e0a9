// The rules by which a positive part, max(F, 0), gets its form, in one order.
//
//   max(-d0 + 5, 0) on d0 in [0, 9]
//     "turned over, the first coefficient of a parent is positive"
//                                    max(d0 - 5, 0) - d0 + 5
//
// A minimum or a maximum of two is a sum with one part (indexing/expression.h),
// and parts cancel as other terms do: min(d0, d1) + max(d0, d1) is d0 + d1. So
// that they meet, a part has one form however it was written. Each rule is a
// row: its name, which `simplify --explain` prints and by which its test is
// found; an example; and its function. The first row that applies gives the
// form. If none applies, the part stays.
//
// That ends, because each rule lowers this order: the number of parts, the
// number of parts inside of parts, whether the first coefficient of the parent
// is negative, the parent's common factor.
//
// Laws (tests/simplifier/minima_test.cc, by enumeration): the form has the
// part's values on the box; a row turns its example into the form that it
// states.
#ifndef INDEXICAL_SIMPLIFIER_PART_RULES_H
#define INDEXICAL_SIMPLIFIER_PART_RULES_H

#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/expression.h"

namespace indexical {

class CanonicalForms;

struct PartRule {
  const char *name;
  /// A map as text, and the text of its result after this rule.
  const char *example, *becomes;
  /// Returns the form of max(parent, 0), or nothing if the rule does not apply.
  std::optional<FormId> (*what)(CanonicalForms &forms, FormId parent);
};

/// Returns all rules, in the order in which they are tried.
llvm::ArrayRef<PartRule> partRules();

/// Returns the sum with fewer parts, if those of one sum L are a function of L
/// that has fewer bends (indexing/piecewise.h): max(d0 - 1, 0) + max(d0 - 2, 0)
/// is max(d0 * 2 - 3, 0).
std::optional<FormId> withFewerParts(CanonicalForms &forms, FormId sum);

/// The two cases of S + c * [F], for one part of a form.
struct PartCases {
  FormId without;  ///< S, the form where F <= 0
  FormId with;     ///< S + c * F, the form where F >= 0
  FormId parent;   ///< F
  int64_t coefficient;
};

/// Returns the cases of a part that the form has, as raw sums; nothing if that
/// leaves 64 bits.
std::optional<PartCases> casesOf(ExpressionPool &pool, FormId form,
                                 AtomId part);

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_PART_RULES_H
