// Two modules that one device runs each: by hand, pairs of real passes, and
// random ones against runs of all devices.
#include "indexical/same/partitioned/local_modules.h"

#include <cstdlib>
#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/JSON.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/same/partitioned/local_programs.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::LocalProgram;
using testing::LocalVectors;
using testing::Random;

PartitionedEquality compare(const std::string &first, const std::string &second,
                            PartitionedOptions options = {}) {
  auto a = parseHlo(first), b = parseHlo(second);
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  if (!a.ok() || !b.ok()) return {};
  options.areLocal = true;
  auto equality = comparePartitioned(*a, *b, options);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? *equality : PartitionedEquality();
}

std::string module(const std::string &body, const std::string &header = "",
                   const std::string &type = "s32") {
  return "HloModule m" + header + "\nsum {\n  p = " + type +
         "[] parameter(0)\n  q = " + type +
         "[] parameter(1)\n  ROOT r = " + type +
         "[] add(p, q)\n}\nENTRY main_spmd {\n" + body + "}\n";
}

const char kAllReduce[] =
    ", channel_id=1, replica_groups={{0,1,2,3}}, use_global_device_ids=true, "
    "to_apply=sum";

TEST(LocalModulesTest, DevicesHaveParametersOfTheirOwn) {
  const std::string times =
      "  c = s32[] constant(4)\n  b = s32[2] broadcast(c), dimensions={}\n"
      "  ROOT r = s32[2] multiply(x, b)\n";
  for (const bool isStated : {false, true}) {
    const std::string x = std::string("  x = s32[2] parameter(0)") +
                          (isStated ? ", sharding={replicated}\n" : "\n");
    const std::string sum =
        module(x + "  ROOT r = s32[2] all-reduce(x)" + kAllReduce + "\n");
    const PartitionedEquality equality = compare(sum, module(x + times));
    EXPECT_EQ(equality.verdict.answer,
              isStated ? Verdict::Same : Verdict::Different);
    EXPECT_EQ(equality.devices, 4);
    EXPECT_EQ(equality.countedFrom, "groups");
    EXPECT_EQ(equality.shardings.size(), isStated ? 1u : 0u);
    PartitionedOptions none;
    none.assumesCopies = false;
    EXPECT_EQ(compare(sum, module(x + times), none).verdict.answer,
              Verdict::Different);
    if (isStated) continue;
    const Witness &witness = *equality.verdict.witness;
    EXPECT_TRUE(witness.isLocal);
    EXPECT_EQ(witness.second.device, 0);
    ASSERT_FALSE(witness.inputs.empty());
    for (const Witness::Input &input : witness.inputs) {
      EXPECT_EQ(input.name, "x");
      EXPECT_EQ(input.element.size(), 1u);
      EXPECT_TRUE(input.device);
    }
  }
}

TEST(LocalModulesTest, DevicesOfOneTileHaveTheSame) {
  // Devices 0 and 1 have tile 0, 2 and 3 have tile 1.
  const std::string x =
      "  x = s32[2] parameter(0), sharding={devices=[2,2]<=[4] "
      "last_tile_dim_replicate}\n";
  auto permuted = [&](const std::string &pairs) {
    return module(x +
                      "  ROOT r = s32[2] collective-permute(x), channel_id=1, "
                      "source_target_pairs={" +
                      pairs + "}\n",
                  ", num_partitions=4");
  };
  const std::string copy =
      module(x + "  ROOT r = s32[2] copy(x)\n", ", num_partitions=4");
  EXPECT_EQ(compare(permuted("{0,1},{1,0},{2,3},{3,2}"), copy).verdict.answer,
            Verdict::Same);
  EXPECT_EQ(compare(permuted("{0,2},{2,0},{1,3},{3,1}"), copy).verdict.answer,
            Verdict::Different);
}

TEST(LocalModulesTest, LawsOfFloatsAreThoseThatAreAsked) {
  const std::string x =
      "  x = f32[2] parameter(0)\n  y = f32[2] parameter(1)\n";
  const std::string sum =
      module(x + "  s = f32[2] add(x, y)\n  ROOT r = f32[2] all-reduce(s)" +
                 kAllReduce + "\n",
             "", "f32");
  const std::string sums =
      module(x + "  a = f32[2] all-reduce(x)" + kAllReduce +
                 "\n  b = f32[2] all-reduce(y)" + kAllReduce +
                 "\n  ROOT r = f32[2] add(a, b)\n",
             "", "f32");
  PartitionedOptions strict, loose;
  strict.floats = FloatLaws::None;
  loose.floats = FloatLaws::Reassociate;
  const PartitionedEquality open = compare(sum, sums, strict);
  EXPECT_EQ(open.verdict.answer, Verdict::Undecided);
  EXPECT_EQ(open.verdict.decidedBy,
            std::vector<std::string>{"--float-laws=reassociate"});
  EXPECT_EQ(compare(sum, sums, loose).verdict.answer, Verdict::Same);
  EXPECT_EQ(compare(sum, sums).verdict.answer, Verdict::Same);
}

