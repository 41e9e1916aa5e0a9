// A profile for people.
//
//   profile tw003: 1 of 8 GPUs ran kernels (mi300x), 75 kernels, 3881 us, …
//      # avoidable % time runs measured least predicted ratio TB/s launch
//      1    236.3  12.6     5     94.80  91.20      56.66   0.60   2.83  same
//
// Kernels of which most is avoidable stand first.

#include <algorithm>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/report/ranking.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

constexpr size_t kProfileIndent = 6;
/// The width of the figures in front of a kernel's name.
constexpr size_t kProfileFigures = 80;
/// Kernels without an instruction that are named.
constexpr size_t kMostUnattributed = 5;

std::string fixed(double value, int decimals) {
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format("%.*f", decimals, value);
  return text;
}

/// Writes as many digits as distinguish times, and no more.
std::string microseconds(double value) {
  const double size = std::abs(value);
  return fixed(value, size < 99.995 ? 2 : size < 9999.95 ? 1 : 0);
}

std::string triple(const std::array<int64_t, 3> &sizes) {
  return std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) + " x " +
         std::to_string(sizes[2]);
}

std::string shareOf(int64_t part, int64_t whole) {
  return whole > 0 ? fixed(100.0 * static_cast<double>(part) /
                               static_cast<double>(whole),
                           1)
                   : "0.0";
}

std::string whole(int64_t picoseconds) {
  return fixed(static_cast<double>(picoseconds) * 1e-6, 0) + " us";
}

class ProfileTable {
 public:
  ProfileTable(const ReportView &view, llvm::raw_ostream &os)
      : view_(view),
        profile_(*view.report.profile),
        joined_(profile_.joined()),
        rows_(view.report.rows),
        os_(os),
        width_(columnsOf(os)),
        colours_(wantsColours(os)) {}

  void write() {
    writeRun();
    writeModules();
    writeUsesText(rows_.uses, static_cast<double>(joined_.total) * 1e-6, os_);
    if (view_.report.comparison) writeComparison();
    os_ << '\n';
    writeToned(
        "   # avoidable % time  runs  measured    least  predicted  ratio   "
        "TB/s  launch   kernel",
        Tone::Strong, colours_, os_);
    os_ << '\n';
    for (size_t k = 0; k < rows_.shown; ++k) writeRow(k);
    size_t more = 0;
    for (const KernelRow &row :
         llvm::ArrayRef(rows_.kernels).drop_front(rows_.shown))
      more += 1 + row.others.size();
    if (more > 0)
      os_ << "      and " << more << " more kernels (--top=N shows N)\n";
    writeUnattributed();
  }

 private:
  void sentence(StringRef text) { writeSentence(text, width_, os_); }

  void writeRun() {
    const Profile &profile = profile_.read().profile;
    int64_t launches = 0, time = 0, busy = 0, ran = 0;
    for (const GpuTimes &gpu : joined_.gpus) {
      launches += gpu.kernels;
      time = sumOfTimes(time, gpu.kernelTime);
      busy = sumOfTimes(busy, gpu.busy);
      ran += gpu.kernels > 0;
    }
    std::vector<std::string> hosts;
    for (StringRef host : profile.hosts) hosts.push_back(printable(host));
    sentence("profile " + llvm::join(hosts, ", ") + ": " + std::to_string(ran) +
             " of " + std::to_string(profile.gpus.size()) +
             " GPUs ran kernels (" + view_.device.name.str() + "), " +
             std::to_string(launches) + " kernels, " + whole(time) + ", busy " +
             whole(busy));
    if (joined_.leftOut > 0)
      sentence("the first launches of each op are left out: " +
               whole(joined_.leftOut));
    for (const auto *warnings : {&profile.warnings, &profile_.read().warnings})
      for (const std::string &warning : *warnings)
        sentence("warning: " + printable(warning));
  }

  void writeModules() {
    size_t ran = 0;
    for (const ModuleTimes &module : joined_.modules)
      ran += module.kernelTime > 0;
    int64_t none = 0;
    for (const UnattributedKernel &kernel : joined_.unattributed)
      none = sumOfTimes(none, kernel.times.total);
    std::string text = std::to_string(joined_.modules.size()) + " modules, " +
                       std::to_string(ran) + " ran; " +
                       shareOf(joined_.total - none, joined_.total) +
                       "% of the time has an instruction";
    if (none > 0)
      text += ", " + shareOf(none, joined_.total) + "% (" + whole(none) +
              ") has none";
    sentence(text);
  }

