#include "indexical/analysis/partitioned/device_terms.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/analysis/partitioned/both_runs.h"
#include "indexical/analysis/values/module_values.h"

namespace indexical {
namespace {

// An array that is followed separately has all devices in one module and none
// in the other, so that the two are never one: all reductions are followed.
constexpr int kLevels = 32;
// The steps of one question: some seconds.
constexpr int64_t kOperations = 10'000'000;

bool hasEmptyArray(const Module &module) {
  for (const Computation &computation : module.computations)
    for (const Instruction &of : computation.instructions)
      for (const ArrayShape &shape : of.shape.leaves())
        if (llvm::is_contained(shape.dimensions, 0)) return true;
  return false;
}

/// Makes the entry's results one array for each leaf; that of leaf r is
/// repeated `copies[r]` times in a dimension in front, unless this is 0.
void repeatResults(Module &module, llvm::ArrayRef<int64_t> copies) {
  Computation &entry = module.computations[module.entry];
  const InstructionId root = entry.root;
  const ShapeList leaves = entry.instructions[root].shape.leaves();
  auto add = [&](Op op, llvm::ArrayRef<InstructionId> operands, Shape shape) {
    Instruction made;
    made.op = std::move(op);
    made.operands.assign(operands.begin(), operands.end());
    made.shape = std::move(shape);
    entry.instructions.push_back(std::move(made));
    return InstructionId(entry.instructions.size() - 1);
  };
  ForwardOp tuple;
  std::vector<InstructionId> results;
  std::vector<Shape> shapes;
  for (size_t r = 0; r < leaves.size(); ++r) {
    ForwardOp one;
    one.opKind = kindOf<ForwardOp>("get-tuple-element");
    one.operands = leaves;
    one.results = {leaves[r]};
    one.reads = {static_cast<int64_t>(r)};
    InstructionId at = add(Op(one), {root}, Shape::ofArray(leaves[r]));
    ArrayShape shape(leaves[r].type, leaves[r].dimensions);
    if (copies[r] > 0) {
      BroadcastOp op;
      for (int64_t k = 0; k < shape.rank(); ++k) op.dimensions.push_back(k + 1);
      op.operands = {leaves[r]};
      shape.dimensions = behind(copies[r], shape.dimensions);
      op.results = {shape};
      at = add(Op(op), {at}, Shape::ofArray(shape));
    }
    tuple.operands.push_back(shape);
    tuple.results.push_back(shape);
    tuple.reads.push_back(r);
    results.push_back(at);
    shapes.push_back(Shape::ofArray(shape));
  }
  tuple.opKind = kindOf<ForwardOp>("tuple");
  entry.root = add(Op(tuple), results, Shape::ofTuple(std::move(shapes)));
}

/// Adds a parameter behind those of the entry.
void addParameter(Module &module, const ShapeList &shapes) {
  Computation &entry = module.computations[module.entry];
  NullaryOp op;
  op.opKind = kindOf<NullaryOp>("parameter");
  op.parameter = entry.parameters.size();
  op.results = shapes;
  Instruction made;
  made.op = op;
  made.shape = Shape::ofArray(shapes[0]);
  made.parameterNumber = op.parameter;
  entry.parameters.push_back(InstructionId(entry.instructions.size()));
  entry.instructions.push_back(std::move(made));
}

/// Takes calls that hand an array on for what they hand on.
void forwardTransfers(Module &module) {
  for (Computation &computation : module.computations)
    for (Instruction &of : computation.instructions) {
      if (!isTransfer(of) || of.operands.size() != 1 ||
          of.shape.leaves().size() != 1)
        continue;
      ForwardOp op;
      op.operands = shapesOf(of.op).operands;
      op.results = shapesOf(of.op).results;
      op.reads = {0};
      if (op.operands.size() == 1) of.op = op;
    }
}

}  // namespace

DeviceTerms compareAsTerms(const Program &global, const Program &local,
                           const PartitionedOptions &options,
                           const EntryArrays &entry) {
  DeviceTerms terms;
  Module whole = global.modules[0], stacked = local.modules[0];
  terms.isManual = isManual(whole);
  if (hasEmptyArray(whole) || hasEmptyArray(stacked)) return terms;
  forwardTransfers(whole);
  Stacker stacker(stacked, entry.devices);
  StackWriter &writer = stacker.writer();
  const ComputationId made = writer.begin();
  const Computation &of = entryOf(global);
  std::vector<StackedLeaves> arguments(of.parameters.size());
  std::vector<ShapeList> added;
  int32_t parameters = of.parameters.size();
  for (size_t p = 0; p < of.parameters.size(); ++p) {
    const Instruction &parameter = of.instructions[of.parameters[p]];
    const StackedLeaves leaves =
        writer.parameter(p, parameter.shape.leaves(), false);
    StackedLeaves &cuts = arguments[localParameter(options, p)];
    for (auto [leaf, value] : llvm::enumerate(leaves)) {
      const ShardedArray &array = entry.parameters[entry.arraysOf[p][leaf]];
      // The parts of a sum are any numbers: parameters of both.
      auto newPart = [&] {
        added.push_back({value.shape});
        return writer.parameter(parameters++, added.back(), false)[0];
      };
      auto cut = stacker.cut(value, *array.relation, newPart);
      if (!cut)
        cut = writer.unknown(
            ArrayShape(array.shape.type, array.relation->local()), true);
      cuts.push_back(*cut);
    }
  }
  const StackedLeaves results = stacker.computation(stacked.entry, arguments);
  if (results.size() != entry.results.size()) return terms;
  std::vector<Stacked> roots;
  std::vector<int64_t> copies;
  for (auto [r, result] : llvm::enumerate(results)) {
    const ShardedRelation &relation = *entry.results[r].relation;
    const ArrayShape shape(entry.results[r].shape.type, relation.global());
    std::vector<std::vector<int64_t>> devicesOf;
    std::optional<Stacked> all;
    if (result.isKnown()) all = stacker.copies(result, relation, devicesOf);
    const bool isOne = !all || devicesOf.size() == 1;
    if (!all)
      all = writer.unknown(shape, false);
    else if (isOne)
      all = writer.reshape(*all, shape.dimensions);
    roots.push_back(*all);
    copies.push_back(isOne ? 0 : devicesOf.size());
  }
  writer.end(roots);
  terms.causes = stacker.causes();
  if (writer.isBroken()) return terms;
  stacked.entry = made;
  for (const ShapeList &shapes : added) addParameter(whole, shapes);
  repeatResults(whole, copies);
  ValueOptions values;
  // A partitioner reorders sums. It does not change how often one rounds.
  values.floats = FloatLaws::Ring | FloatLaws::Reassociate | FloatLaws::NoNan |
                  FloatLaws::ZeroSign;
  values.readsTables = true;
  values.levels = kLevels;
  EqualityOptions budget;
  budget.operations = kOperations;
  const auto compared = compareValues(whole, stacked, values, budget);
  if (!compared.ok()) return terms;
  for (const LeafValue &leaf : compared->leaves) {
    TermsOfResult &result = terms.results.emplace_back();
    result.isEqual = leaf.isEqual;
    result.reason = leaf.reason;
    if (!leaf.isEqual && leaf.reason.empty())
      result.reason = "the terms differ: " + leaf.terms[0] + " in the whole, " +
                      leaf.terms[1] + " in the parts";
  }
  return terms;
}

}  // namespace indexical
