// Bytes of each collective by its definition, device counts, topologies.
#include "indexical/cost/communication/collectives.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

#include "indexical/cost/communication/reshards.h"
#include "indexical/cost/communication/topology.h"
#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

const char *const kAdd =
    "add {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
    "  ROOT c = f32[] add(a, b)\n}\n";

struct Found {
  Program program;
  DeviceCounts devices;
  std::vector<Collective> collectives;
};

Found found(const std::string &header, const std::string &body) {
  Found result;
  auto program = parseHlo("HloModule m" + header + "\n" + kAdd + "ENTRY e {\n" +
                          body + "}\n");
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return result;
  result.program = *std::move(program);
  const Module &module = result.program.modules[0];
  result.devices = deviceCountsOf(result.program, module);
  auto collectives = collectivesOf(result.program, module, result.devices);
  EXPECT_TRUE(collectives.ok()) << collectives.status();
  if (collectives.ok()) result.collectives = *std::move(collectives);
  return result;
}

using Range = std::pair<int64_t, int64_t>;
Range rangeOf(Interval interval) { return {interval.lower, interval.upper}; }

TEST(CollectivesTest, BytesOfEachOp) {
  const char *const groups =
      "channel_id=1, use_global_device_ids=true, "
      "replica_groups={{0,1,2,3}}";
  const std::string x = "  x = f32[8] parameter(0)\n  ROOT r = ";
  for (const auto &[op, receives, sends, all] :
       std::vector<std::tuple<std::string, Range, Range, int64_t>>{
           {"f32[32] all-gather(x), dimensions={0}, ", {96, 96}, {96, 96}, 384},
           {"f32[8] all-reduce(x), to_apply=add, ", {48, 48}, {48, 48}, 192},
           {"f32[2] reduce-scatter(x), dimensions={0}, to_apply=add, ",
            {24, 24},
            {24, 24},
            96},
           {"f32[8] all-to-all(x), dimensions={0}, ", {24, 24}, {24, 24}, 96},
           {"f32[8] collective-broadcast(x), ", {0, 32}, {0, 96}, 96},
       }) {
    SCOPED_TRACE(op);
    const Found one = found(", num_partitions=4", x + op + groups + "\n");
    ASSERT_EQ(one.collectives.size(), 1u);
    const Collective &of = one.collectives[0];
    EXPECT_EQ(rangeOf(receivedRange(of, 4)), receives);
    EXPECT_EQ(rangeOf(sentRange(of, 4)), sends);
    EXPECT_EQ(of.all(of.bytes()), all);
    EXPECT_EQ(of.groupSize(), 4);
    // The transfers between devices add up to the bytes received and sent.
    std::map<int64_t, int64_t> in, out;
    of.transfers(of.bytes(), [&](int64_t from, int64_t to, ByteFraction bytes) {
      EXPECT_EQ(bytes.floor(), bytes.ceil());
      in[to] += bytes.floor();
      out[from] += bytes.floor();
    });
    of.received(of.bytes(), [&](int64_t device, ByteFraction bytes) {
      EXPECT_EQ(in[device], bytes.floor()) << device;
    });
    of.sent(of.bytes(), [&](int64_t device, ByteFraction bytes) {
      EXPECT_EQ(out[device], bytes.floor()) << device;
    });
  }
}

