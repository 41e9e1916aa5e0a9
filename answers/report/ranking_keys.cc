// The keys of the ranking, and of files that could not be read.
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"
#include "indexical/answers/report/ranking.h"
#include "indexical/indexing/diagnostic.h"

namespace indexical {
namespace {

bool isMeasured(const RankEntry &of) {
  return of.in.report.profile.has_value();
}

/// The microseconds of all kernels: measured, if they were.
double wholeTime(const Report &report) {
  return report.profile ? static_cast<double>(report.profile->total()) * 1e-6
                        : report.rows.predicted;
}

constexpr int kTimeDecimals = 3;

AvoidedTime avoidedOf(const RankEntry &of) {
  return of.in.report.avoidedOf(of.cost).value_or(AvoidedTime());
}

}  // namespace

template <>
KeyList<RankEntry> keysOf<RankEntry>() {
  static constexpr Key<RankEntry> kKeys[] = {
      {"rank", "integer >= 1", "never", "its place in the list",
       [](const RankEntry &of, KeyValue &to) { to.integer(of.rank); }},
      {"instruction", "string", "never", "the first of its kernels",
       [](const RankEntry &of, KeyValue &to) { to.text(of.instruction.name); }},
      {"kernels", "list of [kernels](#a-kernel-of-a-row)", "never",
       "all of them, the first one first",
       [](const RankEntry &of, KeyValue &to) {
         to.items([&](KeyValue &each) {
           each.object(RankedEntry{of.in, of.cost});
           for (const KernelCost *other : of.row.others)
             each.object(RankedEntry{of.in, *other});
         });
       }},
      {"opcode", "string", "never", "of the first",
       [](const RankEntry &of, KeyValue &to) {
         to.text(of.instruction.opcode);
       }},
      {"shapes", "list of strings", "never",
       "the arrays of the first one's result, with their layouts",
       [](const RankEntry &of, KeyValue &to) {
         to.texts(of.in.report.names().shapesOf(of.cost));
       }},
      {"predicted_us", "number", "no time is predicted",
       "the microseconds of all trips, or measured launches, of its kernels",
       [](const RankEntry &of, KeyValue &to) {
         if (of.row.sums.time > 0) to.number(of.row.sums.time, 6);
       }},
      {"measured_us", "number", "without a profile",
       "the microseconds of all launches of its kernels",
       [](const RankEntry &of, KeyValue &to) {
         if (isMeasured(of)) to.number(of.row.sums.measured, 6);
       }},
      {"lost_us", "number", "no time is predicted, and none was measured",
       "the sum of `lost_us` of its kernels",
       [](const RankEntry &of, KeyValue &to) {
         if (of.row.sums.time > 0 || of.row.sums.measured > 0)
           to.number(of.row.sums.lost, 6);
       }},
      {"share_of_all", "number", "nothing has a time",
       "the part of the time of all kernels of the report: of `measured_us` "
       "with a profile, else of `predicted_us`",
       [](const RankEntry &of, KeyValue &to) {
         const double time =
             isMeasured(of) ? of.row.sums.measured : of.row.sums.time;
         const double whole = wholeTime(of.in.report);
         if (whole > 0 && !of.row.kernel->isAlternative)
           to.number(time / whole, 6);
       }},
      {"avoidable_us", "number", "never",
       "what the change can save of that time",
       [](const RankEntry &of, KeyValue &to) {
         to.number(of.row.sums.avoidable, 6);
       }},
      {kKeysOf, "[sums of bytes](#sums-of-bytes) or null", "",
       "of its kernels, over all their trips; `null`: a size is not known",
       [](const RankEntry &of, KeyValue &to) {
         to.keys(SumsEntry{of.row.sums, areBytesKnown(of.row)});
       }},
      {"avoid_by", "string", "nothing is known to be avoidable",
       "as in [a kernel](#a-kernel)",
       [](const RankEntry &of, KeyValue &to) {
         to.textIfAny(nameOf(avoidedOf(of).by));
       }},
      {"avoid_with", "string", "the change is about these kernels alone",
       "the kernel or the parameter that the change of the first one is about",
       [](const RankEntry &of, KeyValue &to) {
         const AvoidBy by = avoidedOf(of).by;
         if (by != AvoidBy::Nothing)
           to.textIfAny(of.cost.facts.avoidable.partnerOf(by));
       }},
      {"advice", "string", "with no `avoid_by`", "the change, in words",
       [](const RankEntry &of, KeyValue &to) {
         to.textIfAny(adviceOf(of.cost.facts.avoidable, avoidedOf(of),
                               partnersOf(of.row)));
       }},
      {"why", "string", "with `advice`",
       "the reason for their time, in words; nothing is known to be avoidable",
       [](const RankEntry &of, KeyValue &to) {
         if (avoidedOf(of).by == AvoidBy::Nothing) to.text(whyNothing(of.cost));
       }},
  };
  return {"A row of the ranking", kKeys};
}

template <>
KeyList<RankedEntry> keysOf<RankedEntry>() {
  static constexpr Key<RankedEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "the number of the module, from 0",
       [](const RankedEntry &of, KeyValue &to) { to.integer(of.cost.module); }},
      {"file", "string", "the report is not one of several files",
       "the path of the file that its module was read from",
       [](const RankedEntry &of, KeyValue &to) {
         if (!of.in.report.files.empty())
           to.text(of.in.report.names().fileOf(of.cost));
       }},
      {"computation", "string", "never", "where the kernel is",
       [](const RankedEntry &of, KeyValue &to) {
         to.text(of.in.report.names().computationOf(of.cost).name);
       }},
      {"instruction", "string", "never", "the fusion or the op",
       [](const RankedEntry &of, KeyValue &to) {
         to.text(of.in.report.names().instructionOf(of.cost).name);
       }},
  };
  return {"A kernel of a row", kKeys};
}

