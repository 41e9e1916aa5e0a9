// The table of kernels, or of groups, for people.
//
//     # avoidable   wasted    %    moved    %  kernel
//     1   4.95 us  14.7 MB 100%  21.0 MB 100%  k  f32[1024,512]{1,0}  fusion
//                  14.7 MB 100%  16.8 MB  80%  reads p f32[512,1024]{1,0}
//        transposed, stride 4096 B  jit(f)/transpose  model.py:12
//
// The avoidable time is what a change can save (avoidable.h); of instructions
// that are no kernels yet, nobody knows. Per cents of a kernel are of the
// module, those of a read or write are of its kernel. Figures stand in columns,
// and the other text flows behind them (terminal.h).

#include <algorithm>
#include <cstdlib>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"

#include "indexical/answers/inputs/foreign.h"
#include "indexical/answers/report/keys.h"
#include "indexical/answers/report/ranking.h"
#include "indexical/answers/words.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/sizes.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/report_access.h"
#include "indexical/writers/sharding.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// The largest number of reads and writes shown of a kernel, the worst first.
constexpr size_t kMostAccesses = 3;
/// The largest number of readers of an array that are named.
constexpr size_t kMostNames = 4;
/// The column at which flowing text continues, below the rank.
constexpr size_t kIndent = 6;
/// The widths of the figures at the beginning of a line, and of the time that
/// is avoidable.
constexpr size_t kFigures = 34, kAvoidable = 10;
/// The columns that bounds of bytes take beyond a number: ` to 409.6 MB`.
constexpr size_t kOfBounds = 13;

std::string count(size_t number, StringRef thing) {
  return std::to_string(number) + " " + thing.str() + (number == 1 ? "" : "s");
}

/// Of which no part is shown.
const TrafficSums kNothing;

class Table {
 public:
  Table(const ReportView &view, llvm::raw_ostream &os)
      : view_(view),
        rows_(view.report.rows),
        os_(os),
        width_(columnsOf(os)),
        colours_(wantsColours(os)) {}

  /// Writes the reads and writes of a row that waste bytes.
  void writeAccessesOf(const KernelRow &row) {
    writeAccesses(row, wastingOf(row));
  }

  void write() {
    writeDevice(view_, os_);
    if (const std::string threads = threadsText(view_); !threads.empty())
      sentence("threads: " + threads);
    if (view_.report.areKernels)
      writeSums();
    else
      sentence(
          "no kernels yet: the module is not scheduled, and a compiler "
          "will fuse its " +
          count(rows_.kernelCount, "instruction") +
          " first. So nothing is summed; --launch=xla takes them for "
          "kernels. For a scheduled one, " +
          std::string(kHowToDump));
    if (view_.report.comparison) writeComparison();
    os_ << '\n';
    if (view_.groupedBy.empty() && !view_.report.areKernels &&
        !view_.report.comparison)
      writeList();
    else if (view_.groupedBy.empty())
      writeKernels();
    else
      writeGroups();
  }

 private:
  void sentence(StringRef text) { writeSentence(text, width_, os_); }

