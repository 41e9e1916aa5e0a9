// Maxima and minima of floats as reductions: written in several ways, with
// mistakes, against a run on numbers with NaN, both zeros and infinities.
//
//   max over j of x[i, j], begun with init
//     body max(x, before) or max(before, x), dimensions in either order, in
//     tiles one after the other, as a vector, as HLO's reduce
//
// maximumf gives NaN where a number is NaN, and takes 0 for more than -0.
// maxnumf gives the other number, and either zero. With equal terms all runs
// agree.
#include <cmath>
#include <cstdint>
#include <iostream>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int64_t kRows = 3, kColumns = 6;
constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");

const char *const kOps[] = {"maximumf", "minimumf", "maxnumf", "minnumf"};
const std::pair<const char *, float> kInits[] = {{"0xFF800000", -kInf},
                                                 {"0x7F800000", kInf},
                                                 {"0.0", 0.0F},
                                                 {"-0.0", -0.0F},
                                                 {"0x7FC00000", kNan}};

struct Reduction {
  std::string op = kOps[0];
  int64_t init = 0;  ///< of kInits
  // How it is written: 0 a linalg.generic, 1 with the loops turned, 2 in tiles
  // of what is reduced, 3 in tiles of rows the last of which is smaller, 4 a
  // vector, 5 HLO.
  int64_t form = 0, tile = 2;
  bool isSwapped = false;  ///< the body has what was before first
};

float combined(const std::string &op, float a, float b) {
  const bool isMost = op == "maximumf" || op == "maxnumf";
  if (std::isnan(a) || std::isnan(b)) {
    if (op == "maximumf" || op == "minimumf") return kNan;
    return std::isnan(a) ? b : a;
  }
  if (a == b) {
    const bool isNegative = isMost ? std::signbit(a) && std::signbit(b)
                                   : std::signbit(a) || std::signbit(b);
    return a == 0 ? (isNegative ? -0.0F : 0.0F) : a;
  }
  return (a < b) == isMost ? b : a;
}

std::vector<float> run(const Reduction &reduction,
                       const std::vector<float> &x) {
  std::vector<float> made;
  for (int64_t i = 0; i < kRows; ++i) {
    float all = kInits[reduction.init].second;
    for (int64_t j = 0; j < kColumns; ++j)
      all = combined(reduction.op, all, x[i * kColumns + j]);
    made.push_back(all);
  }
  return made;
}

/// Whether both are what an execution may give. Of a number that is either zero
/// the sign says nothing.
bool agree(const Reduction &reduction, float a, float b) {
  if (std::isnan(a) || std::isnan(b)) return std::isnan(a) && std::isnan(b);
  const bool isEither = reduction.op == "maxnumf" || reduction.op == "minnumf";
  return a == b && (isEither || std::signbit(a) == std::signbit(b));
}

std::string replaced(std::string text, const std::string &what,
                     const std::string &by) {
  for (size_t at = 0; (at = text.find(what, at)) != std::string::npos;
       at += by.size())
    text.replace(at, what.size(), by);
  return text;
}

std::string reduceText(const std::string &x, const std::string &rows,
                       const std::string &columns, const std::string &out,
                       bool isTurned) {
  const std::string type = "tensor<" + rows + "x" + columns + "xf32>",
                    line = "tensor<" + rows + "xf32>";
  return "linalg.generic {indexing_maps = [affine_map<" +
         std::string(isTurned ? "(d0, d1) -> (d1, d0)>, affine_map<(d0, d1) -> "
                                "(d1)>], iterator_types = [\"reduction\", "
                                "\"parallel\"]}"
                              : "(d0, d1) -> (d0, d1)>, affine_map<(d0, d1) -> "
                                "(d0)>], iterator_types = [\"parallel\", "
                                "\"reduction\"]}") +
         " ins(" + x + " : " + type + ") outs(" + out + " : " + line +
         ") {\n^bb0(%p: f32, %o: f32):\n  %t = arith.OP BODY : f32\n"
         "  linalg.yield %t : f32\n} -> " +
         line + "\n";
}

