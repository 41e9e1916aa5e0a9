// The sentences about the findings of analyses. Analyses return enumerations
// and figures; here these get their words, for every command and format.
//
//   {Transposed, bits 32768}                 transposed, stride 4096 B
//   {SharedTile, layout {0, 1}}, of p        a tile through shared memory, or
//                                            layout {0,1} of p
//   {UnknownLayout, s64[?,2]}                where the elements of s64[?,2] lie
//                                            is not known
#ifndef INDEXICAL_ANSWERS_WORDS_H
#define INDEXICAL_ANSWERS_WORDS_H

#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/cost/memory/measured.h"
#include "indexical/cost/memory/patterns.h"
#include "indexical/cost/use/utilization.h"
#include "indexical/same/equality/module_equality.h"

namespace indexical {

std::string wordsOf(const Pattern &pattern);
/// Returns the word for its kind, without figures, which tools compare.
std::string nameOf(const Pattern &pattern);
/// Returns whether its kind has a figure, `bits`.
bool hasBits(const Pattern &pattern);
/// Returns the remedy for the accesses of that array, or "" if there is none.
std::string wordsOf(const Remedy &remedy, llvm::StringRef array);
/// Returns the words for its kind, without the layout, or "" if there is none.
std::string wordsOf(const Remedy &remedy);
/// Returns the reason why a figure of the footprint was not found.
std::string wordsOf(const Footprint &footprint);
/// Returns the words for the doubt, or "" for Doubt::None.
std::string wordsOf(Doubt doubt);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_WORDS_H
