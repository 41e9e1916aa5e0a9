// Loops of any number of trips, compared by induction: pairs with their
// verdicts, and random loops that are rewritten, against an interpreter that
// shares no code with the library.
//
//   for i in [0, n): a = a * (y + k), s = s + 3
//   with y + k before the loop, as an op of linalg, as a while: equal
//   with another op, bound, step or invariant: equal only if it is so in runs
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string verdictOf(const absl::StatusOr<Program> &first,
                      const absl::StatusOr<Program> &second,
                      FloatLaws floats = FloatLaws::None) {
  for (const auto *each : {&first, &second})
    if (!each->ok()) return std::string(each->status().message());
  SamenessOptions options;
  options.values = ValueOptions{floats};
  const auto same = compare(first->modules[0], second->modules[0], options);
  return same.ok() ? wordOf(same->verdict.answer).str()
                   : std::string(same.status().message());
}

//===-- Pairs -------------------------------------------------------------===//

// A product of each row with the sum of two invariants, from row to row.
constexpr char kInside[] =
    "func.func @main(%x: tensor<?x8xf32>, %u: tensor<8xf32>,\n"
    "                %v: tensor<8xf32>) -> tensor<?x8xf32> {\n"
    "  %c0 = arith.constant 0 : index\n  %c1 = arith.constant 1 : index\n"
    "  %n = tensor.dim %x, %c0 : tensor<?x8xf32>\n"
    "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x)\n"
    "      -> (tensor<?x8xf32>) {\n"
    "    %w = arith.addf %u, %v : tensor<8xf32>\n"
    "    %s = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1]\n"
    "        : tensor<?x8xf32> to tensor<8xf32>\n"
    "    %p = arith.mulf %s, %w : tensor<8xf32>\n"
    "    %q = tensor.insert_slice %p into %o[%i, 0] [1, 8] [1, 1]\n"
    "        : tensor<8xf32> into tensor<?x8xf32>\n"
    "    scf.yield %q : tensor<?x8xf32>\n  }\n"
    "  return %r : tensor<?x8xf32>\n}";
constexpr char kHoisted[] =
    "func.func @main(%x: tensor<?x8xf32>, %u: tensor<8xf32>,\n"
    "                %v: tensor<8xf32>) -> tensor<?x8xf32> {\n"
    "  %c1 = arith.constant 1 : index\n  %c0 = arith.constant 0 : index\n"
    "  %w = arith.addf %v, %u : tensor<8xf32>\n"
    "  %n = tensor.dim %x, %c0 : tensor<?x8xf32>\n"
    "  %r = scf.for %i = %c0 to %n step %c1 iter_args(%o = %x)\n"
    "      -> (tensor<?x8xf32>) {\n"
    "    %s = tensor.extract_slice %o[%i, 0] [1, 8] [1, 1]\n"
    "        : tensor<?x8xf32> to tensor<8xf32>\n"
    "    %p = arith.mulf %w, %s : tensor<8xf32>\n"
    "    %q = tensor.insert_slice %p into %o[%i, 0] [1, 8] [1, 1]\n"
    "        : tensor<8xf32> into tensor<?x8xf32>\n"
    "    scf.yield %q : tensor<?x8xf32>\n  }\n"
    "  return %r : tensor<?x8xf32>\n}";
// A loop of HLO that nobody counts, whose weights stand in its state.
constexpr char kHlo[] =
    "HloModule m\n"
    "body {\n  s = (s32[], f32[4], f32[4], s32[]) parameter(0)\n"
    "  i = s32[] get-tuple-element(s), index=0\n"
    "  a = f32[4] get-tuple-element(s), index=1\n"
    "  w = f32[4] get-tuple-element(s), index=2\n"
    "  n = s32[] get-tuple-element(s), index=3\n"
    "  one = s32[] constant(1)\n  j = s32[] add(i, one)\n"
    "  b = f32[4] WHAT\n  c = f32[4] add(a, b)\n"
    "  ROOT t = (s32[], f32[4], f32[4], s32[]) tuple(j, c, w, n)\n}\n"
    "cond {\n  s = (s32[], f32[4], f32[4], s32[]) parameter(0)\n"
    "  i = s32[] get-tuple-element(s), index=0\n"
    "  n = s32[] get-tuple-element(s), index=3\n"
    "  ROOT c = pred[] compare(i, n), direction=LT\n}\n"
    "ENTRY e {\n  x = f32[4] parameter(0)\n  w = f32[4] parameter(1)\n"
    "  n = s32[] parameter(2)\n  z = s32[] constant(0)\n  v = f32[4] BEFORE\n"
    "  t = (s32[], f32[4], f32[4], s32[]) tuple(z, x, v, n)\n"
    "  r = (s32[], f32[4], f32[4], s32[]) while(t), condition=cond, body=body\n"
    "  ROOT o = f32[4] get-tuple-element(r), index=1\n}\n";

