#include "indexical/writers/report.h"

#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"
#include "indexical/writers/communication.h"
#include "indexical/writers/items.h"
#include "indexical/writers/sums_sink.h"

namespace indexical {
namespace {

/// Pairs, and ops of one of them, that a text shows.
constexpr size_t kMostPairs = 20, kMostOps = 8;

void writeCancels(llvm::ArrayRef<Cancelled> pairs, llvm::raw_ostream &os) {
  if (pairs.empty()) {
    os << "\nno movement cancels\n";
    return;
  }
  os << "\nmovement that cancels\n";
  for (const Cancelled &pair : pairs.take_front(kMostPairs)) {
    const CancelledMoves &moves = pair.moves;
    auto value = [&](InstructionLeaf of) {
      os << pair.nameOf(of.instruction);
      if (of.leaf > 0) os << " result " << int64_t{of.leaf};
    };
    os << "  ";
    value(moves.second);
    os << " is ";
    if (!moves.isIdentity()) {
      os << "a permutation {";
      llvm::interleave(moves.permutation, os, ",");
      os << "} of ";
    }
    value(moves.first);
    os << ": " << moves.bytes << " bytes for ";
    llvm::interleaveComma(llvm::ArrayRef(moves.between).take_front(kMostOps),
                          os, [&](InstructionId op) { os << pair.nameOf(op); });
    if (moves.between.size() > kMostOps)
      os << " and " << moves.between.size() - kMostOps << " more";
    os << '\n';
  }
  if (pairs.size() > kMostPairs)
    os << "  and " << pairs.size() - kMostPairs << " more\n";
}

void writePeaks(llvm::ArrayRef<LiveAtPeak> peaks, llvm::raw_ostream &os) {
  if (peaks.empty())
    os << "\nno peak of memory: no module is scheduled, or a size is open\n";
  for (const LiveAtPeak &of : peaks) {
    os << "\nmost memory at " << of.nameOf(of.peak.computation, of.peak.at)
       << ": " << of.peak.bytes << " bytes in " << of.peak.arrays.size()
       << " arrays\n";
    for (const LiveArray &array :
         llvm::ArrayRef(of.peak.arrays).take_front(kMostPairs)) {
      const LiveArrayEntry entry{of, array};
      os << "  " << array.bytes
         << " bytes: " << of.nameOf(array.computation, array.value.instruction)
         << ' ' << entry.shape().str(/*withLayout=*/true) << '\n';
    }
    if (of.peak.arrays.size() > kMostPairs)
      os << "  and " << of.peak.arrays.size() - kMostPairs << " more\n";
  }
}

}  // namespace

void ReportResult::text(llvm::raw_ostream &os, TextStyle) {
  if (view_.asText == ReportView::Text::Kernel)
    writeKernelText(view_, selected().kernels.front(), os);
  else if (view_.report.profile && view_.groupedBy.empty())
    writeProfileText(view_, os);
  else
    writeRankingText(view_, os);
  writeText(view_.report.communication, view_.showsStacks, os);
  if (view_.report.cancels) writeCancels(*view_.report.cancels, os);
  if (view_.report.peaks) writePeaks(*view_.report.peaks, os);
}

void ReportResult::structure(Structure &to) { write(to, selected().ranked); }

void ReportResult::write(Structure &to, size_t ranked) {
  AlikeTexts texts;
  const ReportEntry all{view_.report, view_.groupedBy, texts, view_.showsMaps};
  to.head([&](ValueSink &sink) { writeKeys(all, sink); });
  if (selected().isRanked) {
    to.beginList("ranking");
    for (size_t k = 0; k < ranked; ++k)
      to.item({"rank", [&](ValueSink &sink) {
                 writeKeys(RankEntry{all, selected().ranking[k], k + 1}, sink);
               }});
    to.endList();
  }
  if (view_.groupedBy.empty()) {
    to.beginList("kernels");
    auto give = [&](size_t k, ValueSink &sink) {
      writeKeys(KernelEntry{all, selected().kernels[k]}, sink);
    };
    writeItems(view_.report.rows.shown, {"kernel"}, view_.jobs, give, to);
  } else {
    to.beginList("groups");
    auto give = [&](size_t k, ValueSink &sink) {
      writeKeys(GroupEntry{all, selected().groups[k]}, sink);
    };
    writeItems(view_.report.rows.shown, {"group"}, view_.jobs, give, to);
  }
  to.endList();
  if (const auto &comparison = view_.report.comparison) {
    to.beginList("gone");
    for (const OldKernel *old : comparison->gone)
      to.item(
          {"gone", [&](ValueSink &sink) { writeKeys(GoneEntry{*old}, sink); }});
    to.endList();
  }
  writeStructure(view_.report.communication, to);
  if (const auto &cancels = view_.report.cancels) {
    to.beginList("cancels");
    for (const Cancelled &pair : *cancels)
      to.item({"cancels", [&](ValueSink &sink) { writeKeys(pair, sink); }});
    to.endList();
  }
  if (const auto &peaks = view_.report.peaks) {
    to.beginList("peaks");
    for (const LiveAtPeak &peak : *peaks)
      to.item({"peak", [&](ValueSink &sink) { writeKeys(peak, sink); }});
    to.endList();
  }
  if (!view_.report.areKernels) return to.summary({});
  writeSummary(TotalsEntry{view_.report}, to);
}

void ReportResult::rows(Row row) {
  // The last line has the sums over all kernels.
  auto writeTotalCells = [&](ValueSink &to) {
    const SelectedRows &rows = selected();
    to.key("access");
    to.text("total");
    if (rows.sums.time > 0)
      KeyValue(to, "predicted_us").number(rows.sums.time, kSumDecimals);
    if (view_.report.profile)
      KeyValue(to, "measured_total_us")
          .number(rows.sums.measured, kSumDecimals);
    KeyValue(to, "avoidable_us").number(rows.sums.avoidable, kSumDecimals);
    KeyValue(to, "moved_bytes").integer(rows.sums.moved);
    KeyValue(to, "wasted_bytes").integer(rows.sums.wasted);
  };
  AlikeTexts texts;
  const ReportEntry all{view_.report, view_.groupedBy, texts, view_.showsMaps};
  if (!view_.groupedBy.empty()) {
    for (const GroupRow &of :
         llvm::ArrayRef(selected().groups).take_front(selected().shown))
      row([&](ValueSink &to) {
        writeCells(GroupEntry{all, of}, to);
        writeCells(SumsEntry{of.sums}, to);
      });
    return;
  }
  for (const KernelRow &of :
       llvm::ArrayRef(selected().kernels).take_front(selected().shown)) {
    const KernelEntry kernel{all, of};
    auto writeKernel = [&](ValueSink &to) {
      if (!view_.report.files.empty()) {
        to.key("file");
        to.text(view_.report.names().fileOf(*of.kernel));
      }
      writeCells(kernel, to);
    };
    for (const Traffic *read : of.reads)
      row([&](ValueSink &to) {
        writeKernel(to);
        to.key("access");
        to.text("read");
        const ReadEntry entry{{all, {of.kernel, read, true}}};
        writeCells(entry, to);
        writeCells<AccessEntry>(entry, to);
      });
    for (const Traffic *write : of.writes)
      row([&](ValueSink &to) {
        writeKernel(to);
        to.key("access");
        to.text("write");
        const WriteEntry entry{{all, {of.kernel, write, false}}};
        writeCells(entry, to);
        writeCells<AccessEntry>(entry, to);
      });
  }
  if (view_.report.areKernels && view_.report.scheduled) row(writeTotalCells);
}

}  // namespace indexical
