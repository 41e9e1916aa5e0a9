// Notations, against the definitions that their makers give: loops over
// threads, fragments of the instruction sets' manuals, formulas of memory.

#include <functional>
#include <string>
#include <tuple>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/layout/encoding.h"
#include "indexical/layout/operations.h"
#include "indexical/layout/parse.h"
#include "indexical/simplifier/simplify.h"
#include "tests/layout/random_layouts.h"

namespace indexical::layouts {
namespace {

using testing::RandomModes;

Layout read(const std::string &text) {
  auto layout = parseLayout(text);
  EXPECT_TRUE(layout.ok()) << text << ": " << layout.status();
  return layout.ok() ? *layout : *parseLayout("1:0");
}

/// Reads the text again from each notation that can say it.
void expectReadAgain(const std::string &text) {
  const Layout layout = read(text);
  for (const Notation notation :
       {Notation::Cute, Notation::Linear, Notation::Bases, Notation::Xla,
        Notation::Map}) {
    const auto printed = print(layout, notation);
    if (!printed) continue;
    const auto again = parseLayout(*printed);
    ASSERT_TRUE(again.ok()) << text << " as " << *printed << again.status();
    EXPECT_EQ(equal(layout, *again).answer, Answer::Yes)
        << text << " as " << *printed;
  }
}

TEST(Notation, PrintsWhatItReads) {
  for (const char *text :
       {"(4,(2,2)):(1,(4,8))", "4", "(2,3,4)", "((2,2),8):((1@1,8@0),2@1)",
        "Sw<3,3,3> o 0 o (8,64):(64,1)", "Sw<2,0,-3> o 0 o (32,8):(8,1)",
        "bf16[16,256]{1,0:T(8,128)(2,1)}", "f32[3,10]{0,1}", "s8[7]",
        "(d0, d1) -> (d0 * 8 + (d0 xor d1)), domain: d0 in [0, 7], d1 in [0, "
        "7]",
        "tensor<16x16xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = "
        "0, warpsPerCTA = [1, 1], instrShape = [16, 8]}>>",
        "!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase = 1, "
        "maxPhase = 8, order = [1, 0]}>, #smem, mutable>",
        "!ttg.memdesc<16x64xf16, #ttg.padded_shared<[64:+8] {order = [1, 0], "
        "shape = [16, 64]}>, #smem>",
        "(d0) -> (d0 * -3 + 5, 7), domain: d0 in [0, 9]", "((2,3)):((1,66))",
        "Sw<2,1,-5> o 0 o 6:1", "Sw<2,0,3> o 0 o 32:1",
        "(d0) -> (d0 mod 4 + (d0 floordiv 4) * 9), domain: d0 in [0, 11]"})
    expectReadAgain(text);
  RandomModes random(30);
  for (int n = 0; n < testing::instances(300); ++n)
    expectReadAgain(random.modes(64).text());
}

TEST(Notation, TextsOfForms) {
  const Layout mma = read(
      "tensor<16x16xf16, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
      "warpsPerCTA = [1, 1], instrShape = [16, 8]}>>");
  EXPECT_EQ(printSum((*mma.form())[0], mma.inputs()),
            "((register floordiv 2) mod 2) * 8 + lane floordiv 4");
  EXPECT_EQ(printSum((*mma.form())[1], mma.inputs()),
            "register mod 2 + (register floordiv 4) * 8 + (lane mod 4) * 2");
  EXPECT_EQ(print(mma, Notation::Cute),
            "((2,2,2),(4,8),1,1):((1@1,8@0,8@1),(2@1,1@0),0,0)");
  const Layout swizzle = read("Sw<1,0,3> o 0 o (2,8):(8,1)");
  EXPECT_EQ(printSum((*swizzle.form())[0], swizzle.inputs()),
            "d0 * 8 + (d1 floordiv 2) * 2 + (d0 xor (d1 mod 2))");
  EXPECT_EQ(print(read("((4,2),(2,2)):((1,16),(4,8))"), Notation::Cute),
            "((4,2),(2,2)):((1,16),(4,8))");
}

std::string list(llvm::ArrayRef<int64_t> numbers) {
  return absl::StrCat("[", absl::StrJoin(numbers, ", "), "]");
}

/// Expects that the layout has this element at each register of each thread.
using Element =
    std::function<Coordinates(int64_t reg, int64_t lane, int64_t warp)>;
void expectElements(const std::string &text, const Element &element) {
  const Layout layout = read(text);
  layout.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> value) {
    EXPECT_EQ(Coordinates(value), element(p[0], p[1], p[2]))
        << text << " at " << p[0] << " " << p[1] << " " << p[2];
    return !::testing::Test::HasFailure();
  });
}

