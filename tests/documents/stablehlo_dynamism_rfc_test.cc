// Dynamism in StableHLO (reference/stablehlo_dynamism_rfc.txt), sentence by
// sentence: by the number of the proposal.
//
//   INDEXICAL_PROGRAMS=10000   more programs of each kind
#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/documents/run_points.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using Pairs = std::vector<PointPair>;

/// A size of a type: a number, `?`, or `?` with a bound.
struct TypeSize {
  std::optional<int64_t> number, bound;
};

std::string typeOf(const std::vector<TypeSize> &sizes) {
  std::string text = "tensor<";
  std::vector<std::string> bounds;
  bool isBounded = false;
  for (const TypeSize &size : sizes) {
    absl::StrAppend(&text, size.number ? absl::StrCat(*size.number) : "?", "x");
    bounds.push_back(size.bound ? absl::StrCat(*size.bound) : "?");
    isBounded |= size.bound.has_value();
  }
  absl::StrAppend(&text, "f32");
  if (isBounded)
    absl::StrAppend(&text, ", #stablehlo.bounds<", absl::StrJoin(bounds, ", "),
                    ">");
  return text + ">";
}

//===-- P3: relaxed constraints -------------------------------------------===//

/// `%b = broadcast_in_dim %x`, static or dynamic, and beside it `%r = reverse
/// %x`, to which nothing of what the broadcast allows may come.
struct Broadcast {
  Sizes result, dimensions;
  std::vector<TypeSize> operand;
  bool isDynamic = false;

  std::string text() const {
    std::vector<TypeSize> sizes;
    for (int64_t size : result)
      sizes.push_back(isDynamic ? TypeSize{} : TypeSize{size, {}});
    const std::string from = typeOf(operand), to = typeOf(sizes);
    const std::string list = absl::StrCat("tensor<", result.size(), "xi64>");
    std::vector<int64_t> all(operand.size());
    for (size_t k = 0; k < all.size(); ++k) all[k] = k;
    return absl::StrCat(
        "func.func @main(%x: ", from, ") -> (", to, ", ", from, ") {\n",
        "  %n = stablehlo.constant dense<[", absl::StrJoin(result, ", "),
        "]> : ", list, "\n", "  %b = stablehlo.",
        isDynamic ? "dynamic_broadcast_in_dim %x, %n" : "broadcast_in_dim %x",
        ", dims = [", absl::StrJoin(dimensions, ", "), "] : (", from,
        isDynamic ? ", " + list : "", ") -> ", to, "\n",
        "  %r = stablehlo.reverse %x, dims = [", absl::StrJoin(all, ", "),
        "] : ", from, "\n", "  return %b, %r : ", to, ", ", from, "\n}\n");
  }
};

/// C5 of broadcast_in_dim: each size of the operand is 1 or the result's.
Broadcast randomBroadcast(Random &random) {
  Broadcast made;
  made.isDynamic = random.oneIn(3);
  const int64_t rank = random.in(1, 3);
  for (int64_t k = 0; k < rank; ++k)
    made.result.push_back(random.oneIn(8) ? 0 : random.in(1, 4));
  const auto order = random.permutation(rank);
  const int64_t count = random.in(1, rank);
  for (int64_t k = 0; k < count; ++k) {
    made.dimensions.push_back(order[k]);
    const int64_t size = made.result[order[k]];
    TypeSize &of = made.operand.emplace_back();
    if (random.oneIn(4))
      of.number = random.oneIn(2) ? 1 : size;
    else if (random.oneIn(2))
      of.bound = random.in(1, 5);
  }
  return made;
}

/// The sizes that C5 allows the operand in a run.
std::vector<Sizes> runsOf(const Broadcast &broadcast) {
  std::vector<Sizes> runs = {{}};
  for (size_t k = 0; k < broadcast.operand.size(); ++k) {
    const TypeSize &of = broadcast.operand[k];
    const int64_t same = broadcast.result[broadcast.dimensions[k]];
    std::vector<Sizes> longer;
    for (const Sizes &run : runs)
      for (int64_t size = 0; size < 6; ++size) {
        if (size != 1 && size != same) continue;
        if (of.number && *of.number != size) continue;
        if (of.bound && *of.bound < size) continue;
        longer.push_back(run);
        longer.back().push_back(size);
      }
    runs = std::move(longer);
  }
  return runs;
}

