// Plans of random reshards, run on all devices; mutants of their texts; the
// bounds of Shardy's tests and of random meshes.
#include "indexical/answers/reshard/reshard.h"

#include <fstream>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/reshard/first_plans.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/sharding/reshard.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/answers/reshard/plan_run.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using testing::PlanArray;
using testing::PlanRun;
using testing::Random;

/// A number that stands for any, where an array has padding.
constexpr int64_t kPadding = -7777;

int64_t elementNumber(llvm::ArrayRef<int64_t> index,
                      llvm::ArrayRef<int64_t> sizes) {
  int64_t number = 0;
  for (auto [at, size] : llvm::zip_equal(index, sizes))
    number = number * size + at;
  return number + 1;
}

/// Returns what devices hold. An element is its number; if it has parts, they
/// add up to that.
std::vector<PlanArray> heldBy(const ShardedRelation &relation,
                              int64_t devices) {
  const int64_t parts = relation.sharding().parts();
  std::vector<PlanArray> all(devices);
  for (int64_t device = 0; device < devices; ++device) {
    PlanArray &of = all[device];
    of.sizes.assign(relation.local().begin(), relation.local().end());
    int64_t count = 1;
    for (int64_t size : of.sizes) count *= size;
    for (int64_t k = 0; k < count; ++k) {
      Int64s at(of.sizes.size());
      int64_t rest = k;
      for (size_t d = at.size(); d-- > 0; rest /= of.sizes[d])
        at[d] = rest % of.sizes[d];
      const auto global = relation.globalOf(device, at);
      int64_t number =
          global ? elementNumber(*global, relation.global()) : kPadding;
      if (global && parts > 1) {
        const int64_t part = relation.sharding().holding(device)->part;
        // Part 0 is what the others leave.
        const int64_t own = 1000 + 7 * number * number;
        number = part == 0 ? number - own * (parts - 1) * parts / 2
                           : own * part;
      }
      of.numbers.push_back(number);
    }
  }
  return all;
}

/// Returns whether the text, run on all devices, leaves each with its elements.
bool runsRight(const std::string &hlo, const ShardedRelation &from,
               const ShardedRelation &to, int64_t devices, PlanRun &run) {
  run = testing::runPlan(hlo, heldBy(from, devices));
  if (!run.mistake.empty()) return false;
  const std::vector<PlanArray> wanted = heldBy(to, devices);
  for (int64_t device = 0; device < devices; ++device) {
    const PlanArray &is = run.results[device], &should = wanted[device];
    if (is.sizes != should.sizes) return false;
    for (size_t k = 0; k < is.numbers.size(); ++k)
      if (should.numbers[k] != kPadding && is.numbers[k] != should.numbers[k])
        return false;
  }
  return true;
}

struct Pair {
  ShardedRelation from, to;
  int64_t devices;
  std::string words;
};

absl::StatusOr<ShardedRelation> relationOf(const std::string &text,
                                           llvm::ArrayRef<int64_t> shape,
                                           const ShardingContext &context) {
  auto shardings =
      shardingsOf(text, {ArrayShape(ElementType::F32, shape)}, context);
  if (!shardings.ok()) return shardings.status();
  return ShardedRelation::make(shape, (*shardings)[0]);
}

/// Returns a sharding of some axes, or parts of axes, in any dimensions.
std::string randomSharding(llvm::ArrayRef<int64_t> axes, size_t rank,
                           bool mayHaveParts, Random &random) {
  std::vector<std::string> dimensions(rank);
  std::string parts;
  for (int64_t axis : random.permutation(axes.size())) {
    std::string name = "\"" + std::string(1, 'a' + axis) + "\"";
    const int64_t size = axes[axis];
    if (size == 4 && random.oneIn(3))
      name += random.oneIn(2) ? ":(1)2" : ":(2)2";
    const int64_t k = random.in(-1, rank - 1);
    if (k < 0) {
      if (mayHaveParts && parts.empty() && random.oneIn(2)) parts = name;
      continue;
    }
    dimensions[k] += (dimensions[k].empty() ? "" : ", ") + name;
  }
  std::string text = "<@m, [";
  for (size_t k = 0; k < rank; ++k)
    text += (k ? ", {" : "{") + dimensions[k] + "}";
  return text + "]" + (parts.empty() ? "" : ", unreduced={" + parts + "}") +
         ">";
}

