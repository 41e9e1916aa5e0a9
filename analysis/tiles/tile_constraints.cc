// The part of a tile that a map's constraints leave.
//
//   (d0)[s0] -> (d0 * 2 + s0 - 1), d0 * 2 + s0 in [1, 8]   cuts the result
//   (d0, d1)[s0] -> (d0, s0), s0 - d1 in [-inf, 0]         cuts s0 at the
//                                                          largest d1
//   (d0) -> (d0 floordiv 3), d0 mod 3 in [0, 0]            leaves a progression
//   (d0){rt0} -> (d0), d0 - rt0 in [-inf, -1]              cuts at rt0
//   (d0, d1) -> (d1), d0 in [4, 7]                         all or nothing
#include "indexical/analysis/tiles/tile_maker.h"

namespace indexical {

void TileMaker::addGate(FormId isOpen) {
  if (!llvm::is_contained(gates_, isOpen)) gates_.push_back(isOpen);
}

/// Keeps the result whose varying terms are these, times a number, between the
/// bounds. Returns false if there is no such result.
bool TileMaker::addClip(llvm::ArrayRef<Term> terms, std::optional<FormId> lower,
                        std::optional<FormId> upper) {
  for (size_t j = 0; j < map_.results().size(); ++j) {
    llvm::SmallVector<Term, 4> own;
    llvm::SmallVector<ScaledForm, 4> fixed;
    for (const Term &term : table_.terms(map_.results()[j]))
      if (isParameter(term.atom))
        fixed.push_back({valueAt(term.atom), term.coefficient});
      else
        own.push_back(term);
    if (own.size() != terms.size()) continue;
    // own = terms * times / by
    const int64_t a = own[0].coefficient, b = terms[0].coefficient;
    int64_t times = 1, by = 1;
    if (a % b == 0)
      times = a / b;
    else if (b % a == 0)
      by = b / a;
    else
      continue;
    bool same = true;
    for (size_t i = 0; i < own.size(); ++i)
      same &= own[i].atom == terms[i].atom &&
              own[i].coefficient * by == terms[i].coefficient * times;
    if (!same) continue;
    if (by < 0) times = -times, by = -by;
    const FormId rest =
        f_.pool.linear(fixed, table_.constant(map_.results()[j]));
    auto bound = [&](std::optional<FormId> from,
                     bool isLower) -> std::optional<FormId> {
      if (!from) return std::nullopt;
      FormId value = f_.scale(*from, times);
      value = isLower ? f_.ceilDiv(value, by) : f_.floorDiv(value, by);
      value = f_.add(value, rest);
      // A bound outside of the shape is left out: the shape cuts there anyway.
      if (isLower ? f_.bounds(value).upper <= 0
                  : shapeEnds_[j] &&
                        f_.bounds(f_.sub(value, *shapeEnds_[j])).lower >= -1)
        return std::nullopt;
      return value;
    };
    if (times < 0) std::swap(lower, upper);
    Clip clip{j, bound(lower, true), bound(upper, false)};
    clipped_.push_back(j);
    if (clip.lower || clip.upper) clips_.push_back(clip);
    return true;
  }
  return false;
}

bool TileMaker::addConstraint(const Constraint &constraint) {
  blamed_ = constraint.form;
  blamedDimension_ = -1;
  auto isUnused = [&](const Term &term) {
    const Atom &atom = table_.atom(term.atom);
    if (atom.kind != AtomKind::Variable || std::abs(term.coefficient) != 1 ||
        atom.variable().kind == VariableKind::Runtime)
      return false;
    if (uses_.lookup(term.atom) > 0) return false;
    // One value may satisfy each of several constraints, and none all of them.
    for (const Constraint &other : map_.constraints()) {
      if (other.form == constraint.form) continue;
      bool found = false;
      table_.visitVariables(
          other.form, [&](VariableId id) { found |= id == atom.variable(); });
      if (found) return false;
    }
    return true;
  };
  llvm::SmallVector<Term, 4> terms;
  FormId least = f_.number(table_.constant(constraint.form));
  FormId greatest = least;
  for (const Term &term : table_.terms(constraint.form)) {
    if (isParameter(term.atom)) {
      const FormId value = f_.scale(valueAt(term.atom), term.coefficient);
      least = f_.add(least, value);
      greatest = f_.add(greatest, value);
    } else if (isUnused(term)) {
      const Run run = runOf(term.atom);
      if (!f_.isNumber(run.gap, 1)) return fail();
      const FormId last = f_.add(run.first, f_.shift(run.cut, -1));
      const bool rises = term.coefficient > 0;
      least = rises ? f_.add(least, run.first) : f_.sub(least, last);
      greatest = rises ? f_.add(greatest, last) : f_.sub(greatest, run.first);
    } else {
      terms.push_back(term);
    }
  }
  const Interval &bounds = constraint.bounds;
  std::optional<FormId> lower, upper;  // of the terms alone
  if (bounds.hasLower()) lower = f_.sub(f_.number(bounds.lower), greatest);
  if (bounds.hasUpper()) upper = f_.sub(f_.number(bounds.upper), least);
  if (terms.empty()) {
    if (lower) addGate(f_.step(f_.scale(*lower, -1)));
    if (upper) addGate(f_.step(*upper));
    return true;
  }
  if (addClip(terms, lower, upper)) return true;
  const Atom &atom = table_.atom(terms[0].atom);
  if (terms.size() > 1 || atom.kind != AtomKind::Digit || atom.stride != 1 ||
      atom.modulus == 0 || terms[0].coefficient != 1 || least != greatest ||
      !f_.isNumber(least))
    return fail();
  Interval values = bounds + Interval::point(-f_.valueOf(least));
  values = values.intersect({0, atom.modulus - 1});
  if (values.isEmpty()) return fail();
  // Some value of what no result uses has to have such a remainder.
  bool isUsed = false;
  table_.visitVariables(atom.a, [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) isUsed |= used_[id.index];
    if (id.kind == VariableKind::Runtime) return;
    for (const auto &[known, count] : uses_)
      isUsed |= table_.atom(known).kind == AtomKind::Variable &&
                table_.atom(known).variable() == id;
    for (const Constraint &other : map_.constraints())
      if (other.form != constraint.form)
        table_.visitVariables(other.form,
                              [&](VariableId v) { isUsed |= v == id; });
  });
  if (!isUsed) {
    const Sum sum = sumOf(atom.a);
    if (hasFailed_ || widestGap(sum) > 1) return fail();
    addGate(
        f_.step(f_.shift(quotientsOf(sum, 0, atom.modulus, values).count, -1)));
    return true;
  }
  size_t digits = 0;
  bool isQuotient = false;  // that alone is used of the parent
  for (const auto &[id, count] : uses_) {
    const Atom &digit = table_.atom(id);
    if (digit.kind != AtomKind::Digit || isParameter(id) ||
        table_.terms(digit.a) != table_.terms(atom.a))
      continue;
    ++digits;
    isQuotient |= digit.stride == atom.modulus && digit.modulus == 0;
  }
  if (!isQuotient || digits > 1) return fail();
  residues_.push_back({atom.a, atom.modulus, values});
  return true;
}

