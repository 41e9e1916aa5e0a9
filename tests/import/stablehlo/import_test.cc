// Names, places, tokens and forms of modules that are read.
#include "indexical/import/stablehlo/import/import.h"

#include <fstream>
#include <sstream>
#include <string>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/families.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/custom_calls.h"
#include "tests/import/stablehlo/imported.h"

namespace indexical::testing {
namespace {

TEST(ImportTest, NamesAndPlaces) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2x3xf32>, %arg1: tensor<i32>) -> tensor<3x2xf32> {
  %0 = stablehlo.abs %x : tensor<2x3xf32>
    %t = "stablehlo.transpose"(%0) {permutation = array<i64: 1, 0>} : (tensor<2x3xf32>) -> tensor<3x2xf32> loc("elsewhere.py":7:1)
  return %t : tensor<3x2xf32>
}
)");
  const Computation &main = computationOf(program, "main");
  EXPECT_EQ(shown(main),
            "x=parameter() 2:17\n"
            "arg1=parameter() 2:38\n"
            "0=stablehlo.abs(x) 3:8\n"
            "t=stablehlo.transpose(0) 4:10\n");
  EXPECT_EQ(stackOf(program, main.instructions[3]), "elsewhere.py:7");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1) -> (d1, d0), domain: d0 in [0, 2], d1 in [0, 1]");
  EXPECT_EQ(reads(program, "main", 0, 1), "exact");
}

/// MLIR packs booleans, eight in a byte; a literal has a byte for each, or one
/// for all.
TEST(ImportTest, LiteralsOfBooleans) {
  for (const size_t count : {1, 2, 3, 9})
    for (unsigned mask = 0; mask < (1u << count); ++mask) {
      std::string list, bits;
      for (size_t k = 0; k < count; ++k) {
        const bool holds = ((mask >> k) & 1) != 0;
        list += (k == 0 ? "" : ", ") + std::string(holds ? "true" : "false");
        bits += holds ? '\1' : '\0';
      }
      if (mask == 0 || mask + 1 == (1u << count)) bits.resize(1);
      const Program program = imported(
          "func.func @main() -> tensor<" + std::to_string(count) +
          "xi1> {\n  %0 = stablehlo.constant dense<[" + list + "]> : tensor<" +
          std::to_string(count) + "xi1>\n  return %0 : tensor<" +
          std::to_string(count) + "xi1>\n}\n");
      const auto &literal =
          computationOf(program, "main").instructions[0].op.get<ConstantOp>();
      EXPECT_TRUE(literal.isKnown);
      EXPECT_EQ(literal.bits, bits) << list;
    }
}

/// op_name, then the frames from the innermost.
std::string locationOf(const std::string &location) {
  const Program program = imported(
      "#dense = loc(\"dense\"(\"layer.py\":80:3 to :9))\n"
      "#step = loc(\"step\"(\"model.py\":12:1))\n"
      "#main = loc(\"main\"(\"run.py\":3:1))\n"
      "#outer = loc(callsite(#step at #main))\n"
      "#stack = loc(callsite(#dense at #outer))\n"
      "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
      "  %0 = stablehlo.abs %x : tensor<2xf32> loc(" +
      location + ")\n  return %0 : tensor<2xf32>\n}\n");
  const Instruction &op = computationOf(program, "main").instructions[1];
  return "[" + op.metadata.opName.str() + "] " + stackOf(program, op);
}

