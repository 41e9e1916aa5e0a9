// Every numbered constraint of the ops whose rules are a family's is broken by
// a test beside this one, or stands here with the reason why none does.
//
//   {"slice", 5, {}}               C1 … C5, each of them
//   {"dot_general", 20, {{13, …}}}  all but C13
//
// The constraints that tests have broken are known once all tests have run
// (refused.h), so the table is compared at the end, and not if a filter leaves
// some out. The comment above a family's `verify` names the function that keeps
// a constraint.
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/refused.h"

namespace indexical {
namespace {

struct OpConstraints {
  std::string op;
  int count;  ///< of the specification: C1 to C<count>
  std::map<int, std::string> untested;
};

const std::vector<OpConstraints> &allConstraints() {
  static const std::vector<OpConstraints> all = {
      // ops/movement/, ops/elementwise/
      {"broadcast_in_dim", 6, {}},
      {"concatenate", 6, {}},
      {"dynamic_broadcast_in_dim", 10, {}},
      {"dynamic_iota", 2, {}},
      {"dynamic_pad", 4, {}},
      {"dynamic_reshape", 4, {}},
      {"iota", 1, {}},
      {"pad", 4, {}},
      {"reshape", 3, {}},
      {"reverse", 3, {}},
      {"slice", 5, {}},
      {"transpose", 4, {}},
      // ops/indexed/
      {"dynamic_gather", 23, {}},
      {"dynamic_slice", 5, {}},
      {"dynamic_update_slice", 6, {}},
      {"gather", 23, {}},
      {"scatter", 25, {}},
      // ops/reduction/, ops/algorithms/
      {"cholesky", 3, {}},
      {"reduce", 8, {}},
      {"reduce_window",
       16,
       {{14, "each result is compared with the windows (C15)"}}},
      {"select_and_scatter", 12, {}},
      {"sort", 5, {}},
      {"triangular_solve", 4, {}},
      // ops/products/
      {"convolution", 34, {}},
      {"dot_general", 20, {{13, "left to compilers, who mix f32 and bf16"}}},
  };
  return all;
}

class Coverage : public ::testing::Environment {
  void TearDown() override {
    const auto *tests = ::testing::UnitTest::GetInstance();
    if (tests->test_to_run_count() != tests->total_test_count()) return;
    for (const OpConstraints &each : allConstraints())
      for (int number = 1; number <= each.count; ++number)
        EXPECT_NE(brokenConstraints().count({"stablehlo." + each.op, number}),
                  each.untested.count(number))
            << each.op << ": C" << number
            << (each.untested.count(number) ? " is broken by a test"
                                            : " is broken by no test");
  }
};

const auto *const kCoverage =
    ::testing::AddGlobalTestEnvironment(new Coverage());

}  // namespace
}  // namespace indexical
