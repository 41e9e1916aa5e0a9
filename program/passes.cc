// One instruction after another.
//
//   t = f32[8] reverse(p), dimensions={0}     (d0) -> (-d0 + 7)
//   r = f32[4] slice(t), slice={[2:6]}        (d0) -> (d0 + 2)
//
// `backward` goes from r down to p: r to t is (d0) -> (d0 + 2), r to p is
// (d0) -> (-d0 + 5). `forward` goes from p up to r. If several ways meet, the
// relation is their union.
#include <queue>
#include <string>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/alike_pairs.h"
#include "indexical/program/fold_known.h"
#include "indexical/program/merged_ranges.h"
#include "indexical/program/state.h"
#include "indexical/simplifier/merge.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

// A relation of more pieces becomes one covering map: the number of paths can
// multiply.
constexpr size_t kMostPieces = 64;

// The most pieces of a relation that was covered before: it becomes a box in
// the end.
constexpr size_t kMostPiecesOfCover = 4;

// A relation of more constraints is covered as well: each costs time in every
// composition.
constexpr size_t kMostConstraints = 500;

// If a map has more ranges, those of which only the sum is read are merged.
constexpr size_t kManyRanges = 6;

// The most relations of ops that are kept; then all are forgotten.
constexpr size_t kMostOfOps = 50'000;

// An expression that takes more terms to write becomes a range.
constexpr int64_t kMostTerms = 5000;

/// Whether composing with `relation` changes nothing.
bool isIdentity(const IndexingRelation &relation, const ArrayShape &shape) {
  if (relation.pieces().size() != 1 || relation.precision() != Precision::Exact)
    return false;
  const IndexingMap &map = relation.pieces()[0];
  return hasOpenSize(shape) ? map == identityOf(shape)
                            : indexical::isIdentity(map, shape);
}

/// Whether there are sources or collectives, which each instruction has of its
/// own.
bool namesValues(const IndexingRelation &relation) {
  return llvm::any_of(relation.pieces(), [](const IndexingMap &map) {
    return !map.runtime().empty() || !map.collectives().empty();
  });
}

/// Whether each element of the result reads that of the same index, as every
/// one can see it without maps: most instructions of a fusion do, and of a
/// tuple's thousands a pass asks for each.
bool handsOn(const Instruction &instruction, int64_t result, int64_t operand) {
  const Op &op = instruction.op;
  const auto *hands = op.as<ForwardOp>();
  // A computation that is applied may leave an operand out.
  const bool isElementwise =
      op.is<ElementwiseOp>() && instruction.called.empty();
  if (hands ? hands->reads[result] != operand : !isElementwise) return false;
  if (traitsOf(op).precision != Precision::Exact) return false;
  const OpShapes &shapes = shapesOf(op);
  const ArrayShape &to = shapes.results[result];
  const ArrayShape &from = shapes.operands[operand];
  return to.dimensions == from.dimensions && !hasOpenSize(to) &&
         !hasOpenSize(from) && !to.isEmpty();
}

}  // namespace

absl::StatusOr<IndexingRelation> startOf(const ArrayShape &shape) {
  INDEXICAL_ASSIGN_OR_RETURN(auto map, simplify(identityOf(shape)));
  return IndexingRelation(std::move(map));
}

std::string reasonOf(LimitKind kind) {
  switch (kind) {
    case LimitKind::Pieces:
      return "what is read through it takes more than " +
             std::to_string(kMostPieces) + " maps, and one map covers them";
    case LimitKind::Constraints:
      return "what is read through it takes more than " +
             std::to_string(kMostConstraints) +
             " constraints, and one map without them covers it";
    case LimitKind::Terms:
      return "an index that is read through it takes more than " +
             std::to_string(kMostTerms) + " terms, and its bounds cover it";
  }
  llvm_unreachable("a limit of no kind");
}

