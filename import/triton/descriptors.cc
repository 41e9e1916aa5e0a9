#include <algorithm>
#include <optional>
#include <utility>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
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

/// Whether an op's numbers are the place of a box, or the rows of a tensor and
/// the first column.
enum class Where : uint8_t { Box, Rows };

/// The ops that load, store or change a tile by a descriptor. The tile is the
/// result, or the operand behind the numbers, a tensor or memory.
struct DescriptorOp {
  StringRef name;
  AccessKind kind;
  Where where;
};

constexpr DescriptorOp kDescriptorOps[] = {
    {"descriptor_load", AccessKind::Load, Where::Box},
    {"descriptor_store", AccessKind::Store, Where::Box},
    {"descriptor_reduce", AccessKind::Atomic, Where::Box},
    {"descriptor_gather", AccessKind::Load, Where::Rows},
    {"descriptor_scatter", AccessKind::Store, Where::Rows},
    {"async_tma_copy_global_to_local", AccessKind::Load, Where::Box},
    {"async_tma_copy_local_to_global", AccessKind::Store, Where::Box},
    {"async_tma_reduce", AccessKind::Atomic, Where::Box},
    {"async_tma_gather", AccessKind::Load, Where::Rows},
    {"async_tma_scatter", AccessKind::Store, Where::Rows},
    {"async_tdm_copy_global_to_local", AccessKind::Load, Where::Box},
    {"async_tdm_copy_local_to_global", AccessKind::Store, Where::Box},
    {"async_tdm_gather", AccessKind::Load, Where::Rows},
    {"async_tdm_scatter", AccessKind::Store, Where::Rows},
};

const DescriptorOp *descriptorOpOf(StringRef name) {
  name.consume_front("experimental_");
  const auto *const found = llvm::find_if(
      kDescriptorOps, [&](const DescriptorOp &op) { return op.name == name; });
  return found == std::end(kDescriptorOps) ? nullptr : found;
}

/// Returns the number of the first operand behind the descriptor's numbers, and
/// behind the offsets of a copy of pixels, which have 16 bits.
size_t behindNumbers(Operation &op, Where where) {
  if (where == Where::Rows) return 3;
  const auto isNumber = [&](size_t k, unsigned bits) {
    return k < op.getNumOperands() &&
           op.getOperand(k).getType().isInteger(bits);
  };
  size_t k = 1;
  while (isNumber(k, 32)) ++k;
  while (isNumber(k, 16)) ++k;
  return k;
}

/// Returns the number of the operand that is the tile, or nothing if the tile
/// is the result. The barrier of a copy stands in front of its memory.
std::optional<size_t> tileOperand(Operation &op, const DescriptorOp &of) {
  size_t k = behindNumbers(op, of.where);
  const bool isAlone = k + 1 >= op.getNumOperands();
  if (k >= op.getNumOperands()) return std::nullopt;
  const bool hasBarrier = StringRef(of.name).starts_with("async_tma") &&
                          of.kind == AccessKind::Load && !isAlone &&
                          memoryOf(op.getOperand(k + 1).getType());
  return hasBarrier ? k + 1 : k;
}

/// Returns the tile as a tensor, whose threads hold it if it is one, or null.
mlir::RankedTensorType tileOf(Operation &op, std::optional<size_t> operand) {
  if (!operand)
    return op.getNumResults() == 0 ? mlir::RankedTensorType()
                                   : llvm::dyn_cast<mlir::RankedTensorType>(
                                         op.getResult(0).getType());
  const mlir::Type type = op.getOperand(*operand).getType();
  if (auto tensor = llvm::dyn_cast<mlir::RankedTensorType>(type)) return tensor;
  const auto memory = memoryOf(type);
  if (!memory) return {};
  return mlir::RankedTensorType::get(memory.getShape(),
                                     memory.getElementType());
}

std::string textOfSides(llvm::ArrayRef<int64_t> sides) {
  return absl::StrJoin(sides, "x");
}

/// Returns why the tile is not what the descriptor names, or nothing if it is.
/// Sides of 1 in front of a box may be left out of its tile.
std::optional<std::string> boxMisfit(Operation &op, const DescriptorOp &of,
                                     llvm::ArrayRef<int64_t> tile) {
  // Intel's compiler lets a load transpose its box.
  const auto order = op.getAttrOfType<mlir::StringAttr>("ttig.block_io");
  if (order && order.getValue() != "row_major")
    return absl::StrCat("a box is loaded as ", order.getValue().str());
  const auto box = memoryOf(op.getOperand(0).getType());
  if (!box) return std::nullopt;
  llvm::ArrayRef<int64_t> sides = box.getShape();
  bool fits = true;
  if (of.where == Where::Box) {
    while (sides.size() > tile.size() && sides.front() == 1)
      sides = sides.drop_front();
    fits = sides == tile;
  } else {
    const bool isOneRow =
        StringRef(of.name).contains("tdm") || (!sides.empty() && sides[0] == 1);
    fits = sides.size() == 2 && tile.size() == 2 && isOneRow &&
           sides[1] == tile[1];
  }
  if (fits) return std::nullopt;
  return absl::StrCat("the box of a descriptor is ",
                      textOfSides(box.getShape()), ", and its tile ",
                      textOfSides(tile));
}

}  // namespace

