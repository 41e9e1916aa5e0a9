#include "indexical/answers/report/keys.h"

namespace indexical {

namespace {

//===-- What several keys ask ---------------------------------------------===//

llvm::SmallVector<StackFrame, 8> framesOf(const Metadata &metadata,
                                          const Module &module) {
  return module.frames.stackFrom(metadata.frame);
}

bool isPermute(const Collective &of) {
  return !of.isLowered && of.op == "collective-permute";
}

/// Of a collective that the compiler lowers, it chooses the groups later.
bool hasKnownGroups(const Collective &of) {
  return !of.isLowered && of.op != "collective-permute";
}

void range(const Interval &range, KeyValue &to) {
  to.integers({range.lower, range.upper});
}

LinkTimes timesOf(const CollectiveEntry &of) {
  const auto &topology = of.all.choice().topology;
  return topology ? linkTimesOf(of.collective, *topology, of.devices())
                  : LinkTimes();
}

/// Returns the name of a collective of the reshard.
llvm::StringRef nameOf(const ReshardEntry &of, size_t collective) {
  const Collective &each = of.row.of->collectives[collective];
  return of.row.of->module->computations[each.computation]
      .instructions[each.instruction]
      .name;
}

}  // namespace

//===-- The keys ----------------------------------------------------------===//

template <>
KeyList<CollectiveEntry> keysOf<CollectiveEntry>() {
  static constexpr Key<CollectiveEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "its number in the file",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.integer(of.of.number);
       }},
      {"computation", "string", "never", "",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.text(of.computation().name);
       }},
      {"instruction", "string", "never",
       "the collective; of one that is started and finished, the start",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.text(of.instruction().name);
       }},
      {"line", "integer >= 1", "the input has no places", "",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (of.instruction().place.known())
           to.integer(of.instruction().place.line);
       }},
      {"op", "string", "never",
       "`all-gather`, `all-reduce`, `reduce-scatter`, `all-to-all`, "
       "`ragged-all-to-all`, `collective-permute` or `collective-broadcast`; "
       "of Shardy also `reshard`",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.text(of.collective.op);
       }},
      {"devices", "integer >= 1", "never",
       "replicas times partitions; of an op of Shardy, those of its mesh",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.integer(of.devices());
       }},
      {"groups", "list of lists of integers",
       "it is a permute, or a reshard of Shardy",
       "the devices of each group, in the order of their parts",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (hasKnownGroups(of.collective))
           to.list(of.collective.groups, [](const auto &group, KeyValue &each) {
             each.integers(group);
           });
       }},
      {"group_size", "integer >= 0", "it is a permute, or a reshard of Shardy",
       "the most members that a group has",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (hasKnownGroups(of.collective))
           to.integer(of.collective.groupSize());
       }},
      {"pairs", "list of lists of integers",
       "it is not a permute, or one of Shardy",
       "the source and the target of each pair, as devices",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (isPermute(of.collective))
           to.list(of.collective.pairs, [](const auto &pair, KeyValue &each) {
             each.integers({pair.first, pair.second});
           });
       }},
      {"trips", "integer >= 0", "never", "how often it runs",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.integer(of.collective.trips);
       }},
      {"trips_known", "`false`", "the trips of all loops around it are known",
       "loops of unknown trips count once",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.ifFalse(of.collective.tripsKnown);
       }},
      {"bytes", "integer >= 0", "never", "of the operands on one device",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.integer(of.collective.bytes());
       }},
      {"receives_bytes", "list of two integers", "never",
       "the least and the most that a device receives, rounded outwards",
       [](const CollectiveEntry &of, KeyValue &to) {
         range(receivedRange(of.collective, of.devices()), to);
       }},
      {"sends_bytes", "list of two integers", "never",
       "the least and the most that a device sends, rounded outwards",
       [](const CollectiveEntry &of, KeyValue &to) {
         range(sentRange(of.collective, of.devices()), to);
       }},
      {"all_bytes", "integer >= 0",
       "values decide it (`ragged-all-to-all`), or the compiler (a permute or "
       "a reshard of Shardy), or it leaves 64 bits",
       "what all devices receive",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.integer(of.collective.all(of.collective.bytes()));
       }},
      {"within_us", "number >= 0",
       "no `--topology`; nothing goes between devices of a host",
       "microseconds on the links within hosts",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (const auto time = timesOf(of).within) to.number(*time, 6);
       }},
      {"between_us", "number >= 0",
       "no `--topology`, or none with `between`; nothing goes between hosts",
       "microseconds on the links between hosts",
       [](const CollectiveEntry &of, KeyValue &to) {
         if (const auto time = timesOf(of).between) to.number(*time, 6);
       }},
      {"op_name", "string", "the input says none", "",
       [](const CollectiveEntry &of, KeyValue &to) {
         to.textIfAny(of.instruction().metadata.opName);
       }},
      {"source", "string", "the input says none", "the innermost frame",
       [](const CollectiveEntry &of, KeyValue &to) {
         sourceOf(framesOf(of.instruction().metadata, *of.of.module), to);
       }},
      {"stack", "list of strings", "the input says none",
       "all frames, the innermost first",
       [](const CollectiveEntry &of, KeyValue &to) {
         stackOf(framesOf(of.instruction().metadata, *of.of.module), to);
       }},
  };
  return {"A collective", kKeys};
}

