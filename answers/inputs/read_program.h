// The program of an input, by the front end that can read it: HLO, or any MLIR.
//
//   attention.mlir   begins as MLIR does: StableHLO
//   softmax.hlo      anything else is HLO
#ifndef INDEXICAL_ANSWERS_INPUTS_READ_PROGRAM_H
#define INDEXICAL_ANSWERS_INPUTS_READ_PROGRAM_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/given_sizes.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/program/module/custom_calls.h"
#include "indexical/program/module/program.h"

namespace indexical {

enum class InputFormat : uint8_t { Auto, Hlo, StableHlo };

/// How an input is read as a program.
struct ReadAs {
  InputFormat format = InputFormat::Auto;
  /// The descriptors of ops that the library does not know; null: those of the
  /// input.
  std::shared_ptr<const CustomCallRegistry> ops = nullptr;
  GivenSizes sizes = {};  ///< of parameters that leave theirs open
};

/// Returns the ops that are named as elementwise, and those that the text
/// defines (program/module/op_definitions.h). An op that the library knows is
/// an error, with its place if it is in the text.
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

/// Like readProgram above, on the threads of `ask`; the program's notes are
/// messages.
absl::StatusOr<Program> readProgram(const Input &input, const ReadAs &readAs,
                                    const Ask &ask,
                                    LetPass letPass = LetPass::Warning);
/// Returns the programs of several inputs, or their errors, in their order. Up
/// to `jobs` threads read.
std::vector<absl::StatusOr<Program>> readPrograms(
    llvm::ArrayRef<const Input *> inputs, const ReadAs &readAs, size_t jobs);
/// Reports a warning or note of a front end.
void report(const Note &note, Messages &messages);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_READ_PROGRAM_H
