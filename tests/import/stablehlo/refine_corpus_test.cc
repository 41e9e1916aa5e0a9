// Real modules of unknown sizes, refined: with an argument of each size given,
// every size of the module is a number, and the maps that were there before
// are, at these sizes, those of the refined module.
//
// These modules (of JAX) take their sizes as scalars before the arrays.
#include <algorithm>
#include <iostream>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/maps/refine.h"
#include "indexical/program/module/callees.h"
#include "tests/import/stablehlo/integer_values.h"
#include "tests/support/corpus_files.h"
#include "tests/support/relation_points.h"

namespace indexical::testing {
namespace {

constexpr int64_t kSize = 4;

/// Larger tensors take too long, point by point.
constexpr int64_t kMostElements = 5000;

bool isSmall(const ArrayShape &shape) {
  return shape.elementCount().value_or(kMostElements) < kMostElements;
}

/// The arguments of the entry, every unknown size the same number.
std::vector<KnownArgument> argumentsOf(const Module &module) {
  const Computation &entry = module.computations[module.entry];
  std::vector<KnownArgument> arguments;
  for (const ParameterLeaf &leaf : parameterLeaves(entry)) {
    ArrayShape shape =
        shapesOf(entry.instructions[entry.parameters[leaf.parameter]].op)
            .results[leaf.leaf];
    for (int64_t &size : shape.dimensions)
      if (size == kDynamicSize) size = kSize;
    shape.dynamic.clear();
    std::vector<int64_t> values;
    if (shape.isScalar() && shape.type == ElementType::S64) values = {kSize};
    arguments.push_back({shape, values});
  }
  return arguments;
}

class Comparison {
 public:
  int files = 0, pairs = 0, covers = 0, large = 0;

  void check(const CorpusFile &file) {
    auto program = importMlir(textOf(file), file.path);
    // One is wrong: it has strides for a dimension more than there are.
    if (file.name == "conv_general_dilated_1d_stride_2_even_dynamic.mlir") {
      EXPECT_FALSE(program.ok());
      return;
    }
    ++files;
    ASSERT_TRUE(program.ok()) << program.status();
    ASSERT_EQ(program->modules.size(), 1u);
    const Module &module = program->modules[0];
    ASSERT_GE(module.entry, 0);
    const auto arguments = argumentsOf(module);
    auto known = refined(module, module.entry, arguments);
    ASSERT_TRUE(known.ok()) << known.status();
    const Computation &entry = known->computations[known->entry];
    for (const Instruction &i : entry.instructions)
      EXPECT_FALSE(hasOpenSizes(shapesOf(i.op))) << i.name.str();
    std::vector<IntegerValues::Values> given;
    for (const KnownArgument &argument : arguments)
      given.push_back(argument.values);
    compare(module, *known, IntegerValues(*known, known->entry, given));
  }

 private:
  void compare(const Module &module, const Module &known,
               const IntegerValues &values) {
    ProgramIndexing maps(module), knownMaps(known);
    const Computation &entry = known.computations[known.entry];
    const ShapeList &results =
        shapesOf(entry.instructions[entry.root].op).results;
    for (const ParameterLeaf &p : parameterLeaves(entry))
      for (int64_t r = 0; r < static_cast<int64_t>(results.size()); ++r) {
        const ArrayShape &to =
            shapesOf(entry.instructions[entry.parameters[p.parameter]].op)
                .results[p.leaf];
        if (!isSmall(results[r]) || !isSmall(to)) {
          ++large;
          continue;
        }
        for (Direction direction :
             {Direction::OutputToInput, Direction::InputToOutput}) {
          SCOPED_TRACE("result " + std::to_string(r) + ", parameter " +
                       std::to_string(p.parameter));
          auto open = maps.computation(
              module.entry, LeafId(r),
              ParameterLeaf{p.parameter, LeafId(p.leaf)}, direction);
          auto closed = knownMaps.computation(
              known.entry, LeafId(r),
              ParameterLeaf{p.parameter, LeafId(p.leaf)}, direction);
          ASSERT_TRUE(open.ok()) << open.status();
          ASSERT_TRUE(closed.ok()) << closed.status();
          const bool down = direction == Direction::OutputToInput;
          const ArrayShape &from = down ? results[r] : to;
          const ArrayShape &end = down ? to : results[r];
          auto found = pointsAt(*open, maps, known, values, from, end);
          auto expected =
              pointsAt(*closed, knownMaps, known, values, from, end);
          ASSERT_TRUE(found.ok()) << found.status() << "\n" << mapsOf(*open);
          ASSERT_TRUE(expected.ok()) << expected.status() << "\n"
                                     << mapsOf(*closed);
          compare(*open, *closed, found->pairs, expected->pairs);
        }
      }
  }

