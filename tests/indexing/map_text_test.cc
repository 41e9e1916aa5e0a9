// Maps from text and to text, as formats.md, section 1, has it.
//
// Tables of text in and text out; parse(print(m)) == m for random maps and for
// every map of the benchmarks; broken text is refused at its place, and no text
// brings the parser down.
//
//   INDEXICAL_CORPUS=…/corpus    the benchmarks are in …/bench
#include "indexical/indexing/map_text.h"

#include <algorithm>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/map_builder.h"
#include "tests/support/corpus_files.h"
#include "tests/support/messages.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

IndexingMap parsed(const std::string &text) {
  auto map = parseMap(text);
  EXPECT_TRUE(map.ok()) << text << "\n" << messageOf(map.status());
  return map.ok() ? *map : IndexingMap::knownEmpty();
}

std::string oneLine(const std::string &text) {
  return parsed(text).strOneLine();
}

//===-- Printing ----------------------------------------------------------===//

const char kExample[] =
    "(d0, d1)[s0]{rt0} -> (d0 + rt0, d1, s0),\n"
    "domain:\n"
    "d0 in [0, 9],\n"
    "d1 in [0, 19],\n"
    "s0 in [0, 3],\n"
    "rt0 in [0, 26],\n"
    "d0 + s0 in [0, 10]";

TEST(MapTextTest, TheExample) {
  const IndexingMap map = parsed(kExample);
  EXPECT_EQ(map.str(), kExample);
  EXPECT_EQ(map.strOneLine(),
            "(d0, d1)[s0]{rt0} -> (d0 + rt0, d1, s0), domain: d0 in [0, 9], "
            "d1 in [0, 19], s0 in [0, 3], rt0 in [0, 26], d0 + s0 in [0, 10]");
  EXPECT_EQ(printMap(map, MapTextStyle::Attribute),
            "#xla.indexing_map<\"" + map.strOneLine() + "\">");
  EXPECT_FALSE(map.runtime()[0].clamped);
  EXPECT_EQ(map.runtime()[0].source.kind, RuntimeSource::Kind::None);
}

TEST(MapTextTest, MapsWithoutParts) {
  EXPECT_EQ(IndexingMap().str(), "() -> ()");
  EXPECT_EQ(parsed("() -> ()"), IndexingMap());
  EXPECT_EQ(parsed("()[]{} -> (), domain:"), IndexingMap());
  EXPECT_EQ(oneLine("() -> (3)"), "() -> (3)");
  EXPECT_EQ(oneLine("()[s0] -> (), domain: s0 in [0, 1]"),
            "()[s0] -> (), domain: s0 in [0, 1]");
  EXPECT_EQ(oneLine("(){rt0} -> (rt0), domain: rt0 in [0, 1]"),
            "(){rt0} -> (rt0), domain: rt0 in [0, 1]");
}

TEST(MapTextTest, EmptyMaps) {
  EXPECT_EQ(IndexingMap::knownEmpty().str(), "KNOWN EMPTY");
  EXPECT_EQ(printMap(IndexingMap::knownEmpty(), MapTextStyle::OneLine),
            "KNOWN EMPTY");
  EXPECT_EQ(printMap(IndexingMap::knownEmpty(), MapTextStyle::Attribute),
            "#xla.indexing_map<\"KNOWN EMPTY\">");
  EXPECT_TRUE(parsed("KNOWN EMPTY").isKnownEmpty());
  EXPECT_TRUE(parsed(" KNOWN\n EMPTY ").isKnownEmpty());
  EXPECT_TRUE(parsed("#xla.indexing_map<\"KNOWN EMPTY\">").isKnownEmpty());
  EXPECT_TRUE(parsed("(d0) -> (d0), domain: d0 in [3, 2]").isKnownEmpty());
  EXPECT_TRUE(
      parsed("(d0) -> (), domain: d0 in [0, 2], 3 in [4, 9]").isKnownEmpty());
  EXPECT_TRUE(parsed("(d0) -> (), domain: d0 in [0, 2], d0 * 2 in [4, 3]")
                  .isKnownEmpty());
}