  void writeSums() {
    // Kernels whose bytes are not known are in no sum.
    const bool isPart = rows_.openKernels > 0;
    auto of = [&](StringRef what, const TrafficSums &sums) {
      if (isPart)
        return what.str() + ": at least " + bytesText(sums.movedLeast) +
               " transferred, at least " + bytesText(sums.wastedLeast) +
               " in unused sector bytes";
      return what.str() + ": " + movedText(sums) + " transferred, " +
             wastedText(sums) + " in unused sector bytes" +
             (sums.areKnown()
                  ? " (" + percentText(sums.wasted, sums.moved) + ")"
                  : "");
    };
    const bool areAllOpen =
        rows_.openKernels > 0 && rows_.openKernels == rows_.kernelCount;
    if (!areAllOpen)
      sentence(count(rows_.kernelCount, "kernel") + ": " +
               of("global loads", rows_.reads) + "; " +
               of("global stores", rows_.writes));
    if (rows_.openKernels > 0)
      sentence(
          (areAllOpen ? "" : "of these, ") +
          count(rows_.openKernels, "kernel") +
          (rows_.openKernels == 1 ? " has" : " have") +
          " sizes that are not known, and bytes that are not counted: " +
          (areOfTriton(rows_) ? "--arg and --grid" : "--size and --arguments") +
          " give sizes");
    if (rows_.alternatives > 0)
      sentence(count(rows_.alternatives, "other configuration") +
               " in no sum: autotuning keeps the fastest of each kernel");
    if (rows_.sums.time > 0)
      sentence("predicted GPU time: " +
               (isTimeLeast() ? std::string("at least ") : "") +
               timeOf(rows_.sums.time) +
               (view_.report.profile
                    ? " (measured launches); they took " +
                          timeOf(rows_.sums.lost) +
                          " more than the roofline bound"
                    : " (all launches); " + avoidableText() + rooflineText()));
    writeUsesText(rows_.uses, rows_.uses.whole(), os_);
    if (rows_.bytesOnly > 0)
      sentence(count(rows_.bytesOnly, "kernel") +
               (rows_.bytesOnly == 1 ? " shows" : " show") +
               " only the sizes of operands and results: libraries do the "
               "work, or the reads are not followed");
    if (rows_.sums.moved != rows_.all.moved)
      sentence("filters: that is " + wastedPercent(rows_.sums, rows_.all) +
               " of what is wasted, and " +
               movedPercent(rows_.sums, rows_.all) + " of what is moved");
    sentence("rows: % of all kernels; reads and writes: % of their kernel");
  }

  /// `roofline bound: 11.1 ms (88% of peak)`
  std::string rooflineText() const {
    const double time = rows_.sums.time;
    const double bound = std::max(0.0, time - rows_.sums.lost);
    return "roofline bound: " + timeOf(bound) + " (" +
           decimal(100 * bound / time, 0) + "% of peak)";
  }

  /// `estimated speedup: up to 93% (184 us); `
  std::string avoidableText() const {
    const double time = rows_.sums.time;
    const double part = std::min(rows_.sums.avoidable, time);
    return part > 0 ? "estimated speedup: up to " +
                          decimal(100 * part / time, 0) + "% (" +
                          timeOf(part) + "); "
                    : "";
  }

  void writeComparison() {
    const Comparison &of = *view_.report.comparison;
    sentence("against " + view_.baseline.str() + ": " +
             count(of.better, "kernel") + " better by " +
             bytesText(of.wastedLess) + ", " + std::to_string(of.worse) +
             " worse by " + bytesText(of.wastedMore) + ", " +
             std::to_string(of.added) + " new, " +
             std::to_string(of.gone.size()) + " gone");
    std::string times;
    for (auto [name, sums] : {std::pair("predicted", of.predicted),
                              std::pair("avoidable", of.avoidable)})
      if (sums.kernels > 0)
        times += (times.empty() ? "" : "; ") +
                 (name + (" of " + count(sums.kernels, "kernel"))) +
                 " in both: " + timeOf(sums.now) + ", was " + timeOf(sums.was);
    if (!times.empty()) sentence(times);
  }

  /// Whether lines show the time that is avoidable.
  bool showsAvoidable() const {
    return view_.report.areKernels && view_.report.knowsAvoidable() &&
           !(view_.report.profile && view_.groupedBy.empty());
  }
  size_t figuresWidth() const {
    return kFigures + (showsAvoidable() ? kAvoidable : 0) + 2 * widened_;
  }

  /// Whether the sum of times leaves something out.
  bool isTimeLeast() const {
    return rows_.isTimeLeast || !view_.report.isWhole;
  }

  /// Makes room for bounds, if a line shows any.
  size_t widening() const {
    auto isOpen = [](const auto &row) { return !row.sums.areKnown(); };
    const bool has =
        view_.groupedBy.empty()
            ? llvm::any_of(
                  llvm::ArrayRef(rows_.kernels).take_front(rows_.shown), isOpen)
            : llvm::any_of(llvm::ArrayRef(rows_.groups).take_front(rows_.shown),
                           isOpen);
    return has ? kOfBounds : 0;
  }