  /// Two exact relations are the same. A cover contains what the closed program
  /// reads. The closed program may be exact alone: with its sizes, indices that
  /// the program computes are constants, and a scatter of constants is exact.
  void compare(const IndexingRelation &open, const IndexingRelation &closed,
               const std::vector<PointPair> &found,
               const std::vector<PointPair> &expected) {
    ++pairs;
    const bool isExact = open.precision() == Precision::Exact;
    EXPECT_TRUE(!isExact || closed.precision() == Precision::Exact)
        << mapsOf(open) << "\n"
        << mapsOf(closed);
    if (!isExact) ++covers;
    EXPECT_TRUE(isExact ? found == expected
                        : std::includes(found.begin(), found.end(),
                                        expected.begin(), expected.end()))
        << mapsOf(open) << "\n"
        << mapsOf(closed);
  }

  static std::string mapsOf(const IndexingRelation &relation) {
    std::string text = precisionName(relation.precision()).str() + "\n";
    for (const IndexingMap &piece : relation.pieces())
      text += "  " + piece.strOneLine() + "\n";
    return text;
  }

  static absl::StatusOr<RelationPoints> pointsAt(
      const IndexingRelation &relation, const ProgramIndexing &maps,
      const Module &known, const IntegerValues &values, const ArrayShape &from,
      const ArrayShape &to) {
    std::vector<ArrayShape> shapes;
    OperandValues elements;
    for (const IndexingMap &piece : relation.pieces())
      for (const RuntimeVariable &variable : piece.runtime()) {
        const size_t tensor = variable.source.tensor;
        const Value &value = maps.value(tensor);
        IntegerValues::Path path;
        int32_t computation = known.entry;
        for (const CallSite &site : value.calls) {
          path.push_back(site.instruction);
          computation = known.computations[computation]
                            .instructions[site.instruction]
                            .called[site.called]
                            .computation;
        }
        path.push_back(value.instruction);
        if (shapes.size() <= tensor) {
          shapes.resize(tensor + 1);
          elements.resize(tensor + 1);
        }
        const Instruction &source =
            known.computations[computation].instructions[value.instruction];
        shapes[tensor] = shapesOf(source.op).results[value.result];
        elements[tensor] = values.of(path, value.result);
      }
    // A range may go over a small tensor that is flattened on the way.
    constexpr int64_t kMostFlat = 50;
    const int64_t flat = std::max(from.elementCount().value_or(0),
                                  to.elementCount().value_or(0));
    const int64_t most = std::min(flat, kMostFlat);
    return pointsWithin(relation, from.dimensions, to.dimensions,
                        {shapes, elements, most, /*strict=*/true});
  }
};

TEST(RefineCorpusTest, DynamicTestData) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  Comparison comparison;
  for (const CorpusFile &file :
       corpusFiles("stablehlo/testdata_dynamic", ".mlir")) {
    SCOPED_TRACE(file.name);
    comparison.check(file);
  }
  EXPECT_GE(comparison.files, 132);
  std::cout << comparison.files << " files; " << comparison.pairs
            << " pairs compared, of which " << comparison.covers << " covers; "
            << comparison.large << " pairs too large\n";
}

}  // namespace
}  // namespace indexical::testing
