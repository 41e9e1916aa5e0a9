#include "indexical/simplifier/constraint_rules.h"

#include <algorithm>
#include <cstdlib>
#include <tuple>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/attempt.h"
#include "indexical/simplifier/congruence.h"
#include "indexical/simplifier/measures.h"
#include "indexical/simplifier/part_rules.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical {
namespace {

using When = ConstraintRule::When;
using Makes = ConstraintRule::Makes;
using Terms = llvm::SmallVector<Term, 8>;

int openSides(const Interval &bounds) {
  return !bounds.hasLower() + !bounds.hasUpper();
}

/// The constant of the sum whose remainder the form is.
int64_t innerConstant(const ExpressionTable &table, FormId form) {
  const auto digit = asDigit(table, form);
  if (!digit || digit->stride != 1) return 0;
  return floorMod(table.constant(digit->parent), digit->modulus);
}

//===-- Constraints that are added ----------------------------------------===//

/// Bounds that would leave 64 bits stay, and so does the constant.
std::optional<Constraint> withoutConstant(ExpressionPool &pool, FormBounds *,
                                          const Constraint &c) {
  const int64_t constant = pool.constant(c.form);
  if (constant == 0) return std::nullopt;
  const auto moved = c.bounds.moved(-constant);
  if (!moved) return std::nullopt;
  return Constraint{pool.form(Terms(pool.terms(c.form)), 0), *moved};
}

/// Returns the constraint with the terms divided by a factor of all of them, or
/// nothing if an end of the bounds leaves 64 bits: -x >= 1 - 2^63.
std::optional<Constraint> divided(ExpressionPool &pool, const Constraint &c,
                                  int64_t factor) {
  const Interval bounds = c.bounds.preimageOfMul(factor);
  if (openSides(bounds) > openSides(c.bounds)) return std::nullopt;
  Terms terms(pool.terms(c.form));
  for (Term &term : terms) term.coefficient /= factor;
  return Constraint{pool.form(terms, 0), bounds};
}

std::optional<Constraint> withoutFactor(ExpressionPool &pool, FormBounds *,
                                        const Constraint &c) {
  if (pool.constant(c.form) != 0) return std::nullopt;
  int64_t factor = 0;
  for (const Term &term : pool.terms(c.form))
    factor = gcd(factor, term.coefficient);
  if (factor <= 1) return std::nullopt;
  return divided(pool, c, factor);
}

std::optional<Constraint> turnedOver(ExpressionPool &pool, FormBounds *,
                                     const Constraint &c) {
  const auto terms = pool.terms(c.form);
  if (pool.constant(c.form) != 0 || terms.empty() || terms[0].coefficient > 0)
    return std::nullopt;
  return divided(pool, c, -1);
}

std::optional<Constraint> ofFloorsParent(ExpressionPool &pool, FormBounds *,
                                         const Constraint &c) {
  const auto floor = asDigit(pool, c.form);
  if (!floor || floor->modulus) return std::nullopt;
  const Interval parent = c.bounds.preimageOfFloorDiv(floor->stride);
  if (parent.floorDiv(floor->stride) != c.bounds)
    return std::nullopt;  // an end leaves 64 bits
  return Constraint{floor->parent, parent};
}

/// max(F, 0) in [l, h] is F in [l, h] for l >= 1, else F <= h.
std::optional<Constraint> ofPartsParent(ExpressionPool &pool, FormBounds *,
                                        const Constraint &c) {
  const auto single = pool.asAtom(c.form);
  if (!single || pool.atom(*single).kind != AtomKind::PositivePart)
    return std::nullopt;
  const FormId parent = pool.atom(*single).a;
  if (c.bounds.isEmpty() || c.bounds.upper < 0)
    return Constraint{parent, Interval::none()};
  if (c.bounds.lower >= 1) return Constraint{parent, c.bounds};
  return Constraint{parent, {Interval::kMinusInfinity, c.bounds.upper}};
}

/// The constant goes whole: which turns of it are in the digit, the digit's
/// form chooses. Where that leaves 64 bits, and the digit stays as it is, turns
/// that stayed would be others each time that the sum moves by a step of a
/// variable.
std::optional<Constraint> residueWithoutConstant(ExpressionPool &pool,
                                                 FormBounds *,
                                                 const Constraint &c) {
  if (!c.bounds.isPoint() || innerConstant(pool, c.form) == 0)
    return std::nullopt;
  const Cut digit = *asDigit(pool, c.form);
  if (!Interval{0, digit.modulus - 1}.contains(c.bounds)) return std::nullopt;
  const FormId parent = pool.form(Terms(pool.terms(digit.parent)), 0);
  const int64_t turned = floorMod(pool.constant(digit.parent), digit.modulus);
  return Constraint{
      pool.digit(parent, 1, digit.modulus),
      Interval::point(floorMod(c.bounds.lower - turned, digit.modulus))};
}

/// The factor of all terms of the sum whose remainder the form is, if there are
/// several.
int64_t innerFactor(const ExpressionTable &table, FormId form) {
  const auto digit = asDigit(table, form);
  if (!digit || digit->stride != 1 || table.terms(digit->parent).size() < 2)
    return 1;
  int64_t factor = 0;
  for (const Term &term : table.terms(digit->parent))
    factor = gcd(factor, term.coefficient);
  return factor;
}

std::optional<Constraint> residueWithoutFactor(ExpressionPool &pool,
                                               FormBounds *,
                                               const Constraint &c) {
  const int64_t factor = innerFactor(pool, c.form);
  if (factor <= 1 || !c.bounds.isPoint()) return std::nullopt;
  const Cut digit = *asDigit(pool, c.form);
  const auto rest = checkedSub(c.bounds.lower, pool.constant(digit.parent));
  if (!rest) return std::nullopt;
  const auto solution = solve(factor, *rest, digit.modulus);
  if (!solution || !Interval{0, digit.modulus - 1}.contains(c.bounds))
    return Constraint{digit.parent, Interval::none()};
  if (solution->stride == 1) return Constraint{digit.parent, Interval::all()};
  Terms terms(pool.terms(digit.parent));
  for (Term &term : terms) term.coefficient /= factor;
  return Constraint{pool.digit(pool.form(terms, 0), 1, solution->stride),
                    Interval::point(solution->start)};
}

/// The remainder whose value the constraint says.
std::optional<Cut> asResidue(const ExpressionTable &table,
                             const Constraint &c) {
  if (!c.bounds.isPoint()) return std::nullopt;
  const auto digit = asDigit(table, c.form);
  return digit && digit->stride == 1 ? digit : std::nullopt;
}

std::optional<Constraint> outsideOfModulus(ExpressionPool &pool, FormBounds *,
                                           const Constraint &c) {
  const auto residue = asResidue(pool, c);
  if (!residue || Interval{0, residue->modulus - 1}.contains(c.bounds))
    return std::nullopt;
  return Constraint{residue->parent, Interval::none()};
}

//===-- Two constraints ---------------------------------------------------===//

/// (x floordiv n) mod m, where x mod n is known, tells x mod (n * m).
std::optional<Constraint> withDigitAbove(ExpressionPool &pool,
                                         const Constraint &c,
                                         const Constraint &other) {
  if (!c.bounds.isPoint() || !other.bounds.isPoint()) return std::nullopt;
  const auto own = asDigit(pool, c.form);
  if (!own || !own->modulus) return std::nullopt;
  const auto known = asDigit(pool, other.form);
  if (!known) return std::nullopt;
  Cut low = *own, high = *known;
  int64_t rest = c.bounds.lower, turn = other.bounds.lower;
  if (own->stride > 1) {
    std::swap(low, high);
    std::swap(rest, turn);
  }
  if (low.stride != 1 || high.stride == 1 || high.stride != low.modulus ||
      !Interval{0, high.modulus - 1}.contains(turn) ||
      !Interval{0, low.modulus - 1}.contains(rest) ||
      !areSameByTurns(pool.terms(high.parent), pool.terms(low.parent),
                      /*sign=*/1, low.modulus))
    return std::nullopt;
  const int64_t constant = pool.constant(high.parent);
  const auto period = checkedMul(high.stride, high.modulus);
  const auto left = checkedSub(rest, pool.constant(low.parent));
  if (!period || !left) return std::nullopt;
  // x is high.stride * q + left, and (x + constant) floordiv high.stride is q
  // plus the carry of left + constant.
  const int64_t r = floorMod(*left, high.stride);
  const auto start = checkedAdd(r, constant);
  if (!start) return std::nullopt;
  const int64_t q =
      floorMod(turn - floorDiv(*start, high.stride), high.modulus);
  const FormId x = pool.linear({{high.parent, 1}}, -constant);
  return Constraint{pool.digit(x, 1, *period),
                    Interval::point(q * high.stride + r)};
}

/// x mod n and x mod m tell x mod their least common multiple, by the Chinese
/// remainder theorem, or contradict each other.
std::optional<Constraint> residuesOfOneSum(ExpressionPool &pool,
                                           const Constraint &c,
                                           const Constraint &other) {
  const auto own = asResidue(pool, c);
  if (!own) return std::nullopt;
  const auto known = asResidue(pool, other);
  if (!known) return std::nullopt;
  const int64_t n = own->modulus, m = known->modulus;
  const int64_t r = c.bounds.lower, s = other.bounds.lower;
  if (n == m || pool.terms(own->parent) != pool.terms(known->parent) ||
      pool.constant(own->parent) % n != 0 ||
      pool.constant(known->parent) % m != 0 ||
      !Interval{0, n - 1}.contains(r) || !Interval{0, m - 1}.contains(s))
    return std::nullopt;
  const FormId sum = pool.form(Terms(pool.terms(own->parent)), 0);
  const auto steps = solve(m, r - s, n);
  if (!steps) return Constraint{sum, Interval::none()};
  const auto both = checkedMul(m, n / gcd(n, m));
  if (!both) return std::nullopt;
  // s + m * t, where m * t is r - s mod n.
  return Constraint{pool.digit(sum, 1, *both),
                    Interval::point(s + m * steps->start)};
}

/// A quotient and a remainder of 0, by the same: the dividend is that multiple.
/// A modulus is at least 1, so that the remainder says nothing else.
std::optional<Constraint> wholeMultiple(ExpressionPool &pool,
                                        const Constraint &c,
                                        const Constraint &other) {
  if (!c.bounds.isPoint() || !other.bounds.isPoint()) return std::nullopt;
  const auto first = pool.asAtom(c.form), second = pool.asAtom(other.form);
  if (!first || !second) return std::nullopt;
  Atom quotient = pool.atom(*first), rest = pool.atom(*second);
  int64_t turns = c.bounds.lower, left = other.bounds.lower;
  if (quotient.kind == AtomKind::Remainder) {
    std::swap(quotient, rest);
    std::swap(turns, left);
  }
  if (quotient.kind != AtomKind::Quotient || rest.kind != AtomKind::Remainder ||
      quotient.a != rest.a || quotient.b != rest.b || left != 0 ||
      turns == INT64_MIN)
    return std::nullopt;
  Attempt attempt(pool);
  const FormId form = pool.linear({{quotient.a, 1}, {quotient.b, -turns}}, 0);
  if (attempt.failed()) return std::nullopt;
  return Constraint{form, Interval::point(0)};
}

//===-- Constraints at the end --------------------------------------------===//

/// Returns the constraint without its smallest terms, if none of their values
/// makes a difference.
std::optional<Constraint> withoutLowTerms(ExpressionPool &pool,
                                          FormBounds *known,
                                          const Constraint &c) {
  // A constant that could not go to the bounds stays, and all stays with it.
  if (pool.constant(c.form) != 0) return std::nullopt;
  Terms terms(pool.terms(c.form));
  llvm::stable_sort(terms, [](const Term &x, const Term &y) {
    return std::abs(x.coefficient) > std::abs(y.coefficient);
  });
  // Returns the bounds of the other terms for one value of the smallest.
  auto beside = [&](int64_t value) { return c.bounds.moved(-value); };
  int64_t g = 0;
  for (size_t kept = 1; kept < terms.size() && g != 1; ++kept) {
    g = gcd(g, terms[kept - 1].coefficient);
    Interval low = Interval::point(0);
    for (const Term &term : llvm::ArrayRef(terms).drop_front(kept))
      low = low + (*known)(pool.atomForm(term.atom)) * term.coefficient;
    if (!low.isFinite()) continue;
    auto least = beside(low.lower), most = beside(low.upper);
    if (!least || !most) continue;
    const Interval bounds = least->preimageOfMul(g);
    // If neither end leaves the other terms a value, a value in between still
    // may.
    if (bounds.isEmpty() || bounds != most->preimageOfMul(g)) continue;
    terms.truncate(kept);
    for (Term &term : terms) term.coefficient /= g;
    return Constraint{pool.form(terms, 0), bounds};
  }
  return std::nullopt;
}

/// The floor, times 1 or -1, that a sum has beside others.
struct FloorInSum {
  FormId others;  ///< the sum without the floor, times its sign
  FormId parent, divisor;
  int64_t stride;   ///< the divisor if it is a number, else 0
  Interval within;  ///< of the floor plus `others`
};

std::optional<FloorInSum> floorInSum(ExpressionPool &pool, FormBounds &known,
                                     const Constraint &c, bool bySize) {
  for (const Term &term : Terms(pool.terms(c.form))) {
    const Atom atom = pool.atom(term.atom);
    if (std::abs(term.coefficient) != 1) continue;
    FloorInSum found;
    if (bySize) {
      if (atom.kind != AtomKind::Quotient || known(atom.b).lower < 1) continue;
      found.divisor = atom.b;
      found.stride = 0;
    } else {
      if (atom.kind != AtomKind::Digit || atom.modulus != 0) continue;
      found.stride = atom.stride;
      found.divisor = pool.constantForm(atom.stride);
    }
    found.parent = atom.a;
    found.others = pool.linear(
        {{c.form, term.coefficient}, {pool.atomForm(term.atom), -1}}, 0);
    found.within = c.bounds * term.coefficient;
    return found;
  }
  return std::nullopt;
}

/// Whether the form may leave 64 bits, and the one before may not. A variable
/// without an end does not leave them: d0 - d1 stays, where both are at least
/// 0.
bool leaves64Bits(ExpressionPool &pool, FormBounds &known, FormId form,
                  FormId before) {
  const bool isNeverInside =
      llvm::any_of(Terms(pool.terms(form)), [&](const Term &term) {
        const Interval own = known(pool.atomForm(term.atom));
        return own.lower == Interval::kInfinity ||
               own.upper == Interval::kMinusInfinity;
      });
  if (isNeverInside) return true;
  if (known(form).isFinite() || !known(before).isFinite()) return false;
  __int128 least = pool.constant(form), most = least;
  for (const Term &term : Terms(pool.terms(form))) {
    const Interval own = known(pool.atomForm(term.atom));
    const __int128 ends[] = {__int128{own.lower} * term.coefficient,
                             __int128{own.upper} * term.coefficient};
    least += std::min(ends[0], ends[1]);
    most += std::max(ends[0], ends[1]);
  }
  return least < -INT64_MAX || most > INT64_MAX;
}

/// Whether there is no quotient, remainder or digit in the form.
bool isOfProducts(const ExpressionTable &table, FormId form) {
  return allAtoms(table, form, [](const Atom &atom) {
    return atom.kind == AtomKind::Variable || atom.kind == AtomKind::Product;
  });
}

/// An equation stays: it says what the floor is.
std::optional<Constraint> ofParentInSum(ExpressionPool &pool, FormBounds *known,
                                        const Constraint &c) {
  if (c.bounds.isPoint() || pool.terms(c.form).size() < 2) return std::nullopt;
  const auto found = floorInSum(pool, *known, c, /*bySize=*/false);
  if (!found) return std::nullopt;
  Attempt attempt(pool);
  const Interval within = found->within.preimageOfFloorDiv(found->stride);
  if (within.floorDiv(found->stride) != found->within) return std::nullopt;
  const FormId form =
      pool.linear({{found->others, found->stride}, {found->parent, 1}}, 0);
  if (attempt.failed() || leaves64Bits(pool, *known, form, c.form))
    return std::nullopt;
  return Constraint{form, within};
}

/// With two ends it would become two constraints.
std::optional<Constraint> ofParentBySize(ExpressionPool &pool,
                                         FormBounds *known,
                                         const Constraint &c) {
  // What the bounds of the variables say is an open side.
  Constraint open = c;
  const Interval bounds = (*known)(c.form);
  if (bounds.lower >= c.bounds.lower)
    open.bounds.lower = Interval::kMinusInfinity;
  if (bounds.upper <= c.bounds.upper) open.bounds.upper = Interval::kInfinity;
  if (open.bounds.hasLower() == open.bounds.hasUpper()) return std::nullopt;
  const auto found = floorInSum(pool, *known, open, /*bySize=*/true);
  // Products of quotients would be longer.
  if (!found || !isOfProducts(pool, found->others) ||
      !isOfProducts(pool, found->divisor))
    return std::nullopt;
  // q + others >= l where q is N floordiv D: N + (others - l) * D >= 0; and
  // q + others <= u: N + (others - u - 1) * D <= -1.
  Attempt attempt(pool);
  const bool rises = found->within.hasLower();
  const auto end = rises ? std::optional(found->within.lower)
                         : checkedAdd(found->within.upper, 1);
  if (!end || *end == INT64_MIN) return std::nullopt;
  const auto constant = checkedSub(pool.constant(found->others), *end);
  if (!constant || *constant == INT64_MIN) return std::nullopt;
  FormId form =
      pool.linear({{found->parent, 1}, {found->divisor, *constant}}, 0);
  for (const Term &term : Terms(pool.terms(found->others)))
    form = pool.linear({{form, 1},
                        {pool.product(pool.atomForm(term.atom), found->divisor),
                         term.coefficient}},
                       0);
  if (attempt.failed() || leaves64Bits(pool, *known, form, c.form))
    return std::nullopt;
  return Constraint{form, rises ? Interval{0, Interval::kInfinity}
                                : Interval{Interval::kMinusInfinity, -1}};
}

std::optional<Constraint> impliedByBounds(ExpressionPool &, FormBounds *known,
                                          const Constraint &c) {
  if (!c.bounds.contains((*known)(c.form))) return std::nullopt;
  return Constraint{c.form, Interval::all()};
}

// Name; example, bounds, and what becomes of it; when the rule is asked; which
// forms it makes; what it does.
constexpr ConstraintRule kConstraintRules[] = {
    {"a constant goes to the bounds", "d0 + d1 + 3 in [4, 9]",
     "d0 in [0, 9], d1 in [0, 9]", "d0 + d1 in [1, 6]", When::Added,
     Makes::Canonical, withoutConstant},
    {"a common factor goes out", "d0 * 2 + d1 * 2 in [4, 9]",
     "d0 in [0, 9], d1 in [0, 9]", "d0 + d1 in [2, 4]", When::Added, Makes::New,
     withoutFactor},
    {"the first coefficient is positive", "-d0 + d1 in [0, 5]",
     "d0 in [0, 9], d1 in [0, 9]", "d0 - d1 in [-5, 0]", When::Added,
     Makes::Turned, turnedOver},
    {"bounds of a floor are bounds of its parent",
     "(d0 + d1) floordiv 4 in [1, 2]", "d0 in [0, 9], d1 in [0, 9]",
     "d0 + d1 in [4, 11]", When::Added, Makes::Canonical, ofFloorsParent},
    {"bounds of a positive part are bounds of its parent",
     "max(d0 - d1, 0) in [2, 5]", "d0 in [0, 9], d1 in [0, 9]",
     "d0 - d1 in [2, 5]", When::Added, Makes::Canonical, ofPartsParent},
    {"a residue is of a sum without a constant", "(d0 + 1) mod 4 in [0, 0]",
     "d0 in [0, 9]", "d0 mod 4 in [3, 3]", When::Added, Makes::New,
     residueWithoutConstant},
    {"a residue is of a sum without a factor",
     "(d0 * 4 + d1 * 2) mod 5 in [1, 1]", "d0 in [0, 9], d1 in [0, 9]",
     "(d0 * 2 + d1) mod 5 in [3, 3]", When::Added, Makes::New,
     residueWithoutFactor},
    {"a residue is less than its modulus", "(d0 + d1) mod 4 in [5, 5]",
     "d0 in [0, 9], d1 in [0, 9]", "no point", When::Added, Makes::Canonical,
     outsideOfModulus},
    {"terms whose values make no difference go",
     "d0 * 30 + d1 * 3 + d2 in [36, 140]",
     "d0 in [0, 9], d1 in [0, 9], d2 in [0, 2]", "d0 * 10 + d1 in [12, 46]",
     When::End, Makes::New, withoutLowTerms},
    {"a floor in a sum", "d0 * 4 + d1 floordiv 3 in [5, 25]",
     "d0 in [0, 9], d1 in [0, 99]", "d0 * 12 + d1 in [15, 77]", When::End,
     Makes::New, ofParentInSum},
    {"a quotient in a sum", "d0 + d1 floordiv d2 in [-inf, 9]",
     "d0 in [0, 9], d1 in [0, 99], d2 in [1, 9]",
     "d0 * d2 + d1 - d2 * 10 in [-inf, -1]", When::End, Makes::New,
     ofParentBySize},
    {"what the bounds of variables say goes", "d0 + d1 in [0, 18]",
     "d0 in [0, 9], d1 in [0, 9]", "", When::End, Makes::Canonical,
     impliedByBounds},
};

// Name; two constraints, bounds, and what becomes of the two; what it does.
constexpr PairRule kPairRules[] = {
    {"a quotient and a remainder of 0", "d0 floordiv d1 in [2, 2]",
     "d0 mod d1 in [0, 0]", "d0 in [0, 9], d1 in [1, 9]",
     "d0 - d1 * 2 in [0, 0]", wholeMultiple},
    {"a residue and the digit above it", "d0 mod 2 in [1, 1]",
     "(d0 floordiv 2) mod 3 in [1, 1]", "d0 in [0, 99]", "d0 mod 6 in [3, 3]",
     withDigitAbove},
    {"two residues of one sum", "d0 mod 4 in [3, 3]", "d0 mod 6 in [1, 1]",
     "d0 in [0, 99]", "d0 mod 12 in [7, 7]", residuesOfOneSum},
};

}  // namespace

