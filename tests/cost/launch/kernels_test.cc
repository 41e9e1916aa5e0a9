// Which instructions are kernels, how often they run, and what they read.
#include "indexical/cost/launch/kernels.h"

#include <map>
#include <string>

#include "gtest/gtest.h"

#include "indexical/answers/words.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/exact/exact.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "tests/cost/use/random_fusions.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

Program parse(const std::string &text) {
  auto program = parseHlo(text, "test.hlo");
  EXPECT_TRUE(program.ok()) << program.status().message();
  return program.ok() ? *std::move(program) : Program();
}

std::string sitesOf(const std::string &text) {
  const Program program = parse(text);
  std::string all;
  for (const KernelSite &site : kernelSites(program.modules[0])) {
    const auto &computation = program.modules[0].computations[site.computation];
    all += (all.empty() ? "" : " ") +
           computation.instructions[site.instruction].name.str();
    if (site.trips != 1) all += "*" + std::to_string(site.trips);
    if (!site.tripsKnown) all += "?";
  }
  return all;
}

/// `operand: map` of every read of the instruction, a line each.
std::string readsOf(const std::string &text, const std::string &name,
                    const LaunchChoice &choice = {}) {
  const Program program = parse(text);
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  for (size_t c = 0; c < module.computations.size(); ++c) {
    const InstructionId i = module.computations[c].find(name);
    if (i < 0) continue;
    auto kernel = kernelAt(maps, {ComputationId(c), i, 1, true}, choice);
    EXPECT_TRUE(kernel.ok()) << kernel.status().message();
    if (!kernel.ok()) return "";
    std::string all;
    for (const MemoryAccess &read : kernel->reads) {
      all += std::to_string(kernel->leafOf(read)) + ":";
      for (const IndexingMap &piece : read.map.pieces())
        all +=
            " " + piece.strOneLine().substr(
                      0, piece.strOneLine().find(',' + std::string(" domain")));
      if (!kernel->bytesOnly &&
          kernel->launches[read.launch].order == ThreadOrder::Rows)
        all += " rows";
      all += "\n";
    }
    return all;
  }
  ADD_FAILURE() << "no instruction " << name;
  return "";
}

TEST(Kernels, AreWhatIsLaunchedWithTheTripsOfTheLoopsAroundIt) {
  EXPECT_EQ(sitesOf(R"(HloModule m
inner (x: f32[8]) -> f32[8] {
  x = f32[8] parameter(0)
  ROOT tanh = f32[8] tanh(x)
}
body (s: (s32[], f32[8])) -> (s32[], f32[8]) {
  s = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[8] get-tuple-element(s), index=1
  w = f32[8] call(v), to_apply=inner
  ROOT t = (s32[], f32[8]) tuple(i, w)
}
cond (c: (s32[], f32[8])) -> pred[] {
  c = (s32[], f32[8]) parameter(0)
  j = s32[] get-tuple-element(c), index=0
  n = s32[] constant(5)
  ROOT less = pred[] compare(j, n), direction=LT
}
ENTRY e {
  p = f32[8] parameter(0)
  zero = s32[] constant(0)
  neg = f32[8] negate(p)
  b = f32[4,2] bitcast(neg)
  start = (s32[], f32[8]) tuple(zero, neg)
  loop = (s32[], f32[8]) while(start), condition=cond, body=body, backend_config={"known_trip_count":{"n":"5"}}
  open = (s32[], f32[8]) while(loop), condition=cond, body=body
  ROOT r = f32[8] get-tuple-element(open), index=1
}
)"),
            "neg less*0 tanh*5 less*2? tanh?");
}

