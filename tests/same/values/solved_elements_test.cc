// Elements that only a solver shows to be the same, against numbers.
//
// A random term of s8, u8 and pred is a program. A second one is the same term
// with some of its parts written otherwise (`x * 4` as `x << 2`, `max(x, y)` as
// a select), or with an op or a number changed. An interpreter of its own gives
// the values at all 65,536 pairs of numbers: where the answer is `equal` they
// are, where it is `different` they are not.
//
//   INDEXICAL_SOLVED=20000  so many pairs
//   INDEXICAL_SEED=n        beginning with this one
#include <cstdint>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/module/op_definitions.h"
#include "indexical/same/solver/solver.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A step: an op of earlier ones, or a number.
struct Step {
  std::string op;   ///< `constant`, `x`, `y`, or one of HLO
  char type = 's';  ///< s8, u8 or pred
  std::vector<size_t> of = {};
  int number = 0;
  bool operator==(const Step &o) const {
    return op == o.op && type == o.type && of == o.of && number == o.number;
  }
};
using Steps = std::vector<Step>;  // the last one is the result

std::string nameOf(char type) {
  return type == 's' ? "s8" : type == 'u' ? "u8" : "pred";
}

int wrapped(char type, int value) {
  if (type == 'p') return value & 1;
  value &= 255;
  return type == 's' && value > 127 ? value - 256 : value;
}

/// What an op gives for its operands, before it is wrapped to its type.
using Function = int (*)(int, int, int);
Function functionOf(const Step &step) {
  static const std::map<std::string, Function> functions = {
      {"not", [](int a, int, int) { return ~a; }},
      {"negate", [](int a, int, int) { return -a; }},
      {"abs", [](int a, int, int) { return a < 0 ? -a : a; }},
      {"convert", [](int a, int, int) { return a; }},
      {"and", [](int a, int b, int) { return a & b; }},
      {"or", [](int a, int b, int) { return a | b; }},
      {"xor", [](int a, int b, int) { return a ^ b; }},
      {"add", [](int a, int b, int) { return a + b; }},
      {"subtract", [](int a, int b, int) { return a - b; }},
      {"multiply", [](int a, int b, int) { return a * b; }},
      {"maximum", [](int a, int b, int) { return a > b ? a : b; }},
      {"minimum", [](int a, int b, int) { return a < b ? a : b; }},
      {"divide", [](int a, int b, int) { return a / b; }},
      {"remainder", [](int a, int b, int) { return a % b; }},
      {"shift-left", [](int a, int b, int) { return a * (1 << b); }},
      {"shift-right-logical", [](int a, int b, int) { return (a & 255) >> b; }},
      {"shift-right-arithmetic",
       [](int a, int b, int) { return static_cast<int8_t>(a) >> b; }},
      {"select", [](int a, int b, int c) { return a ? b : c; }},
      {"clamp",
       [](int a, int b, int c) {
         const int raised = b < a ? a : b;
         return raised > c ? c : raised;
       }},
      {"LT", [](int a, int b, int) -> int { return a < b; }},
      {"LE", [](int a, int b, int) -> int { return a <= b; }},
      {"GT", [](int a, int b, int) -> int { return a > b; }},
      {"GE", [](int a, int b, int) -> int { return a >= b; }},
      {"EQ", [](int a, int b, int) -> int { return a == b; }},
      {"NE", [](int a, int b, int) -> int { return a != b; }}};
  return functions.at(step.op);
}

/// The values of the last step at all pairs of numbers of 8 bits.
std::vector<int> valuesOf(const Steps &steps) {
  constexpr int kPoints = 256 * 256;
  std::vector<std::vector<int>> values;
  for (const Step &step : steps) {
    std::vector<int> own(kPoints);
    const bool isGiven =
        step.op == "x" || step.op == "y" || step.op == "constant";
    const Function function = isGiven ? nullptr : functionOf(step);
    const auto of = [&](size_t k, int point) {
      return k < step.of.size() ? values[step.of[k]][point] : 0;
    };
    for (int point = 0; point < kPoints; ++point)
      own[point] = wrapped(
          step.type, step.op == "constant" ? step.number
                     : step.op == "x"      ? point % 256
                     : step.op == "y"
                         ? point / 256
                         : function(of(0, point), of(1, point), of(2, point)));
    values.push_back(std::move(own));
  }
  return values.back();
}

