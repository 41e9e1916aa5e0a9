// What makes the dimension numbers of gather and scatter valid.
//
// The constraints of StableHLO's gather and scatter, with their numbers there:
// what is wrong with offset_dims={3,1} reads
//
//   offset_dims {3, 1} would be in increasing order (C4)
#include <algorithm>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/ops/indexed/indexed_slices.h"

namespace indexical {
namespace families {
namespace {

absl::Status checkRange(const char *number, const std::string &name,
                        llvm::ArrayRef<int64_t> values, int64_t end) {
  for (int64_t value : values)
    if (value < 0 || value >= end)
      return violates(number, absl::StrCat(name, " ", textOf(values), ": ",
                                           value, " is not in [0, ", end, ")"));
  return absl::OkStatus();
}

absl::Status checkSorted(const char *number, const std::string &name,
                         llvm::ArrayRef<int64_t> values) {
  if (llvm::is_sorted(values)) return absl::OkStatus();
  return violates(number, absl::StrCat(name, " ", textOf(values),
                                       " would be in increasing order"));
}

absl::Status checkUnique(const char *number, const std::string &name,
                         llvm::ArrayRef<int64_t> values,
                         llvm::ArrayRef<int64_t> more = {}) {
  Int64s sorted(values.begin(), values.end());
  sorted.append(more.begin(), more.end());
  llvm::sort(sorted);
  auto twice = std::adjacent_find(sorted.begin(), sorted.end());
  if (twice == sorted.end()) return absl::OkStatus();
  return violates(number, absl::StrCat(name, " ", textOf(values),
                                       more.empty() ? "" : " and ",
                                       more.empty() ? "" : textOf(more), ": ",
                                       *twice, " is there twice"));
}

std::string listed(const char *name, llvm::ArrayRef<int64_t> values) {
  return absl::StrCat(name, " ", textOf(values));
}

absl::Status verifyCounts(const SliceNumbers &n, const SliceNames &names) {
  const int64_t rank = n.operand.rank(), indicesRank = n.indices.rank();
  const size_t named =
      n.windowDims.size() + n.collapsedDims.size() + n.operandBatching.size();
  const std::string batching = listed(names.operandBatching, n.operandBatching);
  if (rank != static_cast<int64_t>(named))
    return violates(
        names.ranks,
        absl::StrCat(listed(names.windowDims, n.windowDims), ", ",
                     listed(names.collapsedDims, n.collapsedDims), " and ",
                     batching, " name ", counted(named, "dimension"), " of ",
                     names.operand, ", whose rank is ", rank));
  if (n.vectorDim < 0 || n.vectorDim > indicesRank)
    return violates(names.vectorRange,
                    absl::StrCat("index_vector_dim ", n.vectorDim,
                                 " is not in [0, ", indicesRank, "]"));
  if (n.operandBatching.size() != n.indicesBatching.size())
    return violates(
        names.batchingCount,
        absl::StrCat(batching, " and ",
                     listed(names.indicesBatching, n.indicesBatching),
                     " would be as many"));
  return absl::OkStatus();
}

}  // namespace

absl::Status violates(llvm::StringRef number, const std::string &message) {
  return invalid(absl::StrCat(message, " (", number.str(), ")"));
}

absl::Status verifyNumbers(const SliceNumbers &n, const SliceNames &names) {
  absl::Status status = verifyCounts(n, names);
  if (!status.ok()) return status;
  const int64_t rank = n.operand.rank();
  const std::string window = names.windowDims, collapsed = names.collapsedDims;
  const std::string batching = names.operandBatching;
  const std::string inIndices = names.indicesBatching, map = names.indexMap;
  status.Update(checkUnique(names.windowOrder, window, n.windowDims));
  status.Update(checkSorted(names.windowOrder, window, n.windowDims));
  status.Update(
      checkRange(names.windowRange, window, n.windowDims, n.slices.rank()));
  status.Update(checkUnique(names.collapsedUnique,
                            collapsed + " and " + batching, n.collapsedDims,
                            n.operandBatching));
  status.Update(checkSorted(names.collapsedOrder, collapsed, n.collapsedDims));
  status.Update(
      checkRange(names.collapsedRange, collapsed, n.collapsedDims, rank));
  status.Update(checkSorted(names.batchingOrder, batching, n.operandBatching));
  status.Update(
      checkRange(names.batchingRange, batching, n.operandBatching, rank));
  status.Update(checkUnique(names.indicesUnique, inIndices, n.indicesBatching));
  status.Update(checkRange(names.indicesRange, inIndices, n.indicesBatching,
                           n.indices.rank()));
  status.Update(checkUnique(names.mapUnique, map + " and " + batching,
                            n.indexMap, n.operandBatching));
  status.Update(checkRange(names.mapRange, map, n.indexMap, rank));
  if (llvm::is_contained(n.indicesBatching, n.vectorDim))
    status.Update(
        violates(names.indicesNoVector,
                 absl::StrCat(listed(names.indicesBatching, n.indicesBatching),
                              " contains index_vector_dim ", n.vectorDim)));
  return status;
}

absl::Status verifyIndices(const SliceNumbers &n, const SliceNames &names) {
  if (n.indices.type != ElementType::Unknown && !isInteger(n.indices.type))
    return invalid(absl::StrCat(names.indices, " ", textOf(n.indices),
                                " would be integers"));
  const bool implicit = n.vectorDim == n.indices.rank();
  const int64_t components = n.indexMap.size();
  if (implicit ? components != 1
               : !canHaveSize(n.indices, n.vectorDim, components))
    return violates(
        names.vectorSize,
        absl::StrCat(listed(names.indexMap, n.indexMap), " has ",
                     counted(components, "value"), "; an index vector of ",
                     textOf(n.indices), " with index_vector_dim ", n.vectorDim,
                     " has ",
                     implicit ? 1 : n.indices.dimensions[n.vectorDim]));
  for (size_t b = 0; b < n.operandBatching.size(); ++b)
    if (!canAgree(n.operand, n.operandBatching[b], n.indices,
                  n.indicesBatching[b]))
      return violates(
          names.batchingSizes,
          absl::StrCat(listed(names.operandBatching, n.operandBatching),
                       " and ",
                       listed(names.indicesBatching, n.indicesBatching),
                       ": dimensions ", n.operandBatching[b], " of ",
                       textOf(n.operand), " and ", n.indicesBatching[b], " of ",
                       textOf(n.indices), " would have the same size"));
  return absl::OkStatus();
}

}  // namespace families
}  // namespace indexical
