// Reductions of one value and of several, by any functions, against a run on
// numbers that takes the elements one after the other.
//
//   reduce(concatenate(p, q), 3), (a, b) -> a * 2 + b
//   reduce(concatenate(q, p), 3), (a, b) -> a * 2 + b      another number
//
//   INDEXICAL_REDUCERS=10       10 times as many pairs
//   INDEXICAL_SEED=n            beginning with this one
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "tests/same/values/pair_tally.h"
#include "tests/same/values/reducer_functions.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

const double kNan = std::numeric_limits<double>::quiet_NaN();

/// Reduces lists that are joined, turned and laid out as a grid.
struct Program {
  Function f;
  std::vector<double> inits;
  int64_t sizes[2] = {1, 1};  ///< of both lists of each value
  bool isSwapped = false, isTurned = false;
  int64_t columns = 0;  ///< 0: a list
  bool isTransposed = false;
  /// What is reduced: everything, the first or the last dimension, none, in two
  /// reductions, or windows of two elements.
  enum Kind { All, First, Last, None, Twice, Windows } kind = All;
  size_t leaf = 0;

  int64_t size() const { return sizes[0] + sizes[1]; }
  int64_t rows() const { return columns ? size() / columns : size(); }

  explicit Program(Random &random) : f(randomFunction(random)) {
    for (char type : f.types) inits.push_back(randomInit(random, type));
    sizes[0] = random.in(0, 2);
    sizes[1] = random.in(random.oneIn(4) ? 0 : 1, 2);
    isSwapped = random.oneIn(3);
    isTurned = random.oneIn(4);
    leaf = static_cast<size_t>(
        random.in(0, static_cast<int64_t>(f.types.size()) - 1));
    if (size() > 0 && random.oneIn(2)) setColumns(random);
    const Kind kinds[] = {All, All, All, First, Last, None, Twice, Windows};
    kind = kinds[random.in(0, 7)];
    if (!columns && (kind == First || kind == Last || kind == Twice))
      kind = All;
    if (kind == Windows && (columns || f.types.size() != 1 || size() == 0))
      kind = All;
    isTransposed = columns > 0 && random.oneIn(4);
  }

  void setColumns(Random &random) {
    std::vector<int64_t> divisors;
    for (int64_t c = 1; c <= size(); ++c)
      if (size() % c == 0) divisors.push_back(c);
    columns = divisors[random.in(0, static_cast<int64_t>(divisors.size()) - 1)];
  }

  static double randomInit(Random &random, char type) {
    if (type == 'p') return static_cast<double>(random.in(0, 1));
    if (type == 's') {
      const double usual[] = {0, 0, 1, -128, 127, 3, -1};
      return usual[random.in(0, 6)];
    }
    const double usual[] = {0,
                            0,
                            -std::numeric_limits<double>::infinity(),
                            std::numeric_limits<double>::infinity(),
                            1,
                            -0.0};
    return usual[random.in(0, 5)];
  }

  /// Changes how the result is written, or what it is, but not its shape.
  void change(Random &random) {
    switch (random.in(0, 7)) {
      case 0:
      case 1:
        isSwapped = !isSwapped;
        return;
      case 2:
        isTurned = !isTurned;
        return;
      case 3:
        if ((kind == All || kind == Twice) && size() > 0) {
          setColumns(random);
          isTransposed = random.oneIn(3);
        }
        return;
      case 4:
        if (columns && (kind == All || kind == Twice))
          kind = kind == All ? Twice : All;
        return;
      case 5: {
        const auto k = static_cast<size_t>(
            random.in(0, static_cast<int64_t>(inits.size()) - 1));
        inits[k] = randomInit(random, f.types[k]);
        return;
      }
      case 6:
        if (columns && (kind == All || kind == Twice))
          isTransposed = !isTransposed;
        return;
      default:
        for (int tries = 0; tries < 20; ++tries) {
          Function other = randomFunction(random);
          if (other.types != f.types) continue;
          f = std::move(other);
          return;
        }
    }
  }

