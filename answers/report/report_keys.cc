#include <algorithm>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/report/keys.h"

namespace indexical {

template <>
KeyList<ReportEntry> keysOf<ReportEntry>() {
  static constexpr Key<ReportEntry> kKeys[] = {
      {kKeysOf, "[the head](#the-head)", "", "", nullptr},
      {"device", "[device](#a-device)", "never", "",
       [](const ReportEntry &of, KeyValue &to) {
         to.object(of.report.device());
       }},
      {"device_by", "string", "`--device` names it; the input states none",
       "where the device was inferred from: `sm_8.0 in the file's name`",
       [](const ReportEntry &of, KeyValue &to) {
         to.textIfAny(of.report.devices.first.why);
       }},
      {"module_devices",
       "list of [devices of modules](#the-device-of-a-module)",
       "all modules have `device`",
       "the device that each module was compiled for: its kernels' figures are "
       "for that one",
       [](const ReportEntry &of, KeyValue &to) {
         std::vector<ModuleDeviceEntry> all;
         for (size_t m = 0; m < of.report.devices.each.size(); ++m)
           all.push_back({of.report, m});
         if (!all.empty())
           to.list(all, [](const ModuleDeviceEntry &own, KeyValue &each) {
             each.object(own);
           });
       }},
      {"scheduled", "boolean", "`coalescing`",
       "whether the compiler has scheduled every module of the file, as "
       "`is_scheduled=true` says",
       [](const ReportEntry &of, KeyValue &to) {
         if (of.report.scheduled) to.boolean(*of.report.scheduled);
       }},
      {"profile", "[profile](#a-profile)", "the input is not a profile",
       "what was profiled",
       [](const ReportEntry &of, KeyValue &to) {
         if (of.report.profile) to.object(*of.report.profile);
       }},
      {"unattributed",
       "list of [kernels without an "
       "instruction](#a-kernel-without-an-instruction)",
       "the input is not a profile", "the largest total first",
       [](const ReportEntry &of, KeyValue &to) {
         if (of.report.profile)
           to.list(of.report.profile->joined().unattributed,
                   [](const UnattributedKernel &kernel, KeyValue &each) {
                     each.object(kernel);
                   });
       }},
      {"time_uses", "[uses of time](#uses-of-time)",
       "`coalescing`; nothing is summed",
       "what the time of the kernels of `--filter` is used for",
       [](const ReportEntry &of, KeyValue &to) {
         if (of.report.scheduled && of.report.areKernels)
           to.object(of.report.rows.uses);
       }},
      {"time_by_work", "list of [kinds of work](#a-kind-of-work)",
       "`coalescing`; nothing is summed",
       "the time of the kernels of `--filter` by what they do, the largest "
       "first; kinds without time are left out",
       [](const ReportEntry &of, KeyValue &to) {
         if (!of.report.scheduled || !of.report.areKernels) return;
         const auto &work = of.report.rows.work;
         std::vector<size_t> kinds;
         for (size_t k = 0; k < kWorkKinds; ++k)
           if (work[k].kernels > 0) kinds.push_back(k);
         llvm::stable_sort(kinds, [&](size_t a, size_t b) {
           return work[a].time > work[b].time;
         });
         to.list(kinds, [&](size_t k, KeyValue &each) {
           each.object(WorkEntry{of.report, WorkKind(k)});
         });
       }},
      {"changes", "[changes](#changes)", "`--baseline` was not given",
       "what became of the kernels of the earlier report",
       [](const ReportEntry &of, KeyValue &to) {
         if (of.report.comparison)
           to.object(ChangesEntry{*of.report.comparison});
       }},
      {"rows_left_out", "integer >= 1", "all are listed",
       "how many of `kernels`, or of `groups`, `--top` leaves out",
       [](const ReportEntry &of, KeyValue &to) {
         const SelectedRows &rows = of.report.rows;
         const size_t all =
             of.groupedBy.empty() ? rows.kernels.size() : rows.groups.size();
         if (all > rows.shown)
           to.integer(static_cast<int64_t>(all - rows.shown));
       }},
      {"failed",
       "list of [files that are not in the report](#a-file-that-is-not-in-the-"
       "report)",
       "all files are in it", "those that could not be read",
       [](const ReportEntry &of, KeyValue &to) {
         if (!of.report.failed.empty()) to.objects(of.report.failed);
       }},
      {"ranking", "list of [rows](#a-row-of-the-ranking)",
       "`coalescing`; the module is not scheduled; with `groups`; with "
       "`--baseline`",
       "what to change first: kernels that one change would improve are one "
       "row. The most avoidable come first, or as `--sort` says; rows of less "
       "than 1% of the time are left out, unless `--top=N` asks for the first "
       "N of all",
       nullptr},
      {"kernels", "list of [kernels](#a-kernel)", "with `groups`",
       "`coalescing`: the one. `report`: all, the most avoidable first, or "
       "as `--sort` says; before there is a time, those that waste most; "
       "those of `--filter` and `--min`, and with `--top=N` the first N",
       nullptr},
      {"groups", "list of [groups](#a-group)", "`--group` was not given",
       "those that waste most first, of arrays those that move most, or as "
       "`--sort` says; those of `--filter` and `--min`, and with `--top=N` the "
       "first N",
       nullptr},
      {"gone", "list of [kernels that are gone](#a-kernel-that-is-gone)",
       "`--baseline` was not given",
       "those of the earlier report that no kernel was found for", nullptr},
      {"collectives", "list of [collectives](#a-collective)",
       "nothing goes between devices",
       "in file order; with `--filter` those whose reads or writes it takes",
       nullptr},
      {"reshards", "list of [reshards](#a-reshard)",
       "nothing goes between devices",
       "those that could save most first, or with `--sort=received` those "
       "that a device receives most bytes of; with `--top=N` the first N",
       nullptr},
      {"communication_groups",
       "list of [groups of reshards](#a-group-of-reshards)",
       "nothing goes between devices; no `--group=op_name`, `source` or "
       "`opcode`",
       "those that could save most first, or with `--sort=received` those "
       "that devices receive most bytes of; with `--top=N` the first N",
       nullptr},
      {"cancels", "list of [pairs](#movement-that-cancels)",
       "`--cancels` was not given",
       "values that equal an earlier one; in a module, those whose ops move "
       "most bytes come first",
       nullptr},
      {"peaks", "list of [peaks](#a-peak-of-memory)", "`--live` was not given",
       "the live arrays at the memory peak of each scheduled module", nullptr},
      {"totals", "[totals](#totals)", "nothing is summed", "", nullptr},
  };
  return {"What kernels move", kKeys};
}

/// Writes a count of all trips; none, if it is 0. It stays at the largest
/// integer that a double holds.
static void countIfAny(double count, KeyValue &to) {
  constexpr double kMost = 9.2e18;
  if (count >= 1) to.integer(static_cast<int64_t>(std::min(count, kMost)));
}

/// Gives a sum of bytes, or null if it is not known.
static void bytes(const SumsEntry &of, int64_t sum, KeyValue &to) {
  of.areKnown ? to.integer(sum) : to.null();
}

/// The number of sums that are at most so much, which come first.
constexpr size_t kMostSums = 3;

template <>
KeyList<SumsEntry> keysOf<SumsEntry>() {
  static constexpr Key<SumsEntry> kKeys[] = {
      {"moved_bytes", "integer >= 0", "never",
       "the bytes of the sectors that reads and writes touch, at most; where "
       "there are no figures, the bytes of the arrays. No sum is above "
       "2^63 - 1",
       [](const SumsEntry &of, KeyValue &to) { bytes(of, of.sums.moved, to); },
       Column{7}},
      {"used_bytes", "integer >= 0", "never",
       "`moved_bytes` less `wasted_bytes`: the bytes of the fewest sectors "
       "that would do; where there are no figures, the bytes of the arrays",
       [](const SumsEntry &of, KeyValue &to) { bytes(of, of.sums.used(), to); },
       Column{8}},
      {"wasted_bytes", "integer >= 0", "never",
       "`wasted_bytes` of reads and writes, at most",
       [](const SumsEntry &of, KeyValue &to) { bytes(of, of.sums.wasted, to); },
       Column{9}},
      {"moved_least_bytes", "integer >= 0", "never",
       "as `moved_bytes`, at least: the same number where all figures are "
       "known",
       [](const SumsEntry &of, KeyValue &to) {
         bytes(of, of.sums.movedLeast, to);
       },
       Column{10}},
      {"wasted_least_bytes", "integer >= 0", "never",
       "as `wasted_bytes`, at least",
       [](const SumsEntry &of, KeyValue &to) {
         bytes(of, of.sums.wastedLeast, to);
       },
       Column{11}},
  };
  return {"Sums of bytes", kKeys};
}

template <>
KeyList<TotalsEntry> keysOf<TotalsEntry>() {
  static constexpr Key<TotalsEntry> kKeys[] = {
      {"kernels", "integer >= 0", "never", "the number of kernels",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.kernelCount);
       }},
      {"predicted_us", "number", "no time is predicted",
       "the predicted microseconds of all kernels, in all trips; of a profile, "
       "in the launches that were measured",
       [](const TotalsEntry &of, KeyValue &to) {
         if (of.report.rows.sums.time > 0)
           to.number(of.report.rows.sums.time, 6);
       }},
      {"measured_us", "number", "without a profile",
       "the microseconds of all launches that have an instruction",
       [](const TotalsEntry &of, KeyValue &to) {
         if (of.report.profile) to.number(of.report.rows.sums.measured, 6);
       }},
      {"avoidable_us", "number",
       "the module is not scheduled and `--launch` was not given",
       "the sum of what changes can save of `measured_us` with a profile, "
       "else of `predicted_us`",
       [](const TotalsEntry &of, KeyValue &to) {
         if (of.report.knowsAvoidable())
           to.number(of.report.rows.sums.avoidable, 6);
       }},
      {kKeysOf,
       "[sums of bytes](#sums-of-bytes) without `moved_least_bytes` and "
       "`wasted_least_bytes`",
       "", "of all kernels, over all trips",
       [](const TotalsEntry &of, KeyValue &to) {
         to.keys(SumsEntry{of.report.rows.sums},
                 keysOf<SumsEntry>().keys.take_front(kMostSums));
       }},
      {"read_moved_bytes", "integer >= 0", "never",
       "the part of `moved_bytes` that is of reads",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.reads.moved);
       }},
      {"read_wasted_bytes", "integer >= 0", "never",
       "the part of `wasted_bytes` that is of reads",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.reads.wasted);
       }},
      {"write_moved_bytes", "integer >= 0", "never",
       "the part of `moved_bytes` that is of writes",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.writes.moved);
       }},
      {"write_wasted_bytes", "integer >= 0", "never",
       "the part of `wasted_bytes` that is of writes",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.writes.wasted);
       }},
      {kKeysOf,
       "[sums of bytes](#sums-of-bytes) without `moved_bytes`, `used_bytes` "
       "and `wasted_bytes`",
       "", "of all kernels, over all trips",
       [](const TotalsEntry &of, KeyValue &to) {
         to.keys(SumsEntry{of.report.rows.sums},
                 keysOf<SumsEntry>().keys.drop_front(kMostSums));
       }},
      {"read_moved_least_bytes", "integer >= 0", "never",
       "the part of `moved_least_bytes` that is of reads",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.reads.movedLeast);
       }},
      {"read_wasted_least_bytes", "integer >= 0", "never",
       "the part of `wasted_least_bytes` that is of reads",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.reads.wastedLeast);
       }},
      {"write_moved_least_bytes", "integer >= 0", "never",
       "the part of `moved_least_bytes` that is of writes",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.writes.movedLeast);
       }},
      {"write_wasted_least_bytes", "integer >= 0", "never",
       "the part of `wasted_least_bytes` that is of writes",
       [](const TotalsEntry &of, KeyValue &to) {
         to.integer(of.report.rows.writes.wastedLeast);
       }},
      {"operations", "integer >= 1", "no kernel has any",
       "the multiplications and additions of the products of kernels",
       [](const TotalsEntry &of, KeyValue &to) {
         countIfAny(of.report.rows.sums.operations, to);
       }},
      {"atomics", "integer >= 1", "no kernel has any",
       "the elements that scatters combine with existing values",
       [](const TotalsEntry &of, KeyValue &to) {
         countIfAny(of.report.rows.sums.atomics, to);
       }},
      {"open_kernels", "integer >= 1", "all sizes are known",
       "the number of kernels with a size that is not known: their bytes are "
       "in no sum",
       [](const TotalsEntry &of, KeyValue &to) {
         if (of.report.rows.openKernels > 0)
           to.integer(of.report.rows.openKernels);
       }},
      {"collectives", "integer >= 0", "nothing goes between devices",
       "the number of collectives",
       [](const TotalsEntry &of, KeyValue &to) {
         if (!of.report.communication.isEmpty())
           to.integer(of.report.communication.totals().collectives);
       }},
      {"received_bytes", "integer >= 0", "nothing goes between devices",
       "what all devices receive, in reshards with `all_bytes`",
       [](const TotalsEntry &of, KeyValue &to) {
         if (!of.report.communication.isEmpty())
           to.integer(of.report.communication.totals().received);
       }},
      {"needed_bytes", "integer >= 0", "nothing goes between devices",
       "the least that they must receive, or more where it is not exact, in "
       "the same reshards",
       [](const TotalsEntry &of, KeyValue &to) {
         if (!of.report.communication.isEmpty())
           to.integer(of.report.communication.totals().needed);
       }},
  };
  return {"Totals", kKeys};
}

