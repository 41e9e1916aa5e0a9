#include "indexical/tools/run.h"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/Process.h"

#include "indexical/tools/command.h"
#include "indexical/tools/help.h"
#include "indexical/tools/input_list.h"
#include "indexical/tools/output.h"
#include "indexical/tools/parse.h"
#include "indexical/tools/progress.h"
#include "indexical/tools/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// Where a call's results go. It is opened for the first of them.
class Results {
 public:
  Results(const Command &command, llvm::raw_ostream &out)
      : command_(command), output_(command.settings->output, out) {}

  absl::Status write(Result &result, std::optional<StringRef> file) {
    if (absl::Status status = open(); !status.ok()) return status;
    writer_->write(result, file);
    return absl::OkStatus();
  }

  absl::Status failed(StringRef file, const absl::Status &why) {
    if (command_.settings->format->isForPeople) return absl::OkStatus();
    if (absl::Status status = open(); !status.ok()) return status;
    writer_->failed(file, why);
    return absl::OkStatus();
  }

  absl::Status finish(size_t files, size_t failed) {
    if (absl::Status status = open(); !status.ok()) return status;
    writer_->finish(files, failed);
    return absl::OkStatus();
  }

  absl::Status close() { return writer_ ? output_.close() : absl::OkStatus(); }
  /// Whether it could not be opened: nothing else can be written then.
  bool isBroken() const { return isBroken_; }
  bool isDisplayed() const { return output_.isDisplayed(); }

 private:
  absl::Status open() {
    if (writer_) return absl::OkStatus();
    absl::Status status = output_.open();
    isBroken_ = !status.ok();
    if (status.ok())
      writer_ =
          command_.settings->format->make({output_.stream(), command_.columns});
    return status;
  }

  const Command &command_;
  Output output_;
  std::unique_ptr<Writer> writer_;
  bool isBroken_ = false;
};

/// From here on Ctrl-C reaches the stop, so that the call ends by itself with
/// what is complete. A second one ends the process.
class StopAtInterrupt {
 public:
  explicit StopAtInterrupt(Stop &stop) {
    asked_ = &stop;
    struct sigaction action = {};
    action.sa_handler = [](int) {
      if (Stop *stop = asked_) stop->ask();
    };
    action.sa_flags = SA_RESETHAND;
    sigaction(SIGINT, &action, &before_);
  }
  ~StopAtInterrupt() {
    sigaction(SIGINT, &before_, nullptr);
    asked_ = nullptr;
  }
  StopAtInterrupt(const StopAtInterrupt &) = delete;
  StopAtInterrupt &operator=(const StopAtInterrupt &) = delete;

 private:
  static inline std::atomic<Stop *> asked_{nullptr};
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

/// A command at work on inputs that were read, or on none.
class CallOnInputs : public Call {
 public:
  CallOnInputs(const Command &command, std::vector<Input> inputs,
               std::optional<StringRef> file, std::string progressPrefix,
               Results &results, llvm::raw_ostream &err)
      : command_(command),
        inputs_(std::move(inputs)),
        file_(file),
        progressPrefix_(std::move(progressPrefix)),
        results_(results),
        err_(err) {
    for (const Input &input : inputs_)
      reporters_.push_back(
          std::make_unique<Reporter>(err, input.displayName(), input.text));
  }

  const Input &input(size_t number) const override { return inputs_[number]; }
  size_t inputCount() const override { return inputs_.size(); }
  Reporter &reporter(size_t number) override { return *reporters_[number]; }
  llvm::raw_ostream &err() override { return err_; }
  absl::Status write(Result &result) override {
    return results_.write(result, file_);
  }
  Budget budget() const override { return command_.settings->budget(); }
  bool isForPeople() const override {
    return command_.settings->format->isForPeople;
  }
  bool showsProgress() const override {
    return err_.is_displayed() && !results_.isDisplayed();
  }
  std::string progressPrefix() const override { return progressPrefix_; }

  /// The exit status of the command. An error was reported; it is in `wrong`.
  int run(absl::Status &wrong) {
    absl::StatusOr<int> status = command_.run(*this);
    if (!status.ok()) {
      // What failed since the call ended is not the input's fault.
      const absl::Status end = budget().check();
      wrong = end.ok() ? status.status() : end;
      reporters_.back()->error(wrong);
      return kWrongInput;
    }
    const bool hasErrors = llvm::any_of(
        reporters_, [](const auto &of) { return of->errorCount() > 0; });
    return hasErrors ? static_cast<int>(kWrongInput) : *status;
  }

