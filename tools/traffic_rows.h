// The rows of a report: the selected reads and writes of a module's kernels,
// their order, and their sums.
//
//   --filter=op_name=*transpose*   reads and writes whose op_name matches
//   --sort=moved                   the kernels that move most first
//   --group=pattern                the kernels' reads and writes by pattern
//
// Filters and groups take the same keys. A key has a name, and a function that
// returns the value of a read or write under that name. A new key is one line
// of the table in traffic_rows.cc, and so is a new key for sorting.
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
#include "indexical/module/program.h"
#include "indexical/tools/kernel_facts.h"

namespace indexical {

struct Measurement {
  Kernel kernel;
  KernelTraffic traffic;
  /// The resources and the predicted time of one launch; nothing if the unit
  /// that runs it is unknown.
  std::optional<Demand> demand = {};
  std::optional<PredictedTime> time = {};
};

/// A kernel and its measurement, which may be that of an equal kernel.
struct MeasuredKernel {
  size_t module = 0;
  ComputationId computation;
  InstructionId instruction;
  std::shared_ptr<const Measurement> measurement;
  std::optional<double> share = {};  ///< of the module's time, in all trips
  KernelFacts facts = {};            ///< set by addFacts()
  /// The predicted time, with the blocks that a profile gives.
  std::optional<PredictedTime> timeAsRun = {};

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
};

/// Returns the kernel with its traffic measured and its time predicted.
MeasuredKernel measured(const Module &module, size_t number, Kernel kernel,
                        TrafficMeter &meter, ReuseMeter &reuse);

/// Sets each kernel's share of the time of its module's kernels.
void shareTime(std::vector<MeasuredKernel> &kernels);

/// Finds the parts of the program that a kernel names.
struct KernelNames {
  const Program &program;

  const Module &moduleOf(const MeasuredKernel &kernel) const;
  const Computation &computationOf(const MeasuredKernel &kernel) const;
  const Instruction &instructionOf(const MeasuredKernel &kernel) const;
  /// Returns the instruction that makes the array that is read, or the kernel.
  llvm::StringRef arrayOf(const MeasuredKernel &kernel, const Traffic &traffic,
                          bool isRead) const;
  /// Returns the kernel that wrote the array of a read or write, behind tuples,
  /// bitcasts and updates in place, and the number of its result: `k`, `k{1}`.
  /// If no kernel
  /// wrote it, returns its origin: a parameter, a constant, a loop.
  std::string sourceArrayOf(const MeasuredKernel &kernel,
                            const Traffic &traffic, bool isRead) const;
  /// Returns the metadata of the read or write, or of the kernel if unknown.
  const Metadata &metadataOf(const MeasuredKernel &kernel,
                             const Traffic &traffic) const;
  llvm::SmallVector<StackFrame, 8> stackOf(const MeasuredKernel &kernel,
                                           const Metadata &metadata) const;
  /// Returns the line that people look for, which is that of ownFrame, or "" if
  /// there is none.
  std::string sourceOf(const MeasuredKernel &kernel,
                       const Metadata &metadata) const;
  /// Returns the shapes of the kernel's results.
  std::vector<std::string> shapesOf(const MeasuredKernel &kernel) const;
};

struct AccessRow {
  const MeasuredKernel *kernel;
  const Traffic *traffic;
  bool isRead;
};

/// A key by which reads and writes can be grouped or filtered.
struct RowKey {
  llvm::StringRef name;
  bool groups;  ///< whether `--group` takes it, too
  std::string (*of)(const KernelNames &names, const AccessRow &row);
};
llvm::ArrayRef<RowKey> rowKeys();
/// The key of arrays that pass from kernel to kernel. Each of its groups is an
/// array that one kernel writes and others read, in one computation.
inline constexpr llvm::StringLiteral kArrayKey = "array";
const RowKey *findRowKey(llvm::StringRef name);

/// Bytes that are moved and wasted, at most and at least. A sum that overflows
/// stays at the largest number.
struct TrafficSums {
  int64_t moved = 0;   ///< bytes of the sectors touched, at most
  int64_t wasted = 0;  ///< bytes of sectors beyond the fewest, at most
  int64_t movedLeast = 0, wastedLeast = 0;
  /// What orders and limits go by: the least if every access is made
  /// (AccessFigures::least).
  int64_t movedSure = 0, wastedSure = 0;
  /// Microseconds of kernels; 0 for a single access.
  double time = 0;
  /// Only for kernels: microseconds of all trips beyond the ideal, or, with a
  /// profile, of all launches.
  double lost = 0;
  /// Only for kernels, with a profile: microseconds of all launches, and the
  /// ratio of predicted to measured time.
  double measured = 0, ratio = 0;
  /// Only for a collective: the bytes that the device that receives most
  /// receives in all trips.
  double received = 0;

