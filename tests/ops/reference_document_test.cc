// The worked examples of XLA's document on indexing analysis, as text.
//
// A map is compared by its text after it has been read and printed again, so
// that commas, white space, the names of variables and the order of terms do
// not count. Runtime variables stand in `{…}` here, in the document among the
// ranges; what it writes beside them ("hlo: of1 … (d0) -> ()") is compared as
// their sources. Where this library must answer more than the document
// (dynamic-update-slice, the padding value of pad), a comment says so.
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/indexing/relation.h"
#include "indexical/ops/families.h"
#include "indexical/ops/op.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/shapes.h"

namespace indexical::testing {
namespace {

constexpr Direction kReads = Direction::OutputToInput;
constexpr Direction kUsers = Direction::InputToOutput;

/// The text in one form: read and printed.
std::string normalized(llvm::StringRef text) {
  absl::StatusOr<IndexingMap> map = parseMap(text);
  if (!map.ok()) return map.status().ToString();
  return map->strOneLine();
}

IndexingRelation relationOf(const Op &op, Direction direction, int64_t result,
                            int64_t operand) {
  EXPECT_TRUE(verify(op).ok()) << verify(op);
  auto relation = indexing(op, direction, result, operand);
  EXPECT_TRUE(relation.ok()) << relation.status();
  return relation.ok() ? *relation : IndexingRelation();
}

void expectPieces(const IndexingRelation &relation,
                  const std::vector<std::string> &expected) {
  EXPECT_EQ(relation.precision(), Precision::Exact);
  std::vector<std::string> pieces, wanted;
  for (const IndexingMap &piece : relation.pieces())
    pieces.push_back(normalized(piece.str()));
  for (const std::string &text : expected) wanted.push_back(normalized(text));
  EXPECT_EQ(pieces, wanted);
}

/// The relation is exact and is the one map `expected`.
void expectMap(const Op &op, Direction direction, int64_t result,
               int64_t operand, const std::string &expected) {
  SCOPED_TRACE(::testing::Message()
               << (direction == kReads ? "output to input" : "input to output")
               << ", result " << result << ", operand " << operand);
  expectPieces(relationOf(op, direction, result, operand), {expected});
}

struct Source {
  int64_t operand;
  std::string map;
};

/// The sources of the only piece's runtime variables, all of them clamped.
void expectSources(const Op &op, Direction direction, int64_t result,
                   int64_t operand, const std::vector<Source> &expected) {
  IndexingRelation relation = relationOf(op, direction, result, operand);
  ASSERT_EQ(relation.pieces().size(), 1u);
  const IndexingMap &map = relation.pieces()[0];
  ASSERT_EQ(map.runtime().size(), expected.size());
  for (size_t i = 0; i < expected.size(); ++i) {
    EXPECT_TRUE(map.runtime()[i].clamped);
    EXPECT_EQ(map.runtime()[i].source.kind, RuntimeSource::Kind::Element);
    EXPECT_EQ(map.runtime()[i].source.tensor, expected[i].operand);
    EXPECT_EQ(normalized(map.sourceMap(i).str()), normalized(expected[i].map));
  }
}

// --- Element-wise, broadcast, constant, iota ---

TEST(ReferenceDocumentTest, Elementwise) {
  auto add = withShapes<ElementwiseOp>({f32({10, 20}), f32({10, 20})},
                                       {f32({10, 20})});
  for (int64_t operand : {0, 1})
    for (Direction direction : {kReads, kUsers})
      expectMap(add, direction, 0, operand,
                "(d0, d1) -> (d0, d1), domain: d0 in [0, 9], d1 in [0, 19]");
}

TEST(ReferenceDocumentTest, Broadcast) {
  auto op = withShapes<BroadcastOp>({f32({20})}, {f32({10, 20, 30})});
  op.dimensions = {1};
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2) -> (d1), domain: d0 in [0, 9], d1 in [0, 19], "
            "d2 in [0, 29]");
  expectMap(op, kUsers, 0, 0,
            "(d0)[s0, s1] -> (s0, d0, s1), domain: d0 in [0, 19], "
            "s0 in [0, 9], s1 in [0, 29]");
}

