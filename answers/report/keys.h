// The keys of a report (answers/fields.h), as docs/keys.md has them.
//
// An entry is the subject of one object: a kernel of a report, a read of it.
#ifndef INDEXICAL_ANSWERS_REPORT_KEYS_H
#define INDEXICAL_ANSWERS_REPORT_KEYS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/fields.h"
#include "indexical/answers/report/alike_kernels.h"
#include "indexical/answers/report/communication.h"
#include "indexical/answers/report/report.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/indexing/relation.h"

namespace indexical {

/// A report whose keys are asked for, and the texts that its kernels share.
struct ReportEntry {
  const Report &report;
  llvm::StringRef groupedBy;  ///< the name of the key; empty: no groups
  AlikeTexts &texts;
  bool showsMaps = true;  ///< of reads and writes
};

/// The device of a module, where modules have several.
struct ModuleDeviceEntry {
  const Report &report;
  size_t module = 0;
};

struct KernelEntry {
  const ReportEntry &in;
  const KernelRow &row;
  const KernelCost &cost = *row.kernel;
  const Instruction &instruction = in.report.names().instructionOf(cost);
  llvm::SmallVector<StackFrame, 8> stack =
      in.report.names().stackOf(cost, instruction.metadata);
  /// The times of a profile; null: there is none, or it never ran.
  const MeasuredRow *measured =
      in.report.profile ? in.report.profile->rowOf(cost) : nullptr;

  const Kernel &kernel() const { return cost.kernel(); }
};

/// A row of the ranking: kernels that are one change.
struct RankEntry {
  const ReportEntry &in;
  const KernelRow &row;
  size_t rank = 0;  ///< from 1
  const KernelCost &cost = *row.kernel;
  const Instruction &instruction = in.report.names().instructionOf(cost);
};
/// A kernel of such a row.
struct RankedEntry {
  const ReportEntry &in;
  const KernelCost &cost;
};

struct AccessEntry {
  const ReportEntry &in;
  AccessRow row;
  const KernelCost &cost = *row.kernel;
  const Traffic &traffic = *row.traffic;
  const Device &device = *row.kernel->device;
  const Metadata &metadata = in.report.names().metadataOf(cost, traffic);
  llvm::SmallVector<StackFrame, 8> stack =
      in.report.names().stackOf(cost, metadata);

  const Kernel &kernel() const { return cost.kernel(); }
};
struct ReadEntry : AccessEntry {};
struct WriteEntry : AccessEntry {};

struct GroupEntry {
  const ReportEntry &in;
  const GroupRow &group;
};
/// The kernel that wastes most of a group.
struct WorstEntry {
  const ReportEntry &in;
  const GroupRow &group;
};

struct SharedTileEntry {
  const SharedTile &tile;
  std::optional<int64_t> conflicts;
};

/// How the model differs from a compiled kernel.
struct ModelledEntry {
  const ReportEntry &in;
  const KernelCost &cost;
  const Modelled &modelled;
};
struct ModelledArrayEntry {
  const ReportEntry &in;
  const KernelCost &cost;
  const ModelledArray &array;
};

/// A kernel of an earlier report, beside the same kernel of this one.
struct EarlierEntry {
  const OldKernel &kernel;
};
/// One that this report does not have.
struct GoneEntry {
  const OldKernel &kernel;
};
/// The sums of a comparison with an earlier report.
struct ChangesEntry {
  const Comparison &comparison;
};

/// The time of the kernels that do one kind of work.
struct WorkEntry {
  const Report &report;
  WorkKind kind;

  const TimePart &part() const { return report.rows.work[size_t(kind)]; }
};

struct UseEntry {
  const TimeUses &uses;
  TimeUse use;
};

/// The kernels of the last use that one resource binds.
struct RoofEntry {
  const TimeUses &uses;
  TimeLimit limit;
};

struct CollectiveEntry {
  const Communication &all;
  const Communication::OfModule &of;
  const Collective &collective;

  const Computation &computation() const {
    return of.module->computations[collective.computation];
  }
  const Instruction &instruction() const {
    return computation().instructions[collective.instruction];
  }
  int64_t devices() const {
    return collective.devices > 0 ? collective.devices : of.devices.all();
  }
};
struct ReshardEntry {
  const Communication::Row &row;

