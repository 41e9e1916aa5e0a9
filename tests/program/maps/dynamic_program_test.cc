// Programs of sizes that are not known, against the same programs of sizes that
// are: the dynamic maps, at those sizes, are the static ones.
//
//   r = f32[?] dynamic-reshape(p, m)
//   at ? = 8: f32[8] dynamic-reshape(p, m)
//
//   INDEXICAL_PROGRAMS=10000   more programs
#include <algorithm>
#include <cstdlib>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/refine.h"
#include "tests/support/program_reads.h"
#include "tests/support/random.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

/// A size: a number times symbols, or a sum of such.
struct Size {
  std::map<std::vector<int>, int64_t> terms;

  static Size number(int64_t value) { return Size{{{{}, value}}}; }
  static Size symbol(int i) { return Size{{{{i}, 1}}}; }
  bool isNumber() const {
    return terms.size() == 1 && terms.begin()->first.empty();
  }
  int64_t at(llvm::ArrayRef<int64_t> symbols) const {
    int64_t sum = 0;
    for (const auto &[product, coefficient] : terms) {
      int64_t value = coefficient;
      for (int i : product) value *= symbols[i];
      sum += value;
    }
    return sum;
  }
  friend Size operator+(Size a, const Size &b) {
    for (const auto &[product, coefficient] : b.terms)
      a.terms[product] += coefficient;
    return a;
  }
  friend Size operator*(const Size &a, const Size &b) {
    Size result;
    for (const auto &[p, c] : a.terms)
      for (const auto &[q, e] : b.terms) {
        std::vector<int> product = p;
        product.insert(product.end(), q.begin(), q.end());
        std::sort(product.begin(), product.end());
        result.terms[product] += c * e;
      }
    return result;
  }
  bool operator==(const Size &o) const { return terms == o.terms; }
};

using Sizes = std::vector<Size>;

struct Array {
  std::string name;
  Sizes sizes;
};

constexpr int kSymbols = 3;

/// No tensor of a program has a larger size.
constexpr int64_t kMostOfRange = 200;

/// One program, written with sizes or without.
class Writer {
 public:
  explicit Writer(Random &random) : random_(random) {
    for (int64_t p = random.in(1, 3); p > 0; --p) {
      Sizes sizes;
      for (int64_t k = random.in(1, 3); k > 0; --k)
        sizes.push_back(random.oneIn(3)
                            ? Size::number(random.in(1, 3))
                            : Size::symbol(random.in(0, kSymbols - 1)));
      add(sizes, absl::StrCat("parameter(", parameters++, ")"), "p");
      isParameter.push_back(true);
    }
    for (int64_t i = random.in(1, 6); i > 0; --i) addOp();
  }

  /// The text with these values of the symbols, or with unknown sizes.
  std::string text(std::optional<std::vector<int64_t>> symbols) const {
    std::string out =
        "HloModule m\n\nsum {\n  a = f32[] parameter(0)\n  b = f32[] "
        "parameter(1)\n  ROOT r = f32[] add(a, b)\n}\n\nENTRY e {\n"
        "  zero = f32[] constant(0)\n";
    for (size_t i = 0; i < lines_.size(); ++i) {
      const Line &line = lines_[i];
      std::vector<std::string> sizes;
      for (const Size &size : line.sizes)
        sizes.push_back(size.isNumber() || symbols
                            ? absl::StrCat(size.at(
                                  symbols ? *symbols : std::vector<int64_t>()))
                            : "?");
      absl::StrAppend(&out, i + 1 == lines_.size() ? "  ROOT " : "  ",
                      line.name, " = ", line.type, "[",
                      absl::StrJoin(sizes, ","), "] ", line.op, "\n");
    }
    return out + "}\n";
  }

  int parameters = 0;
  std::vector<bool> isParameter;
  /// Values of the parameters that are start indices, by parameter.
  std::map<int, int64_t> starts;

 private:
  struct Line {
    std::string name, type;
    Sizes sizes;
    std::string op;
  };

