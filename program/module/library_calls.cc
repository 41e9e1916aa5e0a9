#include "indexical/program/module/library_calls.h"

#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/library_parts.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using namespace library;

constexpr llvm::StringLiteral kIdentity = "the operand, as it is";
constexpr llvm::StringLiteral kGemm =
    "as `dot`; C is read at the same index, a bias by its column, and every "
    "element reads all scales; the workspace reads nothing";

constexpr llvm::StringLiteral kConvolution =
    "as `convolution`; a bias is read by its feature, an addend at the same "
    "index, and every element reads all scales; the workspace reads nothing";
constexpr llvm::StringLiteral kGradient =
    "as the gradient of the forward `convolution`: the elements that share a "
    "product with the result's element; the workspace reads nothing";
constexpr llvm::StringLiteral kElement =
    "each element reads the element of the same index";
constexpr llvm::StringLiteral kElements =
    "each element reads the elements of the same index of all operands";
constexpr llvm::StringLiteral kNorm =
    "as `batch-norm-*`, if exactly one dimension has the size of the scale";
constexpr llvm::StringLiteral kSolve =
    "as `triangular-solve`; the workspace reads nothing";
constexpr llvm::StringLiteral kSort =
    "as `sort` of the keys along the last dimension; values follow their keys";
constexpr llvm::StringLiteral kMatrices =
    "a cover: each element reads all elements of the matrices of its batch";
constexpr llvm::StringLiteral kRows =
    "a cover: each element reads all elements of the rows of its batch";

constexpr llvm::StringLiteral kTopK = "as `topk`";

