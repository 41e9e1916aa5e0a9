// The plans of the families of emitters, private to cost/launch.
#ifndef INDEXICAL_COST_LAUNCH_PLANS_H
#define INDEXICAL_COST_LAUNCH_PLANS_H

#include "absl/status/status.h"

#include "indexical/cost/launch/launch_map.h"
#include "indexical/cost/launch/launch_plan.h"

namespace indexical {

/// The input of every family's function, which fills in grid, shared tiles and
/// visits.
struct PlanContext {
  const FusionBody &body;
  const EmitterChoice &choice;
  const Device &device;

  const ArrayShape &shapeOf(const BodyRoot &root) const {
    return resultShape(root.instruction, root.results[0].leaf);
  }
  const ArrayShape &resultShape(InstructionId i, LeafId leaf) const {
    return shapesOf(body.at(i).op).results[leaf];
  }
  const ArrayShape &operandShape(InstructionId i, LeafId operand) const {
    return shapesOf(body.at(i).op).operands[operand];
  }
};

/// Returns a visit of the indices of `shape` by the threads of a given map.
Visit visitAt(Phase phase, InstructionId instruction, const ArrayShape &shape,
              IndexingMap threads);

// Loop, concatenate, dynamic-update-slice.
absl::Status planLoop(const PlanContext &in, LaunchPlan &plan);
absl::Status planConcatenate(const PlanContext &in, LaunchPlan &plan);
absl::Status planUpdate(const PlanContext &in, LaunchPlan &plan);
absl::Status planTranspose(const PlanContext &in, LaunchPlan &plan);
absl::Status planPackedTranspose(const PlanContext &in, LaunchPlan &plan);
absl::Status planReduction(const PlanContext &in, LaunchPlan &plan);
absl::Status planScatter(const PlanContext &in, LaunchPlan &plan);
absl::Status planTriton(const PlanContext &in, LaunchPlan &plan);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_PLANS_H
