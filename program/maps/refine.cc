#include "indexical/program/maps/refine.h"

#include <algorithm>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <utility>

#include "absl/strings/str_cat.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/shapes.h"

namespace indexical {
namespace {

/// Lists of more elements are no list of sizes.
constexpr int64_t kMostElements = 64;

/// Calls in calls, for which computations are copied.
constexpr int kDeepest = 64;

using Arguments = std::vector<KnownArgument>;

/// Gives the arrays of a shape, depth first, the shapes of the leaves.
void setArrays(Shape &shape, llvm::ArrayRef<ArrayShape> &leaves) {
  if (shape.isArray()) {
    OptionalLayout layout = shape.array.layout;
    shape.array = leaves.front();
    shape.array.layout = layout;
    leaves = leaves.drop_front();
  }
  for (Shape &element : shape.elements) setArrays(element, leaves);
}

bool isOpen(const ArrayShape &shape, int64_t dimension) {
  return shape.dimensions[dimension] == kDynamicSize ||
         (!shape.dynamic.empty() && shape.dynamic[dimension]);
}

absl::Status at(const Instruction &instruction, absl::Status status) {
  return withPlace(std::move(status), instruction.place);
}

class Refiner {
 public:
  explicit Refiner(Module &module) : module_(module) {}

  absl::Status refine(ComputationId c, llvm::ArrayRef<KnownArgument> arguments,
                      int depth) {
    if (depth > kDeepest)
      return absl::ResourceExhaustedError("calls are nested too deep");
    INDEXICAL_RETURN_IF_ERROR(setParameters(c, arguments));
    std::vector<bool> called(computation(c).instructions.size(), false);
    while (true) {
      ProgramShapes shapes(computation(c), leafNumber);
      takeSizes(c, shapes);
      auto grown = refineCalls(c, shapes, Known::Whole, called, depth);
      // If nothing else becomes known, sizes that are known in part are passed
      // as they are.
      if (grown.ok() && !*grown)
        grown = refineCalls(c, shapes, Known::InPart, called, depth);
      INDEXICAL_RETURN_IF_ERROR(grown.status());
      if (!*grown) break;
    }
    return verifyAll(c);
  }

 private:
  /// Whether the sizes that are passed to a call must all be known.
  enum class Known { Whole, InPart };

  /// Returns whether a call was refined that was not before. The sizes that one
  /// call returns may decide what is passed to others, so in part only one call
  /// is refined.
  absl::StatusOr<bool> refineCalls(ComputationId c, ProgramShapes &shapes,
                                   Known how, std::vector<bool> &called,
                                   int depth) {
    bool grown = false;
    for (InstructionId i : computation(c).postOrder()) {
      if (called[i]) continue;
      auto passed = argumentsOf(c, i, shapes, how);
      if (!passed) continue;
      called[i] = grown = true;
      const absl::Status status = refineCallees(c, i, *passed, depth);
      // The copies of callees may have moved all computations.
      shapes.moved(computation(c));
      if (!status.ok()) return at(computation(c).instructions[i], status);
      if (how == Known::InPart) break;
    }
    return grown;
  }

  Computation &computation(ComputationId c) { return module_.computations[c]; }

  void setResult(Instruction &instruction, LeafId leaf,
                 const ArrayShape &shape) {
    instruction.op = instruction.op.changed(
        [&](OpDraft &op) { op->results.mutableAt(leaf) = shape; });
    llvm::ArrayRef<ArrayShape> leaves = shapesOf(instruction.op).results;
    Shape changed = *instruction.shape;
    setArrays(changed, leaves);
    instruction.shape = std::move(changed);
  }

