// How many elements a module of updates has that values place, one after the
// other, and how many questions about sizes a reshape of a slice asks: each was
// an exponential number, or one that took seconds.
#include <string>

#include "gtest/gtest.h"

#include "indexical/exact/exact_prover.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/values/element_terms.h"
#include "indexical/simplifier/size_prover.h"

namespace indexical::testing {
namespace {

std::string updates(int count) {
  std::string text =
      "HloModule m\nENTRY e {\n  x = f32[64,32] parameter(0)\n"
      "  i = s32[20] parameter(1)\n  u = f32[4,4] parameter(2)\n";
  std::string name = "x";
  for (int k = 0; k < 2 * count; ++k) {
    const std::string n = std::to_string(k), next = std::to_string(k + 1);
    text += "  s" + n + " = s32[1] slice(i), slice={[" + n + ":" + next +
            "]}\n  r" + n + " = s32[] reshape(s" + n + ")\n";
  }
  for (int k = 0; k < count; ++k) {
    const std::string own = "x" + std::to_string(k);
    text += std::string("  ") + (k + 1 == count ? "ROOT " : "") + own +
            " = f32[64,32] dynamic-update-slice(" + name + ", u, r" +
            std::to_string(2 * k) + ", r" + std::to_string(2 * k + 1) + ")\n";
    name = own;
  }
  return text + "}\n";
}

size_t elementsOf(int count) {
  const auto program = parseHlo(updates(count));
  EXPECT_TRUE(program.ok());
  const Module &module = program->modules[0];
  ElementTable table(FloatLaws::None);
  TermTable arrays;
  Meter meter(1'000'000'000);
  const Budget budget;
  ElementTerms terms(module, table, arrays, {}, /*levels=*/3, meter, budget);
  EXPECT_TRUE(terms.at(LeafId(0), ElementTerms::regionOf(
                                      ArrayShape(ElementType::F32, {64, 32}))));
  return table.size();
}

TEST(GrowingUpdatesTest, AChainOfUpdatesHasElementsInProportion) {
  const size_t six = elementsOf(6), nine = elementsOf(9);
  RecordProperty("six", static_cast<int>(six));
  RecordProperty("nine", static_cast<int>(nine));
  // Each update would have four times as many as the one before it: 64 times.
  EXPECT_LE(nine, 3 * six);
}

TEST(GrowingUpdatesTest, AReshapeOfASliceAsksFewQuestionsAboutSizes) {
  const auto read = importMlir(
      "func.func @main(%a0: tensor<?x?xf32>, %a1: index, %a2: index, "
      "%a3: index, %a4: tensor<2x?xf32>) -> tensor<3x?x?xf32> {\n"
      "  %v5 = tensor.insert_slice %a4 into %a0[0, %a1] [2, %a2] [1, %a3] : "
      "tensor<2x?xf32> into tensor<?x?xf32>\n"
      "  %v6 = stablehlo.constant dense<[3, 2, 1]> : tensor<3xi64>\n"
      "  %v7 = stablehlo.dynamic_reshape %v5, %v6 : (tensor<?x?xf32>, "
      "tensor<3xi64>) -> tensor<3x?x?xf32>\n"
      "  return %v7 : tensor<3x?x?xf32>\n}\n");
  ASSERT_TRUE(read.ok()) << read.status();
  const Module &module = read->modules[0];
  ExactProver prover;
  ProgramIndexing program(module, &prover);
  const int64_t before = sizeQuestions();
  for (int parameter : {0, 1, 3, 4})
    EXPECT_TRUE(program
                    .computation(module.entry, LeafId(0),
                                 {parameter, LeafId(0)},
                                 Direction::OutputToInput)
                    .ok());
  // Of 33,000 claims most do not follow, and are met by a point.
  EXPECT_LE(sizeQuestions() - before, 8'000);
}

}  // namespace
}  // namespace indexical::testing