TEST(Kernels, ALoopThatCountsHasItsTrips) {
  EXPECT_EQ(sitesOf(R"(HloModule m
body {
  s = (s32[], f32[8]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  v = f32[8] get-tuple-element(s), index=1
  two = s32[] constant(2)
  next = s32[] add(i, two)
  w = f32[8] tanh(v)
  ROOT t = (s32[], f32[8]) tuple(next, w)
}
cond {
  c = (s32[], f32[8]) parameter(0)
  j = s32[] get-tuple-element(c), index=0
  n = s32[] constant(7)
  ROOT less = pred[] compare(j, n), direction=LT
}
ENTRY e {
  p = f32[8] parameter(0)
  k = s32[] parameter(1)
  zero = s32[] constant(0)
  start = (s32[], f32[8]) tuple(zero, p)
  loop = (s32[], f32[8]) while(start), condition=cond, body=body
  v = f32[8] get-tuple-element(loop), index=1
  again = (s32[], f32[8]) tuple(k, v)
  open = (s32[], f32[8]) while(again), condition=cond, body=body
  ROOT r = f32[8] get-tuple-element(open), index=1
}
)"),
            "less*5 next*4 w*4 less*2? next? w?");
}

TEST(Kernels, StandBehindAnyNumberOfCalls) {
  std::string text =
      "c0 { p = f32[8] parameter(0)\n"
      "  ROOT r = f32[8] negate(p) }\n";
  for (int i = 1; i <= 500; ++i)
    text += "c" + std::to_string(i) +
            " { p = f32[8] parameter(0)\n  ROOT r = f32[8] call(p), "
            "to_apply=c" +
            std::to_string(i - 1) + " }\n";
  text +=
      "ENTRY e { p = f32[8] parameter(0)\n"
      "  ROOT r = f32[8] call(p), to_apply=c500 }\n";
  EXPECT_EQ(sitesOf(text), "r");
}

TEST(Kernels, AFusionReadsWhatItsComputationComposes) {
  const std::string text = R"(HloModule m
f {
  a = f32[4,8] parameter(0)
  b = f32[8] parameter(1)
  t = f32[8,4] transpose(a), dimensions={1,0}
  r = f32[8,4] reverse(t), dimensions={0}
  w = f32[8,4] broadcast(b), dimensions={0}
  s = f32[8,4] add(t, r)
  ROOT m = f32[8,4] multiply(s, w)
}
ENTRY e {
  p = f32[4,8] parameter(0)
  q = f32[8] parameter(1)
  ROOT k = f32[8,4] fusion(p, q), kind=kLoop, calls=f
}
)";
  // Two ways to a, one to b.
  EXPECT_EQ(readsOf(text, "k"),
            "0: (d0, d1) -> (d1, d0)\n"
            "0: (d0, d1) -> (d1, -d0 + 7)\n"
            "1: (d0, d1) -> (d0)\n");
}

TEST(Kernels, UsesWithEqualMapsCountOnce) {
  EXPECT_EQ(readsOf(R"(f {
  a = f32[8] parameter(0)
  b = f32[8] exponential(a)
  ROOT c = f32[8] add(a, b)
}
ENTRY e { p = f32[8] parameter(0)
  ROOT k = f32[8] fusion(p), kind=kLoop, calls=f }
)",
                    "k"),
            "0: (d0) -> (d0)\n");
}

TEST(Kernels, ASliceReadsNoMoreThanItsPart) {
  const Program program = parse(R"(f {
  a = f32[64] parameter(0)
  ROOT s = f32[8] slice(a), slice={[0:8]}
}
ENTRY e { p = f32[64] parameter(0)
  ROOT k = f32[8] fusion(p), kind=kLoop, calls=f }
)");
  ProgramIndexing maps(program.modules[0]);
  auto kernel = kernelAt(maps, kernelSites(program.modules[0])[0]);
  ASSERT_TRUE(kernel.ok());
  ASSERT_EQ(kernel->reads.size(), 1u);
  EXPECT_EQ(kernel->reads[0].map.pieces()[0].strOneLine(),
            "(d0) -> (d0), domain: d0 in [0, 7]");
}

