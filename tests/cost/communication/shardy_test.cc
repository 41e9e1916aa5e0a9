// Ops of Shardy that move values: what its own tests of resharding expect, from
// ../shared, against elements that are counted here.
#include <cstdint>
#include <fstream>
#include <iostream>
#include <map>
#include <numeric>
#include <regex>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/communication/reshards.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/ops/address.h"
#include "indexical/program/sharding/program_shardings.h"
#include "indexical/program/sharding/reshard.h"

namespace indexical {
namespace {

constexpr char kMeshes[] = R"(
sdy.mesh @m = <["x"=2, "y"=4]>
sdy.mesh @n = <["x"=2, "y"=2], device_ids=[3, 2, 1, 0]>
)";

struct Found {
  Program program;
  DeviceCounts devices;
  std::vector<Collective> collectives;
  std::vector<Reshard> reshards;
};

Found found(const std::string &text) {
  Found result;
  auto program = importMlir(text);
  EXPECT_TRUE(program.ok()) << program.status() << text;
  if (!program.ok()) return result;
  result.program = *std::move(program);
  const Module &module = result.program.modules[0];
  result.devices = deviceCountsOf(result.program, module);
  auto collectives = collectivesOf(result.program, module, result.devices);
  EXPECT_TRUE(collectives.ok()) << collectives.status();
  if (!collectives.ok()) return result;
  result.collectives = *std::move(collectives);
  result.reshards =
      reshardsOf(result.program, module, result.devices, result.collectives);
  return result;
}

Found foundIn(const std::string &in, const std::string &body,
              const std::string &last, const std::string &type) {
  return found(kMeshes +
               ("func.func @f(%a: " + type + " {sdy.sharding = #sdy.sharding<" +
                in + ">}) -> " + type + " {\n" + body +
                "  %r = stablehlo.negate %" + last + " : " + type +
                "\n  return %r : " + type + "\n}\n"));
}

TEST(ShardyTest, AGatherThenASliceIsAnExchange) {
  const Found of = foundIn(
      R"(@m, [{"x", "y"}, {}])",
      R"(  %0 = sdy.all_gather [{"y"}, {}] %a out_sharding=<@m, [{"x"}, {}]> : tensor<16x8xf32>
  %1 = sdy.all_slice [{}, {"y"}] %0 out_sharding=<@m, [{"x"}, {"y"}]> : tensor<16x8xf32>
)",
      "1", "tensor<16x8xf32>");
  ASSERT_EQ(of.collectives.size(), 1u);
  const DeviceLists groups = {{0, 1, 2, 3}, {4, 5, 6, 7}};
  EXPECT_EQ(of.collectives[0].op, "all-gather");
  EXPECT_EQ(of.collectives[0].groups, groups);
  EXPECT_EQ(of.collectives[0].bytes(), 2 * 8 * 4);
  ASSERT_EQ(of.reshards.size(), 1u);
  const Reshard &one = of.reshards[0];
  EXPECT_EQ(one.all, 8 * 3 * 64);
  EXPECT_EQ(one.neededAll, 8 * 3 * 16);
  EXPECT_TRUE(one.isExact);
}

TEST(ShardyTest, AMeshOfAnotherOrder) {
  const Found of = foundIn(
      R"(@n, [{"x"}])",
      R"(  %0 = sdy.all_gather [{"x"}] %a out_sharding=<@n, [{}]> : tensor<4xf32>
)",
      "0", "tensor<4xf32>");
  ASSERT_EQ(of.collectives.size(), 1u);
  const DeviceLists groups = {{3, 1}, {2, 0}};
  EXPECT_EQ(of.collectives[0].groups, groups);
  EXPECT_EQ(of.reshards[0].neededAll, 4 * 8);
}

TEST(ShardyTest, WhatIsLoweredLaterHasNoBytes) {
  const Found of =
      foundIn(R"(@m, [{"x"}])",
              R"(  %0 = sdy.reshard %a <@m, [{"y"}]> : tensor<8xf32>
)",
              "0", "tensor<8xf32>");
  ASSERT_EQ(of.reshards.size(), 1u);
  EXPECT_FALSE(of.reshards[0].all);
  // From halves to quarters: half of the devices have their quarter already.
  EXPECT_EQ(of.reshards[0].neededAll, 4 * 2 * 4);
  EXPECT_EQ(of.reshards[0].receives, (Interval{0, 2 * 4}));
}

