#include "indexical/same/kernel/call_arguments.h"

#include <set>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/module/operand_arrays.h"
#include "indexical/program/module/updated_operand.h"
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

/// An argument of an operand in whose memory each result is; -1: in its own.
using Places = std::vector<int64_t>;

/// Returns the places of results in operands to which the kernel stores: a
/// buffer that nothing reads later is used again. Returns
/// nothing if the stores do not say which result is where: each has to be the
/// only one of its size.
std::optional<Places> placesByStores(const TritonKernel &kernel,
                                     llvm::ArrayRef<ArrayShape> ofArgument,
                                     llvm::ArrayRef<ArrayShape> results) {
  const auto operands = static_cast<int64_t>(ofArgument.size());
  std::set<int64_t> stored;
  for (const KernelAccess &access : kernel.accesses)
    if (access.kind != AccessKind::Load)
      for (const PointerMap &map : access.maps)
        if (map.argument >= 0 && map.argument < operands)
          stored.insert(map.argument);
  const auto arguments = static_cast<int64_t>(kernel.arguments.size());
  const auto made = static_cast<int64_t>(results.size());
  if (stored.empty() ||
      static_cast<int64_t>(stored.size()) != operands + made - arguments)
    return std::nullopt;
  Places places(results.size(), -1);
  for (const int64_t argument : stored) {
    const auto bytes = bytesIn(ofArgument[argument]);
    std::optional<size_t> only;
    for (auto [result, shape] : llvm::enumerate(results)) {
      if (!bytes || bytesIn(shape) != bytes) continue;
      if (only) return std::nullopt;
      only = result;
    }
    if (!only || places[*only] >= 0) return std::nullopt;
    places[*only] = argument;
  }
  return places;
}

}  // namespace

std::optional<CallArguments> argumentsOfCall(const Module &module,
                                             ComputationId computation,
                                             InstructionId instruction,
                                             const TritonKernel &kernel) {
  const Instruction &called =
      module.computations[computation].instructions[instruction];
  const OpShapes &shapes = shapesOf(called.op);
  const std::vector<ArrayShape> operands(shapes.operands.begin(),
                                         shapes.operands.end());
  const std::vector<ArrayShape> results(shapes.results.begin(),
                                        shapes.results.end());
  CallArguments call;
  std::vector<ArrayShape> ofArgument;
  for (auto [leaf, first] :
       llvm::enumerate(arraysOfOperands(module, computation, instruction))) {
    if (first == leaf) ofArgument.push_back(operands[leaf]);
    call.ofOperand.push_back(first == leaf
                                 ? static_cast<int64_t>(ofArgument.size()) - 1
                                 : call.ofOperand[first]);
  }
  const Places none(results.size(), -1);
  Places updated = none;
  for (size_t result = 0; result < results.size(); ++result) {
    const int64_t leaf = updatedOperand(module, called, LeafId(result));
    if (leaf >= 0 && leaf < static_cast<int64_t>(operands.size()))
      updated[result] = call.ofOperand[leaf];
  }
  for (const auto &places : {std::optional(none), std::optional(updated),
                             placesByStores(kernel, ofArgument, results)}) {
    if (!places) continue;
    call.count = static_cast<int64_t>(ofArgument.size());
    call.ofResult.clear();
    for (const int64_t place : *places)
      call.ofResult.push_back(place < 0 ? call.count++ : place);
    if (call.count == static_cast<int64_t>(kernel.arguments.size()) &&
        fits(call.ofOperand, operands, kernel.arguments) &&
        fits(call.ofResult, results, kernel.arguments))
      return call;
  }
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
