// The walk from an element to the elements from which it is computed, by which
// known_values.h finds its answers: private to values/.
//
//   known_values.cc      from one instruction to the elements behind it
//   value_arithmetic.cc  what is computed of these, within the type's bounds
#ifndef INDEXICAL_PROGRAM_VALUES_VALUE_WALK_H
#define INDEXICAL_PROGRAM_VALUES_VALUE_WALK_H

#include <optional>
#include <utility>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/indexing/bounds.h"
#include "indexical/program/values/elements_at.h"
#include "indexical/program/values/known_values.h"

namespace indexical {

/// Returns `LT`, `NE`…, or "" if it is not known.
llvm::StringRef directionOf(const ElementwiseOp &comparison);

class KnownValues : public Integers {
 public:
  using Index = llvm::ArrayRef<Expr>;

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

  ExpressionPool &pool() override { return b_.pool(); }
  Interval boundsOf(Expr expression) override;
  using Integers::isAtMost;
  /// Returns nothing if bounds do not decide it and the caller has given no
  /// Choices.
  std::optional<bool> isAtMost(Expr expression, int64_t most) override;
  Maybe product(Expr a, Expr b) override;
  Maybe quotient(const ElementwiseOp &op, Expr a, Expr b) override;

 private:
  class Operands;
  const Instruction &instructionAt(const Value &at) const {
    return instructionOf(module_, at);
  }
  Maybe variableOf(const Value &at, Index index);

  Interval boundsByVariables(Expr expression) {
    auto bounds = [&](VariableId id) {
      if (!choices_) return bounds_(id);
      auto found = choices_->bounds_.find(id);
      return found == choices_->bounds_.end() ? bounds_(id) : found->second;
    };
    return FormBounds(b_.pool(), bounds)(expression.form());
  }
  void assume(Expr expression, Interval bounds);

  Maybe computed(const Value &at, const ElementwiseOp &op, Index index);
  Maybe ofBits(const ElementwiseOp &op, Expr a, Expr b);
  Maybe compared(const ElementwiseOp &op, Expr a, Expr b);
  bool staysComputable(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);
  Maybe times(Expr a, int64_t factor);

  const Module &module_;
  IndexingMapBuilder &b_;
  IndexBounds bounds_;
  Choices *const choices_;
  const GivenValue given_;
  int steps_ = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_VALUE_WALK_H
