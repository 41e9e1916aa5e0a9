#include "indexical/command/option_groups.h"

#include "llvm/ADT/STLExtras.h"

namespace indexical {

llvm::ArrayRef<OptionGroup> optionGroups() {
  static const auto *const groups = new std::vector<OptionGroup>{
      {"A CHECK IN CI", {"baseline", "fail-above", "fail-slower"}},
      {"A PROFILE", {"gpu", "program-id", "hlo", "first"}},
      {"SEVERAL DEVICES",
       {"partitioned", "partitions", "replicas", "topology", "of-device",
        "sharding", "global-shape", "mesh", "parameter-sharding",
        "result-sharding"}},
      {"KERNELS OF TRITON", {"grid", "num-warps", "block", "arg", "shape"}},
      {"THE GPU AND ITS LAUNCH", {"device", "launch", "thread-map"}},
      {"READING", {"input-format", "elementwise", "ops", "size", "arguments"}},
      {"WRITING", {"format", "o", "resume", "quiet", "color", "help"}},
      {"LIMITS", {"jobs", "budget", "deadline", "memory"}},
  };
  return *groups;
}

std::vector<std::pair<llvm::StringRef, std::vector<const Option *>>> grouped(
    llvm::ArrayRef<Option> options) {
  std::vector<std::pair<llvm::StringRef, std::vector<const Option *>>> found;
  found.push_back({"OPTIONS", {}});
  for (const OptionGroup &group : optionGroups())
    found.push_back({group.heading, {}});
  for (const Option &option : options) {
    const auto group =
        llvm::find_if(optionGroups(), [&](const OptionGroup &each) {
          return llvm::is_contained(each.names, option.name);
        });
    const bool isOwn = group == optionGroups().end();
    found[isOwn ? 0 : 1 + (group - optionGroups().begin())].second.push_back(
        &option);
  }
  llvm::erase_if(found, [](const auto &each) { return each.second.empty(); });
  return found;
}

}  // namespace indexical
