// HLO out of which its author cut a part, and scalars that torch_xla hands
// through an all-gather.
#include <string>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::testing {
namespace {

/// What the root reads of a leaf of the entry's parameters.
std::string reads(const Program &program, int32_t parameter,
                  int64_t result = 0) {
  const Module &module = program.modules[0];
  ProgramIndexing maps(module);
  const auto relation =
      maps.computation(module.entry, LeafId(result), ParameterLeaf{parameter},
                       Direction::OutputToInput);
  if (!relation.ok()) return std::string(relation.status().message());
  std::string text = precisionName(relation->precision()).str();
  for (const IndexingMap &piece : relation->pieces())
    text += "; " + piece.strOneLine();
  return text;
}

Program parsed(const std::string &text) {
  auto program = parseHlo(text);
  EXPECT_TRUE(program.ok()) << program.status() << "\n" << text;
  return program.ok() ? *std::move(program) : Program();
}

std::string refusal(const std::string &text) {
  const auto program = parseHlo(text);
  return program.ok() ? "" : std::string(program.status().message());
}

TEST(CutText, WhatIsLeftOutMayReadEverything) {
  const Program program = parsed(R"(HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[4] parameter(1)
  n = f32[8] negate(p)
  ...  (20 more)
  y = f32[8] add(n, f32[8] x)
  ROOT r = f32[8] reverse(y), dimensions={0}
})");
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_EQ(reads(program, 0),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 7]; "
            "(d0) -> (-d0 + 7), domain: d0 in [0, 7]");
  EXPECT_EQ(reads(program, 1),
            "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 3]");
  ASSERT_EQ(program.notes.size(), 1u);
  EXPECT_EQ(program.notes[0].place.line, 6u);
  EXPECT_EQ(program.notes[0].text,
            "a part is left out of this text: what depends on it is taken to "
            "read every parameter whole");
}

TEST(CutText, AValueOfNoKnownTypeIsPartOfItsUser) {
  const Program program = parsed(R"(HloModule m
ENTRY e {
  p = f32[8] parameter(0)
  q = f32[8] parameter(1)
  ...
  y = f32[8] add(n, p)
  z = f32[8] fusion(q, ...), kind=kLoop, calls=f
  w = f32[8] custom-call(q), custom_call_target="f", ...
  ROOT r = (f32[8], f32[8], f32[8], f32[8]) tuple(p, y, z, w)
})");
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_EQ(reads(program, 0, 0), "exact; (d0) -> (d0), domain: d0 in [0, 7]");
  for (int64_t result : {1, 2, 3})
    for (int32_t parameter : {0, 1})
      EXPECT_EQ(reads(program, parameter, result),
                "opaque; (d0)[s0] -> (s0), domain: d0 in [0, 7], s0 in [0, 7]");
}

TEST(CutText, WhatDoesNotNameItIsExact) {
  const Program program = parsed(R"(HloModule m
...
ENTRY e {
  ...
  p = f32[8,4] parameter(0)
  z = f32[] constant(0)
  ROOT r = f32[8] reduce(p, z), dimensions={1}, to_apply=gone, metadata={...}
})");
  ASSERT_EQ(program.modules.size(), 1u);
  EXPECT_EQ(reads(program, 0),
            "exact; (d0)[s0] -> (d0, s0), domain: d0 in [0, 7], s0 in [0, 3]");
  const Program bare = parsed(
      "  a = f32[8] negate(f32[8] p)\n  ...\n"
      "  ROOT r = f32[8] add(f32[8] a, f32[8] q)\n");
  ASSERT_EQ(bare.modules.size(), 1u);
  EXPECT_EQ(reads(bare, 0), "exact; (d0) -> (d0), domain: d0 in [0, 7]");
  EXPECT_EQ(reads(bare, 1), "exact; (d0) -> (d0), domain: d0 in [0, 7]");
}

TEST(CutText, WhatCannotBeKnownIsRefused) {
  EXPECT_EQ(refusal("HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n"
                    "  q = f32[8] negate(p)\n  ...\n}"),
            "the result of this computation is left out of this text: no "
            "instruction is marked ROOT");
  EXPECT_EQ(refusal("HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n"
                    "  ...\n  ROOT r = negate(gone)\n}"),
            "`r` has no type, and its operands are left out of this text");
  // Nothing is left out of this one.
  EXPECT_EQ(refusal("HloModule m\nENTRY e {\n  p = f32[8] parameter(0)\n"
                    "  ROOT r = f32[8] negate(gone)\n}"),
            "there is no instruction `gone` in `e`");
}

TEST(TokenOperands, AScalarGoesThroughAnAllGather) {
  const Program program = parsed(R"(HloModule m, num_partitions=2
ENTRY e {
  p = f32[1,3] parameter(0)
  q = f32[2,3] parameter(1)
  t = f32[] parameter(2)
  g = (f32[2,3], f32[]) all-gather(p, t), replica_groups={{0,1}}, dimensions={0}
  x = f32[2,3] get-tuple-element(g), index=0
  u = f32[] get-tuple-element(g), index=1
  h = (f32[], f32[2,3], f32[4,3]) all-gather(u, p, q), replica_groups={{0,1}},
      dimensions={0}
  y = f32[] get-tuple-element(h), index=0
  z = f32[4,3] get-tuple-element(h), index=2
  ROOT r = (f32[2,3], f32[], f32[4,3]) tuple(x, y, z)
})");
  ASSERT_EQ(program.modules.size(), 1u);
  const Program one = parsed(R"(HloModule m, num_partitions=2
ENTRY e {
  p = f32[1,3] parameter(0)
  q = f32[2,3] parameter(1)
  t = f32[] parameter(2)
  x = f32[2,3] all-gather(p), replica_groups={{0,1}}, dimensions={0}
  z = f32[4,3] all-gather(q), replica_groups={{0,1}}, dimensions={0}
  ROOT r = (f32[2,3], f32[], f32[4,3]) tuple(x, t, z)
})");
  for (int64_t result : {0, 1, 2})
    for (int32_t parameter : {0, 1, 2})
      EXPECT_EQ(reads(program, parameter, result),
                reads(one, parameter, result))
          << result << " " << parameter;
}

}  // namespace
}  // namespace indexical::testing
