#include "indexical/tools/options.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/diagnostic.h"
#include "indexical/tools/words.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr char kVersion[] = "0.1.0";

constexpr char kOverview[] =
    "Indexical: which elements of this tensor does that element depend on?\n";

void printVersion(llvm::raw_ostream &os) {
  os << "indexical " << kVersion << '\n';
}

/// llvm::cl suggests a command only where one letter differs.
bool checkCommand(StringRef word, llvm::raw_ostream &err) {
  static constexpr StringRef kCommands[] = {
      "dump",  "simplify",    "compose", "equal",      "inverse",
      "count", "utilization", "tile",    "coalescing", "report"};
  if (word.empty()) {
    err << "indexical: a command is missing";
  } else if (word.starts_with("-") || llvm::is_contained(kCommands, word)) {
    return true;
  } else {
    err << "indexical: there is no command `" << word << '`';
  }
  err << "; there are " << llvm::join(llvm::ArrayRef(kCommands), ", ") << '\n';
  if (StringRef near = nearest(word, kCommands); !near.empty())
    err << "indexical: did you mean `" << near << "`?\n";
  else
    err << "indexical: `indexical --help` tells what they do\n";
  return false;
}

/// An option of the call that its command does not have, but another one has.
bool explainOption(llvm::ArrayRef<const char *> arguments, StringRef command,
                   llvm::raw_ostream &err) {
  Words &w = words();
  cl::SubCommand *commands[] = {
      &w.dump,  &w.simplify,    &w.compose, &w.equal,      &w.inverse,
      &w.count, &w.utilization, &w.tile,    &w.coalescing, &w.report};
  for (StringRef argument : arguments) {
    if (argument == "--") return false;
    StringRef name = argument.ltrim('-').split('=').first;
    if (name.empty() || !argument.starts_with("-")) continue;
    llvm::SmallVector<StringRef, 3> owners;
    for (cl::SubCommand *owner : commands)
      if (owner->OptionsMap.count(name)) owners.push_back(owner->getName());
    if (owners.empty() || llvm::is_contained(owners, command)) continue;
    err << "indexical: `" << argument.split('=').first << "` is an option of `"
        << llvm::join(owners, "`, `") << "`, not of `" << command
        << "`; `indexical " << command << " --help` lists those\n";
    return true;
  }
  return false;
}

/// What llvm::cl said of the call, with the help of its command, not of all.
void reportWords(StringRef said, StringRef command, llvm::raw_ostream &err) {
  constexpr StringRef kHelp = "indexical --help";
  while (!command.starts_with("-")) {
    size_t at = said.find(kHelp);
    if (at == StringRef::npos) break;
    err << said.take_front(at) << "indexical " << command << " --help";
    said = said.drop_front(at + kHelp.size());
  }
  err << said;
}

/// One word of a closed set.
template <typename T>
struct Choice {
  StringRef word;
  T value;
};

template <typename T>
bool choose(StringRef option, StringRef word, llvm::ArrayRef<Choice<T>> choices,
            T &value, llvm::raw_ostream &err) {
  llvm::SmallVector<StringRef, 4> known;
  for (const Choice<T> &choice : choices) {
    if (choice.word == word) {
      value = choice.value;
      return true;
    }
    known.push_back(choice.word);
  }
  err << "indexical: --" << option << " does not take `" << word
      << "`, but one of " << llvm::join(known, ", ") << '\n';
  if (StringRef near = nearest(word, known); !near.empty())
    err << "indexical: did you mean `--" << option << '=' << near << "`?\n";
  return false;
}

/// HLO writes `%name`, formats.md and we write `name`.
std::string withoutSigil(StringRef name) {
  name.consume_front("%");
  return name.str();
}

bool readStreams(StreamOptions &options, llvm::raw_ostream &err) {
  options.input = words().input;
  options.output = words().output;
  static constexpr Choice<OutputFormat> kFormats[] = {
      {"text", OutputFormat::Text},
      {"json", OutputFormat::Json},
      {"jsonl", OutputFormat::JsonLines},
      {"attribute", OutputFormat::Attribute}};
  return choose<OutputFormat>("format", words().format, kFormats,
                              options.format, err);
}

