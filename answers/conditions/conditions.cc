#include "indexical/answers/conditions/conditions.h"

namespace indexical {

std::vector<ModuleConditions> conditionsOf(const Program &program) {
  std::vector<ModuleConditions> modules;
  for (const Module &module : program.modules)
    modules.push_back({&module, runConditions(module)});
  return modules;
}

}  // namespace indexical
