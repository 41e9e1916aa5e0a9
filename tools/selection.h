// Which parts of a program a dump shows.
//
//   --computation=f            f: its own maps and all of its instructions
//   --instruction=x            x alone, in every computation that has an x
//   --from=a --to=b            the composed maps from a to b, no instructions
//   none                       everything; the own maps of a computation of
//                              more than 500 instructions only where asked for
#ifndef INDEXICAL_TOOLS_SELECTION_H
#define INDEXICAL_TOOLS_SELECTION_H

#include <cstdint>
#include <optional>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/program.h"
#include "indexical/tools/dump_options.h"

namespace indexical {

/// What is shown of one computation.
struct ComputationPlan {
  int32_t computation = 0;
  bool ownMaps = false;
  /// Where the computation's entry is a pair: the instructions at its ends, -1
  /// for the root and for all parameters.
  bool between = false;
  int32_t from = -1, to = -1;
  std::vector<int32_t> instructions;  ///< in file order
};

/// One list a module, in file order; empty where nothing of it is shown.
using Selection = std::vector<std::vector<ComputationPlan>>;

/// The most instructions of a computation that has its own maps unasked.
constexpr size_t kMostForOwnMaps = 500;

/// A note where a plan is a pair, and no path leads from the one down to the
/// other, but one leads back.
std::optional<Note> noteOnWay(const Module &module,
                              const ComputationPlan &plan);

/// An error, with a suggestion, where a name is not in the program, or where
/// --from and --to do not name one computation of a module.
absl::StatusOr<Selection> select(const Program &program,
                                 const DumpOptions &options);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_SELECTION_H
