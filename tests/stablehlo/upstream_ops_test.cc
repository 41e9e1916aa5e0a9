// Ops of upstream MLIR, by enumeration: the maps of each family against an
// interpreter, random instances, sizes known and not.
//
// An exact answer is what the interpreter read; a cover contains it. Both
// directions are each other's transposes and have one precision, the pieces of
// output to input are disjoint.
//
//   INDEXICAL_SEED=17 INDEXICAL_INSTANCES=1 repeats one instance.
#include <regex>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Parser/Parser.h"
#include <gtest/gtest.h>

#include "indexical/ops/op.h"
#include "indexical/stablehlo/describe/shapes.h"
#include "indexical/stablehlo/import/describe.h"
#include "tests/stablehlo/random_upstream.h"
#include "tests/stablehlo/upstream_interpreter.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

mlir::MLIRContext &context() {
  static mlir::MLIRContext *made = [] {
    auto *c = new mlir::MLIRContext(mlir::MLIRContext::Threading::DISABLED);
    c->loadDialect<mlir::affine::AffineDialect, mlir::arith::ArithDialect,
                   mlir::func::FuncDialect, mlir::linalg::LinalgDialect,
                   mlir::math::MathDialect, mlir::tensor::TensorDialect,
                   mlir::vector::VectorDialect>();
    return c;
  }();
  return *made;
}

mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text, bool verify) {
  mlir::ParserConfig config(&context(), verify);
  return mlir::parseSourceString<mlir::ModuleOp>(text, config);
}

/// The last op before the return.
mlir::Operation *opOf(mlir::ModuleOp module) {
  auto function = *module.getOps<mlir::func::FuncOp>().begin();
  return function.getBody().front().getTerminator()->getPrevNode();
}

std::vector<ArrayShape> shapesOfTypes(mlir::TypeRange types) {
  std::vector<ArrayShape> shapes;
  for (mlir::Type type : types) shapes.push_back(shapeOf(type)->array);
  return shapes;
}

std::string textOf(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces()) text += piece.str() + "\n";
  return text + std::string(precisionName(relation.precision()));
}

struct Check {
  const UpstreamFamily &family;
  UpstreamInstance instance;
  mlir::OwningOpRef<mlir::ModuleOp> module, concrete;
  Op op;
  std::vector<ArrayShape> sizes;  ///< of each leaf, this time
  OperandValues values;
  std::vector<Tensor> expected;
  size_t exactPairs = 0, covers = 0;

  /// False: failed.
  bool prepare() {
    static const std::regex unknown("\\?[0-9]+"), known("\\?");
    module = parse(std::regex_replace(instance.text, unknown, "?"), true);
    concrete = parse(std::regex_replace(instance.text, known, ""), false);
    if (!module || !concrete) return false;
    mlir::Operation *mlirOp = opOf(*module), *run = opOf(*concrete);
    const std::vector<mlir::Value> leaves = leavesOf(mlirOp);
    OpShapes own;
    own.operands = shapesOfTypes(mlirOp->getOperandTypes());
    own.results = shapesOfTypes(mlirOp->getResultTypes());
    if (!findMlirOp(mlirOp->getName().getStringRef())) return false;
    auto described = describeOp(mlirOp, own);
    EXPECT_TRUE(described.ok()) << described.status();
    if (!described.ok()) return false;
    op = *std::move(described);
    // The importer adds what the regions of a cover capture.
    op = op.changed([&](OpDraft &whole) {
      for (size_t k = whole->operands.size(); k < leaves.size(); ++k)
        whole->operands.push_back(shapeOf(leaves[k].getType())->array);
    });
    const absl::Status status = verify(op);
    EXPECT_TRUE(status.ok()) << status;
    const std::vector<mlir::Value> concreteLeaves = leavesOf(run);
    for (mlir::Value leaf : concreteLeaves) {
      sizes.push_back(ArrayShape(ElementType::F32, sizesOf(leaf.getType())));
      values.push_back(
          instance
              .values[llvm::cast<mlir::BlockArgument>(leaf).getArgNumber()]);
    }
    expected = interpret(run, values);
    // The descriptor stays when the module is gone.
    module = nullptr;
    return status.ok();
  }