/// Expressions of d0, d1 in [0, 9], s0 in [1, 9], rt0 in [0, 9], with the text
/// that they print.
const struct {
  const char *text, *printed;
} kExpressions[] = {
    {"0", "0"},
    {"-7", "-7"},
    {"--7", "7"},
    {"- 7", "-7"},
    {"d0", "d0"},
    {"(((d0)))", "d0"},
    {"-d0", "-d0"},
    {"--d0", "d0"},
    {"5 - d0", "-d0 + 5"},
    {"d0 - -5", "d0 + 5"},
    {"d0 + -5", "d0 - 5"},
    {"d1 - d0", "-d0 + d1"},
    {"d0 + d1 * -3", "d0 - d1 * 3"},
    {"d0 * -2 + 1", "d0 * -2 + 1"},
    {"2 * d0", "d0 * 2"},
    {"d0 + d0", "d0 * 2"},
    {"d0 - d0", "0"},
    {"d0 * 0", "0"},
    // Dimensions, ranges, runtime variables; digits behind their variable.
    {"rt0 + s0 + d1 + d0", "d0 + d1 + s0 + rt0"},
    {"d0 floordiv 4 + d0", "d0 + d0 floordiv 4"},
    {"d0 mod 2 + d0 floordiv 2", "d0 floordiv 2 + d0 mod 2"},
    // Divisions and what stands around them.
    {"-(d0 floordiv 2)", "-(d0 floordiv 2)"},
    {"-d0 floordiv 2", "(-d0) floordiv 2"},
    {"d1 - d0 floordiv 2", "-(d0 floordiv 2) + d1"},
    {"d0 - d1 floordiv 2", "d0 - d1 floordiv 2"},
    {"d0 - (d1 floordiv 2) * 3", "d0 - (d1 floordiv 2) * 3"},
    {"(d0 floordiv 4) mod 2", "(d0 floordiv 4) mod 2"},
    {"d0 floordiv 4 mod 2", "(d0 floordiv 4) mod 2"},
    {"d0 mod 8 floordiv 2", "(d0 mod 8) floordiv 2"},
    {"d0 * 2 mod 3", "(d0 * 2) mod 3"},
    {"d0 mod 3 * 2", "(d0 mod 3) * 2"},
    {"(d0 + d1) mod 3", "(d0 + d1) mod 3"},
    {"d0 + d1 mod 3", "d0 + d1 mod 3"},
    {"d0 floordiv -3", "(-d0) floordiv 3"},
    {"d0 floordiv -1", "-d0"},
    {"7 floordiv -3", "-3"},
    {"-1 floordiv 8", "-1"},
    {"-1 mod 8", "7"},
    {"d0 floordiv 1", "d0"},
    {"d0 mod 1", "0"},
    {"d0 ceildiv 4", "-((-d0) floordiv 4)"},
    {"7 ceildiv 2", "4"},
    {"-7 ceildiv 2", "-3"},
    {"d0 ceildiv -4", "-(d0 floordiv 4)"},
    {"d0 / 4", "d0 floordiv 4"},
    {"d0 % 4", "d0 mod 4"},
    {"d0 / 4 % 2 * 3", "((d0 floordiv 4) mod 2) * 3"},
    // Unknown sizes.
    {"d0 * d1", "d0 * d1"},
    {"d1 * d0", "d0 * d1"},
    {"d0 * d1 * 3", "(d0 * d1) * 3"},
    {"-(d0 * d1)", "-(d0 * d1)"},
    {"d0 floordiv s0", "d0 floordiv s0"},
    {"d0 mod s0", "d0 mod s0"},
    {"(d0 + 1) mod (s0 * 2)", "(d0 + 1) mod (s0 * 2)"},
    {"d0 ceildiv s0", "-((-d0) floordiv s0)"},
};

const char kExpressionDomain[] =
    "), domain: d0 in [0, 9], d1 in [0, 9], s0 in [1, 9], rt0 in [0, 9]";

TEST(MapTextTest, Expressions) {
  for (const auto &[text, printed] : kExpressions) {
    const IndexingMap map = parsed("(d0, d1)[s0]{rt0} -> (" +
                                   std::string(text) + kExpressionDomain);
    ASSERT_EQ(map.results().size(), 1u) << text;
    EXPECT_EQ(printExpression(map, map.results()[0]), printed) << text;
    EXPECT_EQ(map.str(map.results()[0]), printed) << text;
  }
}

