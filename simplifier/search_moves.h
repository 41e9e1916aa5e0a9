// The moves of the search: each function proposes other sums if its move
// applies. A function's comment describes the move; its row in search.h names
// it.
#ifndef INDEXICAL_SIMPLIFIER_SEARCH_MOVES_H
#define INDEXICAL_SIMPLIFIER_SEARCH_MOVES_H

#include "indexical/simplifier/search.h"

namespace indexical::search_moves {

// expand.cc
void expandDigits(Proposals &proposals);
void contractParents(Proposals &proposals);

// moves.cc
void completeFloors(Proposals &proposals);
void uniteParents(Proposals &proposals);
void joinAcrossConstants(Proposals &proposals);
void takeInDigitAbove(Proposals &proposals);
void joinWithBelow(Proposals &proposals);
void cutInTwo(Proposals &proposals);
void divideParts(Proposals &proposals);

}  // namespace indexical::search_moves

#endif  // INDEXICAL_SIMPLIFIER_SEARCH_MOVES_H