template <>
KeyList<TimeUses> keysOf<TimeUses>() {
  static constexpr Key<TimeUses> kKeys[] = {
      {"unused_sectors", "[use](#a-use-of-time)", "never",
       "of kernels of the last two uses: their time multiplied by their "
       "wasted bytes divided by their moved bytes, and no more than their "
       "time beyond a launch that moves each array once",
       [](const TimeUses &of, KeyValue &to) {
         to.object(UseEntry{of, TimeUse::Unused});
       }},
      {"blocks_and_waits", "[use](#a-use-of-time)", "never",
       "of kernels whose `limited_by` is `blocks` or `waits`",
       [](const TimeUses &of, KeyValue &to) {
         to.object(UseEntry{of, TimeUse::BlocksWaits});
       }},
      {"movement", "[use](#a-use-of-time)", "never",
       "of kernels that only move data: copies, conversions, transposes, "
       "slices, gathers, and fusions of these",
       [](const TimeUses &of, KeyValue &to) {
         to.object(UseEntry{of, TimeUse::Movement});
       }},
      {"libraries", "[use](#a-use-of-time)", "never",
       "of libraries' kernels, sorts, and kernels with known bytes only",
       [](const TimeUses &of, KeyValue &to) {
         to.object(UseEntry{of, TimeUse::Libraries});
       }},
      {"rest", "[use](#a-use-of-time)", "never", "of all others",
       [](const TimeUses &of, KeyValue &to) {
         to.object(UseEntry{of, TimeUse::Rest});
       }},
      {"without_time", "integer >= 0", "never",
       "the number of kernels for which no time is predicted, and none was "
       "measured",
       [](const TimeUses &of, KeyValue &to) { to.integer(of.unknown); }},
  };
  return {"Uses of time", kKeys};
}

