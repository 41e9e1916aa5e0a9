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

absl::StatusOr<Program> readProgram(const Input &input, InputFormat format,
                                    LetPass letPass) {
  const bool isMlir = formatOf(input, format) == InputFormat::StableHlo;
  if (absl::Status status = checkIsReadable(input, isMlir); !status.ok())
    return status;
  if (!isMlir) return parseHlo(input.text.shared(), input.displayName());
  MlirOptions options;
  options.strict = letPass == LetPass::Error;
  return importMlir(input.text.shared(), input.displayName(), options);
}

void report(const Note &note, Reporter &reporter) {
  if (note.kind == Note::Kind::Warning)
    reporter.warning(note.place, note.text);
  else
    reporter.note(note.place, note.text);
}

absl::StatusOr<Program> readProgram(const Input &input, InputFormat format,
                                    Reporter &reporter, LetPass letPass) {
  absl::StatusOr<Program> program = readProgram(input, format, letPass);
  if (program.ok())
    for (const Note &note : program->notes) report(note, reporter);
  return program;
}

}  // namespace indexical