absl::Status unite(IndexingRelation &into, const IndexingRelation &other,
                   std::optional<LimitKind> &limit) {
  uniteMerged(into, other);
  size_t constraints = 0;
  for (const IndexingMap &piece : into.pieces())
    constraints += piece.constraints().size();
  const size_t most = limit ? kMostPiecesOfCover : kMostPieces;
  const bool hasFew = into.pieces().size() <= most;
  if (hasFew && constraints <= kMostConstraints) return absl::OkStatus();
  if (!limit) limit = hasFew ? LimitKind::Constraints : LimitKind::Pieces;
  INDEXICAL_ASSIGN_OR_RETURN(into, coverOf(into));
  return absl::OkStatus();
}

/// Like unite, for what lies behind the instruction.
static absl::Status addBehind(ComputationId c, InstructionId i,
                              const Reached &before,
                              const IndexingRelation &relation, Reached &into) {
  if (!into.limit) into.limit = before.limit;
  std::optional<LimitKind> kind;
  if (into.limit) kind = into.limit->kind;
  absl::Status status = unite(into.relation, relation, kind);
  if (kind && !into.limit) into.limit = Limit{*kind, c, i};
  return status;
}

ProgramShapes &ProgramIndexing::State::programShapesOf(ComputationId c) {
  std::unique_ptr<ProgramShapes> &known = shapes[c];
  if (!known) {
    auto numbered = [this, c](int32_t instruction, int64_t leaf) {
      return number({c, InstructionId(instruction), LeafId(leaf), {}});
    };
    auto called = [this](ComputationId callee) {
      return shapesOfCallee(callee);
    };
    shapesInWork.insert(c);
    auto made = std::make_unique<ProgramShapes>(module.computations[c],
                                                numbered, called);
    shapesInWork.erase(c);
    known = std::move(made);
  }
  return *known;
}

/// Returns null for a computation that calls itself, which no module may have.
ProgramShapes *ProgramIndexing::State::shapesOfCallee(ComputationId c) {
  return shapesInWork.count(c) ? nullptr : &programShapesOf(c);
}

/// Returns the size in terms of the sizes from which it follows, or nothing if
/// it follows from no others.
std::optional<Expr> ProgramIndexing::State::knownSize(Value value,
                                                      int64_t dimension,
                                                      IndexingMapBuilder &b) {
  if (!value.calls.empty()) return std::nullopt;
  ProgramShapes &sizes = programShapesOf(value.computation);
  const auto form = sizes.size(value.instruction, value.result, dimension);
  if (!form) {  // of the type
    const Op &op = module.computations[value.computation]
                       .instructions[value.instruction]
                       .op;
    return b.constant(shapesOf(op).results[value.result].dimensions[dimension]);
  }
  if (auto id = sizes.table().asVariable(*form)) {
    const RuntimeSource &source = sizes.variable(id->index).source;
    if (source.kind == RuntimeSource::Kind::Size &&
        source.tensor == SizeFacts::kOutside + number(value) &&
        source.dimension == dimension)
      return std::nullopt;
  }
  std::map<uint32_t, FormId> made;
  auto replace = [&](VariableId id) {
    auto [found, isNew] = made.insert({id.index, 0});
    if (!isNew) return found->second;
    const SizeFacts::Variable &known = sizes.variable(id.index);
    RuntimeVariable variable;
    variable.source = known.source;
    variable.source.tensor -= SizeFacts::kOutside;
    variable.bounds = known.bounds;
    for (int64_t i : known.index)
      variable.index.push_back(b.pool().constantForm(i));
    return found->second = b.runtime(std::move(variable)).form();
  };
  ExpressionImport import(sizes.table(), b.pool(), replace);
  return b.expression(import(*form));
}

