#include <algorithm>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/SymbolTable.h"
#include "mlir/Interfaces/FunctionInterfaces.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/argument_marks.h"
#include "indexical/import/stablehlo/import/blocks.h"
#include "indexical/import/stablehlo/import/call_check.h"
#include "indexical/import/stablehlo/import/configuration.h"
#include "indexical/import/stablehlo/import/custom_call.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/import/importer.h"
#include "indexical/import/stablehlo/import/let_pass.h"
#include "indexical/import/stablehlo/import/loop_forms.h"
#include "indexical/import/stablehlo/import/memory_forms.h"
#include "indexical/import/stablehlo/import/sharding_text.h"
#include "indexical/import/stablehlo/text/foreign_ops.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/custom_calls.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// A value as an operand: a result of an instruction, -1 for the only one.
struct Source {
  InstructionId instruction;
  int32_t element = -1;
};

/// The function whose body the region is; null if it is of another op.
mlir::FunctionOpInterface functionOf(mlir::Region &region) {
  return llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(
      region.getParentOp());
}

class RegionImporter {
 public:
  RegionImporter(ModuleImport &import, int32_t number)
      : import_(import),
        region_(*import.regions[number]),
        number_(number),
        computation_(import.module.computations[number]) {}

  absl::Status run();

 private:
  absl::Status error(Place place, const llvm::Twine &message) const {
    return errorAt(place, message.str());
  }
  StringRef unique(std::string name, StringRef opcode);
  absl::Status addParameter(mlir::Value value, std::string name, Place place);
  absl::Status addParameters();
  void addInstruction(mlir::Operation &op);
  absl::Status fill(mlir::Operation &op);
  absl::Status fillTerminator(mlir::Operation *op);
  absl::Status addRoot();
  absl::Status addArgument(mlir::BlockArgument argument);
  void fillArgument(mlir::BlockArgument argument, const Blocks &blocks);
  std::string waysOfBlocks();
  void cover(InstructionId i, llvm::ArrayRef<mlir::Value> values,
             const char *reason);
  absl::Status takeShape(mlir::TypeRange types, Place place, StringRef name,
                         SharedShape &shape);
  void addOperand(Instruction &instruction, mlir::Value value);
  ShapeList operandLeaves(InstructionId i) const;
  absl::Status describe(mlir::Operation &op, InstructionId i);
  absl::Status addCaptures(mlir::Operation &op, InstructionId i);
  void addCalls(mlir::Operation &op, Instruction &instruction);
  void addCall(mlir::Operation &op, CallRole role, mlir::Attribute symbol,
               Instruction &instruction);
  absl::Status fillArguments(InstructionId i, size_t own);
  void addItem(Instruction &instruction, const std::string &item);
  void addEffects(Instruction &instruction);
  void warnOfUnknown(mlir::Operation &op, const Instruction &instruction);

  ModuleImport &import_;
  mlir::Region &region_;
  const int32_t number_;
  Computation &computation_;
  llvm::DenseMap<mlir::Value, Source> sources_;
  llvm::DenseMap<mlir::Operation *, InstructionId> instructions_;
  llvm::StringSet<> names_;
  llvm::StringMap<int64_t> counts_;  // names that were made, by opcode
  bool forwardReference_ = false;
};

/// The name, or one made of the opcode; in either case no other's.
StringRef RegionImporter::unique(std::string name, StringRef opcode) {
  if (name.empty())
    name = opcode.str() + "." + std::to_string(counts_[opcode]++);
  std::string candidate = name;
  for (int64_t n = 1; !names_.insert(candidate).second; ++n)
    candidate = name + "." + std::to_string(n);
  return import_.program.keptStrings.emplace_back(std::move(candidate));
}

absl::Status RegionImporter::takeShape(mlir::TypeRange types, Place place,
                                       StringRef name, SharedShape &shape) {
  const mlir::Type only = types.size() == 1 ? types.front() : mlir::Type();
  if (auto known = import_.shapes.find(only); known != import_.shapes.end()) {
    shape = known->second;
    return absl::OkStatus();
  }
  auto found = shapeOf(types);
  if (!found.ok())
    return errorAt(place, ("`" + name + "`: ").str() +
                              std::string(found.status().message()));
  shape = *std::move(found);
  if (only) import_.shapes.try_emplace(only, shape);
  return absl::OkStatus();
}

