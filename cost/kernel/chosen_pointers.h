// The traffic of accesses whose pointer is chosen among several arguments;
// private to cost/kernel.
//
//   p = t % 2 == 0 ? a : b;  load p[t]      32 threads
//     a: 16 lanes, 4 sectors     b: 16 lanes, 4 sectors
//     the load: one request of the warp, 32 lanes, 8 sectors
//
// Each argument is a buffer of its own, and is measured alone. Sectors, lines,
// bytes and lanes add up. Requests do not: a warp makes one for all arguments.
#ifndef INDEXICAL_COST_KERNEL_CHOSEN_POINTERS_H
#define INDEXICAL_COST_KERNEL_CHOSEN_POINTERS_H

#include <cstddef>
#include <functional>
#include <optional>
#include <vector>

#include "indexical/cost/kernel/thread_accesses.h"
#include "indexical/cost/memory/traffic.h"
#include "indexical/program/kernel/kernel.h"

namespace indexical::kernels {

/// Returns whether the pointer of the access may be of several arguments, all
/// of which are known.
bool hasChosenPointer(const KernelAccess &access);

/// Replaces each access with a chosen pointer by one for each argument. Returns
/// the earlier number of each access.
std::vector<size_t> splitAccesses(TritonKernel &kernel);

/// Returns the traffic of the kernel's accesses from that of the accesses into
/// which they were split; `earlier` is what splitAccesses() returned.
/// `countsOf(access, part)` returns the figures of the access within its tile,
/// of which accesses and lanes count, or nothing.
MeasuredTraffic joined(
    const TritonKernel &kernel, const std::vector<size_t> &earlier,
    MeasuredTraffic parts,
    const std::function<std::optional<AccessFigures>(
        const KernelAccess &access, const MeasuredAccess &part)> &countsOf);

}  // namespace indexical::kernels

#endif  // INDEXICAL_COST_KERNEL_CHOSEN_POINTERS_H
