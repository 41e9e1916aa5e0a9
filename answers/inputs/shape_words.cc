#include "indexical/answers/inputs/shape_words.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include "indexical/import/hlo/hlo_parser.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

absl::StatusOr<ArrayShape> shapeOfWords(llvm::StringRef text) {
  const bool isShape = !text.empty() && llvm::all_of(text, [](char c) {
    return llvm::isAlnum(c) || llvm::StringRef("[]{}:,()*<=?").contains(c);
  });
  auto program = isShape ? parseHlo(absl::StrCat("f { ROOT p = ", text.str(),
                                                 " parameter(0) }"))
                         : absl::InvalidArgumentError("");
  if (!program.ok() || program->modules.size() != 1 ||
      program->modules[0].computations.size() != 1 ||
      program->modules[0].computations[0].instructions.size() != 1)
    return errorAt({}, absl::StrCat("`", text.str(),
                                    "` is not a shape such as "
                                    "f32[16,1024]{1,0}"));
  const auto leaves =
      program->modules[0].computations[0].instructions[0].shape.leaves();
  if (leaves.size() != 1)
    return errorAt({}, absl::StrCat("`", text.str(), "` is not an array"));
  return leaves[0];
}

}  // namespace indexical
