#include "tools/options.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSwitch.h"
#include "llvm/Support/CommandLine.h"

#include "indexing/diagnostic.h"

namespace indexical {
namespace {

namespace cl = llvm::cl;
using llvm::StringRef;

constexpr char kVersion[] = "0.1.0";

constexpr char kOverview[] =
    "Indexical: which elements of this tensor does that element depend on?\n";

constexpr char kExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[4,8] parameter(0) ROOT t = f32[8,4] transpose(p), "
    "dimensions={1,0} }' | indexical dump\n";

constexpr char kDumpExample[] =
    "\nEXAMPLE:\n"
    "  echo 'f { p = f32[4,8] parameter(0) ROOT s = f32[2,3] slice(p), "
    "slice={[1:3], [0:6:2]} }' | indexical dump --direction=both --format=json "
    "-\n";

constexpr char kSimplifyExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0, d1) -> ((d0 * 8 + d1) floordiv 8, d1 mod 8), domain: d0 in "
    "[0, 3], d1 in [0, 7]' | indexical simplify\n";

constexpr char kComposeExample[] =
    "\nEXAMPLE:\n"
    "  printf '%s\\n' '(d0, d1) -> (d1, d0), domain: d0 in [0, 7], d1 in [0, "
    "3]' '// -----' '(d0, d1) -> (d0 * 8 + d1), domain: d0 in [0, 3], d1 in "
    "[0, 7]' | indexical compose\n";

constexpr char kEqualExample[] =
    "\nEXAMPLE:\n"
    "  printf '%s\\n' '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' '// -----' "
    "'(d0) -> (d0 - d0 floordiv 8 * 8), domain: d0 in [0, 31]' | indexical "
    "equal\n";

constexpr char kInverseExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0) -> (d0 mod 8), domain: d0 in [0, 31]' | indexical inverse\n";

constexpr char kCountExample[] =
    "\nEXAMPLE:\n"
    "  echo '(d0){rt0} -> (d0 floordiv 4 + rt0), domain: d0 in [0, 31], rt0 in "
    "[0, 7]' | indexical count --runtime=rt0=4\n";

cl::OptionCategory &category() {
  static cl::OptionCategory category("Options of indexical");
  return category;
}

/// The options as llvm::cl holds them: words, not yet understood. Made once.
struct Words {
  cl::SubCommand dump{"dump",
                      "maps of every instruction and computation of HLO text"};
  cl::SubCommand simplify{"simplify", "each map of a maps file, simplified"};
  cl::SubCommand compose{"compose",
                         "the maps of a maps file composed left to right: the "
                         "first map's results feed the second's dimensions"};

  cl::SubCommand equal{
      "equal",
      "whether two maps of a maps file, or two modules (HLO or StableHLO, one "
      "a file), read the same elements. Of modules every result and parameter "
      "is compared; what is computed of the elements is not. Status 0: equal, "
      "3: different, 4: undecided"};
  cl::SubCommand inverse{"inverse", "each map of a maps file, turned around"};
  cl::SubCommand count{"count",
                       "the number of points, of elements read, and of (index, "
                       "element) pairs of each map of a maps file"};

  cl::opt<std::string> input{cl::Positional,     cl::desc("[FILE|-]"),
                             cl::init("-"),      cl::sub(dump),
                             cl::sub(simplify),  cl::sub(compose),
                             cl::sub(equal),     cl::sub(inverse),
                             cl::sub(count),     cl::cat(category())};
  cl::opt<std::string> second{cl::Positional, cl::desc("[AFTER]"),
                              cl::sub(equal), cl::cat(category())};
  cl::list<std::string> runtime{
      "runtime",
      cl::desc("The value of a runtime variable (repeatable; default: its "
               "lower bound)"),
      cl::value_desc("NAME=VALUE"), cl::sub(count), cl::cat(category())};
  cl::opt<std::string> output{"o",
                              cl::desc("Write the result to this file"),
                              cl::value_desc("FILE"),
                              cl::init("-"),
                              cl::sub(dump),
                              cl::sub(simplify),
                              cl::sub(compose),
                              cl::sub(equal),
                              cl::sub(inverse),
                              cl::sub(count),
                              cl::cat(category())};
  cl::opt<std::string> format{
      "format",
      cl::desc("text (default), json, jsonl, or attribute (text with the maps "
               "as #xla.indexing_map)"),
      cl::value_desc("FORMAT"),
      cl::init("text"),
      cl::sub(dump),
      cl::sub(simplify),
      cl::sub(compose),
      cl::sub(equal),
      cl::sub(inverse),
      cl::sub(count),
      cl::cat(category())};

