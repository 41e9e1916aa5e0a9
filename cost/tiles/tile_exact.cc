// Exact tiles: a progression for each result, under conditions.
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/tiles/atom_runs.h"
#include "indexical/cost/tiles/tile_analysis.h"
#include "indexical/cost/tiles/tile_constraints.h"
#include "indexical/cost/tiles/tile_uses.h"

namespace indexical {
namespace {

/// Returns the values of a result, without the constraints.
std::optional<Progression> valuesOf(FormId result, TileForms &f, AtomRuns &runs,
                                    TileConditions &conditions) {
  const RunSum sum = runs.sumOf(result);
  if (runs.hasFailed()) return std::nullopt;
  TileRunConditions law(f);
  const auto values = progressionOf(f, sum, law);
  if (!values) conditions.fail();
  if (!values || !conditions.require(law)) return std::nullopt;
  return values;
}

}  // namespace

std::optional<TileProgressions> exactTile(TileVariables &variables,
                                          TileConditions &conditions) {
  TileForms &f = variables.forms();
  const IndexingMap &map = variables.map();
  const TileUses uses(map);
  if (!requireSingleValues(variables, uses, conditions)) return std::nullopt;
  AtomRuns runs(variables, uses, conditions);
  const auto bounds = constrained(variables, uses, runs, conditions);
  if (!bounds) return std::nullopt;
  TileProgressions parts;
  for (size_t j = 0; j < map.results().size(); ++j) {
    conditions.blameResult(j);
    auto values = valuesOf(map.results()[j], f, runs, conditions);
    if (!values) return std::nullopt;
    for (const TileResultBounds &own : *bounds) {
      if (own.result != j || !(own.lower || own.upper)) continue;
      values = clipped(f, *values, own.lower, own.upper);
      if (!values) {
        conditions.fail();
        return std::nullopt;
      }
    }
    parts.push_back(*values);
  }
  if (!conditions.applyGates(parts) || f.hasFailed()) return std::nullopt;
  const bool areShort = llvm::all_of(parts, [&](const Progression &p) {
    return f.areShort({p.first, p.count});
  });
  if (!areShort || !conditions.someSizesMeetAll()) return std::nullopt;
  return parts;
}

std::optional<FormId> isScalarRead(TileVariables &variables) {
  TileForms &f = variables.forms();
  TileConditions conditions(variables);
  const TileUses uses(variables.map());
  if (!requireSingleValues(variables, uses, conditions)) return std::nullopt;
  AtomRuns runs(variables, uses, conditions);
  if (!constrained(variables, uses, runs, conditions) ||
      !conditions.zeros().empty() || runs.hasFailed())
    return std::nullopt;
  Progression read{f.number(0), f.number(1), f.number(1)};
  conditions.applyGates(read);
  if (f.hasFailed() || !f.areShort(read.count)) return std::nullopt;
  return read.count;
}

}  // namespace indexical
