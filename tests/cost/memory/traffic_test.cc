// Accesses that no program made: a kernel written by hand is measured as those
// of a module are.
#include "indexical/cost/memory/traffic.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/map_text.h"

namespace indexical {
namespace {

IndexingRelation relation(const std::string &text) {
  auto parsed = parseMap(text);
  EXPECT_TRUE(parsed.ok()) << parsed.status().message();
  return IndexingRelation(*parsed);
}

/// out[i, j] = in[j, i], i < 1024, j < 512, as a kernel of a block a row would
/// be written in the gpu dialect: a thread a column, the block's number the
/// row.
KernelAccesses transposition() {
  KernelAccesses kernel;
  const ArrayShape in(ElementType::F32, {512, 1024});
  const ArrayShape out(ElementType::F32, {1024, 512});
  LaunchSpace launch;
  launch.shape = out;
  launch.order = ThreadOrder::Given;
  launch.threads =
      relation(
          "(th_x, th_y, th_z, bl_x, bl_y, bl_z) -> (bl_x, th_x), domain: th_x "
          "in [0, 511], th_y in [0, 0], th_z in [0, 0], bl_x in [0, 1023], "
          "bl_y in [0, 0], bl_z in [0, 0]")
          .pieces()[0];
  kernel.launches.push_back(launch);
  kernel.buffers = {in, out};
  MemoryAccess load, store;
  load.buffer = 0;
  load.map =
      relation("(d0, d1) -> (d1, d0), domain: d0 in [0, 1023], d1 in [0, 511]");
  load.place = 17;
  store.buffer = 1;
  store.map =
      relation("(d0, d1) -> (d0, d1), domain: d0 in [0, 1023], d1 in [0, 511]");
  store.place = 23;
  kernel.reads.push_back(load);
  kernel.writes.push_back(store);
  return kernel;
}

TEST(Traffic, AKernelOfNoProgramIsMeasured) {
  const KernelAccesses kernel = transposition();
  TrafficMeter meter(*findDevice("h100"));
  const KernelTraffic traffic = meter.measure(kernel);
  ASSERT_EQ(traffic.threads.size(), 1u);
  EXPECT_EQ(traffic.threads[0], *kernel.launches[0].threads);
  const Traffic &load = traffic.reads[0], &store = traffic.writes[0];
  ASSERT_TRUE(load.figures && store.figures);
  // A sector of 32 bytes for each element, and for each eight of them.
  EXPECT_EQ(load.figures->sectors, (Figure{1024 * 512, 1024 * 512}));
  EXPECT_EQ(store.figures->sectors, (Figure{1024 * 64, 1024 * 64}));
  EXPECT_EQ(load.finding.pattern.kind, PatternKind::Transposed);
  EXPECT_EQ(load.finding.pattern.bits, 1024 * 32);
  EXPECT_EQ(load.finding.remedy.kind, RemedyKind::SharedTile);
  EXPECT_EQ(store.finding.pattern.kind, PatternKind::Contiguous);
  EXPECT_EQ(store.finding.remedy.kind, RemedyKind::None);
  EXPECT_EQ(load.access.place, 17);
  EXPECT_EQ(store.access.place, 23);
  EXPECT_EQ(load.bytes, 512 * 1024 * 4);
  EXPECT_EQ(traffic.wasted(), 1024 * 512 * 32 - 512 * 1024 * 4);
}

TEST(Traffic, TripsCount) {
  KernelAccesses kernel = transposition();
  TrafficMeter meter(*findDevice("h100"));
  const int64_t once = meter.measure(kernel).wasted();
  kernel.trips = 5;
  EXPECT_EQ(meter.measure(kernel).wasted(), 5 * once);
  EXPECT_EQ(meter.measure(kernel).moved(meter.device()),
            int64_t{5} * 1024 * 512 * 32);
}

/// The domain of an access says which threads take part.
TEST(Traffic, ThreadsOutsideOfTheDomainDoNothing) {
  KernelAccesses kernel = transposition();
  kernel.writes[0].map = relation(
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 99], d1 in [0, 511], d0 mod 2 "
      "in [0, 0]");
  const KernelTraffic traffic =
      TrafficMeter(*findDevice("h100")).measure(kernel);
  EXPECT_EQ(traffic.writes[0].figures->activeLanes,
            (Figure{50 * 512, 50 * 512}));
}

TEST(Traffic, LanesMoveWhatTheAccessSays) {
  KernelAccesses kernel;
  const ArrayShape shape(ElementType::F32, {4096});
  kernel.launches.emplace_back().shape = shape;
  kernel.launchBy(*linearThreads(shape, {128, 1, 4}));
  kernel.buffers = {shape};
  MemoryAccess load;
  load.map = relation("(d0) -> (d0), domain: d0 in [0, 4095]");
  kernel.reads = {load, load};
  kernel.reads[1].laneBytes = 4;
  const KernelTraffic traffic =
      TrafficMeter(*findDevice("h100")).measure(kernel);
  EXPECT_EQ(traffic.reads[0].figures->vector, 4);
  EXPECT_EQ(traffic.reads[1].figures->vector, 1);
}

TEST(Traffic, WhatIsNotMeasuredSaysWhy) {
  KernelAccesses kernel = transposition();
  kernel.bytesOnly = true;
  TrafficMeter meter(*findDevice("h100"));
  EXPECT_EQ(meter.measure(kernel).reads[0].why.obstacle,
            Obstacle::InsideNotFollowed);
  kernel.bytesOnly = false;
  kernel.reads[0].map.weaken(Precision::Cover);
  EXPECT_EQ(meter.measure(kernel).reads[0].why.obstacle, Obstacle::NotExact);
  kernel.launches[0] = LaunchSpace();
  kernel.launches[0].shape = ArrayShape(ElementType::F32, {kDynamicSize, 512});
  const Unmeasured open = meter.measure(kernel).writes[0].why;
  EXPECT_EQ(open.obstacle, Obstacle::UnknownSize);
  EXPECT_EQ(open.shape.str(), "f32[?,512]");
}

}  // namespace
}  // namespace indexical
