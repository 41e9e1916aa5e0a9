#include "ops/start_indices.h"

#include "absl/strings/str_cat.h"

namespace indexical {
namespace families {
namespace {

bool isList(const StartIndices &starts) {
  return starts.op.operands.size() == starts.first + 1 &&
         starts.op.operands[starts.first].rank() == 1;
}

}  // namespace

absl::Status StartIndices::verify() const {
  const int64_t rank = sliced.rank();
  const int64_t count = op.operands.size() - first;
  for (size_t k = first; k < op.operands.size(); ++k)
    if (op.operands[k].type != ElementType::Unknown &&
        !isInteger(op.operands[k].type))
      return invalid(absl::StrCat("start indices ", textOf(op.operands[k]),
                                  " would be integers"));
  if (isList(*this)) {
    if (canHaveSize(op.operands[first], 0, rank)) return absl::OkStatus();
    return invalid(absl::StrCat("start indices ", textOf(op.operands[first]),
                                " would have one element for each of the ",
                                counted(rank, "dimension"), " of ",
                                textOf(sliced)));
  }
  if (count != rank)
    return invalid(absl::StrCat(count, " start indices for ", textOf(sliced),
                                ", which takes ", rank, ", one a dimension"));
  for (size_t k = first; k < op.operands.size(); ++k)
    if (!op.operands[k].isScalar())
      return invalid(absl::StrCat("start index ", k - first, " has the shape ",
                                  textOf(op.operands[k]),
                                  "; it would be a scalar"));
  return absl::OkStatus();
}

bool StartIndices::isKnown(int64_t k) const {
  return isFixed(sliced, k) && isFixed(slice, k);
}

Precision StartIndices::precision() const {
  for (int64_t k = 0; k < sliced.rank(); ++k)
    if (!isKnown(k)) return Precision::Cover;
  return Precision::Exact;
}

Expr StartIndices::start(IndexingMapBuilder &builder, int64_t k) const {
  const int64_t size = sliced.dimensions[k];
  if (!isKnown(k)) {
    if (size == kDynamicSize) return builder.range({0, Interval::kInfinity});
    return builder.range(
        {0, size - (isFixed(slice, k) ? slice.dimensions[k] : 0)});
  }
  const Interval clamp = {0, size - slice.dimensions[k]};
  if (isList(*this))
    return builder.runtimeElement(clamp, true, first, {builder.constant(k)});
  return builder.runtimeElement(clamp, true, first + k, {});
}

}  // namespace families
}  // namespace indexical
