// The instruction of a launch, if more than the launch's hlo_op decides:
// command buffers, calls and loops, and modules of one name.

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/profile/joined_profile.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/profile/profile.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical {
namespace {

/// A launch of a kernel: its kind, and picoseconds.
struct Launch {
  const char *name, *op;
  int64_t duration;
  std::optional<int64_t> program = 7;
  const char *module = "m";
};

Profile profileOf(const std::vector<Launch> &launches) {
  Profile profile;
  ProfiledGpu &gpu = profile.gpus.emplace_back();
  int64_t start = 0;
  for (const Launch &launch : launches) {
    KernelKind kind;
    kind.name = launch.name;
    kind.op = launch.op;
    kind.module = launch.module;
    kind.program = launch.program;
    const auto known = llvm::find(gpu.kinds, kind);
    const uint32_t number = known - gpu.kinds.begin();
    if (known == gpu.kinds.end()) gpu.kinds.push_back(kind);
    gpu.launches.push_back({start, launch.duration, number});
    // A time past the last number of 64 bits stays there.
    start = checkedAdd(start, launch.duration).value_or(INT64_MAX);
  }
  return profile;
}

constexpr char kModule[] = R"(HloModule m, is_scheduled=true
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
twice { p = f32[64] parameter(0)
  ROOT r = f32[64] multiply(p, p) }
other { p = f32[32] parameter(0)
  ROOT r = f32[32] negate(p) }
%command_buffer { p = f32[64] parameter(0)
  q = f32[32] parameter(1)
  loop_add_fusion = f32[64] fusion(p), kind=kLoop, calls=add
  loop_multiply_fusion = f32[64] fusion(loop_add_fusion), kind=kLoop, calls=twice
  loop_negate_fusion.1 = f32[32] fusion(q), kind=kLoop, calls=other
  ROOT t = (f32[64], f32[32]) tuple(loop_multiply_fusion, loop_negate_fusion.1) }
ENTRY e { p = f32[64] parameter(0)
  q = f32[32] parameter(1)
  first = f32[64] fusion(p), kind=kLoop, calls=add
  ROOT call = (f32[64], f32[32]) call(first, q), to_apply=%command_buffer }
)";

struct Joined {
  explicit Joined(const std::vector<Launch> &launches,
                  const JoinChoice &choice = {}, bool embedded = true,
                  const std::string &text = kModule)
      : profile(profileOf(launches)) {
    auto parsed = parseHlo(text, "m.hlo");
    EXPECT_TRUE(parsed.ok()) << parsed.status();
    program = *std::move(parsed);
    std::optional<int64_t> number;
    if (embedded) number = 7;
    joined = join(profile, {{number, "m", embedded, &program.modules[0]}},
                  choice, [](const Module &, const KernelSite &) {
                    return std::optional<Grid>();
                  });
  }
  /// The time of an instruction, and of what has none for that reason.
  int64_t of(llvm::StringRef name) const {
    for (const MeasuredOp &op : joined.ops)
      if (program.modules[0]
              .computations[op.computation]
              .instructions[op.instruction]
              .name == name)
        return op.total;
    return 0;
  }
  int64_t without(Unattributed reason) const {
    int64_t sum = 0;
    for (const UnattributedKernel &kernel : joined.unattributed)
      if (kernel.reason == reason) sum += kernel.times.total;
    return sum;
  }

  Profile profile;
  Program program;
  JoinedProfile joined;
};

TEST(JoinTest, AnInstructionIsFoundInWhatIsCalled) {
  const Joined of({{"k", "first", 5}, {"k", "loop_negate_fusion.1", 7}});
  EXPECT_EQ(of.of("first"), 5);
  EXPECT_EQ(of.of("loop_negate_fusion.1"), 7);
  EXPECT_EQ(of.joined.total, 12);
}

TEST(JoinTest, AKernelOfACommandBufferGoesByItsNameWhereNoOtherCanShareIt) {
  const Joined of({{"loop_negate_fusion_1", "call", 7},
                   {"loop_negate_fusion_1.kd", "call", 8}});
  EXPECT_EQ(of.of("loop_negate_fusion.1"), 15);
}

TEST(JoinTest, AKernelThatAnEqualFusionCouldShareIsOfNone) {
  // Both fusions have one op and shapes: either may run the other's kernel.
  const Joined of({{"loop_add_fusion", "call", 7}});
  EXPECT_EQ(of.of("loop_add_fusion"), 0);
  EXPECT_EQ(of.without(Unattributed::CommandBuffer), 7);
}

TEST(JoinTest, ABufferThatTheModuleDoesNotHaveMayRunAllKernels) {
  // As newer versions of XLA write modules.
  const std::string text = R"(HloModule m, is_scheduled=true
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
other { p = f32[32] parameter(0)
  ROOT r = f32[32] negate(p) }
ENTRY e { p = f32[64] parameter(0)
  q = f32[32] parameter(1)
  a = f32[64] fusion(p), kind=kLoop, calls=add
  n.1 = f32[32] fusion(q), kind=kLoop, calls=other
  b = f32[64] fusion(a), kind=kLoop, calls=add
  ROOT t = (f32[64], f32[32]) tuple(b, n.1) }
)";
  const Joined of({{"n_1", "command_buffer_1", 7},
                   {"n_1", "command_buffer_1", 8},
                   {"a", "command_buffer_1", 3},
                   {"a", "command_buffer_1", 3},
                   {"memcpy128", "command_buffer_1", 2},
                   {"n_1", "", 1}},
                  {}, true, text);
  EXPECT_EQ(of.of("n.1"), 15);
  // a and b may share a kernel, or a is launched twice by two buffers.
  EXPECT_EQ(of.of("a"), 0);
  EXPECT_EQ(of.without(Unattributed::CommandBuffer), 8);
  EXPECT_EQ(of.without(Unattributed::NoOp), 1);
}

