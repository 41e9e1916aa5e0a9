// What must hold when a module runs (program/maps/run_conditions.h), against
// runs: random programs of dynamic ops (open_pairs.h) on random numbers break a
// constraint of StableHLO's specification if and only if a condition does not
// hold.
//
//   INDEXICAL_RUN_CONDITIONS=20000  so many programs
//   INDEXICAL_SEED=n                beginning with this one
#include "indexical/program/maps/run_conditions.h"

#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "tests/documents/open_pairs.h"
#include "tests/support/random.h"
#include "tests/support/wide.h"

namespace indexical::testing {
namespace {

/// Returns the value of what a condition names, or nothing if it is none of the
/// parameters'.
std::optional<int64_t> valueOf(const Module &module, const RunValue &value,
                               const RunNumbers &numbers) {
  const Instruction &of = module.computations[value.computation]
                              .instructions[value.leaf.instruction];
  const auto &lists = value.isSize ? numbers.sizes : numbers.lists;
  const auto found = lists.find(of.name.str());
  const size_t at = value.isSize          ? value.dimension
                    : value.index.empty() ? 0
                                          : value.index[0];
  if (of.parameterNumber < 0 || found == lists.end() ||
      at >= found->second.size())
    return std::nullopt;
  return found->second[at];
}

/// Whether all conditions hold; nothing if one names a value that is not given.
std::optional<bool> hold(const Module &module,
                         const RuntimeConditions &conditions,
                         const RunNumbers &numbers) {
  bool all = true;
  for (const RunCondition &condition : conditions.conditions) {
    bool isKnown = true;
    auto value = [&](VariableId id) {
      const auto known = valueOf(module, conditions.values[id.index], numbers);
      isKnown &= known.has_value();
      return known.value_or(1);
    };
    const auto is = wideValueOf(conditions.pool, condition.form, value);
    if (!isKnown) return std::nullopt;
    const Interval bounds = condition.bounds;
    all &= is && (!bounds.hasLower() || is->sge(wide(bounds.lower))) &&
           (!bounds.hasUpper() || is->sle(wide(bounds.upper)));
  }
  return all;
}

TEST(RunConditionsTest, HoldIfAndOnlyIfARunBreaksNoConstraint) {
  const int64_t count = fromEnvironment("INDEXICAL_RUN_CONDITIONS", 400);
  const int64_t begin = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t valid = 0, broken = 0, unknown = 0, conditions = 0;
  for (int64_t seed = begin; seed < begin + count && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("INDEXICAL_SEED=", seed));
    Random random(seed);
    OpenSteps of(random);
    std::vector<OpenStep> steps;
    int64_t rank = of.rank();
    for (int64_t left = random.in(1, 4); left > 0; --left) {
      steps.push_back(of.draw(rank));
      rank = steps.back().rankAfter;
    }
    const std::string text = of.text(steps);
    auto program = importMlir(text);
    ASSERT_TRUE(program.ok()) << program.status() << text;
    const Module &module = program->modules[0];
    const std::vector<RuntimeConditions> all = runConditions(module);
    ASSERT_FALSE(all.empty());
    const RuntimeConditions &own = all[0];
    std::string told = text;
    for (const RunCondition &condition : own.conditions)
      absl::StrAppend(&told, own.text(condition), "\n");
    SCOPED_TRACE(told);
    conditions += own.conditions.size();
    for (int n = 0; n < 40; ++n) {
      const RunNumbers numbers = of.numbers(random);
      const bool runs = of.run(steps, numbers).has_value();
      const auto held = hold(module, own, numbers);
      if (!held || !own.unknown.empty()) {
        ++unknown;
        EXPECT_TRUE(!runs || held.value_or(true));
        continue;
      }
      ++(runs ? valid : broken);
      std::string values;
      for (const auto &[name, list] : numbers.sizes)
        absl::StrAppend(&values, name, " ", absl::StrJoin(list, ","), "; ");
      for (const auto &[name, list] : numbers.lists)
        absl::StrAppend(&values, name, " ", absl::StrJoin(list, ","), "; ");
      ASSERT_EQ(*held, runs) << values;
      EXPECT_FALSE(runs && own.neverHold);
    }
  }
  printf(
      "  %lld conditions; %lld runs break none, %lld break one, %lld where not "
      "all can be written\n",
      static_cast<long long>(conditions), static_cast<long long>(valid),
      static_cast<long long>(broken), static_cast<long long>(unknown));
  EXPECT_GT(valid, count);
  EXPECT_GT(broken, count);
}

std::string textOf(const std::string &program) {
  auto made = importMlir(program);
  if (!made.ok()) return std::string(made.status().message());
  std::string text;
  for (const RuntimeConditions &own : runConditions(made->modules[0])) {
    for (const RunCondition &condition : own.conditions)
      absl::StrAppend(&text, own.text(condition), "\n");
    for (size_t i = 0; i < own.unknown.size(); ++i)
      absl::StrAppend(&text, "not known\n");
    if (own.neverHold) absl::StrAppend(&text, "never\n");
  }
  return text;
}

TEST(RunConditionsTest, TypesDecideOfStaticPrograms) {
  EXPECT_EQ(textOf(R"(func.func @main(%x: tensor<4xf32>) -> tensor<2x2xf32> {
    %r = stablehlo.reshape %x : (tensor<4xf32>) -> tensor<2x2xf32>
    return %r : tensor<2x2xf32> })"),
            "");
}