TEST(MapTextTest, Values) {
  const struct {
    const char *text;
    int64_t d0, value;
  } kValues[] = {
      // A sign binds tighter than floordiv: it is the operand that is negated.
      {"-d0 floordiv 11", 5, -1},
      {"-(d0 floordiv 11)", 5, 0},
      {"-d0 mod 4", 1, 3},
      {"-5 floordiv 2", 0, -3},
      {"10 - d0 floordiv 2 * 3", 5, 4},
      {"d0 * 3 floordiv 2 * 2", 3, 8},
      {"2 - 3 - d0", 4, -5},
      {"d0 ceildiv 2", 5, 3},
      {"d0 ceildiv -2", 5, -2},
      {"d0 floordiv -2", 5, -3},
      {"(d0 - 9) / 4 * 10 + (d0 - 9) % 4", 4, -17},
  };
  for (const auto &[text, d0, value] : kValues) {
    const IndexingMap map =
        parsed("(d0) -> (" + std::string(text) + "), domain: d0 in [0, 9]");
    IndexingMap::Point point;
    point.dimensions = {d0};
    auto at = map.evaluate(point);
    ASSERT_TRUE(at && at->size() == 1) << text;
    EXPECT_EQ((*at)[0], value) << text;
  }
}

TEST(MapTextTest, ConstraintsAreSortedByTheirText) {
  EXPECT_EQ(oneLine("(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 9], "
                    "d1 * 3 + d0 in [0, 5], -d0 + d1 in [0, 5], "
                    "(d0 mod 4) in [1, 2], d1 mod 2 in [0, 0]"),
            "(d0, d1) -> (), domain: d0 in [0, 9], d1 in [0, 9], "
            "-d0 + d1 in [0, 5], d0 + d1 * 3 in [0, 5], d0 mod 4 in [1, 2], "
            "d1 mod 2 in [0, 0]");
  // In parentheses a variable alone is a constraint, not its bounds.
  EXPECT_EQ(oneLine("(d0) -> (), domain: d0 in [0, 9], (d0) in [1, 5]"),
            "(d0) -> (), domain: d0 in [0, 9], (d0) in [1, 5]");
}

TEST(MapTextTest, OpenBounds) {
  const std::string open =
      "(d0, d1) -> (d0), domain: d0 in [-inf, inf], "
      "d1 in [0, inf], d0 - d1 in [-inf, -1]";
  EXPECT_EQ(oneLine(open), open);
  const IndexingMap map = parsed(
      "(d0, d1) -> (d0), domain: "
      "d0 in [-9223372036854775808, 9223372036854775807], "
      "d1 in [0, 9223372036854775807], "
      "d0 - d1 in [-9223372036854775808, -1]");
  EXPECT_EQ(map, parsed(open));
  EXPECT_EQ(map.strOneLine(), open);
  EXPECT_EQ(oneLine("(d0) -> (), domain: "
                    "d0 in [-9223372036854775807, 9223372036854775806]"),
            "(d0) -> (), domain: "
            "d0 in [-9223372036854775807, 9223372036854775806]");
}

//===-- Other spellings ---------------------------------------------------===//

