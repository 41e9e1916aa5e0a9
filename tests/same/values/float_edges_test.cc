// Random expressions of arith and math on floats, and rewrites of them, right
// ones and mistakes, against the machine's own floats: with infinities, NaN and
// both zeros as constants and as arguments.
//
//   arith.cmpf ult, %x, %y       xor(arith.cmpf ole, %y, %x, true)
//   arith.mulf %inf, %zero       NaN
//   arith.extf %x, and back      %x
//
// NaN is one: which of its bits an op gives differs between machines.
#include <cmath>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <limits>
#include <memory>
#include <string>
#include <vector>

#include "gtest/gtest.h"

#include "indexical/import/stablehlo/import/import.h"
#include "indexical/same/values/sameness.h"
#include "tests/support/random.h"

namespace indexical::testing {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::numeric_limits<float>::quiet_NaN();

/// A tree of f32. Its root is a comparison, or a number.
struct Node;
using Tree = std::shared_ptr<const Node>;
struct Node {
  /// x y, number, + - * /, negate, abs, through f64 and back
  enum Kind { X, Y, Number, Add, Sub, Mul, Div, Neg, Abs, Wide } kind = X;
  float number = 0;
  Tree a, b;
};

struct Root {
  int predicate = -1;  ///< of arith.cmpf; -1: the number itself
  bool isNegated = false, isWide = false;
  Tree a, b;
};

Tree make(Node::Kind kind, Tree a = nullptr, Tree b = nullptr) {
  Node node;
  node.kind = kind;
  node.a = std::move(a);
  node.b = std::move(b);
  return std::make_shared<const Node>(std::move(node));
}

Tree number(float value) {
  Node node;
  node.kind = Node::Number;
  node.number = value;
  return std::make_shared<const Node>(std::move(node));
}

float eval(const Tree &tree, float x, float y) {
  volatile float a = tree->a ? eval(tree->a, x, y) : 0;
  volatile float b = tree->b ? eval(tree->b, x, y) : 0;
  switch (tree->kind) {
    case Node::X:
      return x;
    case Node::Y:
      return y;
    case Node::Number:
      return tree->number;
    case Node::Add:
      return a + b;
    case Node::Sub:
      return a - b;
    case Node::Mul:
      return a * b;
    case Node::Div:
      return a / b;
    case Node::Neg:
      return -a;
    case Node::Abs:
      return std::fabs(a);
    case Node::Wide:
      return static_cast<float>(static_cast<double>(a));
  }
  return 0;
}

/// The names of MLIR's predicates, in the order of its numbers.
constexpr const char *kPredicates[] = {
    "false", "oeq", "ogt", "oge", "olt", "ole", "one", "ord",
    "ueq",   "ugt", "uge", "ult", "ule", "une", "uno", "true"};

bool compared(int predicate, float a, float b) {
  const bool isOpen = std::isnan(a) || std::isnan(b);
  const std::string name = kPredicates[predicate];
  if (name == "false" || name == "true") return name == "true";
  if (name == "ord" || name == "uno") return isOpen == (name == "uno");
  if (isOpen) return name[0] == 'u';
  const std::string how = name.substr(1);
  return how == "eq"   ? a == b
         : how == "ne" ? a != b
         : how == "gt" ? a > b
         : how == "ge" ? a >= b
         : how == "lt" ? a < b
                       : a <= b;
}

/// The result as a word: of a NaN one for all.
uint32_t run(const Root &root, float x, float y) {
  const float a = eval(root.a, x, y);
  if (root.predicate >= 0)
    return compared(root.predicate, a, eval(root.b, x, y)) != root.isNegated;
  if (std::isnan(a)) return 0x7FC00000;
  uint32_t word = 0;
  std::memcpy(&word, &a, sizeof word);
  return word;
}

class Writer {
 public:
  std::string value(const Tree &tree) {
    const std::string a = tree->a ? value(tree->a) : "";
    const std::string b = tree->b ? value(tree->b) : "";
    auto op = [&](const std::string &text) {
      const std::string name = "%v" + std::to_string(next_++);
      text_ += "  " + name + " = " + text + "\n";
      return name;
    };
    switch (tree->kind) {
      case Node::X:
        return "%x";
      case Node::Y:
        return "%y";
      case Node::Number: {
        char word[16];
        uint32_t bits = 0;
        std::memcpy(&bits, &tree->number, sizeof bits);
        std::snprintf(word, sizeof word, "0x%08X", bits);
        return op(std::string("arith.constant ") + word + " : f32");
      }
      case Node::Add:
        return op("arith.addf " + a + ", " + b + " : f32");
      case Node::Sub:
        return op("arith.subf " + a + ", " + b + " : f32");
      case Node::Mul:
        return op("arith.mulf " + a + ", " + b + " : f32");
      case Node::Div:
        return op("arith.divf " + a + ", " + b + " : f32");
      case Node::Neg:
        return op("arith.negf " + a + " : f32");
      case Node::Abs:
        return op("math.absf " + a + " : f32");
      case Node::Wide:
        return op("arith.truncf " + op("arith.extf " + a + " : f32 to f64") +
                  " : f64 to f32");
    }
    return "";
  }
  std::string module(const Root &root) {
    std::string a = value(root.a), type = "f32";
    if (root.predicate >= 0) {
      type = "i1";
      std::string b = value(root.b), of = "f32";
      if (root.isWide) {
        of = "f64";
        text_ += "  %wa = arith.extf " + a +
                 " : f32 to f64\n  %wb = arith.extf " + b + " : f32 to f64\n";
        a = "%wa";
        b = "%wb";
      }
      text_ += "  %c = arith.cmpf " + std::string(kPredicates[root.predicate]) +
               ", " + a + ", " + b + " : " + of + "\n";
      a = "%c";
      if (root.isNegated) {
        text_ +=
            "  %true = arith.constant true\n"
            "  %n = arith.xori %c, %true : i1\n";
        a = "%n";
      }
    }
    return "func.func @main(%x: f32, %y: f32) -> " + type + " {\n" + text_ +
           "  return " + a + " : " + type + "\n}\n";
  }

