// The C++ examples of the headers that know MLIR: each stands here, line by
// line (tests/docs/header_examples_test.py compares), and runs.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/OpImplementation.h"

#include "indexical/answers/draw/draw.h"
#include "indexical/answers/pictures/picture.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/dialect/fields.h"
#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/dialect/verify.h"
#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/import/stablehlo/indexical/queries.h"
#include "indexical/import/stablehlo/text/edits.h"

namespace their {
using RotateOp = mlir::math::AbsFOp;
}  // namespace their

namespace indexical {
namespace {

std::string oneLine(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text(precisionName(relation->precision()));
  for (const IndexingMap &piece : relation->pieces())
    text += ", " + piece.strOneLine();
  return text;
}

mlir::Block &blockOf(mlir::ModuleOp module) {
  return (*module.getOps<mlir::func::FuncOp>().begin()).getBody().front();
}

TEST(MlirHeaderExamples, Parse) {
  auto file = parseMlir(
      "func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %y = stablehlo.abs %x : tensor<4xf32>\n"
      "  return %y : tensor<4xf32>\n"
      "}");
  ASSERT_TRUE(file.ok()) << file.status();
  const MlirModule &module = file->modules[0];
  for (const auto &op : module.state->getOpDefs()) {
    if (op.op->getName().getStringRef() == "stablehlo.abs") {
      EXPECT_EQ(module.placeOf(op.loc), (Place{2, 8}));
    }
  }
}

TEST(MlirHeaderExamples, PictureOfProgram) {
  auto program = parseHlo(
      "e { p = f32[4,3] parameter(0)\n"
      "ROOT t = f32[3,4] transpose(p), dimensions={1,0} }");
  std::string svg;
  llvm::raw_string_ostream os(svg);
  PictureQuestion question;
  question.element = {2, 1};
  auto drawn = pictureOfProgram(*std::move(program), question);
  ASSERT_TRUE(drawn.ok()) << drawn.status();
  writeSvg(*drawn, os);  // (2, 1) of t, and (1, 2) of p
  EXPECT_EQ(os.str().substr(0, 4), "<svg");
  std::vector<std::pair<int64_t, int64_t>> marked;
  for (const auto &band : drawn->bands)
    for (const CellGrid &grid : band)
      for (int64_t row = 0; row < grid.rows; ++row)
        for (int64_t column = 0; column < grid.columns; ++column)
          if (grid.cell(row, column).look.kind == Look::Kind::Marked)
            marked.push_back({row, column});
  EXPECT_EQ(marked, (std::vector<std::pair<int64_t, int64_t>>{{2, 1}, {1, 2}}));
}

TEST(MlirHeaderExamples, Edits) {
  TextEdits edits("%0 = mhlo.abs %x : tensor<4xf32>");
  edits.replace(5, 13, "stablehlo.abs");
  EditedText made = edits.made();
  EXPECT_EQ(made.text, "%0 = stablehlo.abs %x : tensor<4xf32>");
  EXPECT_EQ(made.original(19), 14u);
}

// Such parsers are called where an attribute is read.
[[maybe_unused]] mlir::ParseResult parseNumbers(mlir::AsmParser &parser) {
  using stablehlo::parseFields;
  llvm::SmallVector<int64_t> offset;
  int64_t vector = 0;
  return parseFields(parser,
                     {{"offset_dims", &offset}, {"index_vector_dim", &vector}});
}

TEST(MlirHeaderExamples, Verify) {
  using stablehlo::inRange;
  auto context = makeMlirContext();
  mlir::OwningOpRef<mlir::ModuleOp> module =
      mlir::ModuleOp::create(mlir::UnknownLoc::get(context.get()));
  mlir::Operation *op = *module;
  std::string message;
  mlir::ScopedDiagnosticHandler handler(
      context.get(), [&](mlir::Diagnostic &said) { message = said.str(); });
  auto kept = inRange(op, "C10", "known_nonexpanding_dimensions", {3}, 2,
                      "rank(operand)");
  EXPECT_TRUE(failed(kept));
  EXPECT_NE(message.find("C10: known_nonexpanding_dimensions must be in [0, "
                         "2), rank(operand) being 2, but has 3"),
            std::string::npos)
      << message;
}

TEST(MlirHeaderExamples, Accesses) {
  Access access;
  MixedList offsets = mixed({3, mlir::ShapedType::kDynamic}, 1);
  Expr first = offsets.at(access, 0);   // 3
  Expr second = offsets.at(access, 1);  // rt0, the value of operand leaf 1
  EXPECT_NE(first.form(), second.form());
}

TEST(MlirHeaderExamples, ReadsOpInterface) {
  auto file = parseMlir(
      "func.func @f(%x: tensor<8xf32>) {\n"
      "  %y = math.absf %x : tensor<8xf32>\n"
      "  return\n"
      "}");
  ASSERT_TRUE(file.ok()) << file.status();
  mlir::MLIRContext &context = *file->context;
  struct RotateReads
      : ir::ReadsOpInterface::ExternalModel<RotateReads, their::RotateOp> {
    absl::Status describeAccesses(mlir::Operation *, const OpShapes &shapes,
                                  int64_t, int64_t, AccessList &list) const {
      Access &access = list.add();
      access.result = access.loopsOver(shapes.results[0]);
      access.operand = {mod(access.result[0] + 3, 8)};
      return absl::OkStatus();
    }
  };
  their::RotateOp::attachInterface<RotateReads>(context);
  mlir::Operation &op = blockOf(*file->modules[0].module).front();
  EXPECT_EQ(oneLine(readsOf(op.getResult(0), op.getOpOperand(0))),
            "exact, (d0) -> ((d0 + 3) mod 8), domain: d0 in [0, 7]");
}

TEST(MlirHeaderExamples, Queries) {
  auto file = parseMlir(
      "func.func @f(%a: tensor<2x3xf32>, %o: tensor<3x2xf32>)\n"
      "    -> tensor<3x2xf32> {\n"
      "  %t = linalg.transpose ins(%a : tensor<2x3xf32>)\n"
      "      outs(%o : tensor<3x2xf32>) permutation = [1, 0]\n"
      "  return %t : tensor<3x2xf32>\n"
      "}");
  ASSERT_TRUE(file.ok()) << file.status();
  mlir::ModuleOp module = *file->modules[0].module;
  mlir::Operation *op = &blockOf(module).front();
  // %t = linalg.transpose ins(%a : tensor<2x3xf32>) outs(…)
  //        permutation = [1, 0]
  auto reads = readsOf(op->getResult(0), op->getOpOperand(0));
  // exact, (d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]
  auto users =
      readsOf(op->getResult(0), op->getOpOperand(0), Direction::InputToOutput);
  EXPECT_EQ(oneLine(reads),
            "exact, (d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]");
  EXPECT_EQ(oneLine(users),
            "exact, (d0, d1) -> (d1, d0), domain: d0 in [0, 1], d1 in [0, 2]");

  mlir::Value returned = op->getResult(0);
  mlir::Value argument = blockOf(module).getArgument(0);
  auto maps = ModuleMaps::of(module);
  auto between = (*maps)->between(returned, argument);
  EXPECT_EQ(oneLine(between), oneLine(reads));
}

}  // namespace
}  // namespace indexical
