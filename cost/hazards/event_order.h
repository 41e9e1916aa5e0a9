// Which of two events comes first? Not part of the public surface.
//
//   e = f32[4] exponential(n)
//   d = f32[4] dynamic-update-slice(n, v, z)
//
//   of e and d    Before if the module is scheduled; Open if it is not, for no
//                 value of one needs the other
//
// A world may ask for other orders than the schedule's. The instruction that
// has to come first is then moved, with all that it needs, to just before the
// other one.
//
// Events of different frames are compared where their call paths part. In one
// turn of a loop, the condition's events come before the body's. Only one of
// two branches runs.
#ifndef INDEXICAL_COST_HAZARDS_EVENT_ORDER_H
#define INDEXICAL_COST_HAZARDS_EVENT_ORDER_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "indexical/cost/hazards/memory_flow.h"

namespace indexical {

enum class EventOrder : uint8_t {
  Before,     ///< the first ends before the second begins
  After,      ///< the second ends before the first begins
  Together,   ///< both may run at once, in every order
  Open,       ///< either may come first
  Exclusive,  ///< only one of them runs
  Unknown,    ///< too many instructions to tell
};

class EventOrders {
 public:
  explicit EventOrders(const MemoryFlow &flow);

  EventOrder of(const MemoryEvent &first, const MemoryEvent &second);
  /// Returns both events as events of the frame in which their call paths part.
  std::pair<MemoryEvent, MemoryEvent> meeting(MemoryEvent first,
                                              MemoryEvent second) const;
  /// Returns whether `to` depends on `from`, by data or control, in one
  /// computation.
  bool needs(ComputationId computation, int32_t to, int32_t from);
  bool isSpent() const { return steps_ < 0; }
  /// Returns whether all orders that the world asks for are possible together.
  bool arePossible() const { return arePossible_; }

 private:
  struct Graph {
    std::vector<std::vector<int32_t>> before;  ///< by instruction
    std::vector<int32_t> rank, stamp;
    int32_t stamps = 0;
    bool hasControls = false;  ///< or other edges than those of operands
  };
  Graph &graphOf(ComputationId computation);
  /// Moves `first`, with all that it needs, before `then`. Returns whether that
  /// is possible.
  bool moveBefore(ComputationId computation, int32_t first, int32_t then);

  const MemoryFlow &flow_;
  std::map<int32_t, Graph> graphs_;
  /// For each computation whose order is not the schedule's: the places of its
  /// instructions.
  std::map<int32_t, std::vector<int32_t>> places_;
  bool arePossible_ = true;
  int64_t steps_ = 20'000'000;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_EVENT_ORDER_H
