#include "indexical/program/maps/single_trips.h"

#include <map>
#include <set>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/computations_with.h"
#include "indexical/program/module/loop_leaves.h"
#include "indexical/program/values/effects.h"
#include "indexical/program/values/term_ops.h"

namespace indexical {
namespace {

constexpr char kIsLoop[] = "it is a loop of any number of trips";

/// One of an instruction's array leaves, as an operand.
struct Reference {
  InstructionId instruction;
  int32_t element = -1;
};

/// Whether all leaves of a value are its elements, or it is one array.
bool isFlat(const Shape &shape) {
  return shape.isArray() ||
         (shape.isTuple() && llvm::all_of(shape.elements, [](const Shape &s) {
            return s.isArray();
          }));
}

Reference referenceTo(const Computation &computation, InstructionId i,
                      LeafId leaf) {
  const bool isWhole = computation.instructions[i].shape->isArray();
  return {i, isWhole ? -1 : static_cast<int32_t>(leaf)};
}

void addOperand(Instruction &instruction, Reference operand) {
  instruction.elements.resize(instruction.operands.size(), -1);
  instruction.operands.push_back(operand.instruction);
  instruction.elements.push_back(operand.element);
}

Shape tupleOf(const ShapeList &leaves) {
  std::vector<Shape> elements;
  for (const ArrayShape &leaf : leaves)
    elements.push_back(Shape::ofArray(leaf));
  return Shape::ofTuple(std::move(elements));
}

/// Returns an instruction that passes these leaves on.
Instruction passing(const ShapeList &leaves, llvm::ArrayRef<Reference> from,
                    Shape shape) {
  ForwardOp op;
  op.opKind = kindOf<ForwardOp>("tuple");
  op.operands = op.results = leaves;
  Instruction made;
  for (auto [k, each] : llvm::enumerate(from)) {
    op.reads.push_back(static_cast<int64_t>(k));
    addOperand(made, each);
  }
  made.opcode = "tuple";
  made.shape = std::move(shape);
  made.op = Op(std::move(op));
  return made;
}

/// Copies of instructions in a new computation.
class Copies {
 public:
  explicit Copies(Computation &to) : to_(to) {}

  /// By instruction of `from`: its place here, as a whole.
  using Known = std::map<InstructionId, Reference>;

  /// Copies the instruction with all that it is made of. Returns false if one
  /// of them is no copy: it varies, or an operand is missing.
  bool copy(const Computation &from, llvm::ArrayRef<InstructionId> roots,
            Known &known, const ComputationsWith &varies) {
    std::vector<bool> isNeeded(from.instructions.size());
    std::vector<InstructionId> stack(roots.begin(), roots.end());
    while (!stack.empty()) {
      const InstructionId i = stack.back();
      stack.pop_back();
      if (isNeeded[i] || known.count(i)) continue;
      isNeeded[i] = true;
      llvm::append_range(stack, from.instructions[i].operands);
    }
    for (InstructionId i : from.postOrder()) {
      if (!isNeeded[i]) continue;
      Instruction made = from.instructions[i];
      if (made.parameterNumber >= 0 || varies.has(made)) return false;
      made.elements.resize(made.operands.size(), -1);
      for (auto [operand, element] : llvm::zip(made.operands, made.elements)) {
        const auto found = known.find(operand);
        if (found == known.end()) return false;
        operand = found->second.instruction;
        if (found->second.element < 0) continue;
        if (element >= 0) return false;  // an element of an element
        element = found->second.element;
      }
      made.terminator = false;
      known[i] = {add(std::move(made)), -1};
    }
    return true;
  }

  InstructionId add(Instruction instruction) {
    if (llvm::all_of(instruction.elements, [](int32_t k) { return k < 0; }))
      instruction.elements.clear();
    to_.instructions.push_back(std::move(instruction));
    return InstructionId(to_.instructions.size() - 1);
  }

