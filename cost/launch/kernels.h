// Kernels: the instructions of a module that a GPU launches, and the reads of
// each launch.
//
//   ENTRY e { p = f32[64,128] parameter(0)
//             t = f32[128,64] transpose(p), dimensions={1,0}
//             ROOT r = f32[128,64] fusion(t, p), kind=kLoop, calls=f }
//
//   t    threads: linear over f32[128,64]     reads p: (d0, d1) -> (d1, d0)
//   r    threads: linear over f32[128,64]     reads t, p: as f composes them
//
// A kernel is an instruction of the entry, or of a computation that it calls,
// branches into or loops over. Parameters, constants, tuples, their elements,
// bitcasts and ops that only wait or order (`…-done`, after-all, opt-barrier…)
// are not kernels. Only the bytes are known of ops that a library or several
// launches compute (custom calls, dots, convolutions, collectives, sorts,
// scatters, batch norms…).
//
// Each use of an operand along each path to it is a read; equal reads count
// once.
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
// A LaunchChoice gives a kernel other threads, or those of XLA.
#ifndef INDEXICAL_COST_LAUNCH_KERNELS_H
#define INDEXICAL_COST_LAUNCH_KERNELS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"

#include "indexical/cost/launch/launch_plan.h"
#include "indexical/cost/memory/access.h"
#include "indexical/cost/memory/device.h"
#include "indexical/indexing/indexing_map.h"
#include "indexical/program/maps/program_indexing.h"
#include "indexical/program/module/program.h"

namespace indexical {

/// The place and phase of an access: an instruction of a fusion's computation,
/// or else the kernel itself.
struct KernelUser {
  ComputationId computation;
  InstructionId instruction;
  Phase phase = Phase::Read;
  /// For Triton: the map from a block and the loops over its tile to the
  /// buffer, which is all that is known, and the relation from the index space
  /// of the root. (The access itself goes by threads that are assumed to divide
  /// the tile.)
  std::optional<IndexingMap> tile = {};
  IndexingRelation fromRoot = {};
};

/// The kind of threads that a kernel has.
enum class LaunchModel : uint8_t {
  Linear,
  Xla,
  Own,       ///< by a given thread map
  Compiled,  ///< as a compiler left it: LLVM's IR
};

/// A kernel. Its buffers are the leaves of its operands, then those of its
/// results. The place of an access is a number in `users`.
struct Kernel : KernelAccesses {
  ComputationId computation;
  InstructionId instruction;
  /// False in a while loop of unknown trip count: its body is assumed to run
  /// once, and its condition twice.
  bool tripsKnown = true;
  /// False if some paths were not followed, because there are too many.
  bool complete = true;
  size_t operandLeaves = 0;
  std::vector<KernelUser> users;

  LaunchModel model = LaunchModel::Linear;
  /// XLA's launch. If `reason` is not empty, it says why only the bytes are
  /// known.
  std::optional<Emitter> emitter;
  std::optional<Grid> grid;
  std::string reason;

  /// Gives all launches the threads of this map.
  void launchByOwn(const IndexingMap &threads) {
    launchBy(threads);
    model = LaunchModel::Own;
  }

  const KernelUser &userOf(const MemoryAccess &access) const {
    return users[access.place];
  }
  /// Returns the number of the operand's leaf that is read, or of the result's
  /// leaf that is written.
  LeafId leafOf(const MemoryAccess &access) const {
    return LeafId(access.buffer < operandLeaves
                      ? access.buffer
                      : access.buffer - operandLeaves);
  }
};

/// Returns the relation from the three thread ids, the three block ids and the
/// loops to the index in the array of the access. If a program takes a tile at
/// once, it goes from the block ids and the loops over the tile. `threads` is
/// the thread map of the access's launch.
absl::StatusOr<IndexingRelation> threadsInArray(const Kernel &kernel,
                                                const MemoryAccess &access,
                                                const IndexingMap &threads);

/// An instruction that is a kernel, and how often it runs.
struct KernelSite {
  ComputationId computation;
  InstructionId instruction;
  int64_t trips = 1;
  bool tripsKnown = true;
};
/// Returns the kernels of the module's entry and of what it runs. If the module
/// is a snippet, returns those of all computations that nothing calls, and of
/// what they run. The kernels of a computation are listed once for each call of
/// it. An asynchronous start is replaced by the fusion or computation that it
/// starts, and is one kernel if it starts anything else. At most the first
/// million are listed; `end`, if given, is then an error that says where the
/// list ends.
std::vector<KernelSite> kernelSites(const Module &module,
                                    absl::Status *end = nullptr);
/// Returns whether the instruction, if it runs, is launched as a kernel of its
/// own. An asynchronous start counts as one, whatever it starts.
bool isKernel(const Instruction &instruction);

/// Threads and an index space other than the linear ones.
struct LaunchChoice {
  /// The threads of all launches. For a fusion they iterate over the index
  /// space of its root, whatever its kind; for a single reduction, over that of
  /// its operand or of its result, whichever has as many dimensions as the map
  /// has results.
  std::optional<IndexingMap> threads;
  /// An instruction of the computation that the kernel calls: the threads
  /// iterate over its index space, and the kernel has the reads of that
  /// instruction only. Empty: as above.
  std::string space;
  /// The device for XLA's launch. Used if neither `threads` nor `space` is
  /// given.
  const Device *xla = nullptr;
};

/// Returns the kernel at that site, with its reads and writes. Returns an error
/// if a map fails, if the kernel has no instruction `choice.space`, or if the
/// threads do not fit the index space.
absl::StatusOr<Kernel> kernelAt(ProgramIndexing &maps, const KernelSite &site,
                                const LaunchChoice &choice = {});

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_KERNELS_H
