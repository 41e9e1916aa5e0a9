// What a command reads: a whole file, or standard input, as text. A file that
// gzip or Zstandard compressed is read as what it holds.
#ifndef INDEXICAL_TOOLS_INPUT_H
#define INDEXICAL_TOOLS_INPUT_H

#include <memory>
#include <string>
#include <utility>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/program/custom_calls.h"

namespace indexical {

/// A text that its copies share, and the program that is made of it: it may
/// have 300 MB.
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
  /// What ops of a program mean that the library does not know; null: nothing.
  std::shared_ptr<const CustomCallRegistry> ops = nullptr;

  /// The path, or `<stdin>`: what messages begin with.
  std::string displayName() const { return path == "-" ? "<stdin>" : path; }
};

/// What the bytes of a file are: its text, taken out of a compressed one.
absl::StatusOr<Input> inputOfBytes(std::string bytes, llvm::StringRef path);

/// The file's text. An error, without a place, where it cannot be read.
absl::StatusOr<Input> readInput(llvm::StringRef path);

/// An error where there is nothing to parse: no text at all, or bytes that are
/// no text (a serialized module). MLIR may be bytecode.
absl::Status checkIsReadable(const Input &input, bool isMlir);

/// Whether the text begins as MLIR does and HLO does not, or is its bytecode.
bool looksLikeMlir(llvm::StringRef text);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_INPUT_H
