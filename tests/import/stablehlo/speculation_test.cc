// Which ops may run where the program would not have come to them (dynamism
// RFC, P2): every op of every_op.mlir with its static types and with unknown
// sizes, and a pass of MLIR that asks.
#include <map>
#include <set>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/SideEffectInterfaces.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Transforms/Passes.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical::testing {
namespace {

/// Ops whose other effects are not known, or that may not end.
const std::set<std::string> kNever = {
    "stablehlo.all_gather",
    "stablehlo.all_reduce",
    "stablehlo.all_to_all",
    "stablehlo.async_done",
    "stablehlo.async_start",
    "stablehlo.collective_broadcast",
    "stablehlo.collective_permute",
    "stablehlo.collective_reduce",
    "stablehlo.composite",
    "stablehlo.cross-replica-sum",
    "stablehlo.custom_call",
    "stablehlo.infeed",
    "stablehlo.outfeed",
    "stablehlo.recv",
    "stablehlo.reduce_scatter",
    "stablehlo.rng",
    "stablehlo.send",
    "stablehlo.while",
};

/// Those with no rule that ties a size to another one.
const std::set<std::string> kUntied = {
    "stablehlo.after_all",    "stablehlo.constant",
    "stablehlo.create_token", "stablehlo.get_dimension_size",
    "stablehlo.iota",         "stablehlo.get_tuple_element",
    "stablehlo.partition_id", "stablehlo.replica_id",
    "stablehlo.return",       "stablehlo.tuple",
};

/// By the place of the first operand that says a shape.
const std::map<std::string, unsigned> kShapeOperands = {
    {"stablehlo.dynamic_broadcast_in_dim", 1},
    {"stablehlo.dynamic_conv", 2},
    {"stablehlo.dynamic_gather", 2},
    {"stablehlo.dynamic_iota", 0},
    {"stablehlo.dynamic_pad", 2},
    {"stablehlo.dynamic_reshape", 1},
    {"stablehlo.real_dynamic_slice", 1},
    {"stablehlo.set_dimension_size", 1},
};

MlirFile everyOp() {
  auto text =
      llvm::MemoryBuffer::getFile("tests/import/stablehlo/vhlo/every_op.mlir");
  EXPECT_TRUE(text);
  absl::StatusOr<MlirFile> file = parseMlir((*text)->getBuffer());
  EXPECT_TRUE(file.ok()) << file.status();
  return *std::move(file);
}

bool isOfStablehlo(mlir::Operation *op) {
  return op->getName().getDialectNamespace() == "stablehlo";
}

bool isStatic(mlir::Operation *op) {
  auto isOpen = [](mlir::Type type) {
    auto shaped = llvm::dyn_cast<mlir::ShapedType>(type);
    return shaped && !shaped.hasStaticShape();
  };
  return llvm::none_of(op->getOperandTypes(), isOpen) &&
         llvm::none_of(op->getResultTypes(), isOpen);
}

bool mayBeSpeculated(mlir::Operation *op) {
  const std::string name = op->getName().getStringRef().str();
  if (kNever.count(name)) return false;
  if (kUntied.count(name)) return true;
  if (!isStatic(op)) return false;
  if (auto shapes = kShapeOperands.find(name); shapes != kShapeOperands.end())
    for (mlir::Value value :
         llvm::drop_begin(op->getOperands(), shapes->second)) {
      mlir::Operation *maker = value.getDefiningOp();
      if (!maker || maker->getName().getStringRef() != "stablehlo.constant")
        return false;
    }
  for (mlir::Region &region : op->getRegions())
    for (mlir::Operation &inner : region.getOps())
      if (!mayBeSpeculated(&inner)) return false;
  return true;
}

TEST(Speculation, EveryOpSaysWhetherItMayBe) {
  MlirFile file = everyOp();
  std::set<std::string> seen, may, mayNot;
  file.modules[0].module->walk([&](mlir::Operation *op) {
    if (!isOfStablehlo(op)) return;
    const std::string name = op->getName().getStringRef().str();
    seen.insert(name);
    (mayBeSpeculated(op) ? may : mayNot).insert(name);
    EXPECT_EQ(mlir::isSpeculatable(op), mayBeSpeculated(op)) << name;
    // An op that only must not be hoisted is still erased if nothing uses it.
    const bool isKnown = !kNever.count(name);
    if (name != "stablehlo.while" && (!isKnown || op->getNumRegions() == 0)) {
      EXPECT_EQ(mlir::isMemoryEffectFree(op), isKnown) << name;
    }
  });
  for (const std::string &name : kNever) EXPECT_TRUE(seen.count(name)) << name;
  for (const std::string &name : kUntied) EXPECT_TRUE(seen.count(name)) << name;
  for (const auto &[name, first] : kShapeOperands)
    EXPECT_TRUE(seen.count(name)) << name;
  EXPECT_GT(may.size(), 70u);
  EXPECT_GT(mayNot.size(), 20u);
}

/// The type with its first size unknown.
mlir::Type opened(mlir::Type type) {
  auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type);
  if (!tensor || tensor.getRank() == 0) return type;
  llvm::SmallVector<int64_t> shape(tensor.getShape());
  shape[0] = mlir::ShapedType::kDynamic;
  return mlir::RankedTensorType::get(shape, tensor.getElementType(),
                                     tensor.getEncoding());
}