TEST(Notation, BlockedIsNestedLoops) {
  RandomModes random(31);
  for (int n = 0; n < testing::instances(150); ++n) {
    const auto power = [&](int64_t most) {
      return int64_t{1} << random.number(0, most);
    };
    const Coordinates size = {power(2), power(2)};
    const int64_t lanes0 = power(5), warps0 = power(2);
    const Coordinates lanes = {lanes0, 32 / lanes0},
                      warps = {warps0, 4 / warps0};
    const Coordinates order =
        random.number(0, 1) ? Coordinates{1, 0} : Coordinates{0, 1};
    // As large as the layout, or larger.
    const Coordinates times = {power(1), power(1)};
    Coordinates shape;
    for (int k = 0; k < 2; ++k)
      shape.push_back(size[k] * lanes[k] * warps[k] * times[k]);
    const auto at = [&](int64_t number, const Coordinates &counts) {
      Coordinates place(2, 0);
      for (int64_t k : order) {
        place[k] = number % counts[k];
        number /= counts[k];
      }
      return place;
    };
    const std::string text = absl::StrCat(
        "tensor<", shape[0], "x", shape[1],
        "xf16, #ttg.blocked<{sizePerThread"
        " = ",
        list(size), ", threadsPerWarp = ", list(lanes),
        ", warpsPerCTA = ", list(warps), ", order = ", list(order), "}>>");
    expectElements(text, [&](int64_t reg, int64_t lane, int64_t warp) {
      const int64_t own = size[0] * size[1];
      const auto r = at(reg % own, size), l = at(lane, lanes),
                 w = at(warp, warps), t = at(reg / own, times);
      Coordinates element;
      for (int k = 0; k < 2; ++k)
        element.push_back(
            ((t[k] * warps[k] + w[k]) * lanes[k] + l[k]) * size[k] + r[k]);
      return element;
    });
  }
}

TEST(Notation, FragmentsAreThoseOfTheManuals) {
  // PTX, mma.m16n8: accumulators of a warp.
  expectElements(
      "tensor<16x8xf32, #ttg.nvidia_mma<{versionMajor = 2, versionMinor = 0, "
      "warpsPerCTA = [1, 1], instrShape = [16, 8]}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{l / 4 + (r < 2 ? 0 : 8), l % 4 * 2 + (r & 1)};
      });
  // PTX, mma.m16n8k16 with f16: A and B.
  expectElements(
      "tensor<16x16xf16, #ttg.dot_op<{opIdx = 0, parent = #ttg.nvidia_mma<"
      "{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = "
      "[16, 8]}>, kWidth = 2}>>",
      [](int64_t r, int64_t l, int64_t) {
        const bool isUpper = r / 2 % 2 == 0;
        return Coordinates{l / 4 + (isUpper ? 0 : 8),
                           l % 4 * 2 + (r & 1) + (r >= 4 ? 8 : 0)};
      });
  expectElements(
      "tensor<16x8xf16, #ttg.dot_op<{opIdx = 1, parent = #ttg.nvidia_mma<"
      "{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = "
      "[16, 8]}>, kWidth = 2}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{l % 4 * 2 + (r & 1) + (r >= 2 ? 8 : 0), l / 4};
      });
  // PTX, wgmma.m64nNk16: accumulators of four warps.
  expectElements(
      "tensor<64x32xf32, #ttg.nvidia_mma<{versionMajor = 3, versionMinor = 0, "
      "warpsPerCTA = [4, 1], instrShape = [16, 32, 16]}>>",
      [](int64_t r, int64_t l, int64_t w) {
        return Coordinates{w * 16 + l / 4 + (r / 2 % 2) * 8,
                           r / 4 * 8 + l % 4 * 2 + (r & 1)};
      });
  // AMD, V_MFMA_F32_32X32 and V_MFMA_F32_16X16: results.
  expectElements(
      "tensor<32x32xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], "
      "instrShape = [32, 32, 8], isTransposed = false}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{r / 4 * 8 + l / 32 * 4 + r % 4, l % 32};
      });
  expectElements(
      "tensor<16x16xf32, #ttg.amd_mfma<{version = 3, warpsPerCTA = [1, 1], "
      "instrShape = [16, 16, 16], isTransposed = true}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{l % 16, l / 16 * 4 + r};
      });
  // As Triton up to 3.3 says it, of two dimensions.
  expectElements(
      "tensor<32x32xf32, #triton_gpu.amd_mfma<{versionMajor = 3, versionMinor "
      "= 0, warpsPerCTA = [1, 1], instrShape = [32, 32], isTransposed = "
      "true}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{l % 32, r / 4 * 8 + l / 32 * 4 + r % 4};
      });
  // AMD, V_WMMA of RDNA 3 and 4: results.
  expectElements(
      "tensor<16x16xf32, #ttg.amd_wmma<{version = 1, isTranspose = false, "
      "ctaLayout = {warp = []}, instrShape = [16, 16, 16]}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{2 * r + l / 16, l % 16};
      });
  expectElements(
      "tensor<16x16xf32, #ttg.amd_wmma<{version = 2, isTranspose = false, "
      "ctaLayout = {warp = []}, instrShape = [16, 16, 16]}>>",
      [](int64_t r, int64_t l, int64_t) {
        return Coordinates{r + l / 16 * 8, l % 16};
      });
  // A slice holds what its parent holds, without the dimension.
  expectElements(
      "tensor<16xf32, #ttg.slice<{dim = 1, parent = #ttg.nvidia_mma<"
      "{versionMajor = 2, versionMinor = 0, warpsPerCTA = [1, 1], instrShape = "
      "[16, 8]}>}>>",
      [](int64_t r, int64_t l, int64_t) { return Coordinates{l / 4 + r * 8}; });
}

