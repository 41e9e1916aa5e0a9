// Warns at the line of each load of a kernel that wastes more than half of what
// it moves. The kernel is one of Triton, or each of a file in LLVM's IR.
//
//   bazel run //examples:kernel_warnings -- KERNEL.ttir|KERNEL.ll [GRID [WARPS]]
//
//   column.ttir:9:10: warning: this load moves 4096 bytes and uses 512 of them

#include <string>
#include <vector>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/llvm/read.h"
#include "indexical/import/triton/read.h"

using namespace indexical;

namespace {

absl::StatusOr<std::vector<kernels::TritonKernel>> readKernels(
    llvm::StringRef text, const kernels::ReadOptions &options) {
  if (kernels::looksLikeLlvm(text))
    return kernels::readLlvmKernels(text, options);
  absl::StatusOr<kernels::TritonKernel> kernel =
      kernels::parseKernel(text, options);
  if (!kernel.ok()) return kernel.status();
  return std::vector<kernels::TritonKernel>{*std::move(kernel)};
}

void warn(const kernels::TritonKernel &kernel, llvm::StringRef path) {
  TrafficMeter meter(defaultDevice());
  const kernels::MeasuredTraffic measured = kernels::measure(
      kernel, kernels::BufferSizes(kernel.arguments.size()), meter);
  for (size_t i = 0; i < kernel.accesses.size(); ++i) {
    const kernels::KernelAccess &access = kernel.accesses[i];
    const auto &traffic = measured.accesses[i].traffic;
    if (access.kind != kernels::AccessKind::Load || !traffic ||
        !traffic->figures)
      continue;
    const AccessFigures &figures = *traffic->figures;
    // Bounds are no reason for a warning.
    if (!figures.areBytesKnown()) continue;
    const int64_t moved =
        figures.sectors.most * static_cast<int64_t>(defaultDevice().sector);
    if (figures.wastedBytes.most <= moved / 2) continue;
    llvm::outs() << path << ':' << access.place.line << ':'
                 << access.place.column << ": warning: this load moves "
                 << moved << " bytes and uses "
                 << moved - figures.wastedBytes.most << " of them\n";
  }
}

}  // namespace

int main(int argc, char **argv) {
  kernels::ReadOptions options;
  int64_t grid = 0, warps = 4;
  const bool areNumbers =
      argc >= 2 && argc <= 4 &&
      (argc < 3 || !llvm::StringRef(argv[2]).getAsInteger(10, grid)) &&
      (argc < 4 || !llvm::StringRef(argv[3]).getAsInteger(10, warps));
  if (!areNumbers) {
    llvm::errs() << "usage: kernel_warnings KERNEL [GRID [WARPS]]\n";
    return 2;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 1;
  }
  options.path = argv[1];
  // LLVM's IR may say both itself.
  if (argc > 2) options.grid = {grid, 1, 1};
  options.warps = warps;
  const auto kernels = readKernels((*file)->getBuffer(), options);
  if (!kernels.ok()) {
    llvm::errs() << argv[1] << ": " << std::string(kernels.status().message())
                 << '\n';
    return 1;
  }
  for (const kernels::TritonKernel &kernel : *kernels) warn(kernel, argv[1]);
  return 0;
}
