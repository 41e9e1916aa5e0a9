// Passes that are checked while they run: one that breaks what is read, one
// that does not, on modules, on functions, and in a pipeline of a pass.
#include "indexical/same/mlir/check_passes.h"

#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/Interfaces/FunctionInterfaces.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Pass/PassRegistry.h"
#include "mlir/Transforms/Passes.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical::testing {
namespace {

constexpr char kText[] = R"(
func.func @turned(%x: tensor<2x2x2xf32>) -> tensor<2x2x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 2, 0] : (tensor<2x2x2xf32>) -> tensor<2x2x2xf32>
  return %0 : tensor<2x2x2xf32>
}
func.func @other.one(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = stablehlo.transpose %x, dims = [1, 0] : (tensor<2x2xf32>) -> tensor<2x2xf32>
  %unused = arith.negf %0 : tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}
)";

/// Inverts permutations; those of two dimensions are their own inverses.
template <typename Holder>
class TurnAround : public mlir::PassWrapper<TurnAround<Holder>,
                                            mlir::OperationPass<Holder>> {
 public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(TurnAround)
  llvm::StringRef getArgument() const final {
    return std::is_same_v<Holder, mlir::ModuleOp> ? "turn-around-module"
                                                  : "turn-around";
  }
  void runOnOperation() override {
    this->getOperation()->walk([](mlir::Operation *op) {
      auto dims = op->getAttrOfType<mlir::DenseI64ArrayAttr>("permutation");
      if (!dims) return;
      std::vector<int64_t> back(dims.size());
      for (int64_t k = 0; k < dims.size(); ++k) back[dims[k]] = k;
      op->setAttr("permutation",
                  mlir::Builder(op->getContext()).getDenseI64ArrayAttr(back));
    });
  }
};

class CheckPassesTest : public ::testing::Test {
 protected:
  CheckPassesTest() {
    registerDialects(registry_);
    context_.appendDialectRegistry(registry_);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(kText, &context_);
  }

  CheckPassesOptions options() {
    CheckPassesOptions options;
    options.report = [this](const CheckedPass &checked) {
      found_.push_back(checked.pass + " @" + checked.function + " " +
                       (checked.comparison.verdict.answer == Verdict::Different
                            ? "different"
                            : "not different"));
      words_ = checked.words;
    };
    return options;
  }

  mlir::DialectRegistry registry_;
  mlir::MLIRContext context_;
  mlir::OwningOpRef<mlir::ModuleOp> module_;
  std::vector<std::string> found_;
  std::string words_;
};

using Found = std::vector<std::string>;

TEST_F(CheckPassesTest, OnAModule) {
  ASSERT_TRUE(module_);
  mlir::PassManager passes(&context_);
  passes.addPass(mlir::createCSEPass());
  passes.addPass(std::make_unique<TurnAround<mlir::ModuleOp>>());
  passes.addInstrumentation(createPassChecker(options()));
  (void)passes.run(*module_);
  EXPECT_EQ(found_,
            (Found{"cse @turned not different", "cse @other.one not different",
                   "turn-around-module @turned different",
                   "turn-around-module @other.one not different"}));
}

TEST_F(CheckPassesTest, OnFunctions) {
  mlir::PassManager passes(&context_);
  passes.addNestedPass<mlir::func::FuncOp>(
      std::make_unique<TurnAround<mlir::func::FuncOp>>());
  passes.addInstrumentation(createPassChecker(options()));
  (void)passes.run(*module_);
  EXPECT_EQ(found_, Found{"turn-around @turned different"});
  EXPECT_EQ(words_,
            "index (0, 1, 0) of result 0 read (0, 0, 1) of argument 0, and "
            "does not now; before: %0, %arg0; after: %0, %arg0");
}

