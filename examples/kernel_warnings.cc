// Warns at the line of each load of a Triton kernel that wastes more than half
// of what it moves.
//
//   bazel run //examples:kernel_warnings -- KERNEL.ttir GRID [WARPS]
//
//   column.ttir:9:10: warning: this load moves 4096 bytes and uses 512 of them

#include <string>

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/import/triton/read.h"

using namespace indexical;

int main(int argc, char **argv) {
  int64_t grid = 0, warps = 4;
  const bool areNumbers =
      argc >= 3 && !llvm::StringRef(argv[2]).getAsInteger(10, grid) &&
      (argc < 4 || !llvm::StringRef(argv[3]).getAsInteger(10, warps));
  if (!areNumbers) {
    llvm::errs() << "usage: kernel_warnings KERNEL.ttir GRID [WARPS]\n";
    return 2;
  }
  auto file = llvm::MemoryBuffer::getFile(argv[1]);
  if (!file) {
    llvm::errs() << argv[1] << ": " << file.getError().message() << '\n';
    return 1;
  }
  kernels::ReadOptions options;
  options.path = argv[1];
  options.grid = {grid, 1, 1};
  options.warps = warps;
  absl::StatusOr<kernels::TritonKernel> kernel =
      kernels::parseKernel((*file)->getBuffer(), options);
  if (!kernel.ok()) {
    llvm::errs() << argv[1] << ": " << std::string(kernel.status().message())
                 << '\n';
    return 1;
  }
  TrafficMeter meter(defaultDevice());
  const kernels::MeasuredTraffic measured = kernels::measure(
      *kernel, kernels::BufferSizes(kernel->arguments.size()), meter);
  for (size_t i = 0; i < kernel->accesses.size(); ++i) {
    const kernels::KernelAccess &access = kernel->accesses[i];
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
    llvm::outs() << argv[1] << ':' << access.place.line << ':'
                 << access.place.column << ": warning: this load moves "
                 << moved << " bytes and uses "
                 << moved - figures.wastedBytes.most << " of them\n";
  }
  return 0;
}
