#include "indexical/analysis/partitioned/all_devices.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

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

StringRef AllDevices::reducerOf(const Instruction &of) const {
  for (const CalledComputation &callee : of.called) {
    if (callee.computation < 0) continue;
    const Computation &body = module_.computations[callee.computation];
    if (body.parameters.size() != 2 || body.root < 0) continue;
    const Instruction &root = body.instructions[body.root];
    const Instruction *op = &root;
    // MLIR's root returns.
    if (root.terminator && root.operands.size() == 1)
      op = &body.instructions[root.operands[0]];
    if (op->operands.size() != 2 || op->operands[0] == op->operands[1] ||
        !llvm::all_of(op->operands, [&](int32_t operand) {
          return body.instructions[operand].parameterNumber >= 0;
        }))
      continue;
    const StringRef name = op->op.kind().name;
    if (name == "add" || name == "multiply" || name == "maximum" ||
        name == "minimum" || name == "or" || name == "and")
      return name;
  }
  return "";
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
    for (const CalledComputation &callee : of.called)
      if (callee.role == CallRole::Calls || callee.role == CallRole::ToApply)
        return called(of, callee, done);
    return fail("what it calls is not known");
  }
  if (const OpDescriptor *inner = collectiveOf(of.op); inner)
    return collective(of, of.op, operands);
  return leafOps(of, operands);
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

namespace {

/// Returns the cells of a literal; nothing if it has too many, or an unknown
/// number.
std::optional<CellArrayPtr> literalOf(const ConstantOp &op) {
  const ArrayShape &shape = op.results[0];
  const int64_t count = cellCountOf(shape);
  if (count < 0) return std::nullopt;
  auto array = std::make_shared<CellArray>();
  array->shape = shape;
  if (static_cast<int64_t>(op.values.size()) == count && count > 0) {
    for (int64_t value : op.values) array->cells.push_back(integerCell(value));
    return array;
  }
  const int64_t width = (bitsOf(shape.type) + 7) / 8;
  const auto *bytes = reinterpret_cast<const uint8_t *>(op.bits.data());
  const int64_t size = op.bits.size();
  const bool splat = width > 0 && size == width;
  const bool listed = width > 0 && size == width * count;
  for (int64_t e = 0; e < count; ++e) {
    DeviceCell cell;
    std::optional<LiteralNumber> number;
    if (op.isKnown && (splat || listed))
      number = literalNumber(shape.type, {bytes + (splat ? 0 : e * width),
                                          static_cast<size_t>(width)});
    if (number) {
      cell.number = number->number;
      cell.isKnown = number->integer.has_value();
      cell.value = number->integer.value_or(0);
    } else {
      // Equal literals have equal numbers; nothing else is known of them.
      cell.isFree = false;
      uint64_t hash = splat ? 0 : e;
      for (char c : op.bits) hash = field::random(hash, uint8_t(c));
      cell.number = hash;
    }
    array->cells.push_back(cell);
  }
  return array;
}

}  // namespace