TEST(MapTextTest, OtherSpellings) {
  const std::string plain =
      "(d0, d1)[s0, s1] -> (d0 floordiv 4, d1 mod 8 + s0, s1), domain: "
      "d0 in [0, 9], d1 in [0, 7], s0 in [0, 3], s1 in [0, 1], "
      "d0 + d1 in [0, 5]";
  const char *const kTexts[] = {
      // White space is free.
      "(d0,d1)[s0,s1]->(d0 floordiv 4,d1 mod 8+s0,s1),domain:d0 in[0,9],"
      "d1 in[0,7],s0 in[0,3],s1 in[0,1],d0+d1 in[0,5]",
      "\n\n(d0,\td1)\n[s0, s1]\n->\n(d0 floordiv\n4, d1 mod 8 + s0,\n s1)\n,\n"
      "domain:\nd0\nin\n[0,\n9],d1 in [0, 7],s0 in [0, 3],\r\ns1 in [0, 1],"
      "d0 + d1 in [0, 5]\n\n",
      // No commas, as in the document; `/` and `%`; an empty group.
      "(d0, d1)[s0, s1]{} -> (d0 / 4, d1 % 8 + s0, s1)\ndomain:\nd0 in [0, 9]\n"
      "d1 in [0, 7]\ns0 in [0, 3]\ns1 in [0, 1]\nd0 + d1 in [0, 5]\n",
      // Bounds in any order, constraints between them.
      "(d0, d1)[s0, s1] -> (d0 / 4, d1 % 8 + s0, s1), domain: s1 in [0, 1], "
      "d0 + d1 in [-4, 5], d0 in [0, 9], s0 in [0, 3], d0 + d1 in [0, 7], "
      "d1 in [0, 7]",
      // Comment lines, and what older dumps say at the end.
      "// a map\n# of XLA\n(d0, d1)[s0, s1] -> (d0 / 4, d1 % 8 + s0, s1),\n"
      "// its domain\ndomain: d0 in [0, 9], d1 in [0, 7], s0 in [0, 3],\n"
      "s1 in [0, 1], d0 + d1 in [0, 5], is_simplified: true",
      // Attributes of several ages.
      "#xla.indexing_map<\"(d0, d1)[s0, s1] -> (d0 floordiv 4, d1 mod 8 + s0, "
      "s1), domain: d0 in [0, 9], d1 in [0, 7], s0 in [0, 3], s1 in [0, 1], "
      "d0 + d1 in [0, 5]\">",
      "#xla_gpu.indexing_map<(d0, d1)[s0, s1] -> (d0 floordiv 4, d1 mod 8 + "
      "s0, s1), domain: d0 in [0, 9], d1 in [0, 7], s0 in [0, 3], "
      "s1 in [0, 1], d0 + d1 in [0, 5], is_simplified: false>",
      // Any names.
      "(th_x, bl.x)[batch, in_1] -> (th_x / 4, bl.x % 8 + batch, in_1), "
      "domain: th_x in [0, 9], bl.x in [0, 7], batch in [0, 3], "
      "in_1 in [0, 1], th_x + bl.x in [0, 5]",
  };
  const IndexingMap map = parsed(plain);
  for (const char *text : kTexts) EXPECT_EQ(parsed(text), map) << text;
}

// If a constraint is given twice, both bounds hold.
TEST(MapTextTest, EqualConstraintsMerge) {
  EXPECT_EQ(oneLine("(d0) -> (), domain: d0 in [0, 9], d0 * 2 in [0, 8], "
                    "d0 + d0 in [4, 16]"),
            "(d0) -> (), domain: d0 in [0, 9], d0 * 2 in [4, 8]");
}

TEST(MapTextTest, NamesAreKept) {
  const std::string text =
      "(th_x, d7, s0)[chunk_id, d0]{start} -> (th_x + d7, s0 + start, "
      "chunk_id - d0), domain: th_x in [0, 31], d7 in [0, 9], s0 in [0, 9], "
      "chunk_id in [0, 3], d0 in [0, 1], start in [0, 2]";
  EXPECT_EQ(oneLine(text), text);
  EXPECT_EQ(parsed("(d0) -> (d0), domain: d0 in [0, 1]"),
            parsed("(batch) -> (batch), domain: batch in [0, 1]"));
}

TEST(MapTextTest, Files) {
  auto texts = [](const std::string &file) {
    std::vector<std::string> texts;
    auto maps = parseMaps(file);
    EXPECT_TRUE(maps.ok()) << file << "\n" << messageOf(maps.status());
    if (maps.ok())
      for (const IndexingMap &map : *maps) texts.push_back(map.strOneLine());
    return texts;
  };
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts(""), Texts());
  EXPECT_EQ(texts("\n// nothing\n# here\n// -----\n"), Texts());
  const std::string a = "(d0) -> (d0), domain: d0 in [0, 1]";
  const std::string b = "()[s0] -> (s0), domain: s0 in [2, 3]";
  const std::string c = "() -> ()";
  EXPECT_EQ(texts(a + "\n// -----\n" + b), (Texts{a, b}));
  EXPECT_EQ(texts(a + "\n" + b + "\n" + c), (Texts{a, b, c}));
  EXPECT_EQ(texts(c + c + " " + a + b), (Texts{c, c, a, b}));
  EXPECT_EQ(texts("KNOWN EMPTY\n" + a + "\nKNOWN EMPTY"),
            (Texts{"KNOWN EMPTY", a, "KNOWN EMPTY"}));
  EXPECT_EQ(texts("# name: one\n" + a + "\n# name: two\n" + b + "\n// end"),
            (Texts{a, b}));
  EXPECT_EQ(texts("#xla.indexing_map<\"" + a + "\">\n#xla.indexing_map<\"" + b +
                  "\">"),
            (Texts{a, b}));
  EXPECT_EQ(texts("() -> (), domain:\n" + a), (Texts{c, a}));
}

