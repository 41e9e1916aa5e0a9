// Text that MLIR took once, and real files of other tools.
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/stablehlo/import/import.h"
#include "tests/import/stablehlo/imported.h"

namespace indexical::testing {
namespace {

std::string refusal(const std::string &text) {
  const auto program = importMlir(text, "a.mlir");
  if (program.ok()) return "";
  const auto place = placeOf(program.status());
  return std::to_string(place ? place->line : 0) + ":" +
         std::to_string(place ? place->column : 0) + " " +
         std::string(program.status().message());
}

std::string function(const std::string &body, const std::string &type) {
  return "func.func @main(%x: tensor<8x6xf32>, %y: tensor<5x6xf32>,\n"
         "    %v: vector<4xf32>, %i: index, %s: f32) -> " +
         type + " {\n" + body + "  return %r : " + type + "\n}";
}

struct Old {
  const char *body, *type;
  const char *today;  ///< the same with the op's successor
};

TEST(OldMlir, OpsThatMovedAreReadAsTheirSuccessors) {
  const Old olds[] = {
      {"%e = tensor.empty() : tensor<4x6x2xf32>\n"
       "%r = tensor.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : "
       "tensor<8x6xf32> -> tensor<4x6x2xf32>\n",
       "tensor<4x6x2xf32>",
       "%e = tensor.empty() : tensor<4x6x2xf32>\n"
       "%r = linalg.pack %x inner_dims_pos = [0] inner_tiles = [2] into %e : "
       "tensor<8x6xf32> -> tensor<4x6x2xf32>\n"},
      {"%e = linalg.init_tensor [8, 5] : tensor<8x5xf32>\n"
       "%r = linalg.matmul_transpose_b ins(%x, %y : tensor<8x6xf32>, "
       "tensor<5x6xf32>) outs(%e : tensor<8x5xf32>) -> tensor<8x5xf32>\n",
       "tensor<8x5xf32>",
       "%e = tensor.empty() : tensor<8x5xf32>\n"
       "%r = linalg.matmul indexing_maps = [affine_map<(m, n, k) -> (m, k)>, "
       "affine_map<(m, n, k) -> (n, k)>, affine_map<(m, n, k) -> (m, n)>] "
       "ins(%x, %y : tensor<8x6xf32>, tensor<5x6xf32>) outs(%e : "
       "tensor<8x5xf32>) -> tensor<8x5xf32>\n"},
      {"%r = linalg.elemwise_unary {fun = #linalg.unary_fn<negf>} ins(%x : "
       "tensor<8x6xf32>) outs(%x : tensor<8x6xf32>) -> tensor<8x6xf32>\n",
       "tensor<8x6xf32>",
       "%r = linalg.elementwise kind=#linalg.elementwise_kind<negf> ins(%x : "
       "tensor<8x6xf32>) outs(%x : tensor<8x6xf32>) -> tensor<8x6xf32>\n"},
      {"%r = linalg.elemwise_binary ins(%x, %x : tensor<8x6xf32>, "
       "tensor<8x6xf32>) outs(%x : tensor<8x6xf32>) -> tensor<8x6xf32>\n",
       "tensor<8x6xf32>",
       "%r = linalg.elementwise kind=#linalg.elementwise_kind<add> ins(%x, %x "
       ": tensor<8x6xf32>, tensor<8x6xf32>) outs(%x : tensor<8x6xf32>) -> "
       "tensor<8x6xf32>\n"},
      {"%r = vector.extractelement %v[%i : index] : vector<4xf32>\n", "f32",
       "%r = vector.extract %v[%i] : f32 from vector<4xf32>\n"},
      {"%r = vector.insertelement %s, %v[%i : index] : vector<4xf32>\n",
       "vector<4xf32>",
       "%r = vector.insert %s, %v[%i] : f32 into vector<4xf32>\n"},
      {"%r = vector.splat %s : vector<4xf32>\n", "vector<4xf32>",
       "%r = vector.broadcast %s : f32 to vector<4xf32>\n"},
      // The axes of ops of TOSA had 64 bits, in both forms and untyped.
      {"%c = \"tosa.concat\"(%x, %x) <{axis = 0 : i64}> : (tensor<8x6xf32>, "
       "tensor<8x6xf32>) -> tensor<16x6xf32>\n"
       "%d = tosa.concat %c, %c {axis = 1 : i64} : (tensor<16x6xf32>, "
       "tensor<16x6xf32>) -> tensor<16x12xf32>\n"
       "%r = \"tosa.reduce_max\"(%d) {axis = 1} : (tensor<16x12xf32>) -> "
       "tensor<16x1xf32>\n",
       "tensor<16x1xf32>",
       "%c = \"tosa.concat\"(%x, %x) <{axis = 0 : i32}> : (tensor<8x6xf32>, "
       "tensor<8x6xf32>) -> tensor<16x6xf32>\n"
       "%d = tosa.concat %c, %c {axis = 1 : i32} : (tensor<16x6xf32>, "
       "tensor<16x6xf32>) -> tensor<16x12xf32>\n"
       "%r = \"tosa.reduce_max\"(%d) {axis = 1 : i32} : (tensor<16x12xf32>) -> "
       "tensor<16x1xf32>\n"},
      // Promises of a later MLIR, of which the first one names the others.
      {"%n = arith.index_castui %i : index to i32\n"
       "%w = arith.extui %n nneg : i32 to i64\n"
       "%z = arith.extui %n nneg {a = 1 : i32} : i32 to i64\n"
       "%o = arith.ori %w, %z disjoint : i64\n"
       "%j = \"arith.index_castui\"(%o) <{nonNeg}> : (i64) -> index\n"
       "%e = tensor.extract %x[%j, %i] : tensor<8x6xf32>\n"
       "%r = vector.splat %e : vector<4xf32>\n",
       "vector<4xf32>",
       "%n = arith.index_castui %i : index to i32\n"
       "%w = arith.extui %n : i32 to i64\n"
       "%z = arith.extui %n {a = 1 : i32} : i32 to i64\n"
       "%o = arith.ori %w, %z : i64\n"
       "%j = \"arith.index_castui\"(%o) : (i64) -> index\n"
       "%e = tensor.extract %x[%j, %i] : tensor<8x6xf32>\n"
       "%r = vector.broadcast %e : f32 to vector<4xf32>\n"},
  };
  for (const Old &old : olds) {
    const Program was = imported(function(old.body, old.type));
    const Program is = imported(function(old.today, old.type));
    if (was.modules.empty() || is.modules.empty()) continue;
    EXPECT_TRUE(was.notes.empty()) << was.notes[0].text;
    for (int32_t parameter = 0; parameter < 5; ++parameter)
      EXPECT_EQ(reads(was, "main", 0, parameter),
                reads(is, "main", 0, parameter))
          << old.body;
  }
}

TEST(OldMlir, AnExpansionWithOpenSizesIsPassedOver) {
  const Program program = imported(
      "func.func @main(%x: tensor<?xf32>) -> tensor<2x?xf32> {\n"
      "  %r = tensor.expand_shape %x [[0, 1]]\n"
      "      : tensor<?xf32> into tensor<2x?xf32>\n"
      "  return %r : tensor<2x?xf32>\n}");
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_EQ(program.notes[0].place.line, 2u);
  EXPECT_EQ(program.notes[0].text,
            "the syntax of `tensor.expand_shape` is not known: 1 op is passed "
            "over, and its results are opaque");
}

TEST(OldMlir, ARuleOfADialectThatNobodyLooksIntoIsAWarning) {
  const Program program = imported(
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %c = \"tosa.const\"() : () -> tensor<4xf32>\n"
      "  %r = stablehlo.add %x, %c : tensor<4xf32>\n"
      "  return %r : tensor<4xf32>\n}");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (d0), domain: d0 in [0, 3]");
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_EQ(program.notes[0].place.line, 2u);
  EXPECT_EQ(program.notes[0].text,
            "'tosa.const' op requires attribute 'values': 1 op is passed over, "
            "and its results are opaque");
}

TEST(OldMlir, APromiseThatIsNoneIsAMistake) {
  const std::string text =
      function("%r = arith.extui %i nneg nonsense : i32 to i64\n", "i64");
  EXPECT_EQ(refusal(text), "3:20 expected ':'");
}

TEST(OldMlir, AModuleOfKernelsIsAModule) {
  const std::string body =
      "  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
      "    %r = tensor.insert_slice %x into %x[0] [4] [1]\n"
      "        : tensor<4xf32> into tensor<4xf32>\n"
      "    return %r : tensor<4xf32>\n  }\n}\n";
  const Program program = imported("gpu.module @kernels {\n" + body);
  EXPECT_TRUE(program.notes.empty());
  EXPECT_EQ(reads(program, "f", 0, 0),
            reads(imported("module @kernels {\n" + body), "f", 0, 0));
  // Beside other functions, with an op in a syntax that nobody knows.
  for (const char *head : {"gpu.module @kernels {\n",
                           "gpu.module @kernels attributes {a = 1 : i32} {\n",
                           "gpu.module @kernels [#nvvm.target] {\n"}) {
    const Program both = imported(
        "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n"
        "  %r = stablehlo.abs %x : tensor<4xf32>\n"
        "  return %r : tensor<4xf32>\n}\n" +
        std::string(head) +
        "  gpu.func @k(%a: memref<4xf32>) kernel {\n    gpu.return\n  }\n}\n");
    EXPECT_EQ(reads(both, "main", 0, 0),
              "exact; (d0) -> (d0), domain: d0 in [0, 3]");
  }
}

TEST(OldMlir, LevelsOfSparseTensorsAreThoseOfTheirMap) {
  const std::string rest =
      "}>\nfunc.func @main(%x: tensor<4x8xf32, #S>, %y: tensor<8x2xf32, #S>,\n"
      "    %o: tensor<4x2xf32>) -> tensor<4x2xf32> {\n"
      "  %r = linalg.matmul ins(%x, %y : tensor<4x8xf32, #S>, tensor<8x2xf32, "
      "#S>)\n      outs(%o : tensor<4x2xf32>) -> tensor<4x2xf32>\n"
      "  return %r : tensor<4x2xf32>\n}";
  const std::string begin = "#S = #sparse_tensor.encoding<{\n  ";
  const Program was = imported(
      begin + "dimLevelType = [ \"dense\", \"compressed-nu-no\" ]\n" + rest);
  const Program is =
      imported(begin +
               "map = (d0, d1) -> (d0 : dense, d1 : compressed(nonunique, "
               "nonordered))\n" +
               rest);
  for (int32_t parameter = 0; parameter < 3; ++parameter)
    EXPECT_EQ(reads(was, "main", 0, parameter),
              reads(is, "main", 0, parameter));
  EXPECT_NE(refusal(begin +
                    "dimLevelType = [\"dense\", \"dense\"], dimOrdering = "
                    "affine_map<(i, j) -> (j, i)>\n" +
                    rest),
            "");
  EXPECT_NE(refusal(begin + "dimLevelType = [\"dense\", \"odd\"]\n" + rest),
            "");
}

TEST(OldMlir, LeftoversThatSayNothingAreWarnings) {
  const Program program = imported(
      "func.func @main(%a: tensor<1x8x8x3xf32>, %b: tensor<3x3x3x4xf32>,\n"
      "    %p: tensor<4xi32>) -> tensor<1x?x?x4xf32> {\n"
      "  %c = stablehlo.convolution(%a, %b)\n"
      "      dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],\n"
      "      window = {stride = [], pad = []} {batch_group_count = 1 : i64,\n"
      "      feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>,\n"
      "      tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>\n"
      "  %r = \"mhlo.dynamic_conv\"(%a, %b, %p) {\n"
      "      dimension_numbers = #mhlo.conv<[b, 0, 1, f]x[0, 1, i, o]->"
      "[b, 0, 1, f]>,\n"
      "      batch_group_count = 1 : i64, feature_group_count = 1 : i64,\n"
      "      padding = dense<[[1, 2], [3, 1]]> : tensor<2x2xi64>}\n"
      "      : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>, tensor<4xi32>)\n"
      "      -> tensor<1x?x?x4xf32>\n"
      "  return %r : tensor<1x?x?x4xf32>\n}");
  ASSERT_EQ(program.notes.size(), 2u);
  EXPECT_EQ(program.notes[1].text,
            "padding stands beside operand 2, which gives it; StableHLO's own "
            "verifier lets this pass, and no element that is read depends on "
            "it");
}

TEST(OldMlir, AValueThatNobodyDefinesIsRefused) {
  const std::string begin =
      "func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {\n";
  const std::string end = "  return %r : tensor<4xf32>\n}";
  EXPECT_EQ(refusal(begin + "  %r = foo.bar %x, %gone : tensor<4xf32>\n" + end),
            "2:20 no value `%gone` is defined here");
  EXPECT_EQ(refusal(begin +
                    "  %r = foo.bar %later : tensor<4xf32>\n"
                    "  %later = stablehlo.abs %x : tensor<4xf32>\n" +
                    end),
            "2:16 no value `%later` is defined here");
  EXPECT_EQ(refusal(begin +
                    "  %a:2 = foo.bar %x : tensor<4xf32>, i32\n"
                    "  %r = foo.bar %a#2 : tensor<4xf32>\n" +
                    end),
            "3:16 no value `%a#2` is defined here");
  EXPECT_EQ(refusal(begin +
                    "  %r = foo.region {\n    foo.use %x, %gone\n"
                    "    foo.yield %x\n  } : tensor<4xf32>\n" +
                    end),
            "3:17 no value `%gone` is defined here");
  // What an op may bind in front of its region is its own.
  EXPECT_EQ(refusal(begin +
                    "  %r = foo.for %i in 0 to 4 with (%a -> %x) {\n"
                    "    foo.use %i, %a\n    foo.for %j in %i {\n"
                    "      foo.use %j\n    }\n  } : tensor<4xf32>\n" +
                    end),
            "");
}

//===-- Files of other tools ----------------------------------------------===//

// Each file that is refused breaks a rule that docs/mlir.md names.
TEST(OldMlir, FilesOfOtherToolsAreRead) {
  const char *corpus = std::getenv("INDEXICAL_CORPUS");
  const std::filesystem::path folder =
      std::filesystem::path(corpus ? corpus : "/nowhere") / "../foreign";
  if (!std::filesystem::exists(folder))
    GTEST_SKIP() << "INDEXICAL_CORPUS names no folder beside foreign files";
  const char *const causes[] = {
      "once more by an attribute",    // dynamic_gather
      "invalid memref element type",  // memrefs of types that are not known
      "these sizes must be equal",    // sizes that contradict each other
      "must have the same shape",     // set_dimension_size
  };
  int count = 0, refused = 0;
  for (const auto &entry : std::filesystem::directory_iterator(folder)) {
    if (entry.path().extension() != ".mlir") continue;
    std::ifstream in(entry.path());
    const std::string text{std::istreambuf_iterator<char>(in), {}};
    if (llvm::StringRef(text).contains("tt.func")) continue;
    ++count;
    const std::string why = refusal(text);
    if (why.empty()) continue;
    ++refused;
    bool isKnown = false;
    for (const char *cause : causes)
      isKnown |= llvm::StringRef(why).contains(cause);
    EXPECT_TRUE(isKnown) << entry.path() << ": " << why;
  }
  std::cout << refused << " of " << count << " files are refused\n";
  EXPECT_LE(refused * 20, count);
}

}  // namespace
}  // namespace indexical::testing