  void writeComparison() {
    const Comparison &of = *view_.report.comparison;
    sentence("against " + view_.baseline.str() + ": " +
             std::to_string(of.slower) + " slower by " +
             microseconds(of.slowerBy) + " us a launch, " +
             std::to_string(of.faster) + " faster by " +
             microseconds(of.fasterBy) + " us, " + std::to_string(of.added) +
             " new, " + std::to_string(of.gone.size()) + " gone");
    if (const auto &sums = of.avoidable; sums.kernels > 0)
      sentence("avoidable of " + std::to_string(sums.kernels) +
               (sums.kernels == 1 ? " kernel" : " kernels") +
               " in both: " + microseconds(sums.now) + " us, was " +
               microseconds(sums.was) + " us");
  }

  std::string moduleText(const KernelCost &kernel) const {
    const ProfiledModule &module = profile_.moduleOf(kernel);
    return module.name.str() +
           (module.program ? "(" + std::to_string(*module.program) + ")" : "");
  }

  /// The figures of a row, of kernels that are alike together: a launch is then
  /// one of any of them, by the mean of their medians.
  struct RowTimes {
    double avoidable = 0, total = 0;  ///< microseconds
    int64_t launches = 0;
    std::optional<double> median, least;
  };
  RowTimes timesOf(const KernelRow &shown) const {
    RowTimes times;
    double sum = 0;
    int64_t counted = 0;
    auto add = [&](const KernelCost &kernel) {
      const MeasuredRow *row = profile_.rowOf(kernel);
      if (!row) return;
      times.avoidable += row->avoided.microseconds;
      times.total += row->total;
      times.launches += row->op->launches;
      const auto median = row->median();
      if (!median) return;
      sum += *median * static_cast<double>(row->op->launches);
      counted += row->op->launches;
      const double least = *row->op->least * 1e-6;
      times.least = std::min(times.least.value_or(least), least);
    };
    add(*shown.kernel);
    for (const KernelCost *other : shown.others) add(*other);
    if (counted > 0) times.median = sum / static_cast<double>(counted);
    return times;
  }

  void writeFigures(size_t k, const KernelRow &shown) {
    os_ << rightAligned(std::to_string(k + 1), 4);
    const KernelCost &kernel = *shown.kernel;
    const MeasuredRow *row = firstThatRan(shown);
    const RowTimes times = timesOf(shown);
    const auto &median = times.median;
    const auto &time = kernel.time();
    auto orNone = [&](bool isKnown, auto text) {
      return isKnown ? text() : std::string("-");
    };
    writeToned(rightAligned(
                   orNone(row, [&] { return fixed(times.avoidable, 1); }), 10),
               times.avoidable > 0 ? Tone::Bad : Tone::Plain, colours_, os_);
    os_ << rightAligned(orNone(row,
                               [&] {
                                 return fixed(
                                     100e6 * times.total /
                                         static_cast<double>(joined_.total),
                                     1);
                               }),
                        6)
        << rightAligned(
               orNone(row, [&] { return std::to_string(times.launches); }), 6)
        << rightAligned(orNone(median.has_value(),
                               [&] { return microseconds(*median); }),
                        10)
        << rightAligned(orNone(median.has_value(),
                               [&] { return microseconds(*times.least); }),
                        9)
        << rightAligned(orNone(time.has_value(),
                               [&] { return microseconds(time->total()); }),
                        11)
        << rightAligned(
               orNone(median && *median > 0 && time,
                      [&] { return fixed(time->total() / *median, 2); }),
               7)
        << rightAligned(orNone(median && *median > 0,
                               [&] {
                                 return fixed(
                                     static_cast<double>(row->neededBytes) /
                                         *median * 1e-6,
                                     2);
                               }),
                        7);
    const StringRef match = row ? launchMatch(kernel, *row->op) : "";
    os_ << "  " << match.str()
        << std::string(9 - std::min<size_t>(8, match.size()), ' ');
  }

  const MeasuredRow *firstThatRan(const KernelRow &shown) const {
    if (const MeasuredRow *row = profile_.rowOf(*shown.kernel)) return row;
    for (const KernelCost *other : shown.others)
      if (const MeasuredRow *row = profile_.rowOf(*other)) return row;
    return nullptr;
  }

