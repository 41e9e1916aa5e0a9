// Batch normalization: elements are scaled by statistics of their feature.
//
//   operand f32[8,3], scale and offset f32[3], feature_index=1
//   training: output    operand       (d0, d1)[s0] -> (s0, d1),  s0 in [0, 7]
//                       scale, offset (d0, d1) -> (d1)
//             mean      operand       (d0)[s0] -> (s0, d0)
//                       scale, offset no pieces
//   inference           operand       (d0, d1) -> (d0, d1)
//
// Each result reads exactly the operands that stand in its definition: the
// gradient of the offset sums up the gradient of the output, that of the scale
// does not ask for the scale (and not for the mean, if it is an empty sum).
#include <optional>

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {
namespace {

using BatchNormKind = BatchNormOp::Kind;

/// The elements of an operand that an element of a result reads.
enum Read : uint8_t {
  None,
  Same,     ///< the element with the same index
  Feature,  ///< all elements with the same index of the feature
  Summand,  ///< likewise, if the operand has elements to sum up
};

/// A kind's leaves: whether they have the operand's shape (else one element a
/// feature), and what each result reads.
struct KindInfo {
  const char *name;
  llvm::ArrayRef<bool> operandsAreLarge, resultsAreLarge;
  llvm::ArrayRef<llvm::ArrayRef<Read>> reads;
};

const KindInfo &infoOf(BatchNormKind kind) {
  static const bool kTrainingOperands[] = {true, false, false};
  static const bool kTrainingResults[] = {true, false, false};
  static const bool kInferenceOperands[] = {true, false, false, false, false};
  static const bool kInferenceResults[] = {true};
  static const bool kGradientOperands[] = {true, false, false, false, true};
  static const bool kGradientResults[] = {true, false, false};
  // Training: operand, scale, offset.
  static const Read kOutput[] = {Feature, Feature, Feature};
  static const Read kStatistic[] = {Feature, None, None};
  // Inference: operand, scale, offset, mean, variance.
  static const Read kNormalized[] = {Same, Feature, Feature, Feature, Feature};
  // Gradient: operand, scale, mean, variance, gradient of the output.
  static const Read kOfOperand[] = {Feature, Feature, Feature, Feature,
                                    Feature};
  static const Read kOfScale[] = {Feature, None, Summand, Summand, Feature};
  static const Read kOfOffset[] = {None, None, None, None, Feature};
  static const llvm::ArrayRef<Read> kTraining[] = {kOutput, kStatistic,
                                                   kStatistic};
  static const llvm::ArrayRef<Read> kInference[] = {kNormalized};
  static const llvm::ArrayRef<Read> kGradient[] = {kOfOperand, kOfScale,
                                                   kOfOffset};
  static const KindInfo kTrainingInfo = {
      "batch-norm-training", kTrainingOperands, kTrainingResults, kTraining};
  static const KindInfo kInferenceInfo = {"batch-norm-inference",
                                          kInferenceOperands, kInferenceResults,
                                          kInference};
  static const KindInfo kGradientInfo = {"batch-norm-grad", kGradientOperands,
                                         kGradientResults, kGradient};
  switch (kind) {
    case BatchNormKind::Training:
      return kTrainingInfo;
    case BatchNormKind::Inference:
      return kInferenceInfo;
    case BatchNormKind::Gradient:
      break;
  }
  return kGradientInfo;
}

absl::Status verifyLeaf(const BatchNormOp &op, Name what,
                        const ArrayShape &shape, bool isLarge) {
  const ArrayShape &operand = op.operands[0];
  if (isLarge)
    return checkSameShape("", {"operand 0", "operand"}, operand, what, shape);
  if (shape.rank() == 1 && canAgree(shape, 0, operand, op.featureIndex))
    return absl::OkStatus();
  return Broken("") << what << " must have one value for each feature, "
                    << SizeText{operand.dimensions[op.featureIndex]}
                    << " in one dimension as feature_index is "
                    << op.featureIndex << ", but is " << shape;
}

/// Whether a feature of the gradient's operand has elements, if that is
/// known.
std::optional<bool> hasElements(const BatchNormOp &op) {
  bool known = true;
  const ArrayShape &operand = op.operands[0], &last = op.operands[4];
  for (int64_t k = 0; k < operand.rank(); ++k) {
    if (k == op.featureIndex) continue;
    if (sharedIndices(operand, k, last, k).isEmpty()) return false;
    known = known && (isFixed(operand, k) || isFixed(last, k));
  }
  return known ? std::optional<bool>(true) : std::nullopt;
}

}  // namespace

/// C1: the feature index. The shapes follow from it; types are the front end's.
absl::Status verify(const BatchNormOp &op) {
  const KindInfo &info = infoOf(op.kind);
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, info.operandsAreLarge.size(),
                                        info.resultsAreLarge.size()));
  INDEXICAL_RETURN_IF_ERROR(checkRange("C1", "feature_index", {op.featureIndex},
                                       op.operands[0].rank(), "rank(operand)"));
  for (size_t k = 1; k < op.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(verifyLeaf(op, Name{"operand", "operands"}[k],
                                         op.operands[k],
                                         info.operandsAreLarge[k]));
  for (size_t r = 0; r < op.results.size(); ++r)
    INDEXICAL_RETURN_IF_ERROR(verifyLeaf(op, Name{"result", "results"}[r],
                                         op.results[r],
                                         info.resultsAreLarge[r]));
  return absl::OkStatus();
}

Answer reads(const BatchNormOp &op, const Sides &sides, int64_t result,
             int64_t operand) {
  const KindInfo &info = infoOf(op.kind);
  const Read read = info.reads[result][operand];
  if (read == None) return sides.nothing();
  if (read == Same) return sides.identity();
  Precision precision = Precision::Exact;
  if (read == Summand) {
    const std::optional<bool> summed = hasElements(op);
    if (summed == false) return sides.nothing();
    if (!summed) precision = Precision::Cover;
  }
  auto feature = [&](bool isLarge) { return isLarge ? op.featureIndex : 0; };
  return sides.sharing({{feature(info.resultsAreLarge[result]),
                         feature(info.operandsAreLarge[operand])}},
                       precision);
}

void addSizeRules(const BatchNormOp &op, SizeCollector &c) {
  c.allSame(0);
  const int64_t count = c.operands + op.results.size();
  // If the operand has rank 1, all tensors have its size.
  for (int64_t t = 1; t < count && c.rank(0) > 1; ++t)
    if (c.rank(t) == 1) c.equal({0, op.featureIndex}, {t, 0});
}

}  // namespace families
}  // namespace indexical
