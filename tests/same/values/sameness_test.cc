// What compare() says beside its verdict: the place at which two modules part,
// what would decide it, and which reads a law drops.
#include "indexical/same/values/sameness.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/module/op_definitions.h"

namespace indexical::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

constexpr char kBegin[] = R"(HloModule m
sum { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] add(a, b) }
count { a = s32[] parameter(0)  b = s32[] parameter(1)  ROOT c = s32[] add(a, b) }
last { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] copy(b) }
turned { a = f32[] parameter(0)  b = f32[] parameter(1)  ROOT c = f32[] subtract(b, a) }
twice { a = f32[8] parameter(0)  ROOT s = f32[8] add(a, a) }
times { a = f32[8] parameter(0)  b = f32[8] parameter(1)  ROOT m = f32[8] multiply(a, b) }
ENTRY e {
  x = f32[8] parameter(0)
  y = f32[8] parameter(1)
  z = f32[8] parameter(2)
  n = s32[8] parameter(3)
  k = s8[] parameter(4)
)";

Sameness compared(const char *first, const char *second, bool ofValues = true,
                  FloatLaws floats = FloatLaws::None) {
  auto a = parseHlo(std::string(kBegin) + first + "\n}"),
       b = parseHlo(std::string(kBegin) + second + "\n}");
  EXPECT_TRUE(a.ok()) << a.status() << first;
  EXPECT_TRUE(b.ok()) << b.status() << second;
  SamenessOptions options;
  if (ofValues) options.values = ValueOptions{floats};
  auto same = compare(a->modules[0], b->modules[0], options);
  EXPECT_TRUE(same.ok()) << same.status();
  return same.ok() ? *std::move(same) : Sameness();
}

std::string verdictOf(const char *first, const char *second,
                      bool ofValues = true) {
  const Sameness same = compared(first, second, ofValues);
  std::string all = wordOf(same.verdict.answer).str();
  for (const std::string &assumed : same.verdict.assumed)
    all += ", if " + assumed;
  return all;
}

// Two of one shape are told apart by their names, and one that is alone is
// taken for the other module's: a condition.
TEST(Sameness, LiteralsThatTheTextLeavesOut) {
  const char *both =
      "a = f32[8] constant({...})\n b = f32[8] constant({...})\n"
      "ROOT r = f32[8] subtract(a, b)";
  const std::string equal =
      "equal, if a literal that the text leaves out is the same in both";
  EXPECT_EQ(verdictOf(both, both), equal);
  EXPECT_EQ(verdictOf(both,
                      "b = f32[8] constant({...})\n a = f32[8] "
                      "constant({...})\n ROOT r = f32[8] subtract(a, b)"),
            equal);
  EXPECT_EQ(verdictOf(both,
                      "a = f32[8] constant({...})\n b = f32[8] "
                      "constant({...})\n ROOT r = f32[8] subtract(b, a)"),
            "undecided");
  EXPECT_EQ(verdictOf("a = f32[8] constant({...})\n ROOT r = f32[8] add(a, x)",
                      "c = f32[8] constant({...})\n ROOT r = f32[8] add(c, x)"),
            equal);
  // A gather reads elements by them.
  const char *gather =
      "a = s32[4,1] constant({...})\n b = s32[4,1] constant({...})\n"
      "u = s32[4,1] add(a, b)\n"
      "ROOT r = f32[4] gather(x, %s), offset_dims={}, "
      "collapsed_slice_dims={0}, start_index_map={0}, index_vector_dim=1, "
      "slice_sizes={1}";
  const auto gathered = [&](const char *by) {
    std::string text = gather;
    return text.replace(text.find("%s"), 2, by);
  };
  const std::string ofA = gathered("a"), ofB = gathered("b");
  EXPECT_EQ(verdictOf(ofA.c_str(), ofA.c_str(), false), equal);
  EXPECT_EQ(verdictOf(ofA.c_str(), ofB.c_str(), false), "undecided");
}

