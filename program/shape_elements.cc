// Elements that decide sizes, as shapes.h follows them.
//
//   n = s32[] get-dimension-size(p), dimensions={0}
//   m = s32[] multiply(n, four)      the element of m is 4 * the size of p
#include <algorithm>

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/bounds.h"
#include "indexical/indexing/relation.h"
#include "indexical/program/fold_known.h"
#include "indexical/program/shapes.h"

namespace indexical {
namespace {

size_t operandsOf(Arithmetic arithmetic) {
  switch (arithmetic) {
    case Arithmetic::Same:
    case Arithmetic::SignExtend:
    case Arithmetic::ZeroExtend:
    case Arithmetic::Negate:
      return 1;
    case Arithmetic::Clamp:
      return 3;
    default:
      return 2;
  }
}

}  // namespace

//===-- Elements ----------------------------------------------------------===//

std::optional<FormId> ProgramShapes::element(int32_t instruction, int64_t leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const auto key = std::make_tuple(instruction, leaf, index.vec());
  if (auto found = elements_.find(key); found != elements_.end())
    return found->second;
  // An element that follows from itself, or from too many others, is not known.
  constexpr int kDeepest = 400;
  elements_[key] = std::nullopt;
  if (depth_ == kDeepest) return std::nullopt;
  ++depth_;
  const auto value = valueOf(instruction, leaf, index);
  --depth_;
  return elements_[key] = value;
}

/// Returns the element, or a variable for it.
std::optional<FormId> ProgramShapes::valueOf(int32_t instruction, int64_t leaf,
                                             llvm::ArrayRef<int64_t> index) {
  const Instruction &i = computation_.instructions[instruction];
  const ShapeList &results = shapesOf(i.op).results;
  const ArrayShape &shape = results[leaf];
  const bool integral =
      shape.type == ElementType::Unknown || isInteger(shape.type);
  if (!integral || shape.rank() != static_cast<int64_t>(index.size()))
    return std::nullopt;
  for (int64_t k = 0; k < shape.rank(); ++k)
    if (shape.dimensions[k] != kDynamicSize && index[k] >= shape.dimensions[k])
      return std::nullopt;
  auto operandElement = [&](size_t k, llvm::ArrayRef<int64_t> at) {
    const OperandLeaf &operand = leaves_[instruction][k];
    return element(operand.instruction, operand.result, at);
  };
  std::optional<FormId> value;
  if (auto *constant = i.op.as<ConstantOp>()) {
    if (!constant->values.empty()) {
      int64_t place = 0;
      for (int64_t k = 0; k < shape.rank(); ++k)
        place = place * shape.dimensions[k] + index[k];
      const int64_t number = constant->values[place];
      if (number != INT64_MIN) value = pool_.constantForm(number);
    }
  } else if (auto *iota = i.op.as<IotaOp>()) {
    value = pool_.constantForm(index[iota->dimension]);
  } else if (auto *nullary = i.op.as<NullaryOp>()) {
    if (nullary->sizeOf && !leaves_[instruction].empty()) {
      const int64_t k = *nullary->sizeOf == NullaryOp::kAllSizes
                            ? index[0]
                            : *nullary->sizeOf;
      const OperandLeaf &of = leaves_[instruction][0];
      value = size(of.instruction, of.result, k);
      if (!value)
        value = pool_.constantForm(
            shapeOf(of.instruction, of.result).dimensions[k]);
    }
  } else if (auto *forward = i.op.as<ForwardOp>()) {
    if (forward->reads[leaf] >= 0)
      value = operandElement(forward->reads[leaf], index);
  } else if (auto *all = i.op.as<ConcatenateOp>()) {
    llvm::SmallVector<int64_t, 4> at(index.begin(), index.end());
    int64_t &along = at[all->dimension];
    for (size_t k = 0; k < all->operands.size() && !value; ++k) {
      const ArrayShape &part = all->operands[k];
      if (hasOpenSize(part)) break;
      const int64_t size = part.dimensions[all->dimension];
      if (along < size) {
        value = operandElement(k, at);
        break;
      }
      along -= size;
    }
  } else if (i.op.is<ElementwiseOp>()) {
    value = computed(instruction, index);
  } else if (i.op.is<BroadcastOp>() || i.op.is<TransposeOp>() ||
             i.op.is<ReverseOp>() || i.op.is<SliceOp>() ||
             i.op.is<ReshapeOp>() || i.op.is<BitcastOp>() ||
             i.op.is<DynamicReshapeOp>()) {
    auto relation = indexing(i.op, Direction::OutputToInput, 0, 0);
    if (relation.ok() && relation->pieces().size() == 1 &&
        relation->precision() == Precision::Exact) {
      const IndexingMap &map = relation->pieces()[0];
      IndexingMap::Point point;
      point.dimensions.assign(index.begin(), index.end());
      if (map.ranges().empty() && map.runtime().empty())
        if (auto at = map.evaluate(point)) value = operandElement(0, *at);
    }
  } else if (i.op.is<CustomOp>()) {
    value = byKind(instruction, index);
  }
  if (value && fits(*value, shape.type)) return value;
  return elementVariable(instruction, leaf, index);
}

/// Returns an element that an op of MLIR's tensor and shape dialects passes on,
/// by the op's name.
std::optional<FormId> ProgramShapes::byKind(int32_t instruction,
                                            llvm::ArrayRef<int64_t> index) {
  const auto &leaves = leaves_[instruction];
  auto operandElement = [&](size_t k, llvm::ArrayRef<int64_t> at) {
    return element(leaves[k].instruction, leaves[k].result, at);
  };
  switch (traitsOf(computation_.instructions[instruction].op).elements) {
    case ElementRule::Unknown:
      return std::nullopt;
    case ElementRule::Listed: {
      int64_t number = 0;
      for (auto [k, at] : llvm::enumerate(index))
        number = number * shapeOf(instruction, 0).dimensions[k] + at;
      if (number >= static_cast<int64_t>(leaves.size())) return std::nullopt;
      return operandElement(number, {});
    }
    case ElementRule::Splat:
      if (leaves.empty()) return std::nullopt;
      return operandElement(0, {});
    case ElementRule::Extracted: {
      if (leaves.empty()) return std::nullopt;
      llvm::SmallVector<int64_t, 4> at;
      for (size_t k = 1; k < leaves.size(); ++k) {
        const auto number = operandElement(k, {});
        if (!number || !pool_.isConstant(*number)) return std::nullopt;
        at.push_back(pool_.constant(*number));
        if (at.back() < 0) return std::nullopt;
      }
      return operandElement(0, at);
    }
    case ElementRule::BroadcastSize:
      return broadcastSize(instruction, index);
    case ElementRule::Product: {
      if (leaves.size() != 1) return std::nullopt;
      const ArrayShape &sizes =
          shapeOf(leaves[0].instruction, leaves[0].result);
      if (sizes.rank() != 1 || hasOpenSize(sizes)) return std::nullopt;
      FormId product = pool_.constantForm(1);
      for (int64_t k = 0; k < sizes.dimensions[0]; ++k) {
        const auto size = operandElement(0, {k});
        if (!size) return std::nullopt;
        product = pool_.product(product, *size);
      }
      return product;
    }
  }
  return std::nullopt;
}

/// Returns the common size of all operands whose size there is not 1, aligned
/// at the last dimension.
std::optional<FormId> ProgramShapes::broadcastSize(
    int32_t instruction, llvm::ArrayRef<int64_t> index) {
  const int64_t count = shapeOf(instruction, 0).dimensions[0];
  if (count == kDynamicSize || index.size() != 1) return std::nullopt;
  std::optional<FormId> made;
  bool isOne = true;
  for (const OperandLeaf &leaf : leaves_[instruction]) {
    const int64_t own = shapeOf(leaf.instruction, leaf.result).dimensions[0];
    if (own == kDynamicSize) return std::nullopt;
    const int64_t at = index[0] - (count - own);
    if (at < 0) continue;
    const auto size = element(leaf.instruction, leaf.result, {at});
    if (!size) return std::nullopt;
    if (pool_.isConstant(*size, 1) || made == size) continue;
    isOne = false;
    // A known size decides: the others are that size, or 1.
    const bool isKnown = pool_.isConstant(*size);
    if (made && !isKnown && !pool_.isConstant(*made)) return std::nullopt;
    if (!made || isKnown) made = size;
  }
  return isOne ? pool_.constantForm(1) : made;
}

/// Whether a type holds the value. A size is taken to fit, but a negative
/// number is none of an unsigned type.
bool ProgramShapes::fits(FormId form, ElementType type) {
  const Interval held = valuesOf(type);
  if (pool_.isConstant(form)) return held.contains(pool_.constant(form));
  return held.lower != 0 || boundsOf(form).lower >= 0;
}

std::optional<FormId> ProgramShapes::larger(FormId a, FormId b) {
  const Interval left = boundsOf(a), right = boundsOf(b);
  if (left.lower >= right.upper) return a;
  if (right.lower >= left.upper) return b;
  return std::nullopt;
}

std::optional<FormId> ProgramShapes::smaller(FormId a, FormId b) {
  const auto other = larger(a, b);
  if (!other) return std::nullopt;
  return *other == a ? b : a;
}

std::optional<FormId> ProgramShapes::computed(int32_t instruction,
                                              llvm::ArrayRef<int64_t> index) {
  const Instruction &i = computation_.instructions[instruction];
  const Traits &traits = traitsOf(i.op);
  const Arithmetic arithmetic = traits.arithmetic;
  if (arithmetic == Arithmetic::None) return std::nullopt;
  llvm::SmallVector<FormId, 3> values;
  for (const OperandLeaf &operand : leaves_[instruction]) {
    // A scalar counts for all elements.
    const bool isScalar =
        shapeOf(operand.instruction, operand.result).isScalar();
    auto value = element(operand.instruction, operand.result,
                         isScalar ? llvm::ArrayRef<int64_t>() : index);
    if (!value) return std::nullopt;
    values.push_back(*value);
  }
  if (values.size() != operandsOf(arithmetic)) return std::nullopt;
  const FormId a = values[0];
  const Interval left = boundsOf(a);
  if (traits.isUnsigned && llvm::any_of(values, [&](FormId value) {
        return boundsOf(value).lower < 0;
      }))
    return std::nullopt;
  if (values.size() == 1) {
    if (arithmetic == Arithmetic::Negate) return pool_.scale(a, -1);
    if (arithmetic == Arithmetic::SignExtend &&
        shapesOf(i.op).operands[0].type == ElementType::Pred)
      return std::nullopt;
    return a;
  }
  const FormId b = values[1];
  const Interval right = boundsOf(b);
  switch (arithmetic) {
    case Arithmetic::Add:
      return pool_.add(a, b);
    case Arithmetic::Subtract:
      return pool_.sub(a, b);
    case Arithmetic::Multiply:
      return pool_.product(a, b);
    // These round toward 0; sizes are not negative.
    case Arithmetic::Divide:
      if (left.lower < 0 || right.lower < 1) return std::nullopt;
      return pool_.quotient(a, b);
    case Arithmetic::Remainder:
      if (left.lower < 0 || right.lower < 1) return std::nullopt;
      return pool_.remainder(a, b);
    case Arithmetic::Maximum:
      return larger(a, b);
    case Arithmetic::Minimum:
      return smaller(a, b);
    case Arithmetic::Clamp: {
      const auto atLeast = larger(a, b);
      return atLeast ? smaller(*atLeast, values[2]) : std::nullopt;
    }
    default:
      return std::nullopt;
  }
}

}  // namespace indexical
