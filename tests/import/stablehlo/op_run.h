// One op, run through its maps.
//
// An element of a result is computed from the elements that the maps give for
// it, and from no others:
//
//   data movement      it is the one element that is read, of whichever operand
//   elementwise        a scalar function of one element of each operand
//   reduce, windows    the body folded over what is read, the init first
//   scatter            the body over the input's element and the updates' that
//                      the maps bring there
//   sort, top_k        what is read, ordered, and of that the one at its place
//   dot, convolution   the sum of products of what is read of both operands
//   fft, solves        the definition, in which what is not read is missing
//
// It is an error if a definition needs an element that the maps leave out, or
// if the maps have an element that the definition does not need.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_RUN_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_RUN_H

#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"
#include "tests/import/stablehlo/op_reads.h"
#include "tests/import/stablehlo/values.h"

namespace indexical::testing {

using ArrayValues = std::vector<ArrayValue>;

/// Runs region `number` of the op on these arguments.
using RunRegion = llvm::function_ref<absl::StatusOr<ArrayValues>(
    unsigned number, ArrayValues arguments)>;

/// An op and its operands. Leaves are counted as in op.h.
class OpRun {
 public:
  OpRun(mlir::Operation *op, const Op &descriptor, OpReads &reads,
        llvm::ArrayRef<ArrayValue> operands, ArrayValues results,
        RunRegion runRegion, MapCounts &counts)
      : op(op),
        descriptor(descriptor),
        operands(operands),
        results(std::move(results)),
        runRegion(runRegion),
        reads_(reads),
        counts_(counts) {
    for (const ArrayValue &result : this->results)
      sizes_.push_back(result.sizes);
  }

  mlir::Operation *const op;
  const Op &descriptor;  ///< not the one around captured values
  const llvm::ArrayRef<ArrayValue> operands;
  ArrayValues results;  ///< of the kinds and sizes that they will have
  const RunRegion runRegion;

  absl::StatusOr<const ElementReads *> reads(int64_t r, int64_t k) {
    return reads_.of(r, k, operands, sizes_, counts_);
  }
  /// Runs the body of a reduction, which makes one list of scalars of two.
  absl::Status combine(unsigned region, ArrayValues &into,
                       const ArrayValues &with);
  /// Returns the element as a tensor of rank 0.
  ArrayValue scalarAt(int64_t operand, int64_t place) const;
  /// Notes that floats of the results have been rounded on the way.
  void setComputed(int64_t roundings = kFewRoundings);
  /// Notes that elements of the results are elements of the operands.
  void setMoved();

 private:
  OpReads &reads_;
  MapCounts &counts_;
  std::vector<Index> sizes_;
};

using OpRunner = absl::Status (*)(OpRun &);

/// Returns the function that runs ops of that name, or null if there is none.
OpRunner runnerOf(mlir::Operation *op);

absl::Status unequal(const OpRun &run, const char *what);

// op_run.cc
absl::Status runElementwise(OpRun &run);
absl::Status runMovement(OpRun &run);
absl::Status runRealDynamicSlice(OpRun &run);
absl::Status runBitcastConvert(OpRun &run);
absl::Status runGetDimensionSize(OpRun &run);
absl::Status runIota(OpRun &run);
absl::Status runForward(OpRun &run);

// op_run_bodies.cc
absl::Status runReduction(OpRun &run);
absl::Status runScatter(OpRun &run);
absl::Status runSelectAndScatter(OpRun &run);
absl::Status runSort(OpRun &run);
absl::Status runTopK(OpRun &run);

// op_run_products.cc
absl::Status runDot(OpRun &run);
absl::Status runConvolution(OpRun &run);
absl::Status runFft(OpRun &run);
absl::Status runTriangularSolve(OpRun &run);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_OP_RUN_H