std::string textOf(const Steps &steps) {
  std::string text = "HloModule m\nENTRY e {\n";
  for (size_t i = 0; i < steps.size(); ++i) {
    const Step &step = steps[i];
    const std::string type = nameOf(step.type) + "[2]",
                      name = "v" + std::to_string(i);
    const std::string root = i + 1 == steps.size() ? "  ROOT " : "  ";
    if (step.op == "constant") {
      const std::string number = step.type != 'p' ? std::to_string(step.number)
                                 : step.number    ? "true"
                                                  : "false";
      text += "  c" + std::to_string(i) + " = " + nameOf(step.type) +
              "[] constant(" + number + ")\n" + root + name + " = " + type +
              " broadcast(c" + std::to_string(i) + "), dimensions={}\n";
      continue;
    }
    if (step.op == "x" || step.op == "y") {
      text += root + name + " = " + type + " parameter(" +
              (step.op == "x" ? "0" : "1") + ")\n";
      continue;
    }
    const bool compares = step.op.size() == 2 && step.op != "or";
    text += root + name + " = " + type + " " +
            (compares ? "compare" : step.op) + "(";
    for (size_t k = 0; k < step.of.size(); ++k)
      text += (k ? ", v" : "v") + std::to_string(step.of[k]);
    text += compares ? "), direction=" + step.op + "\n" : ")\n";
  }
  return text + "}\n";
}

class Pair {
 public:
  explicit Pair(Random &random) : random_(random) {
    steps_ = {{"x", 's'}, {"y", 's'}};
    for (int64_t n = random_.in(2, 7); n > 0; --n) grow();
  }

  const Steps &steps() const { return steps_; }

  /// Writes each step, some of them in another way.
  Steps rewritten() {
    Steps made;
    std::vector<size_t> place;  // of each step, in what is made
    for (const Step &step : steps_) {
      Step own = step;
      for (size_t &of : own.of) of = place[of];
      made_ = &made;
      place.push_back(random_.oneIn(2) ? otherwise(own) : put(own));
    }
    // The last step is the result.
    if (place.back() + 1 != made.size())
      put({"convert", made[place.back()].type, {place.back()}});
    return made;
  }

  /// Changes an op, an operand or a number, if there is something to change.
  Steps changed() {
    Steps made = steps_;
    for (int tries = 0; tries < 20 && made == steps_; ++tries) {
      Step &step = made[random_.in(0, made.size() - 1)];
      if (step.op == "constant" && step.type != 'p' &&
          !isBound_[&step - &made[0]])
        step.number =
            wrapped(step.type, step.number + (random_.oneIn(2) ? 1 : -1));
      for (const std::vector<std::string> &alike : kAlike)
        for (const std::string &name : alike)
          if (step.op == name) step.op = alike[random_.in(0, alike.size() - 1)];
      if (step.of.size() == 2 && random_.oneIn(3) && !isBound_[step.of[1]] &&
          made[step.of[0]].type == made[step.of[1]].type)
        std::swap(step.of[0], step.of[1]);
    }
    return made;
  }

 private:
  static const std::vector<std::vector<std::string>> kAlike;

  size_t put(Step step) {
    made_->push_back(std::move(step));
    return made_->size() - 1;
  }
  size_t number(char type, int value) {
    return put({"constant", type, {}, wrapped(type, value)});
  }

  size_t add(Step step, bool isBound = false) {
    steps_.push_back(std::move(step));
    isBound_.resize(steps_.size());
    isBound_.back() = isBound;
    return steps_.size() - 1;
  }
  size_t some(char type) {
    for (int tries = 0; tries < 8; ++tries) {
      const size_t at = random_.in(0, steps_.size() - 1);
      if (steps_[at].type == type && !isBound_[at]) return at;
    }
    if (type == 's') return random_.in(0, 1);
    if (type == 'p')
      return add({"LT", 'p', {random_.oneIn(2) ? size_t{0} : 1, 1}});
    return add({"convert", 'u', {static_cast<size_t>(random_.in(0, 1))}});
  }

  void grow() {
    isBound_.resize(steps_.size());
    const char type = random_.oneIn(3) ? 'u' : 's';
    const auto in = [&](std::vector<std::string> names) {
      return names[random_.in(0, names.size() - 1)];
    };
    const size_t a = some(type), b = some(type);
    switch (random_.in(0, 7)) {
      case 0:
        add({in({"and", "or", "xor", "maximum", "minimum"}), type, {a, b}});
        return;
      case 1:
        add({in({"add", "subtract", "multiply"}), type, {a, b}});
        return;
      case 2: {
        const int shift = random_.in(0, 7);
        const std::string op =
            in({"shift-left", "shift-right-logical", "shift-right-arithmetic"});
        const size_t by = add({"constant", type, {}, shift}, true);
        add({op, type, {a, by}});
        return;
      }
      case 3: {
        const int by[] = {1, 2, 3, 4, 5, 8, 16, 64, 100};
        const std::string op = in({"divide", "remainder"});
        const size_t number =
            add({"constant", type, {}, by[random_.in(0, 8)]}, true);
        add({op, type, {a, number}});
        return;
      }
      case 4: {
        const size_t p = some('p');
        add({"select", type, {p, a, b}});
        return;
      }
      case 5:
        add({in({"LT", "LE", "GT", "GE", "EQ", "NE"}), 'p', {a, b}});
        return;
      case 6: {
        const int low = random_.in(0, 60);
        const size_t from = add({"constant", type, {}, low}, true);
        const size_t to = add(
            {"constant", type, {}, low + static_cast<int>(random_.in(0, 60))},
            true);
        add({"clamp", type, {from, a, to}});
        return;
      }
      default:
        add({in({"not", "negate", "abs"}), 's', {some('s')}});
    }
  }