  /// Returns the leaf of an instruction that was copied.
  static std::optional<Reference> leafOf(const Computation &from,
                                         const OperandLeaf &leaf,
                                         const Known &known) {
    const auto found = known.find(leaf.instruction);
    if (found == known.end()) return std::nullopt;
    if (found->second.element >= 0) return found->second;
    return Reference{found->second.instruction,
                     referenceTo(from, leaf.instruction, leaf.result).element};
  }

 private:
  Computation &to_;
};

/// Whether the root of the body passes the leaf on as it was.
bool isPassedOn(const Computation &body, const PassedLeaves &passed,
                LeafId leaf) {
  const InstructionLeaf origin = originOf(body, {body.root, leaf});
  const int32_t parameter =
      body.instructions[origin.instruction].parameterNumber;
  return parameter >= 0 && llvm::any_of(passed, [&](const auto &each) {
           return each.first.parameter == parameter &&
                  each.first.leaf == origin.leaf &&
                  each.second == static_cast<int64_t>(leaf);
         });
}

/// Returns the leaves of the loop's result that something else takes.
std::set<int64_t> leavesTaken(const Computation &entry, InstructionId loop) {
  std::set<int64_t> taken;
  auto take = [&](InstructionLeaf leaf) {
    const InstructionLeaf origin = originOf(entry, leaf);
    if (origin.instruction == loop) taken.insert(origin.leaf);
  };
  const int64_t results = entry.instructions[entry.root].shape.leafCount();
  for (LeafId leaf; leaf < results; ++leaf) take({entry.root, leaf});
  for (InstructionId i(0); i < static_cast<int32_t>(entry.instructions.size());
       ++i)
    if (!entry.instructions[i].op.is<ForwardOp>())
      for (const OperandLeaf &operand : entry.operandLeaves(i))
        take({operand.instruction, operand.result});
  return taken;
}

/// Returns the leaves of the state on which the result depends, where something
/// takes it; nothing if these may be all.
std::optional<std::set<int64_t>> leavesNeeded(const Module &module,
                                              LoopLeaves &leaves,
                                              InstructionId i) {
  const Computation &entry = module.computations[module.entry];
  const auto count =
      static_cast<int64_t>(shapesOf(entry.instructions[i].op).results.size());
  std::set<int64_t> needed;
  for (int64_t taken : leavesTaken(entry, i)) {
    const auto found = leaves.of(module.entry, i, LeafId(taken));
    if (!found) return std::nullopt;
    for (int64_t leaf : *found)
      if (leaf < count) needed.insert(leaf);
  }
  return needed;
}

}  // namespace

std::vector<SingleLoop> singleLoops(const Module &module) {
  std::vector<SingleLoop> loops;
  if (module.entry < 0) return loops;
  const Computation &entry = module.computations[module.entry];
  const ComputationsWith varies = computationsThatVary(module);
  LoopLeaves flow(module);
  for (InstructionId i : entry.postOrder()) {
    const Instruction &each = entry.instructions[i];
    const auto body = calleeOf(each, CallRole::Body),
               condition = calleeOf(each, CallRole::Condition);
    if (!each.op.is<WhileOp>() || !isPlain(each.op) || !body || !condition ||
        varies.has(each) || !isFlat(*each.shape))
      continue;
    const Computation &inside = module.computations[body->computation];
    const Computation &asked = module.computations[condition->computation];
    if (inside.root < 0 || asked.root < 0 ||
        !isFlat(*inside.instructions[inside.root].shape) ||
        !llvm::all_of(each.operands, [&](InstructionId operand) {
          return isFlat(*entry.instructions[operand].shape);
        }))
      continue;
    const auto leaves = entry.operandLeaves(i);
    const PassedLeaves passed = passedLeaves(inside, *body, leaves);
    const ShapeList &results = shapesOf(each.op).results;
    if (leaves.size() < results.size()) continue;
    const auto needed = leavesNeeded(module, flow, i);
    SingleLoop loop;
    loop.instruction = i;
    for (LeafId leaf; leaf < static_cast<int64_t>(results.size()); ++leaf) {
      if (isPassedOn(inside, passed, leaf)) continue;
      if (needed && !needed->count(leaf)) {
        loop.unneeded.push_back(leaf);
        continue;
      }
      loop.varied.push_back(leaf);
      loop.shapes.push_back(results[leaf]);
    }
    if (!loop.varied.empty()) loops.push_back(std::move(loop));
  }
  return loops;
}

namespace {

/// Builds the computation of one trip.
class Trip {
 public:
  Trip(const Module &module, const SingleLoop &loop)
      : module_(module),
        entry_(module.computations[module.entry]),
        loop_(loop),
        operands_(entry_.operandLeaves(loop.instruction)),
        varies_(computationsThatVary(module)),
        copies_(made_) {
    made_.name = entry_.name;
    made_.entry = true;
  }

