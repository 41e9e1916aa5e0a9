#include "indexical/import/hlo/call_graph.h"

namespace indexical {
namespace {

enum class State : uint8_t { New, Open, Done };

/// A computation on the way down, and the call that comes next.
struct Frame {
  int32_t computation;
  size_t instruction = 0, call = 0;
};

/// The next call of the frame's computation, or null after the last.
const CalledComputation *nextCall(const Module &module, Frame &frame,
                                  const Instruction *&caller) {
  const auto &instructions =
      module.computations[frame.computation].instructions;
  while (frame.instruction < instructions.size()) {
    caller = &instructions[frame.instruction];
    if (frame.call < caller->called.size())
      return &caller->called[frame.call++];
    ++frame.instruction;
    frame.call = 0;
  }
  return nullptr;
}

}  // namespace

// Depth first, with a stack of its own: chains of calls may be long.
bool orderByCalls(Source &source, const Module &module,
                  std::vector<int32_t> &order) {
  std::vector<State> states(module.computations.size(), State::New);
  std::vector<Frame> stack;
  for (size_t c = 0; c < states.size(); ++c) {
    if (states[c] != State::New) continue;
    states[c] = State::Open;
    stack.push_back({static_cast<int32_t>(c)});
    while (!stack.empty()) {
      const Instruction *caller = nullptr;
      const CalledComputation *call = nextCall(module, stack.back(), caller);
      if (!call) {
        order.push_back(stack.back().computation);
        states[stack.back().computation] = State::Done;
        stack.pop_back();
        continue;
      }
      if (call->computation < 0) continue;
      State &state = states[call->computation];
      if (state == State::Open)
        return source.fail(call->name,
                           "computation `" + call->name + "` calls itself");
      if (state == State::New) {
        state = State::Open;
        stack.push_back({call->computation});
      }
    }
  }
  return true;
}

}  // namespace indexical
