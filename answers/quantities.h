// Quantities as people write them, in questions.
//
//   parseBytes("10MB")    10,000,000
//   isTileSize("128")  true; a name, `a`, stands for any size
#ifndef INDEXICAL_ANSWERS_QUANTITIES_H
#define INDEXICAL_ANSWERS_QUANTITIES_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Returns a number of bytes, `4096`, `10MB` or `1.5GiB`, or nothing if the
/// word is not one.
std::optional<int64_t> parseBytes(llvm::StringRef word);

/// Returns whether the word is a size of a tile: a number of at least 1, or a
/// name. A tile's offsets are called o0, o1…, and runtime variables rt0, rt1…;
/// these are not names of sizes.
bool isTileSize(llvm::StringRef word);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_QUANTITIES_H