// The example of StableHLO's broadcast_in_dim: the operand's dimension of size
// 1 becomes one of size 2.
TEST(ReferenceDocumentTest, BroadcastOfSizeOne) {
  auto op = withShapes<BroadcastOp>({s32({1, 3})}, {s32({2, 3, 2})});
  op.dimensions = {2, 1};
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2) -> (0, d1), domain: d0 in [0, 1], d1 in [0, 2], "
            "d2 in [0, 1]");
  expectMap(op, kUsers, 0, 0,
            "(d0, d1)[s0, s1] -> (s0, d1, s1), domain: d0 in [0, 0], "
            "d1 in [0, 2], s0 in [0, 1], s1 in [0, 1]");
}

TEST(ReferenceDocumentTest, ConstantAndIotaReadNothing) {
  ConstantOp constant = withShapes<ConstantOp>({}, {f32({4})});
  IotaOp iota = withShapes<IotaOp>({}, {s32({4})});
  EXPECT_TRUE(verify(constant).ok());
  EXPECT_TRUE(verify(iota).ok());
  EXPECT_TRUE(shapesOf(Op(constant)).operands.empty());
  EXPECT_TRUE(shapesOf(Op(iota)).operands.empty());
}

// --- Dynamic slices ---

TEST(ReferenceDocumentTest, DynamicSlice) {
  auto op = withShapes<DynamicSliceOp>(
      {s32({2, 2, 258}), s32({}), s32({}), s32({})}, {s32({1, 2, 32})});
  op.sizes = {1, 2, 32};
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2){rt0, rt1, rt2} -> (d0 + rt0, d1 + rt1, d2 + rt2), "
            "domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31], "
            "rt0 in [0, 1], rt1 in [0, 0], rt2 in [0, 226]");
  const std::string start =
      "(d0, d1, d2) -> (), domain: d0 in [0, 0], d1 in [0, 1], d2 in [0, 31]";
  expectSources(op, kReads, 0, 0, {{1, start}, {2, start}, {3, start}});
  for (int64_t operand : {1, 2, 3}) expectMap(op, kReads, 0, operand, start);
}

// The document leaves the constraints of the update out, and gives the
// operand's map with the updated elements: here these are excluded, see
// ops_test.cc.
TEST(ReferenceDocumentTest, DynamicUpdateSlice) {
  auto op = withShapes<DynamicUpdateSliceOp>(
      {s32({20, 30}), s32({5, 10}), s32({}), s32({})}, {s32({20, 30})});
  expectMap(op, kReads, 0, 1,
            "(d0, d1){rt0, rt1} -> (d0 - rt0, d1 - rt1), "
            "domain: d0 in [0, 19], d1 in [0, 29], rt0 in [0, 15], "
            "rt1 in [0, 20], d0 - rt0 in [0, 4], d1 - rt1 in [0, 9]");
  const std::string start =
      "(d0, d1) -> (), domain: d0 in [0, 19], d1 in [0, 29]";
  expectSources(op, kReads, 0, 1, {{2, start}, {3, start}});
  for (int64_t operand : {2, 3}) expectMap(op, kReads, 0, operand, start);
}

TEST(ReferenceDocumentTest, Gather) {
  auto op = withShapes<GatherOp>({f32({33, 76, 70}), s32({1806, 2})},
                                 {f32({1806, 7, 8, 4})});
  op.offsetDims = {1, 2, 3};
  op.startIndexMap = {0, 1};
  op.indexVectorDim = 1;
  op.sliceSizes = {7, 8, 4};
  const std::string domain =
      "domain: d0 in [0, 1805], d1 in [0, 6], d2 in [0, 7], d3 in [0, 3]";
  // The document's third result is `d3`, of a dimension that is not indexed.
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2, d3){rt0, rt1} -> (d1 + rt0, d2 + rt1, d3), " +
                domain + ", rt0 in [0, 26], rt1 in [0, 68]");
  expectSources(op, kReads, 0, 0,
                {{1, "(d0, d1, d2, d3) -> (d0, 0), " + domain},
                 {1, "(d0, d1, d2, d3) -> (d0, 1), " + domain}});
  expectMap(op, kReads, 0, 1,
            "(d0, d1, d2, d3)[s0] -> (d0, s0), " + domain + ", s0 in [0, 1]");
}

