// Programs of unknown sizes with their sizes given, against the same programs
// with the sizes written in: "all StableHLO programs with dynamism are
// refinable to static programs by providing concrete input types"
// (reference/stablehlo_dynamism_rfc.txt, P4).
//
// The second program is read from its own text, so that nothing of what gives
// sizes has a part in it. Of both, the maps, what each instruction uses, and
// the tiles below the root must be one.
//
//   INDEXICAL_PROGRAMS=20000   so many programs
//   INDEXICAL_SEED=n           beginning with this one
#include <algorithm>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "gtest/gtest.h"

#include "indexical/cost/tiles/tile.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/maps/refine.h"
#include "indexical/program/module/callees.h"
#include "tests/documents/open_programs.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

std::string textOf(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return relation.status().ToString();
  std::string text =
      relation->precision() == Precision::Exact ? "exact\n" : "cover\n";
  for (const IndexingMap &piece : relation->pieces())
    text += piece.strOneLine() + "\n";
  return text;
}

std::string textOf(const absl::StatusOr<Utilization> &found) {
  if (!found.ok()) return found.status().ToString();
  auto number = [](const std::optional<int64_t> &n) {
    return n ? absl::StrCat(*n) : std::string("none");
  };
  std::string text;
  for (const Use &use : found->operands) {
    const Footprint &of = use.footprint;
    absl::StrAppend(&text, use.operand, " ", use.shape.str(), " ",
                    number(of.size), " ", number(of.distinct), " ",
                    number(of.bytes), " ", number(of.reads), " [");
    for (const Interval &side : of.box)
      absl::StrAppend(&text, side.lower, "..", side.upper, " ");
    text += "]\n";
  }
  return text;
}

std::string tilesText(ProgramIndexing &maps, const Module &module,
                      const RootTile &tile) {
  const Computation &entry = module.computations[module.entry];
  auto tiles = tilesOf(maps, {module.entry, entry.root}, tile);
  if (!tiles.ok()) return tiles.status().ToString();
  std::string text;
  for (const InstructionTile &of : *tiles)
    absl::StrAppend(&text, entry.instructions[of.instruction].name.str(), " ",
                    of.tile.isExact(), " ", of.tile.map().strOneLine(), "\n");
  return text;
}

TEST(GivenSizes, AreAsGoodAsSizesThatAreWritten) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 300);
  const int64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  int64_t open = 0, pieces = 0;
  for (int64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
    Random random(seed);
    const OpenProgram writer(random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", writer.text(false), "\n",
                              writer.text(true)));
    auto dynamic = importMlir(writer.text(false));
    auto fixed = importMlir(writer.text(true));
    ASSERT_TRUE(dynamic.ok()) << dynamic.status();
    ASSERT_TRUE(fixed.ok()) << fixed.status();
    KnownArgument argument;
    argument.shape.type = ElementType::F32;
    for (const RunSize &size : writer.argument()) {
      argument.shape.dimensions.push_back(size.value);
      open += size.isOpen;
    }
    auto given =
        refined(dynamic->modules[0], dynamic->modules[0].entry, {argument});
    ASSERT_TRUE(given.ok()) << given.status();
    for (const OpenSize &size : openSizes(*given))
      ADD_FAILURE() << "instruction " << size.instruction << " stays open";
    const Module &other = fixed->modules[0];
    ProgramIndexing a(*given), b(other);
    for (Direction direction :
         {Direction::OutputToInput, Direction::InputToOutput}) {
      const auto relation =
          a.computation(given->entry, LeafId(0), ParameterLeaf{0}, direction);
      EXPECT_EQ(textOf(relation),
                textOf(b.computation(other.entry, LeafId(0), ParameterLeaf{0},
                                     direction)));
      if (relation.ok()) pieces += relation->pieces().size();
    }
    const Computation &entry = given->computations[given->entry];
    for (InstructionId i(0);
         i < static_cast<int32_t>(entry.instructions.size()); ++i)
      EXPECT_EQ(textOf(utilizationOf(a, given->entry, i, Share::whole())),
                textOf(utilizationOf(b, other.entry, i, Share::whole())));
    RootTile tile;
    for (const RunSize &size : writer.result()) {
      tile.shape.push_back(size.value);
      tile.sizes.push_back(TileExtent::of(random.in(1, size.value)));
    }
    EXPECT_EQ(tilesText(a, *given, tile), tilesText(b, other, tile));
  }
  EXPECT_GT(open, programs / 2);
  EXPECT_GT(pieces, programs);
}

/// A size that is not given stays open, and the others are as good as written.
TEST(GivenSizes, SomeMayStayOpen) {
  auto program = importMlir(
      "func.func private @inner(%y: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
      "  %r = stablehlo.reverse %y, dims = [0, 1] : tensor<?x?xf32>\n"
      "  return %r : tensor<?x?xf32>\n"
      "}\n"
      "func.func @main(%x: tensor<?x?xf32>) -> tensor<?x?xf32> {\n"
      "  %c = call @inner(%x) : (tensor<?x?xf32>) -> tensor<?x?xf32>\n"
      "  return %c : tensor<?x?xf32>\n"
      "}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  auto given = refined(
      module, module.entry,
      {KnownArgument{ArrayShape(ElementType::F32, {6, kDynamicSize}), {}}});
  ASSERT_TRUE(given.ok()) << given.status();
  ProgramIndexing maps(*given);
  auto read = maps.computation(given->entry, LeafId(0), ParameterLeaf{0},
                               Direction::OutputToInput);
  ASSERT_TRUE(read.ok()) << read.status();
  ASSERT_EQ(read->pieces().size(), 1u);
  EXPECT_EQ(read->pieces()[0].strOneLine(),
            "(d0, d1){rt0} -> (-d0 + 5, -d1 + rt0 - 1), domain: d0 in [0, 5], "
            "d1 in [0, inf], rt0 in [1, inf], d1 - rt0 in [-inf, -1]");
  for (const OpenSize &size : openSizes(*given))
    EXPECT_EQ(size.kind, OpenSize::Argument);
}

/// "the dynamic operand value to specify the result shapes is a computation of
/// the shape of on another operation": else the program is not refinable.
TEST(GivenSizes, ASizeThatIsAnElementIsTold) {
  auto program = importMlir(
      "func.func @main(%x: tensor<1xf32>, %n: tensor<1xi32>) -> tensor<?xf32> "
      "{\n"
      "  %r = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0] : "
      "(tensor<1xf32>, tensor<1xi32>) -> tensor<?xf32>\n"
      "  return %r : tensor<?xf32>\n"
      "}\n");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const auto open = openSizes(module);
  ASSERT_EQ(open.size(), 1u);
  EXPECT_EQ(open[0].kind, OpenSize::Element);
  EXPECT_EQ(
      module.computations[module.entry].instructions[open[0].instruction].name,
      "n");
}

}  // namespace
}  // namespace indexical::testing
