// Where results go: the stream that was given, or the file of `-o`.
#ifndef INDEXICAL_TOOLS_OUTPUT_H
#define INDEXICAL_TOOLS_OUTPUT_H

#include <cstddef>
#include <memory>
#include <string>
#include <system_error>

#include "absl/status/status.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

namespace indexical {

/// What a call to the system writes at once. LLVM's own buffer is a page of
/// memory: a call for each item or two.
inline constexpr size_t kOutputBuffer = 1 << 16;

/// Made only when there is something to write: a call that fails leaves the
/// file of an earlier one alone.
class Output {
 public:
  /// "-": `standard`, which must outlive it.
  Output(llvm::StringRef path, llvm::raw_ostream &standard);

  /// An error where the file cannot be opened.
  absl::Status open();
  /// As it, but so many bytes of what is there stay. Not of `standard`.
  absl::Status openBehind(size_t bytes);
  llvm::raw_ostream &stream();
  /// An error where something could not be written.
  absl::Status close();
  /// Whether it goes to a terminal.
  bool isDisplayed() const;

 private:
  absl::Status opened(std::error_code error);

  const std::string path_;
  llvm::raw_ostream &standard_;
  std::unique_ptr<llvm::raw_fd_ostream> file_;
};

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_OUTPUT_H