//===-- Round trips -------------------------------------------------------===//

void expectRoundTrip(const IndexingMap &map, const std::string &where) {
  for (MapTextStyle style :
       {MapTextStyle::Lines, MapTextStyle::OneLine, MapTextStyle::Attribute}) {
    const std::string text = printMap(map, style);
    auto again = parseMap(text);
    ASSERT_TRUE(again.ok()) << where << "\n"
                            << text << "\n"
                            << messageOf(again.status());
    EXPECT_EQ(*again, map) << where << "\n" << text << "\n" << again->str();
    EXPECT_EQ(printMap(*again, style), text) << where;
  }
}

TEST(MapTextTest, RandomMapsComeBack) {
  MapOptions options;
  options.mostRuntime = 2;
  options.mostConstraints = 3;
  options.openDimensions = true;
  for (uint64_t seed = 1; seed <= 3000; ++seed) {
    Random random(seed);
    options.depth = random.in(0, 5);
    options.semiAffine = random.oneIn(3);
    const MapParts parts = randomParts(random, options);
    const IndexingMap map = parts.build();
    const std::string where = "seed " + std::to_string(seed);
    expectRoundTrip(map, where);
    // The text of the parts, which is not simplified, gives the same map.
    EXPECT_EQ(parsed(parts.text()), map) << where << "\n" << parts.text();
  }
}

// The text has everything but sources and hidden variables.
TEST(MapTextTest, SourcesAndHiddenVariablesAreNotInTheText) {
  MapOptions options;
  options.mostRuntime = 3;
  options.sources = true;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const IndexingMap map = randomMap(random, options);
    const IndexingMap again = parsed(map.str());
    EXPECT_EQ(again.str(), map.str());
    EXPECT_EQ(again.runtime().size(), map.visibleRuntimeCount());
    EXPECT_EQ(again.results(), map.results()) << "seed " << seed;
    EXPECT_EQ(again.constraints(), map.constraints()) << "seed " << seed;
  }
}

TEST(MapTextTest, BenchmarksComeBack) {
  const auto files = corpusFiles("../bench");
  if (files.empty())
    GTEST_SKIP() << "INDEXICAL_CORPUS does not name a corpus beside the "
                    "benchmarks: their maps are not read";
  size_t count = 0;
  for (const CorpusFile &file : files) {
    auto maps = parseMaps(textOf(file));
    ASSERT_TRUE(maps.ok()) << file.path << ":" << messageOf(maps.status());
    for (const IndexingMap &map : *maps) expectRoundTrip(map, file.name);
    count += maps->size();
  }
  EXPECT_GT(count, 100u);
}

//===-- Errors ------------------------------------------------------------===//