TEST(ImportTest, LocationsAreStacks) {
  constexpr char kStack[] =
      "layer.py:80 in dense; model.py:12 in step; run.py:3 in main";
  struct Row {
    const char *what, *location;
    std::string expected;
  };
  const Row rows[] = {
      {"a place", R"("model.py":12:4)", "[] model.py:12"},
      {"a range of a file", R"("model.py":12:4 to 14:2)", "[] model.py:12"},
      {"a name around a place", R"("jit(f)/abs"("model.py":12:4))",
       "[jit(f)/abs] model.py:12"},
      {"a name alone", R"("abs.3")", "[abs.3] "},
      {"as JAX writes it", R"("jit(f)/abs"(#stack))",
       std::string("[jit(f)/abs] ") + kStack},
      {"one frame", R"("jit(f)/abs"(#dense))",
       "[jit(f)/abs] layer.py:80 in dense"},
      {"a type around the name", R"("jit:"("jit(f)/jit"(#stack)))",
       std::string("[jit(f)/jit] ") + kStack},
      {"call sites without an op's name", "#stack",
       std::string("[] ") + kStack},
      {"call sites to the left",
       R"(callsite(callsite(#dense at #step) at #main))",
       std::string("[] ") + kStack},
      {"fused: the first that has a place",
       R"(fused["jit(f)/abs", unknown, #stack, "other.py":1:1])",
       std::string("[jit(f)/abs] ") + kStack},
      {"fused within a call",
       R"(callsite(fused[unknown, #dense, #step] at #main))",
       "[] layer.py:80 in dense; run.py:3 in main"},
      {"this file is no source", R"(callsite("test.mlir":1:1 at #main))",
       "[] run.py:3 in main"},
      {"nothing", "unknown", "[] "},
  };
  for (const Row &row : rows)
    EXPECT_EQ(locationOf(row.location), row.expected) << row.what;
}

// 2^40 ways through 40 locations.
TEST(ImportTest, LocationsWithManyWaysEnd) {
  std::string text = "#l0 = loc(\"f\"(\"a.py\":1:1))\n#m0 = loc(unknown)\n";
  for (int i = 1; i <= 40; ++i) {
    const std::string call = "#l" + std::to_string(i - 1);
    const std::string fused = "#m" + std::to_string(i - 1);
    text += "#l" + std::to_string(i) + " = loc(callsite(" + call + " at " +
            call + "))\n#m" + std::to_string(i) + " = loc(fused[" + fused +
            ", " + fused + "])\n";
  }
  const Program program =
      imported(text +
               "func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n"
               "  %0 = stablehlo.abs %x : tensor<2xf32> loc(#l40)\n"
               "  %1 = stablehlo.abs %0 : tensor<2xf32> loc(#m40)\n"
               "  return %1 : tensor<2xf32>\n}\n");
  const Computation &main = computationOf(program, "main");
  const StackFrames &frames = program.modules[0].frames;
  EXPECT_EQ(frames.stackFrom(main.instructions[1].metadata.frame).size(),
            StackFrames::kMostShown);
  EXPECT_EQ(main.instructions[2].metadata.frame, -1);
}

TEST(ImportTest, SeveralResultsAndOpsWithoutAny) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  %a, %b:2 = "test.three"(%x) : (tensor<2xf32>) -> (tensor<2xf32>, tensor<3xf32>, tensor<4xf32>)
  "test.none"(%b#0, %a) : (tensor<3xf32>, tensor<2xf32>) -> ()
  "test.none"(%b#1) : (tensor<4xf32>) -> ()
  return %a : tensor<2xf32>
}
)");
  const Computation &main = computationOf(program, "main");
  EXPECT_EQ(shown(main),
            "x=parameter() 2:17\n"
            "a=test.three(x) 3:14\n"
            "none.0=test.none(a#1, a#0) 4:3\n"
            "none.1=test.none(a#2) 5:3\n");
  const auto leaves = main.operandLeaves(InstructionId(2));
  ASSERT_EQ(leaves.size(), 2u);
  EXPECT_EQ(leaves[0].result, 1);
  EXPECT_EQ(leaves[1].result, 0);
  // One warning an op; one that has no results needs none.
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_NE(program.notes[0].text.find("test.three"), std::string::npos);
}

TEST(ImportTest, NumbersWhereThereIsNoText) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {
  "test.unnamed"(%x) : (tensor<2xf32>) -> tensor<2xf32>
  return %x : tensor<2xf32>
}
)");
  EXPECT_EQ(computationOf(program, "main").instructions[1].name, "0");
}

TEST(ImportTest, Entries) {
  EXPECT_EQ(names(imported(R"(
func.func @f() { return }
func.func @main() { return }
)")
                      .modules[0]),
            "f main*");
  EXPECT_EQ(names(imported(R"(
func.func @f() { return }
func.func private @g() { return }
func.func public @h() { return }
)")
                      .modules[0]),
            "f* g h*");
}

