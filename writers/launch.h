// The launch of kernels and their times, for people.
//
//   emitter transpose, grid 6 x 1 x 1, block 128 x 1 x 1,
//   shared 1 x 32 x 33 (4224 B, conflicts 1)
#ifndef INDEXICAL_WRITERS_LAUNCH_H
#define INDEXICAL_WRITERS_LAUNCH_H

#include <string>

#include "indexical/answers/report/kernel_cost.h"
#include "indexical/answers/report/report.h"
#include "indexical/answers/report/rows.h"
#include "indexical/writers/report.h"

namespace indexical {

/// Returns `fusion in main, 5 trips`, and the file if the report is of several.
std::string whereText(const Report &report, const KernelCost &kernel);
/// Returns a time as `12.5 us`, `3.1 ms`.
std::string timeOf(double microseconds);
/// Returns `12.5 us, 3.1% of the time (memory), ideal 9 us`, or "" without a
/// time. `whole` is the microseconds of all kernels.
std::string timeText(const KernelCost &kernel, double whole);
/// Returns all parts of the time.
std::string timePartsText(const KernelCost &kernel);

/// Returns "" unless XLA launches the kernel.
std::string launchText(const KernelCost &kernel);

/// Returns whether all are kernels of Triton, whose texts give the threads, or
/// of libraries, whose threads are not known.
bool areOfTriton(const SelectedRows &rows);
/// Says what gives the threads of the kernels: `as XLA:GPU's emitters launch
/// them`. Returns "" if there are no kernels.
std::string threadsText(const ReportView &view);

}  // namespace indexical

#endif  // INDEXICAL_WRITERS_LAUNCH_H
