#include "indexical/simplifier/propagation.h"

#include <cassert>
#include <utility>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"
#include "indexical/indexing/stop_scope.h"

namespace indexical {
namespace {

/// Returns `range` with its ends moved to the next values that have
/// (x floordiv stride) mod modulus in `digits`; modulus 0: no mod.
Interval withDigits(Interval range, int64_t stride, int64_t modulus,
                    Interval digits) {
  if (!modulus) return range.intersect(digits.preimageOfFloorDiv(stride));
  digits = digits.intersect({0, modulus - 1});
  if (digits.isEmpty()) return Interval::none();
  if (digits.count() == modulus) return range;
  Interval tight = range;
  if (range.hasLower()) {
    const int64_t q = floorDiv(range.lower, stride), r = floorMod(q, modulus);
    if (!digits.contains(r)) {
      const int64_t steps = floorMod(digits.lower - r, modulus);
      auto next = checkedAdd(q, steps);
      auto start = next ? checkedMul(*next, stride) : std::nullopt;
      if (start) tight.lower = *start;
    }
  }
  if (range.hasUpper()) {
    const int64_t q = floorDiv(range.upper, stride), r = floorMod(q, modulus);
    if (!digits.contains(r)) {
      const int64_t steps = floorMod(r - digits.upper, modulus);
      auto previous = checkedSub(q, steps);
      auto start = previous ? checkedMul(*previous, stride) : std::nullopt;
      auto end = start ? checkedAdd(*start, stride - 1) : std::nullopt;
      if (end) tight.upper = *end;
    }
  }
  return tight;
}

}  // namespace

Propagation::Number Propagation::add(FormId form, Interval bounds) {
  constraints_.push_back(scaled(form));
  // Another form of the same sum may have bounds already: one that kept its
  // constant and factor, since its bounds without these leave 64 bits.
  Interval &of = sums_[constraints_.back().sum].given;
  const Interval before = of;
  setBounds(constraints_.size() - 1, bounds);
  of = of.intersect(before);
  return constraints_.size() - 1;
}

void Propagation::setBounds(Number constraint, Interval bounds) {
  const Scaled &form = constraints_[constraint];
  Interval &of = sums_[form.sum].given;
  // The sum alone may leave 64 bits though it does not with the constant. Then
  // nothing is known of it.
  of = bounds.moved(-form.constant)
           .value_or(Interval::all())
           .preimageOfMul(form.factor);
}

Interval Propagation::bounds(Number constraint) const {
  return rangeOf(constraints_[constraint]);
}

Interval Propagation::rangeOf(const Scaled &form) const {
  Interval range = Interval::point(form.constant);
  range.add(sums_[form.sum].range, form.factor);
  return range;
}

/// Returns the sum of the form's terms, scaled, and adds nodes for all its
/// parts.
Propagation::Scaled Propagation::scaled(FormId form) {
  llvm::SmallVector<Term, 8> terms(pool_.terms(form));
  Scaled result{0, 1, pool_.constant(form)};
  int64_t g = 0;
  for (const Term &term : terms) g = gcd(g, term.coefficient);
  if (!terms.empty() && terms[0].coefficient < 0) g = -g;
  if (g != 0 && g != 1) {
    for (Term &term : terms) term.coefficient /= g;
    result.factor = g;
  }
  const FormId primitive = pool_.form(terms, 0);
  if (auto known = sumNodes_.find(primitive); known != sumNodes_.end()) {
    result.sum = known->second;
    return result;
  }
  llvm::SmallVector<NodeTerm, 8> nodeTerms;
  for (const Term &term : terms)
    nodeTerms.push_back({atomNode(term.atom), term.coefficient});
  SumNode sum;
  sum.form = primitive;
  sum.first = nodeTerms_.size();
  sum.count = nodeTerms.size();
  sum.given = Interval::all();
  nodeTerms_.append(nodeTerms.begin(), nodeTerms.end());
  result.sum = sumNodes_[primitive] = sums_.size();
  sums_.push_back(sum);
  return result;
}

uint32_t Propagation::atomNode(AtomId id) {
  if (auto known = atomNodes_.find(id); known != atomNodes_.end())
    return known->second;
  AtomNode node;
  node.id = id;
  node.atom = pool_.atom(id);
  const Operands operands = node.atom.operands();
  if (operands.size() > 0) node.a = scaled(operands[0]);
  if (operands.size() > 1) node.b = scaled(operands[1]);
  const uint32_t number = atoms_.size();
  if (node.atom.kind == AtomKind::Digit)
    node.nextDigit = std::exchange(sums_[node.a.sum].firstDigit, number);
  atoms_.push_back(node);
  return atomNodes_[id] = number;
}

void Propagation::meet(Interval &range, Interval bounds) {
  bounds = range.intersect(bounds);
  if (bounds == range) return;
  assert(range.contains(bounds));
  range = bounds;
  changed_ = true;
  empty_ |= range.isEmpty();
}

Interval Propagation::digitBounds(const AtomNode &digit) const {
  Interval bounds = rangeOf(digit.a).floorDiv(digit.atom.stride);
  return digit.atom.modulus ? bounds.mod(digit.atom.modulus) : bounds;
}

/// Finds the bounds that follow from the variables' bounds, from the inside
/// out.
void Propagation::findNatural() {
  size_t next = 0;
  auto find = [&](AtomNode &node) {
    const Atom &atom = node.atom;
    auto rangeOfOperand = [&](FormId form) {
      return rangeOf(form == atom.a ? node.a : node.b);
    };
    node.natural = valueOfAtom(atom, IntervalsInBox{{}, box_}, rangeOfOperand);
    node.range = node.natural;
  };
  for (SumNode &sum : sums_) {
    Interval total = Interval::point(0);
    for (const NodeTerm &term : termsOf(sum)) {
      for (; next <= term.atom; ++next) find(atoms_[next]);
      total.add(atoms_[term.atom].range, term.coefficient);
    }
    if (pool_.haveParts() && !total.isEmpty() && !StopScope::isReached() &&
        hasPart(pool_, pool_.terms(sum.form)))
      total = total.intersect(boundsWithParts(
          pool_, pool_.terms(sum.form), 0,
          [&](AtomId id) { return atoms_[atomNodes_.lookup(id)].natural; }));
    sum.natural = sum.range = total;
  }
}

void Propagation::restart() {
  findNatural();
  empty_ = false;
  for (AtomNode &node : atoms_) {
    node.range = node.natural;
    empty_ |= node.range.isEmpty();
  }
  for (SumNode &sum : sums_) {
    sum.range = sum.natural;
    meet(sum.range, sum.given);
    empty_ |= sum.range.isEmpty();
  }
}

llvm::ArrayRef<Propagation::Rule> Propagation::rules() {
  using Way = Rule::Way;
  // Name; example, bounds, and what is found; the way; what it does.
  static constexpr Rule kRules[] = {
      {"a product or a quotient is within what its parts leave",
       "d0 + d1 in [12, 18]", "d0 in [0, 9], d1 in [0, 9]",
       "d0 * d1 in [9, 81]", Way::Outward, &Propagation::meetProducts},
      {"a sum is within the sum of its terms", "d0 mod 4 in [1, 2]",
       "d0 in [0, 9], d1 in [0, 9]", "d0 mod 4 + d1 in [1, 11]", Way::Outward,
       &Propagation::meetTerms},
      {"a digit and its parent bound each other", "d0 + d1 in [13, 18]",
       "d0 in [0, 9], d1 in [0, 9]", "(d0 + d1) floordiv 4 in [3, 4]",
       Way::Both, &Propagation::meetDigits},
      {"digits of one parent bound each other",
       "(d0 floordiv 4) mod 2 in [1, 1]", "d0 in [0, 99]", "d0 mod 8 in [4, 7]",
       Way::Both, &Propagation::meetDigitsOfOne},
      {"a term is within what the sum and the other terms leave",
       "d0 mod 4 + d1 in [12, 18]", "d0 in [0, 9], d1 in [0, 9]",
       "d0 mod 4 in [3, 3]", Way::Inward, &Propagation::meetOthers},
      {"a positive part and its parent bound each other",
       "max(d0 - d1, 0) + d0 in [16, 18]", "d0 in [0, 9], d1 in [0, 9]",
       "d0 - d1 in [7, 9]", Way::Both, &Propagation::meetParts},
  };
  return kRules;
}

bool Propagation::run(int mostRounds, llvm::ArrayRef<Rule> rules) {
  auto apply = [&](SumNode &sum, Rule::Way except) {
    for (const Rule &rule : rules)
      if (rule.way != except && !empty_) (this->*rule.what)(sum);
    return !empty_;
  };
  for (int round = 0; round < mostRounds && !empty_; ++round) {
    if (StopScope::isReached()) return false;
    changed_ = false;
    for (SumNode &sum : sums_)
      if (!apply(sum, Rule::Way::Inward)) return true;
    for (SumNode &sum : llvm::reverse(sums_))
      if (!apply(sum, Rule::Way::Outward)) return true;
    if (!changed_) return true;
  }
  return empty_;
}

void Propagation::meetProducts(SumNode &sum) {
  for (const NodeTerm &term : termsOf(sum)) {
    AtomNode &node = atoms_[term.atom];
    if (node.atom.kind == AtomKind::Product)
      meet(node.range, rangeOf(node.a) * rangeOf(node.b));
    if (node.atom.kind == AtomKind::Quotient && !rangeOf(node.b).contains(0))
      meet(node.range, rangeOf(node.a).floorDiv(rangeOf(node.b)));
    if (empty_) return;
  }
}

void Propagation::meetTerms(SumNode &sum) {
  Interval total = Interval::point(0);
  for (const NodeTerm &term : termsOf(sum))
    total.add(atoms_[term.atom].range, term.coefficient);
  meet(sum.range, total);
}

void Propagation::meetOthers(SumNode &sum) {
  llvm::ArrayRef<NodeTerm> terms = termsOf(sum);
  const size_t n = terms.size();
  if (n == 1) return meet(atoms_[terms[0].atom].range, sum.range);
  // Returns sums of all terms but one, from the sums before it and behind it.
  llvm::SmallVector<Interval, 8> behind(n + 1, Interval::point(0));
  auto addValue = [&](Interval &to, const NodeTerm &term) {
    to.add(atoms_[term.atom].range, term.coefficient);
  };
  for (size_t i = n; i-- > 0;) {
    behind[i] = behind[i + 1];
    addValue(behind[i], terms[i]);
  }
  Interval before = Interval::point(0);
  for (size_t i = 0; i < n && !empty_; ++i) {
    Interval left = sum.range;
    left.add(before + behind[i + 1], -1);
    addValue(before, terms[i]);
    if (left != Interval::all())
      meet(atoms_[terms[i].atom].range,
           left.preimageOfMul(terms[i].coefficient));
  }
}

/// Tightens the parts of a sum and their parents by each other.
void Propagation::meetParts(SumNode &sum) {
  if (!pool_.haveParts()) return;
  for (const NodeTerm &term : termsOf(sum)) {
    AtomNode &node = atoms_[term.atom];
    if (node.atom.kind != AtomKind::PositivePart || empty_) continue;
    const Interval parent = rangeOf(node.a);
    meet(node.range, IntervalArithmetic::positivePart(parent));
    if (empty_) return;
    // Of a part that may be 0 the parent may be any number below.
    Interval tight = node.range;
    if (tight.lower < 1) tight.lower = Interval::kMinusInfinity;
    const auto left = tight.moved(-node.a.constant);
    if (left) meet(sums_[node.a.sum].range, left->preimageOfMul(node.a.factor));
  }
}

/// Tightens a sum and its digits by each other.
void Propagation::meetDigits(SumNode &sum) {
  for (uint32_t i = sum.firstDigit; i != kNone && !empty_;) {
    AtomNode &digit = atoms_[i];
    meet(digit.range, digitBounds(digit));
    const Interval parent = rangeOf(digit.a);
    const Interval tight =
        withDigits(parent, digit.atom.stride, digit.atom.modulus, digit.range);
    if (tight.isEmpty()) {
      empty_ = true;
    } else if (tight != parent) {
      if (const auto left = tight.moved(-digit.a.constant))
        meet(sums_[digit.a.sum].range, left->preimageOfMul(digit.a.factor));
    }
    i = digit.nextDigit;
  }
}

/// (P floordiv 4) mod 2 is (P mod 8) floordiv 4, and P mod 2 is (P mod 8) mod
/// 2.
void Propagation::meetDigitsOfOne(SumNode &sum) {
  for (uint32_t i = sum.firstDigit; i != kNone; i = atoms_[i].nextDigit)
    for (uint32_t j = sum.firstDigit; j != kNone; j = atoms_[j].nextDigit) {
      AtomNode &whole = atoms_[i], &part = atoms_[j];
      const Atom &x = whole.atom, &y = part.atom;
      if (i == j || !(whole.a == part.a) || !x.modulus || !y.modulus ||
          y.stride % x.stride != 0)
        continue;
      const int64_t q = y.stride / x.stride;
      // The part as a digit of the whole: x = q * …, below x.modulus.
      auto period = checkedMul(q, y.modulus);
      if (!period || x.modulus % *period != 0) continue;
      meet(part.range, whole.range.floorDiv(q).mod(y.modulus));
      if (empty_) return;
      const Interval tight = withDigits(whole.range, q, y.modulus, part.range);
      if (tight.isEmpty()) empty_ = true;
      if (empty_) return;
      meet(whole.range, tight);
    }
}

void Propagation::forVariables(
    llvm::function_ref<void(VariableId, Interval)> visit) const {
  for (const AtomNode &node : atoms_)
    if (const auto id = node.atom.asVariable()) visit(*id, node.range);
}

void Propagation::forTightened(
    llvm::function_ref<void(FormId, Interval)> visit) {
  for (const SumNode &sum : sums_)
    if (sum.range != sum.natural && sum.count > 1) visit(sum.form, sum.range);
  for (const AtomNode &node : atoms_)
    if (node.range != node.natural && !node.atom.asVariable())
      visit(pool_.atomForm(node.id), node.range);
}

}  // namespace indexical
