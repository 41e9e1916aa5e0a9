// One trip of a loop as a module of its own, and the loop as an opaque op. So
// loops of any number of trips are compared by induction.
//
//   main(x, n):  (_, r) = while (i = 0, a = x) { i < n } { i + 1, a * (n - 1) }
//   one trip     main(x, n):  (i + 1, a * (n - 1), i < n), of any i and a
//   as an op     main(x, n):  (_, r) = loop-0(0, x)
//
// Two loops whose trips are equal for every state, and for the same parameters
// of the entry, are equal functions of what they begin with. The values that a
// trip uses from around the loop are part of the module, so it does not matter
// which of it is computed before the loop. A leaf that the body passes on
// unchanged is not state: it keeps its initial value. One on which nothing
// depends that is taken of the result is left out.
//
// Law (tests/same/values/same_loops_test.cc): modules that are equal with loops
// as ops are equal in every run.
#ifndef INDEXICAL_PROGRAM_MAPS_SINGLE_TRIPS_H
#define INDEXICAL_PROGRAM_MAPS_SINGLE_TRIPS_H

#include <optional>
#include <string>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

/// A loop of the entry that can be an op: it has a body and a condition without
/// effects, and nothing in it is new in each execution.
struct SingleLoop {
  InstructionId instruction;
  /// The leaves of the state that a trip changes, in order: those on which
  /// something that is taken of the result depends, and the others.
  std::vector<LeafId> varied, unneeded;
  ShapeList shapes;  ///< of `varied`
};

/// Returns the loops of the module's entry, operands before their users.
std::vector<SingleLoop> singleLoops(const Module &module);

/// Returns one trip of the loop as a module: the entry has the same parameters,
/// and the results are the state's varied leaves after the trip, and whether
/// the trip takes place. The state before it is what ops named after `name`
/// give, of which nothing is known. Returns nothing if what the loop takes from
/// around it is new in each execution. The module must outlive the result.
std::optional<Module> singleTrip(const Module &module, const SingleLoop &loop,
                                 const std::string &name);

/// Returns the module with the loop as an op of that name, of what the varied
/// leaves begin with. The module must outlive the result.
Module withLoopAsOp(const Module &module, const SingleLoop &loop,
                    const std::string &name);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_MAPS_SINGLE_TRIPS_H
