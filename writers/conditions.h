// What must hold when a module runs (program/run_conditions.h), for people and
// for tools: the answer of `indexical dump --constraints`.
//
//   main
//     add.2 (add): rt0 - rt1 in [0, 0]
//       where rt0 = size of x, dimension 0
//       where rt1 = size of y, dimension 0
#ifndef INDEXICAL_WRITERS_CONDITIONS_H
#define INDEXICAL_WRITERS_CONDITIONS_H

#include <memory>
#include <vector>

#include "indexical/module/program.h"
#include "indexical/program/run_conditions.h"
#include "indexical/writers/result.h"

namespace indexical {

struct ModuleConditions {
  const Module *module;
  std::vector<RuntimeConditions> all;  ///< by computation
};

/// Returns the result that shows the conditions. The modules must outlive it.
std::unique_ptr<Result> conditionsResult(std::vector<ModuleConditions> modules);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_CONDITIONS_H
