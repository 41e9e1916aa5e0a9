// What commands that read a program begin with: the program of an input,
// whichever front end reads it.
#ifndef INDEXICAL_TOOLS_FRONT_END_H
#define INDEXICAL_TOOLS_FRONT_END_H

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/custom_calls.h"
#include "indexical/program/program.h"
#include "indexical/tools/given_sizes.h"
#include "indexical/tools/input.h"
#include "indexical/tools/option.h"
#include "indexical/tools/report.h"

namespace indexical {

struct Command;  // tools/command.h

enum class InputFormat : uint8_t { Auto, Hlo, StableHlo };

/// How an input is read as a program.
struct ReadAs {
  InputFormat format = InputFormat::Auto;
  /// What ops mean that the library does not know; null: what the input says.
  std::shared_ptr<const CustomCallRegistry> ops = nullptr;
  std::vector<std::string> elementwise = {};  ///< names of ops
  std::string opsFile = "";                   ///< of --ops; empty: none
  GivenSizes sizes = {};                      ///< of --size and --arguments
};

/// `--input-format`, `--elementwise` and `--ops`, `--size` and `--arguments`.
/// The file of ops is read before the first input, after what the command
/// prepares so far.
void addReadAs(Command &command, ReadAs &asked);

/// The ops that are named as elementwise, and those that the text defines
/// (program/op_definitions.h). An error, with its place if it is of the text,
/// for an op that the library knows, too.
absl::StatusOr<std::shared_ptr<const CustomCallRegistry>> definedOps(
    llvm::ArrayRef<std::string> elementwise, llvm::StringRef text);

/// What is said of a rule of StableHLO's specification that StableHLO's own
/// verifier lets pass, if an input breaks it.
enum class LetPass : uint8_t { Warning, Error };

/// `format`, or the one that the input looks like.
InputFormat formatOf(const Input &input, InputFormat format);

/// The program, with the sizes that are given. The text stays where it is:
/// messages about it come later too.
absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    LetPass letPass = LetPass::Warning);

/// A warning or note of the front end.
void report(const Note &note, Reporter &reporter);

/// The same; its notes are reported.
absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    Reporter &reporter,
                                    LetPass letPass = LetPass::Warning);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FRONT_END_H
