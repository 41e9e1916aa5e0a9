// Sums and maxima of elements that are sliced, turned, reshaped, repeated and
// padded, against the numbers of times that each element is reduced.
//
//   INDEXICAL_TUPLES=50         50 times as many pairs
//   INDEXICAL_TUPLES_SEED=n     beginning with this one
#include <algorithm>
#include <cstdio>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/values/module_values.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr int kSize = 12;

/// A list of elements of x, as text; -1 is the neutral number.
struct List {
  std::string name;
  std::vector<int> elements;
};

/// A program that reduces lists of elements of the parameter.
class Reduction {
 public:
  Reduction(Random &random, bool isMax) : random_(random), isMax_(isMax) {}

  List parameter() const {
    List x{"x", {}};
    for (int k = 0; k < kSize; ++k) x.elements.push_back(k);
    return x;
  }
  List sliced(const List &from, int start, int stride) {
    List made{next(), {}};
    for (size_t k = start; k < from.elements.size(); k += stride)
      made.elements.push_back(from.elements[k]);
    add(made, "slice(" + from.name + "), slice={[" + std::to_string(start) +
                  ":" + std::to_string(from.elements.size()) + ":" +
                  std::to_string(stride) + "]}");
    return made;
  }
  List turned(const List &from) {
    List made{next(), from.elements};
    std::reverse(made.elements.begin(), made.elements.end());
    add(made, "reverse(" + from.name + "), dimensions={0}");
    return made;
  }
  List padded(const List &from) {
    List made{next(), from.elements};
    made.elements.insert(made.elements.begin(), -1);
    add(made, "pad(" + from.name + ", z), padding=1_0");
    return made;
  }
  List joined(const List &a, const List &b) {
    List made{next(), a.elements};
    made.elements.insert(made.elements.end(), b.elements.begin(),
                         b.elements.end());
    add(made, "concatenate(" + a.name + ", " + b.name + "), dimensions={0}");
    return made;
  }
  List transposed(const List &from, int columns) {
    const int rows = static_cast<int>(from.elements.size()) / columns;
    const std::string r = std::to_string(rows), c = std::to_string(columns);
    const std::string grid = next(), other = next();
    text_ += "  " + grid + " = s8[" + r + "," + c + "] reshape(" + from.name +
             ")\n  " + other + " = s8[" + c + "," + r + "] transpose(" + grid +
             "), dimensions={1,0}\n";
    List made{next(), {}};
    for (int j = 0; j < columns; ++j)
      for (int i = 0; i < rows; ++i)
        made.elements.push_back(from.elements[i * columns + j]);
    add(made, "reshape(" + other + ")");
    return made;
  }
  /// Reduces a list, whole or as a grid of so many columns.
  void reduce(const List &list, int columns) {
    for (int k : list.elements)
      if (k >= 0) ++counts_[k];
    const std::string size = std::to_string(list.elements.size());
    std::string from = list.name, dimensions = "0";
    if (columns > 1) {
      from = next();
      text_ += "  " + from + " = s8[" +
               std::to_string(list.elements.size() / columns) + "," +
               std::to_string(columns) + "] reshape(" + list.name + ")\n";
      dimensions = "0,1";
    }
    const std::string part = next();
    text_ += "  " + part + " = s8[] reduce(" + from + ", z), dimensions={" +
             dimensions + "}, to_apply=f\n";
    if (all_.empty()) {
      all_ = part;
      return;
    }
    const std::string sum = next();
    text_ += "  " + sum + " = s8[] " + op() + "(" + all_ + ", " + part + ")\n";
    all_ = sum;
  }
  /// Reduces all elements of a list in random parts.
  void reduceParts(List list) {
    for (int64_t steps = random_.in(0, 2); steps-- > 0;) list = moved(list);
    if (random_.in(0, 2) == 0 && list.elements.size() > 3) {
      const int stride = static_cast<int>(random_.in(2, 3));
      for (int k = 0; k < stride; ++k)
        reduce(moved(sliced(list, k, stride)), 1);
      return;
    }
    const int columns = list.elements.size() % 3 == 0   ? 3
                        : list.elements.size() % 2 == 0 ? 2
                                                        : 1;
    reduce(list, random_.in(0, 1) ? columns : 1);
  }
  List moved(const List &list) {
    const size_t size = list.elements.size();
    switch (random_.in(0, 3)) {
      case 0:
        return turned(list);
      case 1:
        return padded(list);
      case 2:
        return size % 3 == 0 ? transposed(list, 3) : turned(list);
      default:
        return size % 2 == 0 ? transposed(list, 2) : list;
    }
  }

  std::string text() const {
    return std::string(
               "HloModule m\nf {\n  a = s8[] parameter(0)\n"
               "  b = s8[] parameter(1)\n  ROOT r = s8[] ") +
           op() + "(a, b)\n}\nENTRY e {\n  x = s8[" + std::to_string(kSize) +
           "] parameter(0)\n  z = s8[] constant(" + (isMax_ ? "-128" : "0") +
           ")\n" + text_ + "  ROOT r = s8[] copy(" + all_ + ")\n}\n";
  }
  /// How often each element counts.
  std::vector<int> counts() const {
    std::vector<int> counts(counts_, counts_ + kSize);
    for (int &count : counts) count = isMax_ ? count > 0 : count % 256;
    return counts;
  }

 private:
  std::string op() const { return isMax_ ? "maximum" : "add"; }
  std::string next() { return "t" + std::to_string(names_++); }
  void add(const List &list, const std::string &op) {
    text_ += "  " + list.name + " = s8[" +
             std::to_string(list.elements.size()) + "] " + op + "\n";
  }

