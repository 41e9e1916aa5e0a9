// Portable artifacts: every version of bytecode and of an op, and what cannot
// be read.
#include "tests/import/stablehlo/vhlo/artifact.h"

#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"
#include "indexical/import/stablehlo/vhlo/ops.h"
#include "tests/import/stablehlo/bytecode.h"
#include "tests/import/stablehlo/vhlo/numbers.h"
#include "tests/import/stablehlo/vhlo/one_op.h"

namespace indexical::testing {
namespace {

const char *const kModule =
    R"(module @m attributes {mhlo.num_partitions = 2 : i32} {
  func.func public @main(%x: tensor<2x3xf32> {mhlo.sharding = "{replicated}"}, %i: tensor<4x1xi64>) -> (tensor<4x3xf32> {jax.result_info = "r"}) {
    %y = stablehlo.exponential %x {note = [1 : i64, true]} : tensor<2x3xf32>
    %r = "stablehlo.gather"(%y, %i) <{dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, indices_are_sorted = false, slice_sizes = array<i64: 1, 3>}> : (tensor<2x3xf32>, tensor<4x1xi64>) -> tensor<4x3xf32>
    %z = call @inner(%r) : (tensor<4x3xf32>) -> tensor<4x3xf32>
    return %z : tensor<4x3xf32>
  }
  func.func private @inner(%a: tensor<4x3xf32>) -> tensor<4x3xf32> {
    %c = stablehlo.constant dense<[[true, false, true], [false, false, true], [true, true, true], [false, true, false]]> : tensor<4x3xi1>
    %n = stablehlo.negate %a : tensor<4x3xf32>
    %s = stablehlo.select %c, %a, %n : tensor<4x3xi1>, tensor<4x3xf32>
    return %s : tensor<4x3xf32>
  }
}
)";

MlirFile read(llvm::StringRef text) {
  absl::StatusOr<MlirFile> file = parseMlir(text, "", kTrusted);
  EXPECT_TRUE(file.ok()) << file.status();
  return file.ok() ? *std::move(file) : MlirFile();
}

std::string print(mlir::ModuleOp module) {
  std::string text;
  llvm::raw_string_ostream out(text);
  module.print(out);
  return text;
}

std::string artifactOf(llvm::StringRef text, const Artifact &how = {}) {
  MlirFile file = read(text);
  absl::StatusOr<std::string> bytes =
      writeArtifact(*file.modules[0].module, how);
  EXPECT_TRUE(bytes.ok()) << bytes.status();
  return bytes.ok() ? *bytes : "";
}

std::string whyNot(const std::string &bytes) {
  absl::StatusOr<MlirFile> file = parseMlir(bytes, "", kTrusted);
  return file.ok() ? "it is read" : std::string(file.status().message());
}

TEST(Artifact, EveryVersionOfTheFormatIsTheModule) {
  MlirFile file = read(kModule);
  for (unsigned bytecode = 0; bytecode <= 6; ++bytecode)
    for (bool newest : {false, true})
      for (bool inDictionary : {false, true}) {
        Artifact how;
        how.bytecode = bytecode;
        how.newest = newest;
        how.inDictionary = inDictionary;
        how.hasDialectVersion = newest;
        how.hasPlaces = inDictionary;
        std::set<std::string> ops;
        how.ops = &ops;
        MlirFile again = read(artifactOf(kModule, how));
        ASSERT_EQ(again.modules.size(), 1u);
        EXPECT_EQ(print(*again.modules[0].module),
                  print(*file.modules[0].module))
            << "format " << bytecode;
        EXPECT_EQ(ops.count("gather_v2"), newest);
        EXPECT_EQ(ops.count("exponential_v1"), !newest);
      }
}

std::string everyOp() {
  auto file =
      llvm::MemoryBuffer::getFile("tests/import/stablehlo/vhlo/every_op.mlir");
  EXPECT_TRUE(file) << "every_op.mlir is not there";
  return file ? (*file)->getBuffer().str() : "";
}

// The artifact that a module is written to, as letters. What VHLO writes out
// and StableHLO leaves out is the same in two modules that mean the same.
std::string lettersOf(mlir::ModuleOp module, const Artifact &how) {
  absl::StatusOr<std::string> bytes = writeArtifact(module, how);
  return bytes.ok() ? llvm::toHex(*bytes) : bytes.status().ToString();
}

TEST(Artifact, EveryVersionOfEveryOpIsThatOfStableHlo) {
  const std::string text = everyOp();
  MlirFile file = read(text);
  ASSERT_EQ(file.modules.size(), 1u);
  std::set<std::string> written, known;
  for (bool newest : {false, true})
    for (unsigned bytecode : {0, 4, 6}) {
      Artifact how;
      how.newest = newest;
      how.bytecode = bytecode;
      how.hasPlaces = false;
      how.ops = &written;
      MlirFile again = read(artifactOf(text, how));
      ASSERT_EQ(again.modules.size(), 1u);
      EXPECT_EQ(lettersOf(*again.modules[0].module, how),
                lettersOf(*file.modules[0].module, how));
    }
  for (const vhlo::Row &row : vhlo::rows())
    for (unsigned version = row.first; version <= row.last; ++version)
      known.insert(row.name.str() + "_v" + std::to_string(version));
  EXPECT_EQ(written, known);
}