bool TileMaker::addConstraints() {
  for (FormId form : sizeGates_) addGate(f_.step(form));
  if (!map_.results().empty()) blame(0);
  for (size_t k = 0; k < sides_.size(); ++k) {
    Side &side = sides_[k];
    if (!side.isNarrow()) continue;
    std::optional<AtomId> atom;
    for (const auto &[id, count] : uses_) {
      const Atom &used = table_.atom(id);
      if (used.kind == AtomKind::Variable &&
          used.variable() ==
              VariableId{VariableKind::Dimension, static_cast<uint32_t>(k)})
        atom = id;
    }
    if (atom && isCutByShape(*atom)) continue;
    if (!f_.isNumber(side.stride) && side.bounds.lower > 0) return fail();
    addGate(f_.step(f_.shift(rawCount(side), -1)));
  }
  for (auto [i, constraint] : llvm::enumerate(map_.constraints()))
    if (!isEnd_[i] && !addConstraint(constraint)) return false;
  return true;
}

bool TileMaker::clip(Progression &progression, const Clip &clip) {
  if (!f_.isNumber(progression.stride)) return fail();
  const int64_t stride = f_.valueOf(progression.stride);
  const FormId last = f_.add(progression.first,
                             f_.scale(f_.shift(progression.count, -1), stride));
  FormId count = progression.count;
  if (clip.upper)
    count = f_.sub(count,
                   f_.ceilDiv(f_.positive(f_.sub(last, *clip.upper)), stride));
  if (clip.lower) {
    const FormId skipped =
        f_.ceilDiv(f_.positive(f_.sub(*clip.lower, progression.first)), stride);
    count = f_.sub(count, skipped);
    progression.first = f_.add(progression.first, f_.scale(skipped, stride));
  }
  progression.count = f_.positive(count);
  return true;
}

}  // namespace indexical