// --- Transpose, reverse, slice ---

TEST(ReferenceDocumentTest, Transpose) {
  auto op = withShapes<TransposeOp>({f32({3, 12288, 6, 128})},
                                    {f32({3, 6, 128, 12288})});
  op.permutation = {0, 2, 3, 1};
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], "
            "d1 in [0, 5], d2 in [0, 127], d3 in [0, 12287]");
  expectMap(op, kUsers, 0, 0,
            "(d0, d1, d2, d3) -> (d0, d2, d3, d1), domain: d0 in [0, 2], "
            "d1 in [0, 12287], d2 in [0, 5], d3 in [0, 127]");
}

TEST(ReferenceDocumentTest, Reverse) {
  auto op = withShapes<ReverseOp>({f32({1, 17, 9, 9})}, {f32({1, 17, 9, 9})});
  op.dimensions = {1, 2};
  for (Direction direction : {kReads, kUsers})
    expectMap(op, direction, 0, 0,
              "(d0, d1, d2, d3) -> (d0, -d1 + 16, -d2 + 8, d3), "
              "domain: d0 in [0, 0], d1 in [0, 16], d2 in [0, 8], "
              "d3 in [0, 8]");
}

TEST(ReferenceDocumentTest, Slice) {
  auto op = withShapes<SliceOp>({f32({10, 20, 50})}, {f32({5, 3, 25})});
  op.starts = {5, 3, 0};
  op.limits = {10, 20, 50};
  op.strides = {1, 7, 2};
  expectMap(op, kReads, 0, 0,
            "(d0, d1, d2) -> (d0 + 5, d1 * 7 + 3, d2 * 2), "
            "domain: d0 in [0, 4], d1 in [0, 2], d2 in [0, 24]");
  expectMap(op, kUsers, 0, 0,
            "(d0, d1, d2) -> (d0 - 5, (d1 - 3) floordiv 7, d2 floordiv 2), "
            "domain: d0 in [5, 9], d1 in [3, 17], d2 in [0, 48], "
            "(d1 - 3) mod 7 in [0, 0], d2 mod 2 in [0, 0]");
}

// --- Reduce and similar ops ---

TEST(ReferenceDocumentTest, VariadicReduce) {
  auto op =
      withShapes<ReduceOp>({f32({256, 10}), s32({256, 10}), f32({}), s32({})},
                           {f32({10}), s32({10})});
  op.dimensions = {0};
  for (int64_t i : {0, 1})
    for (int64_t j : {0, 1}) {
      expectMap(op, kReads, j, i,
                "(d0)[s0] -> (s0, d0), domain: d0 in [0, 9], s0 in [0, 255]");
      expectMap(op, kReads, j, 2 + i, "(d0) -> (), domain: d0 in [0, 9]");
      expectMap(op, kUsers, j, i,
                "(d0, d1) -> (d1), domain: d0 in [0, 255], d1 in [0, 9]");
      expectMap(op, kUsers, j, 2 + i, "()[s0] -> (s0), domain: s0 in [0, 9]");
    }
}

TEST(ReferenceDocumentTest, Dot) {
  auto op = withShapes<DotOp>({f32({4, 128, 256}), f32({4, 256, 64})},
                              {f32({4, 128, 64})});
  op.lhsBatch = {0}, op.rhsBatch = {0};
  op.lhsContracting = {2}, op.rhsContracting = {1};
  const std::string domain =
      "domain: d0 in [0, 3], d1 in [0, 127], d2 in [0, 63], s0 in [0, 255]";
  expectMap(op, kReads, 0, 0, "(d0, d1, d2)[s0] -> (d0, d1, s0), " + domain);
  expectMap(op, kReads, 0, 1, "(d0, d1, d2)[s0] -> (d0, s0, d2), " + domain);
  expectMap(op, kUsers, 0, 0,
            "(d0, d1, d2)[s0] -> (d0, d1, s0), domain: d0 in [0, 3], "
            "d1 in [0, 127], d2 in [0, 255], s0 in [0, 63]");
  // The document has (d0, s0, d1) here, with the domain that follows: d1 is the
  // contracted dimension, d2 the free one, so the element is (d0, s0, d2).
  expectMap(op, kUsers, 0, 1,
            "(d0, d1, d2)[s0] -> (d0, s0, d2), domain: d0 in [0, 3], "
            "d1 in [0, 255], d2 in [0, 63], s0 in [0, 127]");
}

