#include "indexical/simplifier/points.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/fold.h"
#include "indexical/simplifier/scan.h"

namespace indexical {
namespace {

// If facts rule out points, points are drawn up to so many times. Then a box of
// at most so many points is looked through.
constexpr uint32_t kMostDraws = 16;
constexpr int64_t kMostLookedThrough = 4096;

/// Returns the bounds; a side without an end ends not far from 0.
Interval near(Interval bounds) {
  constexpr int64_t kNear = 1000;
  if (!bounds.hasLower()) {
    const int64_t most = bounds.hasUpper() ? bounds.upper : 0;
    bounds.lower = checkedSub(std::min<int64_t>(0, most), kNear).value_or(most);
  }
  if (!bounds.hasUpper())
    bounds.upper = checkedAdd(std::max<int64_t>(0, bounds.lower), kNear)
                       .value_or(bounds.lower);
  return bounds;
}

}  // namespace

void Points::restart() {
  forms_.restart();
  atoms_.restart();
  samples_.clear();
  found_.clear();
  areAll_ = false;
  areDrawn_ = false;
}

/// Eight points are two parallelograms of four: p and q are opposite corners,
/// and so are r and s.
Points::Sample Points::sampleOf(VariableId id) const {
  Sample values;
  const Interval range = near(facts_.box()[id]);
  values.fill(range.hasLower() ? range.lower : range.upper);
  // The open side begins next to the end of 64 bits.
  if (!range.isFinite()) return values;
  if (!found_.empty() && found_[0][id].isPoint()) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = found_[i % found_.size()][id].lower;
    return values;
  }
  const uint64_t count = range.count();
  for (size_t i = 0; i < values.size(); ++i) {
    const auto [draw, place] = points_[i];
    uint64_t number = (uint64_t{id.key()} * kMostDraws + draw) * 2 + place / 4;
    auto below = [&](uint64_t end) -> int64_t {
      number = (number + 1) * 0x9e3779b97f4a7c15u;
      number ^= number >> 29;
      return (number >> 16) % end;
    };
    const int64_t p = below(count), q = below(count);
    const int64_t r = below(std::abs(p - q) + 1) + std::min(p, q);
    const int64_t corners[] = {p, q, r, p + q - r};
    values[i] += corners[place % 4];
  }
  return values;
}

/// Chooses points that satisfy the facts.
void Points::draw() {
  areDrawn_ = true;
  auto fromDraw = [&](uint32_t draw) {
    for (uint32_t i = 0; i < points_.size(); ++i) points_[i] = {draw, i};
  };
  fromDraw(0);
  count_ = points_.size();
  if (facts_.areNone()) return;
  const llvm::SmallVector<Constraint, 8> facts = facts_.all();
  llvm::SmallVector<Point, 8> found;
  for (uint32_t draw = 0; draw < kMostDraws && found.size() < points_.size();
       ++draw) {
    fromDraw(draw);
    std::array<bool, std::tuple_size_v<Sample>> holds;
    holds.fill(true);
    for (const auto &[form, bounds] : facts) {
      const auto values = sample(form);
      for (size_t i = 0; i < holds.size(); ++i)
        holds[i] &= values && bounds.contains((*values)[i]);
    }
    for (size_t i = 0; i < holds.size() && found.size() < points_.size(); ++i)
      if (holds[i]) found.push_back(points_[i]);
    forms_.restart();
    atoms_.restart();
    samples_.clear();
  }
  count_ = found.size();
  if (count_ < points_.size() && lookThrough()) return fromDraw(0);
  for (size_t i = 0; i < points_.size() && count_ > 0; ++i)
    points_[i] = found[i % count_];
}

/// Chooses among all points of a small box.
bool Points::lookThrough() {
  const llvm::SmallVector<Constraint, 8> known = facts_.all();
  PointScan scan(pool_, known);
  if (!scan.pointCount(facts_.box(), kMostLookedThrough)) return false;
  uint64_t count = 0;
  auto take = [&](const VariableBounds &point) {
    // Every point is chosen with about the same probability.
    uint64_t place = count++;
    if (place < points_.size()) {
      found_.push_back(point);
      return true;
    }
    place = (place * 0x9e3779b97f4a7c15u >> 16) % count;
    if (place < points_.size()) found_[place] = point;
    return true;
  };
  auto always = [] { return true; };
  const bool isDone = scan(facts_.box(), always, take).value_or(false);
  if (!isDone) found_.clear();
  if (isDone) count_ = found_.size();
  areAll_ = isDone && count <= points_.size();
  return isDone;
}

