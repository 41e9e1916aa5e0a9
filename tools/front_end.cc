#include "indexical/tools/front_end.h"

#include "indexical/hlo/hlo_parser.h"
#include "indexical/stablehlo/import/import.h"
#include "indexical/tools/output.h"

namespace indexical {

InputFormat formatOf(const Input &input, InputFormat format) {
  if (format != InputFormat::Auto) return format;
  return looksLikeMlir(input.text) ? InputFormat::StableHlo : InputFormat::Hlo;
}

absl::StatusOr<Program> readProgram(const Input &input, InputFormat format) {
  const bool isMlir = formatOf(input, format) == InputFormat::StableHlo;
  if (absl::Status status = checkIsReadable(input, isMlir); !status.ok())
    return status;
  return isMlir ? importMlir(input.text, input.displayName())
                : parseHlo(input.text, input.displayName());
}

void report(const Note &note, Reporter &reporter) {
  if (note.kind == Note::Kind::Warning)
    reporter.warning(note.place, note.text);
  else
    reporter.note(note.place, note.text);
}

std::optional<Program> readOrReport(const Input &input, InputFormat format,
                                    Reporter &reporter) {
  absl::StatusOr<Program> program = readProgram(input, format);
  if (!program.ok()) {
    reporter.error(program.status());
    return std::nullopt;
  }
  for (const Note &note : program->notes) report(note, reporter);
  return *std::move(program);
}

int writeResult(const StreamOptions &options, Reporter &reporter,
                llvm::raw_ostream &out,
                llvm::function_ref<void(llvm::raw_ostream &)> write) {
  Output output(options.output, out);
  absl::Status status = output.open();
  if (status.ok()) {
    write(output.stream());
    status = output.close();
  }
  if (status.ok()) return kDone;
  reporter.error(status);
  return kWrongInput;
}

}  // namespace indexical
