#include "indexical/same/equality/trial_values.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/known_values.h"
#include "indexical/same/equality/integer_literal.h"
#include "indexical/same/equality/obstacle.h"
#include "indexical/same/equality/parameter_names.h"
#include "indexical/same/equality/trial_sizes.h"

namespace indexical {
namespace {

// The most assignments that are tried, each with a comparison of its own.
constexpr int kMostTrials = 24;
// Parameters with more elements are not taken for starts of slices.
constexpr int64_t kMostElements = 16;
// The most values that are taken from the sizes of sliced arrays.
constexpr size_t kMostValues = 64;
// The most draws of sizes, and the most of these that are compared.
constexpr int kMostDraws = 120;
constexpr int kMostRuns = 16;
// The most instructions that draws go through: each draw refines both modules.
constexpr int64_t kMostRefined = 500'000;
// The most differences of which the sizes are tried first, and the most draws
// for one of them.
constexpr int kMostFirst = 64;
constexpr int kMostOfWitness = 12;
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

std::vector<TrialParameter> trialParameters(const Module &first,
                                            const EqualityOptions &options) {
  std::vector<TrialParameter> found;
  int64_t leaf = 0;
  const Computation &entry = first.entryComputation();
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

/// Returns the index of the element, as words.
std::vector<std::string> indexOf(const ArrayShape &shape, int64_t element) {
  std::vector<std::string> index(shape.dimensions.size());
  for (size_t k = index.size(); k-- > 0;) {
    index[k] = std::to_string(element % shape.dimensions[k]);
    element /= shape.dimensions[k];
  }
  return index;
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
    const Computation &entry = first.entryComputation();
    const std::string name = leafName(entry, parameter.first, LeafId(0));
    for (auto [k, value] : llvm::enumerate(assignment[p]))
      runtime.push_back(
          {elementName(name, indexOf(parameter.shape, k)), value});
  }
  leaf = std::move(found);
  leaf.isFewer = false;  // with these values alone
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

//===-- Sizes -------------------------------------------------------------===//

namespace {

/// The search for sizes that show the differences of two modules.
class ShownBySizes {
 public:
  ShownBySizes(const Module &first, const Module &second,
               const EqualityOptions &options, CompareModules compare,
               ModuleEquality &equality)
      : options_(options),
        compare_(compare),
        equality_(equality),
        instructions_(instructionsOf(first) + instructionsOf(second)),
        leaves_(parameterLeaves(first.entryComputation())),
        sizes_(first, second, options.parameters),
        isShown_(equality.leaves.size(), false) {}

  bool areOpen() const { return sizes_.areOpen(); }
  bool isWanted(size_t leaf) const {
    return !isShown_[leaf] &&
           equality_.leaves[leaf].decision.answer != Answer::Yes;
  }
  bool isDone() const {
    for (size_t leaf = 0; leaf < isShown_.size(); ++leaf)
      if (isWanted(leaf)) return false;
    return true;
  }
  bool mayDraw() const {
    return refined_ + instructions_ <= kMostRefined &&
           instructions_ <= static_cast<int64_t>(kMostInstructions);
  }
  bool mayRun() const {
    return mayDraw() && draws_ < kMostDraws && runs_ < kMostRuns;
  }

  /// Looks for numbers with which both modules run and that have the values of
  /// the witness. The maps are exact, so that the difference is one of this
  /// run.
  void keepIfRunnable(size_t leaf) {
    PairWitness &witness = *equality_.leaves[leaf].decision.witness;
    const TrialSizes::Known known(witness.runtime.begin(),
                                  witness.runtime.end());
    for (int n = 0; n < kMostOfWitness && !isShown_[leaf] && mayDraw(); ++n)
      if (const auto trial = draw(known))
        isShown_[leaf] = adoptRun(*trial, witness);
  }

  /// Draws numbers, and adopts the differences that they show.
  absl::Status tryOthers() {
    ++draws_;
    const auto trial = draw({});
    if (!trial) return options_.check();
    ++runs_;
    INDEXICAL_RETURN_IF_ERROR(compareRun(*trial, /*free=*/-1));
    std::set<int32_t> given;
    for (size_t leaf = 0; leaf < isShown_.size(); ++leaf)
      if (const int32_t p = parameterOf(leaf);
          isWanted(leaf) && isGiven(*trial, p))
        given.insert(p);
    for (int32_t parameter : given)
      INDEXICAL_RETURN_IF_ERROR(compareRun(*trial, parameter));
    return absl::OkStatus();
  }

  /// Makes differences that were not shown undecided.
  void doubtOthers(const Module &first) {
    for (size_t n = 0; n < isShown_.size(); ++n) {
      LeafEquality &leaf = equality_.leaves[n];
      if (isShown_[n] || leaf.decision.answer != Answer::No) continue;
      const Engine engine = leaf.decision.engine;
      leaf.decision = Decision();
      leaf.decision.engine = engine;
      leaf.decision.reason =
          "no sizes were found that both modules take and that show a "
          "difference";
      leaf.because = equalityObstacleAt(first, 0, first.entry,
                                        first.entryComputation().root,
                                        leaf.decision.reason);
      leaf.forSome.clear();
      for (auto &path : leaf.paths) path.clear();
    }
  }

 private:
  static int64_t instructionsOf(const Module &module) {
    int64_t count = 0;
    for (const Computation &c : module.computations)
      count += c.instructions.size();
    return count;
  }
  std::optional<Trial> draw(const TrialSizes::Known &known) {
    refined_ += instructions_;
    return sizes_.draw(known, picks_);
  }
  int32_t parameterOf(size_t leaf) const {
    return leaves_[equality_.leaves[leaf].parameter].parameter;
  }
  /// Returns the leaves of the parameter.
  std::pair<size_t, size_t> leavesOf(int32_t parameter) const {
    size_t first = 0;
    while (leaves_[first].parameter != parameter) ++first;
    size_t last = first;
    while (last < leaves_.size() && leaves_[last].parameter == parameter)
      ++last;
    return {first, last};
  }
  bool isGiven(const Trial &trial, int32_t parameter) const {
    return !trial.arguments[leavesOf(parameter).first].values.empty();
  }

  /// Compares the modules with literals for all parameters that are given, but
  /// for the free one, and adopts the differences of those that are not given,
  /// or of the free one.
  absl::Status compareRun(const Trial &trial, int32_t free) {
    Module a = trial.first, b = trial.second;
    const int32_t count = a.entryComputation().parameters.size();
    for (int32_t p = 0; p < count; ++p) {
      const auto [first, last] = leavesOfOrNone(p);
      if (last - first != 1 || p == free) continue;
      const KnownArgument &argument = trial.arguments[first];
      if (argument.values.empty()) continue;
      const int32_t second =
          options_.parameters.empty() ? p : options_.parameters[p];
      replaceParameter(a, p, argument.shape, argument.values);
      replaceParameter(b, second, argument.shape, argument.values);
    }
    auto found = compare_(a, b);
    INDEXICAL_RETURN_IF_ERROR(options_.check());
    if (!found.ok()) return absl::OkStatus();
    std::map<std::pair<int64_t, int64_t>, LeafEquality *> differences;
    for (LeafEquality &leaf : found->leaves)
      if (leaf.decision.answer == Answer::No)
        differences[{leaf.result, leaf.parameter}] = &leaf;
    for (size_t n = 0; n < isShown_.size(); ++n) {
      LeafEquality &leaf = equality_.leaves[n];
      const int32_t parameter = parameterOf(n);
      if (!isWanted(n) ||
          (free < 0 ? isGiven(trial, parameter) : parameter != free))
        continue;
      const auto shown = differences.find({leaf.result, leaf.parameter});
      if (shown == differences.end() ||
          !adoptRun(trial, *shown->second->decision.witness))
        continue;
      leaf = *shown->second;
      leaf.isFewer = false;
      isShown_[n] = true;
    }
    return absl::OkStatus();
  }
  std::pair<size_t, size_t> leavesOfOrNone(int32_t parameter) const {
    for (const ParameterLeaf &leaf : leaves_)
      if (leaf.parameter == parameter) return leavesOf(parameter);
    return {0, 0};
  }

  /// Adds the numbers of the run to the witness. Returns false if it has others
  /// for them.
  static bool adoptRun(const Trial &trial, PairWitness &witness) {
    auto runtime = trial.numbers;
    for (const auto &own : witness.runtime) {
      const auto known = llvm::find_if(runtime, [&](const auto &number) {
        return number.first == own.first;
      });
      if (known == runtime.end())
        runtime.push_back(own);
      else if (known->second != own.second)
        return false;
    }
    witness.runtime = std::move(runtime);
    return true;
  }

  const EqualityOptions &options_;
  const CompareModules compare_;
  ModuleEquality &equality_;
  const int64_t instructions_;
  const std::vector<ParameterLeaf> leaves_;
  const TrialSizes sizes_;
  std::vector<bool> isShown_;  // by pair
  Picks picks_;
  int draws_ = 0, runs_ = 0;
  int64_t refined_ = 0;  // instructions
};

}  // namespace

absl::Status confirmBySizes(const Module &first, const Module &second,
                            const EqualityOptions &options,
                            CompareModules compare, ModuleEquality &equality) {
  if (equality.answer == Answer::Yes) return absl::OkStatus();
  ShownBySizes shown(first, second, options, compare, equality);
  if (!shown.areOpen()) return absl::OkStatus();
  // The numbers of the witnesses come first: they show the difference if both
  // modules take them.
  int tried = 0;
  for (size_t n = 0; n < equality.leaves.size() && tried < kMostFirst; ++n) {
    if (!equality.leaves[n].decision.witness) continue;
    ++tried;
    shown.keepIfRunnable(n);
    INDEXICAL_RETURN_IF_ERROR(options.check());
  }
  while (!shown.isDone() && shown.mayRun())
    INDEXICAL_RETURN_IF_ERROR(shown.tryOthers());
  shown.doubtOthers(first);
  return absl::OkStatus();
}

}  // namespace indexical
