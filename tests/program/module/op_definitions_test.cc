// Ops that a text defines: maps against their meaning, by enumeration, and
// texts that are wrong.
//
//   INDEXICAL_OPS=20000   more random ops
#include "indexical/program/module/op_definitions.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/indexing/diagnostic.h"
#include "tests/documents/run_points.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

using Pairs = std::vector<PointPair>;

int64_t floored(int64_t a, int64_t b) {
  return a >= 0 ? a / b : -((b - 1 - a) / b);
}

/// ((constant + sum of coefficient * variable) floordiv divisor) mod modulus.
struct Coordinate {
  int64_t constant = 0, divisor = 1, modulus = 0;
  Sizes coefficients;

  int64_t at(const Sizes &variables) const {
    int64_t sum = constant;
    for (size_t k = 0; k < variables.size(); ++k)
      sum += coefficients[k] * variables[k];
    sum = floored(sum, divisor);
    return modulus ? sum - modulus * floored(sum, modulus) : sum;
  }
  std::string text(const std::vector<std::string> &names) const {
    std::string sum = absl::StrCat(constant);
    for (size_t k = 0; k < names.size(); ++k)
      if (coefficients[k])
        absl::StrAppend(&sum, " + ", names[k], " * ", coefficients[k]);
    sum = absl::StrCat("((", sum, ") floordiv ", divisor, ")");
    return modulus ? absl::StrCat(sum, " mod ", modulus) : sum;
  }
};

struct Defined {
  Sizes result, operand;
  int64_t ranges = 0;
  std::vector<Coordinate> coordinates;
  /// The bounds of each variable, if the text has a domain.
  std::vector<std::pair<int64_t, int64_t>> domain;

  std::string text() const {
    std::vector<std::string> d, s, all, written, bounds;
    for (size_t k = 0; k < result.size(); ++k)
      d.push_back(absl::StrCat("d", k));
    for (int64_t k = 0; k < ranges; ++k) s.push_back(absl::StrCat("s", k));
    all = d;
    all.insert(all.end(), s.begin(), s.end());
    for (const Coordinate &c : coordinates) written.push_back(c.text(all));
    for (size_t k = 0; k < domain.size(); ++k)
      bounds.push_back(absl::StrCat(all[k], " in [", domain[k].first, ", ",
                                    domain[k].second, "]"));
    return absl::StrCat(
        "my.op  (", absl::StrJoin(d, ", "), ")",
        ranges ? "[" + absl::StrJoin(s, ", ") + "]" : "", " -> (",
        absl::StrJoin(written, ", "), ")",
        bounds.empty() ? "" : ", domain: ", absl::StrJoin(bounds, ", "));
  }
};

Defined randomOp(Random &random) {
  Defined op;
  for (int64_t k = random.in(1, 2); k > 0; --k)
    op.result.push_back(random.in(1, 4));
  for (int64_t k = random.in(1, 2); k > 0; --k)
    op.operand.push_back(random.in(1, 5));
  // Ranges without a domain end with the operand, unless a mod goes on.
  const bool hasDomain = random.oneIn(2);
  op.ranges = random.in(0, hasDomain ? 2 : 1);
  const size_t variables = op.result.size() + op.ranges;
  for (size_t k = 0; k < op.operand.size(); ++k) {
    Coordinate &c = op.coordinates.emplace_back();
    c.constant = random.in(-2, 2);
    for (size_t v = 0; v < variables; ++v)
      c.coefficients.push_back(random.oneIn(2) ? 0 : random.in(-1, 2));
    if (random.oneIn(3)) c.divisor = random.in(2, 3);
    if ((hasDomain || op.ranges == 0) && random.oneIn(3))
      c.modulus = random.in(1, 4);
  }
  if (hasDomain)
    for (size_t v = 0; v < variables; ++v) {
      const int64_t lower = random.in(0, 2);
      op.domain.push_back({lower, lower + random.in(0, 4)});
    }
  return op;
}

constexpr int64_t kMostOfRange = 24;

