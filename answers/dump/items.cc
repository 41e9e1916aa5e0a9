#include "indexical/answers/dump/items.h"

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/answers/dump/physical.h"
#include "indexical/cost/use/constant_indices.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/maps/cover.h"

namespace indexical {

/// The two sides of an item, as logical shapes.
struct ItemMaker::Leaves {
  ShapeList results, operandShapes;
  std::vector<OperandEntry> operands;
  Place place;
  /// The pairs (result, operand) that can read, if there are several results:
  /// only a few of a tuple's thousands do.
  std::optional<std::vector<std::pair<LeafId, LeafId>>> pairs;

  /// Returns these pairs in the order of the side that the direction starts
  /// from.
  std::vector<std::pair<LeafId, LeafId>> inOrderOf(Direction direction) const {
    std::vector<std::pair<LeafId, LeafId>> ordered;
    if (pairs) {
      ordered = *pairs;
    } else {
      for (size_t r = 0; r < results.size(); ++r)
        for (size_t o = 0; o < operands.size(); ++o)
          ordered.push_back({LeafId(r), LeafId(o)});
    }
    if (direction == Direction::InputToOutput)
      llvm::stable_sort(ordered, [](const auto &a, const auto &b) {
        return a.second < b.second;
      });
    return ordered;
  }

