// Sizes that ops of MLIR's dialects make equal are one variable, and the maps
// that have it are those of the same functions with numbers for sizes.
//
//   %r = linalg.add ins(%a, %b : tensor<[m]x[n]xf32>, tensor<[m]x[n]xf32>) …
//
// stands for `tensor<?x?xf32>`, and for `tensor<2x3xf32>` beside it. Both are
// asked what they read, at all sizes from 0 to 3: the open one with the sizes
// of the other.
#include <map>
#include <set>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringExtras.h"

#include "tests/import/stablehlo/imported.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using Sizes = std::map<char, int64_t>;

/// `[m]` of a type is `?`, or its number; `[%m]` is the scalar %m, or that.
std::string written(std::string text, const Sizes *sizes) {
  for (size_t at; (at = text.find('[')) != std::string::npos;) {
    const size_t end = text.find(']', at);
    std::string what = text.substr(at + 1, end - at - 1);
    if (sizes)
      what = std::to_string(sizes->at(what.back()));
    else if (what[0] != '%')
      what = "?";
    text.replace(at, end - at + 1, what);
  }
  // Brackets of the syntax itself.
  for (char &c : text) c = c == '{' ? '[' : c == '}' ? ']' : c;
  std::string out;
  for (char c : text) out += c == '\x01' ? '{' : c == '\x02' ? '}' : c;
  return out;
}

/// A function of the body; the body has `{`, `}` for brackets and `$(`, `$)`
/// for braces.
std::string function(const std::string &signature, const std::string &body,
                     const Sizes *sizes) {
  std::string text = "func.func @f" + signature + " $(\n" + body + "\n$)\n";
  for (size_t at; (at = text.find("$(")) != std::string::npos;)
    text.replace(at, 2, "\x01");
  for (size_t at; (at = text.find("$)")) != std::string::npos;)
    text.replace(at, 2, "\x02");
  return written(text, sizes);
}

/// Sizes are those of the function with numbers, scalars are named like them,
/// and other elements are alike in both.
class SizedWorld : public World {
 public:
  SizedWorld(const ProgramIndexing &maps, const Computation &open,
             const Computation &known, const Sizes &sizes)
      : World(1), maps_(maps), open_(open), known_(known), sizes_(sizes) {}

  std::optional<int64_t> value(const RuntimeVariable &variable,
                               llvm::ArrayRef<int64_t> index) const override {
    const Value &of = maps_.value(variable.source.tensor);
    if (variable.source.kind != RuntimeSource::Kind::Size)
      return element(variable.source.tensor, index);
    const int32_t i = known_.find(open_.instructions[of.instruction].name);
    EXPECT_GE(i, 0);
    if (i < 0) return std::nullopt;
    return shapesOf(known_.instructions[i].op)
        .results[of.result]
        .dimensions[variable.source.dimension];
  }
  std::optional<int64_t> element(int64_t tensor,
                                 llvm::ArrayRef<int64_t> index) const override {
    const Instruction &i = open_.instructions[maps_.value(tensor).instruction];
    if (i.name.size() == 1 && sizes_.count(i.name[0]) && index.empty())
      return sizes_.at(i.name[0]);
    int64_t sum = 0;
    for (int64_t k : index) sum = sum * 3 + k;
    return sum % 3;
  }

 private:
  const ProgramIndexing &maps_;
  const Computation &open_, &known_;
  const Sizes &sizes_;
};

std::vector<Pair> allPairs(const IndexingRelation &relation,
                           const World &world) {
  std::set<Pair> all;
  for (const IndexingMap &piece : relation.pieces())
    for (const Pair &pair : pairsOf(piece, world, {0, 12})) all.insert(pair);
  return {all.begin(), all.end()};
}

struct Case {
  const char *name;
  std::string signature, body;
  size_t variables;  ///< different sources of sizes and scalars, in all maps
};

std::string chain(int length) {
  std::string body, last = "%a";
  for (int n = 0; n < length; ++n) {
    const std::string next = "%v" + std::to_string(n);
    body += next + " = linalg.add ins(" + last +
            ", %b : tensor<[m]x[n]xf32>, tensor<[m]x[n]xf32>) "
            "outs(%a : tensor<[m]x[n]xf32>) -> tensor<[m]x[n]xf32>\n";
    last = next;
  }
  return body + "return " + last + " : tensor<[m]x[n]xf32>";
}