  std::optional<Computation> build(const std::string &name) {
    if (!takeAround()) return std::nullopt;
    addState(name);
    std::vector<Reference> results;
    ShapeList shapes = loop_.shapes;
    if (!addResults(CallRole::Body, loop_.varied, results) ||
        !addResults(CallRole::Condition, {LeafId(0)}, results))
      return std::nullopt;
    shapes.push_back(ArrayShape(ElementType::Pred, {}));
    made_.root = copies_.add(passing(shapes, results, tupleOf(shapes)));
    return std::move(made_);
  }

 private:
  /// Copies the parameters, and what the loop takes from around it.
  bool takeAround() {
    Copies::Known around;
    for (InstructionId parameter : entry_.parameters) {
      if (parameter < 0) return false;
      around[parameter] = {copies_.add(entry_.instructions[parameter]), -1};
      made_.parameters.push_back(around[parameter].instruction);
    }
    std::vector<InstructionId> roots;
    auto isState = [&](size_t k) {
      return llvm::is_contained(loop_.varied, LeafId(k)) ||
             llvm::is_contained(loop_.unneeded, LeafId(k));
    };
    for (size_t k = 0; k < operands_.size(); ++k)
      if (!isState(k)) roots.push_back(operands_[k].instruction);
    if (!copies_.copy(entry_, roots, around, varies_)) return false;
    leaves_.resize(operands_.size());
    for (size_t k = 0; k < operands_.size(); ++k)
      if (!isState(k))
        leaves_[k] = Copies::leafOf(entry_, operands_[k], around);
    return true;
  }

  void addState(const std::string &name) {
    for (auto [number, leaf] : llvm::enumerate(loop_.varied))
      leaves_[leaf] = anyOf(loop_.shapes[number],
                            "state " + std::to_string(number) + " of " + name);
  }

  Callee calleeIn(CallRole role) const {
    return *calleeOf(entry_.instructions[loop_.instruction], role);
  }

  /// Copies what these leaves of the root of one of the loop's computations are
  /// made of, and adds them to the results.
  bool addResults(CallRole role, llvm::ArrayRef<LeafId> leaves,
                  std::vector<Reference> &results) {
    const Callee callee = calleeIn(role);
    const Computation &inside = module_.computations[callee.computation];
    std::vector<std::vector<std::optional<Reference>>> of(
        inside.parameters.size());
    for (const auto &[parameter, number] :
         passedLeaves(inside, callee, operands_)) {
      if (number < 0) return false;
      of[parameter.parameter].push_back(leaves_[number]);
    }
    Copies::Known known;
    for (auto [p, parts] : llvm::enumerate(of)) {
      const InstructionId parameter = inside.parameters[p];
      const Instruction &declared = inside.instructions[parameter];
      if (!isFlat(*declared.shape)) return false;
      if (declared.shape->isArray()) {
        // Without a part, nothing takes it.
        if (parts.size() == 1 && parts[0]) known[parameter] = *parts[0];
      } else {
        known[parameter] = {tupleOfParts(declared, parts), -1};
      }
    }
    std::vector<InstructionLeaf> origins;
    std::vector<InstructionId> roots;
    for (LeafId leaf : leaves) {
      origins.push_back(behindTuples(inside, {inside.root, leaf}));
      roots.push_back(origins.back().instruction);
    }
    if (!copies_.copy(inside, roots, known, varies_)) return false;
    for (const InstructionLeaf &origin : origins) {
      const auto result = Copies::leafOf(
          inside, OperandLeaf{origin.instruction, origin.leaf, 0, LeafId(0)},
          known);
      if (!result) return false;
      results.push_back(*result);
    }
    return true;
  }

