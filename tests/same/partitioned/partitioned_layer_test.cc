// A transformer layer over a mesh of devices, at any size: attention, norms and
// a gated product, whose weights are cut by columns and rows. Sizes decide
// neither the answer nor the time.
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"

namespace indexical {
namespace {

struct Sizes {
  int64_t batch, sequence, hidden, heads, head, wide;
  int64_t rows, columns;  ///< of the mesh: the batch over one, heads over one
};

class Layer {
 public:
  /// `left` is the number of a sum over devices that is left out, or 0.
  Layer(const Sizes &s, bool isLocal, int left = 0)
      : s_(s), isLocal_(isLocal), left_(left) {
    if (isLocal) {
      s_.batch /= s.rows;
      s_.heads /= s.columns;
      s_.wide /= s.columns;
    }
    write();
  }
  const std::string &text() const { return text_; }

 private:
  static std::string listOf(const std::vector<int64_t> &sizes) {
    std::string text;
    for (int64_t size : sizes)
      text += (text.empty() ? "" : ",") + std::to_string(size);
    return text;
  }
  static std::string shape(const std::vector<int64_t> &sizes) {
    return "f32[" + listOf(sizes) + "]";
  }
  std::string line(const std::string &name, const std::vector<int64_t> &sizes,
                   const std::string &rest) {
    text_ += " " + name + " = " + shape(sizes) + " " + rest + "\n";
    return name;
  }
  std::string parameter(const std::string &name,
                        const std::vector<int64_t> &sizes,
                        const std::string &sharding) {
    return line(name, sizes,
                "parameter(" + std::to_string(parameters_++) + ")" +
                    (isLocal_ ? "" : ", sharding=" + sharding));
  }
  std::string grid(int64_t rows, int64_t columns, bool isTurned) const {
    const std::string mesh =
        isTurned ? "[" + listOf({s_.rows, s_.columns}) + "]T(1,0)"
                 : "[" + std::to_string(s_.rows * s_.columns) + "]";
    return "{devices=[" + listOf({rows, columns, isTurned ? s_.rows : 1}) +
           "]<=" + mesh + " last_tile_dim_replicate}";
  }
  std::string summed(const std::string &of, const std::vector<int64_t> &sizes) {
    if (!isLocal_ || ++sums_ == left_) return of;
    std::string groups;
    for (int64_t r = 0; r < s_.rows; ++r) {
      std::vector<int64_t> group;
      for (int64_t c = 0; c < s_.columns; ++c)
        group.push_back(r * s_.columns + c);
      groups += (r ? ",{" : "{") + listOf(group) + "}";
    }
    return line("sum" + of, sizes,
                "all-reduce(" + of +
                    "), to_apply=add, channel_id=" + std::to_string(sums_) +
                    ", use_global_device_ids=true, replica_groups={" + groups +
                    "}");
  }
  std::string norm(const std::string &x, const std::string &weight) {
    const std::vector<int64_t> all = {s_.batch, s_.sequence, s_.hidden},
                               few = {s_.batch, s_.sequence};
    const std::string n = "n" + weight;
    line(n + "0", all, "multiply(" + x + ", " + x + ")");
    line(n + "1", few,
         "reduce(" + n + "0, zero), dimensions={2}, to_apply=add");
    line(n + "2", few, "broadcast(epsilon), dimensions={}");
    line(n + "3", few, "add(" + n + "1, " + n + "2)");
    line(n + "4", few, "rsqrt(" + n + "3)");
    line(n + "5", all, "broadcast(" + n + "4), dimensions={0,1}");
    line(n + "6", all, "multiply(" + x + ", " + n + "5)");
    line(n + "7", all, "broadcast(" + weight + "), dimensions={2}");
    return line(n + "8", all, "multiply(" + n + "6, " + n + "7)");
  }

