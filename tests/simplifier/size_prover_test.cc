// The prover of sizes (simplifier/size_prover.h) on random questions: what it
// shows holds at every point, its certificates add up, each of their lines
// holds, and neither the order of constraints nor a smaller budget makes
// another answer true.
//
//   INDEXICAL_SIZE_QUESTIONS=100000   so many questions
//   INDEXICAL_SEED=n                  beginning with this one
#include "indexical/simplifier/size_prover.h"

#include <algorithm>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/packed_polynomial.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Point = std::vector<int64_t>;

/// Variables with bounds, constraints, and a form to ask about.
struct Question {
  ExpressionPool pool;
  std::vector<Interval> bounds;
  std::vector<Constraint> givens;
  FormId asked = 0;

  VariableId id(size_t i) const {
    return {VariableKind::Dimension, static_cast<uint32_t>(i)};
  }
  FormId variable(size_t i) { return pool.variable(id(i)); }

  bool implies(Interval claim, const SizeBudget &budget = {},
               std::vector<SizeCertificate> *proofs = nullptr) const {
    auto boundsOf = [&](VariableId v) { return bounds[v.index]; };
    return sizesImply({pool, boundsOf, givens}, {asked, claim}, budget, proofs);
  }
  std::optional<int64_t> at(const ExpressionTable &table, FormId form,
                            const Point &point) const {
    auto value = [&](VariableId v) { return point[v.index]; };
    return Evaluation(table, value)(form);
  }
  bool holdsAt(const Point &point) const {
    for (size_t i = 0; i < bounds.size(); ++i)
      if (!bounds[i].contains(point[i])) return false;
    return std::all_of(givens.begin(), givens.end(), [&](const Constraint &c) {
      const auto found = at(pool, c.form, point);
      return found && c.bounds.contains(*found);
    });
  }
  std::string text() const {
    std::string all;
    auto name = [](VariableId v) { return "v" + std::to_string(v.index); };
    for (size_t i = 0; i < bounds.size(); ++i)
      all += name(id(i)) + " in " + bounds[i].str() + ", ";
    for (const Constraint &c : givens)
      all +=
          printExpression(pool, c.form, name) + " in " + c.bounds.str() + ", ";
    return all + "asked: " + printExpression(pool, asked, name);
  }
};

/// Draws questions. Sizes come first, then indices, then numbers of any sign.
class Questions {
 public:
  explicit Questions(uint64_t seed) : random_(seed) {}

  Question draw() {
    Question q;
    const int64_t count = random_.in(2, 4);
    for (int64_t i = 0; i < count; ++i)
      q.bounds.push_back(random_.oneIn(2)   ? Interval{1, Interval::kInfinity}
                         : random_.oneIn(8) ? Interval{-2, 5}
                         : random_.oneIn(8) ? Interval::all()
                         : random_.oneIn(4) ? Interval{0, random_.in(1, 9)}
                                            : Interval{0, Interval::kInfinity});
    const int64_t givens = random_.in(0, 3);
    for (int64_t i = 0; i < givens; ++i) {
      const FormId form = sum(q, 1);
      const int64_t least = random_.in(-3, 3);
      q.givens.push_back(
          {form, random_.oneIn(4) ? Interval::point(least)
                 : random_.oneIn(2)
                     ? Interval{least, Interval::kInfinity}
                     : Interval{Interval::kMinusInfinity, least}});
    }
    q.asked = sum(q, 2);
    return q;
  }

 private:
  FormId sum(Question &q, int depth) {
    llvm::SmallVector<ScaledForm, 4> parts;
    for (int64_t i = random_.in(1, 3); i > 0; --i)
      parts.push_back({factor(q, depth), pick({1, 1, -1, -1, 2, -2, 3})});
    return q.pool.linear(parts, random_.oneIn(2) ? 0 : random_.in(-3, 3));
  }
  FormId factor(Question &q, int depth) {
    const FormId plain = q.variable(random_.in(0, q.bounds.size() - 1));
    if (depth == 0) return plain;
    switch (random_.in(0, 6)) {
      case 0:
        return q.pool.product(plain, factor(q, depth - 1));
      case 1:
        return q.pool.digit(sum(q, depth - 1), random_.in(1, 4),
                            random_.oneIn(2) ? 0 : random_.in(2, 4));
      case 2:
        return q.pool.quotient(sum(q, depth - 1), divisor(q));
      case 3:
        return q.pool.remainder(sum(q, depth - 1), divisor(q));
      default:
        return plain;
    }
  }
  FormId divisor(Question &q) {
    const FormId x = q.variable(random_.in(0, q.bounds.size() - 1));
    const FormId y = q.variable(random_.in(0, q.bounds.size() - 1));
    switch (random_.in(0, 5)) {
      case 0:
        return q.pool.product(x, y);
      case 1:
        return q.pool.linear({{x, 1}, {y, 1}}, random_.in(0, 1));
      case 2:
        return q.pool.linear({{x, random_.in(2, 3)}}, 0);
      default:
        return x;
    }
  }
  int64_t pick(std::vector<int64_t> from) {
    return from[random_.in(0, from.size() - 1)];
  }

