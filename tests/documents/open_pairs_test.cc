// Pairs of modules whose sizes are not known: "a difference is one of an
// execution". Constraints of ops are those of StableHLO's specification; sizes
// that break one of them are undefined behaviour (dynamism RFC, P5).
//
// Two random programs of dynamic ops are compared (open_pairs.h). If a pair of
// a result and a parameter is different, the witness names all sizes and the
// elements that say sizes. With these numbers both programs must break no
// constraint, and just the one side that the witness names must read the
// element. If a pair is equal, no run with small numbers may show a difference.
//
//   INDEXICAL_OPEN_PAIRS=20000  so many pairs
//   INDEXICAL_SEED=n        beginning with this one
#include "tests/documents/open_pairs.h"

#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

// Products of sizes take long to compare. What the budget leaves undecided is
// counted.
constexpr int64_t kOperations = 100'000;

using Steps = std::vector<OpenStep>;
using Reads = std::set<std::pair<Numbers, Numbers>>;  ///< index and element

/// What a run reads of one parameter.
Reads readsOf(const RunArray &array, const std::string &parameter) {
  Reads reads;
  for (const auto &[index, elements] : array.reads)
    for (const auto &[of, element] : elements)
      if (of == parameter) reads.insert({index, element});
  return reads;
}

/// Returns the numbers that the witness names, or nothing if one is missing.
std::optional<RunNumbers> numbersOf(const OpenSteps &of,
                                    const PairWitness &witness) {
  std::map<std::string, int64_t> named(witness.runtime.begin(),
                                       witness.runtime.end());
  RunNumbers numbers;
  for (const std::string array : {"x", "y"})
    for (int64_t k = 0; k < of.rankOf(array); ++k) {
      const auto found = named.find(absl::StrCat("size ", k, " of ", array));
      if (found == named.end()) return std::nullopt;
      numbers.sizes[array].push_back(found->second);
    }
  for (const auto &[list, count] : of.lists())
    for (int64_t k = 0; k < count; ++k) {
      const auto found = named.find(absl::StrCat(list, "(", k, ")"));
      // No size depends on it.
      numbers.lists[list].push_back(found == named.end() ? -1 : found->second);
    }
  return numbers;
}

class OpenPairs : public ::testing::Test {
 protected:
  /// Compares two programs, and the answer with runs.
  void compare(OpenSteps &of, const Steps &first, const Steps &second,
               Random &random) {
    const std::string texts[] = {of.text(first), of.text(second)};
    SCOPED_TRACE(texts[0] + texts[1]);
    auto a = importMlir(texts[0]), b = importMlir(texts[1]);
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    EqualityOptions options;
    options.operations = kOperations;
    auto found = compareReads(a->modules[0], b->modules[0], options);
    ASSERT_TRUE(found.ok()) << found.status();
    std::vector<std::string> parameters = {"x", "y"};
    for (const auto &list : of.lists()) parameters.push_back(list.first);
    ASSERT_EQ(found->leaves.size(), parameters.size());
    std::vector<bool> differs(parameters.size(), false);
    for (int n = 0; n < 60; ++n) {
      const RunNumbers numbers = of.numbers(random);
      const auto x = of.run(first, numbers), y = of.run(second, numbers);
      if (!x || !y) continue;
      ++runs;
      for (size_t p = 0; p < parameters.size(); ++p)
        if (readsOf(*x, parameters[p]) != readsOf(*y, parameters[p]))
          differs[p] = true;
    }
    for (size_t p = 0; p < parameters.size(); ++p)
      check(of, first, second, parameters[p], found->leaves[p], differs[p]);
  }

