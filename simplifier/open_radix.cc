#include "indexical/simplifier/open_radix.h"

#include <algorithm>
#include <cassert>
#include <iterator>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/polynomial.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical {
namespace {

/// What may be spent to show that a rest is not negative, and less than its
/// divisor: at most some ten microseconds.
constexpr int64_t kOperations = 4'000;

/// Returns the atom that the form is, if it is one of that kind.
std::optional<Atom> atomOf(const ExpressionPool &pool, FormId form,
                           AtomKind kind) {
  const auto id = pool.asAtom(form);
  if (!id || pool.atom(*id).kind != kind) return std::nullopt;
  return pool.atom(*id);
}

bool isAtLeast(CanonicalForms &forms, FormId form, int64_t least) {
  return forms.bounds(form).lower >= least;
}

//===-- What is never negative --------------------------------------------===//

/// Whether the polynomial is at least 0 wherever the facts hold: by bounds, or
/// by what the facts say of sizes (size_prover.h).
bool isNeverNegative(CanonicalForms &forms, const AtomPolynomial &polynomial) {
  ExpressionPool &pool = forms.pool();
  if (polynomial.isZero()) return true;
  const FormId form = formOf(pool, polynomial);
  if (pool.overflowed() || isAtLeast(forms, form, 0)) return !pool.overflowed();
  SizeBudget budget;
  budget.operations = kOperations;
  budget.cases = false;
  const auto facts = forms.facts.all();
  auto boundsOf = [&](VariableId id) { return forms.facts.box()[id]; };
  return sizesImply({pool, boundsOf, facts}, {form, {0, Interval::kInfinity}},
                    budget);
}

//===-- Divisions ---------------------------------------------------------===//

struct Division {
  AtomPolynomial quotient, rest;
  bool isWhole = false;  ///< the rest is known to be the remainder
};

/// The order of long division: fewer factors, then lesser ones. It stays if
/// both are multiplied by the same monomial, and each has few below it.
bool isBelow(const Monomial &x, const Monomial &y) {
  return std::make_pair(x.size(), x) < std::make_pair(y.size(), y);
}

/// Returns the greatest monomial, by which a division goes.
const AtomPolynomial::Term &leadOf(const AtomPolynomial &divisor) {
  return *std::max_element(divisor.terms().begin(), divisor.terms().end(),
                           [](const auto &x, const auto &y) {
                             return isBelow(x.monomial, y.monomial);
                           });
}

/// Long division: takes multiples of the divisor out of the dividend. A step
/// puts lesser monomials in place of one, so that it ends.
std::optional<Division> divided(const AtomPolynomial &dividend,
                                const AtomPolynomial &divisor) {
  if (divisor.isZero()) return std::nullopt;
  Division found;
  found.rest = dividend;
  const auto &[lead, by] = leadOf(divisor);
  if (lead.empty()) return std::nullopt;
  while (true) {
    bool isDone = true;
    for (const auto &term : found.rest.terms()) {
      const auto factors = without(term.monomial, lead);
      if (!factors || term.coefficient % by != 0) continue;
      const Monomial monomial = term.monomial;
      AtomPolynomial part;
      if (!part.add(*factors, term.coefficient / by)) return std::nullopt;
      const auto product = part.times(divisor);
      if (!product || !found.quotient.add(part) ||
          !found.rest.add(*product, -1))
        return std::nullopt;
      assert(found.rest.coefficient(monomial) == 0 &&
             llvm::all_of(product->terms(), [&](const auto &made) {
               return made.monomial == monomial ||
                      isBelow(made.monomial, monomial);
             }));
      isDone = false;
      break;
    }
    if (isDone) return found;
  }
}

/// Moves the rest by one divisor if it is then the remainder.
void settle(CanonicalForms &forms, Division &division,
            const AtomPolynomial &divisor) {
  auto isRemainder = [&](const AtomPolynomial &rest) {
    AtomPolynomial above = divisor;  // divisor - 1 - rest
    return isNeverNegative(forms, rest) && above.add(rest, -1) &&
           above.add(-1) && isNeverNegative(forms, above);
  };
  for (int64_t by : {0, -1, 1}) {
    AtomPolynomial rest = division.rest, quotient = division.quotient;
    if (!rest.add(divisor, -by) || !quotient.add(by)) continue;
    if (!isRemainder(rest)) continue;
    division = {std::move(quotient), std::move(rest), true};
    return;
  }
}

std::optional<Division> divisionOf(CanonicalForms &forms, FormId a, FormId b) {
  if (!isAtLeast(forms, b, 1)) return std::nullopt;
  const auto dividend = expanded(forms.pool(), a);
  const auto divisor = expanded(forms.pool(), b);
  if (!dividend || !divisor) return std::nullopt;
  auto division = divided(*dividend, *divisor);
  if (!division) return std::nullopt;
  settle(forms, *division, *divisor);
  return division;
}

/// Returns the canonical form of a polynomial.
FormId canonical(CanonicalForms &forms, const AtomPolynomial &polynomial) {
  llvm::SmallVector<ScaledForm, 8> parts;
  int64_t constant = 0;
  for (const auto &[monomial, coefficient] : polynomial.terms()) {
    if (monomial.empty()) {
      constant = coefficient;
      continue;
    }
    AtomPolynomial one;
    one.add(monomial, 1);
    parts.push_back({formOf(forms.pool(), one), coefficient});
  }
  return forms.linear(parts, constant);
}

/// Returns a / b, if b is one monomial and divides all of a.
std::optional<FormId> exactly(CanonicalForms &forms, FormId a, FormId b) {
  const auto dividend = expanded(forms.pool(), a);
  const auto divisor = expanded(forms.pool(), b);
  if (!dividend || !divisor || divisor->terms().size() != 1)
    return std::nullopt;
  if (forms.pool().isConstant(b)) {
    AtomPolynomial quotient;
    const int64_t by = forms.pool().constant(b);
    for (const auto &[monomial, coefficient] : dividend->terms())
      if (by == 0 || coefficient % by != 0 ||
          !quotient.add(monomial, coefficient / by))
        return std::nullopt;
    return canonical(forms, quotient);
  }
  const auto division = divided(*dividend, *divisor);
  if (!division || !division->rest.isZero()) return std::nullopt;
  return canonical(forms, division->quotient);
}

/// A monomial and a number that divide all of two polynomials, and what is
/// left.
struct CommonFactor {
  AtomPolynomial factor, a, b;
};

/// Returns the greatest number and sizes of at least 1 that divide both, or
/// nothing if that is 1.
std::optional<CommonFactor> commonFactor(CanonicalForms &forms,
                                         const AtomPolynomial &a,
                                         const AtomPolynomial &b) {
  int64_t number = 0;
  std::optional<Monomial> sizes;
  for (const AtomPolynomial *sum : {&a, &b})
    for (const auto &[monomial, coefficient] : sum->terms()) {
      number = gcd(number, coefficient);
      Monomial both;
      if (sizes)
        std::set_intersection(sizes->begin(), sizes->end(), monomial.begin(),
                              monomial.end(), std::back_inserter(both));
      sizes = sizes ? both : monomial;
    }
  if (a.isZero() || b.isZero() || !sizes) return std::nullopt;
  llvm::erase_if(*sizes,
                 [&](FormId size) { return !isAtLeast(forms, size, 1); });
  if (sizes->empty()) return std::nullopt;
  CommonFactor found;
  if (!found.factor.add(*sizes, number)) return std::nullopt;
  for (auto [from, to] : {std::pair(&a, &found.a), std::pair(&b, &found.b)})
    for (const auto &[monomial, coefficient] : from->terms())
      if (!to->add(*without(monomial, *sizes), coefficient / number))
        return std::nullopt;
  return found;
}

std::optional<CommonFactor> commonFactorOf(CanonicalForms &forms, FormId a,
                                           FormId b) {
  if (!isAtLeast(forms, b, 1)) return std::nullopt;
  const auto x = expanded(forms.pool(), a);
  const auto y = expanded(forms.pool(), b);
  if (!x || !y) return std::nullopt;
  auto found = commonFactor(forms, *x, *y);
  // What is left is to be a divisor too, by its own bounds.
  if (!found || !isAtLeast(forms, canonical(forms, found->b), 1))
    return std::nullopt;
  return found;
}

}  // namespace

