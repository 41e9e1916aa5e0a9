// What lies behind fusions, calls and branches.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   ENTRY e { p = f32[8] parameter(0)  ROOT c = f32[8] call(p), to_apply=f }
//
// `solve(f)` finds what f's root reads of its parameters; `throughCallee` says
// it of c and its operand. A runtime variable inside of f whose source is a
// parameter becomes one of c's operand; another keeps the way to it.
#include "indexing/transforms.h"
#include "program/state.h"

namespace indexical {

/// Solves every computation that `c` calls, and those that they call, callees
/// first. Without recursion, for calls may nest deep.
absl::Status ProgramIndexing::State::prepareCallees(int32_t c,
                                                    Direction direction) {
  using Question = std::pair<int32_t, Direction>;
  const Question asked{c, direction};
  if (prepared.count(asked)) return absl::OkStatus();
  enum Mark : uint8_t { New, Open, Done };
  std::vector<Mark> marks(2 * module.computations.size(), New);
  auto markOf = [&](const Question &q) -> Mark & {
    return marks[2 * q.first + (q.second == Direction::OutputToInput)];
  };
  std::vector<Question> stack{asked};
  while (!stack.empty()) {
    const Question at = stack.back();
    if (markOf(at) != New) {
      stack.pop_back();
      if (markOf(at) == Open && at != asked && !solved.count(at))
        if (auto status = solve(at.first, at.second); !status.ok())
          return status;
      markOf(at) = Done;
      continue;
    }
    markOf(at) = Open;
    if (solved.count(at)) continue;
    for (const Instruction &i : module.computations[at.first].instructions)
      for (const Question &callee : calleesOf(i, at.second)) {
        if (markOf(callee) == Open)
          return errorAt(i.place,
                         "`" + i.name.str() + "` calls `" +
                             module.computations[callee.first].name.str() +
                             "`, which leads back to it");
        if (markOf(callee) == New) stack.push_back(callee);
      }
  }
  prepared.insert(asked);
  return absl::OkStatus();
}

absl::Status ProgramIndexing::State::solve(int32_t c, Direction direction) {
  const Computation &computation = module.computations[c];
  Whole whole;
  bool backwards = direction == Direction::OutputToInput;
  int64_t rootLeaves =
      computation.instructions[computation.root].shape.leafCount();
  auto add = [&](int64_t rootLeaf, int32_t p, int64_t leaf,
                 IndexingRelation &relation) {
    if (!relation.isEmpty()) whole[{rootLeaf, p, leaf}] = std::move(relation);
  };
  if (backwards) {
    for (int64_t r = 0; r < rootLeaves; ++r) {
      auto leaves = backward(c, computation.root, r, -1);
      if (!leaves.ok()) return leaves.status();
      for (size_t p = 0; p < computation.parameters.size(); ++p) {
        auto &found = (*leaves)[computation.parameters[p]];
        for (size_t l = 0; l < found.size(); ++l) add(r, p, l, found[l]);
      }
    }
  } else {
    for (size_t p = 0; p < computation.parameters.size(); ++p) {
      int32_t parameter = computation.parameters[p];
      int64_t count = computation.instructions[parameter].shape.leafCount();
      for (int64_t l = 0; l < count; ++l) {
        auto leaves = forward(c, parameter, l, computation.root);
        if (!leaves.ok()) return leaves.status();
        auto &found = (*leaves)[computation.root];
        for (size_t r = 0; r < found.size(); ++r) add(r, p, l, found[r]);
      }
    }
  }
  solved[{c, direction}] = std::move(whole);
  notePassed(c);
  return absl::OkStatus();
}

/// Which leaves of the root are leaves of parameters, unchanged.
void ProgramIndexing::State::notePassed(int32_t c) {
  auto [entry, isNew] = passed.try_emplace(c);
  if (!isNew) return;
  const Computation &computation = module.computations[c];
  const int64_t leaves =
      computation.instructions[computation.root].shape.leafCount();
  for (int64_t r = 0; r < leaves; ++r) {
    const Leaf origin = originOf(c, {computation.root, r});
    entry->second.push_back(
        {computation.instructions[origin.instruction].parameterNumber,
         origin.leaf});
  }
}

/// As originOf, through calls and loops too.
Leaf ProgramIndexing::State::originOf(int32_t c, Leaf leaf) {
  const Computation &computation = module.computations[c];
  auto passedBy = [&](const std::optional<Callee> &callee, int64_t rootLeaf) {
    auto found = callee ? passed.find(callee->computation) : passed.end();
    return found == passed.end() ? ParameterLeaf{-1, 0}
                                 : found->second[rootLeaf];
  };
  while (true) {
    leaf = indexical::originOf(computation, leaf);
    const Instruction &instruction = computation.instructions[leaf.instruction];
    const Op &op = innermost(instruction.op);
    const auto result = innermostResult(instruction.op, leaf.leaf);
    if (!result) return leaf;
    if (std::holds_alternative<CallOp>(op)) {
      const auto from = passedBy(calleeOfOperand(instruction, 0), *result);
      if (from.parameter < 0) return leaf;
      leaf = {instruction.operands[from.parameter], from.leaf};
    } else if (std::holds_alternative<WhileOp>(op)) {
      const auto body = calleeOf(instruction, CallRole::Body);
      const auto from = passedBy(body, *result);
      const OperandLeaf &operand = infoOf(c).leaves[leaf.instruction][*result];
      if (from.parameter != operand.operand || from.leaf != operand.result)
        return leaf;
      leaf = {operand.instruction, operand.result};
    } else {
      return leaf;
    }
  }
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughCallee(
    int32_t c, int32_t i, const Callee &callee, Direction direction,
    int64_t rootLeaf, const OperandLeaf &operand) {
  const Whole &whole = solved[{callee.computation, direction}];
  auto found = whole.find(
      {rootLeaf, operand.operand - callee.firstArgument, operand.result});
  if (found == whole.end()) return IndexingRelation();
  return folded(lifted(found->second, c, i, callee));
}

/// Sources of the callee as the caller sees them: a parameter is the caller's
/// operand, anything else lies behind this call.
IndexingRelation ProgramIndexing::State::lifted(
    const IndexingRelation &relation, int32_t c, int32_t i,
    const Callee &callee) {
  const Instruction &call = module.computations[c].instructions[i];
  auto behindCall = [&](int64_t tensor) {
    Value value = owner.values_[tensor];
    value.calls.insert(value.calls.begin(), CallSite{c, i, callee.called});
    return number(std::move(value));
  };
  auto rename = [&](int64_t tensor) {
    const Value &value = owner.values_[tensor];
    if (value.calls.empty()) {
      const Computation &inside = module.computations[value.computation];
      const Leaf origin =
          originOf(value.computation, {value.instruction, value.result});
      const Instruction &source = inside.instructions[origin.instruction];
      const int32_t operand = source.parameterNumber + callee.firstArgument;
      if (source.parameterNumber >= 0 &&
          operand < static_cast<int32_t>(call.operands.size()))
        return number(
            {c, call.operands[operand], static_cast<int32_t>(origin.leaf), {}});
    }
    return behindCall(tensor);
  };
  IndexingRelation result;
  for (const IndexingMap &piece : relation.pieces())
    result.add(withSources(piece, {rename, behindCall}));
  result.weaken(relation.precision());
  return result;
}

}  // namespace indexical
