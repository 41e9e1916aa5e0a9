// Decompression of files. The first bytes of a file say its format, not its
// name, so standard input may be compressed too.
#ifndef INDEXICAL_IMPORT_WIRE_DECOMPRESS_H
#define INDEXICAL_IMPORT_WIRE_DECOMPRESS_H

#include <cstddef>
#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// A text of more bytes is refused: a few compressed kilobytes can hold any
/// number of bytes.
constexpr size_t kMostText = size_t(1) << 32;

/// Returns whether the bytes begin as gzip's or Zstandard's do.
bool isCompressed(llvm::StringRef bytes);

/// Returns the text of all members of a .gz or all frames of a .zst. Returns an
/// error if the bytes end early or are damaged, or if the text has more than
/// `most` bytes.
absl::StatusOr<std::string> decompress(llvm::StringRef bytes,
                                       size_t most = kMostText);

/// Returns whether the bytes begin as zlib's format does: `x` and a level. A
/// text may begin so, too; call this only if zlib's format is expected.
bool isZlib(llvm::StringRef bytes);

/// Returns the text of bytes in zlib's format, with the errors of decompress().
absl::StatusOr<std::string> inflateZlib(llvm::StringRef bytes,
                                        size_t most = kMostText);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_WIRE_DECOMPRESS_H
