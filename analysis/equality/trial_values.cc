#include "indexical/analysis/equality/trial_values.h"

#include <algorithm>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/analysis/equality/integer_literal.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/sizes.h"
#include "indexical/values/known_values.h"

namespace indexical {
namespace {

// The most assignments that are tried, each with a comparison of its own.
constexpr int kMostTrials = 24;
// Parameters with more elements are not taken for starts of slices.
constexpr int64_t kMostElements = 16;
// The most values that are taken from the sizes of sliced arrays.
constexpr size_t kMostValues = 64;
// Larger modules take a second a trial.
constexpr size_t kMostInstructions = 20'000;

/// A parameter that is given values.
struct TrialParameter {
  int32_t first, second;  ///< its numbers in the two modules
  int64_t leaf;           ///< its number as an entry
  ArrayShape shape;
};

/// An assignment: the elements of each of the parameters, row by row.
using Assignment = std::vector<std::vector<int64_t>>;

/// A sequence that is the same on every machine.
class Picks {
 public:
  size_t below(size_t count) {
    state_ = state_ * 6364136223846793005u + 1442695040888963407u;
    return (state_ >> 33) % count;
  }

 private:
  uint64_t state_ = 1;
};

const Computation &entryOf(const Module &module) {
  return module.computations[module.entry];
}

std::vector<TrialParameter> trialParameters(const Module &first,
                                            const EqualityOptions &options) {
  std::vector<TrialParameter> found;
  int64_t leaf = 0;
  const Computation &entry = entryOf(first);
  for (auto [number, i] : llvm::enumerate(entry.parameters)) {
    const ShapeList shapes = entry.instructions[i].shape.leaves();
    const int64_t own = leaf;
    leaf += shapes.size();
    if (shapes.size() != 1 || hasOpenSize(shapes[0]) ||
        !isInteger(shapes[0].type) || bitsOf(shapes[0].type) > 64)
      continue;
    int64_t count = 1;
    for (int64_t size : shapes[0].dimensions)
      count = size > kMostElements ? kMostElements + 1 : count * size;
    if (count == 0 || count > kMostElements) continue;
    const int32_t parameter = static_cast<int32_t>(number);
    found.push_back(
        {parameter,
         options.parameters.empty() ? parameter : options.parameters[number],
         own, shapes[0]});
  }
  return found;
}

/// Returns values around the ends of the ranges in which slices and gathers can
/// begin.
std::vector<int64_t> candidates(const Module &first, const Module &second) {
  std::set<int64_t> values = {0, 1, 2, 3, -1, -2, 100, 127, 128, 200, -100};
  auto around = [&](int64_t value) {
    if (values.size() < kMostValues)
      values.insert({value - 1, value, value + 1});
  };
  for (const Module *module : {&first, &second})
    for (const Computation &c : module->computations)
      for (const Instruction &i : c.instructions) {
        const Op &op = innermost(i.op);
        if (!op.isOneOf<DynamicSliceOp, DynamicUpdateSliceOp, GatherOp,
                        ScatterOp>())
          continue;
        const OpShapes &shapes = shapesOf(op);
        const ArrayShape &whole = shapes.operands[0];
        const ArrayShape &part = op.is<DynamicUpdateSliceOp>()
                                     ? shapes.operands[1]
                                     : shapes.results[0];
        for (size_t k = 0; k < whole.dimensions.size(); ++k) {
          const int64_t size = whole.dimensions[k];
          if (size < 0 || size > INT32_MAX) continue;
          around(size);
          if (k < part.dimensions.size() && part.dimensions[k] >= 0 &&
              part.dimensions[k] <= size)
            around(size - part.dimensions[k]);
        }
      }
  return {values.begin(), values.end()};
}

Assignment assignmentOf(int trial, llvm::ArrayRef<TrialParameter> parameters,
                        llvm::ArrayRef<int64_t> values, Picks &picks) {
  Assignment assignment;
  for (const TrialParameter &parameter : parameters) {
    const Interval holds = valuesOf(parameter.shape.type);
    int64_t count = 1;
    for (int64_t size : parameter.shape.dimensions) count *= size;
    std::vector<int64_t> fitting;
    for (int64_t value : values)
      if (holds.contains(Interval::point(value))) fitting.push_back(value);
    std::vector<int64_t> elements;
    for (int64_t k = 0; k < count; ++k)
      // The first trials keep each element small and unlike the others.
      elements.push_back(trial == 0 && holds.contains({0, kMostElements})
                             ? (k + static_cast<int64_t>(assignment.size())) %
                                   kMostElements
                             : fitting[picks.below(fitting.size())]);
    assignment.push_back(std::move(elements));
  }
  return assignment;
}

/// The module with a literal for the parameter, wherever it is an operand.
void replaceParameter(Module &module, int32_t number, const ArrayShape &shape,
                      llvm::ArrayRef<int64_t> elements) {
  Computation &entry = module.computations[module.entry];
  const InstructionId parameter = entry.parameters[number];
  Instruction made = entry.instructions[parameter];
  made.parameterNumber = -1;
  made.op = integerLiteral(shape, elements);
  made.opcode = "constant";
  const InstructionId at(entry.instructions.size());
  for (Instruction &i : entry.instructions)
    for (InstructionId &operand : i.operands)
      if (operand == parameter) operand = at;
  entry.instructions.push_back(std::move(made));
}

/// `i`, or `indices(2, 0)`.
std::string elementName(llvm::StringRef name, const ArrayShape &shape,
                        int64_t element) {
  if (shape.dimensions.empty()) return name.str();
  std::vector<std::string> index(shape.dimensions.size());
  for (size_t k = index.size(); k-- > 0;) {
    index[k] = std::to_string(element % shape.dimensions[k]);
    element /= shape.dimensions[k];
  }
  return (name + "(" + llvm::join(index, ", ") + ")").str();
}

bool isOpen(const LeafEquality &leaf) {
  return leaf.decision.answer == Answer::Undecided;
}

/// Takes over what a trial found.
void adopt(const Module &first, llvm::ArrayRef<TrialParameter> parameters,
           const Assignment &assignment, LeafEquality found,
           LeafEquality &leaf) {
  auto &runtime = found.decision.witness->runtime;
  for (auto [p, parameter] : llvm::enumerate(parameters)) {
    const Computation &entry = entryOf(first);
    const llvm::StringRef name =
        entry.instructions[entry.parameters[parameter.first]].name;
    for (auto [k, value] : llvm::enumerate(assignment[p]))
      runtime.push_back({elementName(name, parameter.shape, k), value});
  }
  leaf = std::move(found);
}

}  // namespace

absl::Status refuteByTrials(const Module &first, const Module &second,
                            const EqualityOptions &options,
                            CompareModules compare, ModuleEquality &equality) {
  size_t instructions = 0;
  for (const Module *module : {&first, &second})
    for (const Computation &c : module->computations)
      instructions += c.instructions.size();
  const std::vector<TrialParameter> parameters =
      trialParameters(first, options);
  if (parameters.empty() || instructions > kMostInstructions)
    return absl::OkStatus();
  auto isGiven = [&](const LeafEquality &leaf) {
    return llvm::any_of(parameters, [&](const TrialParameter &parameter) {
      return parameter.leaf == leaf.parameter;
    });
  };
  auto isWanted = [&](const LeafEquality &leaf) {
    return isOpen(leaf) && !isGiven(leaf);
  };
  const std::vector<int64_t> values = candidates(first, second);
  Picks picks;
  for (int trial = 0; trial < kMostTrials; ++trial) {
    if (llvm::none_of(equality.leaves, isWanted)) break;
    const Assignment assignment =
        assignmentOf(trial, parameters, values, picks);
    Module a = first, b = second;
    for (auto [p, parameter] : llvm::enumerate(parameters)) {
      replaceParameter(a, parameter.first, parameter.shape, assignment[p]);
      replaceParameter(b, parameter.second, parameter.shape, assignment[p]);
    }
    auto found = compare(a, b);
    INDEXICAL_RETURN_IF_ERROR(options.check());
    if (!found.ok() || found->leaves.size() != equality.leaves.size())
      return absl::OkStatus();
    for (auto [leaf, tried] : llvm::zip(equality.leaves, found->leaves))
      if (isWanted(leaf) && tried.decision.answer == Answer::No &&
          tried.result == leaf.result && tried.parameter == leaf.parameter)
        adopt(first, parameters, assignment, tried, leaf);
  }
  return absl::OkStatus();
}

}  // namespace indexical