TEST(ReferenceDocumentTest, ReduceWindow) {
  auto op =
      withShapes<ReduceWindowOp>({f32({1024, 514}), f32({})}, {f32({1024, 3})});
  op.window.resize(2);
  op.window[1].size = 512;
  expectMap(op, kReads, 0, 0,
            "(d0, d1)[s0] -> (d0, d1 + s0), domain: d0 in [0, 1023], "
            "d1 in [0, 2], s0 in [0, 511]");
  expectMap(op, kReads, 0, 1,
            "(d0, d1) -> (), domain: d0 in [0, 1023], d1 in [0, 2]");
}

// --- Reshape ---

void expectReshape(llvm::ArrayRef<int64_t> from, llvm::ArrayRef<int64_t> to,
                   const std::string &reads, const std::string &users) {
  auto op = withShapes<ReshapeOp>({f32(from)}, {f32(to)});
  expectMap(op, kReads, 0, 0, reads);
  expectMap(op, kUsers, 0, 0, users);
}

TEST(ReferenceDocumentTest, Reshape) {
  const std::string collapsed =
      "(d0) -> (d0 floordiv 8, d0 mod 8), domain: d0 in [0, 31]";
  const std::string expanded =
      "(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in [0, 7]";
  expectReshape({4, 8}, {32}, collapsed, expanded);
  expectReshape({32}, {4, 8}, expanded, collapsed);
  expectReshape({4, 8}, {2, 4, 4},
                "(d0, d1, d2) -> (d0 * 2 + d1 floordiv 2, "
                "d2 + (d1 mod 2) * 4), domain: d0 in [0, 1], d1 in [0, 3], "
                "d2 in [0, 3]",
                "(d0, d1) -> (d0 floordiv 2, d1 floordiv 4 + (d0 mod 2) * 2, "
                "d1 mod 4), domain: d0 in [0, 3], d1 in [0, 7]");
  expectReshape({4, 8, 12}, {32, 3, 4},
                "(d0, d1, d2) -> (d0 floordiv 8, d0 mod 8, d1 * 4 + d2), "
                "domain: d0 in [0, 31], d1 in [0, 2], d2 in [0, 3]",
                "(d0, d1, d2) -> (d0 * 8 + d1, d2 floordiv 4, d2 mod 4), "
                "domain: d0 in [0, 3], d1 in [0, 7], d2 in [0, 11]");
}

// --- Concatenate, pad ---

TEST(ReferenceDocumentTest, Concatenate) {
  auto op = withShapes<ConcatenateOp>(
      {f32({2, 5, 7}), f32({2, 11, 7}), f32({2, 17, 7})}, {f32({2, 33, 7})});
  op.dimension = 1;
  auto text = [](const char *middle, const char *bounds) {
    return absl::StrCat("(d0, d1, d2) -> (d0, ", middle,
                        ", d2), domain: d0 in [0, 1], d1 in ", bounds,
                        ", d2 in [0, 6]");
  };
  expectMap(op, kReads, 0, 0, text("d1", "[0, 4]"));
  expectMap(op, kReads, 0, 1, text("d1 - 5", "[5, 15]"));
  expectMap(op, kReads, 0, 2, text("d1 - 16", "[16, 32]"));
  expectMap(op, kUsers, 0, 0, text("d1", "[0, 4]"));
  expectMap(op, kUsers, 0, 1, text("d1 + 5", "[0, 10]"));
  expectMap(op, kUsers, 0, 2, text("d1 + 16", "[0, 16]"));
}

