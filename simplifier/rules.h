// The rules by which a digit of a sum gets its form, in one order.
//
//   ((d0 * 8 + d1) floordiv 4) mod 2 on d0 in [0, 3], d1 in [0, 7]
//     "an index, cut at its strides"      d1 floordiv 4
//
// Each is a row: its name, which `simplify --explain` prints and by which its
// test is found; an example; the sums that it is for; and what it does. The
// first row that applies gives the form; where none does, the sum is a parent.
//
// A sum of variables is made minimal, so that a digit of it looks the same
// wherever it comes from. In a sum that has digits itself, what goes out or
// drops out would be missed, since digits of one parent cancel: it stays whole
// as far as it may. The terms of a dense sum fill the steps between their
// coefficients, so that the rules that look for what is left over find nothing
// there, and are not asked.
//
// Laws (tests/simplifier/rules_test.cc, by enumeration, each rule by its name):
// the form has the digit's values on the box; a row turns its example into what
// it says.
#ifndef INDEXICAL_SIMPLIFIER_RULES_H
#define INDEXICAL_SIMPLIFIER_RULES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/measures.h"

namespace indexical {

class CanonicalForms;

/// The sums that a rule is for, added up.
enum RuleSums : uint8_t {
  kVariables = 1,       ///< of variables alone
  kDenseVariables = 2,  ///< as much, dense
  kDigits = 4,          ///< with digits among their terms
  kDenseDigits = 8,     ///< as much, dense
};

struct DigitRule {
  const char *name;
  /// A map as text, and what its result becomes by this rule.
  const char *example, *becomes;
  uint8_t when;  ///< RuleSums
  /// The form of the digit, where the rule applies.
  std::optional<FormId> (*what)(CanonicalForms &forms, const Cut &cut);
};

/// All of them, in the order in which they are tried.
llvm::ArrayRef<DigitRule> digitRules();

class DigitsByRules {
 public:
  explicit DigitsByRules(CanonicalForms &forms) : forms_(forms) {}
  void restart() { found_.clear(); }

  /// The form of the digit, where a rule applies.
  std::optional<FormId> operator()(const Cut &cut);
  /// Takes down again by which rule the digit got its form: it may have been
  /// found while nothing was taken down.
  void explainAgain(AtomId digit, const Cut &cut, FormId form);

 private:
  uint8_t sumsOf(FormId parent);

  CanonicalForms &forms_;
  /// Where there is a recorder: the rules by which digits got their forms.
  llvm::DenseMap<AtomId, const char *> found_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_RULES_H
