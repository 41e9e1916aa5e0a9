#include "indexical/import/hlo/source.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

Place Source::placeOf(const char *position) const {
  if (position < text_.begin() || position > text_.end()) return {};
  return placeOfOffset(text_, position - text_.begin());
}

bool Source::fail(Place place, const llvm::Twine &message,
                  llvm::StringRef suggestion) {
  if (!failed()) error_ = errorAt(place, message.str(), suggestion);
  return false;
}

bool Source::fail(const char *position, const llvm::Twine &message,
                  llvm::StringRef suggestion) {
  // To find a place takes a walk through the text: once.
  return failed() ? false : fail(placeOf(position), message, suggestion);
}

bool Source::fail(absl::Status status) {
  if (!failed()) error_ = std::move(status);
  return false;
}

void Source::warn(llvm::StringRef word, std::string text) {
  if (warned_.insert(word).second) warnings_.push_back({word, std::move(text)});
}

llvm::ArrayRef<Source::Warning> Source::warnings() {
  llvm::sort(warnings_, [](const Warning &a, const Warning &b) {
    return a.word.data() < b.word.data();
  });
  return warnings_;
}

}  // namespace indexical
