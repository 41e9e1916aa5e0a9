#include "indexical/program/maps/trips_as_calls.h"

#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/loop_trips.h"
#include "indexical/program/maps/refine.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/values/effects.h"

namespace indexical {
namespace {

constexpr int64_t kMostTrips = 64;
// Loops in loops.
constexpr int kMostDeep = 6;

class Unroller {
 public:
  Unroller(const Module &module, size_t most)
      : module_(module),
        most_(most),
        made_(module),
        effects_(computationsWithEffects(module)),
        sizes_(module.computations.size()),
        open_(module.computations.size()) {}

  std::optional<Module> run() {
    for (ComputationId c(0);
         c < static_cast<int32_t>(module_.computations.size()); ++c)
      unrollIn(c);
    if (!isFound_ || module_.entry < 0 || sizeOf(module_.entry) > most_)
      return std::nullopt;
    const Computation &entry = made_.computations[made_.entry];
    std::vector<KnownArgument> arguments;
    for (const ParameterLeaf &leaf : parameterLeaves(entry)) {
      const Instruction &parameter =
          entry.instructions[entry.parameters[leaf.parameter]];
      const ArrayShape &shape = shapesOf(parameter.op).results[leaf.leaf];
      if (hasOpenSize(shape)) return std::nullopt;
      arguments.push_back({shape, {}});
    }
    auto known = refined(made_, made_.entry, arguments);
    if (!known.ok()) return std::nullopt;
    return *std::move(known);
  }

 private:
  /// Returns the counter of a loop that is unrolled. A number of trips that the
  /// text states is a promise, and decides nothing here.
  std::optional<TripCounter> counterIfUnrolled(ComputationId c,
                                               InstructionId i) const {
    if (!module_.computations[c].instructions[i].op.is<WhileOp>())
      return std::nullopt;
    // The condition runs once more than the body, and no call runs it.
    const auto condition =
        calleeOf(module_.computations[c].instructions[i], CallRole::Condition);
    if (!condition || effects_.has(condition->computation)) return std::nullopt;
    auto counter = counterOf(module_, c, i);
    if (counter && (counter->trips < 1 || counter->trips > kMostTrips))
      counter.reset();
    return counter;
  }

  /// A trip of the loop as a call, with the operands of the loop.
  static Instruction callOf(const Instruction &loop) {
    Instruction call = loop;
    CallOp op;
    static_cast<OpShapes &>(op) = shapesOf(loop.op);
    call.op = Op(std::move(op));
    call.opcode = "call";
    call.tripCount.reset();
    const auto *body =
        llvm::find_if(loop.called, [](const CalledComputation &called) {
          return called.role == CallRole::Body;
        });
    CalledComputation called = *body;
    called.role = CallRole::ToApply;
    call.called = {std::move(called)};
    return call;
  }

  /// Returns a scalar constant of the leaf's type.
  static Instruction constantOf(const Instruction &loop, LeafId leaf,
                                int64_t value) {
    ConstantOp op;
    const ArrayShape shape(shapesOf(loop.op).results[leaf].type, {});
    op.results = {shape};
    op.values = {value};
    std::string bytes;
    for (int64_t k = 0; k < (bitsOf(shape.type) + 7) / 8; ++k)
      bytes.push_back(static_cast<char>(static_cast<uint64_t>(value) >> 8 * k));
    op.bits = ConstantOp::canonicalBits(bytes, bytes.size());
    op.isKnown = true;
    Instruction made;
    made.name = loop.name;
    made.opcode = "constant";
    made.shape = Shape::ofArray(shape);
    made.op = Op(std::move(op));
    made.place = loop.place;
    return made;
  }

