#include <algorithm>
#include <utility>

#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/kernel/triton/op_syntax.h"
#include "indexical/kernel/triton/tracer.h"
#include "indexical/kernel/triton/value_types.h"

namespace indexical::triton {

using kernels::AccessKind;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;

bool Tracer::traceTensorMap(Operation &op, StringRef name) {
  if (name == "tensormap_create")
    traceTensorMapCreate(op);
  else if (name == "reinterpret_tensor_descriptor" &&
           op.getNumOperands() == 1 && op.getNumResults() == 1)
    values_[op.getResult(0)] = of(op.getOperand(0));
  else if (name == "async_tma_copy_global_to_local")
    traceTensorMapCopy(op, AccessKind::Load);
  else if (name == "async_tma_copy_local_to_global")
    traceTensorMapCopy(op, AccessKind::Store);
  else
    return false;
  return true;
}

/// Traces `tensormap_create %memory, %base, [box], [sizes], [strides],
/// [steps]`, whose lists have the fastest dimension first. Strides are bytes,
/// and that of the fastest dimension is left out.
void Tracer::traceTensorMapCreate(Operation &op) {
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
    const kernels::Term of = terms()[stride];
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

/// Traces `%descriptor[%i, %j] %tile, %barrier, %predicate …`. A store has no
/// barrier and no predicate.
void Tracer::traceTensorMapCopy(Operation &op, AccessKind kind) {
  TracedAccess access = accessOf(op, kind);
  auto of = block(op.getOperand(0));
  const auto lists = op.getAttrOfType<mlir::DenseI32ArrayAttr>(kListsAttribute);
  const size_t rank = lists && lists.size() == 1 ? lists[0] : 0;
  const auto tile = rank + 1 < op.getNumOperands()
                        ? memoryOf(op.getOperand(rank + 1).getType())
                        : mlir::RankedTensorType();
  if (!tile) return note(&op, "a copy by a descriptor has no tile");
  access.type =
      mlir::RankedTensorType::get(tile.getShape(), tile.getElementType());
  bool isKnown = of && of->offsets.size() == rank &&
                 tile.getRank() == static_cast<int64_t>(rank);
  for (size_t k = 0; isKnown && k < rank; ++k) {
    const auto at = term(op.getOperand(k + 1));
    isKnown = at.has_value();
    if (at) of->offsets[k] = wide(*at);
  }
  if (isKnown)
    pointInto(access, *of, {});
  else
    note(&op, "the shape of a descriptor is not known");
  for (unsigned k = rank + 2; k < op.getNumOperands(); ++k)
    if (op.getOperand(k).getType().isInteger(1)) addMask(access, k);
  record(std::move(access));
}

}  // namespace indexical::triton
