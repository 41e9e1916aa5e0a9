#include "indexical/program/maps/solved_ranges.h"

#include <cstdlib>
#include <optional>
#include <utility>

#include "indexical/indexing/map_builder.h"

namespace indexical {
namespace {

/// Range `number` times `coefficient` and what else the form has is `value`.
struct Equation {
  uint32_t number;
  int64_t coefficient, value;
  FormId form;
};

/// An equation of which the range is a term, and nothing inside of another one.
std::optional<Equation> equationOf(const IndexingMap &map) {
  const ExpressionTable &table = map.expressions();
  for (const Constraint &c : map.constraints()) {
    if (!c.bounds.isPoint()) continue;
    llvm::SmallVector<int64_t, 4> uses(map.ranges().size(), 0);
    bool hasRuntime = false;
    for (const Term &term : table.terms(c.form)) {
      const Atom &atom = table.atom(term.atom);
      if (const auto id = atom.asVariable()) {
        if (id->kind == VariableKind::Range) ++uses[id->index];
        hasRuntime = hasRuntime || id->kind == VariableKind::Runtime;
      }
      table.visitVariables(atom.operands(), [&](VariableId id) {
        if (id.kind == VariableKind::Range) uses[id.index] += 2;
        hasRuntime = hasRuntime || id.kind == VariableKind::Runtime;
      });
    }
    if (hasRuntime) continue;
    for (const Term &term : table.terms(c.form)) {
      const Atom &atom = table.atom(term.atom);
      const auto id = atom.asVariable();
      if (!id || term.coefficient == INT64_MIN) continue;
      if (id->kind == VariableKind::Range && uses[id->index] == 1)
        return Equation{id->index, term.coefficient, c.bounds.lower, c.form};
    }
  }
  return std::nullopt;
}

absl::StatusOr<IndexingMap> solved(const IndexingMap &map,
                                   const Equation &equation) {
  IndexingMapBuilder b;
  for (const Variable &v : map.dimensions()) b.addDimension(v.bounds, v.name);
  for (uint32_t i = 0; i < map.ranges().size(); ++i)
    if (i != equation.number)
      b.addRange(map.ranges()[i].bounds, map.ranges()[i].name);
  std::optional<FormId> value;
  auto replace = [&](VariableId id) {
    if (id.kind == VariableKind::Range) {
      if (id.index == equation.number)
        return value ? *value : b.pool().constantForm(0);
      if (id.index > equation.number) --id.index;
    }
    return b.pool().variable(id);
  };
  ExpressionImport others(map.expressions(), b.pool(), replace);
  const Expr rest = b.expression(others(equation.form));
  const Expr left = equation.coefficient < 0
                        ? rest - equation.value
                        : b.constant(equation.value) - rest;
  const int64_t step = std::abs(equation.coefficient);
  const Expr range = step == 1 ? left : floorDiv(left, step);
  if (step > 1) b.constraint(mod(left, step), Interval::point(0));
  b.constraint(range, map.ranges()[equation.number].bounds);
  value = range.form();
  ExpressionImport import(map.expressions(), b.pool(), replace);
  for (RuntimeVariable v : map.runtime()) {
    for (FormId &form : v.index) form = import(form);
    b.runtime(std::move(v));
  }
  for (FormId form : map.results()) b.result(b.expression(import(form)));
  for (size_t i = 0; i < map.collectives().size(); ++i)
    b.member(map.collectives()[i], b.expression(import(map.members()[i])));
  for (const Constraint &c : map.constraints())
    if (c.form != equation.form)
      b.constraint(b.expression(import(c.form)), c.bounds);
  return b.build();
}

}  // namespace

absl::StatusOr<IndexingMap> withSolvedRanges(const IndexingMap &map) {
  absl::StatusOr<IndexingMap> next = map;
  while (next.ok() && !next->isKnownEmpty()) {
    const auto equation = equationOf(*next);
    if (!equation) break;
    next = solved(*next, *equation);
  }
  return next;
}

}  // namespace indexical
