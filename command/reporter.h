// Messages on standard error, with the line of the source they are about.
//
//   softmax.hlo:3:12: error: unknown opcode `brodcast`
//     b = f32[2] brodcast(p), dimensions={0}
//                ^
//   did you mean `broadcast`?
//
// A message takes a few short lines whatever the input. If a source line is
// long, only the part around the column is shown. Control characters are shown
// as spaces. After `kMostOfAKind` warnings or notes, only the number of the
// others is reported.
#ifndef INDEXICAL_COMMAND_REPORTER_H
#define INDEXICAL_COMMAND_REPORTER_H

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/ask.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/writers/error_document.h"

namespace indexical {

/// The stream of a call's messages. It keeps the first error, for programs that
/// asked for JSON (writers/error_document.h).
class MessageStream {
 public:
  explicit MessageStream(llvm::raw_ostream &os) : os_(os) {}
  MessageStream(const MessageStream &) = delete;
  MessageStream &operator=(const MessageStream &) = delete;

  operator llvm::raw_ostream &() { return os_; }
  template <typename T>
  MessageStream &operator<<(const T &value) {
    os_ << value;
    return *this;
  }
  void flush() { os_.flush(); }
  bool isDisplayed() const { return os_.is_displayed(); }

  void keep(ErrorOfCall error) {
    if (!first_) first_ = std::move(error);
  }
  /// Reports that the words of the call are wrong: `indexical: text`, and the
  /// call that may have been meant.
  void wrongWords(const std::string &text, llvm::StringRef meant = "");
  const std::optional<ErrorOfCall> &first() const { return first_; }

 private:
  llvm::raw_ostream &os_;
  std::optional<ErrorOfCall> first_;
};

class Reporter : public Messages {
 public:
  enum class Kind : uint8_t { Error, Warning, Note };
  static constexpr unsigned kMostOfAKind = 20;
  /// The characters shown of a source line and of a message's own text.
  static constexpr size_t kWindow = 120;
  static constexpr size_t kMostText = 1000;

  /// `name` is written before the place. Places are in `text`, which must
  /// outlive the reporter. One that is quiet reports errors alone.
  Reporter(MessageStream &to, std::string name, llvm::StringRef text,
           bool isQuiet = false);
  Reporter(const Reporter &) = delete;
  Reporter &operator=(const Reporter &) = delete;
  ~Reporter() override { finish(); }

  /// Reports an error, with the place and the suggestion of the status.
  void error(const absl::Status &status) override;
  void warning(Place place, llvm::StringRef text) override;
  void note(Place place, llvm::StringRef text) override;

  /// Sets a function to be called before a message, so that the message begins
  /// on a line of its own.
  void beforeMessage(std::function<void()> prepare) {
    prepare_ = std::move(prepare);
  }

  unsigned errorCount() const { return counts_[size_t(Kind::Error)]; }
  /// Reports the number of messages that were left out.
  void finish();

 private:
  void report(Kind kind, Place place, llvm::StringRef text,
              llvm::StringRef suggestion, bool hasOwnKind = false);
  void print(llvm::StringRef text);
  void showSource(Place place);

  MessageStream &to_;
  llvm::raw_ostream &os_;
  const std::string name_;
  const llvm::StringRef text_;
  const bool colours_, isQuiet_;
  std::array<unsigned, 3> counts_{};
  bool finished_ = false;
  std::function<void()> prepare_;
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_REPORTER_H
