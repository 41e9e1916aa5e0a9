// The rows of a report: what is selected of the reads and writes of a module's
// kernels, in which order, and their sums.
//
//   --filter=op_name=*transpose*   reads and writes of which that is true
//   --sort=moved                   the kernels that move most first
//   --group=pattern                the kernels' reads and writes by pattern
//
// Filters and groups take the same keys: a name, and a function that says what
// a read or write has under it. To add a key is one line of the table in
// traffic_rows.cc; so it is with what a kernel can be sorted by.
#ifndef INDEXICAL_TOOLS_TRAFFIC_ROWS_H
#define INDEXICAL_TOOLS_TRAFFIC_ROWS_H

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"

#include "indexical/analysis/launch/kernels.h"
#include "indexical/analysis/launch/predicted_time.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/traffic.h"
#include "indexical/program/program.h"
#include "indexical/tools/kernel_facts.h"

namespace indexical {

struct Measurement {
  Kernel kernel;
  KernelTraffic traffic;
  /// What one launch asks, and how long it takes; nothing where what runs it is
  /// not known.
  std::optional<Demand> demand = {};
  std::optional<PredictedTime> time = {};
};

/// A kernel and its measurement, which may be that of one that does the same.
struct MeasuredKernel {
  size_t module = 0;
  int32_t computation = 0, instruction = 0;
  std::shared_ptr<const Measurement> measurement;
  std::optional<double> share = {};  ///< of the module's time, all trips
  KernelFacts facts = {};            ///< of addFacts()
  /// The time with what a profile says of its blocks.
  std::optional<PredictedTime> timeAsRun = {};

  /// Its computation and its instruction may be those of another kernel.
  const Kernel &kernel() const { return measurement->kernel; }
  const KernelTraffic &traffic() const { return measurement->traffic; }
  const std::optional<PredictedTime> &time() const {
    return timeAsRun ? timeAsRun : measurement->time;
  }
  /// Microseconds of all trips.
  double allTrips() const {
    return time() ? time()->total() * static_cast<double>(kernel().trips) : 0;
  }
  /// Microseconds of all trips beyond the ideal; 0 if no time is predicted.
  double lost() const {
    return time()
               ? allTrips() - facts.ideal * static_cast<double>(kernel().trips)
               : 0;
  }
};

/// Measures and predicts.
MeasuredKernel measured(const Module &module, size_t number, Kernel kernel,
                        TrafficMeter &meter, ReuseMeter &reuse);

/// Gives each its share of the time of its module's kernels.
void shareTime(std::vector<MeasuredKernel> &kernels);

/// What names of a kernel mean.
struct KernelNames {
  const Program &program;

  const Module &moduleOf(const MeasuredKernel &kernel) const;
  const Computation &computationOf(const MeasuredKernel &kernel) const;
  const Instruction &instructionOf(const MeasuredKernel &kernel) const;
  /// The instruction that makes the array that is read, or the kernel.
  llvm::StringRef arrayOf(const MeasuredKernel &kernel, const Traffic &traffic,
                          bool isRead) const;
  /// The kernel that wrote the array of a read or write, behind tuples and
  /// bitcasts, and which of its results that is: `k`, `k{1}`. If no kernel
  /// wrote it, what it is: a parameter, a constant, a loop.
  std::string sourceArrayOf(const MeasuredKernel &kernel,
                            const Traffic &traffic, bool isRead) const;
  /// Where the read or write comes from; where that is not known, the kernel.
  const Metadata &metadataOf(const MeasuredKernel &kernel,
                             const Traffic &traffic) const;
  llvm::SmallVector<StackFrame, 8> stackOf(const MeasuredKernel &kernel,
                                           const Metadata &metadata) const;
  /// The line that people look for: that of ownFrame; empty where there is
  /// none.
  std::string sourceOf(const MeasuredKernel &kernel,
                       const Metadata &metadata) const;
  /// The shapes of the kernel's results.
  std::vector<std::string> shapesOf(const MeasuredKernel &kernel) const;
};

struct AccessRow {
  const MeasuredKernel *kernel;
  const Traffic *traffic;
  bool isRead;
};

/// What a read or write can be grouped or filtered by.
struct RowKey {
  llvm::StringRef name;
  bool groups;  ///< `--group` takes it, too
  std::string (*of)(const KernelNames &names, const AccessRow &row);
};
llvm::ArrayRef<RowKey> rowKeys();
/// The key of arrays that pass from kernel to kernel. A group of it is an array
/// that one kernel writes and others read, in one computation.
inline constexpr llvm::StringLiteral kArrayKey = "array";
const RowKey *findRowKey(llvm::StringRef name);

/// Bytes, at most. They stay at the largest number.
struct TrafficSums {
  int64_t moved = 0;   ///< of the sectors that are touched
  int64_t used = 0;    ///< of what lanes take of them
  int64_t wasted = 0;  ///< of the sectors beyond the fewest
  /// Microseconds of the kernels; of one access there are none.
  double time = 0;
  /// Of kernels alone: microseconds of all trips beyond the ideal; with a
  /// profile, of all launches.
  double lost = 0;
  /// With a profile, of kernels alone: microseconds of all launches, and
  /// predicted by measured.
  double measured = 0, ratio = 0;
  /// Of a collective, what the device that receives most receives in all trips.
  double received = 0;

