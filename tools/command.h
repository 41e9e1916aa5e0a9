// A command as a record: everything about it, in one file of tools/commands.
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
#ifndef INDEXICAL_TOOLS_COMMAND_H
#define INDEXICAL_TOOLS_COMMAND_H

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

#include "indexical/analysis/passes/dump_chain.h"
#include "indexical/indexing/budget.h"
#include "indexical/tools/exit_status.h"
#include "indexical/tools/format.h"
#include "indexical/tools/input.h"
#include "indexical/tools/option.h"
#include "indexical/tools/report.h"
#include "indexical/tools/result.h"

namespace indexical {

/// What every call has.
struct CallSettings {
  std::string output = "-";
  const Format *format = &formats().front();
  bool help = false;
  bool resume = false;
  std::optional<size_t> jobs;        ///< nothing: as many as there are cores
  std::optional<size_t> operations;  ///< of `--budget`
  std::optional<size_t> seconds;     ///< of `--deadline`
  std::optional<size_t> megabytes;   ///< of `--memory`
  Stop stop;                         ///< reached at these, or at Ctrl-C

  size_t jobsOrAll() const;
  Budget budget() const {
    Budget budget;
    if (operations)
      budget.operations = std::min<size_t>(*operations, INT64_MAX);
    budget.stop = &stop;
    return budget;
  }
};

/// A command at work: on one input, on the two that it compares, or on none.
class Call {
 public:
  virtual ~Call() = default;

  virtual const Input &input(size_t number = 0) const = 0;
  virtual size_t inputCount() const = 0;
  /// The dumps that it compares, of a command with Reads::Chains. Its input
  /// then has the chain's name and no text: dumps are read when they are
  /// needed.
  virtual const DumpChain *chain() const { return nullptr; }
  /// Messages about that input.
  virtual Reporter &reporter(size_t number = 0) = 0;
  /// Messages about none.
  virtual llvm::raw_ostream &err() = 0;
  /// Writes a result where the call's output goes, in its format.
  virtual absl::Status write(Result &result) = 0;
  /// What each question may cost. Where its stop is reached, the command writes
  /// what is complete and returns the stop's status.
  virtual Budget budget() const = 0;
  /// The same, and what the call ends with: that status, or the stop's.
  absl::StatusOr<int> writeAndEnd(Result &result, int status);
  /// Threads that it may work on.
  virtual size_t jobs() const = 0;
  /// Whether that is read by people: then less may be shown.
  virtual bool isForPeople() const = 0;
  /// Whether a line that tells how far the work is would be seen, and what it
  /// begins with.
  virtual bool showsProgress() const = 0;
  virtual std::string progressPrefix() const = 0;
};

/// What the words after the command are.
enum class Reads : uint8_t {
  Each,    ///< files, each of which is answered on its own; none: `-`
  Pair,    ///< one file, or two that belong together; none: `-`
  Chains,  ///< dumps, each chain of which is answered on its own; none: `-`
  Words,   ///< no files
};

/// Names that completion and help know as words of the command.
using WordList = std::vector<std::string> (*)();

struct Command {
  llvm::StringRef name;
  llvm::StringRef sentence;
  llvm::StringRef example;  ///< a call to paste, in lines of up to 78 columns
  Reads reads = Reads::Each;
  llvm::StringRef arguments = "[FILE|-]...";  ///< as the help calls them
  /// How the names of files end that are read of a folder; empty: as a module's
  /// do.
  std::vector<llvm::StringRef> endings;
  WordList knownWords = nullptr;         ///< of Reads::Words
  size_t leastWords = 0, mostWords = 0;  ///< of Reads::Words
  /// Exit statuses that other commands do not have.
  std::vector<std::pair<int, llvm::StringRef>> statuses;
  std::vector<Offer> offers = {Offer::Text};
  std::vector<llvm::StringRef> columns;  ///< where it offers a table
  PageKind page = PageKind::Kernels;     ///< where it offers a page
  std::vector<Option> options;
  /// Says what is wrong with the options taken together.
  std::function<std::optional<std::string>()> check;
  /// Before the first input, once: what options name is read. A message, and
  /// the status to end with, where that is wrong.
  std::function<int(llvm::raw_ostream &err)> prepare;
  /// The exit status. An error is one about the (last) input.
  std::function<absl::StatusOr<int>(Call &call)> run;
  /// Whether the options of this call are all that it needs: then it reads no
  /// input, and runs on its words.
  std::function<bool()> needsNoInput;
  /// What a command with Reads::Words runs instead.
  std::function<absl::StatusOr<int>(llvm::ArrayRef<std::string> words,
                                    Call &call)>
      runOnWords;

  std::shared_ptr<CallSettings> settings = std::make_shared<CallSettings>();

  bool has(const Format &format) const {
    return llvm::is_contained(offers, format.needs);
  }
  const Option *find(llvm::StringRef option) const;
};

/// All commands, in the order of the help, each with the options that all have.
/// They are made anew: a call writes into its own.
std::vector<Command> allCommands();
std::optional<Command> commandNamed(llvm::StringRef name);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_COMMAND_H
