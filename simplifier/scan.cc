#include "indexical/simplifier/scan.h"

#include <algorithm>
#include <utility>

#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

// Within these limits, sums and dividends are exact.
constexpr int64_t kMost = int64_t{1} << 44;
constexpr size_t kMostTerms = 64;

bool isSmall(Interval range) { return Interval{-kMost, kMost}.contains(range); }

/// Divides all values by a constant, rounding down. Requires values in [0,
/// 2^46]: half a unit more keeps the quotient away from integers by more than
/// its rounding error; half less, to the nearest integer it is rounded down.
void divide(double *values, int64_t n, int64_t divisor) {
  constexpr double kNearest = 6755399441055744.0;  // 1.5 * 2^52
  const double factor = 1.0 / static_cast<double>(divisor);
  for (int64_t i = 0; i < n; ++i)
    values[i] = ((values[i] + 0.5) * factor - 0.5 + kNearest) - kNearest;
}

/// Replaces all values by their remainders modulo a constant. Requires values
/// in [0, 2^46].
void takeRemainders(double *values, int64_t n, int64_t divisor) {
  double floors[PointScan::kBlock];
  std::copy_n(values, n, floors);
  divide(floors, n, divisor);
  const auto k = static_cast<double>(divisor);
  for (int64_t i = 0; i < n; ++i) values[i] -= floors[i] * k;
}

void add(double *values, int64_t n, int64_t constant) {
  const auto k = static_cast<double>(constant);
  for (int64_t i = 0; i < n; ++i) values[i] += k;
}

}  // namespace

PointScan::PointScan(const ExpressionTable &table,
                     llvm::ArrayRef<Constraint> constraints,
                     llvm::ArrayRef<FormId> forms)
    : table_(table), constraints_(constraints), forms_(forms) {
  llvm::SmallVector<bool, 32> seen(table.atomCount(), false);
  auto visit = [&](auto &self, FormId form) -> void {
    for (const Term &term : table.terms(form)) {
      if (std::exchange(seen[term.atom], true)) continue;
      const Atom &atom = table.atom(term.atom);
      if (atom.kind == AtomKind::Variable) {
        variables_.push_back({atom.variable(), term.atom});
        continue;
      }
      isPossible_ &= atom.kind == AtomKind::Digit;
      self(self, atom.a);
      digits_.push_back({term.atom, Interval::none()});
    }
  };
  for (const Constraint &c : constraints) visit(visit, c.form);
  for (FormId form : forms) visit(visit, form);
  llvm::sort(variables_,
             [](const Named &x, const Named &y) { return x.id < y.id; });
}

std::optional<int64_t> PointScan::pointCount(const VariableBounds &box,
                                             int64_t most) const {
  if (!isPossible_) return std::nullopt;
  int64_t points = 1;
  for (const Named &variable : variables_) {
    const int64_t side = box[variable.id].count();
    if (side < 1 || side > most / points) return std::nullopt;
    points *= side;
  }
  return points;
}

/// Returns the form's interval, or nothing if its values, or those that they
/// are computed from, are not small.
std::optional<Interval> PointScan::range(FormId form) const {
  const llvm::ArrayRef<Term> terms = table_.terms(form);
  Interval sum = Interval::point(table_.constant(form));
  bool fits = terms.size() <= kMostTerms && isSmall(sum);
  for (const Term &term : terms) {
    const Interval part = atomValues_[term.atom].range * term.coefficient;
    sum = sum + part;
    fits &= isSmall(part) && isSmall(sum);
  }
  return fits ? std::optional(sum) : std::nullopt;
}

bool PointScan::setRanges(const VariableBounds &box) {
  atomValues_.resize(table_.atomCount());
  for (const Named &variable : variables_)
    atomValues_[variable.atom].range = box[variable.id];
  for (DigitInBox &own : digits_) {
    const Atom &digit = table_.atom(own.atom);
    auto parent = range(digit.a);
    if (!parent || digit.stride > kMost || digit.modulus > kMost) return false;
    own.floor = parent->floorDiv(digit.stride);
    atomValues_[own.atom].range =
        digit.modulus ? own.floor.mod(digit.modulus) : own.floor;
  }
  return llvm::all_of(
             constraints_,
             [&](const Constraint &c) { return range(c.form).has_value(); }) &&
         llvm::all_of(forms_,
                      [&](FormId form) { return range(form).has_value(); });
}

/// Sets the variables at points from number `first` on; the last one runs
/// fastest.
void PointScan::setVariables(const VariableBounds &box, int64_t first) {
  int64_t run = 1;
  for (const Named &variable : llvm::reverse(variables_)) {
    const Interval side = box[variable.id];
    BlockValues &block = atomValues_[variable.atom];
    int64_t x = side.lower + first / run % side.count();
    int64_t left = run - first % run;
    block.value = static_cast<double>(x);
    block.isConstant = side.isPoint() || left >= points_;
    if (!block.isConstant) {
      block.values.resize(kBlock);
      for (int64_t i = 0; i < points_; left = run) {
        const int64_t count = std::min(left, points_ - i);
        std::fill_n(block.values.begin() + i, count, static_cast<double>(x));
        i += count;
        x = x == side.upper ? side.lower : x + 1;
      }
    }
    run *= side.count();
  }
}

