// The first step of commands that read a program: the program of an input, by
// the front end that can read it.
#ifndef INDEXICAL_TOOLS_FRONT_END_H
#define INDEXICAL_TOOLS_FRONT_END_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/module/custom_calls.h"
#include "indexical/module/program.h"
#include "indexical/tools/given_sizes.h"
#include "indexical/tools/input.h"
#include "indexical/tools/option.h"
#include "indexical/tools/report.h"

namespace indexical {

class Call;      // tools/command.h
struct Command;  // tools/command.h

enum class InputFormat : uint8_t { Auto, Hlo, StableHlo };

/// How an input is read as a program.
struct ReadAs {
  InputFormat format = InputFormat::Auto;
  /// The descriptors of ops that the library does not know; null: those of the
  /// input.
  std::shared_ptr<const CustomCallRegistry> ops = nullptr;
  std::vector<std::string> elementwise = {};  ///< names of ops
  std::string opsFile = "";                   ///< of --ops; empty: none
  GivenSizes sizes = {};                      ///< of --size and --arguments
};

/// Adds `--input-format`, `--elementwise` and `--ops`, `--size` and
/// `--arguments`. The file of ops is read before the first input, after the
/// command's earlier preparation.
void addReadAs(Command &command, ReadAs &asked);

/// Returns the ops that are named as elementwise, and those that the text
/// defines (module/op_definitions.h). An op that the library knows is an
/// error, with its place if it is in the text.
absl::StatusOr<std::shared_ptr<const CustomCallRegistry>> definedOps(
    llvm::ArrayRef<std::string> elementwise, llvm::StringRef text);

/// The kind of message if an input breaks a rule of StableHLO's specification
/// that StableHLO's own verifier does not check.
enum class LetPass : uint8_t { Warning, Error };

/// Returns `format`, or for Auto the format that the input looks like.
InputFormat formatOf(const Input &input, InputFormat format);

/// Returns the program, with the given sizes. The program shares the input's
/// text, since later messages refer to it.
absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    LetPass letPass = LetPass::Warning,
                                    size_t jobs = 1);

/// Reports a warning or note of the front end.
void report(const Note &note, Reporter &reporter);

/// Like readProgram above, and reports the program's notes.
absl::StatusOr<Program> readProgram(Call &call, const ReadAs &readAs,
                                    size_t input = 0,
                                    LetPass letPass = LetPass::Warning);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FRONT_END_H
