// One module resolved by several threads.
//
//   1. each computation: names, and room for its instructions
//   2. each instruction: its shape, as written, and what it calls
//   3. each computation: parameters and root
//   4. each instruction: operands and op. Of others it needs no more than their
//      shapes, so that their order does not matter
//   5. what counts in the order of the text: warnings, numbers of frames, ops
//      that follow from the ops of a computation that they call
//
// If one of these steps may not be possible (a shape is left out, an
// instruction stands before its operand), or if anything is wrong, no error is
// noted: one thread has to resolve the module.
#ifndef INDEXICAL_IMPORT_HLO_RESOLVE_IN_PIECES_H
#define INDEXICAL_IMPORT_HLO_RESOLVE_IN_PIECES_H

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/import/hlo/crew.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Instructions of a computation that one thread resolves.
struct InstructionRange {
  int32_t computation = 0, begin = 0, end = 0;
};

struct ModuleInPieces {
  Source &source;
  Program &program;
  Module &module;  ///< its computations have names
  ModuleSyntax &syntax;
  const HloOptions &options;
  Crew &crew;
};

/// Returns false if one thread has to resolve the module. `findCalls` fills in
/// the places of instructions and their callees; several threads call it.
bool resolveInPieces(
    const ModuleInPieces &all,
    llvm::function_ref<bool(Source &, const InstructionRange &)> findCalls);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_RESOLVE_IN_PIECES_H