std::optional<DeviceLeaves> AllDevices::leafOps(const Instruction &of,
                                                const Operands &operands) {
  const Op &op = of.op;
  const OpDescriptor &descriptor = op.descriptor();
  const int64_t devices = options_.devices.all();
  const StringRef name = op.kind().name;
  DeviceLeaves results;
  if (const auto *constant = op.as<ConstantOp>()) {
    auto literal = literalOf(*constant);
    if (!literal || !spend((*literal)->cells.size()))
      return fail("the literal is too large");
    return DeviceLeaves{DeviceArrays(devices, *literal)};
  }
  if (const auto *forward = op.as<ForwardOp>()) {
    for (int64_t from : forward->reads) {
      if (from < 0 || from >= static_cast<int64_t>(operands.size()))
        return fail("what it hands on is not known");
      results.push_back(*operands[from]);
    }
    return results;
  }
  if (name == "partition-id" || name == "replica-id") {
    DeviceArrays ids;
    for (int64_t device = 0; device < devices; ++device) {
      auto array = std::make_shared<CellArray>();
      array->shape = descriptor.results[0];
      array->cells.push_back(integerCell(
          name == "partition-id" ? device % options_.devices.partitions
                                 : device / options_.devices.partitions));
      ids.push_back(std::move(array));
    }
    return DeviceLeaves{std::move(ids)};
  }
  if (name == "rng") {
    drawn_.push_back(of.name.str());
    std::optional<DeviceArrays> numbers;
    if (options_.random) numbers = options_.random(draws_++, of);
    if (!numbers)
      return fail("which random numbers a device draws is not stated");
    return DeviceLeaves{*std::move(numbers)};
  }
  if (op.kind().traits.hasSideEffects)
    return fail("it gives something new in every execution");
  const StringRef reducer = reducerOf(of);
  for (auto [r, shape] : llvm::enumerate(descriptor.results)) {
    const int64_t count = cellCountOf(shape);
    if (count < 0) return fail("its sizes are not known, or too large");
    if (const auto *iota = op.as<IotaOp>()) {
      if (!spend(count)) return std::nullopt;
      const int64_t along = iota->dimension;
      results.emplace_back(devices, cellArrayOf(shape, [&](auto at) {
                             return integerCell(at[along]);
                           }));
      if (!isInteger(shape.type)) {
        auto plain = std::make_shared<CellArray>(*results.back()[0]);
        for (DeviceCell &cell : plain->cells) cell.isKnown = false;
        results.back().assign(devices, plain);
      }
      continue;
    }
    llvm::SmallVector<const ElementReads *, 4> reads;
    bool dependsOnValues = false;
    uint64_t used = 0;
    for (size_t k = 0; k < operands.size(); ++k) {
      reads.push_back(readsOf(op, r, k));
      if (!reads.back()) return std::nullopt;
      dependsOnValues |= reads.back()->dependsOnValues();
      used |= reads.back()->usedDimensions();
    }
    // Constants, and values that are computed of them, are the same on every
    // device.
    const bool alike = llvm::all_of(operands, [](const DeviceArrays *operand) {
      return llvm::all_equal(*operand);
    });
    const int64_t different = alike ? 1 : devices;
    std::vector<std::shared_ptr<CellArray>> arrays(different);
    for (auto &array : arrays) {
      array = std::make_shared<CellArray>();
      array->shape = shape;
      array->cells.reserve(count);
    }
    Int64s index(shape.dimensions.size(), 0);
    std::vector<std::vector<int64_t>> places(operands.size());
    std::vector<std::vector<const DeviceCell *>> cells(operands.size());
    for (int64_t e = 0; e < count; ++e, nextIndex(index, shape.dimensions)) {
      for (int64_t device = 0; device < different; ++device) {
        SetId unknown = 0;
        bool isUnknown = false;
        auto valueAt = [&](int64_t operand,
                           int64_t place) -> std::optional<int64_t> {
          const CellArray &from = *(*operands[operand])[device];
          if (place < 0 || place >= static_cast<int64_t>(from.cells.size()))
            return std::nullopt;
          const DeviceCell &cell = from.cells[place];
          if (cell.isKnown) return cell.value;
          unknown = cell.reads;
          isUnknown = true;
          return std::nullopt;
        };
        int64_t cost = 1;
        for (size_t k = 0; k < operands.size(); ++k) {
          if (device == 0 || dependsOnValues) {
            places[k].clear();
            if (!reads[k]->at(index, valueAt, places[k]))
              return fail(isUnknown
                              ? "which elements are read depends on a value "
                                "that is not known"
                              : "arithmetic leaves 64 bits",
                          unknown, device);
          }
          const CellArray &from = *(*operands[k])[device];
          cells[k].clear();
          for (int64_t place : places[k]) {
            if (place < 0 || place >= static_cast<int64_t>(from.cells.size()))
              return fail("an index is outside of its array", 0, device);
            cells[k].push_back(&from.cells[place]);
          }
          cost += places[k].size();
        }
        if (!spend(cost)) return std::nullopt;
        arrays[device]->cells.push_back(
            termOf(op, reducer, r, index, used, cells, sets_));
      }
    }
    if (alike)
      results.emplace_back(devices, arrays[0]);
    else
      results.emplace_back(arrays.begin(), arrays.end());
  }
  return results;
}

}  // namespace indexical
