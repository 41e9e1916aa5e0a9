#include "indexical/simplifier/domain.h"

#include <algorithm>
#include <cassert>
#include <tuple>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/simplifier/constraint_rules.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical {
namespace {

// Bounds that converge by one a round are given up here: sound, not tight.
constexpr int kMostRounds = 64;
// Most implied constraints are seen in two rounds.
constexpr int kMostRefutingRounds = 8;

/// Returns which constraints are sums of variables that no other constraint
/// names. None of them is implied: the bounds of its variables have been
/// compared with it before.
llvm::SmallVector<bool, 8> findAlone(const ExpressionTable &table,
                                     llvm::ArrayRef<Constraint> constraints) {
  llvm::SmallVector<bool, 8> isAlone;
  llvm::DenseMap<uint32_t, uint32_t> constraintsOf;  // by the variable's key
  for (const Constraint &c : constraints)
    table.visitVariables({c.form},
                         [&](VariableId id) { ++constraintsOf[id.key()]; });
  for (const Constraint &c : constraints)
    isAlone.push_back(table.isSumOfVariables(c.form) &&
                      llvm::all_of(table.terms(c.form), [&](const Term &term) {
                        return constraintsOf[table.atom(term.atom).a] == 1;
                      }));
  return isAlone;
}

/// Marks constraints that a point shows not to be implied: all others hold
/// there, and this one does not. A variable that no other constraint names is
/// moved for that: with the masks d0 - s0 < 0, d0 - s1 < 0, … each has its own.
/// Constraints are asked about one by one without this, each beside all others.
class OwnVariables {
 public:
  OwnVariables(ExpressionPool &pool, const VariableBounds &box,
               llvm::ArrayRef<Constraint> constraints)
      : pool_(pool), box_(box), constraints_(constraints) {
    llvm::DenseMap<uint32_t, uint32_t> constraintsOf;  // by the variable's key
    for (const Constraint &c : constraints)
      pool.visitVariables({c.form},
                          [&](VariableId id) { ++constraintsOf[id.key()]; });
    for (const Constraint &c : constraints) {
      Own &own = owns_.emplace_back();
      for (const Term &term : pool.terms(c.form)) {
        const auto id = pool.atom(term.atom).asVariable();
        if (!id || constraintsOf[id->key()] != 1 || isInside(c.form, *id))
          continue;
        own = {term.coefficient, *id};
        break;
      }
    }
  }

  llvm::SmallVector<bool, 8> findNotImplied() const {
    llvm::SmallVector<bool, 8> found(constraints_.size(), false);
    const auto hasOwn = [](const Own &own) { return own.coefficient != 0; };
    if (llvm::none_of(owns_, hasOwn)) return found;
    for (const int64_t place : {1, 0, 2}) {
      const llvm::SmallVector<bool, 8> here = notImpliedAt(place);
      for (size_t i = 0; i < here.size(); ++i) found[i] |= here[i];
      if (!here.empty()) break;
    }
    return found;
  }

 private:
  struct Own {
    int64_t coefficient = 0;  ///< 0: the constraint has no such variable
    VariableId variable;
  };

  /// Whether the variable is part of an atom of the form.
  bool isInside(FormId form, VariableId variable) const {
    bool isInside = false;
    for (const Term &term : pool_.terms(form))
      for (const FormId operand : pool_.atom(term.atom).operands())
        pool_.visitVariables(
            {operand}, [&](VariableId id) { isInside |= id == variable; });
    return isInside;
  }

  /// A value of the variable: at the lower end, in the middle, at the upper.
  int64_t valueAt(int64_t place, VariableId id) const {
    constexpr Interval kUsual = {-(int64_t{1} << 30), int64_t{1} << 30};
    const Interval bounds = box_[id], near = bounds.intersect(kUsual);
    if (near.isEmpty()) return bounds.hasLower() ? bounds.lower : bounds.upper;
    return near.lower + (near.upper - near.lower) / 2 * place;
  }

