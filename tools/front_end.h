// The program of an input, whichever front end reads it.
#ifndef INDEXICAL_TOOLS_FRONT_END_H
#define INDEXICAL_TOOLS_FRONT_END_H

#include "absl/status/statusor.h"

#include "program/program.h"
#include "tools/input.h"
#include "tools/options.h"
#include "tools/report.h"

namespace indexical {

/// `format`, or the one that the input looks like.
InputFormat formatOf(const Input &input, InputFormat format);

/// The text stays where it is: messages about it come later too.
absl::StatusOr<Program> readProgram(const Input &input, InputFormat format);

/// A warning or note of the front end.
void report(const Note &note, Reporter &reporter);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_FRONT_END_H