  /// Writes a step in another way, if one is known.
  size_t otherwise(const Step &s) {
    Steps &m = *made_;
    const auto a = [&] { return s.of[0]; };
    const auto b = [&] { return s.of[1]; };
    const auto constantOf = [&](size_t at) {
      return m[at].op == "constant" ? m[at].number : -1;
    };
    if (s.op == "maximum" || s.op == "minimum") {
      const size_t p = put({s.op == "maximum" ? "GT" : "LE", 'p', {a(), b()}});
      return put({"select", s.type, {p, a(), b()}});
    }
    if (s.op == "abs" && s.type == 's') {
      const size_t p = put({"LT", 'p', {a(), number('s', 0)}});
      return put({"select", 's', {p, put({"negate", 's', {a()}}), a()}});
    }
    if (s.op == "subtract") {
      const size_t n = put({"not", s.type, {b()}});
      return put(
          {"add", s.type, {put({"add", s.type, {a(), n}}), number(s.type, 1)}});
    }
    if (s.op == "xor") {
      const size_t left =
          put({"and", s.type, {a(), put({"not", s.type, {b()}})}});
      const size_t right =
          put({"and", s.type, {put({"not", s.type, {a()}}), b()}});
      return put({"or", s.type, {left, right}});
    }
    if (s.op == "clamp") {
      const size_t raised = put({"maximum", s.type, {b(), a()}});
      return put({"minimum", s.type, {raised, s.of[2]}});
    }
    if (s.op == "shift-left" && constantOf(b()) >= 0)
      return put(
          {"multiply", s.type, {a(), number(s.type, 1 << constantOf(b()))}});
    if (s.op == "divide" && s.type == 'u' &&
        (constantOf(b()) & (constantOf(b()) - 1)) == 0) {
      const size_t by = number('u', __builtin_ctz(constantOf(b())));
      return put({"shift-right-logical", 'u', {a(), by}});
    }
    if (s.op == "remainder" && s.type == 'u' &&
        (constantOf(b()) & (constantOf(b()) - 1)) == 0)
      return put({"and", 'u', {a(), number('u', constantOf(b()) - 1)}});
    if (s.op == "LE") {
      const size_t p = put({"GT", 'p', {a(), b()}});
      return put({"not", 'p', {p}});
    }
    if (s.op == "select") {
      const size_t n = put({"not", 'p', {a()}});
      return put({"select", s.type, {n, s.of[2], b()}});
    }
    if (s.op == "or" && s.type != 'p') {
      // a + b - (a & b)
      const size_t both = put({"and", s.type, {a(), b()}});
      const size_t all = put({"add", s.type, {a(), b()}});
      return put({"subtract", s.type, {all, both}});
    }
    return put(s);
  }

  Random &random_;
  Steps steps_;
  std::vector<bool> isBound_ = {false, false};  // a number that an op needs so
  Steps *made_ = nullptr;
};

const std::vector<std::vector<std::string>> Pair::kAlike = {
    {"and", "or", "xor"},   {"maximum", "minimum"},
    {"add", "subtract"},    {"LT", "LE", "GT", "GE"},
    {"EQ", "NE"},           {"shift-right-logical", "shift-right-arithmetic"},
    {"divide", "remainder"}};

TEST(SolvedElements, AreThoseOfAllNumbers) {
  if (!solver::Solver::make())
    GTEST_SKIP() << "the library is built without a solver";
  const int64_t pairs = fromEnvironment("INDEXICAL_SOLVED", 150);
  const int64_t begin = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t right = 0, decided = 0, wrong = 0, solved = 0;
  for (int64_t seed = begin; seed < begin + pairs && !HasFailure(); ++seed) {
    Random random(seed);
    Pair pair(random);
    const Steps other = random.oneIn(3) ? pair.changed() : pair.rewritten();
    const std::string texts[] = {textOf(pair.steps()), textOf(other)};
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + texts[0] +
                 texts[1]);
    const auto a = parseHlo(texts[0]), b = parseHlo(texts[1]);
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    SamenessOptions options;
    options.values = ValueOptions();
    options.values->asksSolver = true;
    const auto same = compare(a->modules[0], b->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status();
    const bool isRight = valuesOf(pair.steps()) == valuesOf(other);
    EXPECT_TRUE(isRight || !same->verdict.isSame());
    EXPECT_TRUE(!isRight || same->verdict.answer != Verdict::Different);
    ++(isRight ? right : wrong);
    decided += isRight && same->verdict.isSame();
    for (const std::string &law : same->verdict.laws) solved += law == "z3";
  }
  std::cout << "  " << right << " pairs equal, of which " << decided
            << " are proved, " << solved << " by the solver; " << wrong
            << " different\n";
  EXPECT_GE(decided, right * 95 / 100);
  EXPECT_GT(solved, right / 40);
  EXPECT_GT(wrong, pairs / 20);
}

