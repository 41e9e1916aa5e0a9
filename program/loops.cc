// The reads of a while of its first state, whatever the number of its trips.
//
//   body(x, w) = (x + w[i], w), condition reads i
//   x   itself, all of w that has its other indices, and i     cover
//   w   itself: the body leaves it as it is                    exact
//
// The closure of the body's reads says what the state after some trips reads.
// The condition decides how many trips there are, so a leaf that changes
// depends on all that the condition reads, of any state. A runtime variable of
// the body has another value in each trip: it is a range.
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"
#include "indexical/program/state.h"

namespace indexical {

/// Returns what leaf `rootLeaf` of the root reads of the parameters' leaves, by
/// their numbers.
BoxRow ProgramIndexing::State::boxesOf(ComputationId c, int64_t rootLeaf,
                                       llvm::ArrayRef<int64_t> numbers) {
  const Computation &computation = module.computations[c];
  const Whole &whole = solved[{c, Direction::OutputToInput}];
  auto shapeOf = [&](int32_t i, int64_t leaf) -> const ArrayShape & {
    return shapesOf(computation.instructions[i].op).results[leaf];
  };
  BoxRow row;
  size_t parameters = 0, before = 0;  // and the leaves of these
  for (auto found = whole.lower_bound({rootLeaf, 0, 0});
       found != whole.end() && std::get<0>(found->first) == rootLeaf; ++found) {
    const auto [r, parameter, leaf] = found->first;
    for (; parameters < static_cast<size_t>(parameter); ++parameters) {
      const int32_t i = computation.parameters[parameters];
      before += shapesOf(computation.instructions[i].op).results.size();
    }
    addTo(row, numbers[before + leaf],
          boxOf(found->second, shapeOf(computation.root, rootLeaf),
                shapeOf(computation.parameters[parameter], leaf)));
  }
  return row;
}

const Loop &ProgramIndexing::State::loopOf(ComputationId c, InstructionId i,
                                           const Callee &body) {
  const Loop *&known = loopAt[{c, i}];
  if (known) return *known;
  const Instruction &instruction = module.computations[c].instructions[i];
  const auto condition = calleeOf(instruction, CallRole::Condition);
  auto numbersOf = [&](const Callee &callee) {
    return argumentLeaves(module.computations[callee.computation],
                          callee.arguments, graph.operandLeaves(c, i));
  };
  const std::vector<int64_t> numbers = numbersOf(body);
  std::vector<int64_t> tested;
  if (condition) tested = numbersOf(*condition);
  auto [entry, isNew] = loops.try_emplace(
      {body.computation, condition ? condition->computation : -1, numbers,
       tested});
  if (isNew) entry->second = findLoop(c, i, body, numbers, tested);
  known = &entry->second;
  return *known;
}

Loop ProgramIndexing::State::findLoop(ComputationId c, InstructionId i,
                                      const Callee &body,
                                      llvm::ArrayRef<int64_t> numbers,
                                      llvm::ArrayRef<int64_t> tested) {
  Loop loop;
  const Instruction &instruction = module.computations[c].instructions[i];
  const auto condition = calleeOf(instruction, CallRole::Condition);
  const OpShapes &shapes = shapesOf(innermost(instruction.op));
  const llvm::ArrayRef<ArrayShape> leaves = shapes.operands;
  // A captured leaf has no step: it keeps its value.
  std::vector<BoxRow> step(leaves.size());
  const auto kept = graph.passed(body.computation);
  for (size_t k = 0; k < shapes.results.size(); ++k) {
    const auto [parameter, leaf] = kept[k];
    loop.passes.push_back(parameter >= 0 &&
                          operandLeafNumber(graph.operandLeaves(c, i),
                                            body.arguments[parameter],
                                            leaf) == static_cast<int64_t>(k));
    step[k] = boxesOf(body.computation, k, numbers);
  }
  loop.rows = closureOf(step, leaves);
  const ArrayShape scalar(ElementType::Pred, {});
  BoxRow reads;
  if (condition)
    reads = boxesOf(condition->computation, 0, tested);
  else
    for (size_t k = 0; k < leaves.size(); ++k)
      addTo(reads, k, everythingBox(scalar, leaves[k]));
  for (const auto &[middle, box] : reads)
    for (const auto &[leaf, behind] : loop.rows[middle])
      addTo(loop.condition, leaf, composed(box, behind));
  return loop;
}

/// Returns the box of a loop's body with the devices that it may lead to. A
/// collective that is passed again leads to the same members as before. Several
/// collectives can follow each other in any order, which no list of members
/// says. The relation has each alone, and all in a row; its indices are a cover
/// in any case.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::withDevices(
    const Box &box, Direction direction, ComputationId c, InstructionId i,
    const Callee &body) {
  llvm::SmallVector<AnyMember, 4> members(box.members.begin(),
                                          box.members.end());
  for (AnyMember &member : members)
    member.collective = behindCall(member.collective, c, i, body);
  // The last one is nearest to the result. The order of the file is used, since
  // numbers depend on what was asked before.
  llvm::sort(members, [&](const AnyMember &a, const AnyMember &b) {
    return owner.values_[b.collective] < owner.values_[a.collective];
  });
  llvm::SmallVector<llvm::ArrayRef<AnyMember>, 4> ways{{}};
  for (const AnyMember &member : members) ways.push_back(member);
  if (members.size() > 1) ways.push_back(members);
  IndexingRelation relation;
  for (llvm::ArrayRef<AnyMember> way : ways) {
    INDEXICAL_ASSIGN_OR_RETURN(auto pieces, relationOf(box, direction, way));
    relation.unite(pieces);
  }
  return relation;
}

