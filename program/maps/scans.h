// The reads of a scan: its body composed with itself along one dimension.
// Private to program/.
//
//   body(x, c) = (x + c, x + c), forward along dimension 1 of x
//   result 0 reads of x     (d0, d1)[s0] -> (d0, s0), s0 - d1 in [-inf, 0]
//   result 0 reads of init  (d0, d1) -> (d0)
//   the final carry, of x   (d0)[s0] -> (d0, s0)
//
// The body says what a slice of the output reads of the slice at the same place
// (lag 0) and of the carry; what the carry before it reads, of a slice (lag 1)
// and of an older carry; and so on. If the carries' product with themselves
// settles after a few steps, all lags from some number on read alike, and the
// answer is as exact as the body's. Otherwise, or if the body has runtime
// variables (another value at each place), the answer is a cover made of boxes.
#ifndef INDEXICAL_PROGRAM_MAPS_SCANS_H
#define INDEXICAL_PROGRAM_MAPS_SCANS_H

#include "absl/status/statusor.h"

#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/loops.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"

namespace indexical {

class Scans {
 public:
  /// The arguments must outlive the object.
  Scans(const ProgramGraph &graph, const SolvedComputations &solved,
        Loops &loops)
      : graph_(graph), solved_(solved), loops_(loops) {}

  /// Returns what a scan reads. Requires that its body is solved.
  absl::StatusOr<IndexingRelation> through(const Edge &edge,
                                           const Callee &body);

 private:
  const ProgramGraph &graph_;
  const SolvedComputations &solved_;
  Loops &loops_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SCANS_H
