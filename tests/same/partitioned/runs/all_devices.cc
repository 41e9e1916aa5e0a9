#include "tests/same/partitioned/runs/all_devices.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/op_identity.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr int64_t kDeepest = 64;

}  // namespace

std::nullopt_t AllDevices::fail(std::string reason, SetId steeredBy,
                                int64_t device) {
  if (obstacle_.reason.empty())
    obstacle_ = {computation_,      instruction_, device,
                 std::move(reason), steeredBy,    false};
  return std::nullopt;
}

bool AllDevices::spend(int64_t operations) {
  spent_ += operations;
  if (spent_ + sets_.work() <= options_.operations) return true;
  fail("the budget does not suffice to go through all elements of all devices");
  obstacle_.isBudget = true;
  return false;
}

const ElementReads *AllDevices::readsOf(const Op &op, int64_t result,
                                        int64_t operand) {
  OpReads &known = reads_[{&op.descriptor(), result, operand}];
  if (!known.op) {
    known.op = op;
    auto reads = ElementReads::of(op, result, operand);
    if (reads.ok())
      known.reads = *std::move(reads);
    else
      known.error = std::string(reads.status().message());
  }
  if (!known.reads) {
    fail(known.error);
    return nullptr;
  }
  return &*known.reads;
}

std::optional<DeviceLeaves> AllDevices::run(
    const std::vector<DeviceLeaves> &parameters) {
  return computation(module_.entry, parameters);
}

std::optional<DeviceLeaves> AllDevices::one(
    ComputationId computation, InstructionId instruction,
    const std::vector<DeviceLeaves> &done) {
  computation_ = computation;
  instruction_ = instruction;
  depth_ = 0;
  obstacle_ = RunObstacle();
  return this->instruction(computation, instruction, done);
}

std::optional<DeviceLeaves> AllDevices::computation(
    ComputationId c, const std::vector<DeviceLeaves> &parameters) {
  if (++depth_ > kDeepest) return fail("calls are nested too deep");
  const Computation &computation = module_.computations[c];
  std::vector<DeviceLeaves> done(computation.instructions.size());
  for (InstructionId i : computation.postOrder()) {
    const Instruction &instruction = computation.instructions[i];
    const ComputationId outerC = std::exchange(computation_, c);
    const InstructionId outerI = std::exchange(instruction_, i);
    if (instruction.parameterNumber >= 0) {
      if (instruction.parameterNumber >=
          static_cast<int32_t>(parameters.size()))
        return fail("a parameter has no value");
      done[i] = parameters[instruction.parameterNumber];
    } else {
      auto leaves = this->instruction(c, i, done);
      if (!leaves) return std::nullopt;
      done[i] = *std::move(leaves);
    }
    if (options_.seen) options_.seen(c, i, done[i]);
    computation_ = outerC;
    instruction_ = outerI;
  }
  --depth_;
  return std::move(done[computation.root]);
}

std::optional<DeviceLeaves> AllDevices::instruction(
    ComputationId c, InstructionId i, const std::vector<DeviceLeaves> &done) {
  const Computation &computation = module_.computations[c];
  const Instruction &of = computation.instructions[i];
  Operands operands;
  for (const OperandLeaf &leaf : computation.operandLeaves(i)) {
    const DeviceLeaves &leaves = done[leaf.instruction];
    if (leaf.result >= static_cast<int64_t>(leaves.size()))
      return fail("an operand has no value");
    operands.push_back(&leaves[leaf.result]);
  }
  if (of.customCallTarget == "Sharding") {
    DeviceLeaves same;
    for (const DeviceArrays *operand : operands) same.push_back(*operand);
    return same;
  }
  if (of.customCallTarget == "SPMDFullToShardShape" ||
      of.customCallTarget == "SPMDShardToFullShape")
    return shapeChange(of, computation, operands);
  if (of.opcode == "sdy.manual_computation")
    return manualComputation(of, operands);
  if (of.op.is<WhileOp>()) return loop(of, done);
  if (of.op.is<ConditionalOp>()) return branch(of, done);
  if (of.op.is<CallOp>()) {
    if (!isInlined(of.op)) return fail("it says more than what it calls");
    for (const CalledComputation &callee : of.called)
      if (callee.role == CallRole::Calls || callee.role == CallRole::ToApply)
        return called(of, callee, done);
    return fail("what it calls is not known");
  }
  if (const OpDescriptor *inner = collectiveOf(of.op); inner)
    return collective(of, of.op, operands);
  if (of.op.is<StartOp>()) return started(of, operands, done);
  return leafOps(of, of.op, operands);
}