  void check(OpenSteps &of, const Steps &first, const Steps &second,
             const std::string &parameter, const LeafEquality &leaf,
             bool differs) {
    SCOPED_TRACE("parameter " + parameter);
    switch (leaf.decision.answer) {
      case Answer::Yes:
        ++equal;
        EXPECT_FALSE(differs);
        return;
      case Answer::Undecided:
        ++(differs ? undecidedDifferent : undecided);
        EXPECT_TRUE(leaf.because);
        return;
      case Answer::No:
        break;
    }
    ++different;
    const PairWitness &witness = *leaf.decision.witness;
    std::string told;
    for (const auto &[name, value] : witness.runtime)
      absl::StrAppend(&told, name, " = ", value, ", ");
    SCOPED_TRACE(told);
    const auto numbers = numbersOf(of, witness);
    ASSERT_TRUE(numbers) << "a size has no value";
    const auto x = of.run(first, *numbers), y = of.run(second, *numbers);
    ASSERT_TRUE(x) << "the first cannot run";
    ASSERT_TRUE(y) << "the second cannot run";
    const std::pair<Numbers, Numbers> pair = {
        Numbers(witness.index.begin(), witness.index.end()),
        Numbers(witness.element.begin(), witness.element.end())};
    const bool isFirst = witness.onlyIn == PairWitness::Side::First;
    EXPECT_EQ(readsOf(*x, parameter).count(pair) > 0, isFirst);
    EXPECT_EQ(readsOf(*y, parameter).count(pair) > 0, !isFirst);
  }

  int64_t equal = 0, different = 0, undecided = 0, undecidedDifferent = 0,
          runs = 0;
};

TEST_F(OpenPairs, AreDifferentIfARunShowsIt) {
  const int64_t count = fromEnvironment("INDEXICAL_OPEN_PAIRS", 50);
  const int64_t begin = fromEnvironment("INDEXICAL_SEED", 1);
  for (int64_t seed = begin; seed < begin + count && !HasFailure(); ++seed) {
    SCOPED_TRACE(absl::StrCat("INDEXICAL_SEED=", seed));
    Random random(seed);
    OpenSteps of(random);
    Steps first;
    int64_t rank = of.rank();
    for (int64_t steps = random.in(1, 3); steps > 0; --steps) {
      first.push_back(of.draw(rank));
      rank = first.back().rankAfter;
    }
    // The second has another step in place of one, or none.
    Steps second = first;
    const size_t at = random.in(0, first.size() - 1);
    if (auto other = of.drawLike(first[at]); other && !random.oneIn(4))
      second[at] = *std::move(other);
    else if (first[at].rankBefore == first[at].rankAfter)
      second.erase(second.begin() + at);
    compare(of, first, second, random);
  }
  printf(
      "  %lld pairs equal, %lld different, %lld undecided that a run shows, "
      "%lld that none does; %lld runs\n",
      static_cast<long long>(equal), static_cast<long long>(different),
      static_cast<long long>(undecidedDifferent),
      static_cast<long long>(undecided), static_cast<long long>(runs));
  EXPECT_GT(different, count / 5);
  EXPECT_GT(equal, count / 5);
  EXPECT_LT(undecidedDifferent, different / 4);
}

//===-- Ops whose constraints are of their own kind -----------------------===//

using Named = std::map<std::string, int64_t>;

/// Two bodies of one function that read `%x` in different ways, and whether
/// numbers break no constraint of either.
struct OpenCase {
  std::string name, parameters, first, second, result;
  std::function<bool(Named &)> isValid;
};

const std::string kReversed =
    "  %r = stablehlo.reverse %x, dims = [0] : tensor<?xf32>\n";

std::string textOf(const OpenCase &of, const std::string &body) {
  return absl::StrCat("func.func @main(", of.parameters, ") -> ", of.result,
                      " {\n", body, "  return %b : ", of.result, "\n}\n");
}