  cl::list<std::string> computations{
      "computation", cl::desc("Only this computation (repeatable)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::list<std::string> instructions{
      "instruction", cl::desc("Only this instruction (repeatable)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::opt<std::string> from{
      "from",
      cl::desc("Composed maps from this instruction, on the result's side "
               "(default, with --to: the root)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::opt<std::string> to{
      "to",
      cl::desc("Composed maps to this instruction, on the operand's side "
               "(default, with --from: every parameter)"),
      cl::value_desc("NAME"), cl::sub(dump), cl::cat(category())};
  cl::opt<std::string> direction{
      "direction",
      cl::desc("output-to-input (default), input-to-output, or both"),
      cl::value_desc("DIRECTION"),
      cl::init("output-to-input"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> precision{
      "precision",
      cl::desc("exact (default), or cover: one map an operand, a superset of "
               "what is read"),
      cl::value_desc("PRECISION"),
      cl::init("exact"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> layout{
      "layout",
      cl::desc("logical (default), or physical: indices and sizes in the order "
               "of minor_to_major, the slowest first; tiles are not applied"),
      cl::value_desc("LAYOUT"),
      cl::init("logical"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<std::string> inputFormat{
      "input-format",
      cl::desc("auto (default), hlo, or stablehlo (not read yet)"),
      cl::value_desc("FORMAT"),
      cl::init("auto"),
      cl::sub(dump),
      cl::cat(category())};
  cl::opt<bool> strict{
      "strict",
      cl::desc("An answer about an op whose meaning is not known is an error"),
      cl::sub(dump), cl::cat(category())};
};

Words &words() {
  static Words words;
  return words;
}

void printVersion(llvm::raw_ostream &os) {
  os << "indexical " << kVersion << '\n';
}

/// llvm::cl suggests a command only where one letter differs.
bool checkCommand(StringRef word, llvm::raw_ostream &err) {
  static constexpr StringRef kCommands[] = {"dump",  "simplify", "compose",
                                            "equal", "inverse",  "count"};
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
  cl::SubCommand *commands[] = {&w.dump,  &w.simplify, &w.compose,
                                &w.equal, &w.inverse,  &w.count};
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

/// The example at the end of the help. llvm::cl prints such texts whichever
/// command is asked about, so only the one that fits is registered.
void registerExample(StringRef command) {
  static bool once = false;
  if (std::exchange(once, true)) return;
  StringRef example = llvm::StringSwitch<StringRef>(command)
                          .Case("dump", kDumpExample)
                          .Case("simplify", kSimplifyExample)
                          .Case("compose", kComposeExample)
                          .Case("equal", kEqualExample)
                          .Case("inverse", kInverseExample)
                          .Case("count", kCountExample)
                          .Default(kExample);
  static cl::extrahelp help(example);
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

bool readRuntime(CountOptions &options, llvm::raw_ostream &err) {
  for (StringRef word : words().runtime) {
    auto [name, text] = word.split('=');
    int64_t value = 0;
    if (name.empty() || text.getAsInteger(10, value)) {
      err << "indexical: --runtime does not take `" << word
          << "`, but a name and a number, as `rt0=4`\n";
      return false;
    }
    options.runtime.push_back({name.str(), value});
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
        &w.equal, &w.inverse, &w.count})
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
      !w.count) {
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
    if (!readStreams(line.count, err) || !readRuntime(line.count, err))
      return std::nullopt;
    return line;
  }
  line.command = w.simplify  ? CommandLine::Command::Simplify
                 : w.compose ? CommandLine::Command::Compose
                             : CommandLine::Command::Inverse;
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
    case Command::Simplify:
    case Command::Compose:
    case Command::Inverse:
      break;
  }
  return maps;
}

}  // namespace indexical
