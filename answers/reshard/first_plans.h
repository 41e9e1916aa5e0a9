// The first plan of each reshard of a list, for answers that name it beside the
// reshard's present cost.
//
//   f32[64,64], 4 devices, from rows to columns
//   today   all-gather, all-slice     49,152 bytes
//   plan    all-to-all                12,288 bytes
//
// Only a plan with a proof (reshard.h) is named. Long lists repeat few
// reshards: each one is planned once, and a bound keeps a list from taking
// long.
#ifndef INDEXICAL_ANSWERS_RESHARD_FIRST_PLANS_H
#define INDEXICAL_ANSWERS_RESHARD_FIRST_PLANS_H

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "indexical/answers/fields.h"
#include "indexical/cost/reshard/reshard_plans.h"
#include "indexical/ops/shape.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct FirstPlan {
  std::vector<ReshardStep::Op> steps;
  int64_t collectives = 0;
  int64_t allBytes = 0;  ///< that all devices receive
  /// The bytes that all devices receive if each of them gets the whole array
  /// first.
  int64_t replicationBytes = 0;
};

class FirstPlans {
 public:
  /// The most different reshards that are planned, and their most devices.
  static constexpr size_t kMost = 16;
  static constexpr int64_t kMostDevices = 256;

  /// Returns the first plan that is proved. Returns nothing if there is none,
  /// or beyond these bounds.
  std::optional<FirstPlan> of(const ShardedRelation &from,
                              const ShardedRelation &to, ElementType type);

 private:
  std::map<std::string, std::optional<FirstPlan>> known_;
};

/// A plan, and the reshard that it is compared with.
struct FirstPlanEntry {
  const FirstPlan &of;
  /// The operand of a sharding that is moved; nothing: of a reshard of a
  /// report.
  std::optional<int64_t> saved;
  /// The operand of a sharding that is moved; nothing: of a reshard of
  /// `report`.
  std::optional<int64_t> operand;
  llvm::StringRef instruction = "";  ///< that computes the operand
};
template <>
KeyList<FirstPlanEntry> keysOf<FirstPlanEntry>();

/// Returns `all-to-all, slice`, or `nothing`: the steps by their names.
std::string stepsText(const FirstPlan &plan);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_RESHARD_FIRST_PLANS_H
