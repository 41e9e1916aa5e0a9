#include "indexical/command/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Process.h"

#include "indexical/answers/inputs/dump_chains.h"
#include "indexical/answers/inputs/input_list.h"
#include "indexical/command/call_on_inputs.h"
#include "indexical/command/command.h"
#include "indexical/command/help.h"
#include "indexical/command/parse.h"
#include "indexical/command/results.h"
#include "indexical/command/run_on_each.h"
#include "indexical/command/run_words.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/version.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// While it lives, Ctrl-C reaches the stop, so that the call ends by itself
/// with complete results. A second Ctrl-C ends the process.
class StopAtInterrupt {
 public:
  explicit StopAtInterrupt(Stop &stop) {
    outer_ = asked_.exchange(&stop);
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (Stop *stop = asked_) stop->ask();
    };
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &action, &before_);
  }
  ~StopAtInterrupt() {
    sigaction(SIGINT, &before_, nullptr);
    asked_ = outer_;
  }
  StopAtInterrupt(const StopAtInterrupt &) = delete;
  StopAtInterrupt &operator=(const StopAtInterrupt &) = delete;

 private:
  static inline std::atomic<Stop *> asked_{nullptr};
  Stop *outer_ = nullptr;  ///< of a call around this one
  struct sigaction before_ = {};
};