// Bytecode has attributes without their names, in the order of the names.
TEST(Artifact, RowsAreInOrder) {
  llvm::StringRef before;
  unsigned last = 0;
  for (const vhlo::Row &row : vhlo::rows()) {
    EXPECT_LE(row.first, row.last) << row.name.str();
    if (row.name == before)
      EXPECT_EQ(row.first, last + 1) << row.name.str();
    else
      EXPECT_EQ(row.first, 1u) << row.name.str();
    before = row.name;
    last = row.last;
    for (size_t i = 1; i < row.fields.size(); ++i)
      EXPECT_LT(row.fields[i - 1].name.str(), row.fields[i].name.str())
          << row.name.str();
  }
}

// The text of `file` with `from` in place of `to`, which is as long.
std::string replaced(std::string bytes, const std::string &from,
                     const std::string &to) {
  size_t at = bytes.find(from);
  EXPECT_NE(at, std::string::npos) << from;
  return bytes.replace(at, from.size(), to);
}

TEST(Artifact, WhatIsNotKnownIsNamed) {
  const char *const text =
      "func.func @main(%x: tensor<f32>) -> tensor<f32> {\n"
      "  %0 = stablehlo.negate %x : tensor<f32> loc(\"model.py\":7:3)\n"
      "  return %0 : tensor<f32>\n}";
  const std::string bytes = artifactOf(text);
  EXPECT_EQ(whyNot(replaced(bytes, "negate_v1", "negate_v7")),
            "`vhlo.negate_v7` in `@main`, made at model.py:7:3: this version "
            "of the op is not known here, but 1");
  EXPECT_EQ(whyNot(replaced(bytes, "negate_v1", "negoto_v1")),
            "`vhlo.negoto_v1` in `@main`, made at model.py:7:3: VHLO has no "
            "such op that is known here");
  // An attribute that the version has is missing, or of another kind.
  Artifact plain;
  plain.bytecode = 4;
  const std::string iota = artifactOf(
      "func.func @main() -> tensor<4xf32> {\n"
      "  %0 = stablehlo.iota dim = 0 : tensor<4xf32> loc(unknown)\n"
      "  return %0 : tensor<4xf32>\n}",
      plain);
  EXPECT_EQ(whyNot(replaced(iota, "iota_dimension", "iota_dimensiom")),
            "`vhlo.iota_v1` in `@main`: `iota_dimension` is missing");
}

// Beside other dialects stand casts between their types and VHLO's.
TEST(Artifact, DialectsMayBeMixed) {
  const char *const text =
      R"(func.func @main(%x: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<4xf32> {
  %0 = stablehlo.negate %x : tensor<4xf32>
  %1 = builtin.unrealized_conversion_cast %0 : tensor<4xf32> to tensor<4xf32>
  %2 = math.absf %1 : tensor<4xf32>
  %3 = builtin.unrealized_conversion_cast %2 : tensor<4xf32> to tensor<4xf32>
  %4 = stablehlo.negate %3 : tensor<4xf32>
  return %4 : tensor<4xf32>
}
)";
  MlirFile file = read(artifactOf(text));
  ASSERT_EQ(file.modules.size(), 1u);
  EXPECT_EQ(print(*file.modules[0].module),
            R"(module {
  func.func @main(%arg0: tensor<4xf32> {sdy.sharding = #sdy.sharding<@m, [{"a"}]>}) -> tensor<4xf32> {
    %0 = stablehlo.negate %arg0 : tensor<4xf32>
    %1 = math.absf %0 : tensor<4xf32>
    %2 = stablehlo.negate %1 : tensor<4xf32>
    return %2 : tensor<4xf32>
  }
}
)");
}

