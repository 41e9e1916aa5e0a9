#include "indexical/same/kernel/call_arguments.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/module/updated_operand.h"
#include "indexical/program/module/value.h"
#include "indexical/same/kernel/comparison.h"

namespace indexical::kernels {

namespace {

/// Returns the bytes of the array in memory, or nothing if they are not known.
std::optional<int64_t> bytesIn(const ArrayShape &shape) {
  const auto count = storedElements(shape);
  const int64_t bits = storedBits(shape);
  if (!count || bits < 1) return std::nullopt;
  const auto all = checkedMul(*count, bits);
  if (!all) return std::nullopt;
  return ceilDiv(*all, 8);
}

/// Whether each leaf has an argument of its size, if the kernel says that.
bool fits(llvm::ArrayRef<int64_t> numbers, llvm::ArrayRef<ArrayShape> leaves,
          llvm::ArrayRef<KernelArgument> arguments) {
  for (auto [number, leaf] : llvm::zip(numbers, leaves)) {
    if (number < 0 || number >= static_cast<int64_t>(arguments.size()))
      return false;
    const KernelArgument &argument = arguments[number];
    if (!argument.isPointer) return false;
    if (argument.bytes && argument.bytes != bytesIn(leaf)) return false;
  }
  return true;
}

/// Returns those of the first arguments to which the kernel stores, in order.
std::vector<int64_t> storedTo(const TritonKernel &kernel, int64_t first) {
  std::set<int64_t> stored;
  for (const KernelAccess &access : kernel.accesses)
    if (access.kind != AccessKind::Load)
      for (const PointerMap &map : access.maps)
        if (map.argument < first) stored.insert(map.argument);
  return {stored.begin(), stored.end()};
}

}  // namespace

std::optional<CallArguments> argumentsOfCall(const Module &module,
                                             ComputationId computation,
                                             InstructionId instruction,
                                             const TritonKernel &kernel) {
  const llvm::ArrayRef<KernelArgument> arguments = kernel.arguments;
  const Instruction &called =
      module.computations[computation].instructions[instruction];
  const OpShapes &shapes = shapesOf(called.op);
  const std::vector<ArrayShape> operands(shapes.operands.begin(),
                                         shapes.operands.end());
  const std::vector<ArrayShape> results(shapes.results.begin(),
                                        shapes.results.end());
  CallArguments call;
  // The argument of each operand: equal values are one array.
  std::map<Value, int64_t> known;
  for (size_t leaf = 0; leaf < operands.size(); ++leaf) {
    const Value value = originOf(
        module,
        operandOf(module, Value{computation, instruction, LeafId(0), {}},
                  LeafId(leaf)));
    const auto [at, isNew] = known.try_emplace(value, call.count);
    call.count += isNew;
    call.ofOperand.push_back(at->second);
  }
  const int64_t inputs = call.count;
  for (const bool takesUpdated : {false, true}) {
    call.count = inputs;
    call.ofResult.clear();
    for (size_t result = 0; result < results.size(); ++result) {
      const int64_t updated =
          takesUpdated ? updatedOperand(module, called, LeafId(result)) : -1;
      if (updated >= 0 && updated < static_cast<int64_t>(operands.size()))
        call.ofResult.push_back(call.ofOperand[updated]);
      else
        call.ofResult.push_back(call.count++);
    }
    if (call.count == static_cast<int64_t>(arguments.size()) &&
        fits(call.ofOperand, operands, arguments) &&
        fits(call.ofResult, results, arguments))
      return call;
  }
  // Other results take the place of operands to which the kernel stores.
  call.count = inputs;
  call.ofResult = storedTo(kernel, inputs);
  if (call.count == static_cast<int64_t>(arguments.size()) &&
      call.ofResult.size() == results.size() &&
      fits(call.ofOperand, operands, arguments) &&
      fits(call.ofResult, results, arguments))
    return call;
  return std::nullopt;
}

std::optional<std::vector<int64_t>> argumentsOfLeaves(
    const TritonKernel &kernel, const Module &module, ComputationId computation,
    const Instruction *caller) {
  const std::vector<ArrayShape> leaves =
      argumentShapes(module.computations[computation]);
  std::vector<int64_t> own = arrayArguments(kernel);
  const bool isCompiled = kernel.form == "llvm";
  if (own.size() == leaves.size() &&
      (!isCompiled || fits(own, leaves, kernel.arguments)))
    return own;
  if (!isCompiled || !caller) return std::nullopt;
  for (auto [c, each] : llvm::enumerate(module.computations)) {
    const auto &all = each.instructions;
    if (all.empty() || caller < &all.front() || caller > &all.back()) continue;
    const InstructionId at(caller - &all.front());
    const auto call = argumentsOfCall(module, ComputationId(c), at, kernel);
    if (!call ||
        call->ofOperand.size() + call->ofResult.size() != leaves.size())
      return std::nullopt;
    std::vector<int64_t> numbers = call->ofOperand;
    numbers.insert(numbers.end(), call->ofResult.begin(), call->ofResult.end());
    return numbers;
  }
  return std::nullopt;
}

}  // namespace indexical::kernels
