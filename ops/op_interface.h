// Ops that are defined outside of this library.
//
// A compiler gives its own op a map builder: a class that says what an op of
// given shapes reads. A CustomOp holds that object, and is then an op like any
// other: it is composed with the ops before and after it, and its async form
// and its place in a called computation come for free.
//
//   CustomOp op;
//   op.operands = {ArrayShape(ElementType::F32, {8})};
//   op.results = op.operands;
//   op.maps = std::make_shared<Rotate>(3);  // examples/custom_op.cc
//   auto reads = indexing(op, Direction::OutputToInput, 0, 0);
//   // (d0) -> ((d0 + 3) mod 8)
//
// An object is shared by copies of its op and may be called from many threads
// at once. The relations that it returns are checked on each call: the number
// of dimensions and results of every piece, and the sources of its runtime
// variables.
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

  /// Returns an error unless the op can have these shapes: an InvalidArgument
  /// status that says what would be right.
  virtual absl::Status verify(const OpShapes &shapes) const = 0;

  /// Returns what result leaf `result` reads of operand leaf `operand`. It is
  /// only called for verified shapes with elements. The laws of ops/op.h hold:
  /// an exact relation is the data dependence, any other one a superset.
  virtual absl::StatusOr<IndexingRelation> outputToInput(
      const OpShapes &shapes, int64_t result, int64_t operand) const = 0;

  /// Returns the inverse of outputToInput(), with the same precision.
  virtual absl::StatusOr<IndexingRelation> inputToOutput(
      const OpShapes &shapes, int64_t result, int64_t operand) const = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_OPS_OP_INTERFACE_H
