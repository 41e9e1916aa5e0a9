#include "indexical/answers/inputs/input_list.h"

#include <iterator>
#include <system_error>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/Support/FileSystem.h"

#include "indexical/answers/confined.h"
#include "indexical/answers/inputs/input.h"
#include "indexical/import/python/output_code.h"
#include "indexical/indexing/status_macros.h"

namespace indexical {
namespace {

using llvm::StringRef;
namespace fs = llvm::sys::fs;

using Endings = llvm::ArrayRef<StringRef>;

constexpr StringRef kOfModules[] = {".hlo",    ".txt",    ".mlir",
                                    ".mlirbc", ".hlotxt", ".pb"};

/// Whether a folder's file is one to read, by its ending.
bool isInput(StringRef path, Endings endings) {
  if (!path.consume_back(".gz")) path.consume_back(".zst");
  return llvm::any_of(endings,
                      [&](StringRef ending) { return path.ends_with(ending); });
}

/// `.hlo, .txt or .pb`
std::string listOf(Endings endings) {
  std::string list = llvm::join(endings.drop_back(), ", ");
  if (!list.empty()) list += " or ";
  return list + endings.back().str();
}

/// Beside a profile, other messages are what viewers keep of it.
void dropCaches(std::vector<std::string> &paths) {
  constexpr StringRef kProfile = ".xplane.pb";
  llvm::StringSet<> folders;
  auto folderOf = [](StringRef path) {
    return path.substr(0, path.rfind('/') + 1);
  };
  for (StringRef path : paths)
    if (path.contains(kProfile)) folders.insert(folderOf(path));
  llvm::erase_if(paths, [&](StringRef path) {
    return path.contains(".pb") && !path.contains(kProfile) &&
           folders.contains(folderOf(path));
  });
}

/// A compiler's cache of Triton has a folder for each kernel, with its IR at
/// each stage: TTGIR comes after TTIR, and has the layouts. Drops the TTIR of a
/// kernel that has both, and returns how many there were.
size_t dropEarlierStages(std::vector<std::string> &paths) {
  llvm::StringSet<> stems;
  auto stemOf = [](StringRef path, StringRef ending) {
    if (!path.consume_back(".gz")) path.consume_back(".zst");
    return path.consume_back(ending) ? path : StringRef();
  };
  for (StringRef path : paths)
    if (const StringRef stem = stemOf(path, ".ttgir"); !stem.empty())
      stems.insert(stem);
  const size_t before = paths.size();
  llvm::erase_if(paths, [&](StringRef path) {
    const StringRef stem = stemOf(path, ".ttir");
    return !stem.empty() && stems.contains(stem);
  });
  return before - paths.size();
}

bool isCompiled(StringRef path) {
  return isInput(path, {".ll", ".llir", ".bc"});
}

/// Returns the path up to its ending.
StringRef stemOf(StringRef path) {
  if (!path.consume_back(".gz")) path.consume_back(".zst");
  return path.take_front(path.rfind('.'));
}

/// Takes the LLVM IR out of the paths: of the stages that XLA's dumper writes
/// of a module the last one, and none beside the kernel of the same name that
/// it was made of.
std::vector<std::string> takeCompiled(std::vector<std::string> &paths) {
  // The stages, the last one first.
  constexpr StringRef kStages[] = {".ir-with-opt", ".ir-with-opt-noconst",
                                   ".ir-no-opt", ".ir-no-opt-noconst"};
  std::vector<std::string> compiled;
  llvm::StringSet<> stems, sources;
  for (const std::string &path : paths) {
    if (isCompiled(path)) {
      compiled.push_back(path);
      stems.insert(stemOf(path));
    } else {
      sources.insert(stemOf(path));
    }
  }
  llvm::erase_if(paths, isCompiled);
  llvm::erase_if(compiled, [&](StringRef path) {
    const StringRef stem = stemOf(path);
    if (sources.contains(stem)) return true;
    for (size_t k = 1; k < std::size(kStages); ++k)
      if (stem.ends_with(kStages[k]))
        for (size_t later = 0; later < k; ++later)
          if (stems.contains(
                  (stem.drop_back(kStages[k].size()) + kStages[later]).str()))
            return true;
    return false;
  });
  return compiled;
}

/// Whether the file is one that Inductor wrote: `output_code.py` of
/// TORCH_COMPILE_DEBUG, or a file of its cache.
bool isOfInductor(StringRef path) {
  if (!path.ends_with(".py")) return false;
  const auto input = readInput(path);
  return input.ok() && python::looksLikeOutputCode(input->text);
}

absl::Status addFolder(StringRef folder, Endings endings, TakenDumps taken,
                       InputList &inputs) {
  INDEXICAL_RETURN_IF_ERROR(checkConfined(folder));
  std::vector<std::string> found, ofInductor;
  size_t modules = 0, files = 0;
  std::error_code error;
  for (fs::recursive_directory_iterator at(folder, error), end;
       at != end && !error; at.increment(error)) {
    if (!checkConfined(at->path()).ok()) {
      at.no_push();
      continue;
    }
    if (fs::is_directory(at->path())) continue;
    ++files;
    if (taken == TakenDumps::Scheduled && isOfInductor(at->path()))
      ofInductor.push_back(at->path());
    modules += isInput(at->path(), kOfModules) && !isSideFile(at->path());
    if (isInput(at->path(), endings)) found.push_back(at->path());
  }
  if (error)
    return absl::NotFoundError("`" + folder.str() +
                               "` cannot be read: " + error.message());
  if (!ofInductor.empty()) {
    llvm::sort(ofInductor);
    if (const size_t others = files - ofInductor.size())
      inputs.notes.push_back("of `" + folder.str() + "` " +
                             std::to_string(ofInductor.size()) +
                             (ofInductor.size() == 1 ? " file" : " files") +
                             " of Inductor are read; passed over are " +
                             std::to_string(others) + " others");
    llvm::append_range(inputs.paths, ofInductor);
    return absl::OkStatus();
  }
  const std::vector<std::string> compiled = takeCompiled(found);
  if (found.empty() && compiled.empty())
    return absl::NotFoundError(
        "`" + folder.str() + "` has no file that ends in " + listOf(endings) +
        (modules > 0 ? "; `report`, `dump` and `passes` take its modules"
                     : ""));
  dropCaches(found);
  if (const size_t earlier = dropEarlierStages(found))
    inputs.notes.push_back(
        "of `" + folder.str() + "` " + std::to_string(earlier) + " .ttir " +
        (earlier == 1 ? "file is" : "files are") +
        " passed over: the .ttgir beside is the same kernel, later");
  llvm::sort(found);
  const std::string passed = takeDumps(taken, found);
  llvm::append_range(found, compiled);
  llvm::sort(found);
  auto isOfModule = [](StringRef path) { return isInput(path, kOfModules); };
  if (!passed.empty())
    inputs.notes.push_back(
        "of `" + folder.str() + "` " + std::to_string(found.size()) +
        (found.size() == 1 ? " file " : " files ") +
        (llvm::all_of(found, isOfModule)
             ? found.size() == 1 ? "of a module " : "of modules "
             : "") +
        (found.size() == 1 ? "is" : "are") + " read; passed over are " +
        passed);
  llvm::append_range(inputs.paths, found);
  return absl::OkStatus();
}

absl::Status addPath(StringRef path, Endings endings, TakenDumps taken,
                     InputList &inputs) {
  if (path != "-" && fs::is_directory(path)) {
    inputs.several = true;
    return addFolder(path, endings, taken, inputs);
  }
  inputs.paths.push_back(path.str());
  return absl::OkStatus();
}

absl::Status addList(StringRef path, Endings endings, TakenDumps taken,
                     InputList &inputs) {
  inputs.several = true;
  INDEXICAL_ASSIGN_OR_RETURN(auto lines, linesOfList(path));
  for (const std::string &line : lines)
    INDEXICAL_RETURN_IF_ERROR(addPath(line, endings, taken, inputs));
  if (inputs.paths.empty())
    return absl::NotFoundError("the list `" + path.str() + "` names no file");
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<InputList> inputsOf(llvm::ArrayRef<std::string> words,
                                   Endings endings, TakenDumps taken) {
  if (endings.empty()) endings = kOfModules;
  InputList inputs;
  inputs.several = words.size() > 1;
  for (StringRef word : words) {
    const bool isList = word.consume_front("@");
    INDEXICAL_RETURN_IF_ERROR(isList ? addList(word, endings, taken, inputs)
                                     : addPath(word, endings, taken, inputs));
  }
  if (words.empty()) inputs.paths.push_back("-");
  return inputs;
}

absl::StatusOr<std::vector<std::string>> linesOfList(StringRef path) {
  auto list = readInput(path);
  if (!list.ok())
    return absl::NotFoundError("the list `" + path.str() + "` " +
                               std::string(list.status().message()));
  std::vector<std::string> lines;
  for (StringRef line : llvm::split(list->text, '\n')) {
    line = line.trim();
    if (!line.empty() && !line.starts_with("#")) lines.push_back(line.str());
  }
  return lines;
}

}  // namespace indexical
