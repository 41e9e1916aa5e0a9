// Modules out of text and bytecode, places, and what cannot be read.
#include "indexical/import/stablehlo/dialect/parse.h"

#include <map>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/inputs/bytecode.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/refused.h"

namespace indexical {
namespace {

using testing::bytecodeOf;
using testing::kTrusted;

const char *const kModule = R"(module @m {
  func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
    %y = stablehlo.abs %x : tensor<4xf32> loc("else.py":7:1)
    %v, %i = chlo.top_k(%y, k = 2) : tensor<4xf32> -> (tensor<2xf32>, tensor<2xi32>)
    return %y : tensor<4xf32>
  }
}
)";

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

TEST(Parse, NamesAndPlacesAreThoseOfTheFile) {
  std::string text = std::string("// -----\n// -----\n") + kModule;
  absl::StatusOr<MlirFile> file = parseMlir(text, "m.mlir");
  ASSERT_TRUE(file.ok()) << file.status();
  ASSERT_EQ(file->modules.size(), 1u);
  MlirModule &module = file->modules[0];
  std::map<uint32_t, std::string> lines;
  for (auto &op : module.state->getOpDefs()) {
    Place place = module.placeOf(op.loc);
    std::string &found = lines[place.line];
    found += std::to_string(place.line) + ":" + std::to_string(place.column) +
             " " + op.op->getName().getStringRef().str();
    for (auto &group : op.resultGroups)
      found += " " + module.textOf(group.definition.loc).str();
    found += "\n";
  }
  std::string all;
  for (const auto &line : lines) all += line.second;
  EXPECT_EQ(all,
            "3:1 builtin.module\n4:3 func.func\n5:10 stablehlo.abs %y\n6:14 "
            "chlo.top_k %v %i\n7:5 func.return\n");
}

TEST(Parse, PartsAreSplitAtTheLinesThatSeparateThem) {
  std::vector<MlirChunk> chunks = splitMlir("a\n  // ----- // more\nb\nc\n");
  ASSERT_EQ(chunks.size(), 2u);
  EXPECT_EQ(chunks[0].text, "a\n");
  EXPECT_EQ(chunks[1].text, "b\nc\n");
  EXPECT_EQ(chunks[1].line, 3u);
  chunks = splitMlir("module {}\n------ END ------\n");
  ASSERT_EQ(chunks.size(), 1u);
  EXPECT_EQ(splitMlir("").size(), 1u);
  EXPECT_EQ(splitMlir("// only a comment\n// -----\n").size(), 1u);
}

TEST(Parse, ErrorsStandInTheFileWhateverLocSays) {
  expectRefused(
      "func.func @f(%x: tensor<2x3xf32>) {\n"
      "  %y = stablehlo.transpose %x, dims = [0] : (tensor<2x3xf32>) -> "
      "tensor<2x3xf32> loc(\"else.py\":99:1)\n  return\n}",
      {2, 8}, "C2: ");
  absl::StatusOr<MlirFile> file = parseMlir(
      "func.func @f() { return }\n// -----\n\nfunc.func @f() {\n  "
      "%0 = stablehlo.iota dim = 1 : tensor<4xf32>\n  return\n}\n");
  ASSERT_FALSE(file.ok());
  EXPECT_EQ(placeOf(file.status()).value_or(Place()).line, 5u);
  EXPECT_EQ(placeOf(file.status()).value_or(Place()).column, 8u);
}

TEST(Parse, WhatIsNotKnownIsNamed) {
  // An op is passed over only if something else of the text is read.
  expectRefused("foo.bar %x\n", {1, 1},
                "the op `foo.bar` is of the dialect `foo`, whose syntax is not "
                "known here; in generic form, \"foo.bar\"(…) : (…) -> (…), it "
                "can be read");
  absl::StatusOr<MlirModule> parsed = parseMlirModule(
      testContext(), {"func.func @f(%x: tensor<f32>) {\n"
                      "  %0 = stablehlo.trnspose %x : tensor<f32>\n}",
                      1});
  ASSERT_FALSE(parsed.ok());
  EXPECT_EQ(parsed.status().message(),
            "`stablehlo.trnspose` is not an op of the dialect `stablehlo`");
  EXPECT_EQ(suggestionOf(parsed.status()), "stablehlo.transpose");
  EXPECT_EQ(placeOf(parsed.status()).value_or(Place()).column, 8u);
  expectRefused("vhlo.func_v1 @f() {}", {1, 1},
                "`vhlo.func_v1` is an op of VHLO, the portable form of "
                "StableHLO, which is read as bytecode");
}

TEST(Parse, BytecodeIsRefusedWhereNobodyTrustsIt) {
  absl::StatusOr<MlirFile> written = parseMlir(kModule);
  ASSERT_TRUE(written.ok());
  for (const std::string &bytes :
       {bytecodeOf(*written->modules[0].module), std::string("ML\xefR")}) {
    absl::StatusOr<MlirFile> file = parseMlir(bytes, "m.bc");
    ASSERT_FALSE(file.ok());
    EXPECT_EQ(file.status().code(), absl::StatusCode::kInvalidArgument);
    EXPECT_EQ(file.status().message(),
              "this is MLIR bytecode, whose reader may crash where it is "
              "damaged: the library reads it if its caller says with "
              "`trustBytecode` that it is trusted");
  }
}

TEST(Parse, BytecodeIsReadAsWhatWasWritten) {
  absl::StatusOr<MlirFile> file = parseMlir(kModule);
  ASSERT_TRUE(file.ok());
  const std::string bytes = bytecodeOf(*file->modules[0].module);
  ASSERT_TRUE(isMlirBytecode(bytes));
  absl::StatusOr<MlirFile> again = parseMlir(bytes, "", kTrusted);
  ASSERT_TRUE(again.ok()) << again.status();
  EXPECT_EQ(again->modules[0].state, nullptr);
  EXPECT_EQ(print(*again->modules[0].module), print(*file->modules[0].module));
}

// A module that is cut off, or is only a beginning, is refused. Nothing aborts.
TEST(Parse, BrokenInputIsRefused) {
  absl::StatusOr<MlirFile> file = parseMlir(kModule);
  ASSERT_TRUE(file.ok());
  const std::string bytes = bytecodeOf(*file->modules[0].module);
  for (size_t size = 4; size < bytes.size(); ++size)
    EXPECT_FALSE(textOfBytecode(bytes.substr(0, size)).ok()) << size;
  std::string text = kModule;
  for (size_t size = 1; size < text.size(); ++size)
    (void)parseMlir(text.substr(0, size));
  expectRefused("module attributes {a = " + std::string(100000, '['), {1, 279},
                "brackets are nested deeper than 256 here");
  std::string nested;
  for (int i = 0; i < 50000; ++i) nested += "module {";
  expectRefused(nested, {1, 2056}, "brackets are nested deeper than 256 here");
}

TEST(Parse, UnrankedTensorsAreRefusedByStablehlo) {
  expectRefused(
      "func.func @f(%x: tensor<*xf32>) {\n"
      "  %0 = stablehlo.abs %x : tensor<*xf32>\n  return\n}",
      {2, 8}, "'stablehlo.abs' op operand #0 must be ranked tensor");
}

}  // namespace
}  // namespace indexical
