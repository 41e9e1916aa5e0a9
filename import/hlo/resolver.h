// From syntax to program: names, shapes and ops.
//
//   1. computations and what they call: every name is found, no cycle
//   2. each computation, callees first: its instructions' names and operands
//   3. each instruction, operands first: its shape, if the text leaves it
//      out, and its op; types written beside its operands are compared with
//      theirs
#ifndef INDEXICAL_IMPORT_HLO_RESOLVER_H
#define INDEXICAL_IMPORT_HLO_RESOLVER_H

#include "indexical/import/hlo/crew.h"
#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/import/hlo/source.h"
#include "indexical/import/hlo/syntax.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The limit of leaves and parts of shapes that take memory but no room in the
/// text: a short text can name a large tuple many times. They are the parts of
/// shapes that are left out, and the leaves of tuples among several operands.
/// An instruction with one operand shares its producer's leaves. Real programs
/// have a few hundred.
constexpr int64_t kUnwrittenLeafLimit = int64_t{1} << 21;

/// Adds the module to the program, and moves shapes out of `syntax`. Returns
/// false, with an error in `source`, if the module is wrong.
bool resolveModule(Source &source, ModuleSyntax &syntax,
                   const HloOptions &options, Program &program);

/// Adds the module to the program, with all threads of the crew. Returns false,
/// without an error, if the module has to be resolved by one thread, or if
/// anything is wrong with it. Then `syntax` and `program` are of no more use,
/// and the text is to be read again.
bool resolveModuleTogether(Source &source, ModuleSyntax &syntax,
                           const HloOptions &options, Program &program,
                           Crew &crew);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_RESOLVER_H
