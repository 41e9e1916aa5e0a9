// Gather and scatter of the tensor dialect
// (reference/tensor_gather_scatter_rfc.txt).
//
//   INDEXICAL_PROGRAMS=10000   more programs
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/documents/run_points.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string scatter(const std::string &destination, const std::string &result) {
  return "func.func @f(%s: tensor<2x1x3xf32>, %d: " + destination +
         ", %i: tensor<2x1xindex>) -> " + result +
         " {\n  %r = tensor.scatter %s into %d[%i] scatter_dims([0]) unique\n"
         "      : (tensor<2x1x3xf32>, " +
         destination + ", tensor<2x1xindex>) -> " + result +
         "\n  return %r : " + result + "\n}\n";
}

/// "It insert a subset of the elements from an input tensor into a destination
/// tensor at the given indices": the result is the destination, with others.
TEST(TensorGatherScatter, ScattersIntoTheTypeOfTheDestination) {
  for (const char *type : {"tensor<4x3xf32>", "tensor<?x3xf32>"})
    EXPECT_TRUE(importMlir(scatter(type, type)).ok());
  for (const char *type :
       {"tensor<5x3xf32>", "tensor<4x4xf32>", "tensor<?x3xf32>"}) {
    const auto program = importMlir(scatter("tensor<4x3xf32>", type));
    ASSERT_FALSE(program.ok()) << type;
    EXPECT_EQ(
        std::string(program.status().message()).find(type) == std::string::npos,
        false)
        << program.status();
    EXPECT_EQ(indexical::placeOf(program.status()).value_or(Place()).line, 2u)
        << program.status();
  }
}

std::string sizeText(bool isKnown, int64_t size) {
  return isKnown ? absl::StrCat(size, "x") : "?x";
}

/// x[i] += u, in the words of the document: a gather, an update, a scatter at
/// the same indices.
std::string updated(const std::string &x, const std::string &count) {
  const std::string slices = "tensor<" + count + "3xf32>";
  const std::string indices = "tensor<" + count + "1xindex>";
  return absl::StrCat(
      "func.func @f(%x: ", x, ", %i: ", indices, ", %u: ", slices, ") -> ", x,
      " {\n  %g = tensor.gather %x[%i] gather_dims([0]) : (", x, ", ", indices,
      ") -> ", slices, "\n  %a = arith.addf %g, %u : ", slices,
      "\n  %s = tensor.scatter %a into %x[%i] scatter_dims([0]) unique : (",
      slices, ", ", x, ", ", indices, ") -> ", x, "\n  return %s : ", x,
      "\n}\n");
}

/// "“scatter update” semantics are spelled as" a gather, an update and a
/// scatter at the same indices. Each element of the destination is read at its
/// own place, whether it is updated or not.
TEST(TensorGatherScatter, AnUpdateReadsTheDestinationElementByElement) {
  for (const char *x : {"tensor<9x3xf32>", "tensor<?x3xf32>"})
    for (const char *count : {"5x", "300x", "?x"}) {
      const std::string text = updated(x, count);
      SCOPED_TRACE(text);
      auto program = importMlir(text);
      ASSERT_TRUE(program.ok()) << program.status();
      const Module &module = program->modules[0];
      ProgramIndexing maps(module);
      auto read = maps.computation(module.entry, LeafId(0), ParameterLeaf{0},
                                   Direction::OutputToInput);
      ASSERT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->precision(), Precision::Exact);
      ASSERT_EQ(read->pieces().size(), 1u);
      const RunTensors run = {
          {"x", {{9, 3}, {}}}, {"s", {{9, 3}, {}}}, {"i", {{2, 1}, {4, 0}}}};
      auto points = pointsOfRun(*read, maps, module.computations[module.entry],
                                run, {9, 3}, {9, 3});
      ASSERT_TRUE(points.ok()) << points.status();
      std::vector<PointPair> same;
      for (int64_t k = 0; k < 27; ++k) same.push_back({k, k});
      EXPECT_EQ(points->pairs, same);
    }
}

