#include "indexical/exact/elimination.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {
namespace {

// Equations that come out of each other without end stay constraints.
constexpr int64_t kMostSteps = 400;

VariableId variableOf(uint32_t number) {
  return {VariableKind::Dimension, number};
}

/// The bound that an atom is counted from, so that its multiple by the
/// coefficient runs from 0 up.
int64_t startOf(const Term &term, Interval bounds) {
  return term.coefficient > 0 ? bounds.lower : bounds.upper;
}

}  // namespace

Elimination::Elimination(const System &system, llvm::ArrayRef<bool> unknown)
    : system_(system),
      forms_(pool_, box_),
      unknown_(unknown.begin(), unknown.end()),
      divides_(variablesThatDivide(system.pool, unknown.size())),
      solution_(unknown.size()) {
  box_.variables[0].assign(system.box.begin(), system.box.end());
}

FormId Elimination::fresh(Interval bounds) {
  uint32_t number = box_.variables[0].size();
  box_.variables[0].push_back(bounds);
  unknown_.push_back(false);
  divides_.push_back(false);
  solution_.emplace_back();
  free_.push_back(number);
  return forms_.variable(variableOf(number));
}

void Elimination::equate(FormId a, FormId b) {
  Equation equation{value(a), value(b)};
  // Equations whose unknown is one variable are solved before all others.
  if (pool_.asVariable(equation.unknown))
    queue_.push_back(equation);
  else
    queue_.insert(queue_.begin(), equation);
}

FormId Elimination::value(FormId form) {
  auto replace = [&](VariableId id) { return forms_.variable(id); };
  ExpressionImport import(system_.pool, forms_, replace);
  return substitute(import(form));
}

bool Elimination::atomIsUnknown(AtomId id) const {
  const Atom &atom = pool_.atom(id);
  if (const auto id = atom.asVariable()) return unknown_[id->index];
  return llvm::any_of(atom.operands(),
                      [&](FormId form) { return isUnknown(form); });
}

bool Elimination::isUnknown(FormId form) const {
  bool found = false;
  pool_.visitVariables({form}, [&](VariableId id) {
    found |= unknown_[id.index] || solution_[id.index];
  });
  return found;
}

/// The form with the solutions put in.
FormId Elimination::substitute(FormId form) {
  if (std::exchange(memoIsOld_, false)) substituted_.clear();
  auto known = substituted_.find(form);
  if (known != substituted_.end()) return known->second;
  bool touched = false;
  pool_.visitVariables({form}, [&](VariableId id) {
    touched |= solution_[id.index].has_value();
  });
  FormId result = form;
  if (touched) {
    llvm::SmallVector<Term, 8> terms(pool_.terms(form));
    llvm::SmallVector<ScaledForm, 8> parts;
    for (const Term &term : terms) {
      const Atom atom = pool_.atom(term.atom);
      auto solutionOf = [&](VariableId id) {
        const auto &solution = solution_[id.index];
        return solution ? substitute(*solution) : forms_.variable(id);
      };
      const FormId part =
          valueOfAtom(atom, AlgebraDomain{forms_, solutionOf},
                      [&](FormId form) { return substitute(form); });
      parts.push_back({part, term.coefficient});
    }
    result = forms_.linear(parts, pool_.constant(form));
  }
  substituted_[form] = result;
  return result;
}

void Elimination::require(FormId form, Interval bounds) {
  if (bounds.contains(forms_.bounds(form))) return;
  constraints_.push_back({form, bounds});
}

void Elimination::determine(uint32_t variable, FormId value) {
  unknown_[variable] = false;
  const Interval bounds = box_.variables[0][variable];
  if (divides_[variable]) {
    // Its bounds keep a divisor from being 0, and a constraint would not: it
    // stays a variable, unless its value has them too.
    if (!bounds.contains(forms_.bounds(value))) {
      free_.push_back(variable);
      solved_ = true;
      return require(forms_.sub(forms_.variable(variableOf(variable)), value),
                     Interval::point(0));
    }
    pool_.visitVariables({value},
                         [&](VariableId v) { divides_[v.index] = true; });
  }
  solution_[variable] = value;
  memoIsOld_ = solved_ = true;
  require(value, bounds);
}

void Elimination::determineAtom(AtomId id, FormId value) {
  const Atom atom = pool_.atom(id);
  if (atom.kind == AtomKind::Variable) {
    determine(atom.variable().index, value);
  } else if (atom.kind == AtomKind::Digit) {
    if (atom.modulus) require(value, {0, atom.modulus - 1});
    digits_.push_back({id, value});
  } else if (atom.kind == AtomKind::Quotient ||
             atom.kind == AtomKind::Remainder) {
    bySizes_.push_back({id, value});
  } else {
    require(forms_.sub(pool_.atomForm(id), value), Interval::point(0));
  }
}

