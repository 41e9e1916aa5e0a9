#include "indexical/tools/communication_report.h"

#include <algorithm>
#include <map>
#include <utility>

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/JSON.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/tools/format.h"
#include "indexical/tools/launch_report.h"
#include "indexical/tools/report.h"
#include "indexical/tools/terminal.h"

namespace indexical {
namespace {

namespace json = llvm::json;
using llvm::StringRef;

/// People see so many reshards, unless they ask for more.
constexpr size_t kTopInText = 10;

int64_t times(int64_t a, int64_t b) {
  return checkedMul(a, b).value_or(INT64_MAX);
}

std::string counted(size_t count, StringRef what) {
  return std::to_string(count) + " " + what.str() + (count == 1 ? "" : "s");
}

void writeRange(json::OStream &json, StringRef key, Interval range) {
  json.attributeArray(key, [&] {
    json.value(range.lower);
    json.value(range.upper);
  });
}

void writeTrips(json::OStream &json, int64_t trips, bool isKnown) {
  json.attribute("trips", trips);
  if (!isKnown) json.attribute("trips_known", false);
}

void writeOrigin(const Module &module, const Metadata &metadata,
                 json::OStream &json) {
  if (!metadata.opName.empty())
    json.attribute("op_name", jsonString(metadata.opName));
  const auto stack = module.frames.stackFrom(metadata.frame);
  if (stack.empty()) return;
  json.attribute("source", jsonString(stack.front().place()));
  json.attributeArray("stack", [&] {
    for (const StackFrame &frame : stack) json.value(jsonString(frame.str()));
  });
}

std::string ratioText(const Reshard &of) {
  if (!of.all || of.neededAll == 0) return "-";
  std::string text;
  llvm::raw_string_ostream(text) << llvm::format(
      "%.2f", static_cast<double>(*of.all) / static_cast<double>(of.neededAll));
  return text;
}

}  // namespace

Communication Communication::of(const Program &program, Choice choice,
                                Reporter &reporter) {
  Communication communication;
  communication.choice_ = std::move(choice);
  for (auto [number, module] : llvm::enumerate(program.modules)) {
    OfModule of;
    of.number = number;
    of.module = &module;
    of.devices =
        deviceCountsOf(program, module, communication.choice_.partitions,
                       communication.choice_.replicas);
    auto collectives = collectivesOf(program, module, of.devices);
    if (!collectives.ok()) {
      reporter.warning(placeOf(collectives.status()).value_or(Place{1, 1}),
                       "what goes between devices is not reported: " +
                           std::string(collectives.status().message()));
      continue;
    }
    if (collectives->empty()) continue;
    of.collectives = *std::move(collectives);
    of.reshards = reshardsOf(program, module, of.devices, of.collectives);
    for (const Collective &each : of.collectives)
      communication.receivedBy_[{number, each.computation, each.instruction}] =
          static_cast<double>(receivedRange(each, of.devices.all()).upper) *
          static_cast<double>(each.trips);
    communication.modules_.push_back(std::move(of));
  }
  communication.select(nullptr);
  return communication;
}

void Communication::select(const IsShown &isShown) {
  rows_.clear();
  collectives_ = received_ = needed_ = 0;
  for (OfModule &of : modules_) {
    mostDevices_ = std::max(mostDevices_, of.devices.all());
    of.isShown.clear();
    for (const Collective &each : of.collectives) {
      of.isShown.push_back(!isShown || isShown(of.number, each));
      collectives_ += of.isShown.back();
    }
    for (const Reshard &reshard : of.reshards) {
      if (!llvm::any_of(reshard.collectives,
                        [&](size_t k) { return of.isShown[k]; }))
        continue;
      rows_.push_back({&of, &reshard});
      // Needed bytes are compared with moved bytes, if those are known.
      if (!reshard.all) continue;
      received_ = sumOf(received_, times(*reshard.all, reshard.trips));
      needed_ = sumOf(needed_, times(reshard.neededAll, reshard.trips));
    }
  }
  auto weight = [&](const Row &row) {
    const Reshard &of = *row.reshard;
    if (choice_.byReceived)
      return std::pair(times(of.receives.upper, of.trips), int64_t(0));
    return std::pair(of.saved(), times(of.all.value_or(0), of.trips));
  };
  llvm::stable_sort(
      rows_, [&](const Row &a, const Row &b) { return weight(a) > weight(b); });
}

double Communication::received(size_t module, ComputationId computation,
                               InstructionId instruction) const {
  auto found = receivedBy_.find({module, computation, instruction});
  return found == receivedBy_.end() ? 0 : found->second;
}

const Instruction &Communication::first(const Row &row) const {
  const Collective &of = row.of->collectives[row.reshard->collectives.front()];
  return row.of->module->computations[of.computation]
      .instructions[of.instruction];
}

std::string Communication::keyOf(const Row &row) const {
  const Instruction &of = first(row);
  if (choice_.group == "op_name") return of.metadata.opName.str();
  if (choice_.group == "opcode")
    return row.of->collectives[row.reshard->collectives.front()].op.str();
  const auto stack = row.of->module->frames.stackFrom(of.metadata.frame);
  return stack.empty() ? "" : ownFrame(stack).place();
}

std::vector<Communication::Group> Communication::groups() const {
  std::vector<Group> all;
  std::map<std::string, size_t> numbers;
  for (const Row &row : rows_) {
    std::string key = keyOf(row);
    auto [known, isNew] = numbers.try_emplace(key, all.size());
    if (isNew) all.emplace_back().name = std::move(key);
    Group &group = all[known->second];
    const Reshard &of = *row.reshard;
    ++group.reshards;
    if (!of.all) continue;
    group.received = sumOf(group.received, times(*of.all, of.trips));
    group.needed = sumOf(group.needed, times(of.neededAll, of.trips));
    group.saved = sumOf(group.saved, of.saved());
  }
  llvm::stable_sort(all, [&](const Group &a, const Group &b) {
    return choice_.byReceived ? a.received > b.received : a.saved > b.saved;
  });
  return all;
}

LinkTimes Communication::timesOf(const Row &row) const {
  LinkTimes sum;
  for (size_t k : row.reshard->collectives) {
    const LinkTimes each = linkTimesOf(
        row.of->collectives[k], *choice_.topology, row.of->devices.all());
    if (each.within) sum.within = sum.within.value_or(0) + *each.within;
    if (each.between) sum.between = sum.between.value_or(0) + *each.between;
  }
  return sum;
}

//===-- Text --------------------------------------------------------------===//

void Communication::text(llvm::raw_ostream &os, bool showsStacks) const {
  if (isEmpty() || rows_.empty()) return;
  os << '\n';
  writeSentence(counted(mostDevices_, "device") + " " +
                    (mostDevices_ == 1 ? "receives " : "receive ") +
                    bytesText(received_) + " in " +
                    counted(collectives_, "collective") +
                    "; what readers use of that needs " + bytesText(needed_),
                columnsOf(os), os);
  os << '\n';
  if (!choice_.group.empty()) return writeGroups(os);
  const bool colours = wantsColours(os);
  writeToned("   #     saved     moves     needs ratio  reshard", Tone::Strong,
             colours, os);
  os << '\n';
  const size_t shown = std::min(rows_.size(), choice_.top.value_or(kTopInText));
  for (size_t k = 0; k < shown; ++k) writeRow(rows_[k], k + 1, showsStacks, os);
  if (rows_.size() > shown)
    os << "      and " << counted(rows_.size() - shown, "more reshard")
       << " (--top=N shows N)\n";
}

void Communication::writeRow(const Row &row, size_t number, bool showsStacks,
                             llvm::raw_ostream &os) const {
  const Reshard &of = *row.reshard;
  const Module &module = *row.of->module;
  os << rightAligned(std::to_string(number), 4)
     << rightAligned(bytesText(of.saved()), 10)
     << rightAligned(
            of.all ? bytesText(times(*of.all, of.trips)) : std::string("-"), 10)
     << rightAligned(bytesText(times(of.neededAll, of.trips)), 10)
     << rightAligned(ratioText(of), 6);
  TextFlow flow(os, columnsOf(os), /*indent=*/6, /*begin=*/40);
  const Instruction &value =
      module.computations[of.computation].instructions[of.instruction];
  const ShapeList shapes = value.shape.leaves();
  flow.name(value.name, Tone::Strong);
  if (of.result < static_cast<int64_t>(shapes.size()))
    flow.name(shapes[of.result].str());
  for (size_t k : of.collectives) {
    const Collective &each = row.of->collectives[k];
    flow.name(each.op.str() + " " +
              module.computations[each.computation]
                  .instructions[each.instruction]
                  .name.str());
  }
  if (of.trips != 1 || !of.tripsKnown)
    flow.sentence(counted(of.trips, "trip") +
                  (of.tripsKnown ? "" : ", trips not known"));
  if (!of.isFollowed)
    flow.sentence("not followed to its readers");
  else if (!of.isExact)
    flow.sentence("needs at most that");
  if (choice_.topology) {
    const LinkTimes time = timesOf(row);
    if (time.within) flow.sentence("within a host " + timeOf(*time.within));
    if (time.between) flow.sentence("between hosts " + timeOf(*time.between));
  }
  const Metadata &metadata = first(row).metadata;
  flow.name(metadata.opName);
  const auto stack = module.frames.stackFrom(metadata.frame);
  if (!stack.empty() && !showsStacks) flow.name(ownFrame(stack).place());
  flow.endLine();
  if (!showsStacks) return;
  for (const StackFrame &frame : stack) {
    flow.name("  at " + frame.str());
    flow.endLine();
  }
}

void Communication::writeGroups(llvm::raw_ostream &os) const {
  const std::vector<Group> all = groups();
  writeToned("   #     saved     moves     needs reshards  ", Tone::Strong,
             wantsColours(os), os);
  os << choice_.group << '\n';
  const size_t shown = std::min(all.size(), choice_.top.value_or(kTopInText));
  for (size_t k = 0; k < shown; ++k) {
    const Group &group = all[k];
    os << rightAligned(std::to_string(k + 1), 4)
       << rightAligned(bytesText(group.saved), 10)
       << rightAligned(bytesText(group.received), 10)
       << rightAligned(bytesText(group.needed), 10)
       << rightAligned(std::to_string(group.reshards), 9);
    TextFlow flow(os, columnsOf(os), /*indent=*/6, /*begin=*/43);
    flow.name(group.name.empty() ? "(none)" : group.name, Tone::Strong);
    flow.endLine();
  }
  if (all.size() > shown)
    os << "      and " << counted(all.size() - shown, "more group")
       << " (--top=N shows N)\n";
}

//===-- Structure ---------------------------------------------------------===//

void Communication::writeCollective(const OfModule &of, const Collective &each,
                                    json::OStream &json) const {
  const Computation &computation = of.module->computations[each.computation];
  const Instruction &instruction = computation.instructions[each.instruction];
  const int64_t devices = each.devices > 0 ? each.devices : of.devices.all();
  json.attribute("module", static_cast<int64_t>(of.number));
  json.attribute("computation", jsonString(computation.name));
  json.attribute("instruction", jsonString(instruction.name));
  if (instruction.place.known()) json.attribute("line", instruction.place.line);
  json.attribute("op", each.op);
  json.attribute("devices", devices);
  if (each.isLowered) {
    // The compiler chooses its groups later.
  } else if (each.op == "collective-permute") {
    json.attributeArray("pairs", [&] {
      for (auto [source, target] : each.pairs)
        json.array([&, from = source, to = target] {
          json.value(from);
          json.value(to);
        });
    });
  } else {
    json.attributeArray("groups", [&] {
      for (const auto &group : each.groups)
        json.array([&] {
          for (int64_t member : group) json.value(member);
        });
    });
    json.attribute("group_size", each.groupSize());
  }
  writeTrips(json, each.trips, each.tripsKnown);
  json.attribute("bytes", each.bytes());
  writeRange(json, "receives_bytes", receivedRange(each, devices));
  writeRange(json, "sends_bytes", sentRange(each, devices));
  if (auto all = each.all(each.bytes())) json.attribute("all_bytes", *all);
  if (choice_.topology) {
    const LinkTimes time = linkTimesOf(each, *choice_.topology, devices);
    if (time.within) writeNumber(json, "within_us", *time.within, 6);
    if (time.between) writeNumber(json, "between_us", *time.between, 6);
  }
  writeOrigin(*of.module, instruction.metadata, json);
}

void Communication::writeReshard(const Row &row, json::OStream &json) const {
  const Reshard &of = *row.reshard;
  const Module &module = *row.of->module;
  const Computation &computation = module.computations[of.computation];
  json.attribute("module", static_cast<int64_t>(row.of->number));
  json.attribute("computation", jsonString(computation.name));
  json.attribute("instruction",
                 jsonString(computation.instructions[of.instruction].name));
  json.attribute("result", int64_t{of.result});
  json.attributeArray("collectives", [&] {
    for (size_t k : of.collectives) {
      const Collective &each = row.of->collectives[k];
      json.value(jsonString(module.computations[each.computation]
                                .instructions[each.instruction]
                                .name));
    }
  });
  writeTrips(json, of.trips, of.tripsKnown);
  writeRange(json, "receives_bytes", of.receives);
  writeRange(json, "sends_bytes", of.sends);
  if (of.all) json.attribute("all_bytes", *of.all);
  writeRange(json, "needed_bytes", of.needed);
  json.attribute("needed_all_bytes", of.neededAll);
  json.attribute("needed_exact", of.isExact);
  if (!of.isFollowed)
    json.attribute("reason", "its elements are not followed to their readers");
  if (of.all && of.neededAll > 0)
    writeNumber(
        json, "ratio",
        static_cast<double>(*of.all) / static_cast<double>(of.neededAll), 6);
  json.attribute("saved_bytes", of.saved());
  writeOrigin(module, first(row).metadata, json);
}

void Communication::structure(Structure &to) const {
  if (isEmpty()) return;
  to.beginList("collectives", ItemLayout::OneALine);
  for (const OfModule &of : modules_)
    for (auto [k, each] : llvm::enumerate(of.collectives)) {
      if (!of.isShown[k]) continue;
      auto members = [&, &each = each](json::OStream &json) {
        writeCollective(of, each, json);
      };
      to.item({"collective", members});
    }
  to.endList();
  const size_t shown =
      choice_.top ? std::min(rows_.size(), *choice_.top) : rows_.size();
  to.beginList("reshards", ItemLayout::OneALine);
  for (const Row &row : llvm::ArrayRef(rows_).take_front(shown)) {
    auto members = [&](json::OStream &json) { writeReshard(row, json); };
    to.item({"reshard", members});
  }
  to.endList();
  if (choice_.group.empty()) return;
  to.beginList("communication_groups", ItemLayout::OneALine);
  for (const Group &group : groups()) {
    auto members = [&](json::OStream &json) {
      json.attribute("by", choice_.group);
      json.attribute("name", jsonString(group.name));
      json.attribute("reshards", static_cast<int64_t>(group.reshards));
      json.attribute("received_bytes", group.received);
      json.attribute("needed_bytes", group.needed);
      json.attribute("saved_bytes", group.saved);
    };
    to.item({"communication_group", members});
  }
  to.endList();
}

void Communication::addTotals(
    std::vector<std::pair<StringRef, int64_t>> &sums) const {
  if (isEmpty()) return;
  sums.push_back({"collectives", collectives_});
  sums.push_back({"received_bytes", received_});
  sums.push_back({"needed_bytes", needed_});
}

}  // namespace indexical
