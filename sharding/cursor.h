// A place in the text of a sharding, private to sharding/.
#ifndef INDEXICAL_SHARDING_CURSOR_H
#define INDEXICAL_SHARDING_CURSOR_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/status.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/Twine.h"

#include "indexical/indexing/diagnostic.h"

namespace indexical {

/// Reads words, numbers and brackets. The first error stays; every reader then
/// returns false. Blanks, comments and the backslash of an escaped quote are
/// passed over.
class Cursor {
 public:
  explicit Cursor(llvm::StringRef text) : text_(text) {}

  char peek();
  bool atEnd() { return peek() == '\0'; }
  bool consume(llvm::StringRef token);
  bool expect(llvm::StringRef token);
  /// Letters, digits, `_`, `-` and `.`; may be empty.
  llvm::StringRef word();
  /// Text in quotes of either kind.
  bool quoted(std::string &value);
  bool integer(int64_t &value);
  /// `1,2,3` up to the closing bracket, which is read.
  bool integers(llvm::StringRef close, llvm::SmallVectorImpl<int64_t> &values);
  /// Passes over what stands in braces, quotes looked into.
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

#endif  // INDEXICAL_SHARDING_CURSOR_H