std::optional<Pair> randomPair(Random &random) {
  std::vector<int64_t> axes;
  int64_t devices = 1;
  for (int64_t count = random.in(1, 3); count > 0; --count) {
    axes.push_back(random.in(2, 4));
    devices *= axes.back();
  }
  if (devices > 32) return std::nullopt;
  const auto meshOf = [&](bool isPermuted) {
    std::string text = "<[";
    for (size_t k = 0; k < axes.size(); ++k)
      text += (k ? ", \"" : "\"") + std::string(1, 'a' + k) +
              "\"=" + std::to_string(axes[k]);
    text += "]";
    if (isPermuted) {
      text += ", device_ids=[";
      const auto order = random.permutation(devices);
      for (auto [k, device] : llvm::enumerate(order))
        text += (k ? ", " : "") + std::to_string(device);
      text += "]";
    }
    return text + ">";
  };
  const size_t rank = random.in(1, 3);
  std::vector<int64_t> shape;
  for (size_t k = 0; k < rank; ++k)
    shape.push_back(random.oneIn(3) ? random.in(1, 13)
                                    : devices * random.in(1, 2));
  int64_t elements = 1;
  for (int64_t size : shape) elements *= size;
  if (elements > 4096) return std::nullopt;
  ShardingContext source, target;
  target.devices = source.devices = devices;
  target.meshes["m"] = meshOf(random.oneIn(4));
  source.meshes["m"] = random.oneIn(4) ? meshOf(true) : target.meshes["m"];
  const std::string from =
      randomSharding(axes, rank, random.oneIn(5), random);
  const std::string to = randomSharding(axes, rank, false, random);
  auto a = relationOf(from, shape, source), b = relationOf(to, shape, target);
  EXPECT_TRUE(a.ok()) << a.status() << from;
  EXPECT_TRUE(b.ok()) << b.status() << to;
  if (!a.ok() || !b.ok()) return std::nullopt;
  return Pair{*a, *b, devices,
              from + " on " + source.meshes["m"] + " to " + to + " on " +
                  target.meshes["m"] + ", " +
                  ArrayShape(ElementType::F32, shape).str()};
}

/// Checks that a device sends once in each permute. `areFewest`: that no fewer
/// permutes of the messages would do, by König's theorem.
void checkPermutes(const PlanRun &run, bool areFewest) {
  for (const auto &[sizes, permutes] : run.permutes) {
    std::map<int64_t, size_t> sends, receives;
    size_t most = 0;
    for (const auto &pairs : permutes) {
      std::map<int64_t, int> sources, targets;
      for (auto [source, target] : pairs) {
        EXPECT_EQ(++sources[source], 1) << "a source twice";
        EXPECT_EQ(++targets[target], 1) << "a target twice";
        most = std::max({most, ++sends[source], ++receives[target]});
      }
    }
    EXPECT_TRUE(permutes.size() == most || !areFewest);
  }
}

