// Random partitioned programs (partitioned_programs.h) and their mutants, run
// on numbers for every device. The numbers decide: if a result of a device is
// another number than the whole's, the modules are different.
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/partitioned_programs.h"
#include "tests/same/partitioned/runs/compare_runs.h"
#include "tests/same/partitioned/step_numbers.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Both;
using testing::ceilOf;
using testing::Cut;
using testing::kPoison;
using testing::kPrime;
using testing::Numbers;
using testing::numbersOf;
using testing::PartitionedPrograms;
using testing::Random;
using testing::Step;
using testing::StepProgram;

struct Counts {
  int64_t equal = 0, different = 0, counted = 0, undecided = 0,
          undecidedEqual = 0, read = 0;
};

void check(const StepProgram &global, const StepProgram &local,
           const PartitionedPrograms &programs, Random &random,
           Counts &counts) {
  // Numbers of the whole, of the devices, and whether they agree.
  const Cut &cut = programs.result.cut;
  const Step &root = global.steps.back();
  const Step &rootPart = local.steps.back();
  std::vector<bool> differs(programs.devices * rootPart.rows *
                            rootPart.columns);
  /// Whether they agree, if padding has such numbers.
  auto areAlike = [&](llvm::function_ref<int64_t()> padding) {
    bool agrees = true;
    std::vector<std::vector<Numbers>> wholes, parts;
    for (const Both &p : programs.parameters) {
      const Step &whole = global.steps[p.global];
      // Their places in a mutant may be others; their shapes are not.
      int64_t rows = whole.rows, columns = whole.columns;
      if (p.cut.axis == 0) rows = ceilOf(rows, programs.devices);
      if (p.cut.axis == 1) columns = ceilOf(columns, programs.devices);
      Numbers all;
      for (int64_t i = 0; i < whole.rows * whole.columns; ++i)
        all.push_back(random.in(1, kPrime - 1));
      std::vector<Numbers> of;
      for (int64_t d = 0; d < programs.devices; ++d) {
        Numbers mine;
        int64_t tile = 0;
        if (p.cut.axis >= 0)
          tile = llvm::find(p.cut.order, d) - p.cut.order.begin();
        for (int64_t i = 0; i < rows; ++i)
          for (int64_t j = 0; j < columns; ++j) {
            const int64_t gi = i + (p.cut.axis == 0 ? tile * rows : 0);
            const int64_t gj = j + (p.cut.axis == 1 ? tile * columns : 0);
            mine.push_back(gi < whole.rows && gj < whole.columns
                               ? all[gi * whole.columns + gj]
                               : padding());
          }
        of.push_back(std::move(mine));
      }
      wholes.push_back({all});
      parts.push_back(std::move(of));
    }
    const Numbers want = (*numbersOf(global, wholes))[0];
    const std::vector<Numbers> got = *numbersOf(local, parts);
    for (int64_t d = 0; d < programs.devices; ++d) {
      int64_t tile = 0;
      if (cut.axis >= 0) tile = llvm::find(cut.order, d) - cut.order.begin();
      for (int64_t i = 0; i < rootPart.rows; ++i)
        for (int64_t j = 0; j < rootPart.columns; ++j) {
          const int64_t gi = i + (cut.axis == 0 ? tile * rootPart.rows : 0);
          const int64_t gj = j + (cut.axis == 1 ? tile * rootPart.columns : 0);
          if (gi >= root.rows || gj >= root.columns) continue;
          const bool differ =
              got[d][i * rootPart.columns + j] != want[gi * root.columns + gj];
          differs[(d * rootPart.rows + i) * rootPart.columns + j] = differ;
          agrees &= !differ;
        }
    }
    return agrees;
  };
  const bool agrees = areAlike([] { return kPoison; });
  const std::string globalText = textOf(global), localText = textOf(local);
  SCOPED_TRACE(globalText + "\n" + localText);
  auto a = parseHlo(globalText), b = parseHlo(localText);
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  PartitionedOptions options;
  options.partitions = programs.devices;
  auto equality = comparePartitioned(*a, *b, options);
  ASSERT_TRUE(equality.ok()) << equality.status();
  const PartitionedResult &result = equality->results[0];
  if (equality->verdict.answer == Verdict::Undecided) {
    ++counts.undecided;
    ASSERT_NE(result.verdict.reason, "");
    auto runs = compareByRuns(*a, *b, options);
    ASSERT_TRUE(runs.ok()) << runs.status();
    counts.undecidedEqual += runs->verdict.answer == Verdict::Same;
    if (testing::fromEnvironment("INDEXICAL_SHOW", 0) &&
        runs->verdict.answer != Verdict::Undecided)
      std::cout << globalText << localText << result.verdict.reason << "\n";
    return;
  }
  if (equality->verdict.answer == Verdict::Same) {
    ++counts.equal;
    // What is 0 times any number may be read of padding.
    for (int run = 0; !agrees && run < 3; ++run)
      ASSERT_TRUE(areAlike([&] { return random.in(1, kPrime - 1); }));
    return;
  }
  ASSERT_FALSE(agrees);
  ++counts.different;
  ASSERT_TRUE(result.verdict.witness);
  const Witness &witness = *result.verdict.witness;
  ASSERT_FALSE(witness.first.value.empty());
  counts.counted += witness.counted.has_value();
  counts.read += witness.array || witness.isPadding;
  // The witness is the first element whose number differs.
  const int64_t place =
      (witness.second.device * rootPart.rows + witness.second.index[0]) *
          rootPart.columns +
      witness.second.index[1];
  ASSERT_TRUE(differs[place]);
  for (int64_t before = 0; before < place; ++before)
    ASSERT_FALSE(differs[before]);
}

