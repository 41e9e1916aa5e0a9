#include <utility>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/memory_ops.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;

bool MemoryOps::traceTensorMap(Operation &op, StringRef name) {
  if (name == "tensormap_create")
    traceTensorMapCreate(op);
  else if (name == "reinterpret_tensor_descriptor" &&
           op.getNumOperands() == 1 && op.getNumResults() == 1)
    values_[op.getResult(0)] = of(op.getOperand(0));
  else
    return false;
  return true;
}

/// Traces `tensormap_create %memory, %base, [box], [sizes], [strides],
/// [steps]`, whose lists have the fastest dimension first. Strides are bytes,
/// and that of the fastest dimension is left out.
void MemoryOps::traceTensorMapCreate(Operation &op) {
  const auto lists = op.getAttrOfType<mlir::DenseI32ArrayAttr>(kListsAttribute);
  if (op.getNumOperands() > 0) values_[op.getOperand(0)] = {};
  if (!lists || lists.size() != 4 || op.getNumOperands() < 2) return;
  // A descriptor that is written anew elsewhere is not followed.
  const auto memory = op.getOperand(0).getDefiningOp();
  const auto base = term(op.getOperand(1));
  const int64_t rank = lists[1];
  const int64_t bytes = bitsOf(op.getOperand(1).getType()) / 8;
  Operation *&creator = tensorMaps_[op.getOperand(0)];
  if (!creator) creator = &op;
  if (!memory || memory->getBlock() != op.getBlock() || creator != &op ||
      !base || bytes < 1 || rank < 1 || lists[2] != rank - 1)
    return;
  BlockPointer block;
  block.base = *base;
  block.checksAll = true;
  const auto listed = [&](int64_t from, int64_t count) {
    TermList all;
    for (int64_t k = count; k-- > 0;)
      if (const auto id = term(op.getOperand(from + k)))
        all.push_back(wide(*id));
    return all;
  };
  block.sizes = listed(2 + lists[0], rank);
  const TermId size = number(bytes);
  for (TermId stride : listed(2 + lists[0] + rank, rank - 1)) {
    // The file multiplies the elements with their size.
    const kernels::TermNode of = terms()[stride];
    const bool isProduct = of.kind == TermKind::Mul && of.operands[1] == size;
    block.strides.push_back(
        isProduct ? of.operands[0]
                  : terms().make(TermKind::DivS, 64, {stride, size}));
  }
  block.strides.push_back(number(1));
  block.offsets.assign(rank, number(0));
  if (block.sizes.size() != block.offsets.size() ||
      block.strides.size() != block.offsets.size())
    return;
  values_[op.getOperand(0)] = std::move(block);
}

}  // namespace indexical::triton