  void add(const TrafficSums &other);
};
/// Those of one access in one launch. Where there are no figures, all bytes of
/// the array are moved, and used.
TrafficSums sumsOf(const Traffic &traffic, const Device &device);

/// Those of one access, times the trips.
TrafficSums sumsOf(const AccessRow &row, const Device &device);
/// Those of all reads and writes, times the trips.
TrafficSums sumsOf(const MeasuredKernel &kernel, const Device &device);

/// What is shown of a kernel, or of kernels that are alike: the first of them
/// with its reads and writes, and the sums of all.
struct KernelRow {
  const MeasuredKernel *kernel = nullptr;
  std::vector<const MeasuredKernel *> others;  ///< that are alike
  std::vector<const Traffic *> reads, writes;
  TrafficSums sums;
};

/// Returns whether the bytes that an access moves are a number: they are none
/// if sizes of its array are open.
bool areBytesKnown(const AccessRow &row);
/// Returns whether those of all its accesses are.
bool areBytesKnown(const KernelRow &row);

/// What kernels and groups can be sorted by, the largest first.
struct SortKey {
  llvm::StringRef name;
  double (*of)(const TrafficSums &sums);  ///< null: by their names
};
llvm::ArrayRef<SortKey> sortKeys();
const SortKey *findSortKey(llvm::StringRef name);

struct RowFilter {
  const RowKey *key;
  std::shared_ptr<const std::string> text;  ///< what the glob views
  llvm::GlobPattern glob;
};

struct RowChoice {
  const SortKey *sort = findSortKey("wasted");
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  int64_t leastWasted = 0;     ///< of a kernel, or a group
  std::optional<size_t> top;   ///< so many kernels or groups
  bool alikeTogether = false;  ///< kernels that are alike are one row
  /// Adds a profile's times of a kernel to sums. Empty if there is no profile.
  std::function<void(const MeasuredKernel &, TrafficSums &)> addTimes = {};
};

struct GroupRow {
  std::string name;
  TrafficSums sums;
  size_t kernels = 0, accesses = 0;
  const MeasuredKernel *worst =
      nullptr;  ///< the first of those that waste most
  int64_t worstWasted = -1;
  /// Those that write to it, and that read it, in the order of the rows; with
  /// `--group=array`, the array.
  std::vector<const MeasuredKernel *> writers, readers;
  std::optional<ArrayShape> array = {};
};

struct SelectedRows {
  /// Those that the filters take, sorted; kernels without a read or write of
  /// these are left out.
  std::vector<KernelRow> kernels;
  std::vector<GroupRow> groups;     ///< likewise; of a choice with a group
  TrafficSums reads, writes, sums;  ///< of `kernels`
  TrafficSums all;                  ///< of what there was
  size_t kernelCount = 0;           ///< of those that the filters take
  size_t groupCount = 0;
  size_t bytesOnly = 0;    ///< kernels of these
  size_t openKernels = 0;  ///< those with bytes that are not known
  TimeUses uses;           ///< of the time of `kernels`
  size_t shown = 0;        ///< so many kernels, or groups, are to be shown
};

/// Instructions that are no kernels yet: one op, of one source line.
struct ListedRow {
  std::string op, source;  ///< the opcode; the line, else op_name
  size_t instructions = 0;
  const KernelRow *worst = nullptr;  ///< the first of them
};
/// Those of the rows, in the order of their first.
std::vector<ListedRow> listByOpAndSource(const KernelNames &names,
                                         const SelectedRows &rows);

SelectedRows select(const KernelNames &names,
                    const std::vector<MeasuredKernel> &kernels,
                    const Device &device, const RowChoice &choice);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_ROWS_H