  absl::Status setParameters(ComputationId c,
                             llvm::ArrayRef<KnownArgument> arguments) {
    const auto leaves = parameterLeaves(computation(c));
    if (leaves.size() != arguments.size())
      return absl::InvalidArgumentError(absl::StrCat(
          arguments.size(), " arguments for ", leaves.size(), " parameters"));
    for (size_t k = 0; k < leaves.size(); ++k) {
      Instruction &parameter =
          computation(c)
              .instructions[computation(c).parameters[leaves[k].parameter]];
      const ArrayShape &declared =
          shapesOf(parameter.op).results[leaves[k].leaf];
      const ArrayShape &given = arguments[k].shape;
      bool fits =
          declared.type == given.type && declared.rank() == given.rank();
      for (int64_t j = 0; fits && j < declared.rank(); ++j) {
        const int64_t size = declared.dimensions[j], has = given.dimensions[j];
        const bool open = isOpen(declared, j);
        if (isOpen(given, j))  // it stays so
          fits = open && has == size;
        else
          fits = has >= 0 &&
                 (open ? size == kDynamicSize || has <= size : has == size);
      }
      if (!fits)
        return at(parameter,
                  absl::InvalidArgumentError(absl::StrCat(
                      "the argument ", given.str(), " does not fit parameter `",
                      parameter.name.str(), "`, ", declared.str())));
      setResult(parameter, leaves[k].leaf, given);
      const std::vector<int64_t> &values = arguments[k].values;
      if (values.empty() || shapesOf(parameter.op).results.size() != 1)
        continue;
      ConstantOp constant;
      static_cast<OpShapes &>(constant) = shapesOf(parameter.op);
      constant.operands.clear();
      constant.values = values;
      parameter.op = std::move(constant);
    }
    return absl::OkStatus();
  }

  /// Takes over the sizes that are numbers by now.
  void takeSizes(ComputationId c, ProgramShapes &shapes) {
    Computation &of = computation(c);
    for (InstructionId i(0); i < static_cast<int32_t>(of.instructions.size());
         ++i) {
      Instruction &instruction = of.instructions[i];
      const int64_t results = shapesOf(instruction.op).results.size();
      for (LeafId leaf; leaf < results; ++leaf) {
        ArrayShape shape = shapesOf(instruction.op).results[leaf];
        if (!hasOpenSize(shape)) continue;
        shape.dynamic.resize(shape.rank());
        for (int64_t k = 0; k < shape.rank(); ++k) {
          const auto form = shapes.size({i, leaf}, k);
          if (!form || !shapes.table().isConstant(*form) ||
              shapes.table().constant(*form) < 0)
            continue;
          shape.dimensions[k] = shapes.table().constant(*form);
          shape.dynamic.reset(k);
        }
        if (shape.dynamic.none()) shape.dynamic.clear();
        pending_.push_back({i, leaf, std::move(shape)});
      }
    }
    // Behind the questions, which look at the shapes.
    for (const Pending &p : pending_)
      setResult(of.instructions[p.instruction], p.leaf, p.shape);
    pending_.clear();
    for (InstructionId i(0); i < static_cast<int32_t>(of.instructions.size());
         ++i)
      takeOperands(of, i);
  }

  void takeOperands(Computation &of, InstructionId i) {
    Op &op = of.instructions[i].op;
    if (shapesOf(op).operands.empty()) return;
    const auto leaves = of.operandLeaves(i);
    op = op.changed([&](OpDraft &taken) {
      ShapeList &operands = taken->operands;
      for (size_t k = 0; k < leaves.size() && k < operands.size(); ++k)
        if (hasOpenSize(operands[k]))
          operands.mutableAt(k) =
              shapesOf(of.instructions[leaves[k].instruction].op)
                  .results[leaves[k].result];
      auto *capturing = taken.as<CapturingOp>();
      if (!capturing) return;
      capturing->inner = capturing->inner.changed([&](OpDraft &inside) {
        for (size_t k = 0; k < inside->operands.size(); ++k)
          inside->operands.mutableAt(k) = operands[k];
        inside->results = taken->results;
      });
    });
  }

  /// Returns the operand leaves of an instruction that calls something, if they
  /// are known as far as `how` says.
  std::optional<Arguments> argumentsOf(ComputationId c, InstructionId i,
                                       ProgramShapes &shapes, Known how) {
    const Computation &of = computation(c);
    const Op &op = of.instructions[i].op;
    if (!op.isOneOf<CallOp, ConditionalOp, WhileOp>()) return std::nullopt;
    Arguments arguments;
    for (const OperandLeaf &leaf : of.operandLeaves(i)) {
      const ArrayShape &shape =
          shapesOf(of.instructions[leaf.instruction].op).results[leaf.result];
      if (how == Known::Whole && hasOpenSize(shape)) return std::nullopt;
      arguments.push_back({shape, valuesOf(leaf, shape, shapes)});
    }
    return arguments;
  }

