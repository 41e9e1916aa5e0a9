#include "indexical/indexing/composition.h"

#include <string>
#include <utility>

#include "indexical/indexing/bounds.h"

namespace indexical {
namespace {

/// Appends `map`'s runtime variables.
void appendRuntime(const IndexingMap &map, PartForm::Map which,
                   MapParts &parts) {
  for (const RuntimeVariable &from : map.runtime()) {
    parts.runtime.push_back(from);
    parts.runtime.back().index.clear();
    auto &index = parts.indices.emplace_back();
    for (FormId form : from.index) index.push_back({which, form});
  }
}

void appendConstraints(const IndexingMap &map, PartForm::Map which,
                       MapParts &parts) {
  for (const Constraint &c : map.constraints())
    parts.constraints.push_back({{which, c.form}, c.bounds});
}

void appendMembers(const IndexingMap &map, PartForm::Map which,
                   MapParts &parts) {
  for (FormId form : map.members()) parts.results.push_back({which, form});
  parts.collectives.append(map.collectives().begin(), map.collectives().end());
}

/// Prepends the collectives and members of `map` to those of the runtime
/// variables [first, last): the device that their paths start from is reached
/// through `map`.
void goBefore(const IndexingMap &map, PartForm::Map which, size_t first,
              size_t last, MapParts &parts) {
  llvm::SmallVector<PartForm, 2> members;
  for (FormId form : map.members()) members.push_back({which, form});
  if (members.empty()) return;
  for (size_t i = first; i < last; ++i) {
    RuntimeVariable &variable = parts.runtime[i];
    if (variable.source.kind == RuntimeSource::Kind::None) continue;
    auto &index = parts.indices[i];
    index.insert(index.end() - variable.collectives.size(), members.begin(),
                 members.end());
    variable.collectives.insert(variable.collectives.begin(),
                                map.collectives().begin(),
                                map.collectives().end());
  }
}

}  // namespace

void takeApart(const IndexingMap &map, MapParts &parts) {
  parts.first = &map;
  parts.dimensions.assign(map.dimensions().begin(), map.dimensions().end());
  parts.ranges.assign(map.ranges().begin(), map.ranges().end());
  appendRuntime(map, PartForm::kFirst, parts);
  for (FormId form : map.results())
    parts.results.push_back({PartForm::kFirst, form});
  appendMembers(map, PartForm::kFirst, parts);
  appendConstraints(map, PartForm::kFirst, parts);
}

absl::Status composeParts(const IndexingMap &first, const IndexingMap &second,
                          ResultSide side, MapParts &parts) {
  if (first.results().size() != second.dimensions().size())
    return absl::InvalidArgumentError(
        "the first map has " + std::to_string(first.results().size()) +
        " results and the second " +
        std::to_string(second.dimensions().size()) + " dimensions");
  constexpr auto kFirst = PartForm::kFirst, kSecond = PartForm::kSecond;
  parts.first = &first;
  parts.second = &second;
  parts.dimensions.assign(first.dimensions().begin(), first.dimensions().end());
  parts.ranges.assign(second.ranges().begin(), second.ranges().end());
  parts.ranges.append(first.ranges().begin(), first.ranges().end());
  appendRuntime(second, kSecond, parts);
  const size_t seconds = parts.runtime.size();
  appendRuntime(first, kFirst, parts);
  for (FormId form : second.results()) parts.results.push_back({kSecond, form});
  if (side == ResultSide::First) {
    appendMembers(first, kFirst, parts);
    appendMembers(second, kSecond, parts);
    goBefore(first, kFirst, 0, seconds, parts);
  } else {
    appendMembers(second, kSecond, parts);
    appendMembers(first, kFirst, parts);
    goBefore(second, kSecond, seconds, parts.runtime.size(), parts);
  }
  appendConstraints(first, kFirst, parts);
  appendConstraints(second, kSecond, parts);
  for (size_t i = 0; i < first.results().size(); ++i) {
    const Interval &bounds = second.dimensions()[i].bounds;
    if (!isKnownInside(first, i, bounds))
      parts.constraints.push_back({{kFirst, first.results()[i]}, bounds});
  }
  return absl::OkStatus();
}

PartsImport::PartsImport(const MapParts &parts, ExpressionAlgebra &to,
                         llvm::function_ref<FormId(VariableId)> replace)
    : parts_(parts),
      replace_(replace),
      first_(parts.first->expressions(), to, replaceFirst_),
      second_((parts.second ? parts.second : parts.first)->expressions(), to,
              replaceSecond_) {}

FormId PartsImport::ofFirst(VariableId id) {
  if (!parts_.second) return replace_(id);
  if (id.kind == VariableKind::Range)
    id.index += parts_.second->ranges().size();
  if (id.kind == VariableKind::Runtime)
    id.index += parts_.second->runtime().size();
  return replace_(id);
}

FormId PartsImport::ofSecond(VariableId id) {
  return id.kind == VariableKind::Dimension
             ? first_(parts_.first->results()[id.index])
             : replace_(id);
}

void PartsImport::adoptFirst(ExpressionPool &to) {
  const ExpressionTable &table = parts_.first->expressions();
  uint32_t rangeShift = parts_.second ? parts_.second->ranges().size() : 0;
  uint32_t runtimeShift = parts_.second ? parts_.second->runtime().size() : 0;
  to.adopt(table, rangeShift, runtimeShift);
  for (FormId form = 0; form < table.formCount(); ++form)
    first_.seed(form, form);
}

void PartsImport::copyFirst(ExpressionPool &to) {
  ExpressionImport copy(parts_.first->expressions(), to, replaceFirst_);
  for (FormId form : parts_.first->resultsAndMembers())
    first_.seed(form, copy(form));
  for (const Constraint &c : parts_.first->constraints())
    first_.seed(c.form, copy(c.form));
}

}  // namespace indexical