TEST(RandomPartitionedTest, AgreesWithNumbersOfAllDevices) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_PARTITIONED", 150);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  Counts counts;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const int64_t devices = random.oneIn(3) ? 3 : int64_t(1) << random.in(1, 2);
    const PartitionedPrograms programs = randomPartitioned(random, devices);
    check(programs.global, programs.local, programs, random, counts);
    for (int k = 0; k < 3; ++k) {
      StepProgram mutant = programs.local;
      if (!mutate(mutant, random)) break;
      check(programs.global, mutant, programs, random, counts);
    }
    if (::testing::Test::HasFailure()) return;
  }
  std::cout << counts.equal << " equal, " << counts.different
            << " different, of these " << counts.read
            << " by what one side reads and " << counts.counted
            << " by what is summed twice, " << counts.undecided
            << " undecided, of these " << counts.undecidedEqual
            << " equal in runs\n";
  // Numbers that show a difference of a mutant are not always found.
  EXPECT_EQ(counts.undecidedEqual, 0);
  EXPECT_LE(counts.undecided, static_cast<int64_t>(instances) / 10);
  EXPECT_GT(counts.equal, static_cast<int64_t>(instances));
  EXPECT_GT(counts.different, static_cast<int64_t>(instances) / 2);
}

/// Returns the program with device d renamed to names[d].
StepProgram renamed(StepProgram program, const Numbers &names) {
  for (Step &step : program.steps) {
    for (Numbers &group : step.groups)
      for (int64_t &member : group) member = names[member];
    if (step.table.empty()) continue;
    const Numbers table = step.table;
    for (size_t d = 0; d < table.size(); ++d) step.table[names[d]] = table[d];
  }
  return program;
}

Verdict::Answer answerOf(const StepProgram &global, const StepProgram &local,
                         int64_t devices) {
  auto a = parseHlo(textOf(global)), b = parseHlo(textOf(local));
  EXPECT_TRUE(a.ok() && b.ok());
  if (!a.ok() || !b.ok()) return Verdict::Undecided;
  PartitionedOptions options;
  options.partitions = devices;
  auto equality = comparePartitioned(*a, *b, options);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? equality->verdict.answer : Verdict::Undecided;
}

TEST(RandomPartitionedTest, NamesOfDevicesDecideNothing) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_PARTITIONED", 60);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t different = 0, unlike = 0;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const int64_t devices = random.oneIn(3) ? 3 : int64_t(1) << random.in(1, 2);
    PartitionedPrograms programs = randomPartitioned(random, devices);
    if (random.oneIn(2)) mutate(programs.local, random);
    Numbers names;
    for (int64_t d = 0; d < devices; ++d)
      names.insert(names.begin() + random.in(0, d), d);
    StepProgram global = programs.global;
    auto cutOf = [&](Cut cut) {
      for (int64_t &device : cut.order) device = names[device];
      return cut.text(devices);
    };
    for (const Both &p : programs.parameters)
      global.steps[p.global].sharding = cutOf(p.cut);
    global.rootSharding = cutOf(programs.result.cut);
    const Verdict::Answer before =
        answerOf(programs.global, programs.local, devices);
    different += before == Verdict::Different;
    const StepProgram local = renamed(programs.local, names);
    const Verdict::Answer after = answerOf(global, local, devices);
    if (after == before) continue;
    // The table {0, 4, 2} of devices has two parts where {0, 2, 4} has one, and
    // more parts can be more than is looked at.
    ++unlike;
    ASSERT_TRUE(before == Verdict::Undecided || after == Verdict::Undecided)
        << textOf(global) << textOf(local);
  }
  EXPECT_GT(different, 0);
  EXPECT_LE(unlike, static_cast<int64_t>(instances) / 1000);
}

}  // namespace
}  // namespace indexical