template <>
KeyList<WorkEntry> keysOf<WorkEntry>() {
  static constexpr Key<WorkEntry> kKeys[] = {
      {"work", "string", "never", "as in [a kernel](#a-kernel)",
       [](const WorkEntry &of, KeyValue &to) { to.text(nameOf(of.kind)); }},
      {"kernels", "integer >= 1", "never", "the number of kernels",
       [](const WorkEntry &of, KeyValue &to) {
         to.integer(of.part().kernels);
       }},
      {"us", "number", "never",
       "their microseconds: measured in a profile, else predicted, over all "
       "trips",
       [](const WorkEntry &of, KeyValue &to) {
         to.number(of.part().time, kTimeDecimals);
       }},
      {"share_of_all", "number", "never",
       "the part of the time of all kernels of the report, of the same "
       "microseconds",
       [](const WorkEntry &of, KeyValue &to) {
         to.number(of.part().time / wholeTime(of.report), 6);
       }},
      {"largest", "string", "never", "the kernel that takes most of it",
       [](const WorkEntry &of, KeyValue &to) {
         to.text(of.part().largest);
       }},
      {"largest_us", "number", "never", "its microseconds",
       [](const WorkEntry &of, KeyValue &to) {
         to.number(of.part().ofLargest, kTimeDecimals);
       }},
  };
  return {"A kind of work", kKeys};
}

template <>
KeyList<FailedFile> keysOf<FailedFile>() {
  static constexpr Key<FailedFile> kKeys[] = {
      {"file", "string", "never", "its path",
       [](const FailedFile &of, KeyValue &to) { to.text(of.file); }},
      {"line", "integer >= 1", "the error has no place in the text",
       "where the error is, from 1",
       [](const FailedFile &of, KeyValue &to) {
         if (const auto place = placeOf(of.status); place && place->known())
           to.integer(place->line);
       }},
      {"column", "integer >= 1", "with no `line`", "where in that line, from 1",
       [](const FailedFile &of, KeyValue &to) {
         if (const auto place = placeOf(of.status); place && place->known())
           to.integer(place->column);
       }},
      {"message", "string", "never", "what is wrong",
       [](const FailedFile &of, KeyValue &to) {
         to.text(std::string(of.status.message()));
       }},
  };
  return {"A file that is not in the report", kKeys};
}

}  // namespace indexical
