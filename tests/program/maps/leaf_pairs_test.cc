// The pairs of leaves that are named are all of which there is something to
// read: of calls, branches and loops over tuples.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "gtest/gtest.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/alike_pairs.h"
#include "indexical/program/maps/parameters_below.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/loop_leaves.h"
#include "tests/support/program_reads.h"
#include "tests/support/random.h"
#include "tests/support/random_programs.h"

namespace indexical::testing {
namespace {

using Pairs = std::vector<std::pair<int64_t, int64_t>>;

Pairs pairsOf(ProgramIndexing &maps, ComputationId c, InstructionId i) {
  Pairs pairs;
  for (const LeafPair &pair : maps.instructionPairs(c, i))
    pairs.push_back({pair.result, pair.leaf});
  const LeafPairs range = maps.pairsOf(c, i);
  EXPECT_EQ(range.size(), static_cast<int64_t>(pairs.size()));
  Pairs ranged;
  for (const LeafPair &pair : range) ranged.push_back({pair.result, pair.leaf});
  EXPECT_EQ(ranged, pairs);
  return pairs;
}

/// Returns the pairs whose relation has a piece, each asked for by itself.
Pairs readPairs(const Module &module, ComputationId c, InstructionId i) {
  ProgramIndexing maps(module);
  const Computation &computation = module.computations[c];
  const int64_t results = computation.instructions[i].shape.leafCount();
  const int64_t operands = computation.operandLeaves(i).size();
  Pairs pairs;
  for (int64_t r = 0; r < results; ++r)
    for (int64_t l = 0; l < operands; ++l) {
      auto reads = maps.instruction({c, i, LeafId(r)}, LeafId(l), kReads);
      auto users = maps.instruction({c, i, LeafId(r)}, LeafId(l), kUsers);
      EXPECT_TRUE(reads.ok() && users.ok());
      if (!reads->isEmpty() || !users->isEmpty()) pairs.push_back({r, l});
    }
  return pairs;
}

/// Returns the pairs of the entry's root.
Pairs pairsOfRoot(const std::string &text) {
  const Program program = parsed(text);
  const Module &module = program.modules.at(0);
  const InstructionId root = module.computations[module.entry].root;
  EXPECT_EQ(readPairs(module, module.entry, root), [&] {
    ProgramIndexing maps(module);
    return pairsOf(maps, module.entry, root);
  }());
  ProgramIndexing maps(module);
  return pairsOf(maps, module.entry, root);
}

constexpr char kThree[] = "(f32[4], f32[4], s32[])";

std::string element(const std::string &name, const std::string &shape,
                    int index) {
  return name + " = " + shape +
         " get-tuple-element(s), index=" + std::to_string(index) + "\n";
}

TEST(LeafPairsTest, ACallReadsWhatItsRootReads) {
  const std::string three = kThree;
  EXPECT_EQ(pairsOfRoot("HloModule m\nf { s = " + three + " parameter(0)\n" +
                        element("x", "f32[4]", 0) + element("i", "s32[]", 2) +
                        "n = f32[4] negate(x)\n"
                        "ROOT t = (f32[4], s32[], f32[4]) tuple(n, i, x) }\n"
                        "ENTRY e { p = " +
                        three +
                        " parameter(0)\nROOT c = (f32[4], s32[], f32[4]) "
                        "call(p), to_apply=f }\n"),
            (Pairs{{0, 0}, {1, 2}, {2, 0}}));
}

TEST(LeafPairsTest, AChoiceIsReadByAllResults) {
  const std::string three = kThree;
  const std::string branch =
      " { s = " + three + " parameter(0)\n" + element("x", "f32[4]", 0) +
      element("y", "f32[4]", 1) + "ROOT t = (f32[4], f32[4]) tuple(";
  EXPECT_EQ(pairsOfRoot("HloModule m\nf" + branch + "x, y) }\ng" + branch +
                        "y, y) }\nENTRY e { c = pred[] parameter(0)\np = " +
                        three + " parameter(1)\nq = " + three +
                        " parameter(2)\nROOT r = (f32[4], f32[4]) "
                        "conditional(c, p, q), true_computation=f, "
                        "false_computation=g }\n"),
            (Pairs{{0, 0}, {0, 1}, {0, 5}, {1, 0}, {1, 2}, {1, 5}}));
}

TEST(LeafPairsTest, WhatALoopLeavesReadsItself) {
  const std::string three = kThree;
  EXPECT_EQ(pairsOfRoot("HloModule m\nc { s = " + three + " parameter(0)\n" +
                        element("i", "s32[]", 2) +
                        "ROOT l = pred[] compare(i, i), direction=LT }\n"
                        "b { s = " +
                        three + " parameter(0)\n" + element("x", "f32[4]", 0) +
                        element("y", "f32[4]", 1) + element("i", "s32[]", 2) +
                        "n = f32[4] negate(x)\nROOT t = " + three +
                        " tuple(n, y, i) }\nENTRY e { p = " + three +
                        " parameter(0)\nROOT w = " + three +
                        " while(p), condition=c, body=b }\n"),
            (Pairs{{0, 0}, {0, 2}, {1, 1}, {2, 2}}));
}

/// Every pair of the loop that has maps is one that the flow of arrays has.
void expectFollowed(const Module &module, ComputationId c, InstructionId i) {
  LoopLeaves loops(module);
  for (const auto &[result, operand] : readPairs(module, c, i)) {
    const auto followed = loops.of(c, i, LeafId(result));
    if (!followed) continue;
    EXPECT_TRUE(llvm::is_contained(*followed, operand))
        << module.computations[c].instructions[i].name.str() << ": " << result
        << ", " << operand;
  }
}

/// A loop that carries a counter and `n` arrays, of which `body` makes the next
/// ones: it names them i, x1, x2, and so on.
std::string loopOf(int n, const std::string &next) {
  std::string shape = "(s32[]";
  for (int k = 0; k < n; ++k) shape += ", f32[4]";
  shape += ")";
  const std::string begin =
      "{ s = " + shape + " parameter(0)\n" + element("i", "s32[]", 0);
  std::string body =
      "b " + begin + "one = s32[] constant(1)\n" + "j = s32[] add(i, one)\n";
  for (int k = 1; k <= n; ++k)
    body += element("x" + std::to_string(k), "f32[4]", k);
  return "HloModule m\n" + body + next + "c " + begin +
         "k = s32[] constant(9)\n"
         "ROOT l = pred[] compare(i, k), direction=LT }\nENTRY e { p = " +
         shape + " parameter(0)\nROOT w = " + shape +
         " while(p), condition=c, body=b }\n";
}

TEST(LoopLeavesTest, AResultDependsOnWhatItsTripsRead) {
  const Program program = parsed(loopOf(
      3,
      "y = f32[4] add(x2, x3)\n"
      "ROOT t = (s32[], f32[4], f32[4], f32[4]) tuple(j, x1, x1, y) }\n"));
  const Module &module = program.modules.at(0);
  const InstructionId root = module.computations[module.entry].root;
  expectFollowed(module, module.entry, root);
  LoopLeaves loops(module);
  auto of = [&](int64_t result) {
    return loops.of(module.entry, root, LeafId(result)).value().vec();
  };
  EXPECT_EQ(of(0), std::vector<int64_t>({0}));
  EXPECT_EQ(of(1), std::vector<int64_t>({0, 1}));
  EXPECT_EQ(of(2), std::vector<int64_t>({0, 1, 2}));
  EXPECT_EQ(of(3), std::vector<int64_t>({0, 1, 2, 3}));
  EXPECT_FALSE(loops.of(module.entry,
                        module.computations[module.entry].parameters[0],
                        LeafId(0)));
}

TEST(LeafPairsTest, NoOthersOfRandomProgramsHavePieces) {
  int64_t named = 0, others = 0;
  for (uint64_t seed = 1; seed <= 300; ++seed) {
    Random random(seed);
    const Program program = parsed(randomProgram(random));
    const Module &module = program.modules.at(0);
    for (ComputationId c(0);
         c < static_cast<int32_t>(module.computations.size()); ++c) {
      const Computation &computation = module.computations[c];
      for (InstructionId i(0);
           i < static_cast<int32_t>(computation.instructions.size()); ++i) {
        if (computation.instructions[i].called.empty()) continue;
        ProgramIndexing maps(module);
        const Pairs pairs = pairsOf(maps, c, i);
        expectFollowed(module, c, i);
        const std::set<std::pair<int64_t, int64_t>> there(pairs.begin(),
                                                          pairs.end());
        EXPECT_EQ(there.size(), pairs.size()) << "seed " << seed;
        EXPECT_TRUE(std::is_sorted(pairs.begin(), pairs.end()));
        for (const auto &pair : readPairs(module, c, i))
          EXPECT_TRUE(there.count(pair))
              << "seed " << seed << ", "
              << computation.instructions[i].name.str() << ": " << pair.first
              << ", " << pair.second;
        named += pairs.size();
        others += computation.instructions[i].shape.leafCount() *
                      computation.operandLeaves(i).size() -
                  pairs.size();
      }
    }
  }
  // Programs with calls are what this test is for.
  EXPECT_GT(named, 100);
  EXPECT_GT(others, 20);
}

/// Returns the parameters' leaves that operands lead to from here.
std::set<InstructionLeaf> metFrom(const Computation &entry,
                                  InstructionLeaf from) {
  std::set<InstructionLeaf> seen, met;
  std::vector<InstructionLeaf> stack = {from};
  while (!stack.empty()) {
    const InstructionLeaf leaf = stack.back();
    stack.pop_back();
    if (!seen.insert(leaf).second) continue;
    if (entry.instructions[leaf.instruction].parameterNumber >= 0)
      met.insert(leaf);
    for (const OperandLeaf &operand : entry.operandLeaves(leaf.instruction))
      stack.push_back({operand.instruction, operand.result});
  }
  return met;
}

TEST(ParametersBelow, HasWhatIsReadAndNoMoreThanOperandsLeadTo) {
  int64_t read = 0, there = 0, met = 0;
  for (uint64_t seed = 1; seed <= fromEnvironment("INDEXICAL_PROGRAMS", 150);
       ++seed) {
    Random random(seed);
    const Program program = parsed(randomProgram(random));
    for (const Module &module : program.modules) {
      const Computation &entry = module.computations[module.entry];
      ProgramIndexing maps(module);
      LoopLeaves loops(module);
      std::vector<InstructionLeaf> leaves;
      std::map<InstructionLeaf, int32_t> numbers;
      for (InstructionId i : entry.parameters)
        for (int64_t l = 0; l < entry.instructions[i].shape.leafCount(); ++l) {
          numbers[{i, LeafId(l)}] = leaves.size();
          leaves.push_back({i, LeafId(l)});
        }
      const ParametersBelow below(
          module, loops, maps,
          [&](InstructionLeaf leaf) { return numbers.at(leaf); });
      for (InstructionId i(0);
           i < static_cast<int32_t>(entry.instructions.size()); ++i)
        for (int64_t l = 0; l < entry.instructions[i].shape.leafCount(); ++l) {
          const auto found = below.of({i, LeafId(l)});
          ASSERT_TRUE(found) << "seed " << seed;
          EXPECT_TRUE(llvm::is_sorted(*found));
          const auto most = metFrom(entry, {i, LeafId(l)});
          for (int32_t number : *found)
            EXPECT_TRUE(most.count(leaves[number]))
                << "seed " << seed << ", " << entry.instructions[i].name.str();
          there += found->size();
          met += most.size();
          for (size_t p = 0; p < leaves.size(); ++p) {
            const Leaf to = {module.entry, leaves[p].instruction,
                             leaves[p].leaf};
            auto reads = maps.between({module.entry, i, LeafId(l)}, to, kReads);
            if (!reads.ok() || reads->isEmpty()) continue;
            ++read;
            EXPECT_TRUE(llvm::is_contained(*found, static_cast<int32_t>(p)))
                << "seed " << seed << ", " << entry.instructions[i].name.str();
          }
        }
    }
  }
  EXPECT_GT(read, 100);
  EXPECT_LE(read, there);
  EXPECT_LE(there, met);
}

TEST(ParametersBelow, FollowsLoopsLeafByLeaf) {
  const Program program = parsed(
      "body { p = (s32[], f32[8], f32[8]) parameter(0)\n"
      " i = s32[] get-tuple-element(p), index=0\n"
      " x = f32[8] get-tuple-element(p), index=1\n"
      " y = f32[8] get-tuple-element(p), index=2\n"
      " one = s32[] constant(1)\n j = s32[] add(i, one)\n"
      " z = f32[8] add(x, y)\n"
      " ROOT r = (s32[], f32[8], f32[8]) tuple(j, x, z) }\n"
      "cond { p = (s32[], f32[8], f32[8]) parameter(0)\n"
      " i = s32[] get-tuple-element(p), index=0\n"
      " k = s32[] constant(9)\n"
      " ROOT r = pred[] compare(i, k), direction=LT }\n"
      "ENTRY e { p = (s32[], f32[8], f32[8]) parameter(0)\n"
      " ROOT w = (s32[], f32[8], f32[8]) while(p), condition=cond, "
      "body=body }\n");
  const Module &module = program.modules.at(0);
  ProgramIndexing maps(module);
  LoopLeaves loops(module);
  const ParametersBelow below(module, loops, maps, [](InstructionLeaf leaf) {
    return static_cast<int32_t>(leaf.leaf);
  });
  const InstructionId root = module.computations[module.entry].root;
  using Numbers = std::vector<int32_t>;
  EXPECT_EQ(below.of({root, LeafId(0)}), Numbers({0}));
  EXPECT_EQ(below.of({root, LeafId(1)}), Numbers({0, 1}));
  EXPECT_EQ(below.of({root, LeafId(2)}), Numbers({0, 1, 2}));
}

void expectAlike(const Op &op) {
  ASSERT_TRUE(verify(op).ok());
  EXPECT_TRUE(hasAlikePairs(op));
  const OpShapes &shapes = shapesOf(op);
  std::set<std::pair<int64_t, int64_t>> firsts;
  for (size_t r = 0; r < shapes.results.size(); ++r)
    for (size_t k = 0; k < shapes.operands.size(); ++k) {
      const auto [result, operand] = alikePair(op, r, k);
      firsts.insert({result, operand});
      for (Direction direction : {kReads, kUsers})
        EXPECT_EQ(*indexing(op, direction, r, k),
                  *indexing(op, direction, result, operand))
            << r << " of " << k;
    }
  EXPECT_LT(firsts.size(), shapes.results.size() * shapes.operands.size());
}

TEST(LeafPairs, AlikePairsSayTheSame) {
  SortOp sort;
  ReduceOp reduce;
  const ElementType types[] = {ElementType::F32, ElementType::S32,
                               ElementType::Pred};
  for (ElementType type : types) {
    sort.operands.push_back(ArrayShape(type, {3, 5}));
    sort.results.push_back(ArrayShape(type, {3, 5}));
    reduce.operands.push_back(ArrayShape(type, {3, 5, 2}));
    reduce.results.push_back(ArrayShape(type, {3, 2}));
  }
  for (ElementType type : types)
    reduce.operands.push_back(ArrayShape(type, {}));
  sort.dimension = 1;
  reduce.dimensions = {1};
  expectAlike(sort);
  expectAlike(reduce);
}

}  // namespace
}  // namespace indexical::testing
