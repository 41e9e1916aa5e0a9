#include "indexical/values/elements_at.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/sizes.h"
#include "indexical/values/op_elements.h"

namespace indexical {
namespace {

using Index = llvm::ArrayRef<Expr>;
using Maybe = std::optional<Expr>;

/// Returns the size of a dimension, or nothing if only its bound is known: an
/// index below the bound may then lie behind the last element.
std::optional<int64_t> sizeOf(const ArrayShape &shape, int64_t dimension) {
  const bool isOpen = shape.dimensions[dimension] == kDynamicSize ||
                      (!shape.dynamic.empty() && shape.dynamic[dimension]);
  if (isOpen) return std::nullopt;
  return shape.dimensions[dimension];
}

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
  Maybe extracted(const Op &op);
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
  if (const auto size = sizeOf(shape_, op.dimension))
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
    const auto size = sizeOf(op.operands[0], k);
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

Maybe At::moved(const Op &op) {
  if (shapesOf(op).operands[0].type != shape_.type) return std::nullopt;
  const auto index = movedIndex(op, index_, integers_.pool());
  return index ? operands_.element(0, *index) : std::nullopt;
}

/// Returns the element of operand 0 at the numbers that the others are. A slice
/// begins there, as far as it stays inside.
Maybe At::extracted(const Op &op) {
  const ShapeList &operands = shapesOf(op).operands;
  if (operands.empty() || operands.size() != operands[0].dimensions.size() + 1)
    return std::nullopt;
  const bool isSlice = op.is<DynamicSliceOp>();
  llvm::SmallVector<Expr, 4> index;
  for (size_t k = 0; k + 1 < operands.size(); ++k) {
    const Maybe place =
        operands[k + 1].isScalar() ? operands_.element(k + 1, {}) : Maybe();
    const auto number = place ? integers_.valueOf(*place) : std::nullopt;
    if (!number) return std::nullopt;
    if (!isSlice) {
      if (*number < 0) return std::nullopt;
      index.push_back(*place);
      continue;
    }
    const auto size = sizeOf(operands[0], k), taken = sizeOf(shape_, k);
    if (!size || !taken) return std::nullopt;
    index.push_back(index_[k] +
                    std::clamp<int64_t>(*number, 0, *size - *taken));
  }
  return operands_.element(0, index);
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
    const auto size = sizeOf(shape, op.dimension);
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

std::optional<llvm::SmallVector<Expr, 4>> movedIndex(const Op &op,
                                                     llvm::ArrayRef<Expr> index,
                                                     ExpressionPool &pool) {
  auto relation = indexing(op, Direction::OutputToInput, 0, 0);
  if (!relation.ok() || relation->pieces().size() != 1 ||
      relation->precision() != Precision::Exact)
    return std::nullopt;
  const IndexingMap &map = relation->pieces()[0];
  // Sizes say how far the map holds. An index that is computed of one has no
  // number here.
  bool isOfDimensions = map.ranges().empty();
  map.expressions().visitVariables(map.results(), [&](VariableId id) {
    isOfDimensions = isOfDimensions && id.kind == VariableKind::Dimension;
  });
  if (!isOfDimensions) return std::nullopt;
  auto replace = [&](VariableId id) { return index[id.index].form(); };
  ExpressionImport import(map.expressions(), pool, replace);
  llvm::SmallVector<Expr, 4> moved;
  for (FormId form : map.results()) moved.push_back({&pool, import(form)});
  return moved;
}

std::optional<Expr> elementAt(const Op &op, int64_t result,
                              llvm::ArrayRef<Expr> index,
                              OperandElements &operands, Integers &integers) {
  return visitElements(
      op, result, At(shapesOf(op).results[result], index, operands, integers));
}

}  // namespace indexical
