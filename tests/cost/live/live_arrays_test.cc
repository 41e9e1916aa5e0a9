// Live arrays against a count, op by op, of the arrays that a later op reads.
//
//   INDEXICAL_LIVE=20      20 times as many modules
//   INDEXICAL_LIVE_SEED=n  beginning with this one
#include "indexical/cost/live/live_arrays.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// An instruction of a random module: arrays of floats, whose sizes are kept.
struct Line {
  std::string name, text;
  int64_t size = 0;
  std::vector<size_t> operands;
  enum class Kind { Parameter, Op, View, Update } kind = Kind::Op;
};

std::vector<Line> randomLines(Random &random) {
  std::vector<Line> lines;
  const int64_t parameters = random.in(1, 2), count = random.in(4, 14);
  for (int64_t n = 0; n < parameters + count; ++n) {
    Line line;
    line.name = "v" + std::to_string(n);
    if (n < parameters) {
      line.kind = Line::Kind::Parameter;
      line.size = random.in(1, 9);
      line.text = "parameter(" + std::to_string(n) + ")";
      lines.push_back(line);
      continue;
    }
    const size_t from = random.in(0, n - 1);
    const Line &of = lines[from];
    line.operands = {from};
    line.size = of.size;
    switch (random.in(0, 5)) {
      case 0:
        line.kind = Line::Kind::View;
        line.text = "bitcast(" + of.name + ")";
        break;
      case 1: {
        line.kind = Line::Kind::Update;
        line.text =
            "dynamic-update-slice(" + of.name + ", " + of.name + ", " + "zero)";
        break;
      }
      case 2:
        line.size = random.in(of.size, 9);
        line.text = "pad(" + of.name + ", nothing), padding=0_" +
                    std::to_string(line.size - of.size);
        break;
      default: {
        const size_t other = random.in(0, n - 1);
        if (lines[other].size == of.size) {
          line.operands.push_back(other);
          line.text = "add(" + of.name + ", " + lines[other].name + ")";
        } else {
          line.text = "negate(" + of.name + ")";
        }
      }
    }
    lines.push_back(line);
  }
  return lines;
}

std::string moduleOf(const std::vector<Line> &lines) {
  std::string text =
      "HloModule m, is_scheduled=true\nENTRY e {\n  zero = s32[] constant(0)\n"
      "  nothing = f32[] constant(0)\n";
  for (const Line &line : lines)
    text += std::string(&line == &lines.back() ? "  ROOT " : "  ") + line.name +
            " = f32[" + std::to_string(line.size) + "] " + line.text + "\n";
  return text + "}\n";
}

/// The most bytes, by looking at every op.
int64_t peakOf(const std::vector<Line> &lines) {
  std::vector<size_t> array(lines.size());
  for (size_t n = 0; n < lines.size(); ++n) {
    array[n] = n;
    const Line &line = lines[n];
    if (line.operands.empty()) continue;
    const size_t whole = array[line.operands[0]];
    bool isReadLater = false;
    for (size_t later = n + 1; later < lines.size(); ++later)
      for (size_t operand : lines[later].operands)
        isReadLater |= operand < n && array[operand] == whole;
    if (line.kind == Line::Kind::View ||
        (line.kind == Line::Kind::Update && !isReadLater))
      array[n] = whole;
  }
  const size_t count = lines.size();
  int64_t most = 0;
  for (size_t now = 0; now < count; ++now) {
    int64_t bytes = 8;  // both constants
    for (size_t a = 0; a < count; ++a) {
      if (array[a] != a) continue;
      const bool isParameter = lines[a].kind == Line::Kind::Parameter;
      bool isNeeded = isParameter || array[count - 1] == a;
      for (size_t later = now; later < count; ++later) {
        isNeeded |= array[later] == a;
        if (lines[later].kind != Line::Kind::View)
          for (size_t operand : lines[later].operands)
            isNeeded |= array[operand] == a;
      }
      if (isNeeded && (isParameter || a <= now)) bytes += 4 * lines[a].size;
    }
    most = std::max(most, bytes);
  }
  return most;
}

