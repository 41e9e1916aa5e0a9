#include "tools/run.h"

#include <optional>
#include <utility>

#include "llvm/Support/Process.h"

#include "tools/dump.h"
#include "tools/maps_commands.h"
#include "tools/report.h"

namespace indexical {

int runCommand(const CommandLine &line, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  switch (line.command) {
    case CommandLine::Command::Dump:
      return dump(line.dump, input, out, err);
    case CommandLine::Command::Simplify:
      return simplifyMaps(line.maps, input, out, err);
    case CommandLine::Command::Compose:
      return composeMaps(line.maps, input, out, err);
  }
  return kWrongWords;
}

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err) {
  std::optional<CommandLine> line = parseCommandLine(argc, argv, err);
  if (!line) return kWrongWords;
  const StreamOptions &streams =
      line->command == CommandLine::Command::Dump ? line->dump : line->maps;
  if (streams.input == "-" && llvm::sys::Process::StandardInIsUserInput())
    err << "indexical: reading standard input; end it with Ctrl-D\n";
  absl::StatusOr<Input> input = readInput(streams.input);
  if (!input.ok()) {
    Reporter(err, streams.input == "-" ? "<stdin>" : streams.input, "")
        .error(input.status());
    return kWrongInput;
  }
  return runCommand(*line, *input, out, err);
}

}  // namespace indexical
