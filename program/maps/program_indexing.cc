#include "indexical/program/maps/program_indexing.h"

#include <algorithm>
#include <cassert>
#include <set>
#include <utility>

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/converse.h"
#include "indexical/program/maps/merged_variables.h"
#include "indexical/program/maps/state.h"
#include "indexical/simplifier/merge.h"

namespace indexical {

namespace {

const Module &firstOf(const Program &program) {
  static const Module kNone;
  return program.modules.empty() ? kNone : program.modules.front();
}

}  // namespace

ProgramIndexing::ProgramIndexing(const Module &module, Prover *prover,
                                 const Budget &budget)
    : module_(module),
      prover_(prover),
      budget_(budget),
      state_(std::make_unique<State>(*this)) {}

ProgramIndexing::ProgramIndexing(Program &&program, Prover *prover,
                                 const Budget &budget)
    : kept_(std::make_unique<const Program>(std::move(program))),
      module_(firstOf(*kept_)),
      prover_(prover),
      budget_(budget),
      state_(std::make_unique<State>(*this)) {}

ProgramIndexing::~ProgramIndexing() = default;

absl::StatusOr<IndexingRelation> ProgramIndexing::withKnownValues(
    const IndexingRelation &relation) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return withKnownValues(relation); });
  auto known = state_->facts.folded(relation, ProgramFacts::Known::Elements);
  return known.ok() ? withOneVariableEach(*known) : known;
}

int64_t ProgramIndexing::numberOf(const Value &value) {
  return state_->values.number(value);
}

//===-- The questions -----------------------------------------------------===//

absl::StatusOr<IndexingRelation> ProgramIndexing::pruned(
    absl::StatusOr<IndexingRelation> answer) {
  // Each piece is compared with all others, by a proof: for more pieces, or
  // more constraints and ranges, this takes longer than it helps.
  constexpr size_t kMostPruned = 16;
  constexpr size_t kMostOfAll = 96;
  if (!prover_ || !answer.ok() || answer->pieces().size() < 2 ||
      answer->pieces().size() > kMostPruned)
    return answer;
  size_t ofAll = 0;
  for (const IndexingMap &piece : answer->pieces())
    ofAll += piece.constraints().size() + piece.ranges().size();
  if (ofAll > kMostOfAll) return answer;
  IndexingRelation needed;
  uniteMerged(needed, *answer, prover_);
  INDEXICAL_RETURN_IF_ERROR(budget_.check());
  return needed;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::instruction(
    Leaf result, LeafId operandLeaf, Direction direction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return instruction(result, operandLeaf, direction); });
  const auto [c, i, leaf] = result;
  const Instruction &own = module_.computations[c].instructions[i];
  const Edge edge = {c, i, direction, leaf, operandLeaf, EdgeUse::Listed};
  // The pieces of an op's own relation are disjoint.
  if (own.called.empty()) return state_->edges.mapsOf(edge);
  INDEXICAL_RETURN_IF_ERROR(state_->solver.solveCallees(c, own));
  return pruned(state_->edges.mapsOf(edge));
}

absl::StatusOr<IndexingRelation> ProgramIndexing::computation(
    ComputationId computation, LeafId rootLeaf, ParameterLeaf parameter,
    Direction direction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return this->computation(computation, rootLeaf, parameter, direction);
    });
  INDEXICAL_RETURN_IF_ERROR(state_->solver.solve(computation));
  const Whole &whole = state_->solved.whole(computation, direction);
  auto found = whole.find({rootLeaf, parameter.parameter, parameter.leaf});
  return found == whole.end() ? IndexingRelation() : pruned(found->second);
}

std::vector<LeafPair> ProgramIndexing::instructionPairs(
    ComputationId computation, InstructionId instruction) {
  const LeafPairs pairs = pairsOf(computation, instruction);
  return {pairs.begin(), pairs.end()};
}

