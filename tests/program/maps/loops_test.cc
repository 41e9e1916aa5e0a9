// Loops: what a while leaves as it is, and what it covers; what a scan reads.
// Random programs (program_test.cc) hold the same against a run.
#include <string>

#include "gtest/gtest.h"

#include "indexical/indexing/bounds.h"
#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

//===-- While -------------------------------------------------------------===//

/// A while over (s32[], f32[4,8], f32[8,8]): the counter, x, w. `body` makes
/// `x1` and `w1`.
std::string loop(const std::string &body,
                 const std::string &condition =
                     "  n = s32[] constant(9)\n"
                     "  ROOT r = pred[] compare(i, n), "
                     "direction=LT") {
  const std::string state = "(s32[], f32[4,8], f32[8,8])";
  const std::string begin = " {\n  s = " + state +
                            " parameter(0)\n"
                            "  i = s32[] get-tuple-element(s), index=0\n"
                            "  x = f32[4,8] get-tuple-element(s), index=1\n"
                            "  w = f32[8,8] get-tuple-element(s), index=2\n";
  return "HloModule m\n"
         "add { a = f32[] parameter(0) b = f32[] parameter(1)\n"
         "  ROOT r = f32[] add(a, b) }\n"
         "condition" +
         begin + condition + " }\nbody" + begin +
         "  one = s32[] constant(1)\n  i1 = s32[] add(i, one)\n"
         "  zero = f32[] constant(0)\n" +
         body + "\n  ROOT t = " + state +
         " tuple(i1, x1, w1) }\n"
         "ENTRY e { p = " +
         state + " parameter(0)\n  ROOT l = " + state +
         " while(p), condition=condition, body=body }\n";
}

std::string readsOf(const std::string &text, int64_t result, int64_t leaf,
                    Direction direction = kReads) {
  return reads(text, 0, leaf, direction, result);
}

const char *const kProduct =
    "  x1 = f32[4,8] dot(x, w), lhs_contracting_dims={1}, "
    "rhs_contracting_dims={0}\n"
    "  w1 = f32[8,8] copy(w)";

TEST(LoopsTest, WhatTheBodyLeavesIsExact) {
  const std::string text = loop(kProduct);
  EXPECT_EQ(readsOf(text, 2, 2),
            "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 7], "
            "d1 in [0, 7]");
  EXPECT_EQ(readsOf(text, 2, 0), "exact:");
  EXPECT_EQ(readsOf(text, 2, 1), "exact:");
  EXPECT_EQ(readsOf(text, 2, 2, kUsers),
            "exact:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 7], "
            "d1 in [0, 7]");
}

// Rows do not mix: dimension 0 stays as it is.
TEST(LoopsTest, ABatchStaysABatch) {
  const std::string text = loop(kProduct);
  const std::string rows =
      "cover:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], "
      "d1 in [0, 7], s0 in [0, 7]";
  EXPECT_EQ(readsOf(text, 1, 1), rows);
  EXPECT_EQ(readsOf(text, 1, 1, kUsers), rows);
  EXPECT_EQ(
      readsOf(loop("  x1 = f32[4,8] negate(x)\n  w1 = f32[8,8] copy(w)"), 1, 1),
      "cover:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], "
      "d1 in [0, 7]");
  EXPECT_EQ(
      readsOf(loop("  n = f32[4,8] negate(x)\n  f = f32[32] reshape(n)\n"
                   "  x1 = f32[4,8] reshape(f)\n  w1 = f32[8,8] copy(w)"),
              1, 1),
      "cover:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], d1 in [0, 7]");
}

// All of w, of any trip; w is not read by any element of its own.
TEST(LoopsTest, AWeightIsReadWhole) {
  EXPECT_EQ(readsOf(loop(kProduct), 1, 2),
            "cover:\n  (d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 3], "
            "d1 in [0, 7], s0 in [0, 7], s1 in [0, 7]");
}

