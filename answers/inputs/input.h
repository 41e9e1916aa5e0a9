// The input of a command: a whole file, or standard input, as text. A file that
// gzip or Zstandard compressed is decompressed.
#ifndef INDEXICAL_ANSWERS_INPUTS_INPUT_H
#define INDEXICAL_ANSWERS_INPUTS_INPUT_H

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/module/custom_calls.h"

namespace indexical {

/// A text that its copies and its program share: it may have 300 MB.
class SharedText {
 public:
  SharedText(std::string text = "")
      : text_(std::make_shared<const std::string>(std::move(text))) {}

  operator llvm::StringRef() const { return *text_; }
  const std::shared_ptr<const std::string> &shared() const { return text_; }

 private:
  std::shared_ptr<const std::string> text_;  // never null
};

struct Input {
  std::string path;  ///< as given; "-" for standard input
  SharedText text;
  /// The descriptors of ops that the library does not know; null: none.
  std::shared_ptr<const CustomCallRegistry> ops = nullptr;

  /// Returns the path, or `<stdin>`, for the beginning of messages.
  std::string displayName() const { return path == "-" ? "<stdin>" : path; }
};

/// Returns the input that the bytes of a file are, decompressed if necessary.
absl::StatusOr<Input> inputOfBytes(std::string bytes, llvm::StringRef path);

/// Returns the file's text, or an error without a place if it cannot be read.
absl::StatusOr<Input> readInput(llvm::StringRef path);

/// Returns an error if there is nothing to parse: an empty text, a profile, or
/// bytes that are not text (a serialized module). MLIR may be bytecode.
absl::Status checkIsReadable(const Input &input, bool isMlir);

/// Returns whether the text begins as MLIR does and HLO does not, or is MLIR
/// bytecode.
bool looksLikeMlir(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_INPUTS_INPUT_H
