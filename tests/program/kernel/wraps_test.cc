#include "indexical/program/kernel/wraps.h"

#include <random>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/program/kernel/size_conditions.h"
#include "tests/support/random.h"

namespace indexical::kernels {
namespace {

SizeTerm name(const char *text) { return SizeTerm::of(std::string(text)); }
SizeTerm number(int64_t value) { return SizeTerm::of(value); }
SizeTerm cdiv(SizeTerm a, SizeTerm b) {
  return SizeTerm::of(SizeKind::CeilDiv, std::move(a), std::move(b));
}

SizeTerm times(SizeTerm a, SizeTerm b) {
  return SizeTerm::of(SizeKind::Mul, std::move(a), std::move(b));
}

/// A kernel of integers of so many bits.
struct Kernel {
  explicit Kernel(int32_t bits) : bits(bits) {}

  TermId argument(int64_t k) { return terms.leaf(TermKind::Argument, k, bits); }
  TermId program(int64_t axis) {
    return terms.leaf(TermKind::Program, axis, bits);
  }
  TermId coordinate(int64_t k) {
    // A coordinate has 64 bits, and arange makes fewer of it.
    return terms.make(TermKind::Truncate, bits, {terms.coordinate(k)});
  }
  TermId make(TermKind kind, TermId a, TermId b) {
    return terms.make(kind, bits, {a, b});
  }
  TermId less(TermId a, TermId b) {
    return terms.make(TermKind::LessS, 1, {a, b});
  }
  TermId wide(TermId a) { return terms.make(TermKind::SignExtend, 64, {a}); }
  TermId at(TermId pointer, TermId offset) {
    return terms.make(TermKind::PointerAdd, 64, {pointer, wide(offset)});
  }
  TermId array() { return terms.leaf(TermKind::Pointer, 9, 64); }

