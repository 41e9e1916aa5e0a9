#include "simplifier/simplify.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexing/bounds.h"
#include "indexing/composition.h"
#include "indexing/map_builder.h"
#include "simplifier/canonical_form.h"
#include "simplifier/domain.h"
#include "simplifier/proof.h"
#include "simplifier/propagation.h"
#include "simplifier/workspace.h"

namespace indexical {
namespace {

// Bounds become tighter with every round, and most maps need one or two.
constexpr int kMostRounds = 16;

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
          pool_, [this](VariableId id) { return oldName(id); },
          *options.rewrites);
  }

  absl::StatusOr<IndexingMap> run();

 private:
  VariableBounds startBox() const;
  bool isClamped(VariableId id) const {
    return id.kind == VariableKind::Runtime && parts_.runtime[id.index].clamped;
  }
  bool isPlain(FormId form) const;
  bool changesNothing(const VariableBounds &before,
                      const VariableBounds &after) const;
  FormId scaled(ExpressionAlgebra &algebra, VariableId id, FormId variable,
                size_t from = 0) const;
  void restart(const VariableBounds &box);
  void importDomain(bool isFirst, bool adopts);
  void importCanonical();
  void keepConstraints(size_t scales);
  FormId runtimeForm(uint32_t i);
  void addFacts(const VariableBounds &box);
  bool keepGiven(
      const VariableBounds &box, const char *why,
      llvm::function_ref<bool(FormId given, FormId canonical)> isBetter);
  bool keepThoseInside(const VariableBounds &box);
  void keepThoseShorter(const VariableBounds &box);
  bool rescale(VariableBounds &box);
  absl::StatusOr<IndexingMap> emit(const VariableBounds &box);
  void markUsed(const VariableBounds &box);
  std::string oldName(VariableId id) const;
  std::string newName(VariableId id, uint32_t number) const;
  void explainDomain(const Domain &domain, const VariableBounds &before);
  void explainEmptiness();

  MapParts &parts_;
  const SimplifyOptions &options_;
  ExpressionPool &pool_;  // of the canonical forms
  CanonicalForms &forms_;
  std::optional<Recorder> recorder_;
  /// Of the parts, into the forms as they are now.
  std::optional<PartsImport> import_;
  struct {
    Simplifier *self;
    FormId operator()(VariableId id) const {
      if (id.kind == VariableKind::Runtime) return self->runtimeForm(id.index);
      return self->scaled(self->forms_, id, self->forms_.variable(id));
    }
  } replace_{this};
  llvm::SmallVector<FormId, 4> results_;
  bool areCanonical_ = true;  // the results
  llvm::SmallVector<Constraint, 4> constraints_;
  /// The constraints that the last round left, and the forms they stand on.
  llvm::SmallVector<Constraint, 4> kept_;
  FrozenExpressions keptForms_;
  size_t keptScales_ = 0;  // of scales_, those that the forms have seen
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 0> indices_;
  llvm::SmallVector<int64_t, 4> runtimeForms_;  // -1: not yet
  /// What bounds say of runtime variables that are an earlier one.
  llvm::SmallVector<Constraint, 2> sharedBounds_;
  /// Of the variables that are one, the first: its form may be a value.
  llvm::SmallVector<uint32_t, 4> representatives_;
  /// Ranges that were made dense: `range` of the parts is stride * s + start.
  struct Scale {
    uint32_t range;
    int64_t stride, start;
  };
  llvm::SmallVector<Scale, 0> scales_;
  llvm::SmallVector<bool, 8> used_[3];
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

/// A variable of the parts, where `variable` is what became of it: dense by
/// the scales from number `from` on.
FormId Simplifier::scaled(ExpressionAlgebra &algebra, VariableId id,
                          FormId variable, size_t from) const {
  if (id.kind == VariableKind::Range)
    for (const Scale &scale : llvm::reverse(llvm::drop_begin(scales_, from)))
      if (scale.range == id.index)
        variable = algebra.linear({{variable, scale.stride}}, scale.start);
  return variable;
}