  /// Returns nothing if it cannot be seen that all constraints hold together
  /// where variables that several name have these values.
  llvm::SmallVector<bool, 8> notImpliedAt(int64_t place) const {
    const auto pointOf = [&](VariableId id) {
      return Interval::point(valueAt(place, id));
    };
    FormBounds at(pool_, pointOf);
    llvm::SmallVector<bool, 8> found;
    for (auto [c, own] : llvm::zip_equal(constraints_, owns_)) {
      const Interval value = at(c.form);
      if (!value.isPoint()) return {};
      if (own.coefficient == 0) {
        if (!c.bounds.contains(value)) return {};
        found.push_back(false);
        continue;
      }
      Interval all = value;
      all.add(box_[own.variable] - pointOf(own.variable), own.coefficient);
      if (!canBeIn(all, c.bounds, value, own.coefficient)) return {};
      found.push_back(!c.bounds.contains(all) &&
                      (canBeIn(all, below(c.bounds), value, own.coefficient) ||
                       canBeIn(all, above(c.bounds), value, own.coefficient)));
    }
    return found;
  }

  static Interval below(const Interval &bounds) {
    if (!bounds.hasLower()) return Interval::none();
    return {Interval::kMinusInfinity, bounds.lower - 1};
  }
  static Interval above(const Interval &bounds) {
    if (!bounds.hasUpper()) return Interval::none();
    return {bounds.upper + 1, Interval::kInfinity};
  }

  /// Whether one of the numbers value + k * step within `all` is within
  /// `bounds`.
  static bool canBeIn(const Interval &all, const Interval &bounds,
                      const Interval &value, int64_t step) {
    Interval rest = all.intersect(bounds);
    if (rest.isEmpty()) return false;
    rest = rest - value;
    const int64_t size = std::abs(step);
    if (!rest.hasLower() || !rest.hasUpper()) return true;
    return floorDiv(rest.upper, size) * size >= rest.lower;
  }

  ExpressionPool &pool_;
  const VariableBounds &box_;
  const llvm::ArrayRef<Constraint> constraints_;
  llvm::SmallVector<Own, 8> owns_;
};

/// Whether one other constraint implies `c`: their forms differ by terms whose
/// bounds are known. With rt0 in [0, 1], d0 - rt0 in [0, 8] leaves d0 no other
/// values than [0, 9]. The bounds of single variables do not show that.
bool isImpliedBy(ExpressionPool &pool, const Constraint &other,
                 const Constraint &c, FormBounds &current) {
  if (pool.constant(c.form) != pool.constant(other.form)) return false;
  llvm::SmallVector<Term, 8> rest(pool.terms(c.form));
  for (const Term &term : pool.terms(other.form))
    rest.push_back({term.atom, -term.coefficient});
  llvm::sort(rest, [](const Term &x, const Term &y) {
    return std::make_pair(x.atom, x.coefficient) <
           std::make_pair(y.atom, y.coefficient);
  });
  Interval bounds = other.bounds;
  for (size_t i = 0; i < rest.size(); ++i) {
    // A term that both forms have is in `rest` twice, and cancels.
    if (i + 1 < rest.size() && rest[i].atom == rest[i + 1].atom) {
      if (checkedAdd(rest[i].coefficient, rest[i + 1].coefficient) != 0)
        return false;
      ++i;
      continue;
    }
    bounds.add(current(pool.atomForm(rest[i].atom)), rest[i].coefficient);
    if (bounds == Interval::all()) return false;
  }
  return c.bounds.contains(bounds);
}

}  // namespace

/// Returns the constraint after the first of the rules that applies.
std::optional<Constraint> Domain::afterRule(const Constraint &c) {
  for (const ConstraintRule &rule : constraintRules()) {
    if (rule.when != ConstraintRule::When::Added) continue;
    const auto made = rule.what(pool_, /*known=*/nullptr, c);
    if (!made) continue;
    turnedForms_ |= rule.makes == ConstraintRule::Makes::Turned;
    newForms_ |= rule.makes == ConstraintRule::Makes::New &&
                 !pool_.isSumOfVariables(c.form);
#ifdef INDEXICAL_CHECK_FORMS
    assert(orderOf(pool_, made->form) < orderOf(pool_, c.form));
#endif
    return made;
  }
  return std::nullopt;
}