// The document's map of the padding value has the whole output for its domain:
// here it is read only where there is padding, see ops_test.cc.
TEST(ReferenceDocumentTest, Pad) {
  auto op = withShapes<PadOp>({f32({4, 4}), f32({})}, {f32({12, 16})});
  op.low = {1, 4}, op.high = {4, 8}, op.interior = {1, 0};
  expectMap(op, kReads, 0, 0,
            "(d0, d1) -> ((d0 - 1) floordiv 2, d1 - 4), "
            "domain: d0 in [1, 7], d1 in [4, 7], (d0 - 1) mod 2 in [0, 0]");
}

// --- Chains of ops ---

IndexingRelation readsOf(const Op &op, int64_t operand) {
  return relationOf(op, kReads, 0, operand);
}

/// Returns the reads of the first op of a chain of the last op's operand. Each
/// op of the chain reads the next one.
IndexingRelation chain(std::vector<IndexingRelation> steps) {
  IndexingRelation reads = steps[0];
  for (size_t i = 1; i < steps.size(); ++i) {
    auto composed = compose(reads, steps[i]);
    EXPECT_TRUE(composed.ok()) << composed.status();
    if (composed.ok()) reads = *composed;
  }
  return reads;
}

TransposeOp transpose(llvm::ArrayRef<int64_t> from, Int64s permutation) {
  Int64s to;
  for (int64_t dimension : permutation) to.push_back(from[dimension]);
  auto op = withShapes<TransposeOp>({f32(from)}, {f32(to)});
  op.permutation = permutation;
  return op;
}

ElementwiseOp elementwise(int64_t operands, llvm::ArrayRef<int64_t> sizes) {
  ElementwiseOp op;
  op.operands = std::vector<ArrayShape>(operands, f32(sizes));
  op.results = {f32(sizes)};
  return op;
}

TEST(ReferenceDocumentTest, AddOfTranspose) {
  Op add = elementwise(2, {1000, 1000});
  IndexingRelation reads = readsOf(add, 0);
  reads.unite(
      chain({readsOf(add, 1), readsOf(transpose({1000, 1000}, {1, 0}), 0)}));
  const std::string domain = ", domain: d0 in [0, 999], d1 in [0, 999]";
  expectPieces(reads, {"(d0, d1) -> (d0, d1)" + domain,
                       "(d0, d1) -> (d1, d0)" + domain});
}

TEST(ReferenceDocumentTest, TwoPathsWithOneMap) {
  Op add = elementwise(2, {10, 50, 20});
  IndexingRelation reads =
      chain({readsOf(add, 0), readsOf(transpose({10, 20, 50}, {0, 2, 1}), 0),
             readsOf(elementwise(1, {10, 20, 50}), 0),
             readsOf(transpose({20, 10, 50}, {1, 0, 2}), 0)});
  reads.unite(
      chain({readsOf(add, 1), readsOf(transpose({50, 10, 20}, {1, 0, 2}), 0),
             readsOf(elementwise(1, {50, 10, 20}), 0),
             readsOf(transpose({20, 10, 50}, {2, 1, 0}), 0)}));
  expectPieces(reads, {"(d0, d1, d2) -> (d2, d0, d1), domain: d0 in [0, 9], "
                       "d1 in [0, 49], d2 in [0, 19]"});
}