const struct {
  const char *text, *message, *suggestion;
} kErrors[] = {
    {"", "1:1: expected `(` before the dimension variables, but the text ends",
     ""},
    {"(d0, d1) -> (d0 + d7), domain: d0 in [0, 1], d1 in [0, 1]",
     "1:19: unknown variable `d7`", ""},
    {"(batch) -> (\n  bath), domain: batch in [0, 1]",
     "2:3: unknown variable `bath`", "batch"},
    {"(d0) -> (zzz), domain: d0 in [0, 1]", "1:10: unknown variable `zzz`", ""},
    {"(d0) -> (d0), domain: d1 in [0, 1]", "1:23: unknown variable `d1`", ""},
    // Divisors.
    {"(d0) -> (d0 mod 0), domain: d0 in [0, 1]",
     "1:17: the divisor of `mod` must be positive, and is 0", ""},
    {"(d0) -> (d0 mod -4), domain: d0 in [0, 1]",
     "1:17: the divisor of `mod` must be positive, and is -4", ""},
    {"(d0) -> (d0 % (2 - 2)), domain: d0 in [0, 1]",
     "1:15: the divisor of `mod` must be positive, and is 0", ""},
    {"(d0) -> (d0 floordiv 0), domain: d0 in [0, 1]", "1:22: division by zero",
     ""},
    {"(d0) -> (d0 / 0), domain: d0 in [0, 1]", "1:15: division by zero", ""},
    {"(d0) -> (d0 ceildiv (d0 - d0)), domain: d0 in [0, 1]",
     "1:21: division by zero", ""},
    {"(d0)[s0] -> (d0 mod s0), domain: d0 in [0, 1], s0 in [0, 4]",
     "1:21: the divisor of `mod` must be positive on the domain", ""},
    {"(d0)[s0] -> (d0 mod s0), domain: d0 in [0, 1], s0 in [-4, -1]",
     "1:21: the divisor of `mod` must be positive on the domain", ""},
    {"(d0)[s0] -> (d0 floordiv s0), domain: d0 in [0, 1], s0 in [-1, 4]",
     "1:26: the divisor can be zero on the domain", ""},
    {"(d0)[s0] -> (), domain: d0 in [0, 1], s0 in [0, 4],\n"
     "d0 ceildiv (s0 * 2) in [0, 1]",
     "2:12: the divisor can be zero on the domain", ""},
    // Names and bounds.
    {"(d0, d1) -> (d0), domain: d0 in [0, 1]",
     "1:6: the domain gives no bounds for `d1`", ""},
    {"(d0) -> (d0)", "1:2: the domain gives no bounds for `d0`", ""},
    {"(d0)[s0] -> (), domain:\nd0 in [0, 1],\ns0 in [0, 1],\nd0 in [0, 2]",
     "4:1: the bounds of `d0` are given twice", ""},
    {"(d0, d0) -> ()", "1:6: the variable `d0` is declared twice", ""},
    {"(d0)[d0] -> ()", "1:6: the variable `d0` is declared twice", ""},
    {"(mod) -> ()", "1:2: `mod` cannot be the name of a variable", ""},
    {"(d0, ) -> ()", "1:6: expected the name of a variable", ""},
    {"(0) -> ()", "1:2: expected the name of a variable", ""},
    // Parts that are not closed, or missing.
    {"(d0 -> ()", "1:5: expected `)` or `,` after the name of a variable", ""},
    {"(d0) (d0)", "1:6: expected `->` after the variables", ""},
    {"(d0) -> d0", "1:9: expected `(` before the results", ""},
    {"(d0) -> (d0",
     "1:12: expected `)` or `,` after a result, but the text "
     "ends",
     ""},
    {"(d0) -> ((d0 + 1), domain: d0 in [0, 1]",
     "1:20: unknown variable `domain`", ""},
    {"(d0) -> (d0 d0)", "1:13: expected `)` or `,` after a result", ""},
    {"(d0) -> (d0 +), domain: d0 in [0, 1]", "1:14: expected an expression",
     ""},
    {"(d0) -> (* 2)", "1:10: expected an expression", ""},
    {"(d0) -> (d0), d0 in [0, 1]", "1:15: expected `domain:` after the results",
     ""},
    {"(d0) -> (d0), domain: d0 in 0, 1",
     "1:29: expected `[` before the lower bound", ""},
    {"(d0) -> (d0), domain: d0 in [0; 1]",
     "1:31: expected `,` between the bounds", ""},
    {"(d0) -> (d0), domain: d0 in [0, 1)",
     "1:34: expected `]` after the upper bound", ""},
    {"(d0) -> (d0), domain: d0 in [0, x]", "1:33: expected an integer", ""},
    {"(d0) -> (d0), domain: d0 [0, 1]",
     "1:26: expected `in` and an interval after the expression", ""},
    {"(d0) -> (d0), domain: d0 in [0, 1] x", "1:36: unknown variable `x`", ""},
    {"() -> () x", "1:10: unexpected text after the map", ""},
    {"() -> ()\n\n  () -> ()", "3:3: unexpected text after the map", ""},
    {"KNOWN", "1:6: expected `EMPTY` after `KNOWN`, but the text ends", ""},
    {"#xla.index_map<\"() -> ()\">",
     "1:2: expected an attribute `#xla.indexing_map<\"…\">`", ""},
    {"#xla.indexing_map<\"() -> ()>", "1:28: expected `\"` after the map", ""},
    {"#xla.indexing_map<\"() -> ()\"",
     "1:29: expected `>` after the map, but the text ends", ""},
    // 64 bits.
    {"() -> (9223372036854775808)", "1:8: the integer does not fit in 64 bits",
     ""},
    {"(d0) -> (), domain: d0 in [-9223372036854775809, 0]",
     "1:29: the integer does not fit in 64 bits", ""},
    {"() -> (99999999999999999999999999)",
     "1:8: the integer does not fit in 64 bits", ""},
    {"() -> (4611686018427387904 + 4611686018427387904)",
     "1:28: the constant leaves the range of 64-bit integers", ""},
    {"(d0) -> (d0 * 4611686018427387904 * 4), domain: d0 in [0, 0]",
     "1:35: the constant leaves the range of 64-bit integers", ""},
    {"() -> (-9223372036854775808)",
     "1:8: the constant leaves the range of 64-bit integers", ""},
    {"(d0) -> (1, d0 * 4611686018427387904), domain: d0 in [0, 4]",
     "1:13: the expression can leave the range of 64-bit integers on its "
     "domain",
     ""},
    {"(d0) -> (1), domain: d0 in [0, 4], d0 * 4611686018427387904 in [0, 1]",
     "1:36: the expression can leave the range of 64-bit integers on its "
     "domain",
     ""},
    {"(d0)[s0] -> (d0 * s0), domain: d0 in [0, 4294967296], "
     "s0 in [0, 4294967296]",
     "1:14: the expression can leave the range of 64-bit integers on its "
     "domain",
     ""},
};

