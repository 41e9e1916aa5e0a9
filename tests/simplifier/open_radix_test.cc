// Radixes whose digits have sizes that are not known (simplifier/open_radix.h):
// the laws of normal_form.md, and random chains of reshapes, transposes,
// slices and broadcasts, at all small sizes.
//
//   INDEXICAL_CHAINS=100000   so many chains
//   INDEXICAL_SEED=n          beginning with this one
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/evaluation.h"
#include "indexical/indexing/map_builder.h"
#include "indexical/indexing/map_text.h"
#include "indexical/simplifier/simplify.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Values = std::vector<int64_t>;

/// Returns the results at a point, or nothing if the map does not hold there.
std::optional<Values> resultsAt(const IndexingMap &map, const Values &dims,
                                const Values &sizes) {
  auto value = [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) return dims[id.index];
    // A size that nothing names is dropped, and leaves a gap.
    return sizes[std::stoi(map.nameOf(id).substr(2))];
  };
  if (map.isKnownEmpty()) return std::nullopt;
  Evaluation evaluate(map.expressions(), value);
  for (size_t k = 0; k < dims.size(); ++k)
    if (!map.dimensions()[k].bounds.contains(dims[k])) return std::nullopt;
  for (const Constraint &c : map.constraints()) {
    const auto found = evaluate(c.form);
    if (!found || !c.bounds.contains(*found)) return std::nullopt;
  }
  Values results;
  for (FormId form : map.results()) {
    const auto found = evaluate(form);
    if (!found) return std::nullopt;
    results.push_back(*found);
  }
  return results;
}

/// Calls `visit` for all values of at most `most`.
template <typename Visit>
void visitAll(size_t count, int64_t first, int64_t most, Visit visit) {
  Values values(count, first);
  while (true) {
    visit(values);
    size_t k = count;
    while (k > 0 && ++values[k - 1] > most) values[--k] = first;
    if (k == 0) return;
  }
}

struct Law {
  const char *name, *from, *to;
};

// On these sizes, d1 in [0, rt0 - 1] and d2 in [0, rt1 - 1].
const char *const kDomain =
    ", domain: d0 in [0, inf], d1 in [0, inf], d2 in [0, inf], rt0 in [1, "
    "inf], rt1 in [1, inf], d1 - rt0 in [-inf, -1], d2 - rt1 in [-inf, -1]";

