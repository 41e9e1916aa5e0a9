#include "indexical/program/maps/each_way.h"

#include <algorithm>
#include <limits>
#include <optional>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/calls.h"
#include "indexical/program/maps/reached.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

/// Steps of one question: ways that end where nothing is read take some, too.
constexpr size_t kMostSteps = 16384;

int64_t saturated(int64_t a, int64_t b, int64_t c) {
  int64_t product = 0, sum = 0;
  if (llvm::MulOverflow(a, b, product) || llvm::AddOverflow(product, c, sum))
    return std::numeric_limits<int64_t>::max();
  return sum;
}

}  // namespace

/// A walk down from one leaf: what it has found, and where it is.
struct EachWay::Walk {
  ComputationId computation;
  InstructionLeaf to;
  std::vector<bool> needed;   ///< by instruction: those on a way
  std::vector<Value> arrays;  ///< from the first leaf to this one
  size_t steps = 0;
  Ways found;
};

//===-- Steps -------------------------------------------------------------===//

const std::vector<LeafId> &EachWay::operandsOf(Leaf result) {
  const auto [c, i, leaf] = result;
  auto [known, isNew] = operands_.try_emplace({c, i, leaf});
  if (isNew)
    for (const LeafPair &pair : maps_.pairsOf(c, i))
      if (pair.result == leaf) known->second.push_back(pair.leaf);
  return known->second;
}

absl::StatusOr<const Ways *> EachWay::edge(Leaf result, LeafId operandLeaf) {
  const auto [c, i, leaf] = result;
  const Step key{c, i, leaf, operandLeaf};
  if (const auto known = edges_.find(key); known != edges_.end())
    return known->second.get();
  INDEXICAL_ASSIGN_OR_RETURN(Ways ways, findEdge(result, operandLeaf));
  return (edges_[key] = std::make_unique<Ways>(std::move(ways))).get();
}

absl::StatusOr<Ways> EachWay::findEdge(Leaf result, LeafId operandLeaf) {
  const auto [c, i, leaf] = result;
  const Instruction &own = graph_.instruction(c, i);
  const auto callee =
      own.op.is<CallOp>() ? calleeOfCall(own) : std::optional<Callee>();
  if (!callee || callee->computation < 0) {
    Ways one;
    one.most = 1;
    INDEXICAL_ASSIGN_OR_RETURN(
        IndexingRelation reads,
        maps_.instruction(result, operandLeaf, Direction::OutputToInput));
    one.ways.push_back({std::move(reads), {}});
    return one;
  }
  const OperandLeaf operand = graph_.operandLeaf(c, i, operandLeaf);
  const int32_t parameter = callee->parameterOf(operand.operand);
  if (parameter < 0) return Ways();
  const ComputationId inside = callee->computation;
  const Computation &body = graph_.computation(inside);
  INDEXICAL_ASSIGN_OR_RETURN(
      Ways ways, between({inside, body.root, leaf},
                         {inside, body.parameters[parameter], operand.leaf}));
  auto value = [&](int64_t number) { return maps_.value(number); };
  auto number = [&](Value of) { return maps_.numberOf(of); };
  const ValueNames names = {value, number};
  for (Way &way : ways.ways) {
    INDEXICAL_ASSIGN_OR_RETURN(
        way.reads, maps_.withKnownValues(
                       asCallerSees(way.reads, graph_, c, i, *callee, names)));
    // The parameter is the operand, which the caller names.
    way.arrays.pop_back();
    for (Value &array : way.arrays)
      array.calls.insert(array.calls.begin(), CallSite{c, i, callee->called});
  }
  return ways;
}

absl::StatusOr<Ways> EachWay::instruction(Leaf result, LeafId operandLeaf) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return instruction(result, operandLeaf); });
  const auto [c, i, leaf] = result;
  INDEXICAL_ASSIGN_OR_RETURN(Ways ways, findEdge(result, operandLeaf));
  const OperandLeaf operand = graph_.operandLeaf(c, i, operandLeaf);
  for (Way &way : ways.ways) {
    way.arrays.insert(way.arrays.begin(), Value{c, i, leaf, {}});
    way.arrays.push_back({c, operand.instruction, operand.result, {}});
  }
  return ways;
}

