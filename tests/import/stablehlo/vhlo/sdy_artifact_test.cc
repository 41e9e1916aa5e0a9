// Shardy's attributes and ops in bytecode: each is written by hand, field by
// field, and is read as the text that Shardy prints.
#include <string>

#include "gtest/gtest.h"

#include "tests/import/stablehlo/vhlo/one_op.h"

namespace indexical::testing {
namespace {

// The numbers of Shardy's attributes, from its own encoding.
enum Number : unsigned {
  kManualAxes = 0,
  kMeshAxis = 1,
  kMesh = 2,
  kSubAxisInfo = 3,
  kAxisRef = 4,
  kDimensionSharding = 5,
  kSharding = 6,
  kShardingPerValue = 7,
  kDimMapping = 8,
  kTensorMapping = 9,
  kOpShardingRule = 10,
  kAxisRefList = 11,
  kListOfAxisRefLists = 12,
  kAllToAllParam = 13,
  kAllToAllParamList = 14,
  kUnreducedSharding = 15,
  kUnreducedPerValue = 16,
  kReducedSharding = 17,
};

// Parts that several attributes are made of.
struct Parts : OneOp {
  size_t sdy(unsigned number, const std::string &data) {
    return container.addAttribute("sdy", varint(number) + data);
  }
  std::string string(const std::string &text) {
    return varint(container.addString(text));
  }
  size_t meshName() {
    return container.addAttribute("builtin",
                                  varint(4) + varint(builtinString("mesh")));
  }
  size_t meshAxis(const std::string &name, int64_t size) {
    return sdy(kMeshAxis, string(name) + signedVarint(size));
  }
  size_t axis(const std::string &name) {
    return sdy(kAxisRef, string(name) + varint(0));
  }
  size_t partOfAxis(const std::string &name, int64_t before, int64_t size) {
    const size_t part =
        sdy(kSubAxisInfo, signedVarint(before) + signedVarint(size));
    return sdy(kAxisRef, string(name) + varint(part << 1 | 1));
  }
  size_t dimension(std::initializer_list<size_t> axes, bool isClosed,
                   uint64_t priority = 0) {
    return sdy(
        kDimensionSharding,
        listOf(axes) + std::string(1, isClosed ? 1 : 0) + varint(priority));
  }
  size_t sharding() {
    return sdy(kSharding,
               varint(meshName()) +
                   listOf({dimension({axis("a")}, true), dimension({}, true)}) +
                   listOf({}));
  }
  size_t mapping(std::initializer_list<size_t> dimensions) {
    return sdy(kTensorMapping, listOf(dimensions));
  }
  size_t factors(std::initializer_list<int64_t> numbers) {
    return sdy(kDimMapping, numbersOf(numbers));
  }
};

// `a` of "test.op"() {a = TEXT}.
std::string attributeIn(const std::string &text) {
  const std::string begin = "{a = ", end = "} : () -> ()";
  const size_t at = text.find(begin), to = text.find(end);
  if (at == std::string::npos || to == std::string::npos) return text;
  return text.substr(at + begin.size(), to - at - begin.size());
}

TEST(SdyArtifact, Meshes) {
  {
    Parts p;
    EXPECT_EQ(attributeIn(p.withAttribute(p.meshAxis("a", 2))),
              R"(#sdy.mesh_axis<"a"=2>)");
  }
  {
    Parts p;
    const size_t mesh =
        p.sdy(kMesh, listOf({p.meshAxis("a", 2), p.meshAxis("b", 1)}) +
                         numbersOf({1, 0}));
    EXPECT_EQ(attributeIn(p.withAttribute(mesh)),
              R"(#sdy.mesh<["a"=2, "b"=1], device_ids=[1, 0]>)");
  }
  {
    Parts p;
    EXPECT_EQ(
        attributeIn(p.withAttribute(p.sdy(kMesh, listOf({}) + numbersOf({})))),
        "#sdy.mesh<[]>");
  }
}

TEST(SdyArtifact, Axes) {
  {
    Parts p;
    EXPECT_EQ(attributeIn(p.withAttribute(
                  p.sdy(kSubAxisInfo, signedVarint(1) + signedVarint(2)))),
              "#sdy.sub_axis_info<(1)2>");
  }
  {
    Parts p;
    EXPECT_EQ(attributeIn(p.withAttribute(p.axis("a"))),
              R"(#sdy.axis_ref<"a">)");
  }
  {
    Parts p;
    EXPECT_EQ(attributeIn(p.withAttribute(p.partOfAxis("a", 1, 2))),
              R"(#sdy.axis_ref<"a":(1)2>)");
  }
  {
    Parts p;
    const size_t list = p.sdy(kAxisRefList, listOf({p.axis("a"), p.axis("b")}));
    EXPECT_EQ(attributeIn(p.withAttribute(list)),
              R"(#sdy.axis_ref_list<{"a", "b"}>)");
  }
  {
    Parts p;
    const size_t lists = p.sdy(
        kListOfAxisRefLists, listOf({p.sdy(kAxisRefList, listOf({p.axis("a")})),
                                     p.sdy(kAxisRefList, listOf({}))}));
    EXPECT_EQ(attributeIn(p.withAttribute(lists)),
              R"(#sdy.list_of_axis_ref_lists<[{"a"}, {}]>)");
  }
  {
    Parts p;
    const size_t axes = p.sdy(
        kManualAxes, listOf({p.builtinString("a"), p.builtinString("b")}));
    EXPECT_EQ(attributeIn(p.withAttribute(axes)),
              R"(#sdy.manual_axes<{"a", "b"}>)");
  }
  {
    Parts p;
    const size_t param =
        p.sdy(kAllToAllParam,
              listOf({p.axis("a")}) + signedVarint(0) + signedVarint(2));
    EXPECT_EQ(attributeIn(
                  p.withAttribute(p.sdy(kAllToAllParamList, listOf({param})))),
              R"(#sdy.all_to_all_param_list<[{"a"}: 0->2]>)");
  }
}

std::string dimensionText(bool isNamed, bool isClosed, uint64_t priority) {
  Parts p;
  const size_t dimension = isNamed
                               ? p.dimension({p.axis("a")}, isClosed, priority)
                               : p.dimension({}, isClosed, priority);
  return attributeIn(p.withAttribute(dimension));
}

TEST(SdyArtifact, Dimensions) {
  EXPECT_EQ(dimensionText(true, true, 0), R"(#sdy.dimension_sharding<{"a"}>)");
  EXPECT_EQ(dimensionText(true, false, 0),
            R"(#sdy.dimension_sharding<{"a", ?}>)");
  EXPECT_EQ(dimensionText(false, false, 0), "#sdy.dimension_sharding<{?}>");
  // A priority is written twice as large, and one.
  EXPECT_EQ(dimensionText(false, true, 2 * 1 + 1),
            "#sdy.dimension_sharding<{}p1>");
  EXPECT_EQ(dimensionText(true, true, 1),
            R"(#sdy.dimension_sharding<{"a"}p0>)");
  EXPECT_NE(dimensionText(true, true, 2).find("2 is not a priority"),
            std::string::npos);
}

// Returns the text of a sharding that has `rest` behind the mesh's name and the
// dimensions.
std::string shardingText(unsigned number, bool isUnreduced,
                         const std::string &rest) {
  Parts p;
  std::string data =
      varint(p.meshName()) +
      listOf({p.dimension({p.axis("a")}, true), p.dimension({}, true)}) +
      listOf({p.axis("b")});
  if (isUnreduced) data += listOf({p.axis("c")});
  return attributeIn(p.withAttribute(p.sdy(number, data + rest)));
}

TEST(SdyArtifact, Shardings) {
  EXPECT_EQ(shardingText(kSharding, false, ""),
            R"(#sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}>)");
  EXPECT_EQ(
      shardingText(kUnreducedSharding, true, ""),
      R"(#sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}, unreduced={"c"}>)");
  for (const auto &[number, word] :
       {std::pair(0, ""), std::pair(1, "max"), std::pair(2, "min")})
    EXPECT_EQ(
        shardingText(kReducedSharding, true, signedVarint(number)),
        R"(#sdy.sharding<@mesh, [{"a"}, {}], replicated={"b"}, unreduced=)" +
            std::string(word) + R"({"c"}>)");
  EXPECT_NE(shardingText(kReducedSharding, true, signedVarint(3))
                .find("reduction 3 is not known"),
            std::string::npos);
  for (unsigned number : {kShardingPerValue, kUnreducedPerValue}) {
    Parts p;
    const size_t sharding = p.sharding();
    EXPECT_EQ(
        attributeIn(
            p.withAttribute(p.sdy(number, listOf({sharding, sharding})))),
        R"(#sdy.sharding_per_value<[<@mesh, [{"a"}, {}]>, <@mesh, [{"a"}, {}]>]>)");
  }
  // The mesh may stand in the sharding.
  Parts p;
  const size_t mesh =
      p.sdy(kMesh, listOf({p.meshAxis("a", 2)}) + numbersOf({}));
  EXPECT_EQ(attributeIn(p.withAttribute(p.sdy(
                kSharding,
                varint(mesh) + listOf({p.dimension({}, false)}) + listOf({})))),
            R"(#sdy.sharding<mesh<["a"=2]>, [{?}]>)");
}

TEST(SdyArtifact, ShardingRules) {
  Parts p;
  const size_t rule =
      p.sdy(kOpShardingRule,
            numbersOf({2, 3, 5}) +
                listOf({p.mapping({p.factors({0}), p.factors({1, 2})})}) +
                listOf({p.mapping({p.factors({2, 0})}), p.mapping({})}) +
                numbersOf({1}) + numbersOf({0, 2}) + numbersOf({}) +
                numbersOf({2}) + std::string(1, 1));
  EXPECT_EQ(
      attributeIn(p.withAttribute(rule)),
      "#sdy.op_sharding_rule<([i, jk])->([ki], []) {i=2, j=3, k=5} "
      "reduction={j} need_replication={i, k} blocked_propagation={k}, custom>");
  // Behind z come z_1, z_2 and so on.
  Parts many;
  EXPECT_EQ(attributeIn(many.withAttribute(
                many.mapping({many.factors({17, 18}), many.factors({20})}))),
            "#sdy.tensor_mapping<[zz_1, z_3]>");
}

TEST(SdyArtifact, WhatIsNotKnownIsNamed) {
  Parts p;
  EXPECT_NE(p.withAttribute(p.sdy(18, ""))
                .find("sdy has no attribute with the number 18 that is known "
                      "here; the last one is 17"),
            std::string::npos);
}

//===-- Ops ---------------------------------------------------------------===//

// In the order of the names, mandatory ones as the place of the attribute,
// optional ones as twice that and one.
TEST(SdyArtifact, AMeshIsNotLost) {
  Parts p;
  const size_t mesh = p.sdy(
      kMesh, listOf({p.meshAxis("x", 2), p.meshAxis("y", 4)}) + numbersOf({}));
  EXPECT_EQ(p.withProperties("sdy", "mesh",
                             varint(mesh) + varint(p.builtinString("m"))),
            "module {\n  sdy.mesh @m = <[\"x\"=2, \"y\"=4]>\n}\n");
}

// An attribute in the place of another one is refused.
TEST(SdyArtifact, AttributesOfOpsHaveTheirKind) {
  Parts p;
  const std::string text = p.withProperties(
      "sdy", "mesh", varint(p.axis("x")) + varint(p.builtinString("m")));
  EXPECT_NE(text.find("`sdy.mesh`"), std::string::npos) << text;
  EXPECT_NE(text.find("'mesh'"), std::string::npos) << text;
}

}  // namespace
}  // namespace indexical::testing