  std::string write(const std::string &type, const Sizes &sizes,
                    const std::string &op, const std::string &prefix) {
    std::string name = absl::StrCat(prefix, lines_.size());
    lines_.push_back({name, type, sizes, op});
    return name;
  }
  void add(const Sizes &sizes, const std::string &op,
           const std::string &prefix = "x") {
    arrays_.push_back({write("f32", sizes, op, prefix), sizes});
  }
  const Array &any() { return arrays_[random_.in(0, arrays_.size() - 1)]; }
  /// One that is used later too, so that most of a program matters.
  Array last() { return random_.oneIn(3) ? any() : arrays_.back(); }

  /// The instruction that computes a size of the array.
  std::string computed(const Array &a, int64_t k) {
    return write(
        "s32", {},
        absl::StrCat("get-dimension-size(", a.name, "), dimensions={", k, "}"),
        "n");
  }
  std::string times(const std::string &a, const std::string &b) {
    return write("s32", {}, absl::StrCat("multiply(", a, ", ", b, ")"), "n");
  }

  void addOp() {
    const Array a = last();
    const int64_t rank = a.sizes.size();
    switch (random_.in(0, 9)) {
      case 0:
        return add(a.sizes, absl::StrCat("negate(", a.name, ")"));
      case 1:
        for (const Array &b : arrays_)
          if (b.name != a.name && b.sizes == a.sizes)
            return add(a.sizes,
                       absl::StrCat("add(", a.name, ", ", b.name, ")"));
        return add(a.sizes, absl::StrCat("add(", a.name, ", ", a.name, ")"));
      case 2: {
        Sizes sizes;
        std::vector<int64_t> order;
        for (int64_t k = 0; k < rank; ++k)
          order.insert(order.begin() + random_.in(0, order.size()), k);
        for (int64_t k : order) sizes.push_back(a.sizes[k]);
        return add(sizes, absl::StrCat("transpose(", a.name, "), dimensions={",
                                       absl::StrJoin(order, ","), "}"));
      }
      case 3:
        if (rank == 0) return;
        return add(a.sizes, absl::StrCat("reverse(", a.name, "), dimensions={",
                                         random_.in(0, rank - 1), "}"));
      case 4:
        return concatenate(a);
      case 5:
        return reshape(a);
      case 6: {
        if (rank == 0) return;
        Sizes sizes = a.sizes;
        const int64_t k = random_.in(0, rank - 1);
        sizes.erase(sizes.begin() + k);
        return add(sizes,
                   absl::StrCat("reduce(", a.name, ", zero), dimensions={", k,
                                "}, to_apply=sum"));
      }
      case 7:
        return pad(a);
      case 8: {
        Sizes sizes = a.sizes;
        std::vector<int64_t> dimensions;
        const int64_t added = random_.in(0, rank);
        sizes.insert(sizes.begin() + added, Size::number(random_.in(1, 3)));
        for (int64_t k = 0; k < rank; ++k)
          dimensions.push_back(k + (k >= added));
        if (rank > 3) return;
        return add(sizes, absl::StrCat("broadcast(", a.name, "), dimensions={",
                                       absl::StrJoin(dimensions, ","), "}"));
      }
      default:
        return dynamicSlice(a);
    }
  }

  void concatenate(const Array &a) {
    if (a.sizes.empty()) return;
    const int64_t k = random_.in(0, a.sizes.size() - 1);
    for (const Array &b : arrays_) {
      bool fits = b.sizes.size() == a.sizes.size();
      for (size_t j = 0; fits && j < a.sizes.size(); ++j)
        fits = static_cast<int64_t>(j) == k || a.sizes[j] == b.sizes[j];
      if (!fits || random_.oneIn(3)) continue;
      Sizes sizes = a.sizes;
      sizes[k] = sizes[k] + b.sizes[k];
      return add(sizes, absl::StrCat("concatenate(", a.name, ", ", b.name,
                                     "), dimensions={", k, "}"));
    }
  }