  /// Returns a tuple of the parts, and of something where nothing takes one.
  InstructionId tupleOfParts(const Instruction &parameter,
                             llvm::ArrayRef<std::optional<Reference>> parts) {
    const ShapeList &shapes = shapesOf(parameter.op).results;
    std::vector<Reference> whole;
    for (auto [k, part] : llvm::enumerate(parts))
      whole.push_back(part ? *part : anyOf(shapes[k], "not taken"));
    return copies_.add(passing(shapes, whole, *parameter.shape));
  }

  /// Returns a value of which nothing is known but its name.
  Reference anyOf(const ArrayShape &shape, const std::string &name) {
    Instruction any;
    any.opcode = "custom-call";
    any.shape = Shape::ofArray(shape);
    any.op = opOfName(name, {}, {shape}, kIsLoop);
    return {copies_.add(std::move(any)), -1};
  }

  const Module &module_;
  const Computation &entry_;
  const SingleLoop &loop_;
  const llvm::SmallVector<OperandLeaf, 4> operands_;
  const ComputationsWith varies_;
  Computation made_;
  Copies copies_;
  /// For each operand leaf of the loop what it is in the trip.
  std::vector<std::optional<Reference>> leaves_;
};

}  // namespace

std::optional<Module> singleTrip(const Module &module, const SingleLoop &loop,
                                 const std::string &name) {
  auto trip = Trip(module, loop).build(name);
  if (!trip) return std::nullopt;
  Module made = module;
  made.computations[made.entry].entry = false;
  made.entry = ComputationId(made.computations.size());
  made.computations.push_back(*std::move(trip));
  return made;
}

Module withLoopAsOp(const Module &module, const SingleLoop &loop,
                    const std::string &name) {
  Module made = module;
  Computation &entry = made.computations[made.entry];
  const auto operands = entry.operandLeaves(loop.instruction);
  ShapeList shapes;
  Instruction whole;
  for (LeafId leaf : loop.varied) {
    const OperandLeaf &from = operands[leaf];
    addOperand(whole, referenceTo(entry, from.instruction, from.result));
    shapes.push_back(
        shapesOf(entry.instructions[from.instruction].op).results[from.result]);
  }
  const Instruction loopItself = entry.instructions[loop.instruction];
  whole.name = loopItself.name;
  whole.place = loopItself.place;
  whole.opcode = "custom-call";
  whole.shape = loop.shapes.size() == 1 ? Shape::ofArray(loop.shapes[0])
                                        : tupleOf(loop.shapes);
  whole.op = opOfName(name, std::move(shapes), loop.shapes, kIsLoop);
  const InstructionId op = Copies(entry).add(std::move(whole));
  std::vector<Reference> leaves;
  const ShapeList &results = shapesOf(loopItself.op).results;
  for (LeafId leaf; leaf < static_cast<int64_t>(results.size()); ++leaf) {
    const auto varied = llvm::find(loop.varied, leaf);
    leaves.push_back(
        varied == loop.varied.end()
            ? referenceTo(entry, operands[leaf].instruction,
                          operands[leaf].result)
            : referenceTo(entry, op, LeafId(varied - loop.varied.begin())));
  }
  Instruction passed = passing(results, leaves, *loopItself.shape);
  passed.name = loopItself.name;
  passed.place = loopItself.place;
  entry.instructions[loop.instruction] = std::move(passed);
  return made;
}

}  // namespace indexical
