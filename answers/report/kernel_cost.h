// The cost of a kernel of a program: its bytes, its time, and the facts about
// it.
//
//   t = f32[128,64] transpose(p)
//     reads    p: 131072 bytes moved, 98304 of them wasted
//     writes   32768 bytes moved
//     time     3.34 us predicted, 2.11 us at the device's peaks
//
// Kernels that do the same work share one measurement.
#ifndef INDEXICAL_ANSWERS_REPORT_KERNEL_COST_H
#define INDEXICAL_ANSWERS_REPORT_KERNEL_COST_H

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/kernel_facts.h"
#include "indexical/answers/report/modelled.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/launch/predicted_time.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/program/module/operand_leaves.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the microseconds as documents have them (`predicted_us`): with six
/// decimals. Sums and comparisons use these values, so that those of a document
/// agree with its rows.
inline double asWritten(double microseconds) {
  return std::round(microseconds * 1e6) / 1e6;
}

/// A kernel, what its reads and writes move, and how long it takes.
struct Measurement {
  Kernel kernel;
  KernelTraffic traffic;
  /// The resources and the predicted time of one launch; nothing if the unit
  /// that runs it is unknown.
  std::optional<Demand> demand = {};
  std::optional<PredictedTime> time = {};
  /// How the model's launch differs from that of a compiled kernel; null: it
  /// does not.
  std::shared_ptr<const Modelled> modelled = {};
};

/// A kernel and its measurement, which may be that of an equal kernel.
struct KernelCost {
  size_t module = 0;
  ComputationId computation;
  InstructionId instruction;
  std::shared_ptr<const Measurement> measurement;
  std::optional<double> share = {};  ///< of the module's time, in all trips
  KernelFacts facts = {};            ///< set by addFacts()
  /// The predicted time, with the blocks that a profile gives.
  std::optional<PredictedTime> timeAsRun = {};
  /// Whether it is another configuration of a kernel that stands beside it. One
  /// of them runs, so this one is in no sum.
  bool isAlternative = false;
  /// The device that all figures are for, which outlives the report. The maker
  /// of the cost sets it.
  const Device *device = &defaultDevice();

  /// Returns the measured kernel. Its computation and instruction may be those
  /// of another, equal kernel.
  const Kernel &kernel() const { return measurement->kernel; }
  const KernelTraffic &traffic() const { return measurement->traffic; }
  const std::optional<PredictedTime> &time() const {
    return timeAsRun ? timeAsRun : measurement->time;
  }
  /// Returns the microseconds of all trips.
  double allTrips() const {
    return time() ? time()->total() * static_cast<double>(kernel().trips) : 0;
  }
  /// Returns the microseconds of all trips beyond the ideal, or 0 if no time is
  /// predicted.
  double lost() const {
    return time()
               ? allTrips() - facts.ideal * static_cast<double>(kernel().trips)
               : 0;
  }
  /// Returns the microseconds of all trips as `predicted_us` has those of one.
  double allTripsAsWritten() const {
    return time() ? asWritten(time()->total()) *
                        static_cast<double>(kernel().trips)
                  : 0;
  }
  /// Returns the avoidable part of the time of all trips, at most that time as
  /// it is written.
  AvoidedTime avoided() const {
    AvoidedTime found = avoidedOf(facts.avoidable, allTrips(),
                                  static_cast<double>(kernel().trips));
    found.microseconds = std::min(found.microseconds, allTripsAsWritten());
    return found;
  }
};

/// Returns the kernel with its traffic measured and its time predicted.
KernelCost costOf(const Module &module, size_t number, Kernel kernel,
                  TrafficMeter &meter, ReuseMeter &reuse);

/// Sets each kernel's share of the time of its module's kernels. Alternatives
/// have none.
void shareTime(std::vector<KernelCost> &kernels);

/// The arrays that are operands of kernels: those of a kernel of thousands are
/// listed once. Several threads may ask.
class KernelOperands {
 public:
  /// Returns the operand leaf of that number; instruction -1 if there is none.
  OperandLeaf leaf(const Computation &computation, InstructionId kernel,
                   LeafId number);

 private:
  std::mutex mutex_;
  std::map<const Computation *, OperandLeafLists> lists_;
};

/// Finds the parts of the program that a kernel names.
struct KernelNames {
  const Program &program;
  /// The file of each module, of a program in several files.
  llvm::ArrayRef<std::string> files = {};
  KernelOperands *operands = nullptr;  ///< null: none are kept

  const Module &moduleOf(const KernelCost &kernel) const;
  const Computation &computationOf(const KernelCost &kernel) const;
  const Instruction &instructionOf(const KernelCost &kernel) const;
  /// Returns the array that a read of the kernel reads; instruction -1 if it is
  /// not one of its operands.
  OperandLeaf operandOf(const KernelCost &kernel, const Traffic &read) const;
  /// Returns the instruction that makes the array of an operand or a result.
  llvm::StringRef arrayOf(const KernelCost &kernel,
                          const ModelledArray &array) const;
  /// Returns the path of the file that the kernel's module was read from.
  llvm::StringRef fileOf(const KernelCost &kernel) const;
  /// Returns the instruction that makes the array that is read, or the kernel.
  llvm::StringRef arrayOf(const KernelCost &kernel, const Traffic &traffic,
                          bool isRead) const;
  /// Returns the kernel that wrote the array of a read or write, behind tuples,
  /// bitcasts and updates in place, and the number of its result: `k`, `k{1}`.
  /// If no kernel wrote it, returns its origin: a parameter, a constant, a
  /// loop.
  std::string sourceArrayOf(const KernelCost &kernel, const Traffic &traffic,
                            bool isRead) const;
  /// Returns the metadata of the read or write, or of the kernel if unknown.
  const Metadata &metadataOf(const KernelCost &kernel,
                             const Traffic &traffic) const;
  llvm::SmallVector<StackFrame, 8> stackOf(const KernelCost &kernel,
                                           const Metadata &metadata) const;
  /// Returns the line that people look for, which is that of ownFrame, or "" if
  /// there is none.
  std::string sourceOf(const KernelCost &kernel,
                       const Metadata &metadata) const;
  /// Returns how the model's launch differs from that of a compiled kernel, or
  /// "".
  std::string modelledText(const KernelCost &kernel) const;
  /// Returns the shapes of the kernel's results.
  std::vector<std::string> shapesOf(const KernelCost &kernel) const;
};

struct AccessRow {
  const KernelCost *kernel;
  const Traffic *traffic;
  bool isRead;
};

/// Returns whether the number of bytes that an access moves is known. It is not
/// if sizes of its array are open.
bool areBytesKnown(const AccessRow &row);
}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_KERNEL_COST_H
