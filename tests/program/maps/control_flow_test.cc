// Branches and async ops: what is read through them, and where runtime
// variables come from. Random programs (program_test.cc) hold the same against
// a run.
#include <string>

#include "gtest/gtest.h"

#include "tests/support/program_reads.h"

namespace indexical::testing {
namespace {

//===-- Conditionals ------------------------------------------------------===//

const char *const kBranches = R"(HloModule m
back { a = (f32[6], f32[3]) parameter(0)
  x = f32[6] get-tuple-element(a), index=0
  ROOT r = f32[6] reverse(x), dimensions={0} }
same { b = f32[6] parameter(0) ROOT r = f32[6] copy(b) }
ENTRY e {
  choice = s32[] parameter(0)
  a = (f32[6], f32[3]) parameter(1)
  b = f32[6] parameter(2)
  ROOT r = f32[6] conditional(choice, a, b), branch_computations={back, same}
})";

TEST(ControlFlowTest, ABranchReadsItsOwnArgument) {
  EXPECT_EQ(reads(kBranches, 1, 0),
            "exact:\n  (d0) -> (-d0 + 5), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(kBranches, 1, 1), "exact:");
  EXPECT_EQ(reads(kBranches, 2, 0),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 5]");
}

TEST(ControlFlowTest, TheChoiceIsReadByEveryElement) {
  EXPECT_EQ(reads(kBranches, 0), "exact:\n  (d0) -> (), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(kBranches, 0, 0, kUsers),
            "exact:\n  ()[s0] -> (s0), domain: s0 in [0, 5]");
}

// `false_computation` may be written first.
TEST(ControlFlowTest, TrueBranchComesFirst) {
  const std::string text = R"(HloModule m
t { a = f32[6] parameter(0) ROOT r = f32[6] reverse(a), dimensions={0} }
f { b = f32[6] parameter(0) ROOT r = f32[6] copy(b) }
ENTRY e {
  p = pred[] parameter(0)  a = f32[6] parameter(1)  b = f32[6] parameter(2)
  ROOT r = f32[6] conditional(p, a, b), false_computation=f, true_computation=t
})";
  EXPECT_EQ(reads(text, 1),
            "exact:\n  (d0) -> (-d0 + 5), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(text, 2), "exact:\n  (d0) -> (d0), domain: d0 in [0, 5]");
}

// Sources that are the branch's argument are the caller's operand; others keep
// the way, and one computation in two branches has two.
TEST(ControlFlowTest, SourcesInBranches) {
  const std::string text = R"(HloModule m
f { a = (f32[100], s32[], s32[]) parameter(0)
  x = f32[100] get-tuple-element(a), index=0
  i = s32[] get-tuple-element(a), index=1
  j = s32[] get-tuple-element(a), index=2
  k = s32[] add(i, j)
  s = f32[50] dynamic-slice(x, i), dynamic_slice_sizes={50}
  ROOT r = f32[10] dynamic-slice(s, k), dynamic_slice_sizes={10} }
ENTRY e {
  c = pred[] parameter(0)
  p = (f32[100], s32[], s32[]) parameter(1)
  ROOT r = f32[10] conditional(c, p, p), branch_computations={f, f}
})";
  const std::string map =
      "\n  (d0){rt0, rt1} -> (d0 + rt0 + rt1), domain: d0 in [0, 9], "
      "rt0 in [0, 50], rt1 in [0, 40]";
  EXPECT_EQ(reads(text, 1), "exact:" + map + map +
                                "\n  rt0: e.p#1\n  rt1: e.r > f.k"
                                "\n  rt0: e.p#1\n  rt1: e.r > f.k");
}

TEST(ControlFlowTest, AMissingBranchIsACover) {
  const std::string text = R"(
f { a = f32[6] parameter(0) ROOT r = f32[6] copy(a) }
g { c = s32[] parameter(0)  a = f32[6] parameter(1)  b = f32[6] parameter(2)
  ROOT r = f32[6] conditional(c, a, b), branch_computations={f, nowhere} })";
  EXPECT_EQ(reads(text, 0), "exact:\n  (d0) -> (), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(text, 1), "exact:\n  (d0) -> (d0), domain: d0 in [0, 5]");
  EXPECT_EQ(reads(text, 2),
            "cover:\n  (d0)[s0] -> (s0), domain: d0 in [0, 5], s0 in [0, 5]");
}

//===-- Async -------------------------------------------------------------===//

TEST(ControlFlowTest, StartUpdateDone) {
  const std::string text = R"(HloModule m
f { x = f32[10] parameter(0)  i = s32[] parameter(1)
  ROOT r = f32[5] dynamic-slice(x, i), dynamic_slice_sizes={5} }
ENTRY e {
  p = f32[10] parameter(0)  i = s32[] parameter(1)
  s = ((f32[10], s32[]), f32[5], u32[]) async-start(p, i), calls=f
  u = ((f32[10], s32[]), f32[5], u32[]) async-update(s)
  d = f32[5] async-done(u)
  o = (f32[10], s32[]) get-tuple-element(u), index=0
  q = f32[10] get-tuple-element(o), index=0
  ROOT r = (f32[5], f32[10]) tuple(d, q)
})";
  EXPECT_EQ(reads(text, 0),
            "exact:\n  (d0){rt0} -> (d0 + rt0), domain: d0 in [0, 4], "
            "rt0 in [0, 5]\n  rt0: e.i");
  EXPECT_EQ(reads(text, 1), "exact:\n  (d0) -> (), domain: d0 in [0, 4]");
  EXPECT_EQ(reads(text, 0, 0, kReads, 1),
            "exact:\n  (d0) -> (d0), domain: d0 in [0, 9]");
  EXPECT_EQ(reads(text, 1, 0, kReads, 1), "exact:");
}

