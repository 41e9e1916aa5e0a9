// From and to mlir::AffineMap: every value is kept, at points.
#include "indexical/indexing/affine_map.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_text.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using mlir::AffineExpr;
using mlir::AffineExprKind;
using mlir::AffineMap;

/// The value of an AffineExpr, worked out here: MLIR's own evaluation folds,
/// and does not take semi-affine expressions.
int64_t valueOf(AffineExpr expr, llvm::ArrayRef<int64_t> dimensions,
                llvm::ArrayRef<int64_t> symbols) {
  if (auto constant = llvm::dyn_cast<mlir::AffineConstantExpr>(expr))
    return constant.getValue();
  if (auto d = llvm::dyn_cast<mlir::AffineDimExpr>(expr))
    return dimensions[d.getPosition()];
  if (auto s = llvm::dyn_cast<mlir::AffineSymbolExpr>(expr))
    return symbols[s.getPosition()];
  auto binary = llvm::cast<mlir::AffineBinaryOpExpr>(expr);
  const int64_t a = valueOf(binary.getLHS(), dimensions, symbols);
  const int64_t b = valueOf(binary.getRHS(), dimensions, symbols);
  switch (expr.getKind()) {
    case AffineExprKind::Add:
      return a + b;
    case AffineExprKind::Mul:
      return a * b;
    case AffineExprKind::Mod:
      return floorMod(a, b);
    case AffineExprKind::FloorDiv:
      return floorDiv(a, b);
    default:
      return ceilDiv(a, b);
  }
}

class AffineMapTest : public ::testing::Test {
 protected:
  AffineExpr d(unsigned i) { return mlir::getAffineDimExpr(i, &context); }
  AffineExpr s(unsigned i) { return mlir::getAffineSymbolExpr(i, &context); }
  AffineExpr c(int64_t value) {
    return mlir::getAffineConstantExpr(value, &context);
  }

  /// Values of the map and of the AffineMap at random points of the box.
  void expectSameValues(const IndexingMap &map, AffineMap affine,
                        Random &random, const std::string &where) {
    ASSERT_EQ(affine.getNumDims(), map.dimensions().size());
    ASSERT_EQ(affine.getNumSymbols(),
              map.ranges().size() + map.visibleRuntimeCount());
    ASSERT_EQ(affine.getNumResults(), map.results().size());
    for (int i = 0; i < 30; ++i) {
      IndexingMap::Point point;
      llvm::SmallVector<int64_t, 6> symbols;
      auto pick = [&](const Variable &v) {
        return random.in(v.bounds.lower, v.bounds.upper);
      };
      for (const Variable &v : map.dimensions())
        point.dimensions.push_back(pick(v));
      for (const Variable &v : map.ranges()) point.ranges.push_back(pick(v));
      for (const RuntimeVariable &v : map.runtime())
        point.runtime.push_back(pick(v));
      symbols.append(point.ranges.begin(), point.ranges.end());
      symbols.append(point.runtime.begin(), point.runtime.end());
      auto results = map.evaluate(point);
      ASSERT_TRUE(results.has_value()) << where;
      for (unsigned k = 0; k < affine.getNumResults(); ++k)
        EXPECT_EQ(valueOf(affine.getResult(k), point.dimensions, symbols),
                  (*results)[k])
            << where << "\n"
            << map.str();
    }
  }