const OpenCase kCases[] = {
    {"C5 of dynamic_broadcast_in_dim", "%x: tensor<?xf32>, %n: tensor<1xi64>",
     "  %b = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0] : "
     "(tensor<?xf32>, tensor<1xi64>) -> tensor<?xf32>\n",
     "  %b = stablehlo.reverse %x, dims = [0] : tensor<?xf32>\n",
     "tensor<?xf32>",
     [](Named &n) {
       return n["n(0)"] >= 0 &&
              (n["size 0 of x"] == 1 || n["size 0 of x"] == n["n(0)"]);
     }},
    {"C2 of dynamic_reshape", "%x: tensor<?xf32>, %n: tensor<2xi64>",
     "  %b = stablehlo.dynamic_reshape %x, %n : (tensor<?xf32>, "
     "tensor<2xi64>) -> tensor<?x?xf32>\n",
     kReversed + "  %b = stablehlo.dynamic_reshape %r, %n : (tensor<?xf32>, "
                 "tensor<2xi64>) -> tensor<?x?xf32>\n",
     "tensor<?x?xf32>",
     [](Named &n) {
       return n["n(0)"] >= 0 && n["n(1)"] >= 0 &&
              n["n(0)"] * n["n(1)"] == n["size 0 of x"];
     }},
    {"C4 of real_dynamic_slice, to a size that the type has",
     "%x: tensor<?xf32>, %i: tensor<1xi64>, %j: tensor<1xi64>, "
     "%k: tensor<1xi64>",
     "  %b = stablehlo.real_dynamic_slice %x, %i, %j, %k : (tensor<?xf32>, "
     "tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> tensor<3xf32>\n",
     kReversed +
         "  %b = stablehlo.real_dynamic_slice %r, %i, %j, %k : "
         "(tensor<?xf32>, tensor<1xi64>, tensor<1xi64>, tensor<1xi64>) -> "
         "tensor<3xf32>\n",
     "tensor<3xf32>",
     [](Named &n) {
       const int64_t start = n["i(0)"], limit = n["j(0)"], step = n["k(0)"];
       return start >= 0 && start <= limit && limit <= n["size 0 of x"] &&
              step >= 1 && (limit - start + step - 1) / step == 3;
     }},
    {"the padding of dynamic_conv",
     "%x: tensor<1x?x1xf32>, %w: tensor<3x1x1xf32>, %n: tensor<1x2xi64>",
     "  %b = \"stablehlo.dynamic_conv\"(%x, %w, %n) <{batch_group_count = 1 : "
     "i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, "
     "f]>, feature_group_count = 1 : i64}> : (tensor<1x?x1xf32>, "
     "tensor<3x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>\n",
     "  %r = stablehlo.reverse %x, dims = [1] : tensor<1x?x1xf32>\n"
     "  %b = \"stablehlo.dynamic_conv\"(%r, %w, %n) <{batch_group_count = 1 : "
     "i64, dimension_numbers = #stablehlo.conv<[b, 0, f]x[0, i, o]->[b, 0, "
     "f]>, feature_group_count = 1 : i64}> : (tensor<1x?x1xf32>, "
     "tensor<3x1x1xf32>, tensor<1x2xi64>) -> tensor<1x?x1xf32>\n",
     "tensor<1x?x1xf32>",
     [](Named &n) {
       return n["size 1 of x"] + n["n(0, 0)"] + n["n(0, 1)"] >= 3;
     }},
    {"the size of set_dimension_size", "%x: tensor<4xf32>, %n: tensor<i32>",
     "  %b = stablehlo.set_dimension_size %x, %n, dim = 0 : (tensor<4xf32>, "
     "tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>\n",
     "  %r = stablehlo.reverse %x, dims = [0] : tensor<4xf32>\n"
     "  %b = stablehlo.set_dimension_size %r, %n, dim = 0 : (tensor<4xf32>, "
     "tensor<i32>) -> tensor<?xf32, #stablehlo.bounds<4>>\n",
     "tensor<?xf32, #stablehlo.bounds<4>>",
     [](Named &n) { return n["n"] >= 1 && n["n"] <= 4; }},
    {"C4 of dynamic_update_slice",
     "%x: tensor<?xf32>, %u: tensor<?xf32>, %i: tensor<i64>",
     "  %b = stablehlo.dynamic_update_slice %x, %u, %i : (tensor<?xf32>, "
     "tensor<?xf32>, tensor<i64>) -> tensor<?xf32>\n",
     kReversed +
         "  %b = stablehlo.dynamic_update_slice %r, %u, %i : (tensor<?xf32>, "
         "tensor<?xf32>, tensor<i64>) -> tensor<?xf32>\n",
     "tensor<?xf32>",
     [](Named &n) { return n["size 0 of u"] <= n["size 0 of x"]; }},
    {"a slice of a dynamic_slice fits", "%x: tensor<?xf32>, %i: tensor<i64>",
     "  %b = stablehlo.dynamic_slice %x, %i, sizes = [3] : (tensor<?xf32>, "
     "tensor<i64>) -> tensor<3xf32>\n",
     kReversed + "  %b = stablehlo.dynamic_slice %r, %i, sizes = [3] : "
                 "(tensor<?xf32>, tensor<i64>) -> tensor<3xf32>\n",
     "tensor<3xf32>", [](Named &n) { return n["size 0 of x"] >= 3; }},
    {"sizes that a dot contracts", "%x: tensor<?xf32>, %y: tensor<?x?xf32>",
     "  %b = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : "
     "(tensor<?xf32>, tensor<?x?xf32>) -> tensor<?xf32>\n",
     "  %s = stablehlo.slice %y [0:1, 0:1] : (tensor<?x?xf32>) -> "
     "tensor<1x1xf32>\n"
     "  %p = stablehlo.dot_general %x, %y, contracting_dims = [0] x [0] : "
     "(tensor<?xf32>, tensor<?x?xf32>) -> tensor<?xf32>\n"
     "  %b = stablehlo.reverse %p, dims = [0] : tensor<?xf32>\n",
     "tensor<?xf32>",
     [](Named &n) {
       return n["size 0 of x"] == n["size 0 of y"] && n["size 0 of y"] >= 1 &&
              n["size 1 of y"] >= 1;
     }},
};

