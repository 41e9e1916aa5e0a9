// Text of HLO out of which its author has cut a part, as in a report.
//
//   f {
//     p = f32[8] parameter(0)
//     ...
//     y = f32[8] add(f32[8] x, p)
//     ROOT r = f32[8] multiply(y, z)
//   }
//
// A line `...` stands for instructions, `...` among operands or attributes for
// some of these. The text does not say what x is, but that it is an f32[8]; it
// may depend on each parameter: `x = f32[8] cut(p)`. Not even the type of z is
// known, so that r depends on all operands that it names, and on each
// parameter: `r = f32[8] cut(y, p)`. Both read every operand whole, which is a
// cover of what the instruction that was cut out reads.
#ifndef INDEXICAL_IMPORT_HLO_CUT_TEXT_H
#define INDEXICAL_IMPORT_HLO_CUT_TEXT_H

#include "llvm/ADT/StringRef.h"

#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/import/hlo/written_shapes.h"

namespace indexical {

/// The mark of an author for a part that is left out.
inline constexpr llvm::StringLiteral kCutMark = "...";

/// The opcode of what stands for a part that was cut out. No text holds it: it
/// is known by its address.
inline constexpr llvm::StringLiteral kCutOpcode = "cut";
inline bool isCut(llvm::StringRef opcode) {
  return opcode.data() == kCutOpcode.data();
}

/// Gives a computation with `cut` instructions for the names that it uses and
/// does not define, and notes a warning. Returns false, with an error in
/// `source`, if the result of the computation was cut out, or if the text does
/// not say what type an instruction has that uses such a name.
bool fillCut(Source &source, ComputationSyntax &computation,
             WrittenShapes &shapes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_CUT_TEXT_H
