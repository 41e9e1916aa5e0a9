#include "indexical/simplifier/size_atoms.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

constexpr int kMostSolved = 6;
constexpr int kMostDivisionSteps = 40;
/// Expressions that are nested deeper are not looked at.
constexpr int kDeepest = 60;
/// Products that are made to show the sign of a part of a question.
constexpr size_t kMostInnerProducts = 20;

PackedPolynomial atomSum(PackedAtom atom) { return indexical::ofAtom(atom); }

std::optional<PackedPolynomial> sumOf(const PackedPolynomial &x,
                                      const PackedPolynomial &y,
                                      int64_t factor) {
  PackedPolynomial sum = x;
  if (!sum.add(y, factor)) return std::nullopt;
  return sum;
}

/// Returns a - b * q.
std::optional<PackedPolynomial> lessProduct(const PackedPolynomial &a,
                                            const PackedPolynomial &b,
                                            const PackedPolynomial &q) {
  const auto product = b.times(q);
  if (!product) return std::nullopt;
  return sumOf(a, *product, -1);
}

struct Division {
  PackedPolynomial quotient, rest;
};

/// Takes multiples of the number out of each term. What is left of a term has
/// its sign; what is left of the constant is not negative.
std::optional<Division> dividedBy(const PackedPolynomial &a, int64_t by) {
  Division found;
  for (const PackedTerm &term : a.terms()) {
    const int64_t whole = term.monomial.isConstant()
                              ? floorDiv(term.coefficient, by)
                              : term.coefficient / by;
    if (!found.quotient.add(PackedPolynomial::of(term.monomial, whole)) ||
        !found.rest.add(
            PackedPolynomial::of(term.monomial, term.coefficient - whole * by)))
      return std::nullopt;
  }
  return found;
}

/// Long division.
std::optional<Division> divided(const PackedPolynomial &a,
                                const PackedPolynomial &b) {
  if (b.isConstant()) return dividedBy(a, b.constant());
  const PackedTerm lead = b.terms().back();
  Division found{PackedPolynomial(), a};
  for (int step = 0; step < kMostDivisionSteps; ++step) {
    const PackedTerm *next = nullptr;
    for (const PackedTerm &term : found.rest.terms())
      if (term.coefficient % lead.coefficient == 0 &&
          term.monomial.over(lead.monomial))
        next = &term;
    if (!next) return found;
    const auto part =
        PackedPolynomial::of(*next->monomial.over(lead.monomial),
                             next->coefficient / lead.coefficient);
    auto rest = lessProduct(found.rest, b, part);
    if (!rest || !found.quotient.add(part)) return std::nullopt;
    found.rest = *std::move(rest);
  }
  return std::nullopt;
}

/// Returns whole / part, if that is a polynomial.
std::optional<PackedPolynomial> exactly(const PackedPolynomial &whole,
                                        const PackedPolynomial &part) {
  auto division = divided(whole, part);
  if (!division || !division->rest.isZero()) return std::nullopt;
  return std::move(division->quotient);
}

}  // namespace

//===-- Rows --------------------------------------------------------------===//

void SizeAtoms::addRow(const Sum &sum, SizeReason reason) {
  if (!sum || sum->isZero()) return;
  *work_ -= sum->terms().size();
  rows_.push_back({*sum, reason});
}

/// Returns a number that the sum is not below, by bounds of single atoms.
std::optional<int64_t> SizeAtoms::leastByBounds(
    const PackedPolynomial &sum) const {
  std::optional<int64_t> least = 0;
  for (const PackedTerm &term : sum.terms()) {
    std::optional<int64_t> part = term.coefficient;
    for (unsigned i = 0; part && i < term.monomial.degree(); ++i) {
      std::optional<int64_t> bound;
      for (const SizeRow &row : rows_) {
        const auto terms = row.sum.terms();
        if (terms.back().monomial != PackedMonomial(term.monomial.factor(i)) ||
            terms.size() > (row.sum.constant() != 0 ? 2 : 1))
          continue;
        const int64_t c = row.sum.constant();
        if (terms.back().coefficient == 1)
          bound = std::max(bound.value_or(INT64_MIN), -c);
      }
      const bool mayBeUsed = bound && *bound >= 0 && term.coefficient > 0;
      part = mayBeUsed ? checkedMul(*part, *bound) : std::nullopt;
    }
    least = part ? checkedAdd(*least, *part) : std::nullopt;
    if (!least) return std::nullopt;
  }
  return least;
}

