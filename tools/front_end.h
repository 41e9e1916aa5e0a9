// What commands that read a program begin with: the program of an input,
// whichever front end reads it.
#ifndef INDEXICAL_TOOLS_FRONT_END_H
#define INDEXICAL_TOOLS_FRONT_END_H

#include <cstdint>

#include "absl/status/statusor.h"

#include "indexical/program/program.h"
#include "indexical/tools/input.h"
#include "indexical/tools/option.h"
#include "indexical/tools/report.h"

namespace indexical {

enum class InputFormat : uint8_t { Auto, Hlo, StableHlo };

/// `--input-format`
Option inputFormatOption(InputFormat &format);

/// What is said of a rule of StableHLO's specification that StableHLO's own
/// verifier lets pass, if an input breaks it.
enum class LetPass : uint8_t { Warning, Error };

/// `format`, or the one that the input looks like.
InputFormat formatOf(const Input &input, InputFormat format);

/// The text stays where it is: messages about it come later too.
absl::StatusOr<Program> readProgram(const Input &input, InputFormat format,
                                    LetPass letPass = LetPass::Warning);

/// A warning or note of the front end.
void report(const Note &note, Reporter &reporter);

/// The same; its notes are reported.
absl::StatusOr<Program> readProgram(const Input &input, InputFormat format,
                                    Reporter &reporter,
                                    LetPass letPass = LetPass::Warning);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FRONT_END_H
