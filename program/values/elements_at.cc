#include "indexical/program/values/elements_at.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/sizes.h"
#include "indexical/program/values/op_elements.h"

namespace indexical {
namespace {

using Index = llvm::ArrayRef<Expr>;
using Maybe = std::optional<Expr>;

/// The domain of elements at an index (op_elements.h).
class At {
 public:
  using Result = Maybe;

  At(const ArrayShape &shape, Index index, OperandElements &operands,
     Integers &integers)
      : shape_(shape),
        index_(index),
        operands_(operands),
        integers_(integers) {}

  Maybe literal(const ConstantOp &op) {
    return literalAt(op, index_, integers_);
  }
  Maybe position(const IotaOp &op);
  Maybe size(const NullaryOp &op);
  Maybe same(int64_t operand) { return operands_.element(operand, index_); }
  Maybe parts(const ConcatenateOp &op);
  Maybe padded(const PadOp &op);
  Maybe computed(const ElementwiseOp &op) {
    return operands_.computed(op, index_);
  }
  Maybe moved(const Op &op);
  Maybe extracted(const Op &op) { return moved(op); }
  Maybe listed(const Op &op);
  Maybe splat(const Op &op) {
    if (shapesOf(op).operands.empty()) return std::nullopt;
    return operands_.element(0, {});
  }
  Maybe broadcastSize(const Op &op);
  Maybe product(const Op &op);
  Maybe other(const Op &) { return std::nullopt; }