  Random random_;
};

/// Returns points of the givens: all small ones, and some with larger numbers.
std::vector<Point> pointsOf(const Question &q, Random &random) {
  std::vector<Point> points;
  auto add = [&](const Point &point) {
    if (q.holdsAt(point)) points.push_back(point);
  };
  const int64_t most = q.bounds.size() > 3 ? 3 : q.bounds.size() > 2 ? 4 : 6;
  Point point(q.bounds.size(), -1);
  while (true) {
    add(point);
    size_t k = point.size();
    while (k > 0 && ++point[k - 1] > most) point[--k] = -1;
    if (k == 0) break;
  }
  for (int i = 0; i < 200; ++i) {
    for (size_t k = 0; k < point.size(); ++k)
      point[k] = random.in(q.bounds[k].hasLower() ? q.bounds[k].lower : -40,
                           random.oneIn(2) ? 6 : 40);
    add(point);
  }
  return points;
}

std::string linesOf(const SizeCertificate &proof) {
  std::string all;
  auto name = [](VariableId v) { return "v" + std::to_string(v.index); };
  for (const std::string &line : proof.text(name)) all += line + "\n";
  return all;
}

/// Each line that does not rest on the contrary of the claim is at least 0 at
/// all points of the givens.
void expectLinesHold(const Question &q, const SizeCertificate &proof,
                     const std::vector<Point> &points) {
  for (const SizeCertificate::Case &one : proof.cases)
    for (const SizeCertificate::Line &line : one.lines) {
      if (line.reason == SizeReason::Refuted ||
          line.reason == SizeReason::Assumed ||
          line.reason == SizeReason::Product)
        continue;
      for (const Point &point : points) {
        const auto value = q.at(proof.pool, line.form, point);
        ASSERT_TRUE(!value || *value >= 0) << q.text();
      }
    }
  for (const SizeCertificate::Solved &solved : proof.solved)
    for (const Point &point : points) {
      const auto value = q.at(proof.pool, solved.value, point);
      ASSERT_TRUE(!value || *value == point[solved.variable.index]) << q.text();
    }
}

