// Bounds of sums with positive parts (bounds.h).
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/piecewise.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {
namespace {

class PartBounds {
 public:
  PartBounds(const ExpressionTable &table,
             llvm::function_ref<Interval(AtomId)> ofAtom)
      : table_(table), ofAtom_(ofAtom) {}

  /// Terms in the order of their atoms' numbers: a part stands behind all that
  /// it is made of.
  struct Sum {
    llvm::SmallVector<Term, 8> terms;
    int64_t constant = 0;
    bool fits = true;

    void add(AtomId atom, int64_t coefficient);
    void add(const ExpressionTable &table, FormId form, int64_t factor);
  };

  Interval operator()(const Sum &sum, int depth);

 private:
  static constexpr int kDeepest = 3;
  /// Parts that are asked for their cases, of the sum itself; one inside.
  static constexpr size_t kMostParts = 3;
  /// Sums of more parts than this are bounded by their terms alone.
  static constexpr size_t kMostBounded = 12;

  Interval plain(const Sum &sum);
  Interval byOneSum(const Sum &sum, AtomId part);
  Interval byCases(const Sum &sum, const Term &part, int depth);

  const ExpressionTable &table_;
  llvm::function_ref<Interval(AtomId)> ofAtom_;
};

void PartBounds::Sum::add(AtomId atom, int64_t coefficient) {
  auto *at = llvm::lower_bound(
      terms, atom, [](const Term &term, AtomId id) { return term.atom < id; });
  if (at == terms.end() || at->atom != atom) {
    terms.insert(at, {atom, coefficient});
    return;
  }
  const auto both = checkedAdd(at->coefficient, coefficient);
  fits &= both && *both != INT64_MIN;
  if (!fits) return;
  at->coefficient = *both;
  if (*both == 0) terms.erase(at);
}

void PartBounds::Sum::add(const ExpressionTable &table, FormId form,
                          int64_t factor) {
  for (const Term &term : table.terms(form)) {
    const auto scaled = checkedMul(term.coefficient, factor);
    fits &= scaled && *scaled != INT64_MIN;
    if (!fits) return;
    add(term.atom, *scaled);
  }
  const auto scaled = checkedMul(table.constant(form), factor);
  const auto both = scaled ? checkedAdd(constant, *scaled) : std::nullopt;
  fits &= both && *both != INT64_MIN;
  if (fits) constant = *both;
}

Interval PartBounds::plain(const Sum &sum) {
  Interval all = Interval::point(sum.constant);
  for (const Term &term : sum.terms)
    all.add(ofAtom_(term.atom), term.coefficient);
  return all;
}

/// The parts whose parents are multiples of one sum, with that sum as often as
/// it stands beside them, are a function of it.
Interval PartBounds::byOneSum(const Sum &sum, AtomId part) {
  const MultipleOfSum own = asMultiple(table_, table_.atom(part).a);
  if (own.factor == 0) return Interval::all();
  Piecewise bends;
  Sum rest;
  rest.constant = sum.constant;
  for (const Term &term : sum.terms) {
    const Atom &atom = table_.atom(term.atom);
    if (atom.kind == AtomKind::PositivePart)
      if (const MultipleOfSum other = asMultiple(table_, atom.a);
          own.isOfSameSum(other) && other.constant != INT64_MIN) {
        bends.bends.push_back(
            {term.coefficient, other.factor, -other.constant});
        continue;
      }
    rest.terms.push_back(term);
  }
  Sum line;
  for (const Term &term : own.terms)
    line.add(term.atom, term.coefficient / own.factor);
  const Interval within = plain(line);
  auto withSlope = [&](int64_t slope) {
    Sum others = rest;
    Piecewise function = bends;
    function.slope = slope;
    for (const Term &term : line.terms) {
      const auto scaled = checkedMul(term.coefficient, slope);
      others.fits &= scaled && *scaled != INT64_MIN;
      if (others.fits) others.add(term.atom, -*scaled);
    }
    if (!others.fits || !function.isSmall()) return Interval::all();
    return plain(others) + function.range(within);
  };
  Interval known = withSlope(0);
  for (const Term &term : rest.terms)
    if (term.atom == line.terms[0].atom)
      known = known.intersect(
          withSlope(term.coefficient / line.terms[0].coefficient));
  return known;
}

/// S + c * [F] is S where F <= 0, and S + c * F where F >= 0. Each of the two
/// is known from the other one too: S is (S + c * F) - c * F.
Interval PartBounds::byCases(const Sum &sum, const Term &part, int depth) {
  const FormId parent = table_.atom(part.atom).a;
  Sum without = sum, with, own;
  without.add(part.atom, -part.coefficient);
  with = without;
  with.add(table_, parent, part.coefficient);
  own.add(table_, parent, 1);
  if (!without.fits || !with.fits || !own.fits) return Interval::all();
  const Interval low = (*this)(without, depth), high = (*this)(with, depth);
  const Interval bounds = (*this)(own, depth);
  const Interval below = bounds.intersect({Interval::kMinusInfinity, 0});
  const Interval above = bounds.intersect({0, Interval::kInfinity});
  auto known = [&](const Interval &value, const Interval &other,
                   const Interval &of, int64_t factor) {
    if (of.isEmpty() || value.isEmpty() || other.isEmpty())
      return Interval::none();
    Interval moved = other;
    moved.add(of, factor);
    return value.intersect(moved);
  };
  return known(low, high, below, -part.coefficient)
      .hull(known(high, low, above, part.coefficient));
}

Interval PartBounds::operator()(const Sum &sum, int depth) {
  Interval bounds = plain(sum);
  llvm::SmallVector<Term, 4> parts;
  for (const Term &term : sum.terms)
    if (table_.atom(term.atom).kind == AtomKind::PositivePart)
      parts.push_back(term);
  if (bounds.isEmpty() || parts.empty() || parts.size() > kMostBounded ||
      StopScope::isReached())
    return bounds;
  for (const Term &part : parts)
    bounds = bounds.intersect(byOneSum(sum, part.atom));
  if (depth == kDeepest) return bounds;
  // Which part is asked first can matter, and must not depend on numbers.
  llvm::sort(parts, [&](const Term &x, const Term &y) {
    return table_.compareAtoms(x.atom, y.atom) < 0;
  });
  for (const Term &part :
       llvm::ArrayRef(parts).take_front(depth == 0 ? kMostParts : 1))
    bounds = bounds.intersect(byCases(sum, part, depth + 1));
  return bounds;
}

}  // namespace

Interval boundsWithParts(const ExpressionTable &table,
                         llvm::ArrayRef<Term> terms, int64_t constant,
                         llvm::function_ref<Interval(AtomId)> ofAtom) {
  PartBounds::Sum sum;
  sum.constant = constant;
  for (const Term &term : terms) sum.add(term.atom, term.coefficient);
  if (!sum.fits) return Interval::all();
  return PartBounds(table, ofAtom)(sum, 0);
}

}  // namespace indexical