// How many trips there are decides what x is.
TEST(LoopsTest, TheConditionIsReadByWhatChanges) {
  const std::string text = loop(kProduct);
  EXPECT_EQ(readsOf(text, 1, 0),
            "cover:\n  (d0, d1) -> (), domain: d0 in [0, 3], d1 in [0, 7]");
  EXPECT_EQ(readsOf(text, 0, 0), "cover:\n  () -> ()");
  EXPECT_EQ(readsOf(text, 0, 1), "exact:");
}

// A condition on x: every element of what changes reads all that x reads.
TEST(LoopsTest, AConditionOnTheStateMixesRows) {
  const std::string text =
      loop("  x1 = f32[4,8] negate(x)\n  w1 = f32[8,8] copy(w)",
           "  f = f32[1,8] slice(x), slice={[2:3], [0:8]}\n"
           "  v = f32[] constant(0)\n"
           "  m = f32[1] reduce(f, v), dimensions={1}, to_apply=add\n"
           "  k = f32[] reshape(m)\n"
           "  ROOT r = pred[] compare(k, v), direction=LT");
  const std::string control =
      "\n  (d0, d1)[s0] -> (2, s0), domain: d0 in [0, 3], d1 in [0, 7], "
      "s0 in [0, 7]";
  EXPECT_EQ(readsOf(text, 1, 1),
            "cover:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], "
            "d1 in [0, 7]" +
                control);
  EXPECT_EQ(readsOf(text, 2, 1), "exact:");
  EXPECT_EQ(readsOf(text, 1, 1, kUsers),
            "cover:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], "
            "d1 in [0, 7]\n  (d0, d1)[s0, s1] -> (s0, s1), domain: "
            "d0 in [2, 2], d1 in [0, 7], s0 in [0, 3], s1 in [0, 7]");
}

// A shift by one, any number of times, is any shift.
TEST(LoopsTest, WhatGrowsIsOpened) {
  const std::string text = loop(
      "  x1 = f32[4,8] pad(x, zero), padding=0_0x1_-1\n"
      "  w1 = f32[8,8] copy(w)");
  EXPECT_EQ(readsOf(text, 1, 1),
            "cover:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 3], "
            "d1 in [0, 7], s0 in [0, 7]");
}

// An index of the trip has another value in each: it is a range.
TEST(LoopsTest, RuntimeVariablesOfABodyAreRanges) {
  const std::string text = loop(
      "  c = s32[] constant(0)\n"
      "  v = f32[1,8] dynamic-slice(w, i, c), dynamic_slice_sizes={1,8}\n"
      "  q = f32[8] reshape(v)\n"
      "  b = f32[4,8] broadcast(q), dimensions={1}\n"
      "  x1 = f32[4,8] add(x, b)\n  w1 = f32[8,8] copy(w)");
  EXPECT_EQ(readsOf(text, 1, 2),
            "cover:\n  (d0, d1)[s0] -> (s0, d1), domain: d0 in [0, 3], "
            "d1 in [0, 7], s0 in [0, 7]");
  EXPECT_EQ(readsOf(text, 1, 1),
            "cover:\n  (d0, d1) -> (d0, d1), domain: d0 in [0, 3], "
            "d1 in [0, 7]");
}