//===-- Ways --------------------------------------------------------------===//

/// Sets `ways` to the number of ways by who reads whom.
absl::Status EachWay::count(Leaf from, Leaf to, const std::vector<bool> &needed,
                            int64_t &ways) {
  const ComputationId c = from.computation;
  std::map<InstructionLeaf, int64_t> counts;
  counts[{from.instruction, from.leaf}] = 1;
  const auto order = graph_.order(c);
  for (InstructionId i : llvm::reverse(order)) {
    if (!needed[i] || i == to.instruction) continue;
    for (auto at = counts.lower_bound({i, LeafId(0)});
         at != counts.end() && at->first.instruction == i; ++at) {
      const Leaf result = {c, i, at->first.leaf};
      for (LeafId l : operandsOf(result)) {
        const OperandLeaf operand = graph_.operandLeaf(c, i, l);
        if (!needed[operand.instruction]) continue;
        INDEXICAL_ASSIGN_OR_RETURN(const Ways *inside, edge(result, l));
        int64_t &below = counts[{operand.instruction, operand.result}];
        below = saturated(at->second, inside->most, below);
      }
    }
  }
  const auto found = counts.find({to.instruction, to.leaf});
  ways = found == counts.end() ? 0 : found->second;
  return absl::OkStatus();
}

/// Goes on from a leaf that is read so. Returns false if there are too many
/// ways.
absl::StatusOr<bool> EachWay::follow(Walk &walk, InstructionLeaf at,
                                     const IndexingRelation &reads) {
  const ComputationId c = walk.computation;
  const auto [i, leaf] = at;
  if (i == walk.to.instruction) {
    if (leaf != walk.to.leaf) return true;
    if (walk.found.ways.size() == kMostWays) return false;
    walk.found.ways.push_back({reads, walk.arrays});
    return true;
  }
  const Leaf result = {c, i, leaf};
  for (LeafId l : operandsOf(result)) {
    const OperandLeaf operand = graph_.operandLeaf(c, i, l);
    if (!walk.needed[operand.instruction]) continue;
    INDEXICAL_ASSIGN_OR_RETURN(const Ways *inside, edge(result, l));
    for (const Way &way : inside->ways) {
      if (++walk.steps > kMostSteps) return false;
      std::optional<LimitKind> limit;
      auto next = stepped(
          reads, way.reads, ResultSide::First,
          [&](const IndexingRelation &of) { return maps_.withKnownValues(of); },
          maps_.budget(), limit);
      if (!next.ok())
        return withPlace(next.status(), graph_.instruction(c, i).place);
      if (next->isEmpty()) continue;
      IndexingRelation few;
      INDEXICAL_RETURN_IF_ERROR(unite(few, *next, limit));
      const size_t before = walk.arrays.size();
      llvm::append_range(walk.arrays, way.arrays);
      walk.arrays.push_back({c, operand.instruction, operand.result, {}});
      auto goesOn = follow(walk, {operand.instruction, operand.result}, few);
      walk.arrays.resize(before);
      if (!goesOn.ok() || !*goesOn) return goesOn;
    }
    if (!inside->areAll) walk.found.areAll = false;
  }
  return true;
}

absl::StatusOr<Ways> EachWay::between(Leaf from, Leaf to) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return between(from, to); });
  const ComputationId c = from.computation;
  Walk walk;
  walk.computation = c;
  walk.to = {to.instruction, to.leaf};
  walk.needed = graph_.between(c, from.instruction, to.instruction);
  if (!walk.needed[from.instruction] || !walk.needed[to.instruction])
    return Ways();
  INDEXICAL_RETURN_IF_ERROR(count(from, to, walk.needed, walk.found.most));
  if (walk.found.most == 0) return std::move(walk.found);
  INDEXICAL_ASSIGN_OR_RETURN(
      const IndexingRelation start,
      startOf(graph_.shape(c, from.instruction, from.leaf)));
  walk.arrays.push_back({c, from.instruction, from.leaf, {}});
  INDEXICAL_ASSIGN_OR_RETURN(
      const bool areAll, follow(walk, {from.instruction, from.leaf}, start));
  walk.found.areAll = walk.found.areAll && areAll;
  return std::move(walk.found);
}

}  // namespace indexical
