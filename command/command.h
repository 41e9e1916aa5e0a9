// A command as a record: everything about it, in one file of command/commands.
//
//   name       count
//   sentence   the number of points, … of each map of a maps file
//   example    echo '(d0) -> …' | indexical count
//   offers     Text, Structure: text, json and jsonl, and no csv
//   options    --runtime=NAME=VALUE, and those of every command
//   run        a function of the Call, which gives it the input and takes its
//              Result
//
// From the record follow the parsing of a call (parse.h), `--help`, `help` and
// the man page (help.h), what a shell completes (completion.h), the formats
// that are refused (format.h), and how inputs are read and results written
// (run.h). The list of commands.cc gives the commands their order.
#ifndef INDEXICAL_COMMAND_COMMAND_H
#define INDEXICAL_COMMAND_COMMAND_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/inputs/dump_folder.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/command/exit_status.h"
#include "indexical/command/option.h"
#include "indexical/command/reporter.h"
#include "indexical/indexing/budget.h"
#include "indexical/same/passes/dump_chain.h"
#include "indexical/writers/format.h"
#include "indexical/writers/result.h"

namespace indexical {

/// The settings that every call has.
struct CallSettings {
  std::string output = "-";
  const Format *format = &formats().front();
  bool help = false;
  bool hasResult = false;  ///< the output is open: something is written
  bool resume = false;
  bool quiet = false;                ///< errors alone, and no progress
  std::optional<bool> colours;       ///< nothing: where they are seen
  std::optional<size_t> jobs;        ///< nothing: one for each core
  std::optional<size_t> operations;  ///< of `--budget`
  std::optional<size_t> seconds;     ///< of `--deadline`
  std::optional<size_t> megabytes;   ///< of `--memory`
  std::string call;                  ///< its words, as a shell takes them
  Stop stop;                         ///< reached at these limits, or by Ctrl-C

  size_t jobsOrAll() const;
  Budget budget() const {
    Budget budget;
    if (operations)
      budget.operations = std::min<size_t>(*operations, INT64_MAX);
    budget.stop = &stop;
    return budget;
  }
};

/// A call of a command, on one input, on two that it compares, or on none.
class Call {
 public:
  virtual ~Call() = default;

  virtual const Input &input(size_t number = 0) const = 0;
  virtual size_t inputCount() const = 0;
  /// Returns the files that could not be read, of several that are one answer.
  /// They are not inputs, and their errors are reported.
  using Unread = std::pair<std::string, absl::Status>;
  virtual llvm::ArrayRef<Unread> unread() const { return {}; }
  /// Returns the dumps to compare, for a command with Reads::Chains, else null.
  /// The input of such a command has the chain's name and no text: dumps are
  /// read when they are needed.
  virtual const DumpChain *chain() const { return nullptr; }
  /// Reports messages about that input.
  virtual Reporter &reporter(size_t number = 0) = 0;
  /// The stream for messages, with the call's first error.
  virtual MessageStream &err() = 0;
  /// Returns whether only errors are reported.
  virtual bool isQuiet() const = 0;
  /// Writes a result to the call's output, in its format.
  virtual absl::Status write(Result &result) = 0;
  /// Returns the budget of each query. If its stop is reached, the command
  /// writes the results that are complete and returns the stop's status.
  virtual Budget budget() const = 0;
  /// Writes a result and returns `status`, or the stop's status if it is
  /// reached.
  absl::StatusOr<int> writeAndEnd(Result &result, int status);
  /// Returns the number of threads that the command may use.
  virtual size_t jobs() const = 0;
  /// Returns what a question about the first input needs.
  Ask ask() { return {budget(), jobs(), reporter()}; }
  /// Returns whether people read the output, so that less may be shown.
  virtual bool isForPeople() const = 0;
  /// Returns whether a progress line would be seen, and the text that it begins
  /// with.
  virtual bool showsProgress() const = 0;
  virtual std::string progressPrefix() const = 0;
};

/// The arguments that a command takes.
enum class Reads : uint8_t {
  Each,    ///< files, each answered on its own; none: `-`
  Pair,    ///< one file, or two that belong together; none: `-`
  Chains,  ///< dumps, each chain answered on its own; none: `-`
  Words,   ///< no files
};

/// A function that returns the words that completion and help offer.
using WordList = std::vector<std::string> (*)();

struct Command {
  llvm::StringRef name;
  llvm::StringRef heading;  ///< under which the help lists it
  llvm::StringRef sentence;
  llvm::StringRef example;  ///< a call to paste, in lines of up to 78 columns
  Reads reads = Reads::Each;
  llvm::StringRef arguments = "[FILE|-]...";  ///< in the words of the help
  /// The endings of the files that are read in a folder; empty: those of
  /// modules.
  std::vector<llvm::StringRef> endings;
  /// Which dumps of a compiler's folder are read.
  TakenDumps dumps = TakenDumps::All;
  /// Whether several files are one answer in this call: `run` then gets all of
  /// them. Empty: they never are.
  std::function<bool(llvm::ArrayRef<std::string> paths)> joinsInputs;
  WordList knownWords = nullptr;         ///< of Reads::Words
  size_t leastWords = 0, mostWords = 0;  ///< of Reads::Words
  /// Exit statuses that only this command has.
  std::vector<std::pair<int, llvm::StringRef>> statuses;
  std::vector<Offer> offers = {Offer::Text};
  std::vector<llvm::StringRef> columns;  ///< if it offers a table
  /// Returns those of the call, if its options decide. Empty: `columns`.
  std::function<std::vector<llvm::StringRef>()> columnsOfCall = {};
  PageKind page = PageKind::Kernels;  ///< if it offers a page
  std::vector<Option> options;
  /// Of its answers, which the help explains (answer_words.h).
  std::vector<llvm::StringRef> words = {};
  /// Returns an error message if options contradict each other.
  std::function<std::optional<std::string>()> check;
  /// Called once before the first input: reads files that options name. Returns
  /// the exit status if that fails, after a message.
  std::function<int(MessageStream &err)> prepare;
  /// Returns the exit status, or an error about the (last) input.
  std::function<absl::StatusOr<int>(Call &call)> run;
  /// Called once after the last of several inputs, each answered on its own.
  std::function<void(Messages &messages)> finish;
  /// Whether this call's options make input unnecessary: the command then reads
  /// none, and runs on its words.
  std::function<bool()> needsNoInput;
  /// Called in place of `run` for a command with Reads::Words.
  std::function<absl::StatusOr<int>(llvm::ArrayRef<std::string> words,
                                    Call &call)>
      runOnWords;

  std::shared_ptr<CallSettings> settings = std::make_shared<CallSettings>();

  bool has(const Format &format) const {
    return llvm::is_contained(offers, format.needs);
  }
  const Option *find(llvm::StringRef option) const;
  /// Returns the option that once had this name, or null.
  const Option *findOld(llvm::StringRef option) const;
};

/// Returns all commands, in the order of the help, with their common options.
/// Each call makes new ones, since parsing writes into a command.
std::vector<Command> allCommands();
std::optional<Command> commandNamed(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_COMMAND_H
