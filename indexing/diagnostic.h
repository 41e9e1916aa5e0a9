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

/// Returns the line and column of byte `offset` in `text`, both from 1 on. An
/// offset past the end counts as the end.
Place placeOfOffset(llvm::StringRef text, size_t offset);

/// Returns an InvalidArgument status with `message`, its place, and the text
/// that the user may have meant ("" for none).
absl::Status errorAt(Place place, llvm::StringRef message,
                     llvm::StringRef suggestion = "");

/// Returns the status with `place` added, or the status as it is if it has a
/// place.
absl::Status withPlace(absl::Status status, Place place);

std::optional<Place> placeOf(const absl::Status &status);
/// Returns the suggestion that errorAt() was given, or "".
std::string suggestionOf(const absl::Status &status);

/// Returns the candidate nearest to `word`, or "" if none is near enough to be
/// worth a suggestion. A near one differs in upper and lower case alone or, for
/// a word of three letters and more, is one edit away, or at most a third as
/// many edits as the word has letters. Two neighbours that are swapped are one
/// edit if nothing else differs.
llvm::StringRef nearest(llvm::StringRef word,
                        llvm::ArrayRef<llvm::StringRef> candidates);

}  // namespace indexical

#endif  // INDEXICAL_INDEXING_DIAGNOSTIC_H
