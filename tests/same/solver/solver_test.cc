// The solver's operations against arithmetic that is written by hand: integers
// of 4 bits at all pairs, floats of 16 bits against LLVM's APFloat at random
// ones.
//
//   INDEXICAL_SEED=n          other floats
//   INDEXICAL_SOLVER_FLOATS=n so many pairs of floats
#include "indexical/same/solver/solver.h"

#include <cstdint>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/APFloat.h"
#include "llvm/ADT/APInt.h"

#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using solver::bitsSort;
using solver::floatSort;
using solver::Operation;
using solver::Solver;
using solver::Sort;

constexpr char kNoSolver[] = "the library is built without a solver";
constexpr uint64_t kWidth = 4, kAll = 15;

int64_t asSigned(uint64_t x) {
  return x < 8 ? x : static_cast<int64_t>(x) - 16;
}

struct OnIntegers {
  Operation operation;
  std::string name;
  std::function<uint64_t(uint64_t, uint64_t)> value;
  uint32_t bits = kWidth;
  bool isOfTwo = true;
};

const std::vector<OnIntegers> &integerOperations() {
  static const std::vector<OnIntegers> rows = {
      {Operation::And, "and", [](uint64_t a, uint64_t b) { return a & b; }},
      {Operation::Or, "or", [](uint64_t a, uint64_t b) { return a | b; }},
      {Operation::Xor, "xor", [](uint64_t a, uint64_t b) { return a ^ b; }},
      {Operation::Not, "not", [](uint64_t a, uint64_t) { return ~a; }, kWidth,
       false},
      {Operation::Add, "add", [](uint64_t a, uint64_t b) { return a + b; }},
      {Operation::Subtract, "subtract",
       [](uint64_t a, uint64_t b) { return a - b; }},
      {Operation::Multiply, "multiply",
       [](uint64_t a, uint64_t b) { return a * b; }},
      {Operation::Negate, "negate", [](uint64_t a, uint64_t) { return 0 - a; },
       kWidth, false},
      {Operation::DivideUnsigned, "divide unsigned",
       [](uint64_t a, uint64_t b) { return b ? a / b : kAll; }},
      {Operation::RemainderUnsigned, "remainder unsigned",
       [](uint64_t a, uint64_t b) { return b ? a % b : a; }},
      {Operation::DivideSigned, "divide signed",
       [](uint64_t a, uint64_t b) {
         if (b == 0) return asSigned(a) < 0 ? uint64_t{1} : kAll;
         return static_cast<uint64_t>(asSigned(a) / asSigned(b));
       }},
      {Operation::RemainderSigned, "remainder signed",
       [](uint64_t a, uint64_t b) {
         return b ? static_cast<uint64_t>(asSigned(a) % asSigned(b)) : a;
       }},
      {Operation::ShiftLeft, "shift left",
       [](uint64_t a, uint64_t b) { return b < kWidth ? a << b : 0; }},
      {Operation::ShiftRightLogical, "shift right",
       [](uint64_t a, uint64_t b) { return b < kWidth ? a >> b : 0; }},
      {Operation::ShiftRightArithmetic, "shift right, signed",
       [](uint64_t a, uint64_t b) {
         return static_cast<uint64_t>(asSigned(a) >> (b < kWidth ? b : 3));
       }},
      {Operation::LessSigned, "less, signed",
       [](uint64_t a, uint64_t b) -> uint64_t {
         return asSigned(a) < asSigned(b);
       },
       1},
      {Operation::LessUnsigned, "less",
       [](uint64_t a, uint64_t b) -> uint64_t { return a < b; }, 1},
      {Operation::Same, "same",
       [](uint64_t a, uint64_t b) -> uint64_t { return a == b; }, 1},
  };
  return rows;
}

TEST(Solver, OperationsOnIntegersAreThoseByHand) {
  const auto solver = Solver::make();
  if (!solver) GTEST_SKIP() << kNoSolver;
  for (const OnIntegers &row : integerOperations()) {
    SCOPED_TRACE(row.name);
    // One question: the operation, against a table of its values by its
    // operands.
    const auto x = solver->variable(bitsSort(kWidth));
    const auto y = solver->variable(bitsSort(kWidth));
    auto table = solver->bits(row.bits, 0);
    for (uint64_t a = 0; a <= kAll; ++a)
      for (uint64_t b = 0; b <= (row.isOfTwo ? kAll : 0); ++b) {
        auto isHere =
            solver->apply(Operation::Same, {x, solver->bits(kWidth, a)});
        if (row.isOfTwo)
          isHere = solver->apply(
              Operation::And,
              {isHere,
               solver->apply(Operation::Same, {y, solver->bits(kWidth, b)})});
        const uint64_t value = row.value(a, b) & ((1 << row.bits) - 1);
        table = solver->apply(Operation::Select,
                              {isHere, solver->bits(row.bits, value), table});
      }
    const auto asked = row.isOfTwo ? solver->apply(row.operation, {x, y})
                                   : solver->apply(row.operation, {x});
    EXPECT_EQ(solver->areEqual(asked, table), Solver::Answer::Equal);
    const auto one = solver->bits(row.bits, 1);
    EXPECT_EQ(
        solver->areEqual(asked, solver->apply(Operation::Xor, {table, one})),
        Solver::Answer::Different);
  }
}

