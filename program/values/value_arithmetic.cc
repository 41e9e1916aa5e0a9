#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/program/values/value_walk.h"

namespace indexical {
namespace {

enum class Shift : uint8_t { Left, RightArithmetic, RightLogical };

std::optional<Shift> shiftOf(const ElementwiseOp &op) {
  constexpr const OpKind *kLeft = kindOf<ElementwiseOp>("shift-left");
  constexpr const OpKind *kRight =
      kindOf<ElementwiseOp>("shift-right-arithmetic");
  constexpr const OpKind *kRightLogical =
      kindOf<ElementwiseOp>("shift-right-logical");
  if (op.opKind == kLeft) return Shift::Left;
  if (op.opKind == kRight) return Shift::RightArithmetic;
  if (op.opKind == kRightLogical) return Shift::RightLogical;
  return std::nullopt;
}

}  // namespace

//===-- Bounds and choices ------------------------------------------------===//

Interval KnownValues::boundsOf(Expr expression) {
  Interval bounds = boundsByVariables(expression);
  if (!choices_) return bounds;
  for (const auto &[known, within] : choices_->conditions_) {
    if (const auto difference = b_.valueOf(expression - known))
      bounds = bounds.intersect(within + Interval::point(*difference));
    else if (const auto sum = b_.valueOf(expression + known))
      bounds = bounds.intersect(Interval::point(*sum) - within);
  }
  return bounds;
}

/// Bounds the variable of a sum of one variable and a number.
void KnownValues::assume(Expr expression, Interval within) {
  choices_->conditions_.push_back({expression, within});
  const auto terms = b_.pool().terms(expression.form());
  if (terms.size() != 1) return;
  const int64_t added = b_.pool().constant(expression.form());
  for (int64_t sign : {1, -1}) {
    const Expr alone = (expression - added) * sign;
    const auto id = b_.pool().asVariable(alone.form());
    if (!id) continue;
    const Interval shifted = within - Interval::point(added);
    const Interval bounds = boundsByVariables(alone);
    choices_->bounds_[*id] = bounds.intersect(sign > 0 ? shifted : -shifted);
  }
}

std::optional<bool> KnownValues::isAtMost(Expr expression, int64_t most) {
  const Interval bounds = boundsOf(expression);
  if (bounds.upper <= most) return true;
  if (bounds.lower > most) return false;
  if (!choices_) return std::nullopt;
  const bool yes = choices_->decide();
  assume(expression, yes ? Interval{Interval::kMinusInfinity, most}
                         : Interval{most + 1, Interval::kInfinity});
  return yes;
}

//===-- Arithmetic --------------------------------------------------------===//

llvm::StringRef directionOf(const ElementwiseOp &op) {
  llvm::StringRef text = op.configuration;
  if (!text.consume_front("direction=")) {
    const size_t at = text.find("comparison_direction=#stablehlo<");
    if (at == llvm::StringRef::npos) return "";
    text = text.drop_front(text.find("comparison_direction ", at));
    text.consume_front("comparison_direction ");
  }
  return text.take_front(2);
}

/// Returns 0 or 1, if bounds decide it.
std::optional<Expr> KnownValues::compared(const ElementwiseOp &op, Expr a,
                                          Expr b) {
  const llvm::StringRef direction = directionOf(op);
  auto truth = [&](std::optional<bool> yes, bool negated = false) -> Maybe {
    if (!yes) return std::nullopt;
    return b_.constant(*yes != negated);
  };
  if (direction == "LT") return truth(isAtMost(a, b, -1));
  if (direction == "LE") return truth(isAtMost(a, b, 0));
  if (direction == "GT") return truth(isAtLeast(a, b, 1));
  if (direction == "GE") return truth(isAtLeast(a, b, 0));
  if (direction != "EQ" && direction != "NE") return std::nullopt;
  // Equal means neither less nor more. Bounds may show one of the two alone.
  const bool isNot = direction == "NE";
  if (const auto apart = difference(a, b);
      apart && !boundsOf(*apart).contains(0))
    return truth(false, isNot);
  const auto less = isAtMost(a, b, -1);
  if (!less) return std::nullopt;
  if (*less) return truth(false, isNot);
  return truth(isAtMost(a, b, 0), isNot);
}

/// Returns a product of a number, if it is a number to compute with.
std::optional<Expr> KnownValues::times(Expr a, int64_t factor) {
  const Interval bounds = boundsOf(a);
  for (int64_t end : {bounds.lower, bounds.upper}) {
    const auto times = checkedMul(end, factor);
    if (!times || !kComputable.contains(Interval::point(*times)))
      return std::nullopt;
  }
  return a * factor;
}

std::optional<Expr> KnownValues::product(Expr a, Expr b) {
  if (const auto number = b_.valueOf(a)) return times(b, *number);
  if (const auto number = b_.valueOf(b)) return times(a, *number);
  return std::nullopt;
}

std::optional<Expr> KnownValues::quotient(const ElementwiseOp &op, Expr a,
                                          Expr b) {
  const auto divisor = b_.valueOf(b);
  if (!divisor || *divisor <= 0) return std::nullopt;
  const bool isQuotient = op.opKind->traits.arithmetic == Arithmetic::Divide;
  const auto isNegative = isAtMost(a, -1);
  if (!isNegative) return std::nullopt;
  const bool toZero = op.opKind != kindOf<ElementwiseOp>("divide-floor");
  if (*isNegative && toZero)
    return isQuotient ? -floorDiv(-a, *divisor) : -mod(-a, *divisor);
  return isQuotient ? floorDiv(a, *divisor) : mod(a, *divisor);
}

/// Returns shifts by a number below the width, and the last bits of a number. A
/// shift to the right of an operand that may be negative must be arithmetic, or
/// it is not known.
std::optional<Expr> KnownValues::ofBits(const ElementwiseOp &op, Expr a,
                                        Expr b) {
  const auto shift = shiftOf(op);
  if (!shift && b_.valueOf(a)) std::swap(a, b);
  const auto number = b_.valueOf(b);
  if (!number || *number < 0) return std::nullopt;
  if (!shift) {
    // In two's complement, whatever the sign: -1 and 7 is 7.
    const bool isMask = llvm::isPowerOf2_64(uint64_t(*number) + 1);
    return isMask ? Maybe(mod(a, *number + 1)) : std::nullopt;
  }
  if (*number >= bitsOf(op.results[0].type) || *number > 60)
    return std::nullopt;
  const int64_t factor = int64_t{1} << *number;
  switch (*shift) {
    case Shift::Left:
      return times(a, factor);
    case Shift::RightLogical:
      if (boundsOf(a).lower < 0) return std::nullopt;
      return floorDiv(a, factor);
    case Shift::RightArithmetic:
      if (valuesOf(op.results[0].type).lower == 0) return std::nullopt;
      return floorDiv(a, factor);
  }
  return std::nullopt;
}

/// Whether no step of it leaves 64 bits.
bool KnownValues::staysComputable(const ElementwiseOp &op,
                                  llvm::ArrayRef<Expr> x) {
  if (llvm::all_of(x,
                   [&](Expr e) { return kComputable.contains(boundsOf(e)); }))
    return true;
  if (!choices_) return false;
  switch (op.opKind->traits.arithmetic) {
    case Arithmetic::Add:
      return x.size() == 2 && sumStays(x[0], x[1], 1);
    case Arithmetic::Subtract:
      return x.size() == 2 && sumStays(x[0], x[1], -1);
    case Arithmetic::Maximum:
    case Arithmetic::Minimum:
    case Arithmetic::Clamp:
      return true;
    default:
      return op.opKind == kindOf<ElementwiseOp>("compare");
  }
}

std::optional<Expr> KnownValues::computed(const Value &at,
                                          const ElementwiseOp &op,
                                          Index index) {
  if (!op.opKind) return std::nullopt;
  const auto leaves =
      module_.computations[at.computation].operandLeaves(at.instruction);
  // A scalar stands beside a tensor of any shape.
  auto operand = [&](const OperandLeaf &leaf) {
    const Value from = {at.computation, leaf.instruction, leaf.result,
                        at.calls};
    const bool isScalar =
        shapesOf(instructionAt(from).op).results[leaf.result].isScalar();
    return element(from, isScalar ? Index() : index);
  };
  constexpr const OpKind *kCompare = kindOf<ElementwiseOp>("compare");
  constexpr const OpKind *kNot = kindOf<ElementwiseOp>("not");
  constexpr const OpKind *kAnd = kindOf<ElementwiseOp>("and");
  constexpr const OpKind *kOr = kindOf<ElementwiseOp>("or");
  constexpr const OpKind *kAbs = kindOf<ElementwiseOp>("abs");
  constexpr const OpKind *kSelect = kindOf<ElementwiseOp>("select");
  const bool isCompare = op.opKind == kCompare, isNot = op.opKind == kNot,
             isAnd = op.opKind == kAnd, isOr = op.opKind == kOr,
             isAbs = op.opKind == kAbs;
  if (op.opKind == kSelect) {
    if (leaves.size() != 3) return std::nullopt;
    const Maybe choice = operand(leaves[0]);
    const auto known = choice ? b_.valueOf(*choice) : std::nullopt;
    if (!known) return std::nullopt;
    if (choices_) choices_->computed_ = true;
    return operand(leaves[*known ? 1 : 2]);
  }
  const bool isTruth = op.results[0].type == ElementType::Pred;
  const bool isBits = !isTruth && (isAnd || shiftOf(op));
  const bool isOther =
      isCompare || isAbs || isBits || (isTruth && (isNot || isAnd || isOr));
  if (!isOther && op.opKind->traits.arithmetic == Arithmetic::None)
    return std::nullopt;
  // An operand that is no integer is not followed.
  llvm::SmallVector<Expr, 3> values;
  for (const OperandLeaf &leaf : leaves) {
    const Maybe value = operand(leaf);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (!op.keepsValues() && !staysComputable(op, values)) return std::nullopt;
  if (choices_ && !op.keepsValues()) choices_->computed_ = true;
  if (isCompare)
    return values.size() == 2 ? compared(op, values[0], values[1])
                              : std::nullopt;
  if (isBits)
    return values.size() == 2 ? ofBits(op, values[0], values[1]) : std::nullopt;
  if (isNot) return b_.constant(1) - values[0];
  if (isAnd || isOr) {
    // A truth value that decides, decides alone.
    for (Expr value : values)
      if (b_.valueOf(value) == (isAnd ? 0 : 1)) return value;
    for (size_t k = 0; k < values.size(); ++k)
      if (b_.valueOf(values[k])) return values[values.size() - 1 - k];
    return std::nullopt;
  }
  if (isAbs) {
    const auto isNegative = isAtMost(values[0], -1);
    if (!isNegative) return std::nullopt;
    return *isNegative ? -values[0] : values[0];
  }
  // Sums of truth values are no sums.
  if (isTruth && !op.keepsValues()) return std::nullopt;
  return exactResult(op, values);
}

}  // namespace indexical
