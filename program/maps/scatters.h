// The reads of a scatter if values of its indices are known: private to
// program/.
//
// A scatter itself may put an update anywhere: its result reads all indices,
// and perhaps the input. Known values narrow that down.
//
//   i = s32[4,2] concatenate(iota, p)     the older form of batching
//     updates   (d0, d1)[s0]{rt0} -> (s0), d0 - s0 in [0, 0],
//               d1 - rt0 in [0, 0]
//            =  (d0, d1){rt0} -> (d0), d1 - rt0 in [0, 0]
//     indices   (d0, d1)[s0] -> (d0, s0)    those of other batches land
//                                           elsewhere, whatever p holds
//   i = s32[3,1] constant({{1}, {3}, {5}})
//     updates   (d0) -> ((d0 - 1) floordiv 2), d0 in [1, 5], (d0 - 1) mod 2 in
//               [0, 0]
//     input     the rest: d0 in [0, 0]; d0 in [6, 7]; …
//
// If each update reads the very element that it overwrites, as x[i] += y does
// when it is written as a gather, an addition and a scatter, the result reads
// that element whether it is overwritten or not. Then the input is read element
// by element, and no piece asks where updates land.
#ifndef INDEXICAL_PROGRAM_MAPS_SCATTERS_H
#define INDEXICAL_PROGRAM_MAPS_SCATTERS_H

#include <map>
#include <optional>

#include "absl/status/statusor.h"

#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/recursion.h"

namespace indexical {

class Scatters {
 public:
  /// The arguments must outlive the object.
  Scatters(const ProgramGraph &graph, ProgramFacts &facts, OpMaps &ops,
           Recursion &above)
      : graph_(graph), facts_(facts), ops_(ops), above_(above) {}

  /// Returns what the scatter reads of its indices, or of the input that it
  /// updates, or nothing if known values say no more than the op itself.
  absl::StatusOr<std::optional<IndexingRelation>> through(const Edge &edge);

 private:
  bool rewritesItself(Leaf scattered);
  bool findRewrite(Leaf scattered);

  const ProgramGraph &graph_;
  ProgramFacts &facts_;
  OpMaps &ops_;
  Recursion &above_;
  /// By a scatter's result: whether each update reads what it overwrites.
  std::map<Leaf, bool> rewrites_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SCATTERS_H