const Law kLaws[] = {
    {"a quotient of a radix", "(d0 * rt0 + d1) floordiv rt0", "d0"},
    {"a remainder of a radix", "(d0 * rt0 + d1) mod rt0", "d1"},
    {"the first digit of three",
     "(d0 * rt0 * rt1 + d1 * rt1 + d2) floordiv (rt0 * rt1)", "d0"},
    {"the second digit of three",
     "((d0 * rt0 * rt1 + d1 * rt1 + d2) floordiv rt1) mod rt0", "d1"},
    {"the last digit of three", "(d0 * rt0 * rt1 + d1 * rt1 + d2) mod rt1",
     "d2"},
    {"nested radixes", "((d0 * rt0 + d1) * rt1 + d2) floordiv (rt1 * rt0)",
     "d0"},
    {"two digits stay a radix",
     "(d0 * rt0 * rt1 + d1 * rt1 + d2) mod (rt0 * "
     "rt1)",
     "d1 * rt1 + d2"},
    {"turned digits", "((d0 + 1) * rt0 - d1 - 1) floordiv rt0", "d0"},
    {"turned digits, the lower one", "((d0 + 1) * rt0 - d1 - 1) mod rt0",
     "-d1 + rt0 - 1"},
    {"known and unknown sizes",
     "((d0 * 4 + d1 mod 4) * rt1 + d2) floordiv "
     "(rt1 * 4)",
     "d0"},
    {"a known digit between",
     "(((d0 * 4 + d1 mod 4) * rt1 + d2) floordiv rt1) "
     "mod 4",
     "d1 mod 4"},
    {"multiples go out", "(d0 * rt0 + d2) floordiv rt0",
     "d0 + d2 floordiv rt0"},
    {"multiples do not count", "(d0 * rt0 + d2) mod rt0", "d2 mod rt0"},
    {"a quotient and its remainder", "(d0 floordiv rt0) * rt0 + d0 mod rt0",
     "d0"},
    {"a remainder and the digit above it",
     "((d0 floordiv rt0) mod rt1) * rt0 + d0 mod rt0", "d0 mod (rt0 * rt1)"},
    {"a digit by a number and the one above it",
     "(d0 floordiv 10) mod rt0 + rt0 * ((d0 floordiv (10 * rt0)) mod rt1)",
     "(d0 floordiv 10) mod (rt0 * rt1)"},
    {"three digits by one size",
     "((d0 floordiv (rt0 * rt0)) mod 32) * (rt0 * rt0) + ((d0 floordiv rt0) "
     "mod rt0) * rt0 + d0 mod rt0",
     "d0 mod (rt0 * rt0 * 32)"},
    {"a common factor of a quotient", "(d0 * rt0) floordiv (rt0 * rt1)",
     "d0 floordiv rt1"},
    {"a common factor of a remainder", "(d0 * rt0) mod (rt0 * rt1)",
     "(d0 mod rt1) * rt0"},
    {"three digits and their number",
     "(d0 floordiv (rt0 * rt1)) * rt0 * rt1 + ((d0 floordiv rt1) mod rt0) * "
     "rt1 + d0 mod rt1",
     "d0"},
    {"a known digit and its number",
     "(d0 floordiv (rt1 * 4)) * rt1 * 4 + ((d0 floordiv rt1) mod 4) * rt1 + "
     "d0 mod rt1",
     "d0"},
    {"a quotient of a quotient", "(d0 floordiv rt0) floordiv rt1",
     "d0 floordiv (rt0 * rt1)"},
    {"a quotient of a multiple of a quotient",
     "((d0 floordiv rt0) * 3) floordiv 12", "d0 floordiv (rt0 * 4)"},
    {"a quotient of a remainder", "(d0 mod (rt0 * rt1)) floordiv rt1",
     "(d0 floordiv rt1) mod rt0"},
    {"a remainder of a remainder", "(d0 mod (rt0 * rt1)) mod rt1",
     "d0 mod rt1"},
    {"the order of factors", "d0 * rt1 * rt0", "(d0 * rt0) * rt1"},
};

TEST(OpenRadix, EachLawTurnsItsExampleAtAllSmallSizes) {
  for (const Law &law : kLaws) {
    SCOPED_TRACE(law.name);
    auto map = [&](const char *form) {
      auto parsed = parseMap(
          absl::StrCat("(d0, d1, d2){rt0, rt1} -> (", form, ")", kDomain));
      EXPECT_TRUE(parsed.ok()) << parsed.status();
      return *parsed;
    };
    const IndexingMap from = map(law.from);
    auto found = simplify(from), wanted = simplify(map(law.to));
    ASSERT_TRUE(found.ok()) << found.status();
    ASSERT_TRUE(wanted.ok()) << wanted.status();
    EXPECT_EQ(found->str(found->results()[0]),
              wanted->str(wanted->results()[0]));
    auto again = simplify(*found);
    ASSERT_TRUE(again.ok());
    EXPECT_EQ(again->strOneLine(), found->strOneLine());
    visitAll(2, 1, 4, [&](const Values &sizes) {
      visitAll(3, 0, 9, [&](const Values &dims) {
        EXPECT_EQ(resultsAt(from, dims, sizes), resultsAt(*found, dims, sizes));
      });
    });
  }
}

/// A digit that does not follow stays: here d2 may reach the next digit.
TEST(OpenRadix, WhatMayCarryStays) {
  for (const char *form :
       {"(d0 * rt0 + d2) floordiv (rt0 * rt1)", "(d1 * rt1 + d0) mod rt1",
        "(d1 * rt0 + d2) floordiv rt1", "(d0 - d1) floordiv rt1"}) {
    auto map = parseMap(
        absl::StrCat("(d0, d1, d2){rt0, rt1} -> (", form, ")", kDomain));
    ASSERT_TRUE(map.ok()) << map.status();
    auto found = simplify(*map);
    ASSERT_TRUE(found.ok()) << found.status();
    visitAll(2, 1, 4, [&](const Values &sizes) {
      visitAll(3, 0, 9, [&](const Values &dims) {
        EXPECT_EQ(resultsAt(*map, dims, sizes), resultsAt(*found, dims, sizes))
            << form;
      });
    });
  }
}

