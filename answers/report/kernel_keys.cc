#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/hazards/keys.h"
#include "indexical/answers/report/keys.h"
#include "indexical/cost/launch/ideal_time.h"

namespace indexical {

llvm::StringRef nameOf(LaunchModel model) {
  switch (model) {
    case LaunchModel::Xla:
      return "xla";
    case LaunchModel::Own:
      return "own";
    case LaunchModel::Compiled:
      return "compiled";
    case LaunchModel::Linear:
      break;
  }
  return "linear";
}

bool isTimeAtLeast(const KernelCost &kernel) {
  return kernel.time() && kernel.measurement->demand &&
         kernel.measurement->demand->isLeast;
}

namespace {

//===-- What several keys ask ---------------------------------------------===//

/// Returns the predicted time, or null if nothing is summed or predicted.
const PredictedTime *timeOf(const KernelEntry &of) {
  const auto &time = of.cost.time();
  return of.in.report.areKernels && time ? &*time : nullptr;
}

/// Whether the kernel's ideal is shown without a profile.
bool isIdealPredicted(const KernelEntry &of) {
  return of.in.report.areKernels && !of.in.report.profile;
}

/// Returns what is avoidable of the kernel's time, or nothing without a time.
std::optional<AvoidedTime> avoidedOf(const KernelEntry &of) {
  return of.in.report.avoidedOf(of.cost);
}

const ProfiledModule *profiledModuleOf(const KernelEntry &of) {
  const auto &profile = of.in.report.profile;
  return profile ? &profile->moduleOf(of.cost) : nullptr;
}

/// Returns the median of the measured times in microseconds, if it is above 0.
std::optional<double> medianOf(const KernelEntry &of) {
  const auto median = of.measured ? of.measured->median() : std::nullopt;
  return median && *median > 0 ? median : std::nullopt;
}

/// Returns how often the kernel's module ran, or 0 if that is not known.
int64_t runsOf(const KernelEntry &of) {
  if (!of.measured) return 0;
  const auto &modules = of.in.report.profile->joined().modules;
  return modules[of.measured->op->module].executions.value_or(0);
}

const OldKernel *earlierOf(const KernelEntry &of) {
  const auto &comparison = of.in.report.comparison;
  return comparison ? comparison->was.lookup(&of.cost) : nullptr;
}

/// Whether every access has the kernel's own stack. Stacks are large, and need
/// not be written twice.
bool isStackOfAccesses(const KernelEntry &of) {
  auto isOwn = [&](const Traffic *traffic) {
    return of.in.report.names().metadataOf(of.cost, *traffic).frame ==
           of.instruction.metadata.frame;
  };
  return !(of.row.reads.empty() && of.row.writes.empty()) &&
         llvm::all_of(of.row.reads, isOwn) &&
         llvm::all_of(of.row.writes, isOwn);
}

void sharedTilesOf(const KernelEntry &of, KeyValue &to) {
  to.list(llvm::zip(of.kernel().shared, of.cost.traffic().conflicts),
          [](const auto &pair, KeyValue &each) {
            each.object(SharedTileEntry{std::get<0>(pair), std::get<1>(pair)});
          });
}

void threadMapOf(const KernelEntry &of, KeyValue &to) {
  // A program that takes a tile has no known threads.
  const auto &all = of.cost.traffic().threads;
  const bool isOfTile = of.kernel().emitter == Emitter::Triton &&
                        of.kernel().model != LaunchModel::Compiled;
  if (all.empty() || isOfTile || !areBytesKnown(of.row))
    return;
  const IndexingMap &threads = all.front();
  to.text(
      of.in.texts.of(of.cost, &threads, [&] { return threads.strOneLine(); }));
}

}  // namespace

//===-- The keys ----------------------------------------------------------===//

template <>
KeyList<KernelEntry> keysOf<KernelEntry>() {
  static constexpr Key<KernelEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "the number of the module, from 0",
       [](const KernelEntry &of, KeyValue &to) { to.integer(of.cost.module); },
       Column{1}},
      {"file", "string", "the report is not one of several files",
       "the path of the file that its module was read from",
       [](const KernelEntry &of, KeyValue &to) {
         if (!of.in.report.files.empty())
           to.text(of.in.report.names().fileOf(of.cost));
       }},
      {"device", "string", "the report has no `module_devices`",
       "the name of the device that its module was compiled for",
       [](const KernelEntry &of, KeyValue &to) {
         if (!of.in.report.devices.each.empty()) to.text(of.cost.device->name);
       },
       Column{66}},
      {"computation", "string", "never", "where the kernel is",
       [](const KernelEntry &of, KeyValue &to) {
         to.text(of.in.report.names().computationOf(of.cost).name);
       },
       Column{2}},
      {"instruction", "string", "never", "the fusion or the op",
       [](const KernelEntry &of, KeyValue &to) {
         to.text(of.instruction.name);
       },
       Column{3, "kernel"}},
      {"opcode", "string", "never", "as in the file",
       [](const KernelEntry &of, KeyValue &to) {
         to.text(of.instruction.opcode);
       },
       Column{4}},
      {"line", "integer >= 1", "the input is not a text",
       "where its name stands in the file, as in [`dump`](#an-instruction)",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.instruction.place.known())
           to.integer(of.instruction.place.line);
       },
       Column{5}},
      {"shapes", "list of strings", "never",
       "the arrays of the result, with their layouts",
       [](const KernelEntry &of, KeyValue &to) {
         to.texts(of.in.report.names().shapesOf(of.cost));
       }},
      {"op_name", "string", "the metadata has none",
       "`op_name` of the instruction",
       [](const KernelEntry &of, KeyValue &to) {
         to.textIfAny(of.instruction.metadata.opName);
       }},
      {"source", "string", "the metadata has none",
       "its source file and line: the innermost frame",
       [](const KernelEntry &of, KeyValue &to) { sourceOf(of.stack, to); }},
      {"stack", "list of strings",
       "with no `source`; each of its accesses has the same",
       "all frames, as in [an access](#an-access)",
       [](const KernelEntry &of, KeyValue &to) {
         if (!isStackOfAccesses(of)) stackOf(of.stack, to);
       }},
      {"trips", "integer >= 0", "never",
       "how often the kernel runs, as far as that is known. The condition of "
       "a loop runs once more than its body. It has 0 trips if the module "
       "states the loop's count (`known_trip_count`), because the runtime "
       "then does not evaluate it",
       [](const KernelEntry &of, KeyValue &to) {
         to.integer(of.kernel().trips);
       },
       Column{6}},
      {"trips_known", "`false`", "the number of trips is known",
       "the kernel is in a loop whose count is not known: the count is taken "
       "for 1, so that the body runs once and the condition twice",
       [](const KernelEntry &of, KeyValue &to) {
         to.ifFalse(of.kernel().tripsKnown);
       }},
      {"complete", "`false`", "every access has an entry",
       "some accesses were left out",
       [](const KernelEntry &of, KeyValue &to) {
         to.ifFalse(of.kernel().complete);
       }},
      {"time_use", "string", "the module is not scheduled",
       "what the kernel's time is used for, except for its unused sectors: "
       "`blocks_and_waits`, `movement`, `libraries` or `rest`, of [uses of "
       "time](#uses-of-time)",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.in.report.areKernels) to.text(nameOf(timeUseOf(of.cost)));
       },
       Column{44}},
      {"work", "string", "the module is not scheduled",
       "what it does: `products`, `attention`, `copies` (it only moves data), "
       "`collectives`, `reductions`, `elementwise` or `others`",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.in.report.areKernels) to.text(nameOf(of.cost.facts.work));
       },
       Column{69}},
      {"alike", "integer >= 0", "no other kernel is alike",
       "the number of its class. Kernels are alike if their ops, their "
       "bodies, shapes, layouts and configurations are equal, and the same "
       "operands of each share an array",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.in.report.areKernels && of.cost.facts.alikeCount > 1)
           to.integer(of.cost.facts.alike);
       },
       Column{45}},
      {"reason", "string",
       "it is not a copy and has no `atomics`; the module does not say",
       "why a copy is there: `change of layout`, `copy of a parameter that is "
       "not donated` (by `input_output_alias` or `buffer_donor`) or `copy of "
       "an operand of a loop`; or `atomic updates of a scatter`",
       [](const KernelEntry &of, KeyValue &to) {
         if (!of.in.report.areKernels) return;
         const KernelFacts &facts = of.cost.facts;
         if (facts.atomics > 0 && facts.why.cause == CopyCause::None)
           to.text("atomic updates of a scatter");
         else
           to.textIfAny(wordsOf(facts.why.cause));
       }},
      {"atomics", "integer >= 1",
       "it has none; every scatter has `unique_indices`, or only writes",
       "elements that scatters of one launch combine with existing values: "
       "updates of one index wait for each other. Predicted times do not "
       "include this",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.cost.facts.atomics > 0) to.integer(of.cost.facts.atomics);
       }},
      {"predicted_us", "number",
       "what runs the kernel is not known, or what a library computes; the "
       "module is not scheduled",
       "the microseconds that one launch takes, by "
       "[a model](report.md#predicted-times)",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto *time = timeOf(of)) to.number(time->total(), 6);
       },
       Column{7}},
      {"share", "number", "with no `predicted_us`; `coalescing`",
       "the part of the module's predicted time that all trips of the kernel "
       "take; 0.25 is a quarter",
       [](const KernelEntry &of, KeyValue &to) {
         if (timeOf(of) && of.cost.share) to.number(*of.cost.share, 6);
       },
       Column{8}},
      {"share_of_all", "number", "with no `predicted_us`; `coalescing`",
       "the part of the predicted time of all kernels of the report that all "
       "trips of the kernel take",
       [](const KernelEntry &of, KeyValue &to) {
         const double whole = of.in.report.rows.predicted;
         if (timeOf(of) && of.cost.share && whole > 0)
           to.number(of.cost.allTrips() / whole, 6);
       },
       Column{68}},
      {"limited_by", "string", "with no `predicted_us`",
       "what takes longest: `memory`, `cache`, `cores`, `blocks`, `waits` or "
       "`operations`",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto *time = timeOf(of)) to.text(nameOf(time->limit));
       },
       Column{9}},
      {"predicted_least", "`true`", "with no `predicted_us`; it does not hold",
       "`predicted_us` is a lower bound: for some of its bytes only bounds "
       "are known, and the lower ones count; or lanes add to one element in "
       "turns, which is not modelled; or the launch is not known",
       [](const KernelEntry &of, KeyValue &to) {
         to.ifTrue(timeOf(of) && isTimeAtLeast(of.cost));
       },
       Column{46}},
      {"program_id", "integer", "without a profile; the module has none",
       "of the module that ran",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto *module = profiledModuleOf(of))
           to.integer(module->program);
       },
       Column{48}},
      {"module_name", "string", "without a profile", "its name",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto *module = profiledModuleOf(of)) to.text(module->name);
       },
       Column{49}},
      {"launches", "integer >= 1", "it never ran; without a profile",
       "how often the profile has it: the least count of its `device_kernels`",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) to.integer(of.measured->op->launches);
       },
       Column{50}},
      {"measured_us", "number",
       "it never ran; without a profile; the profiler added launches up",
       "the microseconds of one launch: the sum, over its `device_kernels`, "
       "of the median multiplied by the number of its runs in a launch",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) microseconds(of.measured->op->median, to);
       },
       Column{51}},
      {"measured_min_us", "number", "with no `measured_us`",
       "the microseconds of one launch: the sum, over its `device_kernels`, "
       "of the least multiplied by the number of its runs in a launch",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) microseconds(of.measured->op->least, to);
       },
       Column{52}},
      {"measured_max_us", "number", "with no `measured_us`",
       "the microseconds of one launch: the sum, over its `device_kernels`, "
       "of the most multiplied by the number of its runs in a launch",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) microseconds(of.measured->op->most, to);
       },
       Column{53}},
      {"measured_total_us", "number", "with no `launches`",
       "the microseconds of all its launches, exactly",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) to.number(exactMicroseconds(of.measured->op->total));
       },
       Column{54}},
      {"measured_share", "number", "with no `launches`",
       "the part of the time of all kernels, those without an instruction too",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured && of.in.report.profile->total() > 0)
           to.number(static_cast<double>(of.measured->op->total) /
                         static_cast<double>(of.in.report.profile->total()),
                     6);
       },
       Column{55}},
      {"launch_match", "`\"same\"` or `\"differs\"`",
       "one side is not known; several kernels ran",
       "whether it was launched as `grid` and `block` say",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured) to.textIfAny(launchMatch(of.cost, *of.measured->op));
       },
       Column{56}},
      {"needed_bytes", "integer >= 0",
       "in a profile, with no `launches`; the module is not scheduled",
       "the bytes of its arrays, as far as they are touched, each once",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured)
           to.integer(of.measured->neededBytes);
         else if (isIdealPredicted(of))
           to.integer(of.cost.facts.neededBytes);
       },
       Column{57}},
      {"operations", "number",
       "it has none; in a profile, with no `launches`; the module is not "
       "scheduled",
       "the multiplications and additions of its products, of one launch",
       [](const KernelEntry &of, KeyValue &to) {
         const double count = of.cost.facts.operations.count;
         if (count > 0 && (of.measured || isIdealPredicted(of)))
           to.number(count, 0);
       }},
      {"peak_operations_per_s", "number", "with no `operations`",
       "the device's peak rate for these operations at this width of elements",
       [](const KernelEntry &of, KeyValue &to) {
         const Operations &operations = of.cost.facts.operations;
         if (operations.count > 0 && (of.measured || isIdealPredicted(of)))
           to.number(peakOperations(*of.cost.device, operations.bits), 0);
       }},
      {"ideal_us", "number",
       "in a profile, with no `launches`; the module is not scheduled",
       "the microseconds of one launch that moves `needed_bytes` at the "
       "device's peak bandwidth, or does its products at the peak rate, "
       "whichever is more",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured)
           to.number(of.measured->ideal, 6);
         else if (isIdealPredicted(of))
           to.number(of.cost.facts.ideal, 6);
       },
       Column{58}},
      {"lost_us", "number",
       "in a profile, with no `launches`; the module is not scheduled; with no "
       "time",
       "`measured_total_us` - `launches` * `ideal_us`, below zero if caches "
       "held the arrays; without a profile (`predicted_us` - `ideal_us`) * "
       "`trips`",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured)
           to.number(of.measured->lost, 6);
         else if (isIdealPredicted(of) && of.cost.time())
           to.number(of.cost.lost(), 6);
       },
       Column{59}},
      {"avoidable_us", "number", "with no `lost_us`; `coalescing`",
       "the microseconds of all trips, or launches, that a change can save: "
       "all of a kernel that only moves data and need not; otherwise the "
       "larger of its time beyond a launch that moves each array once, and "
       "the time of an array through memory to the only kernel that reads it",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto avoided = avoidedOf(of))
           to.number(avoided->microseconds, 6);
       },
       Column{63}},
      {"avoid_by", "string", "with no `avoidable_us`; it is 0",
       "the change: `view`, `donate`, `layout`, `type`, `join`, `loop`, "
       "`fill`, `fuse`, `readers` or `gather` of a kernel that only moves "
       "data, `fuse`, `sectors`, `again`, `scan`, `split`, `cores`, `blocks`, "
       "`waits`, `library` or `measured` of others ([what to "
       "change](report.md#what-to-change))",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto avoided = avoidedOf(of))
           to.textIfAny(nameOf(avoided->by));
       },
       Column{64}},
      {"avoid_with", "string", "the change is about this kernel alone",
       "the kernel or the parameter that `avoid_by` is about",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto avoided = avoidedOf(of))
           if (avoided->by != AvoidBy::Nothing)
             to.textIfAny(of.cost.facts.avoidable.partnerOf(avoided->by));
       },
       Column{65}},
      {"avoid_order", "list of [orders](#an-order)", "no order is needed",
       "the instructions run in these orders, too",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto avoided = avoidedOf(of);
             avoided && avoided->by == AvoidBy::Donate &&
             !of.cost.facts.avoidable.orders.empty())
           to.objects(of.cost.facts.avoidable.orders);
       }},
      {"advice", "string", "with no `avoid_by`", "the change, in words",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto avoided = avoidedOf(of))
           to.textIfAny(adviceOf(of.cost.facts.avoidable, *avoided));
       }},
      {"why", "string", "with no `avoidable_us`; with `advice`",
       "the reason for its time, in words; nothing is known to be avoidable",
       [](const KernelEntry &of, KeyValue &to) {
         const auto avoided = avoidedOf(of);
         if (avoided && avoided->by == AvoidBy::Nothing)
           to.text(whyNothing(of.cost));
       }},
      {"achieved_bytes_per_s", "number", "with no `measured_us`; it is 0",
       "`needed_bytes` divided by `measured_us`",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto median = medianOf(of))
           to.number(
               static_cast<double>(of.measured->neededBytes) / *median * 1e6,
               0);
       },
       Column{60}},
      {"predicted_ratio", "number",
       "with no `measured_us`; with no `predicted_us`",
       "`predicted_us` divided by `measured_us`",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto median = medianOf(of); median && of.cost.time())
           to.number(of.cost.time()->total() / *median, 6);
       },
       Column{61}},
      {"trips_measured", "number",
       "with no `launches`; the executions are not known",
       "launches of one run of its module, beside `trips`",
       [](const KernelEntry &of, KeyValue &to) {
         if (const int64_t runs = runsOf(of); runs > 0)
           to.number(static_cast<double>(of.measured->op->launchesOfAll) /
                         static_cast<double>(runs),
                     6);
       },
       Column{62}},
      {"device_kernels", "list of [kernels that ran](#a-kernel-that-ran)",
       "with no `launches`", "what ran for it, the largest total first",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.measured)
           to.list(of.measured->op->kernels,
                   [&](const DeviceKernel &kernel, KeyValue &each) {
                     each.object(DeviceKernelEntry{kernel, *of.cost.device});
                   });
       }},
      {kKeysOf, "[sums of bytes](#sums-of-bytes) or null", "",
       "of the kernel, over all its trips; `null`: a size is not known",
       [](const KernelEntry &of, KeyValue &to) {
         to.keys(SumsEntry{of.row.sums, areBytesKnown(of.row)});
       }},
      {"was", "[earlier kernel](#an-earlier-kernel)",
       "without `--baseline`; the kernel is new",
       "what the kernel was in the earlier report",
       [](const KernelEntry &of, KeyValue &to) {
         if (const OldKernel *old = earlierOf(of))
           to.object(EarlierEntry{*old});
       }},
      {"launch", "`\"linear\"`, `\"xla\"`, `\"own\"` or `\"compiled\"`",
       "never",
       "the model: that of `--launch`; if it is not given, `xla`, or `linear` "
       "for a module that is not scheduled; `own`: a thread map was given, or "
       "a kernel of Triton has threads of its own; `compiled`: the code of "
       "the kernel stands beside the module",
       [](const KernelEntry &of, KeyValue &to) {
         to.text(nameOf(of.kernel().model));
       },
       Column{10}},
      {"emitter", "string", "`launch` is `linear`, or a thread map was given; the model of a "
       "compiled kernel knows none",
       "XLA's: `loop`, `concatenate`, `dynamic_update_slice`, `transpose`, "
       "`packed_transpose`, `row_reduction`, `multi_row_reduction`, "
       "`column_reduction`, `small_column_reduction`, `scatter`, "
       "`scatter_by_indices`, `sort`, `memcpy`, `triton`, `library` or "
       "`unknown`",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.kernel().emitter) to.text(nameOf(*of.kernel().emitter));
       },
       Column{11}},
      {"grid", "list of integers", "the launch is not known",
       "the blocks along x, y and z",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.kernel().grid) to.integers(of.kernel().grid->blocks);
       }},
      {"block", "list of integers", "with no `grid`",
       "the threads of a block along x, y and z",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.kernel().grid) to.integers(of.kernel().grid->threads);
       }},
      {"modelled", "[a modelled launch](#a-modelled-launch)",
       "`launch` is not `compiled`; the model knows no launch, or agrees",
       "how the model of XLA's emitters differs from the code",
       [](const KernelEntry &of, KeyValue &to) {
         if (const auto &modelled = of.cost.measurement->modelled)
           to.object(ModelledEntry{of.in, of.cost, *modelled});
       }},
      {"shared", "list of [shared tiles](#a-shared-tile)",
       "the launch has none", "the tiles in shared memory",
       [](const KernelEntry &of, KeyValue &to) {
         if (!of.kernel().shared.empty()) sharedTilesOf(of, to);
       }},
      {"thread_map", "string",
       "`report` without `--maps`, but for CSV and pages; the kernel shows bytes "
       "only; a size is not known; a program takes a tile at once",
       "the map from the ids of thread and block, and the loops of a thread, "
       "to the index that the first of the accesses' `map`s begin at: that of "
       "the result, or of what the emitter goes through",
       [](const KernelEntry &of, KeyValue &to) {
         if (of.in.showsMaps) threadMapOf(of, to);
       }},
      {"sharded_operands", "list of [operands](#an-operand-of-a-sharding)",
       "the kernel or all of its operands have no sharding; the module is "
       "partitioned",
       "whether devices hold what the kernel reads of these, so that a "
       "partitioner needs no communication for it",
       [](const KernelEntry &of, KeyValue &to) {
         const auto operands = of.in.report.communication.operands(
             of.cost.module, of.cost.computation, of.cost.instruction);
         if (operands.empty()) return;
         to.list(operands, [](const OperandReads &operand, KeyValue &each) {
           each.object(operand);
         });
       }},
      {"reads", "list of [reads](#a-read)", "never",
       "an operand that is never read has no entry",
       [](const KernelEntry &of, KeyValue &to) {
         to.list(of.row.reads, [&](const Traffic *read, KeyValue &each) {
           each.object(ReadEntry{{of.in, {&of.cost, read, true}}});
         });
       }},
      {"writes", "list of [writes](#a-write)", "never", "",
       [](const KernelEntry &of, KeyValue &to) {
         to.list(of.row.writes, [&](const Traffic *write, KeyValue &each) {
           each.object(WriteEntry{{of.in, {&of.cost, write, false}}});
         });
       }},
  };
  return {"A kernel", kKeys};
}