std::string replaced(std::string text, const std::string &what,
                     const std::string &by) {
  const size_t at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return text.replace(at, what.size(), by);
}

std::string hlo(const std::string &inside, const std::string &before) {
  return replaced(replaced(kHlo, "WHAT", inside), "BEFORE", before);
}

TEST(SameLoops, InvariantsAreWhatTheyAreBeforeTheLoop) {
  EXPECT_EQ(verdictOf(importMlir(kInside), importMlir(kHoisted)), "equal");
  for (const auto &[what, by] :
       {std::pair("addf %v, %u", "addf %u, %u"),
        {"mulf %w, %s", "addf %w, %s"},
        {"%c0 to %n", "%c1 to %n"},
        {"step %c1", "step %n"},
        {"into %o[%i, 0]", "into %x[%i, 0]"},
        {"iter_args(%o = %x)", "iter_args(%o = %e)"}}) {
    std::string wrong = replaced(kHoisted, what, by);
    if (llvm::StringRef(by).contains("%e"))
      wrong = replaced(wrong, "  %r = ",
                       "  %e = tensor.empty(%n) : tensor<?x8xf32>\n  %r = ");
    EXPECT_EQ(verdictOf(importMlir(kInside), importMlir(wrong)), "undecided")
        << by;
  }
}

TEST(SameLoops, StateThatStaysIsNoState) {
  const std::string inside = hlo("multiply(w, w)", "copy(w)"),
                    before = hlo("copy(w)", "multiply(w, w)");
  EXPECT_EQ(verdictOf(parseHlo(inside), parseHlo(before)), "equal");
  EXPECT_EQ(verdictOf(parseHlo(inside), parseHlo(hlo("copy(w)", "add(w, w)"))),
            "undecided");
  // The state is no real number: it may begin with infinity.
  const std::string minus =
      replaced(replaced(inside, "multiply(w, w)", "subtract(w, a)"),
               "tuple(z, x, v, n)", "tuple(z, inf, v, n)");
  const std::string infinite =
      replaced(minus, "  v = f32[4]",
               "  f = f32[] constant(inf)\n  inf = f32[4] "
               "broadcast(f), dimensions={}\n  v = f32[4]");
  const std::string constant =
      replaced(infinite, "c = f32[4] add(a, b)", "c = f32[4] copy(w)");
  EXPECT_NE(verdictOf(parseHlo(infinite), parseHlo(constant), FloatLaws::Real),
            "equal");
}

//===-- Random loops ------------------------------------------------------===//

constexpr int64_t kSize = 3;
using Numbers = std::vector<int32_t>;

int32_t computed(const std::string &op, int32_t x, int32_t y) {
  const auto a = static_cast<uint32_t>(x), b = static_cast<uint32_t>(y);
  if (op == "arith.addi") return static_cast<int32_t>(a + b);
  if (op == "arith.subi") return static_cast<int32_t>(a - b);
  if (op == "arith.muli") return static_cast<int32_t>(a * b);
  return std::max(x, y);
}

const char *const kOps[] = {"arith.addi", "arith.subi", "arith.muli",
                            "arith.maxsi"};

/// a = a op what, or a = what op a. What is taken does not change from trip to
/// trip, but for the counter and the sum.
struct LoopStep {
  enum What : int64_t { Y, YTimesK, YPlusTwo, Turned, Counter, Sum } what = Y;
  std::string op = kOps[0];
  bool isSwapped = false;
  /// Whether the invariant stands before the loop; whether it is an op of
  /// linalg.
  bool isHoisted = false, isGeneric = false;
};

struct Loop {
  std::vector<LoopStep> steps;
  int64_t first = 0, step = 1, added = 3;
  bool isWhile = false, hasKept = false;
};