/// Like startOf, but an index stays below its size if that is open.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::startAt(
    ComputationId c, InstructionId instruction, int64_t leaf) {
  const ArrayShape &shape =
      shapesOf(module.computations[c].instructions[instruction].op)
          .results[leaf];
  if (!hasOpenSize(shape)) {
    auto known = starts.find(shape.dimensions);
    if (known != starts.end()) return known->second;
    auto start = startOf(shape);
    if (start.ok()) starts[shape.dimensions] = *start;
    return start;
  }
  ForwardOp same;
  same.operands = same.results = {shape};
  same.reads = {0};
  INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                             indexing(same, Direction::OutputToInput, 0, 0));
  const Value value = {c, InstructionId(instruction), LeafId(leaf), {}};
  auto tensor = [&](int64_t) { return number(value); };
  IndexingRelation named;
  for (const IndexingMap &piece : relation.pieces()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto map,
                               simplify(withSources(piece, {tensor, nullptr})));
    named.add(std::move(map));
  }
  return folded(named);
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::folded(
    const IndexingRelation &relation, Known what) {
  bool hasRuntime = false;
  for (const IndexingMap &piece : relation.pieces())
    hasRuntime |= !piece.runtime().empty();
  if (!hasRuntime) return relation;
  auto known = [&](const RuntimeSource &source, IndexingMapBuilder &b,
                   llvm::ArrayRef<Expr> index, IndexBounds bounds,
                   Choices &choices) -> std::optional<Expr> {
    const Value &value = owner.values_[source.tensor];
    if (source.kind == RuntimeSource::Kind::Size) {
      if (what == Known::Elements) return std::nullopt;
      return knownSize(value, source.dimension, b);
    }
    return knownElement(module, value, index, b, bounds, &choices);
  };
  return foldKnown(relation, known);
}

//===-- One instruction ---------------------------------------------------===//

/// Returns the maps of an op for a pair that passes elements on (handsOn): one
/// map for all such pairs of the same sizes.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::mapHandingOn(
    const Instruction &instruction, Direction direction, int64_t result,
    int64_t leaf) {
  const auto &sizes = shapesOf(instruction.op).results[result].dimensions;
  auto known = handedOn.find(sizes);
  if (known != handedOn.end()) return known->second;
  auto map = indexing(instruction.op, direction, result, leaf);
  if (map.ok()) handedOn[sizes] = *map;
  return map;
}

/// Returns the maps of the instruction's op, with values of the module as
/// sources.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::ownMaps(
    ComputationId c, InstructionId i, Direction direction, int64_t result,
    int64_t leaf, Asked asked) {
  const Instruction &instruction = module.computations[c].instructions[i];
  const OpShapes &shapes = shapesOf(instruction.op);
  const int64_t operands = shapes.operands.size();
  const bool isOpen = hasOpenSizes(shapes);
  const bool isItself = asked == Asked::Listed || !isOpen;
  if (hasAlikePairs(instruction.op) && leaf < operands && !isOpen)
    std::tie(result, leaf) = alikePair(instruction.op, result, leaf);
  if (!isOpen && leaf < operands && handsOn(instruction, result, leaf))
    return mapHandingOn(instruction, direction, result, leaf);
  const OfOp key = {
      &instruction.op.descriptor(),
      2 * (result * operands + leaf) + (direction == Direction::InputToOutput)};
  // Equal ops share what they say. Its sources are numbers of operands; each
  // instruction puts its own values for them.
  auto ofOp = [&]() -> absl::StatusOr<IndexingRelation> {
    const bool isKept = isItself && leaf < operands;
    if (isKept)
      if (auto known = ofOps.find(key); known != ofOps.end())
        return known->second;
    if (!isItself) {
      OpDraft op(instruction.op);
      op->facts = programShapesOf(c).factsOf(i);
      return indexing(op, direction, result, leaf);
    }
    auto own = indexing(instruction.op, direction, result, leaf);
    if (own.ok() && isKept) {
      if (ofOps.size() == kMostOfOps) ofOps.clear();
      ofOps[key] = *own;
    }
    return own;
  };
  INDEXICAL_ASSIGN_OR_RETURN(auto relation, ofOp());
  if (!namesValues(relation)) return relation;
  ++mapsWithValues;
  auto tensor = [&](int64_t operand) {
    if (operand >= SizeFacts::kOutside) return operand - SizeFacts::kOutside;
    const int64_t leaves = graph.operandLeafCount(c, i);
    if (operand >= leaves)  // a size of a result
      return number({c, i, LeafId(operand - leaves), {}});
    const OperandLeaf source = graph.operandLeaf(c, i, operand);
    return number({c, source.instruction, source.result, {}});
  };
  auto collective = [&](int64_t) { return number({c, i, LeafId(0), {}}); };
  return withVariablesMerged(withSources(relation, {tensor, collective}));
}

