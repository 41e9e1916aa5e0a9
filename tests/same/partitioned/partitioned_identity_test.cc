// What is part of an op, and which laws hold of its type: a program on all
// devices against itself with one function, attribute, type or number changed.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/partitioned/partitioned_equality.h"
#include "tests/same/partitioned/runs/compare_runs.h"

namespace indexical {
namespace {

/// Returns the answer for two modules of two devices, which no run contradicts.
std::string answerOf(const std::string &global, const std::string &local) {
  auto a = parseHlo("HloModule g, num_partitions=2\n" + global);
  auto b = parseHlo("HloModule l, num_partitions=2\n" + local);
  EXPECT_TRUE(a.ok()) << a.status() << global;
  EXPECT_TRUE(b.ok()) << b.status() << local;
  if (!a.ok() || !b.ok()) return "";
  auto equality = comparePartitioned(*a, *b);
  EXPECT_TRUE(equality.ok()) << equality.status();
  if (!equality.ok()) return "";
  auto runs = compareByRuns(*a, *b);
  EXPECT_TRUE(runs.ok()) << runs.status();
  if (runs.ok() && runs->verdict.answer != Verdict::Undecided &&
      equality->verdict.answer != Verdict::Undecided) {
    EXPECT_EQ(runs->verdict.answer, equality->verdict.answer)
        << global << local;
  }
  return equality->verdict.answer == Verdict::Same        ? "equal"
         : equality->verdict.answer == Verdict::Different ? "different"
                                                          : "undecided";
}

/// Returns the text with every `%` of it replaced.
std::string with(std::string text, const std::string &part) {
  for (size_t at = text.find('%'); at != std::string::npos;
       at = text.find('%', at + part.size()))
    text.replace(at, 1, part);
  return text;
}

/// Expects that each of two forms of a text is itself, and not the other one.
void expectOther(const std::string &text, const std::string &first,
                 const std::string &second, bool isEqualToItself = true) {
  SCOPED_TRACE(text + first + " | " + second);
  const std::string a = with(text, first), b = with(text, second);
  if (isEqualToItself) {
    EXPECT_EQ(answerOf(a, a), "equal");
    EXPECT_EQ(answerOf(b, b), "equal");
  }
  EXPECT_NE(answerOf(a, b), "equal");
  EXPECT_NE(answerOf(b, a), "equal");
}

/// A module with functions in front, and parameters x and y of a shape.
std::string entry(const std::string &shape, const std::string &body,
                  const std::string &functions = "") {
  return functions + "ENTRY e {\n x = " + shape +
         " parameter(0), sharding={replicated}\n y = " + shape +
         " parameter(1), sharding={replicated}\n" + body +
         ", sharding={replicated}\n}\n";
}

TEST(PartitionedIdentityTest, CalledFunctions) {
  const std::string two =
      "f { a = f32[] parameter(0)\n b = f32[] parameter(1)\n "
      "ROOT r = f32[] %(a, b) }\n";
  const std::string compares =
      "c { a = f32[] parameter(0)\n b = f32[] parameter(1)\n ROOT r = pred[] "
      "compare(a, b), direction=% }\n";
  expectOther(
      entry("f32[4]",
            " i = s32[4] iota(), iota_dimension=0\n z = f32[] constant(0)\n "
            "n = s32[] constant(0)\n t = (f32[], s32[]) reduce(x, i, z, n), "
            "dimensions={0}, to_apply=p\n ROOT r = s32[] get-tuple-element(t), "
            "index=1",
            "p { a = f32[] parameter(0)\n i = s32[] parameter(1)\n b = f32[] "
            "parameter(2)\n j = s32[] parameter(3)\n c = pred[] compare(a, b), "
            "direction=%\n v = f32[] select(c, a, b)\n k = s32[] select(c, i, "
            "j)\n ROOT t = (f32[], s32[]) tuple(v, k) }\n"),
      "GT", "LT");
  expectOther(
      entry("f32[4]", " ROOT r = f32[4] sort(x), dimensions={0}, to_apply=c",
            compares),
      "LT", "GT");
  for (const char *window : {"size=2", "size=2 pad=1_0"})
    expectOther(
        entry("f32[4]",
              std::string(" z = f32[] constant(0)\n ROOT r = f32[") +
                  (std::string(window) == "size=2" ? "3" : "4") +
                  "] reduce-window(x, z), window={" + window + "}, to_apply=f",
              two),
        "add", "maximum");
  expectOther(
      entry("f32[4]", " ROOT r = f32[4] map(x, y), dimensions={0}, to_apply=f",
            two),
      "add", "power");
  expectOther(
      entry("f32[4]",
            " i = s32[1,1] constant({{2}})\n u = f32[1] slice(y), "
            "slice={[0:1]}\n ROOT r = f32[4] scatter(x, i, u), "
            "update_window_dims={}, inserted_window_dims={0}, "
            "scatter_dims_to_operand_dims={0}, index_vector_dim=1, to_apply=f",
            two),
      "add", "multiply");
  const std::string both =
      "f { a = f32[] parameter(0)\n b = f32[] "
      "parameter(1)\n ROOT r = f32[] add(a, b) }\n" +
      compares;
  expectOther(entry("f32[4]",
                    " z = f32[] constant(0)\n u = f32[2] slice(y), "
                    "slice={[0:2]}\n ROOT r = f32[4] select-and-scatter(x, u, "
                    "z), window={size=2 stride=2}, select=c, scatter=f",
                    both),
              "GE", "LE");
}

TEST(PartitionedIdentityTest, AttributesThatFieldsHold) {
  expectOther(entry("f32[4]",
                    " z = c64[4] complex(x, y)\n ROOT r = c64[4] fft(z), "
                    "fft_type=%, fft_length={4}"),
              "FFT", "IFFT");
  expectOther(entry("f32[1,1,3]",
                    " ROOT r = f32[1,1,3] convolution(x, y), window={size=3 "
                    "pad=1_1%}, dim_labels=bf0_oi0->bf0"),
              "", " rhs_reversal=1");
  expectOther(entry("f32[3,3]", " ROOT r = f32[3,3] cholesky(x), lower=%"),
              "true", "false");
  expectOther(entry("f32[4]",
                    " ROOT r = f32[4] reduce-precision(x), exponent_bits=5, "
                    "mantissa_bits=%"),
              "7", "10");
  expectOther(entry("f32[2,2]",
                    " ROOT r = f32[2,2] dot(x, y), lhs_contracting_dims={1}, "
                    "rhs_contracting_dims={0}%"),
              "", ", algorithm=dot_bf16_bf16_f32");
}

TEST(PartitionedIdentityTest, ElementTypes) {
  expectOther(
      entry("s32[4]", " c = %[4] convert(x)\n ROOT r = s32[4] convert(c)"),
      "s16", "s8");
  expectOther(
      entry("s32[4]", " c = %[4] convert(x)\n ROOT r = s32[4] convert(c)"),
      "u8", "s8");
  expectOther(
      entry("f32[4]", " c = %[4] convert(x)\n ROOT r = f32[4] convert(c)"),
      "bf16", "f32");
  expectOther(
      entry("f32[4]", " c = %[4] convert(x)\n ROOT r = f32[4] convert(c)"),
      "f16", "bf16");
  expectOther(entry("u32[4]", " c = s32[4] %(x)\n ROOT r = f32[4] convert(c)"),
              "bitcast-convert", "convert", false);
  expectOther(entry("f32[4]", " c = s32[4] %(x)\n ROOT r = s32[4] negate(c)"),
              "bitcast-convert", "convert");
  // Order is that of the type.
  const std::string order =
      " a = %[4] convert(x)\n b = %[4] convert(y)\n ROOT r = pred[4] "
      "compare(a, b), direction=LT";
  expectOther(entry("s32[4]", order), "s32", "u32");
  const std::string most =
      " a = %[4] convert(x)\n b = %[4] convert(y)\n m = %[4] maximum(a, b)\n "
      "ROOT r = s8[4] convert(m)";
  expectOther(entry("s32[4]", most), "s32", "u32");
  expectOther(entry("s32[4]", most), "s32", "s8");
}

/// Draws of two devices, of which each has half, up to 1 or to another bound.
std::string drawn(const std::string &size, const std::string &bound,
                  const std::string &rest) {
  return "ENTRY e {\n a = f32[] constant(0)\n b = f32[] constant(" + bound +
         ")\n n = f32[" + size +
         "] rng(a, b), distribution=rng_uniform, sharding={devices=[2]<=[2]}\n "
         "ROOT r = f32[" +
         size + "] " + rest + ", sharding={devices=[2]<=[2]}\n}\n";
}

TEST(PartitionedIdentityTest, BoundsOfRandomNumbers) {
  for (const char *one : {"1", "2"})
    for (const char *other : {"1", "2"})
      EXPECT_EQ(answerOf(drawn("4", one, "negate(n)"),
                         drawn("2", other, "negate(n)")) == "equal",
                one == std::string(other));
}

TEST(PartitionedIdentityTest, AnAnswerHoldsForAnyRandomNumbers) {
  auto a = parseHlo("HloModule g, num_partitions=2\n" +
                    drawn("4", "1", "negate(n)"));
  auto b = parseHlo("HloModule l, num_partitions=2\n" +
                    drawn("2", "1", "negate(n)"));
  ASSERT_TRUE(a.ok() && b.ok());
  auto equality = comparePartitioned(*a, *b);
  ASSERT_TRUE(equality.ok()) << equality.status();
  EXPECT_EQ(equality->forAny, std::vector<std::string>{"rng"});
}

TEST(PartitionedIdentityTest, CopiesOfRandomNumbersAreDrawnSeveralTimes) {
  const std::string draw =
      " a = f32[] constant(0)\n b = f32[] constant(1)\n n = f32[4] rng(a, b), "
      "distribution=rng_uniform, sharding={replicated}\n ";
  const std::string whole =
      entry("f32[4]", draw + "ROOT r = f32[4] subtract(n, n)");
  const std::string permuted =
      entry("f32[4]", draw +
                          "p = f32[4] collective-permute(n), channel_id=1, "
                          "source_target_pairs={{0,1},{1,0}}\n ROOT r = f32[4] "
                          "subtract(p, n)");
  EXPECT_EQ(answerOf(whole, permuted), "undecided");
  const std::string same = entry("f32[4]", draw + "ROOT r = f32[4] negate(n)");
  EXPECT_EQ(answerOf(same, same), "undecided");
}

TEST(PartitionedIdentityTest, ContractedDimensionsMeetInTheirOrder) {
  const auto dot = [](const char *left, const char *right) {
    return entry(
        "f32[2,2]",
        std::string(" ROOT r = f32[] dot(x, y), lhs_contracting_dims={") +
            left + "}, rhs_contracting_dims={" + right + "}");
  };
  EXPECT_EQ(answerOf(dot("0,1", "0,1"), dot("1,0", "1,0")), "equal");
  EXPECT_EQ(answerOf(dot("0,1", "1,0"), dot("1,0", "0,1")), "equal");
  EXPECT_EQ(answerOf(dot("0,1", "0,1"), dot("0,1", "1,0")), "different");
  EXPECT_EQ(answerOf(dot("1,0", "0,1"), dot("0,1", "0,1")), "different");
}

/// Two rows over two devices, the second one's last row is padding; a mask has
/// `number` there.
std::string masked(const std::string &type, const std::string &op,
                   const std::string &first, const std::string &number) {
  return with(
      "f { a = %[] parameter(0)\n b = %[] parameter(1)\n ROOT r = %[] " + op +
          "(a, b) }\nENTRY e {\n x = %[2] parameter(0), "
          "sharding={devices=[2]<=[2]}\n p = u32[] partition-id()\n d = "
          "s32[] convert(p)\n n = s32[] constant(2)\n o = s32[] "
          "multiply(d, n)\n b = s32[2] broadcast(o), dimensions={}\n i "
          "= s32[2] iota(), iota_dimension=0\n q = s32[2] add(i, b)\n e "
          "= s32[] constant(3)\n l = s32[2] broadcast(e), "
          "dimensions={}\n c = pred[2] compare(q, l), direction=LT\n z "
          "= %[] constant(" +
          number +
          ")\n m = %[2] broadcast(z), dimensions={}\n s = %[2] "
          "select(c, x, m)\n h = %[] constant(" +
          first +
          ")\n w = %[] reduce(s, h), dimensions={0}, to_apply=f\n ROOT "
          "r = %[] all-reduce(w), channel_id=1, replica_groups={{0,1}}, "
          "use_global_device_ids=true, to_apply=f, "
          "sharding={replicated}\n}\n",
      type);
}

std::string reduced(const std::string &type, const std::string &op,
                    const std::string &first) {
  return with(
      "f { a = %[] parameter(0)\n b = %[] parameter(1)\n ROOT r = %[] " + op +
          "(a, b) }\nENTRY e {\n x = %[3] parameter(0), "
          "sharding={devices=[2]<=[2]}\n h = %[] constant(" +
          first +
          ")\n ROOT r = %[] reduce(x, h), dimensions={0}, to_apply=f, "
          "sharding={replicated}\n}\n",
      type);
}

TEST(PartitionedIdentityTest, MasksOfPadding) {
  struct Row {
    const char *type, *op, *neutral, *wrong;
  };
  for (const Row &row :
       {Row{"f32", "maximum", "-inf", "0"}, Row{"f32", "minimum", "inf", "0"},
        Row{"s32", "maximum", "-2147483648", "0"},
        Row{"u8", "minimum", "255", "0"}, Row{"u8", "and", "255", "0"},
        Row{"s8", "or", "0", "1"}, Row{"f32", "add", "0", "1"},
        Row{"s16", "multiply", "1", "0"}, Row{"pred", "and", "true", "false"},
        Row{"f32", "maximum", "-inf", "-3.4e38"}}) {
    SCOPED_TRACE(std::string(row.type) + " " + row.op);
    const std::string whole = reduced(row.type, row.op, row.neutral);
    EXPECT_EQ(
        answerOf(whole, masked(row.type, row.op, row.neutral, row.neutral)),
        "equal");
    const bool isNear = std::string(row.wrong) == "-3.4e38";
    const std::string answer =
        answerOf(whole, masked(row.type, row.op, row.neutral, row.wrong));
    if (isNear)
      EXPECT_NE(answer, "equal");
    else
      EXPECT_EQ(answer, "different");
  }
}

/// x by an op and a constant.
std::string byConstant(const std::string &type, const std::string &op,
                       const std::string &number) {
  return entry(type + "[2]",
               " c = " + type + "[] constant(" + number + ")\n b = " + type +
                   "[2] broadcast(c), dimensions={}\n ROOT r = " + type +
                   "[2] " + op + "(x, b)");
}

TEST(PartitionedIdentityTest, IntegersWrap) {
  const auto negated = [](const std::string &type) {
    return entry(type + "[2]", " ROOT r = " + type + "[2] negate(x)");
  };
  EXPECT_EQ(answerOf(byConstant("u32", "subtract", "1"),
                     byConstant("u32", "add", "4294967295")),
            "equal");
  EXPECT_EQ(answerOf(byConstant("u8", "multiply", "255"), negated("u8")),
            "equal");
  EXPECT_EQ(answerOf(byConstant("u64", "multiply", "18446744073709551615"),
                     negated("u64")),
            "equal");
  EXPECT_EQ(answerOf(byConstant("s32", "multiply", "255"), negated("s32")),
            "different");
  // 2^61 is 1 in a field of 2^61 - 1 numbers, and 2^63 is 25 in another one.
  EXPECT_EQ(answerOf(byConstant("s64", "multiply", "2305843009213693952"),
                     byConstant("s64", "multiply", "1")),
            "different");
  EXPECT_EQ(answerOf(byConstant("u64", "multiply", "9223372036854775808"),
                     byConstant("u64", "multiply", "0")),
            "different");
  EXPECT_EQ(answerOf(byConstant("f32", "multiply", "2305843009213693952"),
                     byConstant("f32", "multiply", "1")),
            "different");
  EXPECT_EQ(answerOf(byConstant("f32", "multiply", "9223372036854775808"),
                     byConstant("f32", "multiply", "25")),
            "different");
}

TEST(PartitionedIdentityTest, InfinityIsNoNumber) {
  // inf - inf + x is no x.
  const std::string text =
      " c = f32[] constant(%)\n b = f32[2] broadcast(c), dimensions={}\n d = "
      "f32[2] subtract(b, b)\n ROOT r = f32[2] add(d, x)";
  const std::string x = entry("f32[2]", " ROOT r = f32[2] copy(x)");
  EXPECT_EQ(answerOf(entry("f32[2]", with(text, "3")), x), "equal");
  EXPECT_EQ(answerOf(entry("f32[2]", with(text, "inf")), x), "undecided");
  EXPECT_EQ(answerOf(entry("f32[2]", with(text, "nan")), x), "undecided");
}

TEST(PartitionedIdentityTest, ReadsThatDecideNothing) {
  // x - x reads x, and is 0: integers are a ring.
  const std::string zero = entry("s32[2]", " ROOT r = s32[2] subtract(y, y)");
  EXPECT_EQ(answerOf(entry("s32[2]", " ROOT r = s32[2] subtract(x, x)"), zero),
            "equal");
  EXPECT_EQ(answerOf(byConstant("s32", "multiply", "0"), zero), "equal");
}

TEST(PartitionedIdentityTest, ADrawIsTakenOnce) {
  const auto draws = [](const std::string &size, const std::string &name,
                        const std::string &sum) {
    const std::string draw =
        " = f32[" + size +
        "] rng(a, b), distribution=rng_uniform, sharding={devices=[2]<=[2]}, "
        "metadata={op_name=";
    return "ENTRY e {\n a = f32[] constant(0)\n b = f32[] constant(1)\n m" +
           draw + "\"m\"}\n n" + draw + "\"" + name + "\"}\n ROOT r = f32[" +
           size + "] " + sum + ", sharding={devices=[2]<=[2]}\n}\n";
  };
  EXPECT_EQ(
      answerOf(draws("4", "n", "add(m, n)"), draws("2", "n", "add(m, n)")),
      "equal");
  EXPECT_EQ(
      answerOf(draws("4", "n", "add(m, m)"), draws("2", "m", "add(m, n)")),
      "undecided");
}

TEST(PartitionedIdentityTest, StartedOpsAreTheirOps) {
  const std::string text =
      " s = ((f32[2]), f32[2], s32[]) async-start(x), calls=w\n d = f32[2] "
      "async-done(s)\n ROOT r = f32[2] copy(d)";
  const std::string function =
      "w { p = f32[2] parameter(0)\n ROOT r = f32[2] %(p) }\n";
  expectOther(entry("f32[2]", text, function), "negate", "tanh");
  EXPECT_NE(answerOf(entry("f32[2]", " ROOT r = f32[2] copy(x)"),
                     entry("f32[2]", text, with(function, "negate"))),
            "equal");
}

TEST(PartitionedIdentityTest, SizesOfAPartAreNotThoseOfTheWhole) {
  const auto size = [](const char *sizes) {
    return std::string("ENTRY e {\n x = f32[") + sizes +
           "] parameter(0), sharding={devices=[2]<=[2]}\n n = s32[] "
           "get-dimension-size(x), dimensions={0}\n ROOT r = s32[] negate(n), "
           "sharding={replicated}\n}\n";
  };
  EXPECT_EQ(answerOf(size("4"), size("2")), "different");
}

/// A function of pairs of s32.
std::string ofPairs(const std::string &body) {
  return "f {\n  a = s32[] parameter(0)\n  i = s32[] parameter(1)\n"
         "  b = s32[] parameter(2)\n  j = s32[] parameter(3)\n" +
         body + "  ROOT r = (s32[], s32[]) tuple(v, w)\n}\n";
}

// A reduction of several values over one element is f(init, x), and its
// function may need the order of the elements.
TEST(PartitionedIdentityTest, ReductionsOfSeveralValues) {
  const std::string sums =
      ofPairs("  v = s32[] add(a, b)\n  w = s32[] multiply(i, j)\n");
  for (const char *size : {"1", "3"}) {
    auto text = [&](bool isLocal) {
      const std::string rows = isLocal ? "1" : "2",
                        shards = ", sharding={devices=[2,1]<=[2]}\n";
      const std::string own = isLocal ? "\n" : shards;
      const std::string result = "s32[" + rows + "]";
      return sums + "ENTRY e {\n x = s32[" + rows + "," + size +
             "] parameter(0)" + own + " y = s32[" + rows + "," + size +
             "] parameter(1)" + own + " p = s32[] constant(%)\n r = (" +
             result + ", " + result +
             ") reduce(x, y, p, p), dimensions={1}, to_apply=f\n ROOT g = " +
             result + " get-tuple-element(r), index=0" +
             (isLocal ? "\n" : ", sharding={devices=[2]<=[2]}\n") + "}\n";
    };
    EXPECT_EQ(answerOf(with(text(false), "7"), with(text(true), "7")), "equal");
    EXPECT_NE(answerOf(with(text(false), "7"), with(text(true), "8")), "equal");
  }
  // Doubled and added: the devices' elements in their order, and in the other.
  const std::string horner = ofPairs(
      "  d = s32[] add(a, a)\n  v = s32[] add(d, b)\n"
      "  w = s32[] add(i, j)\n");
  const std::string whole =
      horner +
      "ENTRY e {\n x = s32[2] parameter(0), sharding={devices=[2]<=[2]}\n"
      " y = s32[2] parameter(1), sharding={devices=[2]<=[2]}\n"
      " p = s32[] constant(0)\n r = (s32[], s32[]) reduce(x, y, p, p), "
      "dimensions={0}, to_apply=f\n ROOT g = s32[] get-tuple-element(r), "
      "index=0, sharding={replicated}\n}\n";
  const std::string parts =
      horner +
      "ENTRY e {\n x = s32[1] parameter(0)\n y = s32[1] parameter(1)\n"
      " p = s32[] constant(0)\n"
      " s = s32[2] all-gather(x), dimensions={0}, channel_id=1, "
      "replica_groups={{%}}, use_global_device_ids=true\n"
      " t = s32[2] all-gather(y), dimensions={0}, channel_id=1, "
      "replica_groups={{%}}, use_global_device_ids=true\n"
      " r = (s32[], s32[]) reduce(s, t, p, p), dimensions={0}, to_apply=f\n"
      " ROOT g = s32[] get-tuple-element(r), index=0\n}\n";
  EXPECT_EQ(answerOf(whole, with(parts, "0,1")), "equal");
  EXPECT_NE(answerOf(whole, with(parts, "1,0")), "equal");
}

// The largest number and its first index, on each device and then of all: the
// function allows any order of real numbers.
TEST(PartitionedIdentityTest, LargestNumbers) {
  const std::string largest =
      "f {\n  a = f32[] parameter(0)\n  i = s32[] parameter(1)\n"
      "  b = f32[] parameter(2)\n  j = s32[] parameter(3)\n"
      "  g = pred[] compare(a, b), direction=GT\n"
      "  n = pred[] compare(a, a), direction=NE\n"
      "  p = pred[] or(g, n)\n"
      "  e = pred[] compare(a, b), direction=EQ\n"
      "  l = pred[] compare(i, j), direction=%\n"
      "  t = pred[] and(e, l)\n  o = pred[] or(p, t)\n"
      "  v = f32[] select(p, a, b)\n  k = s32[] select(o, i, j)\n"
      "  ROOT r = (f32[], s32[]) tuple(v, k)\n}\n";
  const std::string start =
      " m = f32[] constant(-inf)\n z = s32[] constant(0)\n";
  const std::string whole =
      largest +
      "ENTRY e {\n x = f32[8] parameter(0), sharding={devices=[2]<=[2]}\n"
      " n = s32[8] iota(), iota_dimension=0\n" +
      start +
      " r = (f32[], s32[]) reduce(x, n, m, z), dimensions={0}, to_apply=f\n"
      " ROOT k = s32[] get-tuple-element(r), index=1, "
      "sharding={replicated}\n}\n";
  auto parts = [&](const std::string &step) {
    const std::string gathers =
        ", dimensions={0}, channel_id=1, replica_groups={{0,1}}, "
        "use_global_device_ids=true\n";
    return largest + "ENTRY e {\n x = f32[4] parameter(0)\n" +
           " d = u32[] partition-id()\n s = s32[] convert(d)\n" +
           " c = s32[] constant(" + step + ")\n w = s32[] multiply(s, c)\n" +
           " u = s32[4] broadcast(w), dimensions={}\n"
           " q = s32[4] iota(), iota_dimension=0\n n = s32[4] add(q, u)\n" +
           start +
           " r = (f32[], s32[]) reduce(x, n, m, z), dimensions={0}, "
           "to_apply=f\n"
           " y = f32[] get-tuple-element(r), index=0\n"
           " h = s32[] get-tuple-element(r), index=1\n"
           " y1 = f32[1] reshape(y)\n h1 = s32[1] reshape(h)\n"
           " yg = f32[2] all-gather(y1)" +
           gathers + " hg = s32[2] all-gather(h1)" + gathers +
           " a = (f32[], s32[]) reduce(yg, hg, m, z), dimensions={0}, "
           "to_apply=f\n"
           " ROOT k = s32[] get-tuple-element(a), index=1\n}\n";
  };
  EXPECT_EQ(answerOf(with(whole, "LT"), with(parts("4"), "LT")), "equal");
  EXPECT_NE(answerOf(with(whole, "LT"), with(parts("3"), "LT")), "equal");
  EXPECT_NE(answerOf(with(whole, "LT"), with(parts("4"), "GT")), "equal");
}

}  // namespace
}  // namespace indexical
