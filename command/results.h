// The sinks for the results of a call, one after another.
//
//   Results          the call's output, in the requested format; opened for the
//                    first result
//   BufferedResult   the text of one of several files, which another thread
//                    made, and which is added to the Results in the order of
//                    the files
#ifndef INDEXICAL_COMMAND_RESULTS_H
#define INDEXICAL_COMMAND_RESULTS_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/command.h"
#include "indexical/command/output.h"
#include "indexical/writers/resume.h"

namespace indexical {

/// The sink that a running command writes to.
class ResultSink {
 public:
  virtual ~ResultSink() = default;
  /// `file` is nothing if the call names one input.
  virtual absl::Status write(Result &result,
                             std::optional<llvm::StringRef> file) = 0;
  /// Returns whether people see the output while it is written.
  virtual bool isDisplayed() const = 0;
};

class BufferedResult : public ResultSink {
 public:
  explicit BufferedResult(const Command &command);

  absl::Status write(Result &result,
                     std::optional<llvm::StringRef> file) override;
  bool isDisplayed() const override { return true; }

 private:
  friend class Results;
  std::string text_;
  llvm::raw_string_ostream os_;
  std::unique_ptr<Writer> writer_;
  bool isWritten_ = false;
};

class Results : public ResultSink {
 public:
  Results(const Command &command, llvm::raw_ostream &out);

  absl::Status write(Result &result,
                     std::optional<llvm::StringRef> file) override;
  /// Continues the output that an earlier call has written to the file of `-o`.
  void resume(const Resumed &earlier);
  absl::Status add(BufferedResult &part);
  absl::Status failed(llvm::StringRef file, const absl::Status &why);
  absl::Status finish(size_t files, size_t failed);
  /// Called in place of finish if the call ended early.
  void endEarly() {
    if (writer_) writer_->endEarly();
  }
  absl::Status close();
  /// Returns whether the output could not be opened, so that nothing can be
  /// written.
  bool isBroken() const { return isBroken_; }
  /// Returns the key of an input's name in a line: `file`, `chain`.
  llvm::StringRef inputKey() const;
  bool isDisplayed() const override { return output_.isDisplayed(); }

 private:
  absl::Status open();

  const Command &command_;
  Output output_;
  std::optional<Resumed> earlier_;
  std::unique_ptr<Writer> writer_;
  bool isBroken_ = false;
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_RESULTS_H
