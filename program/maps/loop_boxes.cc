#include "indexical/program/maps/loop_boxes.h"

namespace indexical {

/// Returns what leaf `rootLeaf` of the root reads of the parameters' leaves, by
/// their numbers.
BoxRow LoopBoxes::boxesOf(ComputationId c, LeafId rootLeaf,
                          llvm::ArrayRef<int64_t> numbers) const {
  const Computation &computation = graph_.computation(c);
  const Whole &whole = solved_.reads(c);
  BoxRow row;
  size_t parameters = 0, before = 0;  // and the leaves of these
  for (auto found = whole.lower_bound({rootLeaf, 0, {}});
       found != whole.end() && found->first.result == rootLeaf; ++found) {
    const auto [r, parameter, leaf] = found->first;
    for (; parameters < static_cast<size_t>(parameter); ++parameters) {
      const InstructionId i = computation.parameters[parameters];
      before += shapesOf(computation.instructions[i].op).results.size();
    }
    addTo(row, LeafId(numbers[before + leaf]),
          boxOf(found->second, graph_.shape(c, computation.root, rootLeaf),
                graph_.shape(c, computation.parameters[parameter], leaf)));
  }
  return row;
}

const LoopReads &LoopBoxes::of(ComputationId c, InstructionId i,
                               const Callee &body) {
  const LoopReads *&known = at_[{c, i}];
  if (known) return *known;
  const auto condition =
      calleeOf(graph_.instruction(c, i), CallRole::Condition);
  auto numbersOf = [&](const Callee &callee) {
    return argumentLeaves(graph_.computation(callee.computation),
                          callee.arguments, graph_.operandLeaves(c, i));
  };
  const Numbers numbers = numbersOf(body);
  Numbers tested;
  if (condition) tested = numbersOf(*condition);
  auto [entry, isNew] = loops_.try_emplace(
      {body.computation, condition ? condition->computation : ComputationId(),
       numbers, tested});
  if (isNew) entry->second = find(c, i, body, numbers, tested);
  known = &entry->second;
  return *known;
}

LoopReads LoopBoxes::find(ComputationId c, InstructionId i, const Callee &body,
                          const Numbers &numbers, const Numbers &tested) const {
  LoopReads loop;
  const Instruction &instruction = graph_.instruction(c, i);
  const auto condition = calleeOf(instruction, CallRole::Condition);
  const OpShapes &shapes = shapesOf(innermost(instruction.op));
  const llvm::ArrayRef<ArrayShape> leaves = shapes.operands;
  // A captured leaf has no step: it keeps its value.
  std::vector<BoxRow> step(leaves.size());
  const auto passed = graph_.passed(body.computation);
  for (LeafId k; k < static_cast<int64_t>(shapes.results.size()); ++k) {
    const auto [parameter, leaf] = passed[k];
    loop.passes.push_back(parameter >= 0 &&
                          operandLeafNumber(graph_.operandLeaves(c, i),
                                            body.arguments[parameter],
                                            leaf) == k);
    step[k] = boxesOf(body.computation, k, numbers);
  }
  loop.rows = closureOf(step, leaves);
  const ArrayShape scalar(ElementType::Pred, {});
  BoxRow reads;
  if (condition)
    reads = boxesOf(condition->computation, {}, tested);
  else
    for (LeafId k; k < static_cast<int64_t>(leaves.size()); ++k)
      addTo(reads, k, everythingBox(scalar, leaves[k]));
  for (const auto &[middle, box] : reads)
    for (const auto &[leaf, behind] : loop.rows[middle])
      addTo(loop.condition, leaf, composed(box, behind));
  return loop;
}

}  // namespace indexical