/// One element of a tensor: gathered at coordinates, or extracted at them.
struct OneElement {
  explicit OneElement(Random &random)
      : rank(random.in(1, 3)), isGiven(random.oneIn(2)) {
    for (int64_t k = 0; k < rank; ++k) sizes.push_back(random.in(2, 5));
  }

  std::string head() const {
    std::string scalars;
    for (int64_t k = 0; k < rank; ++k)
      absl::StrAppend(&scalars, ", %a", k, ": index");
    return absl::StrCat("func.func @f(%x: ", type(),
                        isGiven ? ", %i: " + list() : scalars,
                        ") -> tensor<f32> {\n");
  }
  std::string type() const {
    return absl::StrCat("tensor<", absl::StrJoin(sizes, "x"), "xf32>");
  }
  std::string list() const { return absl::StrCat("tensor<", rank, "xindex>"); }
  /// The names of the coordinates, from `first` on, around the list.
  std::string names(int64_t first) const {
    std::vector<std::string> all;
    for (int64_t k = 0; k < rank; ++k)
      all.push_back(absl::StrCat("%a", (first + k) % rank));
    return absl::StrJoin(all, ", ");
  }

  std::string gathered() const {
    std::vector<int64_t> dims(rank);
    for (int64_t k = 0; k < rank; ++k) dims[k] = k;
    return absl::StrCat(head(),
                        isGiven ? ""
                                : absl::StrCat("  %i = tensor.from_elements ",
                                               names(0), " : ", list(), "\n"),
                        "  %g = tensor.gather %x[%i] gather_dims([",
                        absl::StrJoin(dims, ", "), "]) : (", type(), ", ",
                        list(),
                        ") -> tensor<f32>\n  return %g : tensor<f32>\n}\n");
  }
  /// Puts the coordinates into another order if `first` is not 0.
  std::string extracted(int64_t first) const {
    std::string text = head();
    for (int64_t k = 0; k < rank && isGiven; ++k)
      absl::StrAppend(&text, "  %c", k, " = arith.constant ", k,
                      " : index\n  %a", k, " = tensor.extract %i[%c", k,
                      "] : ", list(), "\n");
    return absl::StrCat(text, "  %e = tensor.extract %x[", names(first),
                        "] : ", type(),
                        "\n  %g = tensor.from_elements %e : tensor<f32>\n"
                        "  return %g : tensor<f32>\n}\n");
  }

  int64_t rank;
  bool isGiven;  ///< as one tensor of coordinates
  std::vector<int64_t> sizes;
};

/// "extract the element (i.e. 0-D subset) at the coordinates": that is
/// tensor.extract, wherever the coordinates come from.
TEST(TensorGatherScatter, AGatherOfOneCoordinateIsAnExtract) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 100);
  int64_t different = 0;
  for (int64_t seed = 1; seed <= programs && !HasFailure(); ++seed) {
    Random random(seed);
    const OneElement of(random);
    const int64_t first = random.oneIn(2) ? 0 : random.in(0, of.rank - 1);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", of.gathered(), "\n",
                              of.extracted(first)));
    auto a = importMlir(of.gathered()), b = importMlir(of.extracted(first));
    ASSERT_TRUE(a.ok()) << a.status();
    ASSERT_TRUE(b.ok()) << b.status();
    const auto found = compareReads(a->modules[0], b->modules[0]);
    ASSERT_TRUE(found.ok()) << found.status();
    EXPECT_EQ(found->answer, first == 0 ? Answer::Yes : Answer::No);
    different += first != 0;
  }
  EXPECT_GT(different, programs / 8);
}

/// Slices of a batch, written with an iota beside the indices.
struct BatchedScatter {
  int64_t batches, rows, slices;
  bool isBatchKnown;
  bool areRowsKnown;

