// The SVG of pictures whose texts are anything, and of sides of all lengths.
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/pictures/picture.h"

namespace indexical::testing {
namespace {

std::string svgOf(const std::string &name, int64_t columns = 3) {
  Picture picture;
  picture.title = name;
  picture.notes = {name};
  CellGrid grid;
  grid.title = grid.rowName = grid.columnName = name;
  grid.notes = {name};
  grid.rows = 2;
  grid.columns = columns;
  grid.rowLabel = [name](int64_t) { return name; };
  grid.cell = [name](int64_t row, int64_t column) {
    return Cell{Look::marked(row), std::to_string(column), name};
  };
  picture.bands.push_back({grid});
  picture.legend.push_back({Look::marked(1), name});
  std::string svg;
  llvm::raw_string_ostream os(svg);
  writeSvg(picture, os);
  os.flush();
  return svg;
}

size_t countOf(const std::string &text, const std::string &part) {
  size_t count = 0;
  for (size_t i = text.find(part); i != std::string::npos;
       i = text.find(part, i + 1))
    ++count;
  return count;
}

TEST(SvgTest, NamesAreText) {
  const std::string plain = svgOf("plain");
  for (const std::string &name :
       {std::string("</script><script>alert(1)</script>"),
        std::string("\"><img src=x onerror=y>"), std::string("]]>&lt;&"),
        std::string("'quoted'"), std::string("<!--"),
        std::string("a\u202eb\u2066c\u200f"), std::string("\x01\x07\x7f"),
        std::string("\xff\xfe\xc0"), std::string("\xef\xbf\xbe"),
        std::string("x\0y", 3), std::string(10000, 'x')}) {
    SCOPED_TRACE(name.substr(0, 40));
    const std::string svg = svgOf(name);
    for (const char *tag : {"<g", "</g>", "<rect", "<text", "</svg>"})
      if (name.size() < 100) {
        EXPECT_EQ(countOf(svg, tag), countOf(plain, tag)) << tag;
      }
    for (const char *never : {"<script", "<img", "<!--", "]]>"})
      EXPECT_EQ(countOf(svg, never), 0u) << never;
    EXPECT_EQ(countOf(svg, "<title>"), countOf(svg, "</title>"));
    for (char c : svg)
      ASSERT_TRUE(static_cast<unsigned char>(c) >= 0x20 || c == '\n');
  }
}

TEST(SvgTest, LongNamesAreWholeInTitlesAndCutInText) {
  const std::string name(10000, 'x');
  const std::string svg = svgOf(name);
  EXPECT_NE(svg.find("<title>" + name + "</title>"), std::string::npos);
  EXPECT_EQ(svg.find(std::string(300, 'x') + "</text>"), std::string::npos);
  EXPECT_NE(svg.find("…</text>"), std::string::npos);
}

TEST(SvgTest, LongSidesAreCut) {
  EXPECT_EQ(countOf(svgOf("n", 32), "<g class=\"ix-c ix-m ix-m0\">"), 32u);
  const std::string large = svgOf("n", 1'000'000'000);
  EXPECT_LT(countOf(large, "<g class=\"ix-c ix-m ix-m0\">"), 32u);
  EXPECT_NE(large.find(">999999999</text>"), std::string::npos);
}

}  // namespace
}  // namespace indexical::testing
