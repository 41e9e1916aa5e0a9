// The sentences about what analyses find: they return enumerations and figures,
// and here these get their words, for every command and format.
//
//   {Transposed, bits 32768}                 transposed, stride 4096 B
//   {SharedTile, layout {0, 1}}, of p        a tile through shared memory, or
//                                            layout {0,1} of p
//   {UnknownLayout, s64[?,2]}                where the elements of s64[?,2] lie
//                                            is not known
#ifndef INDEXICAL_TOOLS_WORDING_H
#define INDEXICAL_TOOLS_WORDING_H

#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/equality/module_equality.h"
#include "indexical/analysis/memory/measured.h"
#include "indexical/analysis/memory/patterns.h"
#include "indexical/analysis/use/utilization.h"

namespace indexical {

std::string wordsOf(const Pattern &pattern);
/// The word for its kind, without figures: what tools compare.
std::string nameOf(const Pattern &pattern);
/// Whether its kind has a figure, `bits`.
bool hasBits(const Pattern &pattern);
/// What would mend the accesses of that array. Empty where there is none.
std::string wordsOf(const Remedy &remedy, llvm::StringRef array);
/// The words for its kind, without the layout. Empty where there is none.
std::string nameOf(const Remedy &remedy);
std::string wordsOf(const Unmeasured &why);
/// Why a figure of the footprint was not found.
std::string wordsOf(const Footprint &footprint);
/// Empty where there is none.
std::string wordsOf(Doubt doubt);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_WORDING_H
