// The blocks that Inductor chooses at run time; private to import/python.
//
//   @pointwise(size_hints={'x': 524288}, …)            XBLOCK 1024, 4 warps
//   @reduction(size_hints={'x': 512, 'r0_': 1024}, reduction_hint=INNER, …)
//                                                 XBLOCK 1, R0_BLOCK 1024
//
// Inductor makes a few configurations by rules, and times them. These are the
// first ones of its rules; for a short row, for which it times several, the one
// with 256 elements per program.
//
// Source: torch/_inductor/runtime/triton_heuristics.py, 2.1 to 2.9.
#ifndef INDEXICAL_IMPORT_PYTHON_INDUCTOR_BLOCKS_H
#define INDEXICAL_IMPORT_PYTHON_INDUCTOR_BLOCKS_H

#include <cstdint>
#include <map>
#include <string>

#include "indexical/import/python/launch.h"

namespace indexical::python {

struct InductorBlocks {
  std::map<std::string, int64_t> blocks;  ///< by the constant's name
  int64_t warps = 4;
};

/// Returns the blocks of a kernel; no blocks if it has no size hints, or is a
/// template.
InductorBlocks blocksOf(const InductorMeta &meta);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_INDUCTOR_BLOCKS_H
