// Ops with effects, and ops of which nothing is known: they show no difference,
// and what is taken for granted of them is said.
//
//   INDEXICAL_MEMORIES=20000    so many pairs of programs over a memory
//   INDEXICAL_SEED=n            beginning with this one
#include "indexical/same/equality/hidden_effects.h"

#include <string>
#include <vector>

#include "gmock/gmock.h"
#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

Sameness compared(const absl::StatusOr<Program> &a,
                  const absl::StatusOr<Program> &b, bool ofValues) {
  EXPECT_TRUE(a.ok()) << a.status();
  EXPECT_TRUE(b.ok()) << b.status();
  if (!a.ok() || !b.ok()) return Sameness();
  SamenessOptions options;
  if (ofValues) options.values = ValueOptions{};
  auto same = compare(a->modules[0], b->modules[0], options);
  EXPECT_TRUE(same.ok()) << same.status();
  return same.ok() ? *std::move(same) : Sameness();
}

std::string hlo(const std::string &body) {
  return "HloModule m\nENTRY e {\n p = f32[4] parameter(0)\n"
         " q = f32[4] parameter(1)\n" +
         body + "\n}";
}

//===-- A memory that nobody sees
//------------------------------------------===//

/// A function of three numbers over a memory of two, and what it returns: a
/// parameter, or what the memory began with.
struct Stores {
  std::string text, result;
};

Stores randomStores(Random &random) {
  const std::vector<std::string> names = {"a", "b", "c"};
  std::string cells[] = {"m0", "m1"};
  std::vector<std::string> known = {"a", "b", "c"};  // of values, by name
  std::vector<std::string> values = {"%a", "%b", "%c"};
  Stores made;
  made.text =
      "memref.global @cells : memref<2xf32>\n"
      "func.func @f(%a: f32, %b: f32, %c: f32) -> f32 {\n"
      "  %i0 = arith.constant 0 : index\n  %i1 = arith.constant 1 : index\n"
      "  %m = memref.get_global @cells : memref<2xf32>\n";
  const int64_t count = random.in(1, 6);
  for (int64_t n = 0; n < count; ++n) {
    const int64_t cell = random.in(0, 1);
    const std::string at = "%m[%i" + std::to_string(cell) + "]";
    if (random.oneIn(2)) {
      const int64_t which = random.in(0, values.size() - 1);
      made.text +=
          "  memref.store " + values[which] + ", " + at + " : memref<2xf32>\n";
      cells[cell] = known[which];
    } else {
      const std::string name = "%l" + std::to_string(n);
      made.text += "  " + name + " = memref.load " + at + " : memref<2xf32>\n";
      values.push_back(name);
      known.push_back(cells[cell]);
    }
  }
  const int64_t last = random.in(0, values.size() - 1);
  made.text += "  return " + values[last] + " : f32\n}\n";
  made.result = known[last];
  return made;
}

TEST(HiddenEffects, WhatAMemoryPassesOnIsNoDifference) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const int64_t count = fromEnvironment("INDEXICAL_MEMORIES", 400);
  int64_t same = 0;
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const Stores one = randomStores(random), other = randomStores(random);
    SCOPED_TRACE("seed " + std::to_string(seed) + "\n" + one.text + "and\n" +
                 other.text);
    for (const bool ofValues : {false, true}) {
      const Sameness found =
          compared(importMlir(one.text), importMlir(other.text), ofValues);
      if (one.result != other.result) continue;
      ++same;
      EXPECT_NE(found.verdict.answer, Verdict::Different);
    }
    if (HasFailure()) return;
  }
  EXPECT_GT(same, count / 8);
}

TEST(HiddenEffects, AStoreAndALoadAreNotDifferentFromTheirValue) {
  const std::string begin =
      "memref.global @kept : memref<4xf32>\n"
      "func.func @f(%n: index, %x: f32) -> f32 {\n"
      "  %m = memref.get_global @kept : memref<4xf32>\n"
      "  memref.store %x, %m[%n] : memref<4xf32>\n";
  const std::string loads =
      "  %y = memref.load %m[%n] : memref<4xf32>\n  return %y : f32\n}";
  const std::string passes = "  return %x : f32\n}";
  for (const bool ofValues : {false, true}) {
    EXPECT_EQ(compared(importMlir(begin + loads), importMlir(begin + passes),
                       ofValues)
                  .verdict.answer,
              Verdict::Undecided);
    EXPECT_EQ(compared(importMlir(begin + passes), importMlir(begin + loads),
                       ofValues)
                  .verdict.answer,
              Verdict::Undecided);
  }
}