  std::vector<int64_t> valuesOf(const OperandLeaf &leaf,
                                const ArrayShape &shape,
                                ProgramShapes &shapes) {
    const auto count = shape.elementCount();
    if (!isInteger(shape.type) || shape.rank() > 1 || hasOpenSize(shape) ||
        !count || *count > kMostElements)
      return {};
    std::vector<int64_t> values;
    for (int64_t n = 0; n < *count; ++n) {
      llvm::SmallVector<int64_t, 1> index;
      if (shape.rank() == 1) index.push_back(n);
      auto form = shapes.element({leaf.instruction, leaf.result}, index);
      if (!form || !shapes.table().isConstant(*form)) return {};
      values.push_back(shapes.table().constant(*form));
    }
    return values;
  }

  absl::Status refineCallees(ComputationId c, InstructionId i,
                             const Arguments &passed, int depth) {
    const bool isLoop = computation(c).instructions[i].op.is<WhileOp>();
    const size_t count = computation(c).instructions[i].called.size();
    for (size_t n = 0; n < count; ++n) {
      const CalledComputation called = computation(c).instructions[i].called[n];
      if (called.computation < 0 || called.role == CallRole::Other) continue;
      const auto leaves = computation(c).operandLeaves(i);
      Arguments arguments;
      for (int64_t number : argumentLeaves(computation(called.computation),
                                           called.arguments, leaves)) {
        if (number < 0)
          return absl::InvalidArgumentError("an argument is missing");
        arguments.push_back(passed[number]);
        // A state has another value in every trip.
        const auto &state = computation(c).instructions[i].op;
        if (isLoop &&
            number < static_cast<int64_t>(shapesOf(state).results.size()))
          arguments.back().values.clear();
      }
      const ComputationId copy(module_.computations.size());
      module_.computations.push_back(computation(called.computation));
      computation(copy).entry = false;
      computation(c).instructions[i].called[n].computation = copy;
      INDEXICAL_RETURN_IF_ERROR(refine(copy, arguments, depth + 1));
      takeResults(c, i, copy, isLoop);
    }
    return absl::OkStatus();
  }

  void takeResults(ComputationId c, InstructionId i, ComputationId callee,
                   bool isLoop) {
    Instruction &call = computation(c).instructions[i];
    const Computation &inside = computation(callee);
    const ShapeList &results =
        isLoop ? shapesOf(call.op).operands
               : shapesOf(inside.instructions[inside.root].op).results;
    const ShapeList from = results;  // a copy, which shares its shapes
    const int64_t count =
        std::min(shapesOf(call.op).results.size(), from.size());
    for (LeafId r; r < count; ++r) takeKnown(call, r, from[r]);
  }

  /// The sizes of a result that are open, and known of what it is.
  void takeKnown(Instruction &call, LeafId leaf, const ArrayShape &from) {
    ArrayShape shape = shapesOf(call.op).results[leaf];
    if (!hasOpenSize(shape) || shape.rank() != from.rank()) return;
    bool isGrown = false;
    for (int64_t k = 0; k < shape.rank(); ++k) {
      if (!isOpen(shape, k) || isOpen(from, k)) continue;
      shape.dimensions[k] = from.dimensions[k];
      if (!shape.dynamic.empty()) shape.dynamic.reset(k);
      isGrown = true;
    }
    if (shape.dynamic.none()) shape.dynamic.clear();
    if (isGrown) setResult(call, leaf, shape);
  }

  absl::Status verifyAll(ComputationId c) {
    Computation &of = computation(c);
    const int32_t count = of.instructions.size();
    for (InstructionId i(0); i < count; ++i) {
      takeOperands(of, i);
      if (auto status = verifyRefined(of.instructions[i].op); !status.ok())
        return at(of.instructions[i], status);
    }
    return absl::OkStatus();
  }

  struct Pending {
    InstructionId instruction;
    LeafId leaf;
    ArrayShape shape;
  };
  Module &module_;
  std::vector<Pending> pending_;
};

//===-- What stays open ---------------------------------------------------===//

/// The sizes of a module's computations, each with those of what it calls.
class OpenSizes {
 public:
  explicit OpenSizes(const Module &module) : module_(module) {}

  std::vector<OpenSize> find() {
    const int32_t count = module_.computations.size();
    for (ComputationId c(0); c < count; ++c) lookAt(c);
    return std::move(found_);
  }

