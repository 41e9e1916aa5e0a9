// Ops as parts of terms: for program/, and for terms of others.
#ifndef INDEXICAL_PROGRAM_VALUES_TERM_OPS_H
#define INDEXICAL_PROGRAM_VALUES_TERM_OPS_H

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/indexing_map.h"
#include "indexical/ops/op.h"
#include "indexical/program/values/op_identity.h"
#include "indexical/program/values/term_table.h"

namespace indexical {

/// Returns the op as a part of what is read: all ops that read alike are one.
Op readsOp(const Op &op);
/// Returns the op by which every element of the shape reads a scalar.
Op splatOp(const ArrayShape &shape);

/// Returns an op of which nothing is known but its name and its shapes, and why
/// nothing is. Ops of one name and one shape are one function.
Op opOfName(const std::string &name, ShapeList operands, ShapeList results,
            std::string reason = "");

/// Returns whether the op is a collective: no value steers what it reads, and
/// all that it says counts.
bool isCollective(const Op &op);
/// Returns the first and the end of the operands whose values decide what the
/// op reads, or nothing if any operand may.
std::optional<std::pair<size_t, size_t>> steeringOperands(const Op &op);
/// Returns whether the op is binary and the order of its operands does not
/// count, down to the last bit.
bool commutes(const Op &op);
/// Returns whether leaf 0 of the result is the operand's leaf 0, element by
/// element, of one type.
bool isCopy(const Op &op);
/// Returns whether the op has side effects, so that each of its executions
/// counts.
bool hasEffects(const Op &op);
/// Returns whether the op's one effect is that it draws a random number, or
/// gives unwritten elements: draws have no order, and a draw without a reader
/// does not count.
bool isDraw(const Op &op);
/// Returns whether the op is a literal whose values the text leaves out.
bool isUnknownLiteral(const Op &op);

/// Returns whether a map that is composed of two has few enough terms, as
/// written, to stand for them: each step of a chain of reshapes whose cuts do
/// not align can double the terms.
bool isShort(const IndexingMap &map);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_TERM_OPS_H