/// Returns the results of `of` at each point, or nothing if a sample is missing
/// or a result leaves 64 bits.
template <typename Of>
static std::optional<Points::Sample> atEach(
    const std::optional<Points::Sample> &a,
    const std::optional<Points::Sample> &b, Of of) {
  if (!a || !b) return std::nullopt;
  Points::Sample values;
  for (size_t i = 0; i < values.size(); ++i) {
    const std::optional<int64_t> value = of((*a)[i], (*b)[i]);
    if (!value) return std::nullopt;
    values[i] = *value;
  }
  return values;
}

/// The values at the points, as a domain of indexing/fold.h. Nothing if one
/// leaves 64 bits, or a divisor is not positive.
struct Points::AtPoints {
  Points &points;
  using Value = std::optional<Sample>;

  Value variable(VariableId id) const {
    if (points.facts_.box()[id].isEmpty()) return std::nullopt;
    return points.sampleOf(id);
  }
  Value digit(const Value &parent, int64_t stride, int64_t modulus) const {
    Value values = parent;
    if (values)
      for (int64_t &value : *values) value = digitOf(value, stride, modulus);
    return values;
  }
  Value product(const Value &a, const Value &b) const {
    return atEach(a, b, checkedMul);
  }
  Value quotient(const Value &a, const Value &b) const {
    return atEach(a, b, [](int64_t x, int64_t y) {
      return y < 1 ? std::nullopt : std::optional(floorDiv(x, y));
    });
  }
  Value remainder(const Value &a, const Value &b) const {
    return atEach(a, b, [](int64_t x, int64_t y) {
      return y < 1 ? std::nullopt : std::optional(floorMod(x, y));
    });
  }
  Value positivePart(const Value &parent) const {
    Value values = parent;
    if (values)
      for (int64_t &value : *values) value = std::max<int64_t>(value, 0);
    return values;
  }
};

std::optional<Points::Sample> Points::atomSample(AtomId id) {
  if (uint32_t known = atoms_[id]) return samples_[known - 1];
  const Atom atom = pool_.atom(id);
  const auto values = valueOfAtom(atom, AtPoints{*this},
                                  [this](FormId form) { return sample(form); });
  atoms_[id] = samples_.size() + 1;
  samples_.push_back(values);
  return values;
}

std::optional<Points::Sample> Points::sample(FormId form) {
  if (!areDrawn_) draw();
  if (count_ == 0) return std::nullopt;
  if (uint32_t known = forms_[form]) return samples_[known - 1];
  Sample sums;
  sums.fill(pool_.constant(form));
  bool isInside = true;
  for (const Term &term : llvm::SmallVector<Term, 8>(pool_.terms(form))) {
    const auto values = atomSample(term.atom);
    for (size_t i = 0; i < sums.size() && values && isInside; ++i) {
      auto scaled = checkedMul((*values)[i], term.coefficient);
      auto sum = scaled ? checkedAdd(sums[i], *scaled) : std::nullopt;
      isInside = sum.has_value();
      sums[i] = sum.value_or(0);
    }
    isInside &= values.has_value();
    if (!isInside) break;
  }
  forms_[form] = samples_.size() + 1;
  samples_.push_back(isInside ? std::optional(sums) : std::nullopt);
  return samples_.back();
}

/// Whether all - factor * part, modulo `turn`, can be in [0, room).
bool Points::mayBeBelow(FormId all, FormId part, int64_t factor, int64_t turn,
                        int64_t room) {
  auto x = sample(all), y = sample(part);
  if (!x || !y) return true;
  for (size_t i = 0; i < x->size(); ++i) {
    const __int128 rest =
        ((*x)[i] - static_cast<__int128>(factor) * (*y)[i]) % turn;
    if ((rest < 0 ? rest + turn : rest) >= room) return false;
  }
  return true;
}

/// Whether all values of the form can be in the range.
bool Points::mayBeWithin(FormId form, Interval range) {
  auto values = sample(form);
  return !values || llvm::all_of(*values, [&](int64_t value) {
    return range.contains(value);
  });
}

