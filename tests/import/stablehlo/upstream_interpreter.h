// The reads of ops of upstream MLIR, found by running the ops.
//
// Like tests/oracle/, for `tensor`, `linalg` and `vector`: every op is run on
// tensors whose elements are sets of reads, regions op by op, loops in order.
// No code is shared with the describers. Sizes are static. Indices are the
// numbers that the operands hold, and no behaviour is undefined.
//
//   %r = tensor.extract %t[%i], %i holds 2
//     {(0, 2), (1, 0)}: element 2 of operand 0, and the index itself
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_UPSTREAM_INTERPRETER_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_UPSTREAM_INTERPRETER_H

#include <vector>

#include "mlir/IR/Operation.h"

#include "tests/oracle/oracle.h"
#include "tests/oracle/tensor.h"

namespace indexical::testing {

/// Returns an op's operands and the values that its regions capture, as they
/// are numbered.
std::vector<mlir::Value> leavesOf(mlir::Operation *op);

/// Returns the sizes of a static type. A scalar has none.
Index sizesOf(mlir::Type type);

/// Returns the results. `values[k]` has the values of leaf k, in row major
/// order.
std::vector<Tensor> interpret(mlir::Operation *op, const OperandValues &values);

// The dialects, one file each. Requires an op of that dialect.
std::vector<Tensor> interpretTensor(mlir::Operation *op,
                                    const OperandValues &values);
std::vector<Tensor> interpretLinalg(mlir::Operation *op,
                                    const OperandValues &values);
std::vector<Tensor> interpretVector(mlir::Operation *op,
                                    const OperandValues &values);

/// Returns a tensor whose element i is {(leaf, i)}.
Tensor leafTensor(mlir::Value value, int64_t leaf);
/// Returns the reads of all elements of that leaf.
Reads wholeLeaf(mlir::Value value, int64_t leaf);

/// One value while a region runs.
struct Cell {
  Reads reads;
  int64_t number = 0;  ///< where it is an integer
};

/// Runs the only block of a region on its arguments. Returns the terminator's
/// operands. `loops` has the values of linalg.index.
std::vector<Cell> runRegion(mlir::Region &region,
                            const std::vector<Cell> &arguments,
                            const Index &loops,
                            const std::vector<mlir::Value> &leaves,
                            const OperandValues &values);

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_UPSTREAM_INTERPRETER_H