// A scatter in one piece, and cut into its updates.
TEST(Sameness, OrderOfUpdates) {
  const auto scattered = [](std::string name, std::string x, std::string i,
                            std::string u, std::string function) {
    return name + " = f32[8] scatter(" + x + ", " + i + ", " + u +
           "), update_window_dims={}, inserted_window_dims={0}, "
           "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=" +
           function + "\n";
  };
  const auto whole = [&](const char *function) {
    return "i = s32[2] slice(n), slice={[0:2]}\n"
           "u = f32[2] slice(y), slice={[0:2]}\n" +
           scattered("ROOT r", "x", "i", "u", function);
  };
  const auto cut = [&](const char *function, int first) {
    std::string all;
    for (int k : {0, 1}) {
      const std::string own = std::to_string(k == 0 ? first : 1 - first);
      const std::string range =
          "[" + own + ":" + std::to_string(own[0] - '0' + 1) + "]";
      const std::string at = std::to_string(k);
      all += "i" + at + " = s32[1] slice(n), slice={" + range + "}\n" + "u" +
             at + " = f32[1] slice(y), slice={" + range + "}\n" +
             scattered(k == 0 ? "s" : "ROOT r", k == 0 ? "x" : "s", "i" + at,
                       "u" + at, function);
    }
    return all;
  };
  const std::string order =
      ", if updates of a scatter that land on one element do so in their order";
  for (const char *function : {"sum", "last", "turned"}) {
    SCOPED_TRACE(function);
    // In the last one, updates are read that the whole scatter does not need.
    EXPECT_EQ(verdictOf(whole(function).c_str(), cut(function, 0).c_str()),
              function == llvm::StringRef("last") ? "equal, other reads" + order
                                                  : "equal" + order);
    EXPECT_NE(verdictOf(whole(function).c_str(), cut(function, 1).c_str())
                  .substr(0, 5),
              "equal");
  }
  EXPECT_EQ(verdictOf(whole("sum").c_str(), whole("sum").c_str()), "equal");
  // A sum of integers has none.
  const auto ofIntegers = [](std::string text) {
    for (size_t at; (at = text.find("f32")) != std::string::npos;)
      text.replace(at, 3, "s32");
    for (size_t at; (at = text.find("(y)")) != std::string::npos;)
      text.replace(at, 3, "(n)");
    for (size_t at; (at = text.find("scatter(x")) != std::string::npos;)
      text.replace(at, 9, "scatter(n");
    return text;
  };
  EXPECT_EQ(verdictOf(ofIntegers(whole("count")).c_str(),
                      ofIntegers(cut("count", 0)).c_str()),
            "equal");
}

struct Parting {
  const char *first, *second;
  /// The instructions at which they part; null if the first module has none.
  const char *at, *other;
};

TEST(Sameness, NamesTheFirstValuesThatPart) {
  const Parting kCases[] = {
      // Of what is computed of it, nothing is named.
      {"a = f32[8] exponential(x)\n b = f32[8] tanh(a)\n"
       "c = f32[8] add(b, y)\n ROOT r = f32[8] custom-call(c), "
       "custom_call_target=\"f\"",
       "a = f32[8] exponential(x)\n d = f32[8] sine(a)\n"
       "c = f32[8] add(d, y)\n ROOT r = f32[8] custom-call(c), "
       "custom_call_target=\"f\"",
       "b", "d"},
      // Beside the value of most common operands, whatever its name is.
      {"a = f32[8] custom-call(x), custom_call_target=\"f\"\n"
       "b = f32[8] custom-call(y), custom_call_target=\"f\"\n"
       "ROOT r = f32[8] add(a, b)",
       "b = f32[8] custom-call(x), custom_call_target=\"f\"\n"
       "a = f32[8] custom-call(y), custom_call_target=\"g\"\n"
       "ROOT r = f32[8] add(a, b)",
       "b", "a"},
      // Inside a fusion.
      {"a = f32[8] fusion(x, y), kind=kLoop, calls=times\n"
       "ROOT r = f32[8] custom-call(a), custom_call_target=\"f\"",
       "a = f32[8] fusion(x), kind=kLoop, calls=twice\n"
       "ROOT r = f32[8] custom-call(a), custom_call_target=\"f\"",
       "m", "s"},
      // Moves are no place, but for the result.
      {"s = f32[8] reverse(x), dimensions={0}\n a = f32[8] add(s, y)\n"
       "ROOT r = f32[8] custom-call(a), custom_call_target=\"f\"",
       "s = f32[8] copy(x)\n b = f32[8] add(s, y)\n"
       "ROOT r = f32[8] custom-call(b), custom_call_target=\"f\"",
       "a", "b"},
      // The first module has all that the second has.
      {"ROOT r = f32[8] custom-call(x), custom_call_target=\"f\"",
       "a = f32[8] custom-call(x), custom_call_target=\"f\"\n"
       "ROOT b = f32[8] custom-call(a), custom_call_target=\"f\"",
       nullptr, "b"},
  };
  for (const Parting &each : kCases) {
    SCOPED_TRACE(std::string(each.first) + "\n" + each.second);
    const Sameness same = compared(each.first, each.second);
    ASSERT_EQ(same.verdict.answer, Verdict::Undecided);
    const auto &divergence = same.values->leaves[0].divergence;
    ASSERT_TRUE(divergence);
    EXPECT_EQ(divergence->second.instruction, each.other);
    ASSERT_EQ(divergence->first.has_value(), each.at != nullptr);
    if (divergence->first) {
      EXPECT_EQ(divergence->first->instruction, each.at);
    }
  }
}