  void write() {
    const int64_t devices = s_.rows * s_.columns;
    const int64_t B = s_.batch, S = s_.sequence, H = s_.hidden, N = s_.heads,
                  D = s_.head, W = s_.wide;
    text_ = "HloModule layer, num_partitions=" + std::to_string(devices) +
            "\nadd {\n a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT "
            "s = f32[] add(a, b)\n}\nmax {\n a = f32[] parameter(0)\n b = "
            "f32[] parameter(1)\n ROOT s = f32[] maximum(a, b)\n}\nENTRY e {\n";
    const std::string byBatch =
        "{devices=[" + listOf({s_.rows, 1, 1, s_.columns}) + "]<=[" +
        std::to_string(devices) + "] last_tile_dim_replicate}";
    const std::string byColumn = grid(1, s_.columns, true),
                      byRow = grid(s_.columns, 1, true);
    const std::vector<int64_t> all = {B, S, H}, scores = {B, N, S, S};
    parameter("x", all, byBatch);
    line("zero", {}, "constant(0)");
    line("epsilon", {}, "constant(1e-05)");
    line("lowest", {}, "constant(-inf)");
    parameter("first", {H}, "{replicated}");
    parameter("wq", {H, N * D}, byColumn);
    parameter("wk", {H, N * D}, byColumn);
    parameter("wv", {H, N * D}, byColumn);
    parameter("wo", {N * D, H}, byRow);
    parameter("second", {H}, "{replicated}");
    parameter("wg", {H, W}, byColumn);
    parameter("wu", {H, W}, byColumn);
    parameter("wd", {W, H}, byRow);
    const std::string product =
        "), lhs_contracting_dims={2}, rhs_contracting_dims={0}";
    std::string h = norm("x", "first");
    for (const std::string each : {"q", "k", "v"}) {
      line(each + "0", {B, S, N * D}, "dot(" + h + ", w" + each + product);
      line(each, {B, S, N, D}, "reshape(" + each + "0)");
    }
    line("s", scores,
         "dot(q, k), lhs_batch_dims={0,2}, rhs_batch_dims={0,2}, "
         "lhs_contracting_dims={3}, rhs_contracting_dims={3}");
    line("m", {B, N, S}, "reduce(s, lowest), dimensions={3}, to_apply=max");
    line("mb", scores, "broadcast(m), dimensions={0,1,2}");
    line("d", scores, "subtract(s, mb)");
    line("e", scores, "exponential(d)");
    line("t", {B, N, S}, "reduce(e, zero), dimensions={3}, to_apply=add");
    line("tb", scores, "broadcast(t), dimensions={0,1,2}");
    line("p", scores, "divide(e, tb)");
    line("a", {B, N, S, D},
         "dot(p, v), lhs_batch_dims={0,1}, rhs_batch_dims={0,2}, "
         "lhs_contracting_dims={3}, rhs_contracting_dims={1}");
    line("at", {B, S, N, D}, "transpose(a), dimensions={0,2,1,3}");
    line("ar", {B, S, N * D}, "reshape(at)");
    line("o", all, "dot(ar, wo" + product);
    line("y", all, "add(" + summed("o", all) + ", x)");
    h = norm("y", "second");
    line("g", {B, S, W}, "dot(" + h + ", wg" + product);
    line("u", {B, S, W}, "dot(" + h + ", wu" + product);
    line("l", {B, S, W}, "logistic(g)");
    line("gl", {B, S, W}, "multiply(g, l)");
    line("gu", {B, S, W}, "multiply(gl, u)");
    line("down", all, "dot(gu, wd" + product);
    const std::string sum = summed("down", all);
    text_ += " ROOT r = " + shape(all) + " add(" + sum + ", y)" +
             (isLocal_ ? "" : ", sharding=" + byBatch) + "\n}\n";
  }

