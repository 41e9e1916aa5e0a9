#include "indexical/tools/front_end.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/stablehlo/import/import.h"

namespace indexical {

Option inputFormatOption(InputFormat &format) {
  return choiceOption<InputFormat>("input-format", "FORMAT", format,
                                   {{"auto", InputFormat::Auto},
                                    {"hlo", InputFormat::Hlo},
                                    {"stablehlo", InputFormat::StableHlo}},
                                   "What the input is (stablehlo: any MLIR)");
}

InputFormat formatOf(const Input &input, InputFormat format) {
  if (format != InputFormat::Auto) return format;
  return looksLikeMlir(input.text) ? InputFormat::StableHlo : InputFormat::Hlo;
}

absl::StatusOr<Program> readProgram(const Input &input, InputFormat format) {
  const bool isMlir = formatOf(input, format) == InputFormat::StableHlo;
  if (absl::Status status = checkIsReadable(input, isMlir); !status.ok())
    return status;
  return isMlir ? importMlir(input.text.shared(), input.displayName())
                : parseHlo(input.text.shared(), input.displayName());
}

void report(const Note &note, Reporter &reporter) {
  if (note.kind == Note::Kind::Warning)
    reporter.warning(note.place, note.text);
  else
    reporter.note(note.place, note.text);
}

absl::StatusOr<Program> readProgram(const Input &input, InputFormat format,
                                    Reporter &reporter) {
  absl::StatusOr<Program> program = readProgram(input, format);
  if (program.ok())
    for (const Note &note : program->notes) report(note, reporter);
  return program;
}

}  // namespace indexical
