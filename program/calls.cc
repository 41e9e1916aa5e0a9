// Maps through fusions, calls and branches.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   ENTRY e { p = f32[8] parameter(0)  ROOT c = f32[8] call(p), to_apply=f }
//
// `solve(f)` finds what f's root reads of its parameters; `throughCallee` says
// it of c and its operand. A runtime variable inside of f whose source is a
// parameter becomes one of c's operand; another keeps the way to it.
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/state.h"

namespace indexical {

/// Solves every computation that `c` calls, and those that they call, callees
/// first. It does so without recursion, since calls may nest deep.
absl::Status ProgramIndexing::State::prepareCallees(ComputationId c) {
  if (prepared.count(c)) return absl::OkStatus();
  for (const Instruction &i : module.computations[c].instructions)
    INDEXICAL_RETURN_IF_ERROR(prepareCallees(c, i));
  prepared.insert(c);
  return absl::OkStatus();
}

absl::Status ProgramIndexing::State::prepareCallees(
    ComputationId c, const Instruction &instruction) {
  if (instruction.called.empty() || preparedInstructions.count(&instruction))
    return absl::OkStatus();
  std::vector<ComputationId> stack;
  for (ComputationId callee : calleesOf(instruction))
    if (!isSolved(callee)) stack.push_back(callee);
  if (stack.empty()) {
    preparedInstructions.insert(&instruction);
    return absl::OkStatus();
  }
  enum Mark : uint8_t { New, Open, Done };
  std::vector<Mark> marks(module.computations.size(), New);
  auto leadsBack = [&](const Instruction &i, ComputationId callee) {
    return errorAt(i.place, "`" + i.name.str() + "` calls `" +
                                module.computations[callee].name.str() +
                                "`, which leads back to it");
  };
  marks[c] = Open;
  while (!stack.empty()) {
    const ComputationId at = stack.back();
    if (at == c) return leadsBack(instruction, c);
    if (marks[at] != New) {
      stack.pop_back();
      if (marks[at] == Open) INDEXICAL_RETURN_IF_ERROR(solve(at));
      marks[at] = Done;
      continue;
    }
    marks[at] = Open;
    if (isSolved(at)) continue;
    for (const Instruction &i : module.computations[at].instructions)
      for (ComputationId callee : calleesOf(i)) {
        if (marks[callee] == Open) return leadsBack(i, callee);
        if (marks[callee] == New) stack.push_back(callee);
      }
  }
  preparedInstructions.insert(&instruction);
  return absl::OkStatus();
}

absl::Status ProgramIndexing::State::solve(ComputationId c) {
  if (isSolved(c)) return absl::OkStatus();
  AlikeComputations::Parts parts =
      AlikeComputations::partsOf(module.computations[c]);
  if (const ComputationId first = alike.find(parts); first >= 0) {
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput}) {
      Whole same = solved[{first, direction}];
      solved[{c, direction}] = std::move(same);
    }
    if (auto limit = limitWithin(first)) limits[c] = *limit;
    return absl::OkStatus();
  }
  // An edge that is known already would not count in mapsWithValues.
  edges.clear();
  const int64_t before = mapsWithValues;
  INDEXICAL_RETURN_IF_ERROR(solveItself(c));
  if (mapsWithValues == before) alike.note(std::move(parts), c);
  return absl::OkStatus();
}

