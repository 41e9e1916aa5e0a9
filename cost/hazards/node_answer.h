// The answer for one value that is placed over another. Not part of the public
// surface.
//
//   x = negate(a)       over a: safe if `e` runs before `x`
//   u = update(x, v)    over x: safe if `r` runs before `u`
//
//   u over a            safe if both
#ifndef INDEXICAL_COST_HAZARDS_NODE_ANSWER_H
#define INDEXICAL_COST_HAZARDS_NODE_ANSWER_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexical/cost/hazards/hazards.h"

namespace indexical {

/// An order that a value requires: one event before another, in one frame.
struct NeededOrder {
  int32_t frame = 0;
  int32_t first = 0, then = 0;  ///< instructions
  bool operator==(const NeededOrder &o) const {
    return frame == o.frame && first == o.first && then == o.then;
  }
};

struct NodeAnswer {
  enum class Kind : uint8_t { Safe, SafeIf, Bad, Undecided };
  Kind kind = Kind::Safe;
  HazardReason because = HazardReason::NotRead;
  bool isOwn = false;  ///< if bad: its own kernel reads too late
  std::vector<HazardCondition> conditions;
  std::vector<HazardVariable> runtime;
  std::vector<NeededOrder> orders;
  std::optional<HazardWitness> witness;
  std::string reason;
  /// If bad: the value that is read too late.
  int32_t value = -1;

  bool isWorse(const NodeAnswer &than) const { return kind > than.kind; }
  /// Combines it with the answer for another value: the worse one, or, if both
  /// are safe under conditions, all conditions together.
  void add(const NodeAnswer &other);
};

}  // namespace indexical

#endif  // INDEXICAL_COST_HAZARDS_NODE_ANSWER_H
