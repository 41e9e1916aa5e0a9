// Definitions, as text, of ops that this library does not know.
//
//   # One op a line: its name and what a result element reads.
//   bitops.popcount   elementwise
//   nn.add            broadcasting
//   ring.rotate       (d0, d1) -> (d0, (d1 + 3) mod 8)
//   nn.row_sums       (d0)[s0] -> (d0, s0)
//   nn.take           (d0) -> (d0) ; KNOWN EMPTY
//   nn.norm           (d0, d1)[s0] -> (d0, s0) | (d0)[s0] -> (d0, s0)
//
// The name is that of an op of MLIR, or the target of a custom call. Lines that
// are empty or begin with `#` or `//` mean nothing. What follows the name:
//
//   elementwise    a result element reads the element of the same index of each
//                  operand; an operand of rank 0 counts for all elements
//   broadcasting   the same, where an operand's size 1 is stretched first, and
//                  lower ranks are aligned at the last dimension
//   maps           for each operand the index that is read, as a map of the
//                  result's index; `KNOWN EMPTY` if the operand is not read.
//                  An op of several results has those of each, with `|`
//                  between them; without a `|` they are those of every result
//
// A map needs no domain: its variables are then 0 or more. An index outside of
// the operand is not read, so that s0 above ends with the row.
//
// Law (tests/program/module/op_definitions_test.cc, by enumeration): both
// directions are the pairs (result element d, operand element map(d, s)) for
// all d of the result and all s, where the domain holds and both are inside.
#ifndef INDEXICAL_PROGRAM_MODULE_OP_DEFINITIONS_H
#define INDEXICAL_PROGRAM_MODULE_OP_DEFINITIONS_H

#include <optional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/ops/op.h"
#include "indexical/program/module/custom_calls.h"

namespace indexical {

/// Adds the definitions of the text to the registry. Returns an error, with its
/// place in the text, for a line without a meaning, a map that cannot be read
/// or has runtime variables, a name that the registry has already, or a name
/// for which `isKnown`, if there, returns true.
absl::Status addOpDefinitions(
    llvm::StringRef text, CustomCallRegistry &registry,
    llvm::function_ref<bool(llvm::StringRef)> isKnown = nullptr);

/// Returns what a line of definitions begins with to count for calls of the
/// name with one configuration, for each of them: `lib.norm{axis=1}`. If there
/// is one, it is the name alone. Returns nothing for a configuration that no
/// setting tells from the others. Lines are to stand in the order of the most
/// settings first. `configurations` are texts as in `CustomCall`.
std::vector<std::optional<std::string>> definitionHeads(
    llvm::StringRef name, llvm::ArrayRef<std::string> configurations);

/// Adds an elementwise op of this name to the registry. Returns an error for a
/// name that the registry has already, or for which `isKnown`, if there,
/// returns true.
absl::Status addElementwise(
    llvm::StringRef name, CustomCallRegistry &registry,
    llvm::function_ref<bool(llvm::StringRef)> isKnown = nullptr);

/// Returns the op of these shapes that `broadcasting` defines. An operand of
/// one element may have any rank up to the result's. Returns an error if there
/// is not one result.
absl::StatusOr<Op> broadcastingOp(OpShapes shapes);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MODULE_OP_DEFINITIONS_H
