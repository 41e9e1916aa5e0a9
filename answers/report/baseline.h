// Comparison with an earlier report: which kernels became better or worse.
//
//   then   {"instruction": "fusion.3", "op_name": "jit(f)/dot", "shapes":
//           ["f32[8,4]{1,0}"], "wasted_bytes": 4096, …}
//   now    fusion.7, jit(f)/dot, f32[8,4]{1,0}: the same kernel
//
// A compiler numbers its instructions anew, so a kernel is found by its op_name
// and the shapes of its results. If several kernels have these, those of one
// instruction name are matched first, then the rest in their order.
#ifndef INDEXICAL_ANSWERS_REPORT_BASELINE_H
#define INDEXICAL_ANSWERS_REPORT_BASELINE_H

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/sums.h"

namespace llvm::json {
class Object;
}

namespace indexical {

struct OldKernel {
  std::string instruction, opName;
  std::vector<std::string> shapes;
  TrafficSums sums;
  int64_t used = 0;  ///< bytes, as the earlier report had them
  /// Microseconds of a launch in a profile: the median, and the least.
  std::optional<double> measured = {}, measuredLeast = {};
  /// The predicted microseconds of a launch, and how often it runs.
  std::optional<double> predicted = {};  ///< as a report writes them
  int64_t trips = 1;
  /// Microseconds of all trips, or launches, that a change could save.
  std::optional<double> avoidable = {};

  /// Returns the predicted microseconds of all trips.
  std::optional<double> allTrips() const {
    if (!predicted) return std::nullopt;
    return *predicted * static_cast<double>(trips);
  }
};

/// How the time of a launch changed. A difference that the clock's step and the
/// spread of the launches explain does not count.
enum class TimeChange : uint8_t { None, Slower, Faster };
/// Returns how the time changed, or None if `then` has no time. `now` and
/// `nowLeast` are the median and the least, `step` is the step of the clock;
/// all in microseconds.
TimeChange changeOf(const OldKernel &then, double now, double nowLeast,
                    double step);

struct OldReport {
  std::string file;  ///< empty: the report named one file
  std::vector<OldKernel> kernels;
};

/// Parses the output of `report` as JSON or as JSON lines, for one file or
/// several. Returns an error, with its line, for any other text.
absl::StatusOr<std::vector<OldReport>> readBaseline(llvm::StringRef text);

/// Returns the reports of a document of `report`, or an error if it is not one.
absl::StatusOr<std::vector<OldReport>> baselineOf(
    const llvm::json::Object &document);

/// Returns the report about that file, else the only report, or null.
const OldReport *reportAbout(llvm::ArrayRef<OldReport> reports,
                             llvm::StringRef file);

struct Comparison {
  std::shared_ptr<const OldReport> then;
  llvm::DenseMap<const KernelCost *, const OldKernel *> was;
  std::vector<const OldKernel *> gone;
  size_t better = 0, worse = 0, added = 0;
  int64_t wastedLess = 0, wastedMore = 0;  ///< bytes, over `better` and `worse`
  // The kernels of two profiles that became slower or faster, and by how many
  // microseconds a launch.
  size_t slower = 0, faster = 0;
  double slowerBy = 0, fasterBy = 0;
  /// Microseconds of the kernels that have them in both reports: as they were,
  /// and as they are.
  struct Times {
    size_t kernels = 0;
    double was = 0, now = 0;

    void add(double then, double today) {
      ++kernels;
      was += then;
      now += today;
    }
  };
  Times predicted;  ///< of all trips
  Times avoidable;  ///< of all trips, or launches
  /// The kernel that became slower by the largest part of its time.
  struct Slower {
    const KernelCost *kernel = nullptr;
    double was = 0, now = 0;  ///< microseconds of a launch
    double percent = 0;
  };
  std::optional<Slower> slowest;

  /// Adds the times of a kernel in both profiles, as changeOf() takes them.
  void addTimes(const KernelCost &kernel, const OldKernel &then, double now,
                double nowLeast, double step);
};

/// Compares bytes; addTimes() and the sums of times are the caller's.
Comparison compare(const KernelNames &names,
                   const std::vector<KernelCost> &kernels,
                   std::shared_ptr<const OldReport> then);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_BASELINE_H