  Terms terms;
  int32_t bits;
};

/// Whether an operation of the access leaves its range at a lane that the mask
/// lets through, for these sizes, by looking at all lanes.
bool wrapsAt(Kernel &kernel, const WrapAccess &access, const WrapSpace &space,
             const SizeValues &sizes) {
  std::vector<int64_t> grid, arguments;
  for (const SizeTerm &side : space.grid)
    grid.push_back(valueOf(side, sizes).value());
  for (const std::string &each : space.arguments)
    arguments.push_back(sizes.at(each));
  std::vector<int64_t> sides(access.tile.begin(), access.tile.end());
  sides.insert(sides.begin(), grid.begin(), grid.end());
  int64_t lanes = 1;
  for (int64_t side : sides) lanes *= side;
  const int64_t greatest = greatestOfBits(space.bits);
  for (int64_t lane = 0; lane < lanes; ++lane) {
    std::vector<int64_t> at(sides.size());
    int64_t rest = lane;
    for (size_t k = 0; k < sides.size(); ++k) {
      at[k] = rest % sides[k];
      rest /= sides[k];
    }
    const std::vector<int64_t> coordinates(at.begin() + 3, at.end());
    at.resize(3);
    const TermPoint point{at, grid, arguments, {}, coordinates};
    if (access.mask && kernel.terms.evaluate(*access.mask, point)->value == 0)
      continue;
    for (TermId id = 0; id < kernel.terms.size(); ++id) {
      const TermNode &term = kernel.terms[id];
      if (term.bits != space.bits ||
          (term.kind != TermKind::Add && term.kind != TermKind::Mul &&
           term.kind != TermKind::Sub))
        continue;
      const auto a = kernel.terms.evaluate(term.operands[0], point);
      const auto b = kernel.terms.evaluate(term.operands[1], point);
      const int64_t exact = term.kind == TermKind::Add   ? a->value + b->value
                            : term.kind == TermKind::Sub ? a->value - b->value
                                                         : a->value * b->value;
      if (exact > greatest || exact < leastOfBits(space.bits)) return true;
    }
  }
  return false;
}

/// The sizes that a name may have.
std::pair<int64_t, int64_t> rangeOf(const WrapSpace &space,
                                    const std::string &name) {
  const auto range = space.ranges.find(name);
  return range == space.ranges.end()
             ? std::pair<int64_t, int64_t>(1, greatestOfBits(space.bits))
             : range->second;
}

/// Compares an answer with all sizes of a few bits.
void compare(Kernel &kernel, const WrapAccess &access, WrapSpace space,
             llvm::ArrayRef<std::string> names) {
  const WrapsCheck found = wrapsOf(kernel.terms, {access}, space);
  int64_t smallest = INT64_MAX;
  bool isAnywhere = false;
  std::vector<int64_t> at;
  for (const std::string &each : names)
    at.push_back(rangeOf(space, each).first);
  while (true) {
    SizeValues sizes = space.values;
    int64_t largest = 1;
    for (auto [each, size] : llvm::zip(names, at)) {
      sizes[each] = size;
      largest = std::max(largest, size);
    }
    if (holdAll(space.conditions, sizes) &&
        wrapsAt(kernel, access, space, sizes)) {
      isAnywhere = true;
      smallest = std::min(smallest, largest);
    }
    size_t k = 0;
    while (k < at.size() && ++at[k] > rangeOf(space, names[k]).second) {
      at[k] = rangeOf(space, names[k]).first;
      ++k;
    }
    if (k == at.size()) break;
  }
  if (found.answer == WrapsCheck::Undecided) {
    ADD_FAILURE() << "undecided: " << found.reason;
    return;
  }
  EXPECT_EQ(found.answer == WrapsCheck::From, isAnywhere) << found.where;
  if (found.answer != WrapsCheck::From) return;
  SizeValues sizes = space.values;
  for (const std::string &each : names)
    sizes[each] = rangeOf(space, each).first;
  for (const auto &[each, size] : found.first) sizes[each] = size;
  // A size that is not named has any value that the conditions leave it.
  for (const std::string &each : names)
    if (llvm::none_of(found.first,
                      [&](const auto &named) { return named.first == each; }))
      while (!holdAll(space.conditions, sizes) &&
             sizes[each] < rangeOf(space, each).second)
        ++sizes[each];
  int64_t largest = 1;
  for (const std::string &each : names)
    largest = std::max(largest, sizes[each]);
  EXPECT_TRUE(wrapsAt(kernel, access, space, sizes)) << found.where;
  EXPECT_TRUE(holdAll(space.conditions, sizes)) << found.where;
  if (found.reason.empty() && space.conditions.empty()) {
    EXPECT_EQ(largest, smallest) << found.where;
  } else if (found.first.size() == names.size()) {
    EXPECT_GE(largest, smallest) << found.where;
  }
}

WrapSpace spaceOf(std::vector<std::string> arguments,
                  std::array<SizeTerm, 3> grid, int32_t bits) {
  WrapSpace space;
  space.arguments = std::move(arguments);
  space.grid = std::move(grid);
  space.bits = bits;
  return space;
}

TEST(Wraps, BlocksOfWholeNumbersOfElementsNeverWrap) {
  for (const int64_t block : {1, 2, 8, 16}) {
    Kernel kernel(8);
    const TermId o = kernel.make(TermKind::Add,
                                 kernel.make(TermKind::Mul, kernel.program(0),
                                             kernel.terms.constant(block, 8)),
                                 kernel.coordinate(0));
    WrapAccess access;
    access.tile = {block};
    access.mask = kernel.less(o, kernel.argument(0));
    access.pointer = kernel.at(kernel.array(), o);
    compare(kernel, access,
            spaceOf({"n"},
                    {cdiv(name("n"), number(block)), number(1), number(1)}, 8),
            {"n"});
  }
}

TEST(Wraps, RowsWrapFromTheirProduct) {
  Kernel kernel(8);
  const TermId rows =
      kernel.make(TermKind::Mul, kernel.program(0), kernel.argument(0));
  WrapAccess access;
  access.tile = {4};
  access.mask = kernel.less(kernel.coordinate(0), kernel.argument(0));
  access.pointer =
      kernel.at(kernel.at(kernel.array(), rows), kernel.coordinate(0));
  compare(kernel, access, spaceOf({"C"}, {name("R"), number(1), number(1)}, 8),
          {"C", "R"});
}

TEST(Wraps, TheMaskBoundsRowsOfTiles) {
  Kernel kernel(8);
  const TermId r = kernel.make(TermKind::Add,
                               kernel.make(TermKind::Mul, kernel.program(0),
                                           kernel.terms.constant(4, 8)),
                               kernel.coordinate(0));
  WrapAccess access;
  access.tile = {4};
  access.mask = kernel.less(r, kernel.argument(0));
  access.pointer = kernel.at(kernel.array(),
                             kernel.make(TermKind::Mul, r, kernel.argument(1)));
  const WrapSpace space = spaceOf(
      {"R", "s"}, {cdiv(name("R"), number(4)), number(1), number(1)}, 8);
  compare(kernel, access, space, {"R", "s"});
  EXPECT_EQ(wrapsOf(kernel.terms, {access}, space).where, "R * s - s > 127");
}

TEST(Wraps, SumsThatAreOneInThirtyTwoBits) {
  // Unlike in two steps, row * C + c wraps together.
  Kernel kernel(8);
  const TermId o = kernel.make(
      TermKind::Add,
      kernel.make(TermKind::Mul, kernel.program(0), kernel.argument(0)),
      kernel.coordinate(0));
  WrapAccess access;
  access.tile = {8};
  access.mask = kernel.less(kernel.coordinate(0), kernel.argument(0));
  access.pointer = kernel.at(kernel.array(), o);
  compare(kernel, access, spaceOf({"C"}, {name("R"), number(1), number(1)}, 8),
          {"C", "R"});
}

TEST(Wraps, GivenSizesAreNoLongerOpen) {
  Kernel kernel(8);
  const TermId rows =
      kernel.make(TermKind::Mul, kernel.program(0), kernel.argument(0));
  WrapAccess access;
  access.pointer = kernel.at(kernel.array(), rows);
  WrapSpace space = spaceOf({"C"}, {name("R"), number(1), number(1)}, 8);
  space.values["C"] = 10;
  const WrapsCheck found = wrapsOf(kernel.terms, {access}, space);
  EXPECT_EQ(found.answer, WrapsCheck::From);
  ASSERT_EQ(found.first.size(), 1u);
  EXPECT_EQ(found.first[0].first, "R");
  EXPECT_EQ(found.first[0].second, 14);  // 13 * 10 is 130
  compare(kernel, access, space, {"R"});
}

TEST(Wraps, AWiderIntegerNeverDoes) {
  Kernel kernel(8);
  const TermId rows = kernel.terms.make(
      TermKind::Mul, 64,
      {kernel.wide(kernel.program(0)), kernel.wide(kernel.argument(0))});
  WrapAccess access;
  access.pointer =
      kernel.terms.make(TermKind::PointerAdd, 64, {kernel.array(), rows});
  const WrapsCheck found =
      wrapsOf(kernel.terms, {access},
              spaceOf({"C"}, {name("R"), number(1), number(1)}, 8));
  EXPECT_EQ(found.answer, WrapsCheck::Never);
}

TEST(Wraps, AValueThatIsLoadedIsUndecided) {
  Kernel kernel(8);
  const TermId loaded = kernel.terms.leaf(TermKind::Unknown, 0, 8);
  WrapAccess access;
  access.pointer = kernel.at(
      kernel.array(), kernel.make(TermKind::Mul, loaded, kernel.argument(0)));
  const WrapsCheck found =
      wrapsOf(kernel.terms, {access},
              spaceOf({"C"}, {number(4), number(1), number(1)}, 8));
  EXPECT_EQ(found.answer, WrapsCheck::Undecided);
}

TEST(Wraps, AQuotientMayBeNone) {
  // pid * (n / 4 - 1) * 40, where n / 4 - 1 may be negative.
  Kernel kernel(8);
  const TermId quarter = kernel.make(TermKind::DivS, kernel.argument(0),
                                     kernel.terms.constant(4, 8));
  const TermId less =
      kernel.make(TermKind::Sub, quarter, kernel.terms.constant(1, 8));
  WrapAccess access;
  access.pointer =
      kernel.at(kernel.array(),
                kernel.make(TermKind::Mul,
                            kernel.make(TermKind::Mul, less, kernel.program(0)),
                            kernel.terms.constant(40, 8)));
  const WrapSpace space = spaceOf({"n"}, {number(6), number(1), number(1)}, 8);
  // At n = 1 it is -5 * 40.
  EXPECT_NE(wrapsOf(kernel.terms, {access}, space).answer, WrapsCheck::Never);
}

TEST(Wraps, WhatIsReadWithoutASignHasOneBitMore) {
  const WrapSpace space =
      spaceOf({"n", "m"}, {number(1), number(1), number(1)}, 8);
  auto check = [&](TermKind kind, int64_t by, bool isComparedToo) {
    Kernel kernel(8);
    const TermId o = kernel.make(kind, kernel.argument(0),
                                 kernel.terms.constant(by, 8));
    WrapAccess access;
    if (isComparedToo) access.mask = kernel.less(o, kernel.argument(1));
    access.pointer = kernel.terms.make(
        TermKind::PointerAdd, 64,
        {kernel.array(), kernel.terms.make(TermKind::ZeroExtend, 64, {o})});
    return wrapsOf(kernel.terms, {access}, space);
  };
  // n is at most 127, and 254 has eight bits.
  EXPECT_EQ(check(TermKind::Mul, 2, false).answer, WrapsCheck::Never);
  const WrapsCheck four = check(TermKind::Mul, 4, false);
  EXPECT_EQ(four.where, "4 * n > 255");
  EXPECT_EQ(four.first,
            (std::vector<std::pair<std::string, int64_t>>{{"n", 64}}));
  EXPECT_EQ(check(TermKind::Mul, 2, true).where, "2 * n > 127");
  // 1 - 10 is 247.
  EXPECT_EQ(check(TermKind::Sub, 10, false).answer, WrapsCheck::Undecided);
}

TEST(Wraps, AQuotientWithoutASignThatIsReadWithOneIsUndecided) {
  Kernel kernel(8);
  const TermId o = kernel.make(TermKind::Mul, kernel.argument(0),
                               kernel.terms.constant(2, 8));
  WrapAccess access;
  access.pointer = kernel.at(
      kernel.array(),
      kernel.make(TermKind::DivU, o, kernel.terms.constant(1, 8)));
  // n = 64: 128 / 1 is -128.
  EXPECT_EQ(wrapsOf(kernel.terms, {access},
                    spaceOf({"n"}, {number(1), number(1), number(1)}, 8))
                .answer,
            WrapsCheck::Undecided);
}

TEST(Wraps, BlocksOfAMatrixInAGridOfOneSide) {
  // Program p has rows p / cdiv(N, 4) * 4 + t, columns p % cdiv(N, 4) * 4 + u.
  Kernel kernel(8);
  const TermId four = kernel.terms.constant(4, 8);
  const TermId M = kernel.argument(0), N = kernel.argument(1);
  const TermId wide = kernel.make(
      TermKind::DivS,
      kernel.make(TermKind::Add, N, kernel.terms.constant(3, 8)), four);
  auto blockOf = [&](TermKind kind, int64_t axis) {
    const TermId block = kernel.make(kind, kernel.program(0), wide);
    return kernel.make(TermKind::Add, kernel.make(TermKind::Mul, block, four),
                       kernel.coordinate(axis));
  };
  const TermId r = blockOf(TermKind::DivS, 0), c = blockOf(TermKind::RemS, 1);
  WrapAccess access;
  access.tile = {4, 4};
  access.mask = kernel.terms.make(TermKind::And, 1,
                                  {kernel.less(r, M), kernel.less(c, N)});
  access.pointer = kernel.at(
      kernel.at(kernel.array(), kernel.make(TermKind::Mul, r, N)), c);
  const WrapSpace space = spaceOf(
      {"M", "N"},
      {times(cdiv(name("M"), number(4)), cdiv(name("N"), number(4))),
       number(1), number(1)},
      8);
  const WrapsCheck found = wrapsOf(kernel.terms, {access}, space);
  EXPECT_EQ(found.where, "N * M - N > 127 or N + 3 > 127");
  EXPECT_EQ(found.reason, "");
  EXPECT_EQ(found.first, (std::vector<std::pair<std::string, int64_t>>{
                             {"M", 12}, {"N", 12}}));
  EXPECT_TRUE(wrapsAt(kernel, access, space, {{"M", 12}, {"N", 12}}));
  for (int64_t m = 1; m <= 127; ++m)
    for (int64_t n = 1; n <= 124 && m * n - n <= 127; ++n)
      EXPECT_FALSE(wrapsAt(kernel, access, space, {{"M", m}, {"N", n}}))
          << m << " x " << n;
}

SizeCondition condition(SizeTerm left, SizeSign sign, SizeTerm right) {
  return {std::move(left), std::move(right), sign};
}

TEST(Wraps, ConditionsOfTwoSizesBoundTheirProduct) {
  Kernel kernel(8);
  const TermId rows =
      kernel.make(TermKind::Mul, kernel.program(0), kernel.argument(0));
  WrapAccess access;
  access.tile = {4};
  access.mask = kernel.less(kernel.coordinate(0), kernel.argument(0));
  access.pointer =
      kernel.at(kernel.at(kernel.array(), rows), kernel.coordinate(0));
  const SizeTerm R = name("R"), C = name("C");
  auto answer = [&](std::vector<SizeCondition> conditions) {
    WrapSpace space = spaceOf({"C"}, {R, number(1), number(1)}, 8);
    space.conditions = std::move(conditions);
    compare(kernel, access, space, {"C", "R"});
    return wrapsOf(kernel.terms, {access}, space);
  };
  // R * C - C is at most 127 where R * C is at most 128.
  EXPECT_EQ(
      answer({condition(times(R, C), SizeSign::AtMost, number(128))}).answer,
      WrapsCheck::Never);
  EXPECT_EQ(
      answer({condition(times(C, R), SizeSign::AtMost, number(200))}).answer,
      WrapsCheck::From);
  EXPECT_EQ(answer({condition(R, SizeSign::Less, number(12)),
                    condition(C, SizeSign::AtMost, R)})
                .answer,
            WrapsCheck::Never);
  // 12 * 12 - 12 is 132, and 11 * 11 - 11 is 110.
  const WrapsCheck square = answer({condition(R, SizeSign::Equal, C)});
  EXPECT_EQ(square.first, (std::vector<std::pair<std::string, int64_t>>{
                              {"C", 12}, {"R", 12}}));
  const WrapsCheck twice =
      answer({condition(R, SizeSign::Equal, times(number(2), C))});
  EXPECT_EQ(twice.first, (std::vector<std::pair<std::string, int64_t>>{
                             {"C", 9}, {"R", 18}}));
  const WrapsCheck whole = answer({condition(
      SizeTerm::of(SizeKind::Mod, C, number(8)), SizeSign::Equal, number(0))});
  EXPECT_EQ(whole.first, (std::vector<std::pair<std::string, int64_t>>{
                             {"C", 16}, {"R", 9}}));
}

/// Random conditions of two sizes; the answer is compared with all sizes.
TEST(Wraps, RandomConditions) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 20261130);
  std::mt19937 random(seed);
  auto pick = [&](int count) { return static_cast<int>(random() % count); };
  int decided = 0, found = 0;
  for (int round = 0; round < 120; ++round) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", round " << round);
    Kernel kernel(6);
    const TermId rows =
        kernel.make(TermKind::Mul, kernel.program(0), kernel.argument(pick(2)));
    WrapAccess access;
    access.pointer = kernel.at(
        kernel.array(),
        pick(2) == 0
            ? rows
            : kernel.make(pick(2) == 0 ? TermKind::Add : TermKind::Mul, rows,
                          kernel.argument(pick(2))));
    WrapSpace space = spaceOf(
        {"n", "m"}, {pick(2) == 0 ? name("n") : number(1 + pick(4)), number(1),
                     number(1)},
        6);
    std::vector<SizeCondition> some;
    for (int k = 0; k < 1 + pick(2); ++k) {
      const SizeTerm one = name(pick(2) == 0 ? "n" : "m");
      const SizeTerm other = name(one.name == "n" ? "m" : "n");
      const auto sign = static_cast<SizeSign>(pick(5));
      switch (pick(7)) {
        case 4:
          some.push_back(condition(
              one, sign,
              SizeTerm::of(SizeKind::Min,
                           SizeTerm::of(SizeKind::Sub, other, number(pick(9))),
                           number(pick(9)))));
          break;
        case 5:
          some.push_back(condition(
              SizeTerm::of(SizeKind::Sub, one, number(pick(7))), sign,
              SizeTerm::of(SizeKind::Sub, number(3 + pick(30)), other)));
          break;
        case 0:
          some.push_back(condition(one, sign, times(number(1 + pick(3)), other)));
          break;
        case 1:
          some.push_back(condition(
              one, sign,
              SizeTerm::of(SizeKind::Add, other, number(1 + pick(5)))));
          break;
        case 2:
          some.push_back(condition(times(one, other), SizeSign::AtMost,
                                   number(1 + pick(60))));
          break;
        case 3:
          some.push_back(condition(
              SizeTerm::of(SizeKind::Mod, one, number(1 + pick(7))),
              SizeSign::Equal, number(0)));
          break;
        default:
          some.push_back(condition(cdiv(one, number(1 + pick(4))), sign, other));
      }
    }
    space.conditions = some;
    std::string words;
    for (const SizeCondition &each : some) words += textOf(each) + ", ";
    SCOPED_TRACE(words);
    const WrapsCheck check = wrapsOf(kernel.terms, {access}, space);
    if (check.answer == WrapsCheck::Undecided) continue;
    ++decided;
    found += check.answer == WrapsCheck::From;
    compare(kernel, access, space, {"n", "m"});
  }
  EXPECT_GE(decided, 50);
  EXPECT_GE(found, 10);
}