LeafPairs ProgramIndexing::pairsOf(ComputationId computation,
                                   InstructionId instruction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return pairsOf(computation, instruction); });
  const Instruction &own =
      module_.computations[computation].instructions[instruction];
  if (const auto *forward = own.op.as<ForwardOp>()) {
    std::vector<LeafPair> pairs;
    for (LeafId r; r < static_cast<int64_t>(forward->reads.size()); ++r)
      if (forward->reads[r] >= 0)
        pairs.push_back({r, 0, LeafId(forward->reads[r])});
    return LeafPairs(std::move(pairs));
  }
  // An error is the answer for every pair, so then all pairs are returned.
  if (state_->solver.solveCallees(computation, own).ok())
    if (const ReadPairs *few = state_->uses.pairsOf(computation, instruction)) {
      std::vector<LeafPair> pairs;
      for (const auto &[r, leaf] : few->byResult) pairs.push_back({r, 0, leaf});
      return LeafPairs(std::move(pairs));
    }
  return {own.shape.leafCount(),
          state_->graph.operandLeafCount(computation, instruction)};
}

absl::StatusOr<std::vector<LeafPair>> ProgramIndexing::computationPairs(
    ComputationId computation) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return computationPairs(computation); });
  INDEXICAL_RETURN_IF_ERROR(state_->solver.solve(computation));
  std::vector<LeafPair> pairs;
  for (const auto &[pair, relation] : state_->solved.reads(computation))
    pairs.push_back(pair);
  return pairs;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::between(Leaf from, Leaf to,
                                                          Direction direction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return between(from, to, direction); });
  assert(from.computation == to.computation);
  const ComputationId c = from.computation;
  INDEXICAL_RETURN_IF_ERROR(state_->solver.solveCallees(c));
  INDEXICAL_ASSIGN_OR_RETURN(
      auto down, state_->passes.backward(c, {from.instruction, from.leaf},
                                         to.instruction));
  Reached *const read = down[to.instruction].find(to.leaf);
  if (!read) return IndexingRelation();
  const ProgramGraph &graph = state_->graph;
  const ArrayShape &user = graph.shape(c, from.instruction, from.leaf);
  const ArrayShape &producer = graph.shape(c, to.instruction, to.leaf);
  if (auto users = converseOfVariables(*read, user, producer))
    return direction == Direction::OutputToInput ? std::move(read->relation)
                                                 : *std::move(users);
  INDEXICAL_ASSIGN_OR_RETURN(
      auto up,
      state_->passes.forward(c, {to.instruction, to.leaf}, from.instruction));
  Reached *const used = up[from.instruction].find(from.leaf);
  if (!used) return IndexingRelation();
  INDEXICAL_RETURN_IF_ERROR(settle(*read, *used, user, producer));
  return pruned(direction == Direction::OutputToInput
                    ? std::move(read->relation)
                    : std::move(used->relation));
}

absl::StatusOr<std::vector<IndexingRelation>> ProgramIndexing::until(
    Leaf from, llvm::ArrayRef<Leaf> leaves) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return until(from, leaves); });
  std::vector<bool> needed;
  INDEXICAL_ASSIGN_OR_RETURN(auto reached,
                             state_->passes.until(from, leaves, needed));
  std::vector<IndexingRelation> reads;
  for (Reached &each : reached) reads.push_back(std::move(each.relation));
  return reads;
}

std::optional<Limit> ProgramIndexing::limitUntil(Leaf from,
                                                 llvm::ArrayRef<Leaf> leaves) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return limitUntil(from, leaves); });
  std::vector<bool> needed;
  auto reached = state_->passes.until(from, leaves, needed);
  if (!reached.ok()) return std::nullopt;
  for (const Reached &each : *reached)
    if (each.limit) return each.limit;
  // An instruction on the way may call a computation whose answer was covered.
  const ComputationId c = from.computation;
  const std::vector<bool> below = state_->graph.below(c, from.instruction);
  const auto &instructions = module_.computations[c].instructions;
  for (size_t i = 0; i < instructions.size(); ++i)
    if (needed[i] && below[i])
      for (const CalledComputation &called : instructions[i].called)
        if (auto limit = state_->solved.limit(called.computation)) return limit;
  return std::nullopt;
}

std::vector<Leaf> ProgramIndexing::sizeSources(ComputationId computation,
                                               InstructionId instruction) {
  std::vector<Leaf> leaves;
  for (const SizeRead &read : state_->sizes.readsOf(computation, instruction))
    leaves.push_back({computation, read.leaf.instruction, read.leaf.leaf});
  return leaves;
}

}  // namespace indexical
