#include "indexical/simplifier/enumeration.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/fold.h"

namespace indexical {
namespace {

// If bounds decide nothing for a box of at most so many points, the points are
// looked at. Looking at one block of points takes about as long as tightening a
// box.
constexpr int64_t kMostUndecided = 1 << 16;

/// Returns the value of the interval that is nearest to 0.
int64_t nearestToZero(Interval bounds) {
  if (bounds.lower > 0) return bounds.lower;
  return bounds.upper < 0 ? bounds.upper : 0;
}

/// Returns the place to cut: the last value of the first part. Open sides are
/// cut at powers of two, farther out each time.
int64_t middle(Interval bounds) {
  if (bounds.isFinite()) {
    // Without a sum that could leave 64 bits.
    return bounds.lower +
           static_cast<int64_t>((static_cast<uint64_t>(bounds.upper) -
                                 static_cast<uint64_t>(bounds.lower)) /
                                2);
  }
  constexpr int64_t kFar = int64_t{1} << 61;
  if (bounds.hasLower())
    return bounds.lower < 0       ? -1
           : bounds.lower >= kFar ? bounds.lower
                                  : 2 * bounds.lower + 1;
  if (bounds.hasUpper())
    return bounds.upper > 0        ? 0
           : bounds.upper <= -kFar ? bounds.upper - 1
                                   : 2 * bounds.upper - 1;
  return -1;
}

bool isNever(VariableId) { return false; }

}  // namespace

int64_t Draws::in(Interval bounds) {
  state_ = state_ * 6364136223846793005u + 1442695040888963407u;
  const uint64_t width =
      static_cast<uint64_t>(bounds.upper) - static_cast<uint64_t>(bounds.lower);
  uint64_t drawn = (state_ >> 11) ^ (state_ << 21);
  if (width + 1 != 0) drawn %= width + 1;
  return static_cast<int64_t>(static_cast<uint64_t>(bounds.lower) + drawn);
}

/// The values of an atom at the point: a domain (indexing/fold.h). A divisor is
/// positive on the domain, but the point may be outside.
struct PointValues::AtPoint {
  const PointValues &values;
  llvm::ArrayRef<int64_t> point;
  using Value = std::optional<int64_t>;

