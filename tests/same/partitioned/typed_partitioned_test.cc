// Random partitioned programs of all types (typed_programs.h) and their
// mutants, run on numbers on all devices. What is `equal` must agree in every
// run, and what is `different` must differ in one.
#include <cmath>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/typed_programs.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::isFloatType;
using testing::Random;
using testing::TypedArray;
using testing::TypedNumber;
using testing::TypedProgram;
using testing::TypedPrograms;
using testing::TypedStep;

constexpr int kRuns = 24, kMostRuns = 400;

/// Returns whether the local result is the whole one's in a run on random
/// numbers, padding included.
bool agrees(const TypedProgram &whole, const TypedProgram &local, int run,
            Random &random) {
  const int64_t devices = local.devices;
  std::vector<std::vector<TypedArray>> wholes, parts;
  // In some runs there are two numbers of each type, so that numbers are equal.
  std::map<std::string, std::vector<TypedNumber>> pools;
  auto number = [&](const std::string &type) {
    if (run % 4 != 3) return testing::randomTypedNumber(type, run, random);
    std::vector<TypedNumber> &pool = pools[type];
    if (pool.size() < 2)
      pool.push_back(testing::randomTypedNumber(type, run, random));
    return pool[random.in(0, pool.size() - 1)];
  };
  std::vector<const TypedStep *> shapes;
  for (const TypedStep &step : local.steps)
    if (step.op == "parameter") shapes.push_back(&step);
  for (const TypedStep &step : whole.steps) {
    if (step.op != "parameter") continue;
    TypedArray all;
    for (int64_t e = 0; e < step.rows * step.columns; ++e)
      all.push_back(number(step.type));
    const TypedStep &part = *shapes[parts.size()];
    std::vector<TypedArray> of;
    for (int64_t device = 0; device < devices; ++device) {
      TypedArray &mine = of.emplace_back();
      for (int64_t i = 0; i < part.rows; ++i)
        for (int64_t j = 0; j < part.columns; ++j) {
          const int64_t row = i + (step.isCut ? device * part.rows : 0);
          mine.push_back(row < step.rows ? all[row * step.columns + j]
                                         : number(step.type));
        }
    }
    wholes.push_back({all});
    parts.push_back(std::move(of));
  }
  const TypedArray want = testing::numbersOf(whole, wholes)[0];
  const auto got = testing::numbersOf(local, parts);
  const TypedStep &root = whole.steps.back(), &part = local.steps.back();
  for (int64_t device = 0; device < devices; ++device)
    for (int64_t i = 0; i < part.rows; ++i)
      for (int64_t j = 0; j < part.columns; ++j) {
        const int64_t row = i + (whole.isCut ? device * part.rows : 0);
        if (row >= root.rows) continue;
        const TypedNumber a = want[row * root.columns + j];
        const TypedNumber b = got[device][i * part.columns + j];
        if (!isFloatType(root.type)) {
          if (a.integer != b.integer) return false;
          continue;
        }
        const double size = std::max({1.0, std::abs(a.real), std::abs(b.real)});
        if (std::isfinite(size) ? std::abs(a.real - b.real) > 1e-4 * size
                                : a.real != b.real && !(std::isnan(a.real) &&
                                                        std::isnan(b.real)))
          return false;
      }
  return true;
}

struct Counts {
  int64_t equal = 0, different = 0, undecided = 0;
  /// By the instruction that stands in the way.
  std::map<std::string, int64_t> reasons;
};

void check(const TypedProgram &whole, const TypedProgram &local, Random &random,
           Counts &counts) {
  const std::string globalText = textOf(whole, local.devices);
  const std::string localText = textOf(local, local.devices);
  SCOPED_TRACE(globalText + localText);
  auto a = parseHlo(globalText), b = parseHlo(localText);
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  PartitionedOptions options;
  options.partitions = local.devices;
  auto equality = comparePartitioned(*a, *b, options);
  ASSERT_TRUE(equality.ok()) << equality.status();
  switch (equality->verdict.answer) {
    case Verdict::Same:
      ++counts.equal;
      for (int run = 0; run < kRuns; ++run)
        ASSERT_TRUE(agrees(whole, local, run, random)) << "run " << run;
      return;
    case Verdict::Different: {
      ++counts.different;
      ASSERT_TRUE(equality->results[0].verdict.witness);
      int run = 0;
      while (run < kMostRuns && agrees(whole, local, run, random)) ++run;
      ASSERT_LT(run, kMostRuns) << "no run differs";
      return;
    }
    default: {
      ASSERT_EQ(equality->verdict.answer, Verdict::Undecided);
      ++counts.undecided;
      const auto &because = equality->results[0].because;
      EXPECT_NE(equality->results[0].verdict.reason, "");
      ++counts.reasons[(because ? because->opcode : "") + ": " +
                       equality->results[0].verdict.reason];
    }
  }
}

TEST(TypedPartitionedTest, AgreesWithNumbersOfAllTypes) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_TYPED_PARTITIONED", 600);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  Counts rightOnes, mutants;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const TypedPrograms programs = testing::randomTyped(random);
    check(programs.whole, programs.local, random, rightOnes);
    for (bool isLocal : {false, true}) {
      TypedProgram mutant = isLocal ? programs.local : programs.whole;
      if (!mutate(mutant, random)) continue;
      check(isLocal ? programs.whole : mutant,
            isLocal ? mutant : programs.local, random, mutants);
    }
    if (::testing::Test::HasFailure()) return;
  }
  for (const auto &[name, counts] :
       {std::pair("right", rightOnes), std::pair("mutants", mutants)}) {
    std::cout << name << ": " << counts.equal << " equal, " << counts.different
              << " different, " << counts.undecided << " undecided\n";
    for (const auto &[reason, count] : counts.reasons)
      std::cout << "  " << count << " " << reason << "\n";
  }
  // A right partition is never different, and most are told.
  EXPECT_EQ(rightOnes.different, 0);
  EXPECT_GT(rightOnes.equal, static_cast<int64_t>(instances) * 9 / 10);
  EXPECT_GT(mutants.different, static_cast<int64_t>(instances) / 3);
}

}  // namespace
}  // namespace indexical