  /// Makes the call take the results of the one before as its state.
  static void follow(Instruction &call, InstructionId before) {
    const size_t state = call.operands.size() - call.captured;
    call.elements.resize(call.operands.size(), -1);
    for (size_t k = 0; k < state; ++k) {
      call.operands[k] = before;
      // One value is the whole of what the call before gives.
      call.elements[k] = state == 1 ? -1 : static_cast<int32_t>(k);
    }
    if (llvm::all_of(call.elements, [](int32_t k) { return k < 0; }))
      call.elements.clear();
  }

  /// A call behind the one of the trip before, and the number that its counter
  /// is.
  struct Chained {
    InstructionId call, before;
    std::optional<InstructionId> count;
    std::optional<TripCounter> counter;
  };

  void unrollIn(ComputationId c) {
    const Computation &from = module_.computations[c];
    Computation &to = made_.computations[c];
    std::vector<InstructionId> places;
    std::vector<Instruction> instructions;
    std::vector<Chained> chained;
    bool isChanged = false;
    for (InstructionId i(0); i < static_cast<int32_t>(from.instructions.size());
         ++i) {
      const auto counter = counterIfUnrolled(c, i);
      const int64_t trips = counter ? counter->trips : 1;
      const Instruction call =
          counter ? callOf(from.instructions[i]) : from.instructions[i];
      isChanged |= counter.has_value();
      // A state of several operands has the counter as one of them.
      const bool isOperand = counter && call.operands.size() - call.captured ==
                                            shapesOf(call.op).results.size();
      InstructionId before;
      for (int64_t k = 0; k < trips; ++k) {
        std::optional<InstructionId> count;
        if (k > 0 && isOperand) {
          count = InstructionId(instructions.size());
          instructions.push_back(constantOf(
              call, counter->leaf, counter->first + counter->step * k));
        }
        const InstructionId place(instructions.size());
        if (k > 0) chained.push_back({place, before, count, counter});
        instructions.push_back(call);
        before = place;
      }
      places.push_back(InstructionId(instructions.size() - 1));
    }
    if (!isChanged) return;
    isFound_ = true;
    for (Instruction &each : instructions)
      for (InstructionId &operand : each.operands) operand = places[operand];
    for (const Chained &each : chained) {
      Instruction &call = instructions[each.call];
      follow(call, each.before);
      if (!each.count) continue;
      call.elements.resize(call.operands.size(), -1);
      call.operands[each.counter->leaf] = *each.count;
      call.elements[each.counter->leaf] = -1;
    }
    to.instructions = std::move(instructions);
    if (to.root >= 0) to.root = places[to.root];
    for (InstructionId &parameter : to.parameters)
      if (parameter >= 0) parameter = places[parameter];
    for (auto &[first, second] : to.controls) {
      first = places[first];
      second = places[second];
    }
  }

  /// Returns the number of instructions with those of all calls, or more than
  /// the most if there are.
  size_t sizeOf(ComputationId c) {
    if (open_[c]) return most_ + 1;  // it calls itself
    if (sizes_[c]) return *sizes_[c];
    open_[c] = true;
    size_t size = 0;
    for (const Instruction &each : made_.computations[c].instructions) {
      ++size;
      for (const CalledComputation &called : each.called)
        if (called.computation >= 0 && size <= most_)
          size += sizeOf(called.computation);
    }
    open_[c] = false;
    sizes_[c] = std::min(size, most_ + 1);
    return *sizes_[c];
  }

  const Module &module_;
  const size_t most_;
  Module made_;
  const ComputationsWith effects_;
  bool isFound_ = false;
  std::vector<std::optional<size_t>> sizes_;
  std::vector<bool> open_;
};

}  // namespace

std::optional<Module> withTripsAsCalls(const Module &module,
                                       size_t mostInstructions) {
  auto made = Unroller(module, mostInstructions).run();
  // A loop in a loop may begin with what is known in the calls alone.
  for (int deep = 1; made && deep < kMostDeep; ++deep) {
    auto next = Unroller(*made, mostInstructions).run();
    if (!next) break;
    made = *std::move(next);
  }
  return made;
}

}  // namespace indexical