/// Returns the pairs by the specification: `result[i] = operand[j]`, where
/// `j[d]` is 0 if the operand's size d is 1, else `i[broadcast_dimensions[d]]`.
Pairs broadcastPairs(const Broadcast &broadcast, const Sizes &run) {
  Pairs pairs;
  forEachIndex(broadcast.result, [&](const Sizes &index) {
    Sizes read;
    for (size_t d = 0; d < run.size(); ++d)
      read.push_back(run[d] == 1 ? 0 : index[broadcast.dimensions[d]]);
    pairs.push_back({placeOf(index, broadcast.result), placeOf(read, run)});
  });
  return pairs;
}

Pairs reversePairs(const Sizes &run) {
  Pairs pairs;
  forEachIndex(run, [&](const Sizes &index) {
    Sizes read;
    for (size_t d = 0; d < run.size(); ++d)
      read.push_back(run[d] - 1 - index[d]);
    pairs.push_back({placeOf(index, run), placeOf(read, run)});
  });
  return pairs;
}

/// Both answers for parameter 0, exact and of the expected points.
void expectReads(ProgramIndexing &maps, const Module &module, int64_t result,
                 const RunTensors &run, const Sizes &from, const Sizes &to,
                 const Pairs &expected) {
  const Computation &main = module.computations[module.entry];
  for (Direction direction :
       {Direction::OutputToInput, Direction::InputToOutput}) {
    const bool reads = direction == Direction::OutputToInput;
    auto relation = maps.computation(module.entry, LeafId(result),
                                     ParameterLeaf{0}, direction);
    ASSERT_TRUE(relation.ok()) << relation.status();
    std::string text;
    for (const IndexingMap &piece : relation->pieces())
      text += piece.strOneLine() + "\n";
    EXPECT_EQ(relation->precision(), Precision::Exact) << text;
    auto points = pointsOfRun(*relation, maps, main, run, reads ? from : to,
                              reads ? to : from);
    ASSERT_TRUE(points.ok()) << points.status() << "\n" << text;
    EXPECT_EQ(points->pairs, reads ? expected : transposed(expected))
        << "result " << result << " " << text;
    EXPECT_TRUE(points->disjoint) << text;
  }
}

// "If a constraint for a specific operation cannot be evaluated at compile time
// because it involves an unknown rank or an unknown dimension size, it gets
// deferred until the run time of the operation": so a size that is not known
// may be either of the two that C5 allows.
TEST(P3, BroadcastInDimAllowsAnUnknownSizeToBeOne) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 300);
  int64_t expanded = 0, kept = 0;
  for (int64_t seed = 1; seed <= programs && !HasFailure(); ++seed) {
    Random random(seed);
    const Broadcast broadcast = randomBroadcast(random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", broadcast.text()));
    const auto runs = runsOf(broadcast);
    auto program = importMlir(broadcast.text(), "test.mlir");
    // A type may leave no size at all.
    if (runs.empty() && !program.ok()) continue;
    ASSERT_TRUE(program.ok()) << program.status();
    const Module &module = program->modules[0];
    ProgramIndexing maps(module);
    for (const Sizes &run : runs) {
      SCOPED_TRACE("run with x of " + absl::StrJoin(run, "x"));
      const RunTensors tensors = {
          {"x", {run, {}}},
          {"n", {{int64_t(broadcast.result.size())}, broadcast.result}},
          {"b", {broadcast.result, {}}},
          {"r", {run, {}}}};
      expectReads(maps, module, 0, tensors, broadcast.result, run,
                  broadcastPairs(broadcast, run));
      expectReads(maps, module, 1, tensors, run, run, reversePairs(run));
      for (size_t k = 0; k < run.size(); ++k)
        if (!broadcast.operand[k].number)
          ++(run[k] == broadcast.result[broadcast.dimensions[k]] ? kept
                                                                 : expanded);
    }
  }
  EXPECT_GT(expanded, programs / 2);
  EXPECT_GT(kept, programs / 2);
}