/// Random sums and products of a program, a coordinate and two sizes.
TEST(Wraps, RandomAddresses) {
  const uint64_t seed = testing::fromEnvironment("INDEXICAL_SEED", 20261129);
  std::mt19937 random(seed);
  auto pick = [&](int count) { return static_cast<int>(random() % count); };
  int decided = 0;
  for (int round = 0; round < 60; ++round) {
    SCOPED_TRACE(::testing::Message() << "seed " << seed << ", round " << round);
    Kernel kernel(6);
    const int64_t block = int64_t{1} << pick(3);
    auto leaf = [&]() -> TermId {
      switch (pick(4)) {
        case 0:
          return kernel.program(0);
        case 1:
          return kernel.coordinate(0);
        case 2:
          return kernel.argument(pick(2));
        default:
          return kernel.terms.constant(1 + pick(6), 6);
      }
    };
    TermId o = leaf();
    for (int k = 0; k < 2 + pick(3); ++k)
      o = kernel.make(pick(2) == 0 ? TermKind::Add : TermKind::Mul, o, leaf());
    WrapAccess access;
    access.tile = {block};
    const TermId lane =
        kernel.make(TermKind::Add,
                    kernel.make(TermKind::Mul, kernel.program(0),
                                kernel.terms.constant(block, 6)),
                    kernel.coordinate(0));
    if (pick(2) == 0) access.mask = kernel.less(lane, kernel.argument(0));
    access.pointer = kernel.at(kernel.array(), o);
    WrapSpace space = spaceOf(
        {"n", "m"}, {cdiv(name("n"), number(block)), number(1), number(1)}, 6);
    // What is assumed of a size narrows it.
    for (const char *each : {"n", "m"})
      if (pick(2) == 0) {
        const int64_t least = 1 + pick(8);
        space.ranges[each] = {least, least + pick(24)};
      }
    const WrapsCheck found = wrapsOf(kernel.terms, {access}, space);
    // Only what is in the address and in its mask counts.
    if (found.answer == WrapsCheck::Undecided) continue;
    ++decided;
    if (access.mask) compare(kernel, access, space, {"n", "m"});
  }
  EXPECT_GE(decided, 30);
}

}  // namespace
}  // namespace indexical::kernels
