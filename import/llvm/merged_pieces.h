// Merges pieces that are one map; private to import/llvm.
//
//   t0 * 8, t0 in [0, 31]  and  t0 * 8, t0 in [32, 63]     t0 * 8, t0 in [0, 63]
//
// A compiler writes a bit of the thread as a choice, which makes two pieces of
// one expression.
#ifndef INDEXICAL_IMPORT_LLVM_MERGED_PIECES_H
#define INDEXICAL_IMPORT_LLVM_MERGED_PIECES_H

#include <vector>

#include "indexical/program/kernel/pieces.h"

namespace indexical::compiled {

/// Returns disjoint maps with the same points: two that differ only in adjacent
/// bounds of one dimension become one.
std::vector<kernels::PointerMap> mergedPieces(
    std::vector<kernels::PointerMap> maps);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_MERGED_PIECES_H