TEST(Notation, MemoriesAreTheirFormulas) {
  const auto places = [](const std::string &text,
                         const std::function<int64_t(int64_t, int64_t)> &of) {
    const Layout memory = read(text);
    if (memory.inputs()[0].name != "offset") {
      memory.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
        EXPECT_EQ(v[0], of(p[0], p[1])) << text;
        return !::testing::Test::HasFailure();
      });
      return;
    }
    memory.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      EXPECT_EQ(p[0], of(v[0], v[1])) << text << " at " << v[0] << " " << v[1];
      return !::testing::Test::HasFailure();
    });
  };
  for (const int64_t vec : {1, 4, 8})
    for (const int64_t per : {1, 2})
      for (const int64_t most : {1, 4, 8})
        places(absl::StrCat("!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec "
                            "= ",
                            vec, ", perPhase = ", per, ", maxPhase = ", most,
                            ", order = [1, 0]}>, #smem>"),
               [&](int64_t r, int64_t c) {
                 return r * 64 + ((c / vec) ^ (r / per % most)) * vec + c % vec;
               });
  // The hardware's swizzle: chunks of 16 bytes, xor the row in its pattern.
  for (const auto &[bytes, per, most] :
       {std::tuple(128, 1, 8), std::tuple(64, 2, 4), std::tuple(32, 4, 2)}) {
    const int64_t width = bytes / 2;
    places(absl::StrCat("!ttg.memdesc<32x128xf16, #ttg.nvmma_shared<{"
                        "swizzlingByteWidth = ",
                        bytes,
                        ", transposed = false, elementBitWidth = 16}>, #smem>"),
           [&, per = per, most = most](int64_t r, int64_t c) {
             const int64_t chunk = c % width / 8 ^ (r / per % most);
             return c / width * (32 * width) + r * width + chunk * 8 + c % 8;
           });
  }
  places(
      "!ttg.memdesc<16x32xf32, #ttg.padded_shared<[32:+4, 128:+8] {order = "
      "[1, 0], shape = [16, 32]}>, #smem>",
      [](int64_t r, int64_t c) {
        const int64_t o = r * 32 + c;
        return o + o / 32 * 4 + o / 128 * 8;
      });
  const auto rotated = [](int64_t r) { return r / 2 % 4 ^ (r / 4 / 2 % 4); };
  places(
      "!ttg.memdesc<32x32xf16, #ttg.amd_rotating_shared<{vec = 4, perPhase "
      "= 2, maxPhase = 4, order = [1, 0]}>, #smem>",
      [&](int64_t r, int64_t c) {
        return r * 32 + ((c / 4) ^ rotated(r)) * 4 + c % 4;
      });
  // Three copies of a tile, which is not a power of two.
  const Layout stages = read(
      "!ttg.memdesc<3x8x16xf16, #ttg.swizzled_shared<{vec = 1, perPhase = 1, "
      "maxPhase = 1, order = [1, 0]}>, #smem>");
  stages.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
    EXPECT_EQ(p[0], v[0] * 128 + v[1] * 16 + v[2]);
    return true;
  });
}