// a and b are equal, and b waits for a: both run the kernel a, in this order.
std::string chainOfEqual(const char *ofB = "a") {
  return std::string(R"(HloModule m, is_scheduled=true
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
other { p = f32[32] parameter(0)
  ROOT r = f32[32] negate(p) }
%command_buffer { p = f32[64] parameter(0)
  q = f32[32] parameter(1)
  a = f32[64] fusion(p), kind=kLoop, calls=add
  n = f32[32] fusion(q), kind=kLoop, calls=other
  b = f32[64] fusion()") +
         ofB + R"(), kind=kLoop, calls=add
  ROOT t = (f32[64], f32[64], f32[32]) tuple(a, b, n) }
ENTRY e { p = f32[64] parameter(0)
  q = f32[32] parameter(1)
  ROOT call = (f32[64], f32[64], f32[32]) call(p, q), to_apply=%command_buffer }
)";
}

TEST(JoinTest, EqualKernelsOfACommandBufferGoByTheirOrder) {
  const Joined of({{"a", "call", 5},
                   {"n", "call", 1},
                   {"a", "call", 70},
                   {"a", "call", 6},
                   {"n", "call", 1},
                   {"a", "call", 80}},
                  {}, true, chainOfEqual());
  EXPECT_EQ(of.of("a"), 11);
  EXPECT_EQ(of.of("b"), 150);
  EXPECT_EQ(of.of("n"), 2);
  EXPECT_EQ(of.joined.total, 163);
  // The first run of each is left out.
  JoinChoice choice;
  choice.first = 1;
  const Joined second({{"a", "call", 5},
                       {"n", "call", 1},
                       {"a", "call", 70},
                       {"a", "call", 6},
                       {"n", "call", 1},
                       {"a", "call", 80}},
                      choice, true, chainOfEqual());
  EXPECT_EQ(second.of("a"), 6);
  EXPECT_EQ(second.of("b"), 80);
}