// The body of a module is a graph: there an op may be its own operand.
TEST(Artifact, CastsOfThemselvesStay) {
  MlirFile file = read(artifactOf(
      R"(%0 = builtin.unrealized_conversion_cast %0 : tensor<4xf32> to tensor<4xf32>
%1 = builtin.unrealized_conversion_cast %2 : tensor<4xf32> to tensor<4xf32>
%2 = builtin.unrealized_conversion_cast %1 : tensor<4xf32> to tensor<4xf32>
func.func @main(%x: tensor<f32>) -> tensor<f32> {
  %y = stablehlo.negate %x : tensor<f32>
  return %y : tensor<f32>
}
)"));
  ASSERT_EQ(file.modules.size(), 1u);
  const std::string text = print(*file.modules[0].module);
  EXPECT_NE(text.find("%0 = unrealized_conversion_cast %0"), std::string::npos)
      << text;
  EXPECT_NE(text.find("stablehlo.negate"), std::string::npos) << text;
}

//===-- Numbers -----------------------------------------------------------===//

TEST(Artifact, EveryTypeHasItsNumber) {
  for (const VhloNumber &type : vhloTypes()) {
    if (!type.isPlain) continue;
    EXPECT_EQ(
        OneOp().withType(varint(type.number)),
        "module {\n  %0 = \"test.op\"() : () -> " + type.name.str() + "\n}\n");
  }
  // The first number behind the last one.
  EXPECT_EQ(vhloTypes().back().number + 1, vhloTypes().size());
  EXPECT_NE(OneOp()
                .withType(varint(vhloTypes().size()))
                .find("VHLO has no type with the number 43"),
            std::string::npos);
}

std::string withAttribute(unsigned number, const std::string &data) {
  OneOp op;
  return op.withAttribute(
      op.container.addAttribute("vhlo", varint(number) + data));
}

TEST(Artifact, EveryAttributeHasItsNumber) {
  int values = 0;
  for (const VhloNumber &attribute : vhloAttributes())
    for (const VhloNumber &value : vhloValues(attribute.name)) {
      // `#stablehlo<precision HIGH>`, and with `<HIGH>` where it is older.
      const std::string text =
          withAttribute(attribute.number, varint(value.number));
      EXPECT_NE(text.find(attribute.name.str()), std::string::npos) << text;
      EXPECT_TRUE(text.find(" " + value.name.str() + ">") !=
                      std::string::npos ||
                  text.find("<" + value.name.str() + ">") != std::string::npos)
          << text << value.name.str();
      ++values;
    }
  EXPECT_EQ(values, 30);
  EXPECT_NE(withAttribute(vhloAttributes().size() + 1, "")
                .find("VHLO has no attribute with the number 26"),
            std::string::npos);
}

// Returns the values that are read for a constant of `count` truth values with
// these bytes.
std::string truthValues(unsigned count, const std::string &bytes) {
  OneOp op;
  const size_t element = op.container.addType("vhlo", varint(typeNumber("i1")));
  const size_t type =
      op.container.addType("vhlo", varint(typeNumber("tensor")) + varint(1) +
                                       signedVarint(count) + varint(element));
  const std::string text = op.withAttribute(
      op.vhlo("tensor", varint(type) + varint(bytes.size()) + bytes));
  const size_t begin = text.find("dense<");
  if (begin == std::string::npos) return text;
  std::string values;
  for (char c : text.substr(begin + 6, text.find('>', begin) - begin - 6))
    if (c == 't' || c == 'f') values += c == 't' ? '1' : '0';
  return values;
}

std::string bytesOf(std::initializer_list<int> values) {
  std::string bytes;
  for (int value : values) bytes += static_cast<char>(value);
  return bytes;
}

TEST(Artifact, TruthValuesHaveThreeForms) {
  // Packed, also where one byte looks like an unpacked one.
  EXPECT_EQ(truthValues(3, bytesOf({0b101})), "101");
  EXPECT_EQ(truthValues(3, bytesOf({0b001})), "100");
  EXPECT_EQ(truthValues(10, bytesOf({0b101, 0b10})), "1010000001");
  // One byte for all, whose text is one value.
  EXPECT_EQ(truthValues(10, bytesOf({0xff})), "1");
  EXPECT_EQ(truthValues(10, bytesOf({0x01})), "1");
  EXPECT_EQ(truthValues(10, bytesOf({0x00})), "0");
  EXPECT_EQ(truthValues(3, bytesOf({0xff})), "1");
  // A byte for each.
  EXPECT_EQ(truthValues(3, bytesOf({1, 0, 1})), "101");
  EXPECT_EQ(truthValues(10, bytesOf({1, 0, 0, 0, 0, 0, 0, 0, 0, 1})),
            "1000000001");
  EXPECT_EQ(truthValues(1, bytesOf({1})), "1");
  EXPECT_EQ(truthValues(0, ""), "");
  // Neither as many bytes as values nor as many as there are eights of them,
  // and a byte that is no truth value.
  for (const std::string &bytes :
       {bytesOf({1, 0}), bytesOf({1, 0, 2}), bytesOf({1, 0, 1, 0})})
    EXPECT_NE(truthValues(3, bytes).find("are not the elements of"),
              std::string::npos)
        << truthValues(3, bytes);
}

TEST(Artifact, NumbersThatAreNotKnownAreNamed) {
  Container container(6, "StableHLO_v9.8.7");
  const size_t type = container.addType("vhlo", varint(99));
  const size_t place = container.addAttribute("builtin", varint(15));
  const size_t op = container.addOp("vhlo", "iota_v1");
  container.addOp("vhlo", "scan_v1");
  const std::string bytes =
      container.finish(varint(1 << 1) + varint(op) + std::string(1, 2) +
                       varint(place) + varint(1) + varint(type));
  EXPECT_EQ(whyNot(bytes),
            "VHLO has no type with the number 99 that is known here; the last "
            "one is 42; in bytecode version 6 produced by: StableHLO_v9.8.7; "
            "StableHLO_v9.8.7 wrote this artifact, which names what is not "
            "known here: `vhlo.scan_v1`");
}

TEST(Artifact, EveryBeginningIsRefused) {
  const std::string bytes = artifactOf(kModule);
  for (size_t size = 4; size < bytes.size(); size += 7)
    EXPECT_NE(whyNot(bytes.substr(0, size)), "it is read") << size;
}

}  // namespace
}  // namespace indexical::testing