std::string textOf(const Reduction &reduction) {
  const std::string init = kInits[reduction.init].first;
  if (reduction.form == 5)
    return replaced(
        replaced("HloModule m\nr {\n  a = f32[] parameter(0)\n"
                 "  b = f32[] parameter(1)\n  ROOT m = f32[] OP(BODY)\n}\n"
                 "ENTRY e {\n  x = f32[3,6] parameter(0)\n"
                 "  i = f32[] constant(INIT)\n  ROOT o = f32[3] reduce(x, i), "
                 "dimensions={1}, to_apply=r\n}\n",
                 "OP", reduction.op == "maximumf" ? "maximum" : "minimum"),
        "BODY", reduction.isSwapped ? "b, a" : "a, b");
  std::string text =
      "func.func @main(%x: tensor<3x6xf32>) -> tensor<3xf32> {\n"
      "  %z = arith.constant " +
      init +
      " : f32\n  %e = tensor.empty() : tensor<3xf32>\n"
      "  %f = linalg.fill ins(%z : f32) outs(%e : tensor<3xf32>) -> "
      "tensor<3xf32>\n  %c0 = arith.constant 0 : index\n"
      "  %c3 = arith.constant 3 : index\n  %c6 = arith.constant 6 : index\n"
      "  %by = arith.constant " +
      std::to_string(reduction.tile) + " : index\n";
  const std::string tile = std::to_string(reduction.tile);
  if (reduction.form < 2) {
    text += "  %r = " + reduceText("%x", "3", "6", "%f", reduction.form == 1);
  } else if (reduction.form == 2) {
    text +=
        "  %r = scf.for %i = %c0 to %c6 step %by iter_args(%a = %f) -> "
        "(tensor<3xf32>) {\n  %n = affine.min affine_map<(d0) -> (" +
        tile +
        ", 6 - d0)>(%i)\n  %s = tensor.extract_slice %x[0, %i] [3, %n] [1, 1] "
        ": tensor<3x6xf32> to tensor<3x?xf32>\n  %u = " +
        reduceText("%s", "3", "?", "%a", false) +
        "  scf.yield %u : tensor<3xf32>\n  }\n";
  } else if (reduction.form == 3) {
    text +=
        "  %r = scf.for %i = %c0 to %c3 step %by iter_args(%a = %f) -> "
        "(tensor<3xf32>) {\n  %n = affine.min affine_map<(d0) -> (" +
        tile +
        ", 3 - d0)>(%i)\n  %s = tensor.extract_slice %x[%i, 0] [%n, 6] [1, 1] "
        ": tensor<3x6xf32> to tensor<?x6xf32>\n"
        "  %q = tensor.extract_slice %a[%i] [%n] [1] : tensor<3xf32> to "
        "tensor<?xf32>\n  %u = " +
        reduceText("%s", "?", "6", "%q", true) +
        "  %v = tensor.insert_slice %u into %a[%i] [%n] [1] : tensor<?xf32> "
        "into tensor<3xf32>\n  scf.yield %v : tensor<3xf32>\n  }\n";
  } else {
    text +=
        "  %v = vector.transfer_read %x[%c0, %c0], %z {in_bounds = [true, "
        "true]} : tensor<3x6xf32>, vector<3x6xf32>\n"
        "  %b = vector.broadcast %z : f32 to vector<3xf32>\n"
        "  %m = vector.multi_reduction <OP>, %v, %b [1] : vector<3x6xf32> to "
        "vector<3xf32>\n  %r = vector.transfer_write %m, %e[%c0] {in_bounds = "
        "[true]} : vector<3xf32>, tensor<3xf32>\n";
  }
  text += "  return %r : tensor<3xf32>\n}\n";
  return replaced(replaced(text, "OP", reduction.op), "BODY",
                  reduction.isSwapped ? "%o, %p" : "%p, %o");
}

absl::StatusOr<Program> programOf(const Reduction &reduction) {
  const char *const words[] = {"-inf", "inf", "0", "-0", "nan"};
  const std::string text = textOf(reduction);
  return reduction.form == 5
             ? parseHlo(replaced(text, "INIT", words[reduction.init]))
             : importMlir(text);
}

Reduction randomReduction(Random &random) {
  Reduction made;
  made.op = kOps[random.in(0, 3)];
  made.init = random.oneIn(2) ? 0 : random.in(0, 4);
  return made;
}

/// The same reduction, written in another way.
Reduction rewritten(Reduction reduction, Random &random) {
  const bool hasHlo = reduction.op == "maximumf" || reduction.op == "minimumf";
  reduction.form = random.in(0, hasHlo ? 5 : 4);
  // A tile of one number is one op, whose zero is settled.
  reduction.tile = random.in(2, 4);
  reduction.isSwapped = random.oneIn(2);
  return reduction;
}

std::vector<float> randomNumbers(Random &random) {
  const float numbers[] = {0.0F, -0.0F, 1.0F, -2.5F, kInf, -kInf, kNan};
  std::vector<float> made;
  for (int64_t i = 0; i < kRows; ++i) {
    // A row has two numbers, or one alone.
    const float both[] = {numbers[random.in(0, 6)], numbers[random.in(0, 6)]};
    for (int64_t j = 0; j < kColumns; ++j)
      made.push_back(both[random.in(0, 1)]);
  }
  return made;
}

TEST(ExtremeReductions, RewritesAreEqualAndMistakesAreNot) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261127);
  const int64_t count = fromEnvironment("INDEXICAL_EXTREMES", 120);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    Reduction reduction = randomReduction(random);
    Reduction other = reduction;
    if (random.oneIn(2)) other = randomReduction(random);
    reduction = rewritten(reduction, random);
    other = rewritten(other, random);
    bool isSame = true;
    for (int tries = 0; tries < 200 && isSame; ++tries) {
      const std::vector<float> x = randomNumbers(random);
      const auto a = run(reduction, x), b = run(other, x);
      for (int64_t i = 0; i < kRows; ++i)
        isSame &= agree(reduction, a[i], b[i]) && agree(other, a[i], b[i]);
    }
    const auto first = programOf(reduction), second = programOf(other);
    const std::string both = "seed " + std::to_string(seed + k) + "\n" +
                             textOf(reduction) + textOf(other);
    ASSERT_TRUE(first.ok()) << first.status() << both;
    ASSERT_TRUE(second.ok()) << second.status() << both;
    SamenessOptions options;
    options.values = ValueOptions{};
    const auto same = compare(first->modules[0], second->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status() << both;
    const bool isEqual = same->verdict.answer == Verdict::Same;
    ASSERT_TRUE(isSame ? same->verdict.answer != Verdict::Different : !isEqual)
        << wordOf(same->verdict.answer).str() << " " << both;
    (isSame ? right : mistakes) += 1;
    decided += isSame && isEqual;
    if (isSame && !isEqual && fromEnvironment("INDEXICAL_SHOW", 0))
      std::cout << "undecided, " << both;
  }
  std::cout << decided << " of " << right << " rewrites are equal; " << mistakes
            << " mistakes\n";
  EXPECT_GE(decided * 100, right * 95);
  EXPECT_GE(mistakes * 10, count);
}

}  // namespace
}  // namespace indexical::testing
