// Questions of passes: one op, and values of a module; what says what it reads
// by its traits.
#include "indexical/import/stablehlo/indexical/queries.h"

#include <memory>
#include <string>

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/import/describe.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/simplifier/simplify.h"

namespace indexical::testing {
namespace {

std::string textOf(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text(precisionName(relation->precision()));
  for (const IndexingMap &piece : relation->pieces())
    text += " " + piece.strOneLine();
  return text;
}

class Queries : public ::testing::Test {
 protected:
  /// A function of these arguments, and the op that it ends with.
  mlir::Operation *last(const std::string &arguments, const std::string &body) {
    text_ = "func.func @f(" + arguments + ") {\n" + body + "\nreturn\n}";
    return parse(text_) ? block().getTerminator()->getPrevNode() : nullptr;
  }

  bool parse(const std::string &text) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, context_.get());
    return static_cast<bool>(module_);
  }

  mlir::Block &block() {
    return (*module_->getOps<mlir::func::FuncOp>().begin()).getBody().front();
  }

  /// Returns the reads of result 0 of the op of the operand, as text.
  std::string reads(mlir::Operation *op, unsigned operand,
                    Direction direction = Direction::OutputToInput) {
    return textOf(
        readsOf(op->getResult(0), op->getOpOperand(operand), direction));
  }