absl::Status RegionImporter::addParameter(mlir::Value value, std::string name,
                                          Place place) {
  const InstructionId i(computation_.instructions.size());
  Instruction &parameter = computation_.instructions.emplace_back();
  parameter.name = unique(std::move(name), "parameter");
  parameter.opcode = "parameter";
  parameter.place = place;
  INDEXICAL_RETURN_IF_ERROR(
      takeShape(value.getType(), place, parameter.name, parameter.shape));
  OpShapes shapes;
  shapes.results = parameter.shape.leaves();
  parameter.parameterNumber = computation_.parameters.size();
  auto nullary = make<NullaryOp>(std::move(shapes));
  nullary.opKind = kindOf<NullaryOp>("parameter");
  nullary.parameter = parameter.parameterNumber;
  nullary.configuration = elementTypesOf(value.getType());
  parameter.op = nullary;
  computation_.parameters.push_back(i);
  sources_[value] = {i, -1};
  if (auto status = verify(parameter.op); !status.ok())
    return withPlace(std::move(status), place);
  return absl::OkStatus();
}

/// Adds the arguments of the block, then the captured values.
absl::Status RegionImporter::addParameters() {
  for (mlir::BlockArgument argument : region_.getArguments()) {
    Label label = import_.labels.of(argument);
    if (!label.place.known()) label.place = computation_.place;
    INDEXICAL_RETURN_IF_ERROR(
        addParameter(argument, std::move(label.name), label.place));
    if (auto function = functionOf(region_)) {
      Instruction &parameter = computation_.instructions.back();
      const unsigned number = argument.getArgNumber();
      if (std::string sharding = argumentShardingText(function, number);
          !sharding.empty())
        parameter.sharding = import_.keep(sharding);
      if (std::string marks = argumentMarksText(function, number);
          !marks.empty())
        parameter.backendConfig = import_.keep(marks);
    }
  }
  const llvm::ArrayRef<mlir::Value> captured = import_.captures.of(region_);
  computation_.captured = captured.size();
  for (mlir::Value value : captured) {
    Label label;
    if (auto argument = llvm::dyn_cast<mlir::BlockArgument>(value)) {
      label = import_.labels.of(argument);
    } else {
      auto result = llvm::cast<mlir::OpResult>(value);
      label = import_.labels.of(result.getOwner());
      if (result.getResultNumber() > 0)
        label.name += "#" + std::to_string(result.getResultNumber());
    }
    if (!label.place.known()) label.place = computation_.place;
    INDEXICAL_RETURN_IF_ERROR(
        addParameter(value, std::move(label.name), label.place));
  }
  return absl::OkStatus();
}

/// Its number, name and values, so that others can name it.
void RegionImporter::addInstruction(mlir::Operation &op) {
  const InstructionId i(computation_.instructions.size());
  Instruction &instruction = computation_.instructions.emplace_back();
  Label label = import_.labels.of(&op);
  instruction.name = unique(std::move(label.name), shortName(&op));
  instruction.opcode = import_.keep(op.getName().getStringRef());
  instruction.place = label.place;
  instruction.metadata = import_.locations.of(op.getLoc());
  instructions_[&op] = i;
  const bool several = op.getNumResults() > 1;
  for (mlir::OpResult result : op.getResults())
    sources_[result] = {
        i, several ? static_cast<int32_t>(result.getResultNumber()) : -1};
  import_.ops[&op] = {static_cast<int32_t>(import_.program.modules.size()),
                      number_, i};
}

void RegionImporter::addOperand(Instruction &instruction, mlir::Value value) {
  const Source source = sources_.lookup(value);
  const int32_t own = &instruction - computation_.instructions.data();
  forwardReference_ |= source.instruction >= own;
  instruction.operands.push_back(InstructionId(source.instruction));
  instruction.elements.push_back(source.element);
}

ShapeList RegionImporter::operandLeaves(InstructionId i) const {
  std::vector<ArrayShape> leaves;
  for (const OperandLeaf &leaf : computation_.operandLeaves(i)) {
    const Instruction &producer = computation_.instructions[leaf.instruction];
    leaves.push_back(shapesOf(producer.op).results[leaf.result]);
  }
  return ShapeList(std::move(leaves));
}

