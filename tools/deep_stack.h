// Work that calls itself for each level of what it reads: of brackets, which
// are limited (docs/limits.md), and of expressions, which products nest.
#ifndef INDEXICAL_TOOLS_DEEP_STACK_H
#define INDEXICAL_TOOLS_DEEP_STACK_H

#include <cstddef>

#include "llvm/ADT/STLFunctionalExtras.h"

namespace indexical {

constexpr size_t kDeepStack = size_t{64} << 20;

/// Calls the work on a thread with a stack of 64 MB, whatever the caller's is,
/// and waits for it. Calls it here where there is no such thread to be had.
void withDeepStack(llvm::function_ref<void()> work);

}  // namespace indexical

#endif  // INDEXICAL_TOOLS_DEEP_STACK_H
