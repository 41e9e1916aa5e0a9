#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/triton/op_syntax.h"
#include "indexical/import/triton/tile_copies.h"
#include "indexical/import/triton/value_types.h"
#include "indexical/indexing/arithmetic.h"

namespace indexical::triton {

using kernels::AccessKind;
using kernels::TermKind;
using llvm::StringRef;
using mlir::Operation;
using Numbers = llvm::ArrayRef<int64_t>;

namespace {

Numbers numbersOf(Operation &op, StringRef name) {
  const auto numbers = op.getAttrOfType<mlir::DenseI64ArrayAttr>(name);
  return numbers ? numbers.asArrayRef() : Numbers();
}

/// Returns for each dimension of the buffer the tile's, or -1 if the tile has
/// left it out, as it may with a size of 1. Nothing if the two do not go
/// together.
std::optional<llvm::SmallVector<int64_t, 4>> dimensionsOf(Numbers sizes,
                                                          Numbers tile) {
  llvm::SmallVector<int64_t, 4> dimensions;
  size_t next = 0;
  for (size_t k = 0; k < sizes.size(); ++k) {
    // As many sizes are left as sides: none may be left out.
    const bool isWhole = sizes.size() - k == tile.size() - next;
    if (next < tile.size() && sizes[k] == tile[next] &&
        (sizes[k] != 1 || isWhole))
      dimensions.push_back(static_cast<int64_t>(next++));
    else if (sizes[k] == 1)
      dimensions.push_back(-1);
    else
      return std::nullopt;
  }
  if (next != tile.size()) return std::nullopt;
  return dimensions;
}

/// Returns how many elements lie between two along each dimension, or nothing
/// if the layout is no order of the dimensions.
std::optional<llvm::SmallVector<int64_t, 4>> stepsOf(Numbers shape,
                                                     Numbers minorToMajor) {
  llvm::SmallVector<int64_t, 4> steps(shape.size(), 0);
  if (minorToMajor.size() != shape.size()) return std::nullopt;
  std::optional<int64_t> below = 1;
  for (int64_t k : minorToMajor) {
    if (k < 0 || k >= static_cast<int64_t>(shape.size()) || steps[k] != 0 ||
        !below || *below < 1)
      return std::nullopt;
    steps[k] = *below;
    below = checkedMul(*below, shape[k]);
  }
  return steps;
}

}  // namespace

void TileCopies::traceTile(Operation &op) {
  const bool isStore = op.getName().getStringRef().ends_with(".insert");
  TracedAccess access =
      accessOf(op, isStore ? AccessKind::Store : AccessKind::Load);
  const bool hasOperands = op.getNumOperands() > (isStore ? 1U : 0U);
  if (!hasOperands || op.getNumResults() != (isStore ? 0 : 1)) {
    note(&op, "a tile has a buffer, and a result or what is stored");
    return setUnknown(&op);
  }
  access.type =
      isStore ? op.getOperand(1).getType() : op.getResult(0).getType();
  access.pointer = tilePointer(op, isStore ? 2 : 1, access);
  if (!access.pointer) note(&op, "the place of the tile is not understood");
  record(std::move(access));
  setUnknown(&op);
}

std::optional<TermId> TileCopies::tilePointer(Operation &op, unsigned operand,
                                              TracedAccess &access) {
  const Numbers shape = numbersOf(op, kTileBuffer);
  const Numbers offsets = numbersOf(op, kTileOffsets);
  const Numbers sizes = numbersOf(op, kTileSizes);
  const Numbers strides = numbersOf(op, kTileStrides);
  const auto base = term(op.getOperand(0));
  const auto steps = stepsOf(shape, numbersOf(op, kTileLayout));
  const auto dimensions = dimensionsOf(sizes, shapeOf(access.type));
  if (!base || !steps || !dimensions || offsets.size() != shape.size() ||
      sizes.size() != shape.size() || strides.size() != shape.size() ||
      llvm::is_contained(sizes, kTileOperand) ||
      llvm::is_contained(strides, kTileOperand))
    return std::nullopt;
  TermId element = number(0);
  for (size_t k = 0; k < shape.size(); ++k) {
    access.view.push_back({number(shape[k]), sizes[k]});
    std::optional<TermId> at = number(offsets[k]);
    if (offsets[k] == kTileOperand) at = term(op.getOperand(operand++));
    if (!at) return std::nullopt;
    if (const int64_t own = (*dimensions)[k]; own >= 0)
      at = terms().make(
          TermKind::Add, 64,
          {*at, terms().make(TermKind::Mul, 64,
                             {terms().coordinate(own), number(strides[k])})});
    // Triton's pass masks what is outside of the buffer.
    addCondition(
        access,
        conjunction(terms().make(TermKind::LessEqualS, 1, {number(0), *at}),
                    terms().make(TermKind::LessS, 1, {*at, number(shape[k])})));
    element = terms().make(
        TermKind::Add, 64,
        {element, terms().make(TermKind::Mul, 64, {*at, number((*steps)[k])})});
  }
  return terms().make(TermKind::PointerAdd, 64, {*base, element});
}

}  // namespace indexical::triton