  /// Two neighbours become one, or a product of symbols is cut anew.
  void reshape(const Array &a) {
    const int64_t rank = a.sizes.size();
    if (rank < 2) return;
    const int64_t k = random_.in(0, rank - 2);
    Sizes sizes;
    std::vector<std::string> operands = {a.name};
    std::vector<std::string> sizesOf;
    for (int64_t j = 0; j < rank; ++j) sizesOf.push_back(computed(a, j));
    // [.., a, b, ..] to [.., a * b, ..], or to [.., b, a, ..].
    const bool merges = random_.oneIn(2);
    for (int64_t j = 0; j < rank; ++j) {
      if (j == k && merges) {
        sizes.push_back(a.sizes[j] * a.sizes[j + 1]);
        operands.push_back(times(sizesOf[j], sizesOf[j + 1]));
        ++j;
      } else if (j == k) {
        sizes.push_back(a.sizes[j + 1]);
        sizes.push_back(a.sizes[j]);
        operands.push_back(sizesOf[j + 1]);
        operands.push_back(sizesOf[j]);
        ++j;
      } else {
        sizes.push_back(a.sizes[j]);
        operands.push_back(sizesOf[j]);
      }
    }
    add(sizes,
        absl::StrCat("dynamic-reshape(", absl::StrJoin(operands, ", "), ")"));
  }

  void pad(const Array &a) {
    if (a.sizes.empty()) return;
    Sizes sizes;
    std::vector<std::string> text;
    for (const Size &size : a.sizes) {
      const int64_t low = random_.in(0, 2), high = random_.in(0, 2);
      sizes.push_back(size + Size::number(low + high));
      text.push_back(absl::StrCat(low, "_", high));
    }
    for (Size &size : sizes)
      if (size.terms.count({}) && size.terms[{}] == 0)
        size.terms.erase(std::vector<int>());
    add(sizes, absl::StrCat("pad(", a.name,
                            ", zero), padding=", absl::StrJoin(text, "x")));
  }

  void dynamicSlice(const Array &a) {
    if (a.sizes.empty()) return;
    Sizes sizes;
    std::vector<std::string> operands = {a.name};
    std::vector<int64_t> numbers;
    for (size_t k = 0; k < a.sizes.size(); ++k) {
      starts[parameters] = random_.in(-1, 4);
      operands.push_back(
          write("s32", {}, absl::StrCat("parameter(", parameters++, ")"), "i"));
      // No size is 0.
      numbers.push_back(1);
      sizes.push_back(Size::number(1));
    }
    add(sizes, absl::StrCat("dynamic-slice(", absl::StrJoin(operands, ", "),
                            "), dynamic_slice_sizes={",
                            absl::StrJoin(numbers, ","), "}"));
  }

  Random &random_;
  std::vector<Line> lines_;
  std::vector<Array> arrays_;
};

/// Returns the points of the relation, with the sources' shapes and values
/// taken from `at` and `writer`.
absl::StatusOr<RelationPoints> pointsAt(const IndexingRelation &relation,
                                        const ProgramIndexing &maps,
                                        const Module &at, const Writer &writer,
                                        const ArrayShape &from,
                                        const ArrayShape &to) {
  std::vector<ArrayShape> shapes;
  OperandValues values;
  const Computation &entry = at.computations[at.entry];
  for (const IndexingMap &piece : relation.pieces())
    for (const RuntimeVariable &variable : piece.runtime()) {
      const size_t tensor = variable.source.tensor;
      if (shapes.size() <= tensor) {
        shapes.resize(tensor + 1);
        values.resize(tensor + 1);
      }
      const Instruction &source =
          entry.instructions[maps.value(tensor).instruction];
      shapes[tensor] = shapesOf(source.op).results[0];
      auto start = writer.starts.find(source.parameterNumber);
      if (start != writer.starts.end()) values[tensor] = {start->second};
    }
  return pointsWithin(relation, from.dimensions, to.dimensions,
                      {shapes, values, kMostOfRange, /*strict=*/true});
}

class Comparison {
 public:
  int64_t exact = 0, covers = 0;

