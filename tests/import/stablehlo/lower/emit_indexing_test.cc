// emitIndexing, compiled and run: at points in and around the domain of random
// maps, the condition is what the map says of them, and the results are its
// results. Once as affine.apply, once as arithmetic with flags, of which LLVM's
// optimiser makes use.
#include "indexical/import/stablehlo/lower/emit_indexing.h"

#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/exact/edge_maps.h"
#include "tests/import/stablehlo/lower/machine_code.h"
#include "tests/support/random.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using Point = IndexingMap::Point;

class EmitIndexing : public ::testing::Test {
 protected:
  EmitIndexing() {
    context_.loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                         mlir::func::FuncDialect>();
    module_ = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context_));
  }

  IndexingMap parse(const std::string &text) {
    auto map = parseMap(text);
    EXPECT_TRUE(map.ok()) << map.status();
    return *map;
  }

  /// A function of the map's variables that gives its results and condition.
  absl::Status addFunction(const std::string &name, const IndexingMap &map,
                           const EmitOptions &options) {
    mlir::ImplicitLocOpBuilder b(module_->getLoc(), &context_);
    b.setInsertionPointToEnd(module_->getBody());
    const size_t counts[] = {map.dimensions().size(), map.ranges().size(),
                             map.visibleRuntimeCount()};
    llvm::SmallVector<mlir::Type> types(counts[0] + counts[1] + counts[2],
                                        b.getIndexType());
    auto function =
        mlir::func::FuncOp::create(b, name, b.getFunctionType(types, {}));
    mlir::Block *block = function.addEntryBlock();
    b.setInsertionPointToEnd(block);
    mlir::ValueRange all = block->getArguments();
    auto emitted = emitIndexing(b, map, all.take_front(counts[0]),
                                all.slice(counts[0], counts[1]),
                                all.take_back(counts[2]), b.getLoc(), options);
    if (!emitted.ok()) return emitted.status();
    llvm::SmallVector<mlir::Value> results(emitted->results);
    results.push_back(emitted->condition);
    mlir::func::ReturnOp::create(b, results);
    function.setFunctionType(
        b.getFunctionType(types, mlir::ValueRange(results).getTypes()));
    return absl::OkStatus();
  }

  std::string text() {
    std::string text;
    llvm::raw_string_ostream out(text);
    for (mlir::Operation &op : *module_->getBody()) out << op << "\n";
    return text;
  }

  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

TEST_F(EmitIndexing, IsAffineWhereOperandsAreAndArithmeticElse) {
  const IndexingMap map = parse(
      "(d0) -> (d0 floordiv 8, (d0 floordiv 8) * 3 + d0 mod 8), "
      "domain: d0 in [0, 31]");
  ASSERT_TRUE(addFunction("affine", map, {}).ok());
  EmitOptions options;
  options.affine = false;
  options.condition = false;
  EXPECT_NE(text().find("affine.apply"), std::string::npos);
  EXPECT_EQ(text().find("arith.divui"), std::string::npos);
  module_ = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context_));
  options.condition = true;
  ASSERT_TRUE(addFunction("arith", map, options).ok());
  EXPECT_EQ(text().find("affine.apply"), std::string::npos);
  // Shared, without a sign, and without wrapping.
  const std::string code = text();
  EXPECT_EQ(code.find("arith.divui"), code.rfind("arith.divui"));
  EXPECT_NE(code.find("overflow<nsw, nuw>"), std::string::npos);
}

// One minimum or maximum is one op; in a sum the part is.
TEST_F(EmitIndexing, WritesMinimaAsOps) {
  const IndexingMap map = parse(
      "(d0, d1) -> (min(d0, d1 + 3), max(d0, 5), min(d0, 7) + max(d1, 3)), "
      "domain: d0 in [0, 31], d1 in [0, 31]");
  ASSERT_TRUE(addFunction("affine", map, {}).ok());
  EXPECT_EQ(llvm::StringRef(text()).count("affine.min "), 1u) << text();
  EXPECT_EQ(llvm::StringRef(text()).count("affine.max "), 3u) << text();
  EmitOptions options;
  options.affine = false;
  module_ = mlir::ModuleOp::create(mlir::UnknownLoc::get(&context_));
  ASSERT_TRUE(addFunction("arith", map, options).ok());
  EXPECT_EQ(llvm::StringRef(text()).count("arith.maxsi"), 4u) << text();
}

TEST_F(EmitIndexing, HasNoFlagsWhereASumMayLeaveTheIndex) {
  EmitOptions options;
  options.affine = false;
  options.indexBits = 32;
  const IndexingMap map =
      parse("(d0) -> (d0 * 65536 + 7), domain: d0 in [0, 65535]");
  ASSERT_TRUE(addFunction("narrow", map, options).ok());
  EXPECT_EQ(text().find("overflow"), std::string::npos) << text();
  options.indexBits = 64;
  ASSERT_TRUE(addFunction("wide", map, options).ok());
  EXPECT_NE(text().find("overflow<nsw, nuw>"), std::string::npos) << text();
}

