// A text with some of its parts replaced, which still knows where each part
// stood.
//
//   TextEdits edits("%0 = mhlo.abs %x : tensor<4xf32>");
//   edits.replace(5, 13, "stablehlo.abs");
//   EditedText made = edits.made();
//
// `made.text` is `%0 = stablehlo.abs %x : tensor<4xf32>`, and
// `made.original(19)` is 14, the offset of `%x` in the first text.
//
// MLIR's parser gives places in the text that it reads; people want them in
// the file that they hold.
#ifndef INDEXICAL_IMPORT_STABLEHLO_TEXT_EDITS_H
#define INDEXICAL_IMPORT_STABLEHLO_TEXT_EDITS_H

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"

namespace indexical {

struct EditedText {
  /// One replaced part: where it begins in both texts, and how long it is.
  struct Part {
    size_t edited, original, editedSize, originalSize;
  };
  std::string text;
  std::vector<Part> parts;  ///< in order

  /// Returns the offset in the original of what stands at `offset` of the text.
  /// Within a replaced part it is where that part begins.
  size_t original(size_t offset) const;
  /// Returns the offset in the text of what stood at `offset` of the original.
  /// Within a replaced part it is where that part begins.
  size_t edited(size_t offset) const;
};

class TextEdits {
 public:
  /// `original` must outlive the object.
  explicit TextEdits(llvm::StringRef original) : original_(original) {}

  llvm::StringRef original() const { return original_; }
  bool empty() const { return edits_.empty(); }

  /// Replaces [begin, end) of the original, and drops the edits within it.
  /// Neither end may lie within another edit.
  void replace(size_t begin, size_t end, std::string with);

  EditedText made() const;

 private:
  struct Edit {
    size_t end;
    std::string with;
  };
  llvm::StringRef original_;
  std::map<size_t, Edit> edits_;  ///< by where the replaced part begins
};

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_TEXT_EDITS_H
