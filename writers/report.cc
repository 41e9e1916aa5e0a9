#include "indexical/writers/report.h"

#include <string>
#include <vector>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"

#include "indexical/answers/ordered.h"
#include "indexical/answers/words.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/indexing/map_text.h"
#include "indexical/writers/communication.h"
#include "indexical/writers/format.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/profile.h"
#include "indexical/writers/string_stream.h"

namespace indexical {
namespace {

namespace json = llvm::json;

std::string mapsText(const IndexingRelation &relation) {
  std::string text;
  for (const IndexingMap &piece : relation.pieces())
    text += (text.empty() ? "" : "; ") + piece.strOneLine();
  return text;
}

void writeFigure(json::OStream &json, const char *name, const Figure &figure) {
  if (figure.isKnown())
    json.attribute(name, figure.least);
  else
    json.attributeArray(name, [&] {
      json.value(figure.least);
      json.value(figure.most);
    });
}

Figure movedOf(const AccessFigures &figures, const Device &device) {
  auto bytes = [&](int64_t sectors) {
    return checkedMul(sectors, device.sector).value_or(INT64_MAX);
  };
  return {bytes(figures.sectors.least), bytes(figures.sectors.most)};
}

/// Writes the pattern and the remedy: a word for each, and its details.
void writeFinding(const Finding &finding, json::OStream &json) {
  const Pattern &pattern = finding.pattern;
  json.attribute("pattern", nameOf(pattern));
  if (hasBits(pattern)) json.attribute("pattern_bits", pattern.bits);
  if (pattern.reversed) json.attribute("reversed", true);
  if (pattern.unaligned) json.attribute("unaligned", true);
  if (pattern.halo) json.attribute("halo", true);
  if (pattern.byEveryThread) json.attribute("by_every_thread", true);
  const Remedy &remedy = finding.remedy;
  if (remedy.kind == RemedyKind::None) return;
  json.attribute("remedy", nameOf(remedy));
  if (!remedy.layout.empty()) writeNumbers(json, "layout", remedy.layout);
}

void writeSums(const TrafficSums &sums, json::OStream &json) {
  json.attribute("moved_bytes", sums.moved);
  json.attribute("used_bytes", sums.used());
  json.attribute("wasted_bytes", sums.wasted);
  json.attribute("moved_least_bytes", sums.movedLeast);
  json.attribute("wasted_least_bytes", sums.wastedLeast);
}

/// Writes the origin of a read or write: the operation, the source line, and
/// for Frames::All the stack of its callers.
enum class Frames { Innermost, All };
void writeOrigin(const KernelNames &names, const KernelCost &kernel,
                 const Metadata &metadata, Frames frames, json::OStream &json) {
  if (!metadata.opName.empty())
    json.attribute("op_name", jsonString(metadata.opName));
  const auto stack = names.stackOf(kernel, metadata);
  if (stack.empty()) return;
  json.attribute("source", jsonString(stack.front().place()));
  if (frames == Frames::Innermost) return;
  json.attributeArray("stack", [&] {
    for (const StackFrame &frame : stack) json.value(jsonString(frame.str()));
  });
}

void writeAccess(const ReportView &view, const AccessRow &row,
                 json::OStream &json) {
  const KernelCost &kernel = *row.kernel;
  const Traffic &traffic = *row.traffic;
  const MemoryAccess &access = traffic.access;
  json.attribute(row.isRead ? "operand" : "result",
                 int64_t{kernel.kernel().leafOf(access)});
  json.attribute("instruction",
                 jsonString(view.names.arrayOf(kernel, traffic, row.isRead)));
  json.attribute("shape", kernel.kernel().buffers[access.buffer].str(
                              /*withLayout=*/true));
  if (!kernel.kernel().bytesOnly) {
    const KernelUser &user = kernel.kernel().userOf(access);
    const std::string map = view.texts->of(kernel, &access, [&] {
      return mapsText(user.tile ? user.fromRoot : access.map);
    });
    if (!map.empty()) json.attribute("map", jsonString(map));
    const std::string threads =
        view.texts->of(kernel, &traffic.figures, [&]() -> std::string {
          const auto of = threadsOf(kernel, access);
          return of ? ":" + mapsText(*of) : "";
        });
    if (!threads.empty())
      json.attribute("thread_map",
                     jsonString(llvm::StringRef(threads).drop_front()));
  }
  writePhase(kernel, traffic, json);
  // The size of an array of a kernel of Triton may be open while the touched
  // part of it is known.
  const bool isKnown = areBytesKnown(row) &&
                       !kernel.kernel().buffers[access.buffer].hasUnknownSize();
  json.attribute("bytes",
                 isKnown ? json::Value(traffic.bytes) : json::Value(nullptr));
  if (traffic.figures) {
    writeFigures(traffic, view.device, json);
  } else {
    json.attribute("reason", jsonString(reasonOf(kernel, traffic)));
  }
  writeOrigin(view.names, kernel, view.names.metadataOf(kernel, traffic),
              Frames::All, json);
}

void writeStrings(json::OStream &json, const char *name,
                  llvm::ArrayRef<std::string> texts) {
  json.attributeArray(name, [&] {
    for (const std::string &text : texts) json.value(jsonString(text));
  });
}

void writeOldSums(const OldKernel &old, json::OStream &json) {
  json.attribute("moved_bytes", old.sums.moved);
  json.attribute("used_bytes", old.used);
  json.attribute("wasted_bytes", old.sums.wasted);
}

void writeWas(const OldKernel &old, json::OStream &json) {
  json.attribute("instruction", jsonString(old.instruction));
  if (old.measured) writeNumber(json, "measured_us", *old.measured, 7);
  if (old.measuredLeast)
    writeNumber(json, "measured_min_us", *old.measuredLeast, 7);
  writeOldSums(old, json);
}

/// Whether every access has the kernel's own stack. Stacks are large, and need
/// not be written twice.
bool isStackOfAccesses(const KernelNames &names, const KernelRow &row) {
  const int32_t own = names.instructionOf(*row.kernel).metadata.frame;
  auto isOwn = [&](const Traffic *traffic) {
    return names.metadataOf(*row.kernel, *traffic).frame == own;
  };
  return !(row.reads.empty() && row.writes.empty()) &&
         llvm::all_of(row.reads, isOwn) && llvm::all_of(row.writes, isOwn);
}

void writeKernel(const ReportView &view, const KernelRow &row,
                 json::OStream &json) {
  const KernelCost &kernel = *row.kernel;
  const Kernel &of = kernel.kernel();
  const Instruction &instruction = view.names.instructionOf(kernel);
  json.attribute("module", kernel.module);
  json.attribute("computation",
                 jsonString(view.names.computationOf(kernel).name));
  json.attribute("instruction", jsonString(instruction.name));
  json.attribute("opcode", jsonString(instruction.opcode));
  if (instruction.place.known()) json.attribute("line", instruction.place.line);
  writeStrings(json, "shapes", view.names.shapesOf(kernel));
  writeOrigin(
      view.names, kernel, instruction.metadata,
      isStackOfAccesses(view.names, row) ? Frames::Innermost : Frames::All,
      json);
  json.attribute("trips", of.trips);
  if (!of.tripsKnown) json.attribute("trips_known", false);
  if (!of.complete) json.attribute("complete", false);
  if (view.report.areKernels) {
    writeUse(kernel, json);
    writeWhy(kernel, json);
    writeTime(kernel, json);
    if (!view.report.profile) writeIdeal(kernel, json);
  }
  if (view.report.profile)
    writeProfileKernel(*view.report.profile, kernel, json);
  if (areBytesKnown(row))
    writeSums(row.sums, json);
  else
    for (const char *name : {"moved_bytes", "used_bytes", "wasted_bytes",
                             "moved_least_bytes", "wasted_least_bytes"})
      json.attribute(name, nullptr);
  if (view.report.comparison)
    if (const OldKernel *old = view.report.comparison->was.lookup(&kernel))
      json.attributeObject("was", [&] { writeWas(*old, json); });
  writeLaunch(kernel, json);
  // A program that takes a tile has no known threads.
  if (!kernel.traffic().threads.empty() && of.emitter != Emitter::Triton &&
      areBytesKnown(row)) {
    const IndexingMap &threads = kernel.traffic().threads[0];
    json.attribute("thread_map", view.texts->of(kernel, &threads, [&] {
      return threads.strOneLine();
    }));
  }
  for (const bool isRead : {true, false})
    json.attributeArray(isRead ? "reads" : "writes", [&] {
      for (const Traffic *traffic : isRead ? row.reads : row.writes)
        json.object(
            [&] { writeAccess(view, {&kernel, traffic, isRead}, json); });
    });
}

/// Writes the microseconds of each use.
void writeUses(const TimeUses &uses, json::OStream &json) {
  json.attributeObject("time_uses", [&] {
    for (const TimeUse use :
         {TimeUse::Unused, TimeUse::BlocksWaits, TimeUse::Movement,
          TimeUse::Libraries, TimeUse::Rest})
      json.attributeObject(nameOf(use), [&] {
        json.attribute("kernels", uses.kernels[size_t(use)]);
        writeNumber(json, "us", uses.time[size_t(use)], 3);
      });
    json.attribute("without_time", uses.unknown);
  });
}

void writeKernelNames(const ReportView &view, const char *key,
                      llvm::ArrayRef<const KernelCost *> kernels,
                      json::OStream &json) {
  json.attributeArray(key, [&] {
    for (const KernelCost *kernel : kernels)
      json.value(jsonString(view.names.instructionOf(*kernel).name));
  });
}

void writeGroup(const ReportView &view, const GroupRow &group,
                json::OStream &json) {
  json.attribute("by", view.groupedBy);
  json.attribute("name", jsonString(group.name));
  json.attribute("kernels", group.kernels);
  json.attribute("accesses", group.accesses);
  if (view.report.areKernels)
    writeNumber(json, "predicted_us", group.sums.time, 3);
  writeSums(group.sums, json);
  if (group.array && view.groupedBy == kArrayKey) {
    json.attribute("shape", group.array->str(/*withLayout=*/true));
    json.attribute("bytes", bytesOf(*group.array));
    writeKernelNames(view, "written_by", group.writers, json);
    writeKernelNames(view, "read_by", group.readers, json);
  }
  json.attributeObject("worst", [&] {
    json.attribute("module", group.worst->module);
    json.attribute("computation",
                   jsonString(view.names.computationOf(*group.worst).name));
    json.attribute("instruction",
                   jsonString(view.names.instructionOf(*group.worst).name));
    json.attribute("wasted_bytes", group.ofWorst.wasted);
    json.attribute("wasted_least_bytes", group.ofWorst.wastedLeast);
  });
}

}  // namespace

void writeFigures(const Traffic &traffic, const Device &device,
                  json::OStream &json) {
  const AccessFigures &of = *traffic.figures;
  writeFigure(json, "moved_bytes", movedOf(of, device));
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
  writeFinding(traffic.finding, json);
}

std::optional<IndexingRelation> threadsOf(const KernelCost &kernel,
                                          const MemoryAccess &access) {
  if (access.launch >= kernel.traffic().threads.size()) return std::nullopt;
  const IndexingMap &threads = kernel.traffic().threads[access.launch];
  if (threads.isKnownEmpty()) return std::nullopt;
  auto composed = threadsInArray(kernel.kernel(), access, threads);
  if (!composed.ok()) return std::nullopt;
  return *std::move(composed);
}

void ReportResult::text(llvm::raw_ostream &os, TextStyle) {
  if (view_.asText == ReportView::Text::Kernel)
    writeKernelText(view_, selected().kernels.front(), os);
  else if (view_.report.profile && view_.groupedBy.empty())
    writeProfileText(view_, os);
  else
    writeRankingText(view_, os);
  writeText(view_.report.communication, view_.showsStacks, os);
}

void ReportResult::structure(Structure &to) {
  to.head([&](json::OStream &json) {
    json.attributeObject("device", [&] {
      json.attribute("name", view_.device.name);
      json.attribute("warp", view_.device.warp);
      json.attribute("sector", view_.device.sector);
      json.attribute("line", view_.device.line);
    });
    if (view_.report.scheduled)
      json.attribute("scheduled", *view_.report.scheduled);
    if (view_.report.profile) writeProfileHead(*view_.report.profile, json);
    if (view_.report.scheduled && view_.report.areKernels)
      writeUses(selected().uses, json);
  });
  const bool isGrouped = !view_.groupedBy.empty();
  to.beginList(isGrouped ? "groups" : "kernels");
  auto write = [&](size_t k, json::OStream &json) {
    if (isGrouped)
      writeGroup(view_, selected().groups[k], json);
    else
      writeKernel(view_, selected().kernels[k], json);
  };
  const llvm::StringRef kind = isGrouped ? "group" : "kernel";
  // With fewer rows, the work is done before a thread has started.
  constexpr size_t kFewRows = 200;
  if (view_.jobs == 1 || selected().shown < kFewRows) {
    for (size_t k = 0; k < selected().shown; ++k)
      to.item({kind, [&](json::OStream &json) { write(k, json); }});
  } else {
    const size_t together = runLength(selected().shown, view_.jobs);
    std::vector<uint32_t> owners;
    for (size_t k = 0; k < selected().shown; ++k)
      owners.push_back(k / together % view_.jobs);
    inOrder<std::string>(
        owners,
        [&](size_t, size_t k) {
          std::string text;
          {
            StringStream os(text);
            json::OStream json(os);
            json.object([&] { write(k, json); });
          }
          return text;
        },
        [&](size_t, std::string text) {
          ListItem item{kind};
          item.written = text;
          to.item(item);
          return true;
        });
  }
  to.endList();
  if (view_.report.comparison) {
    to.beginList("gone");
    for (const OldKernel *old : view_.report.comparison->gone) {
      auto members = [&](json::OStream &json) {
        json.attribute("instruction", jsonString(old->instruction));
        writeStrings(json, "shapes", old->shapes);
        if (!old->opName.empty())
          json.attribute("op_name", jsonString(old->opName));
        writeOldSums(*old, json);
      };
      to.item({"gone", members});
    }
    to.endList();
  }
  writeStructure(view_.report.communication, to);
  if (!view_.report.areKernels) return to.summary({});
  std::vector<std::pair<llvm::StringRef, int64_t>> sums = {
      {"kernels", selected().kernelCount},
      {"moved_bytes", selected().sums.moved},
      {"used_bytes", selected().sums.used()},
      {"wasted_bytes", selected().sums.wasted},
      {"read_moved_bytes", selected().reads.moved},
      {"read_wasted_bytes", selected().reads.wasted},
      {"write_moved_bytes", selected().writes.moved},
      {"write_wasted_bytes", selected().writes.wasted},
      {"moved_least_bytes", selected().sums.movedLeast},
      {"wasted_least_bytes", selected().sums.wastedLeast},
      {"read_moved_least_bytes", selected().reads.movedLeast},
      {"read_wasted_least_bytes", selected().reads.wastedLeast},
      {"write_moved_least_bytes", selected().writes.movedLeast},
      {"write_wasted_least_bytes", selected().writes.wastedLeast}};
  if (selected().openKernels > 0)
    sums.push_back(
        {"open_kernels", static_cast<int64_t>(selected().openKernels)});
  addTotals(view_.report.communication, sums);
  to.summary(sums);
}

void ReportResult::rows(Row row) {
  for (const KernelRow &of :
       llvm::ArrayRef(selected().kernels).take_front(selected().shown)) {
    const KernelCost &kernel = *of.kernel;
    const Instruction &instruction = view_.names.instructionOf(kernel);
    for (const bool isRead : {true, false})
      for (const Traffic *traffic : isRead ? of.reads : of.writes)
        row([&](json::OStream &json) {
          json.attribute("module", kernel.module);
          json.attribute("computation",
                         jsonString(view_.names.computationOf(kernel).name));
          json.attribute("kernel", jsonString(instruction.name));
          json.attribute("opcode", jsonString(instruction.opcode));
          if (instruction.place.known())
            json.attribute("line", instruction.place.line);
          json.attribute("trips", kernel.kernel().trips);
          if (view_.report.areKernels) {
            writeUse(kernel, json);
            writeTime(kernel, json);
            if (!view_.report.profile) writeIdeal(kernel, json);
          }
          if (view_.report.profile)
            writeProfileColumns(*view_.report.profile, kernel, json);
          json.attribute("launch", nameOf(kernel.kernel().model));
          if (kernel.kernel().emitter)
            json.attribute("emitter", nameOf(*kernel.kernel().emitter));
          json.attribute("access", isRead ? "read" : "write");
          writeAccess(view_, {&kernel, traffic, isRead}, json);
        });
  }
}

std::vector<llvm::StringRef> trafficColumns() {
  std::vector<llvm::StringRef> columns = {"module",
                                          "computation",
                                          "kernel",
                                          "opcode",
                                          "line",
                                          "trips",
                                          "predicted_us",
                                          "share",
                                          "limited_by",
                                          "launch",
                                          "emitter",
                                          "access",
                                          "operand",
                                          "result",
                                          "instruction",
                                          "shape",
                                          "bytes",
                                          "moved_bytes",
                                          "accesses",
                                          "active_lanes",
                                          "bytes_used",
                                          "sectors",
                                          "sectors_fewest",
                                          "lines",
                                          "distinct_sectors",
                                          "wasted_bytes",
                                          "exact",
                                          "vector",
                                          "coalesced",
                                          "pattern",
                                          "pattern_bits",
                                          "reversed",
                                          "unaligned",
                                          "halo",
                                          "remedy",
                                          "layout",
                                          "reason",
                                          "op_name",
                                          "source",
                                          "stack",
                                          "map",
                                          "thread_map",
                                          "phase",
                                          "time_use",
                                          "alike",
                                          "predicted_least",
                                          "by_every_thread"};
  llvm::append_range(columns, profileColumns());
  return columns;
}

}  // namespace indexical
