// The digits of a layout, cut where any output's digit is cut.
#ifndef INDEXICAL_LAYOUT_PIECES_H
#define INDEXICAL_LAYOUT_PIECES_H

#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/layout/layout.h"

namespace indexical::layouts {

/// (input floordiv step) mod size, with a weight for each output. Not the
/// lanes::Piece of cost/memory, which is one map of a read.
struct Piece {
  int input = 0;
  int64_t step = 1, size = 1;
  Coordinates weights;
};

/// Returns the pieces of all inputs, those of weight 0 as well. Returns nothing
/// if there are parities, or if cuts are not a chain of divisors. `isFilled`
/// says whether each input has all combinations of its pieces. Requires a form.
std::optional<std::vector<Piece>> piecesOf(const Layout &layout,
                                           bool &isFilled);

}  // namespace indexical::layouts

#endif  // INDEXICAL_LAYOUT_PIECES_H
