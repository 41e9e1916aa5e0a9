// Programs side by side, and the collectives in which they exchange elements.
#include <algorithm>
#include <numeric>
#include <optional>

#include "absl/strings/str_cat.h"
#include "llvm/ADT/STLExtras.h"
#include "mlir/IR/BuiltinAttributes.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"
#include "tests/import/stablehlo/execute.h"
#include "tests/support/random_maps.h"

namespace indexical::testing {
namespace {

using llvm::StringRef;

bool isCollective(mlir::Operation *op) {
  const StringRef name = op->getName().getStringRef();
  return name == "stablehlo.all_gather" || name == "stablehlo.all_reduce" ||
         name == "stablehlo.all_to_all" ||
         name == "stablehlo.collective_broadcast" ||
         name == "stablehlo.collective_permute" ||
         name == "stablehlo.reduce_scatter";
}

/// Returns whether the numbers of an op with a channel are partitions: those of
/// a permute, an all_to_all or a broadcast are.
bool countsPartitions(StringRef name) {
  return name != "stablehlo.all_gather" && name != "stablehlo.all_reduce" &&
         name != "stablehlo.reduce_scatter";
}

struct Counts {
  int64_t replicas = 1, partitions = 1;
};

size_t deviceAt(const Counts &counts, int64_t replica, int64_t partition) {
  return replica * counts.partitions + partition;
}

/// The devices that rows of numbers stand for, as the specification has it:
/// numbers are replicas, of each partition or of all; partitions, of each
/// replica; or devices.
std::vector<std::vector<size_t>> groupsOf(
    mlir::Operation *op, const Counts &counts,
    const std::vector<std::vector<int64_t>> &rows) {
  auto channel =
      op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
  const bool hasChannel = channel && channel.getHandle() > 0;
  std::vector<std::vector<size_t>> groups;
  for (const auto &row : rows) {
    if (op->hasAttr("use_global_device_ids")) {
      groups.emplace_back(row.begin(), row.end());
    } else if (hasChannel && countsPartitions(op->getName().getStringRef())) {
      for (int64_t r = 0; r < counts.replicas; ++r) {
        auto &group = groups.emplace_back();
        for (int64_t p : row) group.push_back(deviceAt(counts, r, p));
      }
    } else {
      for (int64_t p = 0; p < counts.partitions; ++p) {
        if (p == 0 || !hasChannel) groups.emplace_back();
        for (int64_t r : row) groups.back().push_back(deviceAt(counts, r, p));
      }
    }
  }
  return groups;
}

/// The rows that the op lists; of a permute all numbers.
std::vector<std::vector<int64_t>> rowsOf(mlir::Operation *op,
                                         const Counts &counts) {
  std::vector<std::vector<int64_t>> rows;
  auto listed = op->getAttrOfType<mlir::DenseIntElementsAttr>("replica_groups");
  if (!listed) {
    auto channel =
        op->getAttrOfType<stablehlo::ChannelHandleAttr>("channel_handle");
    rows.emplace_back(channel && channel.getHandle() > 0 ? counts.partitions
                                                         : counts.replicas);
    std::iota(rows[0].begin(), rows[0].end(), 0);
    return rows;
  }
  const int64_t width = listed.getType().getShape().back();
  int64_t place = 0;
  for (const llvm::APInt &number : listed.getValues<llvm::APInt>()) {
    if (place++ % width == 0) rows.emplace_back();
    if (!number.isNegative()) rows.back().push_back(number.getSExtValue());
  }
  return rows;
}

/// The values of runtime variables on a device at a position of its group.
class GroupWorld : public World {
 public:
  GroupWorld(int64_t position, int64_t members)
      : World(0), position_(position), members_(members) {}

  std::optional<int64_t> value(const RuntimeVariable &variable,
                               llvm::ArrayRef<int64_t>) const override {
    switch (variable.source.kind) {
      case RuntimeSource::Kind::GroupPosition:
      case RuntimeSource::Kind::DeviceId:
        return position_;
      case RuntimeSource::Kind::GroupSize:
        return members_;
      default:
        return std::nullopt;
    }
  }