  void addOperand(const Instruction &producer, LeafId result, int32_t parameter,
                  bool captured) {
    operands.push_back({producer.name, result, parameter, captured});
  }
};

Item ItemMaker::ofInstruction(ComputationId computation,
                              InstructionId instruction) {
  const Computation &c = maps_.module().computations[computation];
  const Instruction &i = c.instructions[instruction];
  Leaves leaves;
  leaves.place = i.place;
  leaves.results = i.shape.leaves();
  leaves.operandShapes = shapesOf(i.op).operands;
  for (const OperandLeaf &leaf : c.operandLeaves(instruction)) {
    const bool captured =
        leaf.operand >= static_cast<int64_t>(i.operands.size()) - i.captured;
    leaves.addOperand(c.instructions[leaf.instruction], leaf.result,
                      leaf.operand, captured);
  }
  if (leaves.results.size() > 1) {
    leaves.pairs.emplace();
    for (const LeafPair &pair : maps_.pairsOf(computation, instruction))
      leaves.pairs->push_back({pair.result, pair.leaf});
  }
  // The sources of an op's own map are its operands. Those behind a call are
  // the values that the operands are computed from.
  auto ask = [&](Direction direction, LeafId result, LeafId operand) {
    auto own = maps_.instruction({computation, instruction, result}, operand,
                                 direction);
    return i.called.empty() ? own : byCases(std::move(own));
  };
  auto askWays = [&](LeafId result, LeafId operand) {
    return eachWay_.instruction({computation, instruction, result}, operand);
  };
  return item(leaves, ask, i.op.is<CallOp>() ? AskWays(askWays) : AskWays());
}

/// Returns the relation by cases. With --cover it stays one map.
absl::StatusOr<IndexingRelation> ItemMaker::byCases(
    absl::StatusOr<IndexingRelation> relation) {
  if (!relation.ok() || question_.cover) return relation;
  return maps_.byCases(*relation);
}

namespace {

/// The pairs, by the number of the operand's entry. Entries are ordered by
/// parameter, then by leaf.
std::vector<std::pair<LeafId, LeafId>> operandPairs(
    llvm::ArrayRef<LeafPair> pairs, llvm::ArrayRef<OperandEntry> operands) {
  std::map<int32_t, int64_t> first;
  for (auto [number, operand] : llvm::enumerate(operands))
    first.try_emplace(operand.parameter, number);
  std::vector<std::pair<LeafId, LeafId>> numbered;
  for (const LeafPair &pair : pairs)
    numbered.push_back(
        {pair.result, LeafId(first.at(pair.parameter) + pair.leaf)});
  return numbered;
}

}  // namespace

Item ItemMaker::ofComputation(const ComputationPlan &plan) {
  const ComputationId number = plan.computation;
  const Computation &c = maps_.module().computations[number];
  Leaves leaves;
  leaves.place = c.place;
  const InstructionId from = plan.from >= 0 ? plan.from : c.root;
  if (from >= 0) leaves.results = c.instructions[from].shape.leaves();
  llvm::SmallVector<InstructionId, 4> producers;
  if (plan.to >= 0)
    producers.push_back(plan.to);
  else
    producers = c.parameters;
  llvm::SmallVector<InstructionId, 4> producerOf;  // of each operand leaf
  for (InstructionId producer : producers) {
    if (producer < 0) continue;  // a parameter number that no instruction has
    const Instruction &p = c.instructions[producer];
    for (auto [leaf, shape] : llvm::enumerate(p.shape.leaves())) {
      const bool captured =
          plan.to < 0 &&
          p.parameterNumber >=
              static_cast<int64_t>(c.parameters.size()) - c.captured;
      leaves.addOperand(p, LeafId(leaf), std::max(p.parameterNumber, 0),
                        captured);
      leaves.operandShapes.push_back(shape);
      producerOf.push_back(producer);
    }
  }
  // An error of the computation is one of each pair, so all pairs are asked
  // for.
  if (!plan.between && leaves.results.size() > 1)
    if (auto pairs = maps_.computationPairs(number); pairs.ok())
      leaves.pairs = operandPairs(*pairs, leaves.operands);
  auto ask = [&](Direction direction, LeafId result, LeafId operand) {
    const OperandEntry &entry = leaves.operands[operand];
    if (plan.between)
      return byCases(maps_.between({number, from, result},
                                   {number, producerOf[operand], entry.result},
                                   direction));
    return byCases(maps_.computation(
        number, result, {entry.parameter, entry.result}, direction));
  };
  auto askWays = [&](LeafId result, LeafId operand) {
    return eachWay_.between(
        {number, from, result},
        {number, producerOf[operand], leaves.operands[operand].result});
  };
  return item(leaves, ask, askWays);
}

Item ItemMaker::item(const Leaves &leaves, Ask ask, AskWays askWays) {
  Item item;
  item.operands = leaves.operands;
  item.operandShapes = leaves.operandShapes;
  item.results = leaves.results;
  if (question_.physical)
    for (size_t r = 0; r < leaves.results.size(); ++r)
      item.results.mutableAt(r) = physicalShape(leaves.results[r]);
  if (question_.outputToInput())
    item.outputToInput =
        answers(leaves, Direction::OutputToInput, ask, item.errors);
  if (question_.inputToOutput())
    item.inputToOutput =
        answers(leaves, Direction::InputToOutput, ask, item.errors);
  if (question_.eachWay && askWays && item.outputToInput)
    addWays(leaves, askWays, item);
  return item;
}

//===-- Ways --------------------------------------------------------------===//

void ItemMaker::addWays(const Leaves &leaves, AskWays ask, Item &item) {
  for (LeafAnswer &answer : *item.outputToInput) {
    if (answer.relation.isEmpty()) continue;
    const ArrayShape &from = leaves.results[answer.result];
    const ArrayShape &to = leaves.operandShapes[answer.operand];
    auto found = ask(answer.result, answer.operand);
    WaysAnswer ways;
    absl::Status status = found.status();
    for (size_t k = 0; status.ok() && k < found->ways.size(); ++k) {
      auto way = answerOf(std::move(found->ways[k]), from, to);
      status = way.status();
      if (way.ok()) ways.ways.push_back(*std::move(way));
    }
    // The item is then incomplete and is not shown.
    if (!maps_.budget().check().ok()) return;
    if (!status.ok()) {
      item.errors.push_back(withPlace(status, leaves.place));
      continue;
    }
    if (!found->areAll) {
      ways.most = found->most;
      const OperandEntry &operand = item.operands[answer.operand];
      item.notes.push_back({Note::Kind::Warning, leaves.place,
                            "the first " + std::to_string(ways.ways.size()) +
                                " of at most " + std::to_string(found->most) +
                                " ways to `" + operand.instruction.str() +
                                "` are listed"});
    }
    answer.ways = std::move(ways);
  }
}

absl::StatusOr<WayAnswer> ItemMaker::answerOf(Way way, const ArrayShape &from,
                                              const ArrayShape &to) {
  WayAnswer answer;
  for (const Value &array : way.arrays)
    answer.instructions.push_back(pathOf(maps_.module(), array));
  UtilizationOptions options;
  options.exact = ExactOptions(maps_.budget());
  INDEXICAL_ASSIGN_OR_RETURN(const auto known,
                             withConstantIndices(maps_, way.reads));
  INDEXICAL_ASSIGN_OR_RETURN(answer.footprint,
                             footprintOf(known, to, Share::whole(), options));
  auto relation = shaped(maps_.byCases(way.reads), from, to);
  INDEXICAL_RETURN_IF_ERROR(relation.status());
  answer.relation = *std::move(relation);
  return answer;
}

namespace {

/// Returns one map for each operand in one direction, from the relations in
/// both directions.
absl::StatusOr<IndexingRelation> covered(Direction direction,
                                         absl::StatusOr<IndexingRelation> reads,
                                         absl::StatusOr<IndexingRelation> users,
                                         const ArrayShape &result,
                                         const ArrayShape &operand) {
  if (!reads.ok()) return reads;
  if (!users.ok()) return users;
  INDEXICAL_RETURN_IF_ERROR(coverBothWays(*reads, *users, result, operand));
  return direction == Direction::OutputToInput ? reads : users;
}

}  // namespace

std::vector<LeafAnswer> ItemMaker::answers(const Leaves &leaves,
                                           Direction direction, Ask ask,
                                           std::vector<absl::Status> &errors) {
  const bool forward = direction == Direction::OutputToInput;
  const bool severalResults = leaves.results.size() > 1;
  std::vector<LeafAnswer> answers;
  for (auto [result, operand] : leaves.inOrderOf(direction)) {
    const ArrayShape &r = leaves.results[result];
    const ArrayShape &o = leaves.operandShapes[operand];
    absl::StatusOr<IndexingRelation> relation =
        question_.cover
            ? covered(direction, ask(Direction::OutputToInput, result, operand),
                      ask(Direction::InputToOutput, result, operand), r, o)
            : ask(direction, result, operand);
    if (relation.ok())
      relation = shaped(*std::move(relation), forward ? r : o, forward ? o : r);
    // The item is then incomplete and is not shown.
    if (!maps_.budget().check().ok()) return answers;
    if (!relation.ok()) {
      errors.push_back(withPlace(relation.status(), leaves.place));
      continue;
    }
    // If there are several results, most of them read few of the operands.
    if (!severalResults || !relation->isEmpty())
      answers.push_back({result, operand, *std::move(relation)});
  }
  return answers;
}

/// Returns the relation as --index-order requests it.
absl::StatusOr<IndexingRelation> ItemMaker::shaped(IndexingRelation relation,
                                                   const ArrayShape &from,
                                                   const ArrayShape &to) {
  if (!question_.physical) return relation;
  return physicalRelation(relation, from, to,
                          [&](int64_t tensor) -> const ArrayShape & {
                            return sourceShape(tensor);
                          });
}

const ArrayShape &ItemMaker::sourceShape(int64_t tensor) {
  const Value &value = maps_.value(tensor);
  auto [it, isNew] =
      sourceLeaves_.try_emplace({value.computation, value.instruction});
  if (isNew) {
    auto leaves = maps_.module()
                      .computations[value.computation]
                      .instructions[value.instruction]
                      .shape.leaves();
    it->second.assign(leaves.begin(), leaves.end());
  }
  return it->second[value.result];
}

std::string pathOf(const Module &module, const Value &value) {
  std::string path;
  for (const CallSite &call : value.calls) {
    const Instruction &site =
        module.computations[call.computation].instructions[call.instruction];
    path += site.name;
    // Two branches may be one computation.
    if (site.called[call.called].role == CallRole::Branch)
      path += "[" + std::to_string(call.called) + "]";
    path += '/';
  }
  return path + instructionOf(module, value).name.str();
}

bool Item::isOpaque() const {
  for (const auto &answers : {&outputToInput, &inputToOutput})
    if (*answers && llvm::any_of(**answers, [](const LeafAnswer &answer) {
          return answer.relation.precision() == Precision::Opaque;
        }))
      return true;
  return false;
}

}  // namespace indexical