TEST(ReshardTest, PlansRunRight) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 89);
  const uint64_t count = testing::fromEnvironment("INDEXICAL_RESHARDS", 400);
  std::cout << "seed " << seed << "\n";
  Random random(seed);
  size_t plans = 0, digits = 0, parts = 0;
  for (uint64_t n = 0; n < count; ++n) {
    const auto pair = randomPair(random);
    if (!pair) continue;
    SCOPED_TRACE(pair->words);
    auto found = reshardPlans(pair->from, pair->to, ElementType::F32);
    ASSERT_TRUE(found.ok()) << found.status();
    const auto needs = needsOf(pair->from, pair->to);
    ASSERT_TRUE(needs.ok());
    EXPECT_EQ(found->neededBytes, 4 * needs->all);
    const bool hasParts = pair->from.sharding().parts() > 1;
    parts += hasParts;
    if (!hasParts) {
      EXPECT_EQ(found->plans.front().plan.allBytes, found->neededBytes);
    }
    for (const ProvedPlan &each : found->plans) {
      PlanRun run;
      EXPECT_TRUE(runsRight(each.plan.hlo, pair->from, pair->to, pair->devices,
                            run))
          << run.mistake << "\n"
          << each.plan.hlo;
      EXPECT_TRUE(each.isProved()) << each.verdict.reason << "\n"
                                   << each.plan.hlo;
      EXPECT_EQ(each.plan.allBytes, 4 * run.received);
      EXPECT_EQ(each.plan.collectives, run.collectives);
      EXPECT_GE(each.plan.allBytes, found->neededBytes);
      int64_t bytes = 0;
      bool isByDigits = false;
      for (const ReshardStep &step : each.plan.steps) {
        bytes += step.bytes;
        isByDigits |= step.op != ReshardStep::Op::Permute;
      }
      EXPECT_EQ(bytes, each.plan.allBytes);
      checkPermutes(run, !isByDigits && run.collectives > 1);
      ++plans;
      digits += isByDigits;
      for (const ProvedPlan &other : found->plans)
        EXPECT_FALSE(&other != &each &&
                     other.plan.allBytes <= each.plan.allBytes &&
                     other.plan.collectives <= each.plan.collectives &&
                     other.plan.peakBytes <= each.plan.peakBytes)
            << "a plan is beaten";
    }
  }
  std::cout << plans << " plans, " << digits << " by digits, of " << parts
            << " reshards with parts\n";
  EXPECT_GT(plans, count / 2);
}

/// Changes one number of the text: of a pair, of a table, of a group or of a
/// permutation of dimensions. Returns nothing if there is none.
std::optional<std::string> mutantOf(const std::string &hlo, Random &random) {
  std::vector<std::pair<size_t, size_t>> numbers;
  for (const std::string key :
       {"source_target_pairs=", "replica_groups=", " constant({",
        "dimensions={"})
    for (size_t at = hlo.find(key); at != std::string::npos;
         at = hlo.find(key, at + 1)) {
      const size_t end = hlo.find('\n', at);
      for (size_t k = at; k < end; ++k)
        if (isdigit(hlo[k]) && !isdigit(hlo[k - 1])) {
          size_t last = k;
          while (isdigit(hlo[last])) ++last;
          numbers.push_back({k, last - k});
        }
    }
  if (numbers.size() < 2) return std::nullopt;
  const auto [a, sizeA] = numbers[random.in(0, numbers.size() - 1)];
  if (random.oneIn(2)) {
    std::string mutant = hlo;
    mutant.replace(a, sizeA, std::to_string(random.in(0, 7)));
    return mutant;
  }
  // Two neighbours change places: members of a group, or two targets.
  for (size_t k = 0; k + 1 < numbers.size(); ++k) {
    if (numbers[k].first != a) continue;
    const size_t by = 1 + random.in(0, 1);
    if (k + by >= numbers.size()) break;
    const auto [b, sizeB] = numbers[k + by];
    std::string mutant = hlo.substr(0, a) + hlo.substr(b, sizeB) +
                         hlo.substr(a + sizeA, b - a - sizeA) +
                         hlo.substr(a, sizeA) + hlo.substr(b + sizeB);
    return mutant;
  }
  return std::nullopt;
}

