// What commands that read a program begin and end with: the program of an
// input, whichever front end reads it, and the result to where it goes.
#ifndef INDEXICAL_TOOLS_FRONT_END_H
#define INDEXICAL_TOOLS_FRONT_END_H

#include <optional>

#include "absl/status/statusor.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/program/program.h"
#include "indexical/tools/input.h"
#include "indexical/tools/options.h"
#include "indexical/tools/report.h"

namespace indexical {

/// `format`, or the one that the input looks like.
InputFormat formatOf(const Input &input, InputFormat format);

/// The text stays where it is: messages about it come later too.
absl::StatusOr<Program> readProgram(const Input &input, InputFormat format);

/// A warning or note of the front end.
void report(const Note &note, Reporter &reporter);

/// The program, its notes reported; nothing where it has an error, which is
/// reported then.
std::optional<Program> readOrReport(const Input &input, InputFormat format,
                                    Reporter &reporter);

/// Calls `write` with where the options' output goes. kDone, or the status to
/// end with where that could not be written, which is reported then.
int writeResult(const StreamOptions &options, Reporter &reporter,
                llvm::raw_ostream &out,
                llvm::function_ref<void(llvm::raw_ostream &)> write);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FRONT_END_H
