// The elements that devices read of an op's operands, by stated shardings.
//
//   x = f32[8,100] parameter(0), sharding={devices=[2,2]<=[4]}
//   r = f32[8] reduce(x, z), dimensions={1},
//       sharding={devices=[2,2]<=[4] last_tile_dim_replicate}
//
//   r reads x    each device needs columns that another one holds: dimension 1
#ifndef INDEXICAL_COST_COMMUNICATION_OPERAND_READS_H
#define INDEXICAL_COST_COMMUNICATION_OPERAND_READS_H

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/communication/local_reads.h"
#include "indexical/exact/exact.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/sharding.h"

namespace indexical {

/// An operand whose sharding is stated.
struct OperandReads {
  int64_t number = 0;  ///< among the arrays of all operands
  std::string name;    ///< of the instruction that computes it
  LocalReads reads;
};

/// The instructions of one module, whose shapes are whole ones. Keeps
/// references to the program and to the maps of that module.
class ShardedOperands {
 public:
  /// `context.devices` and `devices` are as shardingsOf() takes them.
  ShardedOperands(const Program &program, ProgramIndexing &maps,
                  ShardingContext context, int64_t devices,
                  const ExactOptions &options = {})
      : program_(program),
        maps_(maps),
        context_(std::move(context)),
        devices_(devices),
        options_(options) {}

  /// Returns what devices read of the operands for one array of a result that
  /// they hold so. Returns an error, with its place, if a sharding is not
  /// valid.
  absl::StatusOr<std::vector<OperandReads>> of(Leaf leaf,
                                               const ShardedRelation &result);
  /// Returns the same for all arrays of the instruction's result. Empty: its
  /// sharding or that of all operands is not stated, or gives no elements.
  absl::StatusOr<std::vector<OperandReads>> of(ComputationId computation,
                                               InstructionId instruction);

 private:
  const Program &program_;
  ProgramIndexing &maps_;
  const ShardingContext context_;
  const int64_t devices_;
  const ExactOptions options_;
};

}  // namespace indexical

#endif  // INDEXICAL_COST_COMMUNICATION_OPERAND_READS_H