/// Returns the union of what the callees read of the operand.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughCallees(
    ComputationId c, InstructionId i, llvm::ArrayRef<Callee> callees,
    Direction direction, int64_t result, int64_t leaf) {
  const Instruction &instruction = module.computations[c].instructions[i];
  const int64_t rootLeaf = *innermostResult(instruction.op, result);
  IndexingRelation all;
  for (const Callee &callee : callees) {
    auto relation = callee.computation < 0
                        ? ownMaps(c, i, direction, result, leaf)
                        : throughCallee(c, i, callee, direction, rootLeaf,
                                        graph.operandLeaf(c, i, leaf));
    if (!relation.ok() || callees.size() == 1) return relation;
    uniteMerged(all, *relation);
  }
  return all;
}

/// Returns the maps of one instruction, through the computations that it calls.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughInstruction(
    ComputationId c, InstructionId i, Direction direction, int64_t result,
    int64_t leaf, Asked asked) {
  const Instruction &instruction = module.computations[c].instructions[i];
  if (asked == Asked::OnAWay) {
    INDEXICAL_ASSIGN_OR_RETURN(auto known,
                               ofScatter(c, i, direction, result, leaf));
    if (known) return *std::move(known);
  }
  if (instruction.called.empty())
    return ownMaps(c, i, direction, result, leaf, asked);
  const Op &op = innermost(instruction.op);
  const auto inner = innermostResult(instruction.op, result);
  const OperandLeaf operand = graph.operandLeaf(c, i, leaf);
  if (inner) {
    if (const auto all = graph.calleesAt(c, i, operand.operand); !all.empty())
      return throughCallees(c, i, all, direction, result, leaf);
    const auto body = calleeOf(instruction, CallRole::Body);
    if (body && op.is<WhileOp>())
      return throughLoop(c, i, *body, direction, *inner, leaf, asked);
    const auto step = calleeOf(instruction, CallRole::ToApply);
    if (step && op.is<ScanOp>())
      return throughScan(c, i, *step, direction, *inner, leaf);
  }
  return ownMaps(c, i, direction, result, leaf, asked);
}

/// Like throughInstruction, but edges on a way are remembered, since passes
/// from several leaves meet them again.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::edge(
    ComputationId c, InstructionId i, Direction direction, int64_t result,
    int64_t leaf, Asked asked) {
  const Instruction &instruction = module.computations[c].instructions[i];
  if (asked == Asked::Listed) {
    INDEXICAL_RETURN_IF_ERROR(owner.budget_.check());
    auto listed = throughInstruction(c, i, direction, result, leaf, asked);
    if (!listed.ok()) return withPlace(listed.status(), instruction.place);
    return listed;
  }
  if (edgesOf != c) {
    edges.clear();
    edgesOf = c;
  }
  auto key = std::make_tuple(i, direction, result, leaf, asked);
  auto found = edges.find(key);
  if (found != edges.end()) return found->second;
  INDEXICAL_RETURN_IF_ERROR(owner.budget_.check());
  auto relation = throughInstruction(c, i, direction, result, leaf, asked);
  if (!relation.ok()) return withPlace(relation.status(), instruction.place);
  edges[key] = *relation;
  return relation;
}

