// Whether ops need communication, against every element of every device.
#include "indexical/cost/communication/local_reads.h"

#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;
using Index = std::vector<int64_t>;

/// An op of x of sizes [a, b], and what an index of its result reads.
struct Case {
  std::string text;
  Index sizes;
  std::vector<Index> (*reads)(const Index &at, const Index &operand);
};

std::vector<Case> casesOf(int64_t a, int64_t b) {
  auto sizes = [](const Index &all) {
    std::string text;
    for (int64_t size : all)
      text += (text.empty() ? "" : ",") + std::to_string(size);
    return "f32[" + text + "] ";
  };
  return {
      {sizes({a, b}) + "negate(x)",
       {a, b},
       [](const Index &at, const Index &) { return std::vector<Index>{at}; }},
      {sizes({b, a}) + "transpose(x), dimensions={1,0}",
       {b, a},
       [](const Index &at, const Index &) {
         return std::vector<Index>{{at[1], at[0]}};
       }},
      {sizes({a, b}) + "reverse(x), dimensions={0}",
       {a, b},
       [](const Index &at, const Index &of) {
         return std::vector<Index>{{of[0] - 1 - at[0], at[1]}};
       }},
      {sizes({a, 3, b}) + "broadcast(x), dimensions={0,2}",
       {a, 3, b},
       [](const Index &at, const Index &) {
         return std::vector<Index>{{at[0], at[2]}};
       }},
      {sizes({a * b}) + "reshape(x)",
       {a * b},
       [](const Index &at, const Index &of) {
         return std::vector<Index>{{at[0] / of[1], at[0] % of[1]}};
       }},
      {sizes({a}) + "reduce(x, z), dimensions={1}, to_apply=add",
       {a},
       [](const Index &at, const Index &of) {
         std::vector<Index> all;
         for (int64_t j = 0; j < of[1]; ++j) all.push_back({at[0], j});
         return all;
       }},
      {sizes({a, b - 1}) + "slice(x), slice={[0:" + std::to_string(a) +
           "], [1:" + std::to_string(b) + "]}",
       {a, b - 1},
       [](const Index &at, const Index &) {
         return std::vector<Index>{{at[0], at[1] + 1}};
       }},
  };
}

/// A sharding of that rank over the devices, in any order.
std::string shardingOf(Random &random, size_t rank, int64_t devices) {
  if (random.oneIn(6)) return "{replicated}";
  if (random.oneIn(8))
    return "{maximal device=" + std::to_string(random.in(0, devices - 1)) + "}";
  Index tiles(rank, 1);
  int64_t left = devices;
  for (int64_t &tile : tiles)
    for (int64_t by : {2, 3})
      if (left % by == 0 && random.oneIn(2)) tile *= by, left /= by;
  std::string text = "{devices=[";
  for (int64_t tile : tiles) text += std::to_string(tile) + ",";
  Index order;
  for (int64_t d = 0; d < devices; ++d)
    order.insert(order.begin() + random.in(0, d), d);
  text += std::to_string(left) + "]";
  if (random.oneIn(2)) {
    text += "<=[" + std::to_string(devices) + "]";
  } else {
    for (int64_t d = 0; d < devices; ++d)
      text += (d ? "," : "") + std::to_string(order[d]);
  }
  return text + " last_tile_dim_replicate}";
}

ShardedRelation relationOf(const std::string &text, const Index &sizes,
                           int64_t devices) {
  ShardingContext context;
  context.devices = devices;
  auto read = shardingsOf(
      text, llvm::ArrayRef(ArrayShape(ElementType::F32, sizes)), context);
  EXPECT_TRUE(read.ok()) << read.status() << text;
  return *ShardedRelation::make(sizes, (*read)[0]);
}

