#include "indexical/program/maps/passes.h"

#include <cassert>
#include <map>
#include <optional>
#include <queue>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/cover.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether composing with `relation` changes nothing.
bool isIdentity(const IndexingRelation &relation, const ArrayShape &shape) {
  if (relation.pieces().size() != 1 || relation.precision() != Precision::Exact)
    return false;
  const IndexingMap &map = relation.pieces()[0];
  return hasOpenSize(shape) ? map == identityOf(shape)
                            : indexical::isIdentity(map, shape);
}

/// Like unite, for what lies behind the instruction of the edge.
absl::Status addBehind(const Edge &edge, const std::optional<Limit> &before,
                       const IndexingRelation &relation, Reached &into) {
  if (!into.limit) into.limit = before;
  std::optional<LimitKind> kind;
  if (into.limit) kind = into.limit->kind;
  absl::Status status = unite(into.relation, relation, kind);
  if (kind && !into.limit)
    into.limit = Limit{*kind, edge.computation, edge.instruction};
  return status;
}

}  // namespace

//===-- Steps -------------------------------------------------------------===//

/// Adds `before` composed with the edge to `into`.
absl::Status Passes::step(const Edge &edge, const Reached &before,
                          Reached &into) {
  const Instruction &instruction =
      graph_.instruction(edge.computation, edge.instruction);
  auto follows = EdgeFilter::Follows::Yes;
  if (filter_) follows = filter_->follows(edge);
  if (follows == EdgeFilter::Follows::No) return absl::OkStatus();
  if (follows == EdgeFilter::Follows::Yes &&
      passesElements(instruction, edge.result, edge.leaf))
    return addBehind(edge, before.limit, before.relation, into);
  INDEXICAL_ASSIGN_OR_RETURN(auto relation, edges_.mapsOf(edge));
  if (follows == EdgeFilter::Follows::Covered)
    relation.weaken(Precision::Cover);
  const OpShapes &shapes = shapesOf(instruction.op);
  const ArrayShape &start =
      edge.reads() ? shapes.results[edge.result] : shapes.operands[edge.leaf];
  return addThrough(edge, before, relation, start, into);
}

/// Like step, for an element from which a size was set. The edge has no operand
/// leaf.
absl::Status Passes::stepToSize(const Edge &edge, const SizeRead &read,
                                const Reached &before, Reached &into) {
  const auto &[c, i, direction, result, leaf, use] = edge;
  auto follows = EdgeFilter::Follows::Yes;
  if (filter_) follows = filter_->followsSize(c, read.leaf);
  if (follows == EdgeFilter::Follows::No) return absl::OkStatus();
  auto relation = sizeEdge(graph_, c, i, direction, result, read);
  if (!relation.ok())
    return withPlace(relation.status(), graph_.instruction(c, i).place);
  if (follows == EdgeFilter::Follows::Covered)
    relation->weaken(Precision::Cover);
  const ArrayShape &start =
      edge.reads() ? graph_.shape(c, i, result)
                   : graph_.shape(c, read.leaf.instruction, read.leaf.leaf);
  return addThrough(edge, before, *relation, start, into);
}

/// Adds `before` composed with the relation of the instruction, which begins at
/// a leaf of the shape `start`, to `into`.
absl::Status Passes::addThrough(const Edge &edge, const Reached &before,
                                const IndexingRelation &relation,
                                const ArrayShape &start, Reached &into) {
  if (relation.isEmpty()) return absl::OkStatus();
  if (isIdentity(relation, start))
    return addBehind(edge, before.limit, before.relation, into);
  const Place place =
      graph_.instruction(edge.computation, edge.instruction).place;
  std::optional<LimitKind> tooLarge;
  const auto composed = stepped(
      before.relation, relation,
      edge.reads() ? ResultSide::First : ResultSide::Second,
      [&](const IndexingRelation &of) { return facts_.folded(of); }, budget_,
      tooLarge);
  if (!composed.ok()) return withPlace(composed.status(), place);
  if (composed->isEmpty()) return absl::OkStatus();
  std::optional<Limit> limit = before.limit;
  if (tooLarge && !limit)
    limit = Limit{*tooLarge, edge.computation, edge.instruction};
  return addBehind(edge, limit, *composed, into);
}

//===-- Down --------------------------------------------------------------===//

absl::StatusOr<ReachedInstructions> Passes::backward(ComputationId c,
                                                     InstructionLeaf from) {
  return backward(c, from, Ends());
}

absl::StatusOr<ReachedInstructions> Passes::backward(ComputationId c,
                                                     InstructionLeaf from,
                                                     InstructionId stop) {
  const std::vector<bool> needed = graph_.between(c, from.instruction, stop);
  Ends ends;
  ends.needed = &needed;
  const int64_t leaves = graph_.instruction(c, stop).shape.leafCount();
  for (LeafId l; l < leaves; ++l) ends.leaves.insert({stop, l});
  return backward(c, from, ends);
}

