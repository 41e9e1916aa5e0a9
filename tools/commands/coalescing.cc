#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "indexical/indexing/diagnostic.h"
#include "indexical/program/callees.h"
#include "indexical/tools/command.h"
#include "indexical/tools/named.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/traffic_report.h"

namespace indexical {
namespace {

absl::StatusOr<int> coalescingOf(const TrafficOptions &options, Call &call) {
  const auto program =
      readProgram(call.input(), options.inputFormat, call.reporter());
  if (!program.ok()) return program.status();
  auto found =
      findInstruction(*program, options.computation, options.instruction);
  if (!found.ok()) return found.status();
  const Module &module = program->modules[found->module];
  const Instruction &instruction =
      module.computations[found->computation].instructions[found->instruction];
  ProgramIndexing maps(module);
  const KernelSite site = {found->computation, found->instruction, 1, true};
  int32_t space = -1;
  const auto callee = calleeOfCall(instruction);
  if (callee && callee->computation >= 0) {
    const Computation &fused = module.computations[callee->computation];
    if (!options.space.empty())
      space = fused.find(options.space);
    else if (options.threads)
      space = fused.root;
  } else if (options.threads && options.space.empty() &&
             std::holds_alternative<ReduceOp>(instruction.op) &&
             shapesOf(instruction.op).results[0].dimensions.size() ==
                 options.threads->results().size()) {
    // Threads that do not go through the operand.
    space = site.instruction;
  }
  absl::StatusOr<Kernel> kernel =
      space >= 0 ? kernelFrom(maps, site, space) : kernelAt(maps, site);
  if (!options.space.empty() && space < 0)
    kernel = errorAt(instruction.place, "`" + options.space +
                                            "` is no instruction of what `" +
                                            options.instruction + "` calls");
  if (kernel.ok() && options.threads)
    for (const KernelSpace &of : kernel->spaces)
      if (of.shape.dimensions.size() != options.threads->results().size()) {
        kernel = errorAt(instruction.place,
                         "the thread map gives an index of " +
                             std::to_string(options.threads->results().size()) +
                             " dimensions, and " + of.shape.str() + " has " +
                             std::to_string(of.shape.dimensions.size()));
        break;
      }
  if (!kernel.ok()) return kernel.status();
  CoalescingOptions asked;
  asked.runtime = options.runtime;
  TrafficMeter meter(*options.device, asked, options.threads);
  std::vector<MeasuredKernel> kernels;
  kernels.push_back({found->module, meter.measure(*std::move(kernel))});
  if (auto name = meter.unusedRuntime())
    return errorAt(instruction.place,
                   "no read has a runtime variable `" + *name + "`");
  TrafficResult result({*program, *options.device, options.threads.has_value(),
                        std::nullopt, TrafficView::Text::Kernel},
                       kernels);
  if (absl::Status status = call.write(result); !status.ok()) return status;
  return kDone;
}

}  // namespace

Command makeCoalescing() {
  auto asked = std::make_shared<TrafficOptions>();
  Command coalescing;
  coalescing.name = "coalescing";
  coalescing.sentence =
      "what the reads and writes of one instruction or fusion move on a GPU: "
      "accesses, sectors, lines, bytes used and wasted, summed over the launch";
  coalescing.example =
      "echo 'f { p = f32[64,128] parameter(0)\n"
      "          ROOT t = f32[128,64] transpose(p), dimensions={1,0} }' |\n"
      "  indexical coalescing --instruction=t";
  coalescing.options = {
      nameOption("computation", Names::Computations, asked->computation,
                 "The computation (default: the entry)"),
      nameOption("instruction", Names::Instructions, asked->instruction,
                 "The kernel (default: the root)"),
      nameOption("space", Names::Instructions, asked->space,
                 "The instruction of the fusion to whose index space the "
                 "thread map goes (default: its root)"),
      runtimeOption(asked->runtime,
                    "The value of a runtime variable, an expression in the "
                    "read's dimensions (default: least and most over all "
                    "values)"),
  };
  addTraffic(coalescing, asked);
  coalescing.run = [asked](Call &call) { return coalescingOf(*asked, call); };
  return coalescing;
}

}  // namespace indexical