/// Whether what is known so far shows that the sum is at least 0.
bool SizeAtoms::isShown(const PackedPolynomial &sum) {
  if (sum.isConstant()) return sum.constant() >= 0;
  if (leastByBounds(sum).value_or(-1) >= 0 || llvm::is_contained(shown_, sum))
    return true;
  if (notShownRows_ != rows_.size()) {
    notShown_.clear();
    notShownRows_ = rows_.size();
  }
  if (*work_ <= 0 || llvm::is_contained(notShown_, sum)) return false;
  const auto refuted = sumOf(PackedPolynomial(-1), sum, -1);
  const SizeRow goal{refuted.value_or(PackedPolynomial()), SizeReason::Refuted};
  if (refuted &&
      indexical::refuted(goal, rows_, divisors_, kMostInnerProducts, *work_)) {
    shown_.push_back(sum);
    return true;
  }
  notShown_.push_back(sum);
  return false;
}

bool SizeAtoms::isAtLeast(const PackedPolynomial &sum, int64_t least) {
  PackedPolynomial above = sum;
  return above.add(-least) && isShown(above);
}

std::vector<SizeRow> SizeAtoms::rowsOf(const Constraint &constraint,
                                       SizeReason reason) {
  std::vector<SizeRow> rows;
  const Sum sum = polynomial(constraint.form);
  if (!sum) return rows;
  const Interval bounds = constraint.bounds;
  if (bounds.hasLower())
    if (PackedPolynomial row = *sum; row.add(-bounds.lower))
      rows.push_back({std::move(row), reason});
  if (bounds.hasUpper())
    if (PackedPolynomial row(bounds.upper); row.add(*sum, -1))
      rows.push_back({std::move(row), reason});
  return rows;
}

//===-- Forms -------------------------------------------------------------===//

std::optional<PackedPolynomial> SizeAtoms::polynomial(FormId form) {
  if (const auto known = known_.find(form); known != known_.end())
    return known->second;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  Sum all = PackedPolynomial(table_.constant(form));
  for (const Term &term : table_.terms(form)) {
    const Sum atom = ofAtom(term.atom);
    if (!atom || *work_ <= 0 || !all->add(*atom, term.coefficient)) {
      all.reset();
      break;
    }
    *work_ -= atom->terms().size();
  }
  --depth_;
  return known_[form] = all;
}

std::optional<PackedPolynomial> SizeAtoms::ofAtom(AtomId id) {
  if (const auto known = knownAtoms_.find(id); known != knownAtoms_.end())
    return known->second;
  const indexical::Atom &atom = table_.atom(id);
  if (const auto variable = atom.asVariable()) return this->variable(*variable);
  const Sum a = polynomial(atom.a);
  Sum made;
  if (a && atom.kind == AtomKind::Digit) {
    made = quotient(*a, PackedPolynomial(atom.stride));
    if (made && atom.modulus)
      made = remainder(*made, PackedPolynomial(atom.modulus));
  } else if (a && atom.kind != AtomKind::PositivePart) {
    if (const Sum b = polynomial(atom.b))
      made = atom.kind == AtomKind::Product    ? a->times(*b)
             : atom.kind == AtomKind::Quotient ? quotient(*a, *b)
                                               : remainder(*a, *b);
  }
  return knownAtoms_[id] = made;
}

