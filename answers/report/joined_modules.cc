#include "indexical/answers/report/joined_modules.h"

#include <utility>

#include "llvm/ADT/STLExtras.h"

namespace indexical {

JoinedModules joinModules(std::vector<Program> sources,
                          const std::vector<std::string> &files,
                          bool takesAll) {
  JoinedModules joined;
  joined.sources = std::move(sources);
  takesAll |= llvm::none_of(joined.sources, [](const Program &source) {
    return llvm::any_of(source.modules, [](const Module &module) {
      return module.isScheduled;
    });
  });
  for (auto [source, file] : llvm::zip(joined.sources, files)) {
    for (Module &module : source.modules) {
      if (!takesAll && !module.isScheduled) {
        ++joined.unscheduled;
        continue;
      }
      joined.program.modules.push_back(std::move(module));
      joined.files.push_back(file);
    }
  }
  return joined;
}

}  // namespace indexical
