// How the work grows with a kernel, counted and not timed: depths are doubled,
// and the steps that reading takes stay within a few times as many. A stop ends
// the reading at any of its polls.

#include <array>
#include <string>

#include "absl/strings/str_cat.h"
#include <gtest/gtest.h>

#include "indexical/import/triton/read.h"
#include "indexical/program/kernel/canonical_terms.h"
#include "indexical/program/kernel/pieces.h"
#include "indexical/program/kernel/terms.h"

namespace indexical::kernels {
namespace {

ReadOptions onePrograms() {
  ReadOptions options;
  options.grid = std::array<int64_t, 3>{4, 1, 1};
  options.warps = 1;
  return options;
}

/// Returns the fewest ops to be followed with which the kernel is complete.
int64_t stepsOf(const std::string &text) {
  int64_t least = 0, most = ReadOptions::kMostSteps;
  while (most - least > 1) {
    ReadOptions options = onePrograms();
    options.steps = least + (most - least) / 2;
    const auto kernel = parseKernel(text, options);
    EXPECT_TRUE(kernel.ok()) << kernel.status();
    if (!kernel.ok()) return -1;
    (kernel->incomplete ? least : most) = options.steps;
  }
  return most;
}

/// A loop in a loop in a loop, the innermost with a store; each carries a
/// pointer on.
std::string nestedLoops(int depth) {
  std::string text =
      "tt.func @k(%y: !tt.ptr<i32>) {\n"
      "%one = arith.constant 1 : i32\n%two = arith.constant 2 : i32\n"
      "%zero = arith.constant 0 : i32\n";
  std::string pointer = "%y";
  for (int k = 0; k < depth; ++k) {
    absl::StrAppend(&text, "%r", k, " = scf.for %i", k,
                    " = %zero to %two step %one iter_args(%p", k, " = ",
                    pointer, ") -> (!tt.ptr<i32>) : i32 {\n");
    pointer = absl::StrCat("%p", k);
  }
  absl::StrAppend(&text, "tt.store ", pointer, ", %one : !tt.ptr<i32>\n");
  for (int k = depth; k-- > 0;) {
    const std::string inner =
        k + 1 == depth ? pointer : absl::StrCat("%r", k + 1);
    absl::StrAppend(&text, "%q", k, " = tt.addptr ", inner,
                    ", %one : !tt.ptr<i32>, i32\nscf.yield %q", k,
                    " : !tt.ptr<i32>\n}\n");
  }
  return text + "tt.return\n}\n";
}

TEST(Growth, OfLoopsInLoops) {
  // Each of d loops is traced dry once for each loop around it.
  const int64_t few = stepsOf(nestedLoops(10));
  EXPECT_LE(stepsOf(nestedLoops(20)), 5 * few);
  EXPECT_LE(stepsOf(nestedLoops(40)), 20 * few);
}

/// Functions that call the next one twice, the last one with a store.
std::string nestedCalls(int depth) {
  std::string text = "module {\n";
  for (int k = 0; k < depth; ++k) {
    absl::StrAppend(&text, "tt.func private @f", k, "(%y: !tt.ptr<i32>) {\n");
    for (int twice = 0; twice < 2; ++twice)
      absl::StrAppend(&text, "tt.call @f", k + 1,
                      "(%y) : (!tt.ptr<i32>) -> ()\n");
    text += "tt.return\n}\n";
  }
  absl::StrAppend(&text, "tt.func private @f", depth,
                  "(%y: !tt.ptr<i32>) {\n%c = arith.constant 1 : i32\n"
                  "tt.store %y, %c : !tt.ptr<i32>\ntt.return\n}\n"
                  "tt.func public @k(%y: !tt.ptr<i32>) {\n"
                  "tt.call @f0(%y) : (!tt.ptr<i32>) -> ()\ntt.return\n}\n}\n");
  return text;
}

TEST(Growth, OfCallsOfCallsHasALimitWithAName) {
  const auto few = parseKernel(nestedCalls(5), onePrograms());
  ASSERT_TRUE(few.ok());
  EXPECT_FALSE(few->incomplete);
  EXPECT_EQ(few->accesses.size(), 32u);
  const auto many = parseKernel(nestedCalls(14), onePrograms());
  ASSERT_TRUE(many.ok());
  ASSERT_TRUE(many->incomplete);
  EXPECT_EQ(many->incomplete->reason,
            "the kernel has more than 4096 accesses, counted again in each "
            "call");
  EXPECT_EQ(many->accesses.size(), 4096u);
  ReadOptions options = onePrograms();
  options.steps = 20;
  const auto ended = parseKernel(nestedCalls(5), options);
  ASSERT_TRUE(ended.ok());
  ASSERT_TRUE(ended->incomplete);
  EXPECT_EQ(ended->incomplete->reason,
            "the kernel has more than 20 ops, counted again in each call and "
            "loop");
}

/// Returns the steps that a mask takes which is made of one comparison and of
/// `depth` conditions over it.
template <typename Next>
int64_t stepsOfMask(int depth, Next next) {
  Terms terms;
  const TermId program = terms.leaf(TermKind::Program, 0, 32);
  TermId mask =
      terms.make(TermKind::LessS, 1, {program, terms.constant(3, 32)});
  for (int k = 0; k < depth; ++k) mask = next(terms, mask, program, k);
  PieceSpace space;
  space.grid = {8, 1, 1};
  PieceMaker maker(terms, space);
  const auto maps = maker.elements(terms.leaf(TermKind::Pointer, 0, 64), mask);
  EXPECT_TRUE(maps.ok()) << maps.status();
  return maker.steps();
}

template <typename Next>
void expectLinear(Next next) {
  const int64_t few = stepsOfMask(50, next);
  EXPECT_LE(stepsOfMask(100, next), 2 * few + 10);
  EXPECT_LE(stepsOfMask(200, next), 4 * few + 20);
}

TEST(Growth, OfMasksOfMasks) {
  expectLinear([](Terms &terms, TermId mask, TermId, int) {
    return terms.make(TermKind::Xor, 1, {mask, terms.constant(1, 1)});
  });
  // The two sides of `and` and `or` share what is below.
  expectLinear([](Terms &terms, TermId mask, TermId program, int k) {
    const TermId other = terms.make(TermKind::LessS, 1,
                                    {program, terms.constant(3 + k % 2, 32)});
    const TermId any = terms.make(TermKind::Or, 1, {mask, other});
    return terms.make(TermKind::And, 1, {any, mask});
  });
  expectLinear([](Terms &terms, TermId mask, TermId program, int k) {
    const TermId other =
        terms.make(TermKind::Equal, 1, {program, terms.constant(k % 3, 32)});
    return terms.make(TermKind::Select, 1, {mask, other, mask});
  });
}

TEST(Growth, OfDeepMasksEndsWithAReason) {
  Terms terms;
  const TermId program = terms.leaf(TermKind::Program, 0, 32);
  TermId mask =
      terms.make(TermKind::LessS, 1, {program, terms.constant(3, 32)});
  for (int k = 0; k < 100'000; ++k)
    mask = terms.make(TermKind::Xor, 1, {mask, terms.constant(1, 1)});
  PieceMaker maker(terms, PieceSpace());
  const auto maps = maker.elements(terms.leaf(TermKind::Pointer, 0, 64), mask);
  ASSERT_FALSE(maps.ok());
  EXPECT_EQ(maps.status().message(),
            "a mask is more than 1000 conditions deep");
}

TEST(Growth, OfSquaresOfSquares) {
  Terms terms;
  TermId square = terms.leaf(TermKind::Program, 0, 32);
  for (int k = 0; k < 60; ++k)
    square = terms.make(TermKind::Mul, 32, {square, square});
  const size_t before = terms.size();
  canonical(terms, square);
  EXPECT_LE(terms.size(), before + 2000);
}

/// Whatever poll ends the reading, it gives an error or the whole kernel.
TEST(Growth, EndsAtEveryPoll) {
  std::string text = nestedLoops(6);
  const auto whole = parseKernel(text, onePrograms());
  ASSERT_TRUE(whole.ok());
  int ended = 0;
  for (int64_t poll = 1; poll < 100; ++poll) {
    Stop stop;
    stop.endAtPoll(poll);
    ReadOptions options = onePrograms();
    options.stop = &stop;
    const auto kernel = parseKernel(text, options);
    if (!kernel.ok()) {
      EXPECT_EQ(kernel.status().code(), absl::StatusCode::kCancelled);
      ++ended;
      continue;
    }
    EXPECT_FALSE(kernel->incomplete);
    ASSERT_EQ(kernel->accesses.size(), whole->accesses.size());
    for (size_t k = 0; k < whole->accesses.size(); ++k)
      EXPECT_EQ(kernel->accesses[k].maps.size(),
                whole->accesses[k].maps.size());
  }
  EXPECT_GT(ended, 10);
}

}  // namespace
}  // namespace indexical::kernels
