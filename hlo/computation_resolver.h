// One computation: its instructions' names, operands, shapes and ops.
#ifndef INDEXICAL_HLO_COMPUTATION_RESOLVER_H
#define INDEXICAL_HLO_COMPUTATION_RESOLVER_H

#include <cstdint>

#include "llvm/ADT/DenseSet.h"

#include "indexical/hlo/resolver.h"
#include "indexical/hlo/stack_tables.h"
#include "indexical/hlo/written_ops.h"

namespace indexical {

/// The state that the computations of a module share while they are resolved.
struct ResolverState {
  int64_t unwrittenLeavesLeft = kUnwrittenLeafLimit;
  llvm::DenseSet<llvm::StringRef> notedOpcodes;
  const CustomCallRegistry *customCalls = nullptr;
  FrameNumbers frames;
  WrittenShapes shapes;  ///< those of operands that become parameters
  WrittenOps ops;
};

/// Fills in computation `index` of the module. Its instructions must exist and
/// know what they call, and the called computations must be filled in.
bool resolveComputation(Source &source, Program &program, Module &module,
                        ComputationSyntax &syntax, int32_t index,
                        ResolverState &state);

}  // namespace indexical

#endif  // INDEXICAL_HLO_COMPUTATION_RESOLVER_H
