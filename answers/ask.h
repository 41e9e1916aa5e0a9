// Execution options of a question about a program: its budget and
// cancellation, its threads, and the receiver of its messages.
//
//   MessageList messages;
//   auto measured =
//       measure(*std::move(program), question, {budget, /*jobs=*/8, messages});
//
// Without it, a question works alone for as long as it takes, and its messages
// are dropped.
//
// A question and its answer are plain values; an answer may also be a stream of
// values. Whatever else a call takes from its environment is in an Ask.
#ifndef INDEXICAL_ANSWERS_ASK_H
#define INDEXICAL_ANSWERS_ASK_H

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/indexing/budget.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Receives warnings and errors that do not end a question, for example about a
/// kernel that is left out. Each has a place in the program's text. All are
/// sent by the calling thread.
class Messages {
 public:
  virtual ~Messages() = default;
  /// Receives an error; its status has the place.
  virtual void error(const absl::Status &status) = 0;
  virtual void warning(Place place, llvm::StringRef text) = 0;
  virtual void note(Place place, llvm::StringRef text) = 0;

  /// Returns a receiver that drops all messages.
  static Messages &none();
};

/// A receiver that keeps all messages, in order.
class MessageList : public Messages {
 public:
  enum class Kind { Error, Warning, Note };
  struct Message {
    Kind kind;
    Place place;  ///< may be unknown
    std::string text;
  };

  void error(const absl::Status &status) override {
    messages.push_back({Kind::Error, placeOf(status).value_or(Place()),
                        std::string(status.message())});
  }
  void warning(Place place, llvm::StringRef text) override {
    messages.push_back({Kind::Warning, place, text.str()});
  }
  void note(Place place, llvm::StringRef text) override {
    messages.push_back({Kind::Note, place, text.str()});
  }

  std::vector<Message> messages;
};

struct Ask {
  Budget budget = {};  ///< of each question inside; its stop ends them all
  size_t jobs = 1;     ///< the largest number of threads
  Messages &messages = Messages::none();
  /// Called by the calling thread after each item of a long answer.
  std::function<void()> itemDone = {};
};

inline Messages &Messages::none() {
  class Dropped : public Messages {
    void error(const absl::Status &) override {}
    void warning(Place, llvm::StringRef) override {}
    void note(Place, llvm::StringRef) override {}
  };
  static Dropped dropped;
  return dropped;
}

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_ASK_H
