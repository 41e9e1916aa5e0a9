#include "indexical/tools/run.h"

#include <optional>
#include <string>
#include <utility>

#include "llvm/Support/Process.h"

#include "indexical/tools/dump.h"
#include "indexical/tools/exact_commands.h"
#include "indexical/tools/maps_commands.h"
#include "indexical/tools/report.h"
#include "indexical/tools/tile_command.h"
#include "indexical/tools/traffic_commands.h"
#include "indexical/tools/utilization_command.h"

namespace indexical {
namespace {

/// The input of that path; an error is reported.
std::optional<Input> read(const std::string &path, llvm::raw_ostream &err) {
  if (path == "-" && llvm::sys::Process::StandardInIsUserInput())
    err << "indexical: reading standard input; end it with Ctrl-D\n";
  absl::StatusOr<Input> input = readInput(path);
  if (input.ok()) return *std::move(input);
  Reporter(err, path == "-" ? "<stdin>" : path, "").error(input.status());
  return std::nullopt;
}

int equal(const EqualOptions &options, const Input &input,
          llvm::raw_ostream &out, llvm::raw_ostream &err) {
  if (options.second.empty()) return equalMaps(options, input, out, err);
  std::optional<Input> second = read(options.second, err);
  if (!second) return kWrongInput;
  return equalModules(options, input, *second, out, err);
}

}  // namespace

int runCommand(const CommandLine &line, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  switch (line.command) {
    case CommandLine::Command::Dump:
      return dump(line.dump, input, out, err);
    case CommandLine::Command::Simplify:
      return simplifyMaps(line.maps, input, out, err);
    case CommandLine::Command::Compose:
      return composeMaps(line.maps, input, out, err);
    case CommandLine::Command::Equal:
      return equal(line.equal, input, out, err);
    case CommandLine::Command::Inverse:
      return inverseMaps(line.maps, input, out, err);
    case CommandLine::Command::Count:
      return countMaps(line.count, input, out, err);
    case CommandLine::Command::Utilization:
      return utilization(line.utilization, input, out, err);
    case CommandLine::Command::Tile:
      return tile(line.tile, input, out, err);
    case CommandLine::Command::Coalescing:
      return coalescingOfInstruction(line.traffic, input, out, err);
    case CommandLine::Command::Report:
      return reportKernels(line.traffic, input, out, err);
  }
  return kWrongWords;
}

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err) {
  std::optional<CommandLine> line = parseCommandLine(argc, argv, err);
  if (!line) return kWrongWords;
  std::optional<Input> input = read(line->streams().input, err);
  if (!input) return kWrongInput;
  return runCommand(*line, *input, out, err);
}

}  // namespace indexical