TEST(LocalModulesTest, ASumOfOneDeviceKeepsItsZero) {
  // -0 stays -0 in a sum over one device, and becomes 0 in x + 0.
  const std::string x = "  x = f32[2] parameter(0)\n";
  const std::string alone =
      module(x + "  ROOT r = f32[2] all-reduce(x), channel_id=1, "
                 "replica_groups={{0},{1}}, use_global_device_ids=true, "
                 "to_apply=sum\n",
             "", "f32");
  const std::string copy = module(x + "  ROOT r = f32[2] copy(x)\n", "", "f32");
  const std::string zero = module(
      x + "  c = f32[] constant(0)\n  b = f32[2] broadcast(c), dimensions={}\n"
          "  ROOT r = f32[2] add(x, b)\n",
      "", "f32");
  PartitionedOptions strict;
  strict.floats = FloatLaws::None;
  EXPECT_NE(compare(alone, zero, strict).verdict.answer, Verdict::Same);
  EXPECT_NE(compare(alone, copy, strict).verdict.answer, Verdict::Different);
  EXPECT_EQ(compare(alone, copy).verdict.answer, Verdict::Same);
}

TEST(LocalModulesTest, CountsAreStatedOnce) {
  const std::string body = std::string(
                               "  x = s32[2] parameter(0)\n  ROOT r = s32[2] "
                               "all-reduce(x)") +
                           kAllReduce + "\n";
  auto a = parseHlo(module(body, ", num_partitions=4"));
  auto b = parseHlo(module(body, ", num_partitions=8"));
  const auto equality = comparePartitioned(*a, *b);
  ASSERT_FALSE(equality.ok());
  EXPECT_EQ(equality.status().message(),
            "the first module is for 4 partitions and the second for 8");
  // 2 replicas of 2 partitions, by an option and by the header.
  PartitionedOptions options;
  options.replicas = 2;
  const PartitionedEquality both =
      compare(module(body, ", num_partitions=2"),
              module(body, ", num_partitions=2"), options);
  EXPECT_EQ(both.devices, 4);
  EXPECT_EQ(both.replicas, 2);
  EXPECT_EQ(both.verdict.answer, Verdict::Same);
}

TEST(LocalModulesTest, EffectsAreComparedToo) {
  const std::string header = ", num_partitions=2";
  const std::string moved =
      "  x = s32[2] parameter(0)\n  y = s32[2] collective-permute(x), "
      "channel_id=1, source_target_pairs={{0,1},{1,0}}\n";
  const std::string sent =
      "  t = token[] after-all()\n  o = token[] outfeed(x, t), "
      "outfeed_shape=s32[2]\n";
  const std::string root = "  ROOT r = s32[2] copy(y)\n";
  const std::string with = module(moved + sent + root, header);
  EXPECT_EQ(compare(with, module(moved + root, header)).verdict.answer,
            Verdict::Undecided);
  EXPECT_EQ(compare(with, with).verdict.answer, Verdict::Same);
}

TEST(LocalModulesTest, WithoutANumberOfDevicesModulesAreNotLocal) {
  const std::string body =
      "  x = s32[2] parameter(0)\n  ROOT r = s32[2] all-reduce(x), "
      "replica_groups={}, to_apply=sum\n";
  auto a = parseHlo(module(body)), b = parseHlo(module(body));
  EXPECT_FALSE(areLocal(*a, *b));
  PartitionedOptions options;
  options.partitions = 2;
  EXPECT_TRUE(areLocal(*a, *b, options));
}

TEST(LocalModulesTest, WhatIsNotFollowedIsOneOp) {
  const std::string odd =
      "  x = s32[4] parameter(0)\n  o = s32[4] parameter(1)\n"
      "  i = s32[4] parameter(2)\n"
      "  ROOT r = s32[4] ragged-all-to-all(x, o, i, i, i, i), channel_id=1, "
      "replica_groups={{0,1,2,3}}\n";
  const std::string other =
      "  x = s32[4] parameter(0)\n  o = s32[4] parameter(1)\n"
      "  i = s32[4] parameter(2)\n  c = s32[4] copy(x)\n"
      "  ROOT r = s32[4] ragged-all-to-all(c, o, i, i, i, i), channel_id=1, "
      "replica_groups={{0,1,2,3}}\n";
  const std::string header = ", num_partitions=4";
  EXPECT_EQ(compare(module(odd, header), module(other, header)).verdict.answer,
            Verdict::Same);
}

//===-- Pairs of passes ---------------------------------------------------===//

