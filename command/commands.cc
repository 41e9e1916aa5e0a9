// The list of commands: one line each.

#include "llvm/Support/Threading.h"

#include "indexical/command/command.h"

namespace indexical {

Command makeDump();
Command makeSimplify();
Command makeCompose();
Command makeEqual();
Command makeInverse();
Command makeCount();
Command makeUtilization();
Command makeSparsity();
Command makeTile();
Command makeCoalescing();
Command makeReport();
Command makeKernel();
Command makeHazards();
Command makeLayout();
Command makeDraw();
Command makeSharding();
Command makeReshard();
Command makePasses();
Command makeHelp();
Command makeSchema();
Command makeMcp();
Command makeCompletion();

namespace {

struct Maker {
  llvm::StringRef heading;
  Command (*make)();
};

constexpr char kTime[] = "TIME AND MEMORY";
constexpr char kSame[] = "IS IT THE SAME";
constexpr char kMaps[] = "MAPS";
constexpr char kPlaces[] = "LAYOUTS AND PICTURES";
constexpr char kHelp[] = "HELP";

constexpr Maker kMakers[] = {
    {kTime, makeReport},     {kTime, makeCoalescing}, {kTime, makeUtilization},
    {kTime, makeTile},       {kTime, makeKernel},     {kTime, makeHazards},
    {kSame, makeEqual},      {kSame, makePasses},     {kMaps, makeDump},
    {kMaps, makeSimplify},   {kMaps, makeCompose},    {kMaps, makeInverse},
    {kMaps, makeCount},      {kMaps, makeSparsity},   {kPlaces, makeLayout},
    {kPlaces, makeSharding}, {kPlaces, makeReshard},  {kPlaces, makeDraw},
    {kHelp, makeHelp},       {kHelp, makeSchema},     {kHelp, makeMcp},
    {kHelp, makeCompletion},
};

void addBudget(Command &command) {
  CallSettings &settings = *command.settings;
  command.options.push_back(countOption(
      "budget", settings.operations, "a number of operations",
      "Operations for each question; past them an answer is a bound, a cover "
      "or undecided (default: each kind of question has its own)"));
  command.options.push_back(
      countOption("deadline", settings.seconds, "a number of seconds",
                  "End after N seconds, with the results that are complete"));
  command.options.push_back(
      countOption("memory", settings.megabytes, "a number of megabytes",
                  "End when more than N megabytes are allocated, with the "
                  "results that are complete"));
}

void addJobs(Command &command) {
  const char *const words =
      command.reads == Reads::Pair
          ? "Threads to work on, each on results of its own (default: one for "
            "each core); the output is the same for every number"
          : "Threads to work on, several files or the items of one (default: "
            "one for each core); the output is the same for every number";
  command.options.push_back(countOption("jobs", command.settings->jobs,
                                        "a number of threads", words));
}

void addFiles(Command &command) {
  CallSettings &settings = *command.settings;
  command.options.push_back(flagOption(
      "resume", settings.resume,
      "With --format=jsonl and -o: keep the results of an earlier call in "
      "the file, and do only the rest"));
}

/// Returns an error message if the common options contradict each other.
std::optional<std::string> checkCommon(const CallSettings &settings) {
  if (settings.jobs == size_t{0})
    return "--jobs is a number of threads, from 1";
  if (!settings.resume) return std::nullopt;
  if (settings.output == "-" || settings.format->name != "jsonl")
    return "--resume goes with --format=jsonl and -o";
  return std::nullopt;
}

void addCommonOptions(Command &command) {
  CallSettings &settings = *command.settings;
  std::vector<Choice<const Format *>> known;
  for (const Format &format : formats())
    if (command.has(format)) known.push_back({format.name.str(), &format});
  if (!command.has(*settings.format)) settings.format = known.front().value;
  command.options.push_back(choiceOption<const Format *>(
      "format", "FORMAT", settings.format, std::move(known),
      "The format of the output"));
  command.options.push_back(
      fileOption("o", settings.output, "Write the result to this file"));
  command.options.push_back(
      flagOption("quiet", settings.quiet,
                 "Report errors alone: no warnings, notes or progress"));
  command.options.push_back(choiceOption<std::optional<bool>>(
      "color", "WHEN", settings.colours,
      {{"auto", std::nullopt}, {"always", true}, {"never", false}},
      "Colours in texts and messages; auto: on a terminal, where NO_COLOR is "
      "not set"));
  if (command.reads != Reads::Words) addJobs(command);
  if (command.reads == Reads::Each || command.reads == Reads::Chains)
    addFiles(command);
  if (command.reads != Reads::Words) addBudget(command);
  command.options.push_back(
      flagOption("help", settings.help, "Print this help"));
  command.check = [own = command.check, all = command.settings]() {
    auto wrong = checkCommon(*all);
    return wrong || !own ? wrong : own();
  };
}

}  // namespace

size_t CallSettings::jobsOrAll() const {
  return jobs.value_or(llvm::hardware_concurrency().compute_thread_count());
}

const Option *Command::findOld(llvm::StringRef option) const {
  auto it = llvm::find_if(
      options, [&](const Option &known) { return known.oldName == option; });
  return it == options.end() || option.empty() ? nullptr : &*it;
}

const Option *Command::find(llvm::StringRef option) const {
  auto it = llvm::find_if(
      options, [&](const Option &known) { return known.name == option; });
  return it == options.end() ? nullptr : &*it;
}

std::vector<Command> allCommands() {
  std::vector<Command> commands;
  for (const Maker &maker : kMakers) {
    commands.push_back(maker.make());
    commands.back().heading = maker.heading;
    addCommonOptions(commands.back());
  }
  return commands;
}

std::optional<Command> commandNamed(llvm::StringRef name) {
  for (Command &command : allCommands())
    if (command.name == name) return std::move(command);
  return std::nullopt;
}

}  // namespace indexical
