// Compressed files as their text. What a file is, its first bytes say, not its
// name: so standard input may be compressed too.
#ifndef INDEXICAL_WIRE_DECOMPRESS_H
#define INDEXICAL_WIRE_DECOMPRESS_H

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// A text of more bytes is refused: a few kilobytes can hold any number.
constexpr size_t kMostText = size_t(1) << 32;

/// Whether the bytes begin as gzip's or Zstandard's do.
bool isCompressed(llvm::StringRef bytes);

/// All members of a .gz, all frames of a .zst. An error where the bytes end
/// early or are damaged, or the text is too long.
absl::StatusOr<std::string> decompress(llvm::StringRef bytes,
                                       size_t most = kMostText);

/// Whether the bytes begin as zlib's format does: `x` and a level. A text may
/// begin so, too: only who expects zlib's asks.
bool isZlib(llvm::StringRef bytes);

/// What zlib's format holds. The same errors.
absl::StatusOr<std::string> inflateZlib(llvm::StringRef bytes,
                                        size_t most = kMostText);

}  // namespace indexical

#endif  // INDEXICAL_WIRE_DECOMPRESS_H
