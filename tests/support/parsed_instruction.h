// The root of a module's entry, read from text, or the error with its place.
#ifndef INDEXICAL_TESTS_SUPPORT_PARSED_INSTRUCTION_H
#define INDEXICAL_TESTS_SUPPORT_PARSED_INSTRUCTION_H

#include <string>
#include <utility>

#include "indexical/import/hlo/hlo_parser.h"
#include "tests/support/random_ops.h"

namespace indexical::testing {

struct ParsedInstruction {
  explicit ParsedInstruction(std::string module)
      : text(std::move(module)), program(parseHlo(text)) {}

  const Instruction &root() const {
    const Module &module = program->modules[0];
    const Computation &entry = module.computations[module.entry];
    return entry.instructions[entry.root];
  }

  /// The descriptor without shapes, or the message.
  std::string op() const {
    return program.ok() ? summary(root().op)
                        : std::string(program.status().message());
  }

  /// The shape of the result, or the message.
  std::string shape() const {
    return program.ok() ? root().shape->str()
                        : std::string(program.status().message());
  }

  /// `message @ the text from its place on, to the next space`.
  std::string error() const {
    std::string message(program.status().message());
    auto place = placeOf(program.status());
    if (!place) return message;
    llvm::StringRef rest = text;
    for (uint32_t line = 1; line < place->line; ++line)
      rest = rest.split('\n').second;
    rest = rest.drop_front(place->column - 1);
    return message + " @ " +
           rest.take_until([](char c) { return c == ' ' || c == '\n'; }).str();
  }

  std::string text;
  absl::StatusOr<Program> program;
};

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_SUPPORT_PARSED_INSTRUCTION_H
