// The options by which a command reads a program, and the program of its input.
#ifndef INDEXICAL_COMMAND_READ_OPTIONS_H
#define INDEXICAL_COMMAND_READ_OPTIONS_H

#include <cstddef>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/read_program.h"
#include "indexical/command/command.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// How the inputs of a call are read.
struct ReadOptions : ReadAs {
  std::vector<std::string> elementwise = {};  ///< names of ops
  std::string opsFile = "";                   ///< of --ops; empty: none
};

/// Adds `--input-format`, `--elementwise` and `--ops`, `--size` and
/// `--arguments`. The file of ops is read before the first input, after the
/// command's earlier preparation.
void addReadOptions(Command &command, ReadOptions &asked);

/// Returns the program of the call's input, and reports its notes.
absl::StatusOr<Program> readProgram(Call &call, const ReadAs &readAs,
                                    size_t input = 0,
                                    LetPass letPass = LetPass::Warning);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_READ_OPTIONS_H