void Domain::add(FormId form, Interval bounds) {
  known_.reset();
  Constraint c = {form, bounds};
  while (!pool_.terms(c.form).empty()) {
    const auto made = afterRule(c);
    if (!made) break;
    c = *made;
  }
  if (pool_.terms(c.form).empty()) {
    empty_ |= !c.bounds.contains(pool_.constant(c.form));
    return;
  }
  if (c.bounds.isEmpty()) empty_ = true;
  if (c.bounds == Interval::all()) return;
  if (const auto split = splitByPart(pool_, c)) {
    newForms_ |= !pool_.isSumOfVariables(split->first.form) ||
                 !pool_.isSumOfVariables(split->second.form);
    for (const Constraint &part : {split->first, split->second, split->rest})
      add(part.form, part.bounds);
    return;
  }
  if (const auto both = afterPairRule(c)) return add(both->form, both->bounds);
  merge(c.form, c.bounds);
}

/// Returns what the constraint and another one become together, after the first
/// of the rules that applies. The other one goes.
std::optional<Constraint> Domain::afterPairRule(const Constraint &c) {
  for (const PairRule &rule : pairRules())
    for (Constraint &other : constraints_) {
      const auto made = rule.what(pool_, c, other);
      if (!made) continue;
      constraints_.erase(&other);
      newForms_ = true;
      return made;
    }
  return std::nullopt;
}

/// Adds bounds of a form: to the box if the form is a variable, else to the
/// form's one constraint.
void Domain::merge(FormId form, Interval bounds) {
  if (auto variable = pool_.asVariable(form);
      variable && !isFixed_(*variable)) {
    Interval &own = box_[*variable];
    own = own.intersect(bounds);
    empty_ |= own.isEmpty();
    return;
  }
  for (Constraint &other : constraints_) {
    if (other.form != form) continue;
    const bool wasPoint = other.bounds.isPoint();
    bounds = other.bounds = other.bounds.intersect(bounds);
    empty_ |= bounds.isEmpty();
    if (wasPoint || !bounds.isPoint()) return;
    // As a residue it may merge with others.
    constraints_.erase(&other);
    return add(form, bounds);
  }
  constraints_.push_back({form, bounds});
}

void Domain::restart(VariableBounds box) {
  box_ = std::move(box);
  empty_ = box_.isEmpty();
}

void Domain::sort() {
  std::sort(constraints_.begin(), constraints_.end(),
            [&](const Constraint &a, const Constraint &b) {
              return pool_.compareForms(a.form, b.form) < 0;
            });
}

/// Returns the propagation of the constraints. They are added in structural
/// order, since the order can matter if bounds converge slowly and are given
/// up.
Propagation &Domain::known() {
  if (!known_) {
    sort();
    known_.emplace(pool_, box_);
    for (const Constraint &c : constraints_) known_->add(c.form, c.bounds);
  }
  known_->restart();
  return *known_;
}

/// Tightens the bounds of variables to those that propagation found. Returns
/// whether any became tighter.
bool Domain::tightenBox() {
  bool isTighter = false;
  known_->forVariables([&](VariableId id, Interval bounds) {
    if (isFixed_(id) || box_[id].intersect(bounds) == box_[id]) return;
    box_[id] = box_[id].intersect(bounds);
    isTighter = true;
  });
  return isTighter;
}