/// Whether the block's last op gives the results, or leads on to other blocks.
bool isTerminator(mlir::Operation &op) {
  return !op.getNextNode() && op.getNumResults() == 0 &&
         !llvm::isa<mlir::ModuleOp>(op.getParentOp()) &&
         op.mightHaveTrait<mlir::OpTrait::IsTerminator>();
}

absl::Status RegionImporter::run() {
  INDEXICAL_RETURN_IF_ERROR(addParameters());
  std::vector<mlir::Operation *> ops;
  for (mlir::Block &block : region_) {
    if (!block.isEntryBlock())
      for (mlir::BlockArgument argument : block.getArguments())
        INDEXICAL_RETURN_IF_ERROR(addArgument(argument));
    for (mlir::Operation &op : block)
      if (!isTerminator(op) && isInstruction(op)) ops.push_back(&op);
  }
  const size_t before = computation_.instructions.size();
  computation_.instructions.reserve(before + ops.size() + 1);  // the root
  for (mlir::Operation *op : ops) addInstruction(*op);
  // Types first: in a region without order, an operand may be defined after its
  // user.
  for (mlir::Operation *op : ops) {
    Instruction &instruction = computation_.instructions[instructions_[op]];
    INDEXICAL_RETURN_IF_ERROR(takeShape(op->getResultTypes(), instruction.place,
                                        instruction.name, instruction.shape));
    OpShapes shapes;
    shapes.results = instruction.shape.leaves();
    instruction.op = make<NullaryOp>(std::move(shapes));
  }
  for (mlir::Operation *op : ops) INDEXICAL_RETURN_IF_ERROR(fill(*op));
  INDEXICAL_RETURN_IF_ERROR(addRoot());
  if (forwardReference_ &&
      computation_.postOrder().size() != computation_.instructions.size())
    return errorAt(computation_.place, "an instruction of `" +
                                           computation_.name.str() +
                                           "` depends on itself");
  return absl::OkStatus();
}

/// The instruction that gives the results, and what branches lead to.
absl::Status RegionImporter::addRoot() {
  computation_.root = InstructionId(computation_.instructions.size());
  computation_.instructions.emplace_back();
  if (region_.hasOneBlock()) {
    mlir::Block &block = region_.front();
    const bool returns = !block.empty() && isTerminator(block.back());
    return fillTerminator(returns ? &block.back() : nullptr);
  }
  forwardReference_ = true;
  computation_.blocks = import_.keep(waysOfBlocks());
  if (region_.getBlocks().size() > Blocks::kMost)
    return errorAt(computation_.place,
                   "`" + computation_.name.str() + "` has more than " +
                       std::to_string(Blocks::kMost) + " blocks");
  const Blocks blocks(region_);
  for (mlir::Block &block : llvm::drop_begin(region_))
    for (mlir::BlockArgument argument : block.getArguments())
      fillArgument(argument, blocks);
  if (mlir::Operation *exit = blocks.onlyExit()) return fillTerminator(exit);
  for (mlir::Block &block : region_)
    if (!block.empty() && block.getNumSuccessors() == 0) {
      INDEXICAL_RETURN_IF_ERROR(fillTerminator(&block.back()));
      break;
    }
  Instruction &root = computation_.instructions[computation_.root];
  if (root.opcode.empty()) return fillTerminator(nullptr);
  cover(computation_.root, blocks.behindExits().getArrayRef(),
        "which block returns is known in the run");
  return absl::OkStatus();
}

/// The way from block to block is that of the module.
std::string RegionImporter::waysOfBlocks() {
  return "blocks of " + import_.digestOfText().str();
}

/// Reads all of the values.
void RegionImporter::cover(InstructionId i, llvm::ArrayRef<mlir::Value> values,
                           const char *reason) {
  Instruction &instruction = computation_.instructions[i];
  instruction.operands.clear();
  instruction.elements.clear();
  for (mlir::Value value : values) addOperand(instruction, value);
  OpShapes shapes;
  shapes.operands = operandLeaves(i);
  shapes.results = instruction.shape.leaves();
  auto op = make<CoverOp>(std::move(shapes));
  op.reason = reason;
  op.configuration = waysOfBlocks();
  instruction.op = std::move(op);
}

