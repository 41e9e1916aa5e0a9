#include "indexical/program/kernel/canonical_terms.h"

#include <random>

#include "gtest/gtest.h"

#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {
namespace {

TEST(CanonicalTerms, SumsOfTheSameProductsAreOneTerm) {
  Terms terms;
  const TermId x = terms.coordinate(0), y = terms.coordinate(1);
  const auto n = [&](int64_t value) { return terms.constant(value, 64); };
  const auto add = [&](TermId a, TermId b) {
    return terms.make(TermKind::Add, 64, {a, b});
  };
  const auto mul = [&](TermId a, TermId b) {
    return terms.make(TermKind::Mul, 64, {a, b});
  };
  const TermId a = add(mul(add(x, n(1)), n(4)), y);
  const TermId b = add(add(n(4), mul(x, n(4))), y);
  EXPECT_NE(a, b);
  EXPECT_EQ(canonical(terms, a), canonical(terms, b));
  EXPECT_NE(canonical(terms, a), canonical(terms, add(b, n(1))));
  EXPECT_EQ(canonical(terms, terms.make(TermKind::Sub, 64, {a, b})), n(0));
}

/// Makes random terms of integers of 8, 32 and 64 bits.
class RandomTerms {
 public:
  RandomTerms(Terms &terms, unsigned seed) : terms_(terms), random_(seed) {}

  TermId term(int depth, int32_t bits) {
    if (depth == 0 || below(5) == 0) {
      if (below(2) == 0) return terms_.constant(below(300) - 150, bits);
      return terms_.make(TermKind::Truncate, bits,
                         {terms_.coordinate(below(3))});
    }
    static constexpr TermKind kKinds[] = {TermKind::Add,  TermKind::Sub,
                                          TermKind::Mul,  TermKind::MinS,
                                          TermKind::RemS, TermKind::Select};
    const TermKind kind = kKinds[below(6)];
    const TermId a = term(depth - 1, bits), b = term(depth - 1, bits);
    if (kind == TermKind::Select)
      return terms_.make(kind, bits,
                         {terms_.make(TermKind::LessS, 1, {a, b}), b, a});
    if (bits < 64 && below(4) == 0)
      return terms_.make(TermKind::Truncate, bits, {term(depth - 1, 64)});
    if (bits == 64 && below(4) == 0)
      return terms_.make(TermKind::SignExtend, 64, {term(depth - 1, 8)});
    return terms_.make(kind, bits, {a, b});
  }

  int64_t below(int64_t count) {
    return std::uniform_int_distribution<int64_t>(0, count - 1)(random_);
  }

 private:
  Terms &terms_;
  std::mt19937 random_;
};

TEST(CanonicalTerms, ValuesAreKept) {
  for (unsigned seed = 0; seed < 300; ++seed) {
    Terms terms;
    RandomTerms random(terms, seed);
    static constexpr int32_t kBits[] = {8, 32, 64};
    const TermId term = random.term(4, kBits[random.below(3)]);
    const TermId made = canonical(terms, term);
    EXPECT_EQ(canonical(terms, made), made) << "seed " << seed;
    for (int point = 0; point < 20; ++point) {
      const int64_t coordinates[] = {random.below(1000) - 500,
                                     random.below(7) - 3, random.below(2)};
      TermPoint at;
      at.coordinates = coordinates;
      const auto before = terms.evaluate(term, at);
      const auto after = terms.evaluate(made, at);
      // A product with 0 has a value where its operands may have none.
      if (!before) continue;
      ASSERT_TRUE(after) << "seed " << seed;
      EXPECT_EQ(before->value, after->value) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace indexical::kernels
