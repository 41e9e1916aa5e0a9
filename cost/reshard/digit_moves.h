// The moves between states of digits, private to cost/reshard/.
#ifndef INDEXICAL_COST_RESHARD_DIGIT_MOVES_H
#define INDEXICAL_COST_RESHARD_DIGIT_MOVES_H

#include <cstdint>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/cost/reshard/device_digits.h"
#include "indexical/cost/reshard/digit_search.h"

namespace indexical {

/// Calls `take` with each move from a state that may lead to the target. Not
/// every state behind a move is uniform (DigitSpace::isUniform).
void forEachMove(const DigitSpace &space, const DigitState &state,
                 llvm::function_ref<void(DigitMove)> take);

/// Returns the number of elements that all devices receive in a move between
/// uniform states.
int64_t elementsMoved(DigitSpace &space, const DigitMove &move);

/// Returns whether the digits that cut each dimension are its major ones.
bool arePrefixes(const DigitSpace &space, const DigitState &state);

}  // namespace indexical

#endif  // INDEXICAL_COST_RESHARD_DIGIT_MOVES_H