/// An argument of a block that branches lead to.
absl::Status RegionImporter::addArgument(mlir::BlockArgument argument) {
  Label label = import_.labels.of(argument);
  if (!label.place.known()) label.place = computation_.place;
  const InstructionId i(computation_.instructions.size());
  Instruction &instruction = computation_.instructions.emplace_back();
  instruction.name = unique(std::move(label.name), "block_argument");
  instruction.opcode = "block_argument";
  instruction.place = label.place;
  sources_[argument] = {i, -1};
  INDEXICAL_RETURN_IF_ERROR(takeShape(argument.getType(), label.place,
                                      instruction.name, instruction.shape));
  OpShapes shapes;
  shapes.results = instruction.shape.leaves();
  instruction.op = make<NullaryOp>(std::move(shapes));
  return absl::OkStatus();
}

void RegionImporter::fillArgument(mlir::BlockArgument argument,
                                  const Blocks &blocks) {
  const InstructionId i = sources_[argument].instruction;
  const mlir::Value only = blocks.only(argument);
  if (!only) {
    const auto values = blocks.behind(*argument.getOwner(), import_.captures);
    cover(i, values.getArrayRef(), "which way leads here is known in the run");
    return;
  }
  Instruction &instruction = computation_.instructions[i];
  addOperand(instruction, only);
  OpShapes shapes;
  shapes.operands = operandLeaves(i);
  shapes.results = instruction.shape.leaves();
  auto forward = make<ForwardOp>(std::move(shapes));
  forward.reads.resize(forward.results.size());
  std::iota(forward.reads.begin(), forward.reads.end(), 0);
  instruction.op = std::move(forward);
}

/// Fills in the terminator, which passes on all of its operands.
absl::Status RegionImporter::fillTerminator(mlir::Operation *op) {
  Instruction &root = computation_.instructions[computation_.root];
  root.terminator = true;
  if (auto function = functionOf(region_))
    root.sharding = import_.keep(resultShardingText(function));
  root.place = computation_.place;
  root.opcode = "return";
  root.name = unique("", "return");
  if (op) {
    root.place = import_.labels.of(op).place;
    root.opcode = import_.keep(op->getName().getStringRef());
  }
  mlir::ValueRange values;
  if (op) values = op->getOperands();
  // A condition of scf also says what is carried on.
  if (op && isPlainWhile(op->getParentOp()) && op->getNumOperands() > 0 &&
      op->getParentRegion()->getRegionNumber() == 0)
    values = values.take_front();
  for (mlir::Value operand : values) addOperand(root, operand);
  auto shape = shapeOf(mlir::TypeRange(values));
  if (!shape.ok()) return withPlace(shape.status(), root.place);
  root.shape = *std::move(shape);
  OpShapes shapes;
  shapes.operands = operandLeaves(computation_.root);
  shapes.results = root.shape.leaves();
  auto forward = make<ForwardOp>(std::move(shapes));
  forward.reads.resize(forward.results.size());
  std::iota(forward.reads.begin(), forward.reads.end(), 0);
  // What an op that is not known makes of its region's results is up to both.
  if (op && (!op->isRegistered() || !op->getParentOp()->isRegistered()))
    forward.configuration =
        root.opcode.str() + ";" +
        configurationOf(op, OpView(forward), *kindOf<ForwardOp>());
  // Nor are regions of its own followed, as the body of `scf.reduce`.
  if (op && op->getNumRegions() > 0)
    forward.configuration +=
        root.opcode.str() + ";regions of " + import_.digestOfText().str();
  root.op = std::move(forward);
  return absl::OkStatus();
}

absl::Status RegionImporter::fill(mlir::Operation &op) {
  const InstructionId i = instructions_[&op];
  Instruction &instruction = computation_.instructions[i];
  for (mlir::Value operand : op.getOperands()) addOperand(instruction, operand);
  if (std::string sharding = shardingTextOf(&op); !sharding.empty())
    instruction.sharding = import_.keep(sharding);
  if (auto target = op.getAttrOfType<mlir::StringAttr>("call_target_name"))
    instruction.customCallTarget = import_.keep(target.getValue());
  if (op.getName().getStringRef() == "stablehlo.custom_call")
    if (std::string config = backendConfigOf(&op); !config.empty())
      instruction.backendConfig = import_.keep(config);
  auto promises = [&op](const char *name) {
    const auto flag = op.getAttrOfType<mlir::BoolAttr>(name);
    return flag && flag.getValue();
  };
  instruction.indicesAreSorted = promises("indices_are_sorted");
  instruction.uniqueIndices = promises("unique_indices");
  if (auto status = describe(op, i); !status.ok())
    return withPlace(std::move(status), instruction.place);
  if (import_.hasEffects(op)) addEffects(instruction);
  if (op.getName().getStringRef() == "tensor.empty") {
    if (!import_.unwritten) import_.unwritten.emplace(import_.op);
    addItem(instruction, import_.unwritten->itemOf(&op));
  }
  const size_t own = instruction.operands.size();
  addCalls(op, instruction);
  if (auto status = addCaptures(op, i); !status.ok())
    return withPlace(std::move(status), instruction.place);
  if (auto status = verifyUse(instruction.op); !status.ok())
    return withPlace(std::move(status), instruction.place);
  return fillArguments(i, own);
}

