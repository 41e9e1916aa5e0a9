// Indices that are computed: whether two modules read alike, against all runs.
//
// Random expressions of one index of 8 bits, written in two ways, or with one
// change: `equal` says yes only if the modules read the same for each of the
// 256 values, and no only if they do not.
//
//   INDEXICAL_EQUAL_INDICES=20   20 times as many pairs
//   INDEXICAL_SEED=n             beginning with this one
#include <cstdio>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/same/equality/module_equality.h"
#include "tests/support/program_run.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

struct Node;
using NodePtr = std::shared_ptr<Node>;
struct Node {
  std::string op;  // a name of HLO, `x`, a number, or a direction of compare
  std::vector<NodePtr> operands;
};

NodePtr node(std::string op, std::vector<NodePtr> operands = {}) {
  return std::make_shared<Node>(Node{std::move(op), std::move(operands)});
}

const char *const kDirections[] = {"LT", "LE", "GT", "GE"};

NodePtr randomNode(Random &random, int depth, bool isUnsigned) {
  if (depth == 0 || random.oneIn(5)) {
    if (random.oneIn(2)) return node("x");
    return node(std::to_string(random.in(isUnsigned ? 0 : -9, 12)));
  }
  auto child = [&] { return randomNode(random, depth - 1, isUnsigned); };
  switch (random.in(0, 5)) {
    case 0:
      return node("add", {child(), child()});
    case 1:
      return node("subtract", {child(), child()});
    case 2:
      return node(random.oneIn(2) ? "maximum" : "minimum", {child(), child()});
    case 3:
      return node("clamp", {child(), child(), child()});
    default:
      return node(kDirections[random.in(0, 3)],
                  {child(), child(), child(), child()});
  }
}

/// Returns the node with one number or comparison changed.
NodePtr mutated(const NodePtr &of, Random &random, bool isUnsigned) {
  if (of->operands.empty() || random.oneIn(3)) {
    if (of->operands.empty())
      return node(of->op == "x" ? "3" : std::to_string(std::stoll(of->op) + 1));
    if (of->op.size() == 2) {
      NodePtr other = node(kDirections[random.in(0, 3)], of->operands);
      return other;
    }
  }
  NodePtr copy = node(of->op, of->operands);
  NodePtr &child = copy->operands[random.in(0, copy->operands.size() - 1)];
  child = mutated(child, random, isUnsigned);
  return copy;
}

class Writer {
 public:
  Writer(std::string type, bool otherWay)
      : type_(std::move(type)), otherWay_(otherWay) {}

  std::string module(const NodePtr &index) {
    text_ =
        "HloModule m\nENTRY e {\n  p = f32[9] parameter(0)\n  x = " + type_ +
        "[] parameter(1)\n";
    const std::string name = write(index);
    return text_ + "  ROOT r = f32[2] dynamic-slice(p, " + name +
           "), dynamic_slice_sizes={2}\n}\n";
  }

 private:
  std::string define(const std::string &type, const std::string &what) {
    const std::string name = "v" + std::to_string(count_++);
    text_ += "  " + name + " = " + type + "[] " + what + "\n";
    return name;
  }
  std::string choose(const std::string &direction, const std::string &a,
                     const std::string &b, const std::string &yes,
                     const std::string &no) {
    return define(type_, "select(" +
                             define("pred", "compare(" + a + ", " + b +
                                                "), direction=" + direction) +
                             ", " + yes + ", " + no + ")");
  }
  std::string write(const NodePtr &of) {
    if (of->op == "x") return "x";
    if (of->operands.empty()) return define(type_, "constant(" + of->op + ")");
    std::vector<std::string> x;
    for (const NodePtr &operand : of->operands) x.push_back(write(operand));
    if (of->op.size() == 2) {
      if (!otherWay_) return choose(of->op, x[0], x[1], x[2], x[3]);
      const char *turned = of->op == "LT"   ? "GE"
                           : of->op == "LE" ? "GT"
                           : of->op == "GT" ? "LE"
                                            : "LT";
      return choose(turned, x[0], x[1], x[3], x[2]);
    }
    if (otherWay_ && of->op == "maximum")
      return choose("GE", x[0], x[1], x[0], x[1]);
    if (otherWay_ && of->op == "minimum")
      return choose("LT", x[0], x[1], x[0], x[1]);
    if (otherWay_ && of->op == "clamp")
      return define(type_,
                    "minimum(" + x[2] + ", " +
                        define(type_, "maximum(" + x[1] + ", " + x[0] + ")") +
                        ")");
    if (otherWay_ && of->op == "add") std::swap(x[0], x[1]);
    std::string list;
    for (const std::string &name : x) list += (list.empty() ? "" : ", ") + name;
    return define(type_, of->op + "(" + list + ")");
  }

