// The graph of a module, compared with searches through all instructions of
// random modules. What a root passes on is compared with its maps.
//
//   INDEXICAL_PROGRAMS=20      20 times as many random modules
#include "indexical/program/maps/program_graph.h"

#include <algorithm>
#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/ops/families.h"
#include "tests/support/program_reads.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

using Use = std::pair<InstructionId, LeafId>;

bool operator==(const OperandLeaf &a, const OperandLeaf &b) {
  return a.instruction == b.instruction && a.result == b.result &&
         a.operand == b.operand && a.leaf == b.leaf;
}

class Checker {
 public:
  Checker(const Module &module, ComputationId c)
      : module(module),
        c(c),
        computation(module.computations[c]),
        count(computation.instructions.size()),
        graph(module) {}

  void check() {
    checkOrder();
    checkLeavesAndUses();
    checkWays();
    checkPassed();
  }

  void checkLeavesAndUses() {
    checkOperandLeaves();
    checkUses();
  }

 private:
  void checkOrder() {
    const auto order = graph.order(c);
    const auto positions = graph.positions(c);
    ASSERT_EQ(order.size(), count);
    ASSERT_EQ(positions.size(), count);
    for (size_t k = 0; k < count; ++k) {
      EXPECT_EQ(positions[order[k]], static_cast<int32_t>(k));
      for (int32_t operand : computation.instructions[order[k]].operands)
        EXPECT_LT(positions[operand], static_cast<int32_t>(k));
    }
  }

  void checkOperandLeaves() {
    for (size_t i = 0; i < count; ++i) {
      const auto leaves = computation.operandLeaves(InstructionId(i));
      const InstructionId at(i);
      ASSERT_EQ(graph.operandLeafCount(c, at),
                static_cast<int64_t>(leaves.size()));
      ASSERT_EQ(graph.operandLeaves(c, at).size(), leaves.size());
      for (LeafId l; l < static_cast<int64_t>(leaves.size()); ++l) {
        EXPECT_TRUE(computation.operandLeaf(at, l) == leaves[l]);
        EXPECT_TRUE(graph.operandLeaf(c, at, l) == leaves[l]);
        EXPECT_TRUE(graph.operandLeaves(c, at)[l] == leaves[l]);
      }
      const LeafId end(static_cast<int64_t>(leaves.size()));
      EXPECT_EQ(computation.operandLeaf(at, end).instruction, -1);
    }
  }

  /// Returns the operand leaves that are this leaf, one instruction after
  /// another.
  std::vector<Use> searchedUses(InstructionLeaf producer) {
    std::vector<Use> uses;
    for (InstructionId i(0); i < static_cast<int32_t>(count); ++i) {
      const auto leaves = computation.operandLeaves(i);
      const auto *hands = computation.instructions[i].op.as<ForwardOp>();
      for (LeafId l; l < static_cast<int64_t>(leaves.size()); ++l)
        if (leaves[l].instruction == producer.instruction &&
            leaves[l].result == producer.leaf &&
            (!hands || llvm::is_contained(hands->reads, l)))
          uses.push_back({i, l});
    }
    return uses;
  }

  void checkUses() {
    for (InstructionId i(0); i < static_cast<int32_t>(count); ++i) {
      const int64_t leaves = computation.instructions[i].shape.leafCount();
      for (LeafId l; l < leaves; ++l) {
        std::vector<Use> uses;
        graph.forUses(c, {i, l}, [&](InstructionId user, LeafId leaf) {
          uses.push_back({user, leaf});
        });
        std::sort(uses.begin(), uses.end());
        EXPECT_EQ(uses, searchedUses({i, l})) << i << ", leaf " << l;
      }
    }
  }

  void addBelow(int32_t user, std::vector<bool> &below) {
    below[user] = true;
    for (int32_t operand : computation.instructions[user].operands)
      if (!below[operand]) addBelow(operand, below);
  }

