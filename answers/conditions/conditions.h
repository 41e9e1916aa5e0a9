// Conditions that sizes and values must meet when a program runs
// (program/maps/run_conditions.h): the answer of `dump --constraints`.
//
//   main(x: tensor<?xf32>, y: tensor<?xf32>) { add.2 = add(x, y) }
//
//   conditionsOf(program)    main: add.2 (add) requires rt0 - rt1 in [0, 0],
//                            where rt0 is the size of x, and rt1 that of y
#ifndef INDEXICAL_ANSWERS_CONDITIONS_CONDITIONS_H
#define INDEXICAL_ANSWERS_CONDITIONS_CONDITIONS_H

#include <vector>

#include "indexical/program/maps/run_conditions.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The conditions of one module, which must outlive them.
struct ModuleConditions {
  const Module *module;
  std::vector<RuntimeConditions> all;  ///< by computation
};

/// Returns the conditions of each module.
std::vector<ModuleConditions> conditionsOf(const Program &program);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_CONDITIONS_CONDITIONS_H
