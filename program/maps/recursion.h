// Lets a pass ask the two questions that need another pass: private to
// program/.
//
// A pass goes down a computation, one instruction after another (passes.h). Two
// of these need a pass themselves:
//
//   c = f32[8] call(p), to_apply=f        f must be solved, by passes over f
//   s = f32[8] scatter(x, i, u), …        a pass from u down to x shows whether
//                                         each update reads what it overwrites
//
// Modules have no recursion, and the second pass is over a part of what the
// first one goes through, so both end.
#ifndef INDEXICAL_PROGRAM_MAPS_RECURSION_H
#define INDEXICAL_PROGRAM_MAPS_RECURSION_H

#include "absl/status/status.h"
#include "absl/status/statusor.h"

#include "indexical/program/maps/reached.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Answers the two questions of a pass that need another pass.
class Recursion {
 public:
  virtual ~Recursion() = default;

  /// Solves the computations that an instruction of `c` calls.
  virtual absl::Status solveCallees(ComputationId c,
                                    const Instruction &instruction) = 0;
  /// Returns what a leaf reads of an instruction further down.
  virtual absl::StatusOr<ReachedInstructions> readsUntil(
      ComputationId c, InstructionLeaf from, InstructionId stop) = 0;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_RECURSION_H
