// A table of simplify's results, as text: { input, expected }. Each expected
// map is also a fixed point, and both are the same relation if the domain is
// small enough to be enumerated (simplifier_test does so at random).
#include "gtest/gtest.h"

#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

const struct {
  const char *input, *expected;
} kTable[] = {
    // Digits gather.
    {"(d0) -> (((d0 floordiv 8) mod 2) * 8 + d0 mod 8), domain: d0 in [0, 99]",
     "(d0) -> (d0 mod 16), domain: d0 in [0, 99]"},
    {"(d0) -> (d0 - (d0 floordiv 5) * 5), domain: d0 in [-9, 99]",
     "(d0) -> (d0 mod 5), domain: d0 in [-9, 99]"},
    {"(d0, d1) -> ((d0 floordiv 2) * 3 + ((d0 mod 2) * 3 + d1) floordiv 2), "
     "domain: d0 in [0, 9], d1 in [0, 2]",
     "(d0, d1) -> ((d0 * 3 + d1) floordiv 2), domain: d0 in [0, 9], d1 in [0, "
     "2]"},
    // Floors that complete one another.
    {"(d0) -> (d0 floordiv 2 + (d0 + 1) floordiv 2), domain: d0 in [0, 99]",
     "(d0) -> (d0), domain: d0 in [0, 99]"},
    {"(d0) -> ((d0 + 7) floordiv 8 + (-d0) floordiv 8), domain: d0 in [0, 99]",
     "(d0) -> (0), domain: d0 in [0, 99]"},
    // Whole turns do not matter to a digit.
    {"(d0, d1) -> ((d0 * 9 + d1 * 5) mod 4), domain: d0 in [0, 9], d1 in [0, "
     "9]",
     "(d0, d1) -> ((d0 + d1) mod 4), domain: d0 in [0, 9], d1 in [0, 9]"},
    {"(d0, d1) -> (((d0 mod 2) * 2 + d1) mod 4), domain: d0 in [0, 4], d1 in "
     "[0, 3]",
     "(d0, d1) -> ((d0 * 2 + d1) mod 4), domain: d0 in [0, 4], d1 in [0, 3]"},
    {"(d0, d1, d2) -> (((((d0 * 5 + d1) mod 12) * 3 + d2 * 2) floordiv 2) mod "
     "6), domain: d0 in [0, 4], d1 in [0, 6], d2 in [0, 6]",
     "(d0, d1, d2) -> (((d0 * 3 + d1 * 3 + d2 * 2) floordiv 2) mod 6), domain: "
     "d0 in [0, 4], d1 in [0, 6], d2 in [0, 6]"},
    {"(d0) -> ((d0 mod 6) mod 4), domain: d0 in [0, 99]",
     "(d0) -> ((d0 mod 6) mod 4), domain: d0 in [0, 99]"},
    // A multiple of what is known to be odd: the digit is 1.
    {"(d0, d1) -> ((2 + (((d0 * 3 + d1 * 3) floordiv 2) mod 3) * 4 + ((d0 + "
     "d1) floordiv 2) * 12) floordiv 5), domain: d0 in [0, 6], d1 in [0, 2], "
     "(d0 + d1) mod 2 in [1, 1]",
     "(d0, d1) -> ((d0 * 6 + d1 * 6) floordiv 5), domain: d0 in [0, 6], d1 in "
     "[0, 2], (d0 + d1) mod 2 in [1, 1]"},
    // A variable with a negative coefficient counts from its greatest value.
    {"(d0, d1) -> (((d0 floordiv 2) * 3 - d1 + 22) mod 10), domain: d0 in [0, "
     "99], d1 in [0, 2]",
     "(d0, d1) -> (((d0 floordiv 2) * 3 - d1 + 2) mod 10), domain: d0 in [0, "
     "99], d1 in [0, 2]"},
    {"(d0, d1) -> (((d0 floordiv 2) * 3 - d1) mod 10), domain: d0 in [0, 99], "
     "d1 in [0, 2]",
     "(d0, d1) -> (((d0 floordiv 2) * 3 - d1 + 10) mod 10), domain: d0 in [0, "
     "99], d1 in [0, 2]"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 2], ((d0 floordiv 2) "
     "* 3 - d1 + 2) mod 10 in [4, 4]",
     "(d0, d1) -> (d0), domain: d0 in [2, 97], d1 in [0, 2], ((d0 floordiv 2) "
     "* 3 - d1) mod 10 in [2, 2]"},
    // One term without bounds does not make all forms alike.
    {"(d0, d1, d2) -> (d0 + (d1 + d2 mod 54 + 1) floordiv 27 + (d2 floordiv "
     "54) * 55 + d2 mod 54 + 1), domain: d0 in [-inf, 2], d1 in [-4, -3], d2 "
     "in [-8, 0]",
     "(d0, d1, d2) -> (d0 + (d1 + d2 mod 54 + 1) floordiv 27 + (d2 floordiv "
     "54) * 55 + d2 mod 54 + 1), domain: d0 in [-inf, 2], d1 in [-4, -3], d2 "
     "in [-8, 0]"},
    // Turned over, and short of a turn.
    {"(d0) -> ((d0 + 1) mod 2), domain: d0 in [0, 1]",
     "(d0) -> (-d0 + 1), domain: d0 in [0, 1]"},
    {"(d0) -> ((d0 * 7 + 7) floordiv 8), domain: d0 in [0, 7]",
     "(d0) -> (d0), domain: d0 in [0, 7]"},
    {"(d0) -> ((d0 * 5 + 5) mod 6), domain: d0 in [0, 5]",
     "(d0) -> (-d0 + 5), domain: d0 in [0, 5]"},
    // A multiple of an index, and digits that differ by whole turns.
    {"(d0, d1) -> (((d0 * 305 + d1 * 61) floordiv 3) mod 5), domain: d0 in [0, "
     "2], d1 in [0, 4]",
     "(d0, d1) -> ((d0 * 5 + d1) floordiv 3), domain: d0 in [0, 2], d1 in [0, "
     "4]"},
    {"(d0, d1) -> (((d0 + d1 * 6) floordiv 2) mod 4 + ((d0 floordiv 2 + (d0 "
     "mod 2) * 12 + d1 * 3) floordiv 4) * 4), domain: d0 in [0, 5], d1 in [0, "
     "1]",
     "(d0, d1) -> (d0 floordiv 2 + (d0 mod 2) * 12 + d1 * 3), domain: d0 in "
     "[0, 5], d1 in [0, 1]"},
    // A constraint without runtime variables says where sources are defined. A
    // constraint with runtime variables does not imply it.
    {"(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 5], d0 mod 4 + "
     "rt0 in [0, 2], d0 mod 4 in [0, 2]",
     "(d0){rt0} -> (d0 + rt0), domain: d0 in [0, 9], rt0 in [0, 2], d0 mod 4 + "
     "rt0 in [0, 2], d0 mod 4 in [0, 2]"},
    // A digit that is known, between others.
    {"(d0) -> ((d0 floordiv 8) * 8 + d0 mod 4 + 4), domain: d0 in [4, 15], (d0 "
     "floordiv 4) mod 2 in [1, 1]",
     "(d0) -> (d0), domain: d0 in [4, 15], (d0 floordiv 4) mod 2 in [1, 1]"},
    // A dimension in steps: as it is between them.
    {"(d0) -> ((d0 * 3) floordiv 2), domain: d0 in [0, 98], d0 mod 2 in [0, "
     "0]",
     "(d0) -> ((d0 floordiv 2) * 3), domain: d0 in [0, 98], d0 mod 2 in [0, "
     "0]"},
    {"(d0, d1) -> ((d0 + d1) mod 4), domain: d0 in [3, 91], d1 in [0, 2], d0 "
     "mod 4 in [3, 3]",
     "(d0, d1) -> ((d1 + 3) mod 4), domain: d0 in [3, 91], d1 in [0, 2], d0 "
     "mod "
     "4 in [3, 3]"},
    {"(d0) -> (d0 mod 16), domain: d0 in [0, 99], (d0 * 2) mod 3 in [2, 2], d0 "
     "mod 2 in [0, 0]",
     "(d0) -> (d0 mod 16), domain: d0 in [4, 94], d0 mod 6 in [4, 4]"},
    {"(d0) -> (((d0 + 4) floordiv 6) * 6 - 4), domain: d0 in [2, 20], d0 mod 2 "
     "in [0, 0], ((d0 + 4) floordiv 2) mod 3 in [0, 0]",
     "(d0) -> (d0), domain: d0 in [2, 20], d0 mod 6 in [2, 2]"},
    // A result is never longer than it was given. It stays as it was given if
    // digits do not help.
    {"(d0) -> (d0 + d0 floordiv 2), domain: d0 in [0, 99]",
     "(d0) -> (d0 + d0 floordiv 2), domain: d0 in [0, 99]"},
    {"(d0) -> ((d0 floordiv 2) * 3 + d0 mod 2), domain: d0 in [0, 99]",
     "(d0) -> ((d0 floordiv 2) * 3 + d0 mod 2), domain: d0 in [0, 99]"},
    {"(d0)[s0, s1] -> (s0 + d0 floordiv 2 + s1 + d0), domain: d0 in [0, 99], "
     "s0 in [3, 3], s1 in [0, 9], s1 mod 3 in [1, 1]",
     "(d0)[s1] -> (d0 + d0 floordiv 2 + s1 * 3 + 4), domain: d0 in [0, 99], "
     "s1 in [0, 2]"},
    // A digit that is known goes out of those around it.
    {"(d0) -> (d0 mod 4), domain: d0 in [4, 93], (d0 floordiv 2) mod 2 in [0, "
     "0]",
     "(d0) -> (d0 mod 2), domain: d0 in [4, 93], (d0 floordiv 2) mod 2 in [0, "
     "0]"},
    {"(d0) -> (d0 mod 16), domain: d0 in [0, 22], (d0 floordiv 8) mod 2 in [0, "
     "0], d0 mod 2 in [0, 0]",
     "(d0) -> (d0 mod 8), domain: d0 in [0, 22], (d0 floordiv 8) mod 2 in [0, "
     "0], d0 mod 2 in [0, 0]"},
    // Bounds and constraints.
    {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 9], s0 in [0, 9], d0 + s0 in "
     "[12, 18]",
     "(d0)[s0] -> (d0, s0), domain: d0 in [3, 9], s0 in [3, 9], d0 + s0 in "
     "[12, 18]"},
    {"(d0)[s0] -> (d0, s0), domain: d0 in [0, 5], s0 in [1, 2], d0 * 8 + s0 in "
     "[0, 8]",
     "(d0)[s0] -> (0, s0), domain: d0 in [0, 0], s0 in [1, 2]"},
    {"()[s0] -> (s0), domain: s0 in [-100, 100], s0 floordiv -3 in [-11, -5]",
     "()[s0] -> (s0), domain: s0 in [13, 33]"},
    {"(d0) -> (d0), domain: d0 in [-4, 1], d0 mod 5 in [1, 1]",
     "(d0) -> (d0), domain: d0 in [-4, 1], d0 mod 5 in [1, 1]"},
    // Residues.
    {"(d0) -> (((d0 - 1) floordiv 2) * 2 + 1), domain: d0 in [0, 99], (d0 - 1) "
     "mod 2 in [0, 0]",
     "(d0) -> (d0), domain: d0 in [1, 99], d0 mod 2 in [1, 1]"},
    {"(d0) -> (d0), domain: d0 in [0, 99], (d0 - 3) mod 4 in [0, 0], d0 mod 6 "
     "in [1, 1]",
     "(d0) -> (d0), domain: d0 in [7, 91], d0 mod 12 in [7, 7]"},
    {"()[s0] -> (s0), domain: s0 in [0, 100], s0 mod 6 in [4, 4]",
     "()[s0] -> (s0 * 6 + 4), domain: s0 in [0, 16]"},
    // Nothing is left.
    {"(d0) -> (d0), domain: d0 in [0, 99], d0 mod 2 in [0, 0], d0 mod 4 in "
     "[1, 1]",
     "KNOWN EMPTY"},
    {"(d0, d1) -> (d0), domain: d0 in [0, 99], d1 in [0, 99], d0 - d1 in "
     "[1, 20], d1 - d0 in [0, 20]",
     "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [0, inf], (d0 * 11) mod 2 in [0, 0], d0 mod "
     "6 in [5, 5]",
     "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [0, 100], d0 floordiv 2 in "
     "[4700000000000000000, 4700000000000000000]",
     "KNOWN EMPTY"},
    {"(d0) -> (d0), domain: d0 in [-2, 17], d0 floordiv 1000000000000000000 in "
     "[12, 17]",
     "KNOWN EMPTY"},
    // The edge of 64 bits.
    {"(d0) -> (d0 floordiv -8), domain: d0 in [0, 9223372036854775805]",
     "(d0) -> (-((d0 - 1) floordiv 8) - 1), domain: d0 in [0, "
     "9223372036854775805]"},
    {"(d0) -> ((d0 floordiv 4611686018427387904) mod 4), domain: d0 in [-2, 2]",
     "(d0) -> ((d0 floordiv 4611686018427387904) mod 4), domain: d0 in [-2, "
     "2]"},
};

TEST(SimplifyTableTest, Maps) {
  for (const auto &row : kTable) {
    auto map = parseMap(row.input);
    ASSERT_TRUE(map.ok()) << row.input << "\n" << map.status();
    auto simple = simplify(*map);
    ASSERT_TRUE(simple.ok()) << row.input << "\n" << simple.status();
    EXPECT_EQ(simple->strOneLine(), row.expected) << row.input;
    auto again = simplify(*parseMap(simple->str()));
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(*again, *simple) << row.input;
  }
}

// One sum of many variables: time and memory are not quadratic.
TEST(SimplifyTableTest, ManyTerms) {
  std::string names, sum, domain;
  for (int i = 0; i < 20000; ++i) {
    std::string name = "d" + std::to_string(i);
    names += (i ? ", " : "") + name;
    sum += (i ? " + " : "") + name;
    domain += (i ? ", " : "") + name + " in [0, 3]";
  }
  auto map = parseMap("(" + names + ") -> (" + sum + "), domain: " + domain);
  ASSERT_TRUE(map.ok()) << map.status();
  auto simple = simplify(*map);
  ASSERT_TRUE(simple.ok());
  EXPECT_EQ(simple->results().size(), 1u);
}

}  // namespace
}  // namespace indexical