std::optional<PackedPolynomial> SizeAtoms::variable(VariableId id) {
  std::optional<PackedAtom> own;
  for (auto [i, atom] : llvm::enumerate(atoms_))
    if (atom.kind == Kind::Variable && atom.variable == id) own = i + 1;
  if (!own) own = newAtom({Kind::Variable, id, {}, {}});
  if (!own) return std::nullopt;
  PackedPolynomial value = atomSum(*own);
  for (const auto &[atom, solved] : solved_)
    if (atom == *own) value = solved;
  if (llvm::is_contained(inUse_, *own)) return value;
  inUse_.push_back(*own);
  const Interval bounds = boundsOf_(id);
  if (bounds.hasLower())
    addRow(sumOf(value, PackedPolynomial(1), -bounds.lower), SizeReason::Bound);
  if (bounds.hasUpper())
    addRow(sumOf(PackedPolynomial(bounds.upper), value, -1), SizeReason::Bound);
  return value;
}

std::optional<PackedAtom> SizeAtoms::newAtom(Atom atom) {
  if (atoms_.size() == 255) return std::nullopt;
  atoms_.push_back(std::move(atom));
  return static_cast<PackedAtom>(atoms_.size());
}

std::optional<PackedAtom> SizeAtoms::find(Kind kind, const PackedPolynomial &a,
                                          const PackedPolynomial &b) const {
  for (auto [i, atom] : llvm::enumerate(atoms_))
    if (atom.kind == kind && atom.a == a && atom.b == b) return i + 1;
  return std::nullopt;
}

bool SizeAtoms::isQuotient(PackedAtom atom) const {
  return atoms_[atom - 1].kind == Kind::Quotient;
}

//===-- Quotients ---------------------------------------------------------===//

std::optional<PackedPolynomial> SizeAtoms::opaque(Kind kind,
                                                  const PackedPolynomial &a,
                                                  const PackedPolynomial &b) {
  auto own = find(kind, a, b);
  if (!own) own = newAtom({kind, {}, a, b});
  if (!own) return std::nullopt;
  return atomSum(*own);
}

std::optional<PackedPolynomial> SizeAtoms::remainder(
    const PackedPolynomial &a, const PackedPolynomial &b) {
  if (!isAtLeast(b, 1)) return opaque(Kind::OpaqueRemainder, a, b);
  const Sum whole = quotient(a, b);
  if (!whole) return std::nullopt;
  return lessProduct(a, b, *whole);
}

/// Divides both by a number, and by sizes that are at least 1.
void SizeAtoms::cancelCommonFactors(PackedPolynomial &a, PackedPolynomial &b) {
  int64_t g = 0;
  std::optional<PackedMonomial> common;
  for (const PackedPolynomial *sum : {&a, &b})
    for (const PackedTerm &term : sum->terms()) {
      g = gcd(g, term.coefficient);
      common = common ? common->common(term.monomial) : term.monomial;
    }
  PackedMonomial factors;
  for (unsigned i = 0; common && i < common->degree(); ++i)
    if (isAtLeast(atomSum(common->factor(i)), 1))
      factors = *factors.times(PackedMonomial(common->factor(i)));
  if (g <= 1 && factors.isConstant()) return;
  for (PackedPolynomial *sum : {&a, &b}) {
    PackedPolynomial less;
    for (const PackedTerm &term : sum->terms())
      less.add(PackedPolynomial::of(*term.monomial.over(factors),
                                    term.coefficient / g));
    *sum = std::move(less);
  }
}

std::optional<PackedPolynomial> SizeAtoms::quotient(PackedPolynomial a,
                                                    PackedPolynomial b) {
  if (!isAtLeast(b, 1)) return opaque(Kind::OpaqueQuotient, a, b);
  if (a.isZero()) return a;
  cancelCommonFactors(a, b);
  auto division = divided(a, b);
  if (!division) return std::nullopt;
  PackedPolynomial whole = std::move(division->quotient);
  const PackedPolynomial rest = std::move(division->rest);
  if (rest.isZero()) return whole;
  for (int64_t by : {0, 1, -1}) {
    const Sum moved = sumOf(rest, b, -by);
    if (!moved || !isShown(*moved)) continue;
    const Sum above = sumOf(b, *moved, -1);  // b - moved
    if (!above || !isAtLeast(*above, 1)) continue;
    if (!whole.add(by)) return std::nullopt;
    return whole;
  }
  Sum atom = quotientOfQuotient(rest, b);
  if (!atom) atom = quotientAtom(rest, b);
  if (!atom || !whole.add(*atom)) return std::nullopt;
  return whole;
}