TEST(ImportTest, TuplesAndTokens) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4xf32>, %t: !stablehlo.token) -> tensor<4xf32> {
  %a = stablehlo.tuple %x, %t, %x : tuple<tensor<4xf32>, !stablehlo.token, tensor<4xf32>>
  %b = stablehlo.get_tuple_element %a[2] : (tuple<tensor<4xf32>, !stablehlo.token, tensor<4xf32>>) -> tensor<4xf32>
  %c:2 = stablehlo.optimization_barrier %b, %x : tensor<4xf32>, tensor<4xf32>
  %d = stablehlo.reverse %c#0, dims = [0] : tensor<4xf32>
  return %d : tensor<4xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0) -> (-d0 + 3), domain: d0 in [0, 3]");
}

TEST(ImportTest, SeveralModules) {
  const Program program = imported(R"(
module @a attributes {mhlo.num_partitions = 4 : i32, mhlo.num_replicas = 2 : i32} {
  func.func @f() { return }
}
// -----
// A comment alone.
// -----
func.func @g(%x: tensor<2xf32>) { return }
)");
  ASSERT_EQ(program.modules.size(), 2u);
  EXPECT_EQ(program.modules[0].name, "a");
  EXPECT_EQ(program.modules[0].partitionCount, 4);
  EXPECT_EQ(program.modules[0].replicaCount, 2);
  EXPECT_EQ(program.modules[1].computations[0].instructions[0].place,
            (Place{8, 14}));
}

TEST(ImportTest, FormsThatAreOtherOps) {
  const Program program = imported(R"(
func.func @main(%x: tensor<3x8x5xf32>, %i: tensor<3x2xi32>, %a: tensor<f32>, %n: tensor<2xi64>) -> (tensor<3x2x5xf32>, tensor<4x4xf32>) {
  %s = "stablehlo.torch_index_select"(%x, %i) {dim = 1 : i64, batch_dims = 1 : i64} : (tensor<3x8x5xf32>, tensor<3x2xi32>) -> tensor<3x2x5xf32>
  %r = stablehlo.rng %a, %a, %n, distribution = UNIFORM : (tensor<f32>, tensor<f32>, tensor<2xi64>) -> tensor<4x4xf32>
  return %s, %r : tensor<3x2x5xf32>, tensor<4x4xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1, d2){rt0} -> (d0, rt0, d2), domain: d0 in [0, 2], "
            "d1 in [0, 1], d2 in [0, 4], rt0 in [0, 7]");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "exact; (d0, d1, d2) -> (d0, d1), domain: d0 in [0, 2], d1 in [0, "
            "1], d2 in [0, 4]");
  EXPECT_EQ(reads(program, "main", 1, 3),
            "exact; (d0, d1)[s0] -> (s0), domain: d0 in [0, 3], d1 in [0, 3], "
            "s0 in [0, 1]");
}

