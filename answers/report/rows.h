// The rows of a report: the selected reads and writes of a module's kernels,
// their order, and their sums.
//
//   --filter=op_name=*transpose*   reads and writes whose op_name matches
//   --sort=moved                   the kernels that move most first
//   --group=pattern                the kernels' reads and writes by pattern
//
// Filters and groups take the same keys. A key has a name, and a function that
// returns the value of a read or write under that name. A new key is one line
// of the table in rows.cc, and so is a new key for sorting.
#ifndef INDEXICAL_ANSWERS_REPORT_ROWS_H
#define INDEXICAL_ANSWERS_REPORT_ROWS_H

#include <array>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/GlobPattern.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/sums.h"
#include "indexical/cost/memory/device.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// A key by which reads and writes can be grouped or filtered.
struct RowKey {
  llvm::StringRef name;
  bool groups;  ///< whether `--group` takes it, too
  std::string (*of)(const KernelNames &names, const AccessRow &row);
};
llvm::ArrayRef<RowKey> rowKeys();
/// The key of arrays that pass from kernel to kernel. Each of its groups is an
/// array that one kernel writes and others read, in one computation.
inline constexpr llvm::StringLiteral kArrayKey = "array";
const RowKey *findRowKey(llvm::StringRef name);

/// A row of a kernel, or of kernels that share one change (ranking.h): the
/// first of them with its reads and writes, and the sums of all.
struct KernelRow {
  const KernelCost *kernel = nullptr;
  std::vector<const KernelCost *> others;
  std::vector<const Traffic *> reads, writes;
  TrafficSums sums;
};

/// Returns whether the bytes of all accesses of the row are known.
bool areBytesKnown(const KernelRow &row);

/// A key by which kernels and groups can be sorted, the largest first.
struct SortKey {
  llvm::StringRef name;
  double (*of)(const TrafficSums &sums);  ///< null: by name
};
llvm::ArrayRef<SortKey> sortKeys();
const SortKey *findSortKey(llvm::StringRef name);

struct RowFilter {
  const RowKey *key;
  std::shared_ptr<const std::string> text;  ///< the text of the glob
  llvm::GlobPattern glob;
};
/// Returns the filter of a text such as `op_name=*dot*`. The message of an
/// error states the valid form: "KEY=GLOB, where the key is one of …".
absl::StatusOr<RowFilter> rowFilterOf(llvm::StringRef text);

/// The choice of kernels, or groups, as rows, and their order.
struct RowChoice {
  const SortKey *sort = nullptr;  ///< null: `wasted`
  const RowKey *group = nullptr;
  std::vector<RowFilter> filters;
  int64_t leastWasted = 0;    ///< for certain, by a kernel or a group
  std::optional<size_t> top;  ///< the most kernels or groups shown
  /// Whether the caller left `top` out: a ranking then ends at 1%, too.
  bool isUsualTop = false;
  bool alikeTogether = false;  ///< one row for one change
  bool isMeasured = false;     ///< whether times are those of a profile
  /// Whether the list ends at kernels that take less than 1% of the time.
  bool endsAtLittle = false;
  /// Whether the rows of changes are wanted beside those of kernels: those that
  /// people see, without `each`.
  bool ranks = false, ranksEach = false;
};

struct GroupRow {
  std::string name;
  TrafficSums sums;
  size_t kernels = 0, accesses = 0;
  const KernelCost *worst = nullptr;  ///< the first of those that waste most
  TrafficSums ofWorst;                ///< its bytes in the group
  /// The kernels that write to the group, and those that read it, in the order
  /// of the rows. With `--group=array`, also the array.
  std::vector<const KernelCost *> writers, readers;
  std::optional<ArrayShape> array = {};
};

struct SelectedRows {
  /// The selected kernels, sorted. With filters, a kernel is left out if they
  /// select none of its reads and writes.
  std::vector<KernelRow> kernels;
  std::vector<GroupRow> groups;     ///< sorted; empty without a group
  TrafficSums reads, writes, sums;  ///< of the kernels taken
  TrafficSums all;                  ///< of all kernels
  size_t kernelCount = 0;           ///< of the kernels that the filters take
  size_t groupCount = 0;
  size_t bytesOnly = 0;    ///< kernels with Kernel::bytesOnly
  size_t openKernels = 0;  ///< kernels whose bytes are not known
  size_t alternatives = 0;  ///< kernels with KernelCost::isAlternative
  /// Whether `sums.time` is a lower bound: a kernel has no time, or one that is
  /// a lower bound itself.
  bool isTimeLeast = false;
  /// The predicted microseconds of all kernels, whatever the filters.
  double predicted = 0;
  TimeUses uses;  ///< uses of the time of these kernels
  /// Their time by what they do.
  std::array<TimePart, kWorkKinds> work = {};
  size_t shown = 0;   ///< the most kernels, or groups, to be shown
  size_t little = 0;  ///< rows that the list ends before: each has little time
  /// The rows of changes, and how many of them are listed; none if they are not
  /// wanted.
  std::vector<KernelRow> ranking;
  size_t ranked = 0;
  bool isRanked = false;  ///< whether they are wanted
};

/// Sorts kernels by the key, the largest first. Kernels with equal values come
/// in the order of their time, if the key is one of times, and of their bytes.
void sortRows(const KernelNames &names, const SortKey *key,
              std::vector<KernelRow> &rows);

/// Instructions of one op and one source line that are not kernels yet.
struct ListedRow {
  std::string op, source;  ///< the opcode; the line, else op_name
  size_t instructions = 0;
  const KernelRow *worst = nullptr;  ///< the first of them
};
/// Returns the entries for the rows, in the order of their first rows.
std::vector<ListedRow> listByOpAndSource(const KernelNames &names,
                                         const SelectedRows &rows);

/// Adds to the sums of a kernel what its cost does not have: a profile's times,
/// or what it receives.
using AddSums = std::function<void(const KernelCost &, TrafficSums &)>;
SelectedRows select(const KernelNames &names,
                    const std::vector<KernelCost> &kernels,
                    const RowChoice &choice, const AddSums &addSums = {});

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_ROWS_H