TEST(LiveArraysTest, RandomModules) {
  const uint64_t first = fromEnvironment("INDEXICAL_LIVE_SEED", 1);
  const uint64_t count = 3000 * fromEnvironment("INDEXICAL_LIVE", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const std::vector<Line> lines = randomLines(random);
    const std::string text = moduleOf(lines);
    SCOPED_TRACE("INDEXICAL_LIVE_SEED=" + std::to_string(seed) + "\n" + text);
    auto program = parseHlo(text);
    ASSERT_TRUE(program.ok()) << program.status();
    const auto peak = livePeakOf(program->modules[0]);
    ASSERT_TRUE(peak);
    ASSERT_EQ(peak->bytes, peakOf(lines));
    int64_t sum = 0;
    for (const LiveArray &array : peak->arrays) sum += array.bytes;
    ASSERT_EQ(peak->bytes, sum);
  }
}

//===-- Small modules -----------------------------------------------------===//

std::string textOf(const std::string &hlo) {
  auto program = parseHlo(hlo);
  EXPECT_TRUE(program.ok()) << program.status();
  if (!program.ok()) return "";
  const Module &module = program->modules[0];
  const auto peak = livePeakOf(module);
  if (!peak) return "nothing";
  auto name = [&](ComputationId c, InstructionId i) {
    return module.computations[c].instructions[i].name.str();
  };
  std::string text =
      name(peak->computation, peak->at) + " " + std::to_string(peak->bytes);
  for (const LiveArray &array : peak->arrays)
    text += ", " + name(array.computation, array.value.instruction) + " " +
            std::to_string(array.bytes);
  return text;
}

TEST(LiveArraysTest, TheExample) {
  EXPECT_EQ(textOf(R"(HloModule m, is_scheduled=true
ENTRY e {
  p = f32[1024] parameter(0)
  a = f32[2048] concatenate(p, p), dimensions={0}
  b = f32[2048] exponential(a)
  c = f32[2048] add(a, b)
  ROOT r = f32[1024] slice(c), slice={[0:1024]}
})"),
            "c 28672, a 8192, b 8192, c 8192, p 4096");
}