void Elimination::settleTerm(Term term, FormId value) {
  int64_t c = term.coefficient;
  if (c < 0) {
    value = forms_.scale(value, -1);
    c = -c;
  }
  if (c > 1) {
    require(forms_.digit(value, 1, c), Interval::point(0));
    value = forms_.digit(value, c, 0);
  }
  determineAtom(term.atom, value);
}

void Elimination::settle(Equation equation) {
  FormId difference =
      forms_.sub(substitute(equation.unknown), substitute(equation.known));
  llvm::SmallVector<Term, 8> unknown, known;
  for (const Term &term : pool_.terms(difference))
    (atomIsUnknown(term.atom) ? unknown : known)
        .push_back({term.atom, term.coefficient});
  for (Term &term : known) term.coefficient = -term.coefficient;
  // Unary minus of a coefficient is safe: forms hold no INT64_MIN.
  auto negated = checkedSub(0, pool_.constant(difference));
  if (!negated) return pool_.setOverflowed(true);
  FormId value = forms_.linear({{pool_.form(known, *negated), 1}}, 0);
  if (unknown.empty())
    require(value, Interval::point(0));
  else if (unknown.size() == 1)
    settleTerm(unknown[0], value);
  else if (!cutRadix(unknown, value))
    stuck_.push_back({pool_.form(unknown, 0), value});
}

/// Cuts the sum if a low part is less than what all the others are multiples
/// of, or else takes off a largest term that is more than all the others.
bool Elimination::cutRadix(llvm::ArrayRef<Term> given, FormId known) {
  llvm::SmallVector<Term, 8> terms(given.begin(), given.end());
  llvm::sort(terms, [&](const Term &a, const Term &b) {
    int64_t x = std::abs(a.coefficient), y = std::abs(b.coefficient);
    return x != y ? x < y : pool_.compareAtoms(a.atom, b.atom) < 0;
  });
  const size_t n = terms.size();
  // For each term, the common factor of it and of all terms after it.
  llvm::SmallVector<int64_t, 8> factor(n + 1, 0);
  for (size_t i = n; i-- > 0;)
    factor[i] = gcd(factor[i + 1], terms[i].coefficient);
  int64_t span = 0;
  llvm::SmallVector<Interval, 8> bounds;
  for (const Term &term : terms)
    bounds.push_back(forms_.bounds(pool_.atomForm(term.atom)));
  for (size_t cut = 0; cut + 1 < n; ++cut) {
    if (!bounds[cut].isFinite()) return false;
    auto width = checkedSub(bounds[cut].upper, bounds[cut].lower);
    auto part = width ? checkedMul(*width, std::abs(terms[cut].coefficient))
                      : std::nullopt;
    auto next = part ? checkedAdd(span, *part) : std::nullopt;
    if (!next) return false;
    span = *next;
    int64_t unit = 0;
    if (span < factor[cut + 1])
      unit = factor[cut + 1];
    else if (cut + 2 == n && span < std::abs(terms[n - 1].coefficient))
      unit = std::abs(terms[n - 1].coefficient);
    if (!unit) continue;
    // The low part, counted from its least value, is known mod unit.
    int64_t least = 0;
    llvm::SmallVector<Term, 8> low, high;
    for (size_t i = 0; i < n; ++i) {
      if (i <= cut) {
        auto start =
            checkedMul(terms[i].coefficient, startOf(terms[i], bounds[i]));
        auto sum = start ? checkedAdd(least, *start) : std::nullopt;
        if (!sum) return false;
        least = *sum;
        low.push_back(terms[i]);
      } else {
        high.push_back({terms[i].atom, terms[i].coefficient / unit});
      }
    }
    if (least == Interval::kMinusInfinity) return false;
    FormId from = forms_.shift(known, -least);
    queue_.push_back({pool_.form(high, 0), forms_.digit(from, unit, 0)});
    queue_.push_back(
        {pool_.form(low, 0), forms_.shift(forms_.digit(from, 1, unit), least)});
    return true;
  }
  return false;
}

/// Digits of what was solved meanwhile are values that must agree.
void Elimination::substituteDigits() {
  auto substituted = [&](llvm::SmallVectorImpl<DigitValue> &known) {
    llvm::SmallVector<DigitValue, 8> left;
    for (const DigitValue &d : known) {
      FormId digit = pool_.atomForm(d.digit), now = substitute(digit);
      FormId value = substitute(d.value);
      if (now == digit)
        left.push_back({d.digit, value});
      else
        queue_.push_back({now, value});
    }
    known.assign(left.begin(), left.end());
  };
  substituted(digits_);
  substituted(bySizes_);
}

