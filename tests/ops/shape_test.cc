// Shapes: their text there and back, and what is computed from them.
#include "indexical/ops/shape.h"

#include <functional>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringSet.h"

#include "indexical/import/hlo/hlo_parser.h"

namespace indexical {
namespace {

Shape parse(const std::string &text) {
  absl::StatusOr<Shape> shape = parseHloShape(text);
  EXPECT_TRUE(shape.ok()) << text << ": "
                          << std::string(shape.status().message());
  return shape.ok() ? *shape : Shape();
}

TEST(ShapeTest, TextRoundTrips) {
  const char *const kTexts[] = {
      "f32[]",
      "f32[2,65]",
      "f32[2,65]{0,1}",
      "bf16[0,3]{1,0}",
      "s32[?,<=16,3]{2,1,0}",
      "f32[2,65]{0,1:T(8,128)}",
      "bf16[512]{0:T(512)(128)(2,1)S(1)}",
      "s8[4,128]{1,0:T(*,128)}",
      "f32[200001,128]{1,0:T(8)L(1024)}",
      "s4[4,8]{1,0:E(4)}",
      "f32[]{:T(256)}",
      "s8[4294967296]",
      "f32[9223372036854775807]",
      "()",
      "(f32[])",
      "(s32[], (f32[2]{0}, token[]), ())",
      "token[]",
      "opaque[]",
  };
  for (const char *text : kTexts)
    EXPECT_EQ(parse(text).str(/*withLayout=*/true), text);
}

TEST(ShapeTest, ReadsOtherSpellings) {
  const struct {
    const char *text, *printed;
  } kRows[] = {
      {"f32[ 10, 20 ]", "f32[10,20]"},
      {"s32[32,16]{0, 1:T(1,128)}", "s32[32,16]{0,1:T(1,128)}"},
      {"token", "token[]"},
      {"b(f32[32])", "f32[32]"},
      {"(b(s32[4]), u32[])", "(s32[4], u32[])"},
      {"f32[?<=16]", "f32[<=16]"},
      {"f32[<=?]", "f32[?]"},
      {"f32[10,10]{1,0:D(D,C)}", "f32[10,10]{1,0}"},
      {"s32[6]{0:T(128)S(1)SC(0:3)}", "s32[6]{0:T(128)S(1)}"},
      {"s32[<=4096]{0:T(8)M(1024)}", "s32[<=4096]{0:T(8)}"},
      {"f32[4]{0:#(u32)*(u32)P(f32[4]{0})}", "f32[4]{0}"},
      {"f32[4]{}x", nullptr},
      {"( /*index=0*/ f32[2] , /* one */ s8[] )", "(f32[2], s8[])"},
  };
  for (const auto &row : kRows) {
    if (row.printed)
      EXPECT_EQ(parse(row.text).str(true), row.printed) << row.text;
    else
      EXPECT_FALSE(parseHloShape(row.text).ok()) << row.text;
  }
}

TEST(ShapeTest, RefusesWithPlace) {
  const struct {
    const char *text;
    uint32_t column;
    const char *message, *suggestion;
  } kRows[] = {
      {"", 1, "expected a shape, found the end of the text", ""},
      {"f31x", 1, "expected a shape such as `f32[2,3]`, found `f31x`", ""},
      {"float[2]", 1, "unknown element type `float`", ""},
      {"predd[2]", 1, "unknown element type `predd`", "pred"},
      {"f32[-1]", 5, "a size is -1; sizes are 0 or more", ""},
      {"f32[99999999999999999999]", 5,
       "`99999999999999999999` does not fit into 64 bits", ""},
      {"f32[2", 6, "expected `]`, found the end of the text", ""},
      {"f32[2,3]{0}", 9, "the layout is of rank 1, the shape of rank 2", ""},
      {"f32[2,3]{0,0}", 9,
       "the layout must name each of the dimensions 0 to 1 once", ""},
      {"f32[2]{0:Q(1)}", 10,
       "expected a part of a layout such as `T(8,128)` or `S(1)`, found `Q`",
       ""},
      {"(f32[2]", 1, "`(` is never closed", ""},
      {"f32[2] f32[2]", 8, "expected the end of the shape, found `f32`", ""},
  };
  for (const auto &row : kRows) {
    absl::Status status = parseHloShape(row.text).status();
    ASSERT_FALSE(status.ok()) << row.text;
    EXPECT_EQ(std::string(status.message()), row.message) << row.text;
    ASSERT_TRUE(placeOf(status)) << row.text;
    EXPECT_EQ(placeOf(status)->column, row.column) << row.text;
    EXPECT_EQ(suggestionOf(status), row.suggestion) << row.text;
  }
}

TEST(ShapeTest, NestsToALimit) {
  auto nested = [](int depth) {
    return std::string(depth, '(') + "f32[]" + std::string(depth, ')');
  };
  EXPECT_TRUE(parseHloShape(nested(200)).ok());
  EXPECT_FALSE(parseHloShape(nested(10000)).ok());
}

TEST(ShapeTest, ElementTypesHaveNamesAndBits) {
  llvm::StringSet<> names;
  for (int t = 0; t < static_cast<int>(ElementType::Unknown); ++t) {
    auto type = static_cast<ElementType>(t);
    EXPECT_EQ(parseElementType(elementTypeName(type)), type);
    EXPECT_GT(bitsOf(type), 0);
    EXPECT_TRUE(names.insert(elementTypeName(type)).second);
  }
  EXPECT_EQ(bitsOf(ElementType::Pred), 8);
  EXPECT_EQ(bitsOf(ElementType::S4), 4);
  EXPECT_EQ(bitsOf(ElementType::F8E4M3B11FNUZ), 8);
  EXPECT_EQ(bitsOf(ElementType::C128), 128);
  EXPECT_EQ(bitsOf(ElementType::Unknown), 0);
  EXPECT_TRUE(isInteger(ElementType::Pred));
  EXPECT_TRUE(isInteger(ElementType::U2));
  EXPECT_FALSE(isInteger(ElementType::BF16));
  EXPECT_EQ(parseElementType("f99"), std::nullopt);
  // The form of a type that is newer than our table.
  EXPECT_EQ(parse("f6e3m2fn[4]").array.type, ElementType::Unknown);
}

TEST(ShapeTest, CountsElements) {
  EXPECT_EQ(parse("f32[]").array.elementCount(), 1);
  EXPECT_EQ(parse("f32[2,3,5]").array.elementCount(), 30);
  EXPECT_EQ(parse("f32[<=4,3]").array.elementCount(), 12);
  EXPECT_EQ(parse("f32[?,3]").array.elementCount(), std::nullopt);
  EXPECT_TRUE(parse("f32[?,3]").array.hasUnknownSize());
  // A product beyond 64 bits, and the same with a 0.
  const char *kHuge = "f32[4294967296,4294967296]";
  EXPECT_EQ(parse(kHuge).array.elementCount(), std::nullopt);
  EXPECT_EQ(parse("f32[4294967296,4294967296,0]").array.elementCount(), 0);
  EXPECT_TRUE(parse("f32[3,0]").array.isEmpty());
}

TEST(ShapeTest, LeavesAreArraysDepthFirst) {
  Shape shape = parse("(f32[2], (s32[], token[], (u8[3])), ())");
  EXPECT_EQ(shape.leafCount(), 3);
  auto leaves = shape.leaves();
  ASSERT_EQ(leaves.size(), 3u);
  EXPECT_EQ(leaves[0].str(), "f32[2]");
  EXPECT_EQ(leaves[1].str(), "s32[]");
  EXPECT_EQ(leaves[2].str(), "u8[3]");
}

TEST(ShapeTest, ListsAreSharedUntilTheyAreChanged) {
  ShapeList a = parse("(f32[2], s32[])").leaves(), b = a;
  EXPECT_TRUE(a.sharesWith(b));
  EXPECT_EQ(&a[1], &b[1]);
  b.mutableAt(0).dimensions = {3};
  EXPECT_FALSE(a.sharesWith(b));
  EXPECT_EQ(a[0].str() + " " + b[0].str(), "f32[2] f32[3]");
  const ArrayShape *first = &b[0];
  b.mutableAt(0).dimensions = {4};
  EXPECT_EQ(&b[0], first);  // alone: changed in place
  ShapeList c = a;
  c.push_back(b[0]);
  EXPECT_EQ(a.size(), 2u);
  EXPECT_EQ(c.size(), 3u);
  ShapeList d = c;
  d.pop_back();
  EXPECT_EQ(c.size(), 3u);
  d.clear();
  EXPECT_TRUE(d.empty() && d.begin() == d.end());
  d.push_back(a[1]);
  EXPECT_EQ(llvm::ArrayRef<ArrayShape>(d)[0].str(), "s32[]");
}

TEST(ShapeTest, WhatIsFoundOfAListFollowsItsChanges) {
  ShapeList a = parse("(f32[2], s32[3]{0})").leaves(), b = a;
  const size_t hash = a.hash();
  EXPECT_FALSE(a.hasOpenSize());
  EXPECT_EQ(b.hash(), hash);
  EXPECT_EQ(parse("(f32[2], s32[3]{0})").leaves().hash(), hash);
  // Each is another list, and then the first one again.
  const std::vector<std::function<void(ArrayShape &)>> changes = {
      [](ArrayShape &shape) { shape.type = ElementType::F32; },
      [](ArrayShape &shape) { shape.dimensions = {4}; },
      [](ArrayShape &shape) { shape.dimensions = {3, 1}; },
      [](ArrayShape &shape) { shape.dynamic = llvm::SmallBitVector(1, true); },
      [](ArrayShape &shape) {
        shape.layout = parse("s32[3]{0:S(5)}").array.layout;
      },
      [](ArrayShape &shape) { shape.layout.reset(); }};
  for (size_t i = 0; i < changes.size(); ++i) {
    const ArrayShape before = b[1];
    changes[i](b.mutableAt(1));
    EXPECT_NE(b.hash(), hash) << i;
    EXPECT_EQ(b.hasOpenSize(), i == 3);
    EXPECT_EQ(a.hash(), hash);
    b.mutableAt(1) = before;
    EXPECT_EQ(b.hash(), hash) << i;
    EXPECT_FALSE(b.hasOpenSize());
  }
  b.push_back(parse("f32[?]").array);
  EXPECT_TRUE(b.hasOpenSize());
  b.pop_back();
  EXPECT_EQ(b.hash(), hash);
  EXPECT_FALSE(b.hasOpenSize());
  b.clear();
  EXPECT_EQ(b.hash(), ShapeList().hash());
}

TEST(ShapeTest, LayoutOrder) {
  using Order = llvm::SmallVector<int64_t, 6>;
  EXPECT_EQ(parse("f32[2,3,4]").array.minorToMajor(), (Order{2, 1, 0}));
  EXPECT_EQ(parse("f32[2,3,4]{0,2,1}").array.minorToMajor(), (Order{0, 2, 1}));
  EXPECT_EQ(parse("f32[]").array.minorToMajor(), Order{});
  EXPECT_EQ(parse("f32[2]{0:T(8)}").array.layout,
            parse("f32[3]{0:T(8)}").array.layout);
  EXPECT_FALSE(parse("f32[2]{0:T(8)}").array.layout ==
               parse("f32[2]{0:T(8)S(1)}").array.layout);
}

TEST(ShapeTest, SameDimensions) {
  EXPECT_TRUE(sameDimensions(parse("f32[2,3]").array, parse("s8[2,3]").array));
  EXPECT_TRUE(sameDimensions(parse("f32[2,?]").array, parse("s8[2,3]").array));
  EXPECT_TRUE(sameDimensions(parse("f32[<=3]").array, parse("f32[3]").array));
  EXPECT_FALSE(sameDimensions(parse("f32[2]").array, parse("f32[3]").array));
  EXPECT_FALSE(sameDimensions(parse("f32[2]").array, parse("f32[2,1]").array));
}

TEST(ShapeTest, SameUpToLayout) {
  const struct {
    const char *a, *b;
    bool same;
  } kRows[] = {
      {"f32[2,3]{1,0}", "f32[2,3]{0,1:T(8,128)}", true},
      {"f32[2,<=3]", "f32[2,3]", true},
      {"f32[2,?]", "f32[2,3]", true},
      {"f32[2]", "s32[2]", false},
      {"f32[2]", "f32[3]", false},
      {"f32[]", "(f32[])", false},
      {"token[]", "opaque[]", false},
      {"(f32[2], (token[], s32[]))", "(f32[2]{0}, (token[], s32[]))", true},
      {"(f32[2], (token[], s32[]))", "(f32[2], token[], s32[])", false},
      {"(f32[2], s32[])", "(f32[2])", false},
      {"()", "()", true},
  };
  for (const auto &row : kRows) {
    EXPECT_EQ(sameUpToLayout(parse(row.a), parse(row.b)), row.same) << row.a;
    EXPECT_EQ(sameUpToLayout(parse(row.b), parse(row.a)), row.same) << row.b;
  }
}

}  // namespace
}  // namespace indexical
