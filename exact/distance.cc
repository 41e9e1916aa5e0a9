#include "indexical/exact/distance.h"

namespace indexical {
System withDistance(const System &system, uint32_t variable, FormId form,
                    Interval distance) {
  System spaced;
  spaced.box = system.box;
  auto same = [&](VariableId id) { return spaced.pool.variable(id); };
  ExpressionImport plain(system.pool, spaced.pool, same);
  const FormId other = plain(form);
  const FormId value = spaced.pool.sub(other, spaced.add(distance));
  auto replace = [&](VariableId id) {
    return id.index == variable ? value : spaced.pool.variable(id);
  };
  ExpressionImport import(system.pool, spaced.pool, replace);
  for (const Constraint &c : system.constraints)
    spaced.require(import(c.form), c.bounds);
  spaced.require(value, system.box[variable]);
  for (FormId output : system.outputs) spaced.outputs.push_back(import(output));
  return spaced;
}

}  // namespace indexical