/// The runtime variable, or the earlier one that has the same value: the same
/// source, index and clamp. What the bounds of one that is not clamped say is
/// then said of the earlier one. Its index is made first.
FormId Simplifier::runtimeForm(uint32_t i) {
  if (runtimeForms_[i] >= 0) return runtimeForms_[i];
  const RuntimeVariable &variable = parts_.runtime[i];
  // As far as they are known by now: of a clamped variable they never change.
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
void Simplifier::restart(const VariableBounds &box) {
  forms_.restart(box);
  forms_.foldPoints = options_.foldPoints;
  forms_.recorder = recorder_ ? &*recorder_ : nullptr;
  import_.emplace(parts_, forms_, replace_);
}

/// The runtime variables and constraints: these as the parts give them at
/// first, then as the last round left them. What is canonical in the first map
/// can be adopted once only, while there are no other forms.
void Simplifier::importDomain(bool isFirst, bool adopts) {
  runtimeForms_.assign(parts_.runtime.size(), -1);
  representatives_.assign(parts_.runtime.size(), 0);
  indices_.assign(parts_.runtime.size(), {});
  sharedBounds_.clear();
  constraints_.clear();
  if (adopts && parts_.second && parts_.first->isCanonical()) importCanonical();
  for (uint32_t i = 0; i < parts_.runtime.size(); ++i) runtimeForm(i);
  if (isFirst) {
    for (const MapParts::Bounded &c : parts_.constraints)
      constraints_.push_back({(*import_)(c.form), c.bounds});
  } else {
    auto replaceKept = [&](VariableId id) {
      if (id.kind == VariableKind::Runtime) return runtimeForm(id.index);
      return scaled(forms_, id, forms_.variable(id), keptScales_);
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
  uint32_t firstForm = 0, firstAtom = 0;
  if (parts_.runtime.empty()) {
    import_->adoptFirst(pool_);
  } else {
    for (uint32_t i = 0; i < parts_.runtime.size(); ++i)
      if (runtimeForm(i) != pool_.variable({VariableKind::Runtime, i})) return;
    firstForm = pool_.formCount();
    firstAtom = pool_.atomCount();
    import_->copyFirst(pool_);
  }
  forms_.assumeCanonical(firstForm, firstAtom);
}

/// Whether the form is a sum of variables, in which no fact changes anything,
/// nor do bounds, if they leave more than one value.
bool Simplifier::isPlain(FormId form) const {
  return llvm::all_of(pool_.terms(form), [&](const Term &term) {
    return pool_.atom(term.atom).kind == AtomKind::Variable;
  });
}

/// Whether another round, on a box that constraints do not tighten any more,
/// would find what this one found.
bool Simplifier::changesNothing(const VariableBounds &before,
                                const VariableBounds &after) const {
  if (!parts_.runtime.empty()) return false;
  for (int kind = 0; kind < 2; ++kind)
    for (size_t i = 0; i < after.variables[kind].size(); ++i)
      if (after.variables[kind][i].isPoint() &&
          !before.variables[kind][i].isPoint())
        return false;
  return llvm::all_of(constraints_,
                      [&](const Constraint &c) { return isPlain(c.form); });
}

/// Keeps the constraints for the next round, in the variables that there were
/// after as many `scales`.
void Simplifier::keepConstraints(size_t scales) {
  kept_ = constraints_;
  llvm::SmallVector<FormId, 8> forms;
  for (const Constraint &c : kept_) forms.push_back(c.form);
  keptForms_ = FrozenExpressions(pool_, forms);
  for (size_t i = 0; i < forms.size(); ++i) kept_[i].form = forms[i];
  keptScales_ = scales;
}

absl::StatusOr<IndexingMap> Simplifier::run() {
  auto isFixed = [&](VariableId id) { return isClamped(id); };
  VariableBounds box = startBox();
  if (box.isEmpty()) return IndexingMap::knownEmpty();
  bool isCurrent = false;  // forms stand on the box, and nothing else is known
  for (int round = 0;; ++round) {
    if (round == kMostRounds) {
      // Bounds creep: the domain stays as it was given, or a map that is
      // simplified again would creep on.
      box = startBox();
      scales_.clear();
      restart(box);
      importDomain(/*isFirst=*/true, /*adopts=*/false);
      if (pool_.overflowed()) return leaves64Bits();
      Domain domain(pool_, box, isFixed);
      for (const Constraint &c : constraints_) domain.add(c.form, c.bounds);
      if (domain.isEmpty()) return IndexingMap::knownEmpty();
      domain.finish();
      constraints_.assign(domain.constraints().begin(),
                          domain.constraints().end());
      break;
    }
    restart(box);
    importDomain(round == 0, round == 0);
    llvm::erase_if(constraints_, [&](const Constraint &c) {
      const bool holds = c.bounds.contains(forms_.bounds(c.form));
      if (holds && recorder_)
        recorder_->add(
            {"a constraint that always holds", recorder_->text(c), "",
             recorder_->text(c.form) + " in " + forms_.bounds(c.form).str()});
      return holds;
    });
    if (constraints_.empty()) {
      isCurrent = true;
      break;
    }
    Domain domain(pool_, box, isFixed);
    for (const Constraint &c : constraints_) domain.add(c.form, c.bounds);
    domain.propagate();
    if (pool_.overflowed()) return leaves64Bits();
    if (domain.isEmpty()) {
      if (recorder_) explainEmptiness();
      return IndexingMap::knownEmpty();
    }
    domain.finish();
    if (recorder_) explainDomain(domain, box);
    // The constraints that remain, with the box, are the domain from here on.
    constraints_.assign(domain.constraints().begin(),
                        domain.constraints().end());
    bool settled = !domain.hasNewForms() &&
                   (box == domain.box() ||
                    (domain.isSettled() && changesNothing(box, domain.box())));
    box = domain.box();
    const size_t scales = scales_.size();
    if (settled && !rescale(box)) break;
    keepConstraints(scales);
  }
  // The constraints are facts for the results; sources must not use them, for
  // they hold outside too.
  if (!isCurrent) {
    restart(box);
    addFacts(box);
  }
  for (PartForm form : parts_.results) results_.push_back((*import_)(form));
  if (!parts_.second) keepThoseShorter(box);
  auto map = emit(box);
  if (map.ok() || !keepThoseInside(box)) return map;
  return emit(box);
}

/// What the constraints say, of themselves and of what they are made of.
void Simplifier::addFacts(const VariableBounds &box) {
  constexpr int kMostRounds = 16;
  Propagation known(pool_, box);
  for (const Constraint &c : constraints_) {
    forms_.addFact(c.form, c.bounds);
    known.tell(c.form, c.bounds);
  }
  known.restart();
  known.run(kMostRounds);
  if (known.isEmpty()) return;
  known.forTightened(
      [&](FormId form, Interval bounds) { forms_.addFact(form, bounds); });
}

/// The results as they were given, in what became of their variables, where
/// `isBetter` finds that better, for the reason `why`.
bool Simplifier::keepGiven(
    const VariableBounds &box, const char *why,
    llvm::function_ref<bool(FormId given, FormId canonical)> isBetter) {
  auto replace = [&](VariableId id) -> FormId {
    if (id.kind == VariableKind::Runtime) return runtimeForms_[id.index];
    return scaled(pool_, id,
                  options_.foldPoints && box[id].isPoint()
                      ? pool_.constantForm(box[id].lower)
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
/// not: d0 floordiv -8 on [0, 2^63 - 3].
bool Simplifier::keepThoseInside(const VariableBounds &box) {
  auto boundsOf = [&](VariableId id) { return box[id]; };
  return keepGiven(box, "as it was given, inside 64 bits",
                   [&](FormId, FormId canonical) {
                     return !FormBounds(pool_, boundsOf).check(canonical).ok();
                   });
}

/// And it can be longer, since its digits do not overlap: d0 + d0 floordiv 2 is
/// (d0 floordiv 2) * 3 + d0 mod 2.
void Simplifier::keepThoseShorter(const VariableBounds &box) {
  auto hasNeighbours = [&](FormId form) { return forms_.hasNeighbours(form); };
  if (llvm::none_of(results_, hasNeighbours)) return;
  auto boundsOf = [&](VariableId id) { return box[id]; };
  auto isShorter = [&](FormId given, FormId canonical) {
    return hasNeighbours(canonical) && !hasNeighbours(given) &&
           pool_.writtenSize(given) < pool_.writtenSize(canonical) &&
           FormBounds(pool_, boundsOf).check(given).ok();
  };
  keepGiven(box, "as it was given, shorter", isShorter);
}

/// A range variable that is known to be r mod n becomes n * s + r, dense.
bool Simplifier::rescale(VariableBounds &box) {
  for (const Constraint &c : constraints_) {
    auto atom = pool_.asAtom(c.form);
    if (!atom || !c.bounds.isPoint()) continue;
    const Atom &digit = pool_.atom(*atom);
    if (digit.kind != AtomKind::Digit || digit.stride != 1) continue;
    auto strided = pool_.asVariable(digit.a);
    if (!strided || strided->kind != VariableKind::Range) continue;
    int64_t n = digit.modulus, r = c.bounds.lower;
    if (recorder_) {
      const std::string name = oldName(*strided);
      recorder_->add(
          {"a strided range variable becomes dense", name,
           name + " * " + std::to_string(n) + " + " + std::to_string(r),
           recorder_->text(c)});
    }
    scales_.push_back({strided->index, n, r});
    box[*strided] = (box[*strided] - Interval::point(r)).preimageOfMul(n);
    return true;
  }
  return false;
}

void Simplifier::markUsed(const VariableBounds &box) {
  used_[0].assign(parts_.dimensions.size(), true);
  used_[1].assign(parts_.ranges.size(), false);
  used_[2].assign(parts_.runtime.size(), false);
  auto mark = [&](VariableId id) {
    used_[static_cast<int>(id.kind)][id.index] = true;
  };
  llvm::SmallVector<FormId, 16> forms(results_.begin(), results_.end());
  for (const Constraint &c : constraints_) forms.push_back(c.form);
  for (uint32_t i = 0; i < parts_.runtime.size(); ++i)
    if (parts_.runtime[i].restricts(box.variables[2][i]))
      used_[2][representatives_[i]] = true;
  pool_.visitVariables(forms, mark);
  llvm::SmallVector<bool, 8> done(parts_.runtime.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < parts_.runtime.size(); ++i) {
      if (!used_[2][i] || done[i]) continue;
      done[i] = again = true;
      pool_.visitVariables(indices_[i], mark);
    }
  }
}

std::string Simplifier::oldName(VariableId id) const {
  const Variable &variable =
      id.kind == VariableKind::Dimension ? parts_.dimensions[id.index]
      : id.kind == VariableKind::Range
          ? parts_.ranges[id.index]
          : static_cast<const Variable &>(parts_.runtime[id.index]);
  return variable.name.empty() ? standardName(id) : variable.name;
}

void Simplifier::explainEmptiness() {
  recorder_->add({"no point is left", recorder_->text(constraints_),
                  "KNOWN EMPTY", "the bounds of the variables"});
}

/// What became of the box and of constraints_, which are as they were before.
void Simplifier::explainDomain(const Domain &domain,
                               const VariableBounds &before) {
  for (int kind = 0; kind < 3; ++kind)
    for (uint32_t i = 0; i < before.variables[kind].size(); ++i) {
      const Interval &was = before.variables[kind][i];
      const Interval &is = domain.box().variables[kind][i];
      const std::string name =
          oldName({static_cast<VariableKind>(kind), i}) + " in ";
      recorder_->add({"bounds, by constraints", name + was.str(),
                      name + is.str(), recorder_->text(constraints_)});
    }
  auto without = [](llvm::ArrayRef<Constraint> all,
                    llvm::ArrayRef<Constraint> others) {
    llvm::SmallVector<Constraint, 4> left;
    for (const Constraint &c : all)
      if (llvm::none_of(others, [&](const Constraint &o) {
            return o.form == c.form && o.bounds == c.bounds;
          }))
        left.push_back(c);
    return left;
  };
  const auto gone = without(constraints_, domain.constraints());
  const auto fresh = without(domain.constraints(), constraints_);
  if (!gone.empty())
    recorder_->add({fresh.empty() ? "constraints that the bounds imply"
                                  : "constraints, in one form",
                    recorder_->text(gone), recorder_->text(fresh), ""});
}

std::string Simplifier::newName(VariableId id, uint32_t number) const {
  const Variable &variable =
      id.kind == VariableKind::Range
          ? parts_.ranges[id.index]
          : static_cast<const Variable &>(parts_.runtime[id.index]);
  if (options_.rename) return "";
  std::string old = variable.name.empty() ? standardName(id) : variable.name;
  return old == standardName({id.kind, number}) ? "" : old;
}

absl::StatusOr<IndexingMap> Simplifier::emit(const VariableBounds &box) {
  markUsed(box);
  llvm::SmallVector<uint32_t, 8> number[3];
  for (int kind = 0; kind < 3; ++kind) {
    uint32_t next = 0;
    for (bool used : used_[kind]) number[kind].push_back(used ? next++ : 0);
  }
  if (pool_.overflowed()) return leaves64Bits();
  // The forms as they are, where all variables keep their numbers.
  auto hasGap = [](llvm::ArrayRef<bool> used) {
    return std::adjacent_find(used.begin(), used.end(), [](bool x, bool y) {
             return !x && y;
           }) != used.end();
  };
  const bool renumbers = hasGap(used_[1]) || hasGap(used_[2]);
  ExpressionPool renumbered;
  IndexingMapBuilder b(renumbers ? renumbered : pool_);
  auto replace = [&](VariableId id) {
    id.index = number[static_cast<int>(id.kind)][id.index];
    return renumbered.variable(id);
  };
  ExpressionImport renumber(pool_, renumbered, replace);
  auto import = [&](FormId form) { return renumbers ? renumber(form) : form; };
  for (size_t i = 0; i < parts_.dimensions.size(); ++i)
    b.dimension(box.variables[0][i], parts_.dimensions[i].name);
  for (uint32_t i = 0; i < parts_.ranges.size(); ++i)
    if (used_[1][i])
      b.range(box.variables[1][i],
              newName({VariableKind::Range, i}, number[1][i]));
  for (uint32_t i = 0; i < parts_.runtime.size(); ++i) {
    if (!used_[2][i]) continue;
    RuntimeVariable variable = parts_.runtime[i];
    variable.bounds = box.variables[2][i];
    variable.name = newName({VariableKind::Runtime, i}, number[2][i]);
    variable.index.clear();
    for (FormId form : indices_[i]) variable.index.push_back(import(form));
    b.runtime(std::move(variable));
  }
  const size_t members = parts_.collectives.size();
  for (FormId form : llvm::ArrayRef(results_).drop_back(members))
    b.result(b.expression(import(form)));
  for (size_t i = 0; i < members; ++i)
    b.member(parts_.collectives[i],
             b.expression(import(results_[results_.size() - members + i])));
  for (const Constraint &c : constraints_)
    b.constraint(b.expression(import(c.form)), c.bounds);
  b.setCanonical(options_.foldPoints && areCanonical_);
  return b.build();
}

bool hasStandardNames(const IndexingMap &map) {
  auto isStandard = [](const Variable &v) { return v.name.empty(); };
  return llvm::all_of(map.ranges(), isStandard) &&
         llvm::all_of(map.runtime(), isStandard);
}

absl::StatusOr<IndexingMap> simplifyByForms(const IndexingMap &map,
                                            const SimplifyOptions &options) {
  // What stays as it was given may be shorter by itself.
  constexpr int kMostTimes = 4;
  absl::StatusOr<IndexingMap> simple = map;
  for (int i = 0; i < kMostTimes; ++i) {
    if (simple->isKnownEmpty() ||
        (simple->isCanonical() && options.foldPoints &&
         (!options.rename || hasStandardNames(*simple))))
      return simple;
    const IndexingMap before = *simple;
    MapParts parts;
    takeApart(before, parts);
    Workspace workspace;
    simple = Simplifier(parts, options, workspace).run();
    if (!simple.ok() || !options.foldPoints || *simple == before) break;
  }
  return simple;
}

}  // namespace

absl::StatusOr<IndexingMap> simplify(const IndexingMap &map,
                                     const SimplifyOptions &options) {
  auto simple = simplifyByForms(map, options);
  // What was proven can show more.
  constexpr int kMostProofs = 4;
  for (int i = 0; options.prover && simple.ok() && i < kMostProofs; ++i) {
    auto next = proven(*simple, *options.prover);
    if (!next.ok() || *next == *simple) break;
    if (options.rewrites) explainProof(*simple, *next, *options.rewrites);
    simple = simplifyByForms(*next, options);
  }
  return simple;
}

absl::StatusOr<IndexingMap> compose(const IndexingMap &first,
                                    const IndexingMap &second,
                                    ResultSide side) {
  if (first.isKnownEmpty() || second.isKnownEmpty())
    return IndexingMap::knownEmpty();
  MapParts parts;
  if (auto status = composeParts(first, second, side, parts); !status.ok())
    return status;
  SimplifyOptions options;
  options.rename = true;
  Workspace workspace;
  return Simplifier(parts, options, workspace).run();
}

absl::StatusOr<IndexingRelation> compose(const IndexingRelation &first,
                                         const IndexingRelation &second,
                                         ResultSide side) {
  IndexingRelation product;
  for (const IndexingMap &a : first.pieces())
    for (const IndexingMap &b : second.pieces()) {
      auto piece = compose(a, b, side);
      if (!piece.ok()) return piece.status();
      product.add(*std::move(piece));
    }
  product.weaken(std::min(first.precision(), second.precision()));
  return product;
}

}  // namespace indexical