/// Returns the relation, cut to the sizes of the loop's operands and results.
absl::StatusOr<IndexingRelation> ProgramIndexing::State::withinLoopSizes(
    ComputationId c, InstructionId i, Direction direction, int64_t result,
    int64_t leaf, const IndexingRelation &relation, Asked asked) {
  const Op &op = module.computations[c].instructions[i].op;
  const OpShapes &shapes = shapesOf(op);
  if (!op.is<WhileOp>() || relation.isEmpty() ||
      (!hasOpenSize(shapes.results[result]) &&
       !hasOpenSize(shapes.operands[leaf])))
    return relation;
  OpDraft known(op);
  if (asked == Asked::OnAWay) known->facts = programShapesOf(c).factsOf(i);
  const OpSizes sizes(known);
  const int64_t operands = shapes.operands.size();
  const bool reads = direction == Direction::OutputToInput;
  INDEXICAL_ASSIGN_OR_RETURN(
      auto within,
      withinSizes(sizes, relation, reads ? operands + result : leaf,
                  reads ? leaf : operands + result));
  auto tensor = [&](int64_t of) {
    if (of >= SizeFacts::kOutside) return of - SizeFacts::kOutside;
    if (of >= operands) return number({c, i, LeafId(of - operands), {}});
    const OperandLeaf source = graph.operandLeaf(c, i, of);
    return number({c, source.instruction, source.result, {}});
  };
  auto same = [](int64_t collective) { return collective; };
  return withSources(within, {tensor, same});
}

absl::StatusOr<IndexingRelation> ProgramIndexing::State::throughLoop(
    ComputationId c, InstructionId i, const Callee &body, Direction direction,
    int64_t result, int64_t leaf, Asked asked) {
  const Op &op = innermost(module.computations[c].instructions[i].op);
  const OpShapes &shapes = shapesOf(op);
  const Loop &loop = loopOf(c, i, body);
  auto within = [&](absl::StatusOr<IndexingRelation> relation)
      -> absl::StatusOr<IndexingRelation> {
    if (!relation.ok()) return relation;
    return withinLoopSizes(c, i, direction, result, leaf, *relation, asked);
  };
  if (loop.passes[result])
    return result == leaf ? within(startOf(shapes.operands[leaf]))
                          : IndexingRelation();
  if (const CountedReads &counted = countedReadsOf(c, i, body, result);
      counted.isKnown) {
    auto found = counted.reads.find(leaf);
    if (found == counted.reads.end()) return IndexingRelation();
    return direction == Direction::OutputToInput ? found->second.first
                                                 : found->second.second;
  }

  llvm::SmallVector<Box, 2> boxes;
  const BoxRow &row = loop.rows[result];
  if (auto found = row.find(leaf); found != row.end())
    boxes.push_back(found->second);
  if (auto found = loop.condition.find(leaf); found != loop.condition.end()) {
    // Every element of the result reads what the condition reads.
    auto control = everythingBox(shapes.results[result], shapes.operands[leaf]);
    if (control) {
      control->to = found->second.to;
      control->precision = found->second.precision;
      control->members = found->second.members;
      if (!boxes.empty() && contains(*control, boxes[0])) boxes.clear();
      if (boxes.empty() || !contains(boxes[0], *control))
        boxes.push_back(*std::move(control));
    }
  }
  IndexingRelation relation;
  for (const Box &box : boxes) {
    INDEXICAL_ASSIGN_OR_RETURN(auto pieces,
                               withDevices(box, direction, c, i, body));
    relation.unite(pieces);
  }
  return within(std::move(relation));
}

}  // namespace indexical
