// Arrays that are moved, joined and updated at indices that are numbers or
// parameters: against the names of elements, for all values of the indices.
//
//   x = s8[2,2,2] concatenate(p, q), dimensions={2}
//   y = s8[2,2,2] dynamic-update-slice(x, u, 1, i, 0)
//
// These programs only move elements, so that two of them are the same if and
// only if each element of the results has one name, whatever the indices are.
//
//   INDEXICAL_UPDATES=50        50 times as many pairs
//   INDEXICAL_SEED=n            beginning with this one
#include <algorithm>
#include <cstdint>
#include <iterator>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "tests/same/values/pair_tally.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Sizes = std::vector<int64_t>;

int64_t countOf(const Sizes &sizes) {
  int64_t count = 1;
  for (int64_t size : sizes) count *= size;
  return count;
}

/// Names of elements, in row-major order.
struct Names {
  Sizes sizes;
  std::vector<int> names;

  int &at(const Sizes &index) {
    int64_t place = 0;
    for (size_t d = 0; d < sizes.size(); ++d)
      place = place * sizes[d] + index[d];
    return names[place];
  }
};

/// Makes an array of what `name` says of each index.
template <typename Name>
Names made(const Sizes &sizes, Name name) {
  Names array{sizes, {}};
  Sizes index(sizes.size(), 0);
  for (int64_t k = 0; k < countOf(sizes); ++k) {
    array.names.push_back(name(index));
    for (size_t d = sizes.size(); d-- > 0;) {
      if (++index[d] < sizes[d]) break;
      index[d] = 0;
    }
  }
  return array;
}

/// A start: a number, or the parameter of that number.
struct Start {
  bool isParameter = false;
  int64_t number = 0;

  bool operator!=(const Start &other) const {
    return isParameter != other.isParameter || number != other.number;
  }
};

struct Step {
  enum Kind { Concatenate, Reverse, Slice, Pad, Update, Cut } kind;
  size_t of, with;    ///< numbers of arrays before it
  size_t along = 0;   ///< a dimension
  int64_t first = 0;  ///< of a slice; before the array, of a padding
  Sizes sizes;        ///< of the result
  std::vector<Start> starts;
};

constexpr int kIndices = 2;

class Program {
 public:
  explicit Program(Random &random) {
    const int64_t rank = random.in(1, 4);
    for (Sizes &sizes : parameters_)
      for (int64_t d = 0; d < rank; ++d)
        sizes.push_back(random.oneIn(3) ? 1 : 2);
    // An update is mostly smaller.
    for (int64_t &size : parameters_[2])
      if (!random.oneIn(4)) size = 1;
    parameters_[1] = parameters_[0];
    const int64_t count = random.in(1, 4);
    std::vector<Sizes> all(std::begin(parameters_), std::end(parameters_));
    while (static_cast<int64_t>(steps_.size()) < count) add(random, all);
  }

  /// Changes one number, or what is updated.
  void change(Random &random) {
    Step &step = steps_[random.in(0, steps_.size() - 1)];
    if (!step.starts.empty()) {
      step.starts[random.in(0, step.starts.size() - 1)] = startIn(random);
    } else if (step.kind == Step::Concatenate) {
      std::swap(step.of, step.with);
    } else if (step.kind == Step::Reverse) {
      step.along = random.in(0, step.sizes.size() - 1);
    } else if (step.first > 0) {
      --step.first;
    }
  }

  std::string text() const {
    std::string text = "HloModule m\nENTRY e {\n";
    for (int n = 0; n < 3; ++n)
      text += "  x" + std::to_string(n) + " = " + shape(parameters_[n]) +
              " parameter(" + std::to_string(n) + ")\n";
    text += "  v = s8[] parameter(3)\n";
    for (int n = 0; n < kIndices; ++n)
      text += "  i" + std::to_string(n) + " = s32[] parameter(" +
              std::to_string(n + 4) + ")\n";
    for (int n = 0; n < 4; ++n)
      text += "  c" + std::to_string(n) + " = s32[] constant(" +
              std::to_string(n) + ")\n";
    size_t number = 3;
    for (const Step &step : steps_) {
      text += number == steps_.size() + 2 ? "  ROOT x" : "  x";
      text += std::to_string(number++) + " = " + shape(step.sizes) + " " +
              textOf(step) + "\n";
    }
    return text + "}\n";
  }

  Names run(const std::vector<int64_t> &indices) const {
    int next = 0;
    std::vector<Names> all;
    for (const Sizes &sizes : parameters_)
      all.push_back(made(sizes, [&](const Sizes &) { return ++next; }));
    for (const Step &step : steps_) all.push_back(ran(step, all, indices));
    return all.back();
  }

 private:
  static Start startIn(Random &random) {
    if (random.oneIn(3)) return {true, random.in(0, kIndices - 1)};
    return {false, random.in(0, 3)};
  }