template <>
KeyList<ReshardEntry> keysOf<ReshardEntry>() {
  static constexpr Key<ReshardEntry> kKeys[] = {
      {"module", "integer >= 0", "never", "",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(of.row.of->number);
       }},
      {"computation", "string", "never", "",
       [](const ReshardEntry &of, KeyValue &to) {
         to.text(of.computation().name);
       }},
      {"instruction", "string", "never",
       "the computed value, or a parameter, that is moved; of several, the "
       "collective",
       [](const ReshardEntry &of, KeyValue &to) {
         to.text(of.computation().instructions[of.reshard().instruction].name);
       }},
      {"result", "integer >= 0", "never", "which of its arrays",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(int64_t{of.reshard().result});
       }},
      {"collectives", "list of strings", "never",
       "the collectives on the way to its readers",
       [](const ReshardEntry &of, KeyValue &to) {
         to.list(of.reshard().collectives,
                 [&](size_t k, KeyValue &each) { each.text(nameOf(of, k)); });
       }},
      {"trips", "integer >= 0", "never", "",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(of.reshard().trips);
       }},
      {"trips_known", "`false`", "the trips of all loops around it are known",
       "",
       [](const ReshardEntry &of, KeyValue &to) {
         to.ifFalse(of.reshard().tripsKnown);
       }},
      {"receives_bytes", "list of two integers", "never",
       "the least and the most over devices",
       [](const ReshardEntry &of, KeyValue &to) {
         range(of.reshard().receives, to);
       }},
      {"sends_bytes", "list of two integers", "never",
       "the least and the most that a device sends, over devices",
       [](const ReshardEntry &of, KeyValue &to) {
         range(of.reshard().sends, to);
       }},
      {"all_bytes", "integer >= 0",
       "values or the compiler decide it, or it leaves 64 bits",
       "what all devices receive",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(of.reshard().all);
       }},
      {"needed_bytes", "list of two integers", "never",
       "the bytes of elements that readers on a device use and the device "
       "does not hold: the least and the most over devices",
       [](const ReshardEntry &of, KeyValue &to) {
         range(of.reshard().needed, to);
       }},
      {"needed_all_bytes", "integer >= 0", "never",
       "the least that all devices must receive",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(of.reshard().neededAll);
       }},
      {"needed_exact", "boolean", "never",
       "`false`: `needed_bytes` and `needed_all_bytes` are upper bounds of the "
       "least",
       [](const ReshardEntry &of, KeyValue &to) {
         to.boolean(of.reshard().isExact);
       }},
      {"reason", "string", "its elements were followed to their readers",
       "why all that is received counts as needed",
       [](const ReshardEntry &of, KeyValue &to) {
         if (!of.reshard().isFollowed)
           to.text("its elements are not followed to their readers");
       }},
      {"ratio", "number >= 0", "nothing is needed; there is no `all_bytes`",
       "`all_bytes` / `needed_all_bytes`",
       [](const ReshardEntry &of, KeyValue &to) {
         if (of.reshard().all && of.reshard().neededAll > 0)
           to.number(static_cast<double>(*of.reshard().all) /
                         static_cast<double>(of.reshard().neededAll),
                     6);
       }},
      {"saved_bytes", "integer >= 0", "never",
       "`all_bytes` - `needed_all_bytes`, of all trips: what could be saved",
       [](const ReshardEntry &of, KeyValue &to) {
         to.integer(of.reshard().saved());
       }},
      {"plan", "[first plan](#a-first-plan)",
       "the input does not state both shardings; no plan is proved; there are "
       "more than 256 devices; 16 other reshards are planned",
       "the collectives that would bring it there, as `reshard` plans them",
       [](const ReshardEntry &of, KeyValue &to) {
         if (of.row.plan())
           to.object(FirstPlanEntry{*of.row.plan(), of.row.savedByPlan(),
                                    std::nullopt, ""});
       }},
      {"op_name", "string", "the input says none", "of its first collective",
       [](const ReshardEntry &of, KeyValue &to) {
         to.textIfAny(of.row.instruction().metadata.opName);
       }},
      {"source", "string", "the input says none",
       "the source file and line of its first collective: the innermost frame",
       [](const ReshardEntry &of, KeyValue &to) {
         sourceOf(framesOf(of.row.instruction().metadata, *of.row.of->module),
                  to);
       }},
      {"stack", "list of strings", "the input says none",
       "all frames of its first collective, the innermost first",
       [](const ReshardEntry &of, KeyValue &to) {
         stackOf(framesOf(of.row.instruction().metadata, *of.row.of->module),
                 to);
       }},
  };
  return {"A reshard", kKeys};
}