 private:
  const Command &command_;
  const std::vector<Input> inputs_;
  const std::optional<StringRef> file_;
  const std::string progressPrefix_;
  Results &results_;
  llvm::raw_ostream &err_;
  std::vector<std::unique_ptr<Reporter>> reporters_;
};

absl::StatusOr<Input> read(const std::string &path, llvm::raw_ostream &err) {
  if (path == "-" && llvm::sys::Process::StandardInIsUserInput())
    err << "indexical: reading standard input; end it with Ctrl-D\n";
  return readInput(path);
}

std::string shown(StringRef path) {
  return path == "-" ? "<stdin>" : path.str();
}

int closed(Results &results, int status, std::string name,
           llvm::raw_ostream &err) {
  absl::Status end = results.close();
  if (end.ok()) return status;
  Reporter(err, std::move(name), "").error(end);
  return kWrongInput;
}

/// One input, or the two that belong together.
int runTogether(const Command &command, std::vector<Input> inputs,
                llvm::raw_ostream &out, llvm::raw_ostream &err) {
  const std::string name = inputs.back().displayName();
  Results results(command, out);
  absl::Status wrong;
  const int status =
      CallOnInputs(command, std::move(inputs), std::nullopt, "", results, err)
          .run(wrong);
  return closed(results, status, name, err);
}

int readAndRun(const Command &command, llvm::ArrayRef<std::string> paths,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  std::vector<Input> inputs;
  for (const std::string &path : paths) {
    absl::StatusOr<Input> input = read(path, err);
    if (!input.ok()) {
      Reporter(err, shown(path), "").error(input.status());
      return kWrongInput;
    }
    inputs.push_back(*std::move(input));
  }
  return runTogether(command, std::move(inputs), out, err);
}

/// Each on its own; one that is wrong does not keep the others back.
int runOnEach(const Command &command, llvm::ArrayRef<std::string> paths,
              llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Results results(command, out);
  Progress progress(err, err.is_displayed() && !results.isDisplayed(),
                    paths.size(), "", " files");
  int worst = kDone;
  size_t wrongFiles = 0;
  for (size_t i = 0; i < paths.size() && !results.isBroken(); ++i) {
    if (command.settings->stop.isReached()) break;
    absl::Status wrong;
    int status = kWrongInput;
    absl::StatusOr<Input> input = read(paths[i], err);
    if (input.ok()) {
      std::vector<Input> inputs;
      inputs.push_back(*std::move(input));
      const std::string prefix = "file " + std::to_string(i + 1) + " of " +
                                 std::to_string(paths.size()) + ", ";
      CallOnInputs call(command, std::move(inputs), StringRef(paths[i]), prefix,
                        results, err);
      call.reporter(0).beforeMessage([&] { progress.clear(); });
      status = call.run(wrong);
    } else {
      progress.clear();
      wrong = input.status();
      Reporter(err, shown(paths[i]), "").error(wrong);
    }
    if (!wrong.ok() && !results.isBroken())
      results.failed(paths[i], wrong).IgnoreError();
    wrongFiles += status == kWrongInput;
    worst = wrongFiles > 0 ? static_cast<int>(kWrongInput)
                           : std::max(worst, status);
    progress.step();
  }
  progress.clear();
  if (!results.isBroken())
    results.finish(paths.size(), wrongFiles).IgnoreError();
  return closed(results, worst, "indexical", err);
}

int runOnWords(const Command &command, llvm::ArrayRef<std::string> words,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  Results results(command, out);
  CallOnInputs call(command, {}, std::nullopt, "", results, err);
  absl::StatusOr<int> status = command.runOnWords(words, call);
  if (!status.ok()) {
    Reporter(err, "indexical", "").error(status.status());
    return kWrongInput;
  }
  return closed(results, *status, "indexical", err);
}

/// `--help` and `--version`, which stand before any command.
bool answersAtOnce(StringRef word, llvm::raw_ostream &out) {
  if (word == "--help" || word == "-help" || word == "-h")
    writeHelp(out, columnsOf(out));
  else if (word == "--version" || word == "-version")
    out << "indexical " << kVersion << '\n';
  else
    return false;
  out.flush();
  return true;
}

/// What comes before the inputs; nothing where the call goes on.
std::optional<int> begin(const Command &command, llvm::raw_ostream &out,
                         llvm::raw_ostream &err) {
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
  if (absl::Status written = write(result); !written.ok()) return written;
  if (absl::Status end = budget().check(); !end.ok()) return end;
  return status;
}

int runIndexical(int argc, const char *const *argv, llvm::raw_ostream &out,
                 llvm::raw_ostream &err) {
  llvm::SmallVector<StringRef, 16> words(argv + std::min(argc, 1), argv + argc);
  if (!words.empty() && answersAtOnce(words.front(), out)) return kDone;
  std::optional<ParsedCall> call = parseCall(words, err);
  if (!call) return kWrongWords;
  const Command &command = call->command;
  if (auto status = begin(command, out, err)) return *status;
  startClock(*command.settings);
  const StopAtInterrupt interruptible(command.settings->stop);
  if (command.reads == Reads::Words ||
      (command.needsNoInput && command.needsNoInput()))
    return runOnWords(command, call->words, out, err);
  if (command.reads == Reads::Pair) {
    if (call->words.empty()) call->words.push_back("-");
    return readAndRun(command, call->words, out, err);
  }
  absl::StatusOr<InputList> inputs = inputsOf(call->words);
  if (!inputs.ok()) {
    Reporter(err, "indexical", "").error(inputs.status());
    return kWrongInput;
  }
  return inputs->several ? runOnEach(command, inputs->paths, out, err)
                         : readAndRun(command, inputs->paths, out, err);
}

int runOnInput(llvm::ArrayRef<StringRef> words, const Input &input,
               llvm::raw_ostream &out, llvm::raw_ostream &err) {
  std::optional<ParsedCall> call = parseCall(words, err);
  if (!call) return kWrongWords;
  if (auto status = begin(call->command, out, err)) return *status;
  startClock(*call->command.settings);
  return runTogether(call->command, {input}, out, err);
}

}  // namespace indexical
