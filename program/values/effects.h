// The order of ops with effects.
//
//   a = f32[] custom-call(), custom_call_has_side_effect=true
//   b = f32[] custom-call(), …, control-predecessors={a}
//
//   effectsOf(computation, false)    a; b, after a
//
// Data says an order, control predecessors do, and the order of the file where
// ops take place in it. An op has the last ones before it, also those of its
// operands: a loop with effects may pass a value on, and its user comes after
// the loop though the value says nothing of it.
//
// An op that is started has its effect at any time until its done: what comes
// after the start alone may come before it. So a done counts as an effect, too.
//
// Law (tests/program/values/effects_test.cc): modules that are equal have the
// same outcomes in all orders of their effects.
#ifndef INDEXICAL_PROGRAM_VALUES_EFFECTS_H
#define INDEXICAL_PROGRAM_VALUES_EFFECTS_H

#include <optional>
#include <utility>
#include <vector>

#include "llvm/ADT/ArrayRef.h"

#include "indexical/program/module/computations_with.h"
#include "indexical/program/module/program.h"

namespace indexical {

struct Effects {
  /// All instructions: operands before users, and what runs first before what
  /// runs after it.
  InstructionOrder order;
  /// The instructions with effects, in this order. If the order is open, so is
  /// `after`.
  std::vector<InstructionId> effects;
  /// For each effect, the last of the effects that take place before it.
  std::vector<std::vector<InstructionId>> after;
  /// For each effect, whether no other one is known to take place before it.
  std::vector<bool> isFirst;
  /// Whether the order is unknown: it has a cycle, or too many effects.
  bool isOpen = false;

  /// Returns the entry of `after` of an instruction, none if it has no effects.
  llvm::ArrayRef<InstructionId> before(InstructionId instruction) const;
  /// Returns whether effects before the computation count for this effect.
  bool begins(InstructionId instruction) const;
};

/// Returns the effects of a computation: instruction i has some if `has[i]`.
/// With `inFileOrder` they take place in that order.
Effects effectsOf(const Computation &computation, const std::vector<bool> &has,
                  bool inFileOrder);

/// Returns which computations may give another result in another execution, or
/// have effects. Of those that the module does not have it is not known.
ComputationsWith computationsThatVary(const Module &module);

/// Returns which computations have effects, of their own or of what they call.
/// Drawing a number is not an effect.
ComputationsWith computationsWithEffects(const Module &module);

/// Returns the instruction that starts what `i` waits for the end of (an
/// `async-done`, a `send-done`), or nothing for others.
std::optional<InstructionId> startOf(const Computation &computation,
                                     InstructionId i);

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_VALUES_EFFECTS_H
