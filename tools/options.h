// The words of a call, as typed values.
//
//   indexical dump softmax.hlo --format=json --instruction=%fusion
//     command Dump, input "softmax.hlo", format Json, instructions {"fusion"}
//
// Parsing is apart from the commands: these are functions of their options, so
// a test calls one many times in one process, and llvm::cl, whose options are
// global, stays in options.cc.
#ifndef INDEXICAL_TOOLS_OPTIONS_H
#define INDEXICAL_TOOLS_OPTIONS_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// What a command's end means to its caller.
enum ExitStatus : int {
  kDone = 0,
  kWrongInput = 1,  ///< or the input could not be read, or the output written
  kWrongWords = 2,
  kDifferent = 3,  ///< equal
  kUndecided = 4,  ///< equal, count
};

enum class OutputFormat : uint8_t { Text, Json, JsonLines, Attribute };
enum class InputFormat : uint8_t { Auto, Hlo, StableHlo };

/// Where a command reads and writes. "-" is standard input or output.
struct StreamOptions {
  std::string input = "-";
  std::string output = "-";
  OutputFormat format = OutputFormat::Text;
};

struct DumpOptions : StreamOptions {
  std::vector<std::string> computations, instructions;  ///< empty: all
  std::string from, to;                                 ///< empty: not given
  bool outputToInput = true, inputToOutput = false;
  bool cover = false;     ///< one map an operand
  bool physical = false;  ///< indices in layout order
  bool strict = false;    ///< an opaque answer is an error
  InputFormat inputFormat = InputFormat::Auto;

  bool between() const { return !from.empty() || !to.empty(); }
};

struct EqualOptions : StreamOptions {
  std::string second;  ///< another module; empty: two maps in one file
};

struct CountOptions : StreamOptions {
  /// Values of runtime variables, by name.
  std::vector<std::pair<std::string, int64_t>> runtime;
};

struct TileOptions : StreamOptions {
  std::string computation, instruction;     ///< empty: not given
  std::vector<std::string> sizes, strides;  ///< numbers and names
  std::vector<std::vector<int64_t>> candidates;
  InputFormat inputFormat = InputFormat::Auto;
};

struct UtilizationCommandOptions : StreamOptions {
  std::string computation, instruction;  ///< empty: not given
  std::vector<int64_t> tile, at;         ///< empty: not given
  std::string threadMap;                 ///< a file; empty: not given
  std::vector<int64_t> block;
  /// Values of elements that runtime variables have, by instruction.
  std::vector<std::pair<std::string, int64_t>> runtime;
  bool inside = false;
  InputFormat inputFormat = InputFormat::Auto;
};

/// Of coalescing and report.
struct TrafficOptions : StreamOptions {
  std::string computation, instruction;  ///< of coalescing
  std::string space;  ///< the instruction that a thread map goes to
  std::string device = "h100";
  std::string threadMap;  ///< a file; empty: the usual ones
  /// Values of runtime variables, expressions, by name.
  std::vector<std::pair<std::string, std::string>> runtime;
  std::optional<size_t> top;
  InputFormat inputFormat = InputFormat::Auto;
};

/// Of simplify, compose and inverse.
struct MapsOptions : StreamOptions {
  bool explain = false;  ///< simplify: say why
};

struct CommandLine {
  enum class Command : uint8_t {
    Dump,
    Simplify,
    Compose,
    Equal,
    Inverse,
    Count,
    Utilization,
    Tile,
    Coalescing,
    Report,
  };
  Command command = Command::Dump;
  DumpOptions dump;
  EqualOptions equal;
  CountOptions count;
  UtilizationCommandOptions utilization;
  TileOptions tile;
  TrafficOptions traffic;
  MapsOptions maps;

  const StreamOptions &streams() const;
};

/// The call's meaning; nothing, and a message on `err`, where its words are
/// wrong. `--help` and `--version` print and end the process.
std::optional<CommandLine> parseCommandLine(int argc, const char *const *argv,
                                            llvm::raw_ostream &err);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_OPTIONS_H
