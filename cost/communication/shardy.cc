#include "indexical/cost/communication/shardy.h"

#include <algorithm>
#include <map>
#include <string>
#include <utility>

#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/STLExtras.h"

#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/address.h"
#include "indexical/program/sharding/program_shardings.h"

namespace indexical {
namespace {

using llvm::StringRef;

/// An op of Shardy that says how its result is cut.
struct ShardyOp {
  StringRef opcode;      ///< `sdy.all_gather`
  StringRef collective;  ///< `all-gather`; empty if it moves nothing
  StringRef axes;        ///< the attribute that says along which axes
  bool isReduction = false;
  bool isLowered = false;
};

constexpr ShardyOp kShardyOps[] = {
    {"sdy.all_gather", "all-gather", "gathering_axes=", false, false},
    {"sdy.all_reduce", "all-reduce", "reduction_axes=", true, false},
    {"sdy.all_slice", "", "", false, false},
    {"sdy.all_to_all", "all-to-all", "params=", false, false},
    {"sdy.collective_permute", "collective-permute", "", false, true},
    {"sdy.reduce_scatter", "reduce-scatter", "reduce_scatter_axes=", true,
     false},
    {"sdy.replicated_to_unreduced", "", "", false, false},
    {"sdy.reshard", "reshard", "", false, true},
    {"sdy.sharded_to_unreduced", "", "", false, false},
};

const ShardyOp *shardyOpOf(const Instruction &of) {
  if (!of.opcode.starts_with("sdy.")) return nullptr;
  for (const ShardyOp &each : kShardyOps)
    if (of.opcode == each.opcode) return &each;
  return nullptr;
}

/// The text of the mesh in a sharding's text, `<["x"=2]>`; empty if it has
/// none.
StringRef meshIn(StringRef sharding) {
  const size_t at = sharding.find("mesh<");
  if (at == StringRef::npos) return "";
  StringRef rest = sharding.substr(at + 4);
  const size_t end = rest.find('>');
  return end == StringRef::npos ? "" : rest.take_front(end + 1);
}

/// All axes in an attribute of the op, `{"x", "y":(2)2}`.
std::string axesIn(StringRef configuration, StringRef attribute) {
  const size_t at = configuration.find(attribute);
  std::string axes;
  if (at != StringRef::npos) {
    StringRef rest = configuration.substr(at + attribute.size());
    rest = rest.take_until([](char c) { return c == ';'; });
    while (true) {
      const size_t begin = rest.find('"');
      const size_t end = rest.find('"', begin + 1);
      if (begin == StringRef::npos || end == StringRef::npos) break;
      size_t behind = end + 1;
      // A part of an axis: `:(2)4`. What comes behind `: ` is a dimension.
      if (rest.substr(behind).starts_with(":("))
        behind = rest.find_first_not_of("0123456789", rest.find(')', end) + 1);
      behind = std::min(behind, rest.size());
      axes += (axes.empty() ? "" : ", ") + rest.slice(begin, behind).str();
      rest = rest.substr(behind);
    }
  }
  return "{" + axes + "}";
}

/// The shardings of a module's values.
class Reader {
 public:
  Reader(const Program &program, const Module &module)
      : program_(program),
        module_(module),
        context_(shardingContextOf(module)) {
    context_.devices = -1;
  }

  /// The relation of an instruction's only array, by its own sharding.
  std::optional<ShardedRelation> stated(const Instruction &of) const {
    const ShapeList shapes = of.shape.leaves();
    if (of.sharding.empty() || shapes.size() != 1) return std::nullopt;
    auto shardings = shardingsOf(program_, module_, of, context_, -1);
    if (!shardings.ok() || shardings->size() != 1) return std::nullopt;
    auto relation =
        ShardedRelation::make(shapes[0].dimensions, (*shardings)[0]);
    if (!relation.ok() || (*shardings)[0].none() != NoElements::None)
      return std::nullopt;
    return *std::move(relation);
  }

  /// Like stated(), or all on each of so many devices if it is a parameter.
  std::optional<ShardedRelation> sharded(const Instruction &of,
                                         int64_t devices) const {
    if (auto relation = stated(of)) {
      if (relation->sharding().devices() >= 0) return relation;
      return replicated(relation->global(), devices);
    }
    if (of.parameterNumber < 0 || !of.sharding.empty()) return std::nullopt;
    const ShapeList shapes = of.shape.leaves();
    if (shapes.size() != 1) return std::nullopt;
    return replicated(shapes[0].dimensions, devices);
  }

 private:
  static std::optional<ShardedRelation> replicated(
      llvm::ArrayRef<int64_t> sizes, int64_t devices) {
    auto relation = ShardedRelation::make(
        sizes, Sharding::replicated(sizes.size(), devices));
    if (!relation.ok()) return std::nullopt;
    return *std::move(relation);
  }