Numbers run(const Loop &loop, const Numbers &x, const Numbers &y, int64_t n,
            int32_t k) {
  Numbers a = x;
  int32_t sum = 0;
  for (int64_t i = loop.first; i < n; i += loop.step) {
    for (const LoopStep &step : loop.steps) {
      const Numbers old = a;
      for (int64_t at = 0; at < kSize * kSize; ++at) {
        const int64_t turned = at % kSize * kSize + at / kSize;
        int32_t what = y[at];
        if (step.what == LoopStep::YTimesK)
          what = computed("arith.muli", what, k);
        if (step.what == LoopStep::YPlusTwo)
          what = computed("arith.addi", what, 2);
        if (step.what == LoopStep::Turned) what = y[turned];
        if (step.what == LoopStep::Counter) what = static_cast<int32_t>(i);
        if (step.what == LoopStep::Sum) what = sum;
        a[at] = step.isSwapped ? computed(step.op, what, old[at])
                               : computed(step.op, old[at], what);
      }
    }
    sum = computed("arith.addi", sum, static_cast<int32_t>(loop.added));
  }
  return a;
}

constexpr char kType[] = "tensor<3x3xi32>";

class LoopText {
 public:
  std::string of(const Loop &loop) {
    const std::string type = kType;
    std::string before, body, state = "%a";
    for (auto [k, step] : llvm::enumerate(loop.steps)) {
      const std::string number = std::to_string(k);
      const bool isInvariant = step.what < LoopStep::Counter;
      (isInvariant && step.isHoisted ? before : body) += what(step, number);
      const std::string from = step.isSwapped ? "%w" + number + ", " + state
                                              : state + ", %w" + number;
      if (step.isGeneric)
        body += "  %t" + number + " = linalg.map {" + step.op + "} ins(" +
                from + " : " + type + ", " + type + ") outs(%e : " + type +
                ")\n";
      else
        body += "  %t" + number + " = " + step.op + " " + from + " : " + type +
                "\n";
      state = "%t" + number;
    }
    const std::string added = "  %d = arith.constant " +
                              std::to_string(loop.added) +
                              " : i32\n  %u = arith.addi %s, %d : i32\n";
    // A value that stays what it was is no state.
    const std::string kept = loop.hasKept ? ", %kk = %y" : "";
    const std::string keptType = loop.hasKept ? ", " + type : "";
    const std::string keptValue = loop.hasKept ? ", %kk" : "";
    const std::string count = loop.hasKept ? "3" : "2";
    std::string text =
        "func.func @main(%x: " + type + ", %y: " + type +
        ", %n: index, %k: i32) -> " + type + " {\n  %lo = arith.constant " +
        std::to_string(loop.first) + " : index\n  %by = arith.constant " +
        std::to_string(loop.step) +
        " : index\n  %z = arith.constant 0 : i32\n"
        "  %e = tensor.empty() : " +
        type + "\n" + before;
    if (!loop.isWhile)
      return text + "  %r:" + count +
             " = scf.for %i = %lo to %n step %by iter_args(%a = %x, %s = %z" +
             kept + ") -> (" + type + ", i32" + keptType + ") {\n" + body +
             added + "  scf.yield " + state + ", %u" + keptValue + " : " +
             type + ", i32" + keptType + "\n  }\n  return %r#0 : " + type +
             "\n}\n";
    return text + "  %r:3 = scf.while (%i = %lo, %a = %x, %s = %z) : (index, " +
           type + ", i32) -> (index, " + type +
           ", i32) {\n  %g = arith.cmpi sgt, %n, %i : index\n"
           "  scf.condition(%g) %i, %a, %s : index, " +
           type + ", i32\n  } do {\n  ^bb0(%i: index, %a: " + type +
           ", %s: i32):\n" + body + added +
           "  %j = arith.addi %i, %by : index\n  scf.yield %j, " + state +
           ", %u : index, " + type + ", i32\n  }\n  return %r#1 : " + type +
           "\n}\n";
  }

 private:
  static std::string what(const LoopStep &step, const std::string &number) {
    const std::string type = kType, name = "  %w" + number + " = ";
    auto splat = [&](const std::string &scalar) {
      return name + "tensor.splat " + scalar + " : " + type + "\n";
    };
    switch (step.what) {
      case LoopStep::Y:
        return name + "arith.addi %y, %zz" + number + " : " + type + "\n";
      case LoopStep::YTimesK:
        return "  %f" + number + " = tensor.splat %k : " + type + "\n" + name +
               "arith.muli %f" + number + ", %y : " + type + "\n";
      case LoopStep::YPlusTwo:
        return "  %f" + number + " = arith.constant dense<2> : " + type + "\n" +
               name + "arith.addi %y, %f" + number + " : " + type + "\n";
      case LoopStep::Turned:
        return "  %f" + number + " = tensor.empty() : " + type + "\n" + name +
               "linalg.transpose ins(%y : " + type + ") outs(%f" + number +
               " : " + type + ") permutation = [1, 0]\n";
      case LoopStep::Counter:
        return "  %f" + number + " = arith.index_cast %i : index to i32\n" +
               splat("%f" + number);
      default:
        return splat("%s");
    }
  }
};