template <>
KeyList<UseEntry> keysOf<UseEntry>() {
  static constexpr Key<UseEntry> kKeys[] = {
      {"kernels", "integer >= 0", "never",
       "the number of kernels with such time",
       [](const UseEntry &of, KeyValue &to) {
         to.integer(of.uses.of(of.use).kernels);
       }},
      {"us", "number", "never", "the microseconds",
       [](const UseEntry &of, KeyValue &to) {
         to.number(of.uses.of(of.use).time, 3);
       }},
      {"largest", "string", "no kernel has such time",
       "the kernel that takes most of it",
       [](const UseEntry &of, KeyValue &to) {
         to.textIfAny(of.uses.of(of.use).largest);
       }},
      {"largest_us", "number", "with no `largest`", "its microseconds",
       [](const UseEntry &of, KeyValue &to) {
         if (!of.uses.of(of.use).largest.empty())
           to.number(of.uses.of(of.use).ofLargest, 3);
       }},
      {"roofs", "list of [roofs](#a-roof)", "it is not `rest`",
       "what limits these kernels",
       [](const UseEntry &of, KeyValue &to) {
         if (of.use != TimeUse::Rest) return;
         std::vector<TimeLimit> limits;
         for (size_t k = 0; k < kTimeLimits; ++k)
           if (of.uses.roofs[k].kernels > 0) limits.push_back(TimeLimit(k));
         to.list(limits, [&](TimeLimit limit, KeyValue &each) {
           each.object(RoofEntry{of.uses, limit});
         });
       }},
  };
  return {"A use of time", kKeys};
}

