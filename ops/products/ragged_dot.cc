// Ragged dot: a dot whose lhs is cut into groups along one dimension.
//
//   f32[64,9] dot f32[2,9,8] by s64[2] -> f32[64,8], contracting {1} {1}
//   lhs_ragged_dims={0}, rhs_group_dims={0}
//   lhs    (d0, d1)[s0]{rt0, rt1} -> (d0, s0),  d0 - rt0 - rt1 in [-inf, -1]
//   rhs    (d0, d1)[s0]{rt0} -> (0, s0, d1),  d0 - rt0 in [-inf, -1]
//          (d0, d1)[s0]{rt0, rt1} -> (1, s0, d1),
//          d0 - rt0 in [0, inf], d0 - rt0 - rt1 in [-inf, -1]
//   sizes  (d0, d1)[s0] -> (s0)
//   where rt0 and rt1 are the sizes 0 and 1, clamped to [0, 64]
//
// Row i of the ragged dimension is in group g if
//
//   size 0 + … + size (g - 1) <= i < size 0 + … + size g
//
// A size that is clamped to the ragged dimension's says the same: a larger one
// reaches past the end as well. With a contracting ragged dimension, f32[11,5]
// dot f32[5,7] -> f32[2,11,7], the group is dimension 0 of the result and there
// is a piece for each, also for the lhs:
//
//   (d0, d1, d2)[s0]{rt0} -> (d1, s0),  d0 in [0, 0], s0 - rt0 in [-inf, -1]
//
// If there are several lists of sizes, the rows' other indices choose the list:
// rt0 is at (d0, 0).
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/products/contraction.h"

namespace indexical {
namespace families {
namespace {

enum class Mode { Free, Contracting, Batch };

Mode modeOf(const RaggedDotOp &op) {
  if (llvm::is_contained(op.lhsBatch, op.lhsRagged[0])) return Mode::Batch;
  if (llvm::is_contained(op.lhsContracting, op.lhsRagged[0]))
    return Mode::Contracting;
  return Mode::Free;
}

/// The dimensions of the lhs by which the sizes of groups may differ.
Int64s prefixOf(const RaggedDotOp &op) {
  const int64_t ragged = op.lhsRagged[0];
  const Mode mode = modeOf(op);
  Int64s prefix;
  auto addBefore = [&](llvm::ArrayRef<int64_t> list) {
    for (int64_t k : list) {
      if (k == ragged) break;
      prefix.push_back(k);
    }
  };
  addBefore(op.lhsBatch);
  if (mode == Mode::Contracting) addBefore(op.lhsContracting);
  for (int64_t k = 0; mode == Mode::Free && k < ragged; ++k)
    if (!llvm::is_contained(op.lhsBatch, k) &&
        !llvm::is_contained(op.lhsContracting, k))
      prefix.push_back(k);
  return prefix;
}

/// The op's indices, with one for the groups.
struct RaggedContraction : Contraction {
  explicit RaggedContraction(const RaggedDotOp &op)
      : Contraction(op, op, op.rhsGroup), mode(modeOf(op)) {
    ragged = operands[0][op.lhsRagged[0]];
    group = op.rhsGroup.empty() ? add() : operands[1][op.rhsGroup[0]];
    if (mode == Mode::Contracting) result.insert(result.begin(), group);
    if (op.operands[2].rank() > 1)
      for (int64_t k : prefixOf(op)) groupSizes.push_back(operands[0][k]);
    steering = groupSizes;
    groupSizes.push_back(group);
    steering.push_back(mode == Mode::Contracting ? add() : group);
  }

  /// The largest size that a group need be taken to have; kDynamicSize if
  /// the answer is a cover, as groups are too many or not known.
  int64_t clamp() const {
    if (!sizes[group] || *sizes[group] > RaggedDotOp::kMostGroups)
      return kDynamicSize;
    const Checked most = Checked(bounds[ragged].upper) + 1;
    return (most * *sizes[group]).value() ? *most.value() : kDynamicSize;
  }

  Mode mode;
  int64_t ragged, group;
  /// The indices of operand 2: of the size of the group, and of all sizes that
  /// an element of the result reads.
  Int64s groupSizes, steering;
};

RaggedContraction contractionOf(const RaggedDotOp &op) {
  RaggedContraction contraction(op);
  contraction.meet(contraction.groupSizes, op.operands[2]);
  contraction.meet(contraction.steering, op.operands[2]);
  contraction.meet(contraction.result, op.results[0]);
  return contraction;
}

/// The part of a map in which the rows are those of some groups.
class RaggedMap {
 public:
  RaggedMap(const RaggedContraction &contraction, llvm::ArrayRef<int64_t> from,
            llvm::ArrayRef<int64_t> to)
      : contraction_(contraction), from_(from), to_(to), map_(contraction) {}

  /// The rows of group g.
  absl::Status addGroup(IndexingRelation &relation, int64_t g) {
    map_.fix(contraction_.group, g);
    begin();
    if (g > 0) map_.builder.constraint(behind(g), {0, Interval::kInfinity});
    return addRowsBefore(relation, g + 1);
  }

  /// The rows of the first groups.
  absl::Status addGroups(IndexingRelation &relation, int64_t count) {
    begin();
    return addRowsBefore(relation, count);
  }

 private:
  void begin() {
    map_.from(from_);
    for (int64_t index : to_) map_.at(index);
  }

