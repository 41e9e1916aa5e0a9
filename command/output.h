// The output of a call: the given stream, or the file of `-o`.
#ifndef INDEXICAL_COMMAND_OUTPUT_H
#define INDEXICAL_COMMAND_OUTPUT_H

#include <cstddef>
#include <memory>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// The number of bytes that a call to the system writes. LLVM's own buffer is a
/// page of memory, which would need a call for each item or two.
inline constexpr size_t kOutputBuffer = 1 << 16;

/// The file is opened only when there is something to write: a call that fails
/// leaves the file of an earlier call as it is.
class Output {
 public:
  /// `path` "-" is `standard`, which must outlive this object.
  Output(llvm::StringRef path, llvm::raw_ostream &standard);

  /// Returns an error if the file cannot be opened.
  absl::Status open();
  /// Like open, but keeps the first `bytes` bytes of the file. Not for
  /// `standard`.
  absl::Status openBehind(size_t bytes);
  llvm::raw_ostream &stream();
  /// Returns an error if something could not be written.
  absl::Status close();
  /// Returns whether it goes to a terminal.
  bool isDisplayed() const;

 private:
  absl::Status opened(std::error_code error);

  const std::string path_;
  llvm::raw_ostream &standard_;
  std::unique_ptr<llvm::raw_fd_ostream> file_;
};

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_OUTPUT_H
