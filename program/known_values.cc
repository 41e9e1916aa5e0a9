#include "indexical/program/known_values.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/bounds.h"

namespace indexical {
namespace {

// One element may follow from so many others.
constexpr int kMostSteps = 200;

// Numbers that are computed with are no larger, so that no step leaves 64 bits.
constexpr Interval kComputable = {-(int64_t{1} << 61), int64_t{1} << 61};

/// The ends of an interval of a type's values, of which open ones are those of
/// 64 bits.
std::pair<__int128, __int128> endsOf(const Interval &values) {
  return {values.lower, values.upper};
}

}  // namespace

class KnownValues {
 public:
  using Index = llvm::ArrayRef<Expr>;
  using Maybe = std::optional<Expr>;

  KnownValues(const Module &module, IndexingMapBuilder &builder,
              IndexBounds bounds, Choices *choices)
      : module_(module), b_(builder), bounds_(bounds), choices_(choices) {
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
  /// The value behind tuples, copies and calls.
  Value originOf(Value at) const;
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
  /// Whether the expression is at most, or at least, a number; nothing where
  /// bounds leave it open and no way is to be chosen.
  std::optional<bool> isAtMost(Expr expression, int64_t most);
  std::optional<bool> isAtLeast(Expr expression, int64_t least) {
    const auto below = isAtMost(expression, least - 1);
    if (!below) return std::nullopt;
    return !*below;
  }
  /// Whether a - b is at most, or at least, a number.
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
  Maybe concatenated(const Value &at, const ConcatenateOp &op, Index index);
  Maybe padded(const Value &at, const PadOp &op, Index index);
  Maybe computed(const Value &at, const ElementwiseOp &op, Index index);
  Maybe arithmetic(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);
  Maybe quotient(const ElementwiseOp &op, Expr a, Expr b);
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
  int steps_ = 0;
};

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

std::optional<bool> KnownValues::isAtMost(Expr a, Expr b, int64_t most) {
  // A number stays on its side: no difference from it leaves 64 bits.
  if (const auto number = b_.valueOf(b)) {
    const auto bound = checkedAdd(*number, most);
    return bound ? isAtMost(a, *bound) : std::nullopt;
  }
  if (const auto number = b_.valueOf(a)) {
    const auto bound = checkedSub(*number, most);
    return bound ? isAtLeast(b, *bound) : std::nullopt;
  }
  if (choices_ && !sumStays(a, b, -1)) return std::nullopt;
  return isAtMost(a - b, most);
}

/// Whether no values of the two make a sum, or a difference, of more than 64
/// bits. An open end is that of signed values of 64 bits.
bool KnownValues::sumStays(Expr a, Expr b, int sign) {
  const auto [lowA, highA] = endsOf(boundsOf(a));
  auto [lowB, highB] = endsOf(boundsOf(b));
  if (sign < 0) std::tie(lowB, highB) = std::make_pair(-highB, -lowB);
  return lowA + lowB >= INT64_MIN && highA + highB <= INT64_MAX;
}

//===-- Elements ----------------------------------------------------------===//

Value KnownValues::originOf(Value at) const {
  // Calls may nest, and may be wrong and lead back to themselves.
  for (int steps = 0; steps < kMostSteps; ++steps) {
    const Leaf leaf =
        indexical::originOf(computationOf(at), {at.instruction, at.result});
    at.instruction = leaf.instruction;
    at.result = static_cast<int32_t>(leaf.leaf);
    const Instruction &i = instructionAt(at);
    if (i.parameterNumber >= 0) {
      // What the caller hands over; a loop hands over something new each time.
      if (at.calls.empty()) return at;
      const CallSite site = at.calls.back();
      const Computation &caller = module_.computations[site.computation];
      const Instruction &call = caller.instructions[site.instruction];
      const auto &arguments = call.called[site.called].arguments;
      if (!innermost(call.op).isOneOf<CallOp, ConditionalOp>() ||
          i.parameterNumber >= static_cast<int64_t>(arguments.size()))
        return at;
      const auto leaves = caller.operandLeaves(site.instruction);
      const int64_t handed =
          operandLeafNumber(leaves, arguments[i.parameterNumber], at.result);
      if (handed < 0) return at;
      at.calls.pop_back();
      at.computation = site.computation;
      at.instruction = leaves[handed].instruction;
      at.result = leaves[handed].result;
      continue;
    }
    const auto result = innermostResult(i.op, at.result);
    const auto callee = calleeOfCall(i);
    if (!result || !callee || !innermost(i.op).is<CallOp>()) return at;
    at.calls.push_back({at.computation, at.instruction, callee->called});
    at.computation = callee->computation;
    at.instruction = computationOf(at).root;
    at.result = static_cast<int32_t>(*result);
  }
  return at;
}

/// A variable for what is not known.
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

std::optional<Expr> KnownValues::element(Value at, Index index) {
  if (++steps_ > kMostSteps || (choices_ && choices_->restart_))
    return std::nullopt;
  at = originOf(std::move(at));
  const OpShapes &shapes = shapesOf(instructionAt(at).op);
  const ArrayShape &shape = shapes.results[at.result];
  if (!isInteger(shape.type) || index.size() != shape.dimensions.size())
    return std::nullopt;
  if (choices_ && choices_->variables_.count(at)) return variableOf(at, index);
  Maybe value = followed(at, index);
  if (value && !valuesOf(shape.type).contains(boundsOf(*value)))
    value = std::nullopt;
  if (value || !choices_ || choices_->restart_ || steps_ > kMostSteps)
    return value;
  // It is a variable, on every way: all begins again without what was made and
  // decided on the way here.
  choices_->variables_.insert(at);
  choices_->restart_ = true;
  return std::nullopt;
}

/// What the instruction computes, where that is known.
std::optional<Expr> KnownValues::followed(const Value &at, Index index) {
  const Instruction &i = instructionAt(at);
  const OpShapes &shapes = shapesOf(i.op);
  const ArrayShape &shape = shapes.results[at.result];
  if (const auto *constant = i.op.as<ConstantOp>())
    return literal(*constant, index);
  if (const auto *iota = i.op.as<IotaOp>()) {
    // Its type holds the numbers of the whole dimension, or they wrap.
    const int64_t size = shape.dimensions[iota->dimension];
    const Interval values = {
        0, size == kDynamicSize ? Interval::kInfinity : size - 1};
    if (!valuesOf(shape.type).contains(values)) return std::nullopt;
    return index[iota->dimension];
  }
  if (const auto *concatenate = i.op.as<ConcatenateOp>())
    return concatenated(at, *concatenate, index);
  if (const auto *pad = i.op.as<PadOp>()) return padded(at, *pad, index);
  if (const auto *elementwise = i.op.as<ElementwiseOp>())
    return computed(at, *elementwise, index);
  if (!i.op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                    BitcastOp>() ||
      i.operands.size() != 1 || shapes.operands[0].type != shape.type)
    return std::nullopt;
  auto moved = movedIndex(i.op, index, b_);
  if (!moved) return std::nullopt;
  return element(
      operandOf(at, computationOf(at).operandLeaf(at.instruction, 0)), *moved);
}

std::optional<Expr> KnownValues::literal(const ConstantOp &op, Index index) {
  if (op.values.empty()) return std::nullopt;
  // The smallest integer has no negative: no expression holds it.
  auto constant = [&](int64_t value) -> Maybe {
    if (value == INT64_MIN) return std::nullopt;
    return b_.constant(value);
  };
  if (llvm::all_equal(op.values)) return constant(op.values[0]);
  int64_t linear = 0;
  llvm::ArrayRef<int64_t> sizes = op.results[0].dimensions;
  for (size_t k = 0; k < index.size(); ++k) {
    const auto at = b_.valueOf(index[k]);
    if (!at) return std::nullopt;
    linear = linear * sizes[k] + *at;
  }
  if (linear < 0 || linear >= static_cast<int64_t>(op.values.size()))
    return std::nullopt;
  return constant(op.values[linear]);
}

/// One of the operands, where the index lies in it on all of its bounds.
std::optional<Expr> KnownValues::concatenated(const Value &at,
                                              const ConcatenateOp &op,
                                              Index index) {
  const Interval along = boundsOf(index[op.dimension]);
  const auto leaves = computationOf(at).operandLeaves(at.instruction);
  int64_t start = 0;
  for (const OperandLeaf &leaf : leaves) {
    const int64_t size =
        op.operands[&leaf - leaves.begin()].dimensions[op.dimension];
    if (size == kDynamicSize) return std::nullopt;
    if (along.lower >= start && along.upper < start + size) {
      llvm::SmallVector<Expr, 4> inside(index.begin(), index.end());
      inside[op.dimension] = index[op.dimension] - start;
      return element(operandOf(at, leaf), inside);
    }
    start += size;
  }
  return std::nullopt;
}

/// The operand, or what it is padded with, where the bounds tell which.
std::optional<Expr> KnownValues::padded(const Value &at, const PadOp &op,
                                        Index index) {
  if (op.operands.size() != 2 || op.low.size() != index.size() ||
      llvm::any_of(op.interior, [](int64_t k) { return k != 0; }))
    return std::nullopt;
  const auto leaves = computationOf(at).operandLeaves(at.instruction);
  llvm::SmallVector<Expr, 4> inside;
  bool isInside = true;
  for (size_t k = 0; k < index.size(); ++k) {
    const int64_t size = op.operands[0].dimensions[k];
    if (size == kDynamicSize) return std::nullopt;
    inside.push_back(index[k] - op.low[k]);
    const Interval along = boundsOf(inside.back());
    if (along.upper < 0 || along.lower >= size)
      return element(operandOf(at, leaves[1]), {});
    isInside &= along.lower >= 0 && along.upper < size;
  }
  if (!isInside) return std::nullopt;
  return element(operandOf(at, leaves[0]), inside);
}

/// 0 or 1, where bounds decide it.
std::optional<Expr> KnownValues::compared(const ElementwiseOp &op, Expr a,
                                          Expr b) {
  llvm::StringRef text = op.configuration;
  if (!text.consume_front("direction=")) {
    const size_t at = text.find("comparison_direction=#stablehlo<");
    if (at == llvm::StringRef::npos) return std::nullopt;
    text = text.drop_front(text.find("comparison_direction ", at));
    text.consume_front("comparison_direction ");
  }
  const llvm::StringRef direction = text.take_front(2);
  auto truth = [&](std::optional<bool> yes, bool negated = false) -> Maybe {
    if (!yes) return std::nullopt;
    return b_.constant(*yes != negated);
  };
  if (direction == "LT") return truth(isAtMost(a, b, -1));
  if (direction == "LE") return truth(isAtMost(a, b, 0));
  if (direction == "GT") return truth(isAtLeast(a, b, 1));
  if (direction == "GE") return truth(isAtLeast(a, b, 0));
  if (direction != "EQ" && direction != "NE") return std::nullopt;
  // Neither less nor more; one of the two may be seen alone.
  const bool isNot = direction == "NE";
  const Interval bounds = boundsOf(a - b);
  if (bounds.lower > 0 || bounds.upper < 0) return truth(false, isNot);
  const auto less = isAtMost(a, b, -1);
  if (!less) return std::nullopt;
  if (*less) return truth(false, isNot);
  return truth(isAtMost(a, b, 0), isNot);
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

/// The integer that the exact result is: who asks sees to it that the type
/// holds it.
std::optional<Expr> KnownValues::arithmetic(const ElementwiseOp &op,
                                            llvm::ArrayRef<Expr> x) {
  const Traits &traits = op.opKind->traits;
  // Numbers of no sign are as they are written where they are not negative.
  if (traits.isUnsigned)
    for (Expr e : x)
      if (boundsOf(e).lower < 0) return std::nullopt;
  const size_t wanted =
      llvm::is_contained({Arithmetic::Same, Arithmetic::SignExtend,
                          Arithmetic::ZeroExtend, Arithmetic::Negate},
                         traits.arithmetic)
          ? 1
      : traits.arithmetic == Arithmetic::Clamp ? 3
                                               : 2;
  if (x.size() != wanted) return std::nullopt;
  switch (traits.arithmetic) {
    case Arithmetic::None:
      return std::nullopt;
    case Arithmetic::Same:
      return x[0];
    case Arithmetic::SignExtend:
      if (!op.keepsValues()) return std::nullopt;
      return x[0];
    case Arithmetic::ZeroExtend:
      return x[0];
    case Arithmetic::Negate:
      return -x[0];
    case Arithmetic::Add:
      return x[0] + x[1];
    case Arithmetic::Subtract:
      return x[0] - x[1];
    case Arithmetic::Multiply:
      if (b_.valueOf(x[0])) return product(x[1], *b_.valueOf(x[0]));
      if (b_.valueOf(x[1])) return product(x[0], *b_.valueOf(x[1]));
      return std::nullopt;
    case Arithmetic::Divide:
    case Arithmetic::Remainder:
      return quotient(op, x[0], x[1]);
    case Arithmetic::Maximum:
      return larger(x[0], x[1]);
    case Arithmetic::Minimum:
      return smaller(x[0], x[1]);
    case Arithmetic::Clamp: {
      // Also where the bounds are turned around: the upper one comes last.
      if (boundsOf(x[0] - x[2]).lower >= 0) return x[2];
      auto raised = larger(x[1], x[0]);
      return raised ? smaller(*raised, x[2]) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Expr> KnownValues::computed(const Value &at,
                                          const ElementwiseOp &op,
                                          Index index) {
  if (!op.opKind) return std::nullopt;
  const auto leaves = computationOf(at).operandLeaves(at.instruction);
  auto is = [&](const OpKind *kind) { return op.opKind == kind; };
  const bool isCompare = is(kindOf<ElementwiseOp>("compare"));
  const bool isNot = is(kindOf<ElementwiseOp>("not"));
  const bool isAnd = is(kindOf<ElementwiseOp>("and"));
  const bool isOr = is(kindOf<ElementwiseOp>("or"));
  const bool isAbs = is(kindOf<ElementwiseOp>("abs"));
  if (is(kindOf<ElementwiseOp>("select"))) {
    if (leaves.size() != 3) return std::nullopt;
    const Maybe choice = operand(at, leaves[0], index);
    const auto known = choice ? b_.valueOf(*choice) : std::nullopt;
    if (!known) return std::nullopt;
    if (choices_) choices_->computed_ = true;
    return operand(at, leaves[*known ? 1 : 2], index);
  }
  const bool isTruth = op.results[0].type == ElementType::Pred;
  const bool isOther =
      isCompare || isAbs || (isTruth && (isNot || isAnd || isOr));
  if (!isOther && op.opKind->traits.arithmetic == Arithmetic::None)
    return std::nullopt;
  // A number of another kind than an integer is not followed.
  llvm::SmallVector<Expr, 3> values;
  for (const OperandLeaf &leaf : leaves) {
    const Maybe value = operand(at, leaf, index);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (!op.keepsValues() && !staysComputable(op, values)) return std::nullopt;
  if (choices_ && !op.keepsValues()) choices_->computed_ = true;
  if (isCompare)
    return values.size() == 2 ? compared(op, values[0], values[1])
                              : std::nullopt;
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
  return arithmetic(op, values);
}

Interval valuesOf(ElementType type) {
  const int64_t bits = bitsOf(type);
  const bool isUnsigned = elementTypeName(type).starts_with("u");
  if (!isInteger(type) || bits <= 0) return Interval::all();
  if (type == ElementType::Pred) return {0, 1};
  if (bits >= 64)
    return isUnsigned ? Interval{0, Interval::kInfinity} : Interval::all();
  const int64_t half = int64_t{1} << (bits - 1);
  return isUnsigned ? Interval{0, 2 * half - 1} : Interval{-half, half - 1};
}

bool holdsAll(ElementType type, ElementType from) {
  if (type == from) return true;
  // An interval holds all values of up to 32 bits, and all signed ones of 64
  // bits, but not the upper half of the unsigned ones of 64 bits.
  return isInteger(type) && isInteger(from) && bitsOf(from) < 64 &&
         valuesOf(type).contains(valuesOf(from));
}

std::optional<llvm::SmallVector<Expr, 4>> movedIndex(const Op &op,
                                                     llvm::ArrayRef<Expr> index,
                                                     IndexingMapBuilder &b) {
  if (shapesOf(op).operands.size() != 1) return std::nullopt;
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->pieces().size() != 1 ||
      relation->precision() != Precision::Exact)
    return std::nullopt;
  const IndexingMap &map = relation->pieces()[0];
  if (!map.ranges().empty() || !map.runtime().empty()) return std::nullopt;
  auto replace = [&](VariableId id) { return index[id.index].form(); };
  ExpressionImport import(map.expressions(), b.pool(), replace);
  llvm::SmallVector<Expr, 4> moved;
  for (FormId form : map.results()) moved.push_back(b.expression(import(form)));
  return moved;
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
                                 IndexBounds bounds, Choices *choices) {
  return KnownValues(module, builder, bounds, choices).element(value, index);
}

}  // namespace indexical