bool Elimination::joinDigits(Missing missing) {
  llvm::SmallVector<FormId, 4> parents;
  for (const DigitValue &d : digits_) {
    FormId parent = pool_.atom(d.digit).a;
    if (!llvm::is_contained(parents, parent)) parents.push_back(parent);
  }
  for (FormId parent : parents)
    if (joinParent(parent, missing)) return true;
  return false;
}

/// Whether the quotient is the parent of the remainder divided by the
/// remainder's modulus: x floordiv n of x mod n, and x floordiv (m * n) of
/// (x floordiv m) mod n.
bool Elimination::isAbove(const Atom &quotient, const Atom &rest) {
  if (quotient.a == rest.a) return quotient.b == rest.b;
  const auto inner = pool_.asAtom(rest.a);
  if (!inner) return false;
  const Atom parent = pool_.atom(*inner);
  const bool isFloor = parent.kind == AtomKind::Digit && parent.modulus == 0;
  if (parent.a != quotient.a || (!isFloor && parent.kind != AtomKind::Quotient))
    return false;
  const FormId by = isFloor ? pool_.constantForm(parent.stride) : parent.b;
  return !isUnknown(by) && forms_.bounds(by).lower >= 1 &&
         forms_.product(by, rest.b) == quotient.b;
}

/// Replaces the quotient and the remainder of one parent by one size, if both
/// have values, by the equation that the parent is their sum.
bool Elimination::joinBySize() {
  for (const DigitValue &q : bySizes_)
    for (const DigitValue &r : bySizes_) {
      const Atom quotient = pool_.atom(q.digit), rest = pool_.atom(r.digit);
      if (quotient.kind != AtomKind::Quotient ||
          rest.kind != AtomKind::Remainder || isUnknown(rest.b) ||
          forms_.bounds(rest.b).lower < 1 || !isAbove(quotient, rest))
        continue;
      const FormId divisor = rest.b;
      const FormId whole = forms_.linear(
          {{forms_.product(q.value, divisor), 1}, {r.value, 1}}, 0);
      require(r.value, {0, Interval::kInfinity});
      require(forms_.sub(r.value, divisor), {Interval::kMinusInfinity, -1});
      queue_.push_back({rest.a, whole});
      const AtomId used[] = {q.digit, r.digit};
      llvm::erase_if(bySizes_, [&](const DigitValue &d) {
        return d.digit == used[0] || d.digit == used[1];
      });
      return true;
    }
  return false;
}

/// Whether the form has values inside 64 bits, at which bounds open. A variable
/// cannot be a digit of others.
bool Elimination::isInside64Bits(FormId form) {
  const Interval bounds = forms_.bounds(form);
  return bounds.lower != Interval::kInfinity &&
         bounds.upper != Interval::kMinusInfinity;
}

/// Replaces known digits of the parent by the equation that the parent is their
/// sum. Missing digits become new variables; returns false if there are any and
/// `missing` is Refuse.
bool Elimination::joinParent(FormId parent, Missing missing) {
  llvm::SmallVector<DigitValue, 8> own, used;
  for (const DigitValue &d : digits_)
    if (pool_.atom(d.digit).a == parent) own.push_back(d);
  llvm::sort(own, [&](const DigitValue &a, const DigitValue &b) {
    const Atom &x = pool_.atom(a.digit), &y = pool_.atom(b.digit);
    return std::pair(x.stride, x.modulus) < std::pair(y.stride, y.modulus);
  });
  llvm::SmallVector<ScaledForm, 8> parts;
  llvm::SmallVector<std::pair<size_t, Interval>, 4> gaps;
  int64_t stride = 1;
  bool whole = false;
  for (const DigitValue &d : own) {
    const Atom digit = pool_.atom(d.digit);
    if (digit.stride < stride || digit.stride % stride != 0) continue;
    if (digit.stride > stride) {
      FormId gap = forms_.digit(parent, stride, digit.stride / stride);
      gaps.push_back({parts.size(), forms_.bounds(gap)});
      parts.push_back({0, stride});
    }
    parts.push_back({d.value, digit.stride});
    used.push_back(d);
    whole = digit.modulus == 0;
    if (whole) break;
    auto next = checkedMul(digit.stride, digit.modulus);
    if (!next) return false;
    stride = *next;
  }
  int64_t top = 0;
  if (!whole) {
    Interval rest = forms_.bounds(forms_.digit(parent, stride, 0));
    if (rest.isPoint()) {
      auto constant = checkedMul(rest.lower, stride);
      if (!constant) return false;
      top = *constant;
    } else {
      gaps.push_back({parts.size(), rest});
      parts.push_back({0, stride});
    }
  }
  if (!gaps.empty() && missing == Missing::Refuse) return false;
  if (!gaps.empty() && !isInside64Bits(parent)) pool_.setOverflowed(true);
  for (auto [place, bounds] : gaps) parts[place].form = fresh(bounds);
  llvm::erase_if(digits_, [&](const DigitValue &d) {
    return llvm::any_of(used, [&](const DigitValue &u) {
      return u.digit == d.digit && u.value == d.value;
    });
  });
  queue_.push_back({parent, forms_.linear(parts, top)});
  return true;
}