TEST(Notation, ArraysAreTiledStepByStep) {
  RandomModes random(32);
  for (int n = 0; n < testing::instances(150); ++n) {
    Coordinates shape = {random.number(1, 20), random.number(1, 20)};
    const bool isRow = random.number(0, 1);
    const Coordinates tile = {random.number(1, 5), random.number(1, 7)};
    const int64_t second = random.number(0, 2);  // a second tile of (second, 1)
    std::string text =
        absl::StrCat("f32[", shape[0], ",", shape[1], "]{",
                     isRow ? "1,0" : "0,1", ":T(", tile[0], ",", tile[1], ")");
    if (second) text += absl::StrCat("(", second, ",1)");
    const Layout layout = read(text + "}");
    if (!isRow) std::swap(shape[0], shape[1]);
    const int64_t across = llvm::divideCeil(shape[1], tile[1]);
    const int64_t inner =
        second ? llvm::divideCeil(tile[0], second) * second : tile[0];
    layout.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
      const int64_t r = isRow ? p[0] : p[1], c = isRow ? p[1] : p[0];
      const int64_t block = r / tile[0] * across + c / tile[1];
      const int64_t y = r % tile[0], x = c % tile[1];
      const int64_t within =
          second ? (y / second * tile[1] + x) * second + y % second
                 : y * tile[1] + x;
      EXPECT_EQ(v[0], block * inner * tile[1] + within) << text;
      return true;
    });
  }
}

TEST(Notation, MapsMayHaveXor) {
  const Layout layout = read(
      "(d0, d1) -> (d0 * 8 + (d0 xor d1), (d0 xor 5) - d1 mod 3), domain: d0 "
      "in "
      "[0, 7], d1 in [0, 7]");
  layout.visit([&](llvm::ArrayRef<int64_t> p, llvm::ArrayRef<int64_t> v) {
    EXPECT_EQ(v[0], p[0] * 8 + (p[0] ^ p[1]));
    EXPECT_EQ(v[1], (p[0] ^ 5) - p[1] % 3);
    return true;
  });
  EXPECT_EQ(equal(read("(d0, d1) -> (d0 * 8 + (d0 xor d1)), domain: d0 in [0, "
                       "7], d1 in [0, 7]"),
                  read("Sw<3,0,3> o 0 o (8,8):(8,1)"))
                .answer,
            Answer::Yes);
}

TEST(Notation, ErrorsHaveAPlaceAndTheNotationsWords) {
  const std::pair<const char *, const char *> kWrong[] = {
      {"", "expected a layout"},
      {"(4,8):(1,2", "expected `)`"},
      {"(4,8):(1,(2,3))", "more parts than the shape"},
      {"(4,0):(1,4)", "a size is 1 or more"},
      {"4:99999999999999999999", "the number leaves 64 bits"},
      {"(4,8):(1,4) x", "expected the end of the layout"},
      {"Sw<3,4,2> o 0 o 64:1", "is below its 3 bits"},
      {"Sw<-1,0,3> o 0 o 64:1", "a swizzle has -1 bits"},
      {"(4,8):(1,4) as (lane) -> (offset)", "2 inputs, and 1 name"},
      {"(4,8):(1,4) as (a, a) -> (offset)", "a name stands twice"},
      {"complement((2,2):(1,1), 8)", "indices 1 and 2 have the offset 1"},
      {"complemnt(4:1, 8)", "there is no operation `complemnt`"},
      {"f32[3,10]{1,1}", "names the dimension 1 twice"},
      {"f32[3,10]{1,0:T(0,4)}", "a tile has sizes of 1 or more"},
      {"q32[3]", "is not a type of an element"},
      {"#ttg.blocked<{order = [0]}>", "an encoding alone has no shape"},
      {"tensor<16xf16>", "a tensor has a layout if its type has an encoding"},
      {"tensor<16xf16, #blocked>", "there is no encoding `#blocked`"},
      {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [3, 1], threadsPerWarp "
       "= [4, 8], warpsPerCTA = [4, 1], order = [1, 0]}>>",
       "3 in sizePerThread is not a power of two"},
      {"tensor<16x16xf16, #ttg.blocked<{sizePerThread = [1, 1], threadsPerWarp "
       "= [4, 8], warpsPerCTA = [4, 1], order = [1, 1]}>>",
       "order names the dimension 1 twice"},
      {"tensor<16xf16, #ttg.blocked<{sizePerThread = [4294967296], "
       "threadsPerWarp = [4294967296], warpsPerCTA = [1], order = [0]}>>",
       "a size of the layout leaves 64 bits"},
      {"tensor<16x32xf16, #ttg.blocked<{sizePerThread = [2147483648, 2], "
       "threadsPerWarp = [4, 8], warpsPerCTA = [2147483648, 1], order = [1, "
       "0]}>>",
       "a size of the layout leaves 64 bits"},
      {"tensor<16x16xf16, #ttg.amd_wmma<{version = 1, isTranspose = false, "
       "tilesPerWarp = [1073741824, 1], warpsPerCTA = [1073741824, 1], "
       "instrShape = [16, 16, 16]}>>",
       "a size of the layout leaves 64 bits"},
      {"tensor<16xf16, #ttg.blocked<{sizePerThread = [1152921504606846976], "
       "threadsPerWarp = [32], warpsPerCTA = [4], order = [0]}>>",
       "1152921504606846976 in sizePerThread is larger than 2^40"},
      {"tensor<12xf16, #ttg.blocked<{sizePerThread = [1], threadsPerWarp = "
       "[32], warpsPerCTA = [4], order = [0]}>>",
       "12 in the shape is not a power of two"},
      {"(d0) -> (d0 * d0), domain: d0 in [0, 3]", "one side is a number here"},
      {"(d0) -> (d1), domain: d0 in [0, 3]", "unknown variable `d1`"},
      {"(d0)[s0] -> (s0), domain: d0 in [0, 3]", "a layout is a function"},
      {"composition((2,2):(1,2), 4:-1)", "an index is 0 or more"},
      {"inverse(4:2)", "not all values of the box are reached"},
  };
  for (const auto &[text, message] : kWrong) {
    const auto layout = parseLayout(text);
    ASSERT_FALSE(layout.ok()) << text;
    EXPECT_NE(layout.status().message().find(message), std::string::npos)
        << text << ": " << layout.status();
    EXPECT_TRUE(placeOf(layout.status()).has_value()) << text;
  }
}

