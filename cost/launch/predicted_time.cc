#include "indexical/cost/launch/predicted_time.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/ideal_time.h"
#include "indexical/cost/memory/coalescing.h"
#include "indexical/indexing/arithmetic.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"

namespace indexical {
namespace {

// docs/internals/time.md says where these come from.
/// Bytes a clock: for each core, between the shared cache and all cores; and
/// the most that one core takes, from one line a clock.
constexpr double kCacheBytesAClock = 28, kCoreBytesAClock = 64;
/// A request to the cache takes at least the time of so many bytes.
constexpr double kRequestBytes = 56;
/// The clocks from the start of one block to that of the next: the least, and
/// those of a block of 1024 threads.
constexpr double kBlockClocks = 1.1, kFullBlockClocks = 1.5;

}  // namespace

llvm::StringRef nameOf(TimeLimit limit) {
  switch (limit) {
    case TimeLimit::Memory:
      return "memory";
    case TimeLimit::Cache:
      return "cache";
    case TimeLimit::Cores:
      return "cores";
    case TimeLimit::Blocks:
      return "blocks";
    case TimeLimit::Waits:
      return "waits";
    case TimeLimit::Operations:
      return "operations";
  }
  return "";
}

double PredictedTime::total() const {
  return launch + std::max({memory, cache, cores, blocks, waits, operations});
}

PredictedTime predictedTime(const Demand &demand, const Device &device) {
  return predictedTime(demand, device, Residency());
}

PredictedTime predictedTime(const Demand &demand, const Device &device,
                            const Residency &taken) {
  PredictedTime time;
  const auto clocks = static_cast<double>(device.megahertz);  // a microsecond
  const auto cores = static_cast<double>(device.cores);
  // AMD's cores have paths of twice the width.
  const double wide = device.vendor == Vendor::Amd ? 2 : 1;
  const Rates &rates = device.rates;
  time.launch = rates.launchMicroseconds;
  const double written = std::min(demand.writtenBytes, demand.memoryBytes);
  time.memory = ((demand.memoryBytes - written) / rates.readShare +
                 written / rates.writeShare) /
                (static_cast<double>(device.gigabytes) * 1e9) * 1e6;
  time.cache = std::max(demand.cacheBytes, demand.cacheLines * kRequestBytes) /
               (wide * kCacheBytesAClock * cores * clocks);
  if (demand.blocks > 0) {
    const auto blocks = static_cast<double>(demand.blocks);
    // Shares of the busiest core: whole blocks.
    const double busiest =
        static_cast<double>(ceilDiv(demand.blocks, device.cores)) / blocks;
    time.cores = std::max(demand.coreBytes / (wide * kCoreBytesAClock),
                          demand.coreLines) *
                 busiest / clocks;
    const double threads = static_cast<double>(demand.threads);
    time.blocks = blocks *
                  std::max(kBlockClocks, kFullBlockClocks * threads / 1024) /
                  clocks;
    const auto waves = static_cast<double>(
        ceilDiv(demand.blocks, blocksAtOnce(demand.threads, device, taken)));
    time.waits = rates.waitMicroseconds *
                 (std::max(1.0, demand.reads / rates.readsAtOnce) * waves +
                  (demand.exchanges ? 1 : 0));
  }
  if (demand.operations.count > 0)
    time.operations =
        demand.operations.count /
        (peakOperations(device, demand.operations.bits) * rates.productShare) *
        1e6;
  if (demand.operations.hard > 0 && rates.hardAClock > 0)
    time.operations =
        std::max(time.operations,
                 demand.operations.hard / (rates.hardAClock * cores * clocks));
  const std::pair<double, TimeLimit> parts[] = {
      {time.memory, TimeLimit::Memory},
      {time.cache, TimeLimit::Cache},
      {time.cores, TimeLimit::Cores},
      {time.blocks, TimeLimit::Blocks},
      {time.waits, TimeLimit::Waits},
      {time.operations, TimeLimit::Operations}};
  time.limit = llvm::max_element(parts, llvm::less_first())->second;
  return time;
}

//===-- What a kernel asks ------------------------------------------------===//

namespace {

/// Returns whether nothing is known of what runs the kernel, not even that its
/// bytes move once.
bool isUnknown(const Module &module, const Kernel &kernel,
               const Instruction &instruction) {
  if (kernel.model == LaunchModel::Xla && kernel.emitter == Emitter::Unknown)
    return true;
  // How long a library takes depends on what it computes.
  if (!instruction.customCallTarget.empty() &&
      operationsOf(module, instruction).count == 0)
    return true;
  // Collectives move bytes over other wires, between devices.
  const Op &op = innermost(instruction.op);
  return op.is<AllGatherOp>() || op.is<AllReduceOp>() || op.is<AllToAllOp>() ||
         op.is<CollectiveBroadcastOp>() || op.is<CollectivePermuteOp>() ||
         op.is<RaggedAllToAllOp>() || op.is<ReduceScatterOp>() ||
         &op.kind() == kindOf<CoverOp>("collective-reduce");
}

/// Returns whether the scatter's computation returns an update as it is.
bool overwrites(const Module &module, const Instruction &scatter) {
  const size_t inputs = shapesOf(scatter.op).results.size();
  for (const CalledComputation &called : scatter.called) {
    if (called.computation < 0) continue;
    const Computation &body = module.computations[called.computation];
    if (body.root < 0) continue;
    auto isUpdate = [&](InstructionId i) {
      return body.instructions[i].parameterNumber >=
             static_cast<int64_t>(inputs);
    };
    const Instruction &root = body.instructions[body.root];
    return isUpdate(body.root) ||
           (root.opcode == "tuple" && llvm::all_of(root.operands, isUpdate));
  }
  return false;
}

/// Adds reads of what a scatter writes: additions are atomic, and memory reads
/// a sector of which a part is written.
void addScatter(const Module &module, const Kernel &kernel,
                const KernelTraffic &traffic, Demand &demand) {
  if (!kernel.grid || (kernel.emitter != Emitter::Scatter &&
                       kernel.emitter != Emitter::ScatterByIndices))
    return;
  const bool isWhole = llvm::all_of(traffic.writes, [&](const Traffic &write) {
    const KernelUser &user = kernel.userOf(write.access);
    return write.figures &&
           write.figures->sectors.most == write.figures->sectorsFewest.most &&
           overwrites(module, module.computations[user.computation]
                                  .instructions[user.instruction]);
  });
  if (!isWhole) demand.memoryBytes += demand.writtenBytes;
  // Which updates meet in one element, the indices say.
  demand.isLeast |= llvm::any_of(traffic.writes, [&](const Traffic &write) {
    const KernelUser &user = kernel.userOf(write.access);
    return !overwrites(
        module,
        module.computations[user.computation].instructions[user.instruction]);
  });
}

}  // namespace

Demand demandOf(const KernelAccesses &kernel, const KernelTraffic &traffic,
                ReuseMeter &meter) {
  Demand demand;
  std::vector<double> ofBuffer(kernel.buffers.size()),
      most(kernel.buffers.size());
  std::vector<bool> isWritten(kernel.buffers.size());
  for (const MemoryAccess &write : kernel.writes)
    isWritten[write.buffer] = true;
  for (const AccessBytes &of : meter.bytesMoved(kernel, traffic)) {
    demand.cacheBytes += of.cache;
    demand.cacheLines += of.cacheLines;
    demand.coreBytes += of.cores;
    demand.coreLines += of.lines;
    ofBuffer[of.buffer] += of.memory;
    most[of.buffer] = std::max(most[of.buffer], of.memory);
  }
  // Accesses to one array meet in the cache.
  for (size_t b = 0; b < ofBuffer.size(); ++b) {
    const double whole =
        std::max(most[b], static_cast<double>(bytesOf(kernel.buffers[b])));
    const double moved = std::min(ofBuffer[b], whole);
    demand.memoryBytes += moved;
    if (isWritten[b]) demand.writtenBytes += moved;
  }
  demand.exchanges = !kernel.shared.empty();
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      if (!of.figures || of.access.launch >= traffic.threads.size()) continue;
      const LeastFigures least = of.figures->least();
      demand.isLeast |= least.sectors < of.figures->sectors.most;
      const LaunchExtent extent = extentOf(traffic.threads[of.access.launch]);
      if (extent.blocks > demand.blocks) {
        demand.blocks = extent.blocks;
        demand.threads = extent.threads;
      }
      if (accesses != &traffic.reads) continue;
      // Each thread waits for what its block reads.
      const int64_t warpsOfBlock =
          of.figures->byEveryThread
              ? 1
              : ceilDiv(extent.threads, meter.device().warp);
      const double warps = static_cast<double>(extent.blocks) *
                           static_cast<double>(warpsOfBlock);
      demand.reads += static_cast<double>(least.accesses) / warps /
                      static_cast<double>(of.figures->repeats);
    }
  return demand;
}

std::optional<Demand> demandOf(const Module &module, const Kernel &kernel,
                               const KernelTraffic &traffic,
                               ReuseMeter &meter) {
  const Instruction &instruction =
      module.computations[kernel.computation].instructions[kernel.instruction];
  if (isUnknown(module, kernel, instruction)) return std::nullopt;
  Demand demand = demandOf(kernel, traffic, meter);
  addScatter(module, kernel, traffic, demand);
  demand.operations = operationsOf(module, instruction);
  // How the compiler launches it is not known, so no more is than what it has
  // to move.
  demand.isLeast |= kernel.bytesOnly && kernel.emitter &&
                    kernel.emitter != Emitter::Memcpy &&
                    kernel.emitter != Emitter::Library;
  if (kernel.grid) {
    demand.blocks = demand.threads = 1;
    for (int64_t n : kernel.grid->blocks) demand.blocks *= n;
    for (int64_t n : kernel.grid->threads) demand.threads *= n;
  }
  return demand;
}

}  // namespace indexical
