// The walk from an element to the elements from which it is computed, by which
// known_values.h finds its answers: private to program/.
//
//   known_values.cc      from one instruction to the elements that it hands on
//   value_arithmetic.cc  what is computed of these, within the type's bounds
//   literal_values.cc    what a constant's elements are
#ifndef INDEXICAL_PROGRAM_VALUE_WALK_H
#define INDEXICAL_PROGRAM_VALUE_WALK_H

#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"
#include "indexical/program/known_values.h"

namespace indexical {

/// Bounds of the numbers that are computed with, so that no step leaves 64
/// bits.
inline constexpr Interval kComputable = {-(int64_t{1} << 61), int64_t{1} << 61};

/// Returns `LT`, `NE`…, or "" if it is not known.
llvm::StringRef directionOf(const ElementwiseOp &comparison);

struct LiteralBox;

class KnownValues {
 public:
  using Index = llvm::ArrayRef<Expr>;
  using Maybe = std::optional<Expr>;

  KnownValues(const Module &module, IndexingMapBuilder &builder,
              IndexBounds bounds, Choices *choices, GivenValue given)
      : module_(module),
        b_(builder),
        bounds_(bounds),
        choices_(choices),
        given_(given) {
    if (choices_) choices_->begin();
  }

  Maybe element(Value at, Index index);

 private:
  const Computation &computationOf(const Value &at) const {
    return module_.computations[at.computation];
  }
  const Instruction &instructionAt(const Value &at) const {
    return computationOf(at).instructions[at.instruction];
  }
  Value operandOf(const Value &at, const OperandLeaf &leaf) const {
    return {at.computation, leaf.instruction, leaf.result, at.calls};
  }
  Maybe followed(const Value &at, Index index);
  Maybe variableOf(const Value &at, Index index);

  Interval boundsOf(Expr expression);
  Interval boundsByVariables(Expr expression) {
    auto bounds = [&](VariableId id) {
      if (!choices_) return bounds_(id);
      auto found = choices_->bounds_.find(id);
      return found == choices_->bounds_.end() ? bounds_(id) : found->second;
    };
    return FormBounds(b_.pool(), bounds)(expression.form());
  }
  /// Return whether the expression is at most, or at least, a number. Return
  /// nothing if bounds do not decide it and the caller has given no Choices.
  std::optional<bool> isAtMost(Expr expression, int64_t most);
  std::optional<bool> isAtLeast(Expr expression, int64_t least) {
    const auto below = isAtMost(expression, least - 1);
    if (!below) return std::nullopt;
    return !*below;
  }
  /// Return whether a - b is at most, or at least, a number, or nothing if it
  /// is not decided.
  std::optional<bool> isAtMost(Expr a, Expr b, int64_t most);
  std::optional<bool> isAtLeast(Expr a, Expr b, int64_t least) {
    const auto below = isAtMost(a, b, least - 1);
    if (!below) return std::nullopt;
    return !*below;
  }
  bool sumStays(Expr a, Expr b, int sign);
  void assume(Expr expression, Interval bounds);

  Maybe operand(const Value &at, const OperandLeaf &leaf, Index index) {
    // A scalar stands beside a tensor of any shape.
    const Op &op = computationOf(at).instructions[leaf.instruction].op;
    const bool isScalar = shapesOf(op).results[leaf.result].isScalar();
    return element(operandOf(at, leaf), isScalar ? Index() : index);
  }
  Maybe literal(const ConstantOp &op, Index index);
  Maybe runOf(const LiteralBox &box);
  Maybe concatenated(const Value &at, const ConcatenateOp &op, Index index);
  Maybe padded(const Value &at, const PadOp &op, Index index);
  Maybe computed(const Value &at, const ElementwiseOp &op, Index index);
  Maybe arithmetic(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);
  Maybe quotient(const ElementwiseOp &op, Expr a, Expr b);
  Maybe ofBits(const ElementwiseOp &op, Expr a, Expr b);
  Maybe compared(const ElementwiseOp &op, Expr a, Expr b);
  bool staysComputable(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);
  Maybe product(Expr a, int64_t factor) {
    const Interval bounds = boundsOf(a);
    for (int64_t end : {bounds.lower, bounds.upper}) {
      const auto times = checkedMul(end, factor);
      if (!times || !kComputable.contains(Interval::point(*times)))
        return std::nullopt;
    }
    return a * factor;
  }
  Maybe larger(Expr a, Expr b) {
    const auto isFirst = isAtLeast(a, b, 0);
    if (!isFirst) return std::nullopt;
    return *isFirst ? a : b;
  }
  Maybe smaller(Expr a, Expr b) {
    const auto isFirst = isAtMost(a, b, 0);
    if (!isFirst) return std::nullopt;
    return *isFirst ? a : b;
  }

  const Module &module_;
  IndexingMapBuilder &b_;
  IndexBounds bounds_;
  Choices *const choices_;
  const GivenValue given_;
  int steps_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUE_WALK_H
