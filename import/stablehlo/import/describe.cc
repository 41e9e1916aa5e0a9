#include "indexical/import/stablehlo/import/describe.h"

#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/Interfaces/CallInterfaces.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/configuration.h"
#include "indexical/import/stablehlo/import/scalar_ops.h"
#include "indexical/import/stablehlo/import/stablehlo_rows.h"
#include "indexical/import/stablehlo/indexical/indexical.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/op_definitions.h"

namespace indexical {
namespace {

using Rows = llvm::DenseMap<llvm::StringRef, const MlirOpInfo *>;

const Rows &allRows() {
  static const Rows *rows = [] {
    auto *made = new Rows();
    for (llvm::ArrayRef<MlirOpInfo> table :
         {stablehloOps(), mhloOps(), sdyOps(), funcOps(), tensorOps(),
          linalgOps(), vectorOps(), scalarOps()})
      for (const MlirOpInfo &info : table) made->try_emplace(info.name, &info);
    return made;
  }();
  return *rows;
}

}  // namespace

std::vector<const MlirOpInfo *> mlirOps() {
  std::vector<const MlirOpInfo *> all;
  for (const auto &[name, info] : allRows()) all.push_back(info);
  llvm::sort(all, [](const MlirOpInfo *a, const MlirOpInfo *b) {
    return a->name < b->name;
  });
  return all;
}

const MlirOpInfo *findMlirOp(llvm::StringRef name) {
  return allRows().lookup(name);
}

namespace {

/// Returns the descriptor of an op that is elementwise by its traits. Its kind
/// is that of the HLO op that computes the same, if there is one.
Op elementwiseOp(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ElementwiseOp>(std::move(shapes));
  // HLO's pred is no number of one bit: its sum is its or, its maximum too.
  const bool isOfNumbers = llvm::none_of(
      made.results,
      [](const ArrayShape &shape) { return shape.type == ElementType::Pred; });
  const OpKind *kind = arithmeticKind(op->getName().getStringRef());
  const bool isOfBits = kind == kindOf<ElementwiseOp>("and") ||
                        kind == kindOf<ElementwiseOp>("or") ||
                        kind == kindOf<ElementwiseOp>("xor") ||
                        kind == kindOf<ElementwiseOp>("select");
  if (isOfNumbers || isOfBits) made.opKind = kind;
  if (!comparisonOf(op).empty()) made.opKind = kindOf<ElementwiseOp>("compare");
  return made;
}

Op unknownOp(const std::string &reason, OpShapes shapes) {
  auto opaque = make<CoverOp>(std::move(shapes));
  opaque.opKind = kindOf<CoverOp>("unknown");
  opaque.precision = Precision::Opaque;
  opaque.reason = reason;
  return opaque;
}

/// Whether the op's own rules need ranks that its types do not have. An op that
/// runs a computation passes the values on.
bool needsRanks(mlir::Operation *op) {
  return op->getNumRegions() == 0 && !llvm::isa<mlir::CallOpInterface>(op) &&
         (llvm::any_of(op->getOperandTypes(), isUnranked) ||
          llvm::any_of(op->getResultTypes(), isUnranked));
}

/// An op without a row.
absl::StatusOr<Op> describeByTraits(mlir::Operation *op, OpShapes shapes) {
  if (isElementwise(op, shapes)) return elementwiseOp(op, std::move(shapes));
  if (isTosaElementwise(op, shapes)) return broadcastingOp(std::move(shapes));
  if (rows::movesManualParts(op))
    return unknownOp("it moves parts along an axis that is manual",
                     std::move(shapes));
  return unknownOp(
      "the op `" + op->getName().getStringRef().str() + "` is not known",
      std::move(shapes));
}

/// Returns the op with its configuration, and with its kind if a row gives one.
Op distinguished(mlir::Operation *op, const MlirOpInfo *info, Op described) {
  const OpKind *kind = info ? &info->kind() : &described.kind();
  std::string configuration = configurationOf(op, described, *kind);
  // An op that runs its region may have said itself what distinguishes it.
  if (described.is<CustomOp>() && configuration.empty())
    configuration = described.descriptor().configuration;
  if (kind == &described.kind() && configuration.empty()) return described;
  return described.changed([&](OpDraft &draft) {
    draft->opKind = kind;
    draft->configuration = std::move(configuration);
  });
}

/// Returns an op that describes itself, with what its text says more. One that
/// moves elements is what it says that it is.
Op distinguishedByText(mlir::Operation *op, Op described) {
  const bool isSaid =
      !described.descriptor().configuration.empty() ||
      described.isOneOf<BroadcastOp, TransposeOp, ReverseOp, SliceOp, ReshapeOp,
                        ConcatenateOp, PadOp, ForwardOp>();
  return isSaid ? described : distinguished(op, nullptr, described);
}

}  // namespace

absl::StatusOr<Op> describeOp(mlir::Operation *op, OpShapes shapes) {
  if (auto reads = llvm::dyn_cast<ir::ReadsOpInterface>(op)) {
    INDEXICAL_ASSIGN_OR_RETURN(auto described,
                               reads.describe(std::move(shapes)));
    return distinguishedByText(op, std::move(described));
  }
  if (needsRanks(op))
    return distinguished(
        op, nullptr,
        unknownOp("a tensor of no rank has elements that no index names",
                  std::move(shapes)));
  const llvm::StringRef name = op->getName().getStringRef();
  const MlirOpInfo *info =
      rows::movesManualParts(op) ? nullptr : findMlirOp(name);
  if (!info) {
    INDEXICAL_ASSIGN_OR_RETURN(auto byTraits,
                               describeByTraits(op, std::move(shapes)));
    return distinguished(op, info, std::move(byTraits));
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto described,
                             info->describe(op, std::move(shapes)));
  return distinguished(op, info, std::move(described));
}

}  // namespace indexical