std::optional<DeviceLeaves> AllDevices::started(
    const Instruction &of, const Operands &operands,
    const std::vector<DeviceLeaves> &done) {
  const StartOp &start = of.op.get<StartOp>();
  DeviceLeaves results;
  for (int64_t k = 0; k < start.forwards; ++k) results.push_back(*operands[k]);
  std::optional<DeviceLeaves> inner;
  if (start.inner.is<CallOp>() && of.called.size() == 1)
    inner = called(of, of.called[0], done);
  else if (start.inner.isOneOf<CallOp, NullaryOp>())
    return fail("what it starts is not followed here");
  else
    inner = leafOps(of, start.inner, operands);
  if (!inner) return std::nullopt;
  results.insert(results.end(), inner->begin(), inner->end());
  for (DeviceArrays &context : unread(of.op.descriptor(), results.size()))
    results.push_back(std::move(context));
  return results;
}

DeviceLeaves AllDevices::unread(const OpDescriptor &op, size_t first) {
  DeviceLeaves leaves;
  for (size_t r = first; r < op.results.size(); ++r) {
    auto array = std::make_shared<CellArray>();
    array->shape = op.results[r];
    array->cells.resize(std::max<int64_t>(cellCountOf(array->shape), 0));
    leaves.emplace_back(options_.devices.all(), array);
  }
  return leaves;
}

std::optional<DeviceLeaves> AllDevices::called(
    const Instruction &of, const CalledComputation &callee,
    const std::vector<DeviceLeaves> &done) {
  if (callee.computation < 0) return fail("what it calls is not in the file");
  std::vector<DeviceLeaves> operands(of.operands.size()), parameters;
  for (const OperandLeaf &leaf :
       module_.computations[computation_].operandLeaves(instruction_))
    operands[leaf.operand].push_back(done[leaf.instruction][leaf.result]);
  if (callee.arguments.empty())
    return computation(callee.computation, operands);
  for (int32_t argument : callee.arguments)
    parameters.push_back(operands[argument]);
  return computation(callee.computation, parameters);
}

std::optional<DeviceLeaves> AllDevices::loop(
    const Instruction &of, const std::vector<DeviceLeaves> &done) {
  const CalledComputation *condition = nullptr, *body = nullptr;
  for (const CalledComputation &callee : of.called) {
    if (callee.role == CallRole::Condition) condition = &callee;
    if (callee.role == CallRole::Body) body = &callee;
  }
  if (!condition || !body || condition->computation < 0 ||
      body->computation < 0 || of.operands.size() != 1)
    return fail("the loop is not followed here");
  DeviceLeaves state = done[of.operands[0]];
  while (true) {
    if (!spend(1)) return std::nullopt;
    auto goesOn = computation(condition->computation, {state});
    if (!goesOn) return std::nullopt;
    std::optional<bool> all;
    for (const CellArrayPtr &array : goesOn->front()) {
      const DeviceCell &cell = array->cells.front();
      if (!cell.isKnown)
        return fail("the number of trips is not known", cell.reads);
      if (all && *all != (cell.value != 0))
        return fail("devices make different numbers of trips");
      all = cell.value != 0;
    }
    if (!all || !*all) return state;
    auto next = computation(body->computation, {state});
    if (!next) return std::nullopt;
    state = *std::move(next);
  }
}

std::optional<DeviceLeaves> AllDevices::branch(
    const Instruction &of, const std::vector<DeviceLeaves> &done) {
  const DeviceArrays &chosen = done[of.operands[0]].front();
  std::optional<int64_t> branch;
  for (const CellArrayPtr &array : chosen) {
    const DeviceCell &cell = array->cells.front();
    if (!cell.isKnown || cell.reads != 0)
      return fail("which branch runs is not known", cell.reads);
    int64_t taken = cell.value;
    if (array->shape.type == ElementType::Pred) taken = taken ? 0 : 1;
    if (branch && *branch != taken)
      return fail("devices take different branches");
    branch = taken;
  }
  std::vector<const CalledComputation *> branches;
  for (const CalledComputation &callee : of.called)
    if (callee.role == CallRole::Branch) branches.push_back(&callee);
  if (branches.empty() || !branch) return fail("it has no branches");
  if (*branch < 0 || *branch >= static_cast<int64_t>(branches.size()))
    branch = branches.size() - 1;
  const CalledComputation &callee = *branches[*branch];
  if (callee.computation < 0 || callee.arguments.empty())
    return fail("the branch is not followed here");
  return called(of, callee, done);
}

}  // namespace indexical
