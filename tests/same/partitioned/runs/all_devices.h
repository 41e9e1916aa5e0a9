// A module run on all devices at once, on cells instead of numbers.
//
//   ENTRY e_spmd { x = f32[2] parameter(0)
//     ROOT r = f32[2] all-reduce(x), replica_groups={{0,1}}, to_apply=add }
//
//   device 0: r[0] reads {x 0 of device 0, x 0 of device 1}
//
// Instructions run in order, each on every device, so that a collective finds
// the operands of all members. Integers that depend on no parameter are
// computed; a slice at them reads what it reads on that device, a select by
// them reads one side. Fusions and calls are entered; a while loop runs as long
// as its condition is known.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ALL_DEVICES_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ALL_DEVICES_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/ops/families.h"
#include "indexical/program/module/program.h"
#include "indexical/program/sharding/groups.h"
#include "indexical/program/sharding/sharding.h"
#include "tests/same/partitioned/runs/cells.h"
#include "tests/same/partitioned/runs/element_reads.h"
#include "tests/same/partitioned/runs/terms.h"

namespace indexical {

/// A leaf of a value: its array on each device.
using DeviceArrays = std::vector<CellArrayPtr>;
/// All leaves of a value.
using DeviceLeaves = std::vector<DeviceArrays>;

/// The instruction that stands in the way of an answer, and why.
struct RunObstacle {
  ComputationId computation;
  InstructionId instruction;
  int64_t device = 0;
  std::string reason;
  /// A set of elements whose values decide what is read; 0: none.
  SetId steeredBy = 0;
  bool isBudget = false;
};

class AllDevices {
 public:
  struct Options {
    DeviceCounts devices;
    int64_t operations = 50'000'000;
    /// Whether one device stands for all: then no op asks which one it is.
    bool isWhole = false;
    /// Whether equal summands of one sum over devices count once.
    bool countsEqualOnce = false;
    /// Reads the sharding of an array. Without it, a call between whole values
    /// and those of a device is an obstacle.
    std::function<absl::StatusOr<Sharding>(llvm::StringRef text,
                                           const ArrayShape &whole)>
        sharding;
    /// The reads of padding.
    SetId padding = 0;
    /// Returns the numbers that the k-th op with random numbers draws, on each
    /// device, of these operands.
    std::function<std::optional<DeviceArrays>(
        int64_t k, const Instruction &,
        llvm::ArrayRef<const DeviceArrays *> operands)>
        random;
    /// Is called with what each instruction computes, each time that it runs.
    std::function<void(ComputationId computation, InstructionId instruction,
                       const DeviceLeaves &)>
        seen;
  };
  /// Runs that are compared share `sets` and `terms`.
  AllDevices(const Module &module, ElementSets &sets, Terms &terms,
             Options options)
      : module_(module),
        sets_(sets),
        terms_(terms),
        options_(std::move(options)) {}

  /// Runs the entry and returns the leaves of its root. Returns nothing if
  /// there is an obstacle, which obstacle() then says.
  std::optional<DeviceLeaves> run(const std::vector<DeviceLeaves> &parameters);
  /// Runs one instruction on the leaves of the others and returns its leaves.
  /// Returns nothing if there is an obstacle, which obstacle() then says.
  std::optional<DeviceLeaves> one(ComputationId computation,
                                  InstructionId instruction,
                                  const std::vector<DeviceLeaves> &done);
  /// Returns the value that an unreduced value stands for: to each device's
  /// part, the array of one device with each other part is added. Requires as
  /// many cells as the relation has.
  std::optional<DeviceArrays> withPartsAdded(const DeviceArrays &parts,
                                             const ShardedRelation &relation);
  const RunObstacle &obstacle() const { return obstacle_; }
  /// Returns the most equal summands that a sum over devices had.
  int64_t mostEqual() const { return mostEqual_; }
  /// Returns the names of the ops that draw random numbers.
  const std::vector<std::string> &drawn() const { return drawn_; }
  /// Returns how many cells and elements of sets the run went through.
  int64_t spent() const { return spent_; }

 private:
  using Operands = llvm::SmallVector<const DeviceArrays *, 4>;

