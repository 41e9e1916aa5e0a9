// Every enumerator that an analysis returns has words of its own.
#include <set>
#include <string>

#include "gtest/gtest.h"

#include "indexical/answers/words.h"

namespace indexical {
namespace {

/// Words of the enumerators 0 to `last`, all there and all different; `none` of
/// the first ones have none.
template <typename Words>
void expectApart(int last, int none, Words wordsOfNumber) {
  std::set<std::string> all;
  for (int i = 0; i <= last; ++i) {
    const std::string words = wordsOfNumber(i);
    EXPECT_EQ(words.empty(), i < none) << i;
    EXPECT_TRUE(all.insert(words).second) << words;
  }
}

TEST(Wording, EnumeratorsHaveWordsOfTheirOwn) {
  expectApart(static_cast<int>(PatternKind::Strided), 0, [](int i) {
    return wordsOf(Pattern{static_cast<PatternKind>(i), 64});
  });
  expectApart(static_cast<int>(RemedyKind::PackedElements), 1, [](int i) {
    return wordsOf(Remedy{static_cast<RemedyKind>(i), {1, 0}}, "p");
  });
  expectApart(static_cast<int>(PatternKind::Strided), 0, [](int i) {
    return nameOf(Pattern{static_cast<PatternKind>(i), 64});
  });
  expectApart(static_cast<int>(RemedyKind::PackedElements), 1,
              [](int i) { return wordsOf(Remedy{static_cast<RemedyKind>(i)}); });
  expectApart(static_cast<int>(Obstacle::RanksDiffer), 0, [](int i) {
    return wordsOf(Unmeasured{static_cast<Obstacle>(i)});
  });
  expectApart(static_cast<int>(Unfound::Undecided), 1, [](int i) {
    Footprint footprint;
    footprint.why = static_cast<Unfound>(i);
    return wordsOf(footprint);
  });
  expectApart(static_cast<int>(Doubt::UnknownSource), 1,
              [](int i) { return wordsOf(static_cast<Doubt>(i)); });
}

TEST(Wording, FiguresStandInTheSentence) {
  EXPECT_EQ(wordsOf(Pattern{PatternKind::Transposed, 32768}),
            "transposed, stride 4096 B");
  EXPECT_EQ(wordsOf(Pattern{PatternKind::Rows, 12}), "rows of 12 bits");
  Pattern window{PatternKind::Contiguous};
  window.halo = window.reversed = window.unaligned = true;
  EXPECT_EQ(wordsOf(window), "halo, reversed, unaligned");
  window.kind = PatternKind::Overlapping;
  EXPECT_EQ(wordsOf(window), "overlapping, reversed, unaligned");
  Pattern apart{PatternKind::Strided, 1024};
  apart.halo = true;
  EXPECT_EQ(wordsOf(apart), "stride 128 B, halo");
  EXPECT_EQ(wordsOf(Remedy{RemedyKind::SharedTile, {0, 1}}, "p"),
            "a tile through shared memory, or layout {0,1} of p");
  EXPECT_EQ(wordsOf(Remedy{RemedyKind::SharedTile}, "p"),
            "a tile through shared memory");
  EXPECT_EQ(wordsOf(Remedy{RemedyKind::OtherLayout, {2, 0, 1}}, "p"),
            "layout {2,0,1} of p");
}

TEST(Wording, NamesHaveNoFigures) {
  Pattern rows{PatternKind::Rows, 64};
  rows.halo = true;
  EXPECT_EQ(nameOf(rows), "rows");
  EXPECT_EQ(wordsOf(rows), "rows of 8 B, halo");
  EXPECT_TRUE(hasBits(rows));
  EXPECT_FALSE(hasBits(Pattern{PatternKind::Broadcast}));
  EXPECT_EQ(wordsOf(Remedy{RemedyKind::SharedTile, {0, 1}}),
            "a tile through shared memory");
}

TEST(Wording, ObstaclesNameTheirShapesAndRanks) {
  ArrayShape shape(ElementType::F32, {kDynamicSize, 512});
  EXPECT_EQ(wordsOf(Unmeasured{Obstacle::UnknownSize, shape}),
            "a thread map needs sizes that are known, and f32[?,512] has one "
            "that is not");
  EXPECT_EQ(wordsOf(Unmeasured{Obstacle::UnknownElement, shape}),
            "the size of an element of f32[?,512] is not known");
  shape.layout.emplace().minorToMajor = {0, 1};
  EXPECT_EQ(wordsOf(Unmeasured{Obstacle::UnknownLayout, shape}),
            "where the elements of f32[?,512]{0,1} lie is not known");
  EXPECT_EQ(wordsOf(Unmeasured{Obstacle::RanksDiffer, {}, 2, 1}),
            "the thread map gives an index of 2 dimensions, and the read takes "
            "one of 1");
  EXPECT_EQ(
      wordsOf(Unmeasured{Obstacle::Failed,
                         {},
                         0,
                         0,
                         absl::OutOfRangeError("addresses leave 64 bits")}),
      "addresses leave 64 bits");
}

}  // namespace
}  // namespace indexical
