// A launch plan: grid, shared tiles, and where the threads of a kernel are in
// its body, phase after phase.
//
//   r = f32[64] reduce(e, zero), dimensions={1}        e = exponential(p)
//   d = f32[64] divide(r, q)                           the root
//
//   visit   phase   index of                  threads
//   1       read    operand 0 of r            rows, lanes along them
//   2       write   d, and no further than r  one lane a row
//
// A visit says which thread has which index of a value of the body. From there
// accesses follow: what makes the value reads parameters; a value that is a
// result is written.
#ifndef INDEXICAL_COST_LAUNCH_LAUNCH_PLAN_H
#define INDEXICAL_COST_LAUNCH_LAUNCH_PLAN_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/SmallVector.h"

#include "indexical/cost/launch/emitter.h"
#include "indexical/cost/launch/launch_sizes.h"
#include "indexical/cost/memory/access.h"
#include "indexical/program/module/program.h"

namespace indexical {

enum class Phase : uint8_t { Read, Write };
/// Returns the phase's name: `read` or `write`.
llvm::StringRef nameOf(Phase phase);

struct Visit {
  Phase phase = Phase::Read;
  /// An instruction of the body, or a parameter of it.
  InstructionId instruction;
  LeafId leaf;  ///< of its result
  /// If given, the index is that of the operand leaf of this number.
  std::optional<LeafId> operand;
  LaunchSpace space;
  /// Instructions that were read in an earlier phase: the visit reads nothing
  /// upstream of them.
  llvm::SmallVector<InstructionId, 2> stops;
  /// The result of the kernel that is written: at the index, or where the
  /// instruction puts that element of its operand.
  std::optional<LeafId> result;
  /// Whether it is known only at run time which of the elements are written.
  bool writesSome = false;
  /// For Triton: the sizes of the tile that a block takes of the space, which
  /// is that of a root. Blocks go along the last dimension first, or
  /// (`goesDown`) down the first.
  llvm::SmallVector<int64_t, 4> tile;
  bool goesDown = false;
  /// How many tiles a block goes through, one after the other.
  int64_t tilesOfBlock = 1;
};

struct LaunchPlan {
  Emitter emitter = Emitter::Unknown;
  /// Why the launch is not known; empty: it is.
  std::string reason;
  Grid grid;
  std::vector<SharedTile> shared;
  std::vector<Visit> visits;
};

/// Adds a tile in shared memory, with the places that threads touch.
absl::Status addTile(LaunchPlan &plan, ArrayShape shape,
                     absl::StatusOr<IndexingMap> written,
                     absl::StatusOr<IndexingMap> read);

/// Returns the plan of the kernel's launch. Returns an error if arithmetic
/// leaves 64 bits.
absl::StatusOr<LaunchPlan> planLaunch(const FusionBody &body,
                                      const Device &device);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_LAUNCH_PLAN_H
