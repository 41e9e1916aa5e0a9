// The law of pieces.h, by enumeration: where pieces hold they have the term's
// value, and exactly one does. The value is computed here with plain machine
// integers, of the same random choices that make the term.

#include "indexical/program/kernel/pieces.h"

#include <algorithm>
#include <functional>
#include <random>

#include <gtest/gtest.h>

#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 4600;

struct Point {
  int64_t program, loop, tile;
};
using Value = std::function<std::optional<int64_t>(const Point &)>;

struct Made {
  TermId term;
  Value value;
};

/// Random terms of 32 bits with what they are in C++. Those of 64 bits have
/// constants near the ends of these.
class RandomTerms {
 public:
  RandomTerms(Terms &terms, uint32_t seed, int32_t bits = 32)
      : terms_(terms), random_(seed), bits_(bits) {}

  Made integer(int depth) {
    if (depth == 0) return leaf();
    const Made a = integer(depth - 1), b = integer(depth - 1);
    const int64_t divisor = 1 + random_() % 9;
    auto both = [&](TermKind kind, auto apply) {
      return Made{terms_.make(kind, bits_, {a.term, b.term}),
                  [=](const Point &p) -> std::optional<int64_t> {
                    const auto x = a.value(p), y = b.value(p);
                    if (!x || !y) return std::nullopt;
                    return machine(apply(Wide(*x), Wide(*y)));
                  }};
    };
    auto by = [&](TermKind kind, int64_t c, auto apply) {
      return Made{terms_.make(kind, bits_, {a.term, terms_.constant(c, bits_)}),
                  [=](const Point &p) -> std::optional<int64_t> {
                    const auto x = a.value(p);
                    if (!x) return std::nullopt;
                    const bool isQuotient =
                        kind == TermKind::DivS || kind == TermKind::RemS;
                    if (isQuotient && *x == INT64_MIN && c == -1)
                      return std::nullopt;
                    return machine(apply(Wide(*x), Wide(c)));
                  }};
    };
    switch (random_() % 14) {
      case 0:
        return both(TermKind::Add, [](Wide x, Wide y) { return x + y; });
      case 1:
        return both(TermKind::Sub, [](Wide x, Wide y) { return x - y; });
      case 2:
        return by(TermKind::Mul, static_cast<int64_t>(random_() % 9) - 4,
                  [](Wide x, Wide y) { return x * y; });
      case 3:
        // Large factors, so that 32 bits wrap.
        return by(TermKind::Mul, int64_t{1} << (26 + random_() % 5),
                  [](Wide x, Wide y) { return x * y; });
      case 4:
        return by(TermKind::DivS, random_() % 2 ? divisor : -divisor,
                  [](Wide x, Wide y) { return x / y; });
      case 5:
        return by(TermKind::RemS, random_() % 2 ? divisor : -divisor,
                  [](Wide x, Wide y) { return x % y; });
      case 6:
        return both(TermKind::MinS,
                    [](Wide x, Wide y) { return std::min(x, y); });
      case 7:
        return both(TermKind::MaxS,
                    [](Wide x, Wide y) { return std::max(x, y); });
      case 8:
        return by(TermKind::RemU, divisor, [this](Wide x, Wide y) {
          return asUnsigned(x) % asUnsigned(y);
        });
      case 9:
        return by(TermKind::And, (1 << random_() % 5) - 1,
                  [](Wide x, Wide y) { return x & y; });
      case 10:
        return by(TermKind::And, bits(), [](Wide x, Wide y) { return x & y; });
      case 11:
        return by(TermKind::Or, bits(), [](Wide x, Wide y) { return x | y; });
      case 12:
        return by(TermKind::Xor, bits(), [](Wide x, Wide y) { return x ^ y; });
      default: {
        const Made when = truth(depth - 1);
        return {
            terms_.make(TermKind::Select, bits_, {when.term, a.term, b.term}),
            [=](const Point &p) -> std::optional<int64_t> {
              const auto c = when.value(p);
              if (!c) return std::nullopt;
              return *c ? a.value(p) : b.value(p);
            }};
      }
    }
  }

