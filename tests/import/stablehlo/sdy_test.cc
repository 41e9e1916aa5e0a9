// Shardy's dialect in text: it is printed as it was read, its attributes are
// values, and an attribute that it does not have is refused with its place.
#include "indexical/import/stablehlo/dialect/sdy.h"

#include <algorithm>
#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {
namespace {

std::string print(mlir::Operation *op) {
  std::string text;
  llvm::raw_string_ostream(text) << *op;
  return text;
}

MlirFile read(const std::string &text) {
  absl::StatusOr<MlirFile> file = parseMlir(text);
  EXPECT_TRUE(file.ok()) << file.status() << "\n" << text;
  return file.ok() ? *std::move(file) : MlirFile();
}

// Each is an op on `%arg0: tensor<8x8xf32>`, as Shardy prints it.
const char *const kOps[] = {
    R"(sdy.reshard %arg0 <@mesh, [{"x"}, {"y":(1)2, ?}p1]> : tensor<8x8xf32>)",
    R"(sdy.reshard %arg0 <mesh<["x"=2], device_ids=[1, 0]>, [{?}, {}]> : tensor<8x8xf32>)",
    R"(sdy.sharding_constraint %arg0 <@mesh, [{}, {}], replicated={"x", "y":(2)2}, unreduced=max{"z"}> : tensor<8x8xf32>)",
    R"(sdy.data_flow_edge %arg0 <@mesh, [{}, {"x"}]> : tensor<8x8xf32>)",
    R"(sdy.data_flow_edge %arg0 : tensor<8x8xf32>)",
    R"(sdy.func_data_flow_edge %arg0 : tensor<8x8xf32>)",
    R"(sdy.propagation_barrier %arg0 allowed_direction = BACKWARD : tensor<8x8xf32>)",
    R"(sdy.all_gather [{"x"}, {}] %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.all_slice [{}, {"y":(1)2, "z"}] %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.all_to_all [{"x"}: 0->1, {"y":(2)2}: 1->0] %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.collective_permute %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.all_reduce {"x", "y"} %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.all_reduce max {"x"} %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.reduce_scatter [{"x"}, {}] %arg0 out_sharding = <@mesh, [{}, {}]> : tensor<8x8xf32>)",
    R"(sdy.sharded_to_unreduced [{"x"}, {}] %arg0 out_sharding = <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>)",
    R"(sdy.replicated_to_unreduced {"x"} %arg0 out_sharding = <@mesh, [{}, {}], unreduced={"x"}> : tensor<8x8xf32>)",
    R"(sdy.constant dense<0.000000e+00> : tensor<8x8xf32>)",
};

std::string withoutSpaces(std::string text) {
  text.erase(std::remove(text.begin(), text.end(), ' '), text.end());
  return text;
}

TEST(Sdy, WhatIsPrintedIsWhatWasRead) {
  for (const char *op : kOps) {
    const std::string text =
        "func.func @f(%arg0: tensor<8x8xf32>) {\n  %0 = " + std::string(op) +
        "\n  return\n}\n";
    MlirFile file = read(text);
    ASSERT_EQ(file.modules.size(), 1u);
    mlir::Operation *function = &file.modules[0].module->getBody()->front();
    const std::string printed = print(&function->getRegion(0).front().front());
    EXPECT_EQ(withoutSpaces(printed), withoutSpaces("%0 = " + std::string(op)));
    // And once more.
    MlirFile again = read(print(function));
    ASSERT_EQ(again.modules.size(), 1u);
    EXPECT_EQ(print(&again.modules[0].module->getBody()->front()),
              print(function));
  }
}

const char *const kAttributes[] = {
    R"(#sdy.mesh<["x"=2, "y"=4]>)",
    R"(#sdy.mesh<[], device_ids=[5]>)",
    R"(#sdy.mesh_axis<"x"=2>)",
    R"(#sdy.sub_axis_info<(1)2>)",
    R"(#sdy.axis_ref<"x":(1)2>)",
    R"(#sdy.axis_ref_list<{"x"}>)",
    R"(#sdy.dimension_sharding<{"x", ?}p0>)",
    R"(#sdy.sharding<@mesh, []>)",
    R"(#sdy.sharding_per_value<[<@mesh, [{"x"}]>, <@"a b", []>]>)",
    R"(#sdy.manual_axes<{"x", "a\22b"}>)",
    R"(#sdy.op_sharding_rule<([i, jk], [])->([k, {}]) {i=2, j=3, k=4}, custom>)",
    R"(#sdy.op_sharding_rule<([zz_1])->([]) {i=1, j=1, k=1, l=1, m=1, n=1, o=1, p=1, q=1, r=1, s=1, t=1, u=1, v=1, w=1, x=1, y=1, z=2, z_1=3} reduction={z} need_replication={i, z_1} permutation={j} blocked_propagation={k}>)",
    // Kept as its text.
    R"(#sdy.propagation_edges<[{step-1 = [{"a" = operand-0 -> [result-0]}]}]>)",
};

TEST(Sdy, AttributesAreReadAsTheyArePrinted) {
  for (const std::string attribute : kAttributes) {
    MlirFile file = read("\"test.op\"() {a = " + attribute + "} : () -> ()\n");
    ASSERT_EQ(file.modules.size(), 1u);
    EXPECT_EQ(print(&file.modules[0].module->getBody()->front()),
              "\"test.op\"() {a = " + attribute + "} : () -> ()");
  }
}

// A list may name the attribute of each element.
TEST(Sdy, ElementsMayHaveTheirNames) {
  MlirFile file = read(
      "\"test.op\"() {a = #sdy.sharding_per_value<[#sdy.sharding<@mesh, []>, "
      "<@mesh, []>]>} : () -> ()\n");
  ASSERT_EQ(file.modules.size(), 1u);
  EXPECT_EQ(print(&file.modules[0].module->getBody()->front()),
            "\"test.op\"() {a = #sdy.sharding_per_value<[<@mesh, []>, <@mesh, "
            "[]>]>} : () -> ()");
}

TEST(Sdy, AttributesAreValues) {
  MlirFile file = read(
      R"(sdy.mesh @mesh = <["x"=2, "y"=4], device_ids=[7, 6, 5, 4, 3, 2, 1, 0]>
func.func @f(%arg0: tensor<8x8xf32> {sdy.sharding = #sdy.sharding<@mesh, [{"x", "y":(2)2}, {?}p3], unreduced=min{"y":(1)2}>}) {
  %0 = sdy.manual_computation(%arg0) in_shardings=[<@mesh, [{"x"}, {}]>] out_shardings=[<@mesh, [{"x"}, {}]>] manual_axes={"x"} (%arg1: tensor<4x8xf32>) {
    sdy.return %arg1 : tensor<4x8xf32>
  } : (tensor<8x8xf32>) -> tensor<8x8xf32>
  return
})");
  ASSERT_EQ(file.modules.size(), 1u);
  mlir::ModuleOp module = *file.modules[0].module;
  sdy::MeshAttr mesh = (*module.getOps<sdy::MeshOp>().begin()).getMeshAttr();
  ASSERT_EQ(mesh.getAxes().size(), 2u);
  EXPECT_EQ(mesh.getAxes()[1].getName(), "y");
  EXPECT_EQ(mesh.getAxes()[1].getSize(), 4);
  EXPECT_EQ(mesh.getDeviceIds().size(), 8u);
  EXPECT_EQ(mesh.getDeviceIds()[0], 7);
  module.walk([](sdy::ManualComputationOp op) {
    ASSERT_EQ(op.getInShardingsAttr().getShardings().size(), 1u);
    EXPECT_EQ(op.getManualAxesAttr().getAxes()[0].getValue(), "x");
  });
  mlir::Operation *function = &module.getBody()->back();
  auto arguments = function->getAttrOfType<mlir::ArrayAttr>("arg_attrs");
  auto sharding = llvm::cast<mlir::DictionaryAttr>(arguments[0])
                      .getAs<sdy::TensorShardingAttr>("sdy.sharding");
  ASSERT_TRUE(sharding);
  EXPECT_EQ(llvm::cast<mlir::FlatSymbolRefAttr>(sharding.getMesh()).getValue(),
            "mesh");
  ASSERT_EQ(sharding.getDimensions().size(), 2u);
  sdy::DimensionShardingAttr first = sharding.getDimensions()[0],
                             second = sharding.getDimensions()[1];
  EXPECT_TRUE(first.getIsClosed());
  EXPECT_FALSE(first.getPriority());
  EXPECT_FALSE(first.getAxes()[0].getSubAxis());
  EXPECT_EQ(first.getAxes()[1].getSubAxis().getPreSize(), 2);
  EXPECT_FALSE(second.getIsClosed());
  EXPECT_EQ(second.getPriority(), 3);
  EXPECT_EQ(sharding.getReduction(), sdy::Reduction::Min);
  EXPECT_EQ(sharding.getUnreduced()[0].getName(), "y");
}

struct Mistake {
  const char *attribute, *message;
};

TEST(Sdy, MistakesAreNamed) {
  const Mistake mistakes[] = {
      {R"(#sdy.sharding<@mesh, [{?, "x"}]>)", "`?` is the last one"},
      {R"(#sdy.sharding<@mesh, [{"x"}q1]>)", "expected a priority"},
      {R"(#sdy.sharding<@mesh, [], unreduced=prod{"x"}>)",
       "`prod` is not a reduction: sum, max or min"},
      {R"(#sdy.sharding<@mesh, [], sharded={"x"}>)",
       "expected `replicated=` or `unreduced=`, each once"},
      {R"(#sdy.sharding<@mesh, [], replicated={"x"}, replicated={"y"}>)",
       "each once"},
      {R"(#sdy.sharding<[{"x"}]>)", "expected valid '@'-identifier"},
      {R"(#sdy.mesh<["x"]>)", "expected '='"},
      {R"(#sdy.op_sharding_rule<([i, a])->([i])>)", "expected factors"},
      {R"(#sdy.op_sharding_rule<([i, j])->([i]) {j=2, i=2}>)",
       "the sizes of all factors, in order"},
      {R"(#sdy.op_sharding_rule<([i])->([i]) {i=2} reduction={ij}>)",
       "expected one factor"},
      {R"(#sdy.op_sharding_rule<([y_1])->([i])>)", "expected factors"},
  };
  for (const Mistake &each : mistakes) {
    absl::StatusOr<MlirFile> file = parseMlir(
        "\"test.op\"() {a = " + std::string(each.attribute) + "} : () -> ()\n");
    ASSERT_FALSE(file.ok()) << each.attribute;
    EXPECT_NE(std::string(file.status().message()).find(each.message),
              std::string::npos)
        << file.status();
    EXPECT_EQ(placeOf(file.status())->line, 1u);
  }
}

}  // namespace
}  // namespace indexical