absl::StatusOr<ReachedInstructions> Passes::backward(ComputationId c,
                                                     InstructionLeaf from,
                                                     const Ends &ends) {
  const auto order = graph_.order(c);
  const auto positions = graph_.positions(c);
  ReachedInstructions relations;
  std::priority_queue<int32_t> work;  // positions: users before producers
  auto reached = [&](InstructionId i, LeafId l) -> Reached & {
    if (!relations.has(i)) work.push(positions[i]);
    return relations[i][l];
  };
  INDEXICAL_ASSIGN_OR_RETURN(auto identity,
                             ops_.startAt(c, from.instruction, from.leaf));
  reached(from.instruction, from.leaf).relation = std::move(identity);
  while (!work.empty()) {
    const InstructionId i = order[work.top()];
    work.pop();
    const Instruction &instruction = graph_.instruction(c, i);
    if (!ends.isNeeded(i) || instruction.parameterNumber >= 0) continue;
    INDEXICAL_RETURN_IF_ERROR(above_.solveCallees(c, instruction));
    auto results = std::move(relations[i]);
    relations[i].clear();
    for (auto &[r, of] : results) {
      if (ends.leaves.count({i, r})) {
        relations[i][r] = std::move(of);
        continue;
      }
      if (of.relation.isEmpty()) continue;
      const Edge edge = {c, i, Direction::OutputToInput, r};
      auto toLeaf = [&, r = r, &of = of](LeafId l) -> absl::Status {
        const OperandLeaf leaf = graph_.operandLeaf(c, i, l);
        if (!ends.isNeeded(leaf.instruction)) return absl::OkStatus();
        return step({c, i, Direction::OutputToInput, r, l}, of,
                    reached(leaf.instruction, leaf.result));
      };
      INDEXICAL_RETURN_IF_ERROR(uses_.forOperands(c, i, r, toLeaf));
      for (const SizeRead &read : sizes_.readsOf(c, i)) {
        if (!ends.isNeeded(read.leaf.instruction)) continue;
        INDEXICAL_RETURN_IF_ERROR(stepToSize(
            edge, read, of, reached(read.leaf.instruction, read.leaf.leaf)));
      }
    }
  }
  return relations;
}

absl::StatusOr<std::vector<Reached>> Passes::until(Leaf from,
                                                   llvm::ArrayRef<Leaf> leaves,
                                                   std::vector<bool> &needed) {
  const ComputationId c = from.computation;
  const auto &instructions = graph_.computation(c).instructions;
  needed.assign(instructions.size(), false);
  Ends ends;
  ends.needed = &needed;
  for (const Leaf &leaf : leaves) {
    assert(leaf.computation == c);
    ends.leaves.insert({leaf.instruction, leaf.leaf});
    needed[leaf.instruction] = true;
  }
  for (InstructionId i : graph_.order(c))
    for (InstructionId operand : instructions[i].operands)
      if (needed[operand]) needed[i] = true;
  INDEXICAL_ASSIGN_OR_RETURN(auto relations,
                             backward(c, {from.instruction, from.leaf}, ends));
  std::vector<Reached> reads;
  for (const Leaf &leaf : leaves) {
    Reached *const found = relations[leaf.instruction].find(leaf.leaf);
    reads.push_back(found ? std::move(*found) : Reached());
  }
  return reads;
}

//===-- Up ----------------------------------------------------------------===//

absl::StatusOr<ReachedInstructions> Passes::forward(ComputationId c,
                                                    InstructionLeaf from,
                                                    InstructionId stop) {
  const auto order = graph_.order(c);
  const auto positions = graph_.positions(c);
  const std::vector<bool> needed = graph_.below(c, stop);
  const InstructionId first = from.instruction;
  ReachedInstructions relations;
  INDEXICAL_ASSIGN_OR_RETURN(relations[first][from.leaf].relation,
                             ops_.startAt(c, first, from.leaf));
  // Operand leaves for which something was found, and elements from which sizes
  // were set, by the user's position.
  struct Arrived {
    LeafId leaf;  ///< -1 if a size was set from the producer
    InstructionLeaf producer;
    const SizeRead *size = nullptr;
  };
  std::map<int32_t, llvm::SmallVector<Arrived, 2>> waiting;
  auto announce = [&](InstructionId i) {
    for (const auto &entry : relations[i]) {
      const InstructionLeaf producer = {i, entry.first};
      if (entry.second.relation.isEmpty()) continue;
      graph_.forUses(c, producer, [&](InstructionId user, LeafId l) {
        if (needed[user]) waiting[positions[user]].push_back({l, producer});
      });
      const SizeReads &sizes = sizes_.allReadsOf(c);
      if (auto users = sizes.users.find(producer); users != sizes.users.end())
        for (const auto &[user, n] : users->second)
          if (needed[user])
            waiting[positions[user]].push_back(
                {LeafId(-1), producer, &sizes.reads.at(user)[n]});
    }
  };
  announce(first);
  while (!waiting.empty()) {
    const InstructionId i = order[waiting.begin()->first];
    auto arrived = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    llvm::sort(arrived, [](const Arrived &a, const Arrived &b) {
      return a.leaf < b.leaf;
    });
    for (const Arrived &a : arrived) {
      const Reached &before =
          *relations[a.producer.instruction].find(a.producer.leaf);
      auto toResult = [&](LeafId r) {
        const Edge edge = {c, i, Direction::InputToOutput, r, a.leaf};
        Reached &into = relations[i][r];
        return a.size ? stepToSize(edge, *a.size, before, into)
                      : step(edge, before, into);
      };
      if (!a.size) {
        INDEXICAL_RETURN_IF_ERROR(uses_.forResults(c, i, a.leaf, toResult));
        continue;
      }
      const auto &op = graph_.instruction(c, i).op;
      const int64_t results = shapesOf(op).results.size();
      for (LeafId r; r < results; ++r) INDEXICAL_RETURN_IF_ERROR(toResult(r));
    }
    announce(i);
  }
  return relations;
}

}  // namespace indexical
