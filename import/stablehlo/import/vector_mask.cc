// vector.mask: an op of which the lanes that are masked off are left out.
//
//   %r = vector.mask %m { vector.multi_reduction <add>, %a, %acc [1]
//            : vector<2x3xf32> to vector<2xf32> }
//        : vector<2x3xi1> -> vector<2xf32>
//     operand 0, the mask    (d0)[s0] -> (d0, s0)
//     %a, captured           (d0)[s0] -> (d0, s0)
//     %acc, captured         (d0) -> (d0)
//
// Everything that the op reads is read, since the mask only chooses, and so is
// the mask, at each lane that the op reads for the result. The value that
// replaces masked lanes is read at the index of the result. A transfer under a
// mask is a transfer with that mask as an operand.
#include <memory>
#include <utility>
#include <vector>

#include "mlir/Dialect/Vector/IR/VectorOps.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/import/accesses.h"
#include "indexical/import/stablehlo/import/region_reads.h"
#include "indexical/import/stablehlo/import/vector_ops.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/indexing/transforms.h"

namespace indexical {
namespace {

namespace vector = mlir::vector;

class MaskedMaps : public OpInterface {
 public:
  /// `leaves`: the number outside of each operand of the op under the mask.
  /// `own`: the number of operands of the mask op. `mask`: the reads of those
  /// of them that the op under the mask does not have: the mask, and the value
  /// that replaces masked lanes.
  MaskedMaps(Op inner, std::vector<int64_t> leaves, int64_t own,
             FunctionMaps::Function mask)
      : inner_(std::move(inner)),
        leaves_(std::move(leaves)),
        own_(own),
        mask_(std::move(mask)) {}

  absl::Status verify(const OpShapes &) const override {
    return indexical::verify(inner_);
  }
  absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return answer(shapes, Direction::OutputToInput, result, operand);
  }
  absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const override {
    return answer(shapes, Direction::InputToOutput, result, operand);
  }

 private:
  absl::StatusOr<IndexingRelation> answer(const OpShapes &shapes,
                                          Direction direction, int64_t result,
                                          int64_t operand) const {
    if (operand < own_ && !llvm::is_contained(leaves_, operand))
      return direction == Direction::OutputToInput
                 ? mask_.outputToInput(shapes, result, operand)
                 : mask_.inputToOutput(shapes, result, operand);
    // Results stand behind the operands.
    const int64_t inside = leaves_.size(), more = shapes.operands.size();
    auto outside = [&](int64_t leaf) {
      return leaf < inside ? leaves_[leaf] : leaf - inside + more;
    };
    IndexingRelation all;
    for (size_t leaf = 0; leaf < leaves_.size(); ++leaf) {
      if (leaves_[leaf] != operand) continue;
      INDEXICAL_ASSIGN_OR_RETURN(auto relation,
                                 indexing(inner_, direction, result, leaf));
      all.unite(withSources(relation, {outside, nullptr}));
    }
    return all;
  }

  const Op inner_;
  const std::vector<int64_t> leaves_;
  const int64_t own_;
  const FunctionMaps mask_;
};

bool isTransfer(mlir::Operation *op) {
  return llvm::isa<vector::TransferReadOp, vector::TransferWriteOp>(op);
}

/// Returns what an op reads of its mask, or nothing if that is unknown. A
/// transfer has the mask as an operand, so its result here is not used.
std::optional<FunctionMaps::Function> maskOf(mlir::Operation *op) {
  if (llvm::isa<vector::ReductionOp>(op) || isTransfer(op))
    return [](const OpShapes &s, int64_t r, int64_t k, AccessList &list) {
      list.addEverything(s.results[r], s.operands[k]);
      return absl::OkStatus();
    };
  if (llvm::isa<vector::OuterProductOp, vector::GatherOp>(op))
    return [](const OpShapes &s, int64_t r, int64_t, AccessList &list) {
      list.addIdentity(s.results[r]);
      return absl::OkStatus();
    };
  // The coordinates of the mask that are the coordinates of the result.
  Int64s kept;
  if (auto reduction = llvm::dyn_cast<vector::MultiDimReductionOp>(op)) {
    const int64_t rank = reduction.getSourceVectorType().getRank();
    for (int64_t k = 0; k < rank; ++k)
      if (!llvm::is_contained(reduction.getReductionDims(), k))
        kept.push_back(k);
  } else if (auto contract = llvm::dyn_cast<vector::ContractionOp>(op)) {
    for (mlir::AffineExpr expr :
         contract.getIndexingMapsArray()[2].getResults()) {
      auto dim = llvm::dyn_cast<mlir::AffineDimExpr>(expr);
      if (!dim) return std::nullopt;
      kept.push_back(dim.getPosition());
    }
  } else {
    return std::nullopt;
  }
  return [kept](const OpShapes &s, int64_t, int64_t k, AccessList &list) {
    Access &access = list.add();
    access.operand = access.loopsOver(s.operands[k]);
    for (int64_t dim : kept) access.result.push_back(access.operand[dim]);
    return absl::OkStatus();
  };
}

absl::StatusOr<ArrayShape> arrayOf(mlir::Type type) {
  INDEXICAL_ASSIGN_OR_RETURN(auto shape, shapeOf(type));
  if (!shape.isArray())
    return absl::InvalidArgumentError("only vectors and scalars are masked");
  return shape.array;
}

}  // namespace

absl::StatusOr<Op> describeMask(mlir::Operation *op, OpShapes shapes) {
  mlir::Operation *under = llvm::cast<vector::MaskOp>(op).getMaskableOp();
  const auto mask = under ? maskOf(under) : std::nullopt;
  if (!mask)
    return coverOp(
        std::move(shapes), Precision::Cover,
        "of the op under the mask, which lanes it masks is not said");
  const auto captured = capturedValues(op);
  const int64_t own = op->getNumOperands();
  OpShapes inner;
  std::vector<int64_t> leaves;
  for (mlir::Value value : under->getOperands()) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, arrayOf(value.getType()));
    inner.operands.push_back(std::move(shape));
    leaves.push_back(own + (llvm::find(captured, value) - captured.begin()));
  }
  if (isTransfer(under)) {
    inner.operands.push_back(shapes.operands[0]);
    leaves.push_back(0);
  }
  inner.results = shapes.results;
  INDEXICAL_ASSIGN_OR_RETURN(auto described,
                             describeOp(under, std::move(inner)));
  if (auto *cover = described.as<CoverOp>())
    return coverOp(std::move(shapes), cover->precision, cover->reason);
  for (mlir::Value value : captured) {
    INDEXICAL_ASSIGN_OR_RETURN(auto shape, arrayOf(value.getType()));
    shapes.operands.push_back(std::move(shape));
  }
  CustomOp masked = make<CustomOp>(std::move(shapes));
  masked.maps = std::make_shared<MaskedMaps>(
      std::move(described), std::move(leaves), own,
      [mask = *mask](const OpShapes &s, int64_t result, int64_t operand,
                     AccessList &list) {
        if (operand == 0) return mask(s, result, operand, list);
        list.addIdentity(s.results[result]);  // what stands in
        return absl::OkStatus();
      });
  return Op(std::move(masked));
}

}  // namespace indexical
