// Which edges a pass follows: private to program/.
//
//   s = f32[8] select(p, x, y)     p's edge is left out of derivatives
//
// Without a filter a pass follows all edges: what is read.
#ifndef INDEXICAL_PROGRAM_MAPS_EDGE_FILTER_H
#define INDEXICAL_PROGRAM_MAPS_EDGE_FILTER_H

#include <cstdint>
#include <vector>

#include "indexical/program/maps/edge.h"
#include "indexical/program/module/callees.h"

namespace indexical {

class EdgeFilter {
 public:
  enum class Follows : uint8_t {
    No,       ///< none of its pairs count
    Covered,  ///< some of its pairs may count
    Yes,
  };

  virtual ~EdgeFilter() = default;
  virtual Follows follows(const Edge &edge) const = 0;
  /// Whether what is read because a size is named counts: of this leaf, from
  /// which the size was set.
  virtual Follows followsSize(ComputationId c, InstructionLeaf leaf) const = 0;
  /// Returns what answers about the computation depend on beside its
  /// instructions and the computations that these name, as numbers.
  virtual std::vector<int64_t> partsOf(ComputationId c) const = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_EDGE_FILTER_H