TEST(SizeProver, RandomQuestions) {
  const uint64_t count = fromEnvironment("INDEXICAL_SIZE_QUESTIONS", 600);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  std::printf("%llu questions from INDEXICAL_SEED=%llu on\n",
              static_cast<unsigned long long>(count),
              static_cast<unsigned long long>(first));
  uint64_t trueClaims = 0, shown = 0, withoutPoints = 0;
  // In the last one a product replaces a row that others are products of.
  for (uint64_t n = 0; n <= count; ++n) {
    const uint64_t seed = n < count ? first + n : 56304;
    SCOPED_TRACE(seed);
    Questions questions(seed);
    Random random(seed);
    Question q = questions.draw();
    const std::vector<Point> points = pointsOf(q, random);
    std::optional<Interval> values;
    for (const Point &point : points)
      if (const auto value = q.at(q.pool, q.asked, point))
        values = values ? values->hull(Interval::point(*value))
                        : Interval::point(*value);
    if (!values) {
      ++withoutPoints;
      continue;
    }
    for (const Interval &claim :
         {Interval{values->lower, Interval::kInfinity},
          Interval{Interval::kMinusInfinity, values->upper}}) {
      std::vector<SizeCertificate> proofs;
      ++trueClaims;
      const bool isShown = q.implies(claim, {}, &proofs);
      shown += isShown;
      for (SizeCertificate &proof : proofs) {
        const auto wrong = proof.check();
        EXPECT_FALSE(wrong) << *wrong << "\n"
                            << q.text() << "\n"
                            << linesOf(proof);
        expectLinesHold(q, proof, points);
      }
      SizeBudget small;
      small.operations = random.in(1, 3'000);
      EXPECT_TRUE(isShown || !q.implies(claim, small)) << q.text();
      Question turned = q;
      std::reverse(turned.givens.begin(), turned.givens.end());
      EXPECT_EQ(isShown, turned.implies(claim)) << q.text();
    }
    // A point refutes each of these.
    EXPECT_FALSE(q.implies({values->lower + 1, Interval::kInfinity}))
        << q.text();
    EXPECT_FALSE(q.implies({Interval::kMinusInfinity, values->upper - 1}))
        << q.text();
  }
  std::printf(
      "%llu of %llu claims that hold at all points tried are shown; "
      "%llu questions without points\n",
      static_cast<unsigned long long>(shown),
      static_cast<unsigned long long>(trueClaims),
      static_cast<unsigned long long>(withoutPoints));
}

/// Numbers near 2^31, 2^62 and 2^63 in bounds, coefficients and divisors.
TEST(SizeProver, GreatNumbers) {
  const uint64_t count = fromEnvironment("INDEXICAL_SIZE_QUESTIONS", 600);
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE(seed);
    Random random(seed);
    auto great = [&]() -> int64_t {
      const int64_t edges[] = {int64_t{1} << 31, int64_t{1} << 62, INT64_MAX};
      const int64_t edge = edges[random.in(0, 2)];
      return random.oneIn(3) ? random.in(1, 5) : edge - random.in(0, 3);
    };
    Question q;
    for (int i = 0; i < 2; ++i) {
      const int64_t end = great();
      const int64_t begin = random.oneIn(2) ? 1 : end - random.in(0, 3);
      q.bounds.push_back(
          {std::min(begin, end), random.oneIn(2) ? end : Interval::kInfinity});
    }
    const FormId x = q.variable(0), y = q.variable(1);
    auto form = [&]() -> FormId {
      switch (random.in(0, 4)) {
        case 0:
          return q.pool.product(x, y);
        case 1:
          return q.pool.quotient(x, y);
        case 2:
          return q.pool.remainder(x, y);
        case 3:
          return q.pool.digit(x, great(), random.oneIn(2) ? 0 : great());
        default:
          return random.oneIn(2) ? x : y;
      }
    };
    q.asked = q.pool.linear(
        {{form(), random.in(-2, 2)}, {form(), random.oneIn(4) ? great() : 1}},
        random.oneIn(2) ? -great() : 0);
    if (random.oneIn(2))
      q.givens.push_back(
          {q.pool.linear({{x, 1}, {y, -random.in(1, 3)}}, 0),
           {Interval::kMinusInfinity, random.oneIn(2) ? -1 : great()}});
    if (q.pool.overflowed()) continue;
    for (int i = 0; i < 5; ++i) {
      Point point;
      for (const Interval &bounds : q.bounds) {
        const int64_t low = bounds.lower, high = bounds.upper;
        const int64_t few = low > INT64_MAX - 9 ? INT64_MAX : low + 9;
        point.push_back(random.oneIn(2) ? low
                        : random.oneIn(2)
                            ? high
                            : random.in(low, std::min(high, few)));
      }
      if (!q.holdsAt(point)) continue;
      const auto value = q.at(q.pool, q.asked, point);
      if (!value || *value == INT64_MAX || *value <= -INT64_MAX) continue;
      EXPECT_FALSE(q.implies({*value + 1, Interval::kInfinity})) << q.text();
      EXPECT_FALSE(q.implies({Interval::kMinusInfinity, *value - 1}))
          << q.text();
    }
  }
}

TEST(PackedPolynomial, SumsAndProductsAtPoints) {
  Random random(1);
  for (int i = 0; i < 300; ++i) {
    const int64_t values[] = {1, random.in(-5, 5), random.in(-5, 5),
                              random.in(-5, 5)};
    auto draw = [&] {
      PackedPolynomial sum(random.in(-3, 3));
      for (int64_t k = random.in(0, 3); k > 0; --k) {
        PackedMonomial monomial;
        for (int64_t n = random.in(1, 3); n > 0; --n)
          monomial = *monomial.times(PackedMonomial(random.in(1, 3)));
        EXPECT_TRUE(sum.add(PackedPolynomial::of(monomial, random.in(-3, 3))));
      }
      return sum;
    };
    auto at = [&](const PackedPolynomial &sum) {
      int64_t total = 0;
      for (const PackedTerm &term : sum.terms()) {
        int64_t part = term.coefficient;
        for (unsigned k = 0; k < term.monomial.degree(); ++k)
          part *= values[term.monomial.factor(k)];
        total += part;
      }
      return total;
    };
    const PackedPolynomial x = draw(), y = draw();
    EXPECT_EQ(at(*x.times(y)), at(x) * at(y));
    PackedPolynomial sum = x;
    ASSERT_TRUE(sum.add(y, -2));
    EXPECT_EQ(at(sum), at(x) - 2 * at(y));
    // A monomial has at most eight factors.
    if (const auto replaced = with(x, 2, y)) {
      int64_t own[] = {values[0], values[1], at(y), values[3]};
      int64_t total = 0;
      for (const PackedTerm &term : x.terms()) {
        int64_t part = term.coefficient;
        for (unsigned k = 0; k < term.monomial.degree(); ++k)
          part *= own[term.monomial.factor(k)];
        total += part;
      }
      EXPECT_EQ(at(*replaced), total);
    }
  }
}

}  // namespace
}  // namespace indexical::testing
