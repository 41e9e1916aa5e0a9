// Sizes of launches: grids, blocks, vectors, as XLA:GPU chooses them.
//
//   loop over f32[100,200,300] on an A6000     vectors of 4, 128 threads,
//                                              11719 blocks
//   rows of f32[8,2048]                        128 threads a row, 2 rows a
//                                              block, vectors of 2, 8 of them
//
// Names of sizes are those of the shapes that reductions are collapsed to: a, b
// and c (heroes.h).
#ifndef INDEXICAL_COST_LAUNCH_LAUNCH_SIZES_H
#define INDEXICAL_COST_LAUNCH_LAUNCH_SIZES_H

#include <array>
#include <cstdint>
#include <string>

#include "indexical/cost/launch/emitter.h"
#include "indexical/cost/launch/fusion_body.h"
#include "indexical/cost/launch/heroes.h"
#include "indexical/cost/memory/device.h"

namespace indexical {

/// Blocks and threads along x, y and z.
struct Grid {
  std::array<int64_t, 3> blocks = {1, 1, 1}, threads = {1, 1, 1};
};

/// Returns a grid of at least `blocks` blocks: all along x or, if x does not
/// hold them, over the least power of two along y.
Grid splitGrid(int64_t blocks, int64_t threads, const Device &device);

/// Returns the grid of a launch in which a thread takes `unroll` of `elements`
/// elements.
Grid standardGrid(int64_t elements, int64_t unroll, const Device &device);

/// unrollOf() returns the elements of one thread of a loop over the shape, in a
/// kernel of this kind.
enum class UnrollFor : uint8_t { Loop, Scatter };
int64_t unrollOf(const FusionBody &body, const ArrayShape &shape,
                 const Device &device, UnrollFor kind = UnrollFor::Loop);

/// A launch of a reduction. Numbers that it does not have stay 1.
struct ReductionSizes {
  Emitter emitter = Emitter::RowReduction;
  int64_t vector = 1;
  int64_t lanes = 1;     ///< threads along a row
  int64_t rows = 1;      ///< of a block
  int64_t steps = 1;     ///< of a thread along a row, in vectors
  int64_t parts = 1;     ///< blocks along the kept columns
  int64_t partials = 1;  ///< threads that share a kept element
  /// Whether each result is made in one block; else XLA would have split the
  /// reduction in two before.
  bool isWhole = true;
  Grid grid;
};
ReductionSizes reductionSizes(const FusionBody &body,
                              const EmitterChoice &choice,
                              const Device &device);
Emitter reductionEmitter(const FusionBody &body, const EmitterChoice &choice,
                         const Device &device);

/// A launch of a scatter: indices [rows, places], updates [rows, slice].
struct ScatterSizes {
  Emitter emitter = Emitter::Scatter;
  int64_t rows = 1, places = 1, slice = 1;
  int64_t vector = 1;
  int64_t rowsOfWarp = 1;  ///< by indices: indices of a warp
  int64_t indexVector = 1;
  Grid grid;
};
/// Returns the launch of the scatter that is instruction `root` of the body.
/// Returns nothing, and sets `reason`, if its indices are not [rows, places] or
/// its updates not [rows, slice].
std::optional<ScatterSizes> scatterSizes(const FusionBody &body,
                                         InstructionId root,
                                         const Device &device,
                                         std::string &reason);
Emitter scatterEmitter(const FusionBody &body, InstructionId root,
                       const Device &device, std::string &reason);

}  // namespace indexical

#endif  // INDEXICAL_COST_LAUNCH_LAUNCH_SIZES_H
