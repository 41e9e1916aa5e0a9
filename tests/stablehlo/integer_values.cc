#include "tests/stablehlo/integer_values.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/module/callees.h"
#include "tests/oracle/oracle.h"

namespace indexical::testing {
namespace {

using Values = IntegerValues::Values;

/// Larger tensors hold data.
constexpr int64_t kMostElements = 2000;

/// Returns the result of an elementwise op on one element or two, or nothing if
/// the op is not known here.
std::optional<int64_t> computed(llvm::StringRef opcode, const Values &at) {
  opcode = opcode.substr(opcode.rfind('.') + 1);
  const int64_t a = at[0], b = at.size() > 1 ? at[1] : 0;
  if (opcode == "convert" || opcode == "copy") return a;
  if (opcode == "negate") return -a;
  if (at.size() < 2) return std::nullopt;
  if (opcode == "add") return a + b;
  if (opcode == "subtract") return a - b;
  if (opcode == "multiply") return a * b;
  if (opcode == "maximum") return std::max(a, b);
  if (opcode == "minimum") return std::min(a, b);
  if (opcode == "divide" && b != 0) return a / b;
  if (opcode == "remainder" && b != 0) return a % b;
  if (opcode == "select" && at.size() == 3) return a ? b : at[2];
  if (opcode == "clamp" && at.size() == 3)
    return std::min(std::max(b, a), at[2]);
  return std::nullopt;
}

bool moves(const Op &op) {
  return op.is<BroadcastOp>() || op.is<TransposeOp>() || op.is<ReverseOp>() ||
         op.is<ReshapeOp>() || op.is<ConcatenateOp>() || op.is<ForwardOp>() ||
         (op.is<SliceOp>() && shapesOf(op).operands.size() == 1);
}

/// Returns the computation that a call runs, or nothing if the op is no call.
/// The body of a reduction is not called.
std::optional<Callee> calledBy(const Instruction &instruction) {
  if (!innermost(instruction.op).is<CallOp>()) return std::nullopt;
  return calleeOfCall(instruction);
}

int64_t sizeAt(const NullaryOp &op, int64_t element) {
  const int64_t k = *op.sizeOf == NullaryOp::kAllSizes ? element : *op.sizeOf;
  return op.operands[0].dimensions[k];
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
  std::vector<Tensor> moved;
  if (moves(i.op)) moved = evaluate(i.op, operands);
  Values values;
  for (int64_t e = 0; e < count; ++e) {
    int64_t value = (e * 7 + instruction * 5) % 9 - 2;
    if (auto *constant = i.op.as<ConstantOp>()) {
      if (!constant->values.empty()) value = constant->values[e];
    } else if (auto *iota = i.op.as<IotaOp>()) {
      int64_t stride = 1;
      for (int64_t k = shape.rank() - 1; k > iota->dimension; --k)
        stride *= shape.dimensions[k];
      value = e / stride % shape.dimensions[iota->dimension];
    } else if (auto *size = i.op.as<NullaryOp>()) {
      if (size->sizeOf) value = sizeAt(*size, e);
    } else if (!moved.empty()) {
      const Read &read = moved[leaf].elements[e].front();
      const Values &from = operands[read.operand];
      if (!from.empty()) value = from[read.element];
    } else if (i.op.is<ElementwiseOp>()) {
      Values at;
      for (const Values &operand : operands)
        if (!operand.empty()) at.push_back(operand[operand.size() > 1 ? e : 0]);
      if (at.size() == operands.size() && !at.empty())
        value = computed(i.opcode, at).value_or(value);
    }
    values.push_back(value);
  }
  return values;
}

}  // namespace indexical::testing
