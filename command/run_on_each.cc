#include "indexical/command/run_on_each.h"

#include <algorithm>
#include <deque>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "llvm/Support/Process.h"
#include "llvm/Support/ThreadPool.h"
#include "llvm/Support/Threading.h"

#include "indexical/command/call_on_inputs.h"
#include "indexical/command/progress.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/writers/resume.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The outcome for one file.
struct Done {
  int status = kWrongInput;
  absl::Status wrong;  ///< already reported
};

/// A text with colours if the stream that it is written to has them.
class FileMessages : public llvm::raw_string_ostream {
 public:
  FileMessages(std::string &text, const llvm::raw_ostream &like)
      : raw_string_ostream(text), hasColours_(like.has_colors()) {
    enable_colors(like.colors_enabled());
  }
  bool has_colors() const override { return hasColours_; }

 private:
  const bool hasColours_;
};

/// The result of a file, on a thread of its own, that waits for earlier files.
struct Waiting {
  explicit Waiting(const Command &command, const llvm::raw_ostream &err)
      : part(command), bytes(text, err), messages(bytes) {}

  BufferedResult part;
  std::string text;
  FileMessages bytes;
  MessageStream messages;
  Done done;
  std::shared_future<void> end;
};

class Files {
 public:
  Files(const Command &command, llvm::ArrayRef<std::string> paths,
        llvm::ArrayRef<DumpChain> chains, llvm::raw_ostream &out,
        MessageStream &err)
      : command_(command),
        paths_(paths),
        chains_(chains),
        err_(err),
        results_(command, out),
        progress_(err,
                  !command.settings->quiet && err.isDisplayed() &&
                      !results_.isDisplayed(),
                  paths.size(), "", chains.empty() ? " files" : " chains") {}

  int run() {
    if (command_.settings->resume)
      if (absl::Status status = resume(); !status.ok()) {
        Reporter(err_, command_.settings->output, "").error(status);
        return kWrongInput;
      }
    const size_t jobs = std::min(command_.settings->jobsOrAll(),
                                 std::max<size_t>(paths_.size() - next_, 1));
    // A page of all files numbers shared parts in the order in which they come.
    if (jobs > 1 && command_.settings->format->needs != Offer::Page)
      runTogether(jobs);
    else
      runInTurn();
    progress_.clear();
    if (isEnded()) {
      results_.endEarly();
      // A file that it ended has reported so.
      if (worst_ != kWrongInput || next_ < paths_.size())
        Reporter(err_, "indexical", "").error(command_.settings->stop.status());
      worst_ = kWrongInput;
    } else if (!results_.isBroken()) {
      results_.finish(paths_.size(), wrongFiles_).IgnoreError();
    }
    return closeResults(results_, worst_, "indexical", err_);
  }

 private:
  bool isEnded() const { return command_.settings->stop.isReached(); }

  absl::Status resume() {
    absl::StatusOr<Input> earlier = readInput(command_.settings->output);
    // There may be no output yet.
    if (absl::IsNotFound(earlier.status())) return absl::OkStatus();
    INDEXICAL_RETURN_IF_ERROR(earlier.status());
    INDEXICAL_ASSIGN_OR_RETURN(
        Resumed found, findResumed(earlier->text, paths_, results_.inputKey()));
    next_ = found.files;
    wrongFiles_ = found.failed;
    worst_ = wrongFiles_ > 0 ? kWrongInput : kDone;
    results_.resume(found);
    return absl::OkStatus();
  }

