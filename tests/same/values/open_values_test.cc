// Random programs on tensors of open sizes, and rewrites of them, right ones
// and mistakes, against an interpreter that runs them with numbers for the
// sizes. It shares no code with the library.
//
//   %d = tensor.dim %x, %c0
//   %0 = tensor.generate %d { … }            element i: 3 * i - x[1]
//   %1 = arith.addi %0, %y                   runs where x and y are of one size
//
// Equal modules give equal tensors, of equal sizes, wherever both run.
#include <algorithm>
#include <cstdint>
#include <iostream>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Tensor = std::vector<int64_t>;

/// A size: that of a tensor, or the argument n, and a number.
struct Size {
  int from = -1;  ///< the number of a tensor; -1: n
  int64_t more = 0;
};

struct Step {
  enum Kind { Combine, Generic, Generate, Slice, Cast } kind = Combine;
  int a = 0, b = 0;   ///< tensors
  char op = '+';      ///< of + - *
  int64_t scale = 0;  ///< of the index, which is added
  bool isTurned =
      false;  ///< the operands of the text stand the other way round
  bool isConstant = false;  ///< an offset is a constant that is an operand
  Size size;
  int64_t offset = 0;
};

/// Tensors 0 and 1 are parameters, and each step makes one.
struct OpenProgram {
  std::vector<Step> steps;
};

int64_t combined(char op, int64_t a, int64_t b) {
  const uint64_t x = static_cast<uint64_t>(a), y = static_cast<uint64_t>(b);
  const uint64_t made = op == '+' ? x + y : op == '-' ? x - y : x * y;
  return static_cast<int64_t>(made);
}

std::optional<Tensor> run(const OpenProgram &program, const Tensor &x,
                          const Tensor &y, int64_t n) {
  std::vector<Tensor> all{x, y};
  for (const Step &step : program.steps) {
    const Tensor &a = all[step.a], &b = all[step.b];
    Tensor made;
    const int64_t size =
        (step.size.from < 0
             ? n
             : static_cast<int64_t>(all[step.size.from].size())) +
        step.size.more;
    switch (step.kind) {
      case Step::Combine:
      case Step::Generic:
        if (a.size() != b.size()) return std::nullopt;
        for (size_t i = 0; i < a.size(); ++i)
          made.push_back(combined(step.op, a[i], b[i]) +
                         step.scale * static_cast<int64_t>(i));
        break;
      case Step::Generate:
        if (size < 0) return std::nullopt;
        for (int64_t i = 0; i < size; ++i) {
          // The body reads an element that may be none.
          if (a.empty()) return std::nullopt;
          made.push_back(combined(step.op, step.scale * i, a[0]));
        }
        break;
      case Step::Slice:
        if (size < 0 || step.offset < 0 ||
            step.offset + size > static_cast<int64_t>(a.size()))
          return std::nullopt;
        made.assign(a.begin() + step.offset, a.begin() + step.offset + size);
        break;
      case Step::Cast:
        made = a;
        break;
    }
    all.push_back(made);
  }
  return all.back();
}

std::string nameOf(int tensor) {
  return tensor == 0   ? "%x"
         : tensor == 1 ? "%y"
                       : "%t" + std::to_string(tensor);
}

const char *opName(char op) {
  return op == '+' ? "arith.addi" : op == '-' ? "arith.subi" : "arith.muli";
}