std::optional<FormId> openProduct(CanonicalForms &forms, FormId a, FormId b) {
  ExpressionPool &pool = forms.pool();
  const auto x = expanded(pool, a), y = expanded(pool, b);
  if (!x || !y) return std::nullopt;
  auto isOneTerm = [](const AtomPolynomial &p) {
    return p.terms().size() == 1;
  };
  auto isOfProducts = [](const AtomPolynomial &p) {
    return llvm::any_of(
        p.terms(), [](const auto &term) { return term.monomial.size() > 1; });
  };
  // (d0 - 1) * n stays: a sum of variables is shorter as one factor.
  if (!(isOneTerm(*x) && isOneTerm(*y)) && !isOfProducts(*x) &&
      !isOfProducts(*y))
    return std::nullopt;
  const auto product = x->times(*y);
  if (!product) return std::nullopt;
  const FormId form = formOf(pool, *product);
  if (isOneTerm(*x) && isOneTerm(*y)) return form;
  return canonical(forms, *product);
}

std::optional<FormId> openQuotient(CanonicalForms &forms, FormId a, FormId b) {
  ExpressionPool &pool = forms.pool();
  if (const auto common = commonFactorOf(forms, a, b))
    return forms.quotient(canonical(forms, common->a),
                          canonical(forms, common->b));
  const auto division = divisionOf(forms, a, b);
  if (division && division->isWhole)
    return canonical(forms, division->quotient);
  if (division && !division->quotient.isZero()) {
    const FormId rest = canonical(forms, division->rest);
    const FormId quotient = canonical(forms, division->quotient);
    return forms.linear({{quotient, 1}, {forms.quotient(rest, b), 1}}, 0);
  }
  if (!isAtLeast(forms, b, 1)) return std::nullopt;
  if (const auto inner = atomOf(pool, a, AtomKind::Quotient);
      inner && isAtLeast(forms, inner->b, 1)) {
    const FormId by = forms.product(inner->b, b);
    if (!leaves64Bits(forms, by, inner->b) || !leaves64Bits(forms, by, b))
      return forms.quotient(inner->a, by);
  }
  if (const auto inner = atomOf(pool, a, AtomKind::Digit);
      inner && inner->modulus == 0) {
    const FormId by = forms.linear({{b, inner->stride}}, 0);
    if (!leaves64Bits(forms, by, b)) return forms.quotient(inner->a, by);
  }
  if (const auto inner = atomOf(pool, a, AtomKind::Remainder))
    if (const auto ratio = exactly(forms, inner->b, b))
      return forms.remainder(forms.quotient(inner->a, b), *ratio);
  return std::nullopt;
}

