#include "indexical/indexing/diagnostic.h"

#include <algorithm>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/SmallVector.h"

namespace indexical {
namespace {

constexpr absl::string_view kPlaceUrl = "indexical/place";
constexpr absl::string_view kSuggestionUrl = "indexical/suggestion";

absl::string_view view(llvm::StringRef text) {
  return absl::string_view(text.data(), text.size());
}

/// How many letters are added, left out, replaced, or swapped with the next one
/// to make `b` of `a`; `limit` + 1 for any number beyond it.
unsigned editDistance(llvm::StringRef a, llvm::StringRef b, unsigned limit) {
  if (std::max(a.size(), b.size()) - std::min(a.size(), b.size()) > limit)
    return limit + 1;
  // Rows i - 2, i - 1 and i: element j is the distance of the prefixes.
  llvm::SmallVector<unsigned, 65> older(b.size() + 1), old(b.size() + 1),
      row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j) row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    older.swap(old);
    old.swap(row);
    row[0] = i;
    for (size_t j = 1; j <= b.size(); ++j) {
      row[j] = std::min({old[j] + 1, row[j - 1] + 1,
                         old[j - 1] + (a[i - 1] == b[j - 1] ? 0u : 1u)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        row[j] = std::min(row[j], older[j - 2] + 1);
    }
  }
  return std::min(row[b.size()], limit + 1);
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
  // Of two short words each is near the other.
  if (word.size() <= 2) return "";
  unsigned limit = std::max<unsigned>(1, word.size() / 3);
  llvm::StringRef best;
  for (llvm::StringRef candidate : candidates) {
    unsigned distance = editDistance(word, candidate, limit);
    if (distance <= limit && distance > 0) {
      best = candidate;
      limit = distance - 1;
      if (limit == 0) break;
    }
  }
  return best;
}

}  // namespace indexical
