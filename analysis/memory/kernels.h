// Kernels: what of a module a GPU launches, and what each launch reads.
//
//   ENTRY e { p = f32[64,128] parameter(0)
//             t = f32[128,64] transpose(p), dimensions={1,0}
//             ROOT r = f32[128,64] fusion(t, p), kind=kLoop, calls=f }
//
//   t    threads: linear over f32[128,64]     reads p: (d0, d1) -> (d1, d0)
//   r    threads: linear over f32[128,64]     reads t, p: as f composes them
//
// A kernel is an instruction of the entry, or of a computation that it calls,
// branches into or loops over; not parameters, constants, tuples, their
// elements, bitcasts, and what only waits or orders (`…-done`, after-all,
// opt-barrier…). What libraries or several launches do (custom calls, dots,
// convolutions, collectives, sorts, scatters, batch norms…) shows its bytes
// only.
//
// Each use of an operand along each way to it is a read; equal ones count once.
// Where a kernel is no loop fusion, a reduction along the most minor
// dimensions, and perhaps the most major ones, begins an index space of its
// own: that of its operand, a warp a row, which is gone through once. A
// dynamic-update-slice in place goes through its update, and does not read its
// operand.
#ifndef INDEXICAL_ANALYSIS_MEMORY_KERNELS_H
#define INDEXICAL_ANALYSIS_MEMORY_KERNELS_H

#include <cstdint>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/indexing/relation.h"
#include "indexical/ops/shape.h"
#include "indexical/program/program.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

/// How the threads of a launch go through an index space.
enum class ThreadOrder : uint8_t {
  Linear,  ///< linearThreads
  Rows,    ///< rowThreads, one row a warp
};

struct KernelSpace {
  ArrayShape shape;  ///< the layout counts
  ThreadOrder order = ThreadOrder::Linear;
  int64_t rowDimensions = 0;  ///< of Rows
  bool operator==(const KernelSpace &o) const {
    return order == o.order && rowDimensions == o.rowDimensions &&
           shape.dimensions == o.shape.dimensions &&
           shape.layout == o.shape.layout;
  }
};

struct KernelAccess {
  size_t space = 0;      ///< number in `spaces`
  int64_t leaf = 0;      ///< of the kernel's operands, or of its results
  IndexingRelation map;  ///< from the space to the operand or result
  ArrayShape shape;      ///< of the operand or result
  /// Where it is read: in the computation of a fusion, else the kernel.
  int32_t userComputation = 0, user = 0;
};

struct Kernel {
  int32_t computation = 0, instruction = 0;
  int64_t trips = 1;
  bool tripsKnown = true;  ///< false: in a while of unknown trips, taken for 1
  bool bytesOnly = false;
  /// Not all ways were followed, there are too many.
  bool complete = true;
  std::vector<KernelSpace> spaces;
  std::vector<KernelAccess> reads, writes;
};

/// An instruction that is a kernel, and how often it runs.
struct KernelSite {
  int32_t computation = 0, instruction = 0;
  int64_t trips = 1;
  bool tripsKnown = true;
};
/// Those of the module's entry and of what it runs, in the order of the
/// computations; of a snippet, those of all computations.
std::vector<KernelSite> kernelSites(const Module &module);
/// Whether the instruction would be one, were it run.
bool isKernel(const Instruction &instruction);

/// What the kernel at that site reads and writes. An error where a map fails.
absl::StatusOr<Kernel> kernelAt(ProgramIndexing &maps, const KernelSite &site);

/// Reads of the kernel composed from the index space of one instruction of the
/// fusion's computation, whatever the fusion's kind; of a kernel that is none,
/// from its own result where `root` is its own number. -1: as kernelAt does.
/// For thread maps of somebody's own.
absl::StatusOr<Kernel> kernelFrom(ProgramIndexing &maps, const KernelSite &site,
                                  int32_t root);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_KERNELS_H
