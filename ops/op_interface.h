// Ops of others: maps that this library does not have.
//
// A compiler gives its own op a map builder: a class that says what an op of
// given shapes reads. A CustomOp holds it, and is then an op like any other: it
// is composed with what stands before and after it, and its async form and its
// place in a called computation come for free.
//
//   CustomOp op;
//   op.operands = {ArrayShape(ElementType::F32, {8})};
//   op.results = op.operands;
//   op.maps = std::make_shared<Rotate>(3);  // examples/custom_op.cc
//   auto reads = indexing(op, Direction::OutputToInput, 0, 0);
//   // (d0) -> ((d0 + 3) mod 8)
//
// An object is shared by copies of its op and may be asked from many threads at
// once. What it returns is checked where it is asked: the number of dimensions
// and results of every piece, and the sources of its runtime variables.
#ifndef INDEXICAL_OPS_OP_INTERFACE_H
#define INDEXICAL_OPS_OP_INTERFACE_H

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"

namespace indexical {

struct OpShapes;  // ops/op.h

class OpInterface {
 public:
  virtual ~OpInterface() = default;

  /// Whether the shapes are such as the op can have. A violation is an
  /// InvalidArgument status that says what would be right.
  virtual absl::Status verify(const OpShapes &shapes) const = 0;

  /// What result leaf `result` reads of operand leaf `operand`; asked of
  /// verified shapes with elements only. The laws of ops/op.h hold for it:
  /// exact is the data dependence, anything less a superset.
  virtual absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const = 0;

  /// The inverse, with the same precision.
  virtual absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_OP_INTERFACE_H