bool readChoices(DumpOptions &options, llvm::raw_ostream &err) {
  enum class Way : uint8_t { Output, Input, Both };
  static constexpr Choice<Way> kWays[] = {{"output-to-input", Way::Output},
                                          {"input-to-output", Way::Input},
                                          {"both", Way::Both}};
  static constexpr Choice<bool> kPrecisions[] = {{"exact", false},
                                                 {"cover", true}};
  static constexpr Choice<bool> kLayouts[] = {{"logical", false},
                                              {"physical", true}};
  static constexpr Choice<InputFormat> kInputs[] = {
      {"auto", InputFormat::Auto},
      {"hlo", InputFormat::Hlo},
      {"stablehlo", InputFormat::StableHlo}};
  Words &w = words();
  Way way = Way::Output;
  if (!choose<Way>("direction", w.direction, kWays, way, err) ||
      !choose<bool>("precision", w.precision, kPrecisions, options.cover,
                    err) ||
      !choose<bool>("layout", w.layout, kLayouts, options.physical, err) ||
      !choose<InputFormat>("input-format", w.inputFormat, kInputs,
                           options.inputFormat, err))
    return false;
  options.outputToInput = way != Way::Input;
  options.inputToOutput = way != Way::Output;
  return true;
}

bool readNames(DumpOptions &options, llvm::raw_ostream &err) {
  Words &w = words();
  llvm::append_range(options.computations,
                     llvm::map_range(w.computations, withoutSigil));
  llvm::append_range(options.instructions,
                     llvm::map_range(w.instructions, withoutSigil));
  options.from = withoutSigil(w.from.getValue());
  options.to = withoutSigil(w.to.getValue());

  auto isEmpty = [](StringRef name) { return name.empty(); };
  if (llvm::any_of(options.computations, isEmpty) ||
      llvm::any_of(options.instructions, isEmpty) ||
      (w.from.getNumOccurrences() > 0 && options.from.empty()) ||
      (w.to.getNumOccurrences() > 0 && options.to.empty())) {
    err << "indexical: an option that takes a name has none\n";
    return false;
  }
  if (options.between() && !options.instructions.empty()) {
    err << "indexical: --instruction does not go with --from and --to, which "
           "show one pair and no instructions\n";
    return false;
  }
  return true;
}

bool readRuntime(std::vector<std::pair<std::string, int64_t>> &values,
                 llvm::raw_ostream &err) {
  for (StringRef word : words().runtime) {
    auto [name, text] = word.split('=');
    int64_t value = 0;
    if (name.empty() || text.getAsInteger(10, value)) {
      err << "indexical: --runtime does not take `" << word
          << "`, but a name and a number, as `rt0=4`\n";
      return false;
    }
    values.push_back({withoutSigil(name), value});
  }
  return true;
}

/// `8,128`
bool readNumbers(StringRef option, StringRef word, int64_t least,
                 std::vector<int64_t> &values, llvm::raw_ostream &err) {
  llvm::SmallVector<StringRef, 4> parts;
  word.split(parts, ',');
  for (StringRef part : parts) {
    values.emplace_back();
    if (!part.trim().getAsInteger(10, values.back()) && values.back() >= least)
      continue;
    err << "indexical: --" << option << " does not take `" << word
        << "`, but numbers of at least " << least << " with `,` between\n";
    return false;
  }
  return true;
}

