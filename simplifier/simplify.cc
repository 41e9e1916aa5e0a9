#include "simplifier/simplify.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexing/bounds.h"
#include "indexing/composition.h"
#include "indexing/map_builder.h"
#include "simplifier/canonical_form.h"
#include "simplifier/domain.h"
#include "simplifier/proof.h"

namespace indexical {
namespace {

// Bounds become tighter with every round, and most maps need one or two.
constexpr int kMostRounds = 16;

class Simplifier {
 public:
  Simplifier(MapParts &parts, const SimplifyOptions &options)
      : parts_(parts), options_(options) {}

  absl::StatusOr<IndexingMap> run();

 private:
  void shareBounds();
  VariableBounds startBox() const;
  bool isClamped(VariableId id) const {
    return id.kind == VariableKind::Runtime && parts_.runtime[id.index].clamped;
  }
  void importAll(CanonicalForms &forms);
  void importCanonical(CanonicalForms &forms, ExpressionImport &import);
  void importResults(CanonicalForms &forms);
  FormId runtimeForm(CanonicalForms &forms, ExpressionImport &import,
                     uint32_t i);
  bool keepPlain(const VariableBounds &box);
  bool rescale(VariableBounds &box);
  absl::StatusOr<IndexingMap> emit(const VariableBounds &box);
  void markUsed(const VariableBounds &box);
  std::string newName(VariableId id, uint32_t number) const;

