// The instruction at which two modules diverge: private to same/partitioned/.
//
//   GLOBAL  a = add(x, y)    m = multiply(a, a)    r = tanh(m)
//   LOCAL   a = add(x, y)    m = multiply(a, x)    r = tanh(m)
//
//   a is a value of both; they diverge at m, on which r depends
//
// Intermediate values are compared as terms: a value of LOCAL is one of
// GLOBAL's if each of its elements, on every device, is an element that GLOBAL
// computes somewhere (element_prints.h). Results of a model read all
// parameters, so a difference in a result does not locate its cause; this does.
// A sum over some of the devices is not a value of GLOBAL, so a difference
// counts only if no later value compensates it. A loop is one value.
#ifndef INDEXICAL_SAME_PARTITIONED_VALUES_ON_THE_WAY_H
#define INDEXICAL_SAME_PARTITIONED_VALUES_ON_THE_WAY_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/program.h"
#include "indexical/same/partitioned/at_points.h"
#include "indexical/same/partitioned/stacker.h"

namespace indexical {

/// An instruction of LOCAL, and the first device whose value differs.
struct Parting {
  ComputationId computation;
  InstructionId instruction;
  int64_t device = 0;
};

/// Returns the first instruction of LOCAL, in the order of its computation,
/// whose value differs from all of GLOBAL's, whose operands are values of both,
/// and on which the entry's root depends. Returns std::nullopt if there is
/// none, or if the modules are large. `points` has the modules that are
/// compared, and `written` the values of LOCAL in the second one.
std::optional<Parting> partingOf(AtPoints &points, const Module &local,
                                 llvm::ArrayRef<Stacker::Written> written);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_VALUES_ON_THE_WAY_H
