// One kernel for people, with all of its figures.
//
//   t: transpose in f
//   predicted 1.6 us: launch 1 us, then what takes longest of memory 0.05 us, …
//   reads p f32[64,128]: transposed, stride 512 B, not coalesced
//     accesses  256, active lanes 8192, vectors of 1
//     sectors   4096, fewest 1024, distinct 1024, lines 4096
//     bytes     32768 used, 98304 wasted
#include <string>

#include "indexical/answers/report/keys.h"
#include "indexical/answers/words.h"
#include "indexical/indexing/map_text.h"
#include "indexical/ops/sizes.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/report_access.h"
#include "indexical/writers/terminal.h"

namespace indexical {
namespace {

std::string text(const Figure &figure) {
  if (figure.isKnown()) return std::to_string(figure.least);
  return "[" + std::to_string(figure.least) + ", " +
         std::to_string(figure.most) + "]";
}

}  // namespace

std::string arrayText(const ReportView &view, const AccessRow &row) {
  if (row.isRead)
    return view.names.arrayOf(*row.kernel, *row.traffic, true).str();
  return "result " +
         std::to_string(row.kernel->kernel().leafOf(row.traffic->access));
}

std::string shapeText(const AccessRow &row) {
  return row.kernel->kernel().buffers[row.traffic->access.buffer].str(
      /*withLayout=*/true);
}

std::string remedyText(const ReportView &view, const AccessRow &row) {
  const std::string words =
      wordsOf(row.traffic->finding.remedy, arrayText(view, row));
  return words.empty() ? "" : "would mend it: " + words;
}

std::string percentText(int64_t part, int64_t whole) {
  if (whole <= 0) return "-";
  const double value = 100.0 * part / whole;
  if (value > 0 && value < 0.05) return "0.0%";
  std::string text;
  llvm::raw_string_ostream(text)
      << llvm::format(value == 0 || value >= 9.95 ? "%.0f%%" : "%.1f%%", value);
  return text;
}

std::string wastedText(const TrafficSums &sums) {
  return bytesText(sums.wastedLeast, sums.wasted);
}
std::string movedText(const TrafficSums &sums) {
  return bytesText(sums.movedLeast, sums.moved);
}

std::string wastedPercent(const TrafficSums &part, const TrafficSums &whole) {
  const bool areKnown =
      part.wasted == part.wastedLeast && whole.wasted == whole.wastedLeast;
  return areKnown ? percentText(part.wasted, whole.wasted) : "-";
}
std::string movedPercent(const TrafficSums &part, const TrafficSums &whole) {
  const bool areKnown =
      part.moved == part.movedLeast && whole.moved == whole.movedLeast;
  return areKnown ? percentText(part.moved, whole.moved) : "-";
}

void writeKernelText(const ReportView &view, const KernelRow &row,
                     llvm::raw_ostream &os) {
  const KernelCost &kernel = *row.kernel;
  writeDevice(view, os);
  os << view.names.instructionOf(kernel).name << ": "
     << whereText(view.report, kernel) << '\n';
  if (const std::string launch = launchText(kernel); !launch.empty())
    os << launch << '\n';
  if (const std::string time = timePartsText(kernel); !time.empty())
    os << time << '\n';
  for (const bool isRead : {true, false})
    for (const Traffic *traffic : isRead ? row.reads : row.writes) {
      const AccessRow access{&kernel, traffic, isRead};
      os << (isRead ? "reads " : "writes ") << arrayText(view, access) << ' '
         << shapeText(access);
      if (!traffic->figures) {
        os << ": "
           << (areBytesKnown(access) ? bytesText(traffic->bytes)
                                     : "size not known")
           << " (" << reasonOf(kernel, *traffic) << ")\n";
        continue;
      }
      const AccessFigures &of = *traffic->figures;
      os << ": " << wordsOf(traffic->finding.pattern)
         << (of.isCoalesced() ? "" : ", not coalesced")
         << (of.exact ? "" : " (bounds)") << '\n';
      if (!kernel.traffic().threads.empty() &&
          traffic->access.launch < kernel.traffic().threads.size())
        os << "  threads   "
           << kernel.traffic().threads[traffic->access.launch].strOneLine()
           << '\n';
      for (const IndexingMap &piece : traffic->access.map.pieces())
        os << "  map       " << piece.strOneLine() << '\n';
      os << "  accesses  " << text(of.accesses) << ", active lanes "
         << text(of.activeLanes) << ", vectors of " << of.vector
         << (of.requests ? ", requests of warps " + text(*of.requests) : "")
         << '\n'
         << "  sectors   " << text(of.sectors) << ", fewest "
         << text(of.sectorsFewest) << ", distinct " << text(of.distinctSectors)
         << ", lines " << text(of.lines) << '\n'
         << "  bytes     " << text(of.bytesUsed) << " used, "
         << text(of.wastedBytes) << " wasted\n";
      if (view.showsStacks)
        for (const StackFrame &frame : view.names.stackOf(
                 kernel, view.names.metadataOf(kernel, *traffic)))
          os << "  at        " << printable(frame.str()) << '\n';
      if (const std::string remedy = remedyText(view, access); !remedy.empty())
        os << "  " << remedy << '\n';
    }
}

}  // namespace indexical
