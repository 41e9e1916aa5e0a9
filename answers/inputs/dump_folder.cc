#include "indexical/answers/inputs/dump_folder.h"

#include <map>
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace indexical {

using llvm::StringRef;

namespace {

/// What side files have in their names, behind the module's number.
constexpr StringRef kSideMarks[] = {
    "-buffer-assignment", "-memory-usage-report",
    "-live-range",        "-peak-memory",
    "-memory-space",      ".thunk_sequence",
    ".thunk_metadata",    ".debug_options",
    ".execution_options", ".autotune_results",
    "autotune_logs",      "target_config",
    ".flagfile",          ".ir-with-opt",
    ".ir-no-opt",         ".ir-with-opt-noconst",
    ".constants",         ".kernel_fusion",
};
constexpr StringRef kSideEndings[] = {".ll",    ".ptx", ".cubin", ".hsaco",
                                      ".pbtxt", ".dot", ".html",  ".s"};

constexpr StringRef kBefore = "before_optimizations";
constexpr StringRef kAfter = "after_optimizations";

StringRef nameOf(StringRef path) { return path.substr(path.rfind('/') + 1); }

StringRef withoutCompression(StringRef path) {
  if (!path.consume_back(".gz")) path.consume_back(".zst");
  return path;
}

/// Returns `folder/module_0012.`, or "" if it is no dump of XLA.
StringRef moduleOf(StringRef path) {
  const size_t begin = path.rfind('/') + 1;
  StringRef name = path.substr(begin);
  if (!name.consume_front("module_")) return "";
  const size_t digits = name.take_while(llvm::isDigit).size();
  if (digits == 0 || !name.substr(digits).starts_with(".")) return "";
  return path.take_front(begin + StringRef("module_").size() + digits + 1);
}

/// The stage of a dump: a later one is closer to what is launched.
enum class Stage { Unknown, Before, Pass, After };

Stage stageOf(StringRef path) {
  const StringRef name = nameOf(path);
  // `.0003.simplification.after_x.before_y.txt` stands between passes.
  if (name.contains(kAfter)) return Stage::After;
  if (name.contains(kBefore)) return Stage::Before;
  return name.contains(".after_") || name.contains(".before_") ? Stage::Pass
                                                               : Stage::Unknown;
}

std::string countOf(size_t count, StringRef one, StringRef many) {
  return std::to_string(count) + " " + (count == 1 ? one : many).str();
}

}  // namespace

bool isSideFile(StringRef path) {
  const StringRef name = withoutCompression(nameOf(path));
  auto isIn = [&](StringRef mark) { return name.contains(mark); };
  auto ends = [&](StringRef ending) { return name.ends_with(ending); };
  return llvm::any_of(kSideEndings, ends) ||
         (!moduleOf(path).empty() && llvm::any_of(kSideMarks, isIn));
}

std::string takeDumps(TakenDumps taken, std::vector<std::string> &paths) {
  size_t sides = 0, stages = 0;
  if (!llvm::all_of(paths, isSideFile)) {
    const size_t before = paths.size();
    llvm::erase_if(paths, isSideFile);
    sides = before - paths.size();
  }
  if (taken == TakenDumps::Scheduled) {
    std::map<std::string, Stage> last;
    for (StringRef path : paths) {
      const StringRef module = moduleOf(path);
      if (module.empty()) continue;
      Stage &stage = last[module.str()];
      stage = std::max(stage, stageOf(path));
    }
    // A stage may be there as text and as protocol buffer; passes are many.
    std::map<std::string, std::string> chosen;
    for (const std::string &path : paths) {
      const std::string module = moduleOf(path).str();
      if (module.empty() || stageOf(path) != last[module]) continue;
      auto [known, isNew] = chosen.try_emplace(module, path);
      const bool isText = withoutCompression(path).ends_with(".txt");
      const bool wasText = withoutCompression(known->second).ends_with(".txt");
      if (!isNew && (isText || !wasText) &&
          (last[module] == Stage::Pass || !wasText))
        known->second = path;
    }
    const size_t before = paths.size();
    llvm::erase_if(paths, [&](const std::string &path) {
      const auto known = chosen.find(moduleOf(path).str());
      return known != chosen.end() && known->second != path;
    });
    stages = before - paths.size();
  }
  std::string said;
  if (stages > 0)
    said =
        countOf(stages, "other dump", "other dumps") + " of the same modules";
  if (sides > 0)
    said += (said.empty() ? "" : " and ") +
            countOf(sides, "side file", "side files") + " of XLA";
  return said;
}

}  // namespace indexical
