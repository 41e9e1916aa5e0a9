#include "indexical/ops/products/contraction.h"

#include <map>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVectorExtras.h"

#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace families {
namespace {

/// The dimensions that are paired, and how HLO calls the two lists.
struct Pairs {
  Name lists;
  llvm::StringRef what;
  const Int64s &lhs, &rhs;
};

absl::Status verifyCounts(Rule rule, const Pairs &pairs) {
  if (pairs.lhs.size() == pairs.rhs.size()) return absl::OkStatus();
  return Broken(rule) << pairs.lists << "lhs and rhs must have as many "
                      << pairs.what << " dimensions as each other, but have "
                      << pairs.lhs << " and " << pairs.rhs;
}

absl::Status verifySizes(const OpShapes &op, Rule rule, const Pairs &pairs) {
  const ArrayShape &lhs = op.operands[0], &rhs = op.operands[1];
  for (size_t k = 0; k < pairs.lhs.size(); ++k) {
    const int64_t d = pairs.lhs[k], e = pairs.rhs[k];
    if (!canAgree(lhs, d, rhs, e))
      return Broken(rule) << pairs.lists << pairs.what
                          << " dimensions must have the same size, but "
                             "dimension "
                          << d << " of lhs has " << SizeText{lhs.dimensions[d]}
                          << " and dimension " << e << " of rhs has "
                          << SizeText{rhs.dimensions[e]};
  }
  return absl::OkStatus();
}

Int64s joined(const Int64s &first, const Int64s &second) {
  Int64s all = first;
  all.append(second.begin(), second.end());
  return all;
}

}  // namespace

absl::Status verifyDimensions(const OpShapes &op, const DotDimensions &d,
                              const DotRules &rules) {
  const int64_t lhsRank = op.operands[0].rank(),
                rhsRank = op.operands[1].rank();
  const Pairs batch = {{"lhs_batch_dims and rhs_batch_dims: ", ""},
                       "batching",
                       d.lhsBatch,
                       d.rhsBatch};
  const Pairs contracting = {
      {"lhs_contracting_dims and rhs_contracting_dims: ", ""},
      "contracting",
      d.lhsContracting,
      d.rhsContracting};
  absl::Status status = verifyCounts(rules.batchCount, batch);
  status.Update(verifyCounts(rules.contractingCount, contracting));
  status.Update(
      checkUnique(rules.lhsUnique,
                  {"lhs_batch_dims with lhs_contracting_dims",
                   "lhs_batching_dimensions with lhs_contracting_dimensions"},
                  joined(d.lhsBatch, d.lhsContracting)));
  status.Update(
      checkUnique(rules.rhsUnique,
                  {"rhs_batch_dims with rhs_contracting_dims",
                   "rhs_batching_dimensions with rhs_contracting_dimensions"},
                  joined(d.rhsBatch, d.rhsContracting)));
  status.Update(checkRange(rules.lhsBatch,
                           {"lhs_batch_dims", "lhs_batching_dimensions"},
                           d.lhsBatch, lhsRank, "rank(lhs)"));
  status.Update(
      checkRange(rules.lhsContracting,
                 {"lhs_contracting_dims", "lhs_contracting_dimensions"},
                 d.lhsContracting, lhsRank, "rank(lhs)"));
  status.Update(checkRange(rules.rhsBatch,
                           {"rhs_batch_dims", "rhs_batching_dimensions"},
                           d.rhsBatch, rhsRank, "rank(rhs)"));
  status.Update(
      checkRange(rules.rhsContracting,
                 {"rhs_contracting_dims", "rhs_contracting_dimensions"},
                 d.rhsContracting, rhsRank, "rank(rhs)"));
  INDEXICAL_RETURN_IF_ERROR(status);
  status = verifySizes(op, rules.batchSizes, batch);
  status.Update(verifySizes(op, rules.contractingSizes, contracting));
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
  const auto ordered = sides.ordered(contraction.result, operand);
  const auto &from = ordered.from, &to = ordered.to;
  auto boundsOf = [&](llvm::ArrayRef<int64_t> indices) {
    return llvm::map_to_vector<6>(
        indices, [&](int64_t index) { return contraction.bounds[index]; });
  };
  const auto given = llvm::map_to_vector<6>(to, [&](int64_t index) -> int64_t {
    const auto *at = llvm::find(from, index);
    return at == from.end() ? kAnyIndex : at - from.begin();
  });
  if (auto answer =
          plainAnswerOf(boundsOf(from), given, boundsOf(to), precision))
    return *std::move(answer);
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