  Sizes s_;
  const bool isLocal_;
  const int left_;
  int sums_ = 0, parameters_ = 0;
  std::string text_;
};

/// A model of layers that end with a sum over 4 devices; `wrong` is the number
/// of one whose sum is over two of them, or 0.
std::string deepModel(int64_t layers, bool isLocal, int64_t wrong = 0) {
  std::string text =
      "HloModule deep, num_partitions=4\nadd {\n a = f32[] parameter(0)\n b = "
      "f32[] parameter(1)\n ROOT s = f32[] add(a, b)\n}\nENTRY e {\n x0 = "
      "f32[64,512] parameter(0)" +
      std::string(isLocal ? "" : ", sharding={replicated}") +
      "\n zero = f32[] constant(0)\n";
  const std::string wide = isLocal ? "512" : "2048";
  for (int64_t k = 1; k <= layers; ++k) {
    const std::string n = std::to_string(k), x = "x" + std::to_string(k - 1);
    auto weight = [&](const char *name, const std::string &shape,
                      const char *sharding, int64_t number) {
      text += std::string(" ") + name + n + " = f32[" + shape + "] parameter(" +
              std::to_string(number) + ")" +
              (isLocal ? "" : std::string(", sharding=") + sharding) + "\n";
    };
    weight("u", "512," + wide, "{devices=[1,4]<=[4]}", 2 * k - 1);
    weight("d", wide + ",512", "{devices=[4,1]<=[4]}", 2 * k);
    const std::string product =
        "), lhs_contracting_dims={1}, rhs_contracting_dims={0}\n";
    text += " sq" + n + " = f32[64,512] multiply(" + x + ", " + x + ")\n ss" +
            n + " = f32[64] reduce(sq" + n +
            ", zero), dimensions={1}, to_apply=add\n rs" + n +
            " = f32[64] rsqrt(ss" + n + ")\n rb" + n +
            " = f32[64,512] broadcast(rs" + n + "), dimensions={0}\n n" + n +
            " = f32[64,512] multiply(" + x + ", rb" + n + ")\n h" + n +
            " = f32[64," + wide + "] dot(n" + n + ", u" + n + product + " l" +
            n + " = f32[64," + wide + "] tanh(h" + n + ")\n o" + n +
            " = f32[64,512] dot(l" + n + ", d" + n + product;
    std::string sum = "o" + n;
    if (isLocal) {
      text += " a" + n + " = f32[64,512] all-reduce(" + sum +
              "), to_apply=add, channel_id=" + n +
              ", use_global_device_ids=true, replica_groups={" +
              (k == wrong ? "{0,1},{2,3}" : "{0,1,2,3}") + "}\n";
      sum = "a" + n;
    }
    text += " x" + n + " = f32[64,512] add(" + sum + ", " + x + ")\n";
  }
  return text + " ROOT r = f32[64,512] negate(x" + std::to_string(layers) +
         ")" + (isLocal ? "" : ", sharding={replicated}") + "\n}\n";
}

PartitionedEquality equalityOf(
    const std::string &global, const std::string &local,
    std::optional<int64_t> operations = std::nullopt) {
  auto whole = parseHlo(global), parts = parseHlo(local);
  EXPECT_TRUE(whole.ok()) << whole.status();
  EXPECT_TRUE(parts.ok()) << parts.status();
  if (!whole.ok() || !parts.ok()) return {};
  PartitionedOptions options;
  options.operations = operations;
  auto equality = comparePartitioned(*whole, *parts, options);
  EXPECT_TRUE(equality.ok()) << equality.status();
  return equality.ok() ? *std::move(equality) : PartitionedEquality();
}

Verdict::Answer answerOf(const Sizes &sizes, int left,
                         std::optional<int64_t> operations = std::nullopt) {
  const PartitionedEquality equality =
      equalityOf(Layer(sizes, false).text(), Layer(sizes, true, left).text(),
                 operations);
  if (equality.verdict.answer == Verdict::Undecided &&
      !equality.results.empty()) {
    EXPECT_NE(equality.results[0].verdict.reason, "");
  }
  return equality.verdict.answer;
}

TEST(PartitionedLayerTest, SizesDoNotCount) {
  const Sizes all[] = {{2, 4, 8, 4, 2, 12, 1, 4},
                       {4, 2048, 4096, 32, 128, 14336, 1, 8},
                       {4, 2048, 4096, 32, 128, 14336, 2, 4},
                       {64, 131072, 16384, 128, 128, 53248, 4, 4}};
  int64_t enough = 1 << 12;
  while (enough < 1 << 24 && answerOf(all[0], 0, enough) != Verdict::Same)
    enough *= 2;
  for (const Sizes &sizes : all)
    EXPECT_EQ(answerOf(sizes, 0, 4 * enough), Verdict::Same);
}

TEST(PartitionedLayerTest, ManyLayers) {
  const std::string whole = deepModel(12, false);
  EXPECT_EQ(equalityOf(whole, deepModel(12, true)).verdict.answer,
            Verdict::Same);
  // The first sum that is another one is named.
  const PartitionedEquality wrong = equalityOf(whole, deepModel(12, true, 7));
  EXPECT_EQ(wrong.verdict.answer, Verdict::Undecided);
  ASSERT_FALSE(wrong.results.empty());
  ASSERT_TRUE(wrong.results[0].because);
  EXPECT_EQ(wrong.results[0].because->instruction, "a7");
}

TEST(PartitionedLayerTest, EachSumCounts) {
  for (int left : {1, 2})
    EXPECT_NE(answerOf({4, 2048, 4096, 32, 128, 14336, 2, 4}, left),
              Verdict::Same);
}

}  // namespace
}  // namespace indexical
