// MHLO is read as the StableHLO that it became, and its own ops by what they
// say.
#include <iostream>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "tests/import/stablehlo/imported.h"
#include "tests/support/corpus_files.h"

namespace indexical {
namespace {

using testing::imported;
using testing::reads;
using testing::shown;

std::string replaced(std::string text, llvm::StringRef from,
                     llvm::StringRef to) {
  for (size_t at = text.find(from.str()); at != std::string::npos;
       at = text.find(from.str(), at + to.size()))
    text.replace(at, from.size(), to.str());
  return text;
}

TEST(Mhlo, OpsAttributesAndTypesAreThoseOfStablehlo) {
  const std::string text = R"(
func.func @main(%x: tensor<2x3xf32>, %t: !mhlo.token) -> tensor<2xi1> {
  %p = mhlo.constant dense<0.0> : tensor<f32>
  %y = mhlo.erf %x : tensor<2x3xf32>
  %s = mhlo.reduce(%y init: %p) applies mhlo.add across dimensions = [1]
       : (tensor<2x3xf32>, tensor<f32>) -> tensor<2xf32>
  %c = "mhlo.compare"(%s, %s) {mhlo.sharding = "{replicated}",
       comparison_direction = #mhlo<comparison_direction LT>}
       : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  %d = "mhlo.compare"(%s, %s) {
       comparison_direction = #mhlo.comparison_direction<LT>}
       : (tensor<2xf32>, tensor<2xf32>) -> tensor<2xi1>
  return %c : tensor<2xi1>
})";
  const Program program = imported(text);
  EXPECT_EQ(shown(testing::computationOf(program, "main")),
            "x=parameter() 2:17\n"
            "t=parameter() 2:38\n"
            "p=stablehlo.constant() 3:8\n"
            "y=chlo.erf(x) 4:8\n"
            "s=stablehlo.reduce(y, p) 5:8\n"
            "c=stablehlo.compare(s, s) 7:8\n"
            "d=stablehlo.compare(s, s) 10:8\n");
}

TEST(Mhlo, AFusionIsItsComputation) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
  %f = "mhlo.fusion"(%x) ({
    ^bb0(%a: tensor<4xf32>):
      %r = "mhlo.reverse"(%a) {dimensions = dense<0> : tensor<1xi64>}
           : (tensor<4xf32>) -> tensor<4xf32>
      mhlo.return %r : tensor<4xf32>
  }) {fusion_kind = #mhlo<fusion_kind kLoop>}
     : (tensor<4xf32>) -> tensor<4xf32>
  return %f : tensor<4xf32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

TEST(Mhlo, ABitcastKeepsThePhysicalOrder) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2x3xf32>) -> tensor<3x2xf32> {
  %b = "mhlo.bitcast"(%x) {source_layout = dense<[1, 0]> : tensor<2xindex>,
                           result_layout = dense<[0, 1]> : tensor<2xindex>}
       : (tensor<2x3xf32>) -> tensor<3x2xf32>
  return %b : tensor<3x2xf32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]");
}

TEST(Mhlo, AnAsyncCallIsTheCall) {
  const Program program = imported(R"(
func.func private @f(%a: tensor<4xf32>) -> tensor<2xf32>
    attributes {execution_thread = "t"} {
  %s = mhlo.slice %a [1:3] : (tensor<4xf32>) -> tensor<2xf32>
  return %s : tensor<2xf32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<2xf32> {
  %0 = "mhlo.async_start"(%x) {called_computation = @f, execution_thread = "t"}
       : (tensor<4xf32>)
       -> !mhlo.async_bundle<tensor<4xf32>, tensor<2xf32>, tensor<i32>>
  %1 = "mhlo.async_update"(%0)
       : (!mhlo.async_bundle<tensor<4xf32>, tensor<2xf32>, tensor<i32>>)
       -> !mhlo.async_bundle<tensor<4xf32>, tensor<2xf32>, tensor<i32>>
  %2 = "mhlo.async_done"(%1)
       : (!mhlo.async_bundle<tensor<4xf32>, tensor<2xf32>, tensor<i32>>)
       -> tensor<2xf32>
  return %2 : tensor<2xf32>
})");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (d0 + 1), domain: d0 in [0, 1]");
}

TEST(Mhlo, OwnOpsReadWhatTheySay) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>, %t: !mhlo.token, %w: tensor<4xui32>)
    -> (tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>) {
  %c = mhlo.copy %x : tensor<4xf32>
  %d = mhlo.add_dependency %c, %t : (tensor<4xf32>, !mhlo.token)
       -> tensor<4xf32>
  %s = mhlo.stochastic_convert %d, %w : (tensor<4xf32>, tensor<4xui32>)
       -> tensor<4xbf16>
  %k:2 = mhlo.topk(%d, k=2, largest=true) : tensor<4xf32>
         -> (tensor<2xf32>, tensor<2xi32>)
  return %d, %s, %k#0 : tensor<4xf32>, tensor<4xbf16>, tensor<2xf32>
})");
  const std::string same = "exact; (d0) -> (d0), domain: d0 in [0, 3]";
  EXPECT_EQ(reads(program, "main", 0, 0), same);
  EXPECT_EQ(reads(program, "main", 1, 0), same);
  EXPECT_EQ(reads(program, "main", 1, 2), same);
  EXPECT_EQ(reads(program, "main", 2, 0),
            "exact; (d0)[s0] -> (s0), domain: d0 in [0, 1], s0 in [0, 3]");
}