std::optional<FormId> openRemainder(CanonicalForms &forms, FormId a, FormId b) {
  if (const auto common = commonFactorOf(forms, a, b))
    return forms.product(forms.remainder(canonical(forms, common->a),
                                         canonical(forms, common->b)),
                         canonical(forms, common->factor));
  const auto division = divisionOf(forms, a, b);
  if (division && division->isWhole) return canonical(forms, division->rest);
  if (division && !division->quotient.isZero())
    return forms.remainder(canonical(forms, division->rest), b);
  if (!isAtLeast(forms, b, 1)) return std::nullopt;
  if (const auto inner = atomOf(forms.pool(), a, AtomKind::Remainder))
    if (exactly(forms, inner->b, b)) return forms.remainder(inner->a, b);
  return std::nullopt;
}

std::optional<FormId> openDigit(CanonicalForms &forms, FormId form,
                                int64_t stride, int64_t modulus) {
  ExpressionPool &pool = forms.pool();
  if (const auto inner = atomOf(pool, form, AtomKind::Quotient);
      inner && stride > 1 && isAtLeast(forms, inner->b, 1)) {
    const FormId by = forms.linear({{inner->b, stride}}, 0);
    if (leaves64Bits(forms, by, inner->b)) return std::nullopt;
    const FormId quotient = forms.quotient(inner->a, by);
    return modulus ? forms.digit(quotient, 1, modulus) : quotient;
  }
  const auto inner = atomOf(pool, form, AtomKind::Remainder);
  if (!inner) return std::nullopt;
  const auto period = modulus ? checkedMul(stride, modulus) : stride;
  if (!period) return std::nullopt;
  if (modulus) {
    if (!exactly(forms, inner->b, pool.constantForm(*period)))
      return std::nullopt;
    return forms.digit(inner->a, stride, modulus);
  }
  const auto ratio = exactly(forms, inner->b, pool.constantForm(stride));
  if (!ratio) return std::nullopt;
  return forms.remainder(forms.digit(inner->a, stride, 0), *ratio);
}