  /// Returns what is wrong, or "" if nothing is.
  std::string check(const Writer &writer,
                    const std::vector<std::vector<int64_t>> &instances) {
    const Program open = parsed(writer.text(std::nullopt));
    if (open.modules.empty()) return "refused";
    const Module &module = open.modules[0];
    ProgramIndexing maps(module);
    for (const std::vector<int64_t> &symbols : instances) {
      const Program closed = parsed(writer.text(symbols));
      if (closed.modules.empty()) return "the static program is refused";
      std::string problem = checkAt(module, maps, closed.modules[0], writer);
      if (problem.empty())
        problem = checkRefined(module, closed.modules[0], writer);
      if (!problem.empty())
        return absl::StrCat("at ", absl::StrJoin(symbols, ", "), ": ", problem);
    }
    return "";
  }

 private:
  /// The open program, refined to the sizes of the static one, has its maps.
  std::string checkRefined(const Module &module, const Module &known,
                           const Writer &writer) {
    const Computation &entry = known.computations[known.entry];
    std::vector<KnownArgument> arguments;
    for (int32_t parameter : entry.parameters)
      arguments.push_back(
          {shapesOf(entry.instructions[parameter].op).results[0], {}});
    auto refinedModule = refined(module, module.entry, arguments);
    if (!refinedModule.ok()) return refinedModule.status().ToString();
    ProgramIndexing maps(*refinedModule), knownMaps(known);
    for (int32_t p = 0; p < writer.parameters; ++p)
      for (Direction direction : {kReads, kUsers}) {
        auto found = maps.computation(refinedModule->entry, LeafId(0),
                                      ParameterLeaf{p}, direction);
        auto expected = knownMaps.computation(known.entry, LeafId(0),
                                              ParameterLeaf{p}, direction);
        if (!found.ok()) return found.status().ToString();
        if (!expected.ok()) return expected.status().ToString();
        if (textOf(*found) != textOf(*expected))
          return absl::StrCat("refined, parameter ", p, ": ", textOf(*found),
                              "\n", textOf(*expected));
      }
    return "";
  }

  std::string checkAt(const Module &module, ProgramIndexing &maps,
                      const Module &known, const Writer &writer) {
    ProgramIndexing knownMaps(known);
    const Computation &entry = known.computations[known.entry];
    const ArrayShape &root =
        shapesOf(entry.instructions[entry.root].op).results[0];
    for (int32_t p = 0; p < writer.parameters; ++p)
      for (Direction direction : {kReads, kUsers}) {
        const ArrayShape &parameter =
            shapesOf(entry.instructions[entry.parameters[p]].op).results[0];
        const bool down = direction == kReads;
        const ArrayShape &from = down ? root : parameter;
        const ArrayShape &to = down ? parameter : root;
        auto dynamic = maps.computation(module.entry, LeafId(0),
                                        ParameterLeaf{p}, direction);
        auto fixed = knownMaps.computation(known.entry, LeafId(0),
                                           ParameterLeaf{p}, direction);
        if (!dynamic.ok()) return dynamic.status().ToString();
        if (!fixed.ok()) return fixed.status().ToString();
        auto found = pointsAt(*dynamic, maps, known, writer, from, to);
        auto expected = pointsAt(*fixed, knownMaps, known, writer, from, to);
        if (!found.ok()) return found.status().ToString();
        if (!expected.ok()) return expected.status().ToString();
        const bool isExact = dynamic->precision() == Precision::Exact;
        ++(isExact ? exact : covers);
        const bool good =
            isExact && fixed->precision() == Precision::Exact
                ? found->pairs == expected->pairs
                : std::includes(found->pairs.begin(), found->pairs.end(),
                                expected->pairs.begin(), expected->pairs.end());
        if (!good)
          return absl::StrCat("parameter ", p, down ? " down" : " up",
                              " differs: ", found->pairs.size(), " and ",
                              expected->pairs.size(), " pairs\n",
                              textOf(*dynamic), "\n", textOf(*fixed));
      }
    return "";
  }
};

int64_t programs() {
  const char *text = std::getenv("INDEXICAL_PROGRAMS");
  return text ? std::strtoll(text, nullptr, 10) : 300;
}