std::string textOf(const OpenProgram &program) {
  std::string text =
      "func.func @main(%x: tensor<?xi64>, %y: tensor<?xi64>, %n: index) -> "
      "tensor<?xi64> {\n  %c0 = arith.constant 0 : index\n";
  int next = 2;
  auto number = [&](const std::string &name, int64_t value, const char *type) {
    text += "  " + name + " = arith.constant " + std::to_string(value) + " : " +
            type + "\n";
  };
  for (const Step &step : program.steps) {
    const std::string made = nameOf(next), own = std::to_string(next);
    std::string a = nameOf(step.a), b = nameOf(step.b);
    if (step.isTurned) std::swap(a, b);
    std::string size = "%s" + own;
    if (step.kind == Step::Generate || step.kind == Step::Slice) {
      if (step.size.from < 0)
        text += "  %d" + own + " = arith.addi %n, %c0 : index\n";
      else
        text += "  %d" + own + " = tensor.dim " + nameOf(step.size.from) +
                ", %c0 : tensor<?xi64>\n";
      number("%m" + own, step.size.more, "index");
      text +=
          "  " + size + " = arith.addi %d" + own + ", %m" + own + " : index\n";
    }
    number("%k" + own, step.scale, "i64");
    const std::string indexed =
        "    %j = arith.index_cast %i : index to i64\n"
        "    %v = arith.muli %j, %k" +
        own + " : i64\n";
    switch (step.kind) {
      case Step::Combine:
        if (step.scale == 0) {
          text += "  " + made + " = " + opName(step.op) + " " + a + ", " + b +
                  " : tensor<?xi64>\n";
          break;
        }
        [[fallthrough]];
      case Step::Generic:
        text += "  " + made +
                " = linalg.generic {indexing_maps = [affine_map<(d0) -> (d0)>, "
                "affine_map<(d0) -> (d0)>, affine_map<(d0) -> (d0)>], "
                "iterator_types = [\"parallel\"]} ins(" +
                a + ", " + b + " : tensor<?xi64>, tensor<?xi64>) outs(" +
                nameOf(step.a) +
                " : tensor<?xi64>) {\n  ^bb0(%p: i64, %q: i64, %o: i64):\n"
                "    %i = linalg.index 0 : index\n" +
                indexed + "    %c = " + opName(step.op) +
                " %p, %q : i64\n"
                "    %r = arith.addi %c, %v : i64\n    linalg.yield %r : i64\n"
                "  } -> tensor<?xi64>\n";
        break;
      case Step::Generate:
        text += "  " + made + " = tensor.generate " + size +
                " {\n  ^bb0(%i: index):\n" + indexed +
                "    %e = tensor.extract " + nameOf(step.a) +
                "[%c0] : tensor<?xi64>\n    %r = " + opName(step.op) +
                " %v, %e : i64\n    tensor.yield %r : i64\n"
                "  } : tensor<?xi64>\n";
        break;
      case Step::Slice: {
        std::string offset = std::to_string(step.offset);
        if (step.isConstant) {
          number("%f" + own, step.offset, "index");
          offset = "%f" + own;
        }
        text += "  " + made + " = tensor.extract_slice " + nameOf(step.a) +
                "[" + offset + "] [" + size +
                "] [1] : tensor<?xi64> to tensor<?xi64>\n";
        break;
      }
      case Step::Cast:
        text += "  " + made + " = tensor.cast " + nameOf(step.a) +
                " : tensor<?xi64> to tensor<?xi64>\n";
        break;
    }
    ++next;
  }
  return text + "  return " + nameOf(next - 1) + " : tensor<?xi64>\n}\n";
}

OpenProgram randomOpenProgram(Random &random) {
  OpenProgram program;
  const int count = random.in(1, 4);
  for (int k = 0; k < count; ++k) {
    const int tensors = 2 + k;
    Step step;
    step.kind = static_cast<Step::Kind>(random.in(0, 4));
    step.a = random.in(0, tensors - 1);
    step.b = random.in(0, tensors - 1);
    step.op = "+-*"[random.in(0, 2)];
    if (step.kind == Step::Generic || step.kind == Step::Generate)
      step.scale = random.in(-2, 3);
    step.size.from = random.in(-1, tensors - 1);
    step.size.more = random.in(-1, 2);
    if (step.kind == Step::Slice) {
      step.offset = random.in(0, 1);
      step.size.more = -step.offset - random.in(0, 1);
    }
    program.steps.push_back(step);
  }
  return program;
}

