#include "indexical/ops/products/contraction.h"

#include <map>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace families {
namespace {

absl::Status verifyPairs(const OpShapes &op, llvm::StringRef name,
                         const Int64s &lhs, const Int64s &rhs) {
  const std::string lists =
      absl::StrCat("lhs_", name.str(), "_dims ", textOf(lhs), " and rhs_",
                   name.str(), "_dims ", textOf(rhs));
  if (lhs.size() != rhs.size()) return invalid(lists + " would be as many");
  for (size_t k = 0; k < lhs.size(); ++k)
    if (!canAgree(op.operands[0], lhs[k], op.operands[1], rhs[k]))
      return invalid(absl::StrCat(lists, ": dimension ", lhs[k], " of ",
                                  textOf(op.operands[0]), " and ", rhs[k],
                                  " of ", textOf(op.operands[1]),
                                  " would have the same size"));
  return absl::OkStatus();
}

absl::Status verifyLists(llvm::StringRef side, const Int64s &batch,
                         const Int64s &contracting, const ArrayShape &shape) {
  const std::string batchName = side.str() + "_batch_dims";
  const std::string contractingName = side.str() + "_contracting_dims";
  if (auto s = checkDimensions(batchName, batch, shape); !s.ok()) return s;
  if (auto s = checkDimensions(contractingName, contracting, shape); !s.ok())
    return s;
  for (int64_t k : batch)
    if (llvm::is_contained(contracting, k))
      return invalid(absl::StrCat(batchName, " ", textOf(batch), " and ",
                                  contractingName, " ", textOf(contracting),
                                  " both name ", k));
  return absl::OkStatus();
}

}  // namespace

absl::Status verifyDimensions(const OpShapes &op, const DotDimensions &d) {
  absl::Status status =
      verifyLists("lhs", d.lhsBatch, d.lhsContracting, op.operands[0]);
  if (status.ok())
    status = verifyLists("rhs", d.rhsBatch, d.rhsContracting, op.operands[1]);
  if (status.ok()) status = verifyPairs(op, "batch", d.lhsBatch, d.rhsBatch);
  if (status.ok())
    status = verifyPairs(op, "contracting", d.lhsContracting, d.rhsContracting);
  return status;
}

Contraction::Contraction(const OpShapes &op, const DotDimensions &d,
                         llvm::ArrayRef<int64_t> groups) {
  for (int64_t side : {0, 1})
    operands[side].assign(op.operands[side].rank(), -1);
  Int64s &lhs = operands[0], &rhs = operands[1];
  for (size_t b = 0; b < d.lhsBatch.size(); ++b) {
    lhs[d.lhsBatch[b]] = rhs[d.rhsBatch[b]] = add();
    result.push_back(lhs[d.lhsBatch[b]]);
  }
  for (size_t c = 0; c < d.lhsContracting.size(); ++c)
    lhs[d.lhsContracting[c]] = rhs[d.rhsContracting[c]] = add();
  for (int64_t k : groups) rhs[k] = add();
  for (Int64s &side : operands)
    for (int64_t &index : side)
      if (index < 0) result.push_back(index = add());
  for (int64_t side : {0, 1}) meet(operands[side], op.operands[side]);
}

int64_t Contraction::add() {
  bounds.push_back({0, Interval::kInfinity});
  sizes.push_back(std::nullopt);
  return bounds.size() - 1;
}

void Contraction::meet(llvm::ArrayRef<int64_t> indices,
                       const ArrayShape &shape) {
  for (size_t k = 0; k < indices.size(); ++k) {
    Interval &interval = bounds[indices[k]];
    interval = interval.intersect(indicesOf(shape, k));
    if (isFixed(shape, k)) sizes[indices[k]] = shape.dimensions[k];
  }
}

bool Contraction::inResult(int64_t index) const {
  return llvm::is_contained(result, index);
}

Int64s Contraction::sizesOf(llvm::ArrayRef<int64_t> indices) const {
  Int64s list;
  for (int64_t index : indices)
    list.push_back(sizes[index].value_or(kDynamicSize));
  return list;
}

void ContractionMap::from(llvm::ArrayRef<int64_t> indices) {
  for (int64_t index : indices)
    values_[index] = builder.dimension(bounds_[index]);
}

Expr ContractionMap::at(int64_t index) {
  if (!values_[index])
    values_[index] = isFixed_[index] ? builder.constant(bounds_[index].lower)
                                     : builder.range(bounds_[index]);
  return *values_[index];
}

void ContractionMap::to(llvm::ArrayRef<int64_t> indices) {
  for (int64_t index : indices) builder.result(at(index));
}

Answer contracted(const Sides &sides, const Contraction &contraction,
                  const Int64s &operand, Precision precision) {
  const auto [from, to] = sides.ordered(contraction.result, operand);
  ContractionMap map(contraction);
  map.from(from);
  map.to(to);
  return answerOf(map.builder, precision);
}

void addContractionSizes(SizeCollector &c, const OpShapes &op,
                         const DotDimensions &d,
                         llvm::ArrayRef<int64_t> groups) {
  const Contraction indices(op, d, groups);
  std::map<int64_t, SizeRef> first;
  auto meet = [&](int64_t tensor, llvm::ArrayRef<int64_t> list) {
    for (size_t k = 0; k < list.size(); ++k) {
      const SizeRef ref = {tensor, static_cast<int64_t>(k)};
      auto [found, isNew] = first.insert({list[k], ref});
      if (!isNew) c.equal(found->second, ref);
    }
  };
  meet(0, indices.operands[0]);
  meet(1, indices.operands[1]);
  meet(c.result(0), indices.result);
}

}  // namespace families
}  // namespace indexical
