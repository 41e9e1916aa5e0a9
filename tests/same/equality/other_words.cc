#include "tests/same/equality/other_words.h"

#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical::testing {
namespace {

/// Numbers 0 to count - 1 in a random order: where each of them goes.
std::vector<int32_t> randomOrder(Random &random, size_t count) {
  std::vector<int32_t> order(count);
  std::iota(order.begin(), order.end(), 0);
  for (size_t i = count; i > 1; --i)
    std::swap(order[i - 1], order[random.in(0, i - 1)]);
  return order;
}

template <typename T>
std::vector<T> moved(std::vector<T> from, const std::vector<int32_t> &to) {
  std::vector<T> result(from.size());
  for (size_t i = 0; i < from.size(); ++i) result[to[i]] = std::move(from[i]);
  return result;
}

template <typename List>
bool swapTwo(Random &random, List &list) {
  if (list.size() < 2) return false;
  const size_t a = random.in(0, list.size() - 1);
  const size_t b = random.in(0, list.size() - 1);
  if (list[a] == list[b]) return false;
  std::swap(list[a], list[b]);
  return true;
}

/// Changes one number of the descriptor; it need not be valid.
bool changeNumber(Random &random, OpDraft &op) {
  const int64_t by = random.oneIn(2) ? 1 : -1;
  if (auto *transpose = op.as<TransposeOp>())
    return swapTwo(random, transpose->permutation);
  if (auto *broadcast = op.as<BroadcastOp>())
    return swapTwo(random, broadcast->dimensions);
  if (auto *gather = op.as<GatherOp>())
    return swapTwo(random, gather->startIndexMap);
  if (auto *reverse = op.as<ReverseOp>()) {
    const int64_t k = random.in(0, reverse->results[0].rank());
    auto found = llvm::find(reverse->dimensions, k);
    if (found != reverse->dimensions.end())
      reverse->dimensions.erase(found);
    else
      reverse->dimensions.push_back(k);
    return true;
  }
  if (auto *slice = op.as<SliceOp>()) {
    if (slice->starts.empty()) return false;
    const size_t k = random.in(0, slice->starts.size() - 1);
    slice->starts[k] += by;
    slice->limits[k] += by;
    return true;
  }
  if (auto *pad = op.as<PadOp>()) {
    if (pad->low.empty()) return false;
    const size_t k = random.in(0, pad->low.size() - 1);
    pad->low[k] += by;
    pad->high[k] -= by;
    return true;
  }
  if (auto *reduce = op.as<ReduceOp>()) {
    if (reduce->dimensions.empty()) return false;
    reduce->dimensions[0] += by;
    return true;
  }
  if (auto *iota = op.as<IotaOp>()) {
    iota->dimension += by;
    return true;
  }
  if (auto *constant = op.as<ConstantOp>()) {
    if (constant->values.empty()) return false;
    constant->values[random.in(0, constant->values.size() - 1)] += by;
    constant->bits = "mutated " + std::to_string(random.in(0, 1 << 30));
    return true;
  }
  return false;
}

/// Swaps two operands of the same shape.
bool swapOperands(Random &random, const Computation &c, Instruction &i) {
  const size_t count = i.operands.size();
  if (count < 2 || !i.op.isOneOf<ConcatenateOp, DynamicSliceOp,
                                 DynamicUpdateSliceOp, DotOp>())
    return false;
  const size_t a = random.in(0, count - 1), b = random.in(0, count - 1);
  const Instruction &x = c.instructions[i.operands[a]];
  const Instruction &y = c.instructions[i.operands[b]];
  if (i.operands[a] == i.operands[b] || x.shape->str() != y.shape->str())
    return false;
  std::swap(i.operands[a], i.operands[b]);
  return true;
}

}  // namespace

bool mutate(Random &random, Module &module, int32_t computation) {
  for (int tries = 0; tries < 300; ++tries) {
    Computation &c = module.computations[computation];
    Instruction &i = c.instructions[random.in(0, c.instructions.size() - 1)];
    if (random.oneIn(3)) {
      if (swapOperands(random, c, i)) return true;
      continue;
    }
    // There are many literals, and few of them say where something is read.
    if (i.op.is<ConstantOp>() && !random.oneIn(8)) continue;
    OpDraft draft(i.op);
    if (!changeNumber(random, draft) || !verify(draft).ok()) continue;
    Op op(std::move(draft));
    if (op == i.op) continue;
    i.op = op;
    return true;
  }
  return false;
}

void rename(Program &program) {
  int64_t next = 0;
  auto name = [&](const char *letter) {
    return llvm::StringRef(
        program.keptStrings.emplace_back(letter + std::to_string(next++)));
  };
  for (Module &module : program.modules) {
    module.name = name("m");
    for (Computation &c : module.computations) {
      c.name = name("c");
      for (Instruction &i : c.instructions) {
        // A literal that the text leaves out is known by its name.
        const auto *literal = innermost(i.op).as<ConstantOp>();
        if (!literal || literal->isKnown) i.name = name("x");
        i.metadata = Metadata();
      }
    }
    for (Computation &c : module.computations)
      for (Instruction &i : c.instructions)
        for (CalledComputation &called : i.called)
          if (called.computation >= 0)
            called.name = module.computations[called.computation].name;
  }
}

