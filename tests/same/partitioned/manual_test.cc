// Random programs of which a part is manual, with parameters and results that
// may be sums of parts (manual_programs.h), and their mutants. Numbers of all
// devices decide whether the partitioned program is the same.
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/manual_programs.h"
#include "tests/same/partitioned/step_numbers.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Both;
using testing::Cut;
using testing::kPrime;
using testing::Numbers;
using testing::numbersOf;
using testing::PartitionedPrograms;
using testing::Random;
using testing::Step;
using testing::StepProgram;

/// Returns the numbers of each device for a whole value. If the parts are
/// summands, they are random.
std::vector<Numbers> partsOf(const Numbers &whole, const Step &shape,
                             const Step &part, const Cut &cut, int64_t devices,
                             Random &random) {
  const int64_t tiles = cut.tilesOf(devices);
  std::vector<Numbers> summands(tiles, whole);
  for (size_t e = 0; cut.isUnreduced && e < whole.size(); ++e) {
    int64_t rest = whole[e];
    for (int64_t k = 0; k + 1 < tiles; ++k) {
      summands[k][e] = random.in(0, kPrime - 1);
      rest += kPrime - summands[k][e];
    }
    summands[tiles - 1][e] = rest % kPrime;
  }
  std::vector<Numbers> all;
  for (int64_t d = 0; d < devices; ++d) {
    const int64_t tile = cut.tileOf(d);
    Numbers &mine = all.emplace_back();
    for (int64_t i = 0; i < part.rows; ++i)
      for (int64_t j = 0; j < part.columns; ++j)
        mine.push_back(
            summands[tile][(i + (cut.axis == 0 ? tile * part.rows : 0)) *
                               shape.columns +
                           j + (cut.axis == 1 ? tile * part.columns : 0)]);
  }
  return all;
}

/// The number of a result's element on a device. A sum takes the device's own
/// part, and of every other part the first device that has it.
int64_t resultOn(const std::vector<Numbers> &got, const Cut &cut,
                 int64_t device, size_t element) {
  if (!cut.isUnreduced) return got[device][element];
  int64_t sum = 0;
  for (int64_t tile = 0; tile < cut.tilesOf(got.size()); ++tile)
    for (size_t d = 0; d < got.size(); ++d)
      if (cut.tileOf(d) == tile) {
        sum += got[tile == cut.tileOf(device) ? device : d][element];
        break;
      }
  return sum % kPrime;
}

/// Returns, for each element of the result on all devices, whether it differs.
/// Returns nothing if the whole program is not defined.
std::optional<std::vector<bool>> differences(
    const StepProgram &global, const StepProgram &local,
    const PartitionedPrograms &programs, Random &random) {
  std::vector<std::vector<Numbers>> wholes, parts;
  for (const Both &p : programs.parameters) {
    const Step &whole = programs.global.steps[p.global];
    const Step &part = programs.local.steps[p.local];
    Numbers all;
    for (int64_t e = 0; e < whole.rows * whole.columns; ++e)
      all.push_back(random.in(1, kPrime - 1));
    parts.push_back(partsOf(all, whole, part, p.cut, programs.devices, random));
    wholes.emplace_back(programs.devices, all);
  }
  const auto want = numbersOf(global, wholes);
  if (!want) return std::nullopt;
  const auto got = numbersOf(local, parts);
  const Cut &cut = programs.result.cut;
  const Step &root = global.steps.back(), &part = local.steps.back();
  std::vector<bool> differs;
  for (int64_t d = 0; d < programs.devices; ++d)
    for (int64_t i = 0; i < part.rows; ++i)
      for (int64_t j = 0; j < part.columns; ++j) {
        const int64_t tile = cut.tileOf(d);
        const int64_t at =
            (i + (cut.axis == 0 ? tile * part.rows : 0)) * root.columns + j +
            (cut.axis == 1 ? tile * part.columns : 0);
        differs.push_back(resultOn(*got, cut, d, i * part.columns + j) !=
                          (*want)[0][at]);
      }
  return differs;
}

