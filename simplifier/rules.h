// The rules by which a digit of a sum gets its form, in one order.
//
//   ((d0 * 8 + d1) floordiv 4) mod 2 on d0 in [0, 3], d1 in [0, 7]
//     "an index, cut at its strides"      d1 floordiv 4
//
// Each rule is a row: its name, which `simplify --explain` prints and by which
// its test is found; an example; the sums that it is for; and its function. The
// first row that applies gives the form. If none applies, the sum is a parent.
//
// A sum of variables is made minimal, so that a digit of it looks the same
// wherever it comes from. A sum that has digits itself stays whole as far as
// possible: digits of one parent cancel, and could not without the terms that a
// rule takes out. The terms of a dense sum fill the steps between their
// coefficients. Rules that look for unused values find nothing there, and are
// not tried.
//
// Laws (tests/simplifier/rules_test.cc, by enumeration, each rule by its name):
// the form has the digit's values on the box; a row turns its example into the
// form that it states.
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
  kDenseVariables = 2,  ///< of variables alone, dense
  kDigits = 4,          ///< with digits among their terms
  kDenseDigits = 8,     ///< with digits, dense
};

struct DigitRule {
  const char *name;
  /// A map as text, and the text of its result after this rule.
  const char *example, *becomes;
  uint8_t when;  ///< RuleSums
  /// Returns the form of the digit, or nothing if the rule does not apply.
  std::optional<FormId> (*what)(CanonicalForms &forms, const Cut &cut);
};

/// Returns all rules, in the order in which they are tried.
llvm::ArrayRef<DigitRule> digitRules();

class DigitsByRules {
 public:
  explicit DigitsByRules(CanonicalForms &forms) : forms_(forms) {}
  void restart() { found_.clear(); }

  /// Returns the form of the digit, or nothing if no rule applies.
  std::optional<FormId> operator()(const Cut &cut);
  /// Records again the rule that gave the digit its form: that rule may have
  /// been applied during a pause of the recorder.
  void explainAgain(AtomId digit, const Cut &cut, FormId form);

 private:
  uint8_t sumsOf(FormId parent);

  CanonicalForms &forms_;
  /// The rules by which digits got their forms. Empty without a recorder.
  llvm::DenseMap<AtomId, const char *> found_;
};

}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_RULES_H
