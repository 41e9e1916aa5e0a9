// The blocks that Inductor chooses when it runs; private to import/python.
//
//   @pointwise(size_hints={'x': 524288}, …)            XBLOCK 1024, 4 warps
//   @reduction(size_hints={'x': 512, 'r0_': 1024}, reduction_hint=INNER, …)
//                                                 XBLOCK 1, R0_BLOCK 1024
//
// Inductor makes a few configurations by rules, and times them. These are the
// first ones of the rules, and for a short row, which it times in several
// ways, one that gives a program 256 elements.
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
  std::map<std::string, int64_t> blocks;  ///< by the names of constants
  int64_t warps = 4;
};

/// Returns the blocks of a kernel; none if its sizes are not hinted, or if it
/// is a template.
InductorBlocks blocksOf(const InductorMeta &meta);

}  // namespace indexical::python

#endif  // INDEXICAL_IMPORT_PYTHON_INDUCTOR_BLOCKS_H
