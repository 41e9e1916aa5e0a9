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
  if (prepared.count({c, direction})) return absl::OkStatus();
  enum Mark : uint8_t { New, Open, Done };
  std::vector<Mark> marks(module.computations.size(), New);
  std::vector<int32_t> stack{c};
  while (!stack.empty()) {
    int32_t at = stack.back();
    if (marks[at] != New) {
      stack.pop_back();
      if (marks[at] == Open && at != c && !solved.count({at, direction}))
        if (auto status = solve(at, direction); !status.ok()) return status;
      marks[at] = Done;
      continue;
    }
    marks[at] = Open;
    if (solved.count({at, direction})) continue;
    for (const Instruction &i : module.computations[at].instructions) {
      for (int32_t callee : calleesOf(i)) {
        if (marks[callee] == Open)
          return errorAt(i.place, "`" + i.name.str() + "` calls `" +
                                      module.computations[callee].name.str() +
                                      "`, which leads back to it");
        if (marks[callee] == New) stack.push_back(callee);
      }
    }
  }
  prepared.insert({c, direction});
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
  return absl::OkStatus();
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
      const Leaf origin = originOf(inside, {value.instruction, value.result});
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