/// What is claimed of numbers, as one question.
class Claims {
 public:
  explicit Claims(Solver &solver) : solver_(solver), all_(solver.bits(1, 1)) {}
  void isBits(solver::Term term, uint64_t value) {
    add(term, solver_.bits(term.sort.bits, value));
  }
  void isFloat(solver::Term term, const llvm::APFloat &value) {
    add(term,
        solver_.floatOfBits(term.sort, value.bitcastToAPInt().getZExtValue()));
  }
  bool hold() const {
    return solver_.areEqual(all_, solver_.bits(1, 1)) == Solver::Answer::Equal;
  }

 private:
  void add(solver::Term term, solver::Term value) {
    all_ = solver_.apply(Operation::And,
                         {all_, solver_.apply(Operation::Same, {term, value})});
  }

  Solver &solver_;
  solver::Term all_;
};

TEST(Solver, VectorsBecomeLongerAndShorter) {
  const auto solver = Solver::make();
  if (!solver) GTEST_SKIP() << kNoSolver;
  for (uint64_t a = 0; a <= kAll; ++a) {
    const auto x = solver->bits(kWidth, a);
    const auto is = [&](solver::Term term, uint64_t value) {
      return solver->areEqual(term, solver->bits(term.sort.bits, value)) ==
             Solver::Answer::Equal;
    };
    EXPECT_TRUE(
        is(solver->resized(x, 64, true), static_cast<uint64_t>(asSigned(a))));
    EXPECT_TRUE(is(solver->resized(x, 64, false), a));
    EXPECT_TRUE(is(solver->resized(x, 2, true), a & 3));
    EXPECT_TRUE(is(solver->resized(x, kWidth, true), a));
  }
}

const llvm::fltSemantics &semanticsOf(Sort sort) {
  return sort.exponent == 5   ? llvm::APFloat::IEEEhalf()
         : sort.bits == 16    ? llvm::APFloat::BFloat()
         : sort.exponent == 8 ? llvm::APFloat::IEEEsingle()
                              : llvm::APFloat::IEEEdouble();
}

TEST(Solver, OperationsOnFloatsAreThoseOfIeee) {
  const auto solver = Solver::make();
  if (!solver) GTEST_SKIP() << kNoSolver;
  const int64_t pairs = fromEnvironment("INDEXICAL_SOLVER_FLOATS", 60);
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  std::cout << "INDEXICAL_SEED=" << seed << "\n";
  Random random(seed);
  const Sort half = floatSort(16, 5, 11), brain = floatSort(16, 8, 8),
             single = floatSort(32, 8, 24);
  const auto nearest = llvm::APFloat::rmNearestTiesToEven;
  for (int64_t n = 0; n < pairs; ++n) {
    const Sort sort = n % 2 ? half : brain;
    // Often zeros, ones, infinities and NaN.
    const uint64_t special[] = {0,
                                0x8000,
                                sort == half ? 0x3c00u : 0x3f80u,
                                sort == half ? 0x7c00u : 0x7f80u,
                                0xffff,
                                1};
    uint64_t words[2];
    for (uint64_t &word : words)
      word = random.oneIn(3) ? special[random.in(0, 5)] : random.in(0, 0xffff);
    SCOPED_TRACE(std::to_string(words[0]) + " " + std::to_string(words[1]));
    const llvm::APFloat a(semanticsOf(sort), llvm::APInt(16, words[0])),
        b(semanticsOf(sort), llvm::APInt(16, words[1]));
    const auto x = solver->floatOfBits(sort, words[0]),
               y = solver->floatOfBits(sort, words[1]);
    Claims claims(*solver);
    const auto of = [&](Operation operation) {
      return solver->apply(operation, {x, y});
    };
    llvm::APFloat sum = a, difference = a, product = a, quotient = a;
    sum.add(b, nearest);
    difference.subtract(b, nearest);
    product.multiply(b, nearest);
    quotient.divide(b, nearest);
    claims.isFloat(of(Operation::FloatAdd), sum);
    claims.isFloat(of(Operation::FloatSubtract), difference);
    claims.isFloat(of(Operation::FloatMultiply), product);
    claims.isFloat(of(Operation::FloatDivide), quotient);
    claims.isFloat(solver->apply(Operation::FloatNegate, {x}), neg(a));
    claims.isFloat(solver->apply(Operation::FloatAbs, {x}), abs(a));
    const auto order = a.compare(b);
    claims.isBits(of(Operation::FloatLess),
                  order == llvm::APFloat::cmpLessThan);
    claims.isBits(of(Operation::FloatLessEqual),
                  order == llvm::APFloat::cmpLessThan ||
                      order == llvm::APFloat::cmpEqual);
    claims.isBits(of(Operation::FloatEqual), order == llvm::APFloat::cmpEqual);
    claims.isBits(of(Operation::Same),
                  a.bitwiseIsEqual(b) || (a.isNaN() && b.isNaN()));
    claims.isBits(solver->apply(Operation::IsNan, {x}), a.isNaN());
    claims.isBits(solver->apply(Operation::IsInfinite, {x}), a.isInfinity());
    claims.isBits(solver->apply(Operation::IsZero, {x}), a.isZero());
    llvm::APFloat wide = a, narrow = a;
    bool loses = false;
    wide.convert(semanticsOf(single), nearest, &loses);
    claims.isFloat(solver->rounded(x, single, false), wide);
    const Sort other = sort == half ? brain : half;
    narrow.convert(semanticsOf(other), nearest, &loses);
    claims.isFloat(solver->rounded(x, other, false), narrow);
    for (const bool isSigned : {false, true}) {
      llvm::APFloat whole(semanticsOf(sort));
      whole.convertFromAPInt(llvm::APInt(16, words[0]), isSigned, nearest);
      claims.isFloat(
          solver->rounded(solver->bits(16, words[0]), sort, isSigned), whole);
    }
    EXPECT_TRUE(claims.hold());
  }
}

