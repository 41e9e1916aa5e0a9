// The maps of a computation are shared with the computations that do the same,
// and with no others.
#include "indexical/program/maps/alike_computations.h"

#include <iostream>
#include <string>
#include <utility>

#include "gtest/gtest.h"

#include "tests/support/corpus.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

/// All maps of computation c: each leaf of its root and each of its parameters,
/// both ways.
std::string allMapsOf(ProgramIndexing &maps, int32_t c) {
  const Computation &computation = maps.module().computations[c];
  const int64_t results =
      computation.instructions[computation.root].shape.leafCount();
  std::string text;
  for (Direction direction : {kReads, kUsers})
    for (int64_t r = 0; r < results; ++r)
      for (size_t p = 0; p < computation.parameters.size(); ++p) {
        const int32_t parameter = computation.parameters[p];
        if (parameter < 0) continue;
        const int64_t leaves =
            computation.instructions[parameter].shape.leafCount();
        for (int64_t l = 0; l < leaves; ++l) {
          auto relation =
              maps.computation(ComputationId(c), LeafId(r),
                               ParameterLeaf{p, LeafId(l)}, direction);
          text += relation.ok() ? textOf(maps, *relation)
                                : std::string(relation.status().message());
          text += '\n';
        }
      }
  return text;
}

/// Asks the computations that are alike others, each also alone; how many are
/// alike one before them.
size_t expectAsAlone(const Module &module, const std::string &name) {
  ProgramIndexing together(module);
  AlikeComputations met;
  size_t alike = 0;
  for (size_t c = 0; c < module.computations.size(); ++c) {
    auto parts = AlikeComputations::partsOf(module.computations[c]);
    const int32_t first = met.find(parts);
    met.note(std::move(parts), ComputationId(c));
    if (first < 0) continue;
    ++alike;
    allMapsOf(together, first);
    ProgramIndexing alone(module);
    EXPECT_EQ(allMapsOf(together, c), allMapsOf(alone, c))
        << name << ", " << module.computations[c].name.str();
  }
  return alike;
}

int32_t alikeWhom(const Module &module, llvm::StringRef name) {
  AlikeComputations met;
  for (size_t c = 0; c < module.computations.size(); ++c) {
    auto parts = AlikeComputations::partsOf(module.computations[c]);
    if (module.computations[c].name == name) return met.find(parts);
    met.note(std::move(parts), ComputationId(c));
  }
  return -2;
}

TEST(AlikeComputationsTest, OpsOperandsParametersAndRootCount) {
  const Program program = parsed(R"(HloModule m
first {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  t = f32[4,4] transpose(b), dimensions={1,0}
  ROOT r = f32[4,4] subtract(a, t)
}
same {
  x = f32[4,4] parameter(0)
  y = f32[4,4] parameter(1)
  z = f32[4,4] transpose(y), dimensions={1,0}, metadata={op_name="z"}
  ROOT w = f32[4,4] subtract(x, z)
}
operands {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  t = f32[4,4] transpose(a), dimensions={1,0}
  ROOT r = f32[4,4] subtract(a, t)
}
parameters {
  a = f32[4,4] parameter(1)
  b = f32[4,4] parameter(0)
  t = f32[4,4] transpose(b), dimensions={1,0}
  ROOT r = f32[4,4] subtract(a, t)
}
root {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  ROOT t = f32[4,4] transpose(b), dimensions={1,0}
  r = f32[4,4] subtract(a, t)
}
ops {
  a = f32[4,4] parameter(0)
  b = f32[4,4] parameter(1)
  t = f32[4,4] reverse(b), dimensions={1}
  ROOT r = f32[4,4] subtract(a, t)
}
ENTRY e {
  ROOT p = f32[4,4] parameter(0)
})");
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  EXPECT_EQ(alikeWhom(module, "same"), 0);
  for (const char *name : {"operands", "parameters", "root", "ops"})
    EXPECT_EQ(alikeWhom(module, name), -1) << name;
  EXPECT_EQ(expectAsAlone(module, "text"), 1u);
}

// The ops are equal, but each reads at its own index.
TEST(AlikeComputationsTest, ValuesAreOfTheirOwnComputation) {
  const std::string body = R"( {
  a = f32[8,8] parameter(0)
  i = s32[] parameter(1)
  one = s32[] constant(1)
  j = s32[] add(i, one)
  ROOT r = f32[2,8] dynamic-slice(a, j, one), dynamic_slice_sizes={2,8}
}
)";
  const Program program =
      parsed("HloModule m\nf" + body + "g" + body + "ENTRY e" + body);
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  EXPECT_EQ(expectAsAlone(module, "text"), 2u);
  // The same holds if the way to the slice was asked for before.
  ProgramIndexing maps(module);
  const Computation &f = module.computations[0];
  ASSERT_TRUE(maps.between({ComputationId(0), f.root},
                           {ComputationId(0), f.find("a")}, kReads)
                  .ok());
  for (int32_t c : {0, 1, 2}) {
    ProgramIndexing alone(module);
    EXPECT_EQ(allMapsOf(maps, c), allMapsOf(alone, c));
  }
}

TEST(AlikeComputationsTest, RealModules) {
  size_t alike = 0;
  auto ask = [&](const Program &program, const std::string &name) {
    if (program.text->size() > 3'000'000) return;
    for (const Module &module : program.modules)
      alike += expectAsAlone(module, name);
  };
  forEachHloFile(ask);
  std::cout << alike << " computations are alike one before them\n";
  EXPECT_GT(alike, ofCorpus(1000u, 10u));
}

}  // namespace
}  // namespace indexical::testing
