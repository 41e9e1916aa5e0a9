// Windows some of which hold padding alone, over arrays that fall into parts,
// and what sums them up: against numbers.
//
//   x = s8[1,4] concatenate(p, reverse(p))
//   w = s8[2,2] reduce-window(x, 127), window={size=1x2 stride=1x2 pad=0_1x0_0}
//   r = s8[2] reduce(w, 0), dimensions={0}, to_apply=add       w[0, i] + 127
//
//   INDEXICAL_WINDOWS=50        50 times as many pairs
//   INDEXICAL_SEED=n            beginning with this one
#include <algorithm>
#include <cstdint>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/same/values/pair_tally.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

/// A matrix of s8.
struct Matrix {
  int64_t rows = 0, columns = 0;
  std::vector<int8_t> elements;

  int8_t &at(int64_t row, int64_t column) {
    return elements[row * columns + column];
  }
};

constexpr const char *kFunctions[] = {"minimum", "maximum", "add"};

int8_t reduced(int function, int a, int b) {
  return static_cast<int8_t>(function == 0   ? std::min(a, b)
                             : function == 1 ? std::max(a, b)
                                             : a + b);
}

/// One module: p of `columns`, joined with itself, in windows, summed up.
struct Program {
  int64_t columns, width, before, behind;
  int function, init, end;  ///< end: 0 as it is, 1 rows summed, 2 a product
  bool isTurned, isJoined;

  explicit Program(Random &random) {
    columns = random.in(1, 3) * 2;
    width = random.in(1, 2);
    before = random.in(0, 1);
    behind = random.in(0, 2);
    function = static_cast<int>(random.in(0, 2));
    const int neutral[] = {127, -128, 0};
    init = random.oneIn(4) ? static_cast<int>(random.in(-3, 3))
                           : neutral[function];
    end = static_cast<int>(random.in(0, 2));
    isTurned = random.oneIn(2);
    isJoined = !random.oneIn(4);
  }

  int64_t rows() const { return 1 + before + behind; }
  int64_t all() const { return columns * (isJoined ? 2 : 1); }

  std::string text() const {
    auto shape = [](int64_t a, int64_t b) {
      return "s8[" + std::to_string(a) + "," + std::to_string(b) + "]";
    };
    const int64_t wide = all() / width;
    std::string text = "HloModule m\n";
    for (const char *function : kFunctions)
      text += std::string("f_") + function +
              " { a = s8[] parameter(0)\n b = s8[] parameter(1)\n"
              " ROOT r = s8[] " +
              function + "(a, b) }\n";
    text += "ENTRY e {\n p = " + shape(1, columns) +
            " parameter(0)\n q = " + shape(1, columns) +
            (isTurned ? " reverse(p), dimensions={1}\n" : " copy(p)\n");
    text += " x = " + shape(1, all()) +
            (isJoined ? " concatenate(p, q), dimensions={1}\n" : " copy(q)\n");
    text += " i = s8[] constant(" + std::to_string(init) +
            ")\n z = s8[] constant(0)\n w = " + shape(rows(), wide) +
            " reduce-window(x, i), window={size=1x" + std::to_string(width) +
            " stride=1x" + std::to_string(width) +
            " pad=" + std::to_string(before) + "_" + std::to_string(behind) +
            "x0_0}, to_apply=f_" + kFunctions[function] + "\n";
    if (end == 0)
      return text + " ROOT r = " + shape(rows(), wide) + " copy(w)\n}\n";
    if (end == 1)
      return text + " ROOT r = s8[" + std::to_string(wide) +
             "] reduce(w, z), dimensions={0}, to_apply=f_add\n}\n";
    return text + " ROOT r = " + shape(wide, wide) +
           " dot(w, w), lhs_contracting_dims={0}, "
           "rhs_contracting_dims={0}\n}\n";
  }

  Matrix result(Matrix p) const {
    Matrix x{1, all(), std::vector<int8_t>(all())};
    for (int64_t k = 0; k < all(); ++k) {
      const bool isSecond = k >= columns || !isJoined;
      const int64_t at = k % columns;
      x.at(0, k) = p.at(0, isSecond && isTurned ? columns - 1 - at : at);
    }
    const int64_t wide = all() / width;
    Matrix w{rows(), wide, std::vector<int8_t>(rows() * wide)};
    for (int64_t row = 0; row < rows(); ++row)
      for (int64_t k = 0; k < wide; ++k) {
        int8_t all = static_cast<int8_t>(init);
        for (int64_t j = 0; j < width; ++j)
          all = reduced(function, all,
                        row == before ? x.at(0, k * width + j) : init);
        w.at(row, k) = all;
      }
    if (end == 0) return w;
    Matrix r{end == 1 ? 1 : wide, wide, {}};
    r.elements.resize(r.rows * r.columns);
    for (int64_t a = 0; a < r.rows; ++a)
      for (int64_t b = 0; b < wide; ++b) {
        int sum = 0;
        for (int64_t row = 0; row < rows(); ++row)
          sum += w.at(row, b) * (end == 1 ? 1 : w.at(row, a));
        r.at(a, b) = static_cast<int8_t>(sum);
      }
    return r;
  }
};

TEST(PaddedWindowsTest, EqualOnesHaveEqualNumbers) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_WINDOWS", 1);
  PairTally tally;
  for (uint64_t s = seed; s < seed + count; ++s) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(s));
    Random random(s);
    const Program one(random);
    Program other = one;
    // Padding moves, or comes and goes where rows are summed up.
    const int64_t padding = one.before + one.behind;
    if (one.end > 0 && random.oneIn(2))
      other.behind = random.in(0, 3);
    else
      other.before = random.in(0, padding),
      other.behind = padding - other.before;
    if (random.oneIn(3)) other.isTurned = !one.isTurned;
    bool areSame = true;
    for (int round = 0; round < 12; ++round) {
      Matrix p{1, one.columns, {}};
      for (int64_t k = 0; k < one.columns; ++k)
        p.elements.push_back(static_cast<int8_t>(random.in(-128, 127)));
      areSame &= one.result(p).elements == other.result(p).elements;
    }
    tally.check(one.text(), other.text(), areSame);
  }
  tally.print();
  EXPECT_GT(tally.equal, tally.same / 3);
  EXPECT_GT(tally.refuted, tally.different / 3);
}

}  // namespace
}  // namespace indexical::testing