TEST(HiddenEffects, OpsWithEffectsShowNoDifference) {
  const std::string keep =
      " k = f32[4] custom-call(p), custom_call_target=\"keep\", "
      "custom_call_has_side_effect=true\n";
  // The second call may give what the first one kept.
  EXPECT_EQ(compared(parseHlo(hlo(keep + " ROOT g = f32[4] custom-call(q), "
                                         "custom_call_target=\"give\", "
                                         "custom_call_has_side_effect=true")),
                     parseHlo(hlo(keep + " ROOT r = f32[4] copy(p)")), true)
                .verdict.answer,
            Verdict::Undecided);
  // A host may send back what it was given.
  const std::string feeds =
      " t = token[] after-all()\n o = token[] outfeed(p, t), "
      "outfeed_shape=f32[4]\n";
  EXPECT_EQ(
      compared(parseHlo(hlo(feeds + " i = (f32[4], token[]) infeed(o)\n"
                                    " ROOT r = f32[4] get-tuple-element(i), "
                                    "index=0")),
               parseHlo(hlo(feeds + " ROOT r = f32[4] copy(p)")), false)
          .verdict.answer,
      Verdict::Undecided);
  // Nobody gave it p.
  EXPECT_EQ(compared(parseHlo(hlo(" t = token[] after-all()\n"
                                  " i = (f32[4], token[]) infeed(t)\n"
                                  " ROOT r = f32[4] get-tuple-element(i), "
                                  "index=0")),
                     parseHlo(hlo(" ROOT r = f32[4] copy(p)")), false)
                .verdict.answer,
            Verdict::Different);
}

TEST(HiddenEffects, WhatIsNotKnownMayHaveSome) {
  const std::string begin =
      "func.func @f(%p: tensor<4xf32>, %q: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = \"box.put\"(%p) : (tensor<4xf32>) -> tensor<4xf32>\n";
  const std::string takes =
      "  %1 = \"box.take\"(%q) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %1 : tensor<4xf32>\n}";
  const std::string passes = "  return %p : tensor<4xf32>\n}";
  EXPECT_EQ(
      compared(importMlir(begin + takes), importMlir(begin + passes), true)
          .verdict.answer,
      Verdict::Undecided);
}

//===-- What is taken for granted
//------------------------------------------===//

TEST(HiddenEffects, AssumptionsAreNamed) {
  const auto unknown = importMlir(
      "func.func @f(%p: tensor<4xf32>) -> tensor<4xf32> {\n"
      "  %0 = \"box.turn\"(%p) : (tensor<4xf32>) -> tensor<4xf32>\n"
      "  return %0 : tensor<4xf32>\n}");
  for (const bool ofValues : {false, true}) {
    const Sameness same = compared(unknown, unknown, ofValues);
    EXPECT_EQ(same.verdict.answer, Verdict::Same);
    EXPECT_THAT(same.verdict.assumed, ElementsAre("`box.turn` has no effects"));
  }
  const std::string draws =
      " z = f32[] constant(0)\n o = f32[] constant(1)\n"
      " a = f32[4] rng(z, o), distribution=rng_uniform\n"
      " b = f32[4] rng(z, o), distribution=rng_uniform\n";
  const auto one = parseHlo(hlo(draws + " ROOT r = f32[4] subtract(a, b)"));
  const auto other = parseHlo(hlo(draws + " ROOT r = f32[4] subtract(b, a)"));
  for (const bool ofValues : {false, true}) {
    // Draws have no order.
    const Sameness same = compared(one, other, ofValues);
    EXPECT_EQ(same.verdict.answer, Verdict::Same);
    EXPECT_THAT(same.verdict.assumed,
                ElementsAre("both draw the same numbers by `rng`"));
  }
  // A number that nobody reads counts for nothing.
  const auto unread = parseHlo(hlo(draws + " ROOT r = f32[4] copy(p)"));
  EXPECT_THAT(compared(unread, unread, true).verdict.assumed, IsEmpty());
  const auto plain = parseHlo(hlo(" ROOT r = f32[4] add(p, q)"));
  EXPECT_THAT(compared(plain, plain, true).verdict.assumed, IsEmpty());
  EXPECT_THAT(compared(one, plain, true).verdict.assumed, IsEmpty());
}

}  // namespace
}  // namespace indexical::testing
