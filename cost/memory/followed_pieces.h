// Pieces of a read that boxes cannot follow, cut into such as they can.
//
//   t0 * t0, t0 in [0, 63]        64 pieces: 0 where t0 = 0, …, 3969 where
//                                 t0 = 63
//   i * bl_x, i in [0, 3]         4 pieces: 0, bl_x, 2 * bl_x, 3 * bl_x
//   1000 floordiv (t0 + 1)        one for each t0
//
// A piece's elements are a form of the variables that the piece leaves open
// (lane_forms.h). So a product needs one value for each variable of one of
// its factors, and a quotient or a remainder one for each of its divisor.
//
// Law (tests/cost/memory/random_coalescing_test.cc): the figures are those of a
// simulator that goes through every thread.
#ifndef INDEXICAL_COST_MEMORY_FOLLOWED_PIECES_H
#define INDEXICAL_COST_MEMORY_FOLLOWED_PIECES_H

#include <vector>

#include "indexical/cost/memory/launch.h"

namespace indexical {
namespace lanes {

/// Returns pieces that read together what these read, without products,
/// quotients and remainders of variables. Returns the pieces as they are if
/// that takes too many, if a value at run time would have to be one value, if a
/// divisor is not known to differ from zero, or if a piece has a maximum.
std::vector<LaunchPiece> followedPieces(std::vector<LaunchPiece> pieces);
/// Returns the same of maps without ranges.
std::vector<IndexingMap> followedMaps(std::vector<IndexingMap> maps);

}  // namespace lanes
}  // namespace indexical

#endif  // INDEXICAL_COST_MEMORY_FOLLOWED_PIECES_H