TEST(LocalReadsTest, EveryElementOfEveryDevice) {
  const uint64_t instances =
      testing::fromEnvironment("INDEXICAL_LOCAL_READS", 1'000);
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  int64_t local = 0;
  for (uint64_t i = seed; i < seed + instances; ++i) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(i));
    Random random(i);
    const int64_t devices = random.oneIn(2) ? 4 : 6;
    const Index operand = {random.in(2, 9), random.in(2, 9)};
    const auto cases = casesOf(operand[0], operand[1]);
    const Case &each = cases[random.in(0, cases.size() - 1)];
    const std::string text =
        "HloModule m\nadd { a = f32[] parameter(0)\n b = f32[] parameter(1)\n "
        "ROOT s = f32[] add(a, b) }\nENTRY e {\n x = f32[" +
        std::to_string(operand[0]) + "," + std::to_string(operand[1]) +
        "] parameter(0)\n z = f32[] constant(0)\n ROOT r = " + each.text +
        "\n}\n";
    const std::string ofResult = shardingOf(random, each.sizes.size(), devices),
                      ofOperand =
                          random.oneIn(3) && each.sizes.size() == operand.size()
                              ? ofResult
                              : shardingOf(random, 2, devices);
    SCOPED_TRACE(text + ofResult + ofOperand);
    auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    const auto reads =
        maps.instruction({module.entry, module.computations[module.entry].root},
                         LeafId(0), Direction::OutputToInput);
    ASSERT_TRUE(reads.ok()) << reads.status();
    const ShardedRelation result = relationOf(ofResult, each.sizes, devices),
                          of = relationOf(ofOperand, operand, devices);
    const auto found = localReads(*reads, result, of);
    ASSERT_TRUE(found.ok()) << found.status();
    // Dimensions in which an element is beyond the device's box.
    std::set<int64_t> beyond;
    for (int64_t device = 0; device < devices; ++device) {
      Index at(each.sizes.size(), 0);
      const auto held = of.box(device);
      for (bool more = true; more;) {
        if (result.localOf(device, at))
          for (const Index &read : each.reads(at, operand))
            for (size_t k = 0; k < 2; ++k)
              if (!held || read[k] < (*held)[k].first ||
                  read[k] >= (*held)[k].second)
                beyond.insert(k);
        more = false;
        for (size_t k = at.size(); k-- > 0 && !more;) {
          more = ++at[k] < each.sizes[k];
          if (!more) at[k] = 0;
        }
      }
    }
    ASSERT_NE(found->areLocal, Answer::Undecided) << found->reason;
    ASSERT_EQ(found->areLocal == Answer::Yes, beyond.empty());
    ASSERT_EQ(
        std::set<int64_t>(found->dimensions.begin(), found->dimensions.end()),
        beyond);
    local += beyond.empty();
  }
  EXPECT_GT(local, static_cast<int64_t>(instances) / 8);
  EXPECT_LT(local, static_cast<int64_t>(instances) * 7 / 8);
}

TEST(LocalReadsTest, ABatchOfAGatherIsOnItsDevice) {
  auto program = parseHlo(R"(HloModule m
ENTRY e {
  x = f32[8,100] parameter(0)
  i = s32[8,5] parameter(1)
  ROOT g = f32[8,5] gather(x, i), offset_dims={}, collapsed_slice_dims={1}, start_index_map={1}, operand_batching_dims={0}, start_indices_batching_dims={0}, index_vector_dim=2, slice_sizes={1,1}
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  ProgramIndexing maps(module);
  const auto reads =
      maps.instruction({module.entry, module.computations[module.entry].root},
                       LeafId(0), Direction::OutputToInput);
  ASSERT_TRUE(reads.ok()) << reads.status();
  const auto result = relationOf("{devices=[4,1]<=[4]}", {8, 5}, 4);
  const auto rows = localReads(*reads, result,
                               relationOf("{devices=[4,1]<=[4]}", {8, 100}, 4));
  ASSERT_TRUE(rows.ok()) << rows.status();
  EXPECT_EQ(rows->areLocal, Answer::Yes);
  const auto columns = localReads(
      *reads, result, relationOf("{devices=[2,2]<=[4]}", {8, 100}, 4));
  ASSERT_TRUE(columns.ok()) << columns.status();
  EXPECT_EQ(columns->areLocal, Answer::No);
  EXPECT_EQ(columns->dimensions, std::vector<int64_t>{1});
}

}  // namespace
}  // namespace indexical
