// The answer of `indexical reshard`, in all formats.
//
//   f32[64,64] over 4 devices: 12,288 bytes must move
//   plan 1 (proved): 12.3 kB in 1 collective, ...
#ifndef INDEXICAL_WRITERS_RESHARD_H
#define INDEXICAL_WRITERS_RESHARD_H

#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/reshard/keys.h"
#include "indexical/answers/reshard/reshard.h"
#include "indexical/writers/result.h"

namespace indexical {

class ReshardResult : public Result {
 public:
  /// `showsText`: whether people see the text of the first plan.
  ReshardResult(const ReshardAnswer &found, PlanForm form, bool showsText)
      : found_(found), form_(form), showsText_(showsText) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const ReshardAnswer &found_;
  const PlanForm form_;
  const bool showsText_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_RESHARD_H
