// How instructions with unknown sizes use their operands, compared with the
// same programs with all small sizes written in
// (reference/stablehlo_dynamism_rfc.txt, P4). Each formula must give the figure
// that `utilization` has for the written program, which is read from a text of
// its own.
//
//   INDEXICAL_PROGRAMS=20000   so many programs
//   INDEXICAL_SEED=n           beginning with this one
#include <cstdio>
#include <string>
#include <vector>

#include "absl/strings/str_cat.h"
#include "gtest/gtest.h"

#include "indexical/cost/tiles/use_formulas.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/program/maps/program_indexing.h"
#include "tests/cost/tiles/tile_points.h"
#include "tests/documents/open_programs.h"
#include "tests/support/corpus_files.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Counts {
  int64_t asked = 0, distinct = 0, reads = 0;
};

class OpenUse {
 public:
  explicit OpenUse(const OpenProgram &program, uint64_t seed)
      : seed_(seed),
        open_(*importMlir(program.text(false))),
        maps_(open_.modules[0]) {
    for (const RunSize &size : program.argument()) sizes_ += size.isOpen;
  }

  void check(Counts &counts) {
    const Computation &entry = entryOf(open_);
    Random random(seed_);
    for (InstructionId i(0);
         i < static_cast<int32_t>(entry.instructions.size()); ++i) {
      if (entry.instructions[i].parameterNumber >= 0) continue;
      const OpShapes &shapes = shapesOf(entry.instructions[i].op);
      if (shapes.results.size() != 1) continue;
      AskedShare share;
      if (random.oneIn(2))
        for (int64_t k = 0; k < shapes.results[0].rank(); ++k) {
          share.tile.push_back(random.in(1, 3));
          share.at.push_back(random.oneIn(3) ? share.tile.back() : 0);
        }
      for (LeafId leaf;
           leaf < static_cast<int64_t>(entry.operandLeaves(i).size()); ++leaf) {
        auto formulas =
            useFormulasOf(maps_, open_.modules[0].entry, i, leaf, share);
        ASSERT_TRUE(formulas.ok()) << formulas.status();
        ++counts.asked;
        counts.distinct += formulas->distinct.has_value();
        counts.reads += formulas->reads.has_value();
        found_.push_back({i, leaf, share, *std::move(formulas)});
      }
    }
    visitBox(Point(sizes_, sizes_ > 2 ? 2 : 4), [&](const Point &values) {
      if (!::testing::Test::HasFatalFailure()) compare(values);
    });
  }

 private:
  struct Found {
    InstructionId instruction;
    LeafId leaf;
    AskedShare share;
    UseFormulas formulas;
  };

  static const Computation &entryOf(const Program &program) {
    return program.modules[0].computations[program.modules[0].entry];
  }

  void compare(const Point &values) {
    Point given;
    for (int64_t value : values) given.push_back(value + 1);
    Random same(seed_);
    const OpenProgram program(same, given);
    const auto twin = importMlir(program.text(true));
    ASSERT_TRUE(twin.ok()) << twin.status();
    ProgramIndexing maps(twin->modules[0]);
    const Computation &entry = entryOf(*twin);
    for (const Found &found : found_) {
      const InstructionId i = found.instruction;
      const auto &sizes = shapesOf(entry.instructions[i].op).results[0];
      auto share = Share::whole();
      if (!found.share.tile.empty()) {
        auto tile =
            Share::tile(sizes.dimensions, found.share.tile, found.share.at);
        if (!tile.ok()) continue;  // it begins behind the end
        share = *std::move(tile);
      }
      auto all = utilizationOf(maps, twin->modules[0].entry, i, share);
      ASSERT_TRUE(all.ok()) << all.status();
      const UseFormulas &formulas = found.formulas;
      const Footprint &figures = all->operands[found.leaf].footprint;
      SCOPED_TRACE(absl::StrCat(
          "instruction ", int32_t{i}, " operand ", int64_t{found.leaf},
          ", sizes ", absl::StrJoin(given, ","), "\n",
          formulas.sizes.strOneLine(), "\n", program.text(true)));
      const Point run = sizesOf(formulas.sizes, entry);
      expect("size", formulas, formulas.size, figures.size, run);
      expect("distinct", formulas, formulas.distinct, figures.distinct, run);
      expect("bytes", formulas, formulas.bytes, figures.bytes, run);
      expect("reads", formulas, formulas.reads, figures.reads, run);
      if (formulas.box.empty() || !figures.hasBox || figures.box.empty())
        continue;
      for (auto [formula, side] : llvm::zip_equal(formulas.box, figures.box)) {
        expect("least", formulas, formula.first, side.lower, run);
        expect("greatest", formulas, formula.second, side.upper, run);
      }
    }
  }