/// Solves both directions: if something is given up in one, it is in the other.
absl::Status ProgramIndexing::State::solveItself(ComputationId c) {
  const Computation &computation = module.computations[c];
  struct Pair {
    Reached reads, users;
    bool isSolved = false;  // no pass forward can tell more
  };
  std::map<Whole::key_type, Pair> all;
  auto shapeOf = [&](int32_t i, int64_t leaf) -> const ArrayShape & {
    return shapesOf(computation.instructions[i].op).results[leaf];
  };
  const InstructionId root = computation.root;
  const int64_t roots = computation.instructions[root].shape.leafCount();
  for (int64_t r = 0; r < roots; ++r) {
    INDEXICAL_ASSIGN_OR_RETURN(auto leaves, backward(c, root, r, {}));
    for (auto &[i, found] : leaves) {
      const int32_t p = computation.instructions[i].parameterNumber;
      if (p < 0 || computation.parameters[p] != i) continue;
      for (auto &[l, reads] : found)
        if (!reads.relation.isEmpty()) all[{r, p, l}].reads = std::move(reads);
    }
  }
  // Pairs that are not read are not looked at from the other side. Nor are
  // those whose other direction is seen, or for which boxes will do.
  std::set<std::pair<int32_t, int64_t>> asked;
  for (auto &[key, pair] : all) {
    const auto [r, p, l] = key;
    const ArrayShape &from = shapeOf(root, r);
    const ArrayShape &to = shapeOf(computation.parameters[p], l);
    if (auto users = converseOfVariables(pair.reads, from, to)) {
      pair.users.relation = *std::move(users);
      pair.isSolved = true;
    } else if (!endsInBoxes(pair.reads, from, to)) {
      asked.insert({p, l});
    }
  }
  for (const auto &[p, l] : asked) {
    INDEXICAL_ASSIGN_OR_RETURN(auto leaves,
                               forward(c, computation.parameters[p], l, root));
    for (auto &[r, found] : leaves[root])
      if (auto pair = all.find({r, p, l});
          pair != all.end() && !pair->second.isSolved)
        pair->second.users = std::move(found);
  }
  Whole &reads = solved[{c, Direction::OutputToInput}];
  Whole &users = solved[{c, Direction::InputToOutput}];
  for (auto &[key, pair] : all) {
    const auto [r, p, l] = key;
    if (!pair.isSolved) {
      const ArrayShape &from = shapeOf(root, r);
      const ArrayShape &to = shapeOf(computation.parameters[p], l);
      INDEXICAL_RETURN_IF_ERROR(
          asked.count({p, l})
              ? settle(pair.reads, pair.users, from, to)
              : turnAround(pair.reads.relation, pair.users.relation, from, to));
    }
    if (pair.reads.relation.isEmpty()) continue;
    for (const Reached *reached : {&pair.reads, &pair.users})
      if (reached->limit) limits.try_emplace(c, *reached->limit);
    reads[key] = std::move(pair.reads.relation);
    users[key] = std::move(pair.users.relation);
  }
  noteLimitOfCallees(c);
  return absl::OkStatus();
}

std::optional<Limit> ProgramIndexing::State::limitWithin(
    ComputationId c) const {
  const auto found = limits.find(c);
  return found == limits.end() ? std::nullopt : std::optional(found->second);
}

void ProgramIndexing::State::noteLimitOfCallees(ComputationId c) {
  for (const Instruction &instruction : module.computations[c].instructions)
    for (const CalledComputation &called : instruction.called)
      if (auto limit = limitWithin(called.computation)) {
        limits.try_emplace(c, *limit);
        return;
      }
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughCallee(
    ComputationId c, InstructionId i, const Callee &callee, Direction direction,
    int64_t rootLeaf, const OperandLeaf &operand) {
  const Whole &whole = solved[{callee.computation, direction}];
  auto found =
      whole.find({rootLeaf, callee.parameterOf(operand.operand), operand.leaf});
  if (found == whole.end()) return IndexingRelation();
  return folded(lifted(found->second, c, i, callee));
}

int64_t ProgramIndexing::State::behindCall(int64_t value, ComputationId c,
                                           InstructionId i,
                                           const Callee &callee) {
  Value behind = owner.values_[value];
  behind.calls.insert(behind.calls.begin(), CallSite{c, i, callee.called});
  return number(std::move(behind));
}

/// Returns the relation with the callee's sources as the caller sees them: a
/// parameter is the caller's operand, and any other source lies behind this
/// call.
IndexingRelation ProgramIndexing::State::lifted(
    const IndexingRelation &relation, ComputationId c, InstructionId i,
    const Callee &callee) {
  auto behind = [&](int64_t value) { return behindCall(value, c, i, callee); };
  auto rename = [&](int64_t tensor) {
    const Value &value = owner.values_[tensor];
    if (value.calls.empty()) {
      const Computation &inside = module.computations[value.computation];
      const InstructionLeaf origin =
          graph.origin(value.computation, {value.instruction, value.result});
      const Instruction &source = inside.instructions[origin.instruction];
      if (source.parameterNumber >= 0) {
        const InstructionLeaf handed = graph.handedTo(
            c, i, callee, {source.parameterNumber, LeafId(origin.leaf)});
        return number(
            {c, InstructionId(handed.instruction), LeafId(handed.leaf), {}});
      }
    }
    return behind(tensor);
  };
  return withSources(relation, {rename, behind});
}

}  // namespace indexical
