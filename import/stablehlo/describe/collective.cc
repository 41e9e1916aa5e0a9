// Ops in which devices exchange elements.
#include <set>

#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/stablehlo/describe/attribute_values.h"
#include "indexical/import/stablehlo/describe/describers.h"
#include "indexical/import/stablehlo/describe/devices.h"
#include "indexical/import/stablehlo/describe/mesh_groups.h"
#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/violation.h"
#include "indexical/program/module/device_groups.h"

namespace indexical::rows {
namespace {

using llvm::StringRef;

/// A count that the module around the op gives; -1: not known.
int64_t moduleCount(mlir::Operation *op, StringRef key) {
  auto module = op->getParentOfType<mlir::ModuleOp>();
  int64_t count = -1;
  if (!module || !takeOptionalInteger(module, key, count).ok()) return -1;
  return count > 0 ? count : -1;
}

/// Whether the op has a channel: one with a positive number.
bool hasChannel(mlir::Operation *op) {
  auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  return channel && channel.getHandle() > 0;
}

DeviceGroups devicesOf(mlir::Operation *op, ChannelGroups groups) {
  return {moduleCount(op, "mhlo.num_replicas"),
          moduleCount(op, "mhlo.num_partitions"), groups, hasChannel(op),
          hasFlag(op, "use_global_device_ids")};
}

constexpr ChannelGroups kBoth = ChannelGroups::ReplicasAndPartitions;
constexpr ChannelGroups kPartitions = ChannelGroups::Partitions;

/// The numbers of the specification's rules about devices; "" for none.
struct DeviceRules {
  llvm::StringLiteral op;
  ChannelGroups groups;
  const char *unique;
  const char *range;
  const char *globalIds;
};
constexpr DeviceRules kDeviceRules[] = {
    {"stablehlo.all_gather", kBoth, "C2", "C4", "C5"},
    {"stablehlo.all_reduce", kBoth, "C1", "C3", ""},
    {"stablehlo.all_to_all", kPartitions, "C5", "C7", ""},
    {"stablehlo.collective_broadcast", kPartitions, "C1", "C2", ""},
    {"stablehlo.reduce_scatter", kBoth, "C3", "C5", ""},
};

const DeviceRules *rulesOf(mlir::Operation *op) {
  const auto *rules = llvm::find_if(kDeviceRules, [&](const DeviceRules &each) {
    return each.op == op->getName().getStringRef();
  });
  return rules == std::end(kDeviceRules) ? nullptr : rules;
}

/// Whether shorter groups may be filled up with -1: in reductions of values
/// (all_reduce, and cross-replica-sum and collective_reduce without rules).
bool mayFillUp(mlir::Operation *op) {
  const DeviceRules *rules = rulesOf(op);
  return !rules || rules->op == "stablehlo.all_reduce";
}

/// Whether the groups have to name every device: a broadcast leaves devices
/// out, and the others do not.
bool takesAllDevices(mlir::Operation *op) {
  const DeviceRules *rules = rulesOf(op);
  return rules && rules->op != "stablehlo.collective_broadcast";
}

/// Members of rows of numbers. Whether the module has so many devices is
/// another question (devices.h).
absl::Status sizeOfRows(mlir::Operation *op, mlir::DenseIntElementsAttr rows,
                        Interval &size) {
  auto type = rows.getType();
  if (type.getRank() != 2 || type.getNumElements() == 0)
    return absl::OkStatus();
  const DeviceRules *rules = rulesOf(op);
  const char *unique = rules ? rules->unique : "";
  const char *range = rules ? rules->range : "";
  const int64_t width = type.getDimSize(1);
  std::set<int64_t> seen;
  int64_t members = 0, place = 0;
  for (const llvm::APInt &value : rows.getValues<llvm::APInt>()) {
    const int64_t device = value.getSExtValue();
    if (device < -1 || (device == -1 && !mayFillUp(op)))
      return Broken(range) << "replica_groups name device " << device
                           << "; the first one is 0";
    if (device >= 0) {
      ++members;
      if (!seen.insert(device).second)
        return Broken(unique) << "replica_groups name " << device
                              << " twice; a device is in one group";
    }
    if (++place % width != 0) continue;
    if (members == 0)
      return Broken("") << "replica_groups have a group without members";
    size = size.hull(Interval::point(members));
    members = 0;
  }
  if (!takesAllDevices(op)) return absl::OkStatus();
  int64_t next = 0;
  for (int64_t device : seen)
    if (device != next++)
      return Broken(range) << "replica_groups name device " << *seen.rbegin()
                           << " and lack device " << next - 1;
  return absl::OkStatus();
}

absl::Status takeGroups(mlir::Operation *op, ChannelGroups groups,
                        CollectiveShapes &made) {
  const DeviceGroups devices = devicesOf(op, groups);
  made.groupSize = devices.sizeOfAll();
  mlir::Attribute attribute = op->getAttr("replica_groups");
  if (auto axes = llvm::dyn_cast_or_null<stablehlo::ReplicaGroupMeshAxesAttr>(
          attribute)) {
    INDEXICAL_ASSIGN_OR_RETURN(const auto size, sizeOfMeshGroup(op, axes));
    made.groupSize = size;
    return absl::OkStatus();
  }
  auto rows = llvm::dyn_cast_or_null<mlir::DenseIntElementsAttr>(attribute);
  if (!rows) return absl::OkStatus();
  Interval listed = Interval::none();
  INDEXICAL_RETURN_IF_ERROR(sizeOfRows(op, rows, listed));
  if (!listed.isEmpty()) made.groupSize = devices.sizeOfListed(listed);
  return absl::OkStatus();
}

}  // namespace

absl::Status checkDevices(mlir::Operation *op) {
  const DeviceRules *rules = rulesOf(op);
  if (!rules) return absl::OkStatus();
  const DeviceGroups devices = devicesOf(op, rules->groups);
  if (*rules->globalIds && devices.globalIds && !devices.channel)
    return Broken(rules->globalIds)
           << "use_global_device_ids wants a channel_handle above 0";
  if (auto axes = op->getAttrOfType<stablehlo::ReplicaGroupMeshAxesAttr>(
          "replica_groups"))
    return checkMeshAxes(op, axes);
  const int64_t count = devices.numberCount();
  auto rows = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!rows || count < 0) return absl::OkStatus();
  for (const llvm::APInt &value : rows.getValues<llvm::APInt>())
    if (value.getSExtValue() >= count)
      return Broken(rules->range)
             << "replica_groups name device " << value.getSExtValue()
             << ", but there are " << count << ", from 0 on";
  return absl::OkStatus();
}

