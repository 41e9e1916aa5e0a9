#include "indexical/import/stablehlo/indexical/queries.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/region_reads.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {
namespace {

absl::Status invalid(const std::string &message) {
  return absl::InvalidArgumentError(message);
}

std::string nameOf(mlir::Operation *op) {
  return "`" + op->getName().getStringRef().str() + "`";
}

/// Appends the array leaves of the types.
absl::Status addLeaves(mlir::TypeRange types, ShapeList &leaves) {
  for (mlir::Type type : types) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOf(type));
    for (const ArrayShape &leaf : shape.leaves()) leaves.push_back(leaf);
  }
  return absl::OkStatus();
}

/// The number of array leaves before entry `number` of the types.
absl::StatusOr<int64_t> leafNumber(mlir::TypeRange types, unsigned number) {
  INDEXICAL_ASSIGN_OR_RETURN(auto own, shapeOf(types[number]));
  if (!own.isArray())
    return invalid("only tensors, vectors and scalars have maps");
  int64_t leaf = 0;
  for (unsigned k = 0; k < number; ++k) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOf(types[k]));
    leaf += shape.leafCount();
  }
  return leaf;
}

struct Leaves {
  int64_t result = 0, operand = 0;
};

absl::StatusOr<Leaves> leavesOf(mlir::OpResult result,
                                mlir::OpOperand &operand) {
  if (result.getOwner() != operand.getOwner())
    return invalid("the result is of " + nameOf(result.getOwner()) +
                   ", the operand of another op, " +
                   nameOf(operand.getOwner()) +
                   "; `between` asks of two values");
  mlir::Operation *op = result.getOwner();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto r, leafNumber(op->getResultTypes(), result.getResultNumber()));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto k, leafNumber(op->getOperandTypes(), operand.getOperandNumber()));
  return Leaves{r, k};
}

}  // namespace

absl::StatusOr<Op> descriptorOf(mlir::Operation *op) {
  OpShapes shapes;
  INDEXICAL_RETURN_IF_ERROR(addLeaves(op->getOperandTypes(), shapes.operands));
  INDEXICAL_RETURN_IF_ERROR(addLeaves(op->getResultTypes(), shapes.results));
  INDEXICAL_ASSIGN_OR_RETURN(auto described, describeOp(op, std::move(shapes)));
  INDEXICAL_RETURN_IF_ERROR(verify(described));
  return described;
}

absl::StatusOr<IndexingRelation> readsOf(mlir::OpResult result,
                                         mlir::OpOperand &operand,
                                         Direction direction) {
  INDEXICAL_ASSIGN_OR_RETURN(auto leaves, leavesOf(result, operand));
  INDEXICAL_ASSIGN_OR_RETURN(auto op, descriptorOf(result.getOwner()));
  return indexing(op, direction, leaves.result, leaves.operand);
}

//===-- ModuleMaps --------------------------------------------------------===//

struct ModuleMaps::State {
  Program program;
  ImportedOps ops;
  std::vector<std::unique_ptr<ProgramIndexing>> indexing;
  /// Instructions back to the values that they are.
  using Place = std::pair<std::pair<int32_t, int32_t>, int32_t>;
  llvm::DenseMap<Place, mlir::Operation *> opAt;
  llvm::DenseMap<mlir::Block *, Imported> blocks;  // any op of theirs
  /// The module of the last answer: sources are numbered there.
  int32_t lastModule = 0;

  struct Node {
    int32_t module = 0, computation = 0, instruction = 0;
    int64_t leaf = 0;
  };

  absl::StatusOr<Node> nodeOf(mlir::Value value) const;
  absl::StatusOr<Imported> homeOf(mlir::Block *block) const;
};

absl::StatusOr<Imported> ModuleMaps::State::homeOf(mlir::Block *block) const {
  if (auto found = blocks.find(block); found != blocks.end())
    return found->second;
  // A block of a terminator alone: its function's, by name.
  auto function =
      llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(block->getParentOp());
  for (size_t m = 0; function && m < program.modules.size(); ++m)
    if (int32_t c = program.modules[m].find(function.getName()); c >= 0)
      return Imported{static_cast<int32_t>(m), c, 0};
  return invalid("the value's block was not imported");
}