struct Counts {
  int64_t equal = 0, different = 0, undefined = 0, undecided = 0;
};

/// Compares, in each of the forms of the whole program.
void check(const StepProgram &global, const StepProgram &local,
           const PartitionedPrograms &programs, Random &random,
           Counts &counts) {
  const auto differs = differences(global, local, programs, random);
  const std::string localText = textOf(local);
  std::vector<absl::StatusOr<Program>> wholes;
  std::vector<std::string> texts = {textOf(global)};
  wholes.push_back(parseHlo(texts[0]));
  for (bool isFree : {false, true}) {
    texts.push_back(shardyTextOf(global, isFree));
    wholes.push_back(importMlir(texts.back()));
  }
  auto parts = parseHlo(localText);
  ASSERT_TRUE(parts.ok()) << parts.status();
  PartitionedOptions options;
  options.partitions = programs.devices;
  options.resultShardings = {{0, global.rootSharding}};
  const bool isEqual = differs && !llvm::is_contained(*differs, true);
  const Verdict::Answer expected = !differs  ? Verdict::Undecided
                                   : isEqual ? Verdict::Same
                                             : Verdict::Different;
  ++(!differs ? counts.undefined : isEqual ? counts.equal : counts.different);
  for (auto [k, whole] : llvm::enumerate(wholes)) {
    SCOPED_TRACE(texts[k] + "\n" + localText);
    ASSERT_TRUE(whole.ok()) << whole.status();
    auto equality = comparePartitioned(*whole, *parts, options);
    ASSERT_TRUE(equality.ok()) << equality.status();
    const PartitionedResult &result = equality->results[0];
    if (equality->verdict.answer == Verdict::Undecided) {
      counts.undecided += expected != Verdict::Undecided;
      if (testing::fromEnvironment("INDEXICAL_SHOW", 0) && differs)
        std::cout << texts[k] << localText << result.verdict.reason << "\n";
      continue;
    }
    ASSERT_EQ(equality->verdict.answer, expected)
        << result.verdict.reason
        << (result.because ? result.because->instruction : "");
    if (expected != Verdict::Different) continue;
    ASSERT_TRUE(result.verdict.witness);
    const Witness::Access &at = result.verdict.witness->second;
    ASSERT_FALSE(at.value.empty());
    const Step &part = local.steps.back();
    const int64_t place =
        (at.device * part.rows + at.index[0]) * part.columns + at.index[1];
    // Of a sum over devices, the first of them stands for all.
    if (!programs.result.cut.isUnreduced) {
      ASSERT_TRUE((*differs)[place]);
    }
  }
}

TEST(ManualTest, AgreesWithNumbersOfAllDevices) {
  const uint64_t instances = testing::fromEnvironment("INDEXICAL_MANUAL", 120);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  Counts counts;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const int64_t tiles = random.in(2, 3);
    const PartitionedPrograms programs =
        randomManual(random, tiles, random.in(1, 2));
    check(programs.global, programs.local, programs, random, counts);
    for (bool isLocal : {false, true}) {
      StepProgram mutant = isLocal ? programs.local : programs.global;
      if (!mutate(mutant, random)) continue;
      check(isLocal ? programs.global : mutant,
            isLocal ? mutant : programs.local, programs, random, counts);
    }
    if (::testing::Test::HasFailure()) return;
  }
  std::cout << counts.equal << " equal, " << counts.different << " different, "
            << counts.undefined << " not defined, " << counts.undecided
            << " answers undecided\n";
  EXPECT_GT(counts.equal, static_cast<int64_t>(instances) / 2);
  EXPECT_GT(counts.different, static_cast<int64_t>(instances) / 4);
  EXPECT_GT(counts.undefined, 0);
  // Of three forms of each.
  EXPECT_LE(counts.undecided, 3 * (counts.equal + counts.different) / 10);
}

//===-- Single programs ---------------------------------------------------===//

