// The conditions of an op on sizes and values that are known only when it runs.
//
//   dynamic_update_slice(x: f32[?], u: f32[?], i)
//     size 0 of x - size 0 of u in [0, inf]           the update fits (C6)
//   real_dynamic_slice(x: f32[?], start, limit, stride)
//     start[0] in [0, inf], limit[0] - start[0] in [0, inf],
//     size 0 of x - limit[0] in [0, inf], stride[0] in [1, inf]
//
// These are the constraints of StableHLO's specification that verify() leaves
// to the run, beside the sizes that are equal or follow from others: those are
// the rules of ops/sizes.h. A condition is an expression of sizes and elements
// of operands, and an interval. `a is 1 or b` is (a - 1) * (a - b) in [0, 0].
//
// Law (tests/documents/run_conditions_test.cc, by enumeration): with the sizes
// and values of a run, an evaluator of the test's own finds a broken constraint
// exactly where a condition does not hold.
#ifndef INDEXICAL_OPS_RUN_RULES_H
#define INDEXICAL_OPS_RUN_RULES_H

#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/interval.h"
#include "indexical/ops/op.h"
#include "indexical/ops/sizes.h"

namespace indexical {

struct RunRule {
  Interval within;
  /// Returns what must be within the interval, or nothing if it cannot be
  /// written.
  SizeFormula value;
};

/// Returns the rules, which refer to the op's descriptor. Rules that hold by
/// the types alone may be among them. Requires verify(op).ok().
std::vector<RunRule> runRulesOf(OpView op);

}  // namespace indexical

#endif  // INDEXICAL_OPS_RUN_RULES_H