/// All pairs, over all values of the variables; without a domain, ranges begin
/// at 0.
Pairs expected(const Defined &op) {
  std::set<PointPair> pairs;
  Sizes sizes = op.result;
  for (int64_t k = 0; k < op.ranges; ++k) sizes.push_back(kMostOfRange);
  forEachIndex(sizes, [&](const Sizes &all) {
    for (size_t k = 0; k < op.domain.size(); ++k)
      if (all[k] < op.domain[k].first || all[k] > op.domain[k].second) return;
    Sizes read;
    for (size_t k = 0; k < op.operand.size(); ++k) {
      read.push_back(op.coordinates[k].at(all));
      if (read[k] < 0 || read[k] >= op.operand[k]) return;
    }
    const Sizes index(all.begin(), all.begin() + op.result.size());
    pairs.insert({placeOf(index, op.result), placeOf(read, op.operand)});
  });
  return Pairs(pairs.begin(), pairs.end());
}

ArrayShape shape(const Sizes &sizes) {
  return ArrayShape(ElementType::F32, sizes);
}

/// The op that the registry makes of `name`, with these shapes.
absl::StatusOr<Op> opOf(const CustomCallRegistry &registry,
                        llvm::StringRef name,
                        const std::vector<ArrayShape> &operands,
                        const ArrayShape &result) {
  std::vector<Shape> shapes;
  for (const ArrayShape &each : operands)
    shapes.push_back(Shape::ofArray(each));
  std::vector<const Shape *> pointers;
  for (const Shape &each : shapes) pointers.push_back(&each);
  const Shape of = Shape::ofArray(result);
  const CustomCallBuilder *builder = registry.find(name);
  if (!builder) return absl::NotFoundError("not in the registry");
  auto made =
      (*builder)({name, pointers, of, "", [](llvm::StringRef) { return ""; }});
  if (!made.ok()) return made;
  Op op = made->changed([&](OpDraft &draft) {
    OpShapes own;
    for (const ArrayShape &each : operands) own.operands.push_back(each);
    own.results.push_back(result);
    static_cast<OpShapes &>(*draft) = own;
  });
  if (auto status = verify(op); !status.ok()) return status;
  return op;
}

void expectPairs(const Op &op, int64_t operand, const Sizes &from,
                 const Sizes &to, const Pairs &pairs) {
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    const bool reads = direction == Direction::OutputToInput;
    auto relation = indexing(op, direction, 0, operand);
    ASSERT_TRUE(relation.ok()) << relation.status();
    EXPECT_EQ(relation->precision(), Precision::Exact);
    const OperandValues none;
    const RuntimeTensors tensors = {{}, none, kMostOfRange};
    auto points =
        pointsOf(*relation, reads ? from : to, reads ? to : from, tensors);
    ASSERT_TRUE(points.ok()) << points.status();
    EXPECT_EQ(points->pairs, reads ? pairs : transposed(pairs)) << reads;
  }
}

TEST(OpDefinitions, MapsMeanWhatTheySay) {
  const char *given = std::getenv("INDEXICAL_OPS");
  const int count = given ? std::atoi(given) : 1500;
  int64_t read = 0;
  for (int seed = 1; seed <= count && !HasFailure(); ++seed) {
    Random random(seed);
    const Defined defined = randomOp(random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, ": ", defined.text(), " of ",
                              absl::StrJoin(defined.operand, "x"), " to ",
                              absl::StrJoin(defined.result, "x")));
    CustomCallRegistry registry;
    const absl::Status status = addOpDefinitions(defined.text(), registry);
    ASSERT_TRUE(status.ok()) << status;
    auto op = opOf(registry, "my.op", {shape(defined.operand)},
                   shape(defined.result));
    ASSERT_TRUE(op.ok()) << op.status();
    const Pairs pairs = expected(defined);
    read += pairs.size();
    expectPairs(*op, 0, defined.result, defined.operand, pairs);
  }
  EXPECT_GT(read, count);
}

