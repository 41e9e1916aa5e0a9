// What the rows of search.h do: each function proposes other sums, where its
// move applies. Its comment says the move, its row the name.
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
void takeInDigitAbove(Proposals &proposals);
void joinWithBelow(Proposals &proposals);
void cutInTwo(Proposals &proposals);

}  // namespace indexical::search_moves

#endif  // INDEXICAL_SIMPLIFIER_SEARCH_MOVES_H
