// What a few points show.
//
//   can ((d0 * 4 + d1) floordiv 8) * 2 - d0 be in [0, 1], on d0 in [0, 7] and
//   d1 in [0, 3]?      no: it is -1 at (1, 0)
//
// Most of what could be tried does not hold, and that is seen at the first
// points. They are of the domain, so that what holds everywhere is never given
// up: drawn from the box, or found in it where it is small and few of its
// points are in the domain. Where none is found nothing is said.
#include "indexical/indexing/arithmetic.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/scan.h"

namespace indexical {
namespace {

// As many times points are drawn that may be outside what is known; then a box
// of no more points than this is looked through.
constexpr uint32_t kMostDraws = 16;
constexpr int64_t kMostLookedThrough = 4096;

}  // namespace

/// Eight points are two parallelograms of four: p and q are opposite corners,
/// and so are r and s.
CanonicalForms::Sample CanonicalForms::sampleOf(VariableId id) const {
  Sample values;
  const Interval range = (*box_)[id];
  values.fill(range.hasLower()   ? range.lower
              : range.hasUpper() ? range.upper
                                 : 0);
  if (!range.isFinite()) return values;
  if (!found_.empty() && found_[0][id].isPoint()) {
    for (size_t i = 0; i < values.size(); ++i)
      values[i] = found_[i % found_.size()][id].lower;
    return values;
  }
  for (size_t i = 0; i < values.size(); ++i) {
    const auto [draw, place] = points_[i];
    uint64_t number = (uint64_t{id.key()} * kMostDraws + draw) * 2 + place / 4;
    auto below = [&](uint64_t count) -> int64_t {
      number = (number + 1) * 0x9e3779b97f4a7c15u;
      number ^= number >> 29;
      return (number >> 16) % count;
    };
    const int64_t p = below(range.count()), q = below(range.count());
    const int64_t r = below(std::abs(p - q) + 1) + std::min(p, q);
    const int64_t corners[] = {p, q, r, p + q - r};
    values[i] += corners[place % 4];
  }
  return values;
}

/// Chooses points that satisfy what is known.
void CanonicalForms::drawPoints() {
  areDrawn_ = true;
  auto fromDraw = [&](uint32_t draw) {
    for (uint32_t i = 0; i < points_.size(); ++i) points_[i] = {draw, i};
  };
  fromDraw(0);
  pointCount_ = points_.size();
  if (facts_.empty()) return;
  llvm::SmallVector<Point, 8> found;
  for (uint32_t draw = 0; draw < kMostDraws && found.size() < points_.size();
       ++draw) {
    fromDraw(draw);
    std::array<bool, std::tuple_size_v<Sample>> holds;
    holds.fill(true);
    for (const auto &[form, bounds] : facts_) {
      const auto values = sample(form);
      for (size_t i = 0; i < holds.size(); ++i)
        holds[i] &= values && bounds.contains((*values)[i]);
    }
    for (size_t i = 0; i < holds.size() && found.size() < points_.size(); ++i)
      if (holds[i]) found.push_back(points_[i]);
    for (FormMemo &form : forms_) form.sample = kNotYet;
    for (AtomMemo &atom : atoms_) atom.sample = kNotYet;
    samples_.clear();
  }
  pointCount_ = found.size();
  if (pointCount_ < points_.size() && lookThrough()) return fromDraw(0);
  for (size_t i = 0; i < points_.size() && pointCount_ > 0; ++i)
    points_[i] = found[i % pointCount_];
}

/// Chooses among all points of a small box.
bool CanonicalForms::lookThrough() {
  llvm::SmallVector<Constraint, 8> known;
  for (const auto &[form, bounds] : facts_) known.push_back({form, bounds});
  PointScan scan(pool_, known);
  if (!scan.pointCount(*box_, kMostLookedThrough)) return false;
  uint64_t count = 0;
  auto take = [&](const VariableBounds &point) {
    // Each is among the chosen ones as likely as another.
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
  const bool isDone = scan(*box_, always, take).value_or(false);
  if (!isDone) found_.clear();
  if (isDone) pointCount_ = found_.size();
  hasAllPoints_ = isDone && count <= points_.size();
  return isDone;
}

/// The atom's values at the points; nothing where one leaves 64 bits, or has to
/// do with unknown sizes.
std::optional<CanonicalForms::Sample> CanonicalForms::atomSample(AtomId id) {
  if (uint32_t known = atomMemo(id).sample; known != kNotYet)
    return samples_[known];
  const Atom a = atom(id);
  std::optional<Sample> values;
  if (a.kind == AtomKind::Variable && !(*box_)[a.variable()].isEmpty())
    values = sampleOf(a.variable());
  if (a.kind == AtomKind::Digit) values = sample(a.a);
  if (a.kind == AtomKind::Digit && values)
    for (int64_t &value : *values) {
      value = floorDiv(value, a.stride);
      if (a.modulus) value = floorMod(value, a.modulus);
    }
  atomMemo(id).sample = samples_.size();
  samples_.push_back(values);
  return values;
}

std::optional<CanonicalForms::Sample> CanonicalForms::sample(FormId form) {
  if (!areDrawn_) drawPoints();
  if (pointCount_ == 0) return std::nullopt;
  if (uint32_t known = memo(form).sample; known != kNotYet)
    return samples_[known];
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
  memo(form).sample = samples_.size();
  samples_.push_back(isInside ? std::optional(sums) : std::nullopt);
  return samples_.back();
}

/// Whether all - factor * part can be in [0, room) in steps of a turn.
bool CanonicalForms::mayBeBelow(FormId all, FormId part, int64_t factor,
                                int64_t turn, int64_t room) {
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
bool CanonicalForms::mayBeWithin(FormId form, Interval range) {
  auto values = sample(form);
  return !values || llvm::all_of(*values, [&](int64_t value) {
    return range.contains(value);
  });
}

/// Whether the form can be a sum of variables but for whole turns.
bool CanonicalForms::mayBeAffine(FormId form, int64_t turn) {
  // Points that were chosen are no corners.
  if (!facts_.empty()) return true;
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

/// Whether there are so many points that they suggest what is so, or all.
bool CanonicalForms::pointsTell() const {
  constexpr size_t kFewest = 3;
  return pointCount_ >= kFewest || (hasAllPoints_ && pointCount_ > 0);
}

bool CanonicalForms::hasEquations() const {
  return llvm::any_of(facts_, [&](const auto &fact) {
    return !pool_.isSumOfVariables(fact.first) ||
           llvm::any_of(pool_.terms(fact.first), [&](const Term &term) {
             return fact.second.count() <= std::abs(term.coefficient);
           });
  });
}

bool CanonicalForms::areAlike(FormId a, FormId b) {
  const auto x = sample(a), y = sample(b);
  return x && x == y && pointsTell();
}

llvm::SmallVector<Constraint, 2> CanonicalForms::suggestedPoints() {
  llvm::SmallVector<Constraint, 2> found;
  if (!areDrawn_) drawPoints();
  if (!pointsTell()) return found;
  for (VariableKind kind : {VariableKind::Dimension, VariableKind::Range})
    for (auto [i, range] :
         llvm::enumerate(box_->variables[static_cast<int>(kind)])) {
      if (range.isPoint()) continue;
      const FormId form = pool_.variable({kind, static_cast<uint32_t>(i)});
      const auto values = sample(form);
      if (values && llvm::all_equal(*values))
        found.push_back({form, Interval::point((*values)[0])});
    }
  return found;
}

llvm::SmallVector<FormId, 2> CanonicalForms::suggestions(
    FormId form, llvm::function_ref<int64_t(VariableId)> strideOf) {
  llvm::SmallVector<FormId, 2> found;
  // Digits of the index of an array leave nothing open.
  auto isSettled = [&](const Term &term) {
    if (!isDigit(term.atom)) return true;
    const FormId parent = atom(term.atom).a;
    return pool_.isSumOfVariables(parent) && pool_.constant(parent) == 0 &&
           isRadix(parent);
  };
  if (!hasEquations() && llvm::all_of(pool_.terms(form), isSettled))
    return found;
  // Where nothing is known a constant has its bounds, and a variable its.
  const int64_t width = bounds(form).count();
  llvm::SmallVector<VariableId, 4> variables;
  for (int kind = 0; kind < 3; ++kind)
    for (auto [i, range] : llvm::enumerate(box_->variables[kind]))
      if (!range.isPoint() && (!facts_.empty() || range.count() <= width))
        variables.push_back(
            {static_cast<VariableKind>(kind), static_cast<uint32_t>(i)});
  if (facts_.empty() && variables.empty()) return found;
  const auto values = sample(form);
  if (!values || !pointsTell()) return found;
  // The form less factor * other, where that is one value at all points.
  auto constantBeside = [&](FormId other, int64_t factor) {
    const auto at = sample(other);
    auto rest = [&](size_t i) {
      auto scaled = at ? checkedMul((*at)[i], factor) : std::nullopt;
      return scaled ? checkedSub((*values)[i], *scaled) : std::nullopt;
    };
    auto first = rest(0);
    for (size_t i = 0; i < values->size(); ++i)
      if (rest(i) != first) return std::optional<int64_t>();
    return first;
  };
  if (auto constant = constantBeside(pool_.constantForm(0), 1))
    found.push_back(pool_.constantForm(*constant));
  for (VariableId id : variables)
    for (int64_t factor : {strideOf(id), -strideOf(id)}) {
      const FormId variable = pool_.variable(id);
      if (auto constant = constantBeside(variable, factor))
        found.push_back(pool_.linear({{variable, factor}}, *constant));
    }
  return found;
}

}  // namespace indexical