/// Writes the same in another way.
OpenProgram rewritten(OpenProgram program, Random &random) {
  for (Step &step : program.steps) {
    if (step.kind == Step::Combine && random.oneIn(2))
      step.kind = Step::Generic;
    if (step.kind == Step::Generic && step.scale == 0 && random.oneIn(2))
      step.kind = Step::Combine;
    if (step.op != '-' &&
        (step.kind == Step::Combine || step.kind == Step::Generic))
      step.isTurned = random.oneIn(2);
    if (step.kind == Step::Slice) step.isConstant = random.oneIn(2);
    // Where it runs, both operands have the size of the result.
    if (step.kind == Step::Generate && step.size.from >= 2 && random.oneIn(2)) {
      const Step &of = program.steps[step.size.from - 2];
      if (of.kind == Step::Combine || of.kind == Step::Generic)
        step.size.from = random.oneIn(2) ? of.a : of.b;
      else if (of.kind == Step::Cast)
        step.size.from = of.a;
    }
  }
  return program;
}

void mutate(OpenProgram &program, Random &random) {
  Step &step = program.steps[random.in(0, program.steps.size() - 1)];
  switch (random.in(0, 5)) {
    case 0:
      step.op = step.op == '+' ? '-' : '+';
      break;
    case 1:
      step.size.more += random.oneIn(2) ? 1 : -1;
      break;
    case 2:
      step.scale += 1;
      break;
    case 3:
      step.offset = 1 - step.offset;
      break;
    case 4:
      step.a = 1 - std::min(step.a, 1);
      break;
    default:
      step.size.from = step.size.from == 0 ? 1 : 0;
      break;
  }
}

TEST(OpenValues, EqualProgramsGiveEqualTensorsWhereBothRun) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261130);
  const int64_t count = fromEnvironment("INDEXICAL_COUNT", 250);
  std::cout << "seed " << seed << std::endl;
  int64_t right = 0, decided = 0, mistakes = 0, never = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    const OpenProgram program = randomOpenProgram(random);
    OpenProgram other = rewritten(program, random);
    const bool isMistake = random.oneIn(2);
    if (isMistake) mutate(other, random);
    bool isSame = true, runs = false;
    for (int a = 0; a <= 4 && isSame; ++a)
      for (int b = 0; b <= 4 && isSame; ++b)
        for (int64_t n = -1; n <= 5 && isSame; ++n) {
          Tensor x, y;
          for (int i = 0; i < a; ++i) x.push_back(random.in(-50, 50));
          for (int i = 0; i < b; ++i) y.push_back(random.in(-50, 50));
          const auto first = run(program, x, y, n),
                     second = run(other, x, y, n);
          runs |= first && second;
          isSame = !first || !second || *first == *second;
        }
    const std::string texts[] = {textOf(program), textOf(other)};
    const auto first = importMlir(texts[0]), second = importMlir(texts[1]);
    ASSERT_TRUE(first.ok()) << first.status() << texts[0];
    ASSERT_TRUE(second.ok()) << second.status() << texts[1];
    SamenessOptions options;
    options.values = ValueOptions{};
    const auto same = compare(first->modules[0], second->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status() << texts[0] << texts[1];
    ASSERT_TRUE(isSame || !same->verdict.isSame())
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    ASSERT_TRUE(!isSame || !runs || isMistake ||
                same->verdict.answer != Verdict::Different)
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    if (!runs) ++never;
    if (isSame && !isMistake && runs) {
      ++right;
      decided += same->verdict.isSame();
      if (!same->verdict.isSame() && fromEnvironment("INDEXICAL_SHOW", 0))
        std::cout << "undecided, seed " << seed + k << "\n"
                  << texts[0] << texts[1];
    }
    mistakes += !isSame;
  }
  std::cout << decided << " of " << right << " rewrites are equal, none of "
            << mistakes << " mistakes; " << never << " pairs never run\n";
  EXPECT_GE(decided * 100, right * 80);
  EXPECT_GE(mistakes * 10, count);
}

}  // namespace
}  // namespace indexical::testing