  void writeRow(size_t k) {
    const KernelRow &shown = rows_.kernels[k];
    const KernelCost &kernel = *shown.kernel;
    const MeasuredRow *row = firstThatRan(shown);
    writeFigures(k, shown);
    TextFlow flow(os_, width_, kProfileIndent, kProfileFigures);
    flow.name(view_.names.instructionOf(kernel).name, Tone::Strong);
    if (!shown.others.empty())
      flow.sentence("and " + std::to_string(shown.others.size()) +
                    (areAlike(shown) ? " alike" : " more"));
    flow.name(moduleText(kernel));
    const auto shapes = view_.names.shapesOf(kernel);
    if (!shapes.empty()) flow.name(shapes.front());
    if (row && row->avoided.by != AvoidBy::Nothing)
      flow.sentence(
          adviceOf(kernel.facts.avoidable, row->avoided, partnersOf(shown)));
    else if (row)
      flow.sentence(whyNothing(kernel));
    if (!row) flow.sentence("it did not run");
    if (kernel.kernel().trips != 1)
      flow.name(std::to_string(kernel.kernel().trips) + " trips");
    if (row && row->op->kernels.size() > 1) writeKernels(*row->op, flow);
    if (row && row->op->kernels.size() == 1)
      writeResidency(row->op->kernels.front().details, flow);
    if (row && launchMatch(kernel, *row->op) == "differs")
      writeLaunches(kernel, row->op->kernels.front().details, flow);
    if (view_.report.comparison) writeWas(kernel, row, flow);
    const Metadata &metadata = view_.names.instructionOf(kernel).metadata;
    flow.name(metadata.opName);
    flow.name(view_.names.sourceOf(kernel, metadata));
    if (!kernel.kernel().reason.empty()) flow.sentence(kernel.kernel().reason);
    flow.endLine();
    writeWastingAccesses(view_, shown, os_);
  }

  void writeKernels(const MeasuredOp &op, TextFlow &flow) {
    std::string text = "runs ";
    llvm::ListSeparator comma(", ");
    for (const DeviceKernel &kernel : op.kernels)
      text += StringRef(comma).str() + std::to_string(kernel.times.count) +
              " x " + printable(kernel.name.take_front(60));
    flow.sentence(text);
  }

  /// Only if a core could hold more of the blocks by their threads alone.
  void writeResidency(const LaunchDetails &ran, TextFlow &flow) {
    const auto blocks = residentBlocks(ran, profile_.device());
    LaunchDetails threads;
    threads.block = ran.block;
    threads.occupancy = 100;
    const auto most = residentBlocks(threads, profile_.device());
    if (!blocks || !most || *blocks >= *most) return;
    flow.sentence(
        "a core holds " + std::to_string(*blocks) + " of its blocks (" +
        (ran.registers ? std::to_string(*ran.registers) + " registers, " : "") +
        std::to_string(ran.sharedBytes.value_or(0)) + " bytes shared), " +
        std::to_string(*most) + " by their threads");
  }

  void writeLaunches(const KernelCost &kernel, const LaunchDetails &ran,
                     TextFlow &flow) {
    const Grid &grid = *kernel.kernel().grid;
    flow.sentence("ran with grid " + triple(*ran.grid) + " and block " +
                  triple(*ran.block) + ", predicted are " +
                  triple(grid.blocks) + " and " + triple(grid.threads));
  }

  void writeWas(const KernelCost &kernel, const MeasuredRow *row,
                TextFlow &flow) {
    const OldKernel *old = view_.report.comparison->was.lookup(&kernel);
    if (!old) return flow.name("new");
    const auto now = row ? row->median() : std::nullopt;
    if (!now || !old->measured) return;
    switch (changeOf(*old, *now, *row->op->least * 1e-6,
                     clockStepOf(view_.device))) {
      case TimeChange::Slower:
        return flow.name(
            "slower by " + microseconds(*now - *old->measured) + " us",
            Tone::Bad);
      case TimeChange::Faster:
        return flow.name(
            "faster by " + microseconds(*old->measured - *now) + " us",
            Tone::Good);
      case TimeChange::None:
        return flow.name("as before");
    }
  }

  void writeUnattributed() {
    size_t shown = 0;
    for (const UnattributedKernel &kernel : joined_.unattributed) {
      if (++shown > kMostUnattributed) break;
      sentence("without an instruction: " +
               microseconds(static_cast<double>(kernel.times.total) * 1e-6) +
               " us, " + std::to_string(kernel.times.count) + " x " +
               printable(kernel.name.take_front(100)) + " (" +
               wordsOf(kernel.reason).str() + ")");
    }
    if (joined_.unattributed.size() > kMostUnattributed)
      os_ << "      and " << joined_.unattributed.size() - kMostUnattributed
          << " more kernels without an instruction\n";
    if (view_.report.comparison)
      for (const OldKernel *old : view_.report.comparison->gone)
        sentence(
            "gone: " + old->instruction + " " + old->opName +
            (old->measured ? ", " + microseconds(*old->measured) + " us" : ""));
  }

  const ReportView &view_;
  const ProfileTimes &profile_;
  const JoinedProfile &joined_;
  const SelectedRows &rows_;
  llvm::raw_ostream &os_;
  const size_t width_;
  const bool colours_;
};

}  // namespace

void writeProfileText(const ReportView &view, llvm::raw_ostream &os) {
  ProfileTable(view, os).write();
}

}  // namespace indexical
