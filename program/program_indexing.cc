#include "indexical/program/program_indexing.h"

#include <algorithm>
#include <set>
#include <utility>

#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/program/state.h"
#include "indexical/simplifier/merge.h"

namespace indexical {

bool Value::operator<(const Value &o) const {
  auto key = [](const Value &v) {
    return std::tie(v.computation, v.instruction, v.result);
  };
  if (key(*this) != key(o)) return key(*this) < key(o);
  return std::lexicographical_compare(calls.begin(), calls.end(),
                                      o.calls.begin(), o.calls.end());
}

ProgramIndexing::ProgramIndexing(const Module &module, Prover *prover,
                                 const Budget &budget)
    : module_(module),
      prover_(prover),
      budget_(budget),
      state_(std::make_unique<State>(*this)) {}

ProgramIndexing::~ProgramIndexing() = default;

absl::StatusOr<IndexingRelation> ProgramIndexing::withKnownValues(
    const IndexingRelation &relation) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return withKnownValues(relation); });
  auto known = state_->folded(relation, State::Known::Elements);
  return known.ok() ? withOneVariableEach(*known) : known;
}

IndexingMap identityOf(const ArrayShape &shape) {
  IndexingMapBuilder b;
  for (int64_t size : shape.dimensions)
    b.result(b.dimension(
        {0, size == kDynamicSize ? Interval::kInfinity : size - 1}));
  auto map = b.build();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

bool isIdentity(const IndexingMap &map, const ArrayShape &shape) {
  const size_t rank = shape.dimensions.size();
  if (!map.ranges().empty() || !map.runtime().empty() ||
      !map.constraints().empty() || !map.collectives().empty() ||
      map.dimensions().size() != rank || map.results().size() != rank)
    return false;
  for (uint32_t k = 0; k < rank; ++k) {
    const int64_t size = shape.dimensions[k];
    if (size == kDynamicSize ||
        map.dimensions()[k].bounds != Interval{0, size - 1})
      return false;
    const FormId result = map.results()[k];
    const auto read = map.expressions().asVariable(result);
    if (!(read && *read == VariableId{VariableKind::Dimension, k}) &&
        !(size == 1 && map.expressions().isConstant(result, 0)))
      return false;
  }
  return true;
}

int64_t ProgramIndexing::State::number(Value value) {
  auto [entry, isNew] = owner.numbers_.try_emplace(value, owner.values_.size());
  if (isNew) owner.values_.push_back(std::move(value));
  return entry->second;
}

int64_t ProgramIndexing::numberOf(const Value &value) {
  return state_->number(value);
}

//===-- The questions -----------------------------------------------------===//

absl::StatusOr<IndexingRelation> ProgramIndexing::pruned(
    absl::StatusOr<IndexingRelation> answer) {
  // Each piece is compared with all others, by a proof: for more pieces this
  // takes longer than it helps.
  constexpr size_t kMostPruned = 16;
  if (!prover_ || !answer.ok() || answer->pieces().size() < 2 ||
      answer->pieces().size() > kMostPruned)
    return answer;
  IndexingRelation needed;
  uniteMerged(needed, *answer, prover_);
  INDEXICAL_RETURN_IF_ERROR(budget_.check());
  return needed;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::instruction(
    int32_t computation, int32_t instruction, Direction direction,
    int64_t result, int64_t operandLeaf) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return this->instruction(computation, instruction, direction, result,
                               operandLeaf);
    });
  const Instruction &own =
      module_.computations[computation].instructions[instruction];
  INDEXICAL_RETURN_IF_ERROR(state_->prepareCallees(computation, own));
  auto answer = state_->edge(computation, instruction, direction, result,
                             operandLeaf, State::Asked::Listed);
  // The pieces of an op's own relation are disjoint.
  return own.called.empty() ? answer : pruned(answer);
}

absl::StatusOr<IndexingRelation> ProgramIndexing::computation(
    int32_t computation, Direction direction, int64_t rootLeaf,
    int32_t parameter, int64_t parameterLeaf) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return this->computation(computation, direction, rootLeaf, parameter,
                               parameterLeaf);
    });
  INDEXICAL_RETURN_IF_ERROR(state_->prepareCallees(computation));
  INDEXICAL_RETURN_IF_ERROR(state_->solve(computation));
  const auto &whole = state_->solved[{computation, direction}];
  auto found = whole.find({rootLeaf, parameter, parameterLeaf});
  return found == whole.end() ? IndexingRelation() : pruned(found->second);
}