TEST(Speculation, NoOpThatTiesAnUnknownSize) {
  MlirFile file = everyOp();
  int changed = 0;
  file.modules[0].module->walk([&](mlir::Operation *op) {
    if (!isOfStablehlo(op)) return;
    const std::string name = op->getName().getStringRef().str();
    const bool before = mlir::isSpeculatable(op);
    for (mlir::Value result : op->getResults()) {
      const mlir::Type type = result.getType();
      result.setType(opened(type));
      if (result.getType() != type) {
        EXPECT_EQ(mlir::isSpeculatable(op), before && kUntied.count(name) > 0)
            << name;
        ++changed;
      }
      result.setType(type);
    }
    for (mlir::Value operand : op->getOperands()) {
      const mlir::Type type = operand.getType();
      operand.setType(opened(type));
      if (operand.getType() != type) {
        EXPECT_EQ(mlir::isSpeculatable(op), before && kUntied.count(name) > 0)
            << name;
      }
      operand.setType(type);
    }
  });
  EXPECT_GT(changed, 100);
}

// The loop may have no trip; a hoisted op runs all the same.
TEST(Speculation, LoopInvariantCodeMotionAsks) {
  const char *const kText = R"(
func.func @main(%n: index, %f: tensor<f32>, %a: tensor<4xf32>, %b: tensor<?xf32>, %s: tensor<1xi64>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %k = stablehlo.constant dense<[2, 2]> : tensor<2xi64>
  scf.for %i = %c0 to %n step %c1 {
    %0 = stablehlo.add %a, %a : tensor<4xf32>
    %1 = stablehlo.multiply %b, %b : tensor<?xf32>
    %2 = stablehlo.dynamic_reshape %a, %k : (tensor<4xf32>, tensor<2xi64>) -> tensor<2x2xf32>
    %3 = stablehlo.dynamic_reshape %a, %s : (tensor<4xf32>, tensor<1xi64>) -> tensor<4xf32>
    %4 = stablehlo.rng %f, %f, %s, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<1xi64>) -> tensor<4xf32>
    %5 = "stablehlo.get_dimension_size"(%b) {dimension = 0 : i64} : (tensor<?xf32>) -> tensor<i32>
    func.call @use(%0, %1, %2, %3, %4, %5) : (tensor<4xf32>, tensor<?xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>) -> ()
  }
  return
}
func.func private @use(tensor<4xf32>, tensor<?xf32>, tensor<2x2xf32>, tensor<4xf32>, tensor<4xf32>, tensor<i32>)
)";
  absl::StatusOr<MlirFile> file = parseMlir(kText);
  ASSERT_TRUE(file.ok()) << file.status();
  mlir::ModuleOp module = *file->modules[0].module;
  mlir::PassManager passes(module.getContext());
  passes.addNestedPass<mlir::func::FuncOp>(
      mlir::createLoopInvariantCodeMotionPass());
  ASSERT_TRUE(mlir::succeeded(passes.run(module)));
  std::set<std::string> hoisted, left;
  module.walk([&](mlir::Operation *op) {
    if (!isOfStablehlo(op)) return;
    const bool isInLoop =
        op->getParentOp()->getName().getStringRef() == "scf.for";
    std::string name = op->getName().stripDialect().str();
    if (name == "dynamic_reshape")
      name += std::to_string(
          llvm::cast<mlir::RankedTensorType>(op->getResult(0).getType())
              .getRank());
    (isInLoop ? left : hoisted).insert(name);
  });
  EXPECT_EQ(hoisted,
            (std::set<std::string>{"add", "constant", "dynamic_reshape2",
                                   "get_dimension_size"}));
  EXPECT_EQ(left,
            (std::set<std::string>{"dynamic_reshape1", "multiply", "rng"}));
}

}  // namespace
}  // namespace indexical::testing