TEST(MapTextTest, Errors) {
  for (const auto &[text, message, suggestion] : kErrors) {
    auto map = parseMap(text);
    ASSERT_FALSE(map.ok()) << text << "\n" << map->str();
    EXPECT_EQ(messageOf(map.status()), message) << text;
    EXPECT_EQ(suggestionOf(map.status()), suggestion) << text;
    EXPECT_EQ(map.status().code(), absl::StatusCode::kInvalidArgument);
  }
}

TEST(MapTextTest, ErrorsInFilesHaveThePlaceInTheFile) {
  auto error = [](const char *text) {
    return messageOf(parseMaps(text).status());
  };
  EXPECT_EQ(error("() -> ()\n// -----\n\n  (d0) -> (d1), domain: d0 in [0, 1]"),
            "4:12: unknown variable `d1`");
  EXPECT_EQ(error("() -> () (d0) -> (d1), domain: d0 in [0, 1]"),
            "1:19: unknown variable `d1`");
  EXPECT_EQ(error("() -> ()\nnonsense"),
            "2:1: expected `(` before the dimension variables");
}

//===-- Text that nobody means --------------------------------------------===//

std::string repeated(const std::string &text, int count) {
  std::string all;
  for (int i = 0; i < count; ++i) all += text;
  return all;
}

TEST(MapTextTest, DeepNesting) {
  const std::string domain = "), domain: d0 in [0, 1]";
  auto map = parseMap("(d0) -> (" + repeated("(", 10000) + "d0" +
                      repeated(")", 10000) + domain);
  ASSERT_FALSE(map.ok());
  EXPECT_EQ(messageOf(map.status()),
            "1:510: the expression is nested more than 500 levels deep");
  EXPECT_FALSE(parseMap("(d0) -> (" + repeated("(", 10000)).ok());
  EXPECT_FALSE(parseMap(repeated("(", 10000)).ok());
  EXPECT_TRUE(parseMap("(d0) -> (" + repeated("(", 400) + "d0" +
                       repeated(")", 400) + domain)
                  .ok());
  // Long, not deep.
  EXPECT_TRUE(
      parseMap("(d0) -> (" + repeated("-", 10000) + "d0" + domain).ok());
  EXPECT_TRUE(
      parseMap("(d0) -> (d0" + repeated(" + 3 - d0", 10000) + domain).ok());
  EXPECT_TRUE(parseMap("(d0) -> (d0" + repeated(", d0", 10000) + domain).ok());
  // Each division stands on the one before it.
  for (const char *step :
       {" floordiv 2", " mod 7 floordiv 2", " ceildiv 3", " * d0"}) {
    auto chain = parseMap("(d0) -> (d0" + repeated(step, 100000) + domain);
    EXPECT_FALSE(chain.ok()) << step;
    parseMap("(d0) -> (d0" + repeated(step, 200) + domain).IgnoreError();
  }
}

