#include "indexical/cost/hazards/event_order.h"

#include <algorithm>
#include <numeric>

#include "indexical/ops/families.h"

namespace indexical {

EventOrders::EventOrders(const MemoryFlow &flow) : flow_(flow) {
  for (const auto &[computation, orders] : flow.world().orders) {
    const ComputationId c(computation);
    for (const auto &[first, then] : orders)
      arePossible_ &= moveBefore(c, first, then);
    if (!flow.module().isScheduled) continue;
    // A later move may have undone an earlier one.
    const std::vector<int32_t> &places = places_[computation];
    for (const auto &[first, then] : orders)
      arePossible_ &= !places.empty() && places[first] < places[then];
  }
}

bool EventOrders::moveBefore(ComputationId computation, int32_t first,
                             int32_t then) {
  if (needs(computation, first, then)) return false;
  if (!flow_.module().isScheduled) {
    Graph &graph = graphOf(computation);
    graph.before[then].push_back(first);
    graph.hasControls = true;
    return !isSpent();
  }
  std::vector<int32_t> &places = places_[computation];
  if (places.empty()) {
    places.resize(graphOf(computation).before.size());
    std::iota(places.begin(), places.end(), 0);
  }
  if (places[first] < places[then]) return true;
  std::vector<int32_t> order(places.size());
  for (size_t i = 0; i < places.size(); ++i)
    order[places[i]] = static_cast<int32_t>(i);
  std::vector<int32_t> moved, rest;
  for (int32_t k = places[then]; k <= places[first]; ++k)
    (needs(computation, first, order[k]) ? moved : rest).push_back(order[k]);
  moved.insert(moved.end(), rest.begin(), rest.end());
  for (size_t k = 0, begin = places[then]; k < moved.size(); ++k)
    places[moved[k]] = static_cast<int32_t>(begin + k);
  return !isSpent();
}

std::pair<MemoryEvent, MemoryEvent> EventOrders::meeting(
    MemoryEvent first, MemoryEvent second) const {
  const auto &frames = flow_.frames();
  auto up = [&](MemoryEvent &event) {
    const MemoryFrame &frame = frames[event.frame];
    // What is begun and done later runs its computation between.
    int32_t last = frame.call;
    const Computation &caller = flow_.computationOf(frame.caller);
    if (caller.instructions[frame.call].op.is<StartOp>())
      last = flow_.doneOf(frame.caller, frame.call);
    event = {frame.caller, int32_t{frame.call}, last};
  };
  while (first.frame != second.frame) {
    const int32_t a = frames[first.frame].depth, b = frames[second.frame].depth;
    if (a >= b) up(first);
    if (b >= a) up(second);
  }
  return {first, second};
}

EventOrder EventOrders::of(const MemoryEvent &first,
                           const MemoryEvent &second) {
  const auto both = meeting(first, second);
  const MemoryEvent &a = both.first, &b = both.second;
  constexpr int32_t kEnd = MemoryEvent::kEnd;
  const bool areOfCalls = first.frame != a.frame && second.frame != b.frame;
  if (a == b && areOfCalls) {
    // Both are in what one instruction calls: in its condition or its body, or
    // in different branches.
    auto roleIn = [&](int32_t frame) {
      while (flow_.frames()[frame].caller != a.frame)
        frame = flow_.frames()[frame].caller;
      return flow_.frames()[frame].role;
    };
    const CallRole x = roleIn(first.frame), y = roleIn(second.frame);
    if (x == CallRole::Branch) return EventOrder::Exclusive;
    if (x == CallRole::Condition && y != x) return EventOrder::Before;
    if (y == CallRole::Condition && y != x) return EventOrder::After;
    return EventOrder::Together;
  }
  if (a == b) return EventOrder::Together;
  if (a.first == kEnd && b.first == kEnd) return EventOrder::Together;
  if (b.first == kEnd) return EventOrder::Before;
  if (a.first == kEnd) return EventOrder::After;
  const ComputationId c = flow_.frames()[a.frame].computation;
  if (flow_.module().isScheduled) {
    const auto moved = places_.find(int32_t{c});
    auto placeOf = [&](int32_t instruction) {
      return moved == places_.end() || instruction == kEnd
                 ? instruction
                 : moved->second[instruction];
    };
    if (placeOf(a.last) < placeOf(b.first)) return EventOrder::Before;
    if (placeOf(b.last) < placeOf(a.first)) return EventOrder::After;
    return EventOrder::Together;
  }
  if (a.last != kEnd && needs(c, b.first, a.last)) return EventOrder::Before;
  if (b.last != kEnd && needs(c, a.first, b.last)) return EventOrder::After;
  if (isSpent()) return EventOrder::Unknown;
  // One that is begun before the other can be done runs beside it.
  if (needs(c, b.first, a.first) || needs(c, a.first, b.first))
    return EventOrder::Together;
  return EventOrder::Open;
}

EventOrders::Graph &EventOrders::graphOf(ComputationId computation) {
  auto [known, isNew] = graphs_.try_emplace(computation);
  Graph &graph = known->second;
  if (!isNew) return graph;
  const Computation &own = flow_.module().computations[computation];
  graph.before.resize(own.instructions.size());
  graph.rank.assign(own.instructions.size(), 0);
  graph.stamp.assign(own.instructions.size(), 0);
  for (size_t i = 0; i < own.instructions.size(); ++i)
    for (const InstructionId operand : own.instructions[i].operands)
      graph.before[i].push_back(operand);
  for (const auto &[first, then] : own.controls)
    graph.before[then].push_back(first);
  graph.hasControls = !own.controls.empty();
  for (const InstructionId i : own.postOrder())
    for (const int32_t operand : graph.before[i])
      graph.rank[i] = std::max(graph.rank[i], graph.rank[operand] + 1);
  return graph;
}

bool EventOrders::needs(ComputationId computation, int32_t to, int32_t from) {
  if (to == from) return true;
  Graph &graph = graphOf(computation);
  const int32_t stamp = ++graph.stamps;
  std::vector<int32_t> open = {to};
  graph.stamp[to] = stamp;
  while (!open.empty()) {
    const int32_t at = open.back();
    open.pop_back();
    for (const int32_t before : graph.before[at]) {
      if (before == from) return true;
      if (--steps_ < 0) return false;
      if (graph.stamp[before] == stamp) continue;
      // Ranks follow operands; with other edges they say nothing.
      if (!graph.hasControls && graph.rank[before] <= graph.rank[from])
        continue;
      graph.stamp[before] = stamp;
      open.push_back(before);
    }
  }
  return false;
}

}  // namespace indexical