  /// Writes a line's figures, figuresWidth() wide.
  void figures(const std::string &rank, const TrafficSums &sums,
               const TrafficSums &of, bool isKnown, bool isMovedKnown,
               Tone tone) {
    os_ << rightAligned(rank, 4) << ' ';
    if (showsAvoidable()) {
      const bool isKernel =
          !rank.empty() && (sums.time > 0 || sums.avoidable > 0);
      writeToned(rightAligned(isKernel ? timeOf(sums.avoidable) : "", 9), tone,
                 colours_, os_);
      os_ << ' ';
    }
    writeToned(rightAligned(isKnown && isMovedKnown ? wastedText(sums) : "-",
                            9 + widened_),
               sums.wastedSure > 0 ? tone : Tone::Plain, colours_, os_);
    os_ << ' '
        << rightAligned(isKnown && isMovedKnown ? wastedPercent(sums, of) : "-",
                        4)
        << rightAligned(isMovedKnown ? movedText(sums) : "-", 10 + widened_)
        << ' ' << rightAligned(isMovedKnown ? movedPercent(sums, of) : "-", 4);
  }

  /// Returns the sums of all kernels, or zeros for instructions that are no
  /// kernels yet, which have no sum.
  const TrafficSums &whole() const {
    return view_.report.areKernels ? rows_.all : kNothing;
  }

  void header(StringRef rest) {
    writeToned((showsAvoidable() ? "   # avoidable " : "   # ") +
                   rightAligned("wasted", 9 + widened_) + "    %" +
                   rightAligned("moved", 10 + widened_) + "    %",
               Tone::Strong, colours_, os_);
    writeToned(rest, Tone::Strong, colours_, os_);
    os_ << '\n';
  }

  void writeKernels() {
    header("  kernel");
    for (size_t k = 0; k < rows_.shown; ++k) writeKernel(k);
    more(kernelsOf(rows_.kernels.size()), kernelsOf(rows_.shown),
         rows_.kernelCount, "kernel");
    if (view_.report.comparison) writeGone();
  }

  /// Writes instructions that are no kernels yet. Figures are those of one
  /// instruction, and there are no sums.
  void writeList() {
    const std::vector<ListedRow> list = listByOpAndSource(view_.names, rows_);
    const size_t shown = std::min(list.size(), rows_.shown);
    header("   ops  op, source, and the first instruction");
    for (size_t k = 0; k < shown; ++k) {
      const ListedRow &row = list[k];
      figures(std::to_string(k + 1), row.worst->sums, whole(),
              !row.worst->kernel->kernel().bytesOnly, areBytesKnown(*row.worst),
              Tone::Bad);
      os_ << rightAligned(std::to_string(row.instructions), 6);
      TextFlow flow(os_, width_, kIndent, figuresWidth() + 6);
      flow.name(row.op, Tone::Strong);
      flow.name(row.source);
      flow.name(view_.names.instructionOf(*row.worst->kernel).name);
      const auto shapes = view_.names.shapesOf(*row.worst->kernel);
      if (!shapes.empty()) flow.name(shapes.front());
      flow.endLine();
      writeAccesses(*row.worst, wastingOf(*row.worst));
    }
    if (list.size() > shown)
      os_ << "      and " << count(list.size() - shown, "more line")
          << " (--top=N shows N)\n";
  }

  /// Returns the number of kernels in the first rows.
  size_t kernelsOf(size_t rows) const {
    size_t kernels = 0;
    for (const KernelRow &row : llvm::ArrayRef(rows_.kernels).take_front(rows))
      kernels += 1 + row.others.size();
    return kernels;
  }

  /// Whether the list leaves out a row without a time.
  bool leavesOutUnknown() const {
    return llvm::any_of(llvm::ArrayRef(rows_.kernels).drop_front(rows_.shown),
                        [](const KernelRow &row) {
                          return !(row.sums.time > 0) &&
                                 !(row.sums.measured > 0);
                        });
  }