void PointScan::sum(FormId form, BlockValues &into) const {
  auto constant = static_cast<double>(table_.constant(form));
  into.isConstant = true;
  for (const Term &term : table_.terms(form)) {
    const BlockValues &block = atomValues_[term.atom];
    const auto k = static_cast<double>(term.coefficient);
    if (block.isConstant) {
      constant += k * block.value;
      continue;
    }
    if (std::exchange(into.isConstant, false)) into.values.assign(kBlock, 0);
    double *to = into.values.data();
    const double *from = block.values.data();
    for (int64_t i = 0; i < points_; ++i) to[i] += k * from[i];
  }
  into.value = constant;
  if (into.isConstant) return;
  for (int64_t i = 0; i < points_; ++i) into.values[i] += constant;
}

void PointScan::setDigit(const DigitInBox &own) {
  const Atom &digit = table_.atom(own.atom);
  BlockValues &block = atomValues_[own.atom];
  sum(digit.a, block);
  if (block.isConstant) {
    const int64_t floor =
        floorDiv(static_cast<int64_t>(block.value), digit.stride);
    block.value = static_cast<double>(
        digit.modulus ? floorMod(floor, digit.modulus) : floor);
    return;
  }
  // Counted from the least floor on, so that nothing is negative; then, for a
  // remainder, from the multiple of the modulus below that.
  double *values = block.values.data();
  const int64_t least = own.floor.lower;
  const int64_t rest = digit.modulus ? floorMod(least, digit.modulus) : least;
  if (digit.stride != 1) {
    add(values, points_, -least * digit.stride);
    divide(values, points_, digit.stride);
    add(values, points_, rest);
  } else if (rest != least) {
    add(values, points_, rest - least);
  }
  const int64_t most = rest + (own.floor.upper - least);
  if (digit.modulus && most >= digit.modulus)
    takeRemainders(values, points_, digit.modulus);
}

void PointScan::keepThose(const Constraint &constraint) {
  sum(constraint.form, sum_);
  const auto lower = static_cast<double>(constraint.bounds.lower);
  const auto upper = static_cast<double>(constraint.bounds.upper);
  if (sum_.isConstant) {
    if (sum_.value < lower || sum_.value > upper) kept_.assign(points_, 0);
    return;
  }
  for (int64_t i = 0; i < points_; ++i) {
    kept_[i] &= sum_.values[i] >= lower;
    kept_[i] &= sum_.values[i] <= upper;
  }
}

int64_t PointScan::pointsOf(const VariableBounds &box) const {
  int64_t all = 1;
  for (const Named &variable : variables_) all *= box[variable.id].count();
  return all;
}

/// Computes the values of all parts at `count` points from number `first` on,
/// and at which of these points the constraints hold.
void PointScan::setBlock(const VariableBounds &box, int64_t first,
                         int64_t count) {
  points_ = count;
  setVariables(box, first);
  for (const DigitInBox &digit : digits_) setDigit(digit);
  kept_.assign(points_, 1);
  for (const Constraint &c : constraints_) keepThose(c);
}

/// Whether the form is 0 where the constraints hold, in the block.
bool PointScan::isZero(FormId form) {
  sum(form, sum_);
  if (sum_.isConstant) return sum_.value == 0 || !llvm::is_contained(kept_, 1);
  bool isOther = false;
  for (int64_t i = 0; i < points_; ++i)
    isOther |= (sum_.values[i] != 0) & kept_[i];
  return !isOther;
}

std::optional<bool> PointScan::areZero(const VariableBounds &box) {
  if (!setRanges(box)) return std::nullopt;
  const int64_t all = pointsOf(box);
  for (int64_t first = 0; first < all; first += kBlock) {
    setBlock(box, first, std::min(kBlock, all - first));
    if (!llvm::all_of(forms_, [&](FormId form) { return isZero(form); }))
      return false;
  }
  return true;
}

std::optional<bool> PointScan::operator()(
    const VariableBounds &box, llvm::function_ref<bool()> next,
    llvm::function_ref<bool(const VariableBounds &)> visit) {
  if (!setRanges(box)) return std::nullopt;
  const int64_t all = pointsOf(box);
  VariableBounds at = box;
  for (int64_t first = 0; first < all; first += kBlock) {
    if (!next()) return false;
    setBlock(box, first, std::min(kBlock, all - first));
    for (int64_t i = 0; i < points_; ++i) {
      if (!kept_[i]) continue;
      for (const Named &variable : variables_) {
        const BlockValues &block = atomValues_[variable.atom];
        const double x = block.isConstant ? block.value : block.values[i];
        at[variable.id] = Interval::point(static_cast<int64_t>(x));
      }
      if (!visit(at)) return false;
    }
  }
  return true;
}

}  // namespace indexical
