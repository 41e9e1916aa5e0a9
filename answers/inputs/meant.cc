#include "indexical/answers/inputs/meant.h"

#include <string>
#include <system_error>
#include <vector>

#include "absl/strings/cord.h"
#include "absl/strings/string_view.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include "indexical/answers/inputs/dump_folder.h"
#include "indexical/answers/inputs/foreign.h"
#include "indexical/answers/inputs/kernel_input.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {

using llvm::StringRef;
namespace fs = llvm::sys::fs;

namespace {

/// The files of a folder that are looked at for a name like the wrong one.
constexpr size_t kMostFiles = 10'000;
/// A longer text is not looked through.
constexpr size_t kBeginningMeant = size_t{1} << 16;

bool isMaps(StringRef text) {
  text = text.ltrim();
  return text.starts_with("(") && text.split('\n').first.contains(") -> (");
}

bool isModule(StringRef text) {
  const StringRef beginning = text.take_front(kBeginningMeant);
  return beginning.ltrim().starts_with("HloModule") || looksLikeMlir(text) ||
         beginning.contains(" parameter(") || beginning.contains("\nENTRY ");
}

bool isAnswer(StringRef text) {
  return text.ltrim().take_front(64).contains("\"schema\":\"indexical/");
}

constexpr char kAnswerOfOurs[] =
    "this is an answer of Indexical, and what is read is a program; "
    "`report --baseline` takes an earlier report";

}  // namespace

bool isNameOfFile(StringRef word) {
  word = word.trim();
  if (word.empty() || word.size() > 4096 || word.contains('\n') ||
      word.contains('{'))
    return false;
  for (const StringRef ending :
       {".hlo", ".txt", ".mlir", ".mlirbc", ".hlotxt", ".pb", ".ttir", ".ttgir",
        ".layouts", ".gz", ".zst"})
    if (word.ends_with(ending)) return true;
  return fs::exists(word);
}

bool looksLikeText(StringRef word) {
  word = word.ltrim();
  return word.contains('\n') || word.starts_with("HloModule ") ||
         word.starts_with("module ") || word.starts_with("func.func ") ||
         isMaps(word) || (word.contains('{') && word.contains(" parameter("));
}

absl::Status aboutNoModule(const Input &input, absl::Status error) {
  const StringRef text = input.text;
  if (isNameOfFile(text))
    return absl::InvalidArgumentError(
        "`" + text.trim().str() +
        "` is the name of a file, and the text of a module is read here; in "
        "Python, Program(pathlib.Path(NAME)) reads the file");
  if (isAnswer(text)) return absl::InvalidArgumentError(kAnswerOfOurs);
  if (isMaps(text))
    return errorAt({1, 1},
                   "these are maps, and a module is read here; `simplify`, "
                   "`compose`, `equal`, `inverse` and `count` read maps");
  if (holdsKernels(input))
    return absl::Status(
        error.code(),
        std::string(error.message()) +
            " (this is a kernel of Triton: `kernel` and `report` read it)");
  if (const auto foreign = foreignFile(text))
    return absl::InvalidArgumentError(*foreign);
  if (isSideFile(input.path))
    return absl::InvalidArgumentError(
        "this is a file that XLA writes beside its modules; the module is the "
        "`*after_optimizations.txt` of the same number, and `report` takes the "
        "whole folder");
  return error;
}

absl::Status aboutNoMaps(const Input &input, absl::Status error) {
  const StringRef text = input.text;
  if (isAnswer(text)) return absl::InvalidArgumentError(kAnswerOfOurs);
  if (const auto foreign = foreignFile(text))
    return absl::InvalidArgumentError(*foreign);
  if (isModule(text))
    return errorAt({1, 1},
                   "this is a module, and maps are read here; `dump` prints "
                   "the maps of a module, and `equal` compares two modules, "
                   "one a file");
  return error;
}

absl::Status aboutNoLayouts(const Input &input, absl::Status error) {
  if (isAnswer(input.text)) return absl::InvalidArgumentError(kAnswerOfOurs);
  if (const auto foreign = foreignFile(input.text))
    return absl::InvalidArgumentError(*foreign);
  if (isModule(input.text))
    return errorAt({1, 1},
                   "this is a module, and layouts are read here: `.ttgir` of "
                   "Triton, or lines of layouts; `dump --index-order=physical` "
                   "shows where a module's elements lie");
  return error;
}

absl::Status aboutNoFile(StringRef path, StringRef reason) {
  const std::string message = ("cannot be read: " + reason).str();
  if (looksLikeText(path))
    return absl::NotFoundError(
        "this is a text and no name of a file; a text is read from standard "
        "input: echo '…' | indexical …");
  const StringRef folder = llvm::sys::path::parent_path(path);
  std::vector<std::string> found;
  std::error_code error;
  for (fs::directory_iterator at(folder.empty() ? "." : folder, error), end;
       at != end && !error && found.size() < kMostFiles; at.increment(error))
    found.push_back(llvm::sys::path::filename(at->path()).str());
  llvm::sort(found);
  llvm::SmallVector<StringRef, 16> names(found.begin(), found.end());
  const StringRef name = llvm::sys::path::filename(path);
  const StringRef near = nearest(name, names);
  if (near.empty() || near == name) return absl::NotFoundError(message);
  const std::string meant = path.drop_back(name.size()).str() + near.str();
  // Callers ask whether the file is not there.
  absl::Status missing = absl::NotFoundError(message);
  errorAt({}, message, meant)
      .ForEachPayload([&](absl::string_view key, const absl::Cord &value) {
        missing.SetPayload(key, value);
      });
  return missing;
}

}  // namespace indexical