  static void expect(const char *what, const UseFormulas &formulas,
                     std::optional<FormId> formula,
                     std::optional<int64_t> figure, const Point &run) {
    if (!formula || !figure) return;
    ASSERT_EQ(formulas.at(*formula, run), figure)
        << what << " " << formulas.str(*formula);
  }

  Point sizesOf(const IndexingMap &map, const Computation &entry) {
    Point sizes;
    for (const RuntimeVariable &variable : map.runtime()) {
      const Value &of = maps_.value(variable.source.tensor);
      sizes.push_back(shapesOf(entry.instructions[of.instruction].op)
                          .results[of.result]
                          .dimensions[variable.source.dimension]);
    }
    return sizes;
  }

  const uint64_t seed_;
  const Program open_;
  ProgramIndexing maps_;
  size_t sizes_ = 0;
  std::vector<Found> found_;
};

TEST(OpenUse, FormulasAreTheFiguresOfEachRun) {
  const int64_t programs = fromEnvironment("INDEXICAL_PROGRAMS", 150);
  const int64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  Counts counts;
  for (int64_t seed = first; seed < first + programs && !HasFailure(); ++seed) {
    Random random(seed);
    const OpenProgram program(random);
    SCOPED_TRACE(absl::StrCat("seed ", seed, "\n", program.text(false)));
    OpenUse(program, seed).check(counts);
  }
  printf("of %lld uses %lld have formulas of elements, %lld of reads\n",
         static_cast<long long>(counts.asked),
         static_cast<long long>(counts.distinct),
         static_cast<long long>(counts.reads));
  EXPECT_GT(counts.distinct, counts.asked / 2);
  EXPECT_GT(counts.reads, counts.asked / 2);
}

/// Checks that all sizes in formulas are sizes of tensors of the module.
/// Returns the number of formulas.
size_t checkSizesOf(const Module &module) {
  ProgramIndexing maps(module);
  const Computation &entry = module.computations[module.entry];
  size_t found = 0;
  for (InstructionId i(0); i < static_cast<int32_t>(entry.instructions.size());
       ++i)
    for (LeafId leaf;
         leaf < static_cast<int64_t>(entry.operandLeaves(i).size()); ++leaf) {
      const auto formulas = useFormulasOf(maps, module.entry, i, leaf);
      if (!formulas.ok()) continue;
      found += formulas->size.has_value() + formulas->distinct.has_value();
      for (const RuntimeVariable &size : formulas->sizes.runtime()) {
        EXPECT_EQ(size.source.kind, RuntimeSource::Kind::Size);
        const Value &of = maps.value(size.source.tensor);
        EXPECT_LT(size.source.dimension,
                  shapesOf(entry.instructions[of.instruction].op)
                      .results[of.result]
                      .rank());
      }
    }
  return found;
}

// A size that depends on a value of the run is a variable of its own.
TEST(OpenUse, FormulasNameSizesAlone) {
  const auto program = importMlir(R"(
func.func @main(%x: tensor<?x4xf32>, %begin: tensor<2xi32>,
                %end: tensor<2xi32>) -> tensor<?x2xf32> {
  %one = stablehlo.constant dense<1> : tensor<2xi32>
  %s = stablehlo.real_dynamic_slice %x, %begin, %end, %one
     : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> tensor<?x2xf32>
  return %s : tensor<?x2xf32>
})");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_GT(checkSizesOf(program->modules[0]), 0u);
}

// The end of the slice is a value of the run, and its step is 2. (A step of 0
// was cut here once, which divided by it.)
TEST(OpenUse, FormulasOfASliceInSteps) {
  const auto program = importMlir(R"(
func.func @main(%n: tensor<1xi32>, %x: tensor<?x4xf32>) -> tensor<?x4xf32> {
  %begin = stablehlo.constant dense<0> : tensor<2xi32>
  %four = stablehlo.constant dense<4> : tensor<1xi32>
  %end = stablehlo.concatenate %n, %four, dim = 0
     : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %steps = stablehlo.constant dense<[2, 1]> : tensor<2xi32>
  %s = stablehlo.real_dynamic_slice %x, %begin, %end, %steps
     : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>)
    -> tensor<?x4xf32>
  return %s : tensor<?x4xf32>
})");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_GT(checkSizesOf(program->modules[0]), 0u);
}

TEST(OpenUse, FormulasOfTheCorpusNameSizesAlone) {
  if (corpusPath().empty()) GTEST_SKIP() << kNoCorpus;
  size_t found = 0;
  for (const CorpusFile &file :
       corpusFiles("stablehlo/testdata_dynamic", ".mlir")) {
    const auto program = importMlir(textOf(file));
    if (!program.ok()) continue;
    SCOPED_TRACE(file.name);
    for (const Module &module : program->modules) found += checkSizesOf(module);
  }
  printf("%zu formulas\n", found);
  EXPECT_GT(found, 1000u);
}

}  // namespace
}  // namespace indexical::testing
