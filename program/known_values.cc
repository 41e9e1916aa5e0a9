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

class KnownValues {
 public:
  using Index = llvm::ArrayRef<Expr>;

  KnownValues(const Computation &computation, IndexingMapBuilder &builder,
              IndexBounds bounds)
      : computation_(computation), b_(builder), bounds_(bounds) {}

  std::optional<Expr> element(Leaf leaf, Index index);

 private:
  using Maybe = std::optional<Expr>;

  Interval boundsOf(Expr expression) {
    return FormBounds(b_.pool(), bounds_)(expression.form());
  }
  Maybe operand(const OperandLeaf &leaf, Index index) {
    // A scalar stands beside a tensor of any shape.
    const Op &op = computation_.instructions[leaf.instruction].op;
    const bool isScalar = shapesOf(op).results[leaf.result].isScalar();
    return element({leaf.instruction, leaf.result}, isScalar ? Index() : index);
  }
  Maybe literal(const ConstantOp &op, Index index);
  Maybe concatenated(int32_t instruction, const ConcatenateOp &op, Index index);
  Maybe padded(int32_t instruction, const PadOp &op, Index index);
  Maybe computed(int32_t instruction, const ElementwiseOp &op, Index index);
  Maybe arithmetic(const ElementwiseOp &op, llvm::ArrayRef<Expr> x);
  Maybe quotient(const ElementwiseOp &op, Expr a, Expr b);
  Maybe compared(const ElementwiseOp &op, Expr a, Expr b);
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
    const Interval difference = boundsOf(a - b);
    if (difference.lower >= 0) return a;
    if (difference.upper <= 0) return b;
    return std::nullopt;
  }
  Maybe smaller(Expr a, Expr b) {
    const Interval difference = boundsOf(a - b);
    if (difference.lower >= 0) return b;
    if (difference.upper <= 0) return a;
    return std::nullopt;
  }

  const Computation &computation_;
  IndexingMapBuilder &b_;
  IndexBounds bounds_;
  int steps_ = 0;
};

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

std::optional<Expr> KnownValues::element(Leaf leaf, Index index) {
  if (++steps_ > kMostSteps) return std::nullopt;
  leaf = originOf(computation_, leaf);
  const Instruction &i = computation_.instructions[leaf.instruction];
  const OpShapes &shapes = shapesOf(i.op);
  const ArrayShape &shape = shapes.results[leaf.leaf];
  if (!isInteger(shape.type) || index.size() != shape.dimensions.size())
    return std::nullopt;
  Maybe value;
  if (const auto *constant = i.op.as<ConstantOp>()) {
    value = literal(*constant, index);
  } else if (const auto *iota = i.op.as<IotaOp>()) {
    // Its type holds the numbers of the whole dimension, or they wrap.
    const int64_t size = shape.dimensions[iota->dimension];
    const Interval values = {
        0, size == kDynamicSize ? Interval::kInfinity : size - 1};
    if (!valuesOf(shape.type).contains(values)) return std::nullopt;
    return index[iota->dimension];
  } else if (const auto *concatenate = i.op.as<ConcatenateOp>()) {
    value = concatenated(leaf.instruction, *concatenate, index);
  } else if (const auto *pad = i.op.as<PadOp>()) {
    value = padded(leaf.instruction, *pad, index);
  } else if (const auto *elementwise = i.op.as<ElementwiseOp>()) {
    value = computed(leaf.instruction, *elementwise, index);
  } else if (i.op.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp,
                          ReshapeOp, BitcastOp>() &&
             i.operands.size() == 1 && shapes.operands[0].type == shape.type) {
    auto moved = movedIndex(i.op, index, b_);
    if (!moved) return std::nullopt;
    const OperandLeaf from = computation_.operandLeaf(leaf.instruction, 0);
    value = element({from.instruction, from.result}, *moved);
  }
  if (!value || !valuesOf(shape.type).contains(boundsOf(*value)))
    return std::nullopt;
  return value;
}

/// One of the operands, where the index lies in it on all of its bounds.
std::optional<Expr> KnownValues::concatenated(int32_t instruction,
                                              const ConcatenateOp &op,
                                              Index index) {
  const Interval at = boundsOf(index[op.dimension]);
  const auto leaves = computation_.operandLeaves(instruction);
  int64_t start = 0;
  for (const OperandLeaf &leaf : leaves) {
    const int64_t size =
        op.operands[&leaf - leaves.begin()].dimensions[op.dimension];
    if (size == kDynamicSize) return std::nullopt;
    if (at.lower >= start && at.upper < start + size) {
      llvm::SmallVector<Expr, 4> inside(index.begin(), index.end());
      inside[op.dimension] = index[op.dimension] - start;
      return element({leaf.instruction, leaf.result}, inside);
    }
    start += size;
  }
  return std::nullopt;
}