// The inner loop leaves w as it is, so the outer one does.
TEST(LoopsTest, NestedLoopsPassOn) {
  const std::string text = R"(HloModule m
c { s = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ROOT r = pred[] compare(i, i), direction=LT }
inner { s = (s32[], f32[4], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
  w = f32[4] get-tuple-element(s), index=2
  y = f32[4] add(x, w)
  ROOT t = (s32[], f32[4], f32[4]) tuple(i, y, w) }
body { s = (s32[], f32[4], f32[4]) parameter(0)
  l = (s32[], f32[4], f32[4]) while(s), condition=c, body=inner
  i = s32[] get-tuple-element(l), index=0
  x = f32[4] get-tuple-element(l), index=1
  w = f32[4] get-tuple-element(l), index=2
  y = f32[4] reverse(x), dimensions={0}
  ROOT t = (s32[], f32[4], f32[4]) tuple(i, y, w) }
ENTRY e { p = (s32[], f32[4], f32[4]) parameter(0)
  ROOT l = (s32[], f32[4], f32[4]) while(p), condition=c, body=body })";
  EXPECT_EQ(readsOf(text, 2, 2),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(readsOf(text, 0, 0), "exact:\n  () -> ()");
  EXPECT_EQ(readsOf(text, 1, 2),
            "cover:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]");
}

// Elements that trade places in every trip.
TEST(LoopsTest, ALoopThatSwaps) {
  const std::string text = R"(HloModule m
c { a = (f32[4], f32[4], pred[]) parameter(0)
  ROOT r = pred[] get-tuple-element(a), index=2 }
b { a = (f32[4], f32[4], pred[]) parameter(0)
  x = f32[4] get-tuple-element(a), index=0
  y = f32[4] get-tuple-element(a), index=1
  q = pred[] get-tuple-element(a), index=2
  ROOT t = (f32[4], f32[4], pred[]) tuple(y, x, q) }
ENTRY e { p = (f32[4], f32[4], pred[]) parameter(0)
  ROOT l = (f32[4], f32[4], pred[]) while(p), condition=c, body=b })";
  const std::string identity = "cover:\n  (d0) -> (d0), domain: d0 in [0, 3]";
  for (int64_t result : {0, 1}) {
    EXPECT_EQ(readsOf(text, result, 0), identity);
    EXPECT_EQ(readsOf(text, result, 1), identity);
    EXPECT_EQ(readsOf(text, result, 2),
              "cover:\n  (d0) -> (), domain: d0 in [0, 3]");
  }
  EXPECT_EQ(readsOf(text, 2, 2), "exact:\n  () -> ()");
}