// The second addition asks for nothing more, nor does the slice after it.
TEST(RunConditionsTest, ImpliedOnesGo) {
  EXPECT_EQ(textOf(R"(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>) -> tensor<3xf32> {
      %a = stablehlo.add %x, %y : tensor<?xf32>
      %b = stablehlo.add %a, %y : tensor<?xf32>
      %c = stablehlo.slice %b [1:6] : (tensor<?xf32>) -> tensor<5xf32>
      %d = stablehlo.slice %x [0:3] : (tensor<?xf32>) -> tensor<3xf32>
      return %d : tensor<3xf32>
    })"),
            "rt0 - rt1 in [0, 0]\nrt0 in [6, inf]\n");
}

TEST(RunConditionsTest, SomeNeverHold) {
  EXPECT_EQ(textOf(R"(
    func.func @main(%x: tensor<?xf32>) -> tensor<4xf32> {
      %a = stablehlo.reshape %x : (tensor<?xf32>) -> tensor<3xf32>
      %b = stablehlo.reshape %x : (tensor<?xf32>) -> tensor<4xf32>
      return %b : tensor<4xf32>
    })"),
            "rt0 in [3, 3]\nrt0 in [4, 4]\nnever\n");
}

// A call has the names of the caller, and a loop keeps the size of its state.
TEST(RunConditionsTest, GoThroughCallsAndLoops) {
  EXPECT_EQ(textOf(R"(
    func.func @main(%x: tensor<?xf32>, %y: tensor<?xf32>, %z: tensor<?xf32>)
        -> tensor<?xf32> {
      %a = func.call @sum(%x, %y)
          : (tensor<?xf32>, tensor<?xf32>) -> tensor<?xf32>
      %w = stablehlo.while(%i = %a) : tensor<?xf32>
        cond {
          %t = stablehlo.constant dense<false> : tensor<i1>
          stablehlo.return %t : tensor<i1>
        } do {
          %n = stablehlo.negate %i : tensor<?xf32>
          stablehlo.return %n : tensor<?xf32>
        }
      %b = stablehlo.add %w, %z : tensor<?xf32>
      return %b : tensor<?xf32>
    }
    func.func private @sum(%p: tensor<?xf32>, %q: tensor<?xf32>)
        -> tensor<?xf32> {
      %s = stablehlo.add %p, %q : tensor<?xf32>
      return %s : tensor<?xf32>
    })"),
            "rt0 - rt1 in [0, 0]\nrt0 - rt2 in [0, 0]\n");
}

}  // namespace
}  // namespace indexical::testing
