#include "indexical/answers/inputs/cut_dump.h"

#include <algorithm>

namespace indexical {

using llvm::StringRef;

std::optional<CutDump> beforeCut(StringRef text, const absl::Status &error) {
  const std::optional<Place> place = placeOf(error);
  if (!place || !text.ltrim().starts_with("HloModule")) return std::nullopt;
  const StringRef whole = text.rtrim();
  const auto lines = static_cast<uint32_t>(whole.count('\n') + 1);
  // Where the last line reads as a whole, the computation is what does not end.
  const bool isOpen =
      error.message().find("has no `}`") != error.message().npos;
  // A text that ends where a computation does is not cut.
  if ((!isOpen && place->line < lines) || whole.ends_with("}\n") ||
      whole.ends_with("\n}"))
    return std::nullopt;
  const StringRef before = whole.take_front(whole.rfind('\n') + 1);
  // The entry is the last computation of a dump.
  size_t entry = before.rfind("\nENTRY ");
  if (entry == StringRef::npos) return std::nullopt;
  ++entry;
  const size_t header = before.find('\n', entry);
  if (header == StringRef::npos ||
      !before.substr(header).contains(" parameter("))
    return std::nullopt;
  // The header says the shape of a root that is not there.
  StringRef name = before.slice(entry, header);
  name = name.take_front(std::min(name.find(" ("), name.find(" {")));
  std::string kept = before.take_front(entry).str();
  kept += name.str() + " {" + before.substr(header).str() + "}\n";
  CutDump cut;
  cut.text = std::make_shared<const std::string>(std::move(kept));
  cut.end = {lines, 1};
  cut.warning =
      "the dump ends here, in the middle of its entry: what stands before is "
      "answered";
  return cut;
}

}  // namespace indexical
