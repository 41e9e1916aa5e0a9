// What kernels read and write, for people and for tools (formats.md, section
// 4).
#ifndef INDEXICAL_TOOLS_TRAFFIC_REPORT_H
#define INDEXICAL_TOOLS_TRAFFIC_REPORT_H

#include <cstdint>
#include <optional>
#include <vector>

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/analysis/memory/kernels.h"
#include "indexical/analysis/memory/traffic.h"
#include "indexical/program/program.h"
#include "indexical/tools/result.h"

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
  /// For people: one kernel with all of its figures, or a table of kernels,
  /// ranked already, in lines of up to 80 columns, but for names.
  enum class Text : uint8_t { Kernel, Ranking };
  Text asText = Text::Ranking;
};

/// Kernels, in the order that is given; as a table, their reads and writes.
class TrafficResult : public Result {
 public:
  TrafficResult(const TrafficView &view,
                const std::vector<MeasuredKernel> &kernels);

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;

 private:
  const TrafficView view_;
  const std::vector<MeasuredKernel> &kernels_;
  llvm::ArrayRef<MeasuredKernel> shown_;
};

/// The table's columns: the members that a read or write can have, in order.
std::vector<llvm::StringRef> trafficColumns();

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_REPORT_H