absl::Status RegionImporter::describe(mlir::Operation &op, InstructionId i) {
  Instruction &instruction = computation_.instructions[i];
  OpShapes shapes;
  shapes.operands = operandLeaves(i);
  shapes.results = instruction.shape.leaves();
  const CustomCallRegistry *registry = import_.options.customCalls;
  if (op.getName().getStringRef() == "stablehlo.custom_call") {
    INDEXICAL_ASSIGN_OR_RETURN(
        auto known,
        describeRegistered(
            &op, instruction.shape,
            registry ? registry->find(instruction.customCallTarget) : nullptr,
            shapes));
    if (known) {
      instruction.op = *std::move(known);
      return absl::OkStatus();
    }
  }
  INDEXICAL_ASSIGN_OR_RETURN(
      auto defined, describeDefined(&op, instruction.shape, registry, shapes));
  if (defined) {
    instruction.op = *std::move(defined);
    return absl::OkStatus();
  }
  INDEXICAL_ASSIGN_OR_RETURN(instruction.op,
                             describeOp(&op, std::move(shapes)));
  warnOfUnknown(op, instruction);
  return coverWhatIsLetPass(import_, op, instruction);
}

/// Adds to what tells the instruction's op from others.
void RegionImporter::addItem(Instruction &instruction,
                             const std::string &item) {
  if (item.empty()) return;
  instruction.op = instruction.op.changed([&](OpDraft &draft) {
    std::string &text = draft->configuration;
    text += (text.empty() ? "" : ";") + item;
  });
}

/// Says that each run of the instruction gives something new, which follows
/// from the module as a whole.
void RegionImporter::addEffects(Instruction &instruction) {
  // This effect depends on its operands alone: the memory's last value.
  const std::string item =
      instruction.opcode == kWrittenMemory
          ? kEffectOfOperands.str()
          : kEffectsOfModule.str() + import_.digestOfText().str();
  addItem(instruction, item);
}

void RegionImporter::warnOfUnknown(mlir::Operation &op,
                                   const Instruction &instruction) {
  auto *cover = instruction.op.as<CoverOp>();
  const StringRef name = op.getName().getStringRef();
  if (!cover || cover->precision != Precision::Opaque || findMlirOp(name) ||
      cover->operands.empty() || cover->results.empty() ||
      op.hasAttr(kForeignText) || name == kOverlaidMemory ||
      !import_.warned.insert(name).second)
    return;
  import_.program.notes.push_back(
      {Note::Kind::Warning, instruction.place,
       ("unknown op `" + name + "`: it is taken to read every operand whole")
           .str()});
}

//===-- Regions and calls -------------------------------------------------===//

absl::Status RegionImporter::addCaptures(mlir::Operation &op, InstructionId i) {
  const auto captured = import_.captures.of(&op);
  if (captured.empty()) return absl::OkStatus();
  Instruction &instruction = computation_.instructions[i];
  instruction.captured = captured.size();
  const size_t ownLeaves = shapesOf(instruction.op).operands.size();
  for (mlir::Value value : captured) addOperand(instruction, value);
  ShapeList all = operandLeaves(i);
  Op &described = instruction.op;
  if (all.size() == ownLeaves) return absl::OkStatus();  // it took them itself
  if (described.isOneOf<WhileOp, ScanOp, ConditionalOp, CallOp, CoverOp>()) {
    described = described.changed([&](OpDraft &op) {
      if (auto *loop = op.as<WhileOp>())
        loop->captured = all.size() - ownLeaves;
      if (auto *scan = op.as<ScanOp>()) scan->captured = all.size() - ownLeaves;
      op->operands = std::move(all);
    });
    return absl::OkStatus();
  }
  CapturingOp capturing;
  capturing.operands = std::move(all);
  capturing.results = shapesOf(described).results;
  capturing.opKind = &described.kind();
  capturing.inner = described;
  described = capturing;
  return absl::OkStatus();
}

