// Contractions: what dot, scaled-dot and ragged-dot have in common.
//
// Every dimension of their tensors is an *index* of the contraction, and equal
// indices have equal values, as in the notation of Einstein:
//
//   f32[4,128,256] dot f32[4,256,64], batch {0} {0}, contracting {2} {1}
//   indices    0 (4)   1 (128)   2 (256)   3 (64)
//   operands   {0, 1, 2} and {0, 2, 3}, result {0, 1, 3}
//
// A map from one tensor to another has a dimension variable for each index of
// the first; an index that only the second has is a range variable:
//
//   ContractionMap map(contraction);
//   map.from(contraction.result);
//   map.to(contraction.operands[0]);   // (d0, d1, d2)[s0] -> (d0, d1, s0)
#ifndef INDEXICAL_OPS_PRODUCTS_CONTRACTION_H
#define INDEXICAL_OPS_PRODUCTS_CONTRACTION_H

#include <optional>

#include "indexical/ops/core/rules.h"
#include "indexical/ops/core/size_collector.h"

namespace indexical {
namespace families {

struct Contraction {
  /// For each dimension of the two operands and of the result, its index.
  Int64s operands[2], result;
  /// The values of each index, and its size if known.
  llvm::SmallVector<Interval, 6> bounds;
  llvm::SmallVector<std::optional<int64_t>, 6> sizes;

  /// Makes the indices of a dot. Dimensions of the rhs in `groups` are indices
  /// of their own that the result does not have. Requires valid dimensions.
  Contraction(const OpShapes &op, const DotDimensions &dimensions,
              llvm::ArrayRef<int64_t> groups = {});

  /// Adds an index and returns its number.
  int64_t add();
  /// Restricts the indices to the sizes of a tensor that has these indices.
  void meet(llvm::ArrayRef<int64_t> indices, const ArrayShape &shape);

  bool inResult(int64_t index) const;
  /// Returns the sizes of the indices, kDynamicSize if not known.
  Int64s sizesOf(llvm::ArrayRef<int64_t> indices) const;
};

/// A map under construction.
class ContractionMap {
 public:
  explicit ContractionMap(const Contraction &contraction)
      : bounds_(contraction.bounds),
        values_(bounds_.size()),
        isFixed_(bounds_.size(), false) {}

  /// Gives the index one value. Must be called before the other functions.
  void fix(int64_t index, int64_t value) {
    bounds_[index] = Interval::point(value);
    isFixed_[index] = true;
  }
  /// Adds a dimension variable for each of the indices, which are those that
  /// the map starts from.
  void from(llvm::ArrayRef<int64_t> indices);
  /// Returns the index's value, which is a new range variable if it has none
  /// yet.
  Expr at(int64_t index);
  void set(int64_t index, Expr value) { values_[index] = value; }
  void to(llvm::ArrayRef<int64_t> indices);

  IndexingMapBuilder builder;

 private:
  llvm::SmallVector<Interval, 6> bounds_;
  llvm::SmallVector<std::optional<Expr>, 6> values_;
  llvm::SmallVector<bool, 6> isFixed_;
};

/// An op's numbers of the constraints on these lists.
struct DotRules {
  Rule batchCount, contractingCount, lhsUnique, rhsUnique;
  Rule lhsBatch, lhsContracting, rhsBatch, rhsContracting;
  Rule batchSizes, contractingSizes;
};

/// Returns an error unless the batch and contracting dimensions fit operands 0
/// and 1. Each must be in range and be named at most once in both lists of its
/// operand. The lists of the two operands must have one length, and pair
/// dimensions of one size. `rules` has the numbers of these constraints, for
/// the message.
absl::Status verifyDimensions(const OpShapes &op, const DotDimensions &d,
                              const DotRules &rules = {});

/// Returns what the result reads of an operand with the indices `operand`: the
/// elements whose equal indices have equal values.
Answer contracted(const Sides &sides, const Contraction &contraction,
                  const Int64s &operand,
                  Precision precision = Precision::Exact);

/// Adds that dimensions with the same index have the same size. The tensors are
/// operands 0 and 1 and result 0.
void addContractionSizes(SizeCollector &c, const OpShapes &op,
                         const DotDimensions &d,
                         llvm::ArrayRef<int64_t> groups = {});

}  // namespace families
}  // namespace indexical

#endif  // INDEXICAL_OPS_PRODUCTS_CONTRACTION_H