  /// A tree as MLIR builds it, operator by operator.
  AffineExpr built(const Tree &tree, unsigned ranges) {
    using Op = Tree::Op;
    if (tree.op == Op::Constant) return c(tree.constant);
    if (tree.op == Op::Variable) {
      const VariableId id = tree.variable;
      if (id.kind == VariableKind::Dimension) return d(id.index);
      return s(id.index + (id.kind == VariableKind::Runtime ? ranges : 0));
    }
    const AffineExpr a = built(tree.parts[0], ranges);
    if (tree.op == Op::Negate) return node(AffineExprKind::Mul, a, c(-1));
    AffineExpr b = built(tree.parts[1], ranges);
    switch (tree.op) {
      case Op::Add:
        return node(AffineExprKind::Add, a, b);
      case Op::Subtract:
        return node(AffineExprKind::Add, a,
                    node(AffineExprKind::Mul, b, c(-1)));
      case Op::Multiply:
        return node(AffineExprKind::Mul, a, b);
      case Op::FloorDiv:
        return node(AffineExprKind::FloorDiv, a, b);
      case Op::CeilDiv:
        return node(AffineExprKind::CeilDiv, a, b);
      default:
        return node(AffineExprKind::Mod, a, b);
    }
  }

  /// Without MLIR's sum of a sum, which can be wrong.
  AffineExpr node(AffineExprKind kind, AffineExpr a, AffineExpr b) {
    if (kind != AffineExprKind::Add || b.getKind() != AffineExprKind::Add)
      return mlir::getAffineBinaryOpExpr(kind, a, b);
    auto sum = llvm::cast<mlir::AffineBinaryOpExpr>(b);
    return node(kind, node(kind, a, sum.getLHS()), sum.getRHS());
  }

  mlir::MLIRContext context;
};

TEST_F(AffineMapTest, TheExampleOfTheHeader) {
  const AffineMap affine =
      AffineMap::get(2, 1, {d(0).floorDiv(8), d(1) + s(0)}, &context);
  auto map = fromAffineMap(affine, {{0, 31}, {0, 9}}, {{0, 2}});
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->strOneLine(),
            "(d0, d1)[s0] -> (d0 floordiv 8, d1 + s0), domain: d0 in [0, 31], "
            "d1 in [0, 9], s0 in [0, 2]");
  EXPECT_EQ(map->affineMap(&context), affine);
}

TEST_F(AffineMapTest, SymbolsAreRangesThenRuntimeVariables) {
  const AffineMap affine =
      AffineMap::get(1, 3, {s(0) + s(2) * 2, s(1)}, &context);
  auto map = fromAffineMap(affine, {{0, 3}}, {{0, 1}}, {{0, 5}, {0, 7}});
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_EQ(map->strOneLine(),
            "(d0)[s0]{rt0, rt1} -> (s0 + rt1 * 2, rt0), domain: d0 in [0, 3], "
            "s0 in [0, 1], rt0 in [0, 5], rt1 in [0, 7]");
  EXPECT_EQ(map->affineMap(&context), affine);
}

TEST_F(AffineMapTest, RoundTripsOfRandomMaps) {
  MapOptions options;
  options.mostRuntime = 2;
  options.mostConstraints = 0;
  int all = 0, equal = 0;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    options.depth = random.in(0, 5);
    options.semiAffine = random.oneIn(3);
    const MapParts parts = randomParts(random, options);
    const IndexingMap map = parts.build();
    const std::string where = "seed " + std::to_string(seed);
    const AffineMap affine = map.affineMap(&context);
    expectSameValues(map, affine, random, where);
    auto back =
        fromAffineMap(affine, parts.dimensions, parts.ranges, parts.runtime);
    ASSERT_TRUE(back.ok()) << where << ": " << back.status();
    expectSameValues(*back, affine, random, where);
    ++all;
    equal += *back == map;
  }
  // MLIR folds some of what it builds: (d0 * 6) floordiv 2 is d0 * 3 there.
  EXPECT_GT(equal, all * 3 / 4) << "of " << all;
}