// The type's bound settles the size: 5 elements do not fit into 3, so the size
// must be 1.
TEST(P3, BoundBelowTheResultsSizeLeavesOne) {
  Broadcast broadcast;
  broadcast.result = {4, 5};
  broadcast.dimensions = {1};
  broadcast.operand = {{std::nullopt, 3}};
  auto program = importMlir(broadcast.text(), "test.mlir");
  ASSERT_TRUE(program.ok()) << program.status();
  ProgramIndexing maps(program->modules[0]);
  const RunTensors tensors = {{"x", {{1}, {}}}};
  expectReads(maps, program->modules[0], 0, tensors, {4, 5}, {1},
              broadcastPairs(broadcast, {1}));
}

//===-- P4: sizes that only a type says -----------------------------------===//

// "for 7 operations in the StableHLO dialect […] the static shape of the
// results is load-bearing": a bound is no size. StableHLO itself makes one
// exception, for one bounded dimension of broadcast_in_dim and reshape.
TEST(P4, ResultsWhoseShapeIsLoadBearing) {
  struct Row {
    std::string name, arguments, op, operands;
    bool mayHaveABound = false;
    std::string behind = "";  ///< other results
  };
  const Row rows[] = {
      {"broadcast_in_dim", "%x: tensor<f32>",
       "\"stablehlo.broadcast_in_dim\"(%x) {broadcast_dimensions = "
       "array<i64>}",
       "tensor<f32>", true},
      {"reshape", "%x: tensor<24xf32>", "\"stablehlo.reshape\"(%x)",
       "tensor<24xf32>", true},
      {"iota", "", "\"stablehlo.iota\"() {iota_dimension = 0 : i64}", ""},
      {"infeed", "%t: !stablehlo.token", "\"stablehlo.infeed\"(%t)",
       "!stablehlo.token", false, ", !stablehlo.token"},
      {"recv", "%t: !stablehlo.token",
       "\"stablehlo.recv\"(%t) {channel_handle = "
       "#stablehlo.channel_handle<handle = 1, type = 1>}",
       "!stablehlo.token", false, ", !stablehlo.token"},
      {"rng_bit_generator", "%s: tensor<2xui64>",
       "\"stablehlo.rng_bit_generator\"(%s) {rng_algorithm = "
       "#stablehlo<rng_algorithm DEFAULT>}",
       "tensor<2xui64>"},
  };
  // A size of 2x3x4, what is known of it, in each dimension.
  enum Known { Size, Bound, Nothing };
  const char *const sizes[] = {"2", "3", "4"};
  for (const Row &row : rows)
    for (int n = 0; n < 27; ++n) {
      const Known known[] = {Known(n % 3), Known(n / 3 % 3), Known(n / 9)};
      std::string shape, bounds;
      int bounded = 0, unknown = 0;
      for (int d = 0; d < 3; ++d) {
        absl::StrAppend(&shape, known[d] == Size ? sizes[d] : "?", "x");
        absl::StrAppend(&bounds, d ? ", " : "",
                        known[d] == Bound ? sizes[d] : "?");
        bounded += known[d] == Bound;
        unknown += known[d] == Nothing;
      }
      const bool isSeed = row.name == "rng_bit_generator";
      const std::string type = absl::StrCat(
          "tensor<", shape, isSeed ? "ui32" : "f32",
          bounded ? ", #stablehlo.bounds<" + bounds + ">" : "", ">");
      const std::string results =
          isSeed ? "tensor<2xui64>, " + type : type + row.behind;
      const std::string text = absl::StrCat(
          "func.func @main(", row.arguments,
          ") {\n  %r:", isSeed || !row.behind.empty() ? 2 : 1, " = ", row.op,
          " : (", row.operands, ") -> (", results, ")\n  return\n}\n");
      auto program = importMlir(text, "test.mlir");
      const bool isRead =
          unknown == 0 && bounded <= (row.mayHaveABound ? 1 : 0);
      EXPECT_EQ(program.ok(), isRead) << text << program.status();
      if (isRead || program.ok()) continue;
      const std::string message(program.status().message());
      EXPECT_TRUE(message.find(" must have a size") != std::string::npos ||
                  message.find("may have a bound instead of a size, but ") !=
                      std::string::npos)
          << message << "\n"
          << text;
    }
  // The literal of a constant has a shape of its own, which has all sizes.
  for (const char *type :
       {"tensor<?xf32>", "tensor<?xf32, #stablehlo.bounds<2>>"})
    EXPECT_FALSE(importMlir(absl::StrCat("func.func @main() {\n  %r = "
                                         "\"stablehlo.constant\"() {value = "
                                         "dense<1.0> : tensor<2xf32>} : () -> ",
                                         type, "\n  return\n}\n"),
                            "test.mlir")
                     .ok());
}

