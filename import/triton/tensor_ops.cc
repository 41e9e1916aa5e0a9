#include "indexical/import/triton/tensor_ops.h"

#include <algorithm>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinTypes.h"

#include "indexical/import/triton/dialect.h"
#include "indexical/import/triton/value_types.h"

namespace indexical::triton {

using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;

namespace {

/// Ops that give the elements of one operand other places.
constexpr StringRef kMovingOps[] = {"expand_dims", "broadcast", "trans",
                                    "reshape", "unsplat"};

/// The numbers of the sides that are not 1.
llvm::SmallVector<int64_t, 4> longSides(llvm::ArrayRef<int64_t> shape) {
  llvm::SmallVector<int64_t, 4> sides;
  for (size_t k = 0; k < shape.size(); ++k)
    if (shape[k] != 1) sides.push_back(k);
  return sides;
}

}  // namespace

bool TensorOps::traceTensor(Operation &op, StringRef name) {
  if (name == "get_program_id")
    traceProgram(op, TermKind::Program);
  else if (name == "get_num_programs")
    traceProgram(op, TermKind::Programs);
  else if (name == "make_range")
    traceRange(op);
  else if (name == "splat")
    values_[op.getResult(0)] = of(op.getOperand(0));
  else if (name == "bitcast")
    traceBitcast(op);
  else if (llvm::is_contained(kMovingOps, name))
    traceMoved(op, name);
  else if (name == "join")
    traceJoin(op);
  else if (name == "addptr")
    traceAddPointer(op);
  else
    return false;
  return true;
}

void TensorOps::traceProgram(Operation &op, TermKind kind) {
  values_[op.getResult(0)] =
      terms().leaf(kind, integerOf(op.getAttr("axis")).value_or(0),
                   termBits(op.getResult(0).getType()));
}

void TensorOps::traceRange(Operation &op) {
  const TermId at =
      terms().make(TermKind::Truncate, 32, {terms().coordinate(0)});
  values_[op.getResult(0)] = terms().make(
      TermKind::Add, 32,
      {at, number(integerOf(op.getAttr("start")).value_or(0), 32)});
}

void TensorOps::traceBitcast(Operation &op) {
  const mlir::Type from = op.getOperand(0).getType();
  const mlir::Type to = op.getResult(0).getType();
  const auto id = term(op.getOperand(0));
  // A truth value takes a byte of memory.
  const auto storedBits = [](mlir::Type type) {
    return isPointer(type) ? std::max<int64_t>(bitsOf(type), 8) : bitsOf(type);
  };
  if (!id || storedBits(from) != storedBits(to) ||
      isPointer(from) != isPointer(to))
    return setUnknown(&op);
  values_[op.getResult(0)] = *id;
}

void TensorOps::traceMoved(Operation &op, StringRef name) {
  const auto id = term(op.getOperand(0));
  if (!id) return setUnknown(&op);
  const auto source = sourceOf(op, name);
  if (!source) return setUnknown(&op);
  values_[op.getResult(0)] = terms().substitute(*id, *source);
}

std::optional<TermList> TensorOps::sourceOf(Operation &op, StringRef name) {
  const auto sides = shapeOf(op.getOperand(0).getType());
  TermList source;
  if (name == "expand_dims") {
    const int64_t axis = *integerOf(op.getAttr("axis"));
    for (size_t k = 0; k < sides.size(); ++k)
      source.push_back(
          terms().coordinate(static_cast<int64_t>(k) < axis ? k : k + 1));
  } else if (name == "broadcast") {
    for (size_t k = 0; k < sides.size(); ++k)
      source.push_back(sides[k] == 1 ? number(0) : terms().coordinate(k));
  } else if (name == "trans") {
    const auto order = op.getAttrOfType<mlir::DenseI32ArrayAttr>("order");
    source.assign(sides.size(), 0);
    for (size_t k = 0; k < sides.size(); ++k)
      source[order ? order.asArrayRef()[k] : sides.size() - 1 - k] =
          terms().coordinate(k);
  } else if (name == "reshape") {
    const auto reorders = op.getAttrOfType<mlir::BoolAttr>("allow_reorder");
    if (reorders ? reorders.getValue() : op.hasAttr("allow_reorder"))
      return std::nullopt;
    return reshaped(sides, shapeOf(op.getResult(0).getType()));
  } else {
    source.assign(sides.size(), number(0));
  }
  return source;
}

/// Returns the coordinates along `from` of the element that is at the tile's
/// coordinates along `to`.
TermList TensorOps::reshaped(llvm::ArrayRef<int64_t> from,
                             llvm::ArrayRef<int64_t> to) {
  TermId at = number(0);
  for (size_t k = 0; k < to.size(); ++k)
    at = terms().make(TermKind::Add, 64,
                      {terms().make(TermKind::Mul, 64, {at, number(to[k])}),
                       terms().coordinate(k)});
  TermList by(from.size(), number(0));
  // If only sides of 1 come or go, the others keep their coordinates.
  const auto inner = longSides(from), outer = longSides(to);
  bool isPlain = inner.size() == outer.size();
  for (size_t k = 0; isPlain && k < inner.size(); ++k)
    isPlain = from[inner[k]] == to[outer[k]];
  if (isPlain) {
    for (size_t k = 0; k < inner.size(); ++k)
      by[inner[k]] = terms().coordinate(outer[k]);
    return by;
  }
  int64_t below = 1;
  for (size_t k = from.size(); k-- > 0; below *= from[k]) {
    const TermId digit =
        terms().make(TermKind::FloorDivS, 64, {at, number(below)});
    by[k] = terms().make(TermKind::RemS, 64, {digit, number(from[k])});
  }
  return by;
}

void TensorOps::traceJoin(Operation &op) {
  const auto a = term(op.getOperand(0)), b = term(op.getOperand(1));
  if (!a || !b) return setUnknown(&op);
  const int64_t last = shapeOf(op.getResult(0).getType()).size() - 1;
  const TermId isFirst =
      terms().make(TermKind::Equal, 1, {terms().coordinate(last), number(0)});
  values_[op.getResult(0)] =
      terms().make(TermKind::Select, terms()[*a].bits, {isFirst, *a, *b});
}

void TensorOps::traceAddPointer(Operation &op) {
  const auto pointer = term(op.getOperand(0));
  const auto offset = term(op.getOperand(1));
  // Without both the pointer is not known.
  if (pointer && offset)
    values_[op.getResult(0)] =
        terms().make(TermKind::PointerAdd, 64, {*pointer, wide(*offset)});
}

}  // namespace indexical::triton