/// Sorted.
constexpr LibraryTarget kTargets[] = {
    {"AssumeGatherIndicesInBound", kIdentity},
    {"LayoutConstraint", kIdentity},
    {"MoveToDevice", kIdentity},
    {"MoveToHost", kIdentity},
    {"SPMDFullToShardShape", "the operand, if the shapes are the same"},
    {"SPMDShardToFullShape", "the operand, if the shapes are the same"},
    {"Sharding", kIdentity},
    {"TopK", kTopK},
    {"__cub$DeviceRadixSort", kSort},
    {"__cub$DeviceRadixSortUnassignedScratchSize", kSort},
    {"__cublas$gemm", kGemm},
    {"__cublas$lt$matmul", kGemm},
    {"__cublas$lt$matmul$f8", kGemm},
    {"__cublas$triangularSolve", kSolve},
    {"__cudnn$batchNormalizationBackward", kNorm},
    {"__cudnn$batchNormalizationForwardInference", kNorm},
    {"__cudnn$batchNormalizationForwardTraining", kNorm},
    {"__cudnn$convBackwardFilter", kGradient},
    {"__cudnn$convBackwardInput", kGradient},
    {"__cudnn$convBiasActivationForward", kConvolution},
    {"__cudnn$convForward", kConvolution},
    {"__cudnn$convForwardGraph", kConvolution},
    {"__cusolver$cholesky",
     "as `cholesky`; the status of a matrix reads all of it, the workspace "
     "nothing"},
    {"annotate_device_placement", kIdentity},
    {"chlo.acos", kElement},
    {"chlo.acosh", kElement},
    {"chlo.asin", kElement},
    {"chlo.asinh", kElement},
    {"chlo.atan", kElement},
    {"chlo.atanh", kElement},
    {"chlo.bessel_i1e", kElement},
    {"chlo.cosh", kElement},
    {"chlo.digamma", kElement},
    {"chlo.erf", kElement},
    {"chlo.erf_inv", kElement},
    {"chlo.erfc", kElement},
    {"chlo.lgamma", kElement},
    {"chlo.next_after", kElements},
    {"chlo.polygamma", kElements},
    {"chlo.sinh", kElement},
    {"chlo.square", kElement},
    {"chlo.tan", kElement},
    {"chlo.top_k", kTopK},
    {"chlo.zeta", kElements},
    {"cu_lu_pivots_to_permutation", kRows},
    {"cu_threefry2x32", kElements},
    {"cu_threefry2x32_ffi", kElements},
    {"cuda_threefry2x32", kElements},
    {"cusolver_geqrf_ffi", kMatrices},
    {"cusolver_gesvd_ffi", kMatrices},
    {"cusolver_gesvdj_ffi", kMatrices},
    {"cusolver_getrf_ffi", kMatrices},
    {"cusolver_orgqr_ffi", kMatrices},
    {"cusolver_potrf_ffi", kMatrices},
    {"cusolver_syevd_ffi", kMatrices},
    {"cusolver_sytrd_ffi", kMatrices},
    {"hip_lu_pivots_to_permutation", kRows},
    {"hip_threefry2x32_ffi", kElements},
    {"hipsolver_geqrf_ffi", kMatrices},
    {"hipsolver_gesvd_ffi", kMatrices},
    {"hipsolver_gesvdj_ffi", kMatrices},
    {"hipsolver_getrf_ffi", kMatrices},
    {"hipsolver_orgqr_ffi", kMatrices},
    {"hipsolver_potrf_ffi", kMatrices},
    {"hipsolver_syevd_ffi", kMatrices},
    {"hipsolver_sytrd_ffi", kMatrices},
    {"lapack_cgees_ffi", kMatrices},
    {"lapack_cgeev_ffi", kMatrices},
    {"lapack_cgehrd_ffi", kMatrices},
    {"lapack_cgeqrf_ffi", kMatrices},
    {"lapack_cgesdd_ffi", kMatrices},
    {"lapack_cgesvd_ffi", kMatrices},
    {"lapack_cgetrf_ffi", kMatrices},
    {"lapack_cheevd_ffi", kMatrices},
    {"lapack_chetrd_ffi", kMatrices},
    {"lapack_cpotrf_ffi", kMatrices},
    {"lapack_ctrsm_ffi", kSolve},
    {"lapack_cungqr_ffi", kMatrices},
    {"lapack_dgees_ffi", kMatrices},
    {"lapack_dgeev_ffi", kMatrices},
    {"lapack_dgehrd_ffi", kMatrices},
    {"lapack_dgeqrf_ffi", kMatrices},
    {"lapack_dgesdd_ffi", kMatrices},
    {"lapack_dgesvd_ffi", kMatrices},
    {"lapack_dgetrf_ffi", kMatrices},
    {"lapack_dorgqr_ffi", kMatrices},
    {"lapack_dpotrf_ffi", kMatrices},
    {"lapack_dsyevd_ffi", kMatrices},
    {"lapack_dsytrd_ffi", kMatrices},
    {"lapack_dtrsm_ffi", kSolve},
    {"lapack_sgees_ffi", kMatrices},
    {"lapack_sgeev_ffi", kMatrices},
    {"lapack_sgehrd_ffi", kMatrices},
    {"lapack_sgeqrf_ffi", kMatrices},
    {"lapack_sgesdd_ffi", kMatrices},
    {"lapack_sgesvd_ffi", kMatrices},
    {"lapack_sgetrf_ffi", kMatrices},
    {"lapack_sorgqr_ffi", kMatrices},
    {"lapack_spotrf_ffi", kMatrices},
    {"lapack_ssyevd_ffi", kMatrices},
    {"lapack_ssytrd_ffi", kMatrices},
    {"lapack_strsm_ffi", kSolve},
    {"lapack_zgees_ffi", kMatrices},
    {"lapack_zgeev_ffi", kMatrices},
    {"lapack_zgehrd_ffi", kMatrices},
    {"lapack_zgeqrf_ffi", kMatrices},
    {"lapack_zgesdd_ffi", kMatrices},
    {"lapack_zgesvd_ffi", kMatrices},
    {"lapack_zgetrf_ffi", kMatrices},
    {"lapack_zheevd_ffi", kMatrices},
    {"lapack_zhetrd_ffi", kMatrices},
    {"lapack_zpotrf_ffi", kMatrices},
    {"lapack_ztrsm_ffi", kSolve},
    {"lapack_zungqr_ffi", kMatrices},
    {"mhlo.acos", kElement},
    {"mhlo.acosh", kElement},
    {"mhlo.asin", kElement},
    {"mhlo.asinh", kElement},
    {"mhlo.atan", kElement},
    {"mhlo.atanh", kElement},
    {"mhlo.cosh", kElement},
    {"mhlo.digamma", kElement},
    {"mhlo.erf", kElement},
    {"mhlo.erf_inv", kElement},
    {"mhlo.erfc", kElement},
    {"mhlo.lgamma", kElement},
    {"mhlo.sinh", kElement},
    {"mhlo.tan", kElement},
    {"mhlo.topk", kTopK},
    {"xla.sdy.FuncResultSharding", kIdentity},
    {"xla.sdy.PropagationBarrier", kIdentity},
};

/// Returns a list of numbers, which may be written as strings; an absent one is
/// empty.
std::optional<Int64s> numbersOf(const json::Object &object,
                                llvm::StringRef key) {
  Int64s numbers;
  const json::Value *value = object.get(key);
  if (!value) return numbers;
  const json::Array *array = value->getAsArray();
  if (!array) return std::nullopt;
  for (const json::Value &one : *array) {
    int64_t number = 0;
    if (auto integer = one.getAsInteger())
      number = *integer;
    else if (auto text = one.getAsString();
             !text || text->getAsInteger(10, number))
      return std::nullopt;
    numbers.push_back(number);
  }
  return numbers;
}

//===-- Products ----------------------------------------------------------===//

