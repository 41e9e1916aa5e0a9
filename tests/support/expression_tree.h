// Expressions as plain trees, whose values are worked out apart from the
// library: in 128 bits, by the definitions of formats.md.
//
//   Tree d0 = Tree::ofVariable({VariableKind::Dimension, 0});
//   Tree t = Tree::of(Tree::Op::FloorDiv, d0, Tree::ofConstant(-3));
//   valueOf(t, values);  // at d0 = 7: -3
//   formOf(t, pool);     // the same, by an algebra
//   textOf(t);           // the same, as text
//
// What is tested (pools, canonical forms, the parser, AffineMap) is held
// against `valueOf`.
#ifndef INDEXICAL_TESTS_SUPPORT_EXPRESSION_TREE_H
#define INDEXICAL_TESTS_SUPPORT_EXPRESSION_TREE_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/indexing/expression.h"
#include "tests/support/random.h"

namespace indexical::testing {

struct Tree {
  enum class Op : uint8_t {
    Constant,
    Variable,
    Negate,
    Add,
    Subtract,
    Multiply,
    FloorDiv,
    CeilDiv,
    Mod,
  };
  Op op = Op::Constant;
  int64_t constant = 0;
  VariableId variable;
  std::vector<Tree> parts;

  static Tree ofConstant(int64_t value);
  static Tree ofVariable(VariableId id);
  static Tree of(Op op, Tree a, Tree b);
};

using VariableValues = llvm::function_ref<int64_t(VariableId)>;

/// Nothing where a part leaves 64 bits, or a divisor is zero (of mod: not
/// positive).
std::optional<int64_t> valueOf(const Tree &tree, VariableValues values);

/// By the operations of an algebra. Requires divisors that are constants not to
/// be zero.
FormId formOf(const Tree &tree, ExpressionAlgebra &algebra);

/// With parentheses around every part that is not a name or a number. Names
/// are d0…, s0…, rt0….
std::string textOf(const Tree &tree);

struct TreeOptions {
  std::vector<VariableId> variables;
  /// Variables that are at least 1: what products and divisions by a variable
  /// are made with. Empty: the trees are affine.
  std::vector<VariableId> divisors;
  int64_t depth = 4;
  int64_t largestFactor = 9;    ///< of constants that multiply
  int64_t largestDivisor = 12;  ///< of divisors and moduli
  bool negativeDivisors = true;
};

Tree randomTree(Random &random, const TreeOptions &options);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_EXPRESSION_TREE_H