  void more(size_t wanted, size_t shown, size_t all, StringRef thing) {
    if (wanted > shown)
      os_ << "      and " << count(wanted - shown, "more " + thing.str())
          << " (--top=N shows N)"
          << (rows_.little > 0 &&
                      rows_.shown + rows_.little == rows_.kernels.size()
                  ? leavesOutUnknown()
                        ? ", in rows of less than 1% of the time, or of "
                          "unknown time"
                        : ", in rows of less than 1% of the time"
                  : "")
          << '\n';
    if (all > wanted)
      os_ << "      and " << count(all - wanted, thing) << " below --min\n";
  }

  void writeKernel(size_t k) {
    const KernelRow &row = rows_.kernels[k];
    const KernelCost &kernel = *row.kernel;
    // A kernel that is in no sum is no part of one.
    const TrafficSums &all = kernel.isAlternative ? kNothing : whole();
    figures(std::to_string(k + 1), row.sums, all, !kernel.kernel().bytesOnly,
            areBytesKnown(row), Tone::Bad);
    TextFlow flow(os_, width_, kIndent, figuresWidth());
    flow.name(view_.names.instructionOf(kernel).name, Tone::Strong);
    if (!row.others.empty())
      flow.sentence("and " + std::to_string(row.others.size()) +
                    (areAlike(row) ? " alike" : " more"));
    const auto shapes = view_.names.shapesOf(kernel);
    if (!shapes.empty()) flow.name(shapes.front());
    if (shapes.size() > 1)
      flow.sentence("and " + count(shapes.size() - 1, "more result"));
    flow.name(whereText(view_.report, kernel));
    if (view_.report.areKernels)
      flow.name(row.others.empty() ? timeText(kernel, all.time)
                                   : timeOfAll(row));
    if (view_.report.areKernels) writeAdvice(row, flow);
    if (view_.report.comparison) writeWas(kernel, row.sums, flow);
    if (const std::string launch = launchText(kernel); !launch.empty())
      flow.sentence(launch);
    if (const std::string other = view_.names.modelledText(kernel);
        !other.empty())
      flow.sentence(other);
    for (const OperandReads &operand : view_.report.communication.operands(
             kernel.module, kernel.computation, kernel.instruction))
      if (operand.reads.areLocal != Answer::Yes)
        flow.sentence("partitioned, it reads `" + operand.name +
                      "`: " + communicationText(operand.reads));
    const std::vector<AccessRow> wasting = wastingOf(row);
    // Else each access says where it comes from.
    if (wasting.empty())
      writeOrigin(kernel, view_.names.instructionOf(kernel).metadata, flow);
    flow.endLine();
    writeAccesses(row, wasting);
  }

  /// Writes the change, or that nothing is known to be won.
  void writeAdvice(const KernelRow &row, TextFlow &flow) {
    const KernelCost &kernel = *row.kernel;
    const std::string advice =
        adviceOf(kernel.facts.avoidable, kernel.avoided(), partnersOf(row));
    if (!advice.empty()) return flow.sentence(advice);
    if (kernel.time() && view_.report.knowsAvoidable())
      flow.sentence(whyNothing(kernel));
  }

  /// `391 us each, 11 ms together, 90% of the predicted time (memory), ideal
  /// 361 us each`
  std::string timeOfAll(const KernelRow &row) const {
    const KernelCost &kernel = *row.kernel;
    const TrafficSums &sums = row.sums;
    if (!kernel.time()) return "";
    const double percent = 100 * sums.time / rows_.all.time;
    const std::string part = decimal(percent, percent < 9.95 ? 1 : 0) +
                             "% of the predicted time (" +
                             nameOf(kernel.time()->limit).str() + ")";
    if (!areAlike(row)) return timeOf(sums.time) + " together, " + part;
    return (isTimeAtLeast(kernel) ? "at least " : "") +
           timeOf(kernel.time()->total()) + " each, " + timeOf(sums.time) +
           " together, " + part + ", ideal " + timeOf(kernel.facts.ideal) +
           " each";
  }