absl::Status checkFilledGroups(mlir::Operation *op) {
  const DeviceRules *rules = rulesOf(op);
  auto rows = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!rules || !rows || !mayFillUp(op)) return absl::OkStatus();
  for (const llvm::APInt &value : rows.getValues<llvm::APInt>())
    if (value.isNegative())
      return Broken(rules->range)
             << "replica_groups fill a group up with " << value.getSExtValue()
             << ", which is not a device";
  return absl::OkStatus();
}

absl::Status checkTransferPairs(mlir::Operation *op) {
  const StringRef name = op->getName().getStringRef();
  if (name != "stablehlo.send" && name != "stablehlo.recv")
    return absl::OkStatus();
  auto pairs =
      op->getAttrOfType<mlir::DenseIntElementsAttr>("source_target_pairs");
  if (!pairs || pairs.getNumElements() == 0) return absl::OkStatus();
  auto type = pairs.getType();
  if (type.getRank() != 2 || type.getDimSize(1) != 2)
    return Broken("C1") << "source_target_pairs must have two columns";
  const int64_t count = devicesOf(op, kPartitions).numberCount();
  std::set<int64_t> seen[2];
  int side = 0;
  for (const llvm::APInt &value : pairs.getValues<llvm::APInt>()) {
    const int64_t device = value.getSExtValue();
    if (!seen[side].insert(device).second)
      return Broken(side == 0 ? "C2" : "C3")
             << "source_target_pairs name device " << device << " twice as a "
             << (side == 0 ? "source" : "target");
    if (device < 0 || (count >= 0 && device >= count))
      return Broken("C4") << "source_target_pairs name device " << device
                          << ", which the module does not have";
    side = 1 - side;
  }
  return absl::OkStatus();
}

absl::StatusOr<Op> describeAllGather(mlir::Operation *op, OpShapes shapes) {
  auto made = make<AllGatherOp>(std::move(shapes));
  auto groups = takeGroups(op, kBoth, made);
  auto dimension = takeInteger(op, "all_gather_dim", made.dimension);
  return finished(std::move(made), groups, dimension);
}

absl::StatusOr<Op> describeAllReduce(mlir::Operation *op, OpShapes shapes) {
  auto made = make<AllReduceOp>(std::move(shapes));
  auto groups = takeGroups(op, kBoth, made);
  return finished(std::move(made), groups);
}

absl::StatusOr<Op> describeReduceScatter(mlir::Operation *op, OpShapes shapes) {
  auto made = make<ReduceScatterOp>(std::move(shapes));
  auto groups = takeGroups(op, kBoth, made);
  auto dimension = takeInteger(op, "scatter_dimension", made.dimension);
  return finished(std::move(made), groups, dimension);
}

absl::StatusOr<Op> describeAllToAll(mlir::Operation *op, OpShapes shapes) {
  auto made = make<AllToAllOp>(std::move(shapes));
  auto groups = takeGroups(op, kPartitions, made);
  auto cut = takeInteger(op, "split_dimension", made.dimension.emplace());
  auto joined = takeInteger(op, "concat_dimension", made.joined.emplace());
  // As many parts as members.
  int64_t count = -1;
  auto parts = takeInteger(op, "split_count", count);
  if (parts.ok() && count < 1)
    parts = Broken("C4") << "split_count must be at least 1, but is " << count;
  if (parts.ok() && !made.groupSize.contains(count))
    parts = Broken("C8") << "split_count must be the number of members of a "
                            "group, "
                         << made.groupSize.str() << ", but is " << count;
  if (parts.ok()) made.groupSize = Interval::point(count);
  return finished(std::move(made), groups, cut, joined, parts);
}

absl::StatusOr<Op> describeCollectiveBroadcast(mlir::Operation *op,
                                               OpShapes shapes) {
  if (hasFlag(op, "has_dynamic_root")) {
    auto cover = make<CoverOp>(std::move(shapes));
    cover.reason = "the last operand says which device sends";
    return Op(std::move(cover));
  }
  auto made = make<CollectiveBroadcastOp>(std::move(shapes));
  auto groups = takeGroups(op, kPartitions, made);
  return finished(std::move(made), groups);
}

absl::StatusOr<Op> describeCollectivePermute(mlir::Operation *op,
                                             OpShapes shapes) {
  auto made = make<CollectivePermuteOp>(std::move(shapes));
  made.deviceCount = moduleCount(
      op, hasChannel(op) ? "mhlo.num_partitions" : "mhlo.num_replicas");
  Int64s pairs;
  auto status = takeIntegers(op, "source_target_pairs", pairs);
  for (size_t k = 0; k + 1 < pairs.size(); k += 2)
    made.pairs.push_back({pairs[k], pairs[k + 1]});
  return finished(std::move(made), status);
}

}  // namespace indexical::rows