/// Sizes of many bits without an end: where a form has a value at the least
/// sizes, what it becomes has it too. A product of such sizes may never fit.
TEST(OpenRadix, ValuesStayWhereSizesHaveManyBits) {
  Random random(fromEnvironment("INDEXICAL_SEED", 1));
  for (const Law &law : kLaws)
    for (int bits : {16, 21, 31, 32, 40, 61}) {
      const int64_t least = int64_t{1} << bits;
      const auto from = parseMap(absl::StrCat(
          "(d0, d1, d2){rt0, rt1} -> (", law.from,
          "), domain: d0 in [0, inf], d1 in [0, inf], d2 in [0, inf], rt0 in [",
          least, ", inf], rt1 in [", least, ", inf], d1 - rt0 in [-inf, -1], ",
          "d0 + d2 floordiv rt1 - rt0 in [-inf, -1]"));
      ASSERT_TRUE(from.ok()) << from.status();
      const auto found = simplify(*from);
      if (!found.ok()) continue;  // what never has a value may be refused
      for (int i = 0; i < 20; ++i) {
        Values dims;
        for (int k = 0; k < 3; ++k)
          dims.push_back(random.in(0, (int64_t{1} << random.in(1, bits)) - 1));
        const Values sizes = {least + random.in(0, 1), least};
        const auto value = resultsAt(*from, dims, sizes);
        if (!value) continue;
        EXPECT_EQ(value, resultsAt(*found, dims, sizes))
            << from->strOneLine() << "\n"
            << found->strOneLine();
      }
    }
}

//===-- Chains ------------------------------------------------------------===//

/// A size: a product of sizes that are not known, and a number.
struct RadixSize {
  std::vector<size_t> open;
  int64_t number = 1;

  int64_t at(const Values &sizes) const {
    int64_t product = number;
    for (size_t i : open) product *= sizes[i];
    return product;
  }
  Expr in(IndexingMapBuilder &b, llvm::ArrayRef<Expr> sizes) const {
    std::optional<Expr> product;
    for (size_t i : open) product = product ? *product * sizes[i] : sizes[i];
    return product ? *product * number : b.constant(number);
  }
};

/// From the indices of a result to those of its operand, in numbers and in
/// expressions.
struct ChainStep {
  enum Kind { Merge, Split, Transpose, Slice, Broadcast, Reverse } kind;
  size_t at = 0;    ///< the dimension
  RadixSize inner;  ///< of what is merged or split off
  RadixSize whole;  ///< Reverse: the size
  std::vector<int64_t> order;
  int64_t start = 0;
};

int64_t quotientOf(int64_t a, int64_t b) { return floorDiv(a, b); }
int64_t remainderOf(int64_t a, int64_t b) { return floorMod(a, b); }
Expr quotientOf(Expr a, Expr b) { return floorDiv(a, b); }
Expr remainderOf(Expr a, Expr b) { return mod(a, b); }

template <typename T, typename SizeOf>
std::vector<T> throughStep(const ChainStep &step, std::vector<T> index,
                           SizeOf sizeOf) {
  const size_t k = step.at;
  switch (step.kind) {
    case ChainStep::Merge: {  // the result's one index, two of the operand
      const T inner = sizeOf(step.inner);
      const T whole = index[k];
      index[k] = quotientOf(whole, inner);
      index.insert(index.begin() + k + 1, remainderOf(whole, inner));
      return index;
    }
    case ChainStep::Split: {
      index[k] = index[k] * sizeOf(step.inner) + index[k + 1];
      index.erase(index.begin() + k + 1);
      return index;
    }
    case ChainStep::Transpose: {
      std::vector<T> from = index;
      for (size_t j = 0; j < index.size(); ++j) from[step.order[j]] = index[j];
      return from;
    }
    case ChainStep::Slice:
      index[k] = index[k] + step.start;
      return index;
    case ChainStep::Broadcast:
      index.erase(index.begin() + k);
      return index;
    case ChainStep::Reverse:
      index[k] = sizeOf(step.whole) - index[k] - 1;
      return index;
  }
  return index;
}