TEST(ShardyTest, TheBodyOfAManualComputation) {
  const Found of = found(std::string(kMeshes) + R"(
func.func @g(%a: tensor<16x8xf32> {sdy.sharding = #sdy.sharding<@m, [{"x"}, {}]>}) -> tensor<16x8xf32> {
  %0 = sdy.manual_computation(%a) in_shardings=[<@m, [{"x"}, {}]>] out_shardings=[<@m, [{"x"}, {}]>] manual_axes={"x"} (%b: tensor<8x8xf32>) {
    %1 = sdy.all_reduce {"x"} %b out_sharding=<@m, [{}, {}]> : tensor<8x8xf32>
    sdy.return %1 : tensor<8x8xf32>
  } : (tensor<16x8xf32>) -> tensor<16x8xf32>
  return %0 : tensor<16x8xf32>
})");
  ASSERT_EQ(of.collectives.size(), 1u);
  const Collective &sum = of.collectives[0];
  EXPECT_EQ(sum.op, "all-reduce");
  EXPECT_EQ(sum.groups.size(), 4u);
  EXPECT_EQ(sum.bytes(), 8 * 8 * 4);
  ASSERT_EQ(of.reshards.size(), 1u);
  EXPECT_FALSE(of.reshards[0].isFollowed);
  EXPECT_EQ(of.reshards[0].neededAll, *of.reshards[0].all);
}

//===-- Shardy's own tests ------------------------------------------------===//

/// The file with what it expects in place of its reshards.
std::string expectedOf(std::istream &in) {
  std::string text, line, type;
  bool isInside = false, returns = false;
  const std::regex function("^func\\.func @\\w+\\(%arg0 ?: (tensor<[^>]*>)");
  const std::regex name("%\\[\\[(\\w+)(:[^\\]]*)?\\]\\]");
  while (std::getline(in, line)) {
    std::smatch found;
    if (std::regex_search(line, found, function)) {
      type = found[1];
      isInside = true;
      returns = false;
      text += line + "\n";
      continue;
    }
    if (!isInside) {
      if (line.rfind("sdy.mesh", 0) == 0) text += line + "\n";
      continue;
    }
    if (line.rfind("}", 0) == 0) {
      isInside = false;
      if (!returns) text += "  return %V : " + type + "\n";
      text += "}\n";
      continue;
    }
    const size_t at = line.find("// CHECK-NEXT: ");
    if (at == std::string::npos) continue;
    std::string said = line.substr(at + 15);
    returns |= said.rfind("return", 0) == 0;
    // A check may leave out the result's name, and end before the line does.
    if (said.rfind("sdy.", 0) == 0) said = "%V = " + said;
    if (llvm::count(said, '<') > llvm::count(said, '>')) said += ">";
    text += "  " + std::regex_replace(said, name, "%$1") + " : " + type + "\n";
  }
  return text;
}

using Elements = std::set<std::vector<int64_t>>;

/// The elements that each device has.
std::vector<Elements> elementsOf(const ShardedRelation &relation) {
  std::vector<Elements> all;
  for (int64_t d = 0; d < relation.sharding().devices(); ++d) {
    Elements &mine = all.emplace_back();
    const auto box = relation.box(d);
    if (!box) continue;
    std::vector<int64_t> at;
    for (auto [begin, end] : *box) at.push_back(begin);
    bool isEmpty =
        llvm::any_of(*box, [](auto s) { return s.first >= s.second; });
    while (!isEmpty) {
      mine.insert(at);
      size_t k = at.size();
      while (k-- > 0 && ++at[k] >= (*box)[k].second) at[k] = (*box)[k].first;
      if (k == static_cast<size_t>(-1)) break;
    }
  }
  return all;
}

/// The relation of an instruction's array. Each size is padded to a multiple of
/// what `multiples` says, if it says something.
std::optional<ShardedRelation> relationOf(const Program &program,
                                          const Instruction &of,
                                          int64_t devices,
                                          const Int64s &multiples = {}) {
  const Module &module = program.modules[0];
  ShardingContext context = shardingContextOf(module);
  context.devices = -1;
  auto shardings = shardingsOf(program, module, of, context, -1);
  if (!shardings.ok() || shardings->size() != 1) return std::nullopt;
  Sharding sharding = (*shardings)[0];
  if (sharding.devices() < 0)
    sharding = Sharding::replicated(sharding.rank(), devices);
  Int64s sizes(of.shape.leaves()[0].dimensions);
  for (auto [size, multiple] : llvm::zip(sizes, multiples))
    size = (size + multiple - 1) / multiple * multiple;
  auto relation = ShardedRelation::make(sizes, sharding);
  if (!relation.ok()) return std::nullopt;
  return *std::move(relation);
}

/// The instructions of a chain that begins at this one.
std::vector<int32_t> chainOf(const Computation &computation, int32_t first) {
  std::vector<int32_t> chain = {first};
  for (size_t k = 0; k < chain.size(); ++k)
    for (auto [i, instruction] : llvm::enumerate(computation.instructions))
      if (instruction.opcode.starts_with("sdy.") &&
          llvm::is_contained(instruction.operands, chain[k])) {
        chain.push_back(i);
        break;
      }
  return chain;
}

/// Each step gives every device what its sharding says, from the devices of
/// its group alone. Requires tiles that nest.
void checkStep(const Collective &of, const std::vector<Elements> &before,
               const std::vector<Elements> &after) {
  if (of.op == "collective-permute") {
    std::multiset<Elements> a(before.begin(), before.end()),
        b(after.begin(), after.end());
    EXPECT_EQ(a, b);
  }
  for (const auto &group : of.groups) {
    Elements all, wanted;
    for (int64_t member : group) {
      all.insert(before[member].begin(), before[member].end());
      wanted.insert(after[member].begin(), after[member].end());
      if (of.op == "all-gather") {
        EXPECT_GT(after[member].size(), before[member].size());
      }
    }
    EXPECT_EQ(all, wanted);
    if (of.op != "all-gather") continue;
    for (int64_t member : group) EXPECT_EQ(after[member], all);
  }
}

TEST(ShardyTest, WhatItsOwnTestsExpect) {
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  std::ifstream in(std::string(corpus ? corpus : "") +
                   "/../shardings/reshard_to_collectives_1.mlir");
  if (!in) GTEST_SKIP() << "there is no ../shardings beside INDEXICAL_CORPUS";
  const Found of = found(expectedOf(in));
  const Module &module = of.program.modules[0];
  int64_t steps = 0, chains = 0, least = 0, padded = 0;
  double received = 0, needed = 0;
  for (const Reshard &one : of.reshards) {
    const Computation &computation = module.computations[one.computation];
    SCOPED_TRACE(computation.name.str());
    const int64_t devices = of.collectives[one.collectives[0]].devices;
    const auto chain = chainOf(computation, one.instruction);
    auto relationAt = [&](int32_t i, const Int64s &multiples = {}) {
      return relationOf(of.program, computation.instructions[i], devices,
                        multiples);
    };
    const std::optional<ShardedRelation> first = relationAt(chain[0]);
    if (!first) continue;
    // Tiles nest once a size is a multiple of all their counts.
    bool nests = true;
    const bool isKnown = one.all.has_value();
    Int64s multiples(first->global().size(), 1);
    for (int32_t i : chain) {
      const auto relation = relationAt(i);
      ASSERT_TRUE(relation);
      for (auto [k, tiles] : llvm::enumerate(relation->sharding().tiles())) {
        nests &= relation->global()[k] % tiles == 0;
        multiples[k] = std::lcm(multiples[k], tiles);
      }
    }
    padded += !nests;
    std::vector<Elements> before = elementsOf(*relationAt(chain[0], multiples));
    for (int32_t i : llvm::drop_begin(chain)) {
      const auto after = elementsOf(*relationAt(i, multiples));
      if (computation.instructions[i].opcode == "sdy.all_slice") {
        for (auto [mine, had] : llvm::zip(after, before))
          EXPECT_TRUE(
              std::includes(had.begin(), had.end(), mine.begin(), mine.end()));
      }
      for (const Collective &each : of.collectives)
        if (each.computation == one.computation && each.instruction == i) {
          checkStep(each, before, after);
          ++steps;
        }
      before = after;
    }
    const int32_t last = chain.back();
    int64_t elements = 0;
    const std::vector<Elements> had = elementsOf(*first);
    for (auto [mine, held] : llvm::zip(elementsOf(*relationAt(last)), had))
      for (const auto &element : mine) elements += !held.count(element);
    EXPECT_EQ(
        one.neededAll,
        bytesOf(elements,
                storedBits(computation.instructions[last].shape.leaves()[0])));
    EXPECT_TRUE(one.isFollowed);
    ++chains;
    if (!isKnown || !nests) continue;
    EXPECT_GE(*one.all, one.neededAll);
    received += *one.all;
    needed += one.neededAll;
    least += *one.all == one.neededAll;
  }
  std::cout << chains << " chains, " << padded << " of them padded, " << steps
            << " steps; of those with known "
            << "bytes " << least << " move the least, all " << received / needed
            << " times that\n";
  EXPECT_GT(chains, 30);
  EXPECT_GT(padded, 2);
  EXPECT_GT(steps, 60);
  EXPECT_GT(least, 5);
}

}  // namespace
}  // namespace indexical