  absl::Status addRowsBefore(IndexingRelation &relation, int64_t count) {
    map_.builder.constraint(behind(count), {Interval::kMinusInfinity, -1});
    map_.to(to_);
    return addPiece(relation, map_.builder);
  }

  /// The row, counted from the end of the first groups.
  Expr behind(int64_t groups) {
    for (int64_t g = sizes_.size(); g < groups; ++g) {
      Exprs place;
      for (int64_t index : contraction_.groupSizes)
        place.push_back(index == contraction_.group ? map_.builder.constant(g)
                                                    : map_.at(index));
      sizes_.push_back(map_.builder.runtimeElement({0, contraction_.clamp()},
                                                   /*clamped=*/true, 2, place));
    }
    Expr row = map_.at(contraction_.ragged);
    for (int64_t g = 0; g < groups; ++g) row = row - sizes_[g];
    return row;
  }

  const RaggedContraction &contraction_;
  llvm::ArrayRef<int64_t> from_, to_;
  ContractionMap map_;
  Exprs sizes_;
};

//===-- Verification ------------------------------------------------------===//

/// The ragged dimension, and the rhs group dimension that goes with it.
absl::Status verifyRagged(const RaggedDotOp &op) {
  const Name ragged = {"lhs_ragged_dims", "lhs_ragged_dimensions"};
  const Name group = {"rhs_group_dims", "rhs_group_dimensions"};
  absl::Status status =
      checkRange("", ragged, op.lhsRagged, op.operands[0].rank(), "rank(lhs)");
  status.Update(
      checkRange("", group, op.rhsGroup, op.operands[1].rank(), "rank(rhs)"));
  if (status.ok() && op.lhsRagged.size() != 1)
    status = Broken("") << ragged << " must have one entry, but is "
                        << op.lhsRagged;
  INDEXICAL_RETURN_IF_ERROR(status);
  const bool isFree = modeOf(op) == Mode::Free;
  if (op.rhsGroup.size() != (isFree ? 1 : 0))
    return Broken("") << group << " must have "
                      << (isFree ? "one entry where the ragged dimension is "
                                   "kept"
                                 : "no entry where the ragged dimension is "
                                   "batching or contracting")
                      << ", but is " << op.rhsGroup;
  Int64s taken = op.rhsBatch;
  taken.append(op.rhsContracting);
  taken.append(op.rhsGroup);
  return checkUnique("",
                     {"rhs_batch_dims, rhs_contracting_dims and rhs_group_dims",
                      "rhs batching, contracting and group dimensions"},
                     taken);
}

absl::Status verifyGroupSizes(const RaggedDotOp &op) {
  const ArrayShape &sizes = op.operands[2];
  const Name name = {"the group sizes", "group_sizes"};
  if (sizes.type != ElementType::Unknown && !isInteger(sizes.type))
    return Broken("") << name << " must hold integers, but is " << sizes;
  if (sizes.rank() == 0)
    return Broken("") << name
                      << " must have a dimension for the groups, but is "
                      << sizes;
  Int64s wanted;
  if (sizes.rank() > 1)
    for (int64_t k : prefixOf(op))
      wanted.push_back(fixedSize(op.operands[0], k));
  wanted.push_back(kDynamicSize);
  for (int64_t k : op.rhsGroup)
    if (isFixed(op.operands[1], k))
      wanted.back() = op.operands[1].dimensions[k];
  return checkShape("", name, sizes, wanted,
                    "what is before the ragged dimension, and the groups");
}

}  // namespace

absl::Status verify(const RaggedDotOp &op) {
  INDEXICAL_RETURN_IF_ERROR(checkLeaves(op, 3, 1));
  INDEXICAL_RETURN_IF_ERROR(verifyDimensions(op, op));
  INDEXICAL_RETURN_IF_ERROR(verifyRagged(op));
  INDEXICAL_RETURN_IF_ERROR(verifyGroupSizes(op));
  RaggedContraction contraction(op);
  contraction.meet(contraction.groupSizes, op.operands[2]);
  return checkShape("", "result", op.results[0],
                    contraction.sizesOf(contraction.result),
                    "the batch and free dimensions of the operands");
}

Answer reads(const RaggedDotOp &op, const Sides &sides, int64_t,
             int64_t operand) {
  const RaggedContraction contraction = contractionOf(op);
  if (operand == 2) return contracted(sides, contraction, contraction.steering);
  const Int64s &indices = contraction.operands[operand];
  if (contraction.mode == Mode::Batch)
    return contracted(sides, contraction, indices);
  if (contraction.clamp() == kDynamicSize)
    return contracted(sides, contraction, indices, Precision::Cover);
  const auto [from, to] = sides.ordered(contraction.result, indices);
  const int64_t groups = *contraction.sizes[contraction.group];
  IndexingRelation relation;
  // A row of the lhs has the same part in the result in whatever group it is.
  if (contraction.mode == Mode::Free && operand == 0) {
    if (groups == 0) return relation;
    INDEXICAL_RETURN_IF_ERROR(
        RaggedMap(contraction, from, to).addGroups(relation, groups));
    return relation;
  }
  for (int64_t g = 0; g < groups; ++g)
    INDEXICAL_RETURN_IF_ERROR(
        RaggedMap(contraction, from, to).addGroup(relation, g));
  return relation;
}

}  // namespace families
}  // namespace indexical