void startClock(CallSettings &settings) {
  if (settings.seconds)
    settings.stop.endAfter(std::chrono::seconds(
        std::min<size_t>(*settings.seconds, 1'000'000'000)));
  if (settings.megabytes)
    settings.stop.limitMemory(std::min<size_t>(*settings.megabytes, 1 << 30) *
                              1'000'000);
}

/// One input, or the two that belong together.
CallEnd runTogether(const Command &command, std::vector<Input> inputs,
                    llvm::raw_ostream &out, MessageStream &err,
                    std::vector<Call::Unread> unread = {}) {
  const std::string name = inputs.back().displayName();
  Results results(command, out);
  CallEnd end;
  CallOnInputs call(command, std::move(inputs), std::nullopt, "", results, err,
                    command.settings->jobsOrAll());
  call.setUnread(std::move(unread));
  end.status = call.run(end.error);
  end.status = closeResults(results, end.status, name, err);
  return end;
}

int readAndRun(const Command &command, llvm::ArrayRef<std::string> paths,
               llvm::raw_ostream &out, MessageStream &err) {
  std::vector<Input> inputs;
  for (const std::string &path : paths) {
    absl::StatusOr<Input> input = readNamed(path, err);
    if (!input.ok()) {
      Reporter(err, shownPath(path), "").error(input.status());
      return kWrongInput;
    }
    inputs.push_back(*std::move(input));
  }
  return runTogether(command, std::move(inputs), out, err).status;
}

/// Several files that are one answer. A file that cannot be read does not stop
/// the others.
int readAndJoin(Command command, llvm::ArrayRef<std::string> paths,
                llvm::raw_ostream &out, MessageStream &err) {
  std::vector<Input> inputs;
  std::vector<Call::Unread> unread;
  // The table says which file a row is of.
  if (command.columnsOfCall) command.columns = command.columnsOfCall();
  int status = kDone;
  for (const std::string &path : paths) {
    absl::StatusOr<Input> input = readNamed(path, err);
    if (input.ok()) {
      inputs.push_back(*std::move(input));
      continue;
    }
    Reporter(err, shownPath(path), "").error(input.status());
    unread.emplace_back(path, input.status());
    status = kWrongInput;
  }
  if (inputs.empty()) return kWrongInput;
  const int done =
      runTogether(command, std::move(inputs), out, err, std::move(unread))
          .status;
  return worseOf(done, status);
}

/// Whether the words of this call are all that it needs.
bool readsNothing(const Command &command) {
  return command.reads == Reads::Words ||
         (command.needsNoInput && command.needsNoInput());
}

int runOnWords(const Command &command, llvm::ArrayRef<std::string> words,
               llvm::raw_ostream &out, MessageStream &err) {
  Results results(command, out);
  CallOnInputs call(command, {}, std::nullopt, "", results, err, /*jobs=*/1);
  absl::StatusOr<int> status = command.runOnWords(words, call);
  if (!status.ok()) {
    Reporter(err, "indexical", "").error(status.status());
    return kWrongInput;
  }
  return closeResults(results, *status, "indexical", err);
}

int runOnChains(const Command &command, llvm::ArrayRef<std::string> words,
                llvm::raw_ostream &out, MessageStream &err) {
  absl::StatusOr<DumpChains> found = chainsOf(words);
  if (!found.ok()) {
    Reporter(err, "indexical", "").error(found.status());
    return kWrongInput;
  }
  Reporter reporter(err, "indexical", "", command.settings->quiet);
  for (const std::string &note : found->notes) reporter.note({}, note);
  reporter.finish();
  return runOnEach(command, found->chains, out, err);
}

/// Handles `--help` and `--version`, which precede any command.
bool answersAtOnce(StringRef word, llvm::raw_ostream &out) {
  if (word == "--help" || word == "-help" || word == "-h")
    writeHelp(out, columnsOf(out));
  else if (word == "--version" || word == "-version" || word == "-V")
    out << "indexical " << kVersion << '\n';
  else
    return false;
  out.flush();
  return true;
}

/// Does the work before the inputs. Returns the exit status if the call ends
/// here, or nothing if it goes on.
std::optional<int> begin(const Command &command, llvm::raw_ostream &out,
                         MessageStream &err) {
  if (command.settings->help) {
    writeHelp(command, out, columnsOf(out));
    out.flush();
    return kDone;
  }
  if (command.prepare)
    if (int status = command.prepare(err)) return status;
  return std::nullopt;
}

}  // namespace

absl::StatusOr<int> Call::writeAndEnd(Result &result, int status) {
  INDEXICAL_RETURN_IF_ERROR(write(result));
  INDEXICAL_RETURN_IF_ERROR(budget().check());
  return status;
}

namespace {

/// Returns the words of a call as a shell takes them.
std::string shellWords(llvm::ArrayRef<StringRef> words) {
  std::string call = "indexical";
  for (StringRef word : words) {
    const bool isPlain = !word.empty() && llvm::all_of(word, [](char c) {
      return llvm::isAlnum(c) || StringRef("-_./=,:+@%").contains(c);
    });
    call += ' ';
    if (isPlain) {
      call += word;
      continue;
    }
    call += '\'';
    for (const char c : word)
      call += c == '\'' ? std::string("'\\''") : std::string(1, c);
    call += '\'';
  }
  return call;
}

int runParsed(ParsedCall call, std::vector<Input> given, llvm::raw_ostream &out,
              MessageStream &err) {
  const Command &command = call.command;
  if (auto status = begin(command, out, err)) return *status;
  startClock(*command.settings);
  const StopAtInterrupt interruptible(command.settings->stop);
  if (!given.empty())
    return runTogether(command, std::move(given), out, err).status;
  if (readsNothing(command)) return runOnWords(command, call.words, out, err);
  if (command.reads == Reads::Pair) {
    if (call.words.empty()) call.words.push_back("-");
    return readAndRun(command, call.words, out, err);
  }
  if (command.reads == Reads::Chains)
    return runOnChains(command, call.words, out, err);
  absl::StatusOr<InputList> inputs =
      inputsOf(call.words, command.endings, command.dumps);
  if (!inputs.ok()) {
    Reporter(err, "indexical", "").error(inputs.status());
    return kWrongInput;
  }
  if (!inputs->several && command.settings->resume) {
    err.wrongWords("--resume goes with several files, a folder or a list");
    return kWrongWords;
  }
  Reporter reporter(err, "indexical", "", command.settings->quiet);
  for (const std::string &note : inputs->notes) reporter.note({}, note);
  reporter.finish();
  if (inputs->paths.size() > 1 && command.joinsInputs &&
      command.joinsInputs(inputs->paths))
    return readAndJoin(command, inputs->paths, out, err);
  if (!inputs->several) return readAndRun(command, inputs->paths, out, err);
  const int status = runOnEach(command, inputs->paths, out, err);
  if (command.finish) {
    Reporter last(err, "indexical", "", command.settings->quiet);
    command.finish(last);
    last.finish();
  }
  return status;
}

/// Where JSON was asked for and nothing was written, programs get the first
/// error.
void writeError(const ErrorOfCall &error, llvm::ArrayRef<StringRef> words,
                llvm::raw_ostream &out) {
  if (!askForJson(words)) return;
  writeErrorDocument(out, std::nullopt, error);
  out.flush();
}

int runAndEnd(ParsedCall call, std::vector<Input> inputs,
              llvm::ArrayRef<StringRef> words, llvm::raw_ostream &out,
              llvm::raw_ostream &err) {
  const std::shared_ptr<const CallSettings> settings = call.command.settings;
  MessageStream messages(err);
  const int status =
      runParsed(std::move(call), std::move(inputs), out, messages);
  const bool isWrong = status == kWrongInput || status == kWrongWords;
  if (isWrong && messages.first() && !settings->hasResult)
    writeError(*messages.first(), words, out);
  return status;
}

std::optional<ParsedCall> parseOrEnd(llvm::ArrayRef<StringRef> words,
                                     llvm::raw_ostream &out,
                                     llvm::raw_ostream &err) {
  MessageStream messages(err);
  std::optional<ParsedCall> call = parseCall(words, messages);
  if (!call && messages.first()) writeError(*messages.first(), words, out);
  return call;
}

int runCall(int argc, const char *const *argv, llvm::raw_ostream &out,
            llvm::raw_ostream &err) {
  llvm::SmallVector<StringRef, 16> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && answersAtOnce(words.front(), out)) return kDone;
  std::optional<ParsedCall> call = parseOrEnd(words, out, err);
  if (!call) return kWrongWords;
  call->command.settings->call = shellWords(words);
  const std::optional<bool> colours = call->command.settings->colours;
  if (colours.value_or(false)) {
    ColouredStream colouredOut(out), colouredErr(err);
    return runAndEnd(*std::move(call), {}, words, colouredOut, colouredErr);
  }
  const char *noColour = std::getenv("NO_COLOR");
  if (colours || (noColour && *noColour)) {
    out.enable_colors(false);
    err.enable_colors(false);
  }
  return runAndEnd(*std::move(call), {}, words, out, err);
}

}  // namespace

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err) {
  int status = kWrongInput;
  withDeepStack([&] { status = runCall(argc, argv, out, err); });
  return status;
}