/// (n floordiv m + k) floordiv b is (n + k * m) floordiv (m * b).
std::optional<PackedPolynomial> SizeAtoms::quotientOfQuotient(
    const PackedPolynomial &rest, const PackedPolynomial &b) {
  const PackedTerm &term = rest.terms().back();
  if (term.monomial.degree() != 1 || term.coefficient != 1 ||
      rest.terms().size() > (rest.constant() != 0 ? 2 : 1) ||
      !isQuotient(term.monomial.factor(0)))
    return std::nullopt;
  const Atom inner = atoms_[term.monomial.factor(0) - 1];
  const Sum dividend = sumOf(inner.a, inner.b, rest.constant());
  const Sum divisor = inner.b.times(b);
  if (!dividend || !divisor) return std::nullopt;
  return quotient(*dividend, *divisor);
}

std::optional<PackedPolynomial> SizeAtoms::quotientAtom(
    const PackedPolynomial &a, const PackedPolynomial &b) {
  auto own = find(Kind::Quotient, a, b);
  if (!own) own = newAtom({Kind::Quotient, {}, a, b});
  if (!own) return std::nullopt;
  if (!llvm::is_contained(inUse_, *own)) addAxioms(*own);
  return atomSum(*own);
}

void SizeAtoms::addAxioms(PackedAtom atom) {
  const PackedPolynomial a = atoms_[atom - 1].a, b = atoms_[atom - 1].b;
  const PackedPolynomial q = atomSum(atom);
  const Sum rest = lessProduct(a, b, q);
  addRow(rest, SizeReason::Quotient);
  if (rest)
    if (PackedPolynomial above = b; above.add(*rest, -1) && above.add(-1))
      addRow(above, SizeReason::Quotient);
  if (!b.isConstant() && !llvm::is_contained(divisors_, b))
    divisors_.push_back(b);
  for (PackedAtom other : std::vector<PackedAtom>(inUse_)) {
    if (!isQuotient(other) || !(atoms_[other - 1].a == a)) continue;
    addFloors(other, atom);
    addFloors(atom, other);
  }
  inUse_.push_back(atom);
  PackedPolynomial below(-1);
  if (isShown(a))
    addRow(q, SizeReason::Sign);
  else if (below.add(a, -1) && isShown(below))
    addRow(sumOf(PackedPolynomial(-1), q, -1), SizeReason::Sign);
}

/// If the divisor of `upper` is k times that of `lower`, then `lower` is within
/// k values from k * `upper` on.
void SizeAtoms::addFloors(PackedAtom lower, PackedAtom upper) {
  const auto k = exactly(atoms_[upper - 1].b, atoms_[lower - 1].b);
  if (!k) return;
  const Sum rest = lessProduct(atomSum(lower), *k, atomSum(upper));
  addRow(rest, SizeReason::Floors);
  if (rest)
    if (PackedPolynomial above = *k; above.add(*rest, -1) && above.add(-1))
      addRow(above, SizeReason::Floors);
}

//===-- Givens and equations ----------------------------------------------===//

void SizeAtoms::restart() {
  rows_.clear();
  divisors_.clear();
  inUse_.clear();
  equations_.clear();
  known_.clear();
  knownAtoms_.clear();
  shown_.clear();
  notShown_.clear();
  for (const SizeRow &row : kept_) {
    Sum sum = row.sum;
    for (const auto &[atom, value] : solved_)
      if (sum) sum = with(*sum, atom, value);
    addRow(sum, row.reason);
  }
}

