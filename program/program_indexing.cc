#include "program/program_indexing.h"

#include <set>

#include "indexing/map_builder.h"
#include "indexing/transforms.h"
#include "program/fold.h"
#include "simplifier/simplify.h"

namespace indexical {
namespace {

// A relation of more pieces becomes one covering map: paths can multiply.
constexpr size_t kMostPieces = 64;

// So does one of more constraints: each costs time in every composition.
constexpr size_t kMostConstraints = 500;

// An expression that takes more terms to write becomes a range.
constexpr int64_t kMostTerms = 5000;

/// The computation that a fusion or call runs, or -1.
int32_t calleeOf(const Instruction &instruction) {
  if (!std::holds_alternative<CallOp>(instruction.op)) return -1;
  for (const CalledComputation &called : instruction.called)
    if (called.role == CallRole::Calls || called.role == CallRole::ToApply)
      return called.computation;
  return -1;
}

IndexingMap identityOf(const ArrayShape &shape) {
  IndexingMapBuilder b;
  for (int64_t size : shape.dimensions)
    b.result(b.dimension(
        {0, size == kDynamicSize ? Interval::kInfinity : size - 1}));
  auto map = b.build();
  return map.ok() ? *std::move(map) : IndexingMap::knownEmpty();
}

/// Where a pass begins. Compositions write the value of a variable that has
/// one.
absl::StatusOr<IndexingRelation> startOf(const ArrayShape &shape) {
  auto map = simplify(identityOf(shape));
  if (!map.ok()) return map.status();
  return IndexingRelation(*std::move(map));
}

/// Whether composing with `relation` changes nothing.
bool isIdentity(const IndexingRelation &relation, const ArrayShape &shape) {
  if (relation.pieces().size() != 1 || relation.precision() != Precision::Exact)
    return false;
  return relation.pieces()[0] == identityOf(shape);
}

absl::Status unite(IndexingRelation &into, const IndexingRelation &other) {
  into.unite(other);
  size_t constraints = 0;
  for (const IndexingMap &piece : into.pieces())
    constraints += piece.constraints().size();
  if (into.pieces().size() <= kMostPieces && constraints <= kMostConstraints)
    return absl::OkStatus();
  auto cover = coverOf(into);
  if (!cover.ok()) return cover.status();
  into = *std::move(cover);
  return absl::OkStatus();
}

}  // namespace

bool Value::operator<(const Value &o) const {
  auto key = [](const Value &v) {
    return std::tie(v.computation, v.instruction, v.result);
  };
  if (key(*this) != key(o)) return key(*this) < key(o);
  return std::lexicographical_compare(calls.begin(), calls.end(),
                                      o.calls.begin(), o.calls.end());
}

/// What was worked out already, and the passes over a computation.
struct ProgramIndexing::State {
  /// relations[i][l]: between leaf l of instruction i and the leaf asked about.
  using Leaves = std::vector<llvm::SmallVector<IndexingRelation, 1>>;

  explicit State(ProgramIndexing &owner)
      : owner(owner), module(owner.module_), info(module.computations.size()) {}

  struct ComputationInfo {
    bool known = false;
    std::vector<int32_t> order;  // operands first
    std::vector<llvm::SmallVector<OperandLeaf, 4>> leaves;
  };
  const ComputationInfo &infoOf(int32_t c) {
    ComputationInfo &i = info[c];
    if (!i.known) {
      const Computation &computation = module.computations[c];
      i.order = computation.postOrder();
      for (size_t k = 0; k < computation.instructions.size(); ++k)
        i.leaves.push_back(computation.operandLeaves(k));
      i.known = true;
    }
    return i;
  }