  void writeWas(const KernelCost &kernel, const TrafficSums &now,
                TextFlow &flow) {
    const OldKernel *old = view_.report.comparison->was.lookup(&kernel);
    if (!old) return flow.name("new");
    const int64_t was = old->sums.wasted;
    bool isAsBefore = was == now.wasted;
    if (!isAsBefore) {
      const bool isWorse = now.wasted > was;
      flow.name((isWorse ? "worse by " : "better by ") +
                    bytesText(isWorse ? now.wasted - was : was - now.wasted),
                isWorse ? Tone::Bad : Tone::Good);
    }
    const auto time = old->allTrips();
    if (time && kernel.time())
      isAsBefore &= !writeTimeWas("", kernel.allTripsAsWritten(), *time, flow);
    const auto avoidable = view_.report.avoidedOf(kernel);
    if (old->avoidable && avoidable)
      isAsBefore &= !writeTimeWas("avoidable ", avoidable->microseconds,
                                  *old->avoidable, flow);
    if (isAsBefore) flow.name("as before");
    if (StringRef(old->instruction) != view_.names.instructionOf(kernel).name)
      flow.name("was " + old->instruction);
  }

  /// Writes how a time changed, if that is seen in the digits of both. Returns
  /// whether it did.
  static bool writeTimeWas(StringRef name, double now, double was,
                           TextFlow &flow) {
    if (timeOf(now) == timeOf(was)) return false;
    flow.name((name + timeOf(now) + ", was " + timeOf(was)).str(),
              now > was ? Tone::Bad : Tone::Good);
    return true;
  }

  /// Returns the reads and writes that waste, the worst first.
  static std::vector<AccessRow> wastingOf(const KernelRow &row) {
    std::vector<AccessRow> wasting;
    if (row.kernel->kernel().bytesOnly) return wasting;
    for (const bool isRead : {true, false})
      for (const Traffic *traffic : isRead ? row.reads : row.writes)
        if (!traffic->figures || traffic->figures->wastedBytes.most > 0)
          wasting.push_back({row.kernel, traffic, isRead});
    llvm::stable_sort(wasting, [](const AccessRow &a, const AccessRow &b) {
      auto waste = [](const AccessRow &of) {
        using Order = std::pair<int64_t, int64_t>;
        if (!of.traffic->figures) return Order(-1, -1);
        return Order(of.traffic->figures->least().wastedBytes,
                     of.traffic->figures->wastedBytes.most);
      };
      return waste(a) > waste(b);
    });
    return wasting;
  }

  /// Writes those that waste most.
  void writeAccesses(const KernelRow &row, llvm::ArrayRef<AccessRow> wasting) {
    for (const AccessRow &access : wasting.take_front(kMostAccesses))
      writeAccess(row, access);
    if (wasting.size() > kMostAccesses)
      os_ << "      and " << wasting.size() - kMostAccesses
          << " more reads and writes that waste\n";
  }

  void writeAccess(const KernelRow &row, const AccessRow &access) {
    const Traffic &traffic = *access.traffic;
    figures("", sumsOf(access),
            row.others.empty() ? row.sums : sumsOf(*row.kernel),
            traffic.figures.has_value(), areBytesKnown(access), Tone::Plain);
    TextFlow flow(os_, width_, kIndent, figuresWidth());
    flow.name((access.isRead ? "reads " : "writes ") +
              arrayText(view_, access) + " " + shapeText(access));
    if (traffic.figures)
      flow.name(wordsOf(traffic.finding.pattern), Tone::Faint);
    else
      flow.sentence(wordsOf(traffic.why));
    writeOrigin(*row.kernel, view_.names.metadataOf(*row.kernel, traffic),
                flow);
    flow.sentence(remedyText(view_, access));
    flow.endLine();
  }