/// `a,128`. A tile's offsets are called o0, o1…, runtime variables rt0, rt1…
bool readExtents(StringRef option, StringRef word,
                 std::vector<std::string> &extents, llvm::raw_ostream &err) {
  auto isReserved = [](StringRef name) {
    return (name.consume_front("rt") || name.consume_front("o")) &&
           !name.empty() && llvm::all_of(name, llvm::isDigit);
  };
  llvm::SmallVector<StringRef, 4> parts;
  word.split(parts, ',');
  for (StringRef part : parts) {
    part = part.trim();
    int64_t value;
    const bool isName =
        !part.empty() && (llvm::isAlpha(part[0]) || part[0] == '_') &&
        llvm::all_of(part, [](char c) { return llvm::isAlnum(c) || c == '_'; });
    if ((isName && !isReserved(part) && part != "mod" && part != "floordiv" &&
         part != "ceildiv") ||
        (!part.getAsInteger(10, value) && value >= 1)) {
      extents.push_back(part.str());
      continue;
    }
    err << "indexical: --" << option << " does not take `" << word
        << "`, but numbers of at least 1 and names, as `a,128`\n";
    return false;
  }
  return true;
}

/// The one computation and instruction that a call is about.
bool readNamed(std::string &computation, std::string &instruction,
               InputFormat &inputFormat, llvm::raw_ostream &err) {
  DumpOptions names;
  if (!readNames(names, err) || !readChoices(names, err)) return false;
  inputFormat = names.inputFormat;
  if (names.computations.size() > 1 || names.instructions.size() > 1) {
    err << "indexical: one instruction can be asked about\n";
    return false;
  }
  if (!names.computations.empty()) computation = names.computations[0];
  if (!names.instructions.empty()) instruction = names.instructions[0];
  return true;
}

bool readTile(TileOptions &options, llvm::raw_ostream &err) {
  Words &w = words();
  for (StringRef word : w.candidates) {
    options.candidates.emplace_back();
    if (!readNumbers("try", word, 1, options.candidates.back(), err))
      return false;
  }
  return readNamed(options.computation, options.instruction,
                   options.inputFormat, err) &&
         (w.tileSizes.empty() ||
          readExtents("tile", w.tileSizes, options.sizes, err)) &&
         (w.strides.empty() ||
          readExtents("strides", w.strides, options.strides, err));
}

bool readUtilization(UtilizationCommandOptions &options,
                     llvm::raw_ostream &err) {
  Words &w = words();
  options.inside = w.inside;
  options.threadMap = w.threadMap;
  if (!readNamed(options.computation, options.instruction, options.inputFormat,
                 err) ||
      !readRuntime(options.runtime, err) ||
      (!w.tileSizes.empty() &&
       !readNumbers("tile", w.tileSizes, 1, options.tile, err)) ||
      (!w.at.empty() && !readNumbers("at", w.at, 0, options.at, err)) ||
      (!w.block.empty() &&
       !readNumbers("block", w.block, 0, options.block, err)))
    return false;
  if (!options.at.empty() && options.tile.empty()) {
    err << "indexical: --at goes with --tile\n";
    return false;
  }
  if (!options.block.empty() && options.threadMap.empty()) {
    err << "indexical: --block goes with --thread-map\n";
    return false;
  }
  if (!options.tile.empty() && !options.threadMap.empty()) {
    err << "indexical: either --tile or --thread-map says which share\n";
    return false;
  }
  if (options.block.size() > 3) {
    err << "indexical: --block has the block's three indices\n";
    return false;
  }
  options.block.resize(3, 0);
  return true;
}

bool readTraffic(TrafficOptions &options, llvm::raw_ostream &err) {
  Words &w = words();
  options.device = w.device;
  options.threadMap = w.threadMap;
  options.space = withoutSigil(w.space.getValue());
  if (!readNamed(options.computation, options.instruction, options.inputFormat,
                 err))
    return false;
  if (w.top.getNumOccurrences() > 0) {
    size_t top = 0;
    if (StringRef(w.top).getAsInteger(10, top)) {
      err << "indexical: --top does not take `" << w.top
          << "`, but a number of kernels\n";
      return false;
    }
    options.top = top;
  }
  for (StringRef word : w.runtime) {
    auto [name, value] = word.split('=');
    if (name.trim().empty() || value.trim().empty()) {
      err << "indexical: --runtime does not take `" << word
          << "`, but a name and a value, as `rt0=4` or `rt0=d0 * 7`\n";
      return false;
    }
    options.runtime.push_back({name.trim().str(), value.trim().str()});
  }
  return true;
}

}  // namespace

