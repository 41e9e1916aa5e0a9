// Every operation on intervals against the same operation on their elements.
//
// All intervals with ends in [-5, 5] (and, for pairs, [-3, 3]) are taken: each
// result must be the least interval that contains every result on elements.
// Open sides stand for elements as far as a window goes, and arithmetic at the
// ends of 64 bits is held against 128 bits.
#include "indexical/indexing/interval.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"

namespace indexical {

void PrintTo(const Interval &interval, std::ostream *os) {
  *os << interval.str();
}

namespace {

constexpr int64_t kInf = Interval::kInfinity;
constexpr int64_t kMinusInf = Interval::kMinusInfinity;

/// All intervals with both ends in [-most, most], and the empty one.
std::vector<Interval> smallIntervals(int64_t most) {
  std::vector<Interval> intervals{Interval::none(), {3, 1}};
  for (int64_t low = -most; low <= most; ++low)
    for (int64_t high = low; high <= most; ++high)
      intervals.push_back({low, high});
  return intervals;
}

std::vector<int64_t> elementsOf(const Interval &interval, int64_t window = 0) {
  std::vector<int64_t> elements;
  int64_t low = interval.hasLower() ? interval.lower : -window;
  int64_t high = interval.hasUpper() ? interval.upper : window;
  for (int64_t x = low; x <= high; ++x) elements.push_back(x);
  return elements;
}

Interval hullOf(const std::vector<int64_t> &elements) {
  if (elements.empty()) return Interval::none();
  auto [low, high] = std::minmax_element(elements.begin(), elements.end());
  return {*low, *high};
}

using Binary = std::function<int64_t(int64_t, int64_t)>;

int64_t floorOf(int64_t a, int64_t b) { return floorDiv(a, b); }

Interval hullOf(const Interval &a, const Interval &b, const Binary &f,
                int64_t window = 0) {
  std::vector<int64_t> results;
  for (int64_t x : elementsOf(a, window))
    for (int64_t y : elementsOf(b, window)) results.push_back(f(x, y));
  return hullOf(results);
}

struct Operation {
  const char *name;
  std::function<Interval(const Interval &, const Interval &)> intervals;
  Binary elements;
  bool divides = false;
};

const Operation kOperations[] = {
    {"+", [](const Interval &a, const Interval &b) { return a + b; },
     [](int64_t x, int64_t y) { return x + y; }},
    {"-", [](const Interval &a, const Interval &b) { return a - b; },
     [](int64_t x, int64_t y) { return x - y; }},
    {"*", [](const Interval &a, const Interval &b) { return a * b; },
     [](int64_t x, int64_t y) { return x * y; }},
    {"floordiv",
     [](const Interval &a, const Interval &b) { return a.floorDiv(b); },
     floorOf, true},
};

TEST(IntervalTest, Arithmetic) {
  const int64_t values[] = {-7, -1, 0, 1, 6};
  const int64_t divisors[] = {-8, -3, -2, -1, 1, 2, 3, 8};
  EXPECT_EQ(floorDiv(7, -3), -3);
  EXPECT_EQ(floorDiv(-1, 8), -1);
  EXPECT_EQ(floorMod(-1, 8), 7);
  for (int64_t a : values)
    for (int64_t b : divisors) {
      int64_t q = floorDiv(a, b);
      // q is the only integer with 0 <= (a - q*b) / b < 1.
      EXPECT_TRUE(b > 0 ? (q * b <= a && a < q * b + b)
                        : (q * b >= a && a > q * b + b))
          << a << " / " << b;
      EXPECT_EQ(ceilDiv(a, b), -floorDiv(-a, b));
      if (b > 0) {
        EXPECT_EQ(floorMod(a, b), a - b * q);
      }
    }
  EXPECT_EQ(checkedAdd(kInf, 1), std::nullopt);
  EXPECT_EQ(checkedSub(kMinusInf, 1), std::nullopt);
  EXPECT_EQ(checkedMul(int64_t{1} << 40, int64_t{1} << 40), std::nullopt);
  EXPECT_EQ(checkedAdd(kInf, -1), kInf - 1);
  EXPECT_EQ(checkedMul(-1, kMinusInf), std::nullopt);
  EXPECT_EQ(gcd(0, -6), 6);
}

TEST(IntervalTest, OperationsOfTwoIntervals) {
  for (const Operation &op : kOperations)
    for (const Interval &a : smallIntervals(4))
      for (const Interval &b : smallIntervals(4)) {
        if (op.divides && b.contains(0)) continue;
        EXPECT_EQ(op.intervals(a, b), hullOf(a, b, op.elements))
            << a.str() << " " << op.name << " " << b.str();
      }
}

TEST(IntervalTest, OperationsWithANumber) {
  for (const Interval &a : smallIntervals(9))
    for (int64_t k = -6; k <= 6; ++k) {
      const Interval number = Interval::point(k);
      EXPECT_EQ(a * k, hullOf(a, number, std::multiplies<int64_t>()));
      if (k != 0) {
        EXPECT_EQ(a.floorDiv(k), hullOf(a, number, floorOf));
      }
      if (k > 0) {
        EXPECT_EQ(a.mod(k), hullOf(a, number, floorMod))
            << a.str() << " mod " << k;
      }
      for (const Interval &b : {Interval{-2, 5}, Interval::all()}) {
        Interval sum = b;
        const bool isAdded = sum.addFinite(a, k);
        EXPECT_EQ(isAdded, a.isFinite() && !a.isEmpty() && b.isFinite());
        if (isAdded) {
          EXPECT_EQ(sum, b + a * k);
        }
        for (const Interval &c :
             {b, Interval{-3, kInf}, Interval{kMinusInf, 2}}) {
          sum = c;
          sum.add(a, k);
          EXPECT_EQ(sum, c + a * k)
              << c.str() << " + " << a.str() << " * " << k;
        }
        sum = Interval::none();
        sum.add(a, k);
        EXPECT_TRUE(sum.isEmpty());
      }
      EXPECT_EQ(-a, hullOf(a, Interval::point(0),
                           [](int64_t x, int64_t) { return -x; }));
    }
}

TEST(IntervalTest, Sets) {
  for (const Interval &a : smallIntervals(4)) {
    const std::vector<int64_t> inA = elementsOf(a);
    EXPECT_EQ(a.isEmpty(), inA.empty());
    EXPECT_EQ(a.isPoint(), inA.size() == 1);
    EXPECT_EQ(a.count(), static_cast<int64_t>(inA.size()));
    for (const Interval &b : smallIntervals(4)) {
      std::vector<int64_t> both, either = inA;
      bool subset = true;
      for (int64_t x : elementsOf(b)) {
        either.push_back(x);
        if (a.contains(x)) both.push_back(x);
        subset &= a.contains(x);
      }
      EXPECT_EQ(a.intersect(b), hullOf(both)) << a.str() << b.str();
      EXPECT_EQ(a.hull(b), hullOf(either)) << a.str() << b.str();
      EXPECT_EQ(a.contains(b), subset) << a.str() << b.str();
      EXPECT_EQ(a == b, inA == elementsOf(b));
      EXPECT_EQ(a != b, !(a == b));
    }
  }
}

TEST(IntervalTest, Preimages) {
  for (const Interval &a : smallIntervals(7))
    for (int64_t k = -5; k <= 5; ++k) {
      std::vector<int64_t> ofMul, ofFloorDiv;
      for (int64_t x = -60; x <= 60; ++x) {
        if (a.contains(x * k)) ofMul.push_back(x);
        if (k > 0 && a.contains(floorDiv(x, k))) ofFloorDiv.push_back(x);
      }
      if (k != 0) {
        EXPECT_EQ(a.preimageOfMul(k), hullOf(ofMul)) << a.str() << " " << k;
      }
      if (k > 0) {
        EXPECT_EQ(a.preimageOfFloorDiv(k), hullOf(ofFloorDiv))
            << a.str() << " " << k;
      }
    }
}

//===-- Open sides --------------------------------------------------------===//

std::vector<Interval> openIntervals() {
  std::vector<Interval> intervals{Interval::all()};
  for (int64_t end = -3; end <= 3; ++end) {
    intervals.push_back({kMinusInf, end});
    intervals.push_back({end, kInf});
    intervals.push_back({end, std::min<int64_t>(end + 2, 3)});
  }
  return intervals;
}

constexpr int64_t kWindow = 30;

/// A result on open intervals must contain what the elements in the window
/// give, and be tight wherever it is finite.
void expectEncloses(const Interval &result, const Interval &elements,
                    const std::string &what) {
  EXPECT_TRUE(result.contains(elements))
      << what << ": " << result.str() << " without " << elements.str();
  if (result.hasLower()) {
    EXPECT_EQ(result.lower, elements.lower) << what;
  }
  if (result.hasUpper()) {
    EXPECT_EQ(result.upper, elements.upper) << what;
  }
  // An end of the elements that is far out may come from the window's edge. The
  // result may then be open on that side.
  if (elements.lower > -kWindow / 6) {
    EXPECT_TRUE(result.hasLower()) << what;
  }
  if (elements.upper < kWindow / 6) {
    EXPECT_TRUE(result.hasUpper()) << what;
  }
}

TEST(IntervalTest, OpenSides) {
  for (const Operation &op : kOperations)
    for (const Interval &a : openIntervals())
      for (const Interval &b : openIntervals()) {
        if (op.divides && b.contains(0)) continue;
        expectEncloses(op.intervals(a, b), hullOf(a, b, op.elements, kWindow),
                       a.str() + " " + op.name + " " + b.str());
      }
  for (const Interval &a : openIntervals())
    for (int64_t k : {-4, -1, 1, 3}) {
      const Interval number = Interval::point(k);
      expectEncloses(a.floorDiv(k), hullOf(a, number, floorOf, kWindow),
                     a.str() + " floordiv " + std::to_string(k));
      if (k > 0) {
        EXPECT_EQ(a.mod(k), hullOf(a, number, floorMod, kWindow));
      }
    }
}

TEST(IntervalTest, OpenPreimages) {
  for (const Interval &a : openIntervals())
    for (int64_t k : {-4, -3, -1, 1, 2, 5})
      for (int64_t x = -kWindow; x <= kWindow; ++x) {
        EXPECT_EQ(a.preimageOfMul(k).contains(x), a.contains(x * k));
        if (k > 0) {
          EXPECT_EQ(a.preimageOfFloorDiv(k).contains(x),
                    a.contains(floorDiv(x, k)));
        }
      }
}

TEST(IntervalTest, OpenSidesOfSets) {
  EXPECT_FALSE(Interval::all().isFinite());
  EXPECT_EQ(Interval::all().count(), kInf);
  EXPECT_EQ((Interval{0, kInf}).count(), kInf);
  EXPECT_TRUE((Interval{kMinusInf, 4}).contains(kMinusInf + 1));
  EXPECT_FALSE((Interval{kMinusInf, 4}).contains(5));
  EXPECT_EQ((Interval{kMinusInf, 4}).hull({7, 9}), (Interval{kMinusInf, 9}));
  EXPECT_EQ((Interval{kMinusInf, 4}).intersect({-2, kInf}), (Interval{-2, 4}));
  EXPECT_EQ((Interval{kMinusInf, 4}).str(), "[-inf, 4]");
  EXPECT_EQ((Interval{-3, kInf}).str(), "[-3, inf]");
  EXPECT_EQ((Interval{0, 9}).str(), "[0, 9]");
}

//===-- The ends of 64 bits -----------------------------------------------===//

// An end that leaves 64 bits stays at the last integer: as the end on its own
// side that is open, and on the other side a number.
TEST(IntervalTest, EndsStayInside64Bits) {
  for (int64_t k : {2, -2}) {
    Interval sum = Interval::point(1);
    EXPECT_FALSE(sum.addFinite({0, kInf - 1}, k));
    sum = Interval::point(kInf - 4);
    EXPECT_FALSE(sum.addFinite({-2, 2}, k));
    sum = Interval::point(kMinusInf + 4);
    EXPECT_FALSE(sum.addFinite({-2, 2}, k));
    sum = Interval::point(kInf - 5);
    EXPECT_TRUE(sum.addFinite({-2, 2}, k));
    sum.add({0, kInf - 1}, k);
    EXPECT_EQ(sum.isFinite(), false);
  }
  const int64_t big = int64_t{1} << 62;
  const int64_t ends[] = {kMinusInf + 1, -big, -big / 3, -3, 0, 5,
                          big / 3,       big,  kInf - 1};
  auto expected = [](__int128 bound) {
    return bound <= kMinusInf ? kMinusInf
           : bound >= kInf    ? kInf
                              : static_cast<int64_t>(bound);
  };
  auto check = [&](const Interval &result, std::vector<__int128> values,
                   const std::string &what) {
    auto [low, high] = std::minmax_element(values.begin(), values.end());
    EXPECT_EQ(result.lower, expected(*low)) << what;
    EXPECT_EQ(result.upper, expected(*high)) << what;
  };
  std::vector<Interval> intervals;
  for (int64_t low : ends)
    for (int64_t high : ends)
      if (low <= high) intervals.push_back({low, high});
  for (const Interval &a : intervals)
    for (const Interval &b : intervals) {
      const __int128 al = a.lower, au = a.upper, bl = b.lower, bu = b.upper;
      const std::string text = a.str() + " and " + b.str();
      check(a + b, {al + bl, au + bu}, "sum of " + text);
      check(a - b, {al - bu, au - bl}, "difference of " + text);
      check(a * b, {al * bl, al * bu, au * bl, au * bu}, "product of " + text);
      if (!b.isPoint()) continue;
      check(a * b.lower, {al * bl, au * bl}, "multiple of " + text);
      for (int64_t added : ends)
        check(a.affine(b.lower, added), {al * bl + added, au * bl + added},
              "multiple of " + text + " and " + std::to_string(added));
    }
  EXPECT_EQ((Interval{-big, big - 1}).count(), kInf);  // 2^63 elements
  EXPECT_EQ((Interval{-big, big - 2}).count(), kInf);
  EXPECT_EQ((Interval{-big, big - 3}).count(), kInf - 1);
}

// The greatest integer is a number at a lower end: nothing of 64 bits is above.
TEST(IntervalTest, NumbersThatStandForOpenSides) {
  const Interval most{kInf, kInf};
  EXPECT_TRUE(most.hasLower());
  EXPECT_FALSE(most.hasUpper());
  EXPECT_EQ(most + Interval::point(-7), (Interval{kInf - 7, kInf}));
  EXPECT_TRUE(most.intersect({0, 5}).isEmpty());
  const Interval least{kMinusInf, kMinusInf};
  EXPECT_EQ(least + Interval::point(7), (Interval{kMinusInf, kMinusInf + 7}));
  EXPECT_TRUE(least.intersect({0, 5}).isEmpty());
  // A divisor or a factor is never open.
  EXPECT_EQ((Interval{-1, 2}).floorDiv(kInf), (Interval{-1, 0}));
  EXPECT_EQ((Interval{-1, -1}).preimageOfFloorDiv(kInf), (Interval{-kInf, -1}));
  EXPECT_EQ((Interval{-1, 0}) * kInf, (Interval{-kInf, 0}));
}

// The steps that constraints are made with return nothing rather than another
// set of numbers.
TEST(IntervalTest, ExactSteps) {
  for (const Interval &a : smallIntervals(4))
    for (int64_t k = -4; k <= 4; ++k) {
      std::vector<int64_t> moved, scaled;
      for (int64_t x : elementsOf(a)) {
        moved.push_back(x + k);
        scaled.push_back(x * k);
      }
      EXPECT_EQ(a.moved(k), hullOf(moved)) << a.str() << " + " << k;
      if (k == 0) continue;
      EXPECT_EQ(a.scaled(k), hullOf(scaled)) << a.str() << " * " << k;
      for (int64_t added : {-3, 1, 4}) {
        std::vector<int64_t> preimage;
        for (int64_t x = -20; x <= 20; ++x)
          if (a.contains(x * k + added)) preimage.push_back(x);
        EXPECT_EQ(a.preimageOfMul(k, added), hullOf(preimage)) << a.str();
      }
    }
  const Interval up{3, kInf};
  EXPECT_EQ(up.moved(-5), (Interval{-2, kInf}));
  EXPECT_EQ(up.scaled(-2), (Interval{kMinusInf, -6}));
  EXPECT_EQ(up.minus({1, 2}), (Interval{1, kInf}));
  EXPECT_EQ(up.minus({1, kInf}), Interval::all());
  // An end that is left out, or that would be taken for an open one.
  EXPECT_EQ((Interval{3, 4}).moved(kInf - 3), std::nullopt);
  EXPECT_EQ((Interval{3, 4}).moved(kInf - 4), std::nullopt);
  EXPECT_EQ((Interval{3, 4}).moved(kInf - 5), (Interval{kInf - 2, kInf - 1}));
  EXPECT_EQ((Interval{-4, 0}).moved(-kInf + 3), std::nullopt);
  EXPECT_EQ((Interval{-3, 0}).moved(-kInf + 3), (Interval{-kInf, -kInf + 3}));
  EXPECT_EQ((Interval{0, 3}).scaled(kInf / 2), std::nullopt);
  EXPECT_EQ((Interval{0, 3}).minus({-kInf + 1, 0}), std::nullopt);
  // The sum fits, and its parts do not.
  EXPECT_EQ((Interval{-kInf, -kInf + 3}).preimageOfMul(9, 5),
            (Interval{-1024819115206086201, -1024819115206086201}));
}

TEST(IntervalTest, PreimagesAtTheEnds) {
  const int64_t big = int64_t{1} << 62;
  // floor(x / 4) <= 2^62 says nothing of a 64-bit x.
  EXPECT_EQ((Interval{0, big}).preimageOfFloorDiv(4), (Interval{0, kInf}));
  EXPECT_EQ((Interval{-big, 0}).preimageOfFloorDiv(4),
            (Interval{kMinusInf, 3}));
  EXPECT_EQ((Interval{-8, 8}).preimageOfMul(big), Interval::point(0));
  EXPECT_EQ((Interval{-8, 8}).preimageOfMul(kMinusInf), Interval::point(0));
  EXPECT_TRUE((Interval{1, 8}).preimageOfMul(kMinusInf).isEmpty());
  EXPECT_EQ((Interval{kMinusInf + 2, kInf - 1}).preimageOfMul(-1),
            (Interval{kMinusInf + 2, kInf - 1}));
}

}  // namespace
}  // namespace indexical
