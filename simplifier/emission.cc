#include "indexical/simplifier/emission.h"

#include <algorithm>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/simplifier/domain.h"
#include "indexical/simplifier/marks.h"

namespace indexical {
namespace {

/// Says which variables are used, by kind and number.
struct UsedVariables {
  explicit UsedVariables(const FoundMap &found);
  /// Whether all used ranges and runtime variables keep their numbers.
  bool keepNumbers() const;
  bool operator[](VariableId id) const {
    return used[static_cast<int>(id.kind)][id.index];
  }
  uint32_t number(VariableId id) const {
    return numbers[static_cast<int>(id.kind)][id.index];
  }

  /// Returns the delinearization in the variables that are left, or nothing if
  /// the index has a variable that is gone or is counted in steps.
  std::optional<Delinearization> delinearization(const FoundMap &found) const;

  llvm::SmallVector<bool, 8> used[3];
  llvm::SmallVector<uint32_t, 8> numbers[3];
};

UsedVariables::UsedVariables(const FoundMap &found) {
  const MapParts &parts = found.parts;
  used[0].assign(parts.dimensions.size(), true);
  used[1].assign(parts.ranges.size(), false);
  used[2].assign(parts.runtime.size(), false);
  auto mark = [&](VariableId id) {
    used[static_cast<int>(id.kind)][id.index] = true;
  };
  llvm::SmallVector<FormId, 16> forms(found.results);
  for (const Constraint &c : found.constraints) forms.push_back(c.form);
  for (uint32_t i = 0; i < parts.runtime.size(); ++i)
    if (parts.runtime[i].restricts(found.box.variables[2][i]))
      used[2][found.representatives[i]] = true;
  found.pool.visitVariables(forms, mark);
  llvm::SmallVector<bool, 8> done(parts.runtime.size(), false);
  for (bool again = true; again;) {
    again = false;
    for (size_t i = 0; i < parts.runtime.size(); ++i) {
      if (!used[2][i] || done[i]) continue;
      done[i] = again = true;
      found.pool.visitVariables(found.indices[i], mark);
    }
  }
  for (int kind = 0; kind < 3; ++kind) {
    uint32_t next = 0;
    for (bool isUsed : used[kind]) numbers[kind].push_back(isUsed ? next++ : 0);
  }
}

bool UsedVariables::keepNumbers() const {
  auto hasGap = [](llvm::ArrayRef<bool> list) {
    return std::adjacent_find(list.begin(), list.end(), [](bool x, bool y) {
             return !x && y;
           }) != list.end();
  };
  return !hasGap(used[1]) && !hasGap(used[2]);
}

std::optional<Delinearization> UsedVariables::delinearization(
    const FoundMap &found) const {
  Delinearization digits = *found.delinearization;
  digits.index.clear();
  for (Delinearization::IndexTerm term : found.delinearization->index) {
    if (found.dense.of(term.variable)) return std::nullopt;
    const Interval &bounds = found.box[term.variable];
    if (bounds.isPoint()) {
      auto value = checkedMul(term.coefficient, bounds.lower);
      auto sum = value ? checkedAdd(digits.constant, *value) : std::nullopt;
      if (!sum) return std::nullopt;
      digits.constant = *sum;
      continue;
    }
    if (!(*this)[term.variable]) return std::nullopt;
    term.variable.index = number(term.variable);
    digits.index.push_back(term);
  }
  return digits;
}

std::string newName(const Variable &variable, VariableId id, uint32_t number,
                    bool rename) {
  if (rename) return "";
  std::string old = variable.name.empty() ? standardName(id) : variable.name;
  return old == standardName({id.kind, number}) ? "" : old;
}

/// Rewrites constraints over dimensions as these were given, sorted and signed
/// anew, and adds the constraints that state the steps.
void restoreSteps(llvm::SmallVectorImpl<Constraint> &constraints,
                  const FoundMap &found, ExpressionPool &pool,
                  GivenDimensions &algebra, const VariableBounds &given) {
  Domain domain(pool, given, [](VariableId) { return true; });
  for (const Constraint &c : constraints) {
    const Constraint whole = algebra.constraint(c);
    domain.add(whole.form, whole.bounds);
  }
  for (uint32_t i = 0; i < found.parts.dimensions.size(); ++i) {
    const VariableId id{VariableKind::Dimension, i};
    auto step = found.dense.of(id);
    if (step && !found.box[id].isPoint())
      domain.add(pool.digit(pool.variable(id), 1, step->stride),
                 Interval::point(step->start));
  }
  domain.sort();
  constraints.assign(domain.constraints().begin(), domain.constraints().end());
}

}  // namespace

absl::StatusOr<IndexingMap> emitted(const FoundMap &found, bool rename,
                                    bool isCanonical) {
  const MapParts &parts = found.parts;
  const UsedVariables used(found);
  VariableBounds given = found.box;
  bool hasDense = false;
  for (uint32_t i = 0; i < parts.dimensions.size(); ++i)
    if (auto step = found.dense.of({VariableKind::Dimension, i})) {
      // A bound that leaves 64 bits becomes open.
      given.variables[0][i] = step->given(given.variables[0][i])
                                  .intersect(parts.dimensions[i].bounds);
      hasDense = true;
    }
  // The forms stay as they are if all variables are what they were.
  const bool isNew = hasDense || !used.keepNumbers();
  ExpressionPool written;
  GivenDimensions algebra(written, found.dense, given);
  IndexingMapBuilder b(isNew ? written : found.pool);
  auto replace = [&](VariableId id) {
    id.index = used.number(id);
    return algebra.variable(id);
  };
  ExpressionImport rewrite(found.pool, algebra, replace);
  auto import = [&](FormId form) { return isNew ? rewrite(form) : form; };
  llvm::SmallVector<Constraint, 4> constraints(found.constraints);
  for (Constraint &c : constraints) c.form = import(c.form);
  if (hasDense) restoreSteps(constraints, found, written, algebra, given);

  for (size_t i = 0; i < parts.dimensions.size(); ++i)
    b.addDimension(given.variables[0][i], parts.dimensions[i].name);
  for (uint32_t i = 0; i < parts.ranges.size(); ++i) {
    const VariableId id{VariableKind::Range, i};
    if (used[id])
      b.addRange(found.box[id],
                 newName(parts.ranges[i], id, used.number(id), rename));
  }
  for (uint32_t i = 0; i < parts.runtime.size(); ++i) {
    const VariableId id{VariableKind::Runtime, i};
    if (!used[id]) continue;
    RuntimeVariable variable = parts.runtime[i];
    variable.bounds = found.box[id];
    variable.name = newName(parts.runtime[i], id, used.number(id), rename);
    variable.index.clear();
    for (FormId form : found.indices[i]) variable.index.push_back(import(form));
    b.runtime(std::move(variable));
  }
  SimplifierMarks marks(b);
  marks.setResultBounds(found.resultBounds);
  const size_t members = parts.collectives.size();
  for (FormId form : found.results.drop_back(members))
    b.result(b.expression(import(form)));
  for (auto [collective, form] :
       llvm::zip(parts.collectives, found.results.take_back(members)))
    b.member(collective, b.expression(import(form)));
  for (const Constraint &c : constraints)
    b.constraint(b.expression(c.form), c.bounds);
  marks.setCanonical(isCanonical && !hasDense);
  if (found.delinearization && isCanonical && !hasDense)
    if (auto digits = used.delinearization(found))
      marks.setDelinearization(*std::move(digits));
  return b.build();
}

}  // namespace indexical
