// Layouts of files: of a TTGIR every type and move with its line, of a list
// each layout, and maps for which layouts stand.
#include "indexical/layout/listing.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"

namespace indexical::layouts {
namespace {

constexpr char kTtgir[] =
    R"(// tensor<8xf32, #comment> does not count.
#blocked = #ttg.blocked<{sizePerThread = [1, 4], threadsPerWarp = [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>
#mma = #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA = [4, 1], instrShape = [16, 8]}>
#shared = #ttg.swizzled_shared<{vec = 8, perPhase = 1, maxPhase = 4, order = [1, 0]}>
#later = #ttg.new_kind<{a = 1}>
#smem = #ttg.shared_memory
module attributes {"ttg.num-warps" = 4 : i32, note = "tensor<8xf32, #text>"} {
  tt.func @k(%p: tensor<64x32xf16, #blocked>, %d: !tt.tensordesc<tensor<64x32xf16, #shared>>) {
    %a = ttg.local_alloc %p : (tensor<64x32xf16, #blocked>) -> !ttg.memdesc<64x32xf16, #shared, #smem>
    %b = ttg.local_load %a : !ttg.memdesc<64x32xf16, #shared, #smem> -> tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = #mma, kWidth = 2}>>
    %c = ttg.convert_layout %p : tensor<64x32xf16, #blocked> -> tensor<64x32xf16, #mma>  // tensor<8xf32, #no>
    %e = "ttg.convert_layout"(%c) : (tensor<64x32xf16, #mma>) -> tensor<64x32xf16, #blocked>
    %f = tt.expand_dims %g {axis = 1 : i32} : tensor<64xi32, #ttg.slice<{dim = 1, parent = #blocked}>> -> tensor<64x1xi32, #blocked>
    %h = ttg.async_copy_global_to_local %i, %j : tensor<64x32x!tt.ptr<f16>, #blocked> -> <64x32xf16, #shared, #smem, mutable>
    %k = tt.later : tensor<64x32xf16, #later>
    tt.return
  }
})";

TEST(Listing, OfATtgirHasEveryTypeOnceAndEveryMove) {
  ASSERT_TRUE(isTtgir(kTtgir));
  const Listing listing = listTtgir(kTtgir);
  std::vector<std::pair<int64_t, int64_t>> places;
  for (const ListedLayout &each : listing.layouts)
    places.push_back({each.place.line, each.times});
  // By the lines of their first places: of the tensor, the memory, the operand,
  // the result, the slice, the column, the pointers, the mutable memory, and
  // what is not known.
  EXPECT_EQ(places, (std::vector<std::pair<int64_t, int64_t>>{{8, 4},
                                                              {9, 2},
                                                              {10, 1},
                                                              {11, 2},
                                                              {13, 1},
                                                              {13, 1},
                                                              {14, 1},
                                                              {14, 1},
                                                              {15, 1}}));
  EXPECT_EQ(listing.layouts[0].place.column, 18u);
  for (size_t i = 0; i + 1 < listing.layouts.size(); ++i)
    EXPECT_TRUE(listing.layouts[i].layout.ok())
        << listing.layouts[i].text << listing.layouts[i].layout.status();
  EXPECT_FALSE(listing.layouts.back().layout.ok());
  EXPECT_EQ(listing.layouts[2].text,
            "tensor<64x32xf16, #ttg.dot_op<{opIdx = 0, parent = "
            "#ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, warpsPerCTA "
            "= [4, 1], instrShape = [16, 8]}>, kWidth = 2}>>");
  ASSERT_EQ(listing.moves.size(), 5u);
  const size_t expected[][3] = {
      {9, 0, 1}, {10, 1, 2}, {11, 0, 3}, {12, 3, 0}, {14, 6, 7}};
  for (size_t i = 0; i < 5; ++i) {
    EXPECT_EQ(listing.moves[i].place.line, expected[i][0]);
    EXPECT_EQ(listing.moves[i].from, expected[i][1]) << i;
    EXPECT_EQ(listing.moves[i].to, expected[i][2]) << i;
  }
  EXPECT_EQ(listing.moves[2].op, "ttg.convert_layout");
}

TEST(Listing, OfAListEndsALayoutWithItsLine) {
  const Listing listing = listLayouts(R"(// comment
# another
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32],
                   warpsPerCTA = [1], order = [0]}>
(4,8):(1,4)
  composition((4,8):(8,1),
              8:1)
tensor<32xf32, #b>
(4,8):(1
(d0) -> (d0 * 2),
domain:
d0 in [0, 7]
- lane=1 -> (1)
  lane=2 -> (2)
where out dims are: [dim0 (size 4)]
f32[4,8]{0,1}
)");
  std::vector<uint32_t> lines;
  for (const ListedLayout &each : listing.layouts)
    lines.push_back(each.place.line);
  EXPECT_EQ(lines, (std::vector<uint32_t>{5, 6, 8, 9}));
  ASSERT_EQ(listing.layouts.size(), 4u);
  EXPECT_TRUE(listing.layouts[2].layout.ok());
  // A bracket that nobody closes takes the rest of the file.
  EXPECT_FALSE(listing.layouts[3].layout.ok());
  const auto place = placeOf(listing.layouts[3].layout.status());
  ASSERT_TRUE(place);
  EXPECT_GE(place->line, 9u);
  const Listing second = listLayouts(R"((d0) -> (d0 * 2),
domain:
d0 in [0, 7]
- lane=1 -> (1)
  lane=2 -> (2)
where out dims are: [dim0 (size 4)]
f32[4,8]{0,1}
)");
  ASSERT_EQ(second.layouts.size(), 3u);
  for (const ListedLayout &each : second.layouts)
    EXPECT_TRUE(each.layout.ok()) << each.text << each.layout.status();
  EXPECT_EQ(second.layouts[2].place.line, 7u);
}

TEST(Listing, ALayoutStandsForAMap) {
  const std::string text = R"(# maps and layouts
(4,8):(1,4)
// -----
(d0, d1) -> (d0 + d1 * 4),
domain:
d0 in [0, 3],
d1 in [0, 7]
// -----
Sw<1,0,2> o 0 o (4,2):(2,1)
#b = #ttg.blocked<{sizePerThread = [1], threadsPerWarp = [32], warpsPerCTA = [1], order = [0]}>
tensor<32xf32, #b>
)";
  const auto maps = mapsOrLayouts(text);
  ASSERT_TRUE(maps.ok()) << maps.status();
  ASSERT_EQ(maps->size(), 4u);
  EXPECT_EQ((*maps)[0], (*maps)[1]);
  const Layout swizzle = *parseLayout("Sw<1,0,2> o 0 o (4,2):(2,1)");
  swizzle.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
    IndexingMap::Point point;
    point.dimensions = {p[0], p[1]};
    const auto value = (*maps)[2].evaluate(point);
    EXPECT_TRUE(value && (*value)[0] == v[0]);
    return true;
  });
  EXPECT_TRUE(beginsLayout("// note\n(4,8):(1,4)"));
  EXPECT_TRUE(beginsLayout("f32[4,8]{1,0}"));
  EXPECT_TRUE(beginsLayout("composition(8:1, 4:2)"));
  EXPECT_FALSE(beginsLayout("(d0) -> (d0), domain: d0 in [0, 3]"));
  EXPECT_FALSE(beginsLayout("() -> ()"));
  EXPECT_FALSE(beginsLayout("HloModule m"));
  // The place of what is wrong is that in the text.
  const auto wrong = mapsOrLayouts("(4,8):(1,4)\n\n(4,8):(1,4,5)\n");
  ASSERT_FALSE(wrong.ok());
  ASSERT_TRUE(placeOf(wrong.status()));
  EXPECT_EQ(placeOf(wrong.status())->line, 3u);
}

}  // namespace
}  // namespace indexical::layouts