TEST(LoopsTest, WhatIsMissingIsCovered) {
  const std::string all =
      "cover:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3]";
  const std::string state = "(f32[4], f32[4])";
  const std::string noBody = "e { p = " + state +
                             " parameter(0)\n  ROOT l = " + state +
                             " while(p), condition=nowhere, body=nowhere }";
  EXPECT_EQ(readsOf(noBody, 0, 0), all);
  EXPECT_EQ(readsOf(noBody, 0, 1), all);
  // Without the condition, what changes may depend on everything.
  const std::string noCondition =
      "b { a = " + state +
      " parameter(0)\n  x = f32[4] get-tuple-element(a), index=0\n"
      "  y = f32[4] get-tuple-element(a), index=1\n  n = f32[4] negate(x)\n"
      "  ROOT t = " +
      state + " tuple(n, y) }\ne { p = " + state +
      " parameter(0)\n  ROOT l = " + state +
      " while(p), condition=nowhere, body=b }";
  EXPECT_EQ(readsOf(noCondition, 0, 0), all);
  EXPECT_EQ(readsOf(noCondition, 0, 1), all);
  EXPECT_EQ(readsOf(noCondition, 1, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 3]");
  EXPECT_EQ(readsOf(noCondition, 1, 0), "exact:");
}

// A ring of leaves that all read each other, each a little elsewhere.
TEST(LoopsTest, ManyLeavesEnd) {
  constexpr int kLeaves = 60;
  std::string state = "(pred[]", body, outs = "q";
  for (int k = 0; k < kLeaves; ++k) {
    const std::string n = std::to_string(k),
                      next = std::to_string((k + 1) % kLeaves);
    state += ", f32[1000]";
    body += "  x" + n + " = f32[1000] get-tuple-element(s), index=" +
            std::to_string(k + 1) + "\n  y" + n + " = f32[1000] pad(x" + next +
            ", z), padding=1_-1\n";
    outs += ", y" + n;
  }
  state += ")";
  // Operands may stand after their users.
  const std::string text =
      "HloModule m\nc { s = " + state +
      " parameter(0)\n  ROOT q = pred[] get-tuple-element(s), index=0 }\nb { s "
      "= " +
      state +
      " parameter(0)\n  q = pred[] get-tuple-element(s), index=0\n  z = f32[] "
      "constant(0)\n" +
      body + "  ROOT t = " + state + " tuple(" + outs +
      ") }\nENTRY e { p = " + state + " parameter(0)\n  ROOT l = " + state +
      " while(p), condition=c, body=b }";
  EXPECT_EQ(readsOf(text, 1, kLeaves),
            "cover:\n  (d0)[s0] -> (s0), domain: d0 in [1, 999], "
            "s0 in [0, 999]");
}

/// The relation of the entry's root leaf 1 and parameter leaf 1, each piece
/// with its collectives and the bounds of their members.
std::string withMembers(const std::string &text, Direction direction) {
  const Program program = parsed(text);
  if (program.modules.empty()) return "";
  ProgramIndexing maps(program.modules[0]);
  auto relation = maps.computation(program.modules[0].entry, LeafId(1),
                                   ParameterLeaf{0, LeafId(1)}, direction);
  if (!relation.ok()) return std::string(relation.status().message());
  std::string out = precisionName(relation->precision()).str();
  for (const IndexingMap &piece : relation->pieces()) {
    out += "\n  " + piece.strOneLine();
    auto boundsOf = [&](VariableId id) { return piece.variable(id).bounds; };
    FormBounds bounds(piece.expressions(), boundsOf);
    for (size_t k = 0; k < piece.members().size(); ++k) {
      const Value &value = maps.value(piece.collectives()[k]);
      out += ", " + std::to_string(value.calls.size()) + " > " +
             program.modules[0]
                 .computations[value.computation]
                 .instructions[value.instruction]
                 .name.str() +
             " " + bounds(piece.members()[k]).str();
    }
  }
  return out;
}

// After one trip and after many the same members of the group are read.
TEST(LoopsTest, ACollectiveInABodyLeadsToItsMembers) {
  auto text = [](const std::string &body) {
    return R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
c { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  ROOT r = pred[] compare(i, i), direction=LT }
b { s = (s32[], f32[4]) parameter(0)
  i = s32[] get-tuple-element(s), index=0
  x = f32[4] get-tuple-element(s), index=1
)" + body + R"(
  ROOT t = (s32[], f32[4]) tuple(i, y) }
ENTRY e { p = (s32[], f32[4]) parameter(0)
  ROOT w = (s32[], f32[4]) while(p), condition=c, body=b })";
  };
  const std::string gather = text(
      "  g = f32[16] all-gather(x), dimensions={0}, "
      "replica_groups={{0,1,2,3}}\n  y = f32[4] slice(g), slice={[4:8]}");
  const std::string here = "\n  (d0) -> (d0), domain: d0 in [0, 3]";
  for (Direction direction : {kReads, kUsers})
    EXPECT_EQ(withMembers(gather, direction),
              "cover" + here + here + ", 1 > g [1, 1]");
  EXPECT_EQ(withMembers(text("  y = f32[4] all-reduce(x), replica_groups={{0,1,"
                             "2,3}}, to_apply=add"),
                        kReads),
            "cover" + here +
                "\n  (d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 3]"
                ", 1 > y [0, 3]");
  // Members of several collectives on one way are not followed.
  EXPECT_EQ(
      withMembers(
          text("  g = f32[16] all-gather(x), dimensions={0}, "
               "replica_groups={{0,1,2,3}}\n"
               "  h = f32[4] slice(g), slice={[4:8]}\n"
               "  y = f32[4] all-reduce(h), replica_groups={{0,1},{2,3}}, "
               "to_apply=add"),
          kReads),
      "cover" + here +
          "\n  (d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 1], 1 > y "
          "[0, 1]" +
          here + ", 1 > g [1, 1]" +
          "\n  (d0)[s0] -> (d0), domain: d0 in [0, 3], s0 in [0, 1], 1 > y "
          "[0, 1], 1 > g [1, 1]");
}