TEST(Kernels, AReductionOfRowsGoesThroughItsOperand) {
  const std::string module = R"(add {
  x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y)
}
f {
  a = f32[64,128] parameter(0)
  s = f32[64] parameter(1)
  e = f32[64,128] exponential(a)
  zero = f32[] constant(0)
  r = f32[64] reduce(e, zero), dimensions={1}, to_apply=add
  ROOT d = f32[64] divide(r, s)
}
ENTRY e {
  p = f32[64,128] parameter(0)
  q = f32[64] parameter(1)
  zero = f32[] constant(0)
  column = f32[128] reduce(p, zero), dimensions={0}, to_apply=add
  row = f32[64] reduce(p, zero), dimensions={1}, to_apply=add
  c = f32[7,64,128] parameter(2)
  outer = f32[64] reduce(c, zero), dimensions={0,2}, to_apply=add
  t = f32[7,5,64,128] parameter(3)
  apart = f32[7,64] reduce(t, zero), dimensions={1,3}, to_apply=add
  loop = f32[64] fusion(p, q), kind=kLoop, calls=f
  ROOT k = f32[64] fusion(p, q), kind=kInput, calls=f
}
)";
  EXPECT_EQ(readsOf(module, "row"),
            "0: (d0, d1) -> (d0, d1) rows\n1: (d0) -> ()\n");
  EXPECT_EQ(readsOf(module, "outer"),
            "0: (d0, d1, d2) -> (d0, d1, d2) rows\n1: (d0) -> ()\n");
  // The dimensions that are kept are not next to each other.
  EXPECT_EQ(readsOf(module, "apart"),
            "0: (d0, d1)[s0, s1] -> (d0, s0, d1, s1)\n1: (d0, d1) -> ()\n");
  EXPECT_EQ(readsOf(module, "column"),
            "0: (d0)[s0] -> (s0, d0)\n1: (d0) -> ()\n");
  EXPECT_EQ(readsOf(module, "k"),
            "0: (d0, d1) -> (d0, d1) rows\n1: (d0) -> (d0)\n");
  EXPECT_EQ(readsOf(module, "loop"),
            "0: (d0)[s0] -> (d0, s0)\n1: (d0) -> (d0)\n");
}

TEST(Kernels, AnUpdateInPlaceDoesNotReadItsOperand) {
  EXPECT_EQ(readsOf(R"(ENTRY e {
  p = f32[64,128] parameter(0)
  u = f32[1,128] parameter(1)
  i = s32[] parameter(2)
  j = s32[] parameter(3)
  ROOT k = f32[64,128] dynamic-update-slice(p, u, i, j)
}
)",
                    "k"),
            "1: (d0, d1) -> (d0, d1)\n"
            "2: (d0, d1) -> ()\n"
            "3: (d0, d1) -> ()\n");
}

/// The launches that the command's --thread-map and --space choose.
TEST(Kernels, ThreadsOfSomebodysOwnChooseTheSpace) {
  const std::string module = R"(HloModule m
add { x = f32[] parameter(0)
  y = f32[] parameter(1)
  ROOT z = f32[] add(x, y) }
f { a = f32[64,128] parameter(0)
  e = f32[128,64] transpose(a), dimensions={1,0}
  zero = f32[] constant(0)
  ROOT r = f32[64] reduce(e, zero), dimensions={0}, to_apply=add }
ENTRY e { p = f32[64,128] parameter(0)
  zero = f32[] constant(0)
  row = f32[64] reduce(p, zero), dimensions={1}, to_apply=add
  ROOT k = f32[64] fusion(p), kind=kInput, calls=f }
)";
  LaunchChoice one, two, inside, missing;
  one.threads = *linearThreads(ArrayShape(ElementType::F32, {64}));
  two.threads = *linearThreads(ArrayShape(ElementType::F32, {64, 128}));
  inside.space = "e";
  missing.space = "nowhere";
  // By itself, a reduction has an index space for either map.
  EXPECT_EQ(readsOf(module, "row"),
            "0: (d0, d1) -> (d0, d1) rows\n1: (d0) -> ()\n");
  EXPECT_EQ(readsOf(module, "row", one),
            "0: (d0)[s0] -> (d0, s0)\n1: (d0) -> ()\n");
  // A fusion's threads go through its root, or where it is said.
  EXPECT_EQ(readsOf(module, "k", one), "0: (d0)[s0] -> (d0, s0)\n");
  EXPECT_EQ(readsOf(module, "k", inside), "0: (d0, d1) -> (d1, d0)\n");

  const Program program = parse(module);
  ProgramIndexing maps(program.modules[0]);
  const KernelSite fusion = kernelSites(program.modules[0]).back();
  auto messageOf = [&](const LaunchChoice &choice) {
    return std::string(kernelAt(maps, fusion, choice).status().message());
  };
  EXPECT_EQ(messageOf(missing),
            "`nowhere` is not an instruction of what `k` calls");
  EXPECT_EQ(messageOf(two),
            "the thread map gives an index of 2 dimensions, and f32[64] has 1");
  two.space = "e";
  auto kernel = kernelAt(maps, fusion, two);
  ASSERT_TRUE(kernel.ok()) << kernel.status().message();
  ASSERT_EQ(kernel->launches.size(), 1u);
  EXPECT_EQ(kernel->launches[0].order, ThreadOrder::Given);
  EXPECT_EQ(kernel->launches[0].threads, two.threads);
  EXPECT_TRUE(kernel->writes.empty());
}

