// Shardings as they stand in programs: HLO's attribute, frontend attributes
// with escaped quotes and the meshes of the header; mhlo.sharding and Shardy's
// of MLIR, on arguments, results and ops.
#include "indexical/program/sharding/program_shardings.h"

#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"

namespace indexical {
namespace {

/// `x 0: [0:2] [2:4]`, the boxes of all devices, for each leaf.
std::vector<std::string> boxesOf(const Program &program, size_t number = 0) {
  std::vector<std::string> lines;
  const Module &module = program.modules[number];
  const ShardingContext context = shardingContextOf(module);
  auto leaves = shardedLeaves(program, module, context);
  EXPECT_TRUE(leaves.ok()) << leaves.status();
  if (!leaves.ok()) return lines;
  for (const ShardedLeaf &leaf : *leaves) {
    const Instruction &of =
        module.computations[leaf.computation].instructions[leaf.instruction];
    std::string line = of.name.str() + " " + std::to_string(leaf.result) + ":";
    auto relation = ShardedRelation::make(
        of.shape.leaves()[leaf.result].dimensions, leaf.sharding);
    EXPECT_TRUE(relation.ok());
    for (int64_t d = 0; d < leaf.sharding.devices(); ++d) {
      auto box = relation->box(d);
      line += !box ? " -"
                   : " [" + std::to_string(box->front().first) + ":" +
                         std::to_string(box->front().second) + "]";
    }
    lines.push_back(line);
  }
  return lines;
}

using Lines = std::vector<std::string>;

TEST(ProgramShardingsTest, OfHlo) {
  auto program = parseHlo(
      R"(HloModule m, frontend_attributes={xla.sdy.meshes={mesh = #sdy.mesh<["x"=2]>}}
ENTRY e {
  a = f32[4] parameter(0), sharding={devices=[2]1,0}
  b = f32[4] parameter(1), frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}]>"}
  c = f32[4] add(a, b)
  ROOT t = (f32[4], f32[4]) tuple(c, b), sharding={{maximal device=1}, /*index=1*/{replicated}}
})");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(boxesOf(*program), (Lines{"a 0: [2:4] [0:2]", "b 0: [0:2] [2:4]",
                                      "t 0: - [0:4]", "t 1: [0:4] [0:4]"}));
}

// Each module has the meshes of its own header, on any number of threads.
TEST(ProgramShardingsTest, OfSeveralModulesWithMeshesOfOneName) {
  std::string text = "// A comment.\n";
  for (const char *size : {"2", "4"})
    text += std::string("HloModule m") + size +
            ", frontend_attributes={xla.sdy.meshes={mesh = "
            "#sdy.mesh<[\"x\"=" +
            size +
            R"(]>}}

ENTRY e {
  a = f32[4] parameter(0), frontend_attributes={xla.sdy.sharding="#sdy.sharding<@mesh, [{\"x\"}]>"}
  ROOT b = f32[4] negate(a)
}

)";
  text += "// -----\nENTRY e { ROOT a = f32[4] parameter(0) }\n";
  HloOptions options;
  options.leastPiece = 1;
  for (size_t jobs : {1, 2}) {
    options.jobs = jobs;
    auto program = parseHlo(text, "", options);
    ASSERT_TRUE(program.ok()) << program.status();
    ASSERT_EQ(program->modules.size(), 3u);
    EXPECT_EQ(boxesOf(*program, 0), (Lines{"a 0: [0:2] [2:4]"}));
    EXPECT_EQ(boxesOf(*program, 1), (Lines{"a 0: [0:1] [1:2] [2:3] [3:4]"}));
    EXPECT_TRUE(shardingContextOf(program->modules[2]).meshes.empty());
    EXPECT_TRUE(program->modules[0].text.starts_with("// A comment."));
    EXPECT_TRUE(program->modules[1].text.starts_with("HloModule m4"));
  }
}

TEST(ProgramShardingsTest, OfMlir) {
  auto program = importMlir(R"(module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {mhlo.sharding = "{devices=[2]1,0}"},
                  %b: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>})
      -> (tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{}]>}) {
    %c = stablehlo.add %a, %b {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{"x", ?}]>]>} : tensor<4xf32>
    return %c : tensor<4xf32>
  }
})");
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(boxesOf(*program),
            (Lines{"a 0: [2:4] [0:2]", "b 0: [0:2] [2:4]", "c 0: [0:2] [2:4]",
                   "return.0 0: [0:4] [0:4]"}));
}

TEST(ProgramShardingsTest, ATokenTakesItsSharding) {
  auto hlo = parseHlo(R"(HloModule m, num_partitions=2
ENTRY e {
  a = f32[4] parameter(0), sharding={devices=[2]<=[2]}
  k = token[] parameter(1), sharding={maximal device=0}
  s = (f32[4], (token[], f32[4]), token[]) custom-call(a, k), custom_call_target="x", sharding={{devices=[2]<=[2]}, {maximal device=0}, {devices=[2]1,0}, {maximal device=1}}
  ROOT r = (token[], f32[4]) custom-call(a, k), custom_call_target="x", sharding={replicated}
})");
  ASSERT_TRUE(hlo.ok()) << hlo.status();
  EXPECT_EQ(boxesOf(*hlo), (Lines{"a 0: [0:2] [2:4]", "s 0: [0:2] [2:4]",
                                  "s 1: [2:4] [0:2]", "r 0: [0:4] [0:4]"}));
  auto mlir = importMlir(R"(module {
  sdy.mesh @mesh = <["x"=2]>
  func.func @main(%a: tensor<4xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x"}]>}) -> tensor<4xf32> {
    %c:3 = stablehlo.custom_call @x(%a) {sdy.sharding = #sdy.sharding_per_value<[<@mesh, [{}]>, <@mesh, []>, <@mesh, [{"x"}]>]>} : (tensor<4xf32>) -> (tensor<4xf32>, !stablehlo.token, tensor<4xf32>)
    return %c#2 : tensor<4xf32>
  }
})");
  ASSERT_TRUE(mlir.ok()) << mlir.status();
  EXPECT_EQ(boxesOf(*mlir), (Lines{"a 0: [0:2] [2:4]", "c 0: [0:4] [0:4]",
                                   "c 1: [0:2] [2:4]"}));
}

TEST(ProgramShardingsTest, AListLacksTheShardingOfAToken) {
  auto program = parseHlo(R"(ENTRY e {
  a = f32[4] parameter(0)
  ROOT t = (f32[4], token[], f32[4]) custom-call(a), custom_call_target="x", sharding={{replicated}, {devices=[2]<=[2]}}
})");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  auto leaves = shardedLeaves(*program, module, shardingContextOf(module));
  ASSERT_FALSE(leaves.ok());
  EXPECT_EQ(leaves.status().message(),
            "there are 2 shardings for 2 arrays and 1 token");
}

TEST(ProgramShardingsTest, AMistakeHasItsPlaceInTheFile) {
  auto program = parseHlo(
      "ENTRY e {\n  ROOT a = f32[4] parameter(0), "
      "sharding={devices=[2]0,0}\n}");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  auto leaves = shardedLeaves(*program, module, shardingContextOf(module));
  ASSERT_FALSE(leaves.ok());
  ASSERT_TRUE(placeOf(leaves.status()));
  EXPECT_EQ(placeOf(leaves.status())->line, 2u);
  EXPECT_EQ(placeOf(leaves.status())->column, 51u);
}

}  // namespace
}  // namespace indexical
