// Converts a module that each device runs to one in which the device is a
// dimension: private to same/partitioned/.
//
//   x = f32[2] parameter(0)                          f32[4,2]
//   g = f32[8] all-gather(x), dimensions={0}         f32[8] reshape(x)
//   p = u32[] partition-id()                         u32[4] iota()
//   r = f32[2] add(x, y)                             f32[4,2] add(x, y)
//
// So ops between devices become ops that move elements, and a sum over devices
// becomes a reduction. Calls and fusions are inlined. An op that is not
// followed gives an unknown array.
#ifndef INDEXICAL_SAME_PARTITIONED_STACKER_H
#define INDEXICAL_SAME_PARTITIONED_STACKER_H

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/program/module/computations_with.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"
#include "indexical/same/partitioned/same_values.h"
#include "indexical/same/partitioned/stack_writer.h"

namespace indexical {

class Stacker {
 public:
  /// A place that is not followed, and why.
  struct Cause {
    ComputationId computation;
    InstructionId instruction;
    std::string reason;
  };
  /// Returns the sharding that a text states of a whole array.
  using ReadSharding = std::function<absl::StatusOr<Sharding>(
      llvm::StringRef text, const ArrayShape &whole)>;

  struct Options {
    /// Two modules that are compared have different names.
    std::string name;
    /// Empty: values never change between whole ones and parts.
    ReadSharding readSharding = {};
    /// Whether equal summands of one sum over devices count once.
    bool countsEqualOnce = false;
    /// The laws by which groups of devices have the same values.
    ValueOptions values = valuesOfParts();
  };

  /// `module` is a copy of the converted one; its new entry is written after
  /// its computations.
  Stacker(Module &module, DeviceCounts devices, Options options)
      : module_(module),
        devices_(devices),
        readSharding_(std::move(options.readSharding)),
        countsEqualOnce_(options.countsEqualOnce),
        laws_(options.values),
        meets_(computationsThatMeet(module)),
        writer_(module, devices.all(), std::move(options.name)) {
    if (!has(laws_.floats, FloatLaws::ZeroSign)) writer_.keepZeroSigns();
  }

  /// Returns the results of an instruction with these operands, if the caller
  /// knows them.
  using Known =
      std::function<std::optional<Stacked>(llvm::ArrayRef<Stacked> operands)>;
  void take(ComputationId computation, InstructionId instruction, Known known) {
    known_[{computation, instruction}] = std::move(known);
  }

  StackWriter &writer() { return writer_; }
  const std::vector<Cause> &causes() const { return causes_; }
  /// A value of the entry, or of what it calls once, with the instruction that
  /// it stands for.
  struct Written {
    ComputationId computation;
    InstructionId instruction;
    Stacked value;
  };
  /// Returns the arrays that have to be the same for the program to be well
  /// defined.
  const std::vector<std::pair<Stacked, Stacked>> &duties() const {
    return duties_;
  }
  /// Returns the results of collectives, in order.
  const std::vector<Written> &collectives() const { return collectives_; }
  /// Returns all values outside of loops, in order; an instruction of a
  /// computation that is called several times has several.
  const std::vector<Written> &values() const { return values_; }
  /// Returns the largest number of equal summands that counted once.
  int64_t mostEqual() const { return mostEqual_; }
  /// Returns whether an array has padding.
  bool hasPadding() const { return hasPadding_; }

  /// Returns the results of the computation with these arguments, which it
  /// writes.
  StackedLeaves computation(ComputationId c,
                            const std::vector<StackedLeaves> &arguments);

  // Shardings (stack_shardings.cc).
  /// Returns each device's part of a whole array: elements beyond its end are
  /// unknown. For a sum, `newPart` makes each part but the last, an array of
  /// the same shape. Returns std::nullopt if a device has no part.
  std::optional<Stacked> cut(Stacked whole, const ShardedRelation &relation,
                             llvm::function_ref<Stacked()> newPart = nullptr);
  /// Returns the copies of the whole array that the devices have, one after the
  /// other in dimension 0, each a sum of its parts; std::nullopt if the devices
  /// do not have every element. `devicesOf[c]` are the devices of copy c, by
  /// tile.
  std::optional<Stacked> copies(Stacked value, const ShardedRelation &relation,
                                std::vector<std::vector<int64_t>> &devicesOf);