TEST(LiveArraysTest, ALoopKeepsItsState) {
  EXPECT_EQ(textOf(R"(HloModule m, is_scheduled=true
body {
  s = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[100] get-tuple-element(s), index=1
  one = s32[] constant(1)
  j = s32[] add(i, one)
  wide = f32[300] concatenate(x, x, x), dimensions={0}
  y = f32[100] slice(wide), slice={[100:200]}
  ROOT t = (s32[], f32[100]) tuple(j, y)
}
test {
  s = (s32[], f32[100]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  n = s32[] constant(9)
  ROOT r = pred[] compare(i, n), direction=LT
}
ENTRY e {
  i = s32[] parameter(0)
  p = f32[100] parameter(1)
  t = (s32[], f32[100]) tuple(i, p)
  w = (s32[], f32[100]) while(t), condition=test, body=body
  ROOT r = f32[100] get-tuple-element(w), index=1
})"),
            "wide 1608, wide 1200, p 400, i 4, one 4");
}

/// What XLA's heap simulator finds for a module (the numbers are those of its
/// tests), and in what it counts otherwise: docs/keys.md.
TEST(LiveArraysTest, XlasHeapSimulatorButForWhatThePageSays) {
  struct Case {
    const char *hlo;
    int64_t xla;
    int64_t pointers;   ///< of tuples, which XLA counts
    int64_t constants;  ///< which it does not count
    int64_t inPlace;    ///< an operand that it writes over
  };
  const Case kCases[] = {
      // A loop's parameters are the caller's arrays; what its condition gives
      // is none of them.
      {R"(HloModule m, is_scheduled=true
test {
  s = (f32[], f32[]) parameter(0)
  i = f32[] get-tuple-element(s), index=0
  d = f32[] get-tuple-element(s), index=1
  ROOT r = pred[] compare(i, d), direction=LT
}
body { ROOT s = (f32[], f32[]) parameter(0) }
ENTRY e {
  i = f32[] parameter(0)
  d = f32[] parameter(1)
  t = (f32[], f32[]) tuple(i, d)
  ROOT w = (f32[], f32[]) while(t), condition=test, body=body
})",
       25, 16, 0, 0},
      {R"(HloModule m, is_scheduled=true
test {
  c = f32[4] parameter(0)
  s = f32[1] slice(c), slice={[0:1]}
  r = f32[] reshape(s)
  z = f32[] constant(0)
  ROOT n = pred[] compare(r, z), direction=NE
}
body {
  b = f32[4] parameter(0)
  o = f32[4] constant({1, 1, 1, 1})
  ROOT d = f32[4] subtract(b, o)
}
ENTRY e {
  i = f32[4] constant({1, 1, 1, 1})
  w = f32[4] while(i), condition=test, body=body
  b = f32[2,4] broadcast(w), dimensions={1}
  m = f32[2,4] constant({{1, 2, 3, 4}, {1, 2, 3, 4}})
  t = f32[2,4] transpose(m), dimensions={0,1}
  ROOT a = f32[2,4] add(t, b)
})",
       64, 0, 16 + 32, 32},
  };
  for (const Case &each : kCases) {
    SCOPED_TRACE(each.hlo);
    const auto program = parseHlo(each.hlo);
    ASSERT_TRUE(program.ok()) << program.status();
    const auto peak = livePeakOf(program->modules[0]);
    ASSERT_TRUE(peak);
    EXPECT_EQ(peak->bytes,
              each.xla - each.pointers + each.constants + each.inPlace);
  }
}

/// What is sent or copied may not go before the op is done, and a copy lies in
/// memory of its own.
TEST(LiveArraysTest, AnOpThatIsStartedReadsUntilItIsDone) {
  const std::string kBefore = R"(HloModule m, is_scheduled=true
sum {
  a = f32[] parameter(0)
  b = f32[] parameter(1)
  ROOT s = f32[] add(a, b)
}
ENTRY e {
  p = f32[10] parameter(0)
  n = f32[10] negate(p)
)";
  const std::string kBehind = R"(  w = f32[30] concatenate(p, p, p), dimensions={0}
  r = f32[1] slice(w), slice={[0:1]}
  d = f32[10] )";
  const std::string kEnd = "-done(s)\n  ROOT t = (f32[1], f32[10]) tuple(r, d)\n}";
  const std::string kSum = ", replica_groups={}, to_apply=sum\n";
  for (const auto &[start, opcode] :
       std::vector<std::pair<std::string, std::string>>{
           {"f32[10] all-reduce-start(n)" + kSum, "all-reduce"},
           {"(f32[10], f32[10]) all-reduce-start(n)" + kSum, "all-reduce"},
           {"(f32[10], f32[10]) copy-start(n)\n", "copy"}}) {
    const std::string text = textOf(kBefore + "  s = " + start + kBehind +
                                    opcode + kEnd);
    // p, n and what is sent, beside the 120 bytes of w and the 4 of r.
    EXPECT_EQ(text.substr(0, 5), "r 244") << start << text;
  }
}

TEST(LiveArraysTest, TilesArePadded) {
  EXPECT_EQ(textOf(R"(HloModule m, is_scheduled=true
ENTRY e {
  p = f32[9,3]{1,0:T(8,128)} parameter(0)
  ROOT r = s4[9,3]{1,0:E(4)} convert(p)
})"),
            "r 8206, p 8192, r 14");
}

TEST(LiveArraysTest, OnlyScheduledModulesHaveAPeak) {
  EXPECT_EQ(textOf("ENTRY e { ROOT p = f32[4] parameter(0) }"), "nothing");
}

}  // namespace
}  // namespace indexical::testing
