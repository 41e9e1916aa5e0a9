// The reads and writes of kernels, for people and for tools (keys.md,
// section 4).
#ifndef INDEXICAL_WRITERS_REPORT_H
#define INDEXICAL_WRITERS_REPORT_H

#include <cstddef>
#include <cstdint>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/raw_ostream.h"

#include "indexical/answers/report/report.h"
#include "indexical/cost/memory/device.h"
#include "indexical/writers/result.h"

namespace indexical {

/// A report, and how it is shown.
struct ReportView {
  const Report &report;
  bool ownThreads = false;         ///< a thread map was given
  bool showsStacks = false;        ///< for people: all frames of a source line
  llvm::StringRef groupedBy = "";  ///< the name of the key; empty: no groups
  llvm::StringRef baseline = "";   ///< the name of the earlier report
  /// For people: one kernel with all of its figures, or a table.
  enum class Text : uint8_t { Kernel, Ranking };
  Text asText = Text::Ranking;
  size_t jobs = 1;  ///< the number of threads that write

  const KernelNames names{*report.program};
  const Device &device = report.device();
};

/// The selected rows of a report. As a table, kernels are their reads and
/// writes.
class ReportResult : public Result {
 public:
  explicit ReportResult(const ReportView &view) : view_(view) {}

  void text(llvm::raw_ostream &os, TextStyle style) override;
  void structure(Structure &to) override;
  void rows(Row row) override;
  void page(Structure &to, PageData &data) override;

 private:
  const SelectedRows &selected() const { return view_.report.rows; }

  const ReportView view_;
};

/// Writes the device that the figures are for, or each of several with its
/// modules, and what says so.
void writeDevice(const ReportView &view, llvm::raw_ostream &os);
/// Writes one kernel, with all of its figures.
void writeKernelText(const ReportView &view, const KernelRow &row,
                     llvm::raw_ostream &os);
/// Writes the table of kernels or of groups, in the width of the terminal.
void writeRankingText(const ReportView &view, llvm::raw_ostream &os);

/// Writes the uses of time, a line for each. `whole` is the microseconds of all
/// kernels.
void writeUsesText(const TimeUses &uses, double whole, llvm::raw_ostream &os);

/// Writes the reads and writes of a kernel that waste bytes, the worst first.
void writeWastingAccesses(const ReportView &view, const KernelRow &row,
                          llvm::raw_ostream &os);
/// Writes the table of a profile.
void writeProfileText(const ReportView &view, llvm::raw_ostream &os);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_REPORT_H