class Chain {
 public:
  explicit Chain(Random &random, bool isRoundTrip) : random_(random) {
    const int64_t rank = random.in(1, 3);
    for (int64_t k = 0; k < rank; ++k) shape_.push_back(atom());
    argument_ = shape_;
    if (isRoundTrip) {
      const std::vector<RadixSize> before = shape_;
      roundTrip();
      shape_ = before;
      return;
    }
    for (int64_t steps = random.in(1, 5); steps > 0; --steps) add();
  }

  size_t sizes() const { return count_; }
  size_t rank() const { return argument_.size(); }
  const std::vector<RadixSize> &result() const { return shape_; }

  IndexingMap map() const {
    IndexingMapBuilder b;
    std::vector<Expr> index, sizes;
    for (size_t k = 0; k < shape_.size(); ++k)
      index.push_back(b.dimension({0, Interval::kInfinity}));
    for (size_t i = 0; i < count_; ++i)
      sizes.push_back(b.runtime(Interval{1, Interval::kInfinity}));
    auto sizeOf = [&](const RadixSize &size) { return size.in(b, sizes); };
    for (size_t k = 0; k < shape_.size(); ++k)
      b.constraint(index[k] - sizeOf(shape_[k]),
                   {Interval::kMinusInfinity, -1});
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
      index = throughStep(*step, index, sizeOf);
    for (Expr result : index) b.result(result);
    return *b.build();
  }
  Values through(Values index, const Values &sizes) const {
    auto sizeOf = [&](const RadixSize &size) { return size.at(sizes); };
    for (auto step = steps_.rbegin(); step != steps_.rend(); ++step)
      index = throughStep(*step, index, sizeOf);
    return index;
  }
  std::string str() const {
    static const char *const kNames[] = {"merge", "split",     "transpose",
                                         "slice", "broadcast", "reverse"};
    std::string text;
    for (const ChainStep &step : steps_)
      absl::StrAppend(&text, kNames[step.kind], " ", step.at, "; ");
    return text;
  }

 private:
  RadixSize atom() {
    if (count_ < 4 && !random_.oneIn(4)) return {{count_++}, 1};
    return {{}, random_.in(1, 3)};
  }

  void merge(size_t k) {
    ChainStep step{ChainStep::Merge, k, shape_[k + 1], {}, {}, 0};
    shape_[k].open.insert(shape_[k].open.end(), shape_[k + 1].open.begin(),
                          shape_[k + 1].open.end());
    shape_[k].number *= shape_[k + 1].number;
    shape_.erase(shape_.begin() + k + 1);
    steps_.push_back(step);
  }
  /// Splits off the last of the factors, or the number.
  bool split(size_t k) {
    RadixSize &outer = shape_[k];
    RadixSize inner;
    if (outer.open.empty()) return false;
    if (outer.number > 1 && random_.oneIn(2)) {
      std::swap(inner.number, outer.number);
    } else {
      const size_t which = random_.in(0, outer.open.size() - 1);
      inner.open = {outer.open[which]};
      outer.open.erase(outer.open.begin() + which);
    }
    steps_.push_back({ChainStep::Split, k, inner, {}, {}, 0});
    shape_.insert(shape_.begin() + k + 1, inner);
    return true;
  }
  void transpose() {
    ChainStep step{ChainStep::Transpose, 0, {}, {}, {}, 0};
    const std::vector<RadixSize> before = shape_;
    for (int64_t k : random_.permutation(shape_.size()))
      step.order.push_back(k);
    for (size_t j = 0; j < shape_.size(); ++j)
      shape_[j] = before[step.order[j]];
    steps_.push_back(step);
  }
  void add() {
    const size_t k = shape_.empty() ? 0 : random_.in(0, shape_.size() - 1);
    switch (random_.in(0, 6)) {
      case 0:
      case 1:
        if (k + 1 < shape_.size()) merge(k);
        return;
      case 2:
        if (!shape_.empty()) split(k);
        return;
      case 3:
        return transpose();
      case 4:  // of what is sliced there is a new size
        if (shape_.empty()) return;
        steps_.push_back({ChainStep::Slice, k, {}, {}, {}, random_.in(0, 2)});
        shape_[k] = atom();
        return;
      case 5:
        if (shape_.size() > 3) return;
        steps_.push_back({ChainStep::Broadcast, k, {}, {}, {}, 0});
        shape_.insert(shape_.begin() + k, atom());
        return;
      default:
        if (shape_.empty()) return;
        steps_.push_back({ChainStep::Reverse, k, {}, shape_[k], {}, 0});
    }
  }
  /// Merges and transposes, and all of it back.
  void roundTrip() {
    struct Undo {
      bool isMerge;
      size_t at;
      RadixSize inner;
      std::vector<int64_t> order;
    };
    std::vector<Undo> undo;
    for (int64_t steps = random_.in(1, 4); steps > 0; --steps) {
      if (shape_.size() > 1 && random_.oneIn(2)) {
        const size_t k = random_.in(0, shape_.size() - 2);
        undo.push_back({true, k, shape_[k + 1], {}});
        merge(k);
      } else {
        transpose();
        undo.push_back({false, 0, {}, steps_.back().order});
      }
    }
    for (auto last = undo.rbegin(); last != undo.rend(); ++last) {
      if (last->isMerge) {
        steps_.push_back({ChainStep::Split, last->at, last->inner, {}, {}, 0});
        continue;
      }
      ChainStep step{ChainStep::Transpose, 0, {}, {}, {}, 0};
      step.order.resize(last->order.size());
      for (size_t j = 0; j < last->order.size(); ++j)
        step.order[last->order[j]] = j;
      steps_.push_back(step);
    }
  }