//===-- Scan --------------------------------------------------------------===//

/// A scan of f32[8,4] and f32[8] along dimension 1. `body` has x and c.
std::string scan(const std::string &body, const std::string &more = "") {
  return "HloModule m\nf {\n  x = f32[8] parameter(0)\n"
         "  c = f32[8] parameter(1)\n" +
         body +
         " }\nENTRY e {\n  x = f32[8,4] parameter(0)\n  i = f32[8] "
         "parameter(1)\n  ROOT s = (f32[8,4], f32[8]) scan(x, i), "
         "dimensions={1}, num_carries=1, to_apply=f" +
         more + " }";
}

const char *const kSum =
    "  s = f32[8] add(x, c)\n  ROOT t = (f32[8], f32[8]) tuple(s, s)";

TEST(LoopsTest, PrefixScansAreNotTheIdentity) {
  const std::string text = scan(kSum);
  EXPECT_EQ(reads(text, 0),
            "exact:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], "
            "d1 in [0, 3], s0 in [0, 3], d1 - s0 in [0, inf]");
  EXPECT_EQ(reads(text, 0, 0, kUsers),
            "exact:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], "
            "d1 in [0, 3], s0 in [0, 3], d1 - s0 in [-inf, 0]");
  EXPECT_EQ(reads(text, 1),
            "exact:\n  (d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 3]");
  EXPECT_EQ(reads(text, 0, 0, kReads, 1),
            "exact:\n  (d0)[s0] -> (d0, s0), domain: d0 in [0, 7], "
            "s0 in [0, 3]");
  EXPECT_EQ(reads(text, 1, 0, kReads, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 7]");
  // A running sum as a window with all that comes before.
  EXPECT_EQ(reads(R"(HloModule m
add { a = f32[] parameter(0) b = f32[] parameter(1) ROOT r = f32[] add(a, b) }
ENTRY e {
  x = f32[4] parameter(0)  z = f32[] constant(0)
  ROOT r = f32[4] reduce-window(x, z), window={size=4 pad=3_0}, to_apply=add })"),
            "exact:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], "
            "s0 in [0, 3], d0 - s0 in [0, inf]");
}

TEST(LoopsTest, AReverseScanReadsTheSuffix) {
  const std::string text = scan(kSum, ", is_reverse=true");
  EXPECT_EQ(reads(text, 0),
            "exact:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], "
            "d1 in [0, 3], s0 in [0, 3], d1 - s0 in [-inf, 0]");
}

// An exclusive scan gives the carry before the step.
TEST(LoopsTest, AnExclusiveScanReadsWhatIsBefore) {
  const std::string text =
      scan("  s = f32[8] add(x, c)\n  ROOT t = (f32[8], f32[8]) tuple(c, s)");
  EXPECT_EQ(reads(text, 0),
            "exact:\n  (d0, d1)[s0] -> (d0, s0), domain: d0 in [0, 7], "
            "d1 in [1, 3], s0 in [0, 2], d1 - s0 in [1, inf]");
}

// A carry that is replaced reaches one step; the init is read at the first.
TEST(LoopsTest, ADelayReadsOneStepBack) {
  const std::string back =
      scan("  ROOT t = (f32[8], f32[8]) tuple(c, x)", ", is_reverse=true");
  EXPECT_EQ(reads(back, 0),
            "exact:\n  (d0, d1) -> (d0, d1 + 1), domain: d0 in [0, 7], "
            "d1 in [0, 2]");
  EXPECT_EQ(reads(back, 1),
            "exact:\n  (d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [3, 3]");
  EXPECT_EQ(reads(back, 0, 0, kReads, 1),
            "exact:\n  (d0) -> (d0, 0), domain: d0 in [0, 7]");
  const std::string text = scan("  ROOT t = (f32[8], f32[8]) tuple(c, x)");
  EXPECT_EQ(reads(text, 0),
            "exact:\n  (d0, d1) -> (d0, d1 - 1), domain: d0 in [0, 7], "
            "d1 in [1, 3]");
  EXPECT_EQ(reads(text, 1),
            "exact:\n  (d0, d1) -> (d0), domain: d0 in [0, 7], d1 in [0, 0]");
  EXPECT_EQ(reads(text, 0, 0, kReads, 1),
            "exact:\n  (d0) -> (d0, 3), domain: d0 in [0, 7]");
  EXPECT_EQ(reads(text, 1, 0, kReads, 1), "exact:");
}

// A scan without carries is a map over slices.
TEST(LoopsTest, AScanWithoutCarriesKeepsTheIndex) {
  const std::string text = R"(HloModule m
f { x = f32[8] parameter(0) ROOT r = f32[8] reverse(x), dimensions={0} }
ENTRY e { x = f32[8,4] parameter(0)
  ROOT s = f32[8,4] scan(x), dimensions={1}, num_carries=0, to_apply=f })";
  EXPECT_EQ(reads(text),
            "exact:\n  (d0, d1) -> (-d0 + 7, d1), domain: d0 in [0, 7], "
            "d1 in [0, 3]");
}