 private:
  /// A leaf that sizes follow from, and whether they follow from a size of it,
  /// not from an element.
  using SourceOf = std::pair<InstructionLeaf, bool>;

  ProgramShapes *shapesOfCallee(ComputationId c) {
    // A computation that calls itself is wrong, but does not stop the others.
    if (c < 0 || inWork_.count(c)) return nullptr;
    auto &shapes = shapes_[c];
    if (!shapes) {
      inWork_.insert(c);
      auto made = std::make_unique<ProgramShapes>(
          module_.computations[c], leafNumber,
          [this](ComputationId callee) { return shapesOfCallee(callee); });
      inWork_.erase(c);
      shapes_[c] = std::move(made);
    }
    return shapes_[c].get();
  }

  void lookAt(ComputationId c) {
    const Computation &of = module_.computations[c];
    ProgramShapes *shapes = shapesOfCallee(c);
    if (!shapes) return;
    std::set<SourceOf> seen;
    for (InstructionId i(0); i < static_cast<int32_t>(of.instructions.size());
         ++i) {
      const ShapeList &results =
          indexical::shapesOf(of.instructions[i].op).results;
      const bool isParameter = of.instructions[i].parameterNumber >= 0;
      for (LeafId leaf; leaf < static_cast<int64_t>(results.size()); ++leaf)
        for (int64_t k = 0; k < results[leaf].rank(); ++k) {
          if (!isOpen(results[leaf], k)) continue;
          if (isParameter) {
            found_.push_back({c, i, leaf, k, OpenSize::Argument});
            continue;
          }
          const auto form = shapes->size({i, leaf}, k);
          if (form) addSource(c, *shapes, *form, seen);
        }
    }
  }

  /// Notes each source of the size once, except sizes of parameters.
  void addSource(ComputationId c, ProgramShapes &shapes, FormId form,
                 std::set<SourceOf> &seen) {
    const Computation &of = module_.computations[c];
    shapes.table().visitVariables({form}, [&](VariableId id) {
      const RuntimeSource &source = shapes.variable(id.index).source;
      const int64_t number = source.tensor - SizeFacts::kOutside;
      const InstructionId i(number >> kLeafBits);
      const LeafId leaf(number & ((int64_t{1} << kLeafBits) - 1));
      const bool isSize = source.kind == RuntimeSource::Kind::Size;
      if (isSize && of.instructions[i].parameterNumber >= 0) return;
      const int64_t dimension = isSize ? source.dimension : -1;
      if (!seen.insert({{i, leaf}, isSize}).second) return;
      found_.push_back(
          {c, i, leaf, dimension, isSize ? OpenSize::Own : OpenSize::Element});
    });
  }

  const Module &module_;
  std::map<ComputationId, std::unique_ptr<ProgramShapes>> shapes_;
  std::vector<OpenSize> found_;
  std::set<ComputationId> inWork_;
};

}  // namespace

std::vector<OpenSize> openSizes(const Module &module) {
  return OpenSizes(module).find();
}

absl::Status verifyRefined(const Op &op) {
  const auto *set = op.as<SetDimensionSizeOp>();
  if (!set || !sizeIfFixed(set->results[0], set->dimension)) return verify(op);
  const ArrayShape &operand = set->operands[0];
  const int64_t size = set->results[0].dimensions[set->dimension];
  const int64_t most = operand.dimensions[set->dimension];
  if (most != kDynamicSize && size > most)
    return absl::InvalidArgumentError(
        absl::StrCat("a size of ", most, " cannot be set to ", size));
  SetDimensionSizeOp whole = *set;
  whole.results = {operand};
  whole.results.mutableAt(0).type = set->results[0].type;
  for (int64_t k = 0; k < operand.rank(); ++k)
    if (k != set->dimension && k < set->results[0].rank())
      whole.results.mutableAt(0).dimensions[k] = set->results[0].dimensions[k];
  return verify(Op(std::move(whole)));
}

absl::StatusOr<Module> refined(const Module &module, ComputationId computation,
                               llvm::ArrayRef<KnownArgument> arguments) {
  Module result = module;
  INDEXICAL_RETURN_IF_ERROR(Refiner(result).refine(computation, arguments, 0));
  return result;
}

}  // namespace indexical
