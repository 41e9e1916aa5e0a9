#include "indexical/tools/traffic_report.h"

#include <algorithm>
#include <string>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/map_text.h"
#include "indexical/tools/format.h"
#include "indexical/tools/wording.h"

namespace indexical {
namespace {

namespace json = llvm::json;

constexpr size_t kWidth = 80;

const Computation &computationOf(const TrafficView &view,
                                 const MeasuredKernel &kernel) {
  return view.program.modules[kernel.module]
      .computations[kernel.kernel.computation];
}

const Instruction &instructionOf(const TrafficView &view,
                                 const MeasuredKernel &kernel) {
  return computationOf(view, kernel).instructions[kernel.kernel.instruction];
}

/// The producer of an operand leaf.
llvm::StringRef operandName(const TrafficView &view,
                            const MeasuredKernel &kernel, int64_t leaf) {
  const Computation &computation = computationOf(view, kernel);
  const OperandLeaf of =
      computation.operandLeaf(kernel.kernel.instruction, leaf);
  return of.instruction < 0 ? ""
                            : computation.instructions[of.instruction].name;
}

/// The metadata of the use, else of the kernel.
const Metadata &metadataOf(const TrafficView &view,
                           const MeasuredKernel &kernel,
                           const Traffic &traffic) {
  const KernelUser &user = kernel.kernel.userOf(traffic.access);
  const Metadata &own = view.program.modules[kernel.module]
                            .computations[user.computation]
                            .instructions[user.instruction]
                            .metadata;
  if (!own.opName.empty() || own.frame >= 0) return own;
  return instructionOf(view, kernel).metadata;
}

llvm::SmallVector<StackFrame, 8> stackOf(const TrafficView &view,
                                         const MeasuredKernel &kernel,
                                         const Metadata &metadata) {
  return view.program.modules[kernel.module].frames.stackFrom(metadata.frame);
}

std::string mapsText(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

//===-- JSON --------------------------------------------------------------===//

void writeFigure(json::OStream &json, const char *name, const Figure &figure) {
  if (figure.isKnown())
    json.attribute(name, figure.least);
  else
    json.attributeArray(name, [&] {
      json.value(figure.least);
      json.value(figure.most);
    });
}

void writeAccess(const TrafficView &view, const MeasuredKernel &kernel,
                 const Traffic &traffic, bool isRead, json::OStream &json) {
  const MemoryAccess &access = traffic.access;
  const int64_t leaf = kernel.kernel.leafOf(access);
  json.attribute(isRead ? "operand" : "result", leaf);
  json.attribute("instruction",
                 jsonString(isRead ? operandName(view, kernel, leaf)
                                   : instructionOf(view, kernel).name));
  if (!kernel.kernel.bytesOnly) {
    json.attribute("map", jsonString(mapsText(access.map)));
    if (access.launch != 0 && access.launch < kernel.traffic.threads.size())
      json.attribute("thread_map",
                     kernel.traffic.threads[access.launch].strOneLine());
  }
  json.attribute("bytes", traffic.bytes);
  if (traffic.figures) {
    const AccessFigures &of = *traffic.figures;
    writeFigure(json, "accesses", of.accesses);
    writeFigure(json, "active_lanes", of.activeLanes);
    writeFigure(json, "bytes_used", of.bytesUsed);
    writeFigure(json, "sectors", of.sectors);
    writeFigure(json, "sectors_fewest", of.sectorsFewest);
    writeFigure(json, "lines", of.lines);
    writeFigure(json, "distinct_sectors", of.distinctSectors);
    writeFigure(json, "wasted_bytes", of.wastedBytes);
    json.attribute("exact", of.exact);
    json.attribute("vector", of.vector);
    json.attribute("coalesced", of.isCoalesced());
    json.attribute("pattern", wordsOf(traffic.finding.pattern));
    if (const std::string remedy = wordsOf(traffic.finding.remedy);
        !remedy.empty())
      json.attribute("remedy", remedy);
  } else {
    json.attribute("reason", jsonString(wordsOf(traffic.why)));
  }
  const Metadata &metadata = metadataOf(view, kernel, traffic);
  if (!metadata.opName.empty())
    json.attribute("op_name", jsonString(metadata.opName));
  const auto stack = stackOf(view, kernel, metadata);
  if (stack.empty()) return;
  json.attribute("source", jsonString(stack.front().place()));
  json.attributeArray("stack", [&] {
    for (const StackFrame &frame : stack) json.value(jsonString(frame.str()));
  });
}

void writeKernel(const TrafficView &view, const MeasuredKernel &kernel,
                 json::OStream &json) {
  const Kernel &of = kernel.kernel;
  json.attribute("module", kernel.module);
  json.attribute("computation", jsonString(computationOf(view, kernel).name));
  json.attribute("instruction", jsonString(instructionOf(view, kernel).name));
  json.attribute("trips", of.trips);
  if (!of.tripsKnown) json.attribute("trips_known", false);
  if (!of.complete) json.attribute("complete", false);
  if (!kernel.traffic.threads.empty())
    json.attribute("thread_map", kernel.traffic.threads[0].strOneLine());
  for (const bool isRead : {true, false})
    json.attributeArray(isRead ? "reads" : "writes", [&] {
      for (const Traffic &traffic :
           isRead ? kernel.traffic.reads : kernel.traffic.writes)
        json.object([&] { writeAccess(view, kernel, traffic, isRead, json); });
    });
}

//===-- Text --------------------------------------------------------------===//

/// `29.4 MB`, in powers of a thousand.
std::string size(int64_t bytes) {
  static constexpr const char *kUnits[] = {"B",  "kB", "MB", "GB",
                                           "TB", "PB", "EB"};
  double value = bytes;
  size_t unit = 0;
  while (value >= 999.95 && unit + 1 < std::size(kUnits)) {
    value /= 1000;
    ++unit;
  }
  std::string text;
  llvm::raw_string_ostream os(text);
  os << llvm::format(unit == 0 ? "%.0f " : "%.1f ", value) << kUnits[unit];
  return text;
}

std::string text(const Figure &figure) {
  if (figure.isKnown()) return std::to_string(figure.least);
  return "[" + std::to_string(figure.least) + ", " +
         std::to_string(figure.most) + "]";
}

/// The text, its middle left out where it is too long.
std::string shortened(llvm::StringRef text, size_t most) {
  if (text.size() <= most) return text.str();
  const size_t tail = most / 3;
  return (text.take_front(most - tail - 3) + "..." + text.take_back(tail))
      .str();
}

void writeDevice(const TrafficView &view, llvm::raw_ostream &os) {
  os << "device " << view.device.name << ": warps of " << view.device.warp
     << " lanes, sectors of " << view.device.sector << " bytes, lines of "
     << view.device.line << '\n';
}

void writeWhere(const TrafficView &view, const MeasuredKernel &kernel,
                llvm::raw_ostream &os) {
  os << instructionOf(view, kernel).name << " ("
     << instructionOf(view, kernel).opcode << ") in "
     << computationOf(view, kernel).name;
  const Kernel &of = kernel.kernel;
  if (of.trips != 1) os << ", " << of.trips << " trips";
  if (!of.tripsKnown) os << ", trips not known";
}

/// What a read is of: its name and shape.
std::string ofText(const TrafficView &view, const MeasuredKernel &kernel,
                   const Traffic &traffic, bool isRead) {
  const int64_t leaf = kernel.kernel.leafOf(traffic.access);
  const std::string name = isRead ? operandName(view, kernel, leaf).str()
                                  : "result " + std::to_string(leaf);
  return name + " " +
         kernel.kernel.buffers[traffic.access.buffer].str(/*withLayout=*/true);
}

void writeKernelText(const TrafficView &view, const MeasuredKernel &kernel,
                     llvm::raw_ostream &os) {
  writeDevice(view, os);
  writeWhere(view, kernel, os);
  os << '\n';
  for (const bool isRead : {true, false})
    for (const Traffic &traffic :
         isRead ? kernel.traffic.reads : kernel.traffic.writes) {
      os << (isRead ? "reads " : "writes ")
         << ofText(view, kernel, traffic, isRead);
      if (!traffic.figures) {
        os << ": " << size(traffic.bytes) << " (" << wordsOf(traffic.why)
           << ")\n";
        continue;
      }
      const AccessFigures &of = *traffic.figures;
      os << ": " << wordsOf(traffic.finding.pattern)
         << (of.isCoalesced() ? "" : ", not coalesced")
         << (of.exact ? "" : " (bounds)") << '\n';
      if (!kernel.traffic.threads.empty() &&
          traffic.access.launch < kernel.traffic.threads.size())
        os << "  threads   "
           << kernel.traffic.threads[traffic.access.launch].strOneLine()
           << '\n';
      for (const IndexingMap &piece : traffic.access.map.pieces())
        os << "  map       " << piece.strOneLine() << '\n';
      os << "  accesses  " << text(of.accesses) << ", active lanes "
         << text(of.activeLanes) << ", vectors of " << of.vector << '\n'
         << "  sectors   " << text(of.sectors) << ", fewest "
         << text(of.sectorsFewest) << ", distinct " << text(of.distinctSectors)
         << ", lines " << text(of.lines) << '\n'
         << "  bytes     " << text(of.bytesUsed) << " used, "
         << text(of.wastedBytes) << " wasted\n";
      if (const std::string remedy = wordsOf(traffic.finding.remedy);
          !remedy.empty())
        os << "  would mend it: " << remedy << '\n';
    }
}

void writeRankingText(const TrafficView &view,
                      const std::vector<MeasuredKernel> &kernels,
                      llvm::raw_ostream &os) {
  writeDevice(view, os);
  os << (view.ownThreads
             ? "threads: the map that was given\n"
             : "threads: linear, 128 a block, vectors of 4, 2 or 1, "
               "whichever moves least;\n  reductions of rows: a "
               "warp a row, 4 a block\n");
  int64_t bytesOnly = 0;
  double wasted = 0, moved = 0;
  for (const MeasuredKernel &kernel : kernels) {
    bytesOnly += kernel.kernel.bytesOnly;
    wasted += kernel.traffic.wasted();
    moved += kernel.traffic.moved(view.device);
  }
  os << kernels.size() << (kernels.size() == 1 ? " kernel, " : " kernels, ")
     << bytesOnly << " with bytes only; reads move "
     << size(static_cast<int64_t>(std::min(moved, 9e18))) << " and waste "
     << size(static_cast<int64_t>(std::min(wasted, 9e18))) << "\n\n"
     << "   #      wasted       moved  kernel\n";
  const size_t count =
      std::min(kernels.size(), view.top.value_or(kernels.size()));
  for (size_t rank = 0; rank < count; ++rank) {
    const MeasuredKernel &kernel = kernels[rank];
    std::string where;
    {
      llvm::raw_string_ostream stream(where);
      writeWhere(view, kernel, stream);
    }
    os << llvm::format("%4zu  %10s  %10s  ", rank + 1,
                       kernel.kernel.bytesOnly
                           ? "-"
                           : size(kernel.traffic.wasted()).c_str(),
                       size(kernel.traffic.moved(view.device)).c_str())
       << shortened(where, kWidth - 30) << '\n';
    // The reads that waste, the worst first.
    std::vector<const Traffic *> reads;
    for (const Traffic &read : kernel.traffic.reads)
      if (!read.figures || read.figures->wastedBytes.most > 0)
        reads.push_back(&read);
    llvm::stable_sort(reads, [](const Traffic *a, const Traffic *b) {
      auto waste = [](const Traffic *of) {
        return of->figures ? of->figures->wastedBytes.most : -1;
      };
      return waste(a) > waste(b);
    });
    if (kernel.kernel.bytesOnly) continue;
    for (const Traffic *read : llvm::ArrayRef(reads).take_front(3)) {
      const std::string of = ofText(view, kernel, *read, true);
      if (!read->figures) {
        os << "      " << shortened(of, 40) << ": " << wordsOf(read->why)
           << '\n';
        continue;
      }
      os << llvm::format("      %10s  ",
                         size(read->figures->wastedBytes.most).c_str())
         << shortened(of, 36) << ": " << wordsOf(read->finding.pattern)
         << (read->figures->exact ? "" : " (at most)") << '\n';
      const Metadata &metadata = metadataOf(view, kernel, *read);
      const auto stack = stackOf(view, kernel, metadata);
      const std::string source = stack.empty() ? "" : ownFrame(stack).place();
      if (!metadata.opName.empty() || !source.empty())
        os << "                  "
           << shortened(metadata.opName, kWidth - 20 - source.size() % 40)
           << (metadata.opName.empty() || source.empty() ? "" : "  ") << source
           << '\n';
      if (const std::string remedy = wordsOf(read->finding.remedy);
          !remedy.empty())
        os << "                  would mend it: " << remedy << '\n';
    }
    if (reads.size() > 3)
      os << "                  and " << reads.size() - 3 << " more reads\n";
  }
  if (count < kernels.size())
    os << "      and " << kernels.size() - count
       << " more kernels (--top=N shows N)\n";
}

}  // namespace

TrafficResult::TrafficResult(const TrafficView &view,
                             const std::vector<MeasuredKernel> &kernels)
    : view_(view), kernels_(kernels), shown_(kernels) {
  if (view.top) shown_ = shown_.take_front(*view.top);
}

void TrafficResult::text(llvm::raw_ostream &os, TextStyle) {
  if (view_.asText == TrafficView::Text::Kernel)
    writeKernelText(view_, kernels_.front(), os);
  else
    writeRankingText(view_, kernels_, os);
}

void TrafficResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attributeObject("device", [&] {
      json.attribute("name", view_.device.name);
      json.attribute("warp", view_.device.warp);
      json.attribute("sector", view_.device.sector);
      json.attribute("line", view_.device.line);
    });
  });
  to.beginList("kernels");
  int64_t moved = 0, wasted = 0;
  for (const MeasuredKernel &kernel : kernels_) {
    moved = sumOf(moved, kernel.traffic.moved(view_.device));
    wasted = sumOf(wasted, kernel.traffic.wasted());
  }
  for (const MeasuredKernel &kernel : shown_) {
    auto members = [&](json::OStream &json) {
      writeKernel(view_, kernel, json);
    };
    to.item({"kernel", members});
  }
  to.endList();
  to.summary({{"kernels", kernels_.size()},
              {"moved_bytes", moved},
              {"wasted_bytes", wasted}});
}

void TrafficResult::rows(Row row) {
  for (const MeasuredKernel &kernel : shown_)
    for (const bool isRead : {true, false})
      for (const Traffic &traffic :
           isRead ? kernel.traffic.reads : kernel.traffic.writes)
        row([&](json::OStream &json) {
          json.attribute("module", kernel.module);
          json.attribute("computation",
                         jsonString(computationOf(view_, kernel).name));
          json.attribute("kernel",
                         jsonString(instructionOf(view_, kernel).name));
          json.attribute("trips", kernel.kernel.trips);
          json.attribute("access", isRead ? "read" : "write");
          writeAccess(view_, kernel, traffic, isRead, json);
        });
}

std::vector<llvm::StringRef> trafficColumns() {
  return {"module",       "computation",    "kernel",       "trips",
          "access",       "operand",        "result",       "instruction",
          "bytes",        "accesses",       "active_lanes", "bytes_used",
          "sectors",      "sectors_fewest", "lines",        "distinct_sectors",
          "wasted_bytes", "exact",          "vector",       "coalesced",
          "pattern",      "remedy",         "reason",       "op_name",
          "source",       "stack",          "map",          "thread_map"};
}

}  // namespace indexical
