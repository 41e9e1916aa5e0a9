// A choice by a comparison of integers that wrap, or lie at the ends of their
// type: against the numbers.
//
//   i = s2[3] iota(), iota_dimension=0          0, 1, -2
//   r = select(i > 0, x, y)                     y[0], x[1], y[2]
//
//   INDEXICAL_CHOSEN=50         50 times as many pairs
//   INDEXICAL_SEED=n            beginning with this one
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Number = __int128;

struct IntegerType {
  const char *name;
  int bits;
  bool isSigned;

  Number least() const { return isSigned ? -(Number(1) << (bits - 1)) : 0; }
  Number most() const { return least() + (Number(1) << bits) - 1; }
  Number wrapped(Number value) const {
    const Number count = Number(1) << bits;
    return ((value - least()) % count + count) % count + least();
  }
};

constexpr const char *kDirections[] = {"LT", "LE", "GT", "GE", "EQ", "NE"};

bool holds(int direction, Number a, Number b) {
  switch (direction) {
    case 0:
      return a < b;
    case 1:
      return a <= b;
    case 2:
      return a > b;
    case 3:
      return a >= b;
    case 4:
      return a == b;
    default:
      return a != b;
  }
}

std::string textOf(Number value) {
  std::string digits;
  const bool isNegative = value < 0;
  do {
    const int digit = static_cast<int>(value % 10);
    digits.push_back(static_cast<char>('0' + (digit < 0 ? -digit : digit)));
    value /= 10;
  } while (value != 0);
  if (isNegative) digits.push_back('-');
  return {digits.rbegin(), digits.rend()};
}

ValueEquality compared(const std::string &first, const std::string &second) {
  const auto a = parseHlo(first), b = parseHlo(second);
  EXPECT_TRUE(a.ok() && b.ok()) << first << second;
  if (!a.ok() || !b.ok()) return {};
  const auto equality = compareValues(a->modules[0], b->modules[0],
                                      ValueOptions(), EqualityOptions());
  EXPECT_TRUE(equality.ok()) << equality.status() << first << second;
  return equality.ok() ? *equality : ValueEquality();
}

std::string headOf(int64_t count) {
  const std::string array = "s32[" + std::to_string(count) + "] parameter(";
  return "HloModule m\nENTRY e {\n x = " + array + "0)\n y = " + array + "1)\n";
}

/// Returns the elements of x where the mask is set, and those of y elsewhere.
std::string piecesOf(const std::vector<bool> &mask) {
  std::string text = headOf(static_cast<int64_t>(mask.size())), parts;
  size_t begin = 0, number = 0;
  while (begin < mask.size()) {
    size_t end = begin + 1;
    while (end < mask.size() && mask[end] == mask[begin]) ++end;
    const std::string name = "p" + std::to_string(number++);
    text += " " + name + " = s32[" + std::to_string(end - begin) + "] slice(" +
            (mask[begin] ? "x" : "y") + "), slice={[" + std::to_string(begin) +
            ":" + std::to_string(end) + "]}\n";
    parts += (parts.empty() ? "" : ", ") + name;
    begin = end;
  }
  return text + " ROOT r = s32[" + std::to_string(mask.size()) +
         "] concatenate(" + parts + "), dimensions={0}\n}\n";
}

/// Returns a choice by the comparison of an iota with a number.
std::string choiceOf(const IntegerType &type, int64_t count, int direction,
                     Number by, bool isTurned) {
  const std::string shape =
      std::string(type.name) + "[" + std::to_string(count) + "]";
  const std::string pred = "pred[" + std::to_string(count) + "]";
  return headOf(count) + " i = " + shape +
         " iota(), iota_dimension=0\n c = " + type.name + "[] constant(" +
         textOf(by) + ")\n b = " + shape +
         " broadcast(c), dimensions={}\n q = " + pred + " compare(" +
         (isTurned ? "b, i" : "i, b") +
         "), direction=" + kDirections[direction] + "\n ROOT r = s32[" +
         std::to_string(count) + "] select(q, x, y)\n}\n";
}

