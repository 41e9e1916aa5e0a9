// The reader finds what was written into a profile, and loses no more than what
// is damaged.

#include <algorithm>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/profile/launch_details.h"
#include "indexical/import/profile/profile.h"
#include "tests/support/random.h"
#include "tests/support/xspace.h"

namespace indexical {
namespace {

using testing::bytesField;
using testing::bytesOf;
using testing::numberField;
using testing::WireField;
namespace xs = testing::xspace;

xs::Stat text(xs::Plane &plane, const std::string &name,
              const std::string &value) {
  return {plane.statNumber(name), bytesField(5, value)};
}
xs::Stat number(xs::Plane &plane, const std::string &name, int64_t value) {
  return {plane.statNumber(name), numberField(4, value)};
}

/// Two launches of an op, one of another, on a stream that began at 5 ns.
xs::Space smallSpace() {
  xs::Space space;
  xs::Plane &gpu = space.plane("/device:GPU:3");
  gpu.stats = {text(gpu, "device_vendor", "AMD"),
               number(gpu, "core_count", 304),
               number(gpu, "compute_cap_major", 9)};
  gpu.events = {{1, {"a.kd", {}}}, {2, {"b.kd", {}}}};
  xs::Line line;
  line.id = 7;
  line.timestamp = 5;
  auto launch = [&](int64_t event, int64_t at, int64_t took,
                    const std::string &op) {
    xs::Event of;
    of.metadata = event;
    of.offset = at;
    of.duration = took;
    of.stats = {text(gpu, "kernel_details", "grid:2,1,1 block:64,1,1"),
                text(gpu, "hlo_op", op), text(gpu, "hlo_module", "m"),
                number(gpu, "program_id", 4)};
    line.events.push_back(of);
  };
  launch(1, 1000, 30, "x");
  launch(2, 2000, 40, "y");
  launch(1, 3000, 50, "x");
  gpu.lines.push_back(line);
  space.hosts = {"h"};
  return space;
}

TEST(ReaderTest, LaunchesOfASmallProfile) {
  for (const auto metadata :
       {testing::Metadata::First, testing::Metadata::Last}) {
    const std::string bytes = bytesOf(smallSpace(), metadata);
    EXPECT_TRUE(looksLikeProfile(bytes));
    const Profile profile = readProfile(bytes);
    EXPECT_TRUE(profile.damage.ok()) << profile.damage;
    ASSERT_EQ(profile.gpus.size(), 1u);
    const ProfiledGpu &gpu = profile.gpus[0];
    EXPECT_EQ(gpu.number, 3);
    EXPECT_EQ(gpu.vendor, "AMD");
    EXPECT_EQ(gpu.cores, 304);
    EXPECT_EQ(gpu.capabilityMajor, 9);
    ASSERT_EQ(gpu.launches.size(), 3u);
    ASSERT_EQ(gpu.kinds.size(), 2u);
    EXPECT_EQ(gpu.launches[2].start, 8000);
    EXPECT_EQ(gpu.launches[2].duration, 50);
    const KernelKind &kind = gpu.kinds[gpu.launches[2].kind];
    EXPECT_EQ(kind.op, "x");
    EXPECT_EQ(kind.module, "m");
    EXPECT_EQ(kind.program, 4);
    EXPECT_EQ(kind.name, "a.kd");
    EXPECT_EQ(profile.hosts, std::vector<llvm::StringRef>{"h"});
  }
}

TEST(ReaderTest, ATextThatLooksLikeANumberIsANumber) {
  xs::Space space = smallSpace();
  xs::Plane &gpu = space.planes[0];
  gpu.lines[0].events.resize(1);
  gpu.lines[0].events[0].stats[1] = number(gpu, "hlo_op", 17);
  gpu.lines[0].events[0].stats[3] = text(gpu, "program_id", "4");
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  EXPECT_EQ(profile.gpus[0].kinds[0].op, "17");
  EXPECT_EQ(profile.gpus[0].kinds[0].program, 4);
}

TEST(ReaderTest, NumbersOfSeveralLaunchesAreTheirOwn) {
  xs::Space space = smallSpace();
  xs::Plane &gpu = space.planes[0];
  const int64_t ops[] = {17, 18, 17};
  for (size_t k = 0; k < 3; ++k)
    gpu.lines[0].events[k].stats[1] = number(gpu, "hlo_op", ops[k]);
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  const ProfiledGpu &read = profile.gpus[0];
  ASSERT_EQ(read.launches.size(), 3u);
  for (size_t k = 0; k < 3; ++k)
    EXPECT_EQ(read.kinds[read.launches[k].kind].op, std::to_string(ops[k]));
}

TEST(ReaderTest, WarningsOfTheProfilerAreUtf8) {
  xs::Space space = smallSpace();
  space.warnings = {"events \xff were lost"};
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  EXPECT_EQ(profile.warnings,
            std::vector<std::string>{"events \xef\xbf\xbd were lost"});
}

TEST(ReaderTest, AnInstructionThatItsAnnotationLost) {
  xs::Space space = smallSpace();
  xs::Plane &gpu = space.planes[0];
  gpu.lines[0].events.resize(1);
  gpu.lines[0].events[0].stats[1] = text(gpu, "name", "a::b,hlo_op=fusion.3");
  const std::string bytes = bytesOf(space);
  EXPECT_EQ(readProfile(bytes).gpus[0].kinds[0].op, "fusion.3");
}

TEST(ReaderTest, DerivedLinesAreNotCountedTwice) {
  xs::Space space = smallSpace();
  xs::Plane &gpu = space.planes[0];
  for (const int64_t id : {int64_t{0xdeadbeef}, int64_t{0xdeadbeef} + 389,
                           int64_t{0xdeadbeef} - (int64_t{1} << 32)}) {
    gpu.lines.push_back(gpu.lines[0]);
    gpu.lines.back().id = id;
  }
  const std::string bytes = bytesOf(space);
  EXPECT_EQ(readProfile(bytes).gpus[0].launches.size(), 3u);
  gpu.lines.back().id = int64_t{0xdeadbeef} + 390;
  const std::string more = bytesOf(space);
  EXPECT_EQ(readProfile(more).gpus[0].launches.size(), 6u);
}

TEST(ReaderTest, OnlyWhatIsLaunchedIsAKernel) {
  xs::Space space = smallSpace();
  xs::Plane &gpu = space.planes[0];
  auto &events = gpu.lines[0].events;
  events[0].stats[0] = text(gpu, "memcpy_details", "size:8");
  events[1].stats.erase(events[1].stats.begin());
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  EXPECT_EQ(profile.gpus[0].launches.size(), 1u);
  EXPECT_EQ(profile.gpus[0].copies, 1);
  EXPECT_EQ(profile.gpus[0].copyTime, 30);
}

TEST(ReaderTest, UnknownReferencesAreSaidAndCountedAllTheSame) {
  xs::Space space = smallSpace();
  auto &events = space.planes[0].lines[0].events;
  events[0].metadata = 99;
  events[1].stats[1].value = numberField(7, 12345);
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  EXPECT_EQ(profile.gpus[0].launches.size(), 3u);
  ASSERT_EQ(profile.warnings.size(), 2u);
  EXPECT_NE(profile.warnings[0].find("1 launches have no name"),
            std::string::npos);
}

TEST(ReaderTest, RunsOfAModule) {
  xs::Space space = smallSpace();
  xs::Plane &host = space.plane("/host:CPU");
  host.events = {{1, {"[3] GpuExecutable::ExecuteThunks", {}}},
                 {2, {"GpuExecutable::ExecuteThunks", {}}},
                 {3, {"ExecuteHelper", {}}}};
  xs::Line line;
  for (const int64_t id : {1, 2, 3, 2}) {
    xs::Event event;
    event.metadata = id;
    event.stats = {text(host, "module_name", "m")};
    line.events.push_back(event);
  }
  host.lines.push_back(line);
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  ASSERT_EQ(profile.runs.size(), 1u);
  EXPECT_EQ(profile.runs[0].module, "m");
  EXPECT_EQ(profile.runs[0].count, 3);
}

TEST(ReaderTest, ModulesAndTheirNumbers) {
  xs::Space space;
  xs::Plane &plane = space.plane("/host:metadata");
  const xs::Stat proto = text(plane, "Hlo Proto", "bytes");
  const int64_t large = -5;  // of 2^64 - 5
  plane.events = {{7, {"a(7)", {proto}}},
                  {8, {"none(8)", {}}},
                  {large, {"b(18446744073709551611)", {proto}}},
                  {9, {"c(d)", {proto, number(plane, "program_id", 12)}}}};
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  ASSERT_EQ(profile.modules.size(), 3u);
  EXPECT_EQ(profile.modules[0].name, "b");
  EXPECT_EQ(profile.modules[0].program, large);
  EXPECT_EQ(profile.modules[1].name, "a");
  EXPECT_EQ(profile.modules[1].proto, "bytes");
  EXPECT_EQ(profile.modules[2].name, "c(d)");
  EXPECT_EQ(profile.modules[2].program, 12);
}

TEST(ReaderTest, AMillionStatsOfOneEvent) {
  xs::Space space = smallSpace();
  auto &events = space.planes[0].lines[0].events;
  events.resize(1);
  const auto own = events[0].stats;
  events[0].stats.assign(1'000'000, {500, numberField(4, 1)});
  events[0].stats.insert(events[0].stats.end(), own.begin(), own.end());
  const std::string bytes = bytesOf(space);
  const Profile profile = readProfile(bytes);
  EXPECT_TRUE(profile.damage.ok());
  ASSERT_EQ(profile.gpus[0].launches.size(), 1u);
  EXPECT_EQ(profile.gpus[0].kinds[0].op, "x");
}

/// Every launch is one of those that stood in the whole file.
void expectNoMore(const Profile &profile, const Profile &whole,
                  const std::string &where) {
  size_t launches = 0, all = 0;
  for (const ProfiledGpu &gpu : profile.gpus) launches += gpu.launches.size();
  for (const ProfiledGpu &gpu : whole.gpus) all += gpu.launches.size();
  EXPECT_LE(launches, all) << where;
}

TEST(ReaderTest, EveryPrefixHasASentenceOrWholePlanes) {
  const xs::Space space = smallSpace();
  const std::string bytes = bytesOf(space);
  const Profile whole = readProfile(bytes);
  size_t ok = 0;
  for (size_t size = 0; size < bytes.size(); ++size) {
    const std::string prefix = bytes.substr(0, size);
    const Profile profile = readProfile(prefix);
    if (profile.damage.ok())
      ++ok;
    else
      EXPECT_NE(profile.damage.message().find("byte"), std::string::npos);
    expectNoMore(profile, whole, "prefix of " + std::to_string(size));
  }
  EXPECT_EQ(ok, 2u);  // nothing, and the plane without the host
}

TEST(ReaderTest, WhatStandsBeforeTheDamageIsThere) {
  xs::Space space = smallSpace();
  space.planes.push_back(space.planes[0]);
  space.planes[1].name = "/device:GPU:4";
  const std::string bytes = bytesOf(space);
  const std::string cut = bytes.substr(0, bytes.size() - 60);
  const Profile profile = readProfile(cut);
  EXPECT_FALSE(profile.damage.ok());
  ASSERT_GE(profile.gpus.size(), 1u);
  EXPECT_EQ(profile.gpus[0].launches.size(), 3u);
  EXPECT_EQ(profile.gpus[0].kinds.size(), 2u);
}

TEST(ReaderTest, LengthsBeyondTheFile) {
  for (const uint64_t size :
       {uint64_t{1} << 63, ~uint64_t{0}, uint64_t{1} << 40, uint64_t{1000}}) {
    std::string bytes = bytesOf(smallSpace());
    bytes += '\x0a';
    for (uint64_t left = size; true; left >>= 7) {
      bytes += static_cast<char>((left & 127) | (left >= 128 ? 128 : 0));
      if (left < 128) break;
    }
    bytes += "\x12\x01x";
    const Profile profile = readProfile(bytes);
    EXPECT_FALSE(profile.damage.ok());
    EXPECT_NE(profile.damage.message().find("was cut"), std::string::npos)
        << profile.damage;
    EXPECT_EQ(profile.gpus[0].launches.size(), 3u);
  }
}

TEST(ReaderTest, AFileThatWasTakenForTextIsCalledThat) {
  std::string bytes = bytesOf(smallSpace());
  const std::string replaced = "\xef\xbf\xbd";
  bytes = bytes.substr(0, 1) + replaced + replaced + bytes.substr(2);
  EXPECT_TRUE(looksLikeProfile(bytes));
  const Profile profile = readProfile(bytes);
  ASSERT_FALSE(profile.damage.ok());
  EXPECT_NE(profile.damage.message().find("UTF-8"), std::string::npos);
}

TEST(ReaderTest, FlippedBytesAndLengths) {
  const std::string bytes = bytesOf(smallSpace());
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1);
  testing::Random random(seed);
  for (size_t at = 0; at < bytes.size(); ++at)
    for (int i = 0; i < 8; ++i) {
      std::string changed = bytes;
      changed[at] = static_cast<char>(random.in(0, 255));
      if (random.oneIn(4))
        changed.insert(at, std::string(random.in(1, 12), '\xff'));
      const Profile profile = readProfile(changed);
      looksLikeProfile(changed);
      size_t launches = 0;
      for (const ProfiledGpu &gpu : profile.gpus) {
        launches += gpu.launches.size();
        for (const KernelLaunch &launch : gpu.launches) {
          ASSERT_LT(launch.kind, gpu.kinds.size());
          ASSERT_GE(launch.duration, 0);
          launchDetailsOf(gpu.kinds[launch.kind].details);
        }
      }
      ASSERT_LE(launches, changed.size()) << "seed " << seed;
    }
}

TEST(ReaderTest, WhatIsNoProfileDoesNotLookLikeOne) {
  for (const std::string &no :
       {std::string(), std::string("\n"), std::string("\nHloModule m\n"),
        std::string("\n\nENTRY e { ROOT p = f32[] parameter(0) }"),
        std::string("\n \"builtin.module\"() ({}) : () -> ()"),
        std::string("\"builtin.module\"() ({}) : () -> ()"),
        // A HloProto: field 1 of it is a module, whose field 1 is its name.
        bytesOf({bytesField(
            1, bytesOf({bytesField(1, "jit_f"), bytesField(2, "main")}))}),
        // A HloModuleProto.
        bytesOf({bytesField(1, "jit_f"), bytesField(2, "main")})})
    EXPECT_FALSE(looksLikeProfile(no)) << no;
}

TEST(LaunchDetailsTest, OfEachWriter) {
  struct Row {
    const char *text;
    int64_t x, threads, registers, shared;  // -1: not known
  };
  for (const Row &row : {
           Row{"regs:12 static_shared:16 dynamic_shared:8 grid:3,1,1 "
               "block:128,1,1 occ_pct:100",
               3, 128, 12, 24},
           Row{"regs:38 shm:0 grid:160,1,1 block:1024,1,1", 160, 1024, 38, 0},
           Row{"regs:2191500840 static_shared:32462 grid:5,1,1 block:64,1,1", 5,
               64, -1, -1},
           Row{" grid:65536,1,1 block:256,1,1 private_mem:0 group_mem:2112 "
               "occ_pct:0",
               65536, 256, -1, 2112},
           Row{"block:256,1,1\ngrid:9,1,1\nnew:what", 9, 256, -1, -1},
           Row{"grid:9,1 block:-1,1,1 regs:x", -1, -1, -1, -1},
           Row{"", -1, -1, -1, -1},
       }) {
    const LaunchDetails details = launchDetailsOf(row.text);
    EXPECT_EQ(details.grid ? (*details.grid)[0] : -1, row.x) << row.text;
    EXPECT_EQ(details.block ? (*details.block)[0] : -1, row.threads);
    EXPECT_EQ(details.registers.value_or(-1), row.registers) << row.text;
    EXPECT_EQ(details.sharedBytes.value_or(-1), row.shared) << row.text;
  }
}

}  // namespace
}  // namespace indexical
