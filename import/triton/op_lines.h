// Lines and spans of ops in the text of Triton's IR, without its grammar;
// private to import/triton.
//
//   %a, %b:2 = ttx.later %c {x = "}"}      the op `ttx.later` with the results
//       : f32 -> f32, f32, f32             %a and %b, as far as the next line
//   tt.return                              that begins an op at its depth
#ifndef INDEXICAL_IMPORT_TRITON_OP_LINES_H
#define INDEXICAL_IMPORT_TRITON_OP_LINES_H

#include <cstddef>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace indexical::triton {

/// Returns whether the text begins with an op: `%a = …`, `tt.return`,
/// `"tt.reduce"(…)`. The rest of its first line decides.
bool beginsOp(llvm::StringRef text);

/// The part of a text that an op takes. Offsets are those of characters.
struct OpSpan {
  size_t begin = 0;   ///< of its results' names, or of its own name
  size_t nameAt = 0;  ///< of its name, or of the quotes around that
  size_t end = 0;     ///< behind its last character
  llvm::StringRef name;

  /// Returns the namespace of the op's name: `ttg` of `ttg.local_load`.
  llvm::StringRef space() const { return name.split('.').first; }
};

/// Returns the innermost op that has the character at `offset`, or nothing if
/// no line at or above it begins such an op.
std::optional<OpSpan> opAround(llvm::StringRef text, size_t offset);

/// Returns how many results stand in front of the one whose name is written at
/// `offset`, in the text in front of an op's name: 1 for %b of `%a, %b:2 = `.
/// Returns nothing if no result has its name there.
std::optional<size_t> resultAt(llvm::StringRef text, const OpSpan &op,
                               size_t offset);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_OP_LINES_H