TEST(Notation, BrokenTextsEndInErrors) {
  const std::string whole =
      "composition(Sw<3,3,3> o 0 o (8,(4,2)):(64,(1,4)), "
      "inverse(!ttg.memdesc<16x64xf16, #ttg.swizzled_shared<{vec = 8, perPhase "
      "= 1, maxPhase = 8, order = [1, 0]}>, #smem>)) as (a) -> (b)";
  for (size_t cut = 0; cut < whole.size(); ++cut) {
    (void)parseLayout(whole.substr(0, cut));
    std::string without = whole;
    (void)parseLayout(without.erase(cut, 1));
    std::string other = whole;
    other[cut] = "(),:<>[]{}0o#-"[cut % 14];
    (void)parseLayout(other);
  }
}

/// The atoms of a map: how often a word of it stands there.
size_t lengthOf(const IndexingMap &map) {
  const std::string text = printMap(map, MapTextStyle::OneLine);
  size_t words = 0;
  for (size_t at = 0; (at = text.find("mod", at)) != std::string::npos; ++at)
    ++words;
  for (size_t at = 0; (at = text.find("floordiv", at)) != std::string::npos;
       ++at)
    ++words;
  return words;
}

// A sum mod 2 stays together: simplification keeps a parity as short as the
// form has it, and the map that it returns is read as the same form.
TEST(Notation, SimplifiedMapsKeepTheirParities) {
  testing::RandomModes random(68);
  for (int n = testing::instances(300); n > 0; --n) {
    const int64_t bits = random.number(1, 3), base = random.number(0, 3);
    const int64_t shift = random.number(bits, 4);
    const int64_t rows = int64_t{1} << random.number(1, 5);
    const int64_t columns = int64_t{1} << random.number(1, 6);
    const std::string text =
        absl::StrCat("Sw<", bits, ",", base, ",", shift, "> o 0 o (", rows, ",",
                     columns, "):(", columns, ",1)");
    const auto layout = parseLayout(text);
    ASSERT_TRUE(layout.ok()) << text << layout.status();
    const auto map = layout->map();
    ASSERT_TRUE(map.ok()) << text;
    const auto simple = simplify(*map);
    ASSERT_TRUE(simple.ok()) << text;
    EXPECT_LE(lengthOf(*simple), lengthOf(*map)) << text;
    const auto again = Layout::of(*simple, layout->inputs(), layout->outputs());
    ASSERT_TRUE(again.ok() && again->form()) << text;
    EXPECT_EQ(*again->form(), *layout->form()) << text;
  }
}

}  // namespace
}  // namespace indexical::layouts
