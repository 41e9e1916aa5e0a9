#include "indexical/writers/kernel.h"

#include <algorithm>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/words.h"
#include "indexical/writers/format.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"

namespace indexical {

using kernels::AccessKind;
using kernels::BoundsCheck;
using kernels::CheckAnswer;
using kernels::FusionAnswer;
using kernels::FusionVerdict;
using kernels::KernelAccess;

namespace json = llvm::json;

namespace {

const char *kindName(AccessKind kind) {
  switch (kind) {
    case AccessKind::Load:
      return "load";
    case AccessKind::Store:
      return "store";
    case AccessKind::Atomic:
      return "atomic";
  }
  return "";
}

const char *maskName(kernels::MaskKind mask) {
  switch (mask) {
    case kernels::MaskKind::None:
      return "none";
    case kernels::MaskKind::Exact:
      return "exact";
    case kernels::MaskKind::Cover:
      return "cover";
  }
  return "";
}

std::string mapText(const KernelAccess &access) {
  std::string text;
  for (const kernels::PointerMap &map : access.maps)
    text +=
        (text.empty() ? "" : "; ") + kernels::withRanges(map.map).strOneLine();
  return text;
}

void writeBounds(const BoundsCheck &check, json::OStream &json) {
  json.attribute("answer", nameOf(check.answer));
  if (!check.reason.empty()) json.attribute("reason", jsonString(check.reason));
  if (!check.witness) return;
  json.attributeObject("witness", [&] {
    writeNumbers(json, "program", check.witness->program);
    writeNumbers(json, "loops", check.witness->loops);
    writeNumbers(json, "tile", check.witness->tile);
    json.attribute("element", check.witness->element);
    if (check.witness->size) json.attribute("size", *check.witness->size);
    if (check.witness->runtime.empty()) return;
    std::vector<int64_t> values;
    for (const auto &entry : check.witness->runtime)
      values.push_back(entry.second);
    writeNumbers(json, "runtime", values);
    json.attributeArray("runtime_names", [&] {
      for (const auto &entry : check.witness->runtime)
        json.value(jsonString(entry.first));
    });
  });
}

void writeOnce(const kernels::OnceCheck &check, json::OStream &json) {
  json.attribute("answer", nameOf(check.answer));
  if (!check.reason.empty()) json.attribute("reason", jsonString(check.reason));
  if (!check.witness) return;
  json.attributeObject("witness", [&] {
    const auto writers = {&check.witness->first, &check.witness->second};
    json.attribute("argument", check.witness->argument);
    json.attribute("element", check.witness->element);
    json.attribute("race", nameOf(check.witness->race));
    json.attributeArray("programs", [&] {
      for (const auto *writer : writers)
        json.array([&] {
          for (int64_t each : writer->program) json.value(each);
        });
    });
    json.attributeArray("writers", [&] {
      for (const auto *writer : writers)
        json.object([&] {
          json.attribute("line", writer->line);
          if (check.witness->race != kernels::Race::Atomic)
            writeNumbers(json, "tile", writer->tile);
        });
    });
    writeNumbers(json, "lines", check.witness->lines);
  });
}

void writeComparison(const kernels::FusionComparison &of, json::OStream &json) {
  json.attribute("computation", jsonString(of.computation));
  json.attribute("verdict", nameOf(of.verdict));
  if (!of.reason.empty()) json.attribute("reason", jsonString(of.reason));
  if (of.outside)
    json.attributeObject("witness", [&] {
      writeNumbers(json, "program", of.outside->program);
      json.attribute("result", of.outside->result);
      json.attribute("element", of.outside->element);
      json.attribute("line", of.outside->line);
    });
  if (of.notStored)
    json.attributeObject("not_stored", [&] {
      json.attribute("result", of.notStored->result);
      json.attribute("element", of.notStored->element);
    });
  json.attribute("answer", nameOf(of.answer));
  json.attributeArray("pairs", [&] {
    for (const kernels::ArgumentPair &pair : of.pairs)
      json.object([&] {
        json.attribute("argument", pair.argument);
        json.attribute(pair.isResult ? "result" : "parameter", pair.number);
        json.attribute("answer", nameOf(pair.answer));
        if (!pair.reason.empty())
          json.attribute("reason", jsonString(pair.reason));
        if (!pair.witness) return;
        json.attributeObject("witness", [&] {
          writeNumbers(json, "program", pair.witness->program);
          json.attribute("element", pair.witness->element);
          json.attribute("only_in",
                         pair.witness->onlyInKernel ? "kernel" : "fusion");
        });
      });
  });
  json.attributeArray("unmatched", [&] {
    for (int64_t line : of.unmatchedLines)
      json.object([&] { json.attribute("line", line); });
    for (const kernels::UnmatchedUse &use : of.unmatchedUses)
      json.object([&] {
        json.attribute("instruction", jsonString(use.instruction));
        json.attribute("argument", use.argument);
      });
  });
}

std::string frameText(const kernels::SourceFrame &frame) {
  std::string text = absl::StrCat(frame.file, ":", frame.line);
  if (!frame.function.empty()) text += " in " + frame.function;
  return text;
}

void writeStack(const std::vector<kernels::SourceFrame> &stack,
                json::OStream &json) {
  if (stack.empty()) return;
  json.attribute("source",
                 jsonString(absl::StrCat(stack[0].file, ":", stack[0].line)));
  json.attributeArray("stack", [&] {
    for (const kernels::SourceFrame &frame : stack)
      json.value(jsonString(frameText(frame)));
  });
}

/// Why an access of shared memory has no figures.
std::string reasonOf(const kernels::SharedAccess &access) {
  return access.reason.empty() ? "its threads and registers are too many"
                               : access.reason;
}

std::string gridText(llvm::ArrayRef<int64_t> grid) {
  return absl::StrJoin(grid, " x ");
}

}  // namespace

std::string outsideText(const BoundsCheck::Witness &witness) {
  std::string text = absl::StrCat(
      witness.element, witness.size ? absl::StrCat(" of ", *witness.size)
                                    : ", before the buffer");
  for (const auto &[name, value] : witness.runtime)
    text += absl::StrCat(
        text.find(", if ") == std::string::npos ? ", if " : " and ", name,
        " is ", value);
  return text;
}

namespace {

std::string tuple(const std::vector<int64_t> &numbers) {
  return absl::StrCat("(", absl::StrJoin(numbers, ", "), ")");
}

/// Returns the line of a store, and the coordinates in its tile if it has one.
std::string placeText(const kernels::OnceCheck::Writer &writer) {
  const std::string line = absl::StrCat("line ", writer.line);
  return writer.tile.empty() ? line : tuple(writer.tile) + " of " + line;
}

/// Returns what writes one element twice, as a sentence.
std::string raceText(const kernels::OnceCheck::Witness &witness,
                     const std::string &argument) {
  const kernels::OnceCheck::Writer &first = witness.first;
  const kernels::OnceCheck::Writer &second = witness.second;
  const std::string element =
      absl::StrCat("element ", witness.element, " of ", argument);
  switch (witness.race) {
    case kernels::Race::Programs:
      return absl::StrCat("programs ", tuple(first.program), " and ",
                          tuple(second.program), " write ", element);
    case kernels::Race::Program:
      return absl::StrCat("program ", tuple(first.program), " writes ", element,
                          " twice in no order, at ", placeText(first),
                          " and at ", placeText(second));
    case kernels::Race::Atomic:
      return absl::StrCat("program ", tuple(first.program), " stores ", element,
                          ", which program ", tuple(second.program),
                          " changes by the atomic operation of line ",
                          second.line);
  }
  return "";
}

}  // namespace

void KernelResult::writeSource(json::OStream &json) const {
  if (!found_.instruction.empty())
    json.attribute("instruction", jsonString(found_.instruction));
  if (found_.launch >= 0) json.attribute("launch", found_.launch);
}

void KernelResult::writeHead(json::OStream &json) const {
  const kernels::Kernel &kernel = found_.kernel;
  json.attributeObject("device", [&] {
    json.attribute("name", device_.name);
    json.attribute("warp", device_.warp);
    json.attribute("sector", device_.sector);
    json.attribute("line", device_.line);
  });
  json.attribute("function", jsonString(kernel.function));
  json.attribute("form", kernel.form);
  writeSource(json);
  writeNumbers(json, "grid", kernel.grid);
  if (kernel.warps)
    writeNumbers(json, "block", {kernel.lanes * *kernel.warps, 1, 1});
  json.attributeArray("arguments", [&] {
    for (auto [number, argument] : llvm::enumerate(kernel.arguments))
      json.object([&, number = number, &argument = argument] {
        json.attribute("number", static_cast<int64_t>(number));
        json.attribute("name", jsonString(argument.name));
        json.attribute("type", jsonString(argument.type));
        if (const auto &array = found_.arrays[number])
          json.attribute("shape", array->str(/*withLayout=*/true));
        if (argument.value) json.attribute("value", *argument.value);
        if (argument.divisibility)
          json.attribute("divisibility", *argument.divisibility);
      });
  });
  json.attributeObject("in_bounds",
                       [&] { writeBounds(found_.worstBounds(), json); });
  json.attributeObject("written_once", [&] { writeOnce(found_.once, json); });
  if (found_.comparison)
    json.attributeObject("of",
                         [&] { writeComparison(*found_.comparison, json); });
  if (kernel.incomplete) {
    json.attribute("complete", false);
    json.attribute("reason", jsonString(kernel.incomplete->reason));
    if (kernel.incomplete->place.known())
      json.attribute("line", kernel.incomplete->place.line);
  }
  json.attribute("moved_bytes", found_.sums.moved);
  json.attribute("used_bytes", found_.sums.used());
  json.attribute("wasted_bytes", found_.sums.wasted);
  if (found_.time) writeNumber(json, "predicted_us", found_.time->total(), 3);
  if (found_.demand && found_.demand->isLeast)
    json.attribute("predicted_least", true);
  if (kernel.sharedBytes > 0)
    json.attribute("shared_bytes", kernel.sharedBytes);
}

void KernelResult::writeShared(json::OStream &json) const {
  if (found_.kernel.shared.empty()) return;
  json.attributeArray("shared", [&] {
    for (auto [number, access] : llvm::enumerate(found_.kernel.shared))
      json.object([&, number = number, &access = access] {
        json.attribute("access", kindName(access.kind));
        json.attribute("op", jsonString(access.op));
        json.attribute("line", access.place.line);
        json.attribute("column", access.place.column);
        writeStack(access.stack, json);
        json.attribute("layout", jsonString(access.layoutText));
        json.attribute("memory", jsonString(access.memoryText));
        if (const auto &figures = found_.shared[number]) {
          json.attribute("vector", figures->vector);
          json.attribute("accesses", figures->accesses);
          json.attribute("conflicts", figures->conflicts);
          json.attribute("wavefronts", figures->wavefronts);
          json.attribute("wavefronts_fewest", figures->wavefrontsFewest);
        } else {
          json.attribute("reason", jsonString(reasonOf(access)));
        }
      });
  });
}

void KernelResult::writeAccess(size_t number, json::OStream &json) const {
  const KernelAccess &access = found_.kernel.accesses[number];
  const kernels::MeasuredAccess &measured = found_.traffic.accesses[number];
  json.attribute("op", jsonString(access.op));
  json.attribute("line", access.place.line);
  json.attribute("column", access.place.column);
  writeStack(access.stack, json);
  if (access.argument() >= 0) json.attribute("argument", access.argument());
  if (!access.maps.empty()) json.attribute("map", jsonString(mapText(access)));
  if (measured.threads)
    json.attribute(
        "thread_map",
        jsonString(
            kernels::tileThreads(*measured.threads, access).strOneLine()));
  if (access.layoutFrom != kernels::LayoutSource::None) {
    json.attribute("layout", jsonString(access.layoutText));
    json.attribute("layout_from",
                   access.layoutFrom == kernels::LayoutSource::File
                       ? "file"
                       : "coalescing");
  }
  json.attribute("mask", maskName(access.mask));
  if (const int64_t replicas = kernels::replicasOf(access); replicas != 1)
    json.attribute("replicas", replicas);
  if (measured.traffic && measured.traffic->figures) {
    writeFigures(*measured.traffic, device_, json);
  } else {
    if (access.layout || access.tile.empty())
      json.attribute("vector", access.vector);
    if (!measured.reason.empty())
      json.attribute("reason", jsonString(measured.reason));
    else if (measured.traffic)
      json.attribute("reason", jsonString(wordsOf(measured.traffic->why)));
  }
  json.attributeObject("in_bounds",
                       [&] { writeBounds(found_.bounds[number], json); });
}

void KernelResult::writeAccesses(json::OStream &json) const {
  static constexpr std::pair<const char *, AccessKind> kLists[] = {
      {"reads", AccessKind::Load},
      {"writes", AccessKind::Store},
      {"atomics", AccessKind::Atomic}};
  for (const auto &[list, kind] : kLists)
    json.attributeArray(list, [&, kind = kind] {
      for (size_t i = 0; i < found_.kernel.accesses.size(); ++i)
        if (found_.kernel.accesses[i].kind == kind)
          json.object([&] { writeAccess(i, json); });
    });
}

void KernelResult::structure(Structure &to) {
  // The lists of accesses are a part of the head, so that the document of a
  // kernel is one line of JSON lines, too.
  to.head([&](json::OStream &json) {
    writeHead(json);
    writeAccesses(json);
    writeShared(json);
  });
}

void KernelResult::rows(Row row) {
  for (size_t i = 0; i < found_.kernel.accesses.size(); ++i)
    row([&](json::OStream &json) {
      json.attribute("function", jsonString(found_.kernel.function));
      writeSource(json);
      json.attribute("access", kindName(found_.kernel.accesses[i].kind));
      writeAccess(i, json);
    });
}

std::vector<llvm::StringRef> kernelColumns() {
  return {"function",     "instruction",    "launch",       "access",
          "op",           "line",           "column",       "source",
          "stack",        "argument",       "map",          "thread_map",
          "layout",       "layout_from",    "mask",         "replicas",
          "moved_bytes",  "accesses",       "active_lanes", "bytes_used",
          "sectors",      "sectors_fewest", "lines",        "distinct_sectors",
          "wasted_bytes", "exact",          "vector",       "coalesced",
          "pattern",      "pattern_bits",   "reversed",     "unaligned",
          "remedy",       "reason",         "in_bounds"};
}

void KernelResult::writeAccessText(size_t number, llvm::raw_ostream &os) const {
  const KernelAccess &access = found_.kernel.accesses[number];
  const kernels::MeasuredAccess &measured = found_.traffic.accesses[number];
  os << kindName(access.kind) << ", line " << access.place.line;
  if (!access.stack.empty())
    os << " (" << access.stack[0].file << ':' << access.stack[0].line << ')';
  if (const int64_t argument = access.argument(); argument >= 0)
    os << ", " << found_.kernel.arguments[argument].name;
  if (measured.traffic && measured.traffic->figures) {
    const AccessFigures &of = *measured.traffic->figures;
    os << ": " << wordsOf(measured.traffic->finding.pattern)
       << (of.isCoalesced() ? "" : ", not coalesced") << '\n';
  } else {
    os << '\n';
  }
  for (const kernels::PointerMap &map : access.maps)
    os << "  map       " << kernels::withRanges(map.map).strOneLine() << '\n';
  if (!access.layoutText.empty())
    os << "  layout    " << access.layoutText << ", "
       << (access.layoutFrom == kernels::LayoutSource::File
               ? "of the file"
               : "as coalescing chooses it")
       << '\n';
  if (access.mask != kernels::MaskKind::None)
    os << "  mask      " << maskName(access.mask) << '\n';
  if (measured.traffic && measured.traffic->figures) {
    const AccessFigures &of = *measured.traffic->figures;
    auto figure = [](const Figure &f) {
      return f.isKnown() ? absl::StrCat(f.least)
                         : absl::StrCat(f.least, " to ", f.most);
    };
    os << "  accesses  " << figure(of.accesses) << ", active lanes "
       << figure(of.activeLanes) << ", vectors of " << of.vector << '\n'
       << "  sectors   " << figure(of.sectors) << ", fewest "
       << figure(of.sectorsFewest) << ", lines " << figure(of.lines) << '\n'
       << "  bytes     " << figure(of.bytesUsed) << " used, "
       << figure(of.wastedBytes) << " wasted\n";
    if (measured.mayChangeLayout)
      os << "  not exact: fewer elements than threads may get another layout "
            "later\n";
    if (const std::string remedy = nameOf(measured.traffic->finding.remedy);
        !remedy.empty())
      os << "  would mend it: " << remedy << '\n';
  } else if (!measured.reason.empty()) {
    os << "  no figures: " << measured.reason << '\n';
  }
  const BoundsCheck &check = found_.bounds[number];
  os << "  in bounds " << nameOf(check.answer);
  if (check.witness)
    os << ": program " << tuple(check.witness->program)
       << (check.witness->loops.empty()
               ? ""
               : ", loops " + tuple(check.witness->loops) + ",")
       << " at " << tuple(check.witness->tile) << " takes element "
       << outsideText(*check.witness);
  else if (!check.reason.empty())
    os << ": " << check.reason;
  os << '\n';
}

void KernelResult::writeSharedText(llvm::raw_ostream &os) const {
  for (auto [number, access] : llvm::enumerate(found_.kernel.shared)) {
    os << kindName(access.kind) << " of shared memory, line "
       << access.place.line << ": ";
    if (const auto &figures = found_.shared[number])
      os << "vectors of " << figures->vector << ", "
         << (figures->conflicts == 1
                 ? "no bank conflicts"
                 : absl::StrCat("bank conflicts of ", figures->conflicts))
         << '\n';
    else
      os << "no figures: " << reasonOf(access) << '\n';
  }
}

void KernelResult::writeSummaryText(llvm::raw_ostream &os) const {
  const kernels::Kernel &kernel = found_.kernel;
  os << "device " << device_.name << ": warps of " << device_.warp
     << " lanes, sectors of " << device_.sector << " bytes, lines of "
     << device_.line << '\n'
     << "kernel " << kernel.function << " (" << kernel.form << "), grid "
     << gridText(kernel.grid);
  if (kernel.warps) os << ", " << *kernel.warps << " warps a program";
  if (!found_.instruction.empty()) os << ", of " << found_.instruction;
  if (found_.launch >= 0) os << ", launch " << found_.launch;
  os << '\n';
  if (kernel.incomplete) {
    os << "not understood";
    if (kernel.incomplete->place.known())
      os << ", line " << kernel.incomplete->place.line;
    os << ": " << kernel.incomplete->reason << '\n';
  }
  auto between = [](int64_t least, int64_t most) {
    return least == most ? absl::StrCat(most)
                         : absl::StrCat(least, " to ", most);
  };
  const TrafficSums &sums = found_.sums;
  os << "moves " << between(sums.movedLeast, sums.moved) << " bytes";
  // Bounds of both are none of their difference.
  if (sums.areKnown()) os << ", uses " << sums.used();
  os << ", wastes " << between(sums.wastedLeast, sums.wasted) << '\n';
  if (found_.time)
    os << "predicted: "
       << (found_.demand && found_.demand->isLeast ? "at least " : "")
       << timeOf(found_.time->total()) << '\n';
  os << "written once: " << nameOf(found_.once.answer);
  if (found_.once.witness)
    os << ": "
       << raceText(*found_.once.witness,
                   kernel.arguments[found_.once.witness->argument].name);
  else if (!found_.once.reason.empty())
    os << ": " << found_.once.reason;
  os << '\n';
  if (found_.comparison) {
    const kernels::FusionComparison &of = *found_.comparison;
    os << "against " << of.computation << ": " << nameOf(of.verdict);
    if (of.outside)
      os << ": program " << tuple(of.outside->program) << ", line "
         << of.outside->line << " stores element " << of.outside->element
         << " of result " << of.outside->result << ", which is outside";
    else if (of.notStored)
      os << ": no program stores element " << of.notStored->element
         << " of result " << of.notStored->result;
    else if (!of.reason.empty())
      os << ": " << of.reason;
    os << '\n';
    for (const kernels::ArgumentPair &pair : of.pairs) {
      if (pair.answer == FusionAnswer::Equal) continue;
      os << "  tiles of " << kernel.arguments[pair.argument].name << ": "
         << nameOf(pair.answer);
      if (pair.witness)
        os << ", program " << tuple(pair.witness->program) << ", element "
           << pair.witness->element << " only in the "
           << (pair.witness->onlyInKernel ? "kernel" : "fusion");
      else if (!pair.reason.empty())
        os << ", " << pair.reason;
      os << '\n';
    }
    for (int64_t line : of.unmatchedLines)
      os << "  line " << line << ": no use of the fusion is this load\n";
    for (const kernels::UnmatchedUse &use : of.unmatchedUses)
      os << "  " << kernel.arguments[use.argument].name << ": what "
         << use.instruction << " reads has no load\n";
  }
}

void KernelResult::text(llvm::raw_ostream &os, TextStyle) {
  const kernels::Kernel &kernel = found_.kernel;
  writeSummaryText(os);
  for (size_t i = 0; i < kernel.accesses.size(); ++i) writeAccessText(i, os);
  if (kernel.sharedBytes > 0)
    os << "allocates " << kernel.sharedBytes << " bytes of shared memory\n";
  writeSharedText(os);
}

}  // namespace indexical