// Whether `stablehlo.` stands where no op is named: in a string, as the name of
// a composite or of a function, in a type or an attribute that MHLO writes
// otherwise. MLIR numbers resources of one name.
bool saysMore(llvm::StringRef text) {
  for (llvm::StringRef part : {"!stablehlo.", "#stablehlo.", "async_",
                               "_stablehlo.", "@stablehlo.", "dense_resource"})
    if (text.contains(part)) return true;
  for (size_t at = text.find("\"stablehlo."); at != llvm::StringRef::npos;
       at = text.find("\"stablehlo.", at + 1))
    if (!text.substr(at + 1).split('"').second.starts_with("(")) return true;
  return text.contains("{stablehlo.") || text.contains(", stablehlo.");
}

// Every StableHLO text of the corpus, with MHLO's name for its ops, is the
// module that it was.
TEST(Mhlo, TheCorpusInItsWordsIsTheCorpus) {
  int64_t same = 0, skipped = 0;
  for (const testing::CorpusFile &file : testing::stablehloFiles()) {
    const std::string text = testing::textOf(file);
    if (isMlirBytecode(text)) continue;
    for (const MlirChunk &chunk : splitMlir(text)) {
      if (!chunk.text.contains("stablehlo.")) continue;
      auto context = makeMlirContext();
      const auto was = parseMlirModule(*context, chunk);
      if (!was.ok()) continue;
      if (saysMore(chunk.text)) {
        ++skipped;
        continue;
      }
      std::string twin = replaced(chunk.text.str(), "stablehlo.", "mhlo.");
      twin = replaced(twin, "#stablehlo<", "#mhlo<");
      const auto is = parseMlirModule(*context, {twin, chunk.line});
      ASSERT_TRUE(is.ok()) << file.name << ": " << is.status();
      std::string before, after;
      llvm::raw_string_ostream one(before), two(after);
      mlir::ModuleOp(*was->module).print(one);
      mlir::ModuleOp(*is->module).print(two);
      ASSERT_EQ(before, after) << file.name;
      ++same;
    }
  }
  std::cout << same << " parts are the same, " << skipped << " left out\n";
  EXPECT_GT(same, testing::ofCorpus(100, 0));
}

}  // namespace
}  // namespace indexical