// A kernel of a loop in a command buffer is one of the buffer: what is launched
// by the name of an equal one is of neither, and its own name is known.
TEST(JoinTest, LoopsOfACommandBufferAreInIt) {
  auto moduleWith = [](const char *inBuffer) {
    return std::string(R"(HloModule m, is_scheduled=true
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
less { s = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(4)
  ROOT c = pred[] compare(i, n), direction=LT }
body { s = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[64] get-tuple-element(s), index=1
  b = f32[64] fusion(x), kind=kLoop, calls=add
  d = f32[64] negate(b)
  ROOT t = (s32[], f32[64]) tuple(i, d) }
%command_buffer { p = f32[64] parameter(0)
  z = s32[] constant(0)
)") + inBuffer +
           R"(  t = (s32[], f32[64]) tuple(z, a)
  w = (s32[], f32[64]) while(t), condition=less, body=body
  ROOT r = f32[64] get-tuple-element(w), index=1 }
ENTRY e { p = f32[64] parameter(0)
  ROOT call = f32[64] call(p), to_apply=%command_buffer }
)";
  };
  const std::vector<Launch> launches = {
      {"a", "call", 5}, {"a", "call", 70}, {"d", "call", 2}};
  const Joined equal(launches, {}, true,
                     moduleWith("  a = f32[64] fusion(p), kind=kLoop, "
                                "calls=add\n"));
  EXPECT_EQ(equal.of("a"), 0);
  EXPECT_EQ(equal.of("b"), 0);
  EXPECT_EQ(equal.of("d"), 2);
  EXPECT_EQ(equal.without(Unattributed::CommandBuffer), 75);
  // No other kernel of the buffer is equal.
  const Joined named({{"b", "call", 5}, {"d", "call", 2}}, {}, true,
                     moduleWith("  a = f32[64] copy(p)\n"));
  EXPECT_EQ(named.of("b"), 5);
  EXPECT_EQ(named.of("d"), 2);
  EXPECT_EQ(named.without(Unattributed::CommandBuffer), 0);
}

TEST(JoinTest, OrderDecidesNothingWhereAnotherOneIsPossible) {
  auto unknown = [](const std::vector<Launch> &launches,
                    const std::string &text) {
    const Joined of(launches, {}, true, text);
    EXPECT_EQ(of.of("a"), 0);
    EXPECT_EQ(of.of("b"), 0);
    return of.without(Unattributed::CommandBuffer);
  };
  const std::vector<Launch> all = {
      {"a", "call", 5}, {"n", "call", 1}, {"a", "call", 70}};
  // Neither waits for the other.
  EXPECT_EQ(unknown(all, chainOfEqual("p")), 75);
  // One launch of two runs was lost.
  EXPECT_EQ(unknown({{"a", "call", 5},
                     {"n", "call", 1},
                     {"a", "call", 70},
                     {"n", "call", 1},
                     {"a", "call", 6}},
                    chainOfEqual()),
            81);
  // How often the buffer ran is not known.
  EXPECT_EQ(unknown({{"a", "call", 5}, {"a", "call", 70}}, chainOfEqual()), 75);
}

TEST(JoinTest, AnEqualKernelThatRanUnderItsOwnNameSharesNone) {
  const Joined of({{"a", "call", 5}, {"n", "call", 1}, {"b", "call", 70}}, {},
                  true, chainOfEqual());
  EXPECT_EQ(of.of("a"), 5);
  EXPECT_EQ(of.of("b"), 70);
}

constexpr char kLoop[] = R"(HloModule m, is_scheduled=true
add { p = f32[64] parameter(0)
  ROOT r = f32[64] add(p, p) }
body { t = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  x = f32[64] get-tuple-element(t), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  y = f32[64] fusion(x), kind=kLoop, calls=add
  ROOT r = (s32[], f32[64]) tuple(j, y) }
condition { t = (s32[], f32[64]) parameter(0)
  i = s32[] get-tuple-element(t), index=0
  n = s32[] constant(3)
  ROOT c = pred[] compare(i, n), direction=LT }
inner { p = f32[64] parameter(0)
  ROOT wrapped = f32[64] fusion(p), kind=kLoop, calls=add }
ENTRY e { p = f32[64] parameter(0)
  zero = s32[] constant(0)
  t = (s32[], f32[64]) tuple(zero, p)
  w = (s32[], f32[64]) while(t), condition=condition, body=body
  x = f32[64] get-tuple-element(w), index=1
  s = ((f32[64]), f32[64]) async-start(x), calls=inner
  ROOT d = f32[64] async-done(s), calls=inner }
)";

TEST(JoinTest, KernelsOfLoopsAndOfAsynchronousOps) {
  const Joined of({{"y", "y", 5},
                   {"y", "y", 6},
                   {"y", "y", 7},
                   {"wrapped", "wrapped", 9},
                   {"wrapped", "s", 2}},
                  {}, true, kLoop);
  EXPECT_EQ(of.of("y"), 18);
  // The kernel is what the start runs, by its name or that of the start.
  EXPECT_EQ(of.of("wrapped"), 11);
  EXPECT_EQ(of.of("s"), 0);
  EXPECT_EQ(of.joined.total, 29);
}