// divide(e, sum(e)) with e = exponential(p0 - max(p0)), along dimension 2.
TEST(ReferenceDocumentTest, Softmax) {
  const Int64s sizes = {2, 65, 125};
  auto reduce = withShapes<ReduceOp>({f32(sizes), f32({})}, {f32({2, 65})});
  reduce.dimensions = {2};
  auto broadcast = withShapes<BroadcastOp>({f32({2, 65})}, {f32(sizes)});
  broadcast.dimensions = {0, 1};
  Op binary = elementwise(2, sizes), exponential = elementwise(1, sizes);

  IndexingRelation shifted = readsOf(binary, 0);
  shifted.unite(
      chain({readsOf(binary, 1), readsOf(broadcast, 0), readsOf(reduce, 0)}));
  IndexingRelation exponent = chain({readsOf(exponential, 0), shifted});
  IndexingRelation softmax = chain({readsOf(binary, 0), exponent});
  softmax.unite(chain({readsOf(binary, 1), readsOf(broadcast, 0),
                       readsOf(reduce, 0), exponent}));
  const std::string domain =
      ", domain: d0 in [0, 1], d1 in [0, 64], d2 in [0, 124]";
  // The map of the element itself is one of the points of the other.
  std::vector<std::string> texts;
  for (const IndexingMap &piece : softmax.pieces())
    texts.push_back(normalized(piece.str()));
  EXPECT_EQ(softmax.precision(), Precision::Exact);
  ASSERT_EQ(texts.size(), 2u);
  EXPECT_EQ(texts[0], normalized("(d0, d1, d2) -> (d0, d1, d2)" + domain));
  EXPECT_EQ(texts[1], normalized("(d0, d1, d2)[s0] -> (d0, d1, s0)" + domain +
                                 ", s0 in [0, 124]"));
}

TEST(ReferenceDocumentTest, ReshapesThatCancel) {
  auto first = withShapes<ReshapeOp>({f32({10, 10, 10})}, {f32({50, 20})});
  auto second = withShapes<ReshapeOp>({f32({50, 20})}, {f32({10, 10, 10})});
  expectPieces(chain({readsOf(second, 0), readsOf(first, 0)}),
               {"(d0, d1, d2) -> (d0, d1, d2), domain: d0 in [0, 9], "
                "d1 in [0, 9], d2 in [0, 9]"});
}

// --- The simplifier ---

void expectSimplified(const std::string &before, const std::string &after) {
  absl::StatusOr<IndexingMap> map = parseMap(before);
  ASSERT_TRUE(map.ok()) << map.status();
  absl::StatusOr<IndexingMap> simple = simplify(*map);
  ASSERT_TRUE(simple.ok()) << simple.status();
  EXPECT_EQ(normalized(simple->str()), normalized(after));
}

TEST(ReferenceDocumentTest, Simplifier) {
  const std::string box = ", domain: d0 in [0, 9], d1 in [0, 9], d2 in [0, 9]";
  expectSimplified(
      "(d0, d1) -> (d0 + d1 floordiv 16, d1 mod 16), "
      "domain: d0 in [0, 6], d1 in [0, 14]",
      "(d0, d1) -> (d0, d1), domain: d0 in [0, 6], d1 in [0, 14]");
  expectSimplified(
      "(d0, d1, d2) -> ((100 * d0 + 10 * d1 + d2) floordiv 100, "
      "((100 * d0 + 10 * d1 + d2) mod 100) floordiv 10, "
      "d2 mod 10)" +
          box,
      "(d0, d1, d2) -> (d0, d1, d2)" + box);
  expectSimplified(
      "(d0, d1, d2) -> ((16 * d0 + 4 * d1 + d2) floordiv 8, "
      "(16 * d0 + 4 * d1 + d2) mod 8)" +
          box,
      "(d0, d1, d2) -> (2 * d0 + (4 * d1 + d2) floordiv 8, "
      "(4 * d1 + d2) mod 8)" +
          box);
  expectSimplified(
      "(d0, d1) -> (-((-11 * d0 - d1 + 109) floordiv 11) + 9), "
      "domain: d0 in [0, 9], d1 in [0, 10]",
      "(d0, d1) -> (d0), domain: d0 in [0, 9], d1 in [0, 10]");
}

TEST(ReferenceDocumentTest, SimplifierOfConstraints) {
  const std::string map =
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 9]";
  expectSimplified(map + ", (d0 + s0) floordiv 4 in [1, 2]",
                   map + ", d0 + s0 in [4, 11]");
  expectSimplified(map + ", (d0 + s0) * 3 in [14, 40]",
                   map + ", d0 + s0 in [5, 13]");
  expectSimplified(map + ", d0 + s0 - 2 in [3, 11]",
                   map + ", d0 + s0 in [5, 13]");

  expectSimplified(
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 3], "
      "d0 + s0 in [0, 20]",
      "(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 3]");
}

}  // namespace
}  // namespace indexical::testing
