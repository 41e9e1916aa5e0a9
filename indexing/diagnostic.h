// Errors that know their place.
//
// A user's mistake is an absl::Status whose message is one sentence; the place
// in the text and, if one is near, a suggestion travel with it as a payload.
// The tool that knows the file's name and text prints them:
//
//   maps.txt:1:12: error: unknown variable `bath`
//   (batch) -> (bath + 1)
//               ^
//   did you mean `batch`?
#ifndef INDEXICAL_INDEXING_DIAGNOSTIC_H
#define INDEXICAL_INDEXING_DIAGNOSTIC_H

#include <cstdint>
#include <optional>
#include <string>

#include "absl/status/status.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace indexical {

/// Line and column count from 1; a column counts bytes. 0: not known.
struct Place {
  uint32_t line = 0;
  uint32_t column = 0;
  bool known() const { return line != 0; }
  bool operator==(const Place &o) const {
    return line == o.line && column == o.column;
  }
};

/// The place of byte `offset` in `text` (at most its size).
Place placeOfOffset(llvm::StringRef text, size_t offset);

/// An InvalidArgument status with `message`, its place, and the text that the
/// user may have meant ("" for none).
absl::Status errorAt(Place place, llvm::StringRef message,
                     llvm::StringRef suggestion = "");

/// `status` with `place` added if it has none yet.
absl::Status withPlace(absl::Status status, Place place);

std::optional<Place> placeOf(const absl::Status &status);
/// The suggestion, or "".
std::string suggestionOf(const absl::Status &status);

/// The candidate nearest to `word`, if it is near enough to be worth a
/// suggestion. It is the same but for upper and lower case; or, for a word of
/// three letters and more, one edit away, or at most a third as many edits as
/// the word has letters. Two neighbours that are swapped are one edit if
/// nothing else differs. Else "".
llvm::StringRef nearest(llvm::StringRef word,
                        llvm::ArrayRef<llvm::StringRef> candidates);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_DIAGNOSTIC_H