  std::string text() const {
    std::string text = "HloModule m\n" + f.text() + "ENTRY e {\n";
    std::vector<std::string> types, lists, starts;
    for (size_t k = 0; k < f.types.size(); ++k) {
      const std::string type = nameOf(f.types[k]), at = std::to_string(k);
      auto shape = [&](std::vector<int64_t> of) {
        std::string all;
        for (int64_t each : of)
          all += (all.empty() ? "" : ",") + std::to_string(each);
        return type + "[" + all + "]";
      };
      text += "  p" + at + " = " + shape({sizes[0]}) + " parameter(" +
              std::to_string(2 * k) + ")\n  q" + at + " = " +
              shape({sizes[1]}) + " parameter(" + std::to_string(2 * k + 1) +
              ")\n  i" + at + " = " + type + "[] constant(" +
              textOf(f.types[k], inits[k]) + ")\n  c" + at + " = " +
              shape({size()}) + " concatenate(" +
              (isSwapped ? "q" + at + ", p" + at : "p" + at + ", q" + at) +
              "), dimensions={0}\n";
      std::string last = "c" + at;
      auto next = [&](const std::string &name, const std::string &of,
                      const std::string &op) {
        text += "  " + name + at + " = " + of + " " + op + "\n";
        last = name + at;
      };
      if (isTurned)
        next("t", shape({size()}), "reverse(" + last + "), dimensions={0}");
      if (columns) next("g", shape({rows(), columns}), "reshape(" + last + ")");
      if (columns && isTransposed)
        next("h", shape({columns, rows()}),
             "transpose(" + last + "), dimensions={1,0}");
      types.push_back(type);
      lists.push_back(last);
      starts.push_back("i" + at);
    }
    auto reduced = [&](const std::string &name, const std::string &shape,
                       const std::vector<std::string> &of,
                       const std::string &how) {
      std::string all, operands;
      for (const std::string &type : types)
        all += (all.empty() ? "" : ", ") + type + shape;
      std::vector<std::string> given = of;
      given.insert(given.end(), starts.begin(), starts.end());
      for (const std::string &each : given)
        operands += (operands.empty() ? "" : ", ") + each;
      if (types.size() > 1) all = "(" + all + ")";
      text += "  " + name + " = " + all + " " +
              (kind == Windows ? "reduce-window(" : "reduce(") + operands +
              "), " + how + ", to_apply=f\n";
      std::vector<std::string> values;
      for (size_t k = 0; k < types.size(); ++k) {
        if (types.size() == 1) return std::vector<std::string>{name};
        values.push_back(name + std::to_string(k));
        text += "  " + values.back() + " = " + types[k] + shape +
                " get-tuple-element(" + name + "), index=" + std::to_string(k) +
                "\n";
      }
      return values;
    };
    const std::vector<int64_t> is = shapeOfGrid();
    std::vector<std::string> values;
    std::string shape = "[]";
    if (kind == Windows) {
      shape = "[" + std::to_string(size()) + "]";
      values = reduced("r", shape, lists, "window={size=2 pad=1_0}");
    } else if (kind == All) {
      values = reduced("r", shape, lists,
                       columns ? "dimensions={0,1}" : "dimensions={0}");
    } else if (kind == Twice) {
      const std::string row = "[" + std::to_string(is[0]) + "]";
      values = reduced("s", row, lists, "dimensions={1}");
      values = reduced("r", "[]", values, "dimensions={0}");
    } else if (kind == None) {
      shape = columns ? "[" + std::to_string(is[0]) + "," +
                            std::to_string(is[1]) + "]"
                      : "[" + std::to_string(size()) + "]";
      values = reduced("r", shape, lists, "dimensions={}");
    } else {
      shape = "[" + std::to_string(is[kind == First ? 1 : 0]) + "]";
      values = reduced("r", shape, lists,
                       kind == First ? "dimensions={0}" : "dimensions={1}");
    }
    return text + "  ROOT z = " + types[leaf] + shape + " copy(" +
           values[leaf] + ")\n}\n";
  }

  std::vector<int64_t> shapeOfGrid() const {
    if (!columns) return {1, size()};
    return isTransposed ? std::vector<int64_t>{columns, rows()}
                        : std::vector<int64_t>{rows(), columns};
  }