TEST(ReshardTest, NoMutantIsProvedThatRunsOtherwise) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 90);
  const uint64_t count = testing::fromEnvironment("INDEXICAL_MUTANTS", 40);
  std::cout << "seed " << seed << "\n";
  Random random(seed);
  uint64_t mutants = 0, wrong = 0, proved = 0, different = 0;
  while (mutants < count) {
    const auto pair = randomPair(random);
    if (!pair) continue;
    SCOPED_TRACE(pair->words);
    auto found = reshardPlans(pair->from, pair->to, ElementType::F32);
    ASSERT_TRUE(found.ok()) << found.status();
    for (const ProvedPlan &each : found->plans) {
      const auto mutant = mutantOf(each.plan.hlo, random);
      if (!mutant || *mutant == each.plan.hlo) continue;
      Ask ask;
      ask.budget.operations = 20'000;
      const auto program = parseHlo(*mutant);
      // The text is no program, or its groups are none.
      if (!program.ok()) continue;
      const auto verdict =
          isReshard(*program, pair->from, pair->to, ElementType::F32, ask);
      if (!verdict.ok()) continue;
      PlanRun run;
      ++mutants;
      const bool isRight = runsRight(*mutant, pair->from, pair->to,
                                     pair->devices, run);
      wrong += !isRight;
      proved += verdict->isSame();
      different += verdict->answer == Verdict::Different;
      EXPECT_FALSE(!isRight && verdict->isSame()) << run.mistake << *mutant;
      EXPECT_FALSE(isRight && verdict->answer == Verdict::Different) << *mutant;
    }
  }
  std::cout << mutants << " mutants, " << wrong << " run otherwise, "
            << different << " are different, " << proved << " are proved\n";
  EXPECT_GT(wrong, mutants / 3);
}

std::string meshText(const json::Array &axes, const json::Array *ids) {
  std::string text = "<[";
  for (const json::Value &axis : axes) {
    const json::Array &of = *axis.getAsArray();
    text += (text.size() > 2 ? ", \"" : "\"") + of[0].getAsString()->str() +
            "\"=" + std::to_string(*of[1].getAsInteger());
  }
  text += "]";
  if (ids) {
    text += ", device_ids=[";
    for (auto [k, id] : llvm::enumerate(*ids))
      text += (k ? ", " : "") + std::to_string(*id.getAsInteger());
    text += "]";
  }
  return text + ">";
}

TEST(ReshardTest, BoundsOfTheSpecification) {
  if (testing::corpusPath().empty()) GTEST_SKIP() << testing::kNoCorpus;
  size_t reached = 0, fewer = 0;
  for (const char *name : {"random", "shardy"}) {
    std::ifstream in(testing::corpusPath() + "/../spmd_pairs/reshards_" + name +
                     ".jsonl");
    for (std::string line; std::getline(in, line);) {
      auto value = json::parse(line);
      ASSERT_TRUE(!!value) << llvm::toString(value.takeError());
      const json::Object &one = *value->getAsObject();
      SCOPED_TRACE(one.getString("id")->str());
      ReshardQuestion question;
      question.from = one.getString("from")->str();
      question.to = one.getString("to")->str();
      const json::Array &mesh = *one.getArray("mesh");
      question.meshes = {"m=" + meshText(mesh, one.getArray("device_ids"))};
      if (mesh.empty()) question.partitions = 1;
      if (one.getArray("from_mesh") || one.getArray("from_device_ids"))
        question.fromMeshes = {
            "m=" + meshText(one.getArray("from_mesh")
                                ? *one.getArray("from_mesh")
                                : mesh,
                            one.getArray("from_device_ids"))};
      question.shape = "f32[";
      for (const json::Value &size : *one.getArray("shape"))
        question.shape += (question.shape.size() > 4 ? "," : "") +
                          std::to_string(*size.getAsInteger());
      question.shape += "]";
      const auto found = reshardPlans(question);
      ASSERT_TRUE(found.ok()) << found.status();
      const ProvedPlan &best = found->plans.front();
      EXPECT_EQ(found->neededBytes, 4 * *one.getInteger("least"));
      EXPECT_EQ(best.plan.allBytes, found->neededBytes);
      for (const ProvedPlan &plan : found->plans)
        EXPECT_TRUE(plan.isProved()) << plan.verdict.reason;
      ++reached;
      if (const auto shardys = one.getInteger("shardy")) {
        EXPECT_LE(best.plan.allBytes, 4 * *shardys);
        fewer += best.plan.allBytes < 4 * *shardys;
      }
    }
  }
  std::cout << reached << " reach their bounds, " << fewer
            << " move less than Shardy's\n";
  EXPECT_EQ(reached, 191u);
}

ReshardAnswer answerTo(ReshardQuestion question) {
  auto found = reshardPlans(question);
  EXPECT_TRUE(found.ok()) << found.status();
  return found.ok() ? *found : ReshardAnswer();
}

