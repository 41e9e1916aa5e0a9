// Modules of many layers: a tensor-parallel MLP with residuals, and mutants of
// each layer. Budgets and deadlines hold.
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/budget.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/support/random.h"

namespace indexical {
namespace {

using testing::Random;

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

/// Both modules of so many layers, forward and backward: the gradients of all
/// weights, and of the input. In layer `wrong`, the sum of the forward part, or
/// of the backward one, is one of half of the devices. If the layers are mixed,
/// each third one has no residual but a factor, and each third one neither.
struct TrainedPair {
  std::string whole, local;

  TrainedPair(int layers, int devices, bool isMixed = false, int wrong = -1,
              int wrongBackward = -1)
      : devices_(devices) {
    const std::string n = std::to_string(devices);
    columns_ = "{devices=[1," + n + "]<=[" + n + "]}";
    rows_ = "{devices=[" + n + ",1]<=[" + n + "]}";
    parameter("x0", kBoth, "{replicated}");
    for (int l = 0; l < layers; ++l) {
      parameter(numbered("a", l), kColumns, columns_);
      parameter(numbered("b", l), kRows, rows_);
    }
    parameter("y", kBoth, "{replicated}");
    add("k", "f32[] constant(1)");
    for (const Kind kind : {kBoth, kColumns})
      op(kind == kBoth ? "one" : "ones", kind, "broadcast(k), dimensions={}");
    for (int l = 0; l < layers; ++l) forward(l, isMixed ? l % 3 : 0, wrong);
    std::string gradient = "y";
    for (int l = layers; l-- > 0;)
      gradient = backward(l, isMixed ? l % 3 : 0, gradient, wrongBackward);
    results_.push_back({gradient, kBoth, "{replicated}"});
    // All sums have a part in a result, the last one too.
    results_.push_back({numbered("x", layers), kBoth, "{replicated}"});
    finish();
  }

 private:
  /// How the devices have an array: all of it, or some columns or rows.
  enum Kind { kBoth, kColumns, kRows };
  struct Result {
    std::string name;
    Kind kind;
    std::string sharding;
  };

