// Solves computations: finds what the root reads of the parameters, in both
// directions. Private to program/.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   ENTRY e { p = f32[8] parameter(0)  ROOT c = f32[8] call(p), to_apply=f }
//
//   solveCallees(e)   solves f: r reads x, (d0) -> (-d0 + 7)
//
// Callees come first. A computation that does the same as one before it has the
// same answer (alike_computations.h).
#ifndef INDEXICAL_PROGRAM_MAPS_SOLVER_H
#define INDEXICAL_PROGRAM_MAPS_SOLVER_H

#include <map>
#include <set>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/DenseSet.h"

#include "indexical/program/maps/alike_computations.h"
#include "indexical/program/maps/edges.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/passes.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"

namespace indexical {

class Solver {
 public:
  /// The arguments must outlive the object.
  Solver(const ProgramGraph &graph, SolvedComputations &solved, OpMaps &ops,
         Edges &edges, Passes &passes)
      : graph_(graph),
        solved_(solved),
        ops_(ops),
        edges_(edges),
        passes_(passes) {}

  /// Solves a computation and all that it calls.
  absl::Status solve(ComputationId c);
  /// Solves all computations that `c` calls.
  absl::Status solveCallees(ComputationId c);
  /// Solves those that one of its instructions calls: most call none.
  absl::Status solveCallees(ComputationId c, const Instruction &instruction) {
    if (instruction.called.empty()) return absl::OkStatus();
    return solveCalled(c, instruction);
  }

 private:
  absl::Status solveCalled(ComputationId c, const Instruction &instruction);
  struct Pair;
  using Pairs = std::map<LeafPair, Pair>;

  absl::Status solveItself(ComputationId c);
  absl::Status findBothWays(ComputationId c);
  absl::StatusOr<Pairs> findReads(ComputationId c);
  absl::Status addUsers(ComputationId c, Pairs &pairs);
  void addLimitOfCallees(ComputationId c);

  const ProgramGraph &graph_;
  SolvedComputations &solved_;
  OpMaps &ops_;
  Edges &edges_;
  Passes &passes_;
  AlikeComputations alike_;       ///< whose maps name no values
  std::set<ComputationId> done_;  ///< all of whose callees are solved
  llvm::DenseSet<const Instruction *> doneInstructions_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SOLVER_H
