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
//
// Threads are those of XLA:GPU's emitters (launch_plan.h), or linear ones:
//
//   kernel                          index space and threads
//   any                             its result, in the order of the layout
//   a reduction along the most      its operand, a warp a row; in a fusion,
//   minor dimensions, and perhaps   what lies behind the reduction, once (but
//   the most major ones             not in a loop fusion, which repeats it)
//   a dynamic-update-slice in       its update; the operand is not read
//   place
//
// Whoever has threads of his own says so with a LaunchChoice, and so does
// whoever wants XLA's.
#ifndef INDEXICAL_ANALYSIS_LAUNCH_KERNELS_H
#define INDEXICAL_ANALYSIS_LAUNCH_KERNELS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/analysis/launch/launch_plan.h"
#include "indexical/analysis/memory/access.h"
#include "indexical/analysis/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/program.h"
#include "indexical/program/program_indexing.h"

namespace indexical {

/// Where an access is made: in the computation of a fusion, else the kernel;
/// and when.
struct KernelUser {
  int32_t computation = 0, instruction = 0;
  Phase phase = Phase::Read;
  /// Triton's: from a block and the loops over its tile to the buffer, which is
  /// what is known; and from the index space of the root. (The access goes by
  /// threads that are taken to divide the tile.)
  std::optional<IndexingMap> tile = {};
  IndexingRelation fromRoot = {};
};

/// Whose threads a kernel has.
enum class LaunchModel : uint8_t {
  Linear,
  Xla,
  Own,  ///< by a thread map of somebody's own
};

/// Its buffers are the leaves of its operands, then those of its results; the
/// place of an access is a number in `users`.
struct Kernel : KernelAccesses {
  int32_t computation = 0, instruction = 0;
  /// False in a while of unknown trips: its body is taken to run once, its
  /// condition twice.
  bool tripsKnown = true;
  /// Not all ways were followed, there are too many.
  bool complete = true;
  size_t operandLeaves = 0;
  std::vector<KernelUser> users;

  LaunchModel model = LaunchModel::Linear;
  /// What XLA's launch is. Where `reason` is not empty, it says why no more is
  /// known than the bytes.
  std::optional<Emitter> emitter;
  std::optional<Grid> grid;
  std::string reason;

  /// Threads that somebody has, in place of the launch's.
  void launchByOwn(const IndexingMap &threads) {
    launchBy(threads);
    model = LaunchModel::Own;
  }

  const KernelUser &userOf(const MemoryAccess &access) const {
    return users[access.place];
  }
  /// The number of the operand's leaf that is read, or the result's that is
  /// written.
  int64_t leafOf(const MemoryAccess &access) const {
    return access.buffer < operandLeaves ? access.buffer
                                         : access.buffer - operandLeaves;
  }
};

/// From the six ids and the loops to the index in the array of the access;
/// where a program takes a tile at once, from its block and the loops over the
/// tile. `threads` is the thread map of the access's launch.
absl::StatusOr<IndexingRelation> threadsInArray(const Kernel &kernel,
                                                const MemoryAccess &access,
                                                const IndexingMap &threads);

/// An instruction that is a kernel, and how often it runs.
struct KernelSite {
  int32_t computation = 0, instruction = 0;
  int64_t trips = 1;
  bool tripsKnown = true;
};
/// Those of the module's entry and of what it runs, in the order of the
/// computations; of a snippet, those of all computations. Of a computation that
/// is called several times they are there as often. A million at most: with
/// more, these are the first ones, and `end`, if there, says where they end.
std::vector<KernelSite> kernelSites(const Module &module,
                                    absl::Status *end = nullptr);
/// Whether the instruction would be one, were it run.
bool isKernel(const Instruction &instruction);

/// Threads and an index space other than the linear ones.
struct LaunchChoice {
  /// The threads of all launches. A fusion's then go through the index space
  /// of its root, whatever its kind; those of a reduction by itself through
  /// that of its operand or of its result, whichever has as many dimensions as
  /// the map has results.
  std::optional<IndexingMap> threads;
  /// The instruction, of the computation that the kernel calls, whose index
  /// space the threads go through; what that reads is all there is. Empty: as
  /// above.
  std::string space;
  /// XLA's launch on this device, where neither threads nor space are given.
  const Device *xla = nullptr;
};

/// What the kernel at that site reads and writes. An error where a map fails,
/// where there is no such space, or where the threads do not go with it.
absl::StatusOr<Kernel> kernelAt(ProgramIndexing &maps, const KernelSite &site,
                                const LaunchChoice &choice = {});

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_LAUNCH_KERNELS_H
