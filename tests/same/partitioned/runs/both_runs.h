// The runs of a global and a partitioned module on cells.
//
//   GLOBAL  x = f32[4] parameter(0), sharding={devices=[2]<=[2]}
//
//   GLOBAL runs with x 0 … x 3, LOCAL with x 0, x 1 on device 0 and x 2, x 3 on
//   device 1
//
// An element of a parameter has one number in both. Padding has numbers of its
// own, another one on every device. The parts of an unreduced parameter have
// numbers whose sum is the element's.
#ifndef INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_BOTH_RUNS_H
#define INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_BOTH_RUNS_H

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <vector>

#include "indexical/same/partitioned/entry_arrays.h"
#include "tests/same/partitioned/runs/all_devices.h"

namespace indexical {

/// Keeps references to all of its arguments.
class BothRuns {
 public:
  BothRuns(const Program &global, const Program &local,
           const PartitionedOptions &options, const EntryArrays &entry,
           ElementSets &sets);

  /// Values of elements that are assumed.
  using Assumed = std::map<CellElementId, int64_t>;
  /// Is called with the leaves that each instruction computes.
  using Seen =
      std::function<void(ComputationId, InstructionId, const DeviceLeaves &)>;
  struct Ran {
    std::optional<DeviceLeaves> leaves;  ///< of the result
    RunObstacle obstacle;                ///< if there are none
    /// The most equal summands that a sum over devices had.
    int64_t mostEqual = 1;
    int64_t spent = 0;   ///< how much of the budget
    bool draws = false;  ///< whether it draws random numbers
  };

  /// Takes other values of parameters and of padding: those of run number
  /// `run`.
  void setRun(int64_t run) { run_ = run; }
  /// Runs GLOBAL on one device, or on all of them if it says itself what each
  /// of them computes. The results are whole.
  Ran global(const Assumed &assumed, Seen seen = nullptr);
  /// Runs LOCAL on all devices, with the random numbers that the last run of
  /// GLOBAL drew. The parts of unreduced results are added.
  Ran local(const Assumed &assumed, bool countsEqualOnce, Seen seen = nullptr);

 private:
  DeviceCell parameterCell(int64_t element, ElementType type,
                           const Assumed &assumed);
  /// Returns the cell of one of the parts that an element of an array is the
  /// sum of.
  DeviceCell partCell(int64_t element, ElementType type, int64_t part,
                      int64_t parts);
  DeviceCell drawnCell(int64_t element);
  AllDevices::Options optionsOf(int side, Seen seen);
  std::vector<DeviceLeaves> globalParameters(const Assumed &assumed);
  std::vector<DeviceLeaves> localParameters(const Assumed &assumed);
  std::optional<DeviceArrays> localRandom(
      int64_t k, const Instruction &of,
      llvm::ArrayRef<const DeviceArrays *> operands);

  const Program *programs_[2];
  const PartitionedOptions &options_;
  const EntryArrays &entry_;
  ElementSets &sets_;
  Terms terms_;
  int64_t run_ = 0;
  const CellElementId padding_;
  const bool isManualInGlobal_;
  ShardingContext context_;
  struct Drawn {
    const Instruction *instruction;
    CellElementId first;
    std::vector<TermNumber> bounds;
    bool isTaken;  ///< by a draw of LOCAL
  };
  std::vector<Drawn> drawn_;
  CellElementId nextDrawn_ = 0;
};

/// Whether a part of the module says itself what each device computes.
bool isManual(const Module &module);

}  // namespace indexical

#endif  // INDEXICAL_TESTS_SAME_PARTITIONED_RUNS_BOTH_RUNS_H
