// The keys of groups of reads and writes.
#include "indexical/answers/report/keys.h"

namespace indexical {

namespace {

bool isOfArray(const GroupEntry &of) {
  return of.group.array && of.in.groupedBy == kArrayKey;
}

void namesOf(const GroupEntry &of, llvm::ArrayRef<const KernelCost *> kernels,
             KeyValue &to) {
  to.list(kernels, [&](const KernelCost *kernel, KeyValue &each) {
    each.text(of.in.report.names().instructionOf(*kernel).name);
  });
}

}  // namespace

template <>
KeyList<GroupEntry> keysOf<GroupEntry>() {
  static constexpr Key<GroupEntry> kKeys[] = {
      {"by", "string", "never", "the key of `--group`",
       [](const GroupEntry &of, KeyValue &to) { to.text(of.in.groupedBy); },
       Column{1}},
      {"name", "string", "never",
       "the value of that key that the reads and writes of this group share; "
       "empty if they have none",
       [](const GroupEntry &of, KeyValue &to) { to.text(of.group.name); },
       Column{2}},
      {"kernels", "integer >= 1", "never",
       "the number of kernels with a read or write of this group",
       [](const GroupEntry &of, KeyValue &to) { to.integer(of.group.kernels); },
       Column{3}},
      {"accesses", "integer >= 1", "never", "the number of reads and writes",
       [](const GroupEntry &of, KeyValue &to) {
         to.integer(of.group.accesses);
       },
       Column{4}},
      {"predicted_us", "number", "the module is not scheduled",
       "the time of these kernels, all trips",
       [](const GroupEntry &of, KeyValue &to) {
         if (of.in.report.areKernels) to.number(of.group.sums.time, 6);
       },
       Column{5}},
      {"avoidable_us", "number", "the module is not scheduled",
       "the sum of `avoidable_us` of these kernels: the microseconds of all "
       "trips, or launches, that changes can save. A kernel counts fully in "
       "each group in which it has a read or write",
       [](const GroupEntry &of, KeyValue &to) {
         if (of.in.report.knowsAvoidable())
           to.number(of.group.sums.avoidable, 6);
       },
       Column{6}},
      {kKeysOf, "[sums of bytes](#sums-of-bytes)", "",
       "of the reads and writes of this group, over all trips",
       [](const GroupEntry &of, KeyValue &to) {
         to.keys(SumsEntry{of.group.sums});
       }},
      {"shape", "string", "`by` is not `array`", "the array, with its layout",
       [](const GroupEntry &of, KeyValue &to) {
         if (isOfArray(of)) to.text(of.group.array->str(/*withLayout=*/true));
       },
       Column{12}},
      {"bytes", "integer >= 0", "`by` is not `array`", "its bytes",
       [](const GroupEntry &of, KeyValue &to) {
         if (isOfArray(of)) to.integer(bytesOf(*of.group.array));
       },
       Column{13}},
      {"written_by", "list of strings", "`by` is not `array`",
       "the kernels that write it, by `instruction`",
       [](const GroupEntry &of, KeyValue &to) {
         if (isOfArray(of)) namesOf(of, of.group.writers, to);
       },
       Column{14}},
      {"read_by", "list of strings", "`by` is not `array`",
       "the kernels of the same computation that read it, also behind tuples "
       "and bitcasts, in the order of [kernels](#a-kernel)",
       [](const GroupEntry &of, KeyValue &to) {
         if (isOfArray(of)) namesOf(of, of.group.readers, to);
       },
       Column{15}},
      {"worst", "[worst kernel](#the-worst-kernel)", "never",
       "the kernel whose reads and writes of this group waste most",
       [](const GroupEntry &of, KeyValue &to) {
         to.object(WorstEntry{of.in, of.group});
       }},
  };
  return {"A group", kKeys};
}

template <>
KeyList<WorstEntry> keysOf<WorstEntry>() {
  static constexpr Key<WorstEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "the number of the module, from 0",
       [](const WorstEntry &of, KeyValue &to) {
         to.integer(of.group.worst->module);
       }},
      {"computation", "string", "never", "where the kernel is",
       [](const WorstEntry &of, KeyValue &to) {
         to.text(of.in.report.names().computationOf(*of.group.worst).name);
       }},
      {"instruction", "string", "never", "the fusion or the op",
       [](const WorstEntry &of, KeyValue &to) {
         to.text(of.in.report.names().instructionOf(*of.group.worst).name);
       }},
      {"wasted_bytes", "integer >= 0", "never",
       "the bytes that its reads and writes of this group waste, at most",
       [](const WorstEntry &of, KeyValue &to) {
         to.integer(of.group.ofWorst.wasted);
       }},
      {"wasted_least_bytes", "integer >= 0", "never",
       "the bytes that its reads and writes of this group waste, at least",
       [](const WorstEntry &of, KeyValue &to) {
         to.integer(of.group.ofWorst.wastedLeast);
       }},
  };
  return {"The worst kernel", kKeys};
}

}  // namespace indexical