  std::optional<DeviceLeaves> computation(
      ComputationId c, const std::vector<DeviceLeaves> &parameters);
  std::optional<DeviceLeaves> instruction(
      ComputationId c, InstructionId i, const std::vector<DeviceLeaves> &done);
  std::optional<DeviceLeaves> called(const Instruction &of,
                                     const CalledComputation &callee,
                                     const std::vector<DeviceLeaves> &done);
  std::optional<DeviceLeaves> loop(const Instruction &of,
                                   const std::vector<DeviceLeaves> &done);
  std::optional<DeviceLeaves> branch(const Instruction &of,
                                     const std::vector<DeviceLeaves> &done);
  /// Returns how a sharding cuts a whole array into the part of each device.
  std::optional<ShardedRelation> cutOf(llvm::StringRef sharding,
                                       const ArrayShape &whole,
                                       const ArrayShape &part);
  std::optional<DeviceArrays> cut(const DeviceArrays &whole,
                                  const ArrayShape &part,
                                  const ShardedRelation &relation);
  std::optional<DeviceArrays> joined(const DeviceArrays &parts,
                                     const ArrayShape &whole,
                                     const ShardedRelation &relation);
  /// Returns the whole array of a replica's devices of one manual group; null
  /// if there is an obstacle.
  CellArrayPtr joinedGroup(llvm::ArrayRef<CellArrayPtr> parts,
                           const ArrayShape &whole,
                           const ShardedRelation &relation, int64_t group);
  std::optional<DeviceLeaves> shapeChange(const Instruction &of,
                                          const Computation &computation,
                                          const Operands &operands);
  std::optional<DeviceLeaves> manualComputation(const Instruction &of,
                                                const Operands &operands);
  std::optional<DeviceLeaves> collective(const Instruction &of, const Op &op,
                                         const Operands &operands);
  std::optional<DeviceArrays> combined(const Instruction &of,
                                       const OpDescriptor &op,
                                       const DeviceArrays &operand,
                                       const DeviceLists &groups);
  std::optional<DeviceLeaves> moved(const Instruction &of, const Op &op,
                                    const Operands &operands,
                                    const DeviceLists &groups);
  std::optional<DeviceLeaves> started(const Instruction &of,
                                      const Operands &operands,
                                      const std::vector<DeviceLeaves> &done);
  std::optional<DeviceLeaves> leafOps(const Instruction &of, const Op &op,
                                      const Operands &operands);
  /// Returns the leaves of an op that reads no other cell: a constant, an iota,
  /// the number of a device, a size…
  std::optional<DeviceLeaves> sources(const Op &op);
  std::optional<DeviceLeaves> dot(const DotOp &dot, const Op &op,
                                  const Operands &operands);
  /// Returns arrays for each leaf that nothing reads.
  DeviceLeaves unread(const OpDescriptor &op, size_t first);

  std::nullopt_t fail(std::string reason, SetId steeredBy = 0,
                      int64_t device = 0);
  bool spend(int64_t operations);
  /// Returns the fold (Terms::foldOf) by the function that the instruction
  /// calls, if that applies one op to its two parameters of this type, and
  /// nothing else; empty otherwise.
  llvm::StringRef reducerOf(const Instruction &of, ElementType type) const;
  /// Returns the terms that the instruction's functions return of any
  /// arguments. Returns nothing if there is an obstacle.
  std::optional<std::vector<TermNumber>> functionsOf(const Instruction &of);
  const std::vector<TermNumber> *functionOf(ComputationId function);
  const ElementReads *readsOf(const Op &op, int64_t result, int64_t operand);
  /// Returns the sum over devices by a fold, or by functions if it is empty.
  DeviceCell reduced(llvm::StringRef fold, ElementType type,
                     llvm::ArrayRef<TermNumber> functions,
                     llvm::ArrayRef<const DeviceCell *> cells);

  const Module &module_;
  ElementSets &sets_;
  Terms &terms_;
  const Options options_;
  RunObstacle obstacle_;
  ComputationId computation_;
  InstructionId instruction_;
  int64_t spent_ = 0, mostEqual_ = 1, draws_ = 0, depth_ = 0;
  int64_t paddings_ = 0, functionDepth_ = 0;
  std::vector<std::string> drawn_;
  struct OpReads {
    Op op = Op::none();  ///< keeps it alive
    std::optional<ElementReads> reads;
    std::string error;
  };
  std::map<std::tuple<const OpDescriptor *, int64_t, int64_t>, OpReads> reads_;
  std::map<ComputationId, std::vector<TermNumber>> functions_;
};

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_ALL_DEVICES_H