 private:
  std::string text_;
  int next_ = 0;
};

Tree randomTree(Random &random, int depth) {
  constexpr float kNumbers[] = {0, -0.0f, 1, -1, 3, -2.5f, 0.5f, 7};
  if (depth == 0 || random.oneIn(5)) {
    switch (random.in(0, 4)) {
      case 0:
        return make(Node::Y);
      case 1:
        return number(random.oneIn(3) ? kNan : random.oneIn(2) ? kInf : -kInf);
      case 2:
        return number(kNumbers[random.in(0, 7)]);
      default:
        return make(Node::X);
    }
  }
  const auto kind = static_cast<Node::Kind>(random.in(Node::Add, Node::Wide));
  const Tree a = randomTree(random, depth - 1);
  if (kind >= Node::Neg) return make(kind, a);
  return make(kind, a, randomTree(random, depth - 1));
}

bool isConstant(const Tree &tree) {
  if (tree->kind <= Node::Y) return false;
  return (!tree->a || isConstant(tree->a)) && (!tree->b || isConstant(tree->b));
}

/// Writes the same in another way.
Tree rewritten(const Tree &tree, Random &random) {
  if (isConstant(tree) && random.oneIn(2)) {
    const float value = eval(tree, 0, 0);
    return number(std::isnan(value) ? kNan : value);
  }
  Node node = *tree;
  if (node.a) node.a = rewritten(node.a, random);
  if (node.b) node.b = rewritten(node.b, random);
  const bool commutes = node.kind == Node::Add || node.kind == Node::Mul;
  if (commutes && random.oneIn(2)) std::swap(node.a, node.b);
  if (node.kind == Node::Mul && node.a->kind == Node::Abs &&
      node.b->kind == Node::Abs)
    return make(Node::Abs, make(Node::Mul, node.a->a, node.b->a));
  const bool isNan =
      (node.a && node.a->kind == Node::Number && std::isnan(node.a->number)) ||
      (node.b && node.b->kind == Node::Number && std::isnan(node.b->number));
  if (isNan && node.kind >= Node::Add && node.kind <= Node::Div)
    return number(kNan);
  if (node.kind == Node::Wide && random.oneIn(2)) return node.a;
  const Tree made = std::make_shared<const Node>(std::move(node));
  return random.oneIn(8) ? make(Node::Wide, made) : made;
}

Root rewritten(Root root, Random &random) {
  // The predicate of the operands in the other order, and the one that is not.
  constexpr int kSwapped[] = {0, 1,  4,  5, 2,  3,  6,  7,
                              8, 11, 12, 9, 10, 13, 14, 15};
  constexpr int kInverse[] = {15, 13, 12, 11, 10, 9, 8, 14,
                              6,  5,  4,  3,  2,  1, 7, 0};
  root.a = rewritten(root.a, random);
  if (root.predicate < 0) return root;
  root.b = rewritten(root.b, random);
  if (random.oneIn(2)) {
    std::swap(root.a, root.b);
    root.predicate = kSwapped[root.predicate];
  }
  if (random.oneIn(2)) {
    root.predicate = kInverse[root.predicate];
    root.isNegated = !root.isNegated;
  }
  root.isWide = random.oneIn(3);
  return root;
}

Tree mutated(const Tree &tree, Random &random) {
  Node node = *tree;
  if (node.a && random.oneIn(2))
    node.a = mutated(node.a, random);
  else if (node.b && random.oneIn(2))
    node.b = mutated(node.b, random);
  else if (node.kind == Node::Number)
    node.number = -node.number;
  else if (node.kind >= Node::Add && node.kind <= Node::Div)
    node.kind = node.kind == Node::Mul ? Node::Div : Node::Mul;
  else if (node.kind >= Node::Neg)
    node.kind = node.kind == Node::Neg ? Node::Abs : Node::Neg;
  else
    node.kind = node.kind == Node::X ? Node::Y : Node::X;
  return std::make_shared<const Node>(std::move(node));
}

TEST(FloatEdges, EqualExpressionsAgreeOnTheMachine) {
  const int64_t seed = fromEnvironment("INDEXICAL_SEED", 20261129);
  const int64_t count = fromEnvironment("INDEXICAL_COUNT", 400);
  std::cout << "seed " << seed << std::endl;
  const std::vector<float> edges = {0,    -0.0f, 1,      -1,   2.5f,
                                    -3,   1e30f, -1e30f, kInf, -kInf,
                                    kNan, 0.1f,  7,      -0.5f};
  int64_t right = 0, decided = 0, mistakes = 0, found = 0;
  for (int64_t k = 0; k < count; ++k) {
    Random random(seed + k);
    Root root;
    if (random.oneIn(2)) root.predicate = random.in(0, 15);
    root.a = randomTree(random, 2);
    root.b = randomTree(random, 1);
    Root other = rewritten(root, random);
    const bool isMistake = random.oneIn(2);
    if (isMistake) {
      if (root.predicate >= 0 && random.oneIn(2))
        other.predicate = random.in(0, 15);
      else
        other.a = mutated(other.a, random);
    }
    bool isSame = true;
    for (float x : edges)
      for (float y : edges) isSame &= run(root, x, y) == run(other, x, y);
    const std::string texts[] = {Writer().module(root), Writer().module(other)};
    ASSERT_TRUE(isSame || isMistake)
        << "the rewrite is wrong, seed " << seed + k << "\n"
        << texts[0] << texts[1];
    const auto first = importMlir(texts[0]), second = importMlir(texts[1]);
    ASSERT_TRUE(first.ok()) << first.status() << texts[0];
    ASSERT_TRUE(second.ok()) << second.status() << texts[1];
    SamenessOptions options;
    options.values = ValueOptions{};
    const auto same = compare(first->modules[0], second->modules[0], options);
    ASSERT_TRUE(same.ok()) << same.status() << texts[0] << texts[1];
    ASSERT_TRUE(isSame || !same->verdict.isSame())
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    ASSERT_TRUE(isMistake || same->verdict.answer != Verdict::Different)
        << "seed " << seed + k << "\n"
        << texts[0] << texts[1];
    if (!isMistake) {
      ++right;
      decided += same->verdict.isSame();
      if (!same->verdict.isSame() && fromEnvironment("INDEXICAL_SHOW", 0))
        std::cout << "undecided, seed " << seed + k << "\n"
                  << texts[0] << texts[1];
    }
    mistakes += !isSame;
    found += !isSame && same->verdict.answer == Verdict::Different;
  }
  std::cout << decided << " of " << right << " rewrites are equal, " << found
            << " of " << mistakes << " mistakes are different\n";
  EXPECT_GE(decided * 100, right * 90);
  EXPECT_GE(mistakes * 10, count);
}

}  // namespace
}  // namespace indexical::testing
