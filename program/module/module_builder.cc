#include "indexical/program/module/module_builder.h"

#include <numeric>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/library_parts.h"

namespace indexical {
namespace {

constexpr BuiltInstruction kNothing;

Shape shapeOfResults(const ShapeList &results) {
  if (results.empty()) return Shape::token();
  if (results.size() == 1) return Shape::ofArray(results[0]);
  std::vector<Shape> elements;
  for (const ArrayShape &result : results)
    elements.push_back(Shape::ofArray(result));
  return Shape::ofTuple(std::move(elements));
}

/// The operands' leaves from `first` on, as they are.
OpDraft forwarded(const char *kind, int64_t first, int64_t count) {
  ForwardOp op;
  op.opKind = kindOf<ForwardOp>(kind);
  op.reads.resize(count);
  std::iota(op.reads.begin(), op.reads.end(), first);
  return op;
}

}  // namespace

//===-- Computations ------------------------------------------------------===//

BuiltInstruction ComputationBuilder::parameter(const Shape &shape,
                                               llvm::StringRef name) {
  if (!builder_->canTake(id_, {})) return kNothing;
  Computation &to = builder_->program_.modules[0].computations[id_];
  const int32_t number = static_cast<int32_t>(to.parameters.size());
  NullaryOp op;
  op.opKind = kindOf<NullaryOp>("parameter");
  op.parameter = number;
  Instruction instruction;
  instruction.parameterNumber = number;
  const BuiltInstruction added =
      builder_->addOp(id_, op, shape, {}, std::move(instruction), name);
  if (added.instruction >= 0) to.parameters.push_back(added.instruction);
  return added;
}

BuiltInstruction ComputationBuilder::parameter(const ArrayShape &shape,
                                               llvm::StringRef name) {
  return parameter(Shape::ofArray(shape), name);
}

BuiltInstruction ComputationBuilder::add(OpDraft op, Operands operands,
                                         llvm::StringRef name) {
  return builder_->addOfResults(id_, std::move(op), operands, {}, name);
}

BuiltInstruction ComputationBuilder::add(OpDraft op, Operands operands,
                                         const ComputationBuilder &applied,
                                         llvm::StringRef name) {
  if (!builder_->canCall(applied)) return kNothing;
  Instruction instruction;
  const Module &module = builder_->program_.modules[0];
  instruction.called.push_back({CallRole::ToApply,
                                module.computations[applied.id_].name,
                                applied.id_,
                                {}});
  return builder_->addOfResults(id_, std::move(op), operands,
                                std::move(instruction), name);
}

BuiltInstruction ComputationBuilder::tuple(Operands operands,
                                           llvm::StringRef name) {
  if (!builder_->canTake(id_, operands)) return kNothing;
  std::vector<Shape> elements;
  for (const BuiltInstruction operand : operands)
    elements.push_back(builder_->shapeOf(operand));
  Shape shape = Shape::ofTuple(std::move(elements));
  OpDraft op = forwarded("tuple", 0, shape.leafCount());
  return builder_->addOp(id_, std::move(op), std::move(shape), operands, {},
                         name);
}

BuiltInstruction ComputationBuilder::element(BuiltInstruction tuple,
                                             int64_t index,
                                             llvm::StringRef name) {
  if (!builder_->canTake(id_, tuple)) return kNothing;
  const Shape &of = builder_->shapeOf(tuple);
  if (!of.isTuple() || index < 0 ||
      index >= static_cast<int64_t>(of.elements.size())) {
    builder_->fail(of.str() + " has no element " + std::to_string(index));
    return kNothing;
  }
  int64_t first = 0;
  for (int64_t i = 0; i < index; ++i) first += of.elements[i].leafCount();
  Shape shape = of.elements[index];
  OpDraft op = forwarded("get-tuple-element", first, shape.leafCount());
  return builder_->addOp(id_, std::move(op), std::move(shape), tuple, {}, name);
}

BuiltInstruction ComputationBuilder::fusion(const ComputationBuilder &fused,
                                            Operands operands,
                                            llvm::StringRef kind,
                                            llvm::StringRef name) {
  Instruction instruction;
  instruction.fusionKind = builder_->keep(kind.str());
  return builder_->addCall(id_, "fusion", CallRole::Calls, fused, operands,
                           std::move(instruction), name);
}

BuiltInstruction ComputationBuilder::call(const ComputationBuilder &called,
                                          Operands operands,
                                          llvm::StringRef name) {
  return builder_->addCall(id_, "call", CallRole::ToApply, called, operands, {},
                           name);
}

BuiltInstruction ComputationBuilder::loop(const ComputationBuilder &condition,
                                          const ComputationBuilder &body,
                                          Operands operands,
                                          std::optional<int64_t> trips,
                                          llvm::StringRef name) {
  if (!builder_->canTake(id_, operands) || !builder_->canCall(condition) ||
      !builder_->canCall(body))
    return kNothing;
  if (operands.empty() || trips.value_or(0) < 0) {
    builder_->fail(operands.empty() ? "a loop has a state: one operand or more"
                                    : "a loop cannot run " +
                                          std::to_string(*trips) + " times");
    return kNothing;
  }
  std::vector<Shape> state;
  for (const BuiltInstruction operand : operands)
    state.push_back(builder_->shapeOf(operand));
  Shape shape = state.size() == 1 ? state[0] : Shape::ofTuple(std::move(state));
  const Shape truth = Shape::ofArray(ArrayShape(ElementType::Pred, {}));
  Instruction instruction;
  instruction.tripCount = trips;
  if (!builder_->addCalled(CallRole::Condition, condition, operands, truth,
                           instruction) ||
      !builder_->addCalled(CallRole::Body, body, operands, shape, instruction))
    return kNothing;
  return builder_->addOp(id_, WhileOp(), std::move(shape), operands,
                         std::move(instruction), name);
}

void ComputationBuilder::root(BuiltInstruction instruction) {
  if (!builder_->canTake(id_, instruction)) return;
  builder_->program_.modules[0].computations[id_].root =
      instruction.instruction;
}

//===-- Modules -----------------------------------------------------------===//

ModuleBuilder::ModuleBuilder(llvm::StringRef name) {
  program_.text = std::make_shared<const std::string>();
  Module &module = program_.modules.emplace_back();
  module.name = keep(name.str());
  module.hasHeader = true;
}

ComputationBuilder ModuleBuilder::computation(llvm::StringRef name) {
  std::vector<Computation> &all = program_.modules[0].computations;
  if (!computationNames_.insert(name).second)
    fail("there are two computations of the name `" + name.str() + "`");
  all.emplace_back().name = keep(name.str());
  names_.emplace_back();
  return ComputationBuilder(*this, ComputationId(all.size() - 1));
}

ComputationBuilder ModuleBuilder::entry(llvm::StringRef name) {
  const ComputationBuilder begun = computation(name);
  Module &module = program_.modules[0];
  if (module.entry >= 0)
    fail("a module has one entry, here `" +
         module.computations[module.entry].name.str() + "` and `" + name.str() +
         "`");
  module.entry = begun.id_;
  module.computations[begun.id_].entry = true;
  return begun;
}

absl::StatusOr<Program> ModuleBuilder::build() {
  const Module &module = program_.modules[0];
  for (const Computation &computation : module.computations)
    if (computation.root < 0)
      fail("the computation `" + computation.name.str() + "` has no root");
  if (module.entry < 0) fail("the module has no entry");
  if (!status_.ok()) return status_;
  status_ = absl::FailedPreconditionError("the module was built already");
  Program built = std::move(program_);
  program_ = Program();
  program_.modules.emplace_back();
  return built;
}

bool ModuleBuilder::fail(std::string message) {
  if (status_.ok()) status_ = absl::InvalidArgumentError(std::move(message));
  return false;
}

llvm::StringRef ModuleBuilder::keep(std::string text) {
  return program_.keptStrings.emplace_back(std::move(text));
}

const Shape &ModuleBuilder::shapeOf(BuiltInstruction of) const {
  return program_.modules[0]
      .computations[of.computation]
      .instructions[of.instruction]
      .shape;
}

bool ModuleBuilder::canTake(ComputationId into, Operands operands) {
  if (!status_.ok()) return false;
  const Computation &to = program_.modules[0].computations[into];
  if (to.root >= 0)
    return fail("`" + to.name.str() +
                "` has its root, and nothing is added behind it");
  for (const BuiltInstruction operand : operands)
    if (operand.computation != into || operand.instruction < 0 ||
        operand.instruction >= static_cast<int32_t>(to.instructions.size()))
      return fail("an operand is not an instruction of `" + to.name.str() +
                  "`");
  return true;
}

bool ModuleBuilder::canCall(const ComputationBuilder &called) {
  if (!status_.ok()) return false;
  if (called.builder_ != this)
    return fail("a computation of another module cannot be called");
  const Computation &callee = program_.modules[0].computations[called.id_];
  return callee.root >= 0 || fail("`" + callee.name.str() +
                                  "` has no root yet, and cannot be called");
}

bool ModuleBuilder::addCalled(CallRole role, const ComputationBuilder &called,
                              Operands operands, const Shape &result,
                              Instruction &to) {
  const Computation &callee = program_.modules[0].computations[called.id_];
  if (callee.parameters.size() != operands.size())
    return fail("`" + callee.name.str() + "` has " +
                std::to_string(callee.parameters.size()) +
                " parameters, and is handed " +
                std::to_string(operands.size()));
  for (auto [p, operand] : llvm::enumerate(operands)) {
    const Shape &wanted = callee.instructions[callee.parameters[p]].shape;
    if (!sameUpToLayout(shapeOf(operand), wanted))
      return fail("parameter " + std::to_string(p) + " of `" +
                  callee.name.str() + "` is " + wanted.str() +
                  ", and is handed " + shapeOf(operand).str());
  }
  const Shape &root = callee.instructions[callee.root].shape;
  if (!sameUpToLayout(root, result))
    return fail("`" + callee.name.str() + "` returns " + root.str() +
                ", it would return " + result.str());
  CalledComputation &added = to.called.emplace_back();
  added.role = role;
  added.name = callee.name;
  added.computation = called.id_;
  added.arguments.resize(operands.size());
  std::iota(added.arguments.begin(), added.arguments.end(), 0);
  return true;
}

BuiltInstruction ModuleBuilder::addCall(ComputationId into, const char *opcode,
                                        CallRole role,
                                        const ComputationBuilder &called,
                                        Operands operands, Instruction with,
                                        llvm::StringRef name) {
  if (!canTake(into, operands) || !canCall(called)) return kNothing;
  const Computation &callee = program_.modules[0].computations[called.id_];
  Shape shape = callee.instructions[callee.root].shape;
  if (!addCalled(role, called, operands, shape, with)) return kNothing;
  CallOp op;
  op.opKind = kindOf<CallOp>(opcode);
  return addOp(into, op, std::move(shape), operands, std::move(with), name);
}

BuiltInstruction ModuleBuilder::addOfResults(ComputationId into, OpDraft op,
                                             Operands operands,
                                             Instruction with,
                                             llvm::StringRef name) {
  if (!canTake(into, operands)) return kNothing;
  if (op.empty()) {
    fail("an op of no family cannot be added");
    return kNothing;
  }
  if (op.is<ElementwiseOp>() && op->results.empty() && !operands.empty())
    op->results = shapeOf(operands[0]).leaves();
  Shape shape = shapeOfResults(op->results);
  return addOp(into, std::move(op), std::move(shape), operands, std::move(with),
               name);
}

BuiltInstruction ModuleBuilder::addOp(ComputationId into, OpDraft op,
                                      Shape shape, Operands operands,
                                      Instruction with, llvm::StringRef name) {
  llvm::SmallVector<const Shape *, 4> shapes;
  for (const BuiltInstruction operand : operands) {
    shapes.push_back(&shapeOf(operand));
    with.operands.push_back(operand.instruction);
  }
  with.shape = std::move(shape);
  op->operands = library::leavesOf(shapes);
  op->results = with.shape.leaves();
  const llvm::StringRef opcode = OpView(op).kind().name;
  if (absl::Status status = verifyUse(op); !status.ok()) {
    fail("`" + opcode.str() + "`: " + std::string(status.message()));
    return kNothing;
  }
  with.opcode = opcode;
  with.op = Op(std::move(op));
  return append(into, std::move(with), name);
}

BuiltInstruction ModuleBuilder::append(ComputationId into,
                                       Instruction instruction,
                                       llvm::StringRef name) {
  Computation &to = program_.modules[0].computations[into];
  llvm::StringSet<> &names = names_[into];
  std::string given = name.str();
  for (int64_t i = 1; given.empty() || (name.empty() && names.contains(given));
       ++i)
    given = instruction.opcode.str() + "." +
            std::to_string(to.instructions.size() + i);
  if (!names.insert(given).second) {
    fail("`" + to.name.str() + "` has two instructions of the name `" + given +
         "`");
    return kNothing;
  }
  instruction.name = keep(std::move(given));
  to.instructions.push_back(std::move(instruction));
  return {into, InstructionId(to.instructions.size() - 1)};
}

}  // namespace indexical
