#include "indexical/writers/json_map.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/writers/format.h"

namespace indexical {
namespace {

namespace json = llvm::json;

void bounds(json::OStream &json, const Interval &interval) {
  json.attribute("lower", interval.hasLower() ? json::Value(interval.lower)
                                              : json::Value(nullptr));
  json.attribute("upper", interval.hasUpper() ? json::Value(interval.upper)
                                              : json::Value(nullptr));
}

/// Returns the constraints in the order of the map's text.
std::vector<std::pair<std::string, Interval>> sortedConstraints(
    const IndexingMap &map) {
  std::vector<std::pair<std::string, Interval>> constraints;
  for (const Constraint &constraint : map.constraints())
    constraints.emplace_back(map.str(constraint.form), constraint.bounds);
  std::sort(constraints.begin(), constraints.end(),
            [](const auto &a, const auto &b) { return a.first < b.first; });
  return constraints;
}

/// Returns the key for a source that is a property of the device, or "" for the
/// element or size of a tensor.
llvm::StringRef deviceKey(RuntimeSource::Kind kind) {
  switch (kind) {
    case RuntimeSource::Kind::GroupPosition:
      return "group_position";
    case RuntimeSource::Kind::GroupSize:
      return "group_size";
    case RuntimeSource::Kind::DeviceId:
      return "device_id";
    default:
      return "";
  }
}

}  // namespace

void MapWriter::object(const IndexingMap &map) {
  json_.object([&] { members(map); });
}

void MapWriter::members(const IndexingMap &map) {
  if (depth_ == 0) nestedMaps_ = 0;
  ++depth_;
  json_.attribute("text", jsonString(map.strOneLine()));
  json_.attributeArray("dimensions", [&] {
    for (uint32_t i = 0; i < map.dimensions().size(); ++i)
      variable(map, {VariableKind::Dimension, i});
  });
  json_.attributeArray("ranges", [&] {
    for (uint32_t i = 0; i < map.ranges().size(); ++i)
      variable(map, {VariableKind::Range, i});
  });
  json_.attributeArray("runtime", [&] {
    for (uint32_t i = 0; i < map.visibleRuntimeCount(); ++i)
      runtimeVariable(map, i);
  });
  json_.attributeArray("results", [&] {
    for (FormId result : map.results())
      json_.value(jsonString(map.str(result)));
  });
  json_.attributeArray("constraints", [&] {
    for (const auto &[text, interval] : sortedConstraints(map))
      json_.object([&, &text = text, &interval = interval] {
        json_.attribute("expression", jsonString(text));
        bounds(json_, interval);
      });
  });
  way(map, map.collectives(), map.members());
  json_.attribute("empty", map.isKnownEmpty());
  --depth_;
}

void MapWriter::variable(const IndexingMap &map, VariableId id) {
  json_.object([&] {
    json_.attribute("name", jsonString(map.nameOf(id)));
    bounds(json_, map.variable(id).bounds);
  });
}

void MapWriter::runtimeVariable(const IndexingMap &map, uint32_t index) {
  const RuntimeVariable &variable = map.runtime()[index];
  json_.object([&] {
    json_.attribute("name",
                    jsonString(map.nameOf({VariableKind::Runtime, index})));
    bounds(json_, variable.bounds);
    json_.attribute("clamped", variable.clamped);
    if (program_ && variable.source.kind != RuntimeSource::Kind::None)
      json_.attributeObject("source", [&] { source(map, index); });
  });
}

/// Writes the members read on the path through collectives.
void MapWriter::way(const IndexingMap &map, llvm::ArrayRef<int64_t> collectives,
                    llvm::ArrayRef<FormId> members) {
  if (collectives.empty() || !program_) return;
  json_.attributeArray("replica", [&] {
    for (auto [collective, member] : llvm::zip_equal(collectives, members))
      json_.object([&, &collective = collective, &member = member] {
        json_.attribute("instruction", nameOf(collective));
        json_.attribute("member", jsonString(map.str(member)));
      });
  });
}

json::Value MapWriter::nameOf(int64_t number) const {
  const Value &value = program_->value(number);
  const Computation &computation =
      program_->module().computations[value.computation];
  return jsonString(computation.instructions[value.instruction].name);
}

void MapWriter::source(const IndexingMap &map, uint32_t index) {
  const RuntimeSource &source = map.runtime()[index].source;
  if (llvm::StringRef key = deviceKey(source.kind); !key.empty()) {
    json_.attributeObject(key, [&] {
      json_.attribute("instruction", nameOf(source.tensor));
      json_.attribute("hop", int64_t(map.runtime()[index].collectives.size()));
    });
    return;
  }
  const Value &tensor = program_->value(source.tensor);
  if (source.kind == RuntimeSource::Kind::Size) {
    json_.attributeObject("size_of", [&] {
      value(tensor);
      json_.attribute("dimension", source.dimension);
    });
    return;
  }
  value(tensor);
  if (++nestedMaps_ <= kMostNestedMaps)
    json_.attributeObject("map", [&] { members(map.sourceMap(index)); });
  way(map, map.runtime()[index].collectives, map.runtime()[index].members());
  if (tensor.calls.empty()) return;
  json_.attributeArray("calls", [&] {
    for (const CallSite &call : tensor.calls) {
      const Computation &caller =
          program_->module().computations[call.computation];
      const Instruction &site = caller.instructions[call.instruction];
      json_.object([&] {
        json_.attribute("computation", jsonString(caller.name));
        json_.attribute("instruction", jsonString(site.name));
        // Two branches may be one computation.
        if (site.called[call.called].role == CallRole::Branch)
          json_.attribute("branch", call.called);
      });
    }
  });
}

void MapWriter::value(const Value &value) {
  const Computation &computation =
      program_->module().computations[value.computation];
  json_.attribute("computation", jsonString(computation.name));
  json_.attribute("instruction",
                  jsonString(computation.instructions[value.instruction].name));
  json_.attribute("result", int64_t{value.result});
}

}  // namespace indexical