template <>
KeyList<RoofEntry> keysOf<RoofEntry>() {
  static constexpr Key<RoofEntry> kKeys[] = {
      {"limited_by", "string", "never", "as in a kernel",
       [](const RoofEntry &of, KeyValue &to) { to.text(nameOf(of.limit)); }},
      {"kernels", "integer >= 1", "never", "the number of kernels",
       [](const RoofEntry &of, KeyValue &to) {
         to.integer(of.uses.roofs[size_t(of.limit)].kernels);
       }},
      {"us", "number", "never", "their microseconds",
       [](const RoofEntry &of, KeyValue &to) {
         to.number(of.uses.roofs[size_t(of.limit)].time, 3);
       }},
  };
  return {"A roof", kKeys};
}

template <>
KeyList<Device> keysOf<Device>() {
  static constexpr Key<Device> kKeys[] = {
      {"name", "string", "never", "the name of `--device`",
       [](const Device &of, KeyValue &to) { to.text(of.name); }},
      {"warp", "integer >= 1", "never", "lanes of a warp",
       [](const Device &of, KeyValue &to) { to.integer(of.warp); }, Column(),
       "lanes"},
      {"sector", "integer >= 1", "never",
       "bytes of a sector, the least that an access moves",
       [](const Device &of, KeyValue &to) { to.integer(of.sector); }, Column(),
       "bytes"},
      {"line", "integer >= 1", "never", "bytes of a cache line",
       [](const Device &of, KeyValue &to) { to.integer(of.line); }, Column(),
       "bytes"},
      {"bytes_per_s", "integer >= 1", "never",
       "the peak bandwidth between memory and the chip",
       [](const Device &of, KeyValue &to) {
         to.integer(of.gigabytes * 1'000'000'000);
       }},
  };
  return {"A device", kKeys};
}

template <>
KeyList<ModuleDeviceEntry> keysOf<ModuleDeviceEntry>() {
  static constexpr Key<ModuleDeviceEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "its number, from 0",
       [](const ModuleDeviceEntry &of, KeyValue &to) {
         to.integer(of.module);
       }},
      {"device", "[device](#a-device)", "never", "",
       [](const ModuleDeviceEntry &of, KeyValue &to) {
         to.object(*of.report.devices.each[of.module].device);
       }},
      {"device_by", "string",
       "nothing says one; it has that of the first module that says one",
       "as in [the document](#what-kernels-move)",
       [](const ModuleDeviceEntry &of, KeyValue &to) {
         to.textIfAny(of.report.devices.each[of.module].why);
       }},
  };
  return {"The device of a module", kKeys};
}

