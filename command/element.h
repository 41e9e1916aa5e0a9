// `dump --element`: the elements that one element needs, or that need it.
#ifndef INDEXICAL_COMMAND_ELEMENT_H
#define INDEXICAL_COMMAND_ELEMENT_H

#include "absl/status/statusor.h"

#include "indexical/command/command.h"
#include "indexical/command/dump_options.h"
#include "indexical/module/program.h"

namespace indexical {

/// Writes the answer for the element of the options, in the instruction or
/// computation that they name. Returns the exit status.
absl::StatusOr<int> answerElement(const DumpOptions &options,
                                  const Program &program, Call &call);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_ELEMENT_H