  void pair(size_t r, size_t k) {
    std::vector<PointPair> reads;
    for (size_t i = 0; i < expected[r].elements.size(); ++i)
      for (const Read &read : expected[r].elements[i])
        if (read.operand == static_cast<int64_t>(k))
          reads.emplace_back(i, read.element);
    auto forward = indexing(op, Direction::OutputToInput, r, k);
    auto backward = indexing(op, Direction::InputToOutput, r, k);
    ASSERT_TRUE(forward.ok()) << forward.status();
    ASSERT_TRUE(backward.ok()) << backward.status();
    EXPECT_EQ(forward->precision(), backward->precision());
    const Index &from = expected[r].sizes;
    const Index to(sizes[k].dimensions.begin(), sizes[k].dimensions.end());
    // A size may be that of a result: their tensors stand behind the operands'.
    std::vector<ArrayShape> tensors(sizes.begin(), sizes.end());
    for (const auto &result : expected)
      tensors.push_back(ArrayShape(ElementType::F32, result.sizes));
    OperandValues elements(values.begin(), values.end());
    elements.resize(tensors.size());
    auto found = pointsWithin(*forward, from, to, {tensors, elements});
    auto turned = pointsWithin(*backward, to, from, {tensors, elements});
    const std::string texts =
        textOf(*forward) + "\n" + textOf(*backward) + "\n";
    ASSERT_TRUE(found.ok()) << found.status() << "\n" << texts;
    ASSERT_TRUE(turned.ok()) << turned.status() << "\n" << texts;
    EXPECT_EQ(turned->pairs, transposed(found->pairs)) << texts;
    if (family.isDisjoint) {
      EXPECT_TRUE(found->disjoint) << texts;
    }
    if (forward->precision() == Precision::Exact) {
      EXPECT_EQ(found->pairs, reads) << texts;
      ++exactPairs;
    } else {
      ++covers;
      EXPECT_TRUE(std::includes(found->pairs.begin(), found->pairs.end(),
                                reads.begin(), reads.end()))
          << texts;
    }
  }
};

class UpstreamOps : public ::testing::TestWithParam<UpstreamFamily> {};

void checkFamily(const UpstreamFamily &family, bool open) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = fromEnvironment("INDEXICAL_INSTANCES", 300);
  size_t exact = 0, covers = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    Check check{family, family.make(random, open), {}, {}, {}, {}, {}, {}};
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + check.instance.text);
    ASSERT_TRUE(check.prepare());
    for (size_t r = 0; r < shapesOf(check.op).results.size(); ++r)
      for (size_t k = 0; k < shapesOf(check.op).operands.size(); ++k) {
        SCOPED_TRACE("result " + std::to_string(r) + ", operand " +
                     std::to_string(k));
        check.pair(r, k);
        if (::testing::Test::HasFailure()) return;
      }
    exact += check.exactPairs;
    covers += check.covers;
  }
  EXPECT_GT(exact, 0u);
  ::testing::Test::RecordProperty("exact", static_cast<int>(exact));
  ::testing::Test::RecordProperty("covers", static_cast<int>(covers));
  llvm::outs() << "  " << family.name << ": " << exact << " pairs exact, "
               << covers << " covers\n";
}

TEST_P(UpstreamOps, ReadWhatTheInterpreterReads) {
  checkFamily(GetParam(), false);
}

TEST_P(UpstreamOps, ReadItWhereSizesAreNotKnown) {
  if (GetParam().canBeOpen) checkFamily(GetParam(), true);
}

INSTANTIATE_TEST_SUITE_P(
    Families, UpstreamOps, ::testing::ValuesIn(upstreamFamilies()),
    [](const ::testing::TestParamInfo<UpstreamFamily> &info) {
      return info.param.name.str();
    });

}  // namespace
}  // namespace indexical::testing
