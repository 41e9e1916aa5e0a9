#include "indexical/program/values/known_values.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/program/values/value_walk.h"

namespace indexical {
namespace {

// The most steps from which one element may follow.
constexpr int kMostSteps = 200;

}  // namespace

//===-- Elements ----------------------------------------------------------===//

/// Returns a variable for a value that is not known.
std::optional<Expr> KnownValues::variableOf(const Value &at, Index index) {
  const ElementType type =
      shapesOf(instructionAt(at).op).results[at.result].type;
  // No expression holds the upper half of 64 bits without a sign.
  const Interval values = valuesOf(type);
  if (bitsOf(type) >= 64 && values.hasLower()) return std::nullopt;
  std::vector<FormId> forms;
  for (Expr e : index) forms.push_back(e.form());
  auto [entry, isNew] = choices_->made_.try_emplace({at, forms});
  if (!isNew) return entry->second;
  entry->second = b_.runtimeElement(values, /*clamped=*/false,
                                    choices_->number_(at), index);
  if (const auto id = b_.pool().asVariable(entry->second.form()))
    choices_->bounds_[*id] = values;
  return entry->second;
}

/// The operands of the instruction at `at`, on the way on which it was entered.
class KnownValues::Operands : public OperandElements {
 public:
  Operands(KnownValues &known, const Value &at) : known_(known), at_(at) {}
  Maybe element(size_t operand, Index index) override {
    return known_.element(operandOf(known_.module_, at_, LeafId(operand)),
                          index);
  }
  Maybe size(int64_t) override { return std::nullopt; }
  Maybe computed(const ElementwiseOp &op, Index index) override {
    return known_.computed(at_, op, index);
  }

 private:
  KnownValues &known_;
  const Value &at_;
};

std::optional<Expr> KnownValues::element(Value at, Index index) {
  if (++steps_ > kMostSteps || (choices_ && choices_->restart_))
    return std::nullopt;
  at = originOf(module_, std::move(at));
  if (given_)
    if (Maybe value = given_(at, b_)) return value;
  const OpShapes &shapes = shapesOf(instructionAt(at).op);
  const ArrayShape &shape = shapes.results[at.result];
  if (!isInteger(shape.type) || index.size() != shape.dimensions.size())
    return std::nullopt;
  if (choices_ && choices_->variables_.count(at)) return variableOf(at, index);
  Operands operands(*this, at);
  Maybe value =
      elementAt(instructionAt(at).op, at.result, index, operands, *this);
  // The type of a literal, of an iota, or of an op that only moves elements
  // holds them all.
  const Op &op = instructionAt(at).op;
  const bool isComputed =
      op.is<ElementwiseOp>() || traitsOf(op).elements == ElementRule::Product;
  if (value && isComputed && !valuesOf(shape.type).contains(boundsOf(*value)))
    value = std::nullopt;
  if (value || !choices_ || !choices_->number_ || choices_->restart_ ||
      steps_ > kMostSteps)
    return value;
  // The element is a variable on every way. All begins again, without the
  // values that were made and the comparisons that were decided so far.
  choices_->variables_.insert(at);
  choices_->restart_ = true;
  return std::nullopt;
}

bool Choices::advance() {
  while (!taken_.empty() && !taken_.back()) taken_.pop_back();
  if (taken_.empty()) return false;
  taken_.back() = false;
  return true;
}

void Choices::begin() {
  if (std::exchange(restart_, false)) taken_.clear();
  next_ = 0;
  computed_ = false;
  conditions_.clear();
  bounds_.clear();
  made_.clear();
}

bool Choices::decide() {
  if (next_ == taken_.size()) taken_.push_back(true);
  return taken_[next_++];
}

std::optional<Expr> knownElement(const Module &module, const Value &value,
                                 llvm::ArrayRef<Expr> index,
                                 IndexingMapBuilder &builder,
                                 IndexBounds bounds, Choices *choices,
                                 GivenValue given) {
  return KnownValues(module, builder, bounds, choices, given)
      .element(value, index);
}

}  // namespace indexical
