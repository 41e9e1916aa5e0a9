// The answer of `indexical sharding`, in all formats.
//
//   x f32[8,3] {devices=[4,1]<=[4]}
//     4 devices, each has f32[2,3]
//     (device, d0, d1) -> (device * 2 + d0, d1), domain: …
//     device 0: [0:2, 0:3], 6 elements
#ifndef INDEXICAL_WRITERS_SHARDING_H
#define INDEXICAL_WRITERS_SHARDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/communication/operand_reads.h"
#include "indexical/module/ids.h"
#include "indexical/sharding/sharding.h"
#include "indexical/writers/result.h"

namespace indexical {

/// One value with a sharding.
struct ShownSharding {
  std::string instruction;  ///< empty: of the option
  LeafId result;
  std::string text, source;
  ArrayShape shape;  ///< of the value, as given
  /// Nothing if the shape is local already, or a size is unknown.
  std::optional<ShardedRelation> relation;
  Sharding sharding;
  std::string reason;  ///< why there is no map
  std::optional<IndexingRelation> map;
  /// What devices read of operands whose shardings are stated, too.
  std::vector<OperandReads> operands;
};

/// Returns `no communication`, `communication along dimension 1`, or why that
/// is not known.
std::string communicationText(const LocalReads &reads);

struct ShardingView {
  std::optional<int64_t> device;                ///< only the box of this device
  std::optional<std::vector<int64_t>> element;  ///< the element whose copies
                                                ///< are shown
};

class ShardingResult : public Result {
 public:
  ShardingResult(std::vector<ShownSharding> values, ShardingView view)
      : values_(std::move(values)), view_(std::move(view)) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;

  /// The largest number of devices whose boxes are listed.
  static constexpr int64_t kMostBoxes = 4096;

 private:
  std::vector<ShownSharding> values_;
  ShardingView view_;
};

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_SHARDING_H