TEST_F(CheckPassesTest, ErrorsWithoutAReport) {
  std::vector<std::string> errors;
  mlir::ScopedDiagnosticHandler handler(&context_,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          errors.push_back(diagnostic.str());
                                          return mlir::success();
                                        });
  for (bool fails : {false, true}) {
    mlir::PassManager passes(&context_);
    passes.addPass(std::make_unique<TurnAround<mlir::ModuleOp>>());
    CheckPassesOptions options;
    options.fails = fails;
    passes.addInstrumentation(createPassChecker(options));
    EXPECT_EQ(mlir::failed(passes.run(*module_)), fails);
  }
  ASSERT_EQ(errors.size(), 2u);
  EXPECT_EQ(errors[0].find("`turn-around-module` changes what @turned reads: "),
            0u)
      << errors[0];
}

/// Subtracts where elements were added.
struct Subtracts
    : mlir::PassWrapper<Subtracts, mlir::OperationPass<mlir::func::FuncOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(Subtracts)
  llvm::StringRef getArgument() const final { return "subtracts"; }
  void runOnOperation() override {
    getOperation().walk([](mlir::arith::AddIOp add) {
      mlir::OpBuilder builder(add);
      add.replaceAllUsesWith(mlir::arith::SubIOp::create(builder, add.getLoc(),
                                                         add.getLhs(),
                                                         add.getRhs())
                                 .getResult());
    });
  }
};

// What is read stays, and what is computed does not.
TEST_F(CheckPassesTest, ValuesIfTheyAreAskedFor) {
  auto module = mlir::parseSourceString<mlir::ModuleOp>(
      "func.func @sum(%x: tensor<4xi32>, %y: tensor<4xi32>) -> tensor<4xi32> {"
      "  %0 = arith.addi %x, %y : tensor<4xi32>"
      "  return %0 : tensor<4xi32>"
      "}",
      &context_);
  ASSERT_TRUE(module);
  mlir::PassRegistration<Subtracts>();
  registerCheckPassesPass();
  std::string errors;
  mlir::ScopedDiagnosticHandler handler(&context_,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          errors += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  const struct {
    const char *options;
    bool fails, isFound;
  } kCalls[] = {{"", false, false},
                {"values=true ", true, true},
                {"values=true fails=false ", false, true}};
  for (const auto &[options, fails, isFound] : kCalls) {
    SCOPED_TRACE(options);
    mlir::OwningOpRef<mlir::ModuleOp> copy = module->clone();
    mlir::PassManager passes(&context_);
    ASSERT_TRUE(mlir::succeeded(
        mlir::parsePassPipeline(std::string("indexical-check-passes{") +
                                    options + "pipeline=func.func(subtracts)}",
                                passes)));
    errors.clear();
    EXPECT_EQ(mlir::failed(passes.run(*copy)), fails);
    EXPECT_EQ(errors.find("`subtracts` changes what @sum computes: result 0") !=
                  std::string::npos,
              isFound)
        << errors;
  }
}

TEST_F(CheckPassesTest, APipelineInAPass) {
  mlir::PassRegistration<TurnAround<mlir::func::FuncOp>>();
  mlir::registerCSEPass();
  registerCheckPassesPass();
  std::string errors;
  mlir::ScopedDiagnosticHandler handler(&context_,
                                        [&](mlir::Diagnostic &diagnostic) {
                                          errors += diagnostic.str() + "\n";
                                          return mlir::success();
                                        });
  for (const char *pipeline :
       {"cse", "builtin.module(cse,func.func(turn-around))", "nothing(",
        "no"}) {
    mlir::PassManager passes(&context_);
    ASSERT_TRUE(mlir::succeeded(mlir::parsePassPipeline(
        std::string("indexical-check-passes{pipeline=") + pipeline + "}",
        passes)));
    errors.clear();
    const bool failed = mlir::failed(passes.run(*module_));
    EXPECT_EQ(failed, std::string(pipeline) != "cse") << pipeline;
    if (std::string(pipeline) == "cse") {
      EXPECT_EQ(errors, "");
    } else if (pipeline[0] == 'b') {
      EXPECT_NE(errors.find("`turn-around` changes what @turned reads"),
                std::string::npos)
          << errors;
    } else {
      EXPECT_NE(errors.find("`pipeline` is not a pipeline of passes"),
                std::string::npos)
          << errors;
    }
  }
}

}  // namespace
}  // namespace indexical::testing