TEST(CollectivesTest, PairsStartsAndFractions) {
  const Found permute =
      found(", num_partitions=4",
            "  x = s4[7]{0:E(4)} parameter(0)\n"
            "  ROOT r = s4[7]{0:E(4)} collective-permute(x), "
            "channel_id=1, source_target_pairs={{0,1},{2,2},{1,0}}\n");
  ASSERT_EQ(permute.collectives.size(), 1u);
  // Seven elements of 4 bits are 4 bytes.
  EXPECT_EQ(rangeOf(receivedRange(permute.collectives[0], 4)), Range(0, 4));
  EXPECT_EQ(permute.collectives[0].all(4), 8);
  // A start and its done count once.
  const Found start = found(
      ", num_partitions=2",
      "  x = f32[5] parameter(0)\n"
      "  s = (f32[5], f32[10]) all-gather-start(x), channel_id=1, "
      "use_global_device_ids=true, replica_groups={{0,1}}, dimensions={0}\n"
      "  ROOT d = f32[10] all-gather-done(s)\n");
  ASSERT_EQ(start.collectives.size(), 1u);
  EXPECT_EQ(start.collectives[0].all(20), 40);
  const auto reshards = reshardsOf(start.program, start.program.modules[0],
                                   start.devices, start.collectives);
  ASSERT_EQ(reshards.size(), 1u);
  EXPECT_EQ(reshards[0].neededAll, 40);
  // 2 * 2 * 4 / 3 bytes of each of three.
  const Found third = found(
      ", num_partitions=3",
      "  x = f32[] parameter(0)\n  ROOT r = f32[] all-reduce(x), channel_id=1, "
      "use_global_device_ids=true, replica_groups={{0,1,2}}, to_apply=add\n");
  ASSERT_EQ(third.collectives.size(), 1u);
  EXPECT_EQ(rangeOf(receivedRange(third.collectives[0], 3)), Range(5, 6));
  EXPECT_EQ(third.collectives[0].all(4), 16);
}

TEST(CollectivesTest, TripsAndDeviceCounts) {
  const Found loop = found(
      "",
      "  x = f32[4] parameter(0)\n  ROOT r = f32[4] collective-permute(x), "
      "channel_id=1, source_target_pairs={{0,7}}\n");
  EXPECT_EQ(loop.devices.partitions, 8);
  EXPECT_EQ(loop.devices.replicas, 1);
  const Found replicas =
      found("",
            "  x = f32[4] parameter(0)\n  ROOT r = f32[4] all-reduce(x), "
            "replica_groups={{0,1,2}}, to_apply=add\n");
  EXPECT_EQ(replicas.devices.partitions, 1);
  EXPECT_EQ(replicas.devices.replicas, 3);
  auto bad = parseHlo(std::string("HloModule m, num_partitions=2\n") + kAdd +
                      "ENTRY e {\n  x = f32[4] parameter(0)\n  ROOT r = "
                      "f32[4] all-reduce(x), channel_id=1, "
                      "use_global_device_ids=true, replica_groups={{0,5}}, "
                      "to_apply=add\n}\n");
  ASSERT_TRUE(bad.ok());
  auto wrong = collectivesOf(*bad, bad->modules[0], {1, 2});
  ASSERT_FALSE(wrong.ok());
  ASSERT_TRUE(placeOf(wrong.status()));
  EXPECT_EQ(placeOf(wrong.status())->line, 9u);
}

TEST(CollectivesTest, LinksOfATopology) {
  const Found one =
      found(", num_partitions=4",
            "  x = f32[1000] parameter(0)\n  ROOT r = f32[4000] all-gather(x), "
            "dimensions={0}, channel_id=1, use_global_device_ids=true, "
            "replica_groups={{0,1,2,3}}\n");
  auto topology = parseTopology("within 2: 4 GB/s\nbetween: 1 GB/s # slow\n");
  ASSERT_TRUE(topology.ok()) << topology.status();
  const LinkTimes times = linkTimesOf(one.collectives[0], *topology, 4);
  // 4000 bytes from one device of the host, 8000 from two of the other one.
  ASSERT_TRUE(times.within && times.between);
  EXPECT_DOUBLE_EQ(*times.within, 1);
  EXPECT_DOUBLE_EQ(*times.between, 8);
  for (const auto &[text, line, column] :
       {std::tuple("within 2: 4 GB/s\nbetween: fast", 2u, 1u),
        std::tuple("between: 4 GB/s", 1u, 1u),
        std::tuple("within: 4 GB/s", 1u, 1u),
        std::tuple("within 8: 1 TB/s; within 4: 1 GB/s", 1u, 19u),
        std::tuple("within 0: 1 GB/s", 1u, 1u),
        std::tuple("within 2: -1 GB/s", 1u, 1u)}) {
    auto wrong = parseTopology(text);
    ASSERT_FALSE(wrong.ok()) << text;
    EXPECT_EQ(placeOf(wrong.status())->line, line) << text;
    EXPECT_EQ(placeOf(wrong.status())->column, column) << text;
  }
}

}  // namespace
}  // namespace indexical