llvm::ArrayRef<ConstraintRule> constraintRules() { return kConstraintRules; }

llvm::ArrayRef<PairRule> pairRules() { return kPairRules; }

/// S + c * max(F, 0) is the lesser of S and S + c * F if c is negative, and the
/// greater if not.
std::optional<SplitConstraint> splitByPart(ExpressionPool &pool,
                                           const Constraint &c) {
  if (!pool.haveParts()) return std::nullopt;
  const Terms terms(pool.terms(c.form));
  for (const Term &term : terms) {
    if (pool.atom(term.atom).kind != AtomKind::PositivePart) continue;
    const bool isLesser = term.coefficient < 0;
    Interval rest = c.bounds, both = Interval::all();
    std::swap(isLesser ? rest.lower : rest.upper,
              isLesser ? both.lower : both.upper);
    if (both == Interval::all()) continue;
    const auto cases = casesOf(pool, c.form, term.atom);
    if (!cases) continue;
    return SplitConstraint{
        {cases->without, both}, {cases->with, both}, {c.form, rest}};
  }
  return std::nullopt;
}

bool RuleOrder::operator<(const RuleOrder &o) const {
  return std::tie(atoms, coefficients, marks, innerMarks) <
         std::tie(o.atoms, o.coefficients, o.marks, o.innerMarks);
}

RuleOrder orderOf(const ExpressionTable &table, FormId form) {
  RuleOrder order;
  llvm::SmallVector<FormId, 8> forms = {form};
  while (!forms.empty())
    for (const Term &term : table.terms(forms.pop_back_val())) {
      ++order.atoms;
      const Operands operands = table.atom(term.atom).operands();
      forms.append(operands.begin(), operands.end());
    }
  for (const Term &term : table.terms(form))
    order.coefficients +=
        term.coefficient < 0 ? -__int128{term.coefficient} : term.coefficient;
  const auto terms = table.terms(form);
  order.marks = (table.constant(form) != 0) +
                (!terms.empty() && terms[0].coefficient < 0);
  order.innerMarks =
      (innerConstant(table, form) != 0) + (innerFactor(table, form) > 1);
  return order;
}

}  // namespace indexical
