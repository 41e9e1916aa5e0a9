// Op descriptors: what an op is, without any IR.
//
// A descriptor holds the shapes of an op's array operands and results, the
// attributes that decide which elements are read, and which op it is. A front
// end fills it in; a compiler with an IR of its own can do so too:
//
//   TransposeOp op;
//   op.operands = {ArrayShape(ElementType::F32, {3, 12288, 6, 128})};
//   op.results = {ArrayShape(ElementType::F32, {3, 6, 128, 12288})};
//   op.permutation = {0, 2, 3, 1};
//   absl::Status valid = verify(op);  // OK
//   // What result 0 reads of operand 0:
//   auto reads = indexing(op, Direction::OutputToInput, 0, 0);
//   // (d0, d1, d2, d3) -> (d0, d3, d1, d2), domain: d0 in [0, 2], …
//
// Each family of ops is one struct, in a file of its own. `ops/families.h`
// includes and lists all of them; this header includes none. An `Op` is a
// handle to a descriptor of any family (ops/descriptor.h).
//
// Attributes that say sizes may be operands. Such an op has a known number of
// additional operands, and these attributes are empty. The additional operands
// have rank 1 unless said otherwise, and every result reads all their elements.
//
// Operands and results are numbered as array leaves: a tuple counts as its
// leaves, depth first; tokens have no number.
//
// Laws, for every verified op, result r and operand k:
//   - the relation of `Direction::OutputToInput` is the data dependence of the
//     op's definition (exact), or a superset (cover, opaque);
//   - the relation of `Direction::InputToOutput` is its inverse, with the same
//     precision.
// Both are shown by enumeration in tests/ops/ops_test.cc.
#ifndef INDEXICAL_OPS_OP_H
#define INDEXICAL_OPS_OP_H

#include <cstdint>

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/descriptor.h"
#include "indexical/ops/shape.h"

namespace indexical {

/// Returns an error unless attributes and shapes agree with each other: an
/// InvalidArgument status whose message names the attribute, the values, and
/// what would be right. It has no place (the front end adds it).
absl::Status verify(OpView op);
/// Returns an error if attributes and shapes do not agree with each other.
/// Requires operands that are results of verified ops: their shapes are not
/// verified once more.
absl::Status verifyUse(OpView op);

/// Returns what result leaf `result` reads of operand leaf `operand`, or the
/// inverse. The `RuntimeSource::tensor` of a runtime variable is the number of
/// the operand leaf that holds its value. For a size it is the number of the
/// operand leaf that has the size, or the number of operands plus that of the
/// result leaf. Variables with one value are kept. A zero-sized operand or
/// result gives no pieces. Requires verify(op).ok(). Numbers out of range are
/// an error, and so is arithmetic that leaves 64 bits.
absl::StatusOr<IndexingRelation> indexing(OpView op, Direction direction,
                                          int64_t result, int64_t operand);

}  // namespace indexical

#endif  // INDEXICAL_OPS_OP_H