/// The operand, or what it is padded with, where the bounds tell which.
std::optional<Expr> KnownValues::padded(int32_t instruction, const PadOp &op,
                                        Index index) {
  if (op.operands.size() != 2 || op.low.size() != index.size() ||
      llvm::any_of(op.interior, [](int64_t k) { return k != 0; }))
    return std::nullopt;
  const auto leaves = computation_.operandLeaves(instruction);
  llvm::SmallVector<Expr, 4> inside;
  bool isInside = true;
  for (size_t k = 0; k < index.size(); ++k) {
    const int64_t size = op.operands[0].dimensions[k];
    if (size == kDynamicSize) return std::nullopt;
    inside.push_back(index[k] - op.low[k]);
    const Interval at = boundsOf(inside.back());
    if (at.upper < 0 || at.lower >= size)
      return element({leaves[1].instruction, leaves[1].result}, {});
    isInside &= at.lower >= 0 && at.upper < size;
  }
  if (!isInside) return std::nullopt;
  return element({leaves[0].instruction, leaves[0].result}, inside);
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
  const Interval d = boundsOf(a - b);
  auto decided = [&](bool yes, bool no) -> Maybe {
    if (yes) return b_.constant(1);
    if (no) return b_.constant(0);
    return std::nullopt;
  };
  const bool never = d.lower > 0 || d.upper < 0;
  const bool always = d.lower == 0 && d.upper == 0;
  if (direction == "LT") return decided(d.upper < 0, d.lower >= 0);
  if (direction == "LE") return decided(d.upper <= 0, d.lower > 0);
  if (direction == "GT") return decided(d.lower > 0, d.upper <= 0);
  if (direction == "GE") return decided(d.lower >= 0, d.upper < 0);
  if (direction == "EQ") return decided(always, never);
  if (direction == "NE") return decided(never, always);
  return std::nullopt;
}

std::optional<Expr> KnownValues::quotient(const ElementwiseOp &op, Expr a,
                                          Expr b) {
  const auto divisor = b_.valueOf(b);
  if (!divisor || *divisor <= 0 || boundsOf(a).lower < 0) return std::nullopt;
  return op.opKind->traits.arithmetic == Arithmetic::Divide
             ? floorDiv(a, *divisor)
             : mod(a, *divisor);
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
      auto raised = larger(x[1], x[0]);
      return raised ? smaller(*raised, x[2]) : std::nullopt;
    }
  }
  return std::nullopt;
}

std::optional<Expr> KnownValues::computed(int32_t instruction,
                                          const ElementwiseOp &op,
                                          Index index) {
  if (!op.opKind) return std::nullopt;
  const auto leaves = computation_.operandLeaves(instruction);
  const bool isSelect = op.opKind == kindOf<ElementwiseOp>("select");
  const bool isCompare = op.opKind == kindOf<ElementwiseOp>("compare");
  const bool isNot = op.opKind == kindOf<ElementwiseOp>("not");
  if (isSelect) {
    if (leaves.size() != 3) return std::nullopt;
    const Maybe choice = operand(leaves[0], index);
    const auto known = choice ? b_.valueOf(*choice) : std::nullopt;
    if (!known) return std::nullopt;
    return operand(leaves[*known ? 1 : 2], index);
  }
  if (!isCompare && !isNot && op.opKind->traits.arithmetic == Arithmetic::None)
    return std::nullopt;
  // A number of another kind than an integer is not followed.
  llvm::SmallVector<Expr, 3> values;
  for (const OperandLeaf &leaf : leaves) {
    const Maybe value = operand(leaf, index);
    if (!value || !(op.keepsValues() || kComputable.contains(boundsOf(*value))))
      return std::nullopt;
    values.push_back(*value);
  }
  if (isCompare)
    return values.size() == 2 ? compared(op, values[0], values[1])
                              : std::nullopt;
  const bool isTruth = op.results[0].type == ElementType::Pred;
  if (isNot) {
    if (!isTruth || values.size() != 1) return std::nullopt;
    return b_.constant(1) - values[0];
  }
  // Sums of truth values are no sums.
  if (isTruth && !op.keepsValues()) return std::nullopt;
  return arithmetic(op, values);
}

}  // namespace

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

std::optional<Expr> knownElement(const Computation &computation, Leaf leaf,
                                 llvm::ArrayRef<Expr> index,
                                 IndexingMapBuilder &builder,
                                 IndexBounds bounds) {
  return KnownValues(computation, builder, bounds).element(leaf, index);
}

}  // namespace indexical
