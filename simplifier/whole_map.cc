#include "indexical/simplifier/whole_map.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/composition.h"
#include "indexical/simplifier/canonical_form.h"
#include "indexical/simplifier/collapse.h"
#include "indexical/simplifier/delinearize.h"
#include "indexical/simplifier/dense.h"
#include "indexical/simplifier/domain.h"
#include "indexical/simplifier/emission.h"
#include "indexical/simplifier/propagation.h"
#include "indexical/simplifier/result_bounds.h"

namespace indexical {
namespace {

// Bounds become tighter with every round, and most maps need one or two.
constexpr int kMostRounds = 16;
// Some forms are turned over whichever way they are.
constexpr int kMostTurns = 4;

absl::Status leaves64Bits() {
  return absl::OutOfRangeError(
      "arithmetic on the map's constants leaves the range of 64-bit integers");
}

class Simplifier {
 public:
  Simplifier(MapParts &parts, const SimplifyOptions &options,
             Workspace &workspace)
      : parts_(parts),
        options_(options),
        pool_(workspace.pool()),
        forms_(workspace.forms()) {
    if (options.rewrites)
      recorder_.emplace(
          pool_, [this](VariableId id) { return nameNow(id); },
          *options.rewrites);
  }

  absl::StatusOr<IndexingMap> run();

 private:
  /// How the domain ends. Given: it stays so.
  enum class DomainEnd : uint8_t {
    NotYet,
    Points,
    Given,
    NoPoint,
    Leaves64Bits
  };
  DomainEnd settleDomain();
  DomainEnd round();
  DomainEnd keepGivenDomain();
  void dropWhatHolds();
  void takeOver(const Domain &domain);
  absl::StatusOr<IndexingMap> withoutPoints();
  VariableBounds startBox() const;
  bool changesNothing(const Domain &domain) const;
  void restart();
  void importDomain();
  void importCanonical();
  bool hasMadeConstraints();
  bool leavesFirstDomain() const;
  void adoptDomain();
  void keepConstraints(size_t steps);
  FormId runtimeForm(uint32_t i);
  void addFacts();
  bool fixPoints();
  void collapseResults();
  void importResults();
  bool keepGiven(
      const char *why,
      llvm::function_ref<bool(FormId given, FormId canonical)> isBetter);
  bool keepThoseInside();
  void keepThoseShorter();
  bool makeDense(llvm::ArrayRef<DenseVariables::Step> steps);
  bool makeGivenDense();
  absl::StatusOr<IndexingMap> write();
  std::string oldName(VariableId id) const;
  std::string nameNow(VariableId id) const;
  void explainDomain(const Domain &domain);