//===-- Passes over a computation -----------------------------------------===//

/// Adds `before` composed with the edge of instruction i to `into`.
absl::Status ProgramIndexing::State::step(ComputationId c,
                                          const Reached &before,
                                          InstructionId i, Direction direction,
                                          int64_t result, int64_t leaf,
                                          Reached &into) {
  const Instruction &instruction = module.computations[c].instructions[i];
  const OpShapes &shapes = shapesOf(instruction.op);
  if (handsOn(instruction, result, leaf))
    return addBehind(c, i, before, before.relation, into);
  INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                             edge(c, i, direction, result, leaf));
  const ArrayShape &start = direction == Direction::OutputToInput
                                ? shapes.results[result]
                                : shapes.operands[leaf];
  return addThrough(c, i, before, relation, start, direction, into);
}

/// Adds `before` composed with the relation of the instruction, which begins at
/// a leaf of the shape `start`, to `into`.
absl::Status ProgramIndexing::State::addThrough(
    ComputationId c, InstructionId i, const Reached &before,
    const IndexingRelation &relation, const ArrayShape &start,
    Direction direction, Reached &into) {
  if (relation.isEmpty()) return absl::OkStatus();
  if (isIdentity(relation, start))
    return addBehind(c, i, before, before.relation, into);
  const Place place = module.computations[c].instructions[i].place;
  auto composed =
      compose(before.relation, relation,
              direction == Direction::OutputToInput ? ResultSide::First
                                                    : ResultSide::Second,
              owner.budget_);
  if (composed.ok()) composed = folded(*composed);
  if (composed.ok()) composed = withOneVariableEach(*composed);
  if (composed.ok()) composed = withMergedRanges(*composed, kManyRanges);
  if (!composed.ok()) return withPlace(composed.status(), place);
  if (composed->isEmpty()) return absl::OkStatus();
  bool givenUp = false;
  composed = withoutLargeExpressions(*composed, kMostTerms, givenUp);
  if (!composed.ok()) return withPlace(composed.status(), place);
  Reached through = {{}, before.limit};
  if (givenUp && !through.limit) through.limit = Limit{LimitKind::Terms, c, i};
  return addBehind(c, i, through, *composed, into);
}

absl::StatusOr<ProgramIndexing::State::Leaves> ProgramIndexing::State::backward(
    ComputationId c, InstructionId from, int64_t leaf, InstructionId stop) {
  std::set<std::pair<int32_t, int64_t>> ends;
  if (stop < 0) return backward(c, {from, leaf}, nullptr, ends);
  const int64_t leaves =
      module.computations[c].instructions[stop].shape.leafCount();
  for (int64_t l = 0; l < leaves; ++l) ends.insert({stop, l});
  const std::vector<bool> needed = graph.between(c, from, stop);
  return backward(c, {from, leaf}, &needed, ends);
}