  void checkWays() {
    std::vector<std::vector<bool>> below(count, std::vector<bool>(count));
    for (size_t i = 0; i < count; ++i) {
      addBelow(i, below[i]);
      EXPECT_EQ(graph.below(c, InstructionId(i)), below[i]);
    }
    for (size_t user = 0; user < count; ++user)
      for (size_t producer = 0; producer < count; ++producer) {
        std::vector<bool> between(count);
        for (size_t i = 0; i < count; ++i)
          between[i] = below[user][i] && below[i][producer];
        EXPECT_EQ(
            graph.between(c, InstructionId(user), InstructionId(producer)),
            between);
      }
  }

  /// A leaf that is passed on has one map, the identity, and of that parameter.
  void checkPassed() {
    const auto passed = graph.passed(c);
    const Instruction &root = computation.instructions[computation.root];
    ASSERT_EQ(static_cast<int64_t>(passed.size()), root.shape.leafCount());
    ProgramIndexing maps(module);
    for (size_t r = 0; r < passed.size(); ++r) {
      if (passed[r].parameter < 0) continue;
      auto reads = maps.computation(c, LeafId(r), passed[r], kReads);
      ASSERT_TRUE(reads.ok()) << reads.status();
      ASSERT_EQ(reads->pieces().size(), 1u);
      EXPECT_TRUE(isIdentity(reads->pieces()[0], shapesOf(root.op).results[r]));
      ++found;
    }
  }

 public:
  int found = 0;  ///< leaves that are passed on

 private:
  const Module &module;
  const ComputationId c;
  const Computation &computation;
  const size_t count;
  const ProgramGraph graph;
};

TEST(ProgramGraph, AgreesWithSearchesInRandomModules) {
  const char *factor = std::getenv("INDEXICAL_PROGRAMS");
  const int modules = 200 * (factor ? std::atoi(factor) : 1);
  int passed = 0;
  for (int seed = 1; seed <= modules; ++seed) {
    Random random(seed);
    const std::string text = randomProgram(random);
    const Program program = parsed(text);
    ASSERT_FALSE(program.modules.empty());
    const Module &module = program.modules[0];
    for (size_t c = 0; c < module.computations.size(); ++c) {
      Checker checker(module, ComputationId(c));
      checker.check();
      passed += checker.found;
    }
    if (HasFailure()) FAIL() << "seed " << seed << "\n" << text;
  }
  EXPECT_GT(passed, 0);
}

// As in MLIR: an operand is leaf 1 of its producer, and leaf 0 has no use.
TEST(ProgramGraph, AnOperandMayBeOneOfSeveralResults) {
  Program program = parsed(R"(
    f {
      x = (f32[8], f32[8]) parameter(0)
      y = f32[8] get-tuple-element(x), index=1
      ROOT n = f32[8] negate(y)
    }
    ENTRY e {
      p = f32[8] parameter(0)
      t = (f32[8], f32[8]) tuple(p, p)
      ROOT c = f32[8] call(t), to_apply=f
    })");
  const ComputationId e = program.modules[0].entry;
  Computation &entry = program.modules[0].computations[e];
  Instruction &call = entry.instructions[entry.root];
  call.operands = {InstructionId(0), InstructionId(1)};
  call.elements = {-1, 1};
  Checker(program.modules[0], e).checkLeavesAndUses();
  const ProgramGraph graph(program.modules[0]);
  std::vector<int64_t> uses;
  graph.forUses(e, {InstructionId(1), LeafId(1)},
                [&](InstructionId, LeafId leaf) { uses.push_back(leaf); });
  EXPECT_EQ(uses, std::vector<int64_t>{1});
}

/// Returns what the entry's root passes on, as `parameter.leaf`.
std::string passedBy(const std::string &text) {
  const Program program = parsed(text);
  const Module &module = program.modules[0];
  const ProgramGraph graph(module);
  std::string all;
  for (const ParameterLeaf &leaf : graph.passed(module.entry))
    all += leaf.parameter < 0 ? "new "
                              : std::to_string(leaf.parameter) + "." +
                                    std::to_string(leaf.leaf) + " ";
  return all;
}