 private:
  const ArrayShape &shape_;
  const Index index_;
  OperandElements &operands_;
  Integers &integers_;
};

/// Returns the index, if the type has it: a number that it has not wraps.
Maybe At::position(const IotaOp &op) {
  const Expr along = index_[op.dimension];
  Interval values = integers_.boundsOf(along);
  if (const auto size = sizeIfFixed(shape_, op.dimension))
    values = values.intersect({0, *size - 1});
  // A size that stands in a tensor is a number of that tensor's type.
  if (shape_.dimensions[op.dimension] == kDynamicSize && !op.operands.empty() &&
      isInteger(op.operands[0].type))
    values = values.intersect(valuesOf(op.operands[0].type));
  if (!valuesOf(shape_.type).contains(values)) return std::nullopt;
  return along;
}

Maybe At::size(const NullaryOp &op) {
  if (op.operands.empty()) return std::nullopt;
  if (*op.sizeOf != NullaryOp::kAllSizes) return operands_.size(*op.sizeOf);
  const auto dimension = integers_.valueOf(index_[0]);
  return dimension ? operands_.size(*dimension) : std::nullopt;
}

Maybe At::parts(const ConcatenateOp &op) {
  const auto part =
      partAt(op, index_, integers_.boundsOf(index_[op.dimension]));
  return part ? operands_.element(part->operand, part->index) : std::nullopt;
}

/// Returns the element of the operand, or the padding, if bounds decide which.
Maybe At::padded(const PadOp &op) {
  if (op.operands.size() != 2 || op.low.size() != index_.size() ||
      llvm::any_of(op.interior, [](int64_t k) { return k != 0; }))
    return std::nullopt;
  llvm::SmallVector<Expr, 4> inside;
  bool isInside = true;
  for (size_t k = 0; k < index_.size(); ++k) {
    const auto size = sizeIfFixed(op.operands[0], k);
    if (!size) return std::nullopt;
    inside.push_back(index_[k] - op.low[k]);
    const Interval along = integers_.boundsOf(inside.back());
    if (along.upper < 0 || along.lower >= *size)
      return operands_.element(1, {});
    isInside &= along.lower >= 0 && along.upper < *size;
  }
  if (!isInside) return std::nullopt;
  return operands_.element(0, inside);
}

/// Returns the element of operand 0 that the op's map names, at the numbers
/// that other operands are.
Maybe At::moved(const Op &op) {
  const ShapeList &operands = shapesOf(op).operands;
  if (operands.empty() || operands[0].type != shape_.type) return std::nullopt;
  auto number = [&](size_t operand) -> std::optional<int64_t> {
    if (!operands[operand].isScalar()) return std::nullopt;
    const Maybe scalar = operands_.element(operand, {});
    return scalar ? integers_.valueOf(*scalar) : std::nullopt;
  };
  const auto index = movedIndex(op, index_, integers_.pool(), number);
  return index ? operands_.element(0, *index) : std::nullopt;
}

Maybe At::listed(const Op &op) {
  int64_t number = 0;
  for (auto [along, size] : llvm::zip_equal(index_, shape_.dimensions)) {
    const auto place = integers_.valueOf(along);
    if (!place) return std::nullopt;
    number = number * size + *place;
  }
  if (number >= static_cast<int64_t>(shapesOf(op).operands.size()))
    return std::nullopt;
  return operands_.element(number, {});
}

/// Returns the common size of all operands whose size there is not 1, aligned
/// at the last dimension.
Maybe At::broadcastSize(const Op &op) {
  const int64_t count = shape_.dimensions[0];
  if (count == kDynamicSize || index_.size() != 1) return std::nullopt;
  const auto place = integers_.valueOf(index_[0]);
  if (!place) return std::nullopt;
  Maybe made;
  bool isOne = true;
  for (auto [k, operand] : llvm::enumerate(shapesOf(op).operands)) {
    const int64_t own = operand.dimensions[0];
    if (own == kDynamicSize) return std::nullopt;
    const int64_t at = *place - (count - own);
    if (at < 0) continue;
    const Maybe size = operands_.element(k, {integers_.constant(at)});
    if (!size) return std::nullopt;
    const auto number = integers_.valueOf(*size);
    if (number == 1 || (made && made->form() == size->form())) continue;
    isOne = false;
    // A known size decides: the others are that size, or 1.
    if (made && !number && !integers_.valueOf(*made)) return std::nullopt;
    if (!made || number) made = size;
  }
  return isOne ? integers_.constant(1) : made;
}

Maybe At::product(const Op &op) {
  const ShapeList &operands = shapesOf(op).operands;
  if (operands.size() != 1 || operands[0].rank() != 1 ||
      hasOpenSize(operands[0]))
    return std::nullopt;
  Maybe product = integers_.constant(1);
  for (int64_t k = 0; k < operands[0].dimensions[0] && product; ++k) {
    const Maybe factor = operands_.element(0, {integers_.constant(k)});
    product = factor ? integers_.product(*product, *factor) : std::nullopt;
  }
  return product;
}

}  // namespace

std::optional<OperandIndex> partAt(const ConcatenateOp &op,
                                   llvm::ArrayRef<Expr> index, Interval along) {
  int64_t start = 0;
  for (auto [number, shape] : llvm::enumerate(op.operands)) {
    const auto size = sizeIfFixed(shape, op.dimension);
    if (!size) return std::nullopt;
    if (along.lower >= start && along.upper < start + *size) {
      OperandIndex part = {number, {index.begin(), index.end()}};
      part.index[op.dimension] = index[op.dimension] - start;
      return part;
    }
    start += *size;
  }
  return std::nullopt;
}

std::optional<int64_t> numberOf(const RuntimeVariable &variable,
                                llvm::function_ref<ScalarNumber> number) {
  const RuntimeSource &source = variable.source;
  if (source.kind != RuntimeSource::Kind::Element || source.tensor < 1 ||
      !variable.index.empty())
    return std::nullopt;
  const auto element = number(source.tensor);
  if (!element) return std::nullopt;
  if (variable.clamped)
    return std::clamp(*element, variable.bounds.lower, variable.bounds.upper);
  if (!variable.bounds.contains(*element)) return std::nullopt;
  return element;
}

std::optional<llvm::SmallVector<Expr, 4>> movedIndex(
    const Op &op, llvm::ArrayRef<Expr> index, ExpressionPool &pool,
    llvm::function_ref<ScalarNumber> number) {
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->pieces().size() != 1 ||
      relation->precision() != Precision::Exact ||
      !relation->pieces()[0].ranges().empty())
    return std::nullopt;
  const IndexingMap &map = relation->pieces()[0];
  // Sizes say how far the map holds. An index that is computed of one has no
  // number here.
  bool isKnown = true;
  auto replace = [&](VariableId id) {
    if (id.kind == VariableKind::Dimension) return index[id.index].form();
    const auto element =
        number ? numberOf(map.runtime()[id.index], number) : std::nullopt;
    isKnown &= element.has_value();
    return pool.constantForm(element.value_or(0));
  };
  ExpressionImport import(map.expressions(), pool, replace);
  llvm::SmallVector<Expr, 4> moved;
  for (FormId form : map.results()) moved.push_back({&pool, import(form)});
  if (!isKnown) return std::nullopt;
  return moved;
}

std::optional<Expr> elementAt(const Op &op, int64_t result,
                              llvm::ArrayRef<Expr> index,
                              OperandElements &operands, Integers &integers) {
  return visitElements(
      op, result, At(shapesOf(op).results[result], index, operands, integers));
}

}  // namespace indexical