template <>
KeyList<OperandReads> keysOf<OperandReads>() {
  static constexpr Key<OperandReads> kKeys[] = {
      {"operand", "integer >= 0", "never",
       "its number among the arrays of all operands",
       [](const OperandReads &of, KeyValue &to) { to.integer(of.number); }},
      {"instruction", "string", "never", "the instruction that computes it",
       [](const OperandReads &of, KeyValue &to) { to.text(of.name); }},
      {"local", "`\"yes\"`, `\"no\"` or `\"undecided\"`", "never",
       "whether each device reads only elements that it holds: then the op "
       "needs no communication for this operand",
       [](const OperandReads &of, KeyValue &to) {
         to.text(answerName(of.reads.areLocal));
       }},
      {"dimensions", "list of integers", "it is not `no`",
       "the dimensions of the operand along which a device reads beyond its "
       "tile",
       [](const OperandReads &of, KeyValue &to) {
         if (!of.reads.dimensions.empty()) to.integers(of.reads.dimensions);
       }},
      {"reason", "string", "it is decided", "why it is not",
       [](const OperandReads &of, KeyValue &to) {
         to.textIfAny(of.reads.reason);
       }},
  };
  return {"An operand of a sharding", kKeys};
}

template <>
KeyList<ReshardGroupEntry> keysOf<ReshardGroupEntry>() {
  static constexpr Key<ReshardGroupEntry> kKeys[] = {
      {"by", "`\"op_name\"`, `\"source\"` or `\"opcode\"`", "never", "",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.text(of.all.groupedBy());
       }},
      {"name", "string", "never", "of their first collectives; may be empty",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.text(of.group.name);
       }},
      {"reshards", "integer >= 1", "never", "",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.integer(of.group.reshards);
       }},
      {"received_bytes", "integer >= 0", "never",
       "what all devices receive, in all trips of reshards with `all_bytes`",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.integer(of.group.received);
       }},
      {"needed_bytes", "integer >= 0", "never",
       "what all devices must receive at least, or more where it is not exact, "
       "in all trips of reshards with `all_bytes`",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.integer(of.group.needed);
       }},
      {"saved_bytes", "integer >= 0", "never",
       "what could be saved, in all trips of reshards with `all_bytes`",
       [](const ReshardGroupEntry &of, KeyValue &to) {
         to.integer(of.group.saved);
       }},
  };
  return {"A group of reshards", kKeys};
}

}  // namespace indexical
