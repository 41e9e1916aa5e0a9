#include "indexical/program/values/term_ops.h"

#include <algorithm>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/families.h"
#include "indexical/ops/sizes.h"

namespace indexical {
namespace {

/// The families whose reads no value and no name of the op changes.
bool readsByFields(const Op &op) {
  return op.isOneOf<
      ElementwiseOp, BroadcastOp, TransposeOp, ReverseOp, BitcastOp,
      BitcastConvertOp, SliceOp, ConcatenateOp, ReshapeOp, PadOp, ReduceOp,
      ReduceWindowOp, SelectAndScatterOp, DotOp, ScaledDotOp, ConvolutionOp,
      SortOp, TopKOp, FftOp, BatchNormOp, CholeskyOp, TriangularSolveOp,
      DynamicSliceOp, DynamicUpdateSliceOp, GatherOp, ScatterOp>();
}

}  // namespace

bool isCollective(const Op &op) {
  return op.isOneOf<AllGatherOp, AllReduceOp, ReduceScatterOp, AllToAllOp,
                    CollectiveBroadcastOp, CollectivePermuteOp>();
}

std::optional<std::pair<size_t, size_t>> steeringOperands(const Op &op) {
  const size_t count = shapesOf(op).operands.size();
  if (hasOpenSizes(shapesOf(op))) return std::nullopt;
  if (isCollective(op)) return {{0, 0}};
  if (!readsByFields(op)) return std::nullopt;
  if (op.isOneOf<DynamicSliceOp, GatherOp>()) return {{1, count}};
  if (op.is<DynamicUpdateSliceOp>()) return {{2, count}};
  if (op.is<ScatterOp>()) return {{count / 2, count / 2 + 1}};
  // Operands that are attributes.
  if (op.isOneOf<PadOp>() && count > 2) return {{2, count}};
  if (op.isOneOf<BroadcastOp, ReshapeOp>() && count > 1) return {{1, count}};
  return {{0, 0}};
}

Op readsOp(const Op &op) {
  if (!readsByFields(op)) return valueOp(op);
  const bool byTypes = op.isOneOf<BitcastOp, BitcastConvertOp, FftOp>();
  return op.changed([&](OpDraft &draft) {
    draft->configuration.clear();
    draft->opKind = nullptr;
    for (ShapeList *shapes : {&draft->operands, &draft->results}) {
      if (!needsLayouts(op)) shapes->dropLayouts();
      for (size_t i = 0; i < shapes->size() && !byTypes; ++i)
        if ((*shapes)[i].type != ElementType::F32)
          shapes->mutableAt(i).type = ElementType::F32;
    }
  });
}

Op opOfName(const std::string &name, ShapeList operands, ShapeList results,
            std::string reason) {
  CoverOp op;
  op.operands = std::move(operands);
  op.results = std::move(results);
  op.opKind = kindOf<CoverOp>("custom-call");
  op.precision = Precision::Opaque;
  op.reason = std::move(reason);
  op.configuration = name;
  return Op(std::move(op));
}

Op splatOp(const ArrayShape &shape) {
  BroadcastOp op;
  op.operands = {ArrayShape(ElementType::F32, {})};
  op.results = {ArrayShape(ElementType::F32, shape.dimensions)};
  return op;
}

bool commutes(const Op &op) {
  const auto *elementwise = op.as<ElementwiseOp>();
  if (!elementwise || elementwise->operands.size() != 2 ||
      !isPlainButForFlags(op))
    return false;
  const OpKind *kind = elementwise->opKind;
  if (kind == kindOf<ElementwiseOp>("add") ||
      kind == kindOf<ElementwiseOp>("multiply"))
    return true;
  if (!isInteger(elementwise->operands[0].type)) return false;
  for (const char *name : {"and", "or", "xor", "maximum", "minimum",
                           "maximum-unsigned", "minimum-unsigned"})
    if (kind == kindOf<ElementwiseOp>(name)) return true;
  return false;
}

bool isCopy(const Op &op) {
  if (op.is<BitcastConvertOp>())
    return isPlain(op) &&
           shapesOf(op).operands[0].type == shapesOf(op).results[0].type;
  const auto *elementwise = op.as<ElementwiseOp>();
  return elementwise && elementwise->operands.size() == 1 &&
         elementwise->keepsValues() && isPlain(op) &&
         elementwise->operands[0].type == elementwise->results[0].type;
}

bool hasEffects(const Op &op) {
  const llvm::StringRef configuration = op.descriptor().configuration;
  return traitsOf(op).hasSideEffects ||
         configuration.contains("has_side_effect=true") ||
         configuration.contains("has_side_effect = true");
}

bool isDraw(const Op &op) {
  const llvm::StringRef name = op.kind().name;
  return name == "rng" || name == "stablehlo.rng" ||
         (name == "tensor.empty" && hasEffects(op));
}

bool isUnknownLiteral(const Op &op) {
  const auto *constant = op.as<ConstantOp>();
  return constant && !constant->isKnown;
}

bool isShort(const IndexingMap &map) {
  constexpr int64_t kMostComposed = 200;
  int64_t terms = 0;
  auto add = [&](FormId form) {
    terms += std::min(map.expressions().writtenSize(form), kMostComposed + 1);
  };
  for (FormId form : map.results()) add(form);
  for (const Constraint &c : map.constraints()) add(c.form);
  return terms <= kMostComposed;
}

}  // namespace indexical
