#include "simplifier/domain.h"

#include <algorithm>

#include "indexing/arithmetic.h"

namespace indexical {
namespace {

// Bounds that creep by one a round are given up here: sound, not tight.
constexpr int kMostRounds = 64;

/// The inverse of a mod n, in [0, n). Requires gcd(a, n) = 1.
int64_t inverse(int64_t a, int64_t n) {
  int64_t r0 = n, r1 = floorMod(a, n), x0 = 0, x1 = 1;
  while (r1 != 0) {
    int64_t q = r0 / r1;
    r0 = std::exchange(r1, r0 - q * r1);
    x0 = std::exchange(x1, x0 - q * x1);
  }
  return floorMod(x0, n);
}

/// The least y >= from with (y floordiv stride) mod modulus in [low, high].
std::optional<int64_t> nextWithResidue(int64_t from, const Atom &digit,
                                       Interval residues) {
  int64_t q = floorDiv(from, digit.stride);
  int64_t r = floorMod(q, digit.modulus);
  if (residues.contains(r)) return from;
  int64_t forward = r < residues.lower ? residues.lower - r
                                       : residues.lower - r + digit.modulus;
  auto steps = checkedAdd(q, forward);
  return steps ? checkedMul(*steps, digit.stride) : std::nullopt;
}

/// The greatest y <= from with (y floordiv stride) mod modulus in [low, high].
std::optional<int64_t> previousWithResidue(int64_t from, const Atom &digit,
                                           Interval residues) {
  int64_t q = floorDiv(from, digit.stride);
  int64_t r = floorMod(q, digit.modulus);
  if (residues.contains(r)) return from;
  int64_t back = r > residues.upper ? r - residues.upper
                                    : r - residues.upper + digit.modulus;
  auto steps = checkedSub(q, back);
  auto start = steps ? checkedMul(*steps, digit.stride) : std::nullopt;
  return start ? checkedAdd(*start, digit.stride - 1) : std::nullopt;
}

}  // namespace

void Domain::add(FormId form, Interval bounds) {
  while (true) {
    int64_t constant = pool_.constant(form);
    llvm::SmallVector<Term, 8> terms(pool_.terms(form));
    if (terms.empty()) {
      empty_ |= !bounds.contains(constant);
      return;
    }
    // Bounds that leave 64 bits would open, and the constraint would be lost.
    if ((bounds.hasLower() && !checkedSub(bounds.lower, constant)) ||
        (bounds.hasUpper() && !checkedSub(bounds.upper, constant)))
      break;
    bounds = bounds - Interval::point(constant);
    int64_t g = 0;
    for (const Term &term : terms) g = gcd(g, term.coefficient);
    if (terms[0].coefficient < 0) g = -g;
    for (Term &term : terms) term.coefficient /= g;
    bounds = bounds.preimageOfMul(g);
    form = pool_.form(terms, 0);
    // x floordiv c is bounded where x is.
    auto atom = pool_.asAtom(form);
    if (!atom || pool_.atom(*atom).kind != AtomKind::Digit ||
        pool_.atom(*atom).modulus)
      break;
    bounds = bounds.preimageOfFloorDiv(pool_.atom(*atom).stride);
    form = pool_.atom(*atom).a;
  }
  if (bounds.isEmpty()) empty_ = true;
  if (bounds == Interval::all()) return;
  if (bounds.isPoint() && mergeResidue(form, bounds)) return;
  merge(form, bounds);
}

/// One constraint a form.
void Domain::merge(FormId form, Interval bounds) {
  for (Constraint &other : constraints_) {
    if (other.form != form) continue;
    const bool wasPoint = other.bounds.isPoint();
    bounds = other.bounds = other.bounds.intersect(bounds);
    empty_ |= bounds.isEmpty();
    if (wasPoint || !bounds.isPoint()) return;
    // As a residue it may be one with others.
    constraints_.erase(&other);
    return add(form, bounds);
  }
  constraints_.push_back({form, bounds});
}

/// (x + c) mod n = r is x mod n = r - c. With x mod m known too, both are one
/// by the Chinese remainder theorem, which is then added, or contradict each
/// other.
bool Domain::mergeResidue(FormId &form, Interval &bounds) {
  auto single = pool_.asAtom(form);
  if (!single || pool_.atom(*single).kind != AtomKind::Digit ||
      pool_.atom(*single).stride != 1)
    return false;
  Atom digit = pool_.atom(*single);
  int64_t n = digit.modulus, c = pool_.constant(digit.a);
  if (!Interval{0, n - 1}.contains(bounds)) {
    empty_ = true;
    return true;
  }
  // Whole turns of the constant stay: the form of the digit has chosen them.
  FormId x = pool_.linear({{digit.a, 1}}, -c);
  int64_t r = floorMod(bounds.lower - floorMod(c, n), n);
  FormId residue =
      pool_.digit(pool_.linear({{digit.a, 1}}, -floorMod(c, n)), 1, n);
  newForms_ |= residue != form;
  form = residue;
  bounds = Interval::point(r);
  for (Constraint &other : constraints_) {
    auto atom = pool_.asAtom(other.form);
    if (!atom || !other.bounds.isPoint()) continue;
    Atom known = pool_.atom(*atom);
    if (known.kind != AtomKind::Digit || known.stride != 1 ||
        known.modulus == n || pool_.terms(known.a) != pool_.terms(x))
      continue;
    int64_t m = known.modulus, s = other.bounds.lower, g = gcd(n, m);
    if (floorMod(r - s, g) != 0) {
      empty_ = true;
      return true;
    }
    auto both = checkedMul(m, n / g);
    if (!both) continue;
    // s + m * t, where m/g * t is (r - s)/g mod n/g.
    __int128 t = static_cast<__int128>((r - s) / g) * inverse(m / g, n / g);
    int64_t steps = floorMod(static_cast<int64_t>(t % (n / g)), n / g);
    constraints_.erase(&other);
    newForms_ = true;
    add(pool_.digit(x, 1, *both), Interval::point(s + m * steps));
    return true;
  }
  return false;
}

void Domain::restart(VariableBounds box) {
  box_ = std::move(box);
  empty_ = box_.isEmpty();
}

void Domain::propagate() {
  const VariableBounds start = box_;
  VariableBounds before = box_;
  for (int round = 0; round < kMostRounds && !empty_; ++round) {
    changed_ = false;
    asked_.clear();
    before = box_;
    auto boundsOf = [&](VariableId id) { return box_[id]; };
    // Bounds inside one round may be older than the box: wider, so sound.
    FormBounds current(pool_, boundsOf);
    for (const Constraint &c : constraints_) {
      tightenForm(c.form, c.bounds, current);
      if (empty_) return;
    }
    settled_ = !changed_;
    if (settled_) return;
  }
  if (empty_) return;
  // What still creeps would creep on another time: it stays as it was.
  for (int kind = 0; kind < 3; ++kind)
    for (size_t i = 0; i < box_.variables[kind].size(); ++i)
      if (box_.variables[kind][i] != before.variables[kind][i])
        box_.variables[kind][i] = start.variables[kind][i];
}

void Domain::tightenForm(FormId form, Interval bounds, FormBounds &current) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  bounds = bounds - Interval::point(pool_.constant(form));
  llvm::SmallVector<Interval, 8> parts;
  for (const Term &term : terms)
    parts.push_back(current(pool_.atomForm(term.atom)) * term.coefficient);
  // Sums of all parts but one, from the sums before it and behind it.
  size_t n = terms.size();
  llvm::SmallVector<Interval, 8> behind(n + 1, Interval::point(0));
  for (size_t i = n; i-- > 0;) behind[i] = behind[i + 1] + parts[i];
  Interval before = Interval::point(0);
  for (size_t i = 0; i < n; ++i) {
    Interval allowed = bounds - (before + behind[i + 1]);
    tightenAtom(terms[i].atom, allowed.preimageOfMul(terms[i].coefficient),
                current);
    before = before + parts[i];
  }
}

