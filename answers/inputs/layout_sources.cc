#include "indexical/answers/inputs/layout_sources.h"

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"

#include "indexical/answers/inputs/input.h"
#include "indexical/answers/inputs/input_list.h"
#include "indexical/answers/inputs/meant.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/layout/parse.h"

namespace indexical {

absl::StatusOr<std::vector<LayoutSource>> layoutSources(
    llvm::ArrayRef<std::string> words) {
  std::vector<LayoutSource> sources;
  for (const std::string &word : words) {
    const bool isList = llvm::StringRef(word).starts_with("@");
    if (!isList && word != "-" && !llvm::sys::fs::exists(word)) {
      LayoutSource &source = sources.emplace_back();
      source.name = source.text = word;
      auto layout = layouts::parseLayout(word);
      if (!layout.ok() && isNameOfFile(word))
        return aboutNoFile(word, "No such file or directory");
      source.listing.layouts.push_back({word, {1, 1}, 1, std::move(layout)});
      continue;
    }
    INDEXICAL_ASSIGN_OR_RETURN(const InputList files,
                               inputsOf({word}, {".ttgir", ".layouts"}));
    for (const std::string &path : files.paths) {
      auto input = readInput(path);
      if (!input.ok())
        return absl::NotFoundError(
            absl::StrCat("`", path, "` ", input.status().message()));
      LayoutSource &source = sources.emplace_back();
      source.name = path == "-" ? "" : path;
      source.text = llvm::StringRef(input->text).str();
      source.isFile = true;
      source.listing = layouts::isTtgir(source.text)
                           ? layouts::listTtgir(source.text)
                           : layouts::listLayouts(source.text);
      const bool isRead =
          llvm::any_of(source.listing.layouts,
                       [](const auto &each) { return each.layout.ok(); });
      if (!isRead)
        INDEXICAL_RETURN_IF_ERROR(aboutNoLayouts(*input, absl::OkStatus()));
    }
  }
  return sources;
}

}  // namespace indexical
