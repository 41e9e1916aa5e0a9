// A chain of dumps as a section of a page (writers/sections_page.cc).
//
//   algsimp of simplification: different          open
//     result 0, parameter 0: different …
//     first: t at line 4, p at line 3             links to the lines
//     [before]           | [after]               both texts, these lines marked
//   dce of simplification: equal                  a line of the list
#ifndef INDEXICAL_WRITERS_PASSES_SECTION_H
#define INDEXICAL_WRITERS_PASSES_SECTION_H

#include <set>
#include <vector>

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/same/passes/compare_dumps.h"
#include "indexical/same/passes/dump_chain.h"

namespace indexical {

/// A pair of dumps of a chain on a page.
struct PairOnPage {
  const Dump &from, &to;
  const DumpComparison &found;
  std::string title;    ///< `algsimp of simplification`
  std::string details;  ///< the text, line by line
};

/// Writes the pair as an item of a list. `anchor` is unique to the pair, and
/// begins the names of its lines.
void writePairOnPage(const PairOnPage &pair, llvm::StringRef anchor,
                     llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_PASSES_SECTION_H
