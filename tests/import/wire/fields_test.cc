// Fields of messages, whole and cut, against tables made by hand.
#include "indexical/import/wire/fields.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

namespace indexical {
namespace {

struct Read {
  uint32_t number;
  WireKind kind;
  uint64_t value;
  std::string bytes;
  bool operator==(const Read &o) const {
    return number == o.number && kind == o.kind && value == o.value &&
           bytes == o.bytes;
  }
};

std::vector<Read> all(WireFields &fields) {
  std::vector<Read> found;
  while (fields.next())
    found.push_back(
        {fields.number(), fields.kind(), fields.value(), fields.bytes().str()});
  return found;
}

TEST(FieldsTest, EveryKind) {
  const std::string bytes(
      "\x08\x96\x01"  // 1: 150
      "\x12\x03"
      "abc"                                   // 2: abc
      "\x19\x01\x00\x00\x00\x00\x00\x00\x80"  // 3: 2^63 + 1
      "\x25\xff\x00\x00\x00",                 // 4: 255
      3 + 5 + 9 + 5);
  WireFields fields(bytes);
  EXPECT_EQ(
      all(fields),
      (std::vector<Read>{{1, WireKind::Number, 150, ""},
                         {2, WireKind::Bytes, 0, "abc"},
                         {3, WireKind::Fixed64, (uint64_t{1} << 63) + 1, ""},
                         {4, WireKind::Fixed32, 255, ""}}));
  EXPECT_FALSE(fields.isDamaged());
  EXPECT_EQ(fields.missing(), 0u);
}

TEST(FieldsTest, BytesThatAreCutAreTheLastOnes) {
  const std::string whole(
      "\x12\x03"
      "abc",
      5);
  for (size_t left = 0; left < 3; ++left) {
    // The bytes behind the end are not part of the message.
    WireFields fields(llvm::StringRef(whole).take_front(2 + left));
    ASSERT_TRUE(fields.next()) << left;
    EXPECT_EQ(fields.bytes(), whole.substr(2, left));
    EXPECT_TRUE(fields.isDamaged());
    EXPECT_EQ(fields.missing(), 3 - left);
    EXPECT_FALSE(fields.next());
  }
}

TEST(FieldsTest, EveryOtherCutIsNoField) {
  for (const std::string &whole :
       {std::string("\x08\x96\x01", 3), std::string("\x88\x01\x05", 3),
        std::string("\x19\x01\x00\x00\x00\x00\x00\x00\x80", 9),
        std::string("\x25\xff\x00\x00\x00", 5)})
    for (size_t size = 1; size < whole.size(); ++size) {
      WireFields fields(llvm::StringRef(whole).take_front(size));
      EXPECT_FALSE(fields.next()) << size;
      EXPECT_TRUE(fields.isDamaged()) << size;
    }
}

TEST(FieldsTest, NumbersOfFieldsAndKinds) {
  for (const std::string &bytes :
       {std::string("\x00\x01", 2),                  // field 0
        std::string("\x80\x80\x80\x80\x10\x01", 6),  // field 2^29
        std::string("\x0b\x01", 2)}) {               // a group
    WireFields fields(bytes);
    EXPECT_FALSE(fields.next());
    EXPECT_TRUE(fields.isDamaged());
  }
  const std::string most("\xf8\xff\xff\xff\x0f\x01", 6);
  WireFields fields(most);
  ASSERT_TRUE(fields.next());
  EXPECT_EQ(fields.number(), (uint32_t{1} << 29) - 1);
}

TEST(FieldsTest, NumbersEndWithinTenBytes) {
  const std::string ten(std::string(9, '\xff') + '\x01');
  const std::string eleven(std::string(10, '\xff') + '\x01');
  uint64_t value = 0;
  const char *at = ten.data();
  EXPECT_TRUE(takeNumber(at, ten.data() + ten.size(), value));
  EXPECT_EQ(value, ~uint64_t{0});
  EXPECT_EQ(at, ten.data() + 10);
  at = eleven.data();
  EXPECT_FALSE(takeNumber(at, eleven.data() + eleven.size(), value));
  EXPECT_EQ(at, eleven.data());
}

}  // namespace
}  // namespace indexical
