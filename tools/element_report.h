// `dump --element`: the elements that one element needs, or that need it.
#ifndef INDEXICAL_TOOLS_ELEMENT_REPORT_H
#define INDEXICAL_TOOLS_ELEMENT_REPORT_H

#include "absl/status/statusor.h"

#include "indexical/module/program.h"
#include "indexical/tools/command.h"
#include "indexical/tools/dump_options.h"

namespace indexical {

/// Writes the answer for the element of the options, in the instruction or
/// computation that they name. Returns the exit status.
absl::StatusOr<int> answerElement(const DumpOptions &options,
                                  const Program &program, Call &call);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_ELEMENT_REPORT_H