  using Tuple = Function::Tuple;
  /// `lists[k]` has the elements of both lists of value k, one after the other.
  std::vector<double> result(
      const std::vector<std::vector<double>> &lists) const {
    std::vector<Tuple> all;
    for (int64_t k = 0; k < size(); ++k) {
      int64_t at = isTurned ? size() - 1 - k : k;
      if (isSwapped) at = at < sizes[1] ? sizes[0] + at : at - sizes[1];
      Tuple tuple;
      for (const auto &list : lists) tuple.push_back(list[at]);
      all.push_back(tuple);
    }
    const auto is = shapeOfGrid();
    std::vector<Tuple> grid = all;
    if (columns && isTransposed)
      for (int64_t r = 0; r < is[0]; ++r)
        for (int64_t c = 0; c < is[1]; ++c)
          grid[r * is[1] + c] = all[c * columns + r];
    auto fold = [&](const std::vector<Tuple> &of) {
      Tuple made = inits;
      for (const Tuple &each : of) made = f.run(made, each);
      return made;
    };
    auto line = [&](int64_t number, bool isRow) {
      std::vector<Tuple> of;
      for (int64_t k = 0; k < is[isRow ? 1 : 0]; ++k)
        of.push_back(isRow ? grid[number * is[1] + k]
                           : grid[k * is[1] + number]);
      return of;
    };
    std::vector<Tuple> made;
    if (kind == All) made = {fold(grid)};
    if (kind == None)
      for (const Tuple &each : grid) made.push_back(fold({each}));
    if (kind == Windows)
      for (size_t k = 0; k < grid.size(); ++k)
        made.push_back(fold({k ? grid[k - 1] : inits, grid[k]}));
    if (kind == First)
      for (int64_t c = 0; c < is[1]; ++c) made.push_back(fold(line(c, false)));
    if (kind == Last || kind == Twice)
      for (int64_t r = 0; r < is[0]; ++r) made.push_back(fold(line(r, true)));
    if (kind == Twice) made = {fold(made)};
    std::vector<double> values;
    for (const Tuple &each : made) values.push_back(each[leaf]);
    return values;
  }

  std::vector<std::vector<double>> randomLists(Random &random) const {
    std::vector<std::vector<double>> lists;
    const int64_t family = random.in(0, 2);
    for (char type : f.types) {
      auto &list = lists.emplace_back();
      for (int64_t k = 0; k < size(); ++k) {
        const double floats[] = {-1, -0.0, 0, 1, 2, kNan};
        const double negative[] = {-1, -2, -1, -2, -0.0, kNan};
        const double edges[] = {-128, 127, 0, 1, 3, -1};
        list.push_back(
            type == 'f'   ? (family == 0 ? negative : floats)[random.in(0, 5)]
            : type == 'p' ? static_cast<double>(random.in(0, 1))
            : family == 0 ? edges[random.in(0, 5)]
            : family == 1 ? static_cast<double>(random.in(-2, 3))
                          : static_cast<double>(random.in(-128, 127)));
      }
    }
    return lists;
  }
};

bool haveOneResult(const Program &one, const Program &other, Random &random,
                   int rounds) {
  const bool isAnyZero = one.f.isAnyZero || other.f.isAnyZero;
  for (int round = 0; round < rounds; ++round) {
    const auto lists = one.randomLists(random);
    const auto a = one.result(lists), b = other.result(lists);
    if (a.size() != b.size()) return false;
    for (size_t k = 0; k < a.size(); ++k)
      if (!areOne(a[k], b[k], isAnyZero)) return false;
  }
  return true;
}

TEST(ReducersTest, EqualOnesHaveEqualNumbers) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 2'000 * fromEnvironment("INDEXICAL_REDUCERS", 1);
  PairTally tally;
  for (uint64_t s = seed; s < seed + count; ++s) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(s));
    Random random(s);
    const Program one(random);
    Program other = one;
    for (int64_t changes = random.in(1, 3); changes-- > 0;)
      other.change(random);
    tally.check(one.text(), other.text(),
                haveOneResult(one, other, random, 200));
    if (HasFatalFailure()) return;
  }
  tally.print();
  EXPECT_GT(tally.equal * 5, tally.same * 3);
  EXPECT_GT(tally.refuted * 4, tally.different);
}

/// Returns whether two modules with a function are equal.
bool areEqual(const std::string &function, const std::string &first,
              const std::string &second) {
  const auto a = parseHlo("HloModule m\n" + function + "ENTRY e {\n" + first),
             b = parseHlo("HloModule m\n" + function + "ENTRY e {\n" + second);
  EXPECT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
  if (!a.ok() || !b.ok()) return false;
  const auto said = compareValues(a->modules[0], b->modules[0], ValueOptions(),
                                  EqualityOptions());
  EXPECT_TRUE(said.ok()) << said.status();
  // Sums of integers are numbers of a ring.
  if (said.ok() && said->isEqual && first != second) {
    EXPECT_TRUE(said->laws.count("bag") ||
                function.find("v = s32[] add(a, b)") != std::string::npos);
  }
  return said.ok() && said->isEqual;
}