  std::string type(Kind kind, bool isWhole) const {
    const std::string wide = std::to_string(isWhole ? 2 * devices_ : 2);
    return kind == kBoth   ? "f32[4,4]"
           : kind == kRows ? "f32[" + wide + ",4]"
                           : "f32[4," + wide + "]";
  }
  void add(const std::string &name, const std::string &text) {
    whole += "  " + name + " = " + text + "\n";
    local += "  " + name + " = " + text + "\n";
  }
  void op(const std::string &name, Kind kind, const std::string &text) {
    whole += "  " + name + " = " + type(kind, true) + " " + text + "\n";
    local += "  " + name + " = " + type(kind, false) + " " + text + "\n";
  }
  void parameter(const std::string &name, Kind kind,
                 const std::string &sharding) {
    const std::string number = std::to_string(parameters_++);
    whole += "  " + name + " = " + type(kind, true) + " parameter(" + number +
             "), sharding=" + sharding + "\n";
    local += "  " + name + " = " + type(kind, false) + " parameter(" + number +
             ")\n";
  }
  static std::string dot(const std::string &a, const std::string &b, int left,
                         int right) {
    return "dot(" + a + ", " + b + "), lhs_contracting_dims={" +
           std::to_string(left) + "}, rhs_contracting_dims={" +
           std::to_string(right) + "}";
  }
  /// A product whose sum over devices is complete in the whole module.
  void summed(const std::string &name, const std::string &product,
              bool isWrong) {
    const std::string n = std::to_string(devices_);
    whole += "  " + name + " = f32[4,4] " + product + "\n";
    local += "  p" + name + " = f32[4,4] " + product + "\n  " + name +
             " = f32[4,4] all-reduce(p" + name +
             "), channel_id=" + std::to_string(++channels_) +
             ", replica_groups=" +
             (isWrong ? "[2," + std::to_string(devices_ / 2) + "]"
                      : "[1," + n + "]") +
             "<=[" + n + "], use_global_device_ids=true, to_apply=add\n";
  }
  void forward(int l, int way, int wrong) {
    const std::string x = numbered("x", l), next = numbered("x", l + 1),
                      h = numbered("h", l), t = numbered("t", l),
                      d = numbered("d", l), e = numbered("e", l);
    op(h, kColumns, dot(x, numbered("a", l), 1, 0));
    op(t, kColumns, "tanh(" + h + ")");
    summed(d, dot(t, numbered("b", l), 1, 0), l == wrong);
    if (way == 0) return op(next, kBoth, "add(" + d + ", " + x + ")");
    op(way == 1 ? e : next, kBoth, "tanh(" + d + ")");
    if (way == 1) op(next, kBoth, "multiply(" + e + ", " + x + ")");
  }
  std::string backward(int l, int way, std::string g, int wrong) {
    const std::string x = numbered("x", l), e = numbered("e", l),
                      t = numbered("t", l);
    const std::string own = numbered("_", l);
    // Through what stands behind the sum.
    std::string skipped = way == 2 ? "" : g;
    if (way != 0) {
      const std::string of = way == 1 ? e : numbered("x", l + 1);
      if (way == 1) {
        op("s" + own, kBoth, "multiply(" + g + ", " + e + ")");
        op("f" + own, kBoth, "multiply(" + g + ", " + x + ")");
        skipped = "s" + own;
        g = "f" + own;
      }
      op("m" + own, kBoth, "multiply(" + of + ", " + of + ")");
      op("n" + own, kBoth, "subtract(one, m" + own + ")");
      op("w" + own, kBoth, "multiply(" + g + ", n" + own + ")");
      g = "w" + own;
    }
    op("t" + own, kColumns, dot(g, numbered("b", l), 1, 1));
    op("b" + own, kRows, dot(t, g, 0, 0));
    op("q" + own, kColumns, "multiply(" + t + ", " + t + ")");
    op("o" + own, kColumns, "subtract(ones, q" + own + ")");
    op("h" + own, kColumns, "multiply(t" + own + ", o" + own + ")");
    op("a" + own, kColumns, dot(x, "h" + own, 0, 0));
    results_.push_back({"a" + own, kColumns, columns_});
    results_.push_back({"b" + own, kRows, rows_});
    summed("g" + own, dot("h" + own, numbered("a", l), 1, 1), l == wrong);
    if (skipped.empty()) return "g" + own;
    op("z" + own, kBoth, "add(g" + own + ", " + skipped + ")");
    return "z" + own;
  }
  void finish() {
    std::string types[2], names, shardings;
    for (const Result &each : results_) {
      const std::string comma = names.empty() ? "" : ", ";
      for (const bool isWhole : {false, true})
        types[isWhole] += comma + type(each.kind, isWhole);
      names += comma + each.name;
      shardings += comma + each.sharding;
    }
    whole = "HloModule g\nENTRY main {\n" + whole + "  ROOT out = (" +
            types[1] + ") tuple(" + names + "), sharding={" + shardings +
            "}\n}\n";
    local =
        "HloModule m\nadd {\n  p = f32[] parameter(0)\n  q = f32[] "
        "parameter(1)\n  ROOT r = f32[] add(p, q)\n}\nENTRY main_spmd {\n" +
        local + "  ROOT out = (" + types[0] + ") tuple(" + names + ")\n}\n";
  }