ReshardQuestion questionOf(const std::string &from, const std::string &to,
                           const std::string &mesh, const std::string &shape) {
  ReshardQuestion question;
  question.from = from;
  question.to = to;
  question.meshes = {"m=" + mesh};
  question.shape = shape;
  return question;
}

TEST(ReshardTest, SaysWhichCollectives) {
  const auto opsOf = [](const std::string &from, const std::string &to) {
    std::string ops;
    const ReshardAnswer found =
        answerTo(questionOf(from, to, "<[\"x\"=4, \"y\"=2]>", "f32[16,16]"));
    for (const ReshardStep &step : found.plans.front().plan.steps)
      ops += (ops.empty() ? "" : " ") + nameOf(step.op).str();
    return ops;
  };
  EXPECT_EQ(opsOf("<@m, [{\"x\"}, {}]>", "<@m, [{}, {\"x\"}]>"), "all-to-all");
  EXPECT_EQ(opsOf("<@m, [{\"x\"}, {}]>", "<@m, [{}, {}]>"), "all-gather");
  EXPECT_EQ(opsOf("<@m, [{}, {}]>", "<@m, [{}, {\"x\"}]>"), "slice");
  EXPECT_EQ(opsOf("<@m, [{\"x\"}, {\"y\"}]>", "<@m, [{\"x\"}, {\"y\"}]>"), "");
  EXPECT_EQ(opsOf("<@m, [{\"x\", \"y\"}, {}]>", "<@m, [{\"y\", \"x\"}, {}]>"),
            "collective-permute");
  EXPECT_EQ(opsOf("<@m, [{}, {}], unreduced={\"x\"}>", "<@m, [{\"x\"}, {}]>"),
            "reduce-scatter");
  EXPECT_EQ(opsOf("<@m, [{}, {}], unreduced={\"x\"}>", "<@m, [{}, {}]>"),
            "all-reduce");
}

TEST(ReshardTest, MemoryAndLatencyChoose) {
  ReshardQuestion question =
      questionOf("<@m, [{\"x\"}, {}]>", "<@m, [{\"y\"}, {\"z\"}]>",
                 "<[\"x\"=8, \"y\"=2, \"z\"=4]>", "f32[64,12]");
  const ReshardAnswer all = answerTo(question);
  ASSERT_GE(all.plans.size(), 2u);
  EXPECT_EQ(all.plans[0].plan.allBytes, all.neededBytes);
  // A collective costs more than the bytes that it saves.
  question.latency = 1'000'000;
  const ReshardAnswer slow = answerTo(question);
  EXPECT_LT(slow.plans[0].plan.collectives, all.plans[0].plan.collectives);
  EXPECT_GT(slow.plans[0].plan.allBytes, all.plans[0].plan.allBytes);
  question.latency = 0;
  question.memory = all.plans[0].plan.peakBytes;
  for (const ProvedPlan &plan : answerTo(question).plans)
    EXPECT_LE(plan.plan.peakBytes, *question.memory);
  question.memory = 8;
  EXPECT_FALSE(reshardPlans(question).ok());
}

// What lists of reshards name is the first plan of the answer, with its proof.
TEST(ReshardTest, FirstPlansAreThoseOfTheAnswer) {
  constexpr uint64_t kSeed = 91;
  std::cout << "seed " << kSeed << "\n";
  Random random(kSeed);
  int checked = 0;
  for (int n = 0; n < 12; ++n) {
    const auto pair = randomPair(random);
    if (!pair) continue;
    const auto all = reshardPlans(pair->from, pair->to, ElementType::F32);
    FirstPlans plans;
    const auto first = plans.of(pair->from, pair->to, ElementType::F32);
    ASSERT_EQ(first.has_value(), all.ok() && all->plans[0].isProved());
    if (!first) continue;
    const ReshardPlan &best = all->plans[0].plan;
    EXPECT_EQ(first->allBytes, best.allBytes);
    EXPECT_EQ(first->collectives, best.collectives);
    EXPECT_EQ(first->replicationBytes, all->replicationBytes);
    ASSERT_EQ(first->steps.size(), best.steps.size());
    for (auto [op, step] : llvm::zip_equal(first->steps, best.steps))
      EXPECT_EQ(op, step.op);
    // Asked again, it is the same.
    const auto again = plans.of(pair->from, pair->to, ElementType::F32);
    ASSERT_TRUE(again.has_value());
    EXPECT_EQ(again->steps, first->steps);
    ++checked;
  }
  EXPECT_GE(checked, 4);
}