/// Reduces five pairs, as they come or backwards.
std::string pairs(bool isTurned) {
  std::string text =
      "  x = s32[5] parameter(0)\n  y = s32[5] parameter(1)\n"
      "  i = s32[] constant(9)\n";
  if (isTurned)
    text +=
        "  u = s32[5] reverse(x), dimensions={0}\n"
        "  v = s32[5] reverse(y), dimensions={0}\n";
  return text + "  ROOT r = (s32[], s32[]) reduce(" +
         (isTurned ? "u, v" : "x, y") +
         ", i, i), dimensions={0}, to_apply=f\n}\n";
}

/// A function of pairs of s32 that gives v and w.
std::string ofPairs(const std::string &body) {
  return "f {\n  a = s32[] parameter(0)\n  i = s32[] parameter(1)\n"
         "  b = s32[] parameter(2)\n  j = s32[] parameter(3)\n" +
         body + "  ROOT r = (s32[], s32[]) tuple(v, w)\n}\n";
}

TEST(ReducersTest, OrdersOfPairs) {
  struct Row {
    const char *body;
    bool isAnyOrder;
  };
  const Row rows[] = {
      // Sums; the last one; a sum that doubles what was before.
      {"  v = s32[] add(a, b)\n  w = s32[] add(i, j)\n", true},
      {"  v = s32[] copy(b)\n  w = s32[] copy(j)\n", false},
      {"  t = s32[] add(a, a)\n  v = s32[] add(t, b)\n"
       "  w = s32[] add(i, j)\n",
       false},
      // The larger number: equal ones by their indices, or as they come.
      {"  g = pred[] compare(a, b), direction=GT\n"
       "  e = pred[] compare(a, b), direction=EQ\n"
       "  l = pred[] compare(i, j), direction=LT\n"
       "  t = pred[] and(e, l)\n  o = pred[] or(g, t)\n"
       "  v = s32[] select(o, a, b)\n  w = s32[] select(o, i, j)\n",
       true},
      {"  g = pred[] compare(a, b), direction=GT\n"
       "  v = s32[] select(g, a, b)\n  w = s32[] select(g, i, j)\n",
       false},
      // Products of complex numbers, and of affine functions.
      {"  c = s32[] multiply(a, b)\n  d = s32[] multiply(i, j)\n"
       "  v = s32[] subtract(c, d)\n  e = s32[] multiply(a, j)\n"
       "  g = s32[] multiply(i, b)\n  w = s32[] add(e, g)\n",
       true},
      {"  v = s32[] multiply(a, b)\n  t = s32[] multiply(i, b)\n"
       "  w = s32[] add(t, j)\n",
       false},
      // Commutative, and not associative: the distance.
      {"  t = s32[] subtract(a, b)\n  v = s32[] abs(t)\n"
       "  w = s32[] add(i, v)\n",
       false},
  };
  for (const Row &row : rows) {
    SCOPED_TRACE(row.body);
    const std::string f = ofPairs(row.body);
    EXPECT_TRUE(areEqual(f, pairs(false), pairs(false)));
    EXPECT_EQ(areEqual(f, pairs(false), pairs(true)), row.isAnyOrder);
  }
}

TEST(ReducersTest, FewValuesShowAnOrder) {
  const std::string first =
      "  x = pred[5] parameter(0)\n  i = pred[] constant(true)\n"
      "  ROOT r = pred[] reduce(x, i), dimensions={0}, to_apply=f\n}\n";
  const std::string second =
      "  x = pred[5] parameter(0)\n  i = pred[] constant(true)\n"
      "  u = pred[5] reverse(x), dimensions={0}\n"
      "  ROOT r = pred[] reduce(u, i), dimensions={0}, to_apply=f\n}\n";
  auto of = [](const std::string &body) {
    return "f {\n  a = pred[] parameter(0)\n  b = pred[] parameter(1)\n" +
           body + "}\n";
  };
  // Equal or not; implication.
  EXPECT_TRUE(areEqual(of("  ROOT c = pred[] compare(a, b), direction=EQ\n"),
                       first, second));
  EXPECT_FALSE(areEqual(of("  n = pred[] not(a)\n  ROOT c = pred[] or(n, b)\n"),
                        first, second));
}

}  // namespace
}  // namespace indexical::testing