/// Floats, and what is opaque: each pair with what is said of it.
TEST(SolvedElements, FloatsAreThoseOfIeee) {
  if (!solver::Solver::make())
    GTEST_SKIP() << "the library is built without a solver";
  struct Case {
    const char *first, *second;
    bool isEqual;
  };
  constexpr Case kCases[] = {
      {"ROOT r = f32[4] subtract(x, y)",
       "n = f32[4] negate(y)\n ROOT r = f32[4] add(x, n)", true},
      {"ROOT r = f32[4] add(x, x)",
       "c = f32[] constant(2)\n k = f32[4] broadcast(c), dimensions={}\n"
       "ROOT r = f32[4] multiply(x, k)",
       true},
      {"m = f32[4] maximum(x, y)\n ROOT r = f32[4] maximum(m, y)",
       "ROOT r = f32[4] maximum(x, y)", true},
      {"p = pred[4] compare(x, x), direction=EQ\n"
       "q = pred[4] not(p)\n ROOT r = pred[4] copy(q)",
       "ROOT r = pred[4] compare(x, x), direction=NE", true},
      // Which zero a maximum is, a select may say otherwise.
      {"ROOT r = f32[4] maximum(x, y)",
       "p = pred[4] compare(x, y), direction=GT\n"
       "ROOT r = f32[4] select(p, x, y)",
       false},
      {"c = f32[] constant(0)\n k = f32[4] broadcast(c), dimensions={}\n"
       "ROOT r = f32[4] add(x, k)",
       "ROOT r = f32[4] copy(x)", false},
      // Functions without a definition are those of equal operands.
      {"n = f32[4] negate(y)\n a = f32[4] add(x, n)\n"
       "ROOT r = f32[4] exponential(a)",
       "a = f32[4] subtract(x, y)\n ROOT r = f32[4] exponential(a)", true},
      {"ROOT r = f32[4] tanh(x)", "ROOT r = f32[4] sine(x)", false},
      // Bits of NaN are not known.
      {"n = f32[4] negate(x)\n p = pred[4] compare(x, x), direction=NE\n"
       "s = f32[4] select(p, n, x)\n ROOT r = u32[4] bitcast-convert(s)",
       "ROOT r = u32[4] bitcast-convert(x)", false},
      // Within a reduction, too.
      {"d = f32[4] subtract(x, y)\n z = f32[] constant(0)\n"
       "ROOT r = f32[] reduce(d, z), dimensions={0}, to_apply=sum",
       "n = f32[4] negate(y)\n d = f32[4] add(x, n)\n z = f32[] constant(0)\n"
       "ROOT r = f32[] reduce(d, z), dimensions={0}, to_apply=sum",
       true},
      // A quotient by what may be 0 is one function of both.
      {"n = s32[4] divide(i, j)\n ROOT r = s32[4] add(n, n)",
       "n = s32[4] divide(i, j)\n c = s32[] constant(1)\n"
       "k = s32[4] broadcast(c), dimensions={}\n"
       "ROOT r = s32[4] shift-left(n, k)",
       true},
  };
  for (const Case &each : kCases) {
    SCOPED_TRACE(std::string(each.first) + "\n" + each.second);
    const std::string begin =
        "HloModule m\n"
        "sum { a = f32[] parameter(0)  b = f32[] parameter(1)  "
        "ROOT s = f32[] add(a, b) }\n"
        "ENTRY e {\n x = f32[4] parameter(0)\n y = f32[4] parameter(1)\n"
        "i = s32[4] parameter(2)\n j = s32[4] parameter(3)\n";
    const auto a = parseHlo(begin + each.first + "\n}"),
               b = parseHlo(begin + each.second + "\n}");
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    SamenessOptions options;
    options.values = ValueOptions();
    options.values->asksSolver = true;
    const auto same = compare(a->modules[0], b->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status();
    EXPECT_EQ(same->verdict.isSame(), each.isEqual);
  }
}

}  // namespace
}  // namespace indexical::testing
