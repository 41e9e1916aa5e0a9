// Which device holds which elements: the answer of `sharding`.
//
//   ENTRY e { ROOT x = f32[8,3] parameter(0), sharding={devices=[4,1]<=[4]} }
//
//   auto found = shardingsIn(*program);
//   const ValueSharding &x = found->values[0];
//   auto box = x.relation->box(1);  // [2, 4) of 8, [0, 3) of 3
//
// A value of a partitioned module has its local shape already, and so no
// relation; `reason` says so. If operands have stated shardings too, `operands`
// says whether devices hold what they read of them.
#ifndef INDEXICAL_ANSWERS_SHARDING_SHARDING_H
#define INDEXICAL_ANSWERS_SHARDING_SHARDING_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/answers/ask.h"
#include "indexical/answers/reshard/first_plans.h"
#include "indexical/answers/sharding/given_sharding.h"
#include "indexical/cost/communication/operand_reads.h"
#include "indexical/indexing/relation.h"
#include "indexical/program/module/ids.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

struct ShardingQuestion : ShardingWords {
  std::string instruction;       ///< only this one; empty: all
  std::optional<size_t> device;  ///< only the box of this device
  /// The element whose holders are listed.
  std::optional<std::vector<int64_t>> element;
  /// Whether the program was MLIR, whose attributes have other names.
  bool isMlir = false;
};

/// One array with a sharding.
struct ValueSharding {
  std::string instruction;  ///< empty: of the question
  LeafId result;
  /// The sharding, and the attribute that states it.
  std::string text, source;
  ArrayShape shape;  ///< as given
  /// The devices' elements; nothing for a local shape or an unknown size.
  std::optional<ShardedRelation> relation;
  Sharding sharding;
  std::string reason;  ///< why there is no map
  /// The map from (device, local index) to the global index.
  std::optional<IndexingRelation> map;
  /// Whether devices hold what they read of operands with stated shardings.
  std::vector<OperandReads> operands;
  /// First plans of the reshards of operands that devices must hold as they
  /// hold the result, because each result element reads the operand's at the
  /// same index.
  struct Plan {
    int64_t number = 0;       ///< among the arrays of all operands
    std::string instruction;  ///< that computes it
    FirstPlan plan;
  };
  std::vector<Plan> plans;
};

struct ShardingAnswer {
  std::vector<ValueSharding> values;  ///< in file order
  /// The device and the element of the question.
  std::optional<int64_t> device;
  std::optional<std::vector<int64_t>> element;

  /// The largest number of devices whose boxes are listed.
  static constexpr int64_t kMostBoxes = 4096;
  /// Returns which of so many devices are listed: at most `most`.
  std::vector<int64_t> devicesShown(int64_t devices, int64_t most) const;
};

/// Returns every array of the program that has a sharding. Returns an error,
/// with its place, for a text that is not a sharding, or if there is no such
/// instruction, device or element.
absl::StatusOr<ShardingAnswer> shardingsIn(
    const Program &program, const ShardingQuestion &question = {});

/// Returns the arrays of ShardingWords::shape with their shardings. Returns an
/// error for a text that is not a sharding or a shape, or if the device or the
/// element does not exist.
absl::StatusOr<ShardingAnswer> shardingsGiven(const ShardingQuestion &question);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_SHARDING_SHARDING_H
