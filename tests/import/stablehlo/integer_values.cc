#include "tests/import/stablehlo/integer_values.h"

#include <optional>

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "tests/oracle/oracle.h"
#include "tests/support/element_values.h"

namespace indexical::testing {
namespace {

using Values = IntegerValues::Values;

/// Larger tensors hold data.
constexpr int64_t kMostElements = 2000;

/// Returns the reads of each element of a result, as far as they are needed for
/// values. The data of other ops is too much to follow.
std::vector<Reads> readsOf(const Op &op, int64_t leaf, int64_t count,
                           const std::vector<Values> &operands) {
  // Unlike tables, from which few elements are taken.
  const bool isSteered = op.isOneOf<GatherOp, DynamicSliceOp>() ||
                         (op.is<SliceOp>() && shapesOf(op).operands.size() > 1);
  if (!movesElements(op) || isSteered) return std::vector<Reads>(count);
  return evaluate(op, operands)[leaf].elements;
}

/// Returns the computation that a call runs, or nothing if the op is no call.
/// The body of a reduction is not called.
std::optional<Callee> calledBy(const Instruction &instruction) {
  if (!innermost(instruction.op).is<CallOp>()) return std::nullopt;
  return calleeOfCall(instruction);
}

}  // namespace

IntegerValues::IntegerValues(const Module &module, int32_t computation,
                             const std::vector<Values> &arguments)
    : module_(module) {
  run({}, computation, arguments);
}

Values IntegerValues::of(const Path &path, int64_t leaf) const {
  auto found = values_.find({path, leaf});
  return found == values_.end() ? Values() : found->second;
}

void IntegerValues::run(const Path &path, int32_t computation,
                        const std::vector<Values> &arguments) {
  const Computation &c = module_.computations[computation];
  std::map<std::pair<int32_t, int64_t>, size_t> numbers;  // of arguments
  const auto parameters = parameterLeaves(c);
  for (size_t k = 0; k < parameters.size(); ++k)
    numbers[{c.parameters[parameters[k].parameter], parameters[k].leaf}] = k;
  for (InstructionId i : c.postOrder()) {
    Path here = path;
    here.push_back(i);
    std::vector<Values> operands;
    for (const OperandLeaf &leaf : c.operandLeaves(i)) {
      Path there = path;
      there.push_back(leaf.instruction);
      operands.push_back(of(there, leaf.result));
    }
    if (auto callee = calledBy(c.instructions[i]);
        callee && callee->computation >= 0)
      run(here, callee->computation, operands);
    const int64_t results = shapesOf(c.instructions[i].op).results.size();
    for (int64_t r = 0; r < results; ++r) {
      auto number = numbers.find({i, r});
      const bool given = number != numbers.end() &&
                         number->second < arguments.size() &&
                         !arguments[number->second].empty();
      values_[{here, r}] = given ? arguments[number->second]
                                 : valuesOf(here, computation, i, r, operands);
    }
  }
}

Values IntegerValues::valuesOf(const Path &path, int32_t computation,
                               int32_t instruction, int64_t leaf,
                               const std::vector<Values> &operands) {
  const Instruction &i =
      module_.computations[computation].instructions[instruction];
  const ArrayShape &shape = shapesOf(i.op).results[leaf];
  const int64_t count = shape.elementCount().value_or(kMostElements + 1);
  if (!isInteger(shape.type) || count > kMostElements) return {};
  if (auto callee = calledBy(i); callee && callee->computation >= 0) {
    Path root = path;
    root.push_back(module_.computations[callee->computation].root);
    return of(root, leaf);
  }
  const std::vector<Reads> reads = readsOf(i.op, leaf, count, operands);
  Values values;
  for (int64_t e = 0; e < count; ++e)
    values.push_back(decidedValue(i.op, leaf, e, reads[e], operands)
                         .value_or((e * 7 + instruction * 5) % 9 - 2));
  return values;
}

}  // namespace indexical::testing