  /// Runs the command on one of the files.
  Done doFile(size_t i, size_t jobs, ResultSink &results, MessageStream &err,
              std::function<void()> beforeMessage) const {
    Done done;
    // A chain's dumps are read when they are needed.
    absl::StatusOr<Input> input = chains_.empty()
                                      ? readNamed(paths_[i], err)
                                      : Input{paths_[i], std::string()};
    if (!input.ok()) {
      if (beforeMessage) beforeMessage();
      done.wrong = input.status();
      Reporter(err, shownPath(paths_[i]), "").error(done.wrong);
      return done;
    }
    std::vector<Input> inputs;
    inputs.push_back(*std::move(input));
    const std::string prefix = "file " + std::to_string(i + 1) + " of " +
                               std::to_string(paths_.size()) + ", ";
    CallOnInputs call(command_, std::move(inputs), StringRef(paths_[i]), prefix,
                      results, err, jobs);
    if (!chains_.empty()) call.setChain(&chains_[i]);
    call.reporter(0).beforeMessage(std::move(beforeMessage));
    done.status = call.run(done.wrong);
    return done;
  }

  void count(size_t i, const Done &done) {
    if (!done.wrong.ok() && !results_.isBroken())
      results_.failed(paths_[i], done.wrong).IgnoreError();
    wrongFiles_ += done.status == kWrongInput;
    worst_ = wrongFiles_ > 0 ? static_cast<int>(kWrongInput)
                             : worseOf(worst_, done.status);
    progress_.step();
  }

  void runInTurn() {
    for (; next_ < paths_.size() && !results_.isBroken() && !isEnded(); ++next_)
      count(next_, doFile(next_, command_.settings->jobsOrAll(), results_, err_,
                          [this] { progress_.clear(); }));
  }

  /// Runs `jobs` files at once. At most twice as many wait for earlier files.
  void runTogether(size_t jobs) {
    llvm::DefaultThreadPool pool(llvm::hardware_concurrency(jobs));
    std::deque<std::unique_ptr<Waiting>> waiting;
    size_t begun = next_;
    while (next_ < paths_.size() && !results_.isBroken()) {
      for (; begun < paths_.size() && waiting.size() < 2 * jobs && !isEnded();
           ++begun) {
        Waiting &file =
            *waiting.emplace_back(std::make_unique<Waiting>(command_, err_));
        file.end = pool.async([this, &file, i = begun] {
          withDeepStack([&] {
            file.done = doFile(i, 1, file.part, file.messages, nullptr);
          });
        });
      }
      if (waiting.empty()) break;
      take(*waiting.front());
      waiting.pop_front();
    }
    pool.wait();
  }

  void take(Waiting &file) {
    file.end.wait();
    if (!file.text.empty()) {
      progress_.clear();
      err_ << file.text;
      err_.flush();
    }
    if (absl::Status status = results_.add(file.part); !status.ok()) {
      Reporter(err_, shownPath(paths_[next_]), "").error(status);
      file.done.status = kWrongInput;
    }
    count(next_++, file.done);
  }

  const Command &command_;
  const llvm::ArrayRef<std::string> paths_;  ///< or the chains' names
  const llvm::ArrayRef<DumpChain> chains_;
  MessageStream &err_;
  Results results_;
  Progress progress_;
  size_t next_ = 0;  ///< the first that is not done
  size_t wrongFiles_ = 0;
  int worst_ = kDone;
};

}  // namespace

absl::StatusOr<Input> readNamed(const std::string &path, MessageStream &err) {
  if (path == "-" && llvm::sys::Process::StandardInIsUserInput())
    err << "indexical: reading standard input; end it with Ctrl-D\n";
  return readInput(path);
}

std::string shownPath(StringRef path) {
  return path == "-" ? "<stdin>" : path.str();
}

int closeResults(Results &results, int status, std::string name,
                 MessageStream &err) {
  absl::Status end = results.close();
  if (end.ok()) return status;
  Reporter(err, std::move(name), "").error(end);
  return kWrongInput;
}

int runOnEach(const Command &command, llvm::ArrayRef<std::string> paths,
              llvm::raw_ostream &out, MessageStream &err) {
  return Files(command, paths, {}, out, err).run();
}

int runOnEach(const Command &command, llvm::ArrayRef<DumpChain> chains,
              llvm::raw_ostream &out, MessageStream &err) {
  std::vector<std::string> names;
  for (const DumpChain &chain : chains) names.push_back(chain.name);
  return Files(command, names, chains, out, err).run();
}

}  // namespace indexical
