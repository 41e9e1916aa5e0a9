// The answer of `indexical sharding`, in all formats.
//
//   x f32[8,3] {devices=[4,1]<=[4]}
//     4 devices, each has f32[2,3]
//     (device, d0, d1) -> (device * 2 + d0, d1), domain: …
//     device 0: [0:2, 0:3], 6 elements
#ifndef INDEXICAL_WRITERS_SHARDING_H
#define INDEXICAL_WRITERS_SHARDING_H

#include <string>

#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/sharding/sharding.h"
#include "indexical/writers/result.h"

namespace indexical {

/// Returns `no communication`, `communication along dimension 1`, or why that
/// is not known.
std::string communicationText(const LocalReads &reads);

class ShardingResult : public Result {
 public:
  explicit ShardingResult(const ShardingAnswer &found) : found_(found) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const ShardingAnswer &found_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_SHARDING_H
