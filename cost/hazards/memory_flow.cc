#include "indexical/cost/hazards/memory_flow.h"

#include <algorithm>

#include "indexical/cost/hazards/thread_access.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/loop_trips.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/program/values/effects.h"

namespace indexical {
namespace {

/// Calls in calls; deeper ones are no compiler's.
constexpr int32_t kMostMemoryDepth = 64;
/// Instructions that are followed, each as often as it is called.
constexpr int64_t kMostMemorySteps = 2'000'000;

bool isCopy(const Instruction &instruction) {
  return instruction.opcode == "copy" && instruction.operands.size() == 1 &&
         instruction.shape->isArray();
}

bool isSameMemory(const ArrayShape &a, const ArrayShape &b) {
  if (a.type != b.type || a.dimensions != b.dimensions) return false;
  if (a.layout == b.layout) return true;
  // A layout that is not written is row major.
  const auto plain = [](const ArrayShape &of) {
    return !of.layout ||
           (of.layout->tiles.empty() && of.layout->elementBits == 0 &&
            of.layout->memorySpace == 0);
  };
  return plain(a) && plain(b) && a.minorToMajor() == b.minorToMajor();
}

}  // namespace

MemoryFlow::MemoryFlow(const Module &module, const MemoryMarks &marks,
                       const MemoryWorld &world)
    : module_(module), marks_(marks), world_(world) {
  if (module.entry < 0) {
    obstacle_ = "the module has no entry computation";
    return;
  }
  for (const MemoryMarks::Operand &mark : marks.operands)
    operandMarks_.insert(
        {{int32_t{mark.computation}, int32_t{mark.instruction}}, &mark});
  if (world.share)
    operandMarks_.insert(
        {{int32_t{world.share->computation}, int32_t{world.share->instruction}},
         &*world.share});
  const int32_t entry = newFrame(module.entry, -1, {}, CallRole::Calls, 0);
  const Computation &own = module.entryComputation();
  std::vector<Nodes> arguments;
  for (const InstructionId p : own.parameters) {
    auto &leaves = arguments.emplace_back();
    const int64_t count = own.instructions[p].shape.leafCount();
    for (LeafId l; l < count; ++l) {
      leaves.push_back(newNode(entry, p, l));
      nodes_.back().isParameter = true;
    }
  }
  results_ = follow(entry, arguments);
  if (!obstacle_.empty()) return;
  alias();
  for (auto [k, node] : llvm::enumerate(results_))
    read(node, {{entry, MemoryEvent::kEnd, MemoryEvent::kEnd}, -1, node});
  for (auto [p, leaves] : llvm::enumerate(arguments))
    for (auto [l, node] : llvm::enumerate(leaves)) {
      const auto number = static_cast<int64_t>(p);
      if (marks.isGiven(number, LeafId(l)) ||
          world.given.count({number, static_cast<int64_t>(l)}))
        continue;
      read(node, {{entry, MemoryEvent::kEnd, MemoryEvent::kEnd}, -1, node});
    }
  number();
}

OperandLeafLists &MemoryFlow::leavesOf(ComputationId computation) {
  return leaves_.try_emplace(computation, module_.computations[computation])
      .first->second;
}

int32_t MemoryFlow::newFrame(ComputationId computation, int32_t caller,
                             InstructionId call, CallRole role,
                             int32_t called) {
  MemoryFrame frame;
  frame.computation = computation;
  frame.caller = caller;
  frame.call = call;
  frame.role = role;
  if (caller >= 0) {
    frame.depth = frames_[caller].depth + 1;
    frame.isDead = frames_[caller].isDead;
    frame.calls = frames_[caller].calls;
    frame.calls.push_back({frames_[caller].computation, call, called});
  }
  int32_t count = 0;
  for (const Instruction &each :
       module_.computations[computation].instructions) {
    frame.first.push_back(count);
    count += static_cast<int32_t>(each.shape.leafCount());
  }
  frame.nodes.assign(count, -1);
  steps_ += static_cast<int64_t>(frame.first.size());
  if (frame.depth > kMostMemoryDepth || steps_ > kMostMemorySteps)
    obstacle_ = "calls are nested too deep, or run too many instructions";
  frames_.push_back(std::move(frame));
  return static_cast<int32_t>(frames_.size()) - 1;
}

int32_t MemoryFlow::newNode(int32_t frame, InstructionId i, LeafId leaf) {
  MemoryNode node;
  node.frame = frame;
  node.instruction = i;
  node.leaf = leaf;
  nodes_.push_back(std::move(node));
  return static_cast<int32_t>(nodes_.size()) - 1;
}

void MemoryFlow::read(int32_t node, MemoryReader reader) {
  if (node >= 0) nodes_[node].readers.push_back(reader);
}

int32_t MemoryFlow::operandNode(int32_t frame, InstructionId i, LeafId leaf) {
  const OperandLeaf from = leavesOf(frames_[frame].computation).leaf(i, leaf);
  return from.instruction < 0 ? -1
                              : nodeAt(frame, from.instruction, from.result);
}

MemoryFlow::Nodes MemoryFlow::operandNodes(int32_t frame, InstructionId i) {
  Nodes nodes;
  for (const OperandLeaf &leaf : leavesOf(frames_[frame].computation).of(i))
    nodes.push_back(leaf.instruction < 0
                        ? -1
                        : nodeAt(frame, leaf.instruction, leaf.result));
  return nodes;
}

int32_t MemoryFlow::findDone(ComputationId computation,
                             InstructionId start) const {
  auto [known, isNew] = dones_.try_emplace(computation);
  if (isNew) {
    const Computation &own = module_.computations[computation];
    for (size_t i = 0; i < own.instructions.size(); ++i)
      if (const auto begun = startOf(own, InstructionId(i)))
        known->second[*begun] = static_cast<int32_t>(i);
  }
  const auto found = known->second.find(start);
  return found == known->second.end() ? MemoryEvent::kEnd : found->second;
}

bool MemoryFlow::isWithin(int32_t frame, int32_t outer) const {
  while (frame >= 0 && frame != outer) frame = frames_[frame].caller;
  return frame == outer;
}

MemoryFlow::Nodes MemoryFlow::follow(int32_t frame,
                                     const std::vector<Nodes> &arguments) {
  const Computation &own = computationOf(frame);
  for (auto [p, parameter] : llvm::enumerate(own.parameters)) {
    MemoryFrame &of = frames_[frame];
    for (size_t l = 0; p < arguments.size() && l < arguments[p].size() &&
                       of.first[parameter] + l < of.nodes.size();
         ++l)
      of.nodes[of.first[parameter] + l] = arguments[p][l];
  }
  for (const InstructionId i : own.postOrder()) {
    if (!obstacle_.empty()) return {};
    if (own.instructions[i].parameterNumber < 0) followInstruction(frame, i);
  }
  Nodes roots;
  const int64_t count = own.instructions[own.root].shape.leafCount();
  for (LeafId l; l < count; ++l) roots.push_back(nodeAt(frame, own.root, l));
  return roots;
}

void MemoryFlow::followInstruction(int32_t frame, InstructionId i) {
  const ComputationId c = frames_[frame].computation;
  const Instruction &instruction = module_.computations[c].instructions[i];
  const int64_t results = instruction.shape.leafCount();
  auto set = [&](LeafId leaf, int32_t node) {
    frames_[frame].nodes[frames_[frame].first[i] + leaf] = node;
  };
  if (isCopy(instruction) || instruction.opcode == "copy-start")
    return copy(frame, i);
  if (const auto *forward = instruction.op.as<ForwardOp>()) {
    for (LeafId l; l < results; ++l)
      set(l, forward->reads[l] < 0
                 ? newNode(frame, i, l)
                 : operandNode(frame, i, LeafId(forward->reads[l])));
    return;
  }
  if (instruction.op.is<BitcastOp>())
    return set(LeafId(0), operandNode(frame, i, LeafId(0)));
  if (instruction.op.is<ConstantOp>()) {
    set(LeafId(0), newNode(frame, i, LeafId(0)));
    nodes_.back().isConstant = true;
    return;
  }
  MemoryEvent event{frame, i, i};
  int64_t firstResult = 0;
  if (const auto *start = instruction.op.as<StartOp>()) {
    event.last = doneOf(frame, i);
    firstResult = start->forwards;
    for (LeafId l; l < std::min<int64_t>(firstResult, results); ++l)
      set(l, operandNode(frame, i, l));
  } else if (instruction.opcode.ends_with("-start")) {
    // `all-reduce-start` has its results alone, and is read as what it starts.
    event.last = doneOf(frame, i);
  }
  const Op &op = innermost(instruction.op);
  if (op.is<WhileOp>() && calleeOf(instruction, CallRole::Body))
    return loop(frame, i);
  if (op.is<ConditionalOp>() && calleeOf(instruction, CallRole::Branch))
    return conditional(frame, i);
  if (op.is<CallOp>() && !isFusedKernel(instruction))
    if (const auto callee = calleeOfCall(instruction))
      return call(frame, i, *callee, firstResult);
  kernel(frame, i, event, firstResult);
}

void MemoryFlow::kernel(int32_t frame, InstructionId i, MemoryEvent event,
                        int64_t firstResult) {
  const ComputationId c = frames_[frame].computation;
  const Computation &own = module_.computations[c];
  const Instruction &instruction = own.instructions[i];
  const Nodes operands = operandNodes(frame, i);
  const int64_t results = instruction.shape.leafCount();
  for (LeafId l(firstResult); l < results; ++l) {
    const int32_t node = newNode(frame, i, l);
    frames_[frame].nodes[frames_[frame].first[i] + l] = node;
    nodes_[node].writer = event;
    const int64_t updated = updatedOperand(module_, instruction, l);
    int64_t operand = updated;
    PlaceKind kind = isFusedKernel(instruction)       ? PlaceKind::Fusion
                     : instruction.op.is<ScatterOp>() ? PlaceKind::Scatter
                                                      : PlaceKind::Update;
    const auto marks = operandMarks_.equal_range({int32_t{c}, int32_t{i}});
    for (auto mark = marks.first; mark != marks.second; ++mark)
      if (mark->second->result == l) {
        operand = mark->second->operandLeaf;
        kind = PlaceKind::Alias;
      }
    if (operand < 0 || operand >= static_cast<int64_t>(operands.size()))
      continue;
    const int32_t from = operands[operand];
    if (world_.copied.count({frame, int32_t{i}, int64_t{l}})) continue;
    if (from < 0) continue;
    // A constant that is asked for is taken as given away.
    if (nodes_[from].isConstant && !world_.share) {
      constantWrites_.push_back({from, node, operand, kind});
      continue;
    }
    nodes_[node].parent = from;
    nodes_[node].kind = kind;
    const OperandLeaf there = own.operandLeaf(i, LeafId(operand));
    nodes_[node].isUpdate =
        operand == updated &&
        isSameMemory(
            own.instructions[there.instruction].shape.leaves()[there.result],
            instruction.shape.leaves()[l]);
    nodes_[node].isMarked = kind == PlaceKind::Alias;
    if (nodes_[node].isMarked) nodes_[node].markedOperand = operand;
    nodes_[node].isAsked = nodes_[node].isMarked && world_.share;
  }
  for (auto [k, node] : llvm::enumerate(operands))
    read(node, {event, static_cast<int64_t>(k), -1});
}

void MemoryFlow::call(int32_t frame, InstructionId i, const Callee &callee,
                      int64_t firstResult) {
  const Nodes operands = operandNodes(frame, i);
  const Computation &inside = module_.computations[callee.computation];
  const auto leaves = leavesOf(frames_[frame].computation).of(i);
  std::vector<Nodes> arguments(inside.parameters.size());
  for (const auto &[parameter, number] : passedLeaves(inside, callee, leaves))
    arguments[parameter.parameter].push_back(number < 0 ? -1
                                                        : operands[number]);
  const int32_t run =
      newFrame(callee.computation, frame, i, CallRole::Calls, callee.called);
  if (!obstacle_.empty()) return;
  const Nodes roots = follow(run, arguments);
  const int64_t results =
      computationOf(frame).instructions[i].shape.leafCount();
  for (size_t k = 0; k < roots.size(); ++k)
    if (firstResult + static_cast<int64_t>(k) < results)
      frames_[frame].nodes[frames_[frame].first[i] + firstResult + k] =
          roots[k];
  passages(frame, i, PlaceKind::Call, roots);
}

void MemoryFlow::passages(int32_t frame, InstructionId i, PlaceKind kind,
                          llvm::ArrayRef<int32_t> results) {
  const Nodes operands = operandNodes(frame, i);
  std::map<int32_t, int64_t> numbers;
  for (auto [k, node] : llvm::enumerate(operands))
    numbers.try_emplace(node, static_cast<int64_t>(k));
  for (auto [l, result] : llvm::enumerate(results)) {
    // The nearest operand upstream in the same memory.
    for (int32_t at = result; at >= 0; at = nodes_[at].parent)
      if (const auto found = numbers.find(at); found != numbers.end()) {
        passages_.push_back(
            {frame, i, LeafId(l), LeafId(found->second), at, result, kind});
        break;
      }
  }
}

void MemoryFlow::loop(int32_t frame, InstructionId i) {
  const Instruction &instruction = computationOf(frame).instructions[i];
  const Nodes operands = operandNodes(frame, i);
  const auto condition = calleeOf(instruction, CallRole::Condition);
  const auto body = calleeOf(instruction, CallRole::Body);
  const Computation &inside = module_.computations[body->computation];
  const int32_t turn =
      newFrame(body->computation, frame, i, CallRole::Body, body->called);
  if (!obstacle_.empty()) return;
  if (tripsOf(module_, frames_[frame].computation, i) == 0)
    frames_[turn].isDead = true;
  // A parameter of the body is what the operand was, in the first turn.
  std::vector<Nodes> arguments(inside.parameters.size());
  Nodes parameters;
  const auto leaves = leavesOf(frames_[frame].computation).of(i);
  for (const auto &[parameter, number] : passedLeaves(inside, *body, leaves)) {
    const int32_t node =
        newNode(turn, inside.parameters[parameter.parameter], parameter.leaf);
    const int32_t from = number < 0 ? -1 : operands[number];
    nodes_[node].isSame = true;
    nodes_[node].kind = PlaceKind::Carry;
    if (from >= 0 && !nodes_[from].isConstant) nodes_[node].parent = from;
    arguments[parameter.parameter].push_back(node);
    parameters.push_back(node);
  }
  if (condition) {
    const Computation &test = module_.computations[condition->computation];
    const int32_t run = newFrame(condition->computation, frame, i,
                                 CallRole::Condition, condition->called);
    if (!obstacle_.empty()) return;
    std::vector<Nodes> tested(test.parameters.size());
    for (const auto &[parameter, number] :
         passedLeaves(test, *condition, leaves))
      tested[parameter.parameter].push_back(
          number < 0 || number >= static_cast<int64_t>(parameters.size())
              ? -1
              : parameters[number]);
    follow(run, tested);
  }
  const Nodes roots = follow(turn, arguments);
  if (!obstacle_.empty()) return;
  const int64_t results = instruction.shape.leafCount();
  for (LeafId l; l < results; ++l) {
    const bool isKnown = l < static_cast<int64_t>(roots.size()) &&
                         l < static_cast<int64_t>(parameters.size()) &&
                         roots[l] >= 0;
    if (isKnown && roots[l] != parameters[l] &&
        l < static_cast<int64_t>(operands.size()) && operands[l] >= 0 &&
        nodes_[operands[l]].isConstant)
      constantWrites_.push_back({operands[l], parameters[l]});
    if (isKnown)
      carry(frame, i, turn, l, parameters[l], roots[l]);
    else
      frames_[frame].nodes[frames_[frame].first[i] + l] = newNode(frame, i, l);
  }
}

void MemoryFlow::carry(int32_t frame, InstructionId i, int32_t body,
                       LeafId leaf, int32_t parameter, int32_t root) {
  int32_t last = root;
  if (root != parameter)
    last = placeAt(root, parameter, body, PlaceKind::Carry);
  // The next turn, or what comes after the loop, needs it.
  read(last, {{body, MemoryEvent::kEnd, MemoryEvent::kEnd}, -1, last});
  const int32_t result = newNode(frame, i, leaf);
  nodes_[result].parent = last;
  nodes_[result].isSame = true;
  nodes_[result].kind = PlaceKind::Carry;
  frames_[frame].nodes[frames_[frame].first[i] + leaf] = result;
  MemoryPassage passage{frame,           i, leaf, leaf, parameter, last,
                        PlaceKind::Carry};
  // One array cannot be two carries, one of which is written.
  const int32_t from = nodes_[parameter].parent;
  for (const MemoryPassage &other : passages_) {
    if (other.frame != frame || other.instruction != i || from < 0 ||
        other.kind != PlaceKind::Carry || nodes_[other.from].parent < 0)
      continue;
    if (rootOf(nodes_[other.from].parent) != rootOf(from)) continue;
    if (other.from == other.to && root == parameter) continue;
    passage.isTaken = true;
    passage.taken = from;
    nodes_[parameter].parent = -1;
    break;
  }
  passages_.push_back(passage);
}

int32_t MemoryFlow::placeAt(int32_t value, int32_t memory, int32_t frame,
                            PlaceKind kind) {
  int32_t top = value;
  while (true) {
    if (top == memory) return value;
    if (nodes_[top].parent < 0) break;
    top = nodes_[top].parent;
  }
  MemoryNode &first = nodes_[top];
  const bool isMade = !first.isParameter && !first.isConstant &&
                      !first.isSame && isWithin(first.frame, frame) &&
                      first.others.empty();
  if (isMade) {
    first.parent = memory;
    first.kind = kind;
    return value;
  }
  const MemoryEvent end{frame, MemoryEvent::kEnd, MemoryEvent::kEnd};
  if (!nodes_[value].isConstant) read(value, {end, -1, value});
  const int32_t moved = newNode(nodes_[value].frame, nodes_[value].instruction,
                                nodes_[value].leaf);
  nodes_[moved].parent = memory;
  nodes_[moved].kind = kind;
  nodes_[moved].writer = end;
  nodes_[moved].isMoved = true;
  return moved;
}

void MemoryFlow::conditional(int32_t frame, InstructionId i) {
  const Instruction &instruction = computationOf(frame).instructions[i];
  const Nodes operands = operandNodes(frame, i);
  const auto leaves = leavesOf(frames_[frame].computation).of(i);
  std::vector<int32_t> branches;
  std::vector<Nodes> roots;
  for (int32_t n = 0;
       const auto callee = calleeOf(instruction, CallRole::Branch, n); ++n) {
    const Computation &inside = module_.computations[callee->computation];
    std::vector<Nodes> arguments(inside.parameters.size());
    for (const auto &[parameter, number] :
         passedLeaves(inside, *callee, leaves))
      arguments[parameter.parameter].push_back(number < 0 ? -1
                                                          : operands[number]);
    branches.push_back(newFrame(callee->computation, frame, i, CallRole::Branch,
                                callee->called));
    if (!obstacle_.empty()) return;
    roots.push_back(follow(branches.back(), arguments));
    if (!obstacle_.empty()) return;
  }
  // The choice is read, too.
  if (!operands.empty()) read(operands[0], {{frame, i, i}, 0, -1});
  const int64_t results = instruction.shape.leafCount();
  Nodes all;
  for (LeafId l; l < results; ++l) {
    llvm::SmallVector<int32_t, 2> ofLeaf;
    for (const Nodes &of : roots)
      ofLeaf.push_back(l < static_cast<int64_t>(of.size()) ? of[l] : -1);
    placeBranches(frame, i, l, branches, ofLeaf);
    all.push_back(nodeAt(frame, i, l));
  }
  passages(frame, i, PlaceKind::Call, all);
}

void MemoryFlow::placeBranches(int32_t frame, InstructionId i, LeafId leaf,
                               llvm::ArrayRef<int32_t> branches,
                               llvm::ArrayRef<int32_t> roots) {
  auto set = [&](int32_t node) {
    frames_[frame].nodes[frames_[frame].first[i] + leaf] = node;
  };
  if (!roots.empty() && roots[0] >= 0 &&
      llvm::all_of(roots, [&](int32_t root) { return root == roots[0]; }))
    return set(roots[0]);
  // The memory of the first branch whose result lies in an operand's.
  int32_t memory = -1;
  for (auto [branch, root] : llvm::zip(branches, roots)) {
    int32_t at = root;
    while (at >= 0 && isWithin(nodes_[at].frame, branch) &&
           !nodes_[at].isConstant)
      at = nodes_[at].parent;
    if (at >= 0 && !nodes_[at].isConstant) {
      memory = at;
      break;
    }
  }
  const int32_t result = newNode(frame, i, leaf);
  nodes_[result].isSame = true;
  nodes_[result].kind = PlaceKind::Call;
  llvm::SmallVector<int32_t, 2> placed;
  for (auto [branch, root] : llvm::zip(branches, roots)) {
    if (root < 0) continue;
    placed.push_back(
        memory < 0 ? root : placeAt(root, memory, branch, PlaceKind::Call));
    if (placed.back() != memory)
      read(placed.back(),
           {{branch, MemoryEvent::kEnd, MemoryEvent::kEnd}, -1, placed.back()});
  }
  if (!placed.empty()) nodes_[result].parent = placed[0];
  for (size_t k = 1; k < placed.size(); ++k)
    nodes_[result].others.push_back(placed[k]);
  hasOthers_ |= placed.size() > 1;
  set(result);
}

void MemoryFlow::copy(int32_t frame, InstructionId i) {
  const ComputationId c = frames_[frame].computation;
  const Instruction &instruction = module_.computations[c].instructions[i];
  MemoryCopy copy;
  copy.frame = frame;
  copy.instruction = i;
  copy.source = operandNode(frame, i, LeafId(0));
  copy.isAsync = instruction.opcode == "copy-start";
  const ShapeList shapes = instruction.shape.leaves();
  const OperandLeaf from = leavesOf(c).leaf(i, LeafId(0));
  copy.isSameLayout =
      from.instruction >= 0 && !shapes.empty() &&
      isSameMemory(shapes[0], module_.computations[c]
                                  .instructions[from.instruction]
                                  .shape.leaves()[from.result]);
  auto set = [&](LeafId leaf, int32_t node) {
    frames_[frame].nodes[frames_[frame].first[i] + leaf] = node;
  };
  copy.isRemoved = world_.removedCopies.count({int32_t{c}, int32_t{i}}) != 0;
  if (copy.isRemoved) {
    copy.node = copy.source;
  } else {
    const MemoryEvent event{frame, i,
                            copy.isAsync ? doneOf(frame, i) : int32_t{i}};
    copy.node = newNode(frame, i, LeafId(0));
    nodes_[copy.node].writer = event;
    read(copy.source, {event, 0, -1});
    // `--share` may ask about a copy, too.
    const auto marks = operandMarks_.equal_range({int32_t{c}, int32_t{i}});
    for (auto mark = marks.first; mark != marks.second; ++mark)
      if (copy.source >= 0 && !nodes_[copy.source].isConstant) {
        nodes_[copy.node].parent = copy.source;
        nodes_[copy.node].kind = PlaceKind::Alias;
        nodes_[copy.node].isMarked = true;
        nodes_[copy.node].isAsked = world_.share.has_value();
      }
  }
  set(LeafId(0), copy.node);
  for (LeafId l(1); l < static_cast<int64_t>(shapes.size()); ++l)
    set(l, l == 1 && copy.isAsync ? copy.source : newNode(frame, i, l));
  copies_.push_back(copy);
}

void MemoryFlow::alias() {
  const Computation &entry = module_.entryComputation();
  for (const MemoryMarks::Result &mark : marks_.results) {
    if (mark.result >= static_cast<int64_t>(results_.size())) continue;
    const int32_t from = nodeAt(0, entry.parameters[mark.parameter], mark.leaf);
    int32_t &to = results_[mark.result];
    if (from < 0 || to < 0) continue;
    to = placeAt(to, from, 0, PlaceKind::Alias);
    aliases_.push_back({mark, from, to});
  }
}

}  // namespace indexical