// The static op, with operands in the place of attributes: its family answers,
// and every result reads all that says sizes.
TEST(ImportTest, DynamicOpsAreTheirFamilies) {
  const Program program = imported(R"(
func.func @main(%x: tensor<?x4xf32>, %z: tensor<f32>, %n: tensor<2xi32>, %i: tensor<3x1xi32>, %k: tensor<1xi32>) {
  %pad = stablehlo.dynamic_pad %x, %z, %n, %n, %n : (tensor<?x4xf32>, tensor<f32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %two = stablehlo.constant dense<[1, 2]> : tensor<2xi32>
  %strided = stablehlo.real_dynamic_slice %x, %n, %n, %n : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %slice = stablehlo.real_dynamic_slice %x, %n, %n, %two : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %one = stablehlo.constant dense<1> : tensor<i64>
  %converted = stablehlo.convert %one : (tensor<i64>) -> tensor<i32>
  %part = stablehlo.reshape %converted : (tensor<i32>) -> tensor<1xi32>
  %ones = stablehlo.concatenate %part, %part, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %followed = stablehlo.real_dynamic_slice %x, %n, %n, %ones : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %half = stablehlo.concatenate %part, %k, dim = 0 : (tensor<1xi32>, tensor<1xi32>) -> tensor<2xi32>
  %lost = stablehlo.real_dynamic_slice %x, %n, %n, %half : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %large = stablehlo.constant dense<4294967297> : tensor<2xi64>
  %cut = stablehlo.convert %large : (tensor<2xi64>) -> tensor<2xi32>
  %wrapped = stablehlo.real_dynamic_slice %x, %n, %n, %cut : (tensor<?x4xf32>, tensor<2xi32>, tensor<2xi32>, tensor<2xi32>) -> tensor<?x?xf32>
  %iota = stablehlo.dynamic_iota %n, dim = 1 : (tensor<2xi32>) -> tensor<?x?xi32>
  %broadcast = stablehlo.dynamic_broadcast_in_dim %x, %n, dims = [0, 1] : (tensor<?x4xf32>, tensor<2xi32>) -> tensor<?x4xf32>
  %gather = "stablehlo.dynamic_gather"(%x, %i, %n) {dimension_numbers = #stablehlo.gather<offset_dims = [1], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>} : (tensor<?x4xf32>, tensor<3x1xi32>, tensor<2xi32>) -> tensor<3x?xf32>
  %size = stablehlo.get_dimension_size %x, dim = 0 : (tensor<?x4xf32>) -> tensor<i32>
  return
}
)");
  ASSERT_EQ(program.modules.size(), 1u);
  const Module &module = program.modules[0];
  const Computation &main = module.computations[0];
  auto opOf = [&](const char *name) -> const Op & {
    return main.instructions[main.find(name)].op;
  };
  EXPECT_TRUE(opOf("pad").is<PadOp>());
  for (const char *slice : {"strided", "slice", "followed", "lost", "wrapped"})
    EXPECT_TRUE(opOf(slice).is<SliceOp>()) << slice;
  EXPECT_TRUE(opOf("iota").is<IotaOp>());
  EXPECT_TRUE(opOf("broadcast").is<BroadcastOp>());
  EXPECT_EQ(opOf("broadcast").get<BroadcastOp>().maybeExpanding, Int64s({0}));
  EXPECT_TRUE(opOf("gather").is<GatherOp>());
  EXPECT_EQ(opOf("size").get<NullaryOp>().sizeOf, 0);
  ProgramIndexing maps(module);
  for (size_t i = 0; i < main.instructions.size(); ++i) {
    const int64_t operands = main.operandLeaves(InstructionId(i)).size();
    for (int64_t k = 0; k < operands && !main.instructions[i].terminator; ++k) {
      auto down = maps.instruction({ComputationId(0), InstructionId(i)},
                                   LeafId(k), Direction::OutputToInput);
      auto up = maps.instruction({ComputationId(0), InstructionId(i)},
                                 LeafId(k), Direction::InputToOutput);
      ASSERT_TRUE(down.ok()) << down.status();
      ASSERT_TRUE(up.ok()) << up.status();
      EXPECT_EQ(down->precision(), up->precision());
    }
  }
}

TEST(ImportTest, Einsums) {
  const Program program = imported(R"(
func.func @main(%x: tensor<2x3x4xf32>, %y: tensor<4x2x5xf32>, %z: tensor<3x3xf32>) -> (tensor<5x2x3xf32>, tensor<3xf32>) {
  %a = stablehlo.einsum %x, %y, config = "bik,kbj->jbi" : (tensor<2x3x4xf32>, tensor<4x2x5xf32>) -> tensor<5x2x3xf32>
  %b = stablehlo.unary_einsum %z, config = "ii->i" : (tensor<3x3xf32>) -> tensor<3xf32>
  return %a, %b : tensor<5x2x3xf32>, tensor<3xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1, d2)[s0] -> (d1, d2, s0), domain: d0 in [0, 4], d1 "
            "in [0, 1], d2 in [0, 2], s0 in [0, 3]");
  EXPECT_EQ(reads(program, "main", 0, 1),
            "exact; (d0, d1, d2)[s0] -> (s0, d1, d0), domain: d0 in [0, 4], d1 "
            "in [0, 1], d2 in [0, 2], s0 in [0, 3]");
  EXPECT_EQ(reads(program, "main", 1, 2),
            "exact; (d0) -> (d0, d0), domain: d0 in [0, 2]");
  EXPECT_EQ(reads(program, "main", 1, 2, Direction::InputToOutput),
            "exact; (d0, d1) -> (d0), domain: d0 in [0, 2], d1 in [0, 2], d0 - "
            "d1 in [0, 0]");
}

TEST(ImportTest, AnAllToAllThatJoinsElsewhere) {
  const Program program = imported(R"(
func.func @main(%x: tensor<4x16xf32>) -> tensor<16x4xf32> {
  %r = "stablehlo.all_to_all"(%x) {split_dimension = 1 : i64, concat_dimension = 0 : i64, split_count = 4 : i64,
    replica_groups = dense<[[0, 1, 2, 3]]> : tensor<1x4xi64>} : (tensor<4x16xf32>) -> tensor<16x4xf32>
  return %r : tensor<16x4xf32>
}
)");
  EXPECT_EQ(reads(program, "main", 0, 0),
            "exact; (d0, d1){rt0} -> (d0 mod 4, d1 + rt0 * 4), domain: d0 in "
            "[0, 15], d1 in [0, 3], rt0 in [0, 3]");
}

TEST(ImportTest, GroupsOfDevices) {
  auto members = [&](const std::string &attributes, const std::string &groups) {
    const Program program = imported("module attributes {" + attributes +
                                     R"(} {
  func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
    %r = "stablehlo.all_reduce"(%x) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      stablehlo.return %a : tensor<f32>
    }) {)" + groups + R"(} : (tensor<4xf32>) -> tensor<4xf32>
    return %r : tensor<4xf32>
  }
})");
    return reads(program, "main", 0, 0);
  };
  const std::string counts =
      "mhlo.num_replicas = 2 : i32, mhlo.num_partitions = 3 : i32";
  auto ofAny = [](int64_t most) {
    return "exact; (d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, " +
           std::to_string(most - 1) + "]";
  };
  const std::string channel =
      ", channel_handle = #stablehlo.channel_handle<handle = 1, type = 0>";
  EXPECT_EQ(
      members("", "replica_groups = dense<[[0, 1, 2]]> : tensor<1x3xi64>"),
      ofAny(3));
  // If no members are listed, all replicas are. A channel adds the partitions.
  EXPECT_EQ(members(counts, "replica_groups = dense<> : tensor<0x0xi64>"),
            ofAny(2));
  EXPECT_EQ(
      members(counts, "replica_groups = dense<> : tensor<0x0xi64>" + channel),
      ofAny(6));
  EXPECT_EQ(members(counts,
                    "replica_groups = dense<[[0, 1]]> : "
                    "tensor<1x2xi64>" +
                        channel),
            ofAny(6));
  EXPECT_EQ(members(counts,
                    "use_global_device_ids, replica_groups = "
                    "dense<[[0, 1]]> : tensor<1x2xi64>" +
                        channel),
            ofAny(2));
}

