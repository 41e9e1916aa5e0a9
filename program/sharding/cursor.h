// A reader of the text of a sharding, private to sharding/. It has a position
// in the text, and moves behind the text that it reads.
#ifndef INDEXICAL_PROGRAM_SHARDING_CURSOR_H
#define INDEXICAL_PROGRAM_SHARDING_CURSOR_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Reads words, numbers and brackets. It keeps the first error, and every
/// reader returns false from then on. It passes over blanks, comments and the
/// backslash of an escaped quote.
class Cursor {
 public:
  explicit Cursor(llvm::StringRef text) : text_(text) {}

  char peek();
  bool atEnd() { return peek() == '\0'; }
  bool consume(llvm::StringRef token);
  bool expect(llvm::StringRef token);
  /// Reads letters, digits, `_`, `-` and `.`. The word may be empty.
  llvm::StringRef word();
  /// Reads a text in quotes of either kind.
  bool quoted(std::string &value);
  bool integer(int64_t &value);
  /// Reads `1,2,3` and the closing bracket behind it.
  bool integers(llvm::StringRef close, llvm::SmallVectorImpl<int64_t> &values);
  /// Skips a text in braces. A brace in quotes does not count.
  bool skipBraces();

  bool fail(const llvm::Twine &message);
  bool failAt(size_t offset, const llvm::Twine &message);
  size_t offset() { return peek(), at_; }
  bool failed() const { return !status_.ok(); }
  const absl::Status &status() const { return status_; }

 private:
  void skip();

  llvm::StringRef text_;
  size_t at_ = 0;
  absl::Status status_ = absl::OkStatus();
};

}  // namespace indexical

#endif  // INDEXICAL_PROGRAM_SHARDING_CURSOR_H