  std::unique_ptr<mlir::MLIRContext> context_ = makeMlirContext();
  std::string text_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

//===-- Traits ------------------------------------------------------------===//

TEST_F(Queries, ElementwiseOpsOfAnyDialect) {
  struct Case {
    const char *arguments, *body;
    unsigned operands;
  };
  for (const Case &c : {
           Case{"%a: tensor<4xf32>", "%r = arith.addf %a, %a : tensor<4xf32>",
                2},
           Case{"%a: vector<4xf32>", "%r = arith.negf %a : vector<4xf32>", 1},
           Case{"%a: tensor<4xf32>", "%r = math.exp %a : tensor<4xf32>", 1},
           Case{"%a: vector<4xf32>", "%r = math.fma %a, %a, %a : vector<4xf32>",
                3},
           Case{"%a: vector<4xf32>",
                "%r = vector.fma %a, %a, %a : vector<4xf32>", 3},
           Case{"%a: tensor<4xindex>",
                "%r = arith.index_castui %a : tensor<4xindex> to tensor<4xi32>",
                1},
           Case{"%a: tensor<4xf32>",
                "%r = arith.cmpf olt, %a, %a : tensor<4xf32>", 2},
       }) {
    mlir::Operation *op = last(c.arguments, c.body);
    ASSERT_TRUE(op) << c.body;
    EXPECT_FALSE(findMlirOp(op->getName().getStringRef())) << c.body;
    for (unsigned k = 0; k < c.operands; ++k)
      EXPECT_EQ(reads(op, k), "exact (d0) -> (d0), domain: d0 in [0, 3]")
          << c.body;
  }
}

TEST_F(Queries, ScalarOperandsOfElementwiseOps) {
  mlir::Operation *op = last("%p: i1, %a: tensor<4x2xf32>",
                             "%r = arith.select %p, %a, %a : tensor<4x2xf32>");
  ASSERT_TRUE(op);
  EXPECT_EQ(reads(op, 0),
            "exact (d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 1]");
  EXPECT_EQ(reads(op, 0, Direction::InputToOutput),
            "exact ()[s0, s1] -> (s0, s1), domain: s0 in [0, 3], s1 in [0, 1]");
  EXPECT_EQ(reads(op, 2),
            "exact (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 1]");
  op = last("%a: f32", "%r = arith.addf %a, %a : f32");
  ASSERT_TRUE(op);
  EXPECT_EQ(reads(op, 1), "exact () -> ()");
}

TEST_F(Queries, UnknownOpsAreOpaque) {
  mlir::Operation *op =
      last("%a: tensor<4xf32>",
           "%r = \"some.op\"(%a) : (tensor<4xf32>) -> tensor<2xf32>");
  ASSERT_TRUE(op);
  EXPECT_EQ(reads(op, 0),
            "opaque (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
}

// Every structured op has a row, so that none is opaque.
TEST_F(Queries, EveryStructuredOpHasARow) {
  context_->loadDialect<mlir::linalg::LinalgDialect>();
  size_t count = 0;
  for (mlir::RegisteredOperationName name :
       context_->getRegisteredOperations()) {
    if (!name.hasInterface<mlir::linalg::LinalgOp>()) continue;
    ++count;
    EXPECT_TRUE(findMlirOp(name.getStringRef())) << name.getStringRef().str();
  }
  EXPECT_GT(count, 60u);
}

//===-- Modules -----------------------------------------------------------===//

constexpr char kModule[] = R"(
  func.func private @reversed(%x: tensor<8xf32>) -> tensor<8xf32> {
    %r = stablehlo.reverse %x, dims = [0] : tensor<8xf32>
    return %r : tensor<8xf32>
  }
  func.func @main(%x: tensor<20xf32>, %i: index) -> tensor<2x4xf32> {
    %slice = tensor.extract_slice %x[%i] [8] [1]
        : tensor<20xf32> to tensor<8xf32>
    %turned = call @reversed(%slice) : (tensor<8xf32>) -> tensor<8xf32>
    %square = tensor.expand_shape %turned [[0, 1]] output_shape [2, 4]
        : tensor<8xf32> into tensor<2x4xf32>
    return %square : tensor<2x4xf32>
  }
)";

TEST_F(Queries, BetweenValuesOfAModule) {
  ASSERT_TRUE(parse(kModule));
  auto functions = module_->getOps<mlir::func::FuncOp>();
  mlir::func::FuncOp main = *std::next(functions.begin());
  mlir::Block &block = main.getBody().front();
  mlir::Operation *slice = &block.front();
  mlir::Operation *call = slice->getNextNode();
  mlir::Operation *square = call->getNextNode();
  auto maps = ModuleMaps::of(*module_);
  ASSERT_TRUE(maps.ok()) << maps.status();
  EXPECT_EQ(textOf((*maps)->readsOf(call->getResult(0), call->getOpOperand(0))),
            "exact (d0) -> (-d0 + 7), domain: d0 in [0, 7]");
  auto all = (*maps)->between(square->getResult(0), block.getArgument(0));
  ASSERT_TRUE(all.ok()) << all.status();
  ASSERT_EQ(all->pieces().size(), 1u);
  const IndexingMap map = all->pieces()[0];
  ASSERT_EQ(map.runtime().size(), 1u);
  EXPECT_EQ((*maps)->sourceOf(map.runtime()[0].source), block.getArgument(1));
  EXPECT_EQ(map.str(map.results()[0]), "d0 * -4 - d1 + rt0 + 7");
  // By way of a value between.
  auto first = (*maps)->between(square->getResult(0), slice->getResult(0));
  auto second = (*maps)->between(slice->getResult(0), block.getArgument(0));
  ASSERT_TRUE(first.ok() && second.ok());
  EXPECT_EQ(textOf(compose(*first, *second)), textOf(all));
  // Nothing leads the other way.
  EXPECT_EQ(textOf((*maps)->between(slice->getResult(0), square->getResult(0))),
            "exact");
  // Both directions.
  auto back = (*maps)->between(square->getResult(0), slice->getResult(0),
                               Direction::InputToOutput);
  EXPECT_EQ(textOf(back),
            "exact (d0) -> (-(d0 floordiv 4) + 1, -(d0 mod 4) + 3), domain: "
            "d0 in [0, 7]");
}

// A constant index is seen through conversions.
TEST_F(Queries, ConstantIndicesAreFolded) {
  ASSERT_TRUE(parse(R"(
    func.func @main(%x: tensor<20xf32>) -> f32 {
      %c = arith.constant 7 : i32
      %i = arith.index_cast %c : i32 to index
      %r = tensor.extract %x[%i] : tensor<20xf32>
      return %r : f32
    })"));
  auto maps = ModuleMaps::of(*module_);
  ASSERT_TRUE(maps.ok()) << maps.status();
  EXPECT_EQ(textOf((*maps)->between(block().getTerminator()->getOperand(0),
                                    block().getArgument(0))),
            "exact () -> (7)");
}

TEST_F(Queries, MistakesAreErrors) {
  ASSERT_TRUE(parse(kModule));
  auto functions = module_->getOps<mlir::func::FuncOp>();
  mlir::Block &other = (*functions.begin()).getBody().front();
  mlir::Block &block = (*std::next(functions.begin())).getBody().front();
  auto maps = ModuleMaps::of(*module_);
  ASSERT_TRUE(maps.ok()) << maps.status();
  EXPECT_EQ(textOf((*maps)->between(block.front().getResult(0),
                                    other.getArgument(0))),
            "the two values are not of one block");
  EXPECT_NE(textOf(readsOf(block.front().getResult(0),
                           block.front().getNextNode()->getOpOperand(0)))
                .find("the operand of another op, `func.call`"),
            std::string::npos);
}

//===-- The attribute -----------------------------------------------------===//

TEST_F(Queries, MapsAreAttributes) {
  context_->loadDialect<ir::IndexicalDialect>();
  mlir::Operation *op =
      last("%a: tensor<4x2xf32>", "%r = math.exp %a : tensor<4x2xf32>");
  ASSERT_TRUE(op);
  auto relation = readsOf(op->getResult(0), op->getOpOperand(0));
  ASSERT_TRUE(relation.ok());
  const IndexingMap map = relation->pieces()[0];
  const ir::MapAttr attribute = ir::MapAttr::get(context_.get(), map);
  EXPECT_EQ(attribute.getMap(), map);
  EXPECT_EQ(attribute, ir::MapAttr::get(context_.get(), map));
}

}  // namespace
}  // namespace indexical::testing