const char kTwo[] =
    "(%a: tensor<[m]x[n]xf32>, %b: tensor<[m]x[n]xf32>) -> "
    "tensor<[m]x[n]xf32>";

std::vector<Case> cases() {
  return {
      {"a chain", kTwo, chain(6), 2},
      {"a product",
       "(%a: tensor<[m]x[k]xf32>, %b: tensor<[k]x[n]xf32>, "
       "%c: tensor<[m]x[n]xf32>) -> tensor<[m]x[n]xf32>",
       "%r = linalg.matmul ins(%a, %b : tensor<[m]x[k]xf32>, "
       "tensor<[k]x[n]xf32>) outs(%c : tensor<[m]x[n]xf32>) -> "
       "tensor<[m]x[n]xf32>\nreturn %r : tensor<[m]x[n]xf32>",
       3},
      {"a sum",
       "(%a: tensor<[m]x[n]xf32>, %b: tensor<[n]xf32>) -> "
       "tensor<[n]xf32>",
       "%r = linalg.reduce ins(%a : tensor<[m]x[n]xf32>) outs(%b : "
       "tensor<[n]xf32>) dimensions = {0} (%x: f32, %y: f32) $( %z = "
       "arith.addf %x, %y : f32 linalg.yield %z : f32 $)\n"
       "return %r : tensor<[n]xf32>",
       2},
      {"a transpose",
       "(%a: tensor<[m]x[n]xf32>, %b: tensor<[n]x[m]xf32>) -> "
       "tensor<[n]x[m]xf32>",
       "%r = linalg.transpose ins(%a : tensor<[m]x[n]xf32>) outs(%b : "
       "tensor<[n]x[m]xf32>) permutation = {1, 0}\n"
       "return %r : tensor<[n]x[m]xf32>",
       2},
      {"rows by number",
       "(%a: tensor<[m]x[n]xf32>, %i: tensor<[b]x1xindex>) -> "
       "tensor<[b]x[n]xf32>",
       "%r = tensor.gather %a{%i} gather_dims({0}) : "
       "(tensor<[m]x[n]xf32>, tensor<[b]x1xindex>) -> tensor<[b]x[n]xf32>\n"
       "return %r : tensor<[b]x[n]xf32>",
       4},
      {"rows written by number",
       "(%s: tensor<1x[n]xf32>, %a: tensor<[m]x[n]xf32>, %i: "
       "tensor<1x1xindex>) -> tensor<[m]x[n]xf32>",
       "%r = tensor.scatter %s into %a{%i} scatter_dims({0}) unique : "
       "(tensor<1x[n]xf32>, tensor<[m]x[n]xf32>, tensor<1x1xindex>) -> "
       "tensor<[m]x[n]xf32>\nreturn %r : tensor<[m]x[n]xf32>",
       3},
      {"a slice written",
       "(%s: tensor<1x[n]xf32>, %a: tensor<[m]x[n]xf32>, %n: index) -> "
       "tensor<[m]x[n]xf32>",
       "%r = tensor.insert_slice %s into %a{0, 0} {1, [%n]} {1, 1} : "
       "tensor<1x[n]xf32> into tensor<[m]x[n]xf32>\n"
       "return %r : tensor<[m]x[n]xf32>",
       4},
      {"a slice", "(%a: tensor<[m]x4xf32>, %n: index) -> tensor<[n]x4xf32>",
       "%r = tensor.extract_slice %a{1, 0} {[%n], 4} {1, 1} : "
       "tensor<[m]x4xf32> to tensor<[n]x4xf32>\n"
       "return %r : tensor<[n]x4xf32>",
       2},
      {"groups apart",
       "(%a: tensor<[m]x6xf32>, %b: tensor<[m]x2x3xf32>) -> "
       "tensor<[m]x2x3xf32>",
       "%z = tensor.collapse_shape %b {{0}, {1, 2}} : "
       "tensor<[m]x2x3xf32> into tensor<[m]x6xf32>\n"
       "%y = linalg.add ins(%a, %z : tensor<[m]x6xf32>, tensor<[m]x6xf32>) "
       "outs(%a : tensor<[m]x6xf32>) -> tensor<[m]x6xf32>\n"
       "%x = stablehlo.add %y, %a : tensor<[m]x6xf32>\n"
       "%r = linalg.copy ins(%b : tensor<[m]x2x3xf32>) outs(%b : "
       "tensor<[m]x2x3xf32>) -> tensor<[m]x2x3xf32>\n"
       "return %r : tensor<[m]x2x3xf32>",
       1},
      {"a new tensor", "(%a: tensor<[m]x[n]xf32>) -> tensor<[m]x[n]xf32>",
       "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n"
       "%d = tensor.dim %a, %c0 : tensor<[m]x[n]xf32>\n"
       "%e = tensor.dim %a, %c1 : tensor<[m]x[n]xf32>\n"
       "%o = tensor.empty(%d, %e) : tensor<?x?xf32>\n"
       "%c = tensor.cast %o : tensor<?x?xf32> to tensor<[m]x[n]xf32>\n"
       "%r = linalg.exp ins(%a : tensor<[m]x[n]xf32>) outs(%c : "
       "tensor<[m]x[n]xf32>) -> tensor<[m]x[n]xf32>\n"
       "return %r : tensor<[m]x[n]xf32>",
       2},
  };
}

