// Patterns: what lanes do, in a word, and what would mend it.
//
//   reads f32[512,1024], 4096 bytes from lane to lane
//     transposed, stride 4096 B
//     a tile through shared memory, or layout {0,1}
//   reads f32[100,256,2] in runs of two lanes
//     rows of 8 B
//     layout {2,0,1}
//
// A layout, or padding, is named only where it was asked what it would waste,
// and that is a quarter of what is wasted at most.
#ifndef INDEXICAL_ANALYSIS_MEMORY_PATTERNS_H
#define INDEXICAL_ANALYSIS_MEMORY_PATTERNS_H

#include <string>

#include "llvm/ADT/STLFunctionalExtras.h"

#include "indexical/analysis/memory/coalescing.h"
#include "indexical/analysis/memory/kernels.h"

namespace indexical {

struct Pattern {
  std::string name;    ///< `transposed, stride 4096 B`
  std::string remedy;  ///< empty where none is plain
};

/// `wastedIf` says what would be wasted, at most, if the operand had another
/// shape or layout, and the index space too.
Pattern patternOf(const KernelAccess &access, const KernelSpace &space,
                  const AccessFigures &figures, const Device &device,
                  llvm::function_ref<int64_t(const ArrayShape &operand,
                                             const KernelSpace &space)>
                      wastedIf);

}  // namespace indexical

#endif  // INDEXICAL_ANALYSIS_MEMORY_PATTERNS_H