/// Every use counted once, and none forgotten: the union is the fusion's map.
TEST(Kernels, ReadsOfRandomFusionsAreTheirMaps) {
  using testing::Random;
  const uint64_t first = testing::fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = testing::fromEnvironment("INDEXICAL_FUSIONS", 300);
  uint64_t equal = 0, several = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    testing::FusionOptions options;
    options.runtime = false;
    const std::string text = testing::calledFusion(random, options);
    const Program program = parse(text);
    const Module &module = program.modules[0];
    ProgramIndexing maps(module);
    const Computation &fused = module.computations[module.find("f")];
    LaunchChoice choice;
    choice.space = fused.instructions[fused.root].name.str();
    auto kernel = kernelAt(maps, kernelSites(module).back(), choice);
    ASSERT_TRUE(kernel.ok()) << kernel.status().message();
    ASSERT_EQ(kernel->launches.size(), 1u);
    if (!kernel->complete) continue;
    std::map<int64_t, IndexingRelation> reads;
    for (const MemoryAccess &read : kernel->reads)
      reads[kernel->leafOf(read)].unite(read.map);
    several += kernel->reads.size() > reads.size();
    const auto &fusion = module.computations[kernel->computation]
                             .instructions[kernel->instruction];
    const int64_t leaves = shapesOf(fusion.op).operands.size();
    for (int64_t leaf = 0; leaf < leaves; ++leaf) {
      auto whole = maps.instruction({ComputationId(kernel->computation),
                                     InstructionId(kernel->instruction)},
                                    LeafId(leaf), Direction::OutputToInput);
      ASSERT_TRUE(whole.ok()) << whole.status().message();
      auto same = areEqual(reads[leaf], *whole);
      ASSERT_TRUE(same.ok()) << same.status().message();
      EXPECT_NE(same->answer, Answer::No)
          << "seed " << seed << ", operand " << leaf << '\n'
          << text;
      equal += same->answer == Answer::Yes;
    }
  }
  EXPECT_GT(equal, count * 9 / 10);
  EXPECT_GT(several, 0u);
}

TEST(Kernels, LibraryCallsShowTheirBytes) {
  const Program program = parse(R"(ENTRY e {
  p = f32[64,128] parameter(0)
  q = f32[128,32] parameter(1)
  ROOT k = f32[64,32] dot(p, q), lhs_contracting_dims={1}, rhs_contracting_dims={0}
}
)");
  ProgramIndexing maps(program.modules[0]);
  const auto sites = kernelSites(program.modules[0]);
  ASSERT_EQ(sites.size(), 1u);
  auto kernel = kernelAt(maps, sites[0]);
  ASSERT_TRUE(kernel.ok());
  EXPECT_TRUE(kernel->bytesOnly);
  TrafficMeter meter(*findDevice("h100"));
  const KernelTraffic traffic = meter.measure(*kernel);
  ASSERT_EQ(traffic.reads.size(), 2u);
  EXPECT_EQ(traffic.reads[0].bytes, 64 * 128 * 4);
  EXPECT_FALSE(traffic.reads[0].figures.has_value());
  EXPECT_EQ(traffic.reads[0].why.obstacle, Obstacle::InsideNotFollowed);
  EXPECT_EQ(traffic.moved(meter.device()), 64 * 128 * 4 + 128 * 32 * 4);
  EXPECT_EQ(traffic.wasted(), 0);
}

