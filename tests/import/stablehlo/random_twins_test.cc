// Random ops and programs of HLO, written as StableHLO: read back, they have
// the same maps. What these are is shown against the oracle elsewhere
// (tests/ops/ops_test.cc, tests/program/maps/program_test.cc).
#include <algorithm>
#include <iostream>
#include <map>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/import/stablehlo/write_stablehlo.h"
#include "tests/support/random_ops.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

constexpr Direction kDirections[] = {Direction::OutputToInput,
                                     Direction::InputToOutput};

/// Precision and pieces in an order of their own.
std::string textOf(const absl::StatusOr<IndexingRelation> &relation) {
  if (!relation.ok()) return relation.status().ToString();
  std::vector<std::string> pieces;
  for (const IndexingMap &piece : relation->pieces())
    pieces.push_back(piece.strOneLine());
  std::sort(pieces.begin(), pieces.end());
  std::string text = precisionName(relation->precision()).str();
  for (const std::string &piece : pieces) text += "\n  " + piece;
  return text;
}

Op withoutLayouts(Op op) {
  return op.changed([](OpDraft &plain) {
    for (ShapeList *list : {&plain->operands, &plain->results})
      for (size_t k = 0; k < list->size(); ++k)
        list->mutableAt(k).layout.reset();
  });
}

//===-- Ops ---------------------------------------------------------------===//

class RandomTwinsTest : public ::testing::TestWithParam<Family> {};

/// Families of ops that StableHLO does not have, or says by regions.
bool isElsewhere(const Family &family) {
  static const char *const names[] = {
      "bitcast",   "bitcastOfWidths", "tiledBitcast", "nullary", "cover",
      "call",      "conditional",     "while",        "scan",    "start",
      "capturing", "everything",      "scaledDot",    "custom",  "forward"};
  return llvm::any_of(names,
                      [&](const char *name) { return family.name == name; });
}

TEST_P(RandomTwinsTest, AnOpIsReadBackAsItself) {
  int64_t read = 0;
  for (int64_t seed = 1; seed <= 400; ++seed) {
    Random random(seed);
    const Op op = withPlainTypes(withoutLayouts(GetParam().make(random)));
    const auto text = functionText(op);
    if (!text) continue;
    auto program = importMlir(*text, "random.mlir");
    ASSERT_TRUE(program.ok())
        << "seed " << seed << ": " << program.status() << "\n"
        << describe(op) << "\n"
        << *text;
    const Computation &main = program->modules[0].computations[0];
    const auto found = llvm::find_if(
        main.instructions, [](const Instruction &i) { return i.name == "r"; });
    ASSERT_NE(found, main.instructions.end()) << *text;
    ++read;
    const OpShapes &shapes = shapesOf(op);
    for (Direction direction : kDirections)
      for (size_t r = 0; r < shapes.results.size(); ++r)
        for (size_t k = 0; k < shapes.operands.size(); ++k)
          ASSERT_EQ(textOf(indexing(found->op, direction, r, k)),
                    textOf(indexing(op, direction, r, k)))
              << "seed " << seed << ", result " << r << ", operand " << k
              << "\n"
              << describe(op) << "\n"
              << *text;
  }
  std::cout << read << " ops\n";
  EXPECT_EQ(read == 0, isElsewhere(GetParam()));
}

INSTANTIATE_TEST_SUITE_P(Families, RandomTwinsTest,
                         ::testing::ValuesIn(families().begin(),
                                             families().end()),
                         [](const ::testing::TestParamInfo<Family> &info) {
                           std::string name = info.param.name.str();
                           for (char &c : name)
                             if (!std::isalnum(c)) c = '_';
                           return name;
                         });

//===-- Programs ----------------------------------------------------------===//

// Calls, branches that capture, loops with several values, steps.
TEST(RandomTwinProgramsTest, AProgramHasTheSameMaps) {
  int64_t programs = 0, captures = 0, left = 0;
  for (int64_t seed = 1; seed <= 1550; ++seed) {
    Random random(seed);
    const std::string hlo = randomProgram(random);
    auto first = parseHlo(hlo);
    ASSERT_TRUE(first.ok()) << first.status() << "\n" << hlo;
    const auto text = moduleText(first->modules[0]);
    if (!text) {
      ++left;
      continue;
    }
    auto second = importMlir(*text, "random.mlir");
    ASSERT_TRUE(second.ok())
        << "seed " << seed << ": " << second.status() << "\n"
        << *text;
    ++programs;
    const Module &a = first->modules[0], &b = second->modules[0];
    for (const Computation &c : b.computations) captures += c.captured;
    ProgramIndexing mapsOfA(a), mapsOfB(b);
    const Computation &main = a.computations[a.entry];
    const int64_t roots = main.instructions[main.root].shape.leafCount();
    for (Direction direction : kDirections)
      for (int64_t r = 0; r < roots; ++r)
        for (size_t p = 0; p < main.parameters.size(); ++p)
          ASSERT_EQ(textOf(mapsOfB.computation(b.entry, LeafId(r),
                                               ParameterLeaf{p}, direction)),
                    textOf(mapsOfA.computation(a.entry, LeafId(r),
                                               ParameterLeaf{p}, direction)))
              << "seed " << seed << ", leaf " << r << " of parameter " << p
              << "\n"
              << hlo << "\n"
              << *text;
  }
  std::cout << programs << " programs, " << captures << " values captured, "
            << left << " left out\n";
  EXPECT_GT(programs, 500);
  EXPECT_GT(captures, 500);
}

}  // namespace
}  // namespace indexical::testing