void Domain::propagate() {
  if (empty_ || constraints_.empty()) return;
  Propagation &all = known();
  settled_ = all.run(kMostRounds);
  empty_ = all.isEmpty();
  if (empty_) return;
  const VariableBounds start = box_;
  tightenBox();
  if (settled_) return;
  // A bound that one more round still tightens converges slowly, and goes back
  // to what it was before propagation.
  const VariableBounds before = box_;
  all.run(1);
  empty_ = all.isEmpty();
  if (empty_ || !tightenBox()) return;
  for (int kind = 0; kind < 3; ++kind)
    for (size_t i = 0; i < box_.variables[kind].size(); ++i)
      if (box_.variables[kind][i] != before.variables[kind][i])
        box_.variables[kind][i] = start.variables[kind][i];
}

/// Moves the ends of the constraints' bounds to values that can be. An open
/// side stays open: it is shorter to read than an implied bound.
void Domain::tightenConstraints() {
  llvm::SmallVector<Constraint, 4> tight;
  for (auto [i, c] : llvm::enumerate(constraints_)) {
    // The bounds that were found are intersected with those that were given: a
    // sum that leaves 64 bits has no bounds of its own.
    Interval bounds = known_->bounds(i).intersect(c.bounds);
    if (!c.bounds.hasLower()) bounds.lower = Interval::kMinusInfinity;
    if (!c.bounds.hasUpper()) bounds.upper = Interval::kInfinity;
    tight.push_back({c.form, bounds});
  }
  if (std::equal(tight.begin(), tight.end(), constraints_.begin(),
                 [](const Constraint &x, const Constraint &y) {
                   return x.bounds == y.bounds;
                 }))
    return;
  // A constraint that is now a residue may merge with others.
  constraints_.clear();
  for (const Constraint &c : tight) add(c.form, c.bounds);
}

/// Asks one rule about all constraints, as often as it applies.
void Domain::applyAtEnd(const ConstraintRule &rule) {
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  FormBounds current(pool_, boundsOf);
  llvm::SmallVector<Constraint, 4> all(constraints_);
  bool changes = false;
  for (Constraint &c : all)
    while (c.bounds != Interval::all()) {
      const auto made = rule.what(pool_, &current, c);
      if (!made) break;
      c = *made;
      changes = true;
    }
  if (!changes) return;
  newForms_ |= rule.makes == ConstraintRule::Makes::New;
  known_.reset();
  constraints_.clear();
  for (const Constraint &c : all) add(c.form, c.bounds);
}

void Domain::finish() {
  if (known_ && settled_ && !empty_) tightenConstraints();
  for (const ConstraintRule &rule : constraintRules())
    if (rule.when == ConstraintRule::When::End) applyAtEnd(rule);
  sort();
}

/// Whether the others imply constraint number i: both a value below its bounds
/// and one above them leads to a contradiction.
bool Domain::isImplied(uint32_t i) {
  const Interval bounds = constraints_[i].bounds;
  auto isImpossible = [&](Interval outside) {
    known_->setBounds(i, outside);
    known_->restart();
    known_->run(kMostRefutingRounds);
    return known_->isEmpty();
  };
  const bool isImplied =
      (!bounds.hasLower() ||
       isImpossible({Interval::kMinusInfinity, bounds.lower - 1})) &&
      (!bounds.hasUpper() ||
       isImpossible({bounds.upper + 1, Interval::kInfinity}));
  known_->setBounds(i, isImplied ? Interval::all() : bounds);
  return isImplied;
}

/// Whether the others imply the constraint by what they say of sizes. Only
/// products and quotients of variables are a question for that.
bool Domain::isImpliedBySizes(llvm::ArrayRef<Constraint> others,
                              const Constraint &own) const {
  // Constraints that are not implied, which are most, cost that much.
  constexpr int64_t kOperations = 5'000;
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  SizeBudget budget;
  budget.operations = kOperations;
  return sizesImply({pool_, boundsOf, others}, own, budget);
}

bool Domain::namesRuntime(FormId form) const {
  bool names = false;
  if (!box_.variables[2].empty())
    pool_.visitVariables({form}, [&](VariableId id) {
      names |= id.kind == VariableKind::Runtime;
    });
  return names;
}

