// Modules of many layers: a tensor-parallel MLP with residuals, and mutants of
// each layer. Budgets and deadlines hold.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/budget.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {
namespace {

constexpr char kDot[] =
    ", lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";

std::string numbered(const std::string &name, int number) {
  return name + std::to_string(number);
}

/// Both modules of so many layers. In layer `wrong`, the sum is one of half of
/// the devices.
struct DeepPair {
  std::string whole = "HloModule g\nENTRY main {\n",
              local = "HloModule m\nadd {\n  p = f32[] parameter(0)\n"
                      "  q = f32[] parameter(1)\n  ROOT r = f32[] add(p, q)\n}\n"
                      "ENTRY main_spmd {\n";

  DeepPair(int layers, int devices, int wrong = -1) {
    const std::string n = std::to_string(devices),
                      wide = std::to_string(4 * devices);
    whole += "  x0 = f32[8,8] parameter(0), sharding={replicated}\n";
    local += "  x0 = f32[8,8] parameter(0)\n";
    for (int l = 0; l < layers; ++l) {
      const std::string wa = numbered("wa", l), wb = numbered("wb", l),
                        x = numbered("x", l), next = numbered("x", l + 1),
                        h = numbered("h", l), t = numbered("t", l),
                        d = numbered("d", l), a = numbered("a", l);
      const std::string first = std::to_string(2 * l + 1),
                        second = std::to_string(2 * l + 2);
      const auto layer = [&](const std::string &size) {
        return "  " + h + " = f32[8," + size + "] dot(" + x + ", " + wa + ")" +
               kDot + "  " + t + " = f32[8," + size + "] tanh(" + h + ")\n  " +
               d + " = f32[8,8] dot(" + t + ", " + wb + ")" + kDot;
      };
      whole += "  " + wa + " = f32[8," + wide + "] parameter(" + first +
               "), sharding={devices=[1," + n + "]<=[" + n + "]}\n  " + wb +
               " = f32[" + wide + ",8] parameter(" + second +
               "), sharding={devices=[" + n + ",1]<=[" + n + "]}\n" +
               layer(wide) + "  " + next + " = f32[8,8] add(" + d + ", " + x +
               ")\n";
      const std::string groups =
          l == wrong ? "[2," + std::to_string(devices / 2) + "]<=[" + n + "]"
                     : "[1," + n + "]<=[" + n + "]";
      local += "  " + wa + " = f32[8,4] parameter(" + first + ")\n  " + wb +
               " = f32[4,8] parameter(" + second + ")\n" + layer("4") + "  " +
               a + " = f32[8,8] all-reduce(" + d + "), channel_id=" + first +
               ", replica_groups=" + groups +
               ", use_global_device_ids=true, to_apply=add\n  " + next +
               " = f32[8,8] add(" + a + ", " + x + ")\n";
    }
    const std::string root = "  ROOT out = f32[8,8] copy(" +
                             numbered("x", layers) + ")";
    whole += root + ", sharding={replicated}\n}\n";
    local += root + "\n}\n";
  }
};

absl::StatusOr<PartitionedEquality> compared(const DeepPair &pair, int devices,
                                             PartitionedOptions options = {}) {
  auto whole = parseHlo(pair.whole), local = parseHlo(pair.local);
  EXPECT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(local.ok()) << local.status();
  options.partitions = devices;
  options.areLocal = false;
  return comparePartitioned(*whole, *local, options);
}

TEST(DeepTest, LayersAreCut) {
  for (const auto &[layers, devices] :
       {std::pair{2, 8}, {6, 8}, {8, 8}, {16, 8}, {40, 64}}) {
    SCOPED_TRACE(std::to_string(layers) + " layers");
    const auto equality = compared({layers, devices}, devices);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_EQ(equality->verdict.answer, Verdict::Same)
        << equality->results[0].verdict.reason;
  }
}

TEST(DeepTest, TheLayerThatIsWrongIsNamed) {
  const int layers = 12;
  for (const int wrong : {0, 5, layers - 1}) {
    SCOPED_TRACE(std::to_string(wrong));
    const auto equality = compared({layers, 8, wrong}, 8);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_FALSE(equality->verdict.isSame());
    const auto &because = equality->results[0].because;
    ASSERT_TRUE(because);
    EXPECT_EQ(because->instruction, numbered("a", wrong));
  }
}

/// One layer over three devices, whose sums go through the groups.
absl::StatusOr<PartitionedEquality> comparedInGroups(const std::string &groups,
                                                     const char *reducer) {
  auto whole = parseHlo(
      "HloModule w\nENTRY main {\n"
      "  x = f32[2,2] parameter(0), sharding={replicated}\n"
      "  a = f32[2,3] parameter(1), sharding={devices=[1,3]0,1,2}\n"
      "  b = f32[3,2] parameter(2), sharding={devices=[3,1]0,1,2}\n"
      "  h = f32[2,3] dot(x, a)" + std::string(kDot) +
      "  t = f32[2,3] tanh(h)\n"
      "  ROOT y = f32[2,2] dot(t, b), sharding={replicated}" + kDot + "}\n");
  auto local = parseHlo(
      "HloModule l\nadd {\n  p = f32[] parameter(0)\n"
      "  q = f32[] parameter(1)\n  ROOT r = f32[] " + std::string(reducer) +
      "(p, q)\n}\nENTRY main {\n"
      "  x = f32[2,2] parameter(0)\n  a = f32[2,1] parameter(1)\n"
      "  b = f32[1,2] parameter(2)\n  h = f32[2,1] dot(x, a)" + kDot +
      "  t = f32[2,1] tanh(h)\n  y = f32[2,2] dot(t, b)" + kDot +
      "  ROOT r = f32[2,2] all-reduce(y), channel_id=1, replica_groups={" +
      groups + "}, use_global_device_ids=true, to_apply=add\n}\n");
  EXPECT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(local.ok()) << local.status();
  PartitionedOptions options;
  options.partitions = 3;
  options.areLocal = false;
  return comparePartitioned(*whole, *local, options);
}

TEST(DeepTest, ASumTakesItsGroupInAnyOrder) {
  for (const char *groups : {"{0,1,2}", "{0,2,1}", "{1,0,2}", "{1,2,0}",
                             "{2,0,1}", "{2,1,0}"}) {
    SCOPED_TRACE(groups);
    const auto sum = comparedInGroups(groups, "add");
    ASSERT_TRUE(sum.ok()) << sum.status();
    EXPECT_EQ(sum->verdict.answer, Verdict::Same);
    // Neither another function nor a smaller group is the sum.
    for (const auto &other : {comparedInGroups(groups, "subtract"),
                              comparedInGroups(groups, "maximum"),
                              comparedInGroups("{0,1},{2}", "add")}) {
      ASSERT_TRUE(other.ok()) << other.status();
      EXPECT_FALSE(other->verdict.isSame());
    }
  }
}

TEST(DeepTest, ABudgetEndsThem) {
  for (const int wrong : {-1, 3}) {
    PartitionedOptions options;
    options.operations = 1000;
    const auto equality = compared({16, 8, wrong}, 8, options);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_NE(equality->verdict.answer, Verdict::Different);
    EXPECT_FALSE(wrong >= 0 && equality->verdict.isSame());
  }
}

TEST(DeepTest, AStopEndsThem) {
  for (const int64_t polls : {1, 50}) {
    Stop stop;
    stop.endAtPoll(polls);
    PartitionedOptions options;
    options.stop = &stop;
    const auto equality = compared({16, 8, /*wrong=*/3}, 8, options);
    EXPECT_TRUE(!equality.ok() || !equality->verdict.isSame());
  }
}

}  // namespace
}  // namespace indexical