TEST(Sameness, NamesTheSmallestLawsThatDecide) {
  const char *nested = "a = f32[8] add(x, y)\n ROOT r = f32[8] add(a, z)";
  const char *turned = "a = f32[8] add(y, z)\n ROOT r = f32[8] add(x, a)";
  EXPECT_THAT(compared(nested, turned).verdict.decidedBy,
              ElementsAre("--float-laws=reassociate"));
  EXPECT_EQ(
      compared(nested, turned, true, FloatLaws::Reassociate).verdict.answer,
      Verdict::Same);
  const char *zero =
      "c = f32[] constant(0)\n b = f32[8] broadcast(c), dimensions={}\n"
      "ROOT r = f32[8] add(x, b)";
  EXPECT_THAT(compared(zero, "ROOT r = f32[8] copy(x)").verdict.decidedBy,
              ElementsAre("--float-laws=zero-sign"));
  const char *factored =
      "a = f32[8] multiply(x, y)\n b = f32[8] multiply(x, z)\n"
      "ROOT r = f32[8] add(a, b)";
  const char *product = "a = f32[8] add(y, z)\n ROOT r = f32[8] multiply(x, a)";
  EXPECT_THAT(compared(factored, product).verdict.decidedBy,
              ElementsAre("--float-laws=real"));
  // What is assumed already stays.
  EXPECT_THAT(compared(zero, "ROOT r = f32[8] copy(x)", true, FloatLaws::NoNan)
                  .verdict.decidedBy,
              ElementsAre("--float-laws=no-nan,zero-sign"));
  EXPECT_THAT(compared("ROOT r = f32[8] sine(x)", "ROOT r = f32[8] tan(x)")
                  .verdict.decidedBy,
              IsEmpty());
  EXPECT_THAT(
      compared("ROOT r = f32[8] custom-call(x), custom_call_target=\"f\"",
               "ROOT r = f32[8] copy(x)", false)
          .verdict.decidedBy,
      ElementsAre("--ops with the line `f elementwise`"));
}

std::string calls(std::vector<int> axes) {
  std::string text;
  for (size_t k = 0; k < axes.size(); ++k)
    text += (k + 1 == axes.size() ? "ROOT v" : "v") + std::to_string(k) +
            " = f32[4,4] custom-call(" +
            (k ? "v" + std::to_string(k - 1) : "t") +
            "), custom_call_target=\"norm\", backend_config={\"axis\":" +
            std::to_string(axes[k]) + "}\n";
  return text;
}

/// Where some meaning of an unknown op makes both equal, the line is written
/// that says it, and with the file that has it they are.
TEST(Sameness, WritesTheLineOfOpsThatDecides) {
  const std::string copy = "t = f32[4,4] copy(p)\n";
  struct Case {
    std::string first, second;
    std::string line;
  };
  const Case kCases[] = {
      // A sum of a row reads the row.
      {copy + calls({1}),
       "z = f32[] constant(0)\n"
       "s = f32[4] reduce(p, z), dimensions={1}, to_apply=sum\n"
       "ROOT r = f32[4,4] broadcast(s), dimensions={0}\n",
       "--ops with the line `norm (d0, d1)[s0] -> (d0, s0)`"},
      {copy + calls({0}),
       "z = f32[] constant(0)\n"
       "s = f32[4] reduce(p, z), dimensions={0}, to_apply=sum\n"
       "ROOT r = f32[4,4] broadcast(s), dimensions={1}\n",
       "--ops with the line `norm (d0, d1)[s0] -> (s0, d1)`"},
      // Two configurations are two ops.
      {copy + calls({0, 1}), "ROOT r = f32[4,4] copy(p)\n",
       "--ops with the lines `norm{axis=0} elementwise`, `norm{axis=1} "
       "elementwise`"},
      // Nothing that is tried reads the transposed element alone.
      {copy + calls({1}), "ROOT r = f32[4,4] transpose(p), dimensions={1,0}\n",
       "--ops with a line for norm"},
  };
  for (const Case &each : kCases) {
    SCOPED_TRACE(each.first + each.second);
    const std::string sum =
        "sum {\n  a = f32[] parameter(0)\n  b = f32[] parameter(1)\n"
        "  ROOT c = f32[] add(a, b)\n}\n";
    auto text = [&](const std::string &body) {
      return sum + "ENTRY e {\n  p = f32[4,4] parameter(0)\n" + body + "}\n";
    };
    const auto one = parseHlo(text(each.first)),
               two = parseHlo(text(each.second));
    ASSERT_TRUE(one.ok() && two.ok());
    const auto same = compare(one->modules[0], two->modules[0]);
    ASSERT_TRUE(same.ok());
    EXPECT_EQ(same->verdict.answer, Verdict::Undecided);
    EXPECT_THAT(same->verdict.decidedBy, ElementsAre(each.line));
    // The lines between the quotes are a file that decides.
    std::string file;
    llvm::SmallVector<llvm::StringRef, 4> parts;
    llvm::StringRef(each.line).split(parts, '`');
    for (size_t k = 1; k < parts.size(); k += 2) file += parts[k].str() + "\n";
    if (file.empty()) continue;
    CustomCallRegistry registry;
    ASSERT_TRUE(addOpDefinitions(file, registry).ok());
    HloOptions options;
    options.customCalls = &registry;
    const auto known = parseHlo(text(each.first), "", options);
    ASSERT_TRUE(known.ok());
    const auto now = compare(known->modules[0], two->modules[0]);
    ASSERT_TRUE(now.ok());
    EXPECT_EQ(now->verdict.answer, Verdict::Same);
  }
}