  void add(Random &random, std::vector<Sizes> &all) {
    Step step;
    step.kind = static_cast<Step::Kind>(random.in(0, 6));
    if (step.kind > Step::Cut) step.kind = Step::Update;
    step.of = all.size() == 3 || random.oneIn(4) ? random.in(0, all.size() - 1)
                                                 : all.size() - 1;
    step.with = random.oneIn(2) ? 2 : random.in(0, all.size() - 1);
    if (step.kind == Step::Concatenate) step.with = random.in(0, 1);
    step.sizes = all[step.of];
    const Sizes &other = all[step.with];
    step.along = random.in(0, step.sizes.size() - 1);
    int64_t &along = step.sizes[step.along];
    if (step.kind == Step::Concatenate) {
      for (size_t d = 0; d < other.size(); ++d)
        if (d != step.along && other[d] != step.sizes[d]) return;
      along += other[step.along];
    } else if (step.kind == Step::Slice) {
      const int64_t size = random.in(1, along);
      step.first = random.in(0, along - size);
      along = size;
    } else if (step.kind == Step::Pad) {
      step.first = random.in(0, 1);
      along += 1;
    } else if (step.kind == Step::Update) {
      for (size_t d = 0; d < other.size(); ++d)
        if (other[d] > step.sizes[d]) return;
    } else if (step.kind == Step::Cut) {
      for (int64_t &size : step.sizes) size = random.in(1, size);
    }
    if (step.kind == Step::Update || step.kind == Step::Cut)
      for (size_t d = 0; d < step.sizes.size(); ++d)
        step.starts.push_back(startIn(random));
    if (countOf(step.sizes) > 64) return;
    all.push_back(step.sizes);
    steps_.push_back(std::move(step));
  }

  static std::string shape(const Sizes &sizes) {
    return "s8[" + listOf(sizes) + "]";
  }
  static std::string listOf(const Sizes &sizes) {
    std::string list;
    for (int64_t size : sizes)
      list += (list.empty() ? "" : ",") + std::to_string(size);
    return list;
  }

  static std::string textOf(const Step &step) {
    const std::string of = "x" + std::to_string(step.of);
    const std::string with = "x" + std::to_string(step.with);
    const std::string along =
        ", dimensions={" + std::to_string(step.along) + "}";
    std::string starts;
    for (const Start &start : step.starts)
      starts +=
          (start.isParameter ? ", i" : ", c") + std::to_string(start.number);
    std::string each;
    switch (step.kind) {
      case Step::Concatenate:
        return "concatenate(" + of + ", " + with + ")" + along;
      case Step::Reverse:
        return "reverse(" + of + ")" + along;
      case Step::Slice:
        for (size_t d = 0; d < step.sizes.size(); ++d) {
          const int64_t first = d == step.along ? step.first : 0;
          each += (d ? ", [" : "[") + std::to_string(first) + ":" +
                  std::to_string(first + step.sizes[d]) + "]";
        }
        return "slice(" + of + "), slice={" + each + "}";
      case Step::Pad:
        for (size_t d = 0; d < step.sizes.size(); ++d) {
          const int64_t before = d == step.along ? step.first : 0;
          const int64_t behind = d == step.along ? 1 - step.first : 0;
          each += (d ? "x" : "") + std::to_string(before) + "_" +
                  std::to_string(behind);
        }
        return "pad(" + of + ", v), padding=" + each;
      case Step::Update:
        return "dynamic-update-slice(" + of + ", " + with + starts + ")";
      case Step::Cut:
        return "dynamic-slice(" + of + starts + "), dynamic_slice_sizes={" +
               listOf(step.sizes) + "}";
    }
    return "";
  }

  static Names ran(const Step &step, std::vector<Names> &all,
                   const std::vector<int64_t> &indices) {
    Names &of = all[step.of], &with = all[step.with];
    const size_t along = step.along;
    // Starts are clamped so that what is moved lies within.
    const Sizes &moved = step.kind == Step::Update ? with.sizes : step.sizes;
    Sizes begin;
    for (size_t d = 0; d < step.starts.size(); ++d) {
      const Start &start = step.starts[d];
      const int64_t at =
          start.isParameter ? indices[start.number] : start.number;
      begin.push_back(std::clamp<int64_t>(at, 0, of.sizes[d] - moved[d]));
    }
    return made(step.sizes, [&](Sizes index) {
      switch (step.kind) {
        case Step::Concatenate:
          if (index[along] < of.sizes[along]) return of.at(index);
          index[along] -= of.sizes[along];
          return with.at(index);
        case Step::Reverse:
          index[along] = of.sizes[along] - 1 - index[along];
          return of.at(index);
        case Step::Slice:
          index[along] += step.first;
          return of.at(index);
        case Step::Pad:
          index[along] -= step.first;
          return index[along] < 0 || index[along] >= of.sizes[along]
                     ? 0
                     : of.at(index);
        case Step::Update: {
          Sizes inside = index;
          bool isInside = true;
          for (size_t d = 0; d < begin.size(); ++d) {
            inside[d] -= begin[d];
            isInside &= inside[d] >= 0 && inside[d] < with.sizes[d];
          }
          return isInside ? with.at(inside) : of.at(index);
        }
        case Step::Cut:
          for (size_t d = 0; d < begin.size(); ++d) index[d] += begin[d];
          return of.at(index);
      }
      return 0;
    });
  }

  Sizes parameters_[3];
  std::vector<Step> steps_;
};

bool areSame(const Program &one, const Program &other) {
  for (int64_t a = -1; a <= 8; ++a)
    for (int64_t b = -1; b <= 8; ++b)
      if (one.run({a, b}).names != other.run({a, b}).names) return false;
  return true;
}

TEST(UpdatedArraysTest, EqualOnesHaveEqualElements) {
  const uint64_t seed = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 2000 * fromEnvironment("INDEXICAL_UPDATES", 1);
  PairTally tally;
  for (uint64_t s = seed; s < seed + count; ++s) {
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(s));
    Random random(s);
    const Program one(random);
    Program other = one;
    other.change(random);
    tally.check(one.text(), other.text(), areSame(one, other));
  }
  tally.print();
  EXPECT_GT(tally.equal, tally.same / 3);
}

}  // namespace
}  // namespace indexical::testing
