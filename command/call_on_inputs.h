// A command that runs on inputs that were read, or on none.
#ifndef INDEXICAL_COMMAND_CALL_ON_INPUTS_H
#define INDEXICAL_COMMAND_CALL_ON_INPUTS_H

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/command/command.h"
#include "indexical/command/results.h"

namespace indexical {

class CallOnInputs : public Call {
 public:
  /// `file` is the name in results, or nothing: results have no name.
  CallOnInputs(const Command &command, std::vector<Input> inputs,
               std::optional<llvm::StringRef> file, std::string progressPrefix,
               ResultSink &results, MessageStream &err, size_t jobs);

  const Input &input(size_t number) const override { return inputs_[number]; }
  size_t inputCount() const override { return inputs_.size(); }
  const DumpChain *chain() const override { return chain_; }
  void setChain(const DumpChain *chain) { chain_ = chain; }
  llvm::ArrayRef<Unread> unread() const override { return unread_; }
  void setUnread(std::vector<Unread> unread) { unread_ = std::move(unread); }
  Reporter &reporter(size_t number) override { return *reporters_[number]; }
  MessageStream &err() override { return err_; }
  bool isQuiet() const override { return command_.settings->quiet; }
  absl::Status write(Result &result) override {
    return results_.write(result, file_);
  }
  Budget budget() const override { return command_.settings->budget(); }
  size_t jobs() const override { return jobs_; }
  bool isForPeople() const override {
    return command_.settings->format->isForPeople;
  }
  bool showsProgress() const override {
    return !isQuiet() && err_.isDisplayed() && !results_.isDisplayed();
  }
  std::string progressPrefix() const override { return progressPrefix_; }

  /// Runs the command and returns its exit status. `wrong` is the error that
  /// was reported, if any.
  int run(absl::Status &wrong);

 private:
  const Command &command_;
  const std::vector<Input> inputs_;
  const std::optional<llvm::StringRef> file_;
  const std::string progressPrefix_;
  ResultSink &results_;
  MessageStream &err_;
  const size_t jobs_;
  const DumpChain *chain_ = nullptr;
  std::vector<Unread> unread_;
  std::vector<std::unique_ptr<Reporter>> reporters_;
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_CALL_ON_INPUTS_H
