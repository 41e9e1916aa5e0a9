// The answer of `indexical hazards` about a program, in all formats.
//
//   5 places: 3 safe in place, 1 must copy, 1 needless copy
//   d in main, line 8: dynamic-update-slice over operand 0: must copy
//     n[0] is overwritten by d (0), and read by e (0)
#ifndef INDEXICAL_WRITERS_HAZARDS_H
#define INDEXICAL_WRITERS_HAZARDS_H

#include <string>

#include "indexical/answers/hazards/hazards.h"
#include "indexical/writers/result.h"

namespace indexical {

class HazardsResult : public Result {
 public:
  HazardsResult(const ProgramHazards &found, std::string path,
                std::string format)
      : found_(found), path_(std::move(path)), format_(std::move(format)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void totals(AddTotal to) override;

 private:
  const ProgramHazards &found_;
  const std::string path_, format_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_HAZARDS_H
