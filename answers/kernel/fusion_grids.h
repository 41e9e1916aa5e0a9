// The grid of a fusion that Triton compiles, by its configuration.
//
//   d = bf16[28672,16] dot(a, b), "block_m":"128", "block_n":"16"
//     224 x 1 blocks, whether the fusion transposes d or not
//   softmax of f32[128,8,128], tiles of 1 x 1 x 128
//     1024 blocks
//
// The code of such a kernel says its threads, and no blocks.
#ifndef INDEXICAL_ANSWERS_KERNEL_FUSION_GRIDS_H
#define INDEXICAL_ANSWERS_KERNEL_FUSION_GRIDS_H

#include <cstdint>
#include <optional>
#include <vector>

#include "indexical/program/module/program.h"

namespace indexical {

/// Returns the warps of a product of matrices, `"num_warps": "4"`; nothing if
/// the instruction's configuration has none.
std::optional<int64_t> warpsOfProduct(const Instruction &instruction);

/// Returns the grid of a product of matrices: a block a tile of the product
/// along x, and one a matrix along y. Returns an empty grid if the instruction
/// is no such fusion, or sums are split over blocks.
std::vector<int64_t> gridOfProduct(const Module &module,
                                   const Instruction &instruction);

/// Returns the grid of a product, or of a fusion whose configuration has tiles
/// of its results; an empty one if it has neither.
std::vector<int64_t> gridOfFusion(const Module &module,
                                  const Instruction &instruction);

}  // namespace indexical

#endif  // INDEXICAL_ANSWERS_KERNEL_FUSION_GRIDS_H
