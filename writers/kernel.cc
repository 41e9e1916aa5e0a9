#include "indexical/writers/kernel.h"

#include <algorithm>
#include <optional>
#include <string>

#include "absl/strings/str_cat.h"
#include "absl/strings/str_join.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/kernel/keys.h"
#include "indexical/answers/words.h"
#include "indexical/program/maps/map_copy.h"
#include "indexical/writers/format.h"
#include "indexical/writers/kernel_witness.h"
#include "indexical/writers/launch.h"
#include "indexical/writers/report.h"
#include "indexical/writers/verdict.h"

namespace indexical {

using kernels::AccessKind;
using kernels::KernelAccess;

namespace {

std::string gridText(llvm::ArrayRef<int64_t> grid) {
  return absl::StrJoin(grid, " x ");
}

/// Whether values are the same: then it does not count how often an element is
/// loaded.
bool isSame(const kernels::FusionComparison &of) {
  return of.verdict.isSameAt(Level::Values);
}

}  // namespace

void KernelResult::structure(Structure &to) {
  // The lists of accesses are a part of the head, so that the document of a
  // kernel is one line of JSON lines, too.
  to.head([&](ValueSink &sink) {
    writeKeys(FindingsEntry{found_, device_}, sink);
  });
}

void RefusedRequest::text(llvm::raw_ostream &os, TextStyle) {
  os << "request " << refused_.request
     << (refused_.id.empty() ? "" : ", " + refused_.id) << ": refused\n  "
     << refused_.why << '\n';
}

void RefusedRequest::structure(Structure &to) {
  to.head([&](ValueSink &sink) { writeKeys(refused_, sink); });
}

void KernelResult::rows(Row row) {
  for (size_t i = 0; i < found_.kernel.accesses.size(); ++i)
    row([&](ValueSink &to) {
      writeCells(FindingsEntry{found_, device_}, to);
      to.key("access");
      to.text(nameOf(found_.kernel.accesses[i].kind));
      writeCells(KernelAccessEntry{found_, i, device_}, to);
    });
}

/// Returns the name of the array that the map goes to.
std::string KernelResult::arrayText(const kernels::PointerMap &map) const {
  return map.argument >= 0 ? found_.kernel.arguments[map.argument].name
                           : "an unknown array";
}

/// Returns the arrays of which the access may be: `a or b`.
std::string KernelResult::arraysText(const KernelAccess &access) const {
  std::vector<std::string> names;
  for (const kernels::PointerMap &map : access.maps)
    if (const std::string name = arrayText(map);
        !llvm::is_contained(names, name))
      names.push_back(name);
  return absl::StrJoin(names, " or ");
}

void KernelResult::writeAccessText(size_t number, llvm::raw_ostream &os) const {
  const KernelAccess &access = found_.kernel.accesses[number];
  const kernels::MeasuredAccess &measured = found_.traffic.accesses[number];
  os << nameOf(access.kind) << ", line " << access.place.line;
  if (!access.stack.empty())
    os << " (" << access.stack[0].file << ':' << access.stack[0].line << ')';
  if (const int64_t argument = access.argument(); argument >= 0)
    os << ", " << found_.kernel.arguments[argument].name;
  else if (!access.maps.empty())
    os << ", " << arraysText(access);
  if (measured.traffic && measured.traffic->figures) {
    const AccessFigures &of = *measured.traffic->figures;
    os << ": " << wordsOf(measured.traffic->finding.pattern)
       << (of.isCoalesced() ? "" : ", not coalesced") << '\n';
  } else {
    os << '\n';
  }
  if (!access.enumerated.empty())
    os << "  map       unknown: " << access.reason << '\n';
  for (const kernels::PointerMap &map : access.maps) {
    os << "  map       ";
    if (access.argument() < 0) os << arrayText(map) << ": ";
    os << withRanges(map.map, 3).strOneLine() << '\n';
  }
  if (!access.layoutText.empty())
    os << "  layout    " << access.layoutText << ", "
       << (access.layoutFrom == kernels::LayoutSource::File
               ? "of the file"
               : "as coalescing chooses it")
       << '\n';
  if (access.mask != kernels::MaskKind::None)
    os << "  mask      " << nameOf(access.mask) << '\n';
  if (measured.traffic && measured.traffic->figures) {
    const AccessFigures &of = *measured.traffic->figures;
    auto figure = [](const Figure &f) {
      return f.isKnown() ? absl::StrCat(f.least)
                         : absl::StrCat(f.least, " to ", f.most);
    };
    os << "  requests  " << figure(of.accesses) << ", active lanes "
       << figure(of.activeLanes) << ", vectors of " << of.vector << '\n'
       << "  sectors   " << figure(of.sectors) << " (ideal "
       << figure(of.sectorsFewest) << ')';
    if (of.accesses.isKnown() && of.sectors.isKnown() && of.accesses.least > 0)
      os << ", " << decimal(double(of.sectors.least) / of.accesses.least, 1)
         << " per request";
    os << ", lines " << figure(of.lines) << '\n'
       << "  bytes     " << figure(of.bytesUsed) << " used, "
       << figure(of.wastedBytes) << " wasted\n";
    if (measured.mayChangeLayout)
      os << "  not exact: fewer elements than threads may get another layout "
            "later\n";
    if (const std::string remedy = wordsOf(measured.traffic->finding.remedy);
        !remedy.empty())
      os << "  recommendation: " << remedy << '\n';
  } else if (!measured.reason.empty()) {
    os << "  no figures: " << measured.reason << '\n';
  }
  os << "  in bounds " << checkText(found_.bounds[number]) << '\n';
}

void KernelResult::writeSharedText(llvm::raw_ostream &os) const {
  for (auto [number, access] : llvm::enumerate(found_.kernel.shared)) {
    os << nameOf(access.kind) << " of shared memory, line " << access.place.line
       << ": ";
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

/// Writes what all accesses move, or `-` where none has figures.
void KernelResult::writeSumsText(llvm::raw_ostream &os) const {
  const TrafficSums &sums = found_.sums;
  auto between = [](int64_t least, int64_t most) {
    return least == most ? absl::StrCat(most)
                         : absl::StrCat(least, " to ", most);
  };
  auto atLeast = [](std::optional<int64_t> bytes) {
    return bytes ? absl::StrCat("at least ", *bytes) : "-";
  };
  if (found_.areSumsWhole()) {
    os << "moves " << between(sums.movedLeast, sums.moved) << " bytes";
    // Bounds of both are none of their difference.
    if (sums.areKnown()) os << ", uses " << sums.used();
    os << ", wastes " << between(sums.wastedLeast, sums.wasted) << '\n';
    return;
  }
  os << "moves " << atLeast(found_.moved()) << " bytes, uses "
     << atLeast(found_.used()) << ", wastes " << atLeast(found_.wasted());
  if (found_.unsummed > 0)
    os << ": " << found_.unsummed
       << (found_.unsummed == 1 ? " access is" : " accesses are")
       << " not counted";
  os << '\n';
}

/// Writes the verdict of a kernel that another one specifies, then the sizes,
/// the element and the numbers.
void KernelResult::writeJudgeText(llvm::raw_ostream &os) const {
  const JudgeEntry of = {found_, *found_.judge};
  const Verdict &verdict = of.verdict();
  const auto &witness = verdict.witness;
  const bool hasLines = witness && isOfBothKernels(*witness);
  const bool isDifferent = verdict.answer == Verdict::Different;
  os << "verdict: " << judgedWord(of.judge)
     << (verdict.isSame() ? " as "
         : isDifferent    ? " from "
                          : " against ")
     << of.judge.function << " of " << of.judge.path;
  if (of.judge.hasSizes()) os << ", grid " << gridText(of.judge.grid);
  if (of.judge.isForAll && verdict.isSame()) {
    os << ", for all sizes";
    for (const std::string &condition : of.judge.assumed)
      os << (&condition == &of.judge.assumed.front() ? " with " : ", ")
         << condition;
  }
  if (of.judge.hasSizes() && !of.judge.sizes.empty() && !hasLines)
    os << ", for "
       << absl::StrJoin(of.judge.sizes, ", ",
                        [](std::string *out, const auto &size) {
                          absl::StrAppend(out, size.first, " = ", size.second);
                        });
  if (!verdict.laws.empty() && verdict.isSame())
    os << ", by " << absl::StrJoin(verdict.laws, ", ");
  os << '\n';
  const auto nameOfArray = [&] {
    return witness->array ? found_.kernel.arguments[*witness->array].name
                          : std::string();
  };
  if (hasLines)
    writeJudgeWitness(*witness, nameOfArray(), of.judge.sizes, os);
  else if (witness)
    os << "  " << witnessText(*witness, nameOfArray()) << '\n';
  if (!of.judge.where.empty())
    os << "  the same where " << of.judge.where << '\n';
  for (const JudgeViolation &violation : violationsOf(found_))
    os << "  " << indexical::wordsOf(violation) << '\n';
  if (!verdict.reason.empty()) os << "  " << verdict.reason << '\n';
  for (const kernels::ValueDifference &each : of.judge.compared.values) {
    if (verdict.isDecided() || each.kernel.empty()) continue;
    os << "  " << found_.kernel.arguments[each.result].name << ", line "
       << each.line << ": new stores " << each.kernel << ", and old leaves "
       << each.fusion << '\n';
  }
  for (const std::string &option : verdict.decidedBy)
    os << "  with " << option << " it would be the same\n";
}

/// Writes the verdict about the kernel and its fusion.
void KernelResult::writeFusionText(llvm::raw_ostream &os) const {
  const kernels::TritonKernel &kernel = found_.kernel;
  const kernels::FusionComparison &of = *found_.comparison;
  const auto &witness = of.verdict.witness;
  const bool isOther = witness && witness->kind == Witness::Kind::StoredOther;
  os << "against " << of.computation << ": ";
  if (isOther) {
    os << sharedWord(of.verdict) << assumedText(of.verdict.assumed) << '\n';
    writeStoredOther(*witness, os);
  } else {
    os << verdictText(sharedWord(of.verdict), of.verdict, VerdictLine::Whole)
       << '\n';
  }
  for (const kernels::ValueDifference &each : of.values) {
    if (isOther) break;
    os << "  result " << each.result << ", line " << each.line << ": ";
    if (!each.reason.empty())
      os << each.reason;
    else
      os << "stored " << each.kernel << ", fusion " << each.fusion;
    os << '\n';
  }
  for (const kernels::ArgumentPair &pair : of.pairs) {
    const Verdict &tiles = pair.verdict;
    if (tiles.isSame() || isSame(of)) continue;
    os << "  tiles of " << kernel.arguments[pair.argument].name << ": "
       << wordOf(tiles.answer);
    if (tiles.witness)
      os << ", " << witnessText(*tiles.witness);
    else if (!tiles.reason.empty())
      os << ", " << tiles.reason;
    os << '\n';
  }
  if (isSame(of)) return;
  for (int64_t line : of.unmatchedLines)
    os << "  line " << line << ": no use of the fusion is this load\n";
  for (const kernels::UnmatchedUse &use : of.unmatchedUses)
    os << "  " << kernel.arguments[use.argument].name << ": what "
       << use.instruction << " reads has no load\n";
}

/// Writes whether all accesses are in bounds, with the worst of them.
void KernelResult::writeBoundsText(llvm::raw_ostream &os) const {
  const Check worst = found_.worstBounds();
  os << "in bounds: " << wordOf(worst.answer);
  const auto access = llvm::find_if(found_.bounds, [&](const Check &check) {
    return check.answer == worst.answer;
  });
  if (worst.answer == Check::Proved) {
    os << '\n';
  } else if (access == found_.bounds.end()) {
    os << ": " << worst.reason << '\n';
  } else {
    const KernelAccess &of =
        found_.kernel.accesses[access - found_.bounds.begin()];
    os << ": line " << of.place.line << ", ";
    if (const int64_t argument = of.argument(); argument >= 0)
      os << found_.kernel.arguments[argument].name << ", ";
    os << (access->witness ? witnessText(*access->witness) : access->reason)
       << '\n';
  }
}

/// Writes whether two stores of an element have no order.
void KernelResult::writeRaceText(llvm::raw_ostream &os) const {
  const auto &race = found_.once.witness;
  os << "write-write race: ";
  if (found_.once.answer == Check::Proved)
    os << "none (proved)\n";
  else
    os << (race ? "yes" : wordOf(found_.once.answer).str())
       << (race ? ": " + witnessText(
                             *race,
                             found_.kernel.arguments[*race->array].name)
           : found_.once.reason.empty() ? ""
                                        : ": " + found_.once.reason)
       << '\n';
}

/// Writes what is proved of the kernel and what is not, violations first, and
/// what would decide more.
void KernelResult::writeVerdictsText(llvm::raw_ostream &os) const {
  const kernels::TritonKernel &kernel = found_.kernel;
  if (kernel.incomplete) {
    os << "not understood";
    if (kernel.incomplete->place.known())
      os << ", line " << kernel.incomplete->place.line;
    os << ": " << kernel.incomplete->reason << '\n';
  }
  if (found_.comparison) writeFusionText(os);
  for (const bool isViolated : {true, false}) {
    auto isNow = [&](const auto &check) {
      return (check.answer == Check::Violated) == isViolated;
    };
    if (isNow(found_.worstBounds())) writeBoundsText(os);
    if (isNow(found_.once)) writeRaceText(os);
    if (const auto &shared = found_.sharedOverwritten; shared && isNow(*shared))
      os << "overwritten in shared memory: " << checkText(*shared, "") << '\n';
    const auto &overwritten = found_.overwritten;
    if (!overwritten || !isNow(*overwritten)) continue;
    const auto &witness = overwritten->witness;
    os << "overwritten: "
       << checkText(*overwritten,
                    witness ? kernel.arguments[*witness->array].name : "")
       << '\n';
  }
  if (kernel.wraps)
    os << "wraps: " << indexical::wordsOf(*kernel.wraps) << '\n';
  if (!found_.missing.empty())
    os << "more is decided with: " << absl::StrJoin(found_.missing, " ")
       << '\n';
}

void KernelResult::writeSummaryText(llvm::raw_ostream &os) const {
  const kernels::TritonKernel &kernel = found_.kernel;
  if (found_.request > 0)
    os << "request " << found_.request
       << (found_.id.empty() ? "" : ", " + found_.id) << '\n';
  if (found_.judge) writeJudgeText(os);
  os << "device " << device_.name << ": warps of " << device_.warp
     << " lanes, sectors of " << device_.sector << " bytes, lines of "
     << device_.line << '\n'
     << "kernel " << kernel.function << " (" << kernel.form << "), grid "
     << (found_.openGrid.empty() ? gridText(kernel.grid) : found_.openGrid);
  if (kernel.warps) {
    os << ", " << *kernel.warps << (*kernel.warps == 1 ? " warp" : " warps");
    if (kernel.form == "llvm" && kernel.lanes != device_.warp)
      os << " of " << kernel.lanes << " lanes";
    os << " per program";
  }
  if (!found_.instruction.empty()) os << ", of " << found_.instruction;
  if (found_.launch >= 0) os << ", launch " << found_.launch;
  os << '\n';
  if (found_.configNumber >= 0)
    os << "config " << found_.configNumber << ": " << wordsOfConfig(found_)
       << '\n';
  writeVerdictsText(os);
  if (!found_.taken.empty())
    os << "taken: "
       << absl::StrJoin(found_.taken, ", ",
                        [](std::string *out, const kernels::Taken &taken) {
                          out->append(indexical::wordsOf(taken));
                        })
       << '\n';
  writeSumsText(os);
  if (found_.time)
    os << "predicted: "
       << (found_.demand && found_.demand->isLeast ? "at least " : "")
       << timeOf(found_.time->total()) << '\n';
}

void KernelResult::text(llvm::raw_ostream &os, TextStyle) {
  const kernels::TritonKernel &kernel = found_.kernel;
  if (!found_.ttir.empty()) {
    os << found_.ttir;
    return;
  }
  writeSummaryText(os);
  for (size_t i = 0; i < kernel.accesses.size(); ++i) writeAccessText(i, os);
  if (kernel.sharedBytes > 0)
    os << "allocates " << kernel.sharedBytes << " bytes of shared memory\n";
  writeSharedText(os);
  if (!found_.ofThread) return;
  os << "the thread accesses:\n";
  for (const kernels::ListedAccess &access : *found_.ofThread) {
    os << "  " << nameOf(access.kind) << ' ' << arrayOf(access);
    if (access.hasOffset) os << ", byte " << access.offset;
    os << ", " << access.bytes << " bytes";
    if (!access.reason.empty()) os << ": " << access.reason;
    os << '\n';
  }
}

}  // namespace indexical