const char kAllOfIt[] =
    "#xla.indexing_map<\"(d0, th_x)[s0, s1]{rt0} -> (-(d0 floordiv 8) + 3, "
    "((th_x * -4 + s0) mod 16) * 2, d0 ceildiv (s1 + 1), rt0 % 5 / 2), "
    "domain: d0 in [-5, 9], th_x in [0, inf], s0 in [0, 3], s1 in [1, 3], "
    "rt0 in [-9223372036854775808, 7], d0 + s0 in [0, 10], "
    "(th_x + 3) mod 8 in [0, 0]\">";

/// Texts of every length around that of the printer's buffer, and long ones.
TEST(MapTextTest, TextsOfAnyLength) {
  for (int count = 1; count <= 130; ++count) {
    for (size_t length : {size_t{1}, size_t{7}, size_t{700}}) {
      if (length == 700 && count > 4) continue;
      IndexingMapBuilder b;
      std::string names, results, domain;
      for (int k = 0; k < count; ++k) {
        std::string name = "v" + std::to_string(k);
        name.resize(std::max(name.size(), length), 'x');
        const Expr v = b.dimension({-k, 1000000 + k}, name);
        b.result(v * 10 - k);
        const std::string gap = k == 0 ? "" : ", ";
        names += gap + name;
        results += gap + name + " * 10";
        if (k > 0) results += " - " + std::to_string(k);
        domain += ", ";
        if (k == 0) domain += "domain: ";
        domain += name + " in [" + std::to_string(-k) + ", " +
                  std::to_string(1000000 + k) + "]";
      }
      auto map = b.build();
      ASSERT_TRUE(map.ok());
      ASSERT_EQ(printMap(*map, MapTextStyle::OneLine),
                "(" + names + ") -> (" + results + ")" + domain);
    }
  }
}

TEST(MapTextTest, EveryTruncationIsRefused) {
  const std::string text = kAllOfIt;
  ASSERT_TRUE(parseMap(text).ok()) << messageOf(parseMap(text).status());
  for (size_t end = 0; end < text.size(); ++end) {
    auto map = parseMap(text.substr(0, end));
    EXPECT_FALSE(map.ok()) << text.substr(0, end);
    auto place = placeOf(map.status());
    ASSERT_TRUE(place.has_value()) << text.substr(0, end);
    EXPECT_EQ(place->line, 1u);
    EXPECT_LE(place->column, end + 1);
    parseMaps(text.substr(end)).IgnoreError();
  }
}

TEST(MapTextTest, RandomBytes) {
  const std::string parts[] = {"(",  ")",   "[",        "]",    "{",    "}",
                               "->", ",",   "domain:",  "in",   "d0",   "s0",
                               "-",  "+",   "*",        "mod",  "%",    "/",
                               "0",  "inf", "floordiv", "\"",   ">",    "#",
                               "\n", "//",  "KNOWN",    "9223", "\xff", "\0x"};
  for (uint64_t seed = 1; seed <= 30000; ++seed) {
    Random random(seed);
    std::string text = kAllOfIt;
    for (int64_t changes = random.in(1, 6); changes > 0; --changes) {
      const size_t at = random.in(0, text.size() - 1);
      const std::string &part = parts[random.in(0, std::size(parts) - 1)];
      switch (random.in(0, 3)) {
        case 0:
          text[at] = static_cast<char>(random.in(0, 255));
          break;
        case 1:
          text.insert(at, part);
          break;
        case 2:
          text.erase(at, random.in(1, 20));
          break;
        default:
          text.replace(at, part.size(), part);
          break;
      }
      if (text.empty()) text = "(";
    }
    auto map = parseMap(text);
    if (map.ok()) {
      auto again = parseMap(map->str());
      ASSERT_TRUE(again.ok()) << "seed " << seed << "\n" << text;
      EXPECT_EQ(*again, *map) << "seed " << seed << "\n" << text;
    } else {
      EXPECT_FALSE(map.status().message().empty());
    }
  }
}

}  // namespace
}  // namespace indexical::testing