//===-- Bounded dynamism --------------------------------------------------===//

// "First dimension size is unknown (?), but its bound is known (16)": an index
// below the bound may lie behind the last element. Element 4 of `%c` is 4 only
// if all 5 elements are there.
TEST(BoundedDynamism, ElementsBehindABoundedSizeAreNotGuessed) {
  const std::string kept = "tensor<?xi32, #stablehlo.bounds<5>>";
  const std::string longer = "tensor<?xi32, #stablehlo.bounds<10>>";
  const std::string read = "tensor<?xf32, #stablehlo.bounds<10>>";
  for (const std::string &op : std::vector<std::string>{
           "stablehlo.concatenate %a, %b, dim = 0 : (" + kept +
               ", tensor<5xi32>) -> ",
           "stablehlo.pad %a, %z, low = [0], high = [5], interior = [0] : (" +
               kept + ", tensor<i32>) -> "}) {
    const std::string text = absl::StrCat(
        "func.func @main(%x: tensor<100xf32>, %k: tensor<i32>) -> "
        "tensor<1xf32> {\n",
        "  %i = stablehlo.iota dim = 0 : tensor<5xi32>\n",
        "  %a = stablehlo.set_dimension_size %i, %k, dim = 0 : "
        "(tensor<5xi32>, tensor<i32>) -> ",
        kept, "\n", "  %b = stablehlo.constant dense<9> : tensor<5xi32>\n",
        "  %z = stablehlo.constant dense<9> : tensor<i32>\n", "  %c = ", op,
        longer, "\n",
        "  %g = \"stablehlo.gather\"(%x, %c) {dimension_numbers = "
        "#stablehlo.gather<collapsed_slice_dims = [0], start_index_map = [0], "
        "index_vector_dim = 1>, slice_sizes = array<i64: 1>} : "
        "(tensor<100xf32>, ",
        longer, ") -> ", read, "\n", "  %s = stablehlo.slice %g [4:5] : (",
        read, ") -> tensor<1xf32>\n", "  return %s : tensor<1xf32>\n}\n");
    SCOPED_TRACE(text);
    auto program = importMlir(text, "test.mlir");
    ASSERT_TRUE(program.ok()) << program.status();
    ProgramIndexing maps(program->modules[0]);
    for (int64_t size = 0; size <= 5; ++size) {
      RunTensors tensors;
      Sizes &elements = tensors["c"].elements;
      for (int64_t i = 0; i < size + 5; ++i)
        elements.push_back(i < size ? i : 9);
      tensors["c"].sizes = {size + 5};
      tensors["a"].sizes = {size};
      tensors["k"].elements = {size};
      expectReads(maps, program->modules[0], 0, tensors, {1}, {100},
                  {{0, elements[4]}});
    }
  }
}

}  // namespace
}  // namespace indexical::testing
