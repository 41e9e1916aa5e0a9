// The search of plans among the states of digits, private to cost/reshard/.
//
//   a b | -   to   b | a     (digits of devices that cut two dimensions)
//
//   all-to-all of a: - b | a, then nothing else: one collective
//
// A move changes which digits are cut: a slice cuts some, an all-gather makes
// some local, an all-to-all does both, a permute cuts the same ones by other
// digits of devices, a reduce-scatter cuts some by digits of parts, an
// all-reduce sums these. The search is A*, with the elements that devices lack
// of the target as the least that is still to move. It keeps for each state all
// ways that no other one beats in elements moved, collectives and memory.
//
// Law (tests/answers/reshard/reshard_test.cc): each plan runs right on all
// devices, and none is beaten by another one of the answer.
#ifndef INDEXICAL_COST_RESHARD_DIGIT_SEARCH_H
#define INDEXICAL_COST_RESHARD_DIGIT_SEARCH_H

#include <cstdint>
#include <vector>

#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/reshard/device_digits.h"
#include "indexical/cost/reshard/reshard_plans.h"

namespace indexical {

/// A move from one state to another one.
struct DigitMove {
  ReshardStep::Op op = ReshardStep::Op::Slice;
  /// The digits of the tensor that become local, and those that are cut by
  /// `labels`, digits of devices. For an all-reduce, `labels` are summed.
  llvm::SmallVector<int16_t, 4> give, take, labels;
  DigitState before, after;
  int64_t moved = 0;  ///< elements, over all devices
};

struct DigitPlan {
  std::vector<DigitMove> moves;
  int64_t moved = 0, collectives = 0;
  int64_t peak = 0;  ///< elements of an operand and a result
};

/// Returns the plans from the source to the target that no other beats, those
/// that move less first. `prefixes` admits only states in which the digits that
/// cut a dimension are its major ones, as shardings have them. At most `memory`
/// elements live at once (-1: any number).
std::vector<DigitPlan> searchDigits(DigitSpace &space, bool prefixes,
                                    int64_t memory);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_DIGIT_SEARCH_H
