// Finds the maps of one instruction, through the computations that it calls:
// private to program/. Each kind of instruction has its maps from one place:
//
//   r = f32[8] reverse(x)          the maps of its op          op_maps.h
//   f = f32[8] fusion(x), calls=g  the maps of g               calls.h
//   w = f32[8] while(x), body=b    b, any number of times      loops.h
//   s = f32[8] scan(x, c), …       its body, once a slice      scans.h
//   u = f32[8] scatter(x, i, u)    its op, with values of i    scatters.h
#ifndef INDEXICAL_PROGRAM_MAPS_EDGES_H
#define INDEXICAL_PROGRAM_MAPS_EDGES_H

#include <map>
#include <tuple>

#include "absl/status/statusor.h"

#include "indexical/indexing/budget.h"
#include "indexical/program/maps/calls.h"
#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/loops.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/scans.h"
#include "indexical/program/maps/scatters.h"

namespace indexical {

class Edges {
 public:
  /// The arguments must outlive the object.
  Edges(const ProgramGraph &graph, const Budget &budget, OpMaps &ops,
        Calls &calls, Loops &loops, Scans &scans, Scatters &scatters)
      : graph_(graph),
        budget_(budget),
        ops_(ops),
        calls_(calls),
        loops_(loops),
        scans_(scans),
        scatters_(scatters) {}

  /// Returns the maps. Requires that the computations that the instruction
  /// calls are solved. Edges on a way are kept for one computation, since
  /// passes from several leaves meet them again.
  absl::StatusOr<IndexingRelation> mapsOf(const Edge &edge);
  /// Forgets all edges.
  void clear() { kept_.clear(); }

 private:
  absl::StatusOr<IndexingRelation> find(const Edge &edge);
  absl::StatusOr<IndexingRelation> withPlaces(const Edge &edge);
  absl::StatusOr<IndexingRelation> through(const Edge &edge);

  const ProgramGraph &graph_;
  const Budget &budget_;
  OpMaps &ops_;
  Calls &calls_;
  Loops &loops_;
  Scans &scans_;
  Scatters &scatters_;
  ComputationId of_;  ///< whose edges are kept
  std::map<std::tuple<InstructionId, Direction, LeafId, LeafId>,
           IndexingRelation>
      kept_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_EDGES_H
