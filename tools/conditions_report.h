// The answer of `indexical dump --constraints`: what must hold when a module
// runs (program/run_conditions.h).
//
//   main
//     add.2 (add): rt0 - rt1 in [0, 0]
//       where rt0 = size of x, dimension 0
//       where rt1 = size of y, dimension 0
#ifndef INDEXICAL_TOOLS_CONDITIONS_REPORT_H
#define INDEXICAL_TOOLS_CONDITIONS_REPORT_H

#include "absl/status/statusor.h"

#include "indexical/module/program.h"
#include "indexical/tools/command.h"

namespace indexical {

/// Writes the conditions of all modules of the program.
absl::StatusOr<int> answerConditions(const Program &program, Call &call);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_CONDITIONS_REPORT_H
