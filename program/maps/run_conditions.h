// The conditions that must hold when a module runs: the sizes for which a
// dynamic program is defined.
//
//   main(x: f32[?], y: f32[?,4])
//     r = f32[?] reshape(y)
//     s = f32[?] add(x, r)
//   reshape   the size of r is a value of its own, rt2:
//             rt1 * 4 - rt2 in [0, 0]
//   add       rt0 - rt2 in [0, 0]
//             where rt0 is the size of x, rt1 that of y, dimension 0
//
// Each op of the module states conditions on its sizes and values: sizes that
// are equal, sizes that follow from others (ops/sizes.h), and further rules of
// its specification (ops/run_rules.h). Conditions that types decide are left
// out, and so are those that follow from the others (simplifier/size_prover.h).
// An earlier condition is kept rather than a later one of its length.
//
// Conditions of calls and fusions are in the names of the caller. A branch, a
// body of a loop and any other computation that may not run has conditions of
// its own, in the names of its parameters.
//
// Law (tests/documents/run_conditions_test.cc, by enumeration): a run with some
// sizes and values breaks no constraint of an op if and only if all conditions
// hold, unless there are unknown ones.
#ifndef INDEXICAL_PROGRAM_MAPS_RUN_CONDITIONS_H
#define INDEXICAL_PROGRAM_MAPS_RUN_CONDITIONS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/expression.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/indexing/interval.h"
#include "indexical/program/module/callees.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A number that conditions name: the size of a dimension of an instruction's
/// result, or one of its elements.
struct RunValue {
  ComputationId computation;
  InstructionLeaf leaf;
  bool isSize = true;
  int64_t dimension = 0;       ///< of a size
  std::vector<int64_t> index;  ///< of an element
  Interval bounds;
};

/// An expression of values that must be within bounds when an instruction runs.
struct RunCondition {
  ComputationId computation;
  InstructionId instruction;
  FormId form;
  Interval bounds;
};

/// The conditions of a computation, and of what it calls.
struct RuntimeConditions {
  ComputationId computation;
  ExpressionPool pool;  ///< of the forms
  std::vector<RunValue>
      values;  ///< variable number i of the forms is values[i]
  std::vector<RunCondition> conditions;
  /// Instructions with a condition that cannot be written: it may be broken
  /// although all the others hold.
  std::vector<std::pair<ComputationId, InstructionId>> unknown;
  /// True if it is known that no sizes and values meet all conditions.
  bool neverHold = false;

  /// Returns `rt0 - rt1 in [0, 0]`, where rt0 is values[0].
  std::string text(const RunCondition &condition) const;
  /// Returns the numbers of the values that the conditions name, in order.
  std::vector<uint32_t> named() const;
};

/// Returns the conditions of the entry, and then those of each computation that
/// may not run and has any, in the module's order.
std::vector<RuntimeConditions> runConditions(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_RUN_CONDITIONS_H
