// The data that the page of a report computes with: the maps that the report
// names, the layouts of its arrays, and the sums over all kernels.
#include "llvm/Support/Path.h"

#include "indexical/answers/report/keys.h"
#include "indexical/writers/report.h"
#include "indexical/writers/sums_sink.h"

namespace indexical {
namespace {

/// Gives the sums over all kernels. Bytes are those of the totals; times are in
/// microseconds of all trips, or launches.
void giveTotals(const Report &report, PageData &data) {
  if (!report.areKernels) return;
  SumsSink totals;
  writeKeys(TotalsEntry{report}, totals);
  for (const auto &[key, sum] : totals.sums)
    data.addTotal(key, static_cast<double>(sum));
  const TrafficSums &sums = report.rows.sums;
  const double time = report.profile ? sums.measured : sums.time;
  double unattributed = 0;
  if (report.profile)
    for (const UnattributedKernel &kernel :
         report.profile->joined().unattributed)
      unattributed += static_cast<double>(kernel.times.total) * 1e-6;
  data.addTotal("predicted_us", sums.time);
  data.addTotal("time_us", time);
  data.addTotal("unattributed_us", unattributed);
  data.addTotal("whole_us", time + unattributed);
  data.addTotal("avoidable_us", sums.avoidable);
  for (size_t use = 0; use < kTimeUses; ++use)
    data.addTotal(nameOf(TimeUse(use)), report.rows.uses.parts[use].time);
}

}  // namespace

void ReportResult::page(Structure &to, PageData &data) {
  // The page is named for its file.
  to.head([&](ValueSink &sink) {
    const llvm::StringRef path = view_.report.program->path;
    const llvm::StringRef name = llvm::sys::path::filename(path);
    if (view_.report.files.empty() && !name.empty())
      KeyValue(sink, "path").text(name);
  });
  structure(to);
  giveTotals(view_.report, data);
  auto take = [&](const IndexingRelation &relation) {
    for (const IndexingMap &map : relation.pieces()) data.map(map);
  };
  for (const KernelRow &row :
       llvm::ArrayRef(selected().kernels).take_front(selected().shown)) {
    const Kernel &kernel = row.kernel->kernel();
    for (const IndexingMap &map : row.kernel->traffic().threads) data.map(map);
    for (const SharedTile &tile : kernel.shared) {
      data.map(tile.written);
      data.map(tile.read);
    }
    for (const bool isRead : {true, false})
      for (const Traffic *traffic : isRead ? row.reads : row.writes) {
        const MemoryAccess &access = traffic->access;
        data.array(kernel.buffers[access.buffer]);
        if (kernel.bytesOnly) continue;
        const KernelUser &user = kernel.userOf(access);
        take(user.tile ? user.fromRoot : access.map);
        if (const auto threads = threadsOf(*row.kernel, access)) take(*threads);
      }
  }
}

}  // namespace indexical
