// The rules for digits: each function returns the form of a digit of a sum if
// its rule applies. A function's comment describes the rule; its row in rules.h
// names it.
#ifndef INDEXICAL_SIMPLIFIER_DIGIT_RULES_H
#define INDEXICAL_SIMPLIFIER_DIGIT_RULES_H

#include <optional>

#include "indexical/indexing/expression.h"
#include "indexical/simplifier/measures.h"

namespace indexical {

class CanonicalForms;

namespace digit_rules {

using Form = std::optional<FormId>;

// carry_rules.cc: parts of the sum that cannot carry.
Form ofPart(CanonicalForms &forms, const Cut &cut);

Form cutAtStrides(CanonicalForms &forms, const Cut &cut);
Form withoutCarry(CanonicalForms &forms, const Cut &cut);
Form withoutCarryOfRemainders(CanonicalForms &forms, const Cut &cut);
Form inSimplerTerms(CanonicalForms &forms, const Cut &cut);

// turn_rules.cc: whole turns, factors and signs.
Form ofKnownRemainder(CanonicalForms &forms, const Cut &cut);
Form betweenTwoValues(CanonicalForms &forms, const Cut &cut);
Form ofJoinedDigits(CanonicalForms &forms, const Cut &cut);
Form withConstantInPeriod(CanonicalForms &forms, const Cut &cut);
Form turnedOver(CanonicalForms &forms, const Cut &cut);
Form withoutInnerRemainders(CanonicalForms &forms, const Cut &cut);
Form withoutMultiplesOfDivisor(CanonicalForms &forms, const Cut &cut);
Form withoutWholeTurns(CanonicalForms &forms, const Cut &cut);
Form withoutMultiplesOfPeriod(CanonicalForms &forms, const Cut &cut);

}  // namespace digit_rules
}  // namespace indexical

#endif  // INDEXICAL_SIMPLIFIER_DIGIT_RULES_H