std::vector<Described> reportTables() {
  return {described<ReportEntry>(),
          described<SumsEntry>(),
          described<TotalsEntry>(),
          described<TimeUses>(),
          described<UseEntry>(),
          described<RoofEntry>(),
          described<WorkEntry>(),
          described<CollectiveEntry>(),
          described<ReshardEntry>(),
          described<ReshardGroupEntry>(),
          described<OperandReads>(),
          described<Device>(),
          described<FailedFile>(),
          described<RankEntry>(),
          described<RankedEntry>(),
          described<KernelEntry>(),
          described<ProfileTimes>(),
          described<GpuEntry>(),
          described<ModuleTimes>(),
          described<UnattributedKernel>(),
          described<DeviceKernelEntry>(),
          described<SharedTileEntry>(),
          described<ModelledEntry>(),
          described<ModelledArrayEntry>(),
          described<EarlierEntry>(),
          described<GoneEntry>(),
          described<Cancelled>(),
          described<LiveAtPeak>(),
          described<LiveArrayEntry>(),
          described<ModuleDeviceEntry>(),
          described<ChangesEntry>(),
          described<GroupEntry>(),
          described<WorstEntry>(),
          described<ReadEntry>(),
          described<WriteEntry>(),
          described<AccessEntry>()};
}

std::vector<llvm::StringRef> groupColumns() {
  return inOrder({columnsOf<GroupEntry>(), columnsOf<SumsEntry>()});
}

std::vector<llvm::StringRef> accessColumns() {
  return inOrder({columnsOf<KernelEntry>(),
                  columnsOf<ReadEntry>(),
                  columnsOf<WriteEntry>(),
                  columnsOf<AccessEntry>(),
                  {{kAccessColumn, "access"}}});
}

}  // namespace indexical