  const std::string type_;
  const bool otherWay_;
  std::string text_;
  int count_ = 0;
};

/// Returns the reads of p in each run: one for each value of the index.
std::vector<std::vector<Pair>> allReads(const Module &module, bool isUnsigned) {
  const Computation &entry = module.computations[0];
  std::vector<std::vector<Pair>> all;
  for (int64_t value = 0; value < 256; ++value) {
    const int64_t x = isUnsigned || value < 128 ? value : value - 256;
    const ProgramRun run(module, 0, {{std::vector<int64_t>(9, 0)}, {{x}}});
    all.push_back(
        run.pairs({entry.root, 0}, ProgramRun::Leaf{entry.parameters[0], 0}));
  }
  return all;
}

TEST(EqualIndicesTest, AgainstAllRuns) {
  const uint64_t first = fromEnvironment("INDEXICAL_SEED", 1);
  const uint64_t count = 400 * fromEnvironment("INDEXICAL_EQUAL_INDICES", 1);
  int64_t said[2] = {0, 0}, open[2] = {0, 0};
  for (uint64_t seed = first; seed < first + count; ++seed) {
    Random random(seed);
    const bool isUnsigned = random.oneIn(3);
    const NodePtr index = randomNode(random, 2, isUnsigned);
    const NodePtr other =
        random.oneIn(2) ? index : mutated(index, random, isUnsigned);
    const std::string type = isUnsigned ? "u8" : "s8";
    const std::string texts[] = {Writer(type, false).module(index),
                                 Writer(type, true).module(other)};
    SCOPED_TRACE("INDEXICAL_SEED=" + std::to_string(seed) + "\n" + texts[0] +
                 texts[1]);
    auto a = parseHlo(texts[0]), b = parseHlo(texts[1]);
    ASSERT_TRUE(a.ok() && b.ok()) << a.status() << b.status();
    const bool same = allReads(a->modules[0], isUnsigned) ==
                      allReads(b->modules[0], isUnsigned);
    auto found = compareReads(a->modules[0], b->modules[0]);
    ASSERT_TRUE(found.ok()) << found.status();
    const Answer answer = found->leaves[0].decision.answer;
    if (answer == Answer::Undecided) {
      ++open[same];
      continue;
    }
    ++said[same];
    EXPECT_EQ(answer == Answer::Yes, same);
    if (HasFailure()) return;
  }
  printf("  equal: %lld, %lld undecided; different: %lld, %lld undecided\n",
         static_cast<long long>(said[1]), static_cast<long long>(open[1]),
         static_cast<long long>(said[0]), static_cast<long long>(open[0]));
  EXPECT_GT(said[1], open[1] * 2);
  EXPECT_GT(said[0] * 2, open[0]);
}

// As JAX writes x[i], and as others do.
TEST(EqualIndicesTest, NegativeIndicesInThreeWays) {
  auto answer = [](const std::string &first, const std::string &second) {
    std::vector<Program> programs;
    for (const std::string &start : {first, second}) {
      auto program = parseHlo(
          "HloModule m\nENTRY e {\n  p = f32[8,3] parameter(0)\n"
          "  i = s32[] parameter(1)\n  z = s32[] constant(0)\n"
          "  n = s32[] constant(8)\n" +
          start +
          "\n  ROOT r = f32[1,3] dynamic-slice(p, s, z), "
          "dynamic_slice_sizes={1,3}\n}\n");
      EXPECT_TRUE(program.ok()) << program.status();
      programs.push_back(*std::move(program));
    }
    auto found = compareReads(programs[0].modules[0], programs[1].modules[0]);
    EXPECT_TRUE(found.ok());
    return found->leaves[0].decision.answer;
  };
  const std::string jax =
      "  c = pred[] compare(i, z), direction=LT\n  a = s32[] add(i, n)\n"
      "  s = s32[] select(c, a, i)";
  EXPECT_EQ(answer(jax,
                   "  c = pred[] compare(i, z), direction=GE\n"
                   "  a = s32[] add(n, i)\n  s = s32[] select(c, i, a)"),
            Answer::Yes);
  // The clamp of the slice, written out.
  EXPECT_EQ(answer(jax,
                   "  c = pred[] compare(i, z), direction=LT\n"
                   "  a = s32[] add(i, n)\n  t = s32[] select(c, a, i)\n"
                   "  l = s32[] constant(7)\n  s = s32[] clamp(z, t, l)"),
            Answer::Yes);
  EXPECT_EQ(answer(jax, "  s = s32[] copy(i)"), Answer::No);
  EXPECT_EQ(answer(jax,
                   "  c = pred[] compare(i, z), direction=LE\n"
                   "  a = s32[] add(i, n)\n  s = s32[] select(c, a, i)"),
            Answer::No);
}

}  // namespace
}  // namespace indexical::testing