namespace {

/// Whether a term of the sum divides. It is then made after those without such
/// terms, which may say of what sign its parts are.
bool divides(const ExpressionTable &table, FormId form) {
  return llvm::any_of(table.terms(form), [&](const Term &term) {
    const AtomKind kind = table.atom(term.atom).kind;
    return kind != AtomKind::Variable && kind != AtomKind::Product;
  });
}

}  // namespace

/// Makes the rows of the givens. Returns whether one of them was an equation
/// that could be solved: the rows are then to be made anew.
bool SizeAtoms::solveOne(llvm::ArrayRef<Constraint> givens) {
  restart();
  for (const bool areDivisions : {false, true})
    for (const Constraint &c : givens) {
      if (divides(table_, c.form) != areDivisions) continue;
      for (SizeRow &row : rowsOf(c, SizeReason::Given))
        addRow(std::move(row.sum), SizeReason::Given);
      if (!c.bounds.isPoint()) continue;
      Sum equation = polynomial(c.form);
      if (equation && !equation->add(-c.bounds.lower)) equation.reset();
      equations_.push_back(std::move(equation));
    }
  if (solved_.size() >= kMostSolved || *work_ <= 0) return false;
  for (const Sum &equation : std::vector<Sum>(equations_))
    if (equation && !equation->isConstant() && solve(*equation)) return true;
  return false;
}

void SizeAtoms::addGivens(llvm::ArrayRef<Constraint> givens) {
  while (solveOne(givens)) {
  }
}

/// Whether the atom is a variable that stands in no product.
bool SizeAtoms::mayBeSolved(const PackedPolynomial &equation,
                            PackedAtom atom) const {
  return atoms_[atom - 1].kind == Kind::Variable &&
         llvm::all_of(equation.terms(), [&](const PackedTerm &term) {
           return term.monomial == PackedMonomial(atom) ||
                  !term.monomial.has(atom);
         });
}

bool SizeAtoms::solve(const PackedPolynomial &given) {
  int64_t g = 0;
  for (const PackedTerm &term : given.terms()) g = gcd(g, term.coefficient);
  PackedPolynomial equation;
  for (const PackedTerm &term : given.terms())
    equation.add(PackedPolynomial::of(term.monomial, term.coefficient / g));
  // A variable inside of a quotient of its own equation comes first: b mod 4 is
  // 0 where b is 4 * q. Else it is the last one.
  std::optional<PackedAtom> best;
  bool isBestInside = false;
  for (const PackedTerm &term : equation.terms()) {
    if (term.monomial.degree() != 1 ||
        (term.coefficient != 1 && term.coefficient != -1) ||
        !mayBeSolved(equation, term.monomial.factor(0)))
      continue;
    const PackedAtom atom = term.monomial.factor(0);
    const bool isInside = llvm::any_of(equation.terms(), [&](const auto &t) {
      for (unsigned i = 0; i < t.monomial.degree(); ++i)
        if (t.monomial.factor(i) != atom && restsOn(t.monomial.factor(i), atom))
          return true;
      return false;
    });
    if (best && isBestInside && !isInside) continue;
    best = atom;
    isBestInside = isInside;
  }
  if (best) {
    const int64_t c = equation.coefficient(PackedMonomial(*best));
    PackedPolynomial value = atomSum(*best);
    return value.add(equation, -c) && replace(*best, value);
  }
  for (const PackedTerm &term : equation.terms()) {
    if (term.monomial.degree() != 1 ||
        !mayBeSolved(equation, term.monomial.factor(0)))
      continue;
    const PackedAtom atom = term.monomial.factor(0);
    int64_t modulus = 0;
    for (const PackedTerm &other : equation.terms())
      if (!other.monomial.isConstant() && other.monomial != term.monomial)
        modulus = gcd(modulus, other.coefficient);
    if (modulus <= 1 || gcd(modulus, term.coefficient) != 1 ||
        modulus > 1'000'000)
      continue;
    // The variable is r modulo `modulus`.
    const int64_t c = floorMod(term.coefficient, modulus);
    const int64_t k = floorMod(equation.constant(), modulus);
    int64_t r = 0;
    while (r < modulus && (c * r + k) % modulus != 0) ++r;
    *work_ -= r;
    PackedPolynomial less = atomSum(atom);
    if (!less.add(-r)) continue;
    const auto part =
        newAtom({Kind::Part, {}, less, PackedPolynomial(modulus)});
    if (!part) return false;
    PackedPolynomial value(r);
    return value.add(atomSum(*part), modulus) && replace(atom, value);
  }
  return false;
}

