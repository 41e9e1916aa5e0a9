// The parts of a program that a dump shows.
//
//   --computation=f            f: its own maps and all of its instructions
//   --instruction=x            x alone, in every computation that has an x
//   --from=a --to=b            the composed maps from a to b, no instructions
//   none                       everything; the own maps of a computation of
//                              more than 500 instructions only if requested
#ifndef INDEXICAL_ANSWERS_DUMP_SELECTION_H
#define INDEXICAL_ANSWERS_DUMP_SELECTION_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/dump/question.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The parts of one computation that are shown.
struct ComputationPlan {
  ComputationId computation;
  bool ownMaps = false;
  /// Whether the entry of the computation is a pair, and the instructions at
  /// its ends: -1 is the root for `from`, and all parameters for `to`.
  bool between = false;
  InstructionId from, to;
  std::vector<InstructionId> instructions;  ///< in file order
};

/// A list for each module, in file order; empty if no part of it is shown.
using Selection = std::vector<std::vector<ComputationPlan>>;

/// Computations with more instructions have own maps only if requested.
constexpr size_t kMostForOwnMaps = 500;

/// Returns a note if a plan is a pair and no path leads from `from` down to
/// `to`, but a path leads back.
std::optional<Note> noteOnWay(const Module &module,
                              const ComputationPlan &plan);

/// Returns an error, with a suggestion, if a name is not in the program, or if
/// no computation of a module has both --from and --to.
absl::StatusOr<Selection> select(const Program &program,
                                 const DumpQuestion &question);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_DUMP_SELECTION_H