TEST(ImportTest, CustomCallsThatAreRegistered) {
  CustomCallRegistry registry;
  std::string seen;
  registry.add("flatten", [&](const CustomCall &call) {
    seen = call.backendConfig + "/" + call.attribute("api_version").str();
    return Op(ReshapeOp());
  });
  MlirOptions options;
  options.customCalls = &registry;
  auto program = importMlir(R"(
func.func @main(%x: tensor<2x3xf32>) -> tensor<6xf32> {
  %r = stablehlo.custom_call @flatten(%x) {backend_config = "fast"} : (tensor<2x3xf32>) -> tensor<6xf32>
  return %r : tensor<6xf32>
}
)",
                            "", options);
  ASSERT_TRUE(program.ok()) << program.status();
  EXPECT_EQ(seen, "fast/");
  EXPECT_EQ(reads(*program, "main", 0, 0),
            "exact; (d0) -> (d0 floordiv 3, d0 mod 3), domain: d0 in [0, 5]");
}

// examples/attention.mlir
TEST(ImportTest, Attention) {
  std::ifstream file("examples/attention.mlir");
  std::stringstream text;
  text << file.rdbuf();
  const Program program = imported(text.str());
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_TRUE(program.notes.empty());
  const Module &module = program.modules[0];
  EXPECT_EQ(names(module),
            "main* main.reduce.0.body main.reduce.1.body main.while.0.cond "
            "main.while.0.body refine");
  const Computation &main = module.computations[0];
  ProgramIndexing maps(module);
  // A head reads the keys of its own head, but for the row that is new.
  auto keys = maps.between({ComputationId(0), main.find("scores")},
                           {ComputationId(0), main.find("keys")},
                           Direction::OutputToInput);
  ASSERT_TRUE(keys.ok()) << keys.status();
  EXPECT_EQ(keys->precision(), Precision::Exact);
  EXPECT_EQ(keys->pieces().size(), 2u);
  EXPECT_EQ(main.instructions[main.find("scores")].metadata.opName,
            "jit(decode)/dot_general");
}

}  // namespace
}  // namespace indexical::testing
