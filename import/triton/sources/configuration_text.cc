#include "indexical/import/triton/sources/configuration_text.h"

#include "absl/strings/escaping.h"
#include "absl/strings/string_view.h"

namespace indexical {

std::string configurationText(llvm::StringRef raw) {
  raw = raw.trim();
  if (!raw.consume_front("\"")) return raw.str();
  raw.consume_back("\"");
  std::string text;
  // XLA writes what C's escapes say.
  if (absl::CUnescape(absl::string_view(raw.data(), raw.size()), &text))
    return text;
  text.clear();
  for (size_t i = 0; i < raw.size(); ++i) {
    if (raw[i] == '\\' && i + 1 < raw.size()) ++i;
    text += raw[i];
  }
  return text;
}

}  // namespace indexical
