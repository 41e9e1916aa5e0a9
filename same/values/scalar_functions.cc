#include "indexical/same/values/scalar_functions.h"

#include <memory>
#include <utility>

#include "indexical/same/values/reducers.h"

namespace indexical {

void ScalarFunctions::define(const std::string &name,
                             const Computation &function,
                             llvm::ArrayRef<size_t> results,
                             ArgumentOf argumentOf) {
  if (functions_.count(name)) return;
  std::vector<ElementId> all;
  for (size_t result : results) {
    const auto made = resultOfScalars(
        function, LeafId(result), table_,
        [&](size_t p) -> std::optional<ElementId> {
          const auto number = argumentOf(p);
          if (!number || p >= function.parameters.size()) return std::nullopt;
          const ArrayShape &shape =
              shapesOf(function.instructions[function.parameters[p]].op)
                  .results[0];
          Element argument;
          argument.kind = Element::Kind::Parameter;
          argument.number = static_cast<int64_t>(*number);
          argument.leaf = 0;
          return table_.read(table_.intern(std::move(argument)), shape.type,
                             IndexingMap());
        });
    if (!made) return;
    all.push_back(*made);
  }
  functions_.emplace(name, std::move(all));
}

const std::vector<ElementId> *ScalarFunctions::find(
    const std::string &name) const {
  const auto found = functions_.find(name);
  return found == functions_.end() ? nullptr : &found->second;
}

std::string ScalarFunctions::nameOf(const Element &element) {
  std::string name = element.op.descriptor().configuration;
  if (element.kind == Element::Kind::Reduced) return name;
  name += element.op.kind().name;
  for (TermId function : element.functions)
    name += " by " + std::to_string(function);
  // In order, each result needs values of its own.
  if (!element.op.is<SortOp>()) name += " to " + std::to_string(element.leaf);
  return name;
}

ScalarFunctions &ElementTable::functions() {
  if (!functions_) functions_ = std::make_shared<ScalarFunctions>();
  return *functions_;
}

}  // namespace indexical