  const Program &program_;
  const Module &module_;
  ShardingContext context_;
};

/// The bytes of what a device has.
int64_t localBytes(const ShardedRelation &relation, const ArrayShape &shape) {
  int64_t count = 1;
  for (int64_t size : relation.local())
    count = checkedMul(count, size).value_or(INT64_MAX);
  return bytesOf(count, storedBits(shape));
}

/// The number of devices of the mesh that the op names.
int64_t meshDevices(const Instruction &of) {
  const StringRef mesh = meshIn(of.sharding);
  if (mesh.empty()) return 0;
  auto all = meshGroups(mesh, "{}");
  if (!all.ok()) return 0;
  int64_t most = -1;
  for (const auto &group : *all)
    for (int64_t device : group) most = std::max(most, device);
  return most + 1;
}

/// The bytes of the operand on a device: by its own sharding, else by that of
/// the result.
int64_t operandBytesOf(const ShardyOp &op, const Instruction &operand,
                       const Instruction &of, int64_t members,
                       const Reader &reader) {
  const ArrayShape shape = of.shape.leaves()[0];
  if (auto in = reader.stated(operand)) return localBytes(*in, shape);
  const auto out = reader.stated(of);
  if (!out) return 0;
  const int64_t bytes = localBytes(*out, shape);
  if (op.collective == "all-gather") return bytes / members;
  if (op.collective == "reduce-scatter")
    return checkedMul(bytes, members).value_or(INT64_MAX);
  return bytes;
}

}  // namespace

int64_t shardyDevicesOf(const Program &, const Module &module) {
  int64_t most = 0;
  for (const Computation &computation : module.computations)
    for (const Instruction &instruction : computation.instructions)
      if (const ShardyOp *op = shardyOpOf(instruction);
          op && !op->collective.empty())
        most = std::max(most, meshDevices(instruction));
  return most;
}

absl::Status addShardyCollectives(const Program &program, const Module &module,
                                  std::vector<Collective> &into) {
  const Reader reader(program, module);
  for (auto [c, computation] : llvm::enumerate(module.computations))
    for (auto [i, of] : llvm::enumerate(computation.instructions)) {
      const ShardyOp *op = shardyOpOf(of);
      if (!op || op->collective.empty() || of.operands.size() != 1 ||
          of.shape.leaves().size() != 1)
        continue;
      Collective one;
      one.computation = ComputationId(c);
      one.instruction = InstructionId(i);
      one.op = op->collective;
      one.isShardy = true;
      one.isLowered = op->isLowered;
      one.devices = meshDevices(of);
      if (one.devices == 0) continue;
      int64_t members = 1;
      if (!op->isLowered) {
        auto groups =
            meshGroups(meshIn(of.sharding),
                       axesIn(of.op.descriptor().configuration, op->axes));
        if (!groups.ok())
          return errorAt(of.place, std::string(groups.status().message()));
        one.groups = *std::move(groups);
        members = std::max<int64_t>(1, one.groupSize());
      }
      one.operandBytes = {operandBytesOf(
          *op, computation.instructions[of.operands[0]], of, members, reader)};
      if (auto out = reader.stated(of))
        one.resultBytes = localBytes(*out, of.shape.leaves()[0]);
      into.push_back(std::move(one));
    }
  return absl::OkStatus();
}

std::vector<ShardyChain> shardyChainsOf(
    const Program &program, const Module &module,
    llvm::ArrayRef<Collective> collectives) {
  const Reader reader(program, module);
  std::map<std::pair<ComputationId, InstructionId>, size_t> numbers;
  for (auto [k, each] : llvm::enumerate(collectives))
    if (each.isShardy) numbers[{each.computation, each.instruction}] = k;
  std::vector<ShardyChain> chains;
  if (numbers.empty()) return chains;
  for (auto [c, computation] : llvm::enumerate(module.computations)) {
    std::vector<int32_t> users(computation.instructions.size(), 0);
    std::vector<bool> isInside(computation.instructions.size(), false);
    for (const Instruction &of : computation.instructions)
      for (InstructionId operand : of.operands) ++users[operand];
    // A value that only one such op reads is inside of that op's chain.
    for (const Instruction &of : computation.instructions)
      if (shardyOpOf(of) && of.operands.size() == 1 &&
          users[of.operands[0]] == 1)
        isInside[of.operands[0]] = true;
    for (auto [i, last] : llvm::enumerate(computation.instructions)) {
      if (!shardyOpOf(last) || last.operands.size() != 1 || isInside[i])
        continue;
      ShardyChain chain;
      chain.computation = ComputationId(c);
      bool reduces = false;
      InstructionId at(i);
      while (true) {
        const Instruction &of = computation.instructions[at];
        const ShardyOp *op = shardyOpOf(of);
        if (!op || of.operands.size() != 1 ||
            (at != static_cast<int32_t>(i) && !isInside[at]))
          break;
        reduces |= op->isReduction;
        if (auto known = numbers.find({chain.computation, at});
            known != numbers.end())
          chain.collectives.insert(chain.collectives.begin(), known->second);
        at = of.operands[0];
      }
      if (chain.collectives.empty()) continue;
      chain.instruction = at;
      chain.elementBits = storedBits(last.shape.leaves()[0]);
      const int64_t devices = collectives[chain.collectives.back()].devices;
      const auto from = reader.sharded(computation.instructions[at], devices);
      const auto to = reader.sharded(last, devices);
      // Sums of parts that no sharding states are not known to be parts.
      if (from && to && (!reduces || from->sharding().parts() > 1)) {
        auto needs = needsOf(*from, *to);
        if (needs.ok()) {
          chain.needs = *std::move(needs);
          chain.ends = {*from, *to, last.shape.leaves()[0].type};
        }
      }
      chains.push_back(std::move(chain));
    }
  }
  return chains;
}

}  // namespace indexical