TEST(OpenCases, AreDifferentWithSizesThatTheOpsTake) {
  for (const OpenCase &of : kCases) {
    SCOPED_TRACE(of.name);
    auto a = importMlir(textOf(of, of.first));
    auto b = importMlir(textOf(of, of.second));
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    auto found = compareReads(a->modules[0], b->modules[0]);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->answer, Answer::No);
    for (const LeafEquality &leaf : found->leaves) {
      if (leaf.decision.answer != Answer::No) continue;
      Named named;
      std::string told;
      for (const auto &[name, value] : leaf.decision.witness->runtime) {
        named[name] = value;
        absl::StrAppend(&told, name, " = ", value, ", ");
      }
      EXPECT_TRUE(of.isValid(named)) << told;
    }
  }
}

/// C9 lets a collapsed slice have size 0. Its start is then clamped to the size
/// of the operand, where there is no element: of %x[8 + 1], 8 may be the start.
/// That run shows no difference.
TEST(OpenCases, ARunThatReadsOutsideShowsNothing) {
  const std::string one =
      "  %o = stablehlo.constant dense<1> : tensor<1xi64>\n"
      "  %t = stablehlo.slice %n [1:2] : (tensor<2xi64>) -> tensor<1xi64>\n"
      "  %c = stablehlo.concatenate %o, %t, dim = 0 : (tensor<1xi64>, "
      "tensor<1xi64>) -> tensor<2xi64>\n";
  auto gather = [](const std::string &from, const std::string &sizes) {
    return "  %b = \"stablehlo.dynamic_gather\"(" + from + ", %i, " + sizes +
           ") <{dimension_numbers = #stablehlo.gather<offset_dims = [1], "
           "collapsed_slice_dims = [0], start_index_map = [0], "
           "index_vector_dim = 1>}> : (tensor<8x8xf32>, tensor<3x1xi32>, "
           "tensor<2xi64>) -> tensor<3x?xf32>\n";
  };
  const OpenCase of = {
      "a collapsed slice of size 0",
      "%x: tensor<8x8xf32>, %i: tensor<3x1xi32>, %n: tensor<2xi64>",
      gather("%x", "%n"),
      one + gather("%x", "%c"),
      "tensor<3x?xf32>",
      {}};
  auto a = importMlir(textOf(of, of.first));
  auto b = importMlir(textOf(of, of.second));
  ASSERT_TRUE(a.ok()) << a.status();
  ASSERT_TRUE(b.ok()) << b.status();
  auto found = compareReads(a->modules[0], b->modules[0]);
  ASSERT_TRUE(found.ok()) << found.status();
  ASSERT_EQ(found->leaves.size(), 3u);
  EXPECT_NE(found->leaves[0].decision.answer, Answer::No);
  EXPECT_NE(found->leaves[1].decision.answer, Answer::No);
}

}  // namespace
}  // namespace indexical::testing
