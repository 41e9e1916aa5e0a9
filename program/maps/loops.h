// The reads of a while of its first state: private to program/.
//
//   body(x, w) = (x + w[i], w), condition reads i
//   x   itself, all of w that has its other indices, and i     cover
//   w   itself: the body leaves it as it is                    exact
//
// A loop that counts has closed forms (counted_loops.h). Of others, the boxes
// are a cover (loop_boxes.h). The condition decides how many trips there are,
// so a leaf that changes depends on all that the condition reads, of any state.
// A runtime variable of the body has another value in each trip: it is a range.
#ifndef INDEXICAL_PROGRAM_MAPS_LOOPS_H
#define INDEXICAL_PROGRAM_MAPS_LOOPS_H

#include "absl/status/statusor.h"

#include "indexical/program/maps/box.h"
#include "indexical/program/maps/calls.h"
#include "indexical/program/maps/counted_loops.h"
#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/loop_boxes.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/value_numbers.h"

namespace indexical {

class Loops {
 public:
  /// The arguments must outlive the object.
  Loops(const ProgramGraph &graph, const ValueNumbers &values,
        ProgramFacts &facts, OpMaps &ops, Calls &calls, LoopBoxes &boxes,
        CountedLoops &counted)
      : graph_(graph),
        values_(values),
        facts_(facts),
        ops_(ops),
        calls_(calls),
        boxes_(boxes),
        counted_(counted) {}

  /// Returns what a while reads. Requires that its callees are solved.
  absl::StatusOr<IndexingRelation> through(const Edge &edge,
                                           const Callee &body);
  /// Returns the box of a loop's body with the devices that it may lead to.
  absl::StatusOr<IndexingRelation> withDevices(const Box &box,
                                               Direction direction,
                                               ComputationId c, InstructionId i,
                                               const Callee &body);

 private:
  absl::StatusOr<IndexingRelation> withinSizes(
      const Edge &edge, const IndexingRelation &relation);
  absl::StatusOr<IndexingRelation> ofBoxes(const Edge &edge,
                                           const Callee &body);

  const ProgramGraph &graph_;
  const ValueNumbers &values_;
  ProgramFacts &facts_;
  OpMaps &ops_;
  Calls &calls_;
  LoopBoxes &boxes_;
  CountedLoops &counted_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_LOOPS_H