std::vector<LeafPair> ProgramIndexing::instructionPairs(int32_t computation,
                                                        int32_t instruction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack(
        [&] { return instructionPairs(computation, instruction); });
  const Instruction &own =
      module_.computations[computation].instructions[instruction];
  std::vector<LeafPair> pairs;
  if (const auto *hands = own.op.as<ForwardOp>()) {
    for (size_t r = 0; r < hands->reads.size(); ++r)
      if (hands->reads[r] >= 0)
        pairs.push_back({static_cast<int64_t>(r), 0, hands->reads[r]});
    return pairs;
  }
  // An error is the answer for every pair, so then all pairs are returned.
  if (state_->prepareCallees(computation, own).ok())
    if (const ReadPairs *few = state_->pairsOf(computation, instruction)) {
      for (const auto &[r, leaf] : few->byResult) pairs.push_back({r, 0, leaf});
      return pairs;
    }
  const int64_t results = own.shape.leafCount();
  const int64_t operands = state_->operandLeafCount(computation, instruction);
  for (int64_t r = 0; r < results; ++r)
    for (int64_t l = 0; l < operands; ++l) pairs.push_back({r, 0, l});
  return pairs;
}

absl::StatusOr<std::vector<LeafPair>> ProgramIndexing::computationPairs(
    int32_t computation) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return computationPairs(computation); });
  INDEXICAL_RETURN_IF_ERROR(state_->prepareCallees(computation));
  INDEXICAL_RETURN_IF_ERROR(state_->solve(computation));
  std::vector<LeafPair> pairs;
  for (const auto &[key, relation] :
       state_->solved[{computation, Direction::OutputToInput}]) {
    const auto [root, parameter, leaf] = key;
    pairs.push_back({root, parameter, leaf});
  }
  return pairs;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::between(
    int32_t computation, int32_t from, int64_t fromLeaf, int32_t to,
    int64_t toLeaf, Direction direction) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] {
      return between(computation, from, fromLeaf, to, toLeaf, direction);
    });
  INDEXICAL_RETURN_IF_ERROR(state_->prepareCallees(computation));
  INDEXICAL_ASSIGN_OR_RETURN(auto down,
                             state_->backward(computation, from, fromLeaf, to));
  Reached *const read = down[to].find(toLeaf);
  if (!read) return IndexingRelation();
  const auto &instructions = module_.computations[computation].instructions;
  const ArrayShape &user = shapesOf(instructions[from].op).results[fromLeaf];
  const ArrayShape &producer = shapesOf(instructions[to].op).results[toLeaf];
  if (auto users = converseOfVariables(*read, user, producer))
    return direction == Direction::OutputToInput ? std::move(read->relation)
                                                 : *std::move(users);
  INDEXICAL_ASSIGN_OR_RETURN(auto up,
                             state_->forward(computation, to, toLeaf, from));
  Reached *const used = up[from].find(fromLeaf);
  if (!used) return IndexingRelation();
  INDEXICAL_RETURN_IF_ERROR(settle(*read, *used, user, producer));
  return pruned(direction == Direction::OutputToInput
                    ? std::move(read->relation)
                    : std::move(used->relation));
}

absl::StatusOr<std::vector<Reached>> ProgramIndexing::State::until(
    int32_t c, Leaf from, llvm::ArrayRef<Leaf> leaves,
    std::vector<bool> &needed) {
  const auto &order = infoOf(c).order;
  const auto &instructions = module.computations[c].instructions;
  std::set<std::pair<int32_t, int64_t>> ends;
  needed.assign(instructions.size(), false);
  for (const Leaf &leaf : leaves) {
    ends.insert({leaf.instruction, leaf.leaf});
    needed[leaf.instruction] = true;
  }
  for (int32_t i : order)
    for (int32_t operand : instructions[i].operands)
      if (needed[operand]) needed[i] = true;
  INDEXICAL_ASSIGN_OR_RETURN(auto relations, backward(c, from, &needed, ends));
  std::vector<Reached> reads;
  for (const Leaf &leaf : leaves) {
    Reached *const found = relations[leaf.instruction].find(leaf.leaf);
    reads.push_back(found ? std::move(*found) : Reached());
  }
  return reads;
}

absl::StatusOr<std::vector<IndexingRelation>> ProgramIndexing::until(
    int32_t c, Leaf from, llvm::ArrayRef<Leaf> leaves) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return until(c, from, leaves); });
  std::vector<bool> needed;
  INDEXICAL_ASSIGN_OR_RETURN(auto reached,
                             state_->until(c, from, leaves, needed));
  std::vector<IndexingRelation> reads;
  for (Reached &each : reached) reads.push_back(std::move(each.relation));
  return reads;
}

std::optional<Limit> ProgramIndexing::limitUntil(int32_t c, Leaf from,
                                                 llvm::ArrayRef<Leaf> leaves) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return limitUntil(c, from, leaves); });
  std::vector<bool> needed;
  auto reached = state_->until(c, from, leaves, needed);
  if (!reached.ok()) return std::nullopt;
  for (const Reached &each : *reached)
    if (each.limit) return each.limit;
  // An instruction on the way may call a computation whose answer was covered.
  const std::vector<bool> below = state_->belowOf(c, from.instruction);
  const auto &instructions = module_.computations[c].instructions;
  for (size_t i = 0; i < instructions.size(); ++i)
    if (needed[i] && below[i])
      for (const CalledComputation &called : instructions[i].called)
        if (auto limit = state_->limitWithin(called.computation)) return limit;
  return std::nullopt;
}

}  // namespace indexical