/// Compares the pairs of a folder. Returns how many are right, of all.
std::pair<int, int> comparePairs(const std::string &folder, int &wrong) {
  std::ifstream in(folder + "/pairs.jsonl");
  int right = 0, all = 0, refused = 0;
  for (std::string line; std::getline(in, line);) {
    auto value = llvm::json::parse(line);
    EXPECT_TRUE(!!value) << llvm::toString(value.takeError());
    const llvm::json::Object &one = *value->getAsObject();
    const std::string id = one.getString("id")->str();
    SCOPED_TRACE(id);
    PartitionedOptions options;
    options.areLocal = true;
    options.operations = 2'000'000;
    auto a = parseHlo(testing::textOfFile(folder + "/" + id + ".a.hlo"));
    auto b = parseHlo(testing::textOfFile(folder + "/" + id + ".b.hlo"));
    // An all-gather whose result is not all of its parts is no program.
    if (!a.ok() || !b.ok()) {
      ++refused;
      continue;
    }
    ++all;
    const auto equality = comparePartitioned(*a, *b, options);
    if (!equality.ok()) continue;
    const bool isEqual = *one.getString("truth") == "equal";
    const Verdict &verdict = equality->verdict;
    if (!verdict.isDecided()) {
      std::cout << "undecided: " << id << "\n";
      continue;
    }
    const bool isRight = verdict.isSame() == isEqual;
    EXPECT_TRUE(isRight) << id;
    ++(isRight ? right : wrong);
  }
  EXPECT_LE(refused, 2);
  return {right, all};
}

TEST(LocalModulesTest, PairsOfPasses) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  // Open are, of 99, a ragged exchange (2) and a loop of 1,000 trips.
  for (const auto &[folder, fewest] :
       {std::pair("spmd_pairs", 96), std::pair("spmd_xla", 286)}) {
    int wrong = 0;
    const auto [right, all] =
        comparePairs(testing::corpusPath() + "/../" + folder, wrong);
    std::cout << folder << ": " << right << " of " << all << " right, " << wrong
              << " wrong\n";
    EXPECT_GT(all, 90);
    EXPECT_EQ(wrong, 0);
    EXPECT_GE(right, fewest);
  }
}

//===-- Random pairs ------------------------------------------------------===//

LocalVectors randomVectors(bool isReplicated, int64_t devices, int64_t size,
                           Interval values, Random &random) {
  LocalVectors all(devices);
  for (int64_t d = 0; d < devices; ++d) {
    if (isReplicated && d > 0) {
      all[d] = all[0];
      continue;
    }
    for (int64_t i = 0; i < size; ++i)
      all[d].push_back(random.in(values.lower, values.upper));
  }
  return all;
}

bool agree(const LocalProgram &first, const LocalProgram &second,
           Random &random, Interval values = {-3, 3}) {
  std::vector<LocalVectors> parameters;
  for (const auto &step : first.steps)
    if (step.op == "parameter")
      parameters.push_back(randomVectors(step.isReplicated, first.devices,
                                         step.size, values, random));
  return runLocal(first, parameters) == runLocal(second, parameters);
}

TEST(LocalModulesTest, RandomPairs) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_LOCAL_MODULES", 150);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t rightOnes = 0, rightEqual = 0, mutants = 0, decided = 0;
  std::map<std::string, int> reasons;
  for (uint64_t n = seed; n < seed + instances; ++n) {
    Random random(n);
    const LocalProgram first = testing::randomLocal(random);
    LocalProgram second = first;
    const int64_t changes = random.in(1, 3);
    for (int64_t k = 0; k < changes; ++k) testing::rewriteLocal(second, random);
    for (const bool isMutant : {false, true}) {
      if (isMutant && !testing::mutateLocal(second, random)) continue;
      const std::string a = textOf(first), b = textOf(second);
      SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(n) + "\n" + a + b);
      bool isSame = true;
      for (int run = 0; run < 40 && isSame; ++run)
        isSame = agree(first, second, random);
      if (!isMutant) {
        ASSERT_TRUE(isSame) << "a rewrite is wrong";
      }
      for (const bool isStrict : {false, true}) {
        PartitionedOptions options;
        if (isStrict) options.floats = FloatLaws::None;
        const PartitionedEquality equality = compare(a, b, options);
        const Verdict &verdict = equality.verdict;
        if (verdict.isSame()) {
          ASSERT_TRUE(isSame);
        }
        if (verdict.answer == Verdict::Different) {
          // The largest of many numbers is rarely below zero.
          for (int run = 0; run < 400 && isSame; ++run)
            for (const Interval values : {Interval{-3, -1}, Interval{1, 3},
                                          Interval{-99, 99}, Interval{-3, 3}})
              isSame &= agree(first, second, random, values);
          ASSERT_FALSE(isSame);
          ASSERT_TRUE(verdict.witness);
        }
        if (isStrict) continue;
        ++(isMutant ? mutants : rightOnes);
        decided += isMutant && verdict.isDecided();
        rightEqual += !isMutant && verdict.isSame();
        if (!verdict.isDecided())
          ++reasons[equality.results[0].because
                        ? equality.results[0].because->reason
                        : "terms"];
      }
    }
  }
  std::cout << "right: " << rightEqual << " of " << rightOnes
            << " equal; mutants: " << decided << " of " << mutants
            << " decided\n";
  for (const auto &[reason, count] : reasons)
    std::cout << "  " << count << " undecided: " << reason << "\n";
  EXPECT_GE(rightEqual * 100, rightOnes * 95);
  EXPECT_GE(decided * 100, mutants * 90);
}

}  // namespace
}  // namespace indexical
