// Batching dimensions of gather and scatter
// (reference/stablehlo_gather_scatter_batching_dims_rfc.txt).
//
// The constraints are tested one by one in
// tests/import/stablehlo/constraints_test.cc, and pairs of both forms in
// scattered_pairs_test.cc. Here are the tiles.
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::testing {
namespace {

const char *const kHead =
    "HloModule m\n"
    "put { a = f32[] parameter(0)  ROOT b = f32[] parameter(1) }\n"
    "ENTRY e {\n"
    "x = f32[3,8,5] parameter(0)\n"
    "p = s32[3,2,1] parameter(1)\n"
    "u = f32[3,2,5] parameter(2)\n";

/// "the old form": indices that are concatenated with an iota.
const char *const kOldScatter =
    "i = s32[3,2,1] iota(), iota_dimension=0\n"
    "c = s32[3,2,2] concatenate(i, p), dimensions={2}\n"
    "ROOT r = f32[3,8,5] scatter(x, c, u), update_window_dims={2}, "
    "inserted_window_dims={0,1}, scatter_dims_to_operand_dims={0,1}, "
    "index_vector_dim=2, to_apply=put\n}\n";
const char *const kNewScatter =
    "ROOT r = f32[3,8,5] scatter(x, p, u), update_window_dims={2}, "
    "inserted_window_dims={1}, scatter_dims_to_operand_dims={1}, "
    "input_batching_dims={0}, scatter_indices_batching_dims={0}, "
    "index_vector_dim=2, to_apply=put\n}\n";

std::string listed(const SymbolicTile &tile, llvm::ArrayRef<FormId> forms) {
  std::vector<std::string> texts;
  for (FormId form : forms) texts.push_back(tile.str(form));
  return "(" + absl::StrJoin(texts, ", ") + ")";
}

/// The tiles of a parameter, one a line.
std::string tilesOf(const std::string &text, const char *parameter,
                    llvm::ArrayRef<int64_t> sizes) {
  auto program = parseHlo(text);
  if (!program.ok()) return program.status().ToString();
  const Module &module = program->modules[0];
  const Computation &entry = module.computations[module.entry];
  ProgramIndexing maps(module);
  RootTile root;
  root.shape = {3, 8, 5};
  for (int64_t size : sizes) root.sizes.push_back(TileExtent::of(size));
  auto tiles = indexical::tilesOf(maps, {module.entry, entry.root}, root);
  if (!tiles.ok()) return tiles.status().ToString();
  std::string all;
  for (const InstructionTile &each : *tiles)
    if (entry.instructions[each.instruction].name.str() == parameter)
      absl::StrAppend(&all, each.tile.isExact() ? "exact" : "box", " at ",
                      listed(each.tile, each.tile.offsets()), " of ",
                      listed(each.tile, each.tile.sizes()), " by ",
                      listed(each.tile, each.tile.strides()), "\n");
  return all;
}

/// A batch is scattered by its own indices and updates, whichever form says so.
TEST(BatchingDims, ATileOfOneBatchTakesItsIndicesAndUpdates) {
  const std::string older = absl::StrCat(kHead, kOldScatter);
  const std::string newer = absl::StrCat(kHead, kNewScatter);
  for (const std::string &text : {older, newer}) {
    EXPECT_EQ(tilesOf(text, "p", {1, 8, 5}),
              "exact at (o0, 0, 0) of (1, 2, 1) by (1, 1, 1)\n");
    EXPECT_EQ(tilesOf(text, "p", {2, 4, 5}),
              "exact at (o0, 0, 0) of (2, 2, 1) by (1, 1, 1)\n");
  }
  for (const std::vector<int64_t> &sizes :
       {std::vector<int64_t>{1, 8, 5}, {2, 4, 5}, {3, 1, 1}, {1, 1, 2}})
    for (const char *parameter : {"x", "p", "u"}) {
      SCOPED_TRACE(absl::StrCat(parameter, " ", absl::StrJoin(sizes, ",")));
      EXPECT_EQ(tilesOf(older, parameter, sizes),
                tilesOf(newer, parameter, sizes));
    }
  // No box begins before the tensor, and none takes another batch.
  EXPECT_EQ(tilesOf(older, "u", {1, 8, 5}),
            "box at (o0, 0, 0) of (1, 2, 5) by (1, 1, 1)\n");
}

}  // namespace
}  // namespace indexical::testing