template <>
KeyList<SharedTileEntry> keysOf<SharedTileEntry>() {
  static constexpr Key<SharedTileEntry> kKeys[] = {
      {"shape", "list of integers", "never",
       "its sizes, the last one innermost",
       [](const SharedTileEntry &of, KeyValue &to) {
         to.integers(of.tile.shape.dimensions);
       }},
      {"bytes", "integer >= 0", "never", "of one block",
       [](const SharedTileEntry &of, KeyValue &to) {
         to.integer(bytesOf(of.tile.shape));
       }},
      {"conflicts", "integer >= 0", "it was not found",
       "the most lanes of a warp instruction that read different words of one "
       "bank; 1 is best",
       [](const SharedTileEntry &of, KeyValue &to) {
         to.integer(of.conflicts);
       }},
      {"write_map", "string", "never",
       "the map from the ids of thread and block, and the loops of a thread, "
       "to the element that is written: its number in the tile, row after row",
       [](const SharedTileEntry &of, KeyValue &to) {
         to.text(of.tile.written.strOneLine());
       }},
      {"read_map", "string", "never",
       "the map from the ids of thread and block, and the loops of a thread, "
       "to the element that is read: its number in the tile, row after row",
       [](const SharedTileEntry &of, KeyValue &to) {
         to.text(of.tile.read.strOneLine());
       }},
  };
  return {"A shared tile", kKeys};
}

}  // namespace indexical