  void writeOrigin(const KernelCost &kernel, const Metadata &metadata,
                   TextFlow &flow) {
    flow.name(metadata.opName);
    const auto stack = view_.names.stackOf(kernel, metadata);
    if (stack.empty()) return;
    if (!view_.showsStacks) return flow.name(ownFrame(stack).place());
    flow.endLine();
    for (const StackFrame &frame : stack) {
      flow.name("  at " + frame.str());
      flow.endLine();
    }
  }

  void writeGone() {
    const auto &gone = view_.report.comparison->gone;
    for (const OldKernel *old : gone) {
      os_ << "gone " << rightAligned(bytesText(old->sums.wasted), 9) << "      "
          << rightAligned(bytesText(old->sums.moved), 9) << "     ";
      TextFlow flow(os_, width_, kIndent, kFigures);
      flow.name(old->instruction, Tone::Strong);
      for (const std::string &shape : llvm::ArrayRef(old->shapes).take_front(1))
        flow.name(shape);
      flow.name(old->opName);
      flow.endLine();
    }
  }

  /// Writes the arrays that pass from kernel to kernel through memory.
  void writeArrays() {
    header("      time  array, who writes and who reads it");
    for (size_t k = 0; k < rows_.shown; ++k) {
      const GroupRow &group = rows_.groups[k];
      figures(std::to_string(k + 1), group.sums, whole(), /*isKnown=*/true,
              /*isMovedKnown=*/true, Tone::Bad);
      os_ << rightAligned(timeOf(group.sums.time), 10);
      TextFlow flow(os_, width_, kIndent, figuresWidth() + 10);
      flow.name(group.name, Tone::Strong);
      flow.name(group.array->str(/*withLayout=*/true));
      flow.name(bytesText(bytesOf(*group.array)));
      flow.sentence("written by " + namesOf(group.writers) + ", read by " +
                    namesOf(group.readers));
      flow.endLine();
    }
    more(rows_.groups.size(), rows_.shown, rows_.groupCount, "array");
  }

  std::string namesOf(llvm::ArrayRef<const KernelCost *> kernels) const {
    std::string text;
    llvm::ListSeparator comma(", ");
    for (const KernelCost *kernel : kernels.take_front(kMostNames))
      text += StringRef(comma).str() +
              printable(view_.names.instructionOf(*kernel).name);
    if (kernels.size() > kMostNames)
      text += " and " + std::to_string(kernels.size() - kMostNames) + " more";
    return text;
  }

  void writeGroups() {
    if (view_.groupedBy == kArrayKey) return writeArrays();
    header(" kernels accesses  " + view_.groupedBy.str());
    for (size_t k = 0; k < rows_.shown; ++k) {
      const GroupRow &group = rows_.groups[k];
      figures(std::to_string(k + 1), group.sums, whole(), /*isKnown=*/true,
              /*isMovedKnown=*/true, Tone::Bad);
      os_ << rightAligned(std::to_string(group.kernels), 8)
          << rightAligned(std::to_string(group.accesses), 9);
      TextFlow flow(os_, width_, kIndent, figuresWidth() + 17);
      flow.name(group.name.empty() ? "(none)" : group.name, Tone::Strong);
      if (group.ofWorst.wasted > 0) {
        flow.name("worst: " +
                  view_.names.instructionOf(*group.worst).name.str());
        flow.name(wastedText(group.ofWorst));
      }
      flow.endLine();
    }
    more(rows_.groups.size(), rows_.shown, rows_.groupCount, "group");
  }

  const ReportView &view_;
  const SelectedRows &rows_;
  llvm::raw_ostream &os_;
  const size_t width_;
  const bool colours_;
  const size_t widened_ = widening();  ///< of each column of bytes
};

}  // namespace

void writeRankingText(const ReportView &view, llvm::raw_ostream &os) {
  Table(view, os).write();
}

void writeWastingAccesses(const ReportView &view, const KernelRow &row,
                          llvm::raw_ostream &os) {
  Table(view, os).writeAccessesOf(row);
}

}  // namespace indexical