TEST_F(AffineMapTest, WhatMlirDoesNotFoldComesBack) {
  for (const char *text :
       {"d0", "-d0 + 3", "d0 * 4 + d1 * -7 + s0", "d0 floordiv 3",
        "(d0 * 3 + d1) floordiv 4 + (d0 * 3 + d1) mod 4", "-(d0 floordiv 5)",
        "((d0 + d1) floordiv 4) mod 3", "(d0 + 1) mod s0", "d0 floordiv s0",
        "d0 * s0 - d1 * rt0", "(d0 mod 5) * 3 - (d1 floordiv 2) * 8 + 1"}) {
    auto map = parseMap("(d0, d1)[s0]{rt0} -> (" + std::string(text) +
                        "), domain: d0 in [0, 9], d1 in [-5, 5], "
                        "s0 in [1, 3], rt0 in [0, 7]");
    ASSERT_TRUE(map.ok()) << map.status();
    auto back = fromAffineMap(map->affineMap(&context), {{0, 9}, {-5, 5}},
                              {{1, 3}}, {{0, 7}});
    ASSERT_TRUE(back.ok()) << back.status();
    EXPECT_EQ(*back, *map) << map->str() << "\n" << back->str();
  }
}

TEST_F(AffineMapTest, MapsThatMlirBuilt) {
  MapOptions options;
  options.mostRuntime = 2;
  options.mostConstraints = 0;
  options.leastResults = 1;
  for (uint64_t seed = 1; seed <= 1500; ++seed) {
    Random random(seed);
    options.depth = random.in(0, 5);
    options.semiAffine = random.oneIn(3);
    const MapParts parts = randomParts(random, options);
    llvm::SmallVector<AffineExpr, 4> results;
    for (const Tree &tree : parts.results)
      results.push_back(built(tree, parts.ranges.size()));
    const AffineMap affine = AffineMap::get(
        parts.dimensions.size(), parts.ranges.size() + parts.runtime.size(),
        results, &context);
    auto map =
        fromAffineMap(affine, parts.dimensions, parts.ranges, parts.runtime);
    ASSERT_TRUE(map.ok()) << "seed " << seed << ": " << map.status();
    expectSameValues(*map, affine, random, "seed " + std::to_string(seed));
  }
}

// operator+ makes d0 mod 4 of d0 + ((d0 floordiv 4) * 4 - 1), which is no such
// thing; adding term by term does not.
TEST_F(AffineMapTest, SumsOfSumsKeepTheirValue) {
  for (const char *text :
       {"d0 + (d0 floordiv 4) * 4 - 1", "d0 - (d0 floordiv 4) * 4 - 1",
        "d0 - (d0 floordiv 4) * 4", "(d0 floordiv 4) * 4 - 1 + d0 + s0",
        "d0 * 3 + (d0 floordiv 4) * -12 + 5"}) {
    auto map = parseMap("(d0)[s0] -> (" + std::string(text) +
                        "), domain: d0 in [0, 20], s0 in [0, 3]");
    ASSERT_TRUE(map.ok());
    Random random(1);
    expectSameValues(*map, map->affineMap(&context), random, text);
    const AffineExpr alone = *affineExpr(*map, map->results()[0], &context);
    EXPECT_EQ(alone, map->affineMap(&context).getResult(0));
  }
  // As it comes out of MLIR when it is asked to build it in one step.
  const AffineExpr sum = mlir::getAffineBinaryOpExpr(
      AffineExprKind::Add,
      mlir::getAffineBinaryOpExpr(AffineExprKind::Add, d(0),
                                  d(0).floorDiv(4) * 4),
      c(-1));
  auto map = fromAffineMap(AffineMap::get(1, 0, sum), {{0, 20}});
  ASSERT_TRUE(map.ok());
  for (int64_t x = 0; x <= 20; ++x) {
    IndexingMap::Point point;
    point.dimensions = {x};
    EXPECT_EQ((*map->evaluate(point))[0], valueOf(sum, x, {}));
  }
}

TEST_F(AffineMapTest, SharedNodesAreReadOnce) {
  AffineExpr tower = d(0);
  for (int i = 0; i < 14; ++i)  // MLIR walks it as a tree at every step
    tower = (tower + (tower % 5) * 3) % 1000 + (tower + 1).floorDiv(2);
  auto map = fromAffineMap(AffineMap::get(1, 0, tower), {{0, 20}});
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_LT(map->expressions().formCount(), 200u);
}