  MapParts &parts_;
  const SimplifyOptions &options_;
  ExpressionPool &pool_;  // of the canonical forms
  CanonicalForms &forms_;
  std::optional<Recorder> recorder_;
  /// Imports the parts into the forms as they are now.
  std::optional<PartsImport> import_;
  struct {
    Simplifier *self;
    FormId operator()(VariableId id) const {
      if (id.kind == VariableKind::Runtime) return self->runtimeForm(id.index);
      return self->dense_.given(self->forms_, id, self->forms_.variable(id));
    }
  } replace_{this};
  llvm::SmallVector<FormId, 4> results_;
  bool areCanonical_ = true;  // the results
  llvm::SmallVector<Constraint, 4> constraints_;
  /// The constraints that the last round left, and the forms they stand on.
  llvm::SmallVector<Constraint, 4> kept_;
  FrozenExpressions keptForms_;
  size_t keptSteps_ = 0;  // of dense_, those that the forms have seen
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 0> indices_;
  llvm::SmallVector<int64_t, 4> runtimeForms_;  // -1: not yet
  /// What is known from the bounds of runtime variables that equal an earlier
  /// one.
  llvm::SmallVector<Constraint, 2> sharedBounds_;
  /// For each runtime variable, the first one that is the same: its form may be
  /// a value.
  llvm::SmallVector<uint32_t, 4> representatives_;
  DenseVariables dense_;
  std::optional<Delinearization> delinearization_;  // of the results
  VariableBounds box_ = startBox();
  /// The bounds of clamped variables stay.
  struct {
    const MapParts &parts;
    bool operator()(VariableId id) const {
      return id.kind == VariableKind::Runtime &&
             parts.runtime[id.index].clamped;
    }
  } isFixed_{parts_};
  // That forms are turned over or made dense ends by itself: no such round
  // counts, so that a map ends alike however it was given.
  int rounds_ = 0, turns_ = 0;
  bool adopts_ = false;   // the first map's forms, in this round
  bool areGiven_ = true;  // the constraints, as the parts have them
};

VariableBounds Simplifier::startBox() const {
  VariableBounds box;
  for (const Variable &v : parts_.dimensions)
    box.variables[0].push_back(v.bounds);
  for (const Variable &v : parts_.ranges) box.variables[1].push_back(v.bounds);
  for (const RuntimeVariable &v : parts_.runtime)
    box.variables[2].push_back(v.bounds);
  return box;
}

/// The runtime variable, or the earlier one that has the same value: the same
/// source, index and clamp. What the bounds of one that is not clamped say is
/// then said of the earlier one. Its index is made first.
FormId Simplifier::runtimeForm(uint32_t i) {
  if (runtimeForms_[i] >= 0) return runtimeForms_[i];
  const RuntimeVariable &variable = parts_.runtime[i];
  // The bounds as they are known by now; those of a clamped variable never
  // change.
  auto boundsOf = [&](uint32_t k) {
    return forms_.bounds(pool_.variable({VariableKind::Runtime, k}));
  };
  runtimeForms_[i] = forms_.variable({VariableKind::Runtime, i});
  representatives_[i] = i;
  for (PartForm form : parts_.indices[i]) {
    FormId imported = (*import_)(form);
    indices_[i].push_back(imported);
  }
  if (variable.source.kind != RuntimeSource::Kind::None)
    for (uint32_t j = 0; j < i; ++j) {
      const RuntimeVariable &other = parts_.runtime[j];
      if (!(other.source == variable.source) ||
          other.clamped != variable.clamped ||
          (variable.clamped && boundsOf(j) != boundsOf(i)))
        continue;
      FormId form = runtimeForm(j);
      if (indices_[j] == indices_[i] &&
          other.collectives == variable.collectives) {
        runtimeForms_[i] = form;
        representatives_[i] = representatives_[j];
        sharedBounds_.push_back({form, boundsOf(i)});
        if (recorder_)
          recorder_->add({"the same runtime value",
                          oldName({VariableKind::Runtime, i}),
                          recorder_->text(form), "one source and index"});
        break;
      }
    }
  return runtimeForms_[i];
}

/// Forms are made anew, on this box.
void Simplifier::restart() {
  forms_.restart(box_);
  forms_.foldPoints = options_.foldPoints;
  forms_.recorder = recorder_ ? &*recorder_ : nullptr;
  import_.emplace(parts_, forms_, replace_);
}

/// The runtime variables and constraints: these as the parts give them at
/// first, then as the last round left them. What is canonical in the first map
/// can be adopted once only, while there are no other forms.
void Simplifier::importDomain() {
  runtimeForms_.assign(parts_.runtime.size(), -1);
  representatives_.assign(parts_.runtime.size(), 0);
  indices_.assign(parts_.runtime.size(), {});
  sharedBounds_.clear();
  constraints_.clear();
  if (std::exchange(adopts_, false) && parts_.second &&
      parts_.first->isCanonical())
    importCanonical();
  for (uint32_t i = 0; i < parts_.runtime.size(); ++i) runtimeForm(i);
  if (areGiven_) {
    for (const MapParts::Bounded &c : parts_.constraints)
      constraints_.push_back({(*import_)(c.form), c.bounds});
  } else {
    auto replaceKept = [&](VariableId id) {
      if (id.kind == VariableKind::Runtime) return runtimeForm(id.index);
      return dense_.given(forms_, id, forms_.variable(id), keptSteps_);
    };
    ExpressionImport fromKept(keptForms_, forms_, replaceKept);
    for (const Constraint &c : kept_)
      constraints_.push_back({fromKept(c.form), c.bounds});
  }
  constraints_.append(sharedBounds_.begin(), sharedBounds_.end());
}

/// What is canonical in the first map is so here, where its variables are the
/// same, and is copied as it is.
void Simplifier::importCanonical() {
  if (parts_.runtime.empty()) {
    import_->adoptFirst(pool_);
  } else {
    for (uint32_t i = 0; i < parts_.runtime.size(); ++i)
      if (runtimeForm(i) != pool_.variable({VariableKind::Runtime, i})) return;
    import_->copyFirst(pool_);
  }
  for (FormId form : parts_.first->resultsAndMembers())
    forms_.assumeCanonical((*import_)({PartForm::kFirst, form}));
  for (const Constraint &c : parts_.first->constraints())
    forms_.assumeCanonical((*import_)({PartForm::kFirst, c.form}));
}

/// Whether a constraint may be made of results that were adopted: these are
/// canonical by what the first map's constraints say, and a constraint is to be
/// so by the bounds of variables alone.
bool Simplifier::hasMadeConstraints() {
  if (!parts_.second || parts_.first->constraints().empty()) return false;
  llvm::SmallVector<FormId, 4> given;
  for (const Constraint &c : parts_.first->constraints())
    given.push_back((*import_)({PartForm::kFirst, c.form}));
  return llvm::any_of(constraints_, [&](const Constraint &c) {
    return !llvm::is_contained(given, c.form) &&
           !pool_.isSumOfVariables(c.form);
  });
}

/// Whether the first map is canonical, and the second asks of its results for
/// no more than their bounds say: then its domain is that of the product.
bool Simplifier::leavesFirstDomain() const {
  const IndexingMap &first = *parts_.first;
  return parts_.second && first.isCanonical() && !first.constraints().empty() &&
         parts_.runtime.empty() && asksForNothing(*parts_.second, first);
}

/// The first map's domain and results, as they are. The forms of constraints
/// are canonical by the bounds of variables alone.
void Simplifier::adoptDomain() {
  restart();
  import_->adoptFirst(pool_);
  for (FormId form : parts_.first->resultsAndMembers())
    forms_.assumeCanonical(form);
  constraints_.assign(parts_.first->constraints().begin(),
                      parts_.first->constraints().end());
  addFacts();
}

/// Whether another round, on a box that constraints do not tighten any more,
/// would find what this one found: in sums of variables no fact changes
/// anything, nor do bounds, if they leave more than one value.
bool Simplifier::changesNothing(const Domain &domain) const {
  if (!parts_.runtime.empty()) return false;
  const VariableBounds &after = domain.box();
  for (int kind = 0; kind < 2; ++kind)
    for (size_t i = 0; i < after.variables[kind].size(); ++i)
      if (after.variables[kind][i].isPoint() &&
          !box_.variables[kind][i].isPoint())
        return false;
  return llvm::all_of(domain.constraints(), [&](const Constraint &c) {
    return pool_.isSumOfVariables(c.form);
  });
}

/// Keeps the constraints for the next round, in the variables that there were
/// after as many `steps`.
void Simplifier::keepConstraints(size_t steps) {
  kept_ = constraints_;
  llvm::SmallVector<FormId, 8> forms;
  for (const Constraint &c : kept_) forms.push_back(c.form);
  keptForms_ = FrozenExpressions(pool_, forms);
  for (size_t i = 0; i < forms.size(); ++i) kept_[i].form = forms[i];
  keptSteps_ = steps;
  areGiven_ = false;
}

/// Import, the domain to its fixpoint, results, points, write.
absl::StatusOr<IndexingMap> Simplifier::run() {
  if (box_.isEmpty()) return IndexingMap::knownEmpty();
  const DomainEnd domain = settleDomain();
  if (domain == DomainEnd::Leaves64Bits) return leaves64Bits();
  if (domain == DomainEnd::NoPoint) return withoutPoints();
  areCanonical_ = domain == DomainEnd::Points;
  importResults();
  if (options_.foldPoints) collapseResults();
  if (!parts_.second) keepThoseShorter();
  auto map = write();
  return map.ok() || !keepThoseInside() ? std::move(map) : write();
}

/// Rounds until nothing changes, or until it is seen that bounds creep.
Simplifier::DomainEnd Simplifier::settleDomain() {
  adopts_ = !makeGivenDense();
  delinearization_ = delinearizedProduct(parts_);
  if (delinearization_ && staysInside(parts_)) {
    restart();
    return DomainEnd::Points;
  }
  if (adopts_ && leavesFirstDomain()) {
    adoptDomain();
    return DomainEnd::Points;
  }
  while (rounds_ < kMostRounds)
    if (const DomainEnd end = round(); end != DomainEnd::NotYet) return end;
  return keepGivenDomain();
}

Simplifier::DomainEnd Simplifier::round() {
  restart();
  const bool isAdopted = adopts_;
  importDomain();
  dropWhatHolds();
  if (constraints_.empty()) return DomainEnd::Points;
  if (makeDense(stepsOf(pool_, constraints_)))
    return box_.isEmpty() ? DomainEnd::NoPoint : DomainEnd::NotYet;
  Domain domain(pool_, box_, isFixed_);
  for (const Constraint &c : constraints_) domain.add(c.form, c.bounds);
  domain.propagate();
  if (pool_.overflowed()) return DomainEnd::Leaves64Bits;
  if (!domain.isEmpty()) domain.finish();
  if (domain.isEmpty()) return DomainEnd::NoPoint;
  const bool isTurned = domain.hasTurnedForms() && turns_++ < kMostTurns;
  if (!isTurned) ++rounds_;
  const bool isSettled =
      !domain.hasNewForms() && !isTurned &&
      (box_ == domain.box() || (domain.isSettled() && changesNothing(domain)));
  if (isSettled && domain.isSettled()) domain.dropImplied();
  takeOver(domain);
  const size_t steps = dense_.size();
  if (isSettled && !makeDense(stepsOf(pool_, constraints_)) &&
      !(isAdopted && hasMadeConstraints())) {
    // The constraints are facts for the results; sources must not use them, for
    // they hold outside too.
    restart();
    addFacts();
    const bool isFixed = fixPoints();
    if (forms_.points.areNone()) return DomainEnd::NoPoint;
    if (!isFixed) return DomainEnd::Points;
  }
  if (box_.isEmpty()) return DomainEnd::NoPoint;
  keepConstraints(steps);
  return DomainEnd::NotYet;
}

/// Bounds creep: the domain stays as it was given, or a map that is simplified
/// again would creep on.
Simplifier::DomainEnd Simplifier::keepGivenDomain() {
  box_ = startBox();
  dense_.clear();
  areGiven_ = true;
  restart();
  importDomain();
  if (pool_.overflowed()) return DomainEnd::Leaves64Bits;
  Domain domain(pool_, box_, isFixed_);
  for (const Constraint &c : constraints_) domain.add(c.form, c.bounds);
  if (domain.isEmpty()) return DomainEnd::NoPoint;
  domain.finish();
  constraints_.assign(domain.constraints().begin(), domain.constraints().end());
  restart();
  addFacts();
  return DomainEnd::Given;
}

void Simplifier::dropWhatHolds() {
  llvm::erase_if(constraints_, [&](const Constraint &c) {
    const Interval bounds = forms_.bounds(c.form);
    const bool holds = c.bounds.contains(bounds);
    if (holds && recorder_)
      recorder_->add({"a constraint that always holds", recorder_->text(c), "",
                      recorder_->text(c.form) + " in " + bounds.str()});
    return holds;
  });
}

/// The constraints that remain, with the box_, are the domain from here on.
void Simplifier::takeOver(const Domain &domain) {
  if (recorder_) explainDomain(domain);
  constraints_.assign(domain.constraints().begin(), domain.constraints().end());
  box_ = domain.box();
}

absl::StatusOr<IndexingMap> Simplifier::withoutPoints() {
  // What was made of forms that left 64 bits says nothing.
  if (pool_.overflowed()) return leaves64Bits();
  if (recorder_)
    recorder_->add({"no point is left", recorder_->text(constraints_),
                    "KNOWN EMPTY", "the bounds of the variables"});
  return IndexingMap::knownEmpty();
}

/// The results, and the index that they are the digits of, if they fill it: by
/// another they may have another form than by themselves.
void Simplifier::importResults() {
  auto keepWhole = [&] {
    if (delinearization_ &&
        !isWhole(*delinearization_, forms_, constraints_, results_))
      delinearization_.reset();
  };
  if (delinearization_) {
    Attempt attempt(pool_);
    results_ = digitsOf(*delinearization_, forms_, replace_);
    if (attempt.failed()) delinearization_.reset();
    keepWhole();
  }
  if (!delinearization_) {
    results_.clear();
    for (PartForm form : parts_.results) results_.push_back((*import_)(form));
  }
  for (FormId &form : results_) form = withKnownDigits(forms_, form);
  if (!parts_.second) {
    delinearization_ = delinearized(*parts_.first, forms_, results_);
    keepWhole();
  }
}

/// What the constraints say, of themselves and of what they are made of.
void Simplifier::addFacts() {
  Propagation known(pool_, box_);
  for (const Constraint &c : constraints_) {
    forms_.facts.add(c.form, c.bounds);
    known.tell(c.form, c.bounds);
  }
  known.restart();
  known.run(kMostRounds);
  if (known.isEmpty()) return;
  known.forTightened(
      [&](FormId form, Interval bounds) { forms_.facts.add(form, bounds); });
}

/// Bounds of variables that have one value at all points of the domain.
bool Simplifier::fixPoints() {
  if (llvm::all_of(constraints_, [&](const Constraint &c) {
        return pool_.isSumOfVariables(c.form);
      }))
    return false;
  bool isFixed = false;
  for (const Constraint &c : pointsOf(forms_, box_, constraints_)) {
    const VariableId id = *pool_.asVariable(c.form);
    if (recorder_)
      recorder_->add(
          {"one value at every point", nameNow(id) + " in " + box_[id].str(),
           nameNow(id) + " in " + c.bounds.str(), "all points of the domain"});
    box_[id] = c.bounds;
    isFixed = true;
  }
  return isFixed;
}

/// Results that are constants and variables at all points of the domain.
void Simplifier::collapseResults() {
  const auto simple = collapsed(forms_, box_, constraints_, results_, dense_);
  for (size_t i = 0; i < simple.size(); ++i) {
    if (recorder_ && simple[i] != results_[i])
      recorder_->add({"one variable or value at every point",
                      recorder_->text(results_[i]), recorder_->text(simple[i]),
                      "all points of the domain"});
    results_[i] = simple[i];
  }
}

/// The results as they were given, in what became of their variables, where
/// `isBetter` finds that better, for the reason `why`.
bool Simplifier::keepGiven(
    const char *why,
    llvm::function_ref<bool(FormId given, FormId canonical)> isBetter) {
  auto replace = [&](VariableId id) -> FormId {
    if (id.kind == VariableKind::Runtime) return runtimeForms_[id.index];
    return dense_.given(pool_, id,
                        options_.foldPoints && box_[id].isPoint()
                            ? pool_.constantForm(box_[id].lower)
                            : pool_.variable(id));
  };
  if (pool_.overflowed()) return false;
  PartsImport import(parts_, pool_, replace);
  bool kept = false;
  for (size_t i = 0; i < results_.size(); ++i) {
    Attempt attempt(pool_);
    const FormId given = import(parts_.results[i]);
    if (given == results_[i] || attempt.failed() ||
        !isBetter(given, results_[i]))
      continue;
    if (recorder_)
      recorder_->add(
          {why, recorder_->text(results_[i]), recorder_->text(given), ""});
    results_[i] = given;
    kept = true;
  }
  areCanonical_ &= !kept;
  return kept;
}

/// A canonical form can leave 64 bits where the expression as it was given does
/// not, since constants and bounds of its parts are others.
bool Simplifier::keepThoseInside() {
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  return keepGiven("as it was given, inside 64 bits",
                   [&](FormId, FormId canonical) {
                     return !FormBounds(pool_, boundsOf).check(canonical).ok();
                   });
}

/// And it can be longer, since its digits do not overlap: d0 + d0 floordiv 2 is
/// (d0 floordiv 2) * 3 + d0 mod 2.
void Simplifier::keepThoseShorter() {
  auto hasNeighbours = [&](FormId form) {
    return forms_.measures.hasNeighbours(form);
  };
  if (llvm::none_of(results_, hasNeighbours)) return;
  auto boundsOf = [&](VariableId id) { return box_[id]; };
  auto isShorter = [&](FormId given, FormId canonical) {
    return hasNeighbours(canonical) && !hasNeighbours(given) &&
           pool_.writtenSize(given) < pool_.writtenSize(canonical) &&
           FormBounds(pool_, boundsOf).check(given).ok();
  };
  keepGiven("as it was given, shorter", isShorter);
}

/// Variables that are known to be r mod n become n * q + r.
bool Simplifier::makeDense(llvm::ArrayRef<DenseVariables::Step> steps) {
  llvm::SmallVector<VariableId, 4> done;
  for (const DenseVariables::Step &step : steps) {
    const VariableId id = step.variable;
    // A second step of a variable is one of what the first makes of it.
    if (llvm::is_contained(done, id)) continue;
    const Interval dense = step.dense(box_[id]);
    if (dense.isPoint() && box_[id] != step.given(dense)) {
      box_[id] = step.given(dense);
      done.push_back(id);
    }
    if (dense.isPoint()) continue;
    const std::string before = recorder_ ? nameNow(id) : "";
    if (!dense_.add(step)) continue;
    done.push_back(id);
    box_[id] = dense;
    if (!recorder_) continue;
    const std::string n = std::to_string(step.stride);
    const std::string r = std::to_string(step.start);
    recorder_->add({"a strided variable becomes dense", before,
                    nameNow(id) + " * " + n + " + " + r,
                    before + " mod " + n + " in [" + r + ", " + r + "]"});
  }
  return !done.empty();
}

/// By what the first map says of its variables, before anything is made of
/// them. What leaves no point is left for a round that can say why.
bool Simplifier::makeGivenDense() {
  auto steps =
      stepsOf(parts_.first->expressions(), parts_.first->constraints());
  if (parts_.second)
    for (DenseVariables::Step &step : steps)
      if (step.variable.kind == VariableKind::Range)
        step.variable.index += parts_.second->ranges().size();
  llvm::erase_if(steps, [&](const DenseVariables::Step &step) {
    return step.dense(box_[step.variable]).isEmpty();
  });
  return makeDense(steps);
}

std::string Simplifier::oldName(VariableId id) const {
  const Variable &variable =
      id.kind == VariableKind::Dimension ? parts_.dimensions[id.index]
      : id.kind == VariableKind::Range
          ? parts_.ranges[id.index]
          : static_cast<const Variable &>(parts_.runtime[id.index]);
  return variable.name.empty() ? standardName(id) : variable.name;
}

/// What the variable stands for by now, as text. A dense range variable is its
/// name alone, which it keeps.
std::string Simplifier::nameNow(VariableId id) const {
  auto step = id.kind == VariableKind::Dimension
                  ? dense_.of(id)
                  : std::optional<DenseVariables::Step>();
  if (!step) return oldName(id);
  return "(" + oldName(id) + " floordiv " + std::to_string(step->stride) + ")";
}

/// What becomes of the box and of constraints_.
void Simplifier::explainDomain(const Domain &domain) {
  const VariableBounds &before = box_;
  for (int kind = 0; kind < 3; ++kind)
    for (uint32_t i = 0; i < before.variables[kind].size(); ++i) {
      const Interval &was = before.variables[kind][i];
      const Interval &is = domain.box().variables[kind][i];
      const std::string name =
          nameNow({static_cast<VariableKind>(kind), i}) + " in ";
      recorder_->add({"bounds, by constraints", name + was.str(),
                      name + is.str(), recorder_->text(constraints_)});
    }
  recorder_->addConstraints(constraints_, domain.constraints());
}

absl::StatusOr<IndexingMap> Simplifier::write() {
  if (pool_.overflowed()) return leaves64Bits();
  llvm::SmallVector<Interval, 4> bounds;
  if (!constraints_.empty()) {
    ResultBounds boundsOf(pool_, forms_.facts, constraints_);
    for (FormId form :
         llvm::ArrayRef(results_).drop_back(parts_.collectives.size()))
      bounds.push_back(boundsOf(form));
  }
  return emitted({parts_, pool_, box_, results_, bounds, constraints_, indices_,
                  representatives_, dense_, delinearization_},
                 options_.rename, options_.foldPoints && areCanonical_);
}

}  // namespace

absl::StatusOr<IndexingMap> simplifyParts(MapParts &parts,
                                          const SimplifyOptions &options,
                                          Workspace &workspace) {
  return Simplifier(parts, options, workspace).run();
}

}  // namespace indexical
