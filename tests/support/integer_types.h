// Integer types, and literals of each: the ends of what it holds, zero, and
// some between, for tests that draw operands.
#ifndef INDEXICAL_TESTS_SUPPORT_INTEGER_TYPES_H
#define INDEXICAL_TESTS_SUPPORT_INTEGER_TYPES_H

#include <vector>

namespace indexical::testing {

struct IntegerType {
  const char *name;
  std::vector<const char *> literals;
};

inline const IntegerType kIntegerTypes[] = {
    {"s8", {"-128", "127", "0", "1", "-1", "3", "100"}},
    {"u8", {"0", "255", "1", "128", "7"}},
    {"s16", {"-32768", "32767", "5", "-3"}},
    {"u16", {"65535", "0", "9"}},
    {"s32", {"-2147483648", "2147483647", "0", "6", "-6", "1"}},
    {"u32", {"4294967295", "0", "2", "6"}},
    {"s64", {"-9223372036854775807", "9223372036854775807", "0", "6"}},
    {"s4", {"-8", "7", "0", "2"}},
    {"u4", {"15", "0", "3", "8"}},
    {"u64", {"18446744073709551615", "9223372036854775808", "0", "6"}},
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_INTEGER_TYPES_H