int runWords(llvm::ArrayRef<StringRef> words, std::vector<Input> inputs,
             llvm::raw_ostream &out, llvm::raw_ostream &err,
             llvm::function_ref<void(CallSettings &settings)> begin,
             llvm::function_ref<void()> end) {
  int status = kWrongWords;
  withDeepStack([&] {
    std::optional<ParsedCall> call = parseOrEnd(words, out, err);
    if (!call) return;
    const std::shared_ptr<CallSettings> settings = call->command.settings;
    begin(*settings);
    status = runAndEnd(*std::move(call), std::move(inputs), words, out, err);
    end();
  });
  return status;
}

CallEnd runOnInputs(llvm::ArrayRef<StringRef> words, std::vector<Input> inputs,
                    llvm::raw_ostream &out, llvm::raw_ostream &os) {
  MessageStream err(os);
  std::optional<ParsedCall> call = parseCall(words, err);
  if (!call) return {kWrongWords, absl::OkStatus()};
  if (auto status = begin(call->command, out, err))
    return {*status, absl::OkStatus()};
  startClock(*call->command.settings);
  if (call->command.reads == Reads::Chains)
    return {runOnChains(call->command, call->words, out, err),
            absl::OkStatus()};
  if (inputs.empty() && readsNothing(call->command))
    return {runOnWords(call->command, call->words, out, err), absl::OkStatus()};
  const bool takesNone = call->command.reads == Reads::Words;
  if (inputs.empty() || takesNone) {
    err.wrongWords("`" + call->command.name.str() + "` reads " +
                   (takesNone ? "no" : "an") + " input");
    return {kWrongWords, absl::OkStatus()};
  }
  return runTogether(call->command, std::move(inputs), out, err);
}

int runOnInput(llvm::ArrayRef<StringRef> words, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  return runOnInputs(words, {input}, out, err).status;
}

}  // namespace indexical
