// Checks that an instruction's arguments for the computations that it names,
// and its results from them, have their shapes. Maps are composed through them.
//
//   f { p = f32[4] parameter(0)  ROOT r = f32[4] negate(p) }
//   ENTRY e { a = f32[8] parameter(0)  ROOT b = f32[4] call(a), to_apply=f }
//
//   parameter 0 of `f` is f32[4], `b` hands it f32[8]
#ifndef INDEXICAL_IMPORT_HLO_CALL_CHECK_H
#define INDEXICAL_IMPORT_HLO_CALL_CHECK_H

#include "indexical/import/hlo/attributes.h"
#include "indexical/import/hlo/source.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Notes an error at the opcode and returns false if shapes differ by more than
/// layouts, or if a computation is missing. Fills in which operands each
/// computation gets. Requires the op of the instruction, and the computations
/// that it names.
bool checkCalls(Source &source, const Module &module,
                const Computation &computation, Instruction &instruction,
                const Attributes &attributes);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_CALL_CHECK_H
