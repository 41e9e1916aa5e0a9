#include "tests/support/expression_tree.h"

#include <utility>

namespace indexical::testing {
namespace {

using Op = Tree::Op;

__int128 floorOf(__int128 a, __int128 b) {
  __int128 q = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? q - 1 : q;
}

std::optional<int64_t> in64Bits(__int128 value) {
  if (value < INT64_MIN || value > INT64_MAX) return std::nullopt;
  return static_cast<int64_t>(value);
}

bool isConstant(const Tree &tree) { return tree.op == Op::Constant; }

const char *textOf(Op op) {
  switch (op) {
    case Op::Add:
      return " + ";
    case Op::Subtract:
      return " - ";
    case Op::Multiply:
      return " * ";
    case Op::FloorDiv:
      return " floordiv ";
    case Op::CeilDiv:
      return " ceildiv ";
    default:
      return " mod ";
  }
}

Tree leaf(Random &random, const TreeOptions &options) {
  if (options.variables.empty() || random.oneIn(6))
    return Tree::ofConstant(
        random.in(-options.largestConstant, options.largestConstant));
  return Tree::ofVariable(
      options.variables[random.in(0, options.variables.size() - 1)]);
}

Tree divisor(Random &random, const TreeOptions &options, bool positive) {
  if (!options.divisors.empty() && random.oneIn(3)) {
    Tree variable = Tree::ofVariable(
        options.divisors[random.in(0, options.divisors.size() - 1)]);
    if (random.oneIn(2)) return variable;
    return Tree::of(Op::Add, variable, Tree::ofConstant(random.in(0, 5)));
  }
  int64_t value = random.in(1, options.largestDivisor);
  bool negative = !positive && options.negativeDivisors && random.oneIn(4);
  return Tree::ofConstant(negative ? -value : value);
}

}  // namespace

Tree Tree::ofConstant(int64_t value) {
  Tree tree;
  tree.constant = value;
  return tree;
}

Tree Tree::ofVariable(VariableId id) {
  Tree tree;
  tree.op = Op::Variable;
  tree.variable = id;
  return tree;
}

Tree Tree::of(Op op, Tree a, Tree b) {
  Tree tree;
  tree.op = op;
  tree.parts.push_back(std::move(a));
  if (op != Op::Negate) tree.parts.push_back(std::move(b));
  return tree;
}

std::optional<int64_t> valueOf(const Tree &tree, VariableValues values) {
  if (tree.op == Op::Constant) return tree.constant;
  if (tree.op == Op::Variable) return values(tree.variable);
  std::optional<int64_t> first = valueOf(tree.parts[0], values);
  if (!first) return std::nullopt;
  const __int128 a = *first;
  if (tree.op == Op::Negate) return in64Bits(-a);
  std::optional<int64_t> second = valueOf(tree.parts[1], values);
  if (!second) return std::nullopt;
  const __int128 b = *second;
  if (tree.op == Op::Min) return in64Bits(a < b ? a : b);
  if (tree.op == Op::Max) return in64Bits(a < b ? b : a);
  switch (tree.op) {
    case Op::Add:
      return in64Bits(a + b);
    case Op::Subtract:
      return in64Bits(a - b);
    case Op::Multiply:
      return in64Bits(a * b);
    case Op::Mod:
      if (b <= 0) return std::nullopt;
      return in64Bits(a - b * floorOf(a, b));
    default:
      break;
  }
  if (b == 0) return std::nullopt;
  return in64Bits(tree.op == Op::FloorDiv ? floorOf(a, b) : -floorOf(-a, b));
}

FormId formOf(const Tree &tree, ExpressionAlgebra &algebra) {
  if (tree.op == Op::Constant) return algebra.constantForm(tree.constant);
  if (tree.op == Op::Variable) return algebra.variable(tree.variable);
  const FormId a = formOf(tree.parts[0], algebra);
  if (tree.op == Op::Negate) return algebra.scale(a, -1);
  const Tree &right = tree.parts[1];
  const FormId b = formOf(right, algebra);
  const bool constant = isConstant(right);
  switch (tree.op) {
    case Op::Add:
      return algebra.add(a, b);
    case Op::Subtract:
      return algebra.sub(a, b);
    case Op::Min:
      return algebra.min(a, b);
    case Op::Max:
      return algebra.max(a, b);
    case Op::Multiply:
      return constant ? algebra.scale(a, right.constant)
                      : algebra.product(a, b);
    case Op::FloorDiv:
      return constant ? algebra.floorDivBy(a, right.constant)
                      : algebra.quotient(a, b);
    case Op::CeilDiv: {
      const FormId negative = algebra.scale(a, -1);
      return algebra.scale(constant
                               ? algebra.floorDivBy(negative, right.constant)
                               : algebra.quotient(negative, b),
                           -1);
    }
    default:
      return constant ? algebra.mod(a, right.constant)
                      : algebra.remainder(a, b);
  }
}

std::string textOf(const Tree &tree) {
  if (tree.op == Op::Constant) return std::to_string(tree.constant);
  if (tree.op == Op::Variable) {
    static constexpr const char *kPrefix[] = {"d", "s", "rt"};
    return kPrefix[static_cast<int>(tree.variable.kind)] +
           std::to_string(tree.variable.index);
  }
  auto operand = [](const Tree &part) {
    std::string text = textOf(part);
    return part.parts.empty() ? text : "(" + text + ")";
  };
  if (tree.op == Op::Negate) return "-" + operand(tree.parts[0]);
  if (tree.op == Op::Min || tree.op == Op::Max)
    return (tree.op == Op::Min ? "min(" : "max(") + textOf(tree.parts[0]) +
           ", " + textOf(tree.parts[1]) + ")";
  return operand(tree.parts[0]) + textOf(tree.op) + operand(tree.parts[1]);
}

Tree randomTree(Random &random, const TreeOptions &options) {
  if (options.depth <= 0 || random.oneIn(8)) return leaf(random, options);
  TreeOptions below = options;
  --below.depth;
  Tree a = randomTree(random, below);
  if (options.minima && random.oneIn(3))
    return Tree::of(random.oneIn(2) ? Op::Min : Op::Max, a,
                    randomTree(random, below));
  switch (random.in(0, 9)) {
    case 0:
    case 1:
    case 2:
      return Tree::of(Op::Add, a, randomTree(random, below));
    case 3:
      return Tree::of(Op::Subtract, a, randomTree(random, below));
    case 4:
    case 5:
      if (!options.divisors.empty() && random.oneIn(3))
        return Tree::of(Op::Multiply, a, divisor(random, options, true));
      return Tree::of(Op::Multiply, a,
                      Tree::ofConstant(random.in(-options.largestFactor,
                                                 options.largestFactor)));
    case 6:
    case 7:
      return Tree::of(Op::FloorDiv, a, divisor(random, options, false));
    case 8:
      return Tree::of(Op::Mod, a, divisor(random, options, true));
    default:
      break;
  }
  if (random.oneIn(2)) return Tree::of(Op::Negate, a, Tree());
  return Tree::of(Op::CeilDiv, a, divisor(random, options, false));
}

}  // namespace indexical::testing
