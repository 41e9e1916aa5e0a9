#include "tests/support/given_attributes.h"

#include <algorithm>

#include "tests/oracle/tensor.h"
#include "tests/support/visit_op.h"

namespace indexical::testing {
namespace {

/// Operands that are lists of integers.
class Lists {
 public:
  Lists(OpShapes &shapes, OperandValues &values)
      : shapes_(shapes), values_(values) {}
  void add(llvm::ArrayRef<int64_t> list) {
    add(list, {static_cast<int64_t>(list.size())});
  }
  void add(llvm::ArrayRef<int64_t> list, llvm::ArrayRef<int64_t> sizes) {
    shapes_.operands.push_back(ArrayShape(ElementType::S64, sizes));
    values_.push_back(list.vec());
  }

 private:
  OpShapes &shapes_;
  OperandValues &values_;
};

struct Give {
  OperandValues &values;

  template <typename OpType>
  std::optional<Op> operator()(const OpType &) const {
    return std::nullopt;
  }
  std::optional<Op> operator()(IotaOp op) const {
    Lists(op, values).add(op.results[0].dimensions);
    return op;
  }
  std::optional<Op> operator()(BroadcastOp op) const {
    Lists(op, values).add(op.results[0].dimensions);
    for (int64_t k = 0; k < op.operands[0].rank(); ++k)
      op.maybeExpanding.push_back(k);
    return op;
  }
  std::optional<Op> operator()(SliceOp op) const {
    Lists lists(op, values);
    for (Int64s *list : {&op.starts, &op.limits, &op.strides}) {
      lists.add(*list);
      list->clear();
    }
    return op;
  }
  std::optional<Op> operator()(PadOp op) const {
    Lists lists(op, values);
    for (Int64s *list : {&op.low, &op.high, &op.interior}) {
      lists.add(*list);
      list->clear();
    }
    return op;
  }
  std::optional<Op> operator()(GatherOp op) const {
    Lists(op, values).add(op.sliceSizes);
    op.sliceSizes.clear();
    return op;
  }
  std::optional<Op> operator()(ConvolutionOp op) const {
    Int64s padding;
    for (WindowDimension &w : op.window) {
      padding.push_back(w.padLow);
      padding.push_back(w.padHigh);
      w.padLow = w.padHigh = 0;
    }
    Lists(op, values).add(padding, {static_cast<int64_t>(op.window.size()), 2});
    return op;
  }
};

}  // namespace

std::optional<Op> withGivenAttributes(const Op &op, OperandValues &values) {
  return visitOp(Give{values}, op);
}

void saySizes(const Op &op, OperandValues &values) {
  if (auto *set = op.as<SetDimensionSizeOp>())
    values[1] = {set->results[0].dimensions[set->dimension]};
  auto *reshape = op.as<DynamicReshapeOp>();
  if (!reshape) return;
  llvm::ArrayRef<int64_t> sizes = reshape->results[0].dimensions;
  if (reshape->operands.size() == 2 && reshape->operands[1].rank() == 1) {
    values[1] = sizes.vec();
    return;
  }
  for (size_t k = 0; k < sizes.size(); ++k) values[1 + k] = {sizes[k]};
}

}  // namespace indexical::testing