 private:
  int64_t position_, members_;
};

/// An element of the operand of a member of the group.
struct MemberRead {
  int64_t member = 0, place = 0;
  bool operator<(const MemberRead &o) const {
    return std::tie(member, place) < std::tie(o.member, o.place);
  }
};

/// Returns the reads of each element of the result, in the order of members.
absl::StatusOr<std::vector<std::vector<MemberRead>>> memberReads(
    const Op &op, int64_t leaf, const Index &from, const Index &to,
    const GroupWorld &world, MapCounts &counts) {
  auto relation = indexing(op, Direction::OutputToInput, leaf, leaf);
  if (!relation.ok()) return relation.status();
  ++(relation->precision() == Precision::Exact ? counts.exact : counts.cover);
  std::vector<std::vector<MemberRead>> reads(countOf(from));
  for (const IndexingMap &piece : relation->pieces())
    for (const auto &[result, read] : pairsOf(piece, world, {0, 999})) {
      ++counts.pairs;
      llvm::ArrayRef<int64_t> element = llvm::ArrayRef(read).drop_back();
      if (!isInside(from, result) || !isInside(to, element))
        return absl::InternalError("a map leaves its tensors");
      reads[rowMajor(from, result)].push_back(
          {read.back(), rowMajor(to, element)});
    }
  for (auto &each : reads) std::sort(each.begin(), each.end());
  return reads;
}

}  // namespace

/// Result leaf r reads operand leaf r. An op with a region combines the
/// elements that it reads, any other op moves the one element. If no element is
/// read, the result is 0.
absl::Status Executor::runOnGroup(mlir::Operation *op,
                                  std::vector<Device> &devices,
                                  const std::vector<size_t> &group) {
  auto descriptor = descriptorOf(op);
  if (!descriptor.ok()) return descriptor.status();
  std::vector<ArrayValues> operands;
  for (size_t device : group)
    operands.push_back(operandsOf(op, devices[device]));
  for (size_t q = 0; q < group.size(); ++q) {
    auto results = emptyResults(op);
    if (!results.ok()) return results.status();
    for (size_t r = 0; r < results->size(); ++r) {
      ArrayValue &result = (*results)[r];
      auto reads =
          memberReads(**descriptor, r, result.sizes, operands[q][r].sizes,
                      GroupWorld(q, group.size()), report_.maps);
      if (!reads.ok()) return reads.status();
      for (size_t place = 0; place < reads->size(); ++place) {
        std::optional<ArrayValue> into;
        for (const MemberRead &read : (*reads)[place]) {
          const ArrayValue &operand = operands[read.member][r];
          ArrayValue element(operand.kind, {});
          element.elements[0] = operand.elements[read.place];
          result.roundings = std::max(result.roundings, operand.roundings);
          if (!into) {
            into = element;
            continue;
          }
          if (op->getNumRegions() == 0)
            return absl::InternalError("more than one element is moved");
          auto combined =
              runRegion(op->getRegion(0), {*into, element}, devices[group[q]]);
          if (!combined.ok()) return combined.status();
          into = (*combined)[0];
        }
        if (into) result.elements[place] = into->elements[0];
      }
      if (op->getNumRegions() > 0)
        result.roundings = std::max(result.roundings, kFewRoundings);
    }
    setResults(op, *std::move(results), devices[group[q]]);
  }
  return absl::OkStatus();
}

absl::Status Executor::runCollective(mlir::Operation *op,
                                     std::vector<Device> &devices) {
  Counts counts;
  for (const Device &device : devices) {
    counts.replicas = std::max(counts.replicas, device.replica + 1);
    counts.partitions = std::max(counts.partitions, device.partition + 1);
  }
  for (const auto &group : groupsOf(op, counts, rowsOf(op, counts)))
    if (auto s = runOnGroup(op, devices, group); !s.ok()) return s;
  return absl::OkStatus();
}

/// A row of programs for each replica, one for each partition. All run one
/// function, op by op.
absl::StatusOr<ArrayValues> Executor::runParallel(mlir::Operation *op,
                                                  Device &device) {
  if (auto feeds = op->getAttrOfType<mlir::ArrayAttr>("infeed"))
    for (mlir::Attribute symbol : feeds) {
      auto feed = functionOf(symbol);
      if (!feed.ok()) return feed.status();
      auto fed = call(*feed, {}, device);
      if (!fed.ok()) return fed.status();
      infeed_.push_back(*std::move(fed));
    }
  auto programs = op->getAttrOfType<mlir::ArrayAttr>("programs");
  if (!programs) return absl::UnimplementedError("no programs");
  std::vector<Device> devices;
  std::optional<Function> function;
  for (auto [replica, row] : llvm::enumerate(programs))
    for (auto [partition, symbol] :
         llvm::enumerate(llvm::cast<mlir::ArrayAttr>(row))) {
      auto found = functionOf(symbol);
      if (!found.ok()) return found.status();
      if (function && *function != *found)
        return absl::UnimplementedError("programs of different functions");
      function = *found;
      devices.emplace_back();
      devices.back().replica = replica;
      devices.back().partition = partition;
    }
  if (!function || !function->getFunctionBody().hasOneBlock())
    return absl::UnimplementedError("no program to run");
  report_.functions += devices.size();
  mlir::Block &block = function->getFunctionBody().front();
  size_t next = 0;
  for (Device &each : devices)
    for (mlir::BlockArgument argument : block.getArguments())
      each.values[argument] = device.values[op->getOperand(next++)];
  for (mlir::Operation &inner : block.without_terminator()) {
    if (isCollective(&inner)) {
      if (auto s = runCollective(&inner, devices); !s.ok()) return s;
      continue;
    }
    for (Device &each : devices)
      if (auto s = runOp(&inner, each); !s.ok()) return s;
  }
  ArrayValues results;
  for (Device &each : devices)
    for (const ArrayValue &leaf : operandsOf(block.getTerminator(), each))
      results.push_back(leaf);
  return results;
}

}  // namespace indexical::testing
