// Source text: places in it, and the first error.
//
// Everything that the parser finds is a view of one text, so a pointer into the
// text is a place. Functions of the parser return false on failure and leave
// the reason here. The first error counts, since later ones are often only its
// echo:
//
//   if (!lexer.expect('=')) return false;
//   ...
//   return source.fail(name, "unknown opcode `" + name + "`", "add");
#ifndef INDEXICAL_IMPORT_HLO_SOURCE_H
#define INDEXICAL_IMPORT_HLO_SOURCE_H

#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

class Source {
 public:
  explicit Source(llvm::StringRef text) : text_(text) {}

  llvm::StringRef text() const { return text_; }

  /// Returns the line and column of `position`, a pointer into the text. They
  /// are unknown if it points elsewhere.
  Place placeOf(const char *position) const;

  /// Notes an error and returns false.
  bool fail(Place place, const llvm::Twine &message,
            llvm::StringRef suggestion = "");
  bool fail(const char *position, const llvm::Twine &message,
            llvm::StringRef suggestion = "");
  bool fail(llvm::StringRef where, const llvm::Twine &message,
            llvm::StringRef suggestion = "") {
    return fail(where.data(), message, suggestion);
  }
  bool fail(absl::Status status);

  bool failed() const { return !error_.ok(); }
  const absl::Status &error() const { return error_; }

  /// A warning about a word of a text that is read all the same. Of equal words
  /// only the first has one.
  struct Warning {
    llvm::StringRef word;
    std::string text;
  };
  bool hasWarned(llvm::StringRef word) const { return warned_.contains(word); }
  void warn(llvm::StringRef word, std::string text);
  /// Returns the warnings in the order of the text.
  llvm::ArrayRef<Warning> warnings();
  /// Adds the warnings of `next`, a source of the same text whose part follows
  /// this one's.
  void warnAsIn(const Source &next) {
    for (const Warning &warning : next.warnings_)
      warn(warning.word, warning.text);
  }

 private:
  llvm::StringRef text_;
  absl::Status error_;
  std::vector<Warning> warnings_;
  llvm::DenseSet<llvm::StringRef> warned_;
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_HLO_SOURCE_H
