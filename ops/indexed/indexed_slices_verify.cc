// Verification of the dimension numbers of gather and scatter.
//
// The constraints are those of StableHLO's gather and scatter, which give them
// their numbers (SliceNames). The message about offset_dims={3,1} is
//
//   offset_dims must be sorted, but is {3, 1} (C4)
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/indexed/indexed_slices.h"

namespace indexical {
namespace families {
namespace {

Int64s joined(llvm::ArrayRef<int64_t> first, llvm::ArrayRef<int64_t> second) {
  Int64s all(first.begin(), first.end());
  all.append(second.begin(), second.end());
  return all;
}

absl::Status verifyRanks(const SliceNumbers &n, const SliceNames &names) {
  const int64_t named =
      n.windowDims.size() + n.collapsedDims.size() + n.operandBatching.size();
  if (n.operand.rank() != named)
    return Broken(names.ranks)
           << names.operandRank << " must be the size of " << names.windowDims
           << ", " << names.collapsedDims << " and " << names.operandBatching
           << " together, " << n.windowDims.size() << " + "
           << n.collapsedDims.size() << " + " << n.operandBatching.size()
           << " = " << named << ", but is " << n.operand.rank();
  if (n.vectorDim < 0 || n.vectorDim > n.indices.rank())
    return Broken(names.vectorRange)
           << "index_vector_dim must be in [0, " << n.indices.rank()
           << "], the rank of " << names.indices << ", but is " << n.vectorDim;
  return absl::OkStatus();
}

absl::Status verifyBatching(const SliceNumbers &n, const SliceNames &names) {
  if (llvm::is_contained(n.indicesBatching, n.vectorDim))
    return Broken(names.indicesNoVector)
           << names.indicesBatching << " must not hold index_vector_dim, but "
           << n.indicesBatching << " has " << n.vectorDim;
  if (n.operandBatching.size() != n.indicesBatching.size())
    return Broken(names.batchingCount)
           << names.operandBatching << " and " << names.indicesBatching
           << " must have the same size, but are " << n.operandBatching
           << " and " << n.indicesBatching;
  return absl::OkStatus();
}

}  // namespace

absl::Status verifyNumbers(const SliceNumbers &n, const SliceNames &names) {
  absl::Status status = verifyRanks(n, names);
  INDEXICAL_RETURN_IF_ERROR(status);
  const int64_t rank = n.operand.rank();
  status.Update(checkUnique(names.windowOrder, names.windowDims, n.windowDims));
  status.Update(checkSorted(names.windowOrder, names.windowDims, n.windowDims));
  status.Update(checkRange(names.windowRange, names.windowDims, n.windowDims,
                           n.slices.rank(), names.slicesRank));
  status.Update(checkUnique(names.collapsedUnique, names.collapsedAndBatching,
                            joined(n.collapsedDims, n.operandBatching)));
  status.Update(
      checkSorted(names.collapsedOrder, names.collapsedDims, n.collapsedDims));
  status.Update(checkRange(names.collapsedRange, names.collapsedDims,
                           n.collapsedDims, rank, names.operandRank));
  status.Update(checkSorted(names.batchingOrder, names.operandBatching,
                            n.operandBatching));
  status.Update(checkRange(names.batchingRange, names.operandBatching,
                           n.operandBatching, rank, names.operandRank));
  status.Update(checkUnique(names.indicesUnique, names.indicesBatching,
                            n.indicesBatching));
  status.Update(checkRange(names.indicesRange, names.indicesBatching,
                           n.indicesBatching, n.indices.rank(),
                           names.indicesRank));
  status.Update(verifyBatching(n, names));
  status.Update(checkUnique(names.mapUnique, names.mapAndBatching,
                            joined(n.indexMap, n.operandBatching)));
  status.Update(checkRange(names.mapRange, names.indexMap, n.indexMap, rank,
                           names.operandRank));
  return status;
}

absl::Status verifyIndices(const SliceNumbers &n, const SliceNames &names) {
  if (n.indices.type != ElementType::Unknown && !isInteger(n.indices.type))
    return Broken("") << names.indices << " must be integers, but are "
                      << n.indices;
  const bool implicit = n.vectorDim == n.indices.rank();
  const int64_t components = n.indexMap.size();
  if (implicit ? components != 1
               : !canHaveSize(n.indices, n.vectorDim, components))
    return Broken(names.vectorSize)
           << names.indexMap
           << " must have as many entries as an index vector, "
           << (implicit ? 1 : n.indices.dimensions[n.vectorDim]) << ", but "
           << n.indexMap << " has " << components << " (index_vector_dim is "
           << n.vectorDim << ")";
  for (size_t b = 0; b < n.operandBatching.size(); ++b) {
    const int64_t d = n.operandBatching[b], e = n.indicesBatching[b];
    if (!canAgree(n.operand, d, n.indices, e))
      return Broken(names.batchingSizes)
             << "batching dimensions must have the same size, but dimension "
             << d << " of " << names.operand << " has "
             << SizeText{n.operand.dimensions[d]} << " and dimension " << e
             << " of " << names.indices << " has "
             << SizeText{n.indices.dimensions[e]} << " ("
             << names.indicesBatching << ")";
  }
  return absl::OkStatus();
}

}  // namespace families
}  // namespace indexical
