// What a command reads: a whole file, or standard input, as text. A file that
// gzip or Zstandard compressed is read as what it holds.
#ifndef INDEXICAL_TOOLS_INPUT_H
#define INDEXICAL_TOOLS_INPUT_H

#include <string>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

struct Input {
  std::string path;  ///< as given; "-" for standard input
  std::string text;

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