std::optional<Op> gemm(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  const auto configuration = configurationOf(call, "gemm_backend_config");
  if (!configuration || operands.size() < 2 || results.empty())
    return std::nullopt;
  const json::Object *numbers =
      configuration->getObject("dot_dimension_numbers");
  if (!numbers) return std::nullopt;
  const auto lhsBatch = numbersOf(*numbers, "lhs_batch_dimensions");
  const auto rhsBatch = numbersOf(*numbers, "rhs_batch_dimensions");
  const auto lhs = numbersOf(*numbers, "lhs_contracting_dimensions");
  const auto rhs = numbersOf(*numbers, "rhs_contracting_dimensions");
  if (!lhsBatch || !rhsBatch || !lhs || !rhs) return std::nullopt;
  const llvm::StringRef epilogue =
      configuration->getString("epilogue").value_or("DEFAULT");
  const ArrayShape &out = results[0];
  DotOp dot;
  dot.operands = {ArrayShape(operands[0].type, operands[0].dimensions),
                  ArrayShape(operands[1].type, operands[1].dimensions)};
  dot.results = {ArrayShape(out.type, out.dimensions)};
  dot.lhsBatch = *lhsBatch;
  dot.rhsBatch = *rhsBatch;
  dot.lhsContracting = *lhs;
  dot.rhsContracting = *rhs;
  Parts parts;
  for (size_t r = 0; r < results.size(); ++r) {
    const ArrayShape &result = results[r];
    // An activation is computed of the product before it, which may be a
    // result, too. The largest number is one of all elements.
    const bool isProduct = result.dimensions == out.dimensions &&
                           (r == 0 || epilogue.contains("AUX"));
    const bool isLargest = r > 0 && result.isScalar();
    if (!isProduct && !isLargest) {
      if (r == 0 || !isWorkspace(result)) return std::nullopt;
      continue;
    }
    for (size_t k = 0; k < operands.size(); ++k) {
      const int64_t result64 = r, operand64 = k;
      const ArrayShape &operand = operands[k];
      if (isLargest) {
        parts.add({result64, operand64, everything(operand, result)});
      } else if (k < 2) {
        parts.add({result64, operand64, dot, operand64});
      } else if (operand.dimensions == out.dimensions && !out.isScalar()) {
        parts.add({result64, operand64,
                   identity(ArrayShape(result.type, result.dimensions))});
      } else if (operand.isScalar()) {
        parts.add({result64, operand64, along(operand, result, {})});
      } else if (operand.rank() == 1 && epilogue.contains("BIAS") &&
                 operand.dimensions[0] == out.dimensions.back()) {
        parts.add(
            {result64, operand64, along(operand, result, {out.rank() - 1})});
      } else {
        return std::nullopt;
      }
    }
  }
  return custom(operands, results, std::move(parts));
}

//===-- Others ------------------------------------------------------------===//

std::optional<Op> topK(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 1 || results.size() != 2 || operands[0].isScalar())
    return std::nullopt;
  TopKOp op;
  op.operands = operands;
  op.results = results;
  op.k = results[0].isScalar() ? -1 : results[0].dimensions.back();
  if (op.k == kDynamicSize || !verify(op).ok()) return std::nullopt;
  return Op(op);
}

/// All leaves have the same sizes.
std::optional<Op> elementwise(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.empty() || results.empty() || results[0].hasUnknownSize())
    return std::nullopt;
  for (const ShapeList *shapes : {&operands, &results})
    for (const ArrayShape &shape : *shapes)
      if (shape.dimensions != results[0].dimensions) return std::nullopt;
  Parts parts;
  for (size_t r = 0; r < results.size(); ++r)
    for (size_t k = 0; k < operands.size(); ++k)
      parts.add({static_cast<int64_t>(r), static_cast<int64_t>(k),
                 identity(ArrayShape(results[r].type, results[r].dimensions))});
  return custom(operands, results, std::move(parts));
}

std::optional<Op> passedThrough(const CustomCall &call) {
  const ShapeList operands = leavesOf(call.operands);
  const ShapeList results = call.result.leaves();
  if (operands.size() != 1 || results.size() != 1 ||
      operands[0].type != results[0].type ||
      operands[0].dimensions != results[0].dimensions ||
      operands[0].hasUnknownSize())
    return std::nullopt;
  ForwardOp op;
  op.operands = operands;
  op.results = results;
  op.reads = {0};
  return Op(op);
}

}  // namespace

llvm::ArrayRef<LibraryTarget> libraryTargets() { return kTargets; }

std::optional<Op> libraryCall(const CustomCall &call) {
  const auto *target = llvm::find_if(
      kTargets, [&](const LibraryTarget &t) { return t.name == call.target; });
  if (target == std::end(kTargets)) return std::nullopt;
  if (target->meaning == kConvolution) return convolution(call);
  if (target->meaning == kGradient) return convolutionGradient(call);
  if (target->meaning == kElement)
    return call.operands.size() == 1 ? elementwise(call) : std::nullopt;
  if (target->meaning == kElements) return elementwise(call);
  if (target->meaning == kNorm) return batchNorm(call);
  if (target->meaning == kSolve) return triangularSolve(call);
  if (target->meaning == kSort) return sort(call);
  if (target->meaning == kMatrices) return ofMatrices(call);
  if (target->meaning == kRows) return ofRows(call);
  if (target->meaning == kGemm) return gemm(call);
  if (call.target == "__cusolver$cholesky") return cholesky(call);
  if (target->meaning == kTopK) return topK(call);
  return passedThrough(call);
}

}  // namespace indexical
