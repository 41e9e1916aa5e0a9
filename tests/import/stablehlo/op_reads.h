// The reads of an op in a run, by its maps: for each element of a result, the
// elements of an operand.
//
//   stablehlo.reduce of tensor<2x3xi32> along dimension 0
//     of(0, 0)    {{0, 3}, {1, 4}, {2, 5}}
//     of(0, 1)    {{0}, {0}, {0}}            the init, each time
//
// The map of the result to the operand is evaluated at every point, with the
// values of runtime variables that the run has computed. The map of the operand
// to the result must give the same pairs, transposed, and pieces must not
// overlap. Otherwise the maps are wrong, and the answer is an error.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_READS_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_READS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "tests/import/stablehlo/values.h"

namespace indexical::testing {

/// One list for each element of the result: places in the operand, ascending.
using ElementReads = std::vector<std::vector<int64_t>>;

/// How many maps have been evaluated, and at how many pairs.
struct MapCounts {
  int64_t exact = 0, cover = 0, pairs = 0;
};

class OpReads {
 public:
  explicit OpReads(const Op &op) : op_(op) {}

  /// Returns the shapes of the op, captured operands included.
  const OpShapes &shapes() const { return shapesOf(op_); }

  /// Returns the reads of result r of operand k, given the operands' values and
  /// the results' sizes. An answer that does not depend on values is kept until
  /// the next one for the same leaves.
  absl::StatusOr<const ElementReads *> of(int64_t r, int64_t k,
                                          llvm::ArrayRef<ArrayValue> operands,
                                          llvm::ArrayRef<Index> resultSizes,
                                          MapCounts &counts);

 private:
  struct Answer {
    ElementReads reads;
    bool isFixed = false;  ///< no value steers it
  };
  absl::Status evaluate(int64_t r, int64_t k,
                        llvm::ArrayRef<ArrayValue> operands,
                        llvm::ArrayRef<Index> resultSizes, MapCounts &counts,
                        Answer &answer) const;

  const Op &op_;
  std::map<std::pair<int64_t, int64_t>, Answer> answers_;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_READS_H
