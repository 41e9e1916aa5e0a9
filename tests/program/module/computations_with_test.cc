// On random graphs of calls, which computations have an instruction is what a
// walk from each of them says (program/module/computations_with.h).
#include "indexical/program/module/computations_with.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/program/module/program.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

/// Returns a module whose instructions are named `here` or `there`, and call
/// any computations, also themselves and such as the module does not have.
Module randomModule(testing::Random &random) {
  auto below = [&](int32_t count) {
    return static_cast<int32_t>(random.in(0, count - 1));
  };
  Module module;
  const int32_t count = 1 + below(8);
  module.computations.resize(count);
  for (Computation &computation : module.computations) {
    computation.instructions.resize(below(4));
    for (Instruction &each : computation.instructions) {
      each.opcode = below(8) == 0 ? "here" : "there";
      for (int32_t calls = below(3); calls > 0; --calls) {
        CalledComputation called;
        called.computation = ComputationId(below(count + 1) - 1);
        each.called.push_back(called);
      }
    }
  }
  return module;
}

bool isHere(const Instruction &each) { return each.opcode == "here"; }

/// Returns the fewest calls behind which the computation has one, or -1.
int callsTo(const Module &module, ComputationId from) {
  std::set<ComputationId> seen = {from}, now = seen;
  for (int calls = 0; !now.empty(); ++calls) {
    std::set<ComputationId> next;
    for (ComputationId c : now)
      for (const Instruction &each : module.computations[c].instructions) {
        if (isHere(each)) return calls;
        for (const CalledComputation &called : each.called)
          if (called.computation >= 0 && seen.insert(called.computation).second)
            next.insert(called.computation);
      }
    now = std::move(next);
  }
  return -1;
}

TEST(ComputationsWithTest, AreThoseThatAWalkFinds) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed));
  testing::Random random(seed);
  int found = 0, none = 0, deep = 0;
  for (int round = 0; round < 2000; ++round) {
    const Module module = randomModule(random);
    const ComputationsWith here(module, isHere);
    for (ComputationId c(0);
         c < static_cast<int32_t>(module.computations.size()); ++c) {
      const int calls = callsTo(module, c);
      ASSERT_EQ(here.has(c), calls >= 0);
      bool ofOne = false;
      for (const Instruction &each : module.computations[c].instructions)
        ofOne |= here.has(each);
      ASSERT_EQ(ofOne, calls >= 0);
      const auto first = here.first(c);
      ASSERT_EQ(first.has_value(), calls >= 0);
      ++(calls < 0 ? none : found);
      if (calls < 0) continue;
      const auto &instructions = module.computations[first->first].instructions;
      EXPECT_TRUE(isHere(instructions[first->second]));
      for (InstructionId i(0); i < first->second; ++i)
        EXPECT_FALSE(isHere(instructions[i]));
      // It is there as many calls away as the walk needs.
      Module without = module;
      for (auto &computation : without.computations)
        for (Instruction &each : computation.instructions)
          each.opcode = "there";
      without.computations[first->first].instructions[first->second].opcode =
          "here";
      EXPECT_EQ(callsTo(without, c), calls);
      deep += calls > 1;
    }
  }
  EXPECT_GT(found, 1000);
  EXPECT_GT(none, 1000);
  EXPECT_GT(deep, 100);
}

}  // namespace
}  // namespace indexical
