// The sentences about what analyses find: they return enumerations and figures,
// and here these get their words, for every command and format.
//
//   {Transposed, bits 32768}                 transposed, stride 4096 B
//   {SharedTile, layout {0, 1}}              a tile through shared memory, or
//                                            layout {0,1}
//   {UnknownLayout, s64[?,2]}                where the elements of s64[?,2] lie
//                                            is not known
#ifndef INDEXICAL_TOOLS_WORDING_H
#define INDEXICAL_TOOLS_WORDING_H

#include <string>

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/memory/measured.h"
#include "indexical/analysis/memory/patterns.h"
#include "indexical/analysis/use/utilization.h"

namespace indexical {

std::string wordsOf(const Pattern &pattern);
/// Empty where there is none.
std::string wordsOf(const Remedy &remedy);
std::string wordsOf(const Unmeasured &why);
/// Why a figure of the footprint was not found.
std::string wordsOf(const Footprint &footprint);
/// Empty where there is none.
std::string wordsOf(Doubt doubt);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_WORDING_H
