#include "indexical/program/sharding/groups.h"

#include <algorithm>
#include <numeric>
#include <string>

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/MathExtras.h"

#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/sharding/cursor.h"
#include "indexical/program/sharding/mesh.h"
#include "indexical/program/sharding/sharding_text.h"

namespace indexical {
namespace {

using llvm::StringRef;

absl::Status wrongGroups(const llvm::Twine &message) {
  return absl::InvalidArgumentError(("in replica groups: " + message).str());
}

// Reads `{{0,1},{2,3}}`, or `[[0, 1], [2, 3]]` of a literal.
bool readLists(Cursor &in, StringRef open, StringRef close,
               DeviceLists &groups) {
  if (!in.expect(open)) return false;
  if (in.consume(close)) return true;
  do {
    llvm::SmallVector<int64_t, 16> members;
    if (in.consume(open)) {
      if (!in.integers(close, members)) return false;
    } else {
      // This is the oldest form of one group.
      if (!in.integers(close, members)) return false;
      groups.emplace_back(members.begin(), members.end());
      return true;
    }
    auto &group = groups.emplace_back();
    for (int64_t member : members)
      if (member != -1 || open == "{") group.push_back(member);
    if (group.empty()) groups.pop_back();
  } while (in.consume(","));
  return in.expect(close);
}

// Reads `[2,4]<=[4,2]T(1,0)`.
bool readIota(Cursor &in, DeviceLists &groups) {
  llvm::SmallVector<int64_t, 4> grid, sizes, order;
  const size_t place = in.offset();
  int64_t count = 1, devices = 1;
  if (!in.expect("[") || !in.integers("]", grid) || !in.expect("<=") ||
      !in.expect("[") || !in.integers("]", sizes))
    return false;
  for (size_t k = 0; k < sizes.size(); ++k) order.push_back(k);
  if (in.consume("T")) {
    order.clear();
    if (!in.expect("(") || !in.integers(")", order)) return false;
  }
  for (int64_t size : grid)
    if (size < 1 || llvm::MulOverflow(count, size, count)) count = -1;
  for (int64_t size : sizes)
    if (size < 1 || llvm::MulOverflow(devices, size, devices)) devices = -1;
  llvm::SmallVector<bool, 4> seen(sizes.size(), false);
  for (int64_t k : order)
    if (k >= 0 && k < static_cast<int64_t>(sizes.size())) seen[k] = true;
  if (grid.size() != 2 || count < 1 || count != devices ||
      count > kMostDevices || order.size() != sizes.size() ||
      llvm::is_contained(seen, false))
    return in.failAt(place,
                     "`[groups,members]<=[sizes]T(order)` does not fit "
                     "together");
  for (auto [i, device] : llvm::enumerate(iotaOf(sizes, order))) {
    if (i % grid[1] == 0) groups.emplace_back();
    groups.back().push_back(device);
  }
  return true;
}

/// Returns the value of an attribute in an op's configuration. It is empty if
/// the op has no such attribute.
StringRef valueIn(StringRef configuration, StringRef key) {
  while (!configuration.empty()) {
    // A literal has no `;`, and neither has any form of groups.
    auto [item, rest] = configuration.split(';');
    item = item.trim();
    if (item.consume_front(key) && item.consume_front("=")) return item;
    configuration = rest;
  }
  return "";
}

bool hasChannel(StringRef configuration) {
  return configuration.split(';').first == "channel" ||
         configuration.contains(";channel;") ||
         configuration.ends_with(";channel");
}

ChannelGroups kindOfGroups(const OpDescriptor &op) {
  const StringRef name = op.opKind->name;
  return name == "all-reduce" || name == "all-gather" ||
                 name == "reduce-scatter"
             ? ChannelGroups::ReplicasAndPartitions
             : ChannelGroups::Partitions;
}

/// Whether the numbers of its groups are devices if it has a channel.
bool isOfDevices(StringRef configuration) {
  const StringRef global = valueIn(configuration, "use_global_device_ids");
  return global == "true" || global == "unit";
}

}  // namespace

absl::StatusOr<DeviceLists> listedNumbers(StringRef text) {
  DeviceLists groups;
  text = text.trim();
  if (text.starts_with("mesh")) {
    const size_t end = text.rfind('{');
    if (end == StringRef::npos)
      return wrongGroups("axes in braces are expected");
    return meshGroups(text.take_front(end).rtrim(), text.drop_front(end));
  }
  Cursor in(text);
  bool ok;
  if (in.consume("dense<")) {
    if (in.peek() == '[') {
      ok = readLists(in, "[", "]", groups);
    } else if (in.peek() == '>') {
      ok = true;
    } else {
      // A splat literal is one group of one device.
      int64_t only = 0;
      ok = in.integer(only);
      if (ok && only >= 0) groups.push_back({only});
    }
    ok = ok && in.expect(">");
  } else if (in.peek() == '{') {
    ok = readLists(in, "{", "}", groups);
  } else {
    ok = readIota(in, groups);
  }
  if (!ok) return in.status();
  return groups;
}

const OpDescriptor *collectiveOf(const Op &op) {
  if (const auto *start = op.as<StartOp>())
    return start->inner ? collectiveOf(start->inner) : nullptr;
  if (const auto *each = op.as<AllGatherOp>()) return each;
  if (const auto *each = op.as<AllReduceOp>()) return each;
  if (const auto *each = op.as<ReduceScatterOp>()) return each;
  if (const auto *each = op.as<AllToAllOp>()) return each;
  if (const auto *each = op.as<RaggedAllToAllOp>()) return each;
  if (const auto *each = op.as<CollectiveBroadcastOp>()) return each;
  if (const auto *each = op.as<CollectivePermuteOp>()) return each;
  return nullptr;
}

bool hasGroups(const Op &op) {
  const OpDescriptor *collective = collectiveOf(op);
  return collective &&
         StringRef(collective->opKind->name) != "collective-permute";
}

absl::StatusOr<DeviceLists> groupsOf(const GroupsSaid &said,
                                     const DeviceCounts &devices) {
  DeviceLists numbers;
  if (!said.numbers.empty()) {
    INDEXICAL_ASSIGN_OR_RETURN(numbers, listedNumbers(said.numbers));
  }
  const bool ofDevices = said.channel && said.globalIds;
  const bool ofPartitions =
      said.channel && !ofDevices && said.groups == ChannelGroups::Partitions;
  const int64_t count = ofDevices      ? devices.all()
                        : ofPartitions ? devices.partitions
                                       : devices.replicas;
  if (count > kMostDevices || devices.all() > kMostDevices)
    return wrongGroups("there are more than " + llvm::Twine(kMostDevices) +
                       " devices");
  if (numbers.empty()) {
    numbers.emplace_back(count);
    std::iota(numbers[0].begin(), numbers[0].end(), 0);
  }
  std::vector<bool> seen(count, false);
  for (const auto &group : numbers)
    for (int64_t member : group) {
      if (member < 0 || member >= count)
        return wrongGroups("there is no number " + llvm::Twine(member) +
                           " of " + llvm::Twine(count));
      if (seen[member])
        return wrongGroups(llvm::Twine(member) + " is in them twice");
      seen[member] = true;
    }
  if (ofDevices) return numbers;
  DeviceLists groups;
  const int64_t partitions = devices.partitions;
  for (const auto &group : numbers) {
    if (said.channel && !ofPartitions) {
      auto &members = groups.emplace_back();
      for (int64_t replica : group)
        for (int64_t partition = 0; partition < partitions; ++partition)
          members.push_back(replica * partitions + partition);
      continue;
    }
    const int64_t others = ofPartitions ? devices.replicas : partitions;
    for (int64_t other = 0; other < others; ++other) {
      auto &members = groups.emplace_back();
      for (int64_t member : group)
        members.push_back(ofPartitions ? other * partitions + member
                                       : member * partitions + other);
    }
  }
  return groups;
}

absl::StatusOr<DeviceLists> groupsOf(const Op &op,
                                     const DeviceCounts &devices) {
  const OpDescriptor *collective = collectiveOf(op);
  if (!collective) return wrongGroups("the op is not a collective");
  const StringRef configuration = collective->configuration;
  GroupsSaid said;
  said.numbers = valueIn(configuration, "replica_groups");
  said.channel = hasChannel(configuration);
  said.globalIds = isOfDevices(configuration);
  said.groups = kindOfGroups(*collective);
  return groupsOf(said, devices);
}

absl::StatusOr<std::vector<std::pair<int64_t, int64_t>>> pairsOf(
    const Op &op, const DeviceCounts &devices) {
  const OpDescriptor *collective = collectiveOf(op);
  if (!collective ||
      StringRef(collective->opKind->name) != "collective-permute")
    return wrongGroups("the op is not a permute");
  const auto &permute = static_cast<const CollectivePermuteOp &>(*collective);
  const bool channel = hasChannel(collective->configuration);
  const int64_t count = channel ? devices.partitions : devices.replicas;
  std::vector<std::pair<int64_t, int64_t>> pairs;
  for (int64_t other = 0;
       other < (channel ? devices.replicas : devices.partitions); ++other)
    for (const auto &pair : permute.pairs) {
      if (pair.source < 0 || pair.source >= count || pair.target < 0 ||
          pair.target >= count)
        return wrongGroups("a pair names a number out of range; there are " +
                           llvm::Twine(count));
      if (channel)
        pairs.emplace_back(other * count + pair.source,
                           other * count + pair.target);
      else
        pairs.emplace_back(pair.source * devices.partitions + other,
                           pair.target * devices.partitions + other);
    }
  return pairs;
}

LargestNumber largestNumberOf(const Op &op) {
  LargestNumber largest;
  const OpDescriptor *collective = collectiveOf(op);
  if (!collective) return largest;
  largest.isChannel = hasChannel(collective->configuration);
  auto add = [&](int64_t number) {
    largest.number = std::max(largest.number, number);
  };
  if (!hasGroups(op)) {
    for (const auto &pair :
         static_cast<const CollectivePermuteOp &>(*collective).pairs) {
      add(pair.source);
      add(pair.target);
    }
    return largest;
  }
  const StringRef text = valueIn(collective->configuration, "replica_groups");
  if (text.empty()) return largest;
  if (auto listed = listedNumbers(text); listed.ok())
    for (const auto &group : *listed)
      for (int64_t number : group) add(number);
  return largest;
}

FewestDevices fewestDevicesOf(const Op &op) {
  FewestDevices fewest;
  const LargestNumber largest = largestNumberOf(op);
  if (largest.number < 0) return fewest;
  const OpDescriptor &collective = *collectiveOf(op);
  int64_t &count =
      !largest.isChannel                      ? fewest.replicas
      : isOfDevices(collective.configuration) ? fewest.devices
      : kindOfGroups(collective) == ChannelGroups::ReplicasAndPartitions
          ? fewest.replicas
          : fewest.partitions;
  count = largest.number + 1;
  return fewest;
}

}  // namespace indexical