// Carries that never settle are covered, the order of steps kept.
TEST(LoopsTest, CarriesThatDoNotSettle) {
  const std::string text = scan(
      "  r = f32[8] reverse(c), dimensions={0}\n  s = f32[8] add(x, r)\n"
      "  ROOT t = (f32[8], f32[8]) tuple(s, s)");
  EXPECT_EQ(reads(text, 0),
            "cover:\n  (d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 7], "
            "d1 in [0, 3], s0 in [0, 7], s1 in [0, 3], d1 - s1 in [0, inf]");
}

// The carry before the step: not what is at the same place.
TEST(LoopsTest, CoversOfExclusiveScansAreStrict) {
  const std::string body =
      "  r = f32[8] reverse(c), dimensions={0}\n  s = f32[8] add(x, r)\n"
      "  ROOT t = (f32[8], f32[8]) tuple(c, s)";
  EXPECT_EQ(reads(scan(body), 0),
            "cover:\n  (d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 7], "
            "d1 in [1, 3], s0 in [0, 7], s1 in [0, 2], d1 - s1 in [1, inf]");
  EXPECT_EQ(reads(scan(body, ", is_reverse=true"), 0),
            "cover:\n  (d0, d1)[s0, s1] -> (s0, s1), domain: d0 in [0, 7], "
            "d1 in [0, 2], s0 in [0, 7], s1 in [1, 3], d1 - s1 in [-inf, -1]");
}

TEST(LoopsTest, RuntimeVariablesOfAStepAreRanges) {
  const std::string text = R"(HloModule m
f { x = f32[8] parameter(0) i = s32[] parameter(1) c = f32[4] parameter(2)
  s = f32[4] dynamic-slice(x, i), dynamic_slice_sizes={4}
  ROOT r = (f32[4], f32[4]) tuple(s, c) }
ENTRY e { x = f32[8,5] parameter(0)  i = s32[5] parameter(1)
  c = f32[4] parameter(2)
  y = f32[5,8] transpose(x), dimensions={1,0}
  ROOT s = (f32[5,4], f32[4]) scan(y, i, c), dimensions={0}, num_carries=1,
    to_apply=f })";
  EXPECT_EQ(reads(text, 0),
            "cover:\n  (d0, d1)[s0] -> (s0, d0), domain: d0 in [0, 4], "
            "d1 in [0, 3], s0 in [0, 7]");
}

TEST(LoopsTest, AMissingStepIsAPrefix) {
  const std::string text = R"(
e { x = f32[4] parameter(0)  i = f32[] parameter(1)
  ROOT s = (f32[4], f32[]) scan(x, i), dimensions={0}, num_carries=1,
    to_apply=nowhere })";
  EXPECT_EQ(reads(text, 0),
            "cover:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], s0 in [0, 3], "
            "d0 - s0 in [0, inf]");
  EXPECT_EQ(reads(text, 1), "cover:\n  (d0) -> (), domain: d0 in [0, 3]");
}

