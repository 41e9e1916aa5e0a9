// What an op reads in a run, by its maps: of each element of a result, the
// elements of an operand.
//
//   stablehlo.reduce of tensor<2x3xi32> along dimension 0
//     of(0, 0)    {{0, 3}, {1, 4}, {2, 5}}
//     of(0, 1)    {{0}, {0}, {0}}            the init, each time
//
// The map of the result to the operand is evaluated at every point, runtime
// variables have the values that the run has computed. The map of the operand
// to the result must give the same pairs, turned around, and pieces must not
// overlap; else the answer is an error, for then the maps are wrong.
#ifndef INDEXICAL_TESTS_STABLEHLO_OP_READS_H
#define INDEXICAL_TESTS_STABLEHLO_OP_READS_H

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"

#include "indexical/ops/op.h"
#include "tests/stablehlo/values.h"

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

  /// How many results and operands the op has, those captured included.
  const OpShapes &shapes() const { return shapesOf(op_); }

  /// What result r reads of operand k, where the operands have these values
  /// and the results these sizes. The answer is kept where it does not depend
  /// on values, until the next one of the same leaves.
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

#endif  // INDEXICAL_TESTS_STABLEHLO_OP_READS_H