bool mayJoinOpen(const ExpressionPool &pool, FormId sum) {
  return pool.terms(sum).size() > 1 &&
         llvm::any_of(pool.terms(sum), [&](const Term &term) {
           const Atom &atom = pool.atom(term.atom);
           return atom.kind == AtomKind::Remainder ||
                  atom.kind == AtomKind::Product ||
                  (atom.kind == AtomKind::Digit && atom.modulus != 0 &&
                   atomOf(pool, atom.a, AtomKind::Quotient));
         });
}

namespace {

/// A factor of a term that is `of` modulo `by`.
struct OpenResidue {
  FormId of = 0, by = 0;
};

std::optional<OpenResidue> residueIn(ExpressionPool &pool, FormId factor) {
  if (const auto rest = atomOf(pool, factor, AtomKind::Remainder))
    return OpenResidue{rest->a, rest->b};
  if (const auto digit = atomOf(pool, factor, AtomKind::Digit);
      digit && digit->modulus && digit->stride == 1 &&
      atomOf(pool, digit->a, AtomKind::Quotient))
    return OpenResidue{digit->a, pool.constantForm(digit->modulus)};
  return std::nullopt;
}

/// Joins x mod n and its quotient, each times the same: the sum is that times
/// x.
std::optional<FormId> withQuotient(CanonicalForms &forms,
                                   const AtomPolynomial &terms,
                                   const AtomPolynomial::Term &term,
                                   FormId factor, const OpenResidue &residue) {
  ExpressionPool &pool = forms.pool();
  const auto quotient = expanded(pool, forms.quotient(residue.of, residue.by));
  const auto divisor = expanded(pool, residue.by);
  const auto whole = expanded(pool, residue.of);
  AtomPolynomial others;
  if (!quotient || !divisor || !whole ||
      !others.add(*without(term.monomial, {factor}), term.coefficient))
    return std::nullopt;
  auto multiples = quotient->times(*divisor);
  if (multiples) multiples = multiples->times(others);
  if (!multiples || multiples->isZero()) return std::nullopt;
  const bool areThere = llvm::all_of(multiples->terms(), [&](const auto &part) {
    return terms.coefficient(part.monomial) == part.coefficient;
  });
  if (!areThere) return std::nullopt;
  AtomPolynomial joined = terms;
  const auto made = whole->times(others);
  if (!made || !joined.add(*multiples, -1) ||
      !joined.add(term.monomial, -term.coefficient) || !joined.add(*made))
    return std::nullopt;
  return canonical(forms, joined);
}

/// Joins x mod n and the digit above it, (x floordiv n) mod m times n: the sum
/// is x mod (n * m).
std::optional<FormId> withDigitAbove(CanonicalForms &forms,
                                     const AtomPolynomial &terms,
                                     const AtomPolynomial::Term &term,
                                     FormId factor,
                                     const OpenResidue &residue) {
  ExpressionPool &pool = forms.pool();
  const auto divisor = expanded(pool, residue.by);
  if (!divisor || divisor->terms().size() != 1) return std::nullopt;
  const auto &[size, number] = *divisor->terms().begin();
  const Monomial others = *without(term.monomial, {factor});
  const Monomial wanted = *FactorLists<FormId>::product(others, size);
  const auto coefficient = checkedMul(term.coefficient, number);
  for (const auto &[monomial, own] : terms.terms()) {
    if (!coefficient || own != *coefficient) continue;
    const auto high = without(monomial, wanted);
    if (!high || high->size() != 1) continue;
    const auto above = residueIn(pool, (*high)[0]);
    if (!above || !isAtLeast(forms, above->by, 1) ||
        forms.quotient(residue.of, residue.by) != above->of)
      continue;
    const FormId period = forms.product(residue.by, above->by);
    if (leaves64Bits(forms, period, residue.by) &&
        leaves64Bits(forms, period, above->by))
      continue;
    AtomPolynomial joined = terms, rest;
    const auto one = expanded(pool, forms.remainder(residue.of, period));
    if (!one || !rest.add(others, term.coefficient)) continue;
    const auto made = one->times(rest);
    if (!made || !joined.add(term.monomial, -term.coefficient) ||
        !joined.add(monomial, -own) || !joined.add(*made))
      continue;
    return canonical(forms, joined);
  }
  return std::nullopt;
}

/// Joins x and its quotient by n, times n and taken away, each times the same:
/// the sum is that times x mod n.
std::optional<FormId> withoutQuotient(CanonicalForms &forms,
                                      const AtomPolynomial &terms,
                                      const AtomPolynomial::Term &term,
                                      FormId factor) {
  ExpressionPool &pool = forms.pool();
  const auto quotient = atomOf(pool, factor, AtomKind::Quotient);
  if (!quotient || !isAtLeast(forms, quotient->b, 1)) return std::nullopt;
  const auto divisor = expanded(pool, quotient->b);
  const auto whole = expanded(pool, quotient->a);
  if (!divisor || !whole || divisor->terms().size() != 1) return std::nullopt;
  const auto &[size, number] = *divisor->terms().begin();
  const auto others = without(*without(term.monomial, {factor}), size);
  if (!others || term.coefficient % number != 0) return std::nullopt;
  AtomPolynomial times;
  if (!times.add(*others, -(term.coefficient / number))) return std::nullopt;
  const auto wholes = whole->times(times);
  const auto rest = expanded(pool, forms.remainder(quotient->a, quotient->b));
  if (!wholes || wholes->isZero() || !rest) return std::nullopt;
  const bool areThere = llvm::all_of(wholes->terms(), [&](const auto &part) {
    return terms.coefficient(part.monomial) == part.coefficient;
  });
  const auto made = rest->times(times);
  AtomPolynomial joined = terms;
  if (!areThere || !made || !joined.add(*wholes, -1) ||
      !joined.add(term.monomial, -term.coefficient) || !joined.add(*made))
    return std::nullopt;
  return canonical(forms, joined);
}

}  // namespace

std::optional<FormId> openJoined(CanonicalForms &forms, FormId sum) {
  ExpressionPool &pool = forms.pool();
  const auto terms = expanded(pool, sum);
  if (!terms) return std::nullopt;
  for (const auto &term : terms->terms())
    for (FormId factor : term.monomial) {
      if (const auto one = withoutQuotient(forms, *terms, term, factor))
        return one;
      const auto residue = residueIn(pool, factor);
      if (!residue || !isAtLeast(forms, residue->by, 1)) continue;
      if (const auto one = withQuotient(forms, *terms, term, factor, *residue))
        return one;
      if (const auto one =
              withDigitAbove(forms, *terms, term, factor, *residue))
        return one;
    }
  return std::nullopt;
}

}  // namespace indexical