  /// Returns a mask with holes, which may be negative.
  int64_t bits() { return static_cast<int64_t>(random_() % 128) - 64; }

  /// Makes a quotient or a remainder by a divisor from -3 to 4 that varies. It
  /// has no value if the divisor is 0.
  Made quotient() {
    const Made a = integer(1), b = integer(1);
    const TermId divisor = terms_.make(
        TermKind::MinS, 32,
        {terms_.make(TermKind::MaxS, 32, {b.term, terms_.constant(-3, 32)}),
         terms_.constant(4, 32)});
    const bool isRemainder = random_() % 2;
    return {terms_.make(isRemainder ? TermKind::RemS : TermKind::DivS, 32,
                        {a.term, divisor}),
            [=](const Point &p) -> std::optional<int64_t> {
              const auto x = a.value(p), y = b.value(p);
              if (!x || !y) return std::nullopt;
              const int64_t by = std::clamp<int64_t>(*y, -3, 4);
              if (by == 0) return std::nullopt;
              return static_cast<int32_t>(isRemainder ? *x % by : *x / by);
            }};
  }

  Made truth(int depth) {
    const Made a = integer(depth), b = integer(depth);
    auto compare = [&](TermKind kind, auto apply) {
      return Made{terms_.make(kind, 1, {a.term, b.term}),
                  [=](const Point &p) -> std::optional<int64_t> {
                    const auto x = a.value(p), y = b.value(p);
                    if (!x || !y) return std::nullopt;
                    return apply(*x, *y) ? 1 : 0;
                  }};
    };
    switch (random_() % 6) {
      case 0:
        return compare(TermKind::Equal,
                       [](int64_t x, int64_t y) { return x == y; });
      case 1:
        return compare(TermKind::NotEqual,
                       [](int64_t x, int64_t y) { return x != y; });
      case 2:
        return compare(TermKind::LessS,
                       [](int64_t x, int64_t y) { return x < y; });
      case 3:
        return compare(TermKind::LessEqualS,
                       [](int64_t x, int64_t y) { return x <= y; });
      case 4:
        return compare(TermKind::LessU, [this](int64_t x, int64_t y) {
          return asUnsigned(x) < asUnsigned(y);
        });
      default: {
        if (depth == 0)
          return compare(TermKind::LessS,
                         [](int64_t x, int64_t y) { return x < y; });
        const Made x = truth(depth - 1), y = truth(depth - 1);
        const bool isAnd = random_() % 2;
        return {terms_.make(isAnd ? TermKind::And : TermKind::Or, 1,
                            {x.term, y.term}),
                [=](const Point &p) -> std::optional<int64_t> {
                  const auto c = x.value(p), d = y.value(p);
                  if (!c || !d) return std::nullopt;
                  return isAnd ? *c & *d : *c | *d;
                }};
      }
    }
  }

 private:
  __extension__ using Wide = __int128;

  Wide asUnsigned(Wide value) const {
    return bits_ == 32 ? static_cast<uint32_t>(value)
                       : static_cast<uint64_t>(value);
  }
  int64_t machine(Wide value) const {
    return bits_ == 32 ? static_cast<int32_t>(value)
                       : static_cast<int64_t>(value);
  }

  /// Returns a number near an end of 64 bits, or near 2^31 or 2^32.
  int64_t edge() {
    const int64_t near = static_cast<int64_t>(random_() % 5);
    switch (random_() % 5) {
      case 0:
        return INT64_MIN + near;
      case 1:
        return INT64_MAX - near;
      case 2:
        return (int64_t{1} << 62) - 2 + near;
      case 3:
        return -(int64_t{1} << 31) - 2 + near;
      default:
        return (int64_t{1} << 32) - 2 + near;
    }
  }

