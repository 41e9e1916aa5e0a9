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
Command makeLayout();
Command makeDraw();
Command makeSharding();
Command makePasses();
Command makeHelp();
Command makeCompletion();

namespace {

constexpr Command (*kMakers[])() = {
    makeDump,     makeSimplify,    makeCompose,    makeEqual,  makeInverse,
    makeCount,    makeUtilization, makeSparsity,   makeTile,   makeCoalescing,
    makeReport,   makePasses,      makeKernel,     makeLayout, makeDraw,
    makeSharding, makeHelp,        makeCompletion,
};

void addBudget(Command &command) {
  CallSettings &settings = *command.settings;
  command.options.push_back(countOption(
      "budget", settings.operations, "a number of operations",
      "Operations for each question; past them an answer is a bound, a cover "
      "or undecided (default: each kind of question has its own)"));
  command.options.push_back(
      countOption("deadline", settings.seconds, "a number of seconds",
                  "End after so many seconds, with what is complete"));
  command.options.push_back(
      countOption("memory", settings.megabytes, "a number of megabytes",
                  "End when more is allocated, with what is complete"));
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
      "With --format=jsonl and -o: what an earlier call left in the file stays "
      "and is not done again"));
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
      "How the result is written"));
  command.options.push_back(
      fileOption("o", settings.output, "Write the result to this file"));
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

const Option *Command::find(llvm::StringRef option) const {
  auto it = llvm::find_if(
      options, [&](const Option &known) { return known.name == option; });
  return it == options.end() ? nullptr : &*it;
}

std::vector<Command> allCommands() {
  std::vector<Command> commands;
  for (Command (*make)() : kMakers) {
    commands.push_back(make());
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
