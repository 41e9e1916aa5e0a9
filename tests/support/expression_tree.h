// Expressions as plain trees, whose values are computed apart from the library:
// in 128 bits, by the definitions of formats.md.
//
//   Tree d0 = Tree::ofVariable({VariableKind::Dimension, 0});
//   Tree t = Tree::of(Tree::Op::FloorDiv, d0, Tree::ofConstant(-3));
//   valueOf(t, values);  // at d0 = 7: -3
//   formOf(t, pool);     // the same, by an algebra
//   textOf(t);           // the same, as text
//
// Tests compare pools, canonical forms, the parser and AffineMap with
// `valueOf`.
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
    Min,
    Max,
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

/// Returns the value, or nothing if a part leaves 64 bits or a divisor is zero
/// (for mod: not positive).
std::optional<int64_t> valueOf(const Tree &tree, VariableValues values);

/// Returns the form that the algebra's operations make of the tree. Requires
/// that no constant divisor is zero.
FormId formOf(const Tree &tree, ExpressionAlgebra &algebra);

/// Returns the tree as text, with parentheses around every part that is not a
/// name or a number. Names are d0…, s0…, rt0….
std::string textOf(const Tree &tree);

struct TreeOptions {
  std::vector<VariableId> variables;
  /// Variables that are at least 1. They are the factors and divisors of
  /// products and divisions by a variable. If empty, the trees are affine.
  std::vector<VariableId> divisors;
  int64_t depth = 4;
  int64_t largestFactor = 9;    ///< of constants that multiply
  int64_t largestDivisor = 12;  ///< of divisors and moduli
  int64_t largestConstant = 20;
  bool negativeDivisors = true;
  bool minima = false;  ///< whether there are minima and maxima, too
};

Tree randomTree(Random &random, const TreeOptions &options);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_EXPRESSION_TREE_H