TEST(Sameness, NamesWhatALawNoLongerReads) {
  const Sameness same = compared(
      "d = s32[8] subtract(n, n)\n"
      "ROOT r = s32[8] add(d, n)",
      "ROOT r = s32[8] copy(n)");
  EXPECT_EQ(same.verdict.answer, Verdict::Same);
  const Sameness fewer = compared(
      "c = s32[] constant(0)\n b = s32[8] broadcast(c), dimensions={}\n"
      "ROOT r = s32[8] and(n, b)",
      "c = s32[] constant(0)\n ROOT b = s32[8] broadcast(c), dimensions={}");
  EXPECT_EQ(fewer.verdict.answer, Verdict::FewerReads);
  ASSERT_EQ(fewer.values->lost.size(), 1u);
  EXPECT_EQ(fewer.values->lost[0].opcode, "and");
  EXPECT_THAT(fewer.values->lost[0].parameters, ElementsAre("n"));
}

/// Ops that are not computed here are no functions of any kind: each of these
/// is the same in every run, though one alone reads `x` or `k`.
TEST(Sameness, AReadWithoutEffectIsNoDifferenceOfValues) {
  const char *kCases[][2] = {
      {"c = s8[] count-leading-zeros(k)\n a = s8[] not(c)\n"
       "s = s8[] shift-right-arithmetic(k, k)\n ROOT r = s8[] minimum(s, a)",
       "c = s8[] count-leading-zeros(k)\n ROOT a = s8[] not(c)"},
      {"o = f32[] constant(0)\n w = f32[] divide(o, o)\n"
       "b = f32[8] broadcast(w), dimensions={}\n"
       "ROOT r = f32[8] maximum(x, b)",
       "o = f32[] constant(0)\n w = f32[] divide(o, o)\n"
       "ROOT b = f32[8] broadcast(w), dimensions={}"},
      {"s = s32[8] sort(n), dimensions={0}, to_apply=less\n"
       "a = s32[1] slice(s), slice={[0:1]}\n"
       "b = s32[1] slice(s), slice={[1:2]}\n"
       "ROOT c = pred[1] compare(a, b), direction=LE",
       "t = pred[] constant(true)\n"
       "ROOT c = pred[1] broadcast(t), dimensions={}"},
  };
  for (const auto &each : kCases) {
    const std::string less =
        "less { a = s32[] parameter(0)  b = s32[] parameter(1)  "
        "ROOT r = pred[] compare(a, b), direction=LT }\n";
    std::string begin = kBegin;
    begin.insert(begin.find("ENTRY"), less);
    auto a = parseHlo(begin + each[0] + "\n}"),
         b = parseHlo(begin + each[1] + "\n}");
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status() << each[0];
    SamenessOptions options;
    options.values.emplace();
    for (const bool isTurned : {false, true}) {
      const auto same = compare((isTurned ? b : a)->modules[0],
                                (isTurned ? a : b)->modules[0], options);
      ASSERT_TRUE(same.ok()) << same.status();
      EXPECT_NE(same->verdict.answer, Verdict::Different) << each[0];
    }
  }
}

}  // namespace
}  // namespace indexical::testing