  Random &random_;
  std::vector<RadixSize> shape_, argument_;
  std::vector<ChainStep> steps_;
  size_t count_ = 0;
};

TEST(OpenRadix, ChainsAtAllSmallSizes) {
  const int64_t chains = fromEnvironment("INDEXICAL_CHAINS", 2000);
  const int64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t points = 0, roundTrips = 0, identities = 0;
  for (int64_t seed = first; seed < first + chains && !HasFailure(); ++seed) {
    Random random(seed);
    const bool isRoundTrip = random.oneIn(4);
    const Chain chain(random, isRoundTrip);
    const IndexingMap raw = chain.map();
    SCOPED_TRACE(
        absl::StrCat("seed ", seed, " ", chain.str(), "\n", raw.strOneLine()));
    auto map = simplify(raw);
    ASSERT_TRUE(map.ok()) << map.status();
    auto again = simplify(*map);
    ASSERT_TRUE(again.ok()) << again.status();
    EXPECT_EQ(again->strOneLine(), map->strOneLine());
    if (isRoundTrip) {
      ++roundTrips;
      bool isIdentity = true;
      for (uint32_t k = 0; k < map->results().size(); ++k) {
        const auto id = map->expressions().asVariable(map->results()[k]);
        isIdentity &= (id && *id == VariableId{VariableKind::Dimension, k}) ||
                      map->dimensions()[k].bounds == Interval::point(0);
      }
      identities += isIdentity;
    }
    visitAll(chain.sizes(), 1, 3, [&](const Values &sizes) {
      Values last;
      for (const RadixSize &size : chain.result())
        last.push_back(size.at(sizes));
      Values dims(last.size(), 0);
      for (int64_t visited = 0; visited < 40; ++visited) {
        const Values wanted = chain.through(dims, sizes);
        ASSERT_EQ(resultsAt(*map, dims, sizes), wanted)
            << map->strOneLine() << " at " << absl::StrJoin(dims, ",")
            << " sizes " << absl::StrJoin(sizes, ",");
        ++points;
        size_t k = last.size();
        while (k > 0 && ++dims[k - 1] == last[k - 1]) dims[--k] = 0;
        if (k == 0) break;
      }
    });
  }
  printf("%lld points; of %lld round trips %lld are the identity\n",
         static_cast<long long>(points), static_cast<long long>(roundTrips),
         static_cast<long long>(identities));
  EXPECT_EQ(identities, roundTrips);
}

}  // namespace
}  // namespace indexical::testing
