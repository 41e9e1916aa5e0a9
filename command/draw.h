// The pictures of what maps and instructions read, and of what the lanes of a
// warp touch, for `draw`. command/commands/draw.cc has the other pictures.
//
//   draw_reads.cc   (d0, d1) -> (d1, d0 * 2), at (1, 5)
//   draw_warp.cc    warp 1 of a fusion, of a custom call, of a kernel of Triton
#ifndef INDEXICAL_COMMAND_DRAW_H
#define INDEXICAL_COMMAND_DRAW_H

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "absl/status/statusor.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include "indexical/analysis/memory/device.h"
#include "indexical/answers/kernel/find_kernel.h"
#include "indexical/answers/report/rows.h"
#include "indexical/answers/tiles/tiles.h"
#include "indexical/command/command.h"
#include "indexical/command/read_options.h"
#include "indexical/command/sharding_words.h"
#include "indexical/command/traffic_call.h"
#include "indexical/indexing/diagnostic.h"
#include "indexical/module/program.h"
#include "indexical/pictures/pictures.h"

namespace indexical {

/// The options of a call of `draw`.
struct DrawOptions : ShardingWords {
  std::string computation, instruction, layout;
  std::vector<std::string> layouts;  ///< `layout`, and a second one
  std::optional<std::vector<int64_t>> element;
  std::vector<int64_t> tile, at, dims, operandDims;
  std::vector<StepQuestion> steps;  ///< of a tile of a module
  std::optional<size_t> warp;
  bool worstWarp = false;  ///< in place of the number: the one that wastes most
  const Device *device = &defaultDevice();
  bool deviceIsNamed = false;         ///< by --device
  std::optional<LaunchModel> launch;  ///< nothing: the usual one
  std::vector<std::pair<std::string, int64_t>> runtime;
  ReadOptions readAs;
  KernelQuestion triton;  ///< how a kernel of Triton is launched

  bool isOfModule() const {
    return warp || !sharding.empty() || !instruction.empty() ||
           !computation.empty() || readAs.format != InputFormat::Auto;
  }
};

/// The instruction that is drawn.
struct DrawSubject {
  const Module &module;
  ComputationId computation;
  InstructionId instruction;

  const Computation &where() const { return module.computations[computation]; }
  const Instruction &root() const { return where().instructions[instruction]; }
  std::string title(const ArrayShape &shape) const {
    return root().name.str() + " " + shape.str(/*withLayout=*/true);
  }
  absl::Status error(const absl::Status &status) const {
    return errorAt(root().place, std::string(status.message()));
  }
};

/// Returns the dimensions that an option names, of a space of this rank, which
/// an error calls `space`.
absl::StatusOr<llvm::SmallVector<size_t, 2>> shownOf(
    llvm::ArrayRef<int64_t> dims, size_t rank, llvm::StringRef space);

/// Draws what the maps of the input read at an index.
absl::StatusOr<Picture> drawMaps(const DrawOptions &options, Call &call);
/// Draws what an element or a tile of the instruction reads of its operands.
absl::StatusOr<Picture> drawReads(const DrawOptions &options,
                                  const DrawSubject &subject, Call &call);

/// Draws a warp of an instruction, as the compiler launches it.
absl::StatusOr<Picture> drawWarp(const DrawOptions &options,
                                 const DrawSubject &subject, Call &call);
/// Draws a warp of a kernel of Triton that was measured.
absl::StatusOr<Picture> drawTriton(const DrawOptions &options,
                                   const DrawSubject &subject,
                                   const Measurement &measured);
/// Draws the warp of a kernel in a text of Triton or a record. The function's
/// name and, for a record, the launch choose the kernel.
absl::StatusOr<Picture> drawKernel(const DrawOptions &options, Call &call);

}  // namespace indexical

#endif  // INDEXICAL_COMMAND_DRAW_H