//===-- Errors ------------------------------------------------------------===//

std::string error(const std::string &root) {
  auto program = parseHlo(R"(HloModule m
c { a = f32[6] parameter(0) ROOT r = pred[] constant(true) }
w { a = f32[6] parameter(0) ROOT r = f32[6] copy(a) }
f { a = f32[6] parameter(0) b = f32[6] parameter(1)
  s = f32[6] add(a, b)  ROOT r = (f32[6], f32[6]) tuple(s, s) }
ENTRY e { x = f32[6] parameter(0)  y = f32[6,4] parameter(1)
  ROOT r = )" + root + "\n}");
  if (program.ok()) return "no error";
  EXPECT_TRUE(placeOf(program.status()).has_value());
  EXPECT_EQ(placeOf(program.status())->line, 7) << root;
  return std::string(program.status().message());
}

TEST(LoopsTest, ErrorsNameWhatIsWrong) {
  struct Row {
    const char *root, *message;
  };
  const Row rows[] = {
      {"f32[6] while(x), condition=c, body=w", "no error"},
      {"f32[6] while(x), condition=c",
       "`while` needs the attribute `body`, a computation on its state"},
      {"f32[6] while(x), body=w",
       "`while` needs the attribute `condition`, a computation on its state"},
      {"f32[5] while(x), condition=c, body=w",
       "the result of `while` is its state, f32[6], not f32[5]"},
      {"(f32[6], f32[6]) while(x, y), condition=c, body=w",
       "the result of `while` is its state, f32[6], f32[6,4], not (f32[6], "
       "f32[6])"},
      {"f32[6] while(x), condition=w, body=w",
       "`w` returns f32[6], a condition returns pred[]"},
      {"f32[6] while(x), condition=c, body=c",
       "`c` returns pred[], `r` is f32[6]"},
      {"f32[6,4] while(y), condition=c, body=w",
       "parameter 0 of `c` is f32[6], `r` hands it f32[6,4]"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, num_carries=1, "
       "to_apply=f",
       "no error"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, num_carries=1",
       "`scan` needs the attribute `to_apply`, the computation of one step"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, to_apply=f",
       "`scan` needs the attribute `num_carries`, as in `num_carries=0`"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={2}, num_carries=1, "
       "to_apply=f",
       "dimensions {2} is not a dimension of operand 0, f32[6,4]"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={-1}, num_carries=1, "
       "to_apply=f",
       "dimensions {-1} is not a dimension of operand 0, f32[6,4]"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={0}, num_carries=1, "
       "to_apply=f",
       "parameter 0 of `f` is f32[6], `r` hands it f32[4]"},
      {"(f32[6,3], f32[6]) scan(y, x), dimensions={1}, num_carries=1, "
       "to_apply=f",
       "result 0 has the shape f32[6,3]; the scan along dimension 1 is that "
       "of operand 0, f32[6,4]"},
      {"(f32[6,4], f32[5]) scan(y, x), dimensions={1}, num_carries=1, "
       "to_apply=f",
       "carry 0 begins as f32[6] and ends as f32[5]"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, num_carries=3, "
       "to_apply=f",
       "num_carries 3 of 2 operands and 2 results"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, num_carries=2, "
       "to_apply=f",
       "an input to scan is missing: all operands are carries"},
      {"f32[6,4] scan(y, x), dimensions={1}, num_carries=1, to_apply=f",
       "carry 0 begins as f32[6] and ends as f32[6,4]"},
      {"(f32[6,4], f32[6]) scan(y, x), dimensions={1}, num_carries=1, "
       "to_apply=w",
       "`w` has 1 parameters, `r` hands it 2"},
  };
  for (const Row &row : rows) EXPECT_EQ(error(row.root), row.message);
}

}  // namespace
}  // namespace indexical::testing