TEST(Solver, VariablesFunctionsAndAssumptions) {
  const auto solver = Solver::make();
  if (!solver) GTEST_SKIP() << kNoSolver;
  const Sort word = bitsSort(32), single = floatSort(32, 8, 24);
  const auto x = solver->variable(word), y = solver->variable(word);
  EXPECT_EQ(solver->areEqual(x, x), Solver::Answer::Equal);
  EXPECT_EQ(solver->areEqual(x, y), Solver::Answer::Different);
  const auto of = [&](solver::Term at) {
    return solver->unknownFunction("f", word, {at});
  };
  EXPECT_EQ(solver->areEqual(of(x), of(x)), Solver::Answer::Equal);
  EXPECT_EQ(solver->areEqual(of(x), of(y)), Solver::Answer::Different);
  EXPECT_EQ(solver->areEqual(of(x), solver->unknownFunction("g", word, {x})),
            Solver::Answer::Different);
  const auto by8 = solver->bits(32, 8), three = solver->bits(32, 3);
  const auto shifted = solver->apply(Operation::ShiftRightLogical, {x, three});
  EXPECT_EQ(solver->areEqual(solver->apply(Operation::DivideUnsigned, {x, by8}),
                             shifted),
            Solver::Answer::Equal);
  const auto signedQuotient = solver->apply(Operation::DivideSigned, {x, by8});
  EXPECT_EQ(solver->areEqual(signedQuotient, shifted),
            Solver::Answer::Different);
  // With a sign, they agree where the sign is none.
  solver->assume(
      solver->apply(Operation::LessUnsigned, {x, solver->bits(32, 1u << 31)}));
  EXPECT_EQ(solver->areEqual(signedQuotient, shifted), Solver::Answer::Equal);
  // A float plus 0 is itself, but for -0.
  const auto a = solver->variable(single);
  const auto zero = solver->floatOfBits(single, 0),
             minusZero = solver->floatOfBits(single, 0x80000000);
  EXPECT_EQ(solver->areEqual(solver->apply(Operation::FloatAdd, {a, zero}), a),
            Solver::Answer::Different);
  EXPECT_EQ(
      solver->areEqual(solver->apply(Operation::FloatAdd, {a, minusZero}), a),
      Solver::Answer::Equal);
}

TEST(Solver, AHardQuestionEnds) {
  const auto solver = Solver::make();
  if (!solver) GTEST_SKIP() << kNoSolver;
  // Products of three in two orders are one number, which takes more steps than
  // there are.
  const Sort word = bitsSort(64);
  const auto x = solver->variable(word), y = solver->variable(word),
             z = solver->variable(word);
  const auto by = [&](solver::Term a, solver::Term b) {
    return solver->apply(Operation::Multiply, {a, b});
  };
  const auto either = [&](solver::Term a, solver::Term b) {
    return solver->apply(Operation::Xor, {a, b});
  };
  const auto first = by(either(x, y), by(either(y, z), either(z, x)));
  const auto second = by(either(z, x), by(either(x, y), either(z, y)));
  EXPECT_NE(solver->areEqual(either(first, by(x, y)), either(second, by(y, x))),
            Solver::Answer::Different);
}

}  // namespace
}  // namespace indexical::testing
