#include "indexical/stablehlo/indexical/queries.h"

#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/DenseMap.h"

#include "indexical/program/program_indexing.h"
#include "indexical/stablehlo/describe/shapes.h"
#include "indexical/stablehlo/import/accesses.h"
#include "indexical/stablehlo/import/region_reads.h"

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
    auto shape = shapeOf(type);
    if (!shape.ok()) return shape.status();
    for (const ArrayShape &leaf : shape->leaves()) leaves.push_back(leaf);
  }
  return absl::OkStatus();
}

/// The number of array leaves before entry `number` of the types.
absl::StatusOr<int64_t> leafNumber(mlir::TypeRange types, unsigned number) {
  auto own = shapeOf(types[number]);
  if (!own.ok()) return own.status();
  if (!own->isArray())
    return invalid("only tensors, vectors and scalars have maps");
  int64_t leaf = 0;
  for (unsigned k = 0; k < number; ++k) {
    auto shape = shapeOf(types[k]);
    if (!shape.ok()) return shape.status();
    leaf += shape->leafCount();
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
  auto r = leafNumber(op->getResultTypes(), result.getResultNumber());
  if (!r.ok()) return r.status();
  auto k = leafNumber(op->getOperandTypes(), operand.getOperandNumber());
  if (!k.ok()) return k.status();
  return Leaves{*r, *k};
}

}  // namespace

absl::StatusOr<Op> descriptorOf(mlir::Operation *op) {
  OpShapes shapes;
  if (auto s = addLeaves(op->getOperandTypes(), shapes.operands); !s.ok())
    return s;
  if (auto s = addLeaves(op->getResultTypes(), shapes.results); !s.ok())
    return s;
  auto described = describeOp(op, std::move(shapes));
  if (!described.ok()) return described.status();
  if (auto s = verify(*described); !s.ok()) return s;
  return described;
}

absl::StatusOr<IndexingRelation> readsOf(mlir::OpResult result,
                                         mlir::OpOperand &operand,
                                         Direction direction) {
  auto leaves = leavesOf(result, operand);
  if (!leaves.ok()) return leaves.status();
  auto op = descriptorOf(result.getOwner());
  if (!op.ok()) return op.status();
  return indexing(*op, direction, leaves->result, leaves->operand);
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
    auto leaf = leafNumber(op->getResultTypes(), result.getResultNumber());
    if (!leaf.ok()) return leaf.status();
    return Node{found->second.module, found->second.computation,
                found->second.instruction, *leaf};
  }
  auto argument = llvm::cast<mlir::BlockArgument>(value);
  auto home = homeOf(argument.getOwner());
  if (!home.ok()) return home.status();
  const Computation &computation =
      program.modules[home->module].computations[home->computation];
  if (argument.getArgNumber() >= computation.parameters.size())
    return invalid("an argument of the block was not imported");
  return Node{home->module, home->computation,
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
  auto program = importMlir(module, options, &state.ops);
  if (!program.ok()) return program.status();
  state.program = *std::move(program);
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
  auto home = state_->homeOf(&function.getFunctionBody().front());
  if (!home.ok()) return home.status();
  Module &module = state_->program.modules[home->module];
  auto known = refined(module, home->computation, arguments);
  if (!known.ok()) return known.status();
  module = *std::move(known);
  state_->indexing[home->module] = std::make_unique<ProgramIndexing>(module);
  return absl::OkStatus();
}

absl::StatusOr<IndexingRelation> ModuleMaps::readsOf(mlir::OpResult result,
                                                     mlir::OpOperand &operand,
                                                     Direction direction) {
  auto leaves = leavesOf(result, operand);
  if (!leaves.ok()) return leaves.status();
  auto found = state_->ops.find(result.getOwner());
  if (found == state_->ops.end())
    return invalid(nameOf(result.getOwner()) + " is not of this module");
  const Imported &at = found->second;
  state_->lastModule = at.module;
  return state_->indexing[at.module]->instruction(
      at.computation, at.instruction, direction, leaves->result,
      leaves->operand);
}

absl::StatusOr<IndexingRelation> ModuleMaps::between(mlir::Value from,
                                                     mlir::Value to,
                                                     Direction direction) {
  auto a = state_->nodeOf(from);
  if (!a.ok()) return a.status();
  auto b = state_->nodeOf(to);
  if (!b.ok()) return b.status();
  if (a->module != b->module || a->computation != b->computation)
    return invalid("the two values are not of one block");
  state_->lastModule = a->module;
  return state_->indexing[a->module]->between(a->computation, a->instruction,
                                              a->leaf, b->instruction, b->leaf,
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
