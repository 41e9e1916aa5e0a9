#include "indexical/cost/launch/kernels.h"

#include "llvm/ADT/STLExtras.h"

#include "indexical/cost/launch/kernel_accesses.h"
#include "indexical/cost/launch/kernel_sites.h"
#include "indexical/cost/launch/launch_plan.h"
#include "indexical/cost/memory/thread_map.h"
#include "indexical/indexing/deep_stack.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/families.h"
#include "indexical/program/module/callees.h"
#include "indexical/simplifier/simplify.h"

namespace indexical {
namespace {

/// Whether a fused computation is more than element after element.
bool holdsLibraryWork(const Computation &computation) {
  return llvm::any_of(computation.instructions,
                      [](const Instruction &instruction) {
                        return roleOf(instruction) == KernelRole::Bytes ||
                               roleOf(instruction) == KernelRole::Runs;
                      });
}

bool showsBytesOnly(const Module &module, const Instruction &instruction) {
  if (roleOf(instruction) == KernelRole::Bytes) return true;
  if (!isFusion(instruction)) return false;
  const auto callee = calleeOfCall(instruction);
  return !callee || callee->computation < 0 ||
         holdsLibraryWork(module.computations[callee->computation]);
}

/// Whether a result is an operand that what is begun passes on, or its context:
/// nobody writes it.
bool isPassedOn(const Instruction &instruction, int64_t result) {
  if (instruction.opcode == "copy-start") return result > 0;
  return instruction.op.is<StartOp>() &&
         !innermostResult(instruction.op, result);
}

void addBytes(const KernelSite &site, const Instruction &instruction,
              Kernel &kernel) {
  const OpShapes &shapes = shapesOf(instruction.op);
  kernel.bytesOnly = true;
  kernel.users.push_back({site.computation, site.instruction});
  kernel.buffers.assign(shapes.operands.begin(), shapes.operands.end());
  llvm::append_range(kernel.buffers, shapes.results);
  for (size_t buffer = 0; buffer < kernel.buffers.size(); ++buffer) {
    MemoryAccess access;
    access.buffer = buffer;
    if (buffer < kernel.operandLeaves)
      kernel.reads.push_back(std::move(access));
    else if (!isPassedOn(instruction,
                         static_cast<int64_t>(buffer - kernel.operandLeaves)))
      kernel.writes.push_back(std::move(access));
  }
}

/// Returns the instruction from whose index space reads are composed, by the
/// choice: one of the computation that is called, or the kernel itself; nothing
/// for the usual spaces.
absl::StatusOr<std::optional<InstructionId>> chosenStart(
    const Module &module, const KernelSite &site, const LaunchChoice &choice) {
  const Instruction &instruction =
      module.computations[site.computation].instructions[site.instruction];
  const auto callee = calleeOfCall(instruction);
  const bool isCall = callee && callee->computation >= 0;
  if (!choice.space.empty()) {
    const InstructionId found =
        isCall ? module.computations[callee->computation].find(choice.space)
               : InstructionId();
    if (found >= 0) return found;
    return errorAt(instruction.place, "`" + choice.space +
                                          "` is not an instruction of what `" +
                                          instruction.name.str() + "` calls");
  }
  if (!choice.threads) return std::nullopt;
  if (isCall) return module.computations[callee->computation].root;
  if (instruction.op.is<ReduceOp>() &&
      shapesOf(instruction.op).results[0].dimensions.size() ==
          choice.threads->results().size())
    return site.instruction;
  return std::nullopt;
}

/// Returns an error if the threads do not give indices of the kernel's spaces.
absl::Status checkThreads(const Kernel &kernel, const IndexingMap &threads,
                          Place place) {
  if (auto status = checkThreadMap(threads); !status.ok())
    return errorAt(place, std::string(status.message()));
  const size_t given = threads.results().size();
  for (const LaunchSpace &launch : kernel.launches)
    if (launch.shape.dimensions.size() != given)
      return errorAt(place, "the thread map gives an index of " +
                                std::to_string(given) + " dimensions, and " +
                                launch.shape.str() + " has " +
                                std::to_string(launch.shape.dimensions.size()));
  return absl::OkStatus();
}

/// XLA's launch: accesses phase by phase, or bytes and why there is no more.
absl::Status addXlaLaunch(ProgramIndexing &maps, const KernelSite &site,
                          const Device &device, Kernel &kernel) {
  const Module &module = maps.module();
  const Instruction &instruction =
      module.computations[site.computation].instructions[site.instruction];
  kernel.model = LaunchModel::Xla;
  kernel.emitter = Emitter::Unknown;
  const auto body = FusionBody::of(module, site.computation, site.instruction);
  if (!body) {
    kernel.reason = "what it calls is not in the file";
    addBytes(site, instruction, kernel);
    return absl::OkStatus();
  }
  INDEXICAL_ASSIGN_OR_RETURN(auto plan, planLaunch(*body, device));
  kernel.emitter = plan.emitter;
  if (plan.reason.empty()) {
    kernel.grid = plan.grid;
    kernel.shared = plan.shared;
    return addPlannedAccesses(maps, *body, plan, device, kernel);
  }
  kernel.reason = plan.reason;
  addBytes(site, instruction, kernel);
  return absl::OkStatus();
}

}  // namespace

absl::StatusOr<IndexingRelation> threadsInArray(const Kernel &kernel,
                                                const MemoryAccess &access,
                                                const IndexingMap &threads) {
  if (const auto &tile = kernel.userOf(access).tile)
    return IndexingRelation(*tile);
  // An identity of the whole space leaves the threads as they are. If the array
  // is only a part of the space, the access's map cuts them.
  const ArrayShape &buffer = kernel.buffers[access.buffer];
  if (kernel.launches[access.launch].shape.dimensions == buffer.dimensions &&
      access.map == IndexingRelation(identityOf(buffer)))
    return IndexingRelation(threads);
  return compose(IndexingRelation(threads), access.map);
}

absl::StatusOr<Kernel> kernelAt(ProgramIndexing &maps, const KernelSite &site,
                                const LaunchChoice &choice) {
  if (!hasStack(kStackOfQuestion))
    return onDeepStack([&] { return kernelAt(maps, site, choice); });
  const Module &module = maps.module();
  const Instruction &instruction =
      module.computations[site.computation].instructions[site.instruction];
  INDEXICAL_ASSIGN_OR_RETURN(auto start, chosenStart(module, site, choice));
  Kernel kernel;
  kernel.computation = site.computation;
  kernel.instruction = site.instruction;
  kernel.trips = site.trips;
  kernel.tripsKnown = site.tripsKnown;
  const OpShapes &shapes = shapesOf(instruction.op);
  kernel.operandLeaves = shapes.operands.size();
  if (choice.xla && !choice.threads && choice.space.empty()) {
    INDEXICAL_RETURN_IF_ERROR(addXlaLaunch(maps, site, *choice.xla, kernel));
    return kernel;
  }
  if (!start && showsBytesOnly(module, instruction)) {
    addBytes(site, instruction, kernel);
    return kernel;
  }
  INDEXICAL_RETURN_IF_ERROR(addAccesses(maps, start, kernel));
  if (choice.threads) {
    INDEXICAL_RETURN_IF_ERROR(
        checkThreads(kernel, *choice.threads, instruction.place));
    kernel.launchByOwn(*choice.threads);
  }
  return kernel;
}

}  // namespace indexical