TEST_F(AffineMapTest, Constraints) {
  IndexingMapBuilder b;
  b.dimension({0, 9});
  b.range({0, 3});
  b.runtime(Interval{0, 5});
  auto expr = fromAffineExpr((d(0) + s(0) * 2 - s(1)) % 4, b, 1);
  ASSERT_TRUE(expr.ok());
  b.constraint(*expr, {0, 1});
  auto map = b.build();
  ASSERT_TRUE(map.ok());
  EXPECT_EQ(map->str(map->constraints()[0].form), "(d0 + s0 * 2 - rt0) mod 4");
}

TEST_F(AffineMapTest, Errors) {
  auto message = [&](AffineMap map, llvm::ArrayRef<Interval> dimensions,
                     llvm::ArrayRef<Interval> ranges = {}) {
    auto result = fromAffineMap(map, dimensions, ranges);
    return result.ok() ? "" : std::string(result.status().message());
  };
  const AffineMap two = AffineMap::get(2, 1, d(0) + s(0));
  EXPECT_EQ(message(two, {{0, 1}}, {{0, 1}}),
            "the map has 2 dimensions and 1 symbols, and bounds were given for "
            "1 and 1");
  EXPECT_EQ(message(two, {{0, 1}, {0, 1}}),
            "the map has 2 dimensions and 1 symbols, and bounds were given for "
            "2 and 0");
  auto raw = [&](AffineExprKind kind, AffineExpr a, AffineExpr b) {
    return AffineMap::get(1, 1, mlir::getAffineBinaryOpExpr(kind, a, b));
  };
  EXPECT_NE(
      message(raw(AffineExprKind::FloorDiv, d(0), s(0)), {{0, 1}}, {{0, 1}}),
      "");
  EXPECT_NE(message(raw(AffineExprKind::Mod, d(0), s(0)), {{0, 1}}, {{0, 1}}),
            "");
  EXPECT_EQ(message(raw(AffineExprKind::Mod, d(0), s(0)), {{0, 1}}, {{1, 2}}),
            "");
  EXPECT_NE(message(AffineMap::get(1, 0, d(0) * (int64_t{1} << 62)), {{0, 9}}),
            "");
}

// MLIR has no minimum: pieces without have no point in common, and are the map
// together.
TEST_F(AffineMapTest, PiecesWithoutMinima) {
  const char *text =
      "(d0, d1) -> (min(d0, 5) + max(d1, d0 - 3), min(d0, 5) floordiv 2), "
      "domain: d0 in [0, 9], d1 in [-4, 9], max(d0, d1) in [2, 8]";
  const auto map = parseMap(text);
  ASSERT_TRUE(map.ok()) << map.status();
  EXPECT_FALSE(map->affineMap(&context));
  EXPECT_FALSE(affineMapOf(*map, &context).ok());
  EXPECT_FALSE(affineExpr(*map, map->results()[0], &context).ok());
  const auto pieces = affinePieces(*map);
  ASSERT_TRUE(pieces.ok()) << pieces.status();
  EXPECT_GT(pieces->size(), 1u);
  for (const IndexingMap &piece : *pieces)
    EXPECT_TRUE(affineMapOf(piece, &context).ok());
  for (int64_t a = 0; a <= 9; ++a)
    for (int64_t b = -4; b <= 9; ++b) {
      IndexingMap::Point point;
      point.dimensions = {a, b};
      int found = 0;
      for (const IndexingMap &piece : *pieces) {
        if (!piece.contains(point)) continue;
        ++found;
        EXPECT_EQ(piece.evaluate(point), map->evaluate(point));
      }
      EXPECT_EQ(found, map->contains(point)) << a << ", " << b;
    }
  const auto plain = parseMap("(d0) -> (d0 + 1), domain: d0 in [0, 9]");
  EXPECT_EQ(*affinePieces(*plain), std::vector<IndexingMap>{*plain});
}

}  // namespace
}  // namespace indexical::testing
