// The report of the command `kernel`, as text and as data (formats.md).
#ifndef INDEXICAL_TOOLS_KERNEL_REPORT_H
#define INDEXICAL_TOOLS_KERNEL_REPORT_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "indexical/analysis/kernel/checks.h"
#include "indexical/analysis/kernel/comparison.h"
#include "indexical/analysis/kernel/shared_conflicts.h"
#include "indexical/analysis/kernel/thread_accesses.h"
#include "indexical/analysis/launch/predicted_time.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/kernel/kernel.h"
#include "indexical/ops/shape.h"
#include "indexical/tools/result.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

/// How much of a kernel and its fusion is the same. Each level implies those
/// before it.
enum class SamenessLevel : uint8_t { Tiles, Values };

struct KernelFindings {
  kernels::Kernel kernel;
  std::string text;         ///< of the kernel, for its page
  int64_t launch = -1;      ///< the number in a record, or -1
  std::string instruction;  ///< the custom call with it, or ""
  kernels::MeasuredTraffic traffic;
  std::vector<kernels::BoundsCheck> bounds;  ///< one for each access
  /// One for each access of shared memory.
  std::vector<std::optional<layouts::AccessFigures>> shared;
  kernels::OnceCheck once;
  std::optional<kernels::FusionComparison> comparison;
  SamenessLevel level = SamenessLevel::Values;    ///< that is asked for
  std::vector<std::optional<ArrayShape>> arrays;  ///< of arguments, if known
  TrafficSums sums;
  std::optional<PredictedTime> time;
  std::optional<Demand> demand;  ///< if there is a time

  /// Returns the worst answer of all accesses, which is at least undecided if
  /// the kernel is incomplete.
  kernels::BoundsCheck worstBounds() const;
  /// Returns the exit status: 3 if an access is outside, an element is written
  /// twice, or the verdict is `different`; 4 if something is undecided, or the
  /// verdict is below the level that is asked for; else 0.
  int status() const;
};

class KernelResult : public Result {
 public:
  KernelResult(const KernelFindings &found, const Device &device)
      : found_(found), device_(device) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;
  /// kernel_page.cc
  void section(llvm::raw_ostream &os, llvm::StringRef anchor) override;

 private:
  /// Writes the origin of the kernel, if it is in another text.
  void writeSource(llvm::json::OStream &json) const;
  void writeHead(llvm::json::OStream &json) const;
  void writeAccesses(llvm::json::OStream &json) const;
  void writeAccess(size_t number, llvm::json::OStream &json) const;
  void writeShared(llvm::json::OStream &json) const;
  void writeSharedText(llvm::raw_ostream &os) const;
  void writeSummaryText(llvm::raw_ostream &os) const;
  void writeAccessText(size_t number, llvm::raw_ostream &os) const;

  const KernelFindings &found_;
  const Device &device_;
};

/// Returns the element of a witness and the size of its buffer: `256 of 200`.
std::string outsideText(const kernels::BoundsCheck::Witness &witness);

/// Returns the columns of the table: the members that an access can have, in
/// order.
std::vector<llvm::StringRef> kernelColumns();

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_KERNEL_REPORT_H
