#include "indexical/program/maps/solver.h"

#include <cstdint>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/status_macros.h"
#include "indexical/program/maps/converse.h"
#include "indexical/program/maps/cover.h"

namespace indexical {

//===-- Callees first -----------------------------------------------------===//

absl::Status Solver::solve(ComputationId c) {
  INDEXICAL_RETURN_IF_ERROR(solveCallees(c));
  return solveItself(c);
}

absl::Status Solver::solveCallees(ComputationId c) {
  if (done_.count(c)) return absl::OkStatus();
  for (const Instruction &i : graph_.computation(c).instructions)
    INDEXICAL_RETURN_IF_ERROR(solveCallees(c, i));
  done_.insert(c);
  return absl::OkStatus();
}

/// Does so without recursion, since calls may nest deep.
absl::Status Solver::solveCalled(ComputationId c,
                                 const Instruction &instruction) {
  if (doneInstructions_.count(&instruction)) return absl::OkStatus();
  std::vector<ComputationId> stack;
  for (ComputationId callee : calleesOf(instruction))
    if (!solved_.has(callee)) stack.push_back(callee);
  if (stack.empty()) {
    doneInstructions_.insert(&instruction);
    return absl::OkStatus();
  }
  enum Mark : uint8_t { New, Open, Done };
  std::vector<Mark> marks(graph_.module().computations.size(), New);
  auto leadsBack = [&](const Instruction &i, ComputationId callee) {
    return errorAt(i.place, "`" + i.name.str() + "` calls `" +
                                graph_.computation(callee).name.str() +
                                "`, which leads back to it");
  };
  marks[c] = Open;
  while (!stack.empty()) {
    const ComputationId at = stack.back();
    if (at == c) return leadsBack(instruction, c);
    if (marks[at] != New) {
      stack.pop_back();
      if (marks[at] == Open) INDEXICAL_RETURN_IF_ERROR(solveItself(at));
      marks[at] = Done;
      continue;
    }
    marks[at] = Open;
    if (solved_.has(at)) continue;
    for (const Instruction &i : graph_.computation(at).instructions)
      for (ComputationId callee : calleesOf(i)) {
        if (marks[callee] == Open) return leadsBack(i, callee);
        if (marks[callee] == New) stack.push_back(callee);
      }
  }
  doneInstructions_.insert(&instruction);
  return absl::OkStatus();
}

//===-- One computation ---------------------------------------------------===//

/// Requires that all callees are solved.
absl::Status Solver::solveItself(ComputationId c) {
  if (solved_.has(c)) return absl::OkStatus();
  AlikeComputations::Parts parts =
      AlikeComputations::partsOf(graph_.computation(c));
  // A filter may look into what is applied to elements, which maps do not.
  if (const EdgeFilter *filter = passes_.filter(); filter && !parts.empty()) {
    for (const Instruction &instruction : graph_.computation(c).instructions)
      for (const CalledComputation &called : instruction.called)
        parts.push_back(called.computation);
    for (int64_t part : filter->partsOf(c)) parts.push_back(part);
  }
  if (const ComputationId first = alike_.find(parts); first >= 0) {
    solved_.add(c, solved_.reads(first), solved_.users(first));
    if (auto limit = solved_.limit(first)) solved_.addLimit(c, *limit);
    return absl::OkStatus();
  }
  // An edge that is known already would not count as a map with values.
  edges_.clear();
  const int64_t before = ops_.mapsWithValues();
  INDEXICAL_RETURN_IF_ERROR(findBothWays(c));
  if (ops_.mapsWithValues() == before) alike_.note(std::move(parts), c);
  return absl::OkStatus();
}

/// The relation between a leaf of the root and a leaf of a parameter, in both
/// directions.
struct Solver::Pair {
  Reached reads, users;
  bool isSeen = false;  ///< the users; no pass forward can tell more
};

/// Returns the pairs that are read.
absl::StatusOr<Solver::Pairs> Solver::findReads(ComputationId c) {
  const Computation &computation = graph_.computation(c);
  Pairs pairs;
  const InstructionId root = computation.root;
  const int64_t roots = computation.instructions[root].shape.leafCount();
  for (LeafId r; r < roots; ++r) {
    INDEXICAL_ASSIGN_OR_RETURN(auto leaves, passes_.backward(c, {root, r}));
    for (auto &[i, found] : leaves) {
      const int32_t p = computation.instructions[i].parameterNumber;
      if (p < 0 || computation.parameters[p] != i) continue;
      for (auto &[l, reads] : found)
        if (!reads.relation.isEmpty())
          pairs[{r, p, l}].reads = std::move(reads);
    }
  }
  return pairs;
}

/// Adds the other direction of each pair, and gives up in both what is given up
/// in one. Pairs that are not read are not looked at from the other side. Nor
/// are those whose other direction is seen, or for which boxes will do.
absl::Status Solver::addUsers(ComputationId c, Pairs &pairs) {
  const Computation &computation = graph_.computation(c);
  const InstructionId root = computation.root;
  auto rootShape = [&](const LeafPair &key) -> const ArrayShape & {
    return graph_.shape(c, root, key.result);
  };
  auto parameterShape = [&](const LeafPair &key) -> const ArrayShape & {
    return graph_.shape(c, computation.parameters[key.parameter], key.leaf);
  };
  std::set<ParameterLeaf> asked;
  for (auto &[key, pair] : pairs) {
    const ArrayShape &from = rootShape(key), &to = parameterShape(key);
    if (auto users = converseOfVariables(pair.reads, from, to)) {
      pair.users.relation = *std::move(users);
      pair.isSeen = true;
    } else if (!endsInBoxes(pair.reads, from, to)) {
      asked.insert({key.parameter, key.leaf});
    }
  }
  for (const auto &[p, l] : asked) {
    const InstructionId parameter = computation.parameters[p];
    INDEXICAL_ASSIGN_OR_RETURN(auto leaves,
                               passes_.forward(c, {parameter, l}, root));
    for (auto &[r, found] : leaves[root])
      if (auto pair = pairs.find({r, p, l});
          pair != pairs.end() && !pair->second.isSeen)
        pair->second.users = std::move(found);
  }
  for (auto &[key, pair] : pairs) {
    if (pair.isSeen) continue;
    const ArrayShape &from = rootShape(key), &to = parameterShape(key);
    INDEXICAL_RETURN_IF_ERROR(
        asked.count({key.parameter, key.leaf})
            ? settle(pair.reads, pair.users, from, to)
            : turnAround(pair.reads.relation, pair.users.relation, from, to));
  }
  return absl::OkStatus();
}

/// Solves both directions, even if others are alike.
absl::Status Solver::findBothWays(ComputationId c) {
  INDEXICAL_ASSIGN_OR_RETURN(Pairs pairs, findReads(c));
  INDEXICAL_RETURN_IF_ERROR(addUsers(c, pairs));
  Whole reads, users;
  for (auto &[key, pair] : pairs) {
    if (pair.reads.relation.isEmpty()) continue;
    for (const Reached *reached : {&pair.reads, &pair.users})
      if (reached->limit) solved_.addLimit(c, *reached->limit);
    reads[key] = std::move(pair.reads.relation);
    users[key] = std::move(pair.users.relation);
  }
  solved_.add(c, std::move(reads), std::move(users));
  addLimitOfCallees(c);
  return absl::OkStatus();
}

/// Gives `c` the first limit of its callees unless it has one of its own.
void Solver::addLimitOfCallees(ComputationId c) {
  for (const Instruction &instruction : graph_.computation(c).instructions)
    for (const CalledComputation &called : instruction.called)
      if (auto limit = solved_.limit(called.computation)) {
        solved_.addLimit(c, *limit);
        return;
      }
}

}  // namespace indexical