// Nothing is solved here: that a call or a loop passes a leaf on follows from
// the module.
TEST(Callees, WhatIsAppliedIsNotCalled) {
  auto program = parseHlo(R"(
    add { a = f32[] parameter(0)
          b = f32[] parameter(1)
          ROOT s = f32[] add(a, b) }
    twice { p = f32[4] parameter(0)
            ROOT t = f32[4] add(p, p) }
    ENTRY e { x = f32[4] parameter(0)
              z = f32[] constant(0)
              c = f32[4] call(x), to_apply=twice
              f = f32[4] fusion(c), kind=kLoop, calls=twice
              ROOT r = f32[] reduce(f, z), dimensions={0}, to_apply=add }
  )");
  ASSERT_TRUE(program.ok()) << program.status();
  const Module &module = program->modules[0];
  const Computation &entry = module.computations[module.entry];
  for (const char *name : {"c", "f"}) {
    const auto callee = calleeOfCall(entry.instructions[entry.find(name)]);
    ASSERT_TRUE(callee) << name;
    EXPECT_EQ(callee->computation, module.find("twice"));
  }
  EXPECT_FALSE(calleeOfCall(entry.instructions[entry.find("r")]));
}

TEST(ProgramGraph, LooksThroughCallsAndLoops) {
  EXPECT_EQ(passedBy(R"(
    f {
      x = f32[8] parameter(0)
      y = f32[8] parameter(1)
      n = f32[8] negate(y)
      ROOT t = (f32[8], f32[8], f32[8]) tuple(y, n, x)
    }
    body {
      s = (f32[8], f32[8], s32[]) parameter(0)
      a = f32[8] get-tuple-element(s), index=0
      b = f32[8] get-tuple-element(s), index=1
      k = s32[] get-tuple-element(s), index=2
      n = f32[8] negate(b)
      c = s32[] copy(k)
      ROOT r = (f32[8], f32[8], s32[]) tuple(a, n, c)
    }
    condition {
      s = (f32[8], f32[8], s32[]) parameter(0)
      ROOT p = pred[] constant(false)
    }
    ENTRY e {
      p = f32[8] parameter(0)
      q = (f32[8], s32[]) parameter(1)
      q0 = f32[8] get-tuple-element(q), index=0
      q1 = s32[] get-tuple-element(q), index=1
      c = (f32[8], f32[8], f32[8]) call(p, q0), to_apply=f
      c0 = f32[8] get-tuple-element(c), index=0
      c2 = f32[8] get-tuple-element(c), index=2
      t = (f32[8], f32[8], s32[]) tuple(c0, c2, q1)
      w = (f32[8], f32[8], s32[]) while(t), body=body, condition=condition
      w0 = f32[8] get-tuple-element(w), index=0
      w1 = f32[8] get-tuple-element(w), index=1
      w2 = s32[] get-tuple-element(w), index=2
      ROOT r = (f32[8], f32[8], s32[], f32[8]) tuple(w0, w1, w2, c2)
    })"),
            "1.0 new 1.1 0.0 ");
}

// Two states that change places are not kept.
TEST(ProgramGraph, ALoopThatSwapsPassesNothingOn) {
  EXPECT_EQ(passedBy(R"(
    body {
      s = (f32[8], f32[8]) parameter(0)
      a = f32[8] get-tuple-element(s), index=0
      b = f32[8] get-tuple-element(s), index=1
      ROOT r = (f32[8], f32[8]) tuple(b, a)
    }
    condition {
      s = (f32[8], f32[8]) parameter(0)
      ROOT p = pred[] constant(false)
    }
    ENTRY e {
      p = f32[8] parameter(0)
      q = f32[8] parameter(1)
      t = (f32[8], f32[8]) tuple(p, q)
      ROOT w = (f32[8], f32[8]) while(t), body=body, condition=condition
    })"),
            "new new ");
}

}  // namespace
}  // namespace indexical::testing