  const Reshard &reshard() const { return *row.reshard; }
  const Computation &computation() const {
    return row.of->module->computations[reshard().computation];
  }
};
struct ReshardGroupEntry {
  const Communication &all;
  const Communication::Group &group;
};

struct GpuEntry {
  const ProfileTimes &profile;
  const GpuTimes &times;
};
struct DeviceKernelEntry {
  const DeviceKernel &kernel;
  const Device &device;
};

/// The sums of bytes of a row: of a kernel, a group, or of all kernels.
struct SumsEntry {
  const TrafficSums &sums;
  bool areKnown = true;  ///< else they are null
};
/// The sums of a report, over all of its kernels.
struct TotalsEntry {
  const Report &report;
};

// report_keys.cc, ranking_keys.cc, access_keys.cc, communication_keys.cc,
// modelled_keys.cc, profile_keys.cc
template <>
KeyList<ReportEntry> keysOf<ReportEntry>();
template <>
KeyList<KernelEntry> keysOf<KernelEntry>();
template <>
KeyList<RankEntry> keysOf<RankEntry>();
template <>
KeyList<RankedEntry> keysOf<RankedEntry>();
template <>
KeyList<FailedFile> keysOf<FailedFile>();
template <>
KeyList<ReadEntry> keysOf<ReadEntry>();
template <>
KeyList<WriteEntry> keysOf<WriteEntry>();
template <>
KeyList<AccessEntry> keysOf<AccessEntry>();
template <>
KeyList<GroupEntry> keysOf<GroupEntry>();
template <>
KeyList<WorstEntry> keysOf<WorstEntry>();
template <>
KeyList<SharedTileEntry> keysOf<SharedTileEntry>();
template <>
KeyList<ModelledEntry> keysOf<ModelledEntry>();
template <>
KeyList<ModelledArrayEntry> keysOf<ModelledArrayEntry>();
template <>
KeyList<EarlierEntry> keysOf<EarlierEntry>();
template <>
KeyList<GoneEntry> keysOf<GoneEntry>();
template <>
KeyList<Cancelled> keysOf<Cancelled>();
template <>
KeyList<LiveAtPeak> keysOf<LiveAtPeak>();
template <>
KeyList<LiveArrayEntry> keysOf<LiveArrayEntry>();
template <>
KeyList<TimeUses> keysOf<TimeUses>();
template <>
KeyList<WorkEntry> keysOf<WorkEntry>();
template <>
KeyList<UseEntry> keysOf<UseEntry>();
template <>
KeyList<RoofEntry> keysOf<RoofEntry>();
template <>
KeyList<Device> keysOf<Device>();
template <>
KeyList<SumsEntry> keysOf<SumsEntry>();
template <>
KeyList<TotalsEntry> keysOf<TotalsEntry>();
template <>
KeyList<CollectiveEntry> keysOf<CollectiveEntry>();
template <>
KeyList<ReshardEntry> keysOf<ReshardEntry>();
template <>
KeyList<ReshardGroupEntry> keysOf<ReshardGroupEntry>();
template <>
KeyList<OperandReads> keysOf<OperandReads>();
template <>
KeyList<ProfileTimes> keysOf<ProfileTimes>();
template <>
KeyList<GpuEntry> keysOf<GpuEntry>();
template <>
KeyList<ModuleTimes> keysOf<ModuleTimes>();
template <>
KeyList<ModuleDeviceEntry> keysOf<ModuleDeviceEntry>();
template <>
KeyList<ChangesEntry> keysOf<ChangesEntry>();
template <>
KeyList<UnattributedKernel> keysOf<UnattributedKernel>();
template <>
KeyList<DeviceKernelEntry> keysOf<DeviceKernelEntry>();

/// Returns the tables of all of these, in the order of keys.md.
std::vector<Described> reportTables();

/// Returns the columns of the table of reads and writes, in order.
std::vector<llvm::StringRef> accessColumns();
/// Returns the columns of the table of groups, in order.
std::vector<llvm::StringRef> groupColumns();

/// Returns the maps from thread and block to the array of an access, or nothing
/// if there are none.
std::optional<IndexingRelation> threadsOf(const KernelCost &kernel,
                                          const MemoryAccess &access);

/// Gives the innermost frame, or nothing if there is none.
void sourceOf(llvm::ArrayRef<StackFrame> stack, KeyValue &to);
/// Gives all frames, the innermost first, or nothing if there are none.
void stackOf(llvm::ArrayRef<StackFrame> stack, KeyValue &to);

/// The column of `read` or `write`.
inline constexpr int kAccessColumn = 12;

/// Returns the bytes of the sectors of an access.
Figure movedOf(const AccessFigures &figures, const Device &device);
/// Gives a number, or its bounds.
void figure(const Figure &figure, KeyValue &to);

/// Returns the reason why the access has no figures.
std::string reasonOf(const KernelCost &kernel, const Traffic &traffic);

/// `xla`, `linear`, `own`.
llvm::StringRef nameOf(LaunchModel model);

/// Returns whether a launch may take longer than is predicted: of some bytes
/// only bounds are known, and the least count (Demand::isLeast).
bool isTimeAtLeast(const KernelCost &kernel);

/// Returns picoseconds as microseconds, exactly: `12133.585`.
std::string exactMicroseconds(int64_t picoseconds);
/// Gives microseconds, or nothing. Half picoseconds are possible: of a median.
void microseconds(const std::optional<double> &picoseconds, KeyValue &to);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_KEYS_H
