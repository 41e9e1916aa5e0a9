#include "indexical/cost/hazards/event_order.h"
#include "indexical/cost/hazards/hazards.h"
#include "indexical/cost/hazards/memory_flow.h"

namespace indexical {

struct KernelJoins::State {
  State(const Module &module, const MemoryMarks &marks)
      : flow(module, marks, world), orders(flow) {
    if (!flow.obstacle().empty()) return;
    for (size_t n = 0; n < flow.nodes().size(); ++n) {
      const MemoryNode &node = flow.nodes()[n];
      if (node.parent >= 0 && !node.isSame)
        writers[flow.rootOf(static_cast<int32_t>(n))].push_back(
            static_cast<int32_t>(n));
    }
    for (size_t f = 0; f < flow.frames().size(); ++f)
      frames.insert(
          {int32_t{flow.frames()[f].computation}, static_cast<int32_t>(f)});
  }

  /// Whether nobody overwrites, from the one to the other kernel, what either
  /// of them reads; and neither overwrites what is read between.
  bool mayBeOne(const MemoryEvent &a, const MemoryEvent &b) {
    for (const MemoryEvent &event : {a, b})
      for (const int32_t value : readBy(event))
        if (isWrittenBetween(value, a, b)) return false;
    return true;
  }

  /// Whether nobody overwrites what the first kernel reads, from it to the end
  /// of the second.
  bool isKept(const MemoryEvent &a, const MemoryEvent &b) {
    for (const int32_t value : readBy(a))
      if (isWrittenBetween(value, a, b)) return false;
    return true;
  }

  /// Whether something holds of two kernels in each run of their computation;
  /// false of two computations one of which runs on several ways of calls.
  template <typename Holds>
  bool holds(ComputationId ofFirst, InstructionId first, ComputationId ofSecond,
             InstructionId second, Holds holds) const {
    if (!flow.obstacle().empty()) return false;
    const auto runs = frames.equal_range(int32_t{ofFirst});
    if (ofFirst == ofSecond) {
      for (auto run = runs.first; run != runs.second; ++run)
        if (!holds(MemoryEvent{run->second, first, first},
                   MemoryEvent{run->second, second, second}))
          return false;
      return true;
    }
    if (frames.count(int32_t{ofFirst}) != 1 ||
        frames.count(int32_t{ofSecond}) != 1)
      return false;
    return holds(
        MemoryEvent{runs.first->second, first, first},
        MemoryEvent{frames.find(int32_t{ofSecond})->second, second, second});
  }

  /// Returns the values that a kernel reads.
  std::vector<int32_t> readBy(const MemoryEvent &kernel) const {
    std::vector<int32_t> values;
    const Computation &own = flow.computationOf(kernel.frame);
    for (const OperandLeaf &leaf :
         own.operandLeaves(InstructionId(kernel.first))) {
      if (leaf.instruction < 0) continue;
      const int32_t value =
          flow.nodeAt(kernel.frame, leaf.instruction, leaf.result);
      if (value >= 0) values.push_back(value);
    }
    return values;
  }

  /// Whether somebody may overwrite what a kernel reads, when it has run.
  bool isOverwrittenAfter(const MemoryEvent &kernel) {
    return isOverwritten(kernel, [&](const MemoryEvent &writer) {
      const EventOrder order = orders.of(writer, kernel);
      return order != EventOrder::Before && order != EventOrder::Exclusive;
    });
  }

  /// Whether a writer of what the kernel reads is one of those that count.
  template <typename Counts>
  bool isOverwritten(const MemoryEvent &kernel, Counts counts) {
    for (const int32_t value : readBy(kernel)) {
      const auto found = writers.find(flow.rootOf(value));
      if (found == writers.end()) continue;
      for (const int32_t writer : found->second)
        if (counts(flow.nodes()[writer].writer)) return true;
    }
    return false;
  }

  bool isWrittenBetween(int32_t value, const MemoryEvent &a,
                        const MemoryEvent &b) {
    const auto found = writers.find(flow.rootOf(value));
    if (found == writers.end()) return false;
    for (const int32_t writer : found->second) {
      const MemoryEvent &event = flow.nodes()[writer].writer;
      const EventOrder toFirst = orders.of(event, a);
      const EventOrder toSecond = orders.of(b, event);
      if (toFirst == EventOrder::Before || toFirst == EventOrder::Exclusive ||
          toSecond == EventOrder::Before)
        continue;
      return true;
    }
    return false;
  }

  const MemoryWorld world;
  const MemoryFlow flow;
  EventOrders orders;
  std::map<int32_t, std::vector<int32_t>> writers;  // by memory
  std::multimap<int32_t, int32_t> frames;           // by computation
};

KernelJoins::KernelJoins(const Module &module, const MemoryMarks &marks)
    : state_(std::make_unique<State>(module, marks)) {}
KernelJoins::~KernelJoins() = default;
KernelJoins::KernelJoins(KernelJoins &&) noexcept = default;

namespace {

MemoryEvent eventOf(int32_t frame, InstructionId kernel) {
  return {frame, kernel, kernel};
}

}  // namespace

bool KernelJoins::isOverwrittenAfter(ComputationId computation,
                                     InstructionId kernel) const {
  if (!state_->flow.obstacle().empty()) return true;
  const auto frames = state_->frames.equal_range(int32_t{computation});
  for (auto frame = frames.first; frame != frames.second; ++frame)
    if (state_->isOverwrittenAfter(eventOf(frame->second, kernel))) return true;
  return false;
}

bool KernelJoins::isEverOverwritten(ComputationId computation,
                                    InstructionId kernel) const {
  if (!state_->flow.obstacle().empty()) return true;
  const auto frames = state_->frames.equal_range(int32_t{computation});
  for (auto frame = frames.first; frame != frames.second; ++frame)
    if (state_->isOverwritten(eventOf(frame->second, kernel),
                              [](const MemoryEvent &) { return true; }))
      return true;
  return false;
}

bool KernelJoins::mayBeOne(ComputationId computation, InstructionId first,
                           InstructionId second) const {
  return mayBeOne(computation, first, computation, second);
}

bool KernelJoins::mayBeOne(ComputationId ofFirst, InstructionId first,
                           ComputationId ofSecond, InstructionId second) const {
  return state_->holds(ofFirst, first, ofSecond, second,
                       [&](const MemoryEvent &a, const MemoryEvent &b) {
                         return state_->mayBeOne(a, b);
                       });
}

bool KernelJoins::mayReadFor(ComputationId ofFirst, InstructionId first,
                             ComputationId ofSecond,
                             InstructionId second) const {
  return state_->holds(ofFirst, first, ofSecond, second,
                       [&](const MemoryEvent &a, const MemoryEvent &b) {
                         return state_->isKept(a, b);
                       });
}

}  // namespace indexical