void Domain::tightenAtom(AtomId id, Interval bounds, FormBounds &current) {
  if (bounds.isEmpty()) {
    empty_ = true;
    return;
  }
  if (bounds == Interval::all()) return;
  // An atom is met wherever it is shared: each time says something only if it
  // says more than all before.
  if (asked_.size() <= id) asked_.resize(pool_.atomCount(), Interval::all());
  if (bounds.contains(asked_[id])) return;
  asked_[id] = bounds = bounds.intersect(asked_[id]);
  if (bounds.isEmpty()) {
    empty_ = true;
    return;
  }
  Atom atom = pool_.atom(id);
  if (atom.kind == AtomKind::Variable) {
    tightenVariable(atom.variable(), bounds);
  } else if (atom.kind == AtomKind::Digit && atom.modulus == 0) {
    tightenForm(atom.a, bounds.preimageOfFloorDiv(atom.stride), current);
  } else if (atom.kind == AtomKind::Digit) {
    tightenResidue(atom, bounds, current);
  } else if (bounds.intersect(current(pool_.atomForm(id))).isEmpty()) {
    empty_ = true;
  }
}

/// (x + c) floordiv s mod n within bounds: the ends of x move to the next
/// values that have such a residue.
void Domain::tightenResidue(const Atom &digit, Interval bounds,
                            FormBounds &current) {
  Interval residues = bounds.intersect({0, digit.modulus - 1});
  if (residues.isEmpty()) {
    empty_ = true;
    return;
  }
  if (residues.count() == digit.modulus) return;
  Interval range = current(digit.a);
  Interval tight = range;
  if (range.hasLower())
    if (auto low = nextWithResidue(range.lower, digit, residues))
      tight.lower = *low;
  if (range.hasUpper())
    if (auto high = previousWithResidue(range.upper, digit, residues))
      tight.upper = *high;
  if (tight.isEmpty())
    empty_ = true;
  else if (tight != range)
    tightenForm(digit.a, tight, current);
}

void Domain::tightenVariable(VariableId id, Interval bounds) {
  Interval tight = box_[id].intersect(bounds);
  if (tight.isEmpty()) {
    empty_ = true;
    return;
  }
  if (tight == box_[id] || isFixed_(id)) return;
  box_[id] = tight;
  changed_ = true;
}

void Domain::finish() {
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  FormBounds current(pool_, boundsOf);
  llvm::erase_if(constraints_, [&](const Constraint &c) {
    return c.bounds.contains(current(c.form));
  });
  std::sort(constraints_.begin(), constraints_.end(),
            [&](const Constraint &a, const Constraint &b) {
              return pool_.compareForms(a.form, b.form) < 0;
            });
}

}  // namespace indexical