void Domain::dropImplied() {
  // A single constraint on a sum of variables is not implied, since propagation
  // has compared it with the bounds of the variables.
  if (empty_ || constraints_.empty() ||
      (constraints_.size() == 1 &&
       pool_.isSumOfVariables(constraints_[0].form)))
    return;
  known();
  llvm::SmallVector<bool, 8> isAlone = findAlone(pool_, constraints_);
  // Few constraints are asked about in less.
  constexpr size_t kManyConstraints = 8;
  if (constraints_.size() >= kManyConstraints) {
    const auto notImplied =
        OwnVariables(pool_, box_, constraints_).findNotImplied();
    for (size_t i = 0; i < notImplied.size(); ++i) isAlone[i] |= notImplied[i];
  }
  // The longest constraint is tried first. Constraints that name runtime
  // variables are tried last, and do not serve to imply the others: the sources
  // of runtime variables are defined where the others hold.
  struct Candidate {
    bool namesRuntime;
    int64_t size;
    uint32_t number;
    bool namesSizes;
    bool isImplied = false;
  };
  llvm::SmallVector<Candidate, 4> candidates;
  for (auto [i, c] : llvm::enumerate(constraints_)) {
    const bool isRuntime = namesRuntime(c.form);
    candidates.push_back({isRuntime, pool_.writtenSize(c.form),
                          static_cast<uint32_t>(i), namesSizes(pool_, c.form)});
    if (isRuntime) known_->setBounds(i, Interval::all());
  }
  llvm::sort(candidates, [](const Candidate &x, const Candidate &y) {
    return std::make_tuple(x.namesRuntime, -x.size, x.number) <
           std::make_tuple(y.namesRuntime, -y.size, y.number);
  });
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  FormBounds current(pool_, boundsOf);
  auto isImpliedByRest = [&](const Candidate &c) {
    llvm::SmallVector<Constraint, 4> rest;
    bool namesSizes = c.namesSizes;
    for (const Candidate &other : candidates) {
      if (other.number == c.number || other.isImplied ||
          (!c.namesRuntime && other.namesRuntime))
        continue;
      rest.push_back(constraints_[other.number]);
      namesSizes |= other.namesSizes;
    }
    return namesSizes && isImpliedBySizes(rest, constraints_[c.number]);
  };
  bool tellsRuntime = false;
  for (Candidate &c : candidates) {
    if (StopScope::isReached()) return;
    if (c.namesRuntime && !std::exchange(tellsRuntime, true))
      for (const Candidate &other : candidates)
        if (other.namesRuntime)
          known_->setBounds(other.number, constraints_[other.number].bounds);
    if (isAlone[c.number]) continue;
    const Constraint &own = constraints_[c.number];
    c.isImplied = llvm::any_of(candidates, [&](const Candidate &other) {
      return other.number != c.number && !other.isImplied &&
             (c.namesRuntime || !other.namesRuntime) &&
             isImpliedBy(pool_, constraints_[other.number], own, current);
    });
    if (c.isImplied)
      known_->setBounds(c.number, Interval::all());
    else
      c.isImplied = isImplied(c.number);
    if (c.isImplied || !isImpliedByRest(c)) continue;
    c.isImplied = true;
    known_->setBounds(c.number, Interval::all());
  }
  // What was too much to ask beside those that are gone may now be shown.
  auto isGone = [](const Candidate &c) { return c.isImplied; };
  for (bool changes = llvm::any_of(candidates, isGone); changes;) {
    changes = false;
    for (Candidate &c : candidates) {
      if (StopScope::isReached()) return;
      if (c.isImplied || isAlone[c.number] || !isImpliedByRest(c)) continue;
      c.isImplied = changes = true;
    }
  }
  llvm::SmallVector<Constraint, 4> kept;
  llvm::sort(candidates, [](const Candidate &x, const Candidate &y) {
    return x.number < y.number;
  });
  for (const Candidate &c : candidates)
    if (!c.isImplied) kept.push_back(constraints_[c.number]);
  constraints_ = std::move(kept);
  known_.reset();
}

}  // namespace indexical