TEST(JoinTest, OutsideOfCommandBuffersANameDecidesNothing) {
  const Joined of({{"first", "", 7}, {"unknown", "nowhere", 3}});
  EXPECT_EQ(of.of("first"), 0);
  EXPECT_EQ(of.without(Unattributed::NoOp), 7);
  EXPECT_EQ(of.without(Unattributed::NoInstruction), 3);
}

TEST(JoinTest, ALaunchOfAnotherProgramIsOfNoModule) {
  const Joined of({{"k", "first", 5, 8}, {"k", "first", 6}});
  EXPECT_EQ(of.of("first"), 6);
  EXPECT_EQ(of.without(Unattributed::NoModule), 5);
}

TEST(JoinTest, AModuleOfAFileIsOfOneProgramOnly) {
  const Joined one({{"k", "first", 5, 8}}, {}, /*embedded=*/false);
  EXPECT_EQ(one.of("first"), 5);
  EXPECT_EQ(one.joined.modules[0].of.program, 8);
  // Two programs of that name, and both fit.
  const Joined two({{"k", "first", 5, 8}, {"k", "first", 6, 9}}, {},
                   /*embedded=*/false);
  EXPECT_EQ(two.of("first"), 0);
  EXPECT_EQ(two.without(Unattributed::NoModule), 11);
  // One of them has an instruction that the module does not have.
  const Joined fits({{"k", "first", 5, 8}, {"k", "last", 6, 9}}, {},
                    /*embedded=*/false);
  EXPECT_EQ(fits.of("first"), 5);
  EXPECT_EQ(fits.without(Unattributed::NoModule), 6);
}

TEST(JoinTest, AnOpOfSeveralKernelsIsTheirSum) {
  // A stage runs twice a launch: 2 launches of 10 and 2 x 3.
  const Joined of({{"a", "first", 10},
                   {"b", "first", 3},
                   {"b", "first", 3},
                   {"a", "first", 10},
                   {"b", "first", 3},
                   {"b", "first", 3}});
  ASSERT_EQ(of.joined.ops.size(), 1u);
  const MeasuredOp &op = of.joined.ops[0];
  EXPECT_EQ(op.launches, 2);
  EXPECT_EQ(op.median, 16);
  EXPECT_EQ(op.total, 32);
  EXPECT_EQ(of.joined.modules[0].executions, 2);
}

TEST(JoinTest, FirstLaunchesOfEachKernelAreLeftOut) {
  JoinChoice choice;
  choice.first = 1;
  const Joined of({{"a", "first", 100},
                   {"b", "first", 30},
                   {"b", "first", 30},
                   {"a", "first", 10},
                   {"b", "first", 3},
                   {"b", "first", 3}},
                  choice);
  ASSERT_EQ(of.joined.ops.size(), 1u);
  EXPECT_EQ(of.joined.ops[0].total, 16);
  EXPECT_EQ(of.joined.leftOut, 160);
}

TEST(JoinTest, NamesOfKernels) {
  EXPECT_EQ(kernelNameOf("loop_negate_fusion.1"), "loop_negate_fusion_1");
  EXPECT_EQ(kernelNameOf("1st-$a"), "_1st_$a");
  EXPECT_EQ(plainKernelName("k.kd"), "k");
  EXPECT_EQ(plainKernelName("k [clone .kd]"), "k");
}

TEST(KernelTimesTest, BusyIsTheUnion) {
  ProfiledGpu gpu;
  gpu.kinds.resize(2);
  gpu.kinds[1].occurrences = 4;
  // [0, 10), [5, 15), [15, 20), [40, 41), and four of which no start is known.
  gpu.launches = {{40, 1, 0}, {5, 10, 0}, {0, 10, 0}, {15, 5, 0}, {0, 8, 1}};
  EXPECT_EQ(busyTime(gpu), 29);
}

TEST(KernelTimesTest, TimesThatThe64BitsDoNotHoldStayAtTheLargest) {
  Profile profile = profileOf({{"k", "first", INT64_MAX}, {"k", "first", 5}});
  const auto groups = groupsOf(profile);
  ASSERT_EQ(groups.size(), 1u);
  EXPECT_EQ(timesOf(profile, groups).total, INT64_MAX);
  EXPECT_GT(busyTime(profile.gpus[0]), 0);
}

}  // namespace
}  // namespace indexical