bool TileCopies::traceDescriptorOp(Operation &op, StringRef name) {
  if (name == "update_tensor_descriptor") {
    traceUpdate(op);
    return true;
  }
  const DescriptorOp *of = descriptorOpOf(name);
  if (!of) return false;
  setUnknown(&op);
  const auto operand = tileOperand(op, *of);
  const auto tile = op.getNumOperands() > behindNumbers(op, of->where) - 1
                        ? tileOf(op, operand)
                        : mlir::RankedTensorType();
  if (!tile) {
    note(&op, "a copy by a descriptor has no tile");
    return true;
  }
  TracedAccess access = accessOf(op, of->kind);
  access.type = tile;
  access.hasThreads = !operand || !memoryOf(op.getOperand(*operand).getType());
  access.notMeasured = name.contains("tdm")
                           ? "copies by a descriptor (TDM) are not measured"
                           : "copies by a descriptor (TMA) are not measured";
  const auto array = block(op.getOperand(0));
  const auto misfit = boxMisfit(op, *of, tile.getShape());
  const size_t numbers = behindNumbers(op, of->where) - 1;
  if (isPixelDescriptor(op.getOperand(0).getType()))
    access.obstacle =
        "which pixels an im2col descriptor names is not in the text";
  else if (!array || array->offsets.size() != numbers)
    note(&op, "the shape of a descriptor is not known");
  else if (misfit)
    note(&op, *misfit);
  else if (const auto at = of->where == Where::Box
                               ? indicesOfBox(op, *array, tile.getShape())
                               : indicesOfRows(op, *array, tile.getShape()))
    pointAtIndices(access, *array, *at, {});
  addPredicates(access, operand.value_or(numbers) + 1);
  record(std::move(access));
  return true;
}

/// Returns the index along each side of the array, of the box whose place the
/// op's numbers are.
std::optional<TermList> TileCopies::indicesOfBox(Operation &op,
                                                 const BlockPointer &array,
                                                 llvm::ArrayRef<int64_t> tile) {
  const size_t rank = array.offsets.size();
  if (tile.size() > rank) return std::nullopt;
  const size_t dropped = rank - tile.size();
  TermList at;
  for (size_t k = 0; k < rank; ++k) {
    const auto first = term(op.getOperand(k + 1));
    if (!first) return std::nullopt;
    const TermId inBox =
        k < dropped ? number(0) : terms().coordinate(k - dropped);
    at.push_back(terms().make(TermKind::Add, 64, {wide(*first), inBox}));
  }
  return at;
}

/// Returns the index along each side of the array, of rows whose numbers are a
/// tensor.
std::optional<TermList> TileCopies::indicesOfRows(
    Operation &op, const BlockPointer &array, llvm::ArrayRef<int64_t> tile) {
  const auto rows = term(op.getOperand(1)), column = term(op.getOperand(2));
  const auto sides = shapeOf(op.getOperand(1).getType());
  if (array.offsets.size() != 2 || !rows || !column || sides.size() != 1 ||
      tile.size() != 2 || sides[0] != tile[0])
    return std::nullopt;
  return TermList{
      wide(*rows),
      terms().make(TermKind::Add, 64, {wide(*column), terms().coordinate(1)})};
}

/// Masks the access by the truth values among the operands from that one on,
/// and by the number of a TDM copy that is not 0.
void TileCopies::addPredicates(TracedAccess &access, size_t from) {
  Operation &op = *access.op;
  const bool isTdm = op.getName().getStringRef().contains("tdm");
  for (size_t k = from; k < op.getNumOperands(); ++k) {
    const mlir::Type type = op.getOperand(k).getType();
    if (type.isInteger(1)) addMask(access, k);
    if (!isTdm || !type.isInteger(32)) continue;
    const auto word = term(op.getOperand(k));
    addCondition(access, word ? terms().make(TermKind::NotEqual, 1,
                                             {*word, number(0, 32)})
                              : anyBit(op));
  }
}

/// Traces `%d add_offsets = [%i, %j] set_bounds = [%m, %n] …`. The offsets move
/// the array's begin, and not its end.
void TileCopies::traceUpdate(Operation &op) {
  setUnknown(&op);
  if (op.getNumResults() != 1 || op.getNumOperands() < 1)
    return note(&op, "an update of a descriptor has no descriptor");
  auto array = block(op.getOperand(0));
  llvm::SmallVector<int32_t, 6> counts;
  if (const auto lists =
          op.getAttrOfType<mlir::DenseI32ArrayAttr>(kListsAttribute))
    counts.assign(lists.asArrayRef().begin(), lists.asArrayRef().end());
  else if (const auto segments =
               op.getAttrOfType<mlir::DenseI32ArrayAttr>("operandSegmentSizes");
           segments && segments.size() == 6)
    counts = {segments[1], segments[2], segments[4]};
  const size_t rank = array ? array->offsets.size() : 0;
  const auto isList = [&](int32_t count) {
    return count == 0 || count == static_cast<int64_t>(rank);
  };
  const bool isKnown = array && counts.size() == 3 && isList(counts[0]) &&
                       isList(counts[1]) && counts[2] == 0 &&
                       op.getNumOperands() > size_t(counts[0] + counts[1]);
  // A copy by a descriptor that is not known is noted where it is.
  if (!isKnown) return;
  for (size_t k = 0; k < rank; ++k) {
    if (counts[0] > 0) {
      const auto by = term(op.getOperand(1 + k));
      if (!by) return;
      array->base = terms().make(
          TermKind::PointerAdd, 64,
          {array->base,
           terms().make(TermKind::Mul, 64, {wide(*by), array->strides[k]})});
    }
    if (counts[1] > 0) {
      const auto size = term(op.getOperand(1 + counts[0] + k));
      if (!size) return;
      array->sizes[k] = wide(*size);
    }
  }
  values_[op.getResult(0)] = *array;
}

}  // namespace indexical::triton