  const int devices_;
  std::string columns_, rows_;
  std::vector<Result> results_;
  int parameters_ = 0, channels_ = 0;
};

template <typename Pair>
absl::StatusOr<PartitionedEquality> compared(const Pair &pair, int devices,
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
       {std::pair{2, 8}, {6, 8}, {8, 8}, {16, 8}, {126, 64}}) {
    SCOPED_TRACE(std::to_string(layers) + " layers");
    const auto equality = compared(DeepPair(layers, devices), devices);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_EQ(equality->verdict.answer, Verdict::Same)
        << equality->results[0].verdict.reason;
  }
}

TEST(DeepTest, TheLayerThatIsWrongIsNamed) {
  const int layers = 12;
  for (const int wrong : {0, 5, layers - 1}) {
    SCOPED_TRACE(std::to_string(wrong));
    const auto equality = compared(DeepPair(layers, 8, wrong), 8);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_FALSE(equality->verdict.isSame());
    const auto &because = equality->results[0].because;
    ASSERT_TRUE(because);
    EXPECT_EQ(because->instruction, numbered("a", wrong));
  }
}

TEST(DeepTest, LayersAreTrained) {
  for (const bool isMixed : {false, true})
    for (const auto &[layers, devices] :
         {std::pair{2, 8}, {5, 8}, {9, 8}, {40, 64}}) {
      SCOPED_TRACE(std::to_string(layers) + (isMixed ? " mixed" : "") +
                   " layers");
      const auto equality =
          compared(TrainedPair(layers, devices, isMixed), devices);
      ASSERT_TRUE(equality.ok()) << equality.status();
      for (const PartitionedResult &result : equality->results)
        EXPECT_TRUE(result.verdict.isSame()) << result.verdict.reason;
    }
}

TEST(DeepTest, TheLayerWhoseGradientIsWrongIsNamed) {
  const int layers = 6;
  for (const bool isMixed : {false, true})
    for (const int wrong : {0, 3, layers - 1})
      for (const bool isBackward : {false, true}) {
        SCOPED_TRACE(std::to_string(wrong) + (isMixed ? " mixed" : ""));
        const auto equality =
            compared(TrainedPair(layers, 8, isMixed, isBackward ? -1 : wrong,
                                 isBackward ? wrong : -1),
                     8);
        ASSERT_TRUE(equality.ok()) << equality.status();
        EXPECT_FALSE(equality->verdict.isSame());
        for (const PartitionedResult &result : equality->results) {
          if (result.verdict.isSame()) continue;
          ASSERT_TRUE(result.because);
          EXPECT_EQ(result.because->instruction,
                    isBackward ? numbered("g_", wrong) : numbered("d", wrong));
        }
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

/// A module of so many layers that one device runs: each sum over devices stays
/// whole, or its parts are gathered again. In layer `wrong` they are gathered
/// in another order.
std::string localLayers(int layers, int devices, bool isScattered,
                        int wrong = -1) {
  const std::string n = std::to_string(devices),
                    groups = "[1," + n + "]<=[" + n + "]";
  std::string text = "HloModule m, num_partitions=" + n +
                     "\nadd {\n  p = f32[] parameter(0)\n  q = f32[] "
                     "parameter(1)\n  ROOT r = f32[] add(p, q)\n}\nENTRY "
                     "main_spmd {\n  x0 = f32[8,4] parameter(0), "
                     "sharding={replicated}\n";
  const auto sum = [&](const std::string &op, int channel,
                       const std::string &more) {
    return op + ", channel_id=" + std::to_string(channel) +
           ", use_global_device_ids=true" + more + "\n";
  };
  for (int l = 0; l < layers; ++l) {
    const std::string k = std::to_string(l), x = "x" + k,
                      next = numbered("x", l + 1);
    text += "  a" + k + " = f32[4,2] parameter(" + std::to_string(2 * l + 1) +
            ")\n  b" + k + " = f32[2,4] parameter(" +
            std::to_string(2 * l + 2) + ")\n  h" + k + " = f32[8,2] dot(" + x +
            ", a" + k + ")" + kDot + "  t" + k + " = f32[8,2] tanh(h" + k +
            ")\n  d" + k + " = f32[8,4] dot(t" + k + ", b" + k + ")" + kDot;
    if (!isScattered) {
      text += "  s" + k + " = f32[8,4] all-reduce(" +
              sum("d" + k + ")", 2 * l + 1,
                  ", replica_groups=" + groups + ", to_apply=add") +
              "  g" + k + " = f32[8,4] tanh(s" + k + ")\n";
    } else {
      const std::string part = "f32[" + std::to_string(8 / devices) + ",4]";
      std::string back = "{{";
      for (int d = devices; d-- > 0;)
        back += std::to_string(d) + (d > 0 ? "," : "}}");
      text +=
          "  s" + k + " = " + part + " reduce-scatter(" +
          sum("d" + k + ")", 2 * l + 1,
              ", replica_groups=" + groups + ", dimensions={0}, to_apply=add") +
          "  e" + k + " = " + part + " tanh(s" + k + ")\n  g" + k +
          " = f32[8,4] all-gather(" +
          sum("e" + k + ")", 2 * l + 2,
              ", replica_groups=" + (l == wrong ? back : groups) +
                  ", dimensions={0}");
    }
    text += "  " + next + " = f32[8,4] add(g" + k + ", " + x + ")\n";
  }
  return text + "  ROOT out = f32[8,4] copy(" + numbered("x", layers) +
         ")\n}\n";
}

TEST(DeepTest, LayersOfLocalModulesAreCut) {
  for (const bool isFirst : {false, true})
    for (const int layers : {3, 12, 40}) {
      SCOPED_TRACE(std::to_string(layers));
      auto first = parseHlo(localLayers(layers, 8, isFirst)),
           second = parseHlo(localLayers(layers, 8, !isFirst));
      ASSERT_TRUE(first.ok() && second.ok());
      const auto equality = comparePartitioned(*first, *second);
      ASSERT_TRUE(equality.ok()) << equality.status();
      EXPECT_TRUE(equality->isLocal);
      EXPECT_EQ(equality->verdict.answer, Verdict::Same)
          << equality->results[0].verdict.reason;
    }
  for (const int wrong : {0, 6, 11}) {
    auto first = parseHlo(localLayers(12, 8, false)),
         second = parseHlo(localLayers(12, 8, true, wrong));
    ASSERT_TRUE(first.ok() && second.ok());
    const auto equality = comparePartitioned(*first, *second);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_FALSE(equality->verdict.isSame());
    if (equality->verdict.answer == Verdict::Different) continue;
    ASSERT_TRUE(equality->results[0].because);
    EXPECT_EQ(equality->results[0].because->instruction, numbered("g", wrong));
  }
}

/// Returns the module with another op, or other groups, in one of its lines,
/// and the line. Each value of the modules here has a part in a result, so they
/// differ then. The order of a group matters if sums are scattered.
std::string mutated(const std::string &text, bool isScattered, Random &random,
                    std::string &line) {
  const std::string groups = "[1,8]<=[8]";
  std::vector<std::pair<std::string, std::string>> others = {
      {" add(", " subtract("},
      {" subtract(", " add("},
      {" multiply(", " maximum("},
      {" tanh(", " logistic("}};
  if (isScattered)
    others.emplace_back(groups, "[1,8]<=[2,4]T(1,0)");
  else
    for (const char *other : {"[2,4]<=[8]", "[4,2]<=[2,4]T(1,0)"})
      others.emplace_back(groups, other);
  // Computations of reductions stand before the entry.
  const size_t entry = text.find("ENTRY");
  std::vector<std::pair<size_t, size_t>> places;
  for (size_t k = 0; k < others.size(); ++k)
    for (size_t at = text.find(others[k].first, entry); at != std::string::npos;
         at = text.find(others[k].first, at + 1))
      places.emplace_back(at, k);
  const auto [at, k] = places[random.in(0, places.size() - 1)];
  std::string other = text;
  other.replace(at, others[k].first.size(), others[k].second);
  const size_t begin = other.rfind('\n', at) + 1;
  line = other.substr(begin, other.find('\n', at) - begin);
  return other;
}

TEST(DeepTest, MutantsAreNotEqual) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 1),
                 count = testing::fromEnvironment("INDEXICAL_MUTANTS", 2);
  for (uint64_t k = seed; k < seed + count; ++k) {
    Random random(k);
    std::string line;
    TrainedPair pair(6, 8, /*isMixed=*/true);
    pair.local = mutated(pair.local, /*isScattered=*/false, random, line);
    auto equality = compared(pair, 8);
    ASSERT_TRUE(equality.ok()) << equality.status();
    EXPECT_FALSE(equality->verdict.isSame()) << "seed " << k << ": " << line;
    // Of modules that one device runs each, the other one is the second.
    const bool isScattered = random.oneIn(2);
    auto first = parseHlo(localLayers(10, 8, isScattered)),
         second = parseHlo(mutated(localLayers(10, 8, !isScattered),
                                   !isScattered, random, line));
    ASSERT_TRUE(first.ok() && second.ok()) << line;
    equality = comparePartitioned(*first, *second);
    ASSERT_TRUE(equality.ok()) << equality.status() << line;
    EXPECT_FALSE(equality->verdict.isSame()) << "seed " << k << ": " << line;
  }
}

TEST(DeepTest, ABudgetEndsThem) {
  for (const int wrong : {-1, 3}) {
    PartitionedOptions options;
    options.operations = 1000;
    const auto equality = compared(DeepPair(16, 8, wrong), 8, options);
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
    const auto equality = compared(DeepPair(16, 8, /*wrong=*/3), 8, options);
    EXPECT_TRUE(!equality.ok() || !equality->verdict.isSame());
  }
}

}  // namespace
}  // namespace indexical
