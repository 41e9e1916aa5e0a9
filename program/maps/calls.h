// Finds maps through fusions, calls and branches: private to program/.
//
//   f { x = f32[8] parameter(0)  ROOT r = f32[8] reverse(x), dimensions={0} }
//   ENTRY e { p = f32[8] parameter(0)  ROOT c = f32[8] call(p), to_apply=f }
//
// The solver has found the maps between f's root and its parameters
// (solved_computations.h). `through` returns them as maps between c and its
// operand. If the source of a runtime variable is a parameter of f, it becomes
// the operand of c. Any other source stays a value of f, behind the call c
// (`Value::calls`).
#ifndef INDEXICAL_PROGRAM_MAPS_CALLS_H
#define INDEXICAL_PROGRAM_MAPS_CALLS_H

#include <cstdint>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/program/maps/edge.h"
#include "indexical/program/maps/op_maps.h"
#include "indexical/program/maps/program_facts.h"
#include "indexical/program/maps/program_graph.h"
#include "indexical/program/maps/solved_computations.h"
#include "indexical/program/maps/value_numbers.h"

namespace indexical {

/// The values that sources of runtime variables are numbers of.
struct ValueNames {
  llvm::function_ref<Value(int64_t)> value;
  llvm::function_ref<int64_t(Value)> number;  ///< a new one if it has none
};

/// Returns the relation with the callee's sources as the caller sees them: a
/// parameter is the caller's operand, and any other source lies behind the call
/// of instruction `i`.
IndexingRelation asCallerSees(const IndexingRelation &relation,
                              const ProgramGraph &graph, ComputationId c,
                              InstructionId i, const Callee &callee,
                              const ValueNames &names);

class Calls {
 public:
  /// The arguments must outlive the object.
  Calls(const ProgramGraph &graph, const SolvedComputations &solved,
        ValueNumbers &values, ProgramFacts &facts, OpMaps &ops)
      : graph_(graph),
        solved_(solved),
        values_(values),
        facts_(facts),
        ops_(ops) {}

  /// Returns the union of what the callees read of the operand. Requires that
  /// they are solved.
  absl::StatusOr<IndexingRelation> through(const Edge &edge,
                                           llvm::ArrayRef<Callee> callees);
  /// Returns the number of a value of the callee, as the caller sees it.
  int64_t behindCall(int64_t value, ComputationId c, InstructionId i,
                     const Callee &callee);

 private:
  absl::StatusOr<IndexingRelation> throughOne(const Edge &edge,
                                              const Callee &callee,
                                              LeafId rootLeaf);

  const ProgramGraph &graph_;
  const SolvedComputations &solved_;
  ValueNumbers &values_;
  ProgramFacts &facts_;
  OpMaps &ops_;
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_CALLS_H
