// The reads and writes of kernels, for people and for tools (formats.md,
// section 4).
#ifndef INDEXICAL_TOOLS_TRAFFIC_REPORT_H
#define INDEXICAL_TOOLS_TRAFFIC_REPORT_H

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/module/program.h"
#include "indexical/tools/alike_kernels.h"
#include "indexical/tools/baseline.h"
#include "indexical/tools/communication_report.h"
#include "indexical/tools/profile_report.h"
#include "indexical/tools/result.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

struct TrafficView {
  const KernelNames names;
  const Device &device;
  bool ownThreads = false;         ///< a thread map was given
  bool showsStacks = false;        ///< for people: all frames of a source line
  llvm::StringRef groupedBy = "";  ///< the name of the key; empty: no groups
  /// The comparison with an earlier report, or null; `baseline` is its name.
  const Comparison *comparison = nullptr;
  /// The measurements of a profile, or null.
  const ProfileView *profile = nullptr;
  double clockStep = 0;  ///< microseconds, of the profile's clock
  llvm::StringRef baseline = "";
  /// For people: one kernel with all of its figures, or a table.
  enum class Text : uint8_t { Kernel, Ranking };
  Text asText = Text::Ranking;
  /// For a ranking: whether every module is scheduled, and whether its
  /// instructions count as kernels, which have a sum.
  std::optional<bool> scheduled = std::nullopt;
  bool areKernels = true;
  /// The traffic between devices; null if it was not requested.
  const Communication *communication = nullptr;
  size_t jobs = 1;  ///< the number of threads that write
  std::shared_ptr<AlikeTexts> texts = std::make_shared<AlikeTexts>();
};

/// The selected rows. As a table, they are their reads and writes.
class TrafficResult : public Result {
 public:
  TrafficResult(const TrafficView &view, const SelectedRows &rows)
      : view_(view), rows_(rows) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;
  void page(Structure &to, PageData &data) override;

 private:
  const TrafficView view_;
  const SelectedRows &rows_;
};

/// Writes the members of an access that has figures: its bytes, its pattern and
/// its remedy.
void writeFigures(const Traffic &traffic, const Device &device,
                  llvm::json::OStream &json);

/// Writes one kernel, with all of its figures.
void writeKernelText(const TrafficView &view, const KernelRow &row,
                     llvm::raw_ostream &os);
/// Writes the table of kernels or of groups, in the width of the terminal.
void writeRankingText(const TrafficView &view, const SelectedRows &rows,
                      llvm::raw_ostream &os);

/// Writes the uses of time, a line for each. `whole` is the microseconds of all
/// kernels.
void writeUsesText(const TimeUses &uses, double whole, llvm::raw_ostream &os);

/// Writes the reads and writes of a kernel that waste bytes, the worst first.
void writeWastingAccesses(const TrafficView &view, const SelectedRows &rows,
                          const KernelRow &row, llvm::raw_ostream &os);

/// Returns the maps from thread and block to the array of an access, or nothing
/// if there are none.
std::optional<IndexingRelation> threadsOf(const MeasuredKernel &kernel,
                                          const MemoryAccess &access);

/// Returns the table's columns: the members that a read or write can have, in
/// order.
std::vector<llvm::StringRef> trafficColumns();

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_TRAFFIC_REPORT_H
