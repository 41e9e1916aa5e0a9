// Measures every kernel of a program, on several threads.
//
//   program   entry: k, l, c        three sites
//   threads   k on one, l and c on another
//   kernels   k, l, c, in this order, whichever was measured first
//
// A kernel whose maps fail is left out, with a warning; the others stand.
#ifndef INDEXICAL_TOOLS_MEASURE_KERNELS_H
#define INDEXICAL_TOOLS_MEASURE_KERNELS_H

#include <vector>

#include "absl/status/statusor.h"

#include "indexical/module/program.h"
#include "indexical/tools/command.h"
#include "indexical/tools/traffic_call.h"
#include "indexical/tools/traffic_rows.h"

namespace indexical {

/// Returns the kernels of all modules, in the order of their sites. If the call
/// is ended, returns those that were measured before. Custom calls of Triton
/// kernels have the kernels' traffic, unless the call has threads of its own.
/// For these kernels, computations that nothing runs are added to the program
/// (triton_kernels.h).
absl::StatusOr<std::vector<MeasuredKernel>> measureAll(
    Program &program, const TrafficOptions &options, Call &call);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_MEASURE_KERNELS_H