TEST(DynamicProgramTest, MapsAtSizesAreThoseOfTheSizes) {
  Comparison comparison;
  int failures = 0;
  for (int64_t seed = 1; seed <= programs() && failures < 3; ++seed) {
    Random random(seed);
    const Writer writer(random);
    std::vector<std::vector<int64_t>> instances;
    for (int i = 0; i < 20; ++i) {
      instances.emplace_back();
      for (int s = 0; s < kSymbols; ++s)
        instances.back().push_back(random.in(1, 3));
    }
    const std::string problem = comparison.check(writer, instances);
    if (problem.empty()) continue;
    ++failures;
    ADD_FAILURE() << "seed " << seed << ": " << problem << "\n"
                  << writer.text(std::nullopt);
  }
  std::cout << comparison.exact << " exact, " << comparison.covers
            << " covers\n";
}

/// Without the lines of sources.
std::string mapsOf(const std::string &text, int32_t parameter = 0) {
  return reads("HloModule m\n\nENTRY e {\n" + text + "}\n", parameter);
}

TEST(DynamicProgramTest, ShapeComputationsAreFollowed) {
  EXPECT_EQ(mapsOf("  p = f32[?,4] parameter(0)\n"
                   "  n = s32[] get-dimension-size(p), dimensions={0}\n"
                   "  four = s32[] constant(4)\n"
                   "  m = s32[] multiply(n, four)\n"
                   "  ROOT r = f32[?] dynamic-reshape(p, m)\n"),
            "exact:\n  (d0){rt0} -> (d0 floordiv 4, d0 mod 4), domain: d0 in "
            "[0, inf], rt0 in [1, inf], d0 - rt0 * 4 in [-inf, -1]\n"
            "  rt0: e.p");
}

TEST(DynamicProgramTest, EqualSizesAreOneVariable) {
  // The sizes of q are those of p, since both are added.
  EXPECT_EQ(mapsOf("  p = f32[?] parameter(0)\n"
                   "  q = f32[?] parameter(1)\n"
                   "  n = f32[?] negate(q)\n"
                   "  ROOT r = f32[?] add(p, n)\n",
                   1),
            "exact:\n  (d0){rt0} -> (d0), domain: d0 in [0, inf], rt0 in [1, "
            "inf], d0 - rt0 in [-inf, -1]\n  rt0: e.p");
}

// Within the body the sizes of both leaves are one, and yet each is kept.
TEST(DynamicProgramTest, LoopsKeepTheSizesOfTheirLeaves) {
  for (const bool first : {true, false}) {
    const std::string read =
        reads(std::string("HloModule m\n"
                          "more { s = (f32[?], f32[?]) parameter(0)\n"
                          "  ROOT c = pred[] constant(true) }\n"
                          "step { s = (f32[?], f32[?]) parameter(0)\n"
                          "  a = f32[?] get-tuple-element(s), index=0\n"
                          "  b = f32[?] get-tuple-element(s), index=1\n"
                          "  z = f32[?] add(a, b)\n"
                          "  ROOT t = (f32[?], f32[?]) tuple(z, b) }\n"
                          "ENTRY e { p = f32[?] parameter(0)\n"
                          "  q = f32[?] parameter(1)\n"
                          "  y = f32[?] parameter(2)\n"
                          "  t = (f32[?], f32[?]) tuple(p, q)\n"
                          "  w = (f32[?], f32[?]) while(t), condition=more, "
                          "body=step\n"
                          "  x = f32[?] get-tuple-element(w), index=") +
                  (first ? "0" : "1") +
                  "\n  ROOT r = f32[?] concatenate(x, y), dimensions={0} }",
              2);
    EXPECT_NE(read.find("(d0 - rt0)"), std::string::npos) << read;
    EXPECT_NE(read.find(first ? "rt0: e.p" : "rt0: e.q"), std::string::npos)
        << read;
  }
}

TEST(DynamicProgramTest, SizesThatContradictAreRefused) {
  for (const char *text :
       {"e { p = f32[<=4] parameter(0) q = f32[8] parameter(1)\n"
        "ROOT r = f32[8] add(p, q) }",
        "e { p = f32[3,?] parameter(0) q = f32[?,5] parameter(1)\n"
        "ROOT r = f32[4,?] concatenate(p, q), dimensions={1} }"}) {
    auto program = parseHlo(text);
    EXPECT_FALSE(program.ok()) << text;
  }
}

