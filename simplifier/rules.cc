#include "indexical/simplifier/rules.h"

#include "indexical/indexing/stop_scope.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/digit_rules.h"

namespace indexical {
namespace {

constexpr uint8_t kPlain = kVariables | kDenseVariables;
constexpr uint8_t kMixed = kDigits | kDenseDigits;
constexpr uint8_t kSparse = kVariables | kDigits;

// Name; example, and what becomes of it; sums that it is for; what it does.
constexpr DigitRule kDigitRules[] = {
    {"a part, divided",
     "(d0) -> (max(d0, 0) floordiv 4), domain: d0 in [-9, 9]",
     "max(d0 floordiv 4, 0)", kPlain, digit_rules::ofPart},
    {"an index, cut at its strides",
     "(d0, d1) -> (((d0 * 8 + d1) floordiv 4) mod 2), domain: d0 in [0, 3], d1 "
     "in [0, 7]",
     "d1 floordiv 4", kPlain, digit_rules::cutAtStrides},
    {"a known remainder",
     "(d0, d1) -> (((d0 + d1) floordiv 3) mod 4), domain: d0 in [0, 99], d1 in "
     "[0, 9], (d0 + d1) mod 12 in [7, 7]",
     "2", kSparse, digit_rules::ofKnownRemainder},
    {"affine between two values", "(d0) -> (d0 mod 9), domain: d0 in [-1, 0]",
     "d0 * -8", kPlain | kMixed, digit_rules::betweenTwoValues},
    {"a digit of digits of one parent",
     "(d0, d1) -> ((d0 + d1 floordiv 3) mod 4), domain: d0 in [3, 4], d1 in "
     "[0, 4]",
     "((d0 * 3 + d1) floordiv 3) mod 4", kMixed, digit_rules::ofJoinedDigits},
    {"a part that cannot carry",
     "(d0, d1) -> ((d0 * 6 + d1 * 7) floordiv 12), domain: d0 in [0, 9], d1 in "
     "[0, 5]",
     "(d0 + d1) floordiv 2", kPlain | kMixed, digit_rules::withoutCarry},
    {"the constant is within one period",
     "(d0, d1) -> ((d0 * 3 + d1 mod 3 - 6) mod 2), domain: d0 in [0, 1], d1 in "
     "[0, 8]",
     "(d0 * 3 + d1 mod 3) mod 2", kDigits, digit_rules::withConstantInPeriod},
    {"turned over, the first coefficient is positive",
     "(d0) -> ((-d0) mod 7), domain: d0 in [0, 5]", "-((d0 + 6) mod 7) + 6",
     kSparse, digit_rules::turnedOver},
    {"an inner remainder takes away whole turns",
     "(d0, d1) -> ((d0 * 6 + d1 mod 6) mod 2), domain: d0 in [0, 1], d1 in [0, "
     "11]",
     "d1 mod 2", kMixed, digit_rules::withoutInnerRemainders},
    {"multiples of the divisor go out",
     "(d0, d1) -> ((d0 * 16 + d1) floordiv 8), domain: d0 in [0, 3], d1 in [1, "
     "9]",
     "d0 * 2 + d1 floordiv 8", kSparse, digit_rules::withoutMultiplesOfDivisor},
    {"whole turns do not count",
     "(d0, d1) -> ((d0 * 35 + d1 * 7) mod 4), domain: d0 in [0, 9], d1 in [0, "
     "4]",
     "(d0 * 15 + d1 * 3) mod 4", kSparse, digit_rules::withoutWholeTurns},
    {"multiples of the period do not count",
     "(d0) -> ((d0 floordiv 6 + (d0 mod 3) * 6) mod 3), domain: d0 in [0, 35]",
     "(d0 floordiv 6) mod 3", kMixed, digit_rules::withoutMultiplesOfPeriod},
    {"remainders that cannot carry",
     "(d0, d1) -> ((d0 * 10 + d1) floordiv 8), domain: d0 in [0, 1], d1 in "
     "[0, 3]",
     "d0", kVariables, digit_rules::withoutCarryOfRemainders},
    {"in simpler terms, by bounds",
     "(d0, d1) -> ((d0 * 6 + d1 mod 6) floordiv 2), domain: d0 in [0, 1], d1 "
     "in [0, 11]",
     "d0 * 3 + (d1 floordiv 2) mod 3", kSparse | kDenseDigits,
     digit_rules::inSimplerTerms},
};

}  // namespace

llvm::ArrayRef<DigitRule> digitRules() { return kDigitRules; }

uint8_t DigitsByRules::sumsOf(FormId parent) {
  const bool isDense =
      !forms_.facts.haveResidues() && forms_.measures.isDense(parent);
  if (forms_.measures.isPlain(parent))
    return isDense ? kDenseVariables : kVariables;
  return isDense ? kDenseDigits : kDigits;
}

std::optional<FormId> DigitsByRules::operator()(const Cut &cut) {
  const uint8_t sums = sumsOf(cut.parent);
  for (const DigitRule &rule : kDigitRules) {
    if (!(rule.when & sums)) continue;
    if (StopScope::isReached()) break;
    Recorder *recorder = forms_.recorder;
    const size_t mark = recorder ? recorder->mark() : 0;
    auto form = rule.what(forms_, cut);
    if (form && leaves64Bits(forms_, *form, cut.parent)) form.reset();
    if (recorder) {
      const FormId itself =
          forms_.pool().digit(cut.parent, cut.stride, cut.modulus);
      if (!form || *form == itself) {
        recorder->forget(mark);
      } else {
        found_[*forms_.pool().asAtom(itself)] = rule.name;
        explainDigit(forms_, rule.name, cut, *form);
      }
    }
    if (form) return form;
  }
  return std::nullopt;
}

void DigitsByRules::explainAgain(AtomId digit, const Cut &cut, FormId form) {
  if (auto rule = found_.find(digit); rule != found_.end())
    explainDigit(forms_, rule->second, cut, form);
}

}  // namespace indexical