absl::StatusOr<ModuleMaps::State::Node> ModuleMaps::State::nodeOf(
    mlir::Value value) const {
  if (auto result = llvm::dyn_cast<mlir::OpResult>(value)) {
    mlir::Operation *op = result.getOwner();
    auto found = ops.find(op);
    if (found == ops.end())
      return invalid("a value of " + nameOf(op) + " is not of this module");
    INDEXICAL_ASSIGN_OR_RETURN(
        auto leaf, leafNumber(op->getResultTypes(), result.getResultNumber()));
    return Node{found->second.module, found->second.computation,
                found->second.instruction, leaf};
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  INDEXICAL_ASSIGN_OR_RETURN(auto home, homeOf(argument.getOwner()));
  const Computation &computation =
      program.modules[home.module].computations[home.computation];
  if (argument.getArgNumber() >= computation.parameters.size())
    return invalid("an argument of the block was not imported");
  return Node{home.module, home.computation,
              computation.parameters[argument.getArgNumber()], 0};
}

ModuleMaps::ModuleMaps() : state_(std::make_unique<State>()) {}
ModuleMaps::~ModuleMaps() = default;

absl::StatusOr<std::unique_ptr<ModuleMaps>> ModuleMaps::of(
    mlir::ModuleOp module, std::vector<NotImported> *notImported) {
  std::unique_ptr<ModuleMaps> maps(new ModuleMaps());
  State &state = *maps->state_;
  MlirOptions options;
  options.notImported = notImported;
  INDEXICAL_ASSIGN_OR_RETURN(state.program,
                             importMlir(module, options, &state.ops));
  for (const Module &one : state.program.modules)
    state.indexing.push_back(std::make_unique<ProgramIndexing>(one));
  for (const auto &[op, at] : state.ops) {
    state.opAt[{{at.module, at.computation}, at.instruction}] = op;
    state.blocks.try_emplace(op->getBlock(), at);
  }
  return maps;
}

absl::Status ModuleMaps::refine(mlir::FunctionOpInterface function,
                                llvm::ArrayRef<KnownArgument> arguments) {
  if (function.isExternal())
    return invalid("`" + function.getName().str() + "` has no body");
  INDEXICAL_ASSIGN_OR_RETURN(
      auto home, state_->homeOf(&function.getFunctionBody().front()));
  Module &module = state_->program.modules[home.module];
  INDEXICAL_ASSIGN_OR_RETURN(
      module, refined(module, ComputationId(home.computation), arguments));
  state_->indexing[home.module] = std::make_unique<ProgramIndexing>(module);
  return absl::OkStatus();
}

absl::StatusOr<IndexingRelation> ModuleMaps::readsOf(mlir::OpResult result,
                                                     mlir::OpOperand &operand,
                                                     Direction direction) {
  INDEXICAL_ASSIGN_OR_RETURN(auto leaves, leavesOf(result, operand));
  auto found = state_->ops.find(result.getOwner());
  if (found == state_->ops.end())
    return invalid(nameOf(result.getOwner()) + " is not of this module");
  const Imported &at = found->second;
  state_->lastModule = at.module;
  return state_->indexing[at.module]->instruction(
      {ComputationId(at.computation), InstructionId(at.instruction),
       LeafId(leaves.result)},
      LeafId(leaves.operand), direction);
}

absl::StatusOr<IndexingRelation> ModuleMaps::between(mlir::Value from,
                                                     mlir::Value to,
                                                     Direction direction) {
  INDEXICAL_ASSIGN_OR_RETURN(auto a, state_->nodeOf(from));
  INDEXICAL_ASSIGN_OR_RETURN(auto b, state_->nodeOf(to));
  if (a.module != b.module || a.computation != b.computation)
    return invalid("the two values are not of one block");
  state_->lastModule = a.module;
  return state_->indexing[a.module]->between(
      {ComputationId(a.computation), InstructionId(a.instruction),
       LeafId(a.leaf)},
      {ComputationId(a.computation), InstructionId(b.instruction),
       LeafId(b.leaf)},
      direction);
}

mlir::Value ModuleMaps::sourceOf(const RuntimeSource &source) const {
  if (source.tensor < 0) return {};
  const Value &value =
      state_->indexing[state_->lastModule]->value(source.tensor);
  if (!value.calls.empty()) return {};
  const int32_t module = state_->lastModule;
  auto found =
      state_->opAt.find({{module, value.computation}, value.instruction});
  if (found != state_->opAt.end()) {
    for (mlir::OpResult result : found->second->getResults()) {
      auto leaf =
          leafNumber(found->second->getResultTypes(), result.getResultNumber());
      if (leaf.ok() && *leaf == value.result) return result;
    }
    return {};
  }
  const Computation &computation =
      state_->program.modules[module].computations[value.computation];
  const int32_t number =
      computation.instructions[value.instruction].parameterNumber;
  for (const auto &[block, at] : state_->blocks)
    if (at.module == module && at.computation == value.computation &&
        number >= 0 && number < static_cast<int32_t>(block->getNumArguments()))
      return block->getArgument(number);
  return {};
}

}  // namespace indexical