std::optional<CommandLine> parseCommandLine(int argc, const char *const *argv,
                                            llvm::raw_ostream &err) {
  Words &w = words();
  StringRef command = argc > 1 ? argv[1] : "";
  if (!checkCommand(command, err)) return std::nullopt;
  for (cl::SubCommand *known :
       {&cl::SubCommand::getTopLevel(), &w.dump, &w.simplify, &w.compose,
        &w.equal, &w.inverse, &w.count, &w.utilization, &w.tile, &w.coalescing,
        &w.report})
    cl::HideUnrelatedOptions(category(), *known);
  registerExample(command);
  cl::SetVersionPrinter(printVersion);
  cl::ResetAllOptionOccurrences();
  // Without the path, which llvm::cl would repeat in every message.
  llvm::SmallVector<const char *, 16> arguments(argv, argv + argc);
  if (argc > 0) arguments[0] = "indexical";
  std::string said;
  llvm::raw_string_ostream saying(said);
  if (!cl::ParseCommandLineOptions(argc, arguments.data(), kOverview,
                                   &saying)) {
    if (!explainOption(llvm::ArrayRef(arguments).drop_front(2), command, err))
      reportWords(said, command, err);
    return std::nullopt;
  }

  CommandLine line;
  if (!w.dump && !w.simplify && !w.compose && !w.equal && !w.inverse &&
      !w.count && !w.utilization && !w.tile && !w.coalescing && !w.report) {
    checkCommand("", err);
    return std::nullopt;
  }
  if (w.dump) {
    line.command = CommandLine::Command::Dump;
    line.dump.strict = w.strict;
    if (!readStreams(line.dump, err) || !readChoices(line.dump, err) ||
        !readNames(line.dump, err))
      return std::nullopt;
    return line;
  }
  if (w.equal) {
    line.command = CommandLine::Command::Equal;
    line.equal.second = w.second;
    if (!readStreams(line.equal, err)) return std::nullopt;
    return line;
  }
  if (w.count) {
    line.command = CommandLine::Command::Count;
    if (!readStreams(line.count, err) || !readRuntime(line.count.runtime, err))
      return std::nullopt;
    return line;
  }
  if (w.utilization) {
    line.command = CommandLine::Command::Utilization;
    if (!readStreams(line.utilization, err) ||
        !readUtilization(line.utilization, err))
      return std::nullopt;
    return line;
  }
  if (w.tile) {
    line.command = CommandLine::Command::Tile;
    if (!readStreams(line.tile, err) || !readTile(line.tile, err))
      return std::nullopt;
    return line;
  }
  if (w.coalescing || w.report) {
    line.command = w.report ? CommandLine::Command::Report
                            : CommandLine::Command::Coalescing;
    if (!readStreams(line.traffic, err) || !readTraffic(line.traffic, err))
      return std::nullopt;
    return line;
  }
  line.command = w.simplify  ? CommandLine::Command::Simplify
                 : w.compose ? CommandLine::Command::Compose
                             : CommandLine::Command::Inverse;
  line.maps.explain = w.explain;
  if (!readStreams(line.maps, err)) return std::nullopt;
  return line;
}

const StreamOptions &CommandLine::streams() const {
  switch (command) {
    case Command::Dump:
      return dump;
    case Command::Equal:
      return equal;
    case Command::Count:
      return count;
    case Command::Utilization:
      return utilization;
    case Command::Tile:
      return tile;
    case Command::Coalescing:
    case Command::Report:
      return traffic;
    case Command::Simplify:
    case Command::Compose:
    case Command::Inverse:
      break;
  }
  return maps;
}

}  // namespace indexical
