// How the accesses of a kernel are found: from its results down along every
// way, private to cost/launch.
#ifndef INDEXICAL_COST_LAUNCH_KERNEL_ACCESSES_H
#define INDEXICAL_COST_LAUNCH_KERNEL_ACCESSES_H

#include <cstdint>
#include <optional>

#include "absl/status/status.h"

#include "indexical/cost/launch/kernels.h"
#include "indexical/program/maps/program_indexing.h"

namespace indexical {

/// Adds launches, buffers, reads and writes as the plan has them.
absl::Status addPlannedAccesses(ProgramIndexing &maps, const FusionBody &body,
                                const LaunchPlan &plan, const Device &device,
                                Kernel &kernel);

/// Adds launches, buffers, reads and writes of the instruction that `kernel`
/// names. If `from` is given, adds only the reads, from the index space of that
/// instruction: one of the computation that a fusion calls, or else the
/// kernel's own number, which means its result.
absl::Status addAccesses(ProgramIndexing &maps,
                         std::optional<InstructionId> from, Kernel &kernel);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_KERNEL_ACCESSES_H
