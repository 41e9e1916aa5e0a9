// A message of protocol buffers in memory is the program that its text is.
#include <cstdint>
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"

namespace indexical::testing {
namespace {

std::string varint(uint64_t value) {
  std::string bytes;
  for (; value >= 128; value >>= 7)
    bytes += static_cast<char>(128 | (value & 127));
  return bytes + static_cast<char>(value);
}
std::string number(int field, uint64_t value) {
  return varint(field << 3) + varint(value);
}
std::string message(int field, const std::string &bytes) {
  return varint(field << 3 | 2) + varint(bytes.size()) + bytes;
}

/// `HloModule m  ENTRY e { x = f32[4] parameter(0)  ROOT y = f32[4] negate(x)
/// }`
std::string module() {
  const std::string shape = message(3, number(2, 11) + number(3, 4));
  const std::string x = message(1, "x") + message(2, "parameter") + shape +
                        number(9, 0) + number(35, 1);
  const std::string y = message(1, "y") + message(2, "negate") + shape +
                        number(35, 2) + number(36, 1);
  const std::string entry = message(1, "e") + message(2, x) + message(2, y) +
                            number(5, 7) + number(6, 2);
  return message(1, "m") + message(2, "e") + message(3, entry) + number(6, 7);
}

TEST(ParseHloProto, IsTheProgramOfItsText) {
  auto program = parseHloProto(module());
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &m = program->modules.at(0);
  EXPECT_EQ(m.name, "m");
  const Computation &entry = m.computations[m.entry];
  ASSERT_EQ(entry.instructions.size(), 2u) << *program->text;
  EXPECT_EQ(entry.instructions[entry.root].opcode, "negate");
  auto text = parseHlo(std::string_view(*program->text));
  ASSERT_TRUE(text.ok()) << text.status();
  EXPECT_EQ(text->modules[0].computations[0].instructions[1].op,
            entry.instructions[1].op);
}

TEST(ParseHloProto, OtherBytesAreErrors) {
  for (const std::string &bytes : {std::string(), std::string("HloModule m"),
                                   module().substr(0, module().size() / 2)})
    EXPECT_EQ(parseHloProto(bytes).status().code(),
              absl::StatusCode::kInvalidArgument);
}

}  // namespace
}  // namespace indexical::testing
