// Movement that cancels, of all modules of a report.
#ifndef INDEXICAL_ANSWERS_REPORT_CANCELS_H
#define INDEXICAL_ANSWERS_REPORT_CANCELS_H

#include <cstddef>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/cost/movement/cancels.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A pair of values of a module of the program.
struct Cancelled {
  const Program *program = nullptr;
  size_t module = 0;
  CancelledMoves moves;

  const Computation &computation() const {
    return program->modules[module].computations[moves.computation];
  }
  llvm::StringRef nameOf(InstructionId instruction) const {
    return computation().instructions[instruction].name;
  }
};

/// Returns the pairs of all modules of the program, which must outlive them:
/// those of one module after those of another, and of a module those whose ops
/// move most bytes first. Returns an error if the budget's stop is reached.
absl::StatusOr<std::vector<Cancelled>> cancelledIn(const Program &program,
                                                   const Ask &ask = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_CANCELS_H
