// Bytes and times that are summed: of an access, of a kernel in all its trips,
// of a group of them.
#ifndef INDEXICAL_ANSWERS_REPORT_SUMS_H
#define INDEXICAL_ANSWERS_REPORT_SUMS_H

#include <cstdint>

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

/// Bytes that are moved and wasted, at most and at least. A sum that overflows
/// stays at the largest number.
struct TrafficSums {
  int64_t moved = 0;   ///< bytes of the sectors touched, at most
  int64_t wasted = 0;  ///< bytes of sectors beyond the fewest, at most
  int64_t movedLeast = 0, wastedLeast = 0;
  /// The bytes that orders and limits use: the least if every access is made
  /// (AccessFigures::least).
  int64_t movedSure = 0, wastedSure = 0;
  /// Microseconds of kernels; 0 for a single access.
  double time = 0;
  /// Only for kernels: microseconds of all trips beyond the ideal, or, with a
  /// profile, of all launches.
  double lost = 0;
  /// Only for kernels: microseconds that a change could save (avoidable.h).
  double avoidable = 0;
  /// Only for kernels, with a profile: microseconds of all launches, and the
  /// ratio of predicted to measured time.
  double measured = 0, ratio = 0;
  /// Only for kernels, in all trips: multiplications and additions of products,
  /// and updates of scatters that may meet.
  double operations = 0, atomics = 0;
  /// Only for a collective: the bytes that the device that receives most
  /// receives in all trips.
  double received = 0;

  /// Returns the bytes of the fewest sectors: moved = used + wasted.
  int64_t used() const { return moved - wasted; }
  /// Returns whether the bytes are numbers, and not bounds.
  bool areKnown() const { return moved == movedLeast && wasted == wastedLeast; }
  void add(const TrafficSums &other);
};
/// Returns the sums of one access in one launch. Without figures, all bytes of
/// the array count as moved and as used.
TrafficSums sumsOf(const Traffic &traffic, const Device &device);

/// Returns the sums of one access on its kernel's device, times the trips.
TrafficSums sumsOf(const AccessRow &row);
/// Returns the sums of all reads and writes on the kernel's device, times the
/// trips.
TrafficSums sumsOf(const KernelCost &kernel);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_REPORT_SUMS_H
