// An interpreter of the texts of plans: HLO on all devices at once, with
// integers. It reads the text by itself and shares no code with the library.
#ifndef INDEXICAL_TESTS_ANSWERS_RESHARD_PLAN_RUN_H
#define INDEXICAL_TESTS_ANSWERS_RESHARD_PLAN_RUN_H

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace indexical::testing {

/// An array of integers in row-major order.
struct PlanArray {
  std::vector<int64_t> sizes, numbers;
};

struct PlanRun {
  std::string mistake;             ///< why the text does not run; empty: it did
  std::vector<PlanArray> results;  ///< of each device
  /// The elements that devices receive from others, and the collectives.
  int64_t received = 0, collectives = 0;
  /// The pairs of all permutes whose arrays have these sizes, one list for each
  /// permute.
  std::map<std::vector<int64_t>,
           std::vector<std::vector<std::pair<int64_t, int64_t>>>>
      permutes;
};

/// Runs the entry with these parameters, an array for each device.
PlanRun runPlan(const std::string &hlo,
                const std::vector<PlanArray> &parameters);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_ANSWERS_RESHARD_PLAN_RUN_H
