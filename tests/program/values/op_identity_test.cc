// The table of what is no part of an op's identity, and the laws' condition.
#include "indexical/program/values/op_identity.h"

#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/ops/families.h"

namespace indexical {
namespace {

/// Returns the op of an instruction of four floats, with what follows its
/// operands.
Op opOf(const std::string &opcode, const std::string &rest = "") {
  auto program = parseHlo(
      "ENTRY e { x = f32[4] parameter(0)  y = f32[4] parameter(1)\n"
      "  ROOT r = f32[4] " +
      opcode + rest + " }");
  EXPECT_TRUE(program.ok()) << program.status();
  const Computation &entry = program->modules[0].computations[0];
  return entry.instructions[entry.root].op;
}

TEST(OpIdentityTest, TheTableIsInOrder) {
  const auto rows = leftOutAttributes();
  for (size_t i = 1; i < rows.size(); ++i)
    EXPECT_TRUE(
        rows[i - 1].language < rows[i].language ||
        (rows[i - 1].language == rows[i].language &&
         llvm::StringRef(rows[i - 1].name) < llvm::StringRef(rows[i].name)))
        << rows[i].name.str();
}

/// Every row finds itself, for an op for which it holds.
TEST(OpIdentityTest, EveryRowIsFound) {
  const Op add = opOf("add(x, y)");
  for (const LeftOutAttribute &row : leftOutAttributes()) {
    llvm::StringRef name = llvm::StringRef(row.ops).split(' ').first;
    if (name == "*" || name == "known" || name == "but") name = "add";
    const std::string of = name.str() + (name.ends_with(".") ? "op" : "");
    EXPECT_TRUE(isLeftOut({row.language, of, add, add.kind()}, row.name))
        << row.name.str();
    EXPECT_EQ(
        isLeftOut({row.language, "flavour", add, *kindOf<CoverOp>("unknown")},
                  row.name),
        row.ops == "*" || row.ops.starts_with("but "))
        << row.name.str();
  }
  EXPECT_FALSE(isLeftOut({Language::Hlo, "add", add, add.kind()}, "flavour"));
  EXPECT_FALSE(
      isLeftOut({Language::Hlo, "recv", add, add.kind()}, "channel_id"));
}

TEST(OpIdentityTest, AFieldHoldsWhatItsFamilyHas) {
  const Op add = opOf("add(x, y)");
  const Op reverse = opOf("reverse(x)", ", dimensions={0}");
  for (Language language : {Language::Hlo, Language::Mlir}) {
    EXPECT_TRUE(isHeld({language, "", reverse, reverse.kind()}, "dimensions"));
    EXPECT_FALSE(isHeld({language, "", add, add.kind()}, "dimensions"));
    EXPECT_FALSE(
        isHeld({language, "", reverse, *kindOf<CoverOp>("custom-call")},
               "dimensions"));
    EXPECT_FALSE(isHeld({language, "", reverse, reverse.kind()}, "padding"));
  }
}

TEST(OpIdentityTest, LawsHoldForPlainOps) {
  EXPECT_TRUE(isPlain(opOf("add(x, y)")));
  EXPECT_TRUE(isPlain(opOf("add(x, y)", ", metadata={op_name=\"a\"}")));
  EXPECT_FALSE(isPlain(opOf("add(x, y)", ", flavour=3")));
  EXPECT_FALSE(isPlain(opOf("reverse(x)", ", dimensions={0}, flavour=3")));
  EXPECT_FALSE(isPlain(opOf("custom-call(x)", ", custom_call_target=\"f\"")));
  EXPECT_FALSE(isPlain(opOf("tanh(x)", ", result_accuracy={mode=highest}")));
  EXPECT_TRUE(isPlain(opOf("tanh(x)", ", result_accuracy={mode=default}")));
  auto compare = [](const char *more) {
    auto program = parseHlo(
        "ENTRY e { x = s32[4] parameter(0)\n"
        "  ROOT r = pred[4] compare(x, x), direction=LT" +
        std::string(more) + " }");
    EXPECT_TRUE(program.ok()) << program.status();
    const Computation &entry = program->modules[0].computations[0];
    return isPlain(entry.instructions[entry.root].op);
  };
  EXPECT_TRUE(compare(""));
  EXPECT_TRUE(compare(", type=SIGNED"));
  EXPECT_FALSE(compare(", type=TOTALORDER"));
  EXPECT_FALSE(compare(", flavour=3"));
}

TEST(OpIdentityTest, APlacelessOpKeepsAllButPlaces) {
  const Op first = opOf("reverse(x)", ", dimensions={0}");
  auto program = parseHlo(
      "ENTRY e { x = f32[2,3] parameter(0)\n"
      "  ROOT r = f32[2,3] reverse(x), dimensions={1} }");
  ASSERT_TRUE(program.ok()) << program.status();
  const Computation &entry = program->modules[0].computations[0];
  const Op second = entry.instructions[entry.root].op;
  EXPECT_NE(valueOp(first), valueOp(second));
  EXPECT_EQ(placelessOp(first), placelessOp(second));
  EXPECT_NE(placelessOp(opOf("add(x, y)")),
            placelessOp(opOf("add(x, y)", ", flavour=3")));
  EXPECT_NE(placelessOp(opOf("add(x, y)")),
            placelessOp(opOf("subtract(x, y)")));
  auto fft = [](const char *type) {
    auto program = parseHlo(
        "ENTRY e { x = c64[8] parameter(0)\n"
        "  ROOT r = c64[8] fft(x), fft_type=" +
        std::string(type) + ", fft_length={8} }");
    EXPECT_TRUE(program.ok()) << program.status();
    const Computation &entry = program->modules[0].computations[0];
    return placelessOp(entry.instructions[entry.root].op);
  };
  EXPECT_NE(fft("FFT"), fft("IFFT"));
}

/// A type that is not in the table of types is one of its own.
TEST(OpIdentityTest, UnknownElementTypes) {
  auto typed = [](const char *type) {
    auto program =
        parseHlo("ENTRY e { x = " + std::string(type) +
                 "[4] parameter(0)\n  ROOT r = " + type + "[4] add(x, x) }");
    EXPECT_TRUE(program.ok()) << program.status();
    const Computation &entry = program->modules[0].computations[0];
    return entry.instructions[entry.root].op;
  };
  EXPECT_EQ(typed("f6e2m3fn"), typed("f6e2m3fn"));
  EXPECT_NE(typed("f6e2m3fn"), typed("f6e3m2fn"));
  EXPECT_EQ(elementTypesOf(typed("f6e2m3fn")), "f6e2m3fn");
  EXPECT_EQ(elementTypesOf(typed("f32")), "");
}

}  // namespace
}  // namespace indexical