/// Whether the form can be a sum of variables but for whole turns.
bool Points::mayBeAffine(FormId form, int64_t turn) {
  // Points that were chosen are no corners.
  if (!facts_.areNone()) return true;
  auto values = sample(form);
  if (!values) return true;
  for (size_t i = 0; i < values->size(); i += 4) {
    const int64_t *corners = values->data() + i;
    const __int128 bend = static_cast<__int128>(corners[0]) + corners[1] -
                          corners[2] - corners[3];
    if (bend % turn != 0) return false;
  }
  return true;
}

/// Whether there are enough points for a suggestion: three, or all of the
/// domain.
bool Points::tell() const {
  constexpr size_t kFewest = 3;
  return count_ >= kFewest || (areAll_ && count_ > 0);
}

bool Points::areAlike(FormId a, FormId b) {
  const auto x = sample(a), y = sample(b);
  return x && x == y && tell();
}

llvm::SmallVector<Constraint, 2> Points::suggestedValues() {
  llvm::SmallVector<Constraint, 2> found;
  if (!areDrawn_) draw();
  if (!tell()) return found;
  for (VariableKind kind : {VariableKind::Dimension, VariableKind::Range})
    for (auto [i, range] :
         llvm::enumerate(facts_.box().variables[static_cast<int>(kind)])) {
      if (range.isPoint()) continue;
      const FormId form = pool_.variable({kind, static_cast<uint32_t>(i)});
      const auto values = sample(form);
      if (values && llvm::all_equal(*values))
        found.push_back({form, Interval::point((*values)[0])});
    }
  return found;
}

/// Returns the values minus factor * part, if that is one value at all points.
std::optional<int64_t> Points::constantBeside(const Sample &values,
                                              ScaledForm part) {
  const auto at = sample(part.form);
  auto rest = [&](size_t i) {
    auto scaled = at ? checkedMul((*at)[i], part.coefficient) : std::nullopt;
    return scaled ? checkedSub(values[i], *scaled) : std::nullopt;
  };
  const auto first = rest(0);
  for (size_t i = 0; i < values.size(); ++i)
    if (rest(i) != first) return std::nullopt;
  return first;
}

llvm::SmallVector<FormId, 2> Points::suggestions(
    FormId form, llvm::ArrayRef<ScaledForm> parts) {
  llvm::SmallVector<FormId, 2> found;
  const auto values = sample(form);
  if (!values || !tell()) return found;
  const ScaledForm none{pool_.constantForm(0), 1};
  if (auto constant = constantBeside(*values, none))
    found.push_back(pool_.constantForm(*constant));
  for (const ScaledForm &part : parts)
    if (auto constant = constantBeside(*values, part))
      found.push_back(pool_.linear({part}, *constant));
  return found;
}

llvm::SmallVector<FormId, 4> Points::multiples(
    FormId form, llvm::ArrayRef<ScaledForm> parts) {
  llvm::SmallVector<FormId, 4> found;
  const auto values = sample(form);
  if (!values || !tell()) return found;
  if (llvm::all_equal(*values))
    found.push_back(pool_.constantForm((*values)[0]));
  // Two points at which a part differs say how often it is there. The points
  // may be one only.
  auto factorOf = [&](const ScaledForm &part) -> std::optional<int64_t> {
    const auto at = sample(part.form);
    if (!at) return std::nullopt;
    const auto other =
        llvm::find_if(*at, [&](int64_t x) { return x != (*at)[0]; });
    if (other == at->end()) return part.coefficient;
    auto rise = checkedSub((*values)[other - at->begin()], (*values)[0]);
    auto run = checkedSub(*other, (*at)[0]);
    auto step = run ? checkedMul(*run, part.coefficient) : std::nullopt;
    if (!rise || !step || *rise == 0 || *rise % *step != 0) return std::nullopt;
    return checkedMul(*rise / *step, part.coefficient);
  };
  for (const ScaledForm &part : parts) {
    const auto factor = factorOf(part);
    if (!factor) continue;
    if (auto constant = constantBeside(*values, {part.form, *factor}))
      found.push_back(pool_.linear({{part.form, *factor}}, *constant));
  }
  return found;
}

}  // namespace indexical