TEST(Kernels, AnAsynchronousCallIsTheKernelsThatItStarts) {
  // As `compute_on` of JAX puts them on another stream. A copy stays one.
  const Program program = parse(R"(HloModule m
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
two { p = f32[64] parameter(0)
  a = f32[64] fusion(p), kind=kLoop, calls=add
  ROOT n = f32[64] negate(a) }
started { p = f32[64] parameter(0)
  ROOT c = f32[64] call(p), to_apply=two }
fused { p = f32[64] parameter(0)
  ROOT f = f32[64] fusion(p), kind=kLoop, calls=add }
copied { p = f32[64] parameter(0)
  ROOT y = f32[64] copy(p) }
ENTRY e { p = f32[64] parameter(0)
  s = ((f32[64]), f32[64]) async-start(p), calls=started
  d = f32[64] async-done(s)
  t = ((f32[64]), f32[64]) async-start(d), calls=fused
  u = f32[64] async-done(t)
  v = ((f32[64]), f32[64]) async-start(u), calls=copied
  ROOT w = f32[64] async-done(v) }
)");
  std::vector<std::string> names;
  for (const KernelSite &site : kernelSites(program.modules[0]))
    names.push_back(program.modules[0]
                        .computations[site.computation]
                        .instructions[site.instruction]
                        .name.str());
  EXPECT_EQ(names, (std::vector<std::string>{"a", "n", "f", "v"}));
}

Finding findingOf(const std::string &instruction, const std::string &parameters,
                  size_t number = 0) {
  const Program program =
      parse("ENTRY e {\n" + parameters + "\nROOT k = " + instruction + "\n}\n");
  ProgramIndexing maps(program.modules[0]);
  TrafficMeter meter(*findDevice("h100"));
  auto kernel = kernelAt(maps, kernelSites(program.modules[0]).back());
  EXPECT_TRUE(kernel.ok()) << kernel.status().message();
  if (!kernel.ok()) return {};
  return meter.measure(*kernel).reads[number].finding;
}

/// Returns the pattern in the words of the command, which differ for every kind
/// and figure.
std::string patternOf(const std::string &instruction,
                      const std::string &parameters, size_t number = 0) {
  const Finding found = findingOf(instruction, parameters, number);
  const std::string remedy = wordsOf(found.remedy, "p");
  return wordsOf(found.pattern) + (remedy.empty() ? "" : "; " + remedy);
}

TEST(Traffic, PatternsAreData) {
  const Finding found =
      findingOf("f32[1024,512] transpose(p), dimensions={1,0}",
                "p = f32[512,1024] parameter(0)");
  EXPECT_EQ(found.pattern.kind, PatternKind::Transposed);
  EXPECT_EQ(found.pattern.bits, 4096 * 8);
  EXPECT_FALSE(found.pattern.halo);
  EXPECT_EQ(found.remedy.kind, RemedyKind::SharedTile);
  EXPECT_EQ(llvm::ArrayRef<int64_t>(found.remedy.layout),
            llvm::ArrayRef<int64_t>({0, 1}));
  const Finding window = findingOf(
      "f32[512,1024] reduce-window(p, z), window={size=1x3 "
      "pad=0_0x1_1}, to_apply=add",
      "p = f32[512,1024] parameter(0)\nz = f32[] constant(0)");
  EXPECT_EQ(window.pattern.kind, PatternKind::Contiguous);
  EXPECT_TRUE(window.pattern.halo);
  EXPECT_TRUE(window.pattern.unaligned);
  EXPECT_EQ(window.remedy.kind, RemedyKind::HaloTile);
}

