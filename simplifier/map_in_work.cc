#include "indexical/simplifier/map_in_work.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

MapInWork::MapInWork(const MapParts &parts, const SimplifyOptions &options,
                     Workspace &workspace)
    : parts(parts),
      options(options),
      pool(workspace.pool()),
      forms(workspace.forms()),
      box(givenBox()) {
  if (options.rewrites)
    recorder.emplace(
        pool, [this](VariableId id) { return nameNow(id); }, *options.rewrites);
}

VariableBounds MapInWork::givenBox() const {
  VariableBounds given;
  for (const Variable &v : parts.dimensions)
    given.variables[0].push_back(v.bounds);
  for (const Variable &v : parts.ranges) given.variables[1].push_back(v.bounds);
  for (const RuntimeVariable &v : parts.runtime)
    given.variables[2].push_back(v.bounds);
  return given;
}

void MapInWork::restart() {
  forms.restart(box);
  forms.foldPoints = options.foldPoints;
  forms.recorder = recorder ? &*recorder : nullptr;
  import_.emplace(parts, forms, replace_);
}

FormId MapInWork::variable(VariableId id, size_t fromStep) {
  if (id.kind == VariableKind::Runtime) return runtimeForm(id.index);
  return dense.given(forms, id, forms.variable(id), fromStep);
}

void MapInWork::forgetRuntime() {
  runtimeForms_.assign(parts.runtime.size(), -1);
  representatives.assign(parts.runtime.size(), 0);
  indices.assign(parts.runtime.size(), {});
  sharedBounds.clear();
}

/// Returns the runtime variable, or the earlier one that has the same value.
/// The bounds of a variable that is not clamped are then constraints on the
/// earlier one. The index is made first.
FormId MapInWork::runtimeForm(uint32_t i) {
  if (runtimeForms_[i] >= 0) return runtimeForms_[i];
  const VariableId id{VariableKind::Runtime, i};
  runtimeForms_[i] = forms.variable(id);
  representatives[i] = i;
  for (PartForm form : parts.indices[i]) {
    const FormId imported = import(form);
    indices[i].push_back(imported);
  }
  for (uint32_t j = 0; j < i; ++j) {
    if (!mayBeSame(i, j)) continue;
    const FormId form = runtimeForm(j);
    if (indices[j] != indices[i] ||
        parts.runtime[j].collectives != parts.runtime[i].collectives)
      continue;
    runtimeForms_[i] = form;
    representatives[i] = representatives[j];
    sharedBounds.push_back({form, forms.bounds(pool.variable(id))});
    if (recorder)
      recorder->add({"the same runtime value", oldName(id),
                     recorder->text(form), "one source and index"});
    break;
  }
  return runtimeForms_[i];
}

/// Whether two have one source and clamp. The bounds are those that are known
/// by now; those of a clamped variable never change.
bool MapInWork::mayBeSame(uint32_t i, uint32_t earlier) {
  const RuntimeVariable &x = parts.runtime[i], &y = parts.runtime[earlier];
  auto boundsOf = [&](uint32_t k) {
    return forms.bounds(pool.variable({VariableKind::Runtime, k}));
  };
  return x.source.kind != RuntimeSource::Kind::None && x.source == y.source &&
         x.clamped == y.clamped &&
         (!x.clamped || boundsOf(earlier) == boundsOf(i));
}

bool MapInWork::haveNoDigits() const {
  return llvm::all_of(constraints, [&](const Constraint &c) {
    return pool.isSumOfVariables(c.form);
  });
}

std::string MapInWork::oldName(VariableId id) const {
  const Variable &variable =
      id.kind == VariableKind::Dimension ? parts.dimensions[id.index]
      : id.kind == VariableKind::Range
          ? parts.ranges[id.index]
          : static_cast<const Variable &>(parts.runtime[id.index]);
  return variable.name.empty() ? standardName(id) : variable.name;
}

std::string MapInWork::nameNow(VariableId id) const {
  auto step = id.kind == VariableKind::Dimension
                  ? dense.of(id)
                  : std::optional<SteppedVariable>();
  if (!step) return oldName(id);
  return "(" + oldName(id) + " floordiv " + std::to_string(step->stride) + ")";
}

}  // namespace indexical
