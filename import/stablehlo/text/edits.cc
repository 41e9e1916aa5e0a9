#include "indexical/import/stablehlo/text/edits.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {
namespace {

using Part = EditedText::Part;

// Translates an offset from one text to the other: `from` and `fromSize` are
// the columns of the text that it is of.
size_t translated(const std::vector<Part> &parts, size_t offset,
                  size_t Part::*from, size_t Part::*fromSize, size_t Part::*to,
                  size_t Part::*toSize) {
  const auto after = llvm::upper_bound(
      parts, offset,
      [from](size_t value, const Part &part) { return value < part.*from; });
  if (after == parts.begin()) return offset;
  const Part &part = *std::prev(after);
  const size_t behind = offset - part.*from;
  return behind < part.*fromSize
             ? part.*to
             : part.*to + part.*toSize + (behind - part.*fromSize);
}

}  // namespace

size_t EditedText::original(size_t offset) const {
  return translated(parts, offset, &Part::edited, &Part::editedSize,
                    &Part::original, &Part::originalSize);
}

size_t EditedText::edited(size_t offset) const {
  return translated(parts, offset, &Part::original, &Part::originalSize,
                    &Part::edited, &Part::editedSize);
}

void TextEdits::replace(size_t begin, size_t end, std::string with) {
  edits_.erase(edits_.lower_bound(begin), edits_.lower_bound(end));
  edits_[begin] = {end, std::move(with)};
}

EditedText TextEdits::made() const {
  EditedText made;
  size_t at = 0;
  for (const auto &[begin, edit] : edits_) {
    made.text += original_.slice(at, begin);
    made.parts.push_back(
        {made.text.size(), begin, edit.with.size(), edit.end - begin});
    made.text += edit.with;
    at = edit.end;
  }
  made.text += original_.substr(at);
  return made;
}

}  // namespace indexical