TEST(Traffic, PatternsHaveNames) {
  const std::string matrix = "p = f32[512,1024] parameter(0)";
  EXPECT_EQ(patternOf("f32[512,1024] negate(p)", matrix), "contiguous");
  EXPECT_EQ(patternOf("f32[1024,512] transpose(p), dimensions={1,0}", matrix),
            "transposed, stride 4096 B; a tile through shared memory, or "
            "layout {0,1} of p");
  EXPECT_EQ(
      patternOf("f32[512,128] slice(p), slice={[0:512], [0:1024:8]}", matrix),
      "stride 128 B; elements packed together");
  EXPECT_EQ(patternOf("f32[512,1024] reverse(p), dimensions={0}", matrix),
            "contiguous");
  EXPECT_EQ(patternOf("f32[64,1024,512] broadcast(p), dimensions={2,1}", matrix)
                .substr(0, 10),
            "transposed");
  EXPECT_EQ(patternOf("f32[64,512] broadcast(p), dimensions={0}",
                      "p = f32[64] parameter(0)"),
            "broadcast, by every thread");
  EXPECT_EQ(patternOf("f32[64,512] broadcast(p), dimensions={}",
                      "p = f32[] parameter(0)"),
            "scalar, by every thread");
  EXPECT_EQ(
      patternOf("f32[511,1023] slice(p), slice={[1:512], [1:1024]}", matrix),
      "contiguous, unaligned; warps that begin where a sector does");
  // The result's rows are no whole sectors, or the operand's.
  EXPECT_EQ(
      patternOf("f32[512,1023] slice(p), slice={[0:512], [0:1023]}", matrix),
      "contiguous, unaligned; rows padded to whole sectors");
  EXPECT_EQ(patternOf("f32[512,1024] pad(p, z), padding=0_0x0_1",
                      "p = f32[512,1023] parameter(0)\nz = f32[] parameter(1)"),
            "contiguous, unaligned; rows padded to whole sectors");
  EXPECT_EQ(
      patternOf("f32[512,64] dynamic-slice(p, z, i), "
                "dynamic_slice_sizes={512,64}",
                matrix + "\nz = s32[] constant(0)\ni = s32[] parameter(1)"),
      "values that are not known decide");
  EXPECT_EQ(patternOf("f32[512,1024] reduce-window(p, z), window={size=1x3 "
                      "pad=0_0x1_1}, to_apply=add",
                      matrix + "\nz = f32[] constant(0)"),
            "halo, unaligned; a tile with its halo through shared memory");
  // The first warps read the other operand.
  EXPECT_EQ(patternOf("f32[96,1024] concatenate(q, p), dimensions={0}",
                      "q = f32[32,1024] parameter(0)\n"
                      "p = f32[64,1024] parameter(1)",
                      1),
            "contiguous");
  // Rows of two elements: a lane takes both.
  EXPECT_EQ(patternOf("f32[100,2] reduce(p, z), dimensions={1}, to_apply=add",
                      "p = f32[100,256,2] parameter(0)\nz = f32[] constant(0)"),
            "transposed, stride 2048 B; a tile through shared memory, or "
            "layout {0,2,1} of p");
  // Along two dimensions at once.
  EXPECT_EQ(patternOf("f32[64,512,3] transpose(p), dimensions={2,1,0}",
                      "p = f32[3,512,64] parameter(0)"),
            "stride 131328 B; a tile through shared memory, or layout "
            "{0,1,2} of p");
  EXPECT_EQ(patternOf("f32[2048] gather(p, i), offset_dims={}, "
                      "collapsed_slice_dims={0}, start_index_map={0}, "
                      "index_vector_dim=1, slice_sizes={1}",
                      "p = f32[9999] parameter(0)\ni = s32[2048] parameter(1)"),
            "indices that are not known decide");
}

}  // namespace
}  // namespace indexical
