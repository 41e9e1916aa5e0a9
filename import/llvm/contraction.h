// Float ops whose flag `contract` may change their result; private to
// import/llvm.
//
//   %p = fmul contract float %a, %b
//   %s = fadd contract float %p, %c         may become one fused op
//   %t = fadd contract float %a, %b         is an exact sum
//   %r = phi contract float [ %t, %x ], [ 0.0, %y ]     passes a value on
//
// clang sets the flag on every op of CUDA C++ and HIP. It allows LLVM to fuse a
// product with a sum, and AMD's back end to make one op of a quotient and the
// square root under it; nothing else. A value may come to the op through a
// choice, a vector, a negation or a wider type: LLVM moves ops over these.
#ifndef INDEXICAL_IMPORT_LLVM_CONTRACTION_H
#define INDEXICAL_IMPORT_LLVM_CONTRACTION_H

#include "llvm/IR/Instructions.h"

namespace indexical::compiled {

/// Returns whether the compiler may fuse the op with another one, both of which
/// have the flag `contract`. Conservative: true where that is not known.
bool mayBeFused(const llvm::Instruction &at);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_CONTRACTION_H
