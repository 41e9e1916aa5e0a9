#include "indexical/ops/core/inner.h"

#include <utility>

#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"

namespace indexical {
namespace families {
namespace {

/// The known facts of the outer op, for the inner op's numbers.
class InnerFacts : public SizeFacts {
 public:
  InnerFacts(std::shared_ptr<const SizeFacts> outer, Inner::Numbers number)
      : outer_(std::move(outer)), number_(std::move(number)) {}
  const ExpressionTable &table() const override { return outer_->table(); }
  const Variable &variable(uint32_t runtime) const override {
    return outer_->variable(runtime);
  }
  std::optional<FormId> size(SizeRef ref) const override {
    return outer_->size({number_(ref.tensor), ref.dimension});
  }
  std::optional<FormId> element(int64_t operand,
                                llvm::ArrayRef<int64_t> index) const override {
    return outer_->element(number_(operand), index);
  }

 private:
  std::shared_ptr<const SizeFacts> outer_;
  Inner::Numbers number_;
};

/// Makes the parts of the inner op's formulas from the outer op's sizes.
class InnerContext : public SizeContext {
 public:
  InnerContext(SizeContext &outer, const Inner::Numbers &number)
      : outer_(outer), number_(number) {}
  Expr constant(int64_t value) override { return outer_.constant(value); }
  std::optional<int64_t> valueOf(Expr expression) const override {
    return outer_.valueOf(expression);
  }
  Expr size(SizeRef ref) override {
    return outer_.size({number_(ref.tensor), ref.dimension});
  }
  Expr element(int64_t operand, llvm::ArrayRef<int64_t> index,
               Interval bounds) override {
    return outer_.element(number_(operand), index, bounds);
  }

 private:
  SizeContext &outer_;
  const Inner::Numbers &number_;
};

}  // namespace

Inner::Inner(OpView op, const OpShapes &outer, Numbers number)
    : op_(std::make_shared<OpDraft>(op)), number_(std::move(number)) {
  OpShapes &shapes = **op_;
  const int64_t operands = shapes.operands.size();
  const int64_t outerOperands = outer.operands.size();
  // A list that is the outer one's already is shared, not copied.
  for (int64_t k = 0; k < operands; ++k)
    if (hasOpenSize(shapes.operands[k]) ||
        hasOpenSize(outer.operands[number_(k)]))
      shapes.operands.mutableAt(k) = outer.operands[number_(k)];
  const int64_t results = shapes.results.size();
  for (int64_t r = 0; r < results; ++r) {
    const ArrayShape &of = outer.results[number_(operands + r) - outerOperands];
    if (hasOpenSize(shapes.results[r]) || hasOpenSize(of))
      shapes.results.mutableAt(r) = of;
  }
  if (outer.facts)
    shapes.facts = std::make_shared<InnerFacts>(outer.facts, number_);
}

Answer Inner::ask(Direction direction, int64_t result, int64_t operand) const {
  INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                             indexing(*op_, direction, result, operand));
  auto tensor = [&](int64_t t) {
    return t >= SizeFacts::kOutside ? t : number_(t);
  };
  return withSources(relation, {tensor, nullptr});
}

void Inner::addRules(SizeRules &rules) const {
  const SizeRules own = sizeRulesOf(*op_);
  auto outer = [&](SizeRef ref) {
    return SizeRef{number_(ref.tensor), ref.dimension};
  };
  for (const auto &[a, b] : own.equalities()) rules.equal(outer(a), outer(b));
  for (const SizeRules::Definition &definition : own.definitions())
    rules.define(outer(definition.ref),
                 [op = op_, number = number_,
                  formula = definition.formula](SizeContext &context) {
                   InnerContext inner(context, number);
                   return formula(inner);
                 });
}

Inner innerOf(const StartOp &op) {
  const int64_t operands = op.operands.size();
  return Inner(op.inner, op, [operands, forwards = op.forwards](int64_t t) {
    return t < operands ? t : t + forwards;
  });
}

Inner innerOf(const CapturingOp &op) {
  const int64_t inner = shapesOf(op.inner).operands.size();
  const int64_t captured = op.operands.size() - inner;
  return Inner(op.inner, op, [inner, captured](int64_t t) {
    return t < inner ? t : t + captured;
  });
}

}  // namespace families
}  // namespace indexical
