// Conditions that must hold when a module runs (program/maps/run_conditions.h),
// for people and for tools: the answer of `indexical dump --constraints`.
//
//   main
//     add.2 (add): rt0 - rt1 in [0, 0]
//       where rt0 = size of x, dimension 0
//       where rt1 = size of y, dimension 0
#ifndef INDEXICAL_WRITERS_CONDITIONS_H
#define INDEXICAL_WRITERS_CONDITIONS_H

#include <vector>

#include "indexical/answers/conditions/conditions.h"
#include "indexical/writers/result.h"

namespace indexical {

class ConditionsResult : public Result {
 public:
  explicit ConditionsResult(const std::vector<ModuleConditions> &modules)
      : modules_(modules) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

 private:
  const std::vector<ModuleConditions> &modules_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_CONDITIONS_H