  std::string text() const {
    const std::string b = sizeText(isBatchKnown, batches);
    const std::string r = sizeText(areRowsKnown, rows);
    const std::string n = absl::StrCat(slices, "x");
    const std::string x = "tensor<" + b + r + "f32>";
    const std::string u = "tensor<" + b + n + "f32>";
    const std::string i = "tensor<" + b + n + "1xi32>";
    const std::string both = "tensor<" + b + n + "2xi32>";
    return absl::StrCat(
        "func.func @f(%x: ", x, ", %i: ", i, ", %u: ", u, ") -> ", x, " {\n",
        isBatchKnown
            ? "  %b = stablehlo.iota dim = 0 : " + i + "\n"
            : absl::StrCat(
                  "  %0 = stablehlo.get_dimension_size %i, dim = 0 : (", i,
                  ") -> tensor<i32>\n"
                  "  %1 = stablehlo.reshape %0 : (tensor<i32>) -> "
                  "tensor<1xi32>\n"
                  "  %2 = stablehlo.constant dense<[",
                  slices,
                  ", 1]> : tensor<2xi32>\n"
                  "  %n = stablehlo.concatenate %1, %2, dim = 0 : "
                  "(tensor<1xi32>, tensor<2xi32>) -> tensor<3xi32>\n"
                  "  %b = stablehlo.dynamic_iota %n, dim = 0 : "
                  "(tensor<3xi32>) -> ",
                  i, "\n"),
        "  %c = stablehlo.concatenate %b, %i, dim = 2 : (", i, ", ", i, ") -> ",
        both, "\n",
        "  %s = tensor.scatter %u into %x[%c] scatter_dims([0, 1]) unique : (",
        u, ", ", x, ", ", both, ") -> ", x, "\n  return %s : ", x, "\n}\n");
  }
};

/// "It insert a subset of the elements from an input tensor into a destination
/// tensor at the given indices": the update of a slice lands where its own
/// index says, and in its own batch where an iota is the other coordinate.
TEST(TensorGatherScatter, BatchesAreSeenBehindAnIota) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 200);
  for (int64_t seed = 1; seed <= programs && !HasFailure(); ++seed) {
    Random random(seed);
    const int64_t rows = random.in(1, 5);
    BatchedScatter of = {random.in(1, 3), rows,
                         random.in(1, std::min<int64_t>(rows, 3)),
                         !random.oneIn(2), !random.oneIn(3)};
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", of.text()));
    auto program = importMlir(of.text());
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    const Computation &main = module.computations[module.entry];
    ProgramIndexing maps(module);
    const Sizes x = {of.batches, of.rows}, u = {of.batches, of.slices};
    const Sizes i = {of.batches, of.slices, 1};
    std::vector<int64_t> rowsOf, both;
    for (int64_t b = 0; b < of.batches; ++b)
      for (int64_t row : random.subset(of.rows, of.slices)) {
        rowsOf.push_back(row);
        both.push_back(b);
        both.push_back(row);
      }
    const RunTensors run = {{"x", {x, {}}},
                            {"s", {x, {}}},
                            {"u", {u, {}}},
                            {"b", {i, {}}},
                            {"i", {i, rowsOf}},
                            {"n", {{3}, {of.batches, of.slices, 1}}},
                            {"c", {{of.batches, of.slices, 2}, both}}};
    auto pointsOf = [&](int64_t parameter, const Sizes &sizes) {
      auto read =
          maps.computation(module.entry, LeafId(0), ParameterLeaf{parameter},
                           Direction::OutputToInput);
      EXPECT_TRUE(read.ok()) << read.status();
      EXPECT_EQ(read->precision(), Precision::Exact);
      auto points = pointsOfRun(*read, maps, main, run, x, sizes);
      EXPECT_TRUE(points.ok()) << points.status();
      return points.ok() ? points->pairs : std::vector<PointPair>();
    };
    std::vector<PointPair> updates, indices;
    forEachIndex(x, [&](const Sizes &to) {
      for (int64_t n = 0; n < of.slices; ++n) {
        const int64_t slice = to[0] * of.slices + n;
        indices.push_back({placeOf(to, x), slice});
        if (rowsOf[slice] == to[1]) updates.push_back({placeOf(to, x), slice});
      }
    });
    EXPECT_EQ(pointsOf(1, i), indices);
    EXPECT_EQ(pointsOf(2, u), updates);
  }
}

}  // namespace
}  // namespace indexical::testing
