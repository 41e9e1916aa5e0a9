// The data that the page of a report computes with: the maps that the report
// names, the layouts of its arrays, and the sums over all kernels.
#include <cstdint>
#include <cstdlib>
#include <ctime>
#include <string>

#include "llvm/Support/Path.h"

#include "indexical/answers/report/keys.h"
#include "indexical/writers/report.h"
#include "indexical/writers/sums_sink.h"

namespace indexical {
namespace {

/// A group of reads and writes, for a page.
struct PageGroup {
  const GroupRow &group;
  bool knowsAvoidable = false;
};

}  // namespace

template <>
KeyList<PageGroup> keysOf<PageGroup>() {
  static constexpr Key<PageGroup> kKeys[] = {
      {"name", "string", "never", "",
       [](const PageGroup &of, KeyValue &to) { to.text(of.group.name); }},
      {"kernels", "integer >= 1", "never", "",
       [](const PageGroup &of, KeyValue &to) { to.integer(of.group.kernels); }},
      {"accesses", "integer >= 1", "never", "",
       [](const PageGroup &of, KeyValue &to) {
         to.integer(of.group.accesses);
       }},
      {"avoidable_us", "number", "it is unknown", "",
       [](const PageGroup &of, KeyValue &to) {
         if (of.knowsAvoidable) to.number(of.group.sums.avoidable, 6);
       }},
      {kKeysOf, "sums of bytes", "", "",
       [](const PageGroup &of, KeyValue &to) {
         to.keys(SumsEntry{of.group.sums});
       }},
  };
  return {"A group of a page", kKeys};
}

namespace {

/// Gives the sums over all kernels. Bytes are those of the totals; times are in
/// microseconds of all trips, or launches.
void giveTotals(const Report &report, PageData &data) {
  if (!report.areKernels) return;
  SumsSink totals;
  writeKeys(TotalsEntry{report}, totals);
  for (const ItemSum &sum : totals.sums)
    data.addTotal(sum.name,
                  sum.number.value_or(static_cast<double>(sum.integer)));
  const TrafficSums &sums = report.rows.sums;
  const double time = report.profile ? sums.measured : sums.time;
  double unattributed = 0;
  if (report.profile)
    for (const UnattributedKernel &kernel :
         report.profile->joined().unattributed)
      unattributed += static_cast<double>(kernel.times.total) * 1e-6;
  data.addTotal("time_us", time);
  data.addTotal("unattributed_us", unattributed);
  data.addTotal("whole_us", time + unattributed);
  for (size_t use = 0; use < kTimeUses; ++use)
    data.addTotal(nameOf(TimeUse(use)), report.rows.uses.parts[use].time);
  for (size_t kind = 0; kind < kWorkKinds; ++kind)
    data.addTotal(("work_" + nameOf(WorkKind(kind))).str(),
                  report.rows.work[kind].time);
}

/// The keys by which a page groups.
constexpr llvm::StringLiteral kGroups[] = {"pattern", "op_name", "source",
                                           "opcode",  "file",    "emitter"};

/// Gives the groups of reads and writes by each of these keys.
void giveGroups(const Report &report, ValueSink &sink) {
  AddSums addSums;
  if (report.profile)
    addSums = [&](const KernelCost &kernel, TrafficSums &sums) {
      report.profile->addTimes(kernel, sums);
    };
  sink.key("page_groups");
  sink.beginObject();
  for (const llvm::StringRef key : kGroups) {
    RowChoice choice = report.choice;
    choice.group = findRowKey(key);
    choice.sort = findSortKey("wasted");
    choice.ranks = choice.endsAtLittle = false;
    choice.top.reset();
    const SelectedRows rows =
        select(report.names(), report.kernels, choice, addSums);
    KeyValue(sink, key).list(rows.groups,
                             [&](const GroupRow &row, KeyValue &to) {
                               to.object(
                                   PageGroup{row, report.knowsAvoidable()});
                             });
  }
  sink.endObject();
}

/// Returns the day, or that of SOURCE_DATE_EPOCH, for builds that are to be
/// the same on every day.
std::string today() {
  std::time_t now = std::time(nullptr);
  int64_t said = 0;
  if (const char *epoch = std::getenv("SOURCE_DATE_EPOCH");
      epoch && !llvm::StringRef(epoch).getAsInteger(10, said))
    now = static_cast<std::time_t>(said);
  std::tm day{};
  char text[16] = "";
  if (!gmtime_r(&now, &day) ||
      std::strftime(text, sizeof text, "%Y-%m-%d", &day) == 0)
    return "";
  return text;
}

}  // namespace

void ReportResult::page(Structure &to, PageData &data) {
  // The page is named for its file.
  to.head([&](ValueSink &sink) {
    const llvm::StringRef path = view_.report.program->path;
    const llvm::StringRef name = llvm::sys::path::filename(path);
    if (view_.report.files.empty() && !name.empty())
      KeyValue(sink, "path").text(name);
    if (!view_.call.empty()) KeyValue(sink, "call").text(view_.call);
    KeyValue(sink, "made").text(today());
    giveGroups(view_.report, sink);
  });
  // The page lists all kernels, and so all rows.
  write(to, selected().ranking.size());
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