void shuffle(Random &random, Module &module) {
  const auto computations = randomOrder(random, module.computations.size());
  for (Computation &c : module.computations) {
    const auto to = randomOrder(random, c.instructions.size());
    c.instructions = moved(std::move(c.instructions), to);
    for (Instruction &i : c.instructions) {
      for (InstructionId &operand : i.operands)
        operand = InstructionId(to[operand]);
      for (CalledComputation &called : i.called)
        if (called.computation >= 0)
          called.computation = ComputationId(computations[called.computation]);
    }
    for (auto &[first, then] : c.controls) {
      first = InstructionId(to[first]);
      then = InstructionId(to[then]);
    }
    if (c.root >= 0) c.root = InstructionId(to[c.root]);
    for (InstructionId &parameter : c.parameters)
      if (parameter >= 0) parameter = InstructionId(to[parameter]);
  }
  module.computations = moved(std::move(module.computations), computations);
  if (module.entry >= 0)
    module.entry = ComputationId(computations[module.entry]);
  module.keepsOrder = false;
}

void commute(Random &random, Module &module) {
  for (Computation &c : module.computations)
    for (Instruction &i : c.instructions) {
      const OpKind *kind = &i.op.kind();
      if ((kind != kindOf<ElementwiseOp>("add") &&
           kind != kindOf<ElementwiseOp>("multiply")) ||
          !i.op.is<ElementwiseOp>() || i.operands.size() != 2 ||
          !random.oneIn(2))
        continue;
      std::swap(i.operands[0], i.operands[1]);
      if (!i.elements.empty()) std::swap(i.elements[0], i.elements[1]);
      i.op = i.op.changed([](OpDraft &op) {
        ArrayShape first = op->operands[0];
        op->operands.mutableAt(0) = op->operands[1];
        op->operands.mutableAt(1) = std::move(first);
      });
    }
}

namespace {

/// Returns an op whose results are these operand leaves.
Op forwarding(const ArrayShape &shape, int64_t operands,
              llvm::ArrayRef<int64_t> reads) {
  ForwardOp op;
  for (int64_t k = 0; k < operands; ++k) op.operands.push_back(shape);
  for (int64_t read : reads) {
    op.results.push_back(shape);
    op.reads.push_back(read);
  }
  return op;
}

}  // namespace

void repack(Random &random, Module &module) {
  for (Computation &c : module.computations) {
    const int32_t count = c.instructions.size();
    for (int32_t i = 0; i < count; ++i) {
      const Instruction own = c.instructions[i];
      if (own.operands.empty() || !own.elements.empty() || !random.oneIn(4))
        continue;
      const size_t k = random.in(0, own.operands.size() - 1);
      const Instruction &producer = c.instructions[own.operands[k]];
      if (!producer.shape->isArray()) continue;
      const Shape shape = producer.shape;
      Instruction tuple;
      tuple.name = own.name;
      tuple.opcode = "tuple";
      tuple.shape = Shape::ofTuple({shape, shape});
      tuple.operands.assign(2, own.operands[k]);
      tuple.op = forwarding(shape.array, 2, {0, 1});
      Instruction element;
      element.name = own.name;
      element.opcode = "get-tuple-element";
      element.shape = shape;
      element.operands.assign(1, InstructionId(c.instructions.size()));
      const int64_t which = random.in(0, 1);
      element.op = forwarding(shape.array, 2, which);
      c.instructions.push_back(std::move(tuple));
      c.instructions.push_back(std::move(element));
      c.instructions[i].operands[k] = InstructionId(c.instructions.size() - 1);
    }
  }
}

void outline(Random &random, Program &program, Module &module) {
  const int32_t count = module.computations.size();
  for (int32_t at = 0; at < count; ++at) {
    const int32_t instructions = module.computations[at].instructions.size();
    for (int32_t i = 0; i < instructions; ++i) {
      const Computation &c = module.computations[at];
      const Instruction own = c.instructions[i];
      auto isArray = [&](int32_t operand) {
        return c.instructions[operand].shape->isArray();
      };
      if (own.parameterNumber >= 0 || !own.called.empty() ||
          !own.elements.empty() || own.operands.empty() ||
          !own.shape->isArray() || !llvm::all_of(own.operands, isArray) ||
          own.op.isOneOf<StartOp, CapturingOp>() ||
          traitsOf(own.op).hasSideEffects || !random.oneIn(3))
        continue;
      Computation body;
      body.name = program.keptStrings.emplace_back(
          "outlined" + std::to_string(module.computations.size()));
      Instruction inside = own;
      for (size_t k = 0; k < own.operands.size(); ++k) {
        const Instruction &operand = c.instructions[own.operands[k]];
        Instruction parameter;
        parameter.name = operand.name;
        parameter.opcode = "parameter";
        parameter.shape = operand.shape;
        parameter.parameterNumber = k;
        NullaryOp op;
        op.results = {operand.shape->array};
        parameter.op = op;
        inside.operands[k] = InstructionId(k);
        body.parameters.push_back(InstructionId(k));
        body.instructions.push_back(std::move(parameter));
      }
      body.root = InstructionId(body.instructions.size());
      body.instructions.push_back(std::move(inside));
      CallOp call;
      static_cast<OpShapes &>(call) = shapesOf(own.op);
      CalledComputation called;
      called.role = CallRole::ToApply;
      called.name = body.name;
      called.computation = ComputationId(module.computations.size());
      for (size_t k = 0; k < own.operands.size(); ++k)
        called.arguments.push_back(k);
      Instruction &outer = module.computations[at].instructions[i];
      outer.opcode = "call";
      outer.op = call;
      outer.called = {std::move(called)};
      module.computations.push_back(std::move(body));
    }
  }
}

}  // namespace indexical::testing