  /// Returns the bytes of the fewest sectors: moved = used + wasted.
  int64_t used() const { return moved - wasted; }
  /// Returns whether the bytes are numbers, and not bounds.
  bool areKnown() const { return moved == movedLeast && wasted == wastedLeast; }
  void add(const TrafficSums &other);
};
/// Returns the sums of one access in one launch. Without figures, all bytes of
/// the array count as moved and as used.
TrafficSums sumsOf(const Traffic &traffic, const Device &device);

/// Returns the sums of one access, times the trips.
TrafficSums sumsOf(const AccessRow &row, const Device &device);
/// Returns the sums of all reads and writes, times the trips.
TrafficSums sumsOf(const MeasuredKernel &kernel, const Device &device);

/// A row of a kernel, or of alike kernels: the first of them with its reads and
/// writes, and the sums of all.
struct KernelRow {
  const MeasuredKernel *kernel = nullptr;
  std::vector<const MeasuredKernel *> others;  ///< that are alike
  std::vector<const Traffic *> reads, writes;
  TrafficSums sums;
};

/// Returns whether the number of bytes that an access moves is known. It is not
/// if sizes of its array are open.
bool areBytesKnown(const AccessRow &row);
/// Returns whether the bytes of all accesses of the row are known.
bool areBytesKnown(const KernelRow &row);

/// A key by which kernels and groups can be sorted, the largest first.
struct SortKey {
  llvm::StringRef name;
  double (*of)(const TrafficSums &sums);  ///< null: by name
};
llvm::ArrayRef<SortKey> sortKeys();
const SortKey *findSortKey(llvm::StringRef name);

struct RowFilter {
  const RowKey *key;
  std::shared_ptr<const std::string> text;  ///< the text of the glob
  llvm::GlobPattern glob;
};

struct RowChoice {
  const SortKey *sort = findSortKey("wasted");
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  int64_t leastWasted = 0;     ///< for certain, by a kernel or a group
  std::optional<size_t> top;   ///< the most kernels or groups shown
  bool alikeTogether = false;  ///< one row for alike kernels
  /// Adds a profile's times of a kernel to its sums. Empty without a profile.
  std::function<void(const MeasuredKernel &, TrafficSums &)> addTimes = {};
};

struct GroupRow {
  std::string name;
  TrafficSums sums;
  size_t kernels = 0, accesses = 0;
  const MeasuredKernel *worst =
      nullptr;          ///< the first of those that waste most
  TrafficSums ofWorst;  ///< its bytes in the group
  /// The kernels that write to the group, and those that read it, in the order
  /// of the rows. With `--group=array`, also the array.
  std::vector<const MeasuredKernel *> writers, readers;
  std::optional<ArrayShape> array = {};
};

struct SelectedRows {
  /// The kernels that the filters take, sorted. With filters, a kernel without
  /// a read or write that they take is left out.
  std::vector<KernelRow> kernels;
  std::vector<GroupRow> groups;     ///< sorted; empty without a group
  TrafficSums reads, writes, sums;  ///< of the kernels taken
  TrafficSums all;                  ///< of all kernels
  size_t kernelCount = 0;           ///< of the kernels that the filters take
  size_t groupCount = 0;
  size_t bytesOnly = 0;    ///< kernels with Kernel::bytesOnly
  size_t openKernels = 0;  ///< kernels whose bytes are not known
  TimeUses uses;           ///< uses of the time of these kernels
  size_t shown = 0;        ///< the most kernels, or groups, to be shown
};

/// Instructions that are no kernels yet, of one op and one source line.
struct ListedRow {
  std::string op, source;  ///< the opcode; the line, else op_name
  size_t instructions = 0;
  const KernelRow *worst = nullptr;  ///< the first of them
};
/// Returns the entries for the rows, in the order of their first rows.
std::vector<ListedRow> listByOpAndSource(const KernelNames &names,
                                         const SelectedRows &rows);

SelectedRows select(const KernelNames &names,
                    const std::vector<MeasuredKernel> &kernels,
                    const Device &device, const RowChoice &choice);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_ROWS_H
