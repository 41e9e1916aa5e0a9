#include "indexing/composition.h"

#include <string>
#include <utility>

namespace indexical {
namespace {

/// Adds `map`'s expressions and runtime variables, its variables replaced.
void append(const IndexingMap &map, MapParts &parts,
            llvm::function_ref<FormId(VariableId)> replace) {
  ExpressionImport import(map.expressions(), parts.pool, replace);
  for (uint32_t i = 0; i < map.runtime().size(); ++i) {
    RuntimeVariable variable = map.runtime()[i];
    variable.name = map.nameOf({VariableKind::Runtime, i});
    for (FormId &form : variable.index) form = import(form);
    parts.runtime.push_back(std::move(variable));
  }
  for (FormId form : map.resultsAndMembers())
    parts.results.push_back(import(form));
  parts.collectives.append(map.collectives().begin(), map.collectives().end());
  for (const Constraint &c : map.constraints())
    parts.constraints.push_back({import(c.form), c.bounds});
}

/// The members of a map's way, as forms of the product.
struct Way {
  llvm::SmallVector<FormId, 2> members;
  llvm::SmallVector<int64_t, 0> collectives;

  /// Takes the members off the results of `parts`.
  static Way takeOff(MapParts &parts) {
    Way way;
    auto first = parts.results.end() - parts.collectives.size();
    way.members.assign(first, parts.results.end());
    parts.results.erase(first, parts.results.end());
    way.collectives = std::exchange(parts.collectives, {});
    return way;
  }

  void addTo(MapParts &parts) const {
    parts.results.append(members);
    parts.collectives.append(collectives);
  }
  /// What the variables' sources were seen from is reached by this way.
  void goBefore(llvm::MutableArrayRef<RuntimeVariable> variables) const {
    if (members.empty()) return;
    for (RuntimeVariable &variable : variables) {
      if (variable.source.kind == RuntimeSource::Kind::None) continue;
      auto behind = variable.index.end() - variable.collectives.size();
      variable.index.insert(behind, members.begin(), members.end());
      variable.collectives.insert(variable.collectives.begin(),
                                  collectives.begin(), collectives.end());
    }
  }
};

}  // namespace

void takeApart(const IndexingMap &map, MapParts &parts) {
  auto same = [&](VariableId id) { return parts.pool.variable(id); };
  append(map, parts, same);
  parts.dimensions.assign(map.dimensions().begin(), map.dimensions().end());
  parts.ranges.assign(map.ranges().begin(), map.ranges().end());
}

absl::Status composeParts(const IndexingMap &first, const IndexingMap &second,
                          ResultSide side, MapParts &parts) {
  if (first.results().size() != second.dimensions().size())
    return absl::InvalidArgumentError(
        "the first map has " + std::to_string(first.results().size()) +
        " results and the second " +
        std::to_string(second.dimensions().size()) + " dimensions");
  uint32_t rangeShift = second.ranges().size();
  uint32_t runtimeShift = second.runtime().size();
  auto shifted = [&](VariableId id) {
    if (id.kind == VariableKind::Range) id.index += rangeShift;
    if (id.kind == VariableKind::Runtime) id.index += runtimeShift;
    return parts.pool.variable(id);
  };
  append(first, parts, shifted);
  if (first.isCanonical()) {
    parts.canonical.assign(parts.results.begin(), parts.results.end());
    for (const Constraint &c : parts.constraints)
      parts.canonical.push_back(c.form);
  }
  const Way firstWay = Way::takeOff(parts);
  auto middle = std::exchange(parts.results, {});
  auto runtime = std::exchange(parts.runtime, {});
  auto fed = [&](VariableId id) {
    return id.kind == VariableKind::Dimension ? middle[id.index]
                                              : parts.pool.variable(id);
  };
  append(second, parts, fed);
  const Way secondWay = Way::takeOff(parts);
  if (side == ResultSide::First) {
    firstWay.addTo(parts);
    secondWay.addTo(parts);
    firstWay.goBefore(parts.runtime);
  } else {
    secondWay.addTo(parts);
    firstWay.addTo(parts);
    secondWay.goBefore(runtime);
  }
  for (RuntimeVariable &variable : runtime)
    parts.runtime.push_back(std::move(variable));
  for (size_t i = 0; i < middle.size(); ++i)
    parts.constraints.push_back({middle[i], second.dimensions()[i].bounds});
  parts.dimensions.assign(first.dimensions().begin(), first.dimensions().end());
  parts.ranges.assign(second.ranges().begin(), second.ranges().end());
  parts.ranges.append(first.ranges().begin(), first.ranges().end());
  return absl::OkStatus();
}

}  // namespace indexical