  MapParts &parts_;
  const SimplifyOptions &options_;
  ExpressionPool pool_;  // of the canonical forms
  llvm::SmallVector<FormId, 4> results_;
  llvm::SmallVector<Constraint, 4> constraints_;
  llvm::SmallVector<llvm::SmallVector<FormId, 2>, 0> indices_;
  llvm::SmallVector<int64_t, 4> runtimeForms_;  // -1: not yet
  /// Of the variables that are one, the first: its form may be a value.
  llvm::SmallVector<uint32_t, 4> representatives_;
  llvm::SmallVector<bool, 8> used_[3];
};

/// Bounds of variables that are not clamped say where the map holds: those of
/// one size, or scalar, all hold. (That indices are equal may be seen later
/// only.)
void Simplifier::shareBounds() {
  auto isOne = [](const RuntimeVariable &a, const RuntimeVariable &b) {
    return a.source == b.source && !a.clamped && !b.clamped &&
           a.index.empty() && b.index.empty();
  };
  for (size_t i = 0; i < parts_.runtime.size(); ++i) {
    RuntimeVariable &variable = parts_.runtime[i];
    if (variable.source.kind == RuntimeSource::Kind::None) continue;
    for (size_t j = 0; j < i; ++j)
      if (isOne(variable, parts_.runtime[j]))
        variable.bounds = parts_.runtime[j].bounds =
            variable.bounds.intersect(parts_.runtime[j].bounds);
  }
}

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
/// source, index, clamp and bounds. Its index is made first.
FormId Simplifier::runtimeForm(CanonicalForms &forms, ExpressionImport &import,
                               uint32_t i) {
  if (runtimeForms_[i] >= 0) return runtimeForms_[i];
  const RuntimeVariable &variable = parts_.runtime[i];
  // As far as they are known by now: of a clamped variable they never change.
  auto boundsOf = [&](uint32_t k) {
    return forms.bounds(pool_.variable({VariableKind::Runtime, k}));
  };
  runtimeForms_[i] = forms.variable({VariableKind::Runtime, i});
  representatives_[i] = i;
  for (FormId form : variable.index) indices_[i].push_back(import(form));
  if (variable.source.kind != RuntimeSource::Kind::None)
    for (uint32_t j = 0; j < i; ++j) {
      const RuntimeVariable &other = parts_.runtime[j];
      if (!(other.source == variable.source) ||
          other.clamped != variable.clamped || boundsOf(j) != boundsOf(i))
        continue;
      FormId form = runtimeForm(forms, import, j);
      if (indices_[j] == indices_[i] &&
          other.collectives == variable.collectives) {
        runtimeForms_[i] = form;
        representatives_[i] = representatives_[j];
        break;
      }
    }
  return runtimeForms_[i];
}

void Simplifier::importAll(CanonicalForms &forms) {
  runtimeForms_.assign(parts_.runtime.size(), -1);
  representatives_.assign(parts_.runtime.size(), 0);
  indices_.assign(parts_.runtime.size(), {});
  ExpressionImport *self = nullptr;
  auto replace = [&](VariableId id) {
    if (id.kind != VariableKind::Runtime) return forms.variable(id);
    return runtimeForm(forms, *self, id.index);
  };
  ExpressionImport import(parts_.pool, forms, replace);
  self = &import;
  if (!parts_.canonical.empty()) importCanonical(forms, import);
  results_.clear();
  constraints_.clear();
  for (FormId form : parts_.results) results_.push_back(import(form));
  for (const Constraint &c : parts_.constraints)
    constraints_.push_back({import(c.form), c.bounds});
  for (uint32_t i = 0; i < parts_.runtime.size(); ++i)
    if (parts_.runtime[i].restricts(
            forms.bounds(pool_.variable({VariableKind::Runtime, i}))))
      runtimeForm(forms, import, i);
}

/// Forms that are known to be canonical are copied as they are.
void Simplifier::importCanonical(CanonicalForms &forms,
                                 ExpressionImport &import) {
  uint32_t firstForm = pool_.formCount(), firstAtom = pool_.atomCount();
  auto replace = [&](VariableId id) {
    if (id.kind != VariableKind::Runtime) return forms.variable(id);
    return runtimeForm(forms, import, id.index);
  };
  ExpressionImport copy(parts_.pool, pool_, replace);
  for (FormId form : parts_.canonical) import.seed(form, copy(form));
  forms.assumeCanonical(firstForm, firstAtom);
}

/// The results alone, where the constraints are facts: sources must not use
/// them, for they hold outside too.
void Simplifier::importResults(CanonicalForms &forms) {
  auto replace = [&](VariableId id) -> FormId {
    if (id.kind != VariableKind::Runtime) return forms.variable(id);
    return runtimeForms_[id.index];
  };
  ExpressionImport import(parts_.pool, forms, replace);
  for (size_t i = 0; i < results_.size(); ++i)
    results_[i] = import(parts_.results[i]);
}

absl::StatusOr<IndexingMap> Simplifier::run() {
  auto isFixed = [&](VariableId id) { return isClamped(id); };
  shareBounds();
  VariableBounds box = startBox();
  if (box.isEmpty()) return IndexingMap::knownEmpty();
  llvm::SmallVector<Constraint, 4> remaining;
  for (int round = 0; round < kMostRounds; ++round) {
    CanonicalForms forms(pool_, box);
    forms.foldPoints = options_.foldPoints;
    importAll(forms);
    if (constraints_.empty()) break;
    Domain domain(pool_, box, isFixed);
    for (const Constraint &c : constraints_) domain.add(c.form, c.bounds);
    domain.propagate();
    if (domain.isEmpty()) return IndexingMap::knownEmpty();
    domain.finish();
    bool settled = domain.box() == box;
    box = domain.box();
    if (!settled) parts_.canonical.clear();
    remaining.assign(domain.constraints().begin(), domain.constraints().end());
    // The constraints that remain, with the box, are the domain from here on.
    parts_.constraints.clear();
    auto same = [&](VariableId id) { return parts_.pool.variable(id); };
    ExpressionImport back(pool_, parts_.pool, same);
    for (const Constraint &c : remaining)
      parts_.constraints.push_back({back(c.form), c.bounds});
    if (settled && !domain.hasNewForms() && !rescale(box)) break;
  }
  if (!remaining.empty()) {
    CanonicalForms forms(pool_, box);
    forms.foldPoints = options_.foldPoints;
    for (const Constraint &c : remaining) forms.addFact(c.form, c.bounds);
    importResults(forms);
  }
  constraints_ = remaining;
  auto map = emit(box);
  if (map.ok() || !keepPlain(box)) return map;
  return emit(box);
}

/// A canonical form can leave 64 bits where the expression as it was given does
/// not: d0 floordiv -8 on [0, 2^63 - 3]. Such results stay as they were given.
bool Simplifier::keepPlain(const VariableBounds &box) {
  auto boundsOf = [&](VariableId id) { return box[id]; };
  auto same = [&](VariableId id) -> FormId {
    return id.kind == VariableKind::Runtime ? runtimeForms_[id.index]
                                            : pool_.variable(id);
  };
  if (pool_.overflowed() || parts_.pool.overflowed()) return false;
  ExpressionImport import(parts_.pool, pool_, same);
  bool kept = false;
  for (size_t i = 0; i < results_.size(); ++i) {
    if (FormBounds(pool_, boundsOf).check(results_[i]).ok()) continue;
    results_[i] = import(parts_.results[i]);
    kept = true;
  }
  return kept;
}

/// A range variable that is known to be r mod n becomes n * s + r, dense.
bool Simplifier::rescale(VariableBounds &box) {
  for (const Constraint &c : parts_.constraints) {
    auto atom = parts_.pool.asAtom(c.form);
    if (!atom || !c.bounds.isPoint()) continue;
    Atom digit = parts_.pool.atom(*atom);
    if (digit.kind != AtomKind::Digit || digit.stride != 1) continue;
    auto strided = parts_.pool.asVariable(digit.a);
    if (!strided || strided->kind != VariableKind::Range) continue;
    int64_t n = digit.modulus, r = c.bounds.lower;
    auto dense = [&](VariableId id) {
      FormId form = parts_.pool.variable(id);
      return id == *strided ? parts_.pool.linear({{form, n}}, r) : form;
    };
    ExpressionPool from = parts_.pool;
    ExpressionImport import(from, parts_.pool, dense);
    for (FormId &form : parts_.results) form = import(form);
    for (RuntimeVariable &variable : parts_.runtime)
      for (FormId &form : variable.index) form = import(form);
    for (Constraint &other : parts_.constraints)
      other.form = import(other.form);
    parts_.canonical.clear();
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
  if (pool_.overflowed() || parts_.pool.overflowed())
    return absl::OutOfRangeError(
        "arithmetic on the map's constants leaves the range of 64-bit "
        "integers");
  IndexingMapBuilder b;
  auto replace = [&](VariableId id) {
    id.index = number[static_cast<int>(id.kind)][id.index];
    return b.pool().variable(id);
  };
  ExpressionImport import(pool_, b.pool(), replace);
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
  b.setCanonical(options_.foldPoints);
  return b.build();
}

bool hasStandardNames(const IndexingMap &map) {
  auto isStandard = [](const Variable &v) { return v.name.empty(); };
  return llvm::all_of(map.ranges(), isStandard) &&
         llvm::all_of(map.runtime(), isStandard);
}

}  // namespace

namespace {

absl::StatusOr<IndexingMap> simplifyByForms(const IndexingMap &map,
                                            const SimplifyOptions &options) {
  if (map.isCanonical() && options.foldPoints &&
      (!options.rename || hasStandardNames(map)))
    return map;
  if (map.isKnownEmpty()) return map;
  MapParts parts;
  takeApart(map, parts);
  return Simplifier(parts, options).run();
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
  return Simplifier(parts, options).run();
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
