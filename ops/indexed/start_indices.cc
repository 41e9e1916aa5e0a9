#include "indexical/ops/indexed/start_indices.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace families {
namespace {

bool isList(const StartIndices &starts) {
  return starts.op.operands.size() == starts.first + 1 &&
         starts.op.operands[starts.first].rank() == 1;
}

}  // namespace

absl::Status StartIndices::verify(Rule count, Rule each) const {
  const int64_t rank = sliced.rank(), given = op.operands.size() - first;
  for (size_t k = first; k < op.operands.size(); ++k)
    if (op.operands[k].type != ElementType::Unknown &&
        !isInteger(op.operands[k].type))
      return Broken("") << "start indices must be integers, but one of them is "
                        << op.operands[k];
  if (isList(*this)) {
    if (canHaveSize(op.operands[first], 0, rank)) return absl::OkStatus();
    return Broken(count) << "the start indices must be " << rank
                         << ", the rank of operand, but are "
                         << op.operands[first];
  }
  if (given != rank)
    return Broken(count) << "there must be a start index for each of the "
                         << rank << " dimensions of operand, not " << given;
  for (size_t k = first; k < op.operands.size(); ++k)
    INDEXICAL_RETURN_IF_ERROR(checkScalar(
        each, Name{"start index", "start_indices"}[k - first], op.operands[k]));
  return absl::OkStatus();
}

Int64s StartIndices::openDimensions() const {
  Int64s open;
  for (int64_t k = 0; k < sliced.rank(); ++k)
    if (!isFixed(sliced, k) || !isFixed(slice, k)) open.push_back(k);
  return open;
}

Expr StartIndices::start(IndexingMapBuilder &builder, SizeVariables &variables,
                         int64_t k, const Variant &variant) const {
  auto element = [&](Interval clamp) {
    if (isList(*this))
      return builder.runtimeElement(clamp, true, first, {builder.constant(k)});
    return builder.runtimeElement(clamp, true, first + k, {});
  };
  const Int64s open = openDimensions();
  const size_t question = llvm::find(open, k) - open.begin();
  if (question == open.size())
    return element({0, sliced.dimensions[k] - slice.dimensions[k]});
  Expr last = variables.size({0, k}) -
              (sliceTensor < 0 ? builder.constant(slice.dimensions[k])
                               : variables.size({sliceTensor, k}));
  Expr index = element({0, Interval::kInfinity});
  if (variant[question]) {
    builder.constraint(index - last, {1, Interval::kInfinity});
    return last;
  }
  builder.constraint(index - last, {Interval::kMinusInfinity, 0});
  return index;
}

}  // namespace families
}  // namespace indexical
