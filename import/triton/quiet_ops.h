// Ops that move nothing between global memory and a program; private to
// import/triton.
//
//   ttng.wait_barrier %b, %phase : !ttg.memdesc<…>      waits
//   %t = ttng.tc_gen5_mma %a, %b, %d[%s], %u, %p : …    multiplies
//   proton.record start "name"                          measures
//
// They order, wait, promise, compute floats, and move tiles between shared
// memory, tensor memory and registers. Whatever their results are, nothing here
// follows them.
#ifndef INDEXICAL_IMPORT_TRITON_QUIET_OPS_H
#define INDEXICAL_IMPORT_TRITON_QUIET_OPS_H

#include "llvm/ADT/StringRef.h"

namespace indexical::triton {

/// Returns whether the op is one of them.
bool isQuietOp(llvm::StringRef name);

/// Returns whether the op's text is read without its operands: it is quiet, or
/// nothing depends on them.
bool isReadLoosely(llvm::StringRef name);

/// Returns whether the op may store into shared memory, though its text does
/// not say into which: its operands are not read.
bool changesSharedMemory(llvm::StringRef name);

/// Returns whether the op may write or name tensor memory.
bool changesTensorMemory(llvm::StringRef name);

/// Returns whether the result of the op is its operand, in another layout or in
/// none that is chosen yet.
bool changesLayout(llvm::StringRef name);

/// Returns whether all results of the op are tokens, whatever its text says
/// behind the arrow.
bool returnsTokens(llvm::StringRef name);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_QUIET_OPS_H