// XLA's short form of an async op that wraps one slice.
TEST(ControlFlowTest, TheShortFormHasTheAttributesOfItsOp) {
  const std::string text = R"(
ENTRY e {
  p = f32[10] parameter(0)
  s = ((f32[10]), f32[5], s32[]) slice-start(p), slice={[1:10:2]}
  u = ((f32[10]), f32[5], s32[]) slice-update(s)
  ROOT d = f32[5] slice-done(u)
})";
  EXPECT_EQ(reads(text),
            "exact:\n  (d0) -> (d0 * 2 + 1), domain: d0 in [0, 4]");
}

TEST(ControlFlowTest, ContextsReadNothing) {
  const std::string text = R"(
ENTRY e {
  p = f32[10] parameter(0)
  s = ((f32[10]), f32[10], u32[3]) negate-start(p)
  ROOT c = u32[3] get-tuple-element(s), index=2
})";
  EXPECT_EQ(reads(text), "exact:");
}

TEST(ControlFlowTest, OperandsThatAreBoundLateAreCovered) {
  const std::string text = R"(HloModule m
f { a = f32[4] parameter(0)  b = f32[4] parameter(1)
  ROOT r = f32[4] add(a, b) }
ENTRY e {
  p = f32[4] parameter(0)  q = f32[4] parameter(1)
  s = ((f32[4]), (), s32[]) call-start(p), to_apply=f
  u = ((f32[4], f32[4]), f32[4], s32[]) call-update(s, q)
  ROOT d = f32[4] call-done(u)
})";
  for (int32_t parameter : {0, 1})
    EXPECT_EQ(reads(text, parameter),
              "cover:\n  (d0)[s0] -> (s0), domain: d0 in [0, 3], "
              "s0 in [0, 3]");
}

// The result of these starts is the result itself, or (operand, result, …).
TEST(ControlFlowTest, DoneOfCollectives) {
  const std::string text = R"(
ENTRY e {
  p = (f32[4], f32[8]) parameter(0)
  g = f32[8] all-gather-done(p)
  q = f32[8] parameter(1)
  r = f32[8] all-reduce-done(q)
  ROOT t = (f32[8], f32[8]) tuple(g, r)
})";
  const std::string identity = "exact:\n  (d0) -> (d0), domain: d0 in [0, 7]";
  EXPECT_EQ(reads(text, 0, 0), "exact:");
  EXPECT_EQ(reads(text, 0, 1), identity);
  EXPECT_EQ(reads(text, 1, 0, kReads, 1), identity);
}