// A comment, an empty line, several operands, one that is not read.
TEST(OpDefinitions, TheExample) {
  CustomCallRegistry registry;
  ASSERT_TRUE(addOpDefinitions("# One op a line.\n\n"
                               "  bitops.popcount\telementwise  \r\n"
                               "// Comments, too.\n"
                               "ring.rotate (d0, d1) -> (d0, (d1 + 3) mod 8)\n"
                               "nn.row_sums (d0)[s0] -> (d0, s0)\n"
                               "nn.take (d0) -> (3 - d0) ; KNOWN EMPTY",
                               registry)
                  .ok());
  auto popcount = opOf(registry, "bitops.popcount", {shape({2})}, shape({2}));
  ASSERT_TRUE(popcount.ok()) << popcount.status();
  expectPairs(*popcount, 0, {2}, {2}, {{0, 0}, {1, 1}});
  auto rows = opOf(registry, "nn.row_sums", {shape({2, 3})}, shape({2}));
  ASSERT_TRUE(rows.ok()) << rows.status();
  expectPairs(*rows, 0, {2}, {2, 3},
              {{0, 0}, {0, 1}, {0, 2}, {1, 3}, {1, 4}, {1, 5}});
  auto take = opOf(registry, "nn.take", {shape({3}), shape({5})}, shape({4}));
  ASSERT_TRUE(take.ok()) << take.status();
  expectPairs(*take, 0, {4}, {3}, {{1, 2}, {2, 1}, {3, 0}});
  expectPairs(*take, 1, {4}, {5}, {});
}

/// All shapes of up to two dimensions of size 1 or 3, against a result of 3x3.
// What backend_config says decides which line counts.
TEST(OpDefinitions, LinesForConfigurations) {
  CustomCallRegistry registry;
  const absl::Status status = addOpDefinitions(
      "lib.norm{axis=0}  (d0, d1)[s0] -> (s0, d1)\n"
      "lib.norm{axis=1,mode=rms}  (d0, d1)[s0] -> (d0, s0)\n",
      registry);
  ASSERT_TRUE(status.ok()) << status;
  const Shape square = Shape::ofArray(shape({2, 2}));
  auto precisionOf = [&](const std::string &configuration) {
    const Shape *const operands[] = {&square};
    auto attribute = [](llvm::StringRef) { return ""; };
    const CustomCall call = {"lib.norm", operands, square, configuration,
                             attribute};
    auto op = (*registry.find("lib.norm"))(call);
    EXPECT_TRUE(op.ok()) << op.status();
    OpDraft draft(*op);
    draft->operands = draft->results = {square.array};
    auto reads = indexing(draft, Direction::OutputToInput, 0, 0);
    EXPECT_TRUE(reads.ok()) << reads.status();
    return reads->precision() == Precision::Exact
               ? reads->pieces()[0].strOneLine()
               : std::string(precisionName(reads->precision()));
  };
  const std::string rows =
      "(d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 1], d1 in [0, 1], s0 in "
      "[0, 1]";
  const std::string columns =
      "(d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 1], d1 in [0, 1], s0 in "
      "[0, 1]";
  EXPECT_EQ(precisionOf("{\"axis\": 0}"), columns);
  EXPECT_EQ(precisionOf("{axis = 0 : i64, eps = 1.0e-5 : f32}"), columns);
  EXPECT_EQ(precisionOf("{\"norm\":{\"axis\":\"1\",\"mode\":\"rms\"}}"), rows);
  // Another value, another key, a part of one, two values, none.
  for (const char *other :
       {"{\"axis\": 2}", "{\"axis\": 10}", "{\"axis\": 1}",
        "{\"axis\": 1, \"mode\": \"layer\"}", "{\"main_axis\": 0}",
        "{\"axis\": 0, \"of\": {\"axis\": 1}}", "{\"name\": \"axis\"}", ""})
    EXPECT_EQ(precisionOf(other), "opaque") << other;
  // A line without one is for all others.
  EXPECT_TRUE(addOpDefinitions("lib.sum elementwise\nlib.sum{axis=0} "
                               "(d0, d1)[s0] -> (s0, d1)",
                               registry)
                  .ok());
}

TEST(OpDefinitions, BroadcastingStretchesSizesOfOne) {
  CustomCallRegistry registry;
  ASSERT_TRUE(addOpDefinitions("my.op broadcasting", registry).ok());
  const Sizes result = {3, 3};
  for (const Sizes &operand :
       std::vector<Sizes>{{}, {1}, {3}, {1, 1}, {1, 3}, {3, 1}, {3, 3}}) {
    auto op =
        opOf(registry, "my.op", {shape(operand), shape({3, 3})}, shape(result));
    ASSERT_TRUE(op.ok()) << op.status();
    Pairs pairs;
    forEachIndex(result, [&](const Sizes &index) {
      Sizes read;
      for (size_t k = 0; k < operand.size(); ++k)
        read.push_back(operand[k] == 1 ? 0 : index[2 - operand.size() + k]);
      pairs.push_back({placeOf(index, result), placeOf(read, operand)});
    });
    std::sort(pairs.begin(), pairs.end());
    expectPairs(*op, 0, result, operand, pairs);
  }
  EXPECT_FALSE(opOf(registry, "my.op", {shape({2})}, shape({3})).ok());
  EXPECT_FALSE(opOf(registry, "my.op", {shape({1, 3})}, shape({3})).ok());
}

