#include "indexical/simplifier/fixpoint.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/stop_scope.h"
#include "indexical/simplifier/collapse.h"
#include "indexical/simplifier/propagation.h"
#include "indexical/simplifier/simplified.h"

namespace indexical {
namespace {

// Bounds become tighter with every round, and most maps need one or two.
constexpr int kMostFixpointRounds = 16;

}  // namespace

DomainEnd Fixpoint::operator()() {
  adopts_ = !makeGivenDense();
  if (isKnownFrom()) return DomainEnd::Points;
  while (rounds_ < kMostFixpointRounds) {
    // The map is an error then (simplify.h).
    if (StopScope::isReached()) return DomainEnd::Leaves64Bits;
    switch (round()) {
      case Round::Again:
        break;
      case Round::Settled:
        return DomainEnd::Points;
      case Round::NoPoint:
        return DomainEnd::NoPoint;
      case Round::Leaves64Bits:
        return DomainEnd::Leaves64Bits;
    }
  }
  return asGiven();
}

Fixpoint::Round Fixpoint::round() {
  ExpressionPool &pool = work_.pool;
  work_.restart();
  importDomain();
  const bool isAdopted = std::exchange(adopts_, false);
  dropWhatHolds();
  if (work_.constraints.empty()) return Round::Settled;
  if (makeDense(stepsOf(pool, work_.constraints)))
    return work_.box.isEmpty() ? Round::NoPoint : Round::Again;

  Domain domain = given();
  domain.propagate();
  if (pool.overflowed()) return Round::Leaves64Bits;
  if (!domain.isEmpty()) domain.finish();
  if (domain.isEmpty()) return Round::NoPoint;
  const bool isSettled = [&] {
    const bool isTurned = turnsAgain(domain);
    if (!isTurned) ++rounds_;
    return !domain.hasNewForms() && !isTurned &&
           (work_.box == domain.box() ||
            (domain.isSettled() && changesNothing(domain)));
  }();
  if (isSettled && domain.isSettled()) domain.dropImplied();
  const size_t steps = work_.dense.size();
  takeOver(domain);
  if (isSettled && !makeDense(stepsOf(pool, work_.constraints)) &&
      !(isAdopted && hasMadeConstraints())) {
    // The constraints are facts for the results. Sources must not use them, for
    // sources are also defined where the constraints do not hold.
    work_.restart();
    addFacts();
    const bool isFixed = fixPoints();
    if (work_.forms.points.areNone()) return Round::NoPoint;
    if (!isFixed) return Round::Settled;
  }
  if (work_.box.isEmpty()) return Round::NoPoint;
  keepConstraints(steps);
  areGiven_ = false;
  return Round::Again;
}

/// Whether forms were negated, so that another round makes them anew. Some are
/// negated again then. On the same box that goes on only while the constraints
/// become less (form_order.h). A round on another box counts.
bool Fixpoint::turnsAgain(const Domain &domain) {
  if (!domain.hasTurnedForms()) return false;
  FormOrder left;
  for (const Constraint &c : domain.constraints())
    left += formOrder(work_.pool, work_.forms.measures, c.form);
  if (turned_) {
    if (!(turned_->box == work_.box))
      ++rounds_;
    else if (!(left < turned_->left))
      return false;
  }
  turned_ = TurnedRound{work_.box, left};
  return true;
}

/// Restores the domain as it was given, since its bounds converge without an
/// end.
DomainEnd Fixpoint::asGiven() {
  work_.box = work_.givenBox();
  work_.dense.clear();
  areGiven_ = true;
  work_.restart();
  importDomain();
  if (work_.pool.overflowed()) return DomainEnd::Leaves64Bits;
  Domain domain = given();
  if (domain.isEmpty()) return DomainEnd::NoPoint;
  domain.finish();
  if (domain.isEmpty()) return DomainEnd::NoPoint;
  work_.constraints.assign(domain.constraints().begin(),
                           domain.constraints().end());
  work_.box = domain.box();
  work_.restart();
  addFacts();
  return DomainEnd::Given;
}

/// Whether the first map is canonical, and the second asks of its results for
/// no more than their bounds say: then its domain is that of the product. The
/// forms of constraints are canonical by the bounds of variables alone.
bool Fixpoint::isKnownFrom() {
  const IndexingMap &first = *work_.parts.first;
  if (!adopts_ || !work_.isProduct() || !isSimplified(first) ||
      first.constraints().empty() || !work_.parts.runtime.empty() ||
      !asksForNothing(*work_.parts.second, first))
    return false;
  work_.restart();
  work_.partsImport().adoptFirst(work_.pool);
  for (FormId form : first.resultsAndMembers())
    work_.forms.assumeCanonical(form);
  work_.constraints.assign(first.constraints().begin(),
                           first.constraints().end());
  addFacts();
  return true;
}

//===-- The constraints of a round ----------------------------------------===//

/// Imports the runtime variables and the constraints: in the first round as the
/// parts give them, later as the last round left them. The canonical forms of
/// the first map can be adopted once only, while there are no other forms.
void Fixpoint::importDomain() {
  work_.forgetRuntime();
  work_.constraints.clear();
  if (adopts_ && work_.isProduct() && isSimplified(*work_.parts.first))
    importCanonical();
  for (uint32_t i = 0; i < work_.parts.runtime.size(); ++i)
    work_.runtimeForm(i);
  if (areGiven_) {
    for (const MapParts::Bounded &c : work_.parts.constraints)
      work_.constraints.push_back({work_.import(c.form), c.bounds});
  } else {
    importKept();
  }
  work_.constraints.append(work_.sharedBounds.begin(),
                           work_.sharedBounds.end());
}

/// Copies the canonical forms of the first map as they are, if its runtime
/// variables are the same here.
void Fixpoint::importCanonical() {
  const IndexingMap &first = *work_.parts.first;
  if (work_.parts.runtime.empty()) {
    work_.partsImport().adoptFirst(work_.pool);
  } else {
    for (uint32_t i = 0; i < work_.parts.runtime.size(); ++i)
      if (work_.runtimeForm(i) !=
          work_.pool.variable({VariableKind::Runtime, i}))
        return;
    work_.partsImport().copyFirst(work_.pool);
  }
  for (FormId form : first.resultsAndMembers())
    work_.forms.assumeCanonical(work_.import({PartForm::kFirst, form}));
  for (const Constraint &c : first.constraints())
    work_.forms.assumeCanonical(work_.import({PartForm::kFirst, c.form}));
}

void Fixpoint::importKept() {
  auto replace = [&](VariableId id) { return work_.variable(id, keptSteps_); };
  ExpressionImport fromKept(keptForms_, work_.forms, replace);
  for (const Constraint &c : kept_)
    work_.constraints.push_back({fromKept(c.form), c.bounds});
}

/// Whether a constraint may be made of results that were adopted: these are
/// canonical by what the first map's constraints say, and a constraint is to be
/// so by the bounds of variables alone.
bool Fixpoint::hasMadeConstraints() {
  if (!work_.isProduct() || work_.parts.first->constraints().empty())
    return false;
  llvm::SmallVector<FormId, 4> given;
  for (const Constraint &c : work_.parts.first->constraints())
    given.push_back(work_.import({PartForm::kFirst, c.form}));
  return llvm::any_of(work_.constraints, [&](const Constraint &c) {
    return !llvm::is_contained(given, c.form) &&
           !work_.pool.isSumOfVariables(c.form);
  });
}

void Fixpoint::dropWhatHolds() {
  llvm::erase_if(work_.constraints, [&](const Constraint &c) {
    const Interval bounds = work_.forms.bounds(c.form);
    const bool holds = c.bounds.contains(bounds);
    if (holds && work_.recorder)
      work_.recorder->add(
          {"a constraint that always holds", work_.recorder->text(c), "",
           work_.recorder->text(c.form) + " in " + bounds.str()});
    return holds;
  });
}

Domain Fixpoint::given() const {
  Domain domain(work_.pool, work_.box, isFixed_);
  for (const Constraint &c : work_.constraints) domain.add(c.form, c.bounds);
  return domain;
}

/// The constraints that remain, with the box, are the domain from here on.
void Fixpoint::takeOver(const Domain &domain) {
  if (work_.recorder) explain(domain);
  work_.constraints.assign(domain.constraints().begin(),
                           domain.constraints().end());
  work_.box = domain.box();
}

/// Whether another round, on a box that constraints do not tighten any more,
/// would find what this one found: in sums of variables no fact changes
/// anything, nor do bounds, if they leave more than one value.
bool Fixpoint::changesNothing(const Domain &domain) const {
  if (!work_.parts.runtime.empty()) return false;
  const VariableBounds &after = domain.box();
  for (int kind = 0; kind < 2; ++kind)
    for (size_t i = 0; i < after.variables[kind].size(); ++i)
      if (after.variables[kind][i].isPoint() &&
          !work_.box.variables[kind][i].isPoint())
        return false;
  return llvm::all_of(domain.constraints(), [&](const Constraint &c) {
    return work_.pool.isSumOfVariables(c.form);
  });
}

/// Keeps the constraints for the next round, in the variables that there were
/// after as many `steps`.
void Fixpoint::keepConstraints(size_t steps) {
  kept_ = work_.constraints;
  llvm::SmallVector<FormId, 8> forms;
  for (const Constraint &c : kept_) forms.push_back(c.form);
  keptForms_ = FrozenExpressions(work_.pool, forms);
  for (size_t i = 0; i < forms.size(); ++i) kept_[i].form = forms[i];
  keptSteps_ = steps;
}

//===-- What the domain says ----------------------------------------------===//

/// Adds the constraints as facts, and the tighter bounds of sums and digits
/// that propagation finds.
void Fixpoint::addFacts() {
  Propagation known(work_.pool, work_.box);
  for (const Constraint &c : work_.constraints) {
    work_.forms.facts.add(c.form, c.bounds);
    known.add(c.form, c.bounds);
  }
  known.restart();
  known.run(kMostFixpointRounds);
  if (known.isEmpty()) return;
  known.forTightened([&](FormId form, Interval bounds) {
    work_.forms.facts.add(form, bounds);
  });
}

/// Fixes variables that have one value at all points of the domain. Returns
/// whether there are any.
bool Fixpoint::fixPoints() {
  if (work_.haveNoDigits()) return false;
  bool isFixed = false;
  for (const Constraint &c :
       pointsOf(work_.forms, work_.box, work_.constraints)) {
    const VariableId id = *work_.pool.asVariable(c.form);
    if (work_.recorder)
      work_.recorder->add({"one value at every point",
                           work_.nameNow(id) + " in " + work_.box[id].str(),
                           work_.nameNow(id) + " in " + c.bounds.str(),
                           "all points of the domain"});
    work_.box[id] = c.bounds;
    isFixed = true;
  }
  return isFixed;
}

/// Writes variables that are known to be r mod n as n * q + r.
bool Fixpoint::makeDense(llvm::ArrayRef<SteppedVariable> steps) {
  llvm::SmallVector<VariableId, 4> done;
  for (const SteppedVariable &step : steps) {
    const VariableId id = step.variable;
    // A second step of a variable is one of what the first makes of it.
    if (llvm::is_contained(done, id)) continue;
    const Interval dense = step.dense(work_.box[id]);
    if (dense.isPoint() && work_.box[id] != step.given(dense)) {
      work_.box[id] = step.given(dense);
      done.push_back(id);
    }
    if (dense.isPoint()) continue;
    const std::string before = work_.recorder ? work_.nameNow(id) : "";
    if (!work_.dense.add(step)) continue;
    done.push_back(id);
    work_.box[id] = dense;
    if (!work_.recorder) continue;
    const std::string n = std::to_string(step.stride);
    const std::string r = std::to_string(step.start);
    work_.recorder->add({"a strided variable becomes dense", before,
                         work_.nameNow(id) + " * " + n + " + " + r,
                         before + " mod " + n + " in [" + r + ", " + r + "]"});
  }
  return !done.empty();
}

/// Makes variables dense by the first map's constraints alone, before anything
/// is made of them. If no point is left, a later round finds that and can say
/// why.
bool Fixpoint::makeGivenDense() {
  auto steps = stepsOf(work_.parts.first->expressions(),
                       work_.parts.first->constraints());
  if (work_.parts.second)
    for (SteppedVariable &step : steps)
      if (step.variable.kind == VariableKind::Range)
        step.variable.index += work_.parts.second->ranges().size();
  llvm::erase_if(steps, [&](const SteppedVariable &step) {
    return step.dense(work_.box[step.variable]).isEmpty();
  });
  return makeDense(steps);
}

/// Records how the box and the constraints changed.
void Fixpoint::explain(const Domain &domain) {
  const VariableBounds &before = work_.box;
  for (int kind = 0; kind < 3; ++kind)
    for (uint32_t i = 0; i < before.variables[kind].size(); ++i) {
      const Interval &was = before.variables[kind][i];
      const Interval &is = domain.box().variables[kind][i];
      const std::string name =
          work_.nameNow({static_cast<VariableKind>(kind), i}) + " in ";
      work_.recorder->add({"bounds, by constraints", name + was.str(),
                           name + is.str(),
                           work_.recorder->text(work_.constraints)});
    }
  work_.recorder->addConstraints(work_.constraints, domain.constraints());
}

}  // namespace indexical