void RegionImporter::addCall(mlir::Operation &op, CallRole role,
                             mlir::Attribute symbol, Instruction &instruction) {
  auto name = llvm::dyn_cast_or_null<mlir::SymbolRefAttr>(symbol);
  if (!name) return;
  CalledComputation called;
  called.role = role;
  called.name = import_.keep(name.getLeafReference().getValue());
  mlir::Operation *found =
      mlir::SymbolTable::lookupNearestSymbolFrom(&op, name);
  if (auto function =
          llvm::dyn_cast_or_null<mlir::FunctionOpInterface>(found)) {
    auto known = import_.computations.find(&function.getFunctionBody());
    if (known != import_.computations.end())
      called.computation = ComputationId(known->second);
  }
  // The meaning of a function that is only declared is unknown.
  if (called.computation < 0 && role == CallRole::Calls) {
    auto cover = make<CoverOp>(shapesOf(instruction.op));
    cover.configuration = instruction.op.descriptor().configuration;
    cover.precision = Precision::Opaque;
    cover.reason = "`" + called.name.str() + "` has no body here";
    instruction.op = std::move(cover);
    if (mayBeForEffects(op)) addEffects(instruction);
    // One that is declared may be defined elsewhere.
    if (!found)
      import_.program.notes.push_back(
          {Note::Kind::Warning, instruction.place,
           "`" + called.name.str() +
               "` is not defined: the call is taken to read every operand "
               "whole"});
  }
  instruction.called.push_back(std::move(called));
}

void RegionImporter::addCalls(mlir::Operation &op, Instruction &instruction) {
  for (auto [k, region] : llvm::enumerate(op.getRegions())) {
    auto known = import_.computations.find(&region);
    if (known == import_.computations.end()) continue;
    CalledComputation called;
    called.role = roleOf(&op, k).role;
    called.computation = ComputationId(known->second);
    called.name = import_.module.computations[known->second].name;
    instruction.called.push_back(std::move(called));
  }
  for (StringRef key : {"callee", "decomposition", "called_computation"})
    addCall(op, CallRole::Calls, op.getAttr(key), instruction);
  if (auto list = op.getAttrOfType<mlir::ArrayAttr>("called_computations"))
    for (mlir::Attribute symbol : list)
      addCall(op, CallRole::Other, symbol, instruction);
}

/// Fills in the arguments of each computation that the instruction calls: the
/// op's own operands, then the values that the computation's region captures.
absl::Status RegionImporter::fillArguments(InstructionId i, size_t own) {
  Instruction &instruction = computation_.instructions[i];
  const Op &op = innermost(instruction.op);
  const bool call = op.is<CallOp>();
  const bool branches = op.is<ConditionalOp>();
  const bool loop = op.is<WhileOp>();
  const bool scan = op.is<ScanOp>();
  for (CalledComputation &called : instruction.called) {
    const CallRole role = called.role;
    const bool passesOperands =
        (call && (role == CallRole::Calls || role == CallRole::ToApply)) ||
        (branches && role == CallRole::Branch) ||
        (loop && (role == CallRole::Body || role == CallRole::Condition)) ||
        (scan && role == CallRole::ToApply);
    if (!passesOperands) continue;
    if (!branches) {
      called.arguments.resize(own);
      std::iota(called.arguments.begin(), called.arguments.end(), 0);
    }
    if (called.computation < 0) continue;
    mlir::Region &region = *import_.regions[called.computation];
    for (mlir::Value value : import_.captures.of(region)) {
      const Source source = sources_.lookup(value);
      for (size_t k = own; k < instruction.operands.size(); ++k)
        if (instruction.operands[k] == source.instruction &&
            instruction.elements[k] == source.element)
          called.arguments.push_back(k);
    }
    INDEXICAL_RETURN_IF_ERROR(
        checkCall(import_, computation_, instruction, called));
  }
  return absl::OkStatus();
}

}  // namespace

absl::Status importRegion(ModuleImport &module, int32_t computation) {
  return RegionImporter(module, computation).run();
}

}  // namespace indexical