TEST(ReshardTest, FirstPlansHaveBounds) {
  FirstPlans plans;
  auto rows = [](int64_t size, int64_t devices) {
    const std::string count = std::to_string(devices);
    return *relationOf("{devices=[" + count + ",1]<=[" + count + "]}",
                       {size, 2}, ShardingContext());
  };
  auto whole = [](int64_t size, int64_t devices) {
    return *ShardedRelation::make({size, 2}, Sharding::replicated(2, devices));
  };
  const int64_t most = FirstPlans::kMostDevices;
  EXPECT_FALSE(plans.of(rows(2 * most, 2 * most), whole(2 * most, 2 * most),
                        ElementType::F32));
  for (size_t k = 1; k <= FirstPlans::kMost; ++k)
    EXPECT_TRUE(plans.of(rows(2 * k, 2), whole(2 * k, 2), ElementType::F32));
  const int64_t more = 2 * FirstPlans::kMost + 2;
  EXPECT_FALSE(plans.of(rows(more, 2), whole(more, 2), ElementType::F32));
  // One that is known is named all the same.
  EXPECT_TRUE(plans.of(rows(2, 2), whole(2, 2), ElementType::F32));
}

TEST(ReshardTest, OtherFormsOfTheTextAreThePlan) {
  Random random(7);
  size_t read = 0;
  for (int n = 0; n < 60; ++n) {
    const auto pair = randomPair(random);
    if (!pair) continue;
    SCOPED_TRACE(pair->words);
    auto found = reshardPlans(pair->from, pair->to, ElementType::BF16);
    ASSERT_TRUE(found.ok()) << found.status();
    const ReshardPlan &plan = found->plans.front().plan;
    auto other = importMlir(plan.stablehlo);
    ASSERT_TRUE(other.ok()) << other.status() << plan.stablehlo;
    const auto verdict =
        isReshard(*other, pair->from, pair->to, ElementType::BF16);
    ASSERT_TRUE(verdict.ok()) << verdict.status() << plan.stablehlo;
    EXPECT_TRUE(verdict->isSame()) << verdict->reason << plan.stablehlo;
    ++read;
  }
  EXPECT_GT(read, 30u);
}

TEST(ReshardTest, MistakesNameTheOption) {
  ReshardQuestion question = questionOf("<@m, [{\"x\"}]>", "<@m, [{}, {}]>",
                                        "<[\"x\"=4]>", "f32[8,8]");
  EXPECT_EQ(reshardPlans(question).status().message().substr(0, 6), "--from");
  question.from = "<@m, [{\"x\"}, {}]>";
  question.to = "<@m, [{\"y\"}, {}]>";
  EXPECT_EQ(reshardPlans(question).status().message().substr(0, 4), "--to");
  question.to = "<@m, [{}, {}], unreduced={\"x\"}>";
  EXPECT_EQ(reshardPlans(question).status().message(),
            "the target has parts");
  question.shape = "f32[8";
  EXPECT_EQ(reshardPlans(question).status().message().substr(0, 14),
            "--global-shape");
}

TEST(ReshardTest, ShardyHasAForm) {
  const ReshardAnswer found = answerTo(
      questionOf("<@m, [{\"x\"}, {\"y\"}]>", "<@m, [{}, {\"y\", \"x\"}]>",
                 "<[\"x\"=2, \"y\"=2]>", "f32[8,8]"));
  EXPECT_NE(found.plans[0].plan.shardy.find(
                "%0 = sdy.all_to_all [{\"x\"}: 0->1] %arg0 out_sharding=<@m, "
                "[{}, {\"y\", \"x\"}]> : tensor<8x8xf32>"),
            std::string::npos)
      << found.plans[0].plan.shardy;
}

}  // namespace
}  // namespace indexical