//===-- Errors ------------------------------------------------------------===//

std::string error(const std::string &root) {
  auto program = parseHlo(R"(HloModule m
f { a = f32[6] parameter(0) ROOT r = f32[6] copy(a) }
g { a = f32[5] parameter(0) ROOT r = f32[5] copy(a) }
two { a = f32[6] parameter(0) b = f32[6] parameter(1)
  ROOT r = f32[6] add(a, b) }
ENTRY e {
  p = pred[] parameter(0)  i = s32[] parameter(1)  x = f32[6] parameter(2)
  ROOT r = )" + root + "\n}");
  if (program.ok()) return "no error";
  EXPECT_TRUE(placeOf(program.status()).has_value());
  EXPECT_EQ(placeOf(program.status())->line, 8);
  return std::string(program.status().message());
}

TEST(ControlFlowTest, ErrorsNameWhatIsWrong) {
  struct Row {
    const char *root, *message;
  };
  const Row rows[] = {
      {"f32[6] conditional(p, x, x)",
       "`conditional` needs the attribute `branch_computations`, the "
       "computations to choose from"},
      {"f32[6] conditional(x, x, x), branch_computations={f, f}",
       "operand 0 of `conditional` chooses the branch: pred[] or s32[], not "
       "f32[6]"},
      {"f32[6] conditional(p, x, x, x), branch_computations={f, f, f}",
       "`conditional` by a pred[] has 3 branches; it would have 2"},
      {"f32[6] conditional(i, x), branch_computations={f, f}",
       "`conditional` takes the choice and one operand a branch: 3 operands, "
       "here it has 2"},
      {"f32[6] conditional(i, x, x), branch_computations={f, g}",
       "parameter 0 of `g` is f32[5], `r` hands it f32[6]"},
      {"f32[5] conditional(i, x), branch_computations={f}",
       "`f` returns f32[6], `r` is f32[5]"},
      {"f32[6] conditional(i, x), branch_computations={two}",
       "`two` has 2 parameters, `r` hands it 1"},
      {"((f32[6]), f32[6], s32[]) async-start(x)",
       "`async-start` needs the attribute `calls`, the computation that it "
       "starts"},
      {"((f32[6]), f32[5], s32[]) async-start(x), calls=f",
       "`f` returns f32[6], `r` is f32[5]"},
      {"((f32[6]), f32[5], s32[]) async-start(x), calls=g",
       "parameter 0 of `g` is f32[5], `r` hands it f32[6]"},
      {"(f32[6], f32[6], s32[]) async-start(x), calls=f",
       "the result of `async-start` must be ((operands…), result, contexts…), "
       "its operands first, not (f32[6], f32[6], s32[])"},
      {"((f32[6]), f32[6], s32[]) parameter-start(x)",
       "`parameter` is not an op that can be started"},
      {"((f32[6]), f32[6], s32[]) async-start-start(x), calls=f",
       "`async-start` is not an op that can be started"},
      {"((f32[6]), f32[6], s32[]) add-start(x)",
       "`add-start` takes 2 operands, here it has 1"},
      {"((f32[6]), f32[2], s32[]) slice-start(x), slice={[0:3]}",
       "result must have the shape {3}, ceil((limit - start) / stride), but "
       "has f32[2] (C5)"},
      {"f32[6] slice-done(x), slice={[0:3]}", "no error"},
      {"f32[5] slice-done(x)",
       "the operand of `slice-done` must hold its result, f32[5], behind its "
       "operands; it is f32[6]"},
      {"f32[5] slice-update(x)",
       "`slice-update` hands on its operand, f32[6]; the result cannot be "
       "f32[5]"},
  };
  for (const Row &row : rows) EXPECT_EQ(error(row.root), row.message);
}

}  // namespace
}  // namespace indexical::testing
