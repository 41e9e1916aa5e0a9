#include "indexical/indexing/diagnostic.h"

#include <algorithm>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"

namespace indexical {
namespace {

constexpr absl::string_view kPlaceUrl = "indexical/place";
constexpr absl::string_view kSuggestionUrl = "indexical/suggestion";

absl::string_view view(llvm::StringRef text) {
  return absl::string_view(text.data(), text.size());
}

/// Whether two words differ by two neighbours that are swapped, which LLVM's
/// distance counts as two edits.
bool areSwapped(llvm::StringRef a, llvm::StringRef b) {
  if (a.size() != b.size()) return false;
  const size_t i =
      std::mismatch(a.begin(), a.end(), b.begin()).first - a.begin();
  return i + 1 < a.size() && a[i] == b[i + 1] && a[i + 1] == b[i] &&
         a.drop_front(i + 2) == b.drop_front(i + 2);
}

}  // namespace

Place placeOfOffset(llvm::StringRef text, size_t offset) {
  offset = std::min(offset, text.size());
  llvm::StringRef before = text.take_front(offset);
  size_t lineStart = before.rfind('\n');
  lineStart = lineStart == llvm::StringRef::npos ? 0 : lineStart + 1;
  return {static_cast<uint32_t>(before.count('\n') + 1),
          static_cast<uint32_t>(offset - lineStart + 1)};
}

absl::Status errorAt(Place place, llvm::StringRef message,
                     llvm::StringRef suggestion) {
  absl::Status status = absl::InvalidArgumentError(view(message));
  if (!suggestion.empty())
    status.SetPayload(kSuggestionUrl, absl::Cord(view(suggestion)));
  return withPlace(std::move(status), place);
}

absl::Status withPlace(absl::Status status, Place place) {
  if (status.ok() || !place.known() || status.GetPayload(kPlaceUrl))
    return status;
  std::string text =
      std::to_string(place.line) + ":" + std::to_string(place.column);
  status.SetPayload(kPlaceUrl, absl::Cord(absl::string_view(text)));
  return status;
}

std::optional<Place> placeOf(const absl::Status &status) {
  auto payload = status.GetPayload(kPlaceUrl);
  if (!payload) return std::nullopt;
  std::string text(*payload);
  auto [line, column] = llvm::StringRef(text).split(':');
  Place place;
  if (line.getAsInteger(10, place.line) ||
      column.getAsInteger(10, place.column))
    return std::nullopt;
  return place;
}

std::string suggestionOf(const absl::Status &status) {
  auto payload = status.GetPayload(kSuggestionUrl);
  return payload ? std::string(*payload) : std::string();
}

llvm::StringRef nearest(llvm::StringRef word,
                        llvm::ArrayRef<llvm::StringRef> candidates) {
  if (word.empty() || word.size() > 64) return "";
  for (llvm::StringRef candidate : candidates)
    if (candidate.equals_insensitive(word) && candidate != word)
      return candidate;
  // Any two short words are near each other.
  if (word.size() <= 2) return "";
  unsigned limit = std::max<unsigned>(1, word.size() / 3);
  llvm::StringRef best;
  for (llvm::StringRef candidate : candidates) {
    const unsigned distance =
        areSwapped(word, candidate)
            ? 1
            : word.edit_distance(candidate, /*AllowReplacements=*/true, limit);
    if (distance <= limit && distance > 0) {
      best = candidate;
      limit = distance - 1;
      if (limit == 0) break;
    }
  }
  return best;
}

}  // namespace indexical
