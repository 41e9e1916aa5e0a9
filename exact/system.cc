#include "indexical/exact/system.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {

bool isSemiAffine(const ExpressionTable &table) {
  for (AtomId id = 0; id < table.atomCount(); ++id)
    if (AtomKind kind = table.atom(id).kind; kind == AtomKind::Product ||
                                             kind == AtomKind::Quotient ||
                                             kind == AtomKind::Remainder)
      return true;
  return false;
}

void visitDivisors(const ExpressionTable &table,
                   llvm::function_ref<void(VariableId)> visit) {
  for (AtomId id = 0; id < table.atomCount(); ++id) {
    const Atom &atom = table.atom(id);
    if (atom.kind == AtomKind::Quotient || atom.kind == AtomKind::Remainder)
      table.visitVariables({atom.b}, visit);
  }
}

llvm::SmallVector<bool, 16> variablesThatDivide(const ExpressionTable &table,
                                                size_t count) {
  llvm::SmallVector<bool, 16> divide(count, false);
  visitDivisors(table, [&](VariableId id) { divide[id.index] = true; });
  return divide;
}

size_t flatNumber(const IndexingMap &map, VariableId id) {
  size_t before = 0;
  if (id.kind != VariableKind::Dimension) before += map.dimensions().size();
  if (id.kind == VariableKind::Runtime) before += map.ranges().size();
  return before + id.index;
}

FormId System::add(Interval bounds) {
  box.push_back(bounds);
  return pool.variable(
      {VariableKind::Dimension, static_cast<uint32_t>(box.size() - 1)});
}

System::Forms System::addVariables(const IndexingMap &map) {
  Forms forms;
  for (const Variable &v : map.dimensions()) forms.push_back(add(v.bounds));
  for (const Variable &v : map.ranges()) forms.push_back(add(v.bounds));
  for (const RuntimeVariable &v : map.runtime()) forms.push_back(add(v.bounds));
  return forms;
}

System::Forms System::import(const IndexingMap &map,
                             llvm::ArrayRef<FormId> values,
                             llvm::ArrayRef<FormId> forms) {
  auto replace = [&](VariableId id) { return values[flatNumber(map, id)]; };
  ExpressionImport import(map.expressions(), pool, replace);
  Forms imported;
  for (FormId form : forms) imported.push_back(import(form));
  return imported;
}

System::Forms System::addMap(const IndexingMap &map,
                             llvm::ArrayRef<FormId> given) {
  Forms values(given.begin(), given.end());
  if (isSemiAffine(map.expressions())) boundDivisors(map, values);
  size_t next = 0;
  auto bound = [&](const Variable &v) { require(values[next++], v.bounds); };
  for (const Variable &v : map.dimensions()) bound(v);
  for (const Variable &v : map.ranges()) bound(v);
  for (const RuntimeVariable &v : map.runtime()) bound(v);
  Forms forms;
  for (const Constraint &c : map.constraints()) forms.push_back(c.form);
  forms = import(map, values, forms);
  for (size_t i = 0; i < forms.size(); ++i)
    require(forms[i], map.constraints()[i].bounds);
  return import(map, values, map.resultsAndMembers());
}

/// The bounds of a map's variables keep its divisors from being 0. A value that
/// does not show them is given a variable that does.
void System::boundDivisors(const IndexingMap &map, Forms &values) {
  auto boundsOf = [&](VariableId id) { return box[id.index]; };
  visitDivisors(map.expressions(), [&](VariableId id) {
    FormId &value = values[flatNumber(map, id)];
    if (pool.asVariable(value)) return;
    const Interval bounds = map.variable(id).bounds;
    if (bounds.contains(FormBounds(pool, boundsOf)(value))) return;
    FormId bounded = add(bounds);
    require(pool.sub(bounded, value), Interval::point(0));
    value = bounded;
  });
}

void System::require(FormId form, Interval bounds) {
  if (bounds == Interval::all()) return;
  if (auto variable = pool.asVariable(form)) {
    Interval &known = box[variable->index];
    known = known.intersect(bounds);
    return;
  }
  constraints.push_back({form, bounds});
}

absl::StatusOr<IndexingMap> System::simplified() {
  IndexingMapBuilder b(pool);
  for (Interval bounds : box) b.dimension(bounds);
  for (FormId form : outputs) b.result(b.expression(form));
  for (const Constraint &c : constraints)
    b.constraint(b.expression(c.form), c.bounds);
  INDEXICAL_ASSIGN_OR_RETURN(auto map, b.build());
  return simplify(map);
}

}  // namespace indexical