/// A size that is the difference of two elements is not 0.
TEST(RefineTest, WhatIsUnknownOfTwoTensorsIsNotOne) {
  const Program program = parsed(
      "HloModule m\n\nENTRY e {\n"
      "  p = f32[?] parameter(0)\n"
      "  a = s32[] parameter(1)\n"
      "  b = s32[] parameter(2)\n"
      "  m = s32[] parameter(3)\n"
      "  n = s32[] subtract(a, b)\n"
      "  ROOT r = f32[?,?] dynamic-reshape(p, n, m)\n}\n");
  const Module &module = program.modules[0];
  const KnownArgument number{ArrayShape(ElementType::S32, {}), {}};
  const KnownArgument p{ArrayShape(ElementType::F32, {3}), {}};
  auto open = refined(module, module.entry, {p, number, number, number});
  ASSERT_TRUE(open.ok()) << open.status();
  const Computation &entry = open->computations[open->entry];
  EXPECT_TRUE(hasOpenSizes(shapesOf(entry.instructions[entry.root].op)));
  KnownArgument five = number, two = number, one = number;
  five.values = {5};
  two.values = {2};
  one.values = {1};
  auto known = refined(module, module.entry, {p, five, two, one});
  ASSERT_TRUE(known.ok()) << known.status();
  const Computation &closed = known->computations[known->entry];
  EXPECT_EQ(shapesOf(closed.instructions[closed.root].op).results[0].str(),
            "f32[3,1]");
}

// Each call has a computation of its own then: all of them move in memory while
// values that later calls are passed are still asked for.
TEST(RefineTest, ManyCallsInARow) {
  std::string text =
      "HloModule m\n\nadds {\n  x = s32[] parameter(0)\n"
      "  y = s32[] parameter(1)\n  ROOT a = s32[] add(x, y)\n}\n\n"
      "ENTRY e {\n  p = f32[<=90] parameter(0)\n"
      "  v0 = s32[] get-dimension-size(p), dimensions={0}\n"
      "  one = s32[] constant(1)\n";
  constexpr int kCalls = 40;
  for (int k = 0; k < kCalls; ++k)
    text += absl::StrCat("  n", k, " = s32[] add(v", k, ", one)\n  v", k + 1,
                         " = s32[] call(n", k, ", v0), to_apply=adds\n");
  text += absl::StrCat("  ROOT r = s32[] add(v", kCalls, ", one)\n}\n");
  const Program program = parsed(text);
  const Module &module = program.modules[0];
  auto known = refined(module, module.entry,
                       {KnownArgument{ArrayShape(ElementType::F32, {7}), {}}});
  ASSERT_TRUE(known.ok()) << known.status();
  const Computation &entry = known->computations[known->entry];
  int calls = 0;
  for (const Instruction &instruction : entry.instructions)
    calls += instruction.op.is<CallOp>();
  EXPECT_EQ(calls, kCalls);
}

TEST(RefineTest, WhatDoesNotFitIsRefused) {
  const Program program = parsed(
      "HloModule m\n\nENTRY e {\n"
      "  p = f32[?,4] parameter(0)\n"
      "  q = f32[?,<=8] parameter(1)\n"
      "  ROOT r = f32[?,4] add(p, q)\n}\n");
  const Module &module = program.modules[0];
  auto f32 = [](llvm::ArrayRef<int64_t> sizes) {
    return KnownArgument{ArrayShape(ElementType::F32, sizes), {}};
  };
  EXPECT_TRUE(refined(module, module.entry, {f32({3, 4}), f32({3, 4})}).ok());
  for (const std::vector<KnownArgument> &arguments :
       {std::vector<KnownArgument>{f32({3, 4})},
        {f32({3, 5}), f32({3, 4})},
        {f32({3}), f32({3, 4})},
        {f32({3, 4}), f32({3, 9})},
        {f32({3, 4}), f32({2, 4})},
        {f32({3, 4}), f32({3, 5})}})
    EXPECT_FALSE(refined(module, module.entry, arguments).ok());
}

}  // namespace
}  // namespace indexical::testing