  Value variable(VariableId id) const { return point[id.index]; }
  Value digit(FormId parent, int64_t stride, int64_t modulus) const {
    if (const auto value = values(parent))
      return digitOf(*value, stride, modulus);
    return values.wide(parent).digit(stride, modulus);
  }
  Value product(FormId a, FormId b) const {
    const auto x = values(a), y = values(b);
    return x && y ? checkedMul(*x, *y) : std::nullopt;
  }
  Value quotient(FormId a, FormId b) const {
    const auto x = values(a), y = values(b);
    if (!x || !y || *y < 1) return std::nullopt;
    return floorDiv(*x, *y);
  }
  Value remainder(FormId a, FormId b) const {
    const auto x = values(a), y = values(b);
    if (!x || !y || *y < 1) return std::nullopt;
    return floorMod(*x, *y);
  }
  Value positivePart(FormId parent) const {
    if (const auto value = values(parent)) return std::max<int64_t>(*value, 0);
    if (values.wide(parent).saturated() < 0) return 0;
    return std::nullopt;
  }
};

bool PointValues::set(llvm::ArrayRef<int64_t> point) {
  atoms_.resize(table_.atomCount());
  for (AtomId id = 0; id < atoms_.size(); ++id) {
    const auto value = valueOfAtom(table_.atom(id), AtPoint{*this, point},
                                   [](FormId form) { return form; });
    if (!value) return false;
    atoms_[id] = *value;
  }
  return true;
}

std::optional<int64_t> PointValues::operator()(FormId form) const {
  int64_t sum = table_.constant(form);
  for (const Term &term : table_.terms(form)) {
    auto product = checkedMul(atoms_[term.atom], term.coefficient);
    auto next = product ? checkedAdd(sum, *product) : std::nullopt;
    if (!next) return wide(form).value();
    sum = *next;
  }
  return sum;
}

/// A sum that leaves 64 bits on the way may come back, and so may its digits.
WideSum PointValues::wide(FormId form) const {
  WideSum sum(table_.constant(form));
  for (const Term &term : table_.terms(form))
    sum.add(atoms_[term.atom], term.coefficient);
  return sum;
}

bool PointValues::satisfy(llvm::ArrayRef<Constraint> constraints) const {
  return llvm::all_of(constraints, [&](const Constraint &c) {
    auto value = (*this)(c.form);
    return c.bounds.contains(value ? *value : wide(c.form).saturated());
  });
}

Enumeration::Enumeration(const IndexingMap &set, Meter &meter)
    : set_(set), meter_(meter), periods_(set.dimensions().size()) {
  auto same = [&](VariableId id) { return pool_.variable(id); };
  ExpressionImport import(set.expressions(), pool_, same);
  VariableBounds box;
  for (const Variable &v : set.dimensions())
    box.variables[0].push_back(v.bounds);
  domain_.emplace(pool_, std::move(box), isNever);
  for (const Constraint &c : set.constraints())
    domain_->add(import(c.form), c.bounds);
  constraints_.assign(domain_->constraints().begin(),
                      domain_->constraints().end());
  for (AtomId id = 0; id < pool_.atomCount(); ++id) {
    const Atom &atom = pool_.atom(id);
    if (atom.kind != AtomKind::Digit) continue;
    auto variable = pool_.asVariable(atom.a);
    if (!variable) continue;
    auto period = checkedMul(atom.stride, std::max<int64_t>(1, atom.modulus));
    periods_[variable->index].push_back(atom.stride);
    if (period) periods_[variable->index].push_back(*period);
  }
  cost_ = 8 + 8 * constraints_.size() + 2 * pool_.atomCount();
  scan_.emplace(pool_, constraints_);
}

/// Makes the box smaller. Returns whether it is empty, or every point of it is
/// one of the set.
Enumeration::Verdict Enumeration::tighten(VariableBounds &box) {
  if (domain_->constraints().empty()) return Verdict::Inside;
  domain_->restart(box);
  domain_->propagate();
  if (domain_->isEmpty()) return Verdict::Empty;
  box = domain_->box();
  auto boundsOf = [&](VariableId id) { return box[id]; };
  FormBounds bounds(pool_, boundsOf);
  for (const Constraint &c : domain_->constraints())
    if (!c.bounds.contains(bounds(c.form))) return Verdict::Split;
  return Verdict::Inside;
}

/// Cuts the widest of the variables that undecided constraints name. Returns
/// false if every such variable has one value.
bool Enumeration::split(const VariableBounds &box, VariableBounds &first,
                        VariableBounds &second) {
  auto boundsOf = [&](VariableId id) { return box[id]; };
  FormBounds bounds(pool_, boundsOf);
  std::optional<uint32_t> widest;
  auto consider = [&](VariableId id) {
    Interval of = box[id];
    // From 2^63 - 1 on there is one number of 64 bits.
    if (of.lower == of.upper) return;
    if (!widest || of.count() > box.variables[0][*widest].count())
      widest = id.index;
  };
  for (const Constraint &c : domain_->constraints())
    if (!c.bounds.contains(bounds(c.form)))
      pool_.visitVariables({c.form}, consider);
  if (!widest) return false;
  Interval whole = box.variables[0][*widest];
  int64_t cut = middle(whole);
  if (whole.isFinite()) {
    // A cut between periods leaves digits whole.
    const int64_t middleOf = cut;
    int64_t best = 1;
    for (int64_t period : periods_[*widest]) {
      if (period <= best) continue;
      const auto begin = checkedMul(floorDiv(middleOf, period), period);
      const auto at = begin ? checkedSub(*begin, 1) : std::nullopt;
      if (!at || *at < whole.lower || *at >= whole.upper) continue;
      best = period;
      cut = *at;
    }
  }
  first = box;
  second = box;
  first.variables[0][*widest].upper = cut;
  second.variables[0][*widest].lower = cut + 1;
  return true;
}

bool Enumeration::boxes(
    llvm::function_ref<bool(const VariableBounds &)> inside) {
  if (set_.isKnownEmpty()) return true;
  if (pool_.overflowed()) return false;  // the constraints were not made
  if (domain_->isEmpty()) return true;
  llvm::SmallVector<VariableBounds, 32> open{domain_->box()};
  VariableBounds first, second;
  while (!open.empty()) {
    VariableBounds box = open.pop_back_val();
    if (!meter_.spend(cost_)) return false;
    const VariableBounds given = box;
    Verdict verdict = box.isEmpty() ? Verdict::Empty : tighten(box);
    if (verdict == Verdict::Empty) continue;
    if (verdict == Verdict::Inside) {
      if (!inside(box)) return false;
      continue;
    }
    const int64_t most = box == given ? kMostUndecided : PointScan::kBlock;
    if (scan_->pointCount(box, most)) {
      auto spend = [&] { return meter_.spend(scan_->cost(PointScan::kBlock)); };
      if (auto all = (*scan_)(box, spend, inside)) {
        if (!*all) return false;
        continue;
      }
    }
    if (!split(box, first, second)) {
      // Bounds did not decide for this one point: its values do.
      PointValues values(pool_);
      Values point;
      for (Interval i : box.variables[0]) point.push_back(i.lower);
      if (!values.set(point)) return false;
      if (values.satisfy(domain_->constraints()) && !inside(box)) return false;
      continue;
    }
    open.push_back(std::move(second));
    open.push_back(std::move(first));
  }
  return true;
}

Sample Enumeration::sample() {
  Sample sample;
  bool done = boxes([&](const VariableBounds &box) {
    sample.found = Sample::Found::Point;
    for (Interval bounds : box.variables[0])
      sample.point.push_back(nearestToZero(bounds));
    return false;
  });
  if (done) sample.found = Sample::Found::Nothing;
  return sample;
}

std::optional<llvm::DynamicAPInt> Enumeration::count() {
  llvm::DynamicAPInt sum(0);
  bool finite = true;
  bool done = boxes([&](const VariableBounds &box) {
    llvm::DynamicAPInt volume(1);
    for (Interval bounds : box.variables[0]) {
      finite &= bounds.isFinite();
      if (!finite) return false;
      volume *= llvm::DynamicAPInt(bounds.upper) -
                llvm::DynamicAPInt(bounds.lower) + llvm::DynamicAPInt(1);
    }
    sum += volume;
    return true;
  });
  if (!done) return std::nullopt;
  return sum;
}

bool Enumeration::visit(
    llvm::function_ref<bool(llvm::ArrayRef<int64_t>)> visit) {
  return boxes([&](const VariableBounds &box) {
    llvm::ArrayRef<Interval> sides = box.variables[0];
    Values point;
    for (Interval side : sides) {
      if (!side.isFinite()) return false;
      point.push_back(side.lower);
    }
    while (true) {
      if (!meter_.spend(1) || !visit(point)) return false;
      size_t i = sides.size();
      while (i > 0 && point[i - 1] == sides[i - 1].upper) {
        --i;
        point[i] = sides[i].lower;
      }
      if (i == 0) return true;
      ++point[i - 1];
    }
  });
}

}  // namespace indexical
