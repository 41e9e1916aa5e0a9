// The elements that one element of an op's result reads, one after the other.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ELEMENT_READS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ELEMENT_READS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/ops/op.h"

namespace indexical {

/// The reads of one operand by one result.
class ElementReads {
 public:
  /// Returns an error if the relation is not exact, or if sizes are open.
  static absl::StatusOr<ElementReads> of(const Op &op, int64_t result,
                                         int64_t operand);

  /// Returns whether the reads depend on values of other operands.
  bool dependsOnValues() const { return dependsOnValues_; }

  /// Returns the integer at that place of an operand leaf; nothing if it is not
  /// known. One of u64 from 2^63 on is that less 2^64.
  using ValueAt = llvm::function_ref<std::optional<int64_t>(int64_t operand,
                                                            int64_t place)>;
  /// Adds the places (row major) that are read, in the order of the ranges.
  /// Returns false if it needs a value that is not known.
  bool at(llvm::ArrayRef<int64_t> index, ValueAt value,
          std::vector<int64_t> &places) const;

 private:
  /// An expression that is a sum of variables, kept as its coefficients.
  struct Linear {
    int64_t constant = 0;
    llvm::SmallVector<int64_t, 6> coefficients;  // dimensions, then ranges
    int64_t at(llvm::ArrayRef<int64_t> values) const {
      int64_t sum = constant;
      for (size_t k = 0; k < coefficients.size(); ++k)
        sum += coefficients[k] * values[k];
      return sum;
    }
  };
  struct Piece {
    IndexingMap map;
    bool isLinear = false;
    Linear place;
    std::vector<std::pair<Linear, Interval>> constraints;
    std::vector<IndexingMap> sources;
    std::vector<bool> isOfU64;  ///< of each source
    std::vector<llvm::SmallVector<int64_t, 4>> sourceStrides;
  };

  bool addPiece(const Piece &piece, llvm::ArrayRef<int64_t> index,
                ValueAt value, std::vector<int64_t> &places) const;

  std::vector<Piece> pieces_;
  llvm::SmallVector<int64_t, 6> strides_;
  bool dependsOnValues_ = false;
};

/// Returns the row-major strides of these sizes.
llvm::SmallVector<int64_t, 6> stridesOf(llvm::ArrayRef<int64_t> sizes);

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ELEMENT_READS_H
