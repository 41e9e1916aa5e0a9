// What ops of upstream MLIR read, by running them.
//
// As tests/oracle/, for `tensor`, `linalg` and `vector`: every op is run on
// tensors whose elements are sets of reads, regions op by op, loops in order.
// Nothing is shared with the describers. Sizes are static; indices are the
// numbers that the operands hold, and no behaviour is undefined.
//
//   %r = tensor.extract %t[%i], %i holds 2
//     {(0, 2), (1, 0)}: element 2 of operand 0, and the index itself
#ifndef INDEXICAL_TESTS_STABLEHLO_UPSTREAM_INTERPRETER_H
#define INDEXICAL_TESTS_STABLEHLO_UPSTREAM_INTERPRETER_H

#include <vector>

#include "mlir/IR/Operation.h"

#include "tests/oracle/oracle.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

/// An op's operands and what its regions capture, as they are numbered.
std::vector<mlir::Value> leavesOf(mlir::Operation *op);

/// The sizes of a static type; none of a scalar.
Index sizesOf(mlir::Type type);

/// The results. `values[k]`: of leaf k, in row major order.
std::vector<Tensor> interpret(mlir::Operation *op, const OperandValues &values);

// The dialects, one file each. Requires an op of that dialect.
std::vector<Tensor> interpretTensor(mlir::Operation *op,
                                    const OperandValues &values);
std::vector<Tensor> interpretLinalg(mlir::Operation *op,
                                    const OperandValues &values);
std::vector<Tensor> interpretVector(mlir::Operation *op,
                                    const OperandValues &values);

/// A tensor whose element i is {(leaf, i)}.
Tensor leafTensor(mlir::Value value, int64_t leaf);
/// Everything of that leaf.
Reads wholeLeaf(mlir::Value value, int64_t leaf);

/// One value while a region runs.
struct Cell {
  Reads reads;
  int64_t number = 0;  ///< where it is an integer
};

/// Runs the only block of a region on its arguments: the terminator's operands.
/// `loops` are what linalg.index gives.
std::vector<Cell> runRegion(mlir::Region &region,
                            const std::vector<Cell> &arguments,
                            const Index &loops,
                            const std::vector<mlir::Value> &leaves,
                            const OperandValues &values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_STABLEHLO_UPSTREAM_INTERPRETER_H