TEST(ChosenIntegersTest, IotasWrapInTheirType) {
  constexpr IntegerType kTypes[] = {
      {"s2", 2, true}, {"u2", 2, false}, {"s4", 4, true},   {"u4", 4, false},
      {"s8", 8, true}, {"u8", 8, false}, {"s32", 32, true}, {"u32", 32, false}};
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_CHOSEN", 1);
  int right = 0, equal = 0, wrong = 0, different = 0;
  for (uint64_t s = seed; s < seed + count; ++s) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(s));
    Random random(s);
    const IntegerType &type = kTypes[random.in(0, 7)];
    const int64_t size = type.bits > 8
                             ? random.in(2, 40)
                             : (int64_t{1} << (type.bits - type.isSigned)) +
                                   random.in(-1, type.bits == 8 ? 9 : 3);
    if (size < 1) continue;
    const int direction = static_cast<int>(random.in(0, 5));
    const Number by = type.wrapped(
        random.oneIn(3) ? random.in(-2, 2) : random.in(0, std::max(size, {2})));
    const bool isTurned = random.oneIn(2);
    std::vector<bool> mask;
    for (int64_t k = 0; k < size; ++k) {
      const Number number = type.wrapped(k);
      mask.push_back(isTurned ? holds(direction, by, number)
                              : holds(direction, number, by));
    }
    const std::string choice = choiceOf(type, size, direction, by, isTurned);
    std::vector<bool> other = mask;
    const bool isRight = random.oneIn(3);
    if (!isRight) {
      // What the iota would be if it did not wrap, or another place.
      const int64_t place = random.in(0, size - 1);
      for (int64_t k = 0; k < size; ++k)
        other[k] = isTurned ? holds(direction, by, k) : holds(direction, k, by);
      if (other == mask || random.oneIn(2)) {
        other = mask;
        other[place] = !other[place];
      }
    }
    const ValueEquality said = compared(choice, piecesOf(other));
    if (isRight) {
      EXPECT_FALSE(said.isDifferent) << choice << piecesOf(other);
      ++right;
      equal += said.isEqual;
    } else {
      EXPECT_FALSE(said.isEqual) << choice << piecesOf(other);
      ++wrong;
      different += said.isDifferent;
    }
  }
  std::printf("%d right pairs, %d equal; %d wrong pairs, %d different\n", right,
              equal, wrong, different);
  EXPECT_GT(equal, right / 3);
  EXPECT_GT(wrong, right);
}

// A choice that is always x, or always y, for every number of the type.
TEST(ChosenIntegersTest, EndsOfTypesAreNumbersOfThem) {
  constexpr IntegerType kTypes[] = {{"s64", 64, true}, {"u64", 64, false},
                                    {"s32", 32, true}, {"u32", 32, false},
                                    {"s8", 8, true},   {"u8", 8, false}};
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_CHOSEN", 1);
  int always = 0, equal = 0, open = 0;
  for (uint64_t s = seed; s < seed + count; ++s) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(s));
    Random random(s);
    const IntegerType &type = kTypes[random.in(0, 5)];
    const Number middle = Number(1) << (type.bits - 1);
    const Number places[] = {type.least(), type.most(), 0,
                             middle,       middle / 2,  -middle / 2};
    const Number by = type.wrapped(places[random.in(0, 5)] + random.in(-3, 3));
    const int direction = static_cast<int>(random.in(0, 5));
    // The numbers beside it and the ends say what all others do.
    bool isEver = false, isAlways = true;
    for (Number p : {type.least(), type.most(), type.wrapped(by - 1), by,
                     type.wrapped(by + 1)}) {
      isEver |= holds(direction, p, by);
      isAlways &= holds(direction, p, by);
    }
    const std::string t = type.name;
    const std::string head = "HloModule m\nENTRY e {\n p = " + t +
                             "[] parameter(0)\n x = s32[] "
                             "parameter(1)\n y = s32[] parameter(2)\n";
    const std::string choice =
        head + " c = " + t + "[] constant(" + textOf(by) +
        ")\n q = pred[] compare(p, c), "
        "direction=" +
        kDirections[direction] + "\n ROOT r = s32[] select(q, x, y)\n}\n";
    for (const bool isX : {true, false}) {
      const ValueEquality said =
          compared(choice, head + " ROOT r = s32[] copy(" + (isX ? "x" : "y") +
                               ")\n}\n");
      if (isX ? isAlways : !isEver) {
        EXPECT_FALSE(said.isDifferent) << choice << isX;
        ++always;
        equal += said.isEqual;
      } else {
        EXPECT_FALSE(said.isEqual) << choice << isX;
        ++open;
      }
    }
  }
  std::printf("%d choices of one, %d equal; %d of two\n", always, equal, open);
  EXPECT_GT(equal, 10);
  EXPECT_GT(open, always);
}

}  // namespace
}  // namespace indexical::testing