TEST_F(EmitIndexing, RefusesWrongValues) {
  mlir::ImplicitLocOpBuilder b(module_->getLoc(), &context_);
  b.setInsertionPointToEnd(module_->getBody());
  const IndexingMap map = parse("(d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(emitIndexing(b, map, {}).status().message(),
            "the map has 1 dimension variables, and there are 0 values");
  mlir::Value wide = mlir::arith::ConstantOp::create(b, b.getI64IntegerAttr(1));
  EXPECT_EQ(emitIndexing(b, map, wide).status().message(),
            "a value of a dimension variable is not an `index`");
  auto empty = emitIndexing(b, IndexingMap::knownEmpty(), {});
  ASSERT_TRUE(empty.ok());
  EXPECT_TRUE(empty->results.empty());
}

/// A value in the interval, or next to it.
int64_t near(Random &random, const Interval &bounds) {
  const int64_t low = bounds.hasLower() ? bounds.lower : -20;
  const int64_t high = bounds.hasUpper() ? bounds.upper : low + 40;
  const int64_t inside = random.in(low, std::max(low, high));
  int64_t moved = 0;
  const bool wraps = __builtin_add_overflow(inside, random.in(-2, 2), &moved);
  return wraps || random.oneIn(2) ? inside : moved;
}

/// Small maps, and tiny ones whose numbers are next to the ends of 64 bits.
IndexingMap drawn(Random &random) {
  if (random.oneIn(3))
    if (auto map = parseMap(drawnAtEdge(random).text()); map.ok()) return *map;
  MapOptions kind;
  kind.mostRuntime = 1;
  kind.semiAffine = random.oneIn(3);
  kind.openDimensions = random.oneIn(4);
  kind.minima = random.oneIn(4);
  return randomMap(random, kind);
}

Point pointNear(Random &random, const IndexingMap &map) {
  Point point;
  for (const Variable &v : map.dimensions())
    point.dimensions.push_back(near(random, v.bounds));
  for (const Variable &v : map.ranges())
    point.ranges.push_back(near(random, v.bounds));
  for (size_t i = 0; i < map.visibleRuntimeCount(); ++i)
    point.runtime.push_back(near(random, map.runtime()[i].bounds));
  return point;
}

TEST_F(EmitIndexing, RunsAsTheMapSays) {
  const int64_t count = fromEnvironment("INDEXICAL_EMITTED_MAPS", 150);
  const uint64_t seed = fromEnvironment("INDEXICAL_EMITTED_SEED", 1);
  std::cout << "seed " << seed << ", " << count << " maps\n";
  Random random(seed);
  std::string main;
  std::vector<std::pair<IndexingMap, Point>> asked;
  for (int64_t i = 0; i < count; ++i) {
    IndexingMap map = drawn(random);
    if (random.oneIn(2))
      if (auto simple = simplify(map); simple.ok()) map = *simple;
    if (map.isKnownEmpty()) continue;
    EmitOptions options;
    options.affine = random.oneIn(3);
    const std::string name = "m" + std::to_string(i);
    ASSERT_TRUE(addFunction(name, map, options).ok()) << map.str();
    for (int64_t p = 0; p < 30; ++p) {
      const Point point = pointNear(random, map);
      const std::string k = std::to_string(asked.size());
      std::string names, types, results;
      for (const auto *values :
           {&point.dimensions, &point.ranges, &point.runtime}) {
        for (int64_t value : *values) {
          const std::string v = "%v" + k + "_" + std::to_string(types.size());
          main += "  " + v + " = arith.constant " + std::to_string(value) +
                  " : index\n";
          names += (names.empty() ? "" : ", ") + v;
          types += types.empty() ? "index" : ", index";
        }
      }
      const size_t numResults = map.results().size();
      for (size_t r = 0; r < numResults; ++r) results += "index, ";
      main += "  %r" + k + ":" + std::to_string(numResults + 1) + " = call @" +
              name + "(" + names + ") : (" + types + ") -> (" + results +
              "i1)\n  %c" + k + " = arith.extui %r" + k + "#" +
              std::to_string(numResults) + " : i1 to i64\n  call @printI64(%c" +
              k + ") : (i64) -> ()\n";
      for (size_t r = 0; r < numResults; ++r) {
        const std::string n = k + "_" + std::to_string(r);
        // Poison is not printed.
        main += "  %z" + n + " = arith.constant 0 : index\n  %s" + n +
                " = arith.select %r" + k + "#" + std::to_string(numResults) +
                ", %r" + k + "#" + std::to_string(r) + ", %z" + n +
                " : index\n  %i" + n + " = arith.index_cast %s" + n +
                " : index to i64\n  call @printComma() : () -> ()\n"
                "  call @printI64(%i" +
                n + ") : (i64) -> ()\n";
      }
      main += "  call @printNewline() : () -> ()\n";
      asked.emplace_back(map, point);
    }
  }
  auto lines =
      runMain(text() + "func.func @main() {\n" + main + "  return\n}\n");
  ASSERT_TRUE(lines.ok()) << lines.status();
  ASSERT_EQ(lines->size(), asked.size());
  int64_t held = 0;
  for (size_t i = 0; i < asked.size(); ++i) {
    const auto &[map, point] = asked[i];
    const bool holds = map.contains(point);
    held += holds;
    std::vector<int64_t> wanted = {holds};
    auto results = map.evaluate(point);
    for (size_t r = 0; r < map.results().size(); ++r)
      wanted.push_back(holds ? (*results)[r] : 0);
    EXPECT_EQ((*lines)[i], wanted) << map.str();
  }
  std::cout << asked.size() << " points, " << held << " in the domain\n";
  EXPECT_GT(held, static_cast<int64_t>(asked.size()) / 10);
}

}  // namespace
}  // namespace indexical::testing