bool SizeAtoms::restsOn(PackedAtom atom, PackedAtom other) const {
  if (atom == other) return true;
  // The parts of an atom have smaller numbers.
  std::vector<bool> rests(atoms_.size() + 1, false);
  rests[other] = true;
  for (unsigned i = 1; i <= atom; ++i) {
    const Atom &own = atoms_[i - 1];
    // A part and a forgotten quotient are integers of their own.
    if (own.kind == Kind::Part || own.kind == Kind::Forgotten) continue;
    for (const PackedPolynomial *sum : {&own.a, &own.b})
      for (const PackedTerm &term : sum->terms())
        for (unsigned k = 0; k < term.monomial.degree(); ++k)
          if (rests[term.monomial.factor(k)]) rests[i] = true;
  }
  return rests[atom];
}

/// Puts the value in the place of the variable. Quotients in values that rest
/// on the variable keep their rows, and are forgotten: made anew of their
/// numerators, they would bring the variable back.
bool SizeAtoms::replace(PackedAtom atom, const PackedPolynomial &value) {
  auto solved = solved_;
  for (auto &[other, sum] : solved) {
    auto replaced = with(sum, atom, value);
    if (!replaced) return false;
    sum = *std::move(replaced);
  }
  solved.push_back({atom, value});
  solved_ = std::move(solved);
  for (const auto &entry : solved_)
    for (const PackedTerm &term : entry.second.terms())
      for (unsigned i = 0; i < term.monomial.degree(); ++i) {
        const PackedAtom q = term.monomial.factor(i);
        if (q == atom || !restsOn(q, atom)) continue;
        for (const SizeRow &row : rows_)
          if (has(row.sum, q) && row.reason != SizeReason::Given)
            kept_.push_back(row);
        if (isQuotient(q)) atoms_[q - 1].kind = Kind::Forgotten;
      }
  return true;
}

//===-- For certificates --------------------------------------------------===//

FormId SizeAtoms::form(ExpressionPool &pool,
                       const PackedPolynomial &sum) const {
  llvm::SmallVector<ScaledForm, 8> parts;
  for (const PackedTerm &term : sum.terms()) {
    if (term.monomial.isConstant()) continue;
    FormId product = 0;
    for (unsigned i = 0; i < term.monomial.degree(); ++i) {
      const Atom &atom = atoms_[term.monomial.factor(i) - 1];
      FormId factor;
      if (atom.kind == Kind::Variable) {
        factor = pool.variable(atom.variable);
      } else {
        const FormId a = form(pool, atom.a), b = form(pool, atom.b);
        if (atom.kind == Kind::OpaqueRemainder)
          factor = pool.remainder(a, b);
        else if (pool.isConstant(b) && pool.constant(b) > 0)
          factor = pool.digit(a, pool.constant(b), 0);
        else
          factor = pool.quotient(a, b);
      }
      product = i == 0 ? factor : pool.product(product, factor);
    }
    parts.push_back({product, term.coefficient});
  }
  return pool.linear(parts, sum.constant());
}

void SizeAtoms::forSolved(
    llvm::function_ref<void(VariableId, const PackedPolynomial &)> visit)
    const {
  for (const auto &[atom, value] : solved_)
    visit(atoms_[atom - 1].variable, value);
}

}  // namespace indexical