  Made leaf() {
    switch (random_() % 4) {
      case 0:
        return {terms_.leaf(TermKind::Program, 0, bits_),
                [](const Point &p) { return std::optional(p.program); }};
      case 1:
        return {terms_.make(TermKind::Truncate, bits_,
                            {terms_.leaf(TermKind::Loop, 0, 64)}),
                [](const Point &p) { return std::optional(p.loop); }};
      case 2:
        return {terms_.make(TermKind::Truncate, bits_, {terms_.coordinate(0)}),
                [](const Point &p) { return std::optional(p.tile); }};
      default: {
        const int64_t value = bits_ == 64 && random_() % 2
                                  ? edge()
                                  : static_cast<int64_t>(random_() % 21) - 10;
        return {terms_.constant(value, bits_),
                [=](const Point &) { return std::optional(value); }};
      }
    }
  }

  Terms &terms_;
  std::mt19937 random_;
  int32_t bits_;
};

enum class Covers : uint8_t { Never, Allowed };

/// Expects that the pieces of an element have its index where the mask holds.
/// Counts the term as written if it can be written as pieces that are no cover.
void expectTheValue(Terms &terms, const Made &index, const Made &mask,
                    uint32_t seed, int &written,
                    Covers covers = Covers::Never) {
  PieceSpace space;
  space.grid = {5, 1, 1};
  space.loops = {{0, 3}};
  space.tile = {8};
  PieceMaker maker(terms, space);
  const TermId wide = terms.make(TermKind::SignExtend, 64, {index.term});
  const TermId pointer = terms.make(
      TermKind::PointerAdd, 64, {terms.leaf(TermKind::Pointer, 0, 64), wide});
  const auto maps = maker.elements(pointer, mask.term);
  if (!maps.ok()) return;
  if (covers == Covers::Never) {
    ASSERT_FALSE(maker.isCover());
  }
  written += !maker.isCover();
  for (int64_t program = 0; program < 5; ++program)
    for (int64_t loop = 0; loop < 3; ++loop)
      for (int64_t tile = 0; tile < 8; ++tile) {
        const Point at{program, loop, tile};
        const auto want = index.value(at), isOn = mask.value(at);
        if (!want || !isOn) continue;
        IndexingMap::Point point;
        point.dimensions = {program, 0, 0, loop, tile};
        int holds = 0;
        bool hasIt = false;
        for (const PointerMap &map : *maps) {
          if (!map.map.contains(point)) continue;
          ++holds;
          const auto got = map.map.evaluate(point);
          ASSERT_TRUE(got) << "seed " << seed;
          if (!maker.isCover()) {
            EXPECT_EQ((*got)[0], *want)
                << "seed " << seed << ": " << map.map.strOneLine();
          }
          hasIt |= (*got)[0] == *want;
        }
        if (maker.isCover()) {
          EXPECT_TRUE(hasIt || !*isOn) << "seed " << seed;
        } else {
          EXPECT_EQ(holds, *isOn) << "seed " << seed << " at " << program << ' '
                                  << loop << ' ' << tile;
        }
        // The term itself has the machine's meaning.
        const int64_t programs[] = {program, 0, 0}, loops[] = {loop},
                      tiles[] = {tile};
        TermPoint term;
        term.program = programs;
        term.loops = loops;
        term.coordinates = tiles;
        const auto found = terms.evaluate(index.term, term);
        ASSERT_TRUE(found);
        EXPECT_EQ(found->value, *want) << "seed " << seed;
      }
}