TEST(OpDefinitions, WrongTextsAreRefusedAtTheirPlace) {
  const struct {
    const char *text;
    Place place;
    const char *message, *suggestion = "";
  } kTexts[] = {
      {"a.b",
       {1, 4},
       "expected what `a.b` reads: `elementwise`, `broadcasting`, or a map for "
       "each operand, as `(d0) -> (d0)`"},
      {"# x\n  a.b elementwize",
       {2, 7},
       "expected what `a.b` reads: `elementwise`, `broadcasting`, or a map for "
       "each operand, as `(d0) -> (d0)`",
       "elementwise"},
      {"a.b elementwise\nc.d elementwise\n a.b broadcasting",
       {3, 2},
       "`a.b` is defined twice"},
      {"a.b (d0) -> (d1)", {1, 14}, "unknown variable `d1`"},
      {"a.b (d0) -> (d0",
       {1, 16},
       "expected `)` or `,` after a result, but the text ends"},
      {"a.b (d0) -> (d0) ; (d0) -> (d0 mod 0)",
       {1, 36},
       "the divisor of `mod` must be positive, and is 0"},
      {"a.b (d0) -> (d0), domain: d0 in [0, x]",
       {1, 37},
       "expected an integer"},
      {"a.b (d0){rt0} -> (d0 + rt0)",
       {1, 5},
       "the map of an op has no runtime variables, for nothing would say whose "
       "values they are"},
      {"known.op elementwise",
       {1, 1},
       "`known.op` is an op that Indexical knows; only others can be defined"},
  };
  for (const auto &[text, place, message, suggestion] : kTexts) {
    SCOPED_TRACE(text);
    CustomCallRegistry registry;
    const absl::Status status = addOpDefinitions(
        text, registry,
        [](llvm::StringRef name) { return name == "known.op"; });
    ASSERT_FALSE(status.ok());
    EXPECT_EQ(status.message(), message);
    ASSERT_TRUE(indexical::placeOf(status).has_value());
    EXPECT_EQ(indexical::placeOf(status)->line, place.line);
    EXPECT_EQ(indexical::placeOf(status)->column, place.column);
    EXPECT_EQ(suggestionOf(status), suggestion);
  }
}

TEST(OpDefinitions, ShapesThatTheMapDoesNotFitAreRefused) {
  CustomCallRegistry registry;
  ASSERT_TRUE(addOpDefinitions("a.b (d0, d1) -> (d0)\n"
                               "c.d elementwise",
                               registry)
                  .ok());
  const struct {
    const char *name;
    std::vector<ArrayShape> operands;
    ArrayShape result;
    const char *message;
  } kUses[] = {
      {"a.b",
       {shape({2}), shape({2})},
       shape({2, 2}),
       "a map is needed for each of the 2 operands, but there are 1"},
      {"a.b",
       {shape({2})},
       shape({2}),
       "the map that is given for operand 0 has 2 dimension variables, but the "
       "result, f32[2], has 1 dimensions"},
      {"a.b",
       {shape({2, 3})},
       shape({2, 2}),
       "the map that is given for operand 0 has 1 results, but the operand, "
       "f32[2,3], has 2 dimensions"},
      {"c.d",
       {shape({2, 3})},
       shape({2, 2}),
       "operand 0 must have the shape of the result, f32[2,2], or rank 0, but "
       "is f32[2,3]"},
  };
  for (const auto &[name, operands, result, message] : kUses) {
    auto op = opOf(registry, name, operands, result);
    ASSERT_FALSE(op.ok());
    EXPECT_NE(std::string(op.status().message()).find(message),
              std::string::npos)
        << op.status();
  }
}

}  // namespace
}  // namespace indexical::testing