 private:
  /// Returns the devices' elements beyond the end of an array. The results of a
  /// module with manual computations may depend on them.
  Stacked ofPadding(const ArrayShape &shape) {
    hasPadding_ = true;
    return readSharding_ ? writer_.unknown(shape, true)
                         : writer_.anyNumbers(shape, true);
  }
  /// The context in which an instruction is written.
  struct Site {
    ComputationId computation;
    InstructionId instruction;
    const Instruction &of;
    StackedLeaves operands;  ///< by leaf
  };

  StackedLeaves instruction(Site &site);
  /// Returns unknown leaves, and notes the cause.
  StackedLeaves open(const Site &site, std::string reason);
  std::optional<StackedLeaves> followed(Site &site);
  std::optional<StackedLeaves> fail(std::string reason) {
    if (reason_.empty()) reason_ = std::move(reason);
    return std::nullopt;
  }
  std::optional<StackedLeaves> called(const Site &site,
                                      const CalledComputation &callee);
  std::optional<StackedLeaves> loop(const Site &site);
  std::optional<StackedLeaves> branch(const Site &site);
  std::optional<StackedLeaves> leafOp(const Site &site, const Op &op);
  std::optional<StackedLeaves> moved(const Site &site, const Op &op);
  std::optional<StackedLeaves> indexed(const Site &site, const Op &op);
  std::optional<StackedLeaves> product(const Site &site, const Op &op);
  std::optional<StackedLeaves> bitcast(const Site &site, const Op &op);
  Stacked deviceNumber(bool isReplica, ElementType type);
  /// Returns the computations that all devices have to run together: those with
  /// collectives or effects, and those with unknown calls.
  static ComputationsWith computationsThatMeet(const Module &module);
  /// Returns the op with the dimension of devices in front of all its arrays,
  /// except of those that `scalars` keeps.
  StackedLeaves widened(const Site &site, OpDraft draft,
                        llvm::ArrayRef<Stacked> operands);

  // Manual parts (stack_manual.cc).
  std::optional<StackedLeaves> shapeChange(const Site &site);
  std::optional<StackedLeaves> manualComputation(const Site &site);
  std::optional<ShardedRelation> relationOf(llvm::StringRef sharding,
                                            const ArrayShape &whole,
                                            const ArrayShape &part);
  /// Returns each device's part of a whole array, which may differ between
  /// groups of devices; and, below, the whole array of the devices' parts.
  std::optional<Stacked> cutOfEach(Stacked whole,
                                   const ShardedRelation &relation);
  std::optional<Stacked> joined(Stacked parts, const ShardedRelation &relation);
  /// Returns arrays [copies, …] that are assembled from all tiles of each copy,
  /// which are concatenated in dimension 0.
  Stacked whole(Stacked tiles, const ShardedRelation &relation, int64_t copies);

  // Collectives (stack_collectives.cc).
  std::optional<StackedLeaves> collective(const Site &site, const Op &op);
  std::optional<Stacked> combined(const Site &site, Stacked of, int64_t groups);
  /// Returns the members' arrays, [groups, members, …], without those that are
  /// known to be the same as another.
  Stacked withoutEqual(Stacked of);
  /// Returns the arrays of all devices, followed by the neutral element of the
  /// collective's reduction.
  Stacked withNeutralRow(const Site &site, Stacked of);
  /// Returns the first row of an array; the function below, whether all rows
  /// are known to be equal to it.
  Stacked firstRow(Stacked of);
  bool isOneRow(Stacked of);

  Module &module_;
  const DeviceCounts devices_;
  const ReadSharding readSharding_;
  const bool countsEqualOnce_;
  const ValueOptions laws_;
  const ComputationsWith meets_;
  StackWriter writer_;
  std::vector<Cause> causes_;
  std::vector<Written> collectives_, values_;
  std::vector<std::pair<Stacked, Stacked>> duties_;
  std::map<std::pair<ComputationId, InstructionId>, Known> known_;
  std::string reason_;
  int depth_ = 0, loops_ = 0, asked_ = 0;
  int64_t mostEqual_ = 1;
  bool hasPadding_ = false;
};

/// Returns whether the instruction passes an array on unchanged: a sharding
/// that is stated, or a transfer to or from another memory.
bool isTransfer(const Instruction &of);
/// Returns whether the module has manual computations, which state what each
/// device computes.
bool hasManualParts(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_SAME_PARTITIONED_STACKER_H