TEST(PiecesTest, HaveTheValueOfTheTerm) {
  int written = 0;
  for (uint32_t trial = 0; trial < 1500; ++trial) {
    Terms terms;
    RandomTerms make(terms, kSeed + trial);
    const Made index = make.integer(1 + trial % 3);
    const Made mask = make.truth(trial % 2);
    expectTheValue(terms, index, mask, kSeed + trial, written);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(written, 1200);
}

TEST(PiecesTest, AreNotWrongNearTheEndsOf64Bits) {
  int written = 0;
  for (uint32_t trial = 0; trial < 1500; ++trial) {
    Terms terms;
    RandomTerms make(terms, kSeed + trial, 64);
    const Made index = make.integer(1 + trial % 2);
    const Made mask = make.truth(trial % 2);
    expectTheValue(terms, index, mask, kSeed + trial, written, Covers::Allowed);
    if (HasFailure()) return;
  }
  EXPECT_GT(written, 200);
}

TEST(PiecesTest, GiveAnUnknownValueATableByProgramLoopAndLane) {
  Terms terms;
  const TermId unknown =
      terms.leaf(TermKind::Unknown, 7, 32,
                 {terms.leaf(TermKind::Loop, 0, 64), terms.coordinate(0)});
  PieceSpace space;
  space.grid = {4, 1, 1};
  space.loops = {{0, 3}};
  space.tile = {8};
  space.argumentNames = {"y"};
  PieceMaker maker(terms, space);
  const auto maps = maker.elements(
      terms.make(TermKind::PointerAdd, 64,
                 {terms.leaf(TermKind::Pointer, 0, 64),
                  terms.make(TermKind::SignExtend, 64, {unknown})}),
      std::nullopt);
  ASSERT_TRUE(maps.ok()) << maps.status();
  ASSERT_EQ(maps->size(), 1u);
  const IndexingMap &map = (*maps)[0].map;
  ASSERT_EQ(map.runtime().size(), 1u);
  const RuntimeVariable &value = map.runtime()[0];
  EXPECT_EQ(value.source.tensor, 8);
  std::vector<std::string> index;
  for (FormId form : value.index) index.push_back(map.str(form));
  EXPECT_EQ(index, (std::vector<std::string>{"bl_x", "0", "0", "loop0", "t0"}));
}

TEST(PiecesTest, DivideByEachValueOfADivisor) {
  int written = 0;
  for (uint32_t trial = 0; trial < 300; ++trial) {
    Terms terms;
    RandomTerms make(terms, kSeed + trial);
    const Made mask = make.truth(0);
    expectTheValue(terms, make.quotient(), mask, kSeed + trial, written);
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(written, 250);
}

TEST(PiecesTest, SettlesADivisorByBoundsOrByCases) {
  // select(1 - 8 q < 8, 1 - 8 q, 8), q = program floordiv 704.
  for (const auto &[programs, pieces] :
       {std::pair<int64_t, size_t>{88, 1}, {900, 2}}) {
    Terms terms;
    auto number = [&](int64_t value) { return terms.constant(value, 32); };
    const TermId program = terms.leaf(TermKind::Program, 0, 32);
    const TermId q = terms.make(TermKind::DivS, 32, {program, number(704)});
    const TermId rest =
        terms.make(TermKind::Sub, 32,
                   {number(12), terms.make(TermKind::Mul, 32, {q, number(8)})});
    const TermId width = terms.make(TermKind::MinS, 32, {rest, number(8)});
    const TermId at = terms.make(TermKind::RemS, 32, {program, width});
    PieceSpace space;
    space.grid = {programs, 1, 1};
    PieceMaker maker(terms, space);
    const auto maps =
        maker.elements(terms.make(TermKind::PointerAdd, 64,
                                  {terms.leaf(TermKind::Pointer, 0, 64),
                                   terms.make(TermKind::SignExtend, 64, {at})}),
                       std::nullopt);
    ASSERT_TRUE(maps.ok()) << maps.status();
    EXPECT_EQ(maps->size(), pieces);
  }
}

TEST(PiecesTest, SaysWhatItCannotWrite) {
  Terms terms;
  const TermId program = terms.leaf(TermKind::Program, 0, 32);
  // Neither is a number, and one may be negative.
  const TermId moved =
      terms.make(TermKind::Sub, 32, {program, terms.constant(5, 32)});
  const TermId twisted = terms.make(TermKind::Xor, 32, {program, moved});
  PieceSpace space;
  space.grid = {16, 1, 1};
  PieceMaker maker(terms, space);
  EXPECT_FALSE(maker
                   .elements(terms.make(TermKind::PointerAdd, 64,
                                        {terms.leaf(TermKind::Pointer, 0, 64),
                                         terms.make(TermKind::SignExtend, 64,
                                                    {twisted})}),
                             std::nullopt)
                   .ok());
}

}  // namespace
}  // namespace indexical::kernels
