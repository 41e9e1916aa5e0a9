// From syntax to program: names, shapes and ops.
//
//   1. computations and what they call: every name is found, no cycle
//   2. each computation, callees first: its instructions' names and operands
//   3. each instruction, operands first: its shape, where the text leaves it
//      out, and its op
#ifndef INDEXICAL_HLO_RESOLVER_H
#define INDEXICAL_HLO_RESOLVER_H

#include "hlo/source.h"
#include "hlo/syntax.h"
#include "program/program.h"

namespace indexical {

/// What the shapes of a module may take in all, those of an instruction's
/// operands counted for each instruction: a short text can name a large tuple
/// many times. Each part of a shape counts 8, each dimension 1.
constexpr int64_t kShapeLimit = int64_t{1} << 25;

/// Adds the module to the program. Moves shapes out of `syntax`.
bool resolveModule(Source &source, ModuleSyntax &syntax, Program &program);

}  // namespace indexical

#endif  // INDEXICAL_HLO_RESOLVER_H
