// Colours of columns: which directions of a Jacobian can be taken together.
//
//   1 1 . .      columns 0 and 2 share no row, nor do 1 and 3
//   . 1 1 .      colours {0, 1, 0, 1}: two products J * v are enough, with
//   . . 1 1      v = (1, 0, 1, 0) and v = (0, 1, 0, 1)
//
// Each entry then is the only one in its row of a product, so that all of J can
// be read off. For rows, use the transposed pattern: products v * J.
//
// Columns are coloured one after another, each with the first colour that none
// of its rows has. The number of colours depends on the order, so a few orders
// are tried, and then orders of whole colours, which never take more. No
// colouring has fewer colours than the largest row has entries. To find the
// least number is hard (NP), and is not tried.
//
// Laws (tests/cost/sparsity/sparsity_test.cc): no two columns of a colour share
// a row; there are at least `least` colours, and at most `greedy`.
#ifndef INDEXICAL_COST_SPARSITY_COLORING_H
#define INDEXICAL_COST_SPARSITY_COLORING_H

#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/cost/sparsity/pattern.h"

namespace indexical {

struct Coloring {
  /// The colour of each column; -1 for one without entries, which needs none.
  std::vector<int64_t> colors;
  int64_t count = 0;   ///< of colours
  int64_t greedy = 0;  ///< colours if columns are taken from first to last
  int64_t least = 0;   ///< no colouring has fewer

  /// Returns the columns of each colour.
  std::vector<std::vector<int64_t>> seeds() const;
};

/// Returns colours of the columns, or nothing if that takes more than so many
/// steps.
std::optional<Coloring> coloringOf(const SparsePattern &pattern,
                                   int64_t mostSteps = int64_t{1} << 30);

}  // namespace indexical

#endif  // INDEXICAL_COST_SPARSITY_COLORING_H
