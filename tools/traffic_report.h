// What kernels read and write, for people and for tools (formats.md, section
// 4).
#ifndef INDEXICAL_TOOLS_TRAFFIC_REPORT_H
#define INDEXICAL_TOOLS_TRAFFIC_REPORT_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/kernels.h"
#include "indexical/analysis/memory/traffic.h"
#include "indexical/program/program.h"

namespace indexical {

struct MeasuredKernel {
  size_t module = 0;
  Kernel kernel;
  KernelTraffic traffic;
};

struct TrafficView {
  const Program &program;
  const Device &device;
  bool ownThreads = false;  ///< a thread map was given
  /// The most kernels to show; all where there is nothing.
  std::optional<size_t> top;
};

/// One document: every kernel, in the order that is given.
void writeTrafficJson(const TrafficView &view,
                      const std::vector<MeasuredKernel> &kernels,
                      llvm::raw_ostream &os);

/// One kernel with all of its figures.
void writeKernelText(const TrafficView &view, const MeasuredKernel &kernel,
                     llvm::raw_ostream &os);

/// The table of a module's kernels, ranked already; lines of up to 80 columns,
/// but for names.
void writeRankingText(const TrafficView &view,
                      const std::vector<MeasuredKernel> &kernels,
                      llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_REPORT_H