  Random &random_;
  const bool isMax_;
  std::string text_, all_;
  int names_ = 0;
  int counts_[kSize] = {};
};

TEST(SameTuples, RandomReductions) {
  const uint64_t first = fromEnvironment("INDEXICAL_TUPLES_SEED", 1);
  const uint64_t count = 300 * fromEnvironment("INDEXICAL_TUPLES", 1);
  int equal = 0, different = 0, undecidedEqual = 0, undecided = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    SCOPED_TRACE("INDEXICAL_TUPLES_SEED=" + std::to_string(seed));
    Random random(seed);
    const bool isMax = seed % 3 == 0;
    Reduction programs[] = {Reduction(random, isMax), Reduction(random, isMax)};
    for (int side : {0, 1}) {
      Reduction &own = programs[side];
      own.reduceParts(own.parameter());
      // Now and then a part is reduced once more.
      if (random.in(0, 2) == 0)
        own.reduceParts(
            own.sliced(own.parameter(), static_cast<int>(random.in(0, 1)), 2));
    }
    const bool areSame = programs[0].counts() == programs[1].counts();
    auto a = parseHlo(programs[0].text()), b = parseHlo(programs[1].text());
    ASSERT_TRUE(a.ok()) << a.status() << programs[0].text();
    ASSERT_TRUE(b.ok()) << b.status() << programs[1].text();
    const auto found = compareValues(a->modules[0], b->modules[0], {}, {});
    ASSERT_TRUE(found.ok()) << found.status();
    const std::string both = programs[0].text() + programs[1].text();
    if (areSame) {
      ++equal;
      undecidedEqual += !found->isEqual;
      EXPECT_FALSE(found->isDifferent) << both;
      if (!found->isEqual && fromEnvironment("INDEXICAL_TUPLES_SHOW", 0))
        printf("seed %d\n%s", static_cast<int>(seed), both.c_str());
    } else {
      ++different;
      undecided += !found->isDifferent;
      EXPECT_FALSE(found->isEqual) << both;
    }
  }
  printf("  %d equal pairs, %d of them undecided; %d others, %d undecided\n",
         equal, undecidedEqual, different, undecided);
  EXPECT_LE(undecidedEqual * 10, equal);
  EXPECT_LE(undecided * 10, different);
}

/// A chain of calls of another module, or of scatters, each of what the one
/// before gives, with an op between.
std::string chainText(Random &random, int length, bool isOfCalls,
                      const std::string &last, uint64_t shared) {
  const std::string shape = isOfCalls && shared % 2 == 0 ? "f32[4]" : "s32[4]";
  const std::string scalar = shape.substr(0, 3) + "[]";
  std::string text =
      "HloModule m\nf {\n  a = " + scalar + " parameter(0)\n  b = " + scalar +
      " parameter(1)\n  ROOT r = " + scalar + " " +
      (last == "x" ? "add" : "multiply") +
      "(a, b)\n}\nENTRY e {\n  t0 = " + shape +
      " parameter(0)\n  w = " + shape +
      " parameter(1)\n  i = s32[2,1] parameter(2)\n  u = " + scalar +
      " parameter(3)\n  v = " + shape.substr(0, 3) +
      "[2] broadcast(u), dimensions={}\n";
  for (int k = 0; k < length; ++k) {
    const std::string at = std::to_string(k);
    text += "  c" + at + " = " + shape;
    if (isOfCalls)
      text +=
          " custom-call(t" + at + ", w), custom_call_target=\"" + last + "\"\n";
    else
      text += " scatter(t" + at +
              ", i, v), update_window_dims={}, inserted_window_dims={0}, "
              "scatter_dims_to_operand_dims={0}, index_vector_dim=1, "
              "to_apply=f\n";
    const char *ops[] = {"add", "multiply"};
    text += "  t" + std::to_string(k + 1) + " = " + shape + " " +
            ops[random.in(0, 1)] + "(c" + at + ", " +
            (random.oneIn(3) ? "w" : "c" + at) + ")\n";
  }
  return text + "  ROOT r = " + shape + " copy(t" + std::to_string(length) +
         ")\n}\n";
}

// To compare two arrays is to compare those that they are made of, which may
// add to the list that is searched. The address sanitizer sees a list that was
// left behind.
TEST(SameTuples, ArraysOfArrays) {
  const uint64_t first = fromEnvironment("INDEXICAL_TUPLES_SEED", 1);
  for (uint64_t seed = first; seed < first + 120; ++seed) {
    SCOPED_TRACE("INDEXICAL_TUPLES_SEED=" + std::to_string(seed));
    Random length(seed), one(seed + 1), other(seed + 1);
    const int calls = static_cast<int>(length.in(2, 9));
    const bool isOfCalls = !length.oneIn(3);
    const auto a = parseHlo(chainText(one, calls, isOfCalls, "x", seed)),
               b = parseHlo(chainText(other, calls, isOfCalls, "y", seed));
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    for (const FloatLaws floats : {FloatLaws::None, FloatLaws::Real}) {
      ValueOptions values;
      values.floats = floats;
      const auto found =
          compareValues(a->modules[0], b->modules[0], values, {});
      ASSERT_TRUE(found.ok()) << found.status();
      EXPECT_FALSE(found->isEqual);
      const auto same = compareValues(a->modules[0], a->modules[0], values, {});
      ASSERT_TRUE(same.ok()) << same.status();
      EXPECT_TRUE(same->isEqual);
    }
  }
}

}  // namespace
}  // namespace indexical::testing