  int64_t number(Value value);
  absl::Status prepareCallees(int32_t c, Direction direction);
  absl::Status solve(int32_t c, Direction direction);
  absl::StatusOr<IndexingRelation> edge(int32_t c, int32_t i,
                                        Direction direction, int64_t result,
                                        int64_t leaf);
  absl::StatusOr<IndexingRelation> throughCall(int32_t c, int32_t i,
                                               Direction direction,
                                               int64_t result, int64_t leaf);
  IndexingRelation lifted(const IndexingRelation &relation, int32_t c,
                          int32_t i);
  absl::StatusOr<IndexingRelation> folded(const IndexingRelation &relation);
  absl::Status step(int32_t c, const IndexingRelation &before, int32_t i,
                    Direction direction, int64_t result, int64_t leaf,
                    IndexingRelation &into);
  absl::StatusOr<Leaves> backward(int32_t c, int32_t from, int64_t leaf,
                                  int32_t stop);
  absl::StatusOr<Leaves> forward(int32_t c, int32_t from, int64_t leaf,
                                 int32_t stop);
  std::vector<bool> between(int32_t c, int32_t user, int32_t producer);

  ProgramIndexing &owner;
  const Module &module;
  std::vector<ComputationInfo> info;
  /// (computation, direction) -> (root leaf, parameter, leaf) -> relation.
  using Whole =
      std::map<std::tuple<int64_t, int32_t, int64_t>, IndexingRelation>;
  std::map<std::pair<int32_t, Direction>, Whole> solved;
  std::set<std::pair<int32_t, Direction>> prepared;
  /// The edges of one computation: passes for several leaves meet them again.
  std::map<std::tuple<int32_t, Direction, int64_t, int64_t>, IndexingRelation>
      edges;
  int32_t edgesOf = -1;
};

ProgramIndexing::ProgramIndexing(const Module &module)
    : module_(module), state_(std::make_unique<State>(*this)) {}

ProgramIndexing::~ProgramIndexing() = default;

int64_t ProgramIndexing::State::number(Value value) {
  auto [entry, isNew] = owner.numbers_.try_emplace(value, owner.values_.size());
  if (isNew) owner.values_.push_back(std::move(value));
  return entry->second;
}

//===-- Calls -------------------------------------------------------------===//

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
      int32_t callee = calleeOf(i);
      if (callee < 0) continue;
      if (marks[callee] == Open)
        return errorAt(i.place, "`" + i.name.str() + "` calls `" +
                                    module.computations[callee].name.str() +
                                    "`, which leads back to it");
      if (marks[callee] == New) stack.push_back(callee);
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

absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughCall(
    int32_t c, int32_t i, Direction direction, int64_t result, int64_t leaf) {
  int32_t callee = calleeOf(module.computations[c].instructions[i]);
  const auto &leaves = infoOf(c).leaves[i];
  const OperandLeaf &operand = leaves[leaf];
  const Whole &whole = solved[{callee, direction}];
  auto found = whole.find({result, operand.operand, operand.result});
  if (found == whole.end()) return IndexingRelation();
  return folded(lifted(found->second, c, i));
}

/// Sources of the callee as the caller sees them: a parameter is the caller's
/// operand, anything else lies behind this call.
IndexingRelation ProgramIndexing::State::lifted(
    const IndexingRelation &relation, int32_t c, int32_t i) {
  const Instruction &call = module.computations[c].instructions[i];
  auto rename = [&](int64_t tensor) {
    Value value = owner.values_[tensor];
    if (value.calls.empty()) {
      const Instruction &source = module.computations[value.computation]
                                      .instructions[value.instruction];
      if (source.parameterNumber >= 0 &&
          source.parameterNumber < static_cast<int32_t>(call.operands.size()))
        return number(
            {c, call.operands[source.parameterNumber], value.result, {}});
    }
    value.calls.insert(value.calls.begin(), CallSite{c, i});
    return number(std::move(value));
  };
  IndexingRelation result;
  for (const IndexingMap &piece : relation.pieces())
    result.add(withSources(piece, rename));
  result.weaken(relation.precision());
  return result;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::folded(
    const IndexingRelation &relation) {
  bool hasRuntime = false;
  for (const IndexingMap &piece : relation.pieces())
    hasRuntime |= !piece.runtime().empty();
  if (!hasRuntime) return relation;
  auto known = [&](const RuntimeSource &source, IndexingMapBuilder &b,
                   llvm::ArrayRef<Expr> index) {
    const Value &value = owner.values_[source.tensor];
    return knownElement(module.computations[value.computation],
                        value.instruction, b, index);
  };
  return foldKnown(relation, known);
}

//===-- One instruction ---------------------------------------------------===//

/// The maps of one instruction, sources as values of the module.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::edge(
    int32_t c, int32_t i, Direction direction, int64_t result, int64_t leaf) {
  if (edgesOf != c) {
    edges.clear();
    edgesOf = c;
  }
  auto key = std::make_tuple(i, direction, result, leaf);
  auto found = edges.find(key);
  if (found != edges.end()) return found->second;
  const Instruction &instruction = module.computations[c].instructions[i];
  absl::StatusOr<IndexingRelation> relation;
  if (calleeOf(instruction) >= 0) {
    relation = throughCall(c, i, direction, result, leaf);
  } else {
    relation = indexing(instruction.op, direction, result, leaf);
    if (relation.ok()) {
      const auto &leaves = infoOf(c).leaves[i];
      IndexingRelation named;
      for (const IndexingMap &piece : relation->pieces())
        named.add(withSources(piece, [&](int64_t operand) {
          const OperandLeaf &source = leaves[operand];
          return number({c, source.instruction, source.result, {}});
        }));
      named.weaken(relation->precision());
      relation = std::move(named);
    }
  }
  if (!relation.ok()) return withPlace(relation.status(), instruction.place);
  edges[key] = *relation;
  return relation;
}

//===-- Passes over a computation -----------------------------------------===//

/// Adds `before` composed with the edge of instruction i to `into`.
absl::Status ProgramIndexing::State::step(int32_t c,
                                          const IndexingRelation &before,
                                          int32_t i, Direction direction,
                                          int64_t result, int64_t leaf,
                                          IndexingRelation &into) {
  auto relation = edge(c, i, direction, result, leaf);
  if (!relation.ok()) return relation.status();
  if (relation->isEmpty()) return absl::OkStatus();
  const Instruction &instruction = module.computations[c].instructions[i];
  const OpShapes &shapes = shapesOf(instruction.op);
  const ArrayShape &start = direction == Direction::OutputToInput
                                ? shapes.results[result]
                                : shapes.operands[leaf];
  if (isIdentity(*relation, start)) return unite(into, before);
  auto composed = compose(before, *relation);
  if (composed.ok()) composed = folded(*composed);
  if (composed.ok()) composed = withoutLargeExpressions(*composed, kMostTerms);
  if (!composed.ok()) return withPlace(composed.status(), instruction.place);
  return unite(into, *composed);
}

/// The instructions on a way from `user` down to `producer`, both included; -1
/// for the producer: all that `user` stands on.
std::vector<bool> ProgramIndexing::State::between(int32_t c, int32_t user,
                                                  int32_t producer) {
  const auto &instructions = module.computations[c].instructions;
  const std::vector<int32_t> &order = infoOf(c).order;
  std::vector<bool> below(instructions.size(), false);
  std::vector<bool> above(instructions.size(), producer < 0);
  below[user] = true;
  for (auto it = order.rbegin(); it != order.rend(); ++it)
    if (below[*it])
      for (int32_t operand : instructions[*it].operands) below[operand] = true;
  if (producer >= 0) above[producer] = true;
  for (int32_t i : order)
    for (int32_t operand : instructions[i].operands)
      if (above[operand]) above[i] = true;
  for (size_t i = 0; i < above.size(); ++i) above[i] = above[i] && below[i];
  return above;
}

absl::StatusOr<ProgramIndexing::State::Leaves> ProgramIndexing::State::backward(
    int32_t c, int32_t from, int64_t leaf, int32_t stop) {
  const Computation &computation = module.computations[c];
  const ComputationInfo &known = infoOf(c);
  Leaves relations(computation.instructions.size());
  auto &start = relations[from];
  auto shapes = computation.instructions[from].shape.leaves();
  start.resize(shapes.size());
  auto identity = startOf(shapes[leaf]);
  if (!identity.ok()) return identity.status();
  start[leaf] = *std::move(identity);
  std::vector<bool> needed = between(c, from, stop);
  for (auto it = known.order.rbegin(); it != known.order.rend(); ++it) {
    int32_t i = *it;
    if (relations[i].empty() || !needed[i] || i == stop ||
        computation.instructions[i].parameterNumber >= 0)
      continue;
    const auto &leaves = known.leaves[i];
    auto results = std::move(relations[i]);
    relations[i].clear();
    for (size_t r = 0; r < results.size(); ++r) {
      if (results[r].isEmpty()) continue;
      for (size_t l = 0; l < leaves.size(); ++l) {
        if (!needed[leaves[l].instruction]) continue;
        auto &producer = relations[leaves[l].instruction];
        if (producer.empty())
          producer.resize(computation.instructions[leaves[l].instruction]
                              .shape.leafCount());
        if (auto status = step(c, results[r], i, Direction::OutputToInput, r, l,
                               producer[leaves[l].result]);
            !status.ok())
          return status;
      }
    }
  }
  return relations;
}

absl::StatusOr<ProgramIndexing::State::Leaves> ProgramIndexing::State::forward(
    int32_t c, int32_t from, int64_t leaf, int32_t stop) {
  const Computation &computation = module.computations[c];
  const ComputationInfo &known = infoOf(c);
  Leaves relations(computation.instructions.size());
  auto shapes = computation.instructions[from].shape.leaves();
  relations[from].resize(shapes.size());
  auto identity = startOf(shapes[leaf]);
  if (!identity.ok()) return identity.status();
  relations[from][leaf] = *std::move(identity);
  std::vector<bool> needed = between(c, stop, from);
  for (int32_t i : known.order) {
    if (i == from || !needed[i]) continue;
    const auto &leaves = known.leaves[i];
    int64_t results = computation.instructions[i].shape.leafCount();
    for (size_t l = 0; l < leaves.size(); ++l) {
      const auto &producer = relations[leaves[l].instruction];
      if (producer.empty() || producer[leaves[l].result].isEmpty()) continue;
      if (relations[i].empty()) relations[i].resize(results);
      for (int64_t r = 0; r < results; ++r)
        if (auto status = step(c, producer[leaves[l].result], i,
                               Direction::InputToOutput, r, l, relations[i][r]);
            !status.ok())
          return status;
    }
  }
  return relations;
}

//===-- The questions -----------------------------------------------------===//

absl::StatusOr<IndexingRelation> ProgramIndexing::instruction(
    int32_t computation, int32_t instruction, Direction direction,
    int64_t result, int64_t operandLeaf) {
  if (auto status = state_->prepareCallees(computation, direction);
      !status.ok())
    return status;
  return state_->edge(computation, instruction, direction, result, operandLeaf);
}

absl::StatusOr<IndexingRelation> ProgramIndexing::computation(
    int32_t computation, Direction direction, int64_t rootLeaf,
    int32_t parameter, int64_t parameterLeaf) {
  if (auto status = state_->prepareCallees(computation, direction);
      !status.ok())
    return status;
  if (!state_->solved.count({computation, direction}))
    if (auto status = state_->solve(computation, direction); !status.ok())
      return status;
  const auto &whole = state_->solved[{computation, direction}];
  auto found = whole.find({rootLeaf, parameter, parameterLeaf});
  return found == whole.end() ? IndexingRelation() : found->second;
}

absl::StatusOr<IndexingRelation> ProgramIndexing::between(
    int32_t computation, int32_t from, int64_t fromLeaf, int32_t to,
    int64_t toLeaf, Direction direction) {
  if (auto status = state_->prepareCallees(computation, direction);
      !status.ok())
    return status;
  if (direction == Direction::OutputToInput) {
    auto leaves = state_->backward(computation, from, fromLeaf, to);
    if (!leaves.ok()) return leaves.status();
    auto &found = (*leaves)[to];
    return found.empty() ? IndexingRelation() : found[toLeaf];
  }
  auto leaves = state_->forward(computation, to, toLeaf, from);
  if (!leaves.ok()) return leaves.status();
  auto &found = (*leaves)[from];
  return found.empty() ? IndexingRelation() : found[fromLeaf];
}

}  // namespace indexical
