#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/tile_copies.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::AccessKind;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using mlir::Value;

namespace {

/// The ops on a buffer: `pointer` is the number of the operand that is it, and
/// the offsets follow it; `values` are the tensors behind these that are no
/// mask.
struct BufferOp {
  StringRef name;
  AccessKind kind;
  unsigned pointer, values;
};

constexpr BufferOp kBufferOps[] = {
    {"buffer_load", AccessKind::Load, 0, 0},
    {"buffer_load_to_local", AccessKind::Load, 1, 0},
    {"buffer_store", AccessKind::Store, 1, 0},
    {"buffer_atomic_rmw", AccessKind::Atomic, 0, 1},
    {"buffer_atomic_cas", AccessKind::Atomic, 0, 2},
};

}  // namespace

bool TileCopies::traceAmd(Operation &op, StringRef name) {
  const auto *const buffer = llvm::find_if(
      kBufferOps, [&](const BufferOp &each) { return each.name == name; });
  if (buffer != std::end(kBufferOps))
    traceBuffer(op, name, buffer->kind, buffer->pointer, buffer->values);
  else if (name == "async_copy_local_to_global")
    traceCopyOut(op);
  else if (name == "extract_slice")
    traceSlice(op);
  else if (name == "concat")
    traceConcat(op);
  else if ((name == "assume_uniform" || name == "in_thread_transpose") &&
           op.getNumOperands() == 1 && op.getNumResults() == 1)
    values_[op.getResult(0)] = of(op.getOperand(0));
  else
    return false;
  return true;
}

/// Traces an op that accesses the elements at 32-bit offsets behind a pointer.
void TileCopies::traceBuffer(Operation &op, StringRef name, AccessKind kind,
                             unsigned pointer, unsigned values) {
  setUnknown(&op);
  if (op.getNumOperands() < pointer + 2 + values)
    return note(&op, "an op on a buffer has no offsets");
  const auto offsets = llvm::dyn_cast<mlir::RankedTensorType>(
      op.getOperand(pointer + 1).getType());
  const mlir::Type element = pointeeOf(op.getOperand(pointer).getType());
  if (!offsets || !element || llvm::isa<mlir::RankedTensorType>(element))
    return note(&op, "an op on a buffer has no offsets");
  TracedAccess access = accessOf(op, kind);
  access.type = mlir::RankedTensorType::get(offsets.getShape(), element,
                                            offsets.getEncoding());
  const auto base = term(op.getOperand(pointer));
  const auto at = term(op.getOperand(pointer + 1));
  if (base && at)
    access.pointer = terms().make(TermKind::PointerAdd, 64, {*base, wide(*at)});
  // Behind the values there are tensors, the mask first, and the stride, a
  // number that moves nothing.
  Value mask, other;
  for (Value operand : op.getOperands().drop_front(pointer + 2 + values)) {
    if (!llvm::isa<mlir::RankedTensorType>(operand.getType())) continue;
    if (!mask && elementOf(operand.getType()).isInteger(1))
      mask = operand;
    else
      other = operand;
  }
  if (mask) addMask(access, mask);
  access.contiguity = integerOf(op.getAttr("contiguity")).value_or(1);
  if (kind == AccessKind::Atomic) access.atomicWidth = AtomicWidth::Unknown;
  if (name == "buffer_load_to_local")
    access.memory = memoryOf(op.getOperand(0).getType());
  if (name == "buffer_load" && op.getNumResults() == 1)
    setLoaded(op, access.pointer, mask, other);
  record(std::move(access));
}

/// Traces a copy from shared to global memory, whose threads each have a
/// pointer.
void TileCopies::traceCopyOut(Operation &op) {
  setUnknown(&op);
  const mlir::Type pointee = op.getNumOperands() > 1
                                 ? pointeeOf(op.getOperand(1).getType())
                                 : mlir::Type();
  if (!pointee) return note(&op, "a copy has no pointers");
  TracedAccess access = accessOf(op, AccessKind::Store);
  access.pointer = term(op.getOperand(1));
  access.type = pointee;
  access.memory = memoryOf(op.getOperand(0).getType());
  access.contiguity = integerOf(op.getAttr("contiguity")).value_or(1);
  if (op.getNumOperands() > 2) addMask(access, op.getOperand(2));
  record(std::move(access));
}

void TileCopies::traceSlice(Operation &op) {
  setUnknown(&op);
  const auto offsets =
      op.getAttrOfType<mlir::DenseI64ArrayAttr>(kOffsetsAttribute);
  if (op.getNumOperands() != 1 || op.getNumResults() != 1)
    return note(&op, "a slice is of one tensor");
  const auto from = shapeOf(op.getOperand(0).getType());
  const auto to = shapeOf(op.getResult(0).getType());
  bool fits = offsets && offsets.size() == static_cast<int64_t>(from.size()) &&
              to.size() == from.size();
  for (size_t k = 0; fits && k < to.size(); ++k)
    fits = offsets[k] >= 0 && offsets[k] <= from[k] - to[k];
  if (!fits) return note(&op, "a slice is not within its tensor");
  const auto id = term(op.getOperand(0));
  if (!id) return;
  TermList source;
  for (size_t k = 0; k < to.size(); ++k)
    source.push_back(terms().make(TermKind::Add, 64,
                                  {terms().coordinate(k), number(offsets[k])}));
  values_[op.getResult(0)] = terms().substitute(*id, source);
}

/// Traces `%a, %b, …`, tiles that fill the result, the last dimension first.
void TileCopies::traceConcat(Operation &op) {
  setUnknown(&op);
  if (op.getNumOperands() < 1 || op.getNumResults() != 1)
    return note(&op, "tiles to be joined are missing");
  const auto tile = shapeOf(op.getOperand(0).getType());
  const auto all = shapeOf(op.getResult(0).getType());
  bool fits = tile.size() == all.size() && !all.empty();
  int64_t tiles = 1;
  for (size_t k = 0; fits && k < all.size(); ++k) {
    fits = tile[k] > 0 && all[k] % tile[k] == 0;
    if (fits) tiles *= all[k] / tile[k];
    fits &= tiles <= int64_t{1} << 20;
  }
  for (Value operand : op.getOperands())
    fits &= shapeOf(operand.getType()) == tile;
  if (!fits || tiles != static_cast<int64_t>(op.getNumOperands()))
    return note(&op, "tiles to be joined do not fill their result");
  TermList inTile;
  TermId which = number(0);
  for (size_t k = 0; k < all.size(); ++k) {
    const TermId at = terms().coordinate(k), side = number(tile[k]);
    inTile.push_back(terms().make(TermKind::RemS, 64, {at, side}));
    which = terms().make(
        TermKind::Add, 64,
        {terms().make(TermKind::Mul, 64, {which, number(all[k] / tile[k])}),
         terms().make(TermKind::FloorDivS, 64, {at, side})});
  }
  std::optional<TermId> result;
  for (size_t k = op.getNumOperands(); k-- > 0;) {
    const auto id = term(op.getOperand(k));
    if (!id) return;
    const TermId own = terms().substitute(*id, inTile);
    if (!result) {
      result = own;
      continue;
    }
    const TermId isOwn = terms().make(TermKind::Equal, 1,
                                      {which, number(static_cast<int64_t>(k))});
    result = terms().make(TermKind::Select, terms()[own].bits,
                          {isOwn, own, *result});
  }
  values_[op.getResult(0)] = *result;
}

}  // namespace indexical::triton