std::string textOf(const Loop &loop) {
  std::string text = LoopText().of(loop);
  // y as it is, as a sum with nothing.
  for (size_t k = 0; k < loop.steps.size(); ++k) {
    const std::string name = "%zz" + std::to_string(k);
    if (text.find(name) == std::string::npos) continue;
    text = replaced(
        text, "  %e = ",
        "  " + name + " = arith.constant dense<0> : " + kType + "\n  %e = ");
  }
  return text;
}

Loop randomLoop(Random &random) {
  Loop loop;
  const int64_t count = random.in(1, 3);
  for (int64_t k = 0; k < count; ++k) {
    LoopStep step;
    step.what = static_cast<LoopStep::What>(random.in(0, 5));
    step.op = kOps[random.in(0, 3)];
    step.isSwapped = random.oneIn(3);
    step.isHoisted = random.oneIn(2);
    step.isGeneric = random.oneIn(2);
    loop.steps.push_back(step);
  }
  loop.first = random.in(0, 1);
  loop.step = random.in(1, 2);
  loop.isWhile = random.oneIn(3);
  loop.hasKept = random.oneIn(3);
  return loop;
}

Loop rewritten(Loop loop, Random &random) {
  for (LoopStep &step : loop.steps) {
    step.isHoisted = random.oneIn(2);
    step.isGeneric = random.oneIn(2);
    if (step.op != "arith.subi") step.isSwapped = random.oneIn(2);
  }
  loop.isWhile = random.oneIn(2);
  loop.hasKept = random.oneIn(2);
  return loop;
}

void mutate(Loop &loop, Random &random) {
  LoopStep &step = loop.steps[random.in(0, loop.steps.size() - 1)];
  switch (random.in(0, 5)) {
    case 0:
      step.op = kOps[random.in(0, 3)];
      break;
    case 1:
      step.what = static_cast<LoopStep::What>(random.in(0, 5));
      break;
    case 2:
      step.isSwapped = !step.isSwapped;
      break;
    case 3:
      loop.first = 1 - loop.first;
      break;
    case 4:
      loop.step = 3 - loop.step;
      break;
    default:
      loop.added += 1;
  }
}

TEST(SameLoops, RewritesAreEqualAndMistakesAreNot) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261127);
  const int64_t count = fromEnvironment("INDEXICAL_SAME_LOOPS", 60);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    const Loop loop = randomLoop(random);
    Loop other = rewritten(loop, random);
    if (random.oneIn(2)) mutate(other, random);
    bool isSame = true;
    for (int tries = 0; tries < 24 && isSame; ++tries) {
      Numbers x, y;
      for (int64_t at = 0; at < kSize * kSize; ++at) {
        x.push_back(random.in(-9, 9));
        y.push_back(random.in(-9, 9));
      }
      const int64_t n = tries % 8;
      const int32_t factor = random.in(-9, 9);
      isSame = run(loop, x, y, n, factor) == run(other, x, y, n, factor);
    }
    const std::string texts[] = {textOf(loop), textOf(other)};
    const std::string verdict =
        verdictOf(importMlir(texts[0]), importMlir(texts[1]));
    const bool isEqual = verdict == "equal" || verdict == "fewer reads" ||
                         verdict == "equal, other reads";
    ASSERT_TRUE(isEqual || verdict == "undecided" || verdict == "different")
        << verdict << texts[0] << texts[1];
    ASSERT_TRUE(isSame ? verdict != "different" : !isEqual)
        << "seed " << seed + k << ": " << verdict << "\n"
        << texts[0] << texts[1];
    (isSame ? right : mistakes) += 1;
    decided += isSame && isEqual;
    if (isSame && !isEqual && fromEnvironment("INDEXICAL_SHOW", 0))
      std::cout << "undecided, seed " << seed + k << "\n"
                << texts[0] << texts[1];
  }
  std::cout << decided << " of " << right << " rewrites are equal; " << mistakes
            << " mistakes\n";
  EXPECT_GE(decided * 100, right * 90);
  EXPECT_GE(mistakes * 10, count);
}

}  // namespace
}  // namespace indexical::testing
