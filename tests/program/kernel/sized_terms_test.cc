// The law of sized_terms.h, by enumeration: at each point at which the mask
// holds for the values of the sizes, one map holds, whose numbers are the
// address: the rest, and each factor times its product.

#include "indexical/program/kernel/sized_terms.h"

#include <optional>
#include <random>
#include <string>

#include <gtest/gtest.h>

namespace indexical::kernels {
namespace {

constexpr uint32_t kSeed = 8700;
constexpr int64_t kPrograms = 3, kTile = 4;

OpenSizes twoSizes() {
  OpenSizes open;
  open.sizes = {{"n", 2, 2, 4, std::nullopt}, {"C", 1, 1, 5, std::nullopt}};
  open.sizeOf = {{"n", 0}, {"C", 1}};
  open.grid = {SizeTerm::of(kPrograms), SizeTerm::of(1), SizeTerm::of(1)};
  return open;
}

/// Random sums and products of the program, the lane, both sizes and numbers.
TermId randomTerm(Terms &terms, std::mt19937 &random, int depth) {
  if (depth == 0) switch (random() % 6) {
      case 0:
        return terms.leaf(TermKind::Program, 0, 32);
      case 1:
        return terms.leaf(TermKind::Argument, 1, 32);
      case 2:
        return terms.leaf(TermKind::Argument, 2, 32);
      case 3:
        return terms.constant(static_cast<int64_t>(random() % 7) - 3, 32);
      default:
        return terms.make(TermKind::Truncate, 32, {terms.coordinate(0)});
    }
  const TermId a = randomTerm(terms, random, depth - 1);
  switch (random() % 6) {
    case 0:
      return terms.make(TermKind::DivS, 32,
                        {a, terms.constant(1 + random() % 4, 32)});
    case 1:
      return terms.make(TermKind::MaxS, 32, {a, terms.constant(1, 32)});
    default:
      break;
  }
  const TermId b = randomTerm(terms, random, depth - 1);
  constexpr TermKind kKinds[] = {TermKind::Add, TermKind::Sub, TermKind::Mul};
  return terms.make(kKinds[random() % 3], 32, {a, b});
}

/// Returns the address that the numbers of an element are, or nothing if its
/// turns are others.
std::optional<int64_t> addressOf(llvm::ArrayRef<int64_t> numbers,
                                 const std::set<SizeProduct> &products,
                                 const std::vector<int64_t> &turns,
                                 const std::vector<int64_t> &values) {
  int64_t all = numbers[0];
  size_t at = 1;
  for (const SizeProduct &product : products) {
    int64_t factor = numbers[at++];
    for (size_t size : product) factor *= values[size];
    all += factor;
  }
  for (int64_t turn : turns)
    if (numbers[at++] != turn) return std::nullopt;
  return all;
}

TEST(SizedTermsTest, NumbersAreTheAddress) {
  int written = 0, withProducts = 0, said = 0;
  for (uint32_t k = 0; k < 300; ++k) {
    const uint32_t seed = kSeed + k;
    std::mt19937 random(seed);
    Terms terms;
    const TermId number = randomTerm(terms, random, 1 + k % 3);
    const TermId pointer =
        terms.make(TermKind::PointerAdd, 64,
                   {terms.leaf(TermKind::Pointer, 0, 64),
                    terms.make(TermKind::SignExtend, 64, {number})});
    const TermId mask =
        terms.make(TermKind::LessS, 1,
                   {randomTerm(terms, random, 1),
                    terms.leaf(TermKind::Argument, 1 + k % 2, 32)});
    OpenSizes open = twoSizes();
    // Of every third kernel C is what n says: 2 * n + 1.
    const bool isSaid = k % 3 == 0;
    if (isSaid) {
      open.sizes[1] = {
          "C", 1, 1, 1,
          SizeTerm::of(SizeKind::Add,
                       SizeTerm::of(SizeKind::Mul, SizeTerm::of(2),
                                    SizeTerm::of(std::string("n"))),
                       SizeTerm::of(1))};
      ++said;
    }
    SizedTerms sized(terms, open, {"x", "n", "C"});
    const auto address = sized.apart(pointer);
    if (!address.ok()) continue;
    const auto products = SizedTerms::productsOf(*address, terms);
    open.products[0] = products;
    PieceSpace space;
    space.grid = {kPrograms, 1, 1};
    space.loops = sized.loops();
    space.tile = {kTile};
    const auto maps = sized.elements(space, pointer, mask, nullptr);
    if (!maps.ok()) continue;
    ++written;
    withProducts += !products.empty();
    for (int64_t p = 0; p < kPrograms; ++p)
      for (int64_t n = 0; n < open.sizes[0].count; ++n)
        for (int64_t c = 0; c < open.sizes[1].count; ++c)
          for (int64_t t = 0; t < kTile; ++t) {
            const int64_t first = 2 + 2 * n;
            const std::vector<int64_t> values = {
                first, isSaid ? 2 * first + 1 : 1 + c};
            const int64_t program[] = {p, 0, 0}, grid[] = {kPrograms, 1, 1};
            const int64_t arguments[] = {0, values[0], values[1]};
            const int64_t lanes[] = {t};
            const TermPoint at = {program, grid, arguments, {}, lanes};
            const auto isOn = terms.evaluate(mask, at);
            const auto want = terms.evaluate(pointer, at);
            IndexingMap::Point point;
            point.dimensions = {p, 0, 0, n, c, t};
            int holds = 0;
            for (const PointerMap &map : *maps) {
              if (!map.map.contains(point)) continue;
              ++holds;
              const auto got = map.map.evaluate(point);
              ASSERT_TRUE(got && want) << "seed " << seed;
              EXPECT_EQ(addressOf(*got, products, {n, c}, values), want->value)
                  << "seed " << seed;
            }
            EXPECT_EQ(holds, isOn && isOn->value ? 1 : 0) << "seed " << seed;
          }
  }
  EXPECT_GT(written, 100);
  EXPECT_GT(withProducts, 30);
  EXPECT_GT(said, 30);
}

TEST(SizedTermsTest, TheRestIsBelowTheSize) {
  // r * C + C - 1 - c, of 0 <= c < C, is C - 1 - c behind row r.
  Terms terms;
  const TermId size = terms.leaf(TermKind::Argument, 2, 32);
  const TermId lane = terms.make(TermKind::Truncate, 32, {terms.coordinate(0)});
  const TermId row = terms.make(TermKind::Mul, 32,
                                {terms.leaf(TermKind::Program, 0, 32), size});
  const TermId last =
      terms.make(TermKind::Sub, 32, {size, terms.constant(1, 32)});
  const TermId number = terms.make(
      TermKind::Add, 32, {row, terms.make(TermKind::Sub, 32, {last, lane})});
  const TermId pointer =
      terms.make(TermKind::PointerAdd, 64,
                 {terms.leaf(TermKind::Pointer, 0, 64),
                  terms.make(TermKind::SignExtend, 64, {number})});
  OpenSizes open = twoSizes();
  open.products[0] = {{1}};
  SizedTerms sized(terms, open, {"x", "n", "C"});
  PieceSpace space;
  space.grid = {kPrograms, 1, 1};
  space.loops = sized.loops();
  space.tile = {kTile};
  const auto maps = sized.elements(
      space, pointer, terms.make(TermKind::LessS, 1, {lane, size}), nullptr);
  ASSERT_TRUE(maps.ok()) << maps.status();
  ASSERT_EQ(maps->size(), 1u);
  IndexingMap::Point point;
  point.dimensions = {2, 0, 0, 0, 3, 1};  // C = 4
  const auto got = maps->front().map.evaluate(point);
  ASSERT_TRUE(got);
  EXPECT_EQ(std::vector<int64_t>(got->begin(), got->end()),
            (std::vector<int64_t>{2, 2, 0, 3}));
}

TEST(SizedTermsTest, WhatHasNoMapSaysSo) {
  Terms terms;
  OpenSizes open = twoSizes();
  SizedTerms sized(terms, open, {"x", "n", "C"});
  const TermId narrow = terms.leaf(TermKind::Argument, 1, 8);
  EXPECT_FALSE(sized.wide(terms.make(TermKind::SignExtend, 32, {narrow})).ok());
  const TermId size = terms.leaf(TermKind::Argument, 1, 32);
  EXPECT_FALSE(sized.wide(terms.make(TermKind::DivU, 32, {size, size})).ok());
  EXPECT_TRUE(sized.isSize(1));
  EXPECT_FALSE(sized.isSize(0));
}

}  // namespace
}  // namespace indexical::kernels
