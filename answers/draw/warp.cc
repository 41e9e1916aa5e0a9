#include <algorithm>
#include <cstdint>
#include <string>
#include <utility>

#include "llvm/ADT/STLExtras.h"

#include "indexical/answers/draw/subject.h"
#include "indexical/answers/pictures/pictures.h"
#include "indexical/answers/report/triton_kernels.h"
#include "indexical/cost/launch/kernels.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/indexing/status_macros.h"
#include "indexical/ops/address.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical::drawing {
namespace {

/// A picture has an end: an array whose size is not known has all elements that
/// are touched.
void endBuffers(const KernelTraffic &traffic, Kernel &kernel) {
  for (const auto *accesses : {&traffic.reads, &traffic.writes})
    for (const Traffic &of : *accesses) {
      ArrayShape &buffer = kernel.buffers[of.access.buffer];
      const int64_t bits = storedBits(buffer);
      if (buffer.rank() != 1 || bits == 0 || of.bytes == 0) continue;
      int64_t &size = buffer.dimensions[0];  // kDynamicSize is below all
      size = std::max(size, of.bytes * 8 / bits);
    }
}

/// Returns `by XLA:GPU, emitter transpose`.
std::string launchInWords(const Kernel &kernel) {
  switch (kernel.model) {
    case LaunchModel::Xla:
      return "by XLA:GPU, emitter " +
             (kernel.emitter ? nameOf(*kernel.emitter).str() : "");
    case LaunchModel::Compiled:
      return "by its compiled kernel";
    case LaunchModel::Own:
      return "by the threads of its own layouts";
    case LaunchModel::Linear:
      break;
  }
  return "by linear threads";
}

/// Draws a warp of an instruction that was measured.
absl::StatusOr<Picture> drawMeasured(const PictureQuestion &asked,
                                     const Subject &subject,
                                     const Kernel &kernel,
                                     const KernelTraffic &traffic) {
  const auto operands = subject.where().operandLeaves(subject.instruction);
  auto nameOf = [&](const Traffic &access, bool isRead) {
    const ArrayShape &buffer = kernel.buffers[access.access.buffer];
    const auto leaf = static_cast<size_t>(kernel.leafOf(access.access));
    // A kernel of Triton may read a result (triton_kernels.h).
    const std::string array =
        !isRead ? "result " + std::to_string(leaf)
        : leaf < operands.size()
            ? subject.where()
                  .instructions[operands[leaf].instruction]
                  .name.str()
            : "result " + std::to_string(leaf - operands.size());
    return array + " " + buffer.str(/*withLayout=*/true);
  };
  PictureOfWarp question{"a warp of " + subject.root().name.str(),
                         kernel,
                         traffic,
                         asked.on(),
                         static_cast<int64_t>(*asked.warp),
                         nameOf,
                         launchInWords(kernel)};
  if (asked.worstWarp) question.warp = worstWarp(question);
  auto picture = pictureOfWarp(question);
  return picture.ok() ? picture : subject.error(picture.status());
}

}  // namespace

absl::StatusOr<Picture> triton(const PictureQuestion &asked,
                               const Subject &subject,
                               const Measurement &measured) {
  Kernel kernel = measured.kernel;
  KernelTraffic traffic = measured.traffic;
  // The others have no threads.
  for (auto *accesses : {&traffic.reads, &traffic.writes})
    llvm::erase_if(*accesses, [](const Traffic &of) { return !of.figures; });
  endBuffers(traffic, kernel);
  return drawMeasured(asked, subject, kernel, traffic);
}

absl::StatusOr<Picture> warp(const PictureQuestion &asked,
                             const Subject &subject, const Ask &ask) {
  ProgramIndexing maps(subject.module, /*prover=*/nullptr, ask.budget);
  LaunchChoice choice;
  if (launchOf(subject.module, asked.launch) == LaunchModel::Xla)
    choice.xla = &asked.on();
  INDEXICAL_ASSIGN_OR_RETURN(
      auto kernel,
      kernelAt(maps, {subject.computation, subject.instruction}, choice));
  TrafficMeter meter(asked.on(), CoalescingOptions(ask.budget));
  const KernelTraffic traffic = meter.measure(kernel);
  return drawMeasured(asked, subject, kernel, traffic);
}

absl::StatusOr<Picture> kernel(const Input &input, const PictureQuestion &asked,
                               const Ask &ask) {
  if (!asked.warp)
    return absl::InvalidArgumentError("of a kernel a warp is drawn: --warp=N");
  KernelQuestion question = asked.triton;
  question.device = asked.device;
  INDEXICAL_ASSIGN_OR_RETURN(auto read,
                             readTritonProgram(input, question, ask));
  const Module &module = read.program.modules[0];
  const KernelCost *chosen = nullptr;
  for (const KernelCost &kernel : read.kernels) {
    const Computation &computation = module.computations[kernel.computation];
    const Instruction &function = computation.instructions[kernel.instruction];
    const bool isNamed =
        (asked.computation.empty() || computation.name == asked.computation) &&
        (asked.instruction.empty() || function.name == asked.instruction);
    if (!isNamed) continue;
    if (chosen)
      return absl::InvalidArgumentError(
          "there are several such kernels; --function names one, and "
          "--computation=launch.N a launch");
    chosen = &kernel;
  }
  if (!chosen)
    return absl::InvalidArgumentError("there is no kernel of that name");
  const Subject subject{module, chosen->computation, chosen->instruction};
  return triton(asked, subject, *chosen->measurement);
}

}  // namespace indexical::drawing
