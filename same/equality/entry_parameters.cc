#include "indexical/same/equality/entry_parameters.h"

#include <set>
#include <string>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/shape.h"
#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

using llvm::ArrayRef;

/// Array leaves, and of each what its shape does not say of its type.
struct Leaves {
  std::vector<ArrayShape> shapes;
  std::vector<std::string> types;
};

void addLeaves(const Instruction &instruction, const std::string &types,
               Leaves &all) {
  for (const ArrayShape &shape : shapesOf(instruction.op).results) {
    all.shapes.push_back(shape);
    all.types.push_back(types);
  }
}

Leaves parametersOf(const Module &module, ArrayRef<int32_t> order) {
  const Computation &entry = module.computations[module.entry];
  Leaves all;
  for (size_t p = 0; p < entry.parameters.size(); ++p) {
    const Instruction &parameter =
        entry.instructions[entry.parameters[order.empty() ? p : order[p]]];
    addLeaves(parameter, elementTypesOf(parameter.op).str(), all);
  }
  return all;
}

/// Their values say of which type they are.
Leaves resultsOf(const Module &module) {
  const Computation &entry = module.computations[module.entry];
  Leaves all;
  addLeaves(entry.instructions[entry.root], "", all);
  return all;
}

absl::Status checkLeaves(const char *what, const Leaves &first,
                         const Leaves &second) {
  const ArrayRef<ArrayShape> a = first.shapes, b = second.shapes;
  if (a.size() != b.size())
    return absl::InvalidArgumentError(
        "the first module has " + std::to_string(a.size()) + " " + what +
        "s and the second " + std::to_string(b.size()));
  for (size_t i = 0; i < a.size(); ++i) {
    if (a[i].type == b[i].type && sameDimensions(a[i], b[i]) &&
        first.types[i] == second.types[i])
      continue;
    auto textOf = [&](const Leaves &of) {
      return of.shapes[i].str() +
             (of.types[i].empty() ? "" : " of " + of.types[i]);
    };
    return absl::InvalidArgumentError(
        std::string(what) + " " + std::to_string(i) + " is " + textOf(first) +
        " in the first module and " + textOf(second) + " in the second");
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status checkEntries(const Module &first, const Module &second,
                          ArrayRef<int32_t> order) {
  const auto count =
      static_cast<int32_t>(second.computations[second.entry].parameters.size());
  const std::set<int32_t> named(order.begin(), order.end());
  if (!order.empty() && (static_cast<int32_t>(order.size()) != count ||
                         static_cast<int32_t>(named.size()) != count ||
                         *named.begin() != 0 || *named.rbegin() != count - 1))
    return absl::InvalidArgumentError(
        "the order of the parameters must name each of the second module's " +
        std::to_string(count) + " once, from 0");
  INDEXICAL_RETURN_IF_ERROR(checkLeaves("parameter", parametersOf(first, {}),
                                        parametersOf(second, order)));
  return checkLeaves("result", resultsOf(first), resultsOf(second));
}

std::vector<int32_t> numbersBy(ArrayRef<int32_t> order) {
  std::vector<int32_t> numbers(order.size(), 0);
  for (auto [first, parameter] : llvm::enumerate(order))
    numbers[parameter] = static_cast<int32_t>(first);
  return numbers;
}

}  // namespace indexical