/// The first result's answer, and why it is undecided.
std::string answerOf(absl::StatusOr<Program> global, const char *local) {
  auto parts = parseHlo(local);
  EXPECT_TRUE(global.ok()) << global.status();
  EXPECT_TRUE(parts.ok()) << parts.status();
  if (!global.ok() || !parts.ok()) return "";
  auto equality = comparePartitioned(*global, *parts);
  if (!equality.ok()) return std::string(equality.status().message());
  switch (equality->verdict.answer) {
    case Verdict::Same:
      return "equal";
    case Verdict::Different:
      return "different";
    default:
      break;
  }
  return equality->results[0].verdict.reason;
}

TEST(ManualTest, TheCallAtTheRootSaysHowAResultIsCut) {
  constexpr char whole[] = R"(HloModule m
ENTRY main {
  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}
  c = f32[4] custom-call(x), custom_call_target="Sharding", sharding={devices=[2]<=[2]}
  s = f32[2] custom-call(c), custom_call_target="SPMDFullToShardShape", sharding={manual}
  n = f32[2] negate(s)
  m = f32[2] custom-call(n), custom_call_target="Sharding", sharding={manual}
  f = f32[4] custom-call(m), custom_call_target="SPMDShardToFullShape", sharding={devices=[2]1,0}
  ROOT t = (f32[4]) tuple(f)
})";
  EXPECT_EQ(answerOf(parseHlo(whole), R"(HloModule m, num_partitions=2
ENTRY main_spmd {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT t = (f32[2]) tuple(n)
})"),
            "equal");
  EXPECT_EQ(answerOf(parseHlo(whole), R"(HloModule m, num_partitions=2
ENTRY main_spmd {
  x = f32[2] parameter(0)
  n = f32[2] negate(x)
  ROOT p = f32[2] collective-permute(n), channel_id=1, source_target_pairs={{0,1},{1,0}}
})"),
            "different");
}

/// Two manual parts, one in the other: axis a, then axis b.
TEST(ManualTest, GroupsOfDevicesJoinOnTheirOwn) {
  constexpr char whole[] = R"(HloModule m
ENTRY main {
  x = f32[4,4] parameter(0), sharding={devices=[2,2]<=[4]}
  c = f32[4,4] custom-call(x), custom_call_target="Sharding", sharding={devices=[2,1,2]<=[4] last_tile_dim_replicate}
  s = f32[2,4] custom-call(c), custom_call_target="SPMDFullToShardShape", sharding={devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}
  d = f32[2,4] custom-call(s), custom_call_target="Sharding", sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}
  t = f32[2,2] custom-call(d), custom_call_target="SPMDFullToShardShape", sharding={manual}
  n = f32[2,2] negate(t)
  e = f32[2,2] custom-call(n), custom_call_target="Sharding", sharding={manual}
  u = f32[2,4] custom-call(e), custom_call_target="SPMDShardToFullShape", sharding={devices=[1,2,2]<=[2,2]T(1,0) last_tile_dims={manual}}
  v = f32[2,4] reverse(u), dimensions={1}
  f = f32[2,4] custom-call(v), custom_call_target="Sharding", sharding={devices=[1,1,2,2]<=[4] last_tile_dims={manual, replicated}}
  ROOT w = f32[4,4] custom-call(f), custom_call_target="SPMDShardToFullShape", sharding={devices=[2,2]<=[4]}
})";
  // The root's sharding does not cut what a device has into two columns.
  EXPECT_EQ(answerOf(parseHlo(whole), R"(HloModule m, num_partitions=4
ENTRY main_spmd {
  x = f32[2,2] parameter(0)
  ROOT n = f32[2,2] negate(x)
})"),
            "its sharding does not cut the whole value into what a device has");
  std::string right = whole;
  right.replace(right.rfind("{devices=[2,2]<=[4]}"), 20,
                "{devices=[2,1,2]<=[4] last_tile_dim_replicate}");
  constexpr char local[] = R"(HloModule m, num_partitions=4