absl::StatusOr<ProgramIndexing::State::Leaves> ProgramIndexing::State::backward(
    ComputationId c, InstructionLeaf from, const std::vector<bool> *needed,
    const std::set<std::pair<int32_t, int64_t>> &ends) {
  const Computation &computation = module.computations[c];
  const auto order = graph.order(c);
  const auto positions = graph.positions(c);
  Leaves relations;
  std::priority_queue<int32_t> work;  // positions: users before producers
  auto reached = [&](InstructionId i, int64_t l) -> Reached & {
    if (!relations.has(i)) work.push(positions[i]);
    return relations[i][l];
  };
  INDEXICAL_ASSIGN_OR_RETURN(
      auto identity, startAt(c, InstructionId(from.instruction), from.leaf));
  reached(InstructionId(from.instruction), from.leaf).relation =
      std::move(identity);
  while (!work.empty()) {
    const InstructionId i = order[work.top()];
    work.pop();
    if ((needed && !(*needed)[i]) ||
        computation.instructions[i].parameterNumber >= 0)
      continue;
    INDEXICAL_RETURN_IF_ERROR(prepareCallees(c, computation.instructions[i]));
    auto results = std::move(relations[i]);
    relations[i].clear();
    for (auto &[r, of] : results) {
      if (ends.count({i, r})) {
        relations[i][r] = std::move(of);
        continue;
      }
      if (of.relation.isEmpty()) continue;
      auto toLeaf = [&, r = r, &of = of](int64_t l) -> absl::Status {
        const OperandLeaf leaf = graph.operandLeaf(c, i, l);
        if (needed && !(*needed)[leaf.instruction]) return absl::OkStatus();
        return step(c, of, i, Direction::OutputToInput, r, l,
                    reached(leaf.instruction, leaf.result));
      };
      INDEXICAL_RETURN_IF_ERROR(forOperands(c, i, r, toLeaf));
      for (const SizeRead &read : sizeReadsOf(c, i)) {
        if (needed && !(*needed)[read.leaf.instruction]) continue;
        INDEXICAL_RETURN_IF_ERROR(stepToSize(
            c, of, i, Direction::OutputToInput, r, read,
            reached(InstructionId(read.leaf.instruction), read.leaf.leaf)));
      }
    }
  }
  return relations;
}

absl::StatusOr<ProgramIndexing::State::Leaves> ProgramIndexing::State::forward(
    ComputationId c, InstructionId from, int64_t leaf, InstructionId stop) {
  const auto order = graph.order(c);
  const auto positions = graph.positions(c);
  const std::vector<bool> needed = graph.below(c, stop);
  Leaves relations;
  INDEXICAL_ASSIGN_OR_RETURN(relations[from][leaf].relation,
                             startAt(c, from, leaf));
  // Operand leaves for which something was found, and elements from which sizes
  // were set, by the user's position.
  struct Arrived {
    int64_t leaf;
    InstructionLeaf producer;
    const SizeRead *size = nullptr;
  };
  std::map<int32_t, llvm::SmallVector<Arrived, 2>> waiting;
  auto announce = [&](InstructionId i) {
    for (const auto &[r, reached] : relations[i]) {
      if (reached.relation.isEmpty()) continue;
      const InstructionLeaf producer = {i, r};
      graph.forUses(c, producer, [&](InstructionId user, int64_t l) {
        if (needed[user]) waiting[positions[user]].push_back({l, producer});
      });
      const SizeReads &sizes = allSizeReads(c);
      if (auto users = sizes.users.find({i, r}); users != sizes.users.end())
        for (const auto &[user, n] : users->second)
          if (needed[user])
            waiting[positions[user]].push_back(
                {-1, producer, &sizes.reads.at(user)[n]});
    }
  };
  announce(from);
  while (!waiting.empty()) {
    const InstructionId i = order[waiting.begin()->first];
    auto arrived = std::move(waiting.begin()->second);
    waiting.erase(waiting.begin());
    llvm::sort(arrived, [](const Arrived &a, const Arrived &b) {
      return a.leaf < b.leaf;
    });
    for (const Arrived &a : arrived) {
      const Reached &before =
          *relations[InstructionId(a.producer.instruction)].find(
              a.producer.leaf);
      if (a.size) {
        const int64_t results =
            shapesOf(module.computations[c].instructions[i].op).results.size();
        for (int64_t r = 0; r < results; ++r)
          INDEXICAL_RETURN_IF_ERROR(stepToSize(c, before, i,
                                               Direction::InputToOutput, r,
                                               *a.size, relations[i][r]));
        continue;
      }
      auto toResult = [&](int64_t r) {
        return step(c, before, i, Direction::InputToOutput, r, a.leaf,
                    relations[i][r]);
      };
      INDEXICAL_RETURN_IF_ERROR(forResults(c, i, a.leaf, toResult));
    }
    announce(i);
  }
  return relations;
}

}  // namespace indexical