TEST(SizeTermsTest, OneVariableForOneSize) {
  for (const Case &each : cases()) {
    SCOPED_TRACE(each.name);
    const std::string text = function(each.signature, each.body, nullptr);
    const Program program = imported(text);
    ASSERT_FALSE(program.modules.empty());
    const Computation &open = computationOf(program, "f");
    ProgramIndexing maps(program.modules[0]);
    const int32_t c = program.modules[0].find("f");
    std::set<std::pair<int64_t, int64_t>> sources;
    std::vector<IndexingRelation> reads;
    for (size_t p = 0; p < open.parameters.size(); ++p) {
      auto relation =
          maps.computation(ComputationId(c), LeafId(0), ParameterLeaf{p},
                           Direction::OutputToInput);
      ASSERT_TRUE(relation.ok()) << relation.status();
      for (const IndexingMap &piece : relation->pieces())
        for (const RuntimeVariable &v : piece.runtime())
          sources.insert({v.source.tensor, v.source.dimension});
      reads.push_back(*std::move(relation));
    }
    std::string names;
    for (const auto &[tensor, dimension] : sources)
      names += open.instructions[maps.value(tensor).instruction].name.str() +
               " " + std::to_string(dimension) + "; ";
    int compared = 0;
    for (int64_t n = 0; n < 256; ++n) {
      const Sizes sizes = {
          {'m', n % 4}, {'n', n / 4 % 4}, {'k', n / 16 % 4}, {'b', n / 64}};
      const std::string fixed = function(each.signature, each.body, &sizes);
      auto parsed = importMlir(fixed, "fixed.mlir");
      if (!parsed.ok()) continue;  // such as a slice that does not fit
      ++compared;
      const Computation &known = computationOf(*parsed, "f");
      ProgramIndexing knownMaps(parsed->modules[0]);
      const SizedWorld world(maps, open, known, sizes);
      const SizedWorld knownWorld(knownMaps, known, known, sizes);
      for (size_t p = 0; p < open.parameters.size(); ++p) {
        auto expected =
            knownMaps.computation(parsed->modules[0].find("f"), LeafId(0),
                                  ParameterLeaf{p}, Direction::OutputToInput);
        ASSERT_TRUE(expected.ok()) << expected.status();
        // A scalar that is written as a number is not read.
        if (shapesOf(open.instructions[open.parameters[p]].op)
                .results[0]
                .isScalar())
          continue;
        EXPECT_EQ(difference(allPairs(*expected, knownWorld),
                             allPairs(reads[p], world)),
                  "")
            << "parameter " << p << " at\n"
            << fixed;
      }
      if (HasFatalFailure()) return;
    }
    EXPECT_GT(compared, 8);
    EXPECT_EQ(sources.size(), each.variables) << names;
  }
}

TEST(SizeTermsTest, LongChainsHaveTwoVariables) {
  const Program program = imported(function(kTwo, chain(240), nullptr));
  ASSERT_FALSE(program.modules.empty());
  ProgramIndexing maps(program.modules[0]);
  auto reads = maps.computation(program.modules[0].find("f"), LeafId(0),
                                ParameterLeaf{0}, Direction::OutputToInput);
  ASSERT_TRUE(reads.ok()) << reads.status();
  ASSERT_EQ(reads->pieces().size(), 1u);
  EXPECT_EQ(reads->pieces()[0].runtime().size(), 2u);
  EXPECT_EQ(reads->pieces()[0].constraints().size(), 2u);
}

}  // namespace
}  // namespace indexical::testing