ENTRY main_spmd {
  x = f32[2,2] parameter(0)
  n = f32[2,2] negate(x)
  g = f32[2,4] all-gather(n), channel_id=1, replica_groups={{0,1},{2,3}}, use_global_device_ids=true, dimensions={1}
  ROOT r = f32[2,4] reverse(g), dimensions={1}
})";
  EXPECT_EQ(answerOf(parseHlo(right), local), "equal");
  std::string swapped = local;
  swapped.replace(swapped.find("{0,1},{2,3}"), 11, "{0,1},{3,2}");
  EXPECT_EQ(answerOf(parseHlo(right), swapped.c_str()), "different");
}

TEST(ManualTest, PaddingOfTheWholeModuleDecidesNothing) {
  EXPECT_EQ(answerOf(parseHlo(R"(HloModule m
ENTRY main {
  x = f32[3] parameter(0), sharding={devices=[2]<=[2]}
  c = f32[3] custom-call(x), custom_call_target="Sharding", sharding={devices=[2]<=[2]}
  s = f32[2] custom-call(c), custom_call_target="SPMDFullToShardShape", sharding={manual}
  r = f32[2] reverse(s), dimensions={0}
  ROOT f = f32[3] custom-call(r), custom_call_target="SPMDShardToFullShape", sharding={devices=[2]<=[2]}
})"),
                     R"(HloModule m, num_partitions=2
ENTRY main_spmd {
  x = f32[2] parameter(0)
  ROOT r = f32[2] reverse(x), dimensions={0}
})"),
            "the whole module reads padding");
}

TEST(ManualTest, PartsThatAreNotAdded) {
  constexpr char whole[] = R"(HloModule m
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b) }
ENTRY main {
  x = f32[4,3] parameter(0), sharding={devices=[2,1]<=[2]}
  i = f32[] constant(-inf)
  ROOT r = f32[3] reduce(x, i), dimensions={0}, to_apply=max, sharding={mesh['a'=2], [{}], unreduced=max{'a'}}
})";
  EXPECT_EQ(answerOf(parseHlo(whole), R"(HloModule m, num_partitions=2
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b) }
ENTRY main_spmd {
  x = f32[2,3] parameter(0)
  i = f32[] constant(-inf)
  ROOT r = f32[3] reduce(x, i), dimensions={0}, to_apply=max
})"),
            "equal");
  EXPECT_EQ(answerOf(parseHlo(whole), R"(HloModule m, num_partitions=2
max { a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT c = f32[] maximum(a, b) }
ENTRY main_spmd {
  x = f32[2,3] parameter(0)
  s = f32[1,3] slice(x), slice={[0:1],[0:3]}
  i = f32[] constant(-inf)
  ROOT r = f32[3] reduce(s, i), dimensions={0}, to_apply=max
})"),
            "different");
}

/// A function is called with one of two results of another call.
TEST(ManualTest, CallsOfMlirTakeSingleResults) {
  constexpr char whole[] = R"(
sdy.mesh @m = <["x"=2]>
func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}]>}) {
  %0:2 = sdy.manual_computation(%a, %a) in_shardings=[<@m, [{"x"}]>, <@m, [{}]>] out_shardings=[<@m, [{}]>, <@m, [{"x"}]>] manual_axes={"x"} (%b: tensor<2xf32>, %c: tensor<4xf32>) {
    sdy.return %c, %b : tensor<4xf32>, tensor<2xf32>
  } : (tensor<4xf32>, tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)
  %1 = func.call @g(%0#1) : (tensor<4xf32>) -> tensor<4xf32>
  return %1 : tensor<4xf32>
}
func.func @g(%a: tensor<4xf32>) -> tensor<4xf32> {
  %0 = stablehlo.negate %a : tensor<4xf32>
  return %0 : tensor<4xf32>
})";
  EXPECT_EQ(answerOf(importMlir(whole), R"(HloModule m, num_partitions=2
ENTRY main_spmd {
  x = f32[2] parameter(0)
  ROOT n = f32[2] negate(x)
})"),
            "equal");
}

}  // namespace
}  // namespace indexical