/// Joins two digits, one above the other, to one digit, if they can have one
/// parent.
bool Elimination::joinNeighbours() {
  for (size_t i = 0; i < digits_.size(); ++i) {
    const DigitValue low = digits_[i];
    const Interval range = forms_.bounds(pool_.atomForm(low.digit));
    if (range.lower < 0 || !range.hasUpper()) continue;
    const auto below = forms_.measures.asCut(low.digit);
    const int64_t carry = below.modulus ? below.modulus : range.upper + 1;
    for (size_t j = 0; j < digits_.size(); ++j) {
      const DigitValue high = digits_[j];
      if (i == j || carry < 2) continue;
      auto whole =
          forms_.joins.joined(below, carry, forms_.measures.asCut(high.digit));
      if (!whole) continue;
      FormId digit = forms_.digit(whole->parent, whole->stride, whole->modulus);
      // A digit that is written as these two digits does not join them.
      auto isThere = [&](const Term &term) {
        return term.atom == low.digit || term.atom == high.digit;
      };
      if (llvm::any_of(pool_.terms(digit), isThere)) continue;
      if (!below.modulus) require(low.value, {0, carry - 1});
      digits_.erase(digits_.begin() + std::max(i, j));
      digits_.erase(digits_.begin() + std::min(i, j));
      queue_.push_back(
          {digit, forms_.linear({{low.value, 1}, {high.value, carry}}, 0)});
      return true;
    }
  }
  return false;
}

/// Solves a stuck equation for a variable that it has only once.
bool Elimination::solveForVariable(bool unitOnly) {
  for (size_t e = 0; e < stuck_.size(); ++e) {
    FormId difference =
        forms_.sub(substitute(stuck_[e].unknown), substitute(stuck_[e].known));
    llvm::SmallVector<Term, 8> terms(pool_.terms(difference));
    for (size_t i = 0; i < terms.size(); ++i) {
      const Atom &atom = pool_.atom(terms[i].atom);
      if (atom.kind != AtomKind::Variable || !unknown_[atom.variable().index] ||
          (unitOnly && std::abs(terms[i].coefficient) != 1))
        continue;
      bool elsewhere = false;
      for (size_t j = 0; j < terms.size(); ++j)
        if (j != i)
          pool_.visitVariables(
              {pool_.atomForm(terms[j].atom)},
              [&](VariableId id) { elsewhere |= id == atom.variable(); });
      if (elsewhere) continue;
      const Term term = terms[i];
      stuck_.erase(stuck_.begin() + e);
      FormId rest = forms_.sub(
          forms_.linear({{pool_.atomForm(term.atom), term.coefficient}}, 0),
          difference);
      settleTerm(term, rest);
      return true;
    }
  }
  return false;
}

void Elimination::solve() {
  while (!pool_.overflowed() && ++steps_ < kMostSteps &&
         !StopScope::isReached()) {
    if (!queue_.empty()) {
      settle(queue_.pop_back_val());
      continue;
    }
    if (std::exchange(solved_, false)) {
      substituteDigits();
      queue_.append(stuck_);
      stuck_.clear();
      continue;
    }
    if (joinDigits(Missing::Refuse) || joinNeighbours() ||
        solveForVariable(/*unitOnly=*/true) || joinBySize() ||
        joinDigits(Missing::NewVariables) ||
        solveForVariable(/*unitOnly=*/false))
      continue;
    break;
  }
  stuck_.append(queue_);
  for (const Equation &e : stuck_)
    constraints_.push_back(
        {forms_.sub(e.unknown, e.known), Interval::point(0)});
  for (llvm::ArrayRef<DigitValue> known :
       {llvm::ArrayRef<DigitValue>(digits_),
        llvm::ArrayRef<DigitValue>(bySizes_)})
    for (const DigitValue &d : known)
      constraints_.push_back(
          {forms_.sub(pool_.atomForm(d.digit), d.value), Interval::point(0)});
  for (const Constraint &c : system_.constraints)
    constraints_.push_back({value(c.form), c.bounds});
  for (Constraint &c : constraints_) c.form = substitute(c.form);
  for (uint32_t i = 0; i < system_.box.size(); ++i)
    if (unknown_[i]) free_.push_back(i);
  llvm::sort(free_);
}

const System &Elimination::result() {
  result_.pool = pool_;
  result_.box.assign(box_.variables[0].begin(), box_.variables[0].end());
  result_.constraints.assign(constraints_.begin(), constraints_.end());
  for (uint32_t i = 0; i < solution_.size(); ++i)
    if (solution_[i]) result_.box[i] = Interval::point(0);
  return result_;
}

}  // namespace indexical
