// Accesses of AMD's buffers as plain ones; private to import/llvm.
//
//   %r = make.buffer.rsrc(%p, stride 0, 4096 bytes, …)
//   %v = raw.ptr.buffer.load(%r, %offset, 0, 0)
//
//   if (%offset + 4 <= 4096) %v = load (%p + %offset) else %v = 0
//
// The offset is unsigned. A load outside of the buffer gives 0, and a store or
// an atomic does nothing: compilers write a mask as an offset that is too
// large. Generations of the hardware differ in accesses that lie in the buffer
// in part, so a call becomes a plain access only if it never makes such a one:
// the offset and the size of the buffer are multiples of what it takes, or the
// size bounds nothing, as the 2^31 - 2 bytes that Triton gives to all buffers.
// Buffers with a stride, those that are not made in the kernel, offsets beside
// the bound (`soffset`), other formats and transfers to shared memory stay what
// they are, so that the kernel is incomplete and says why (memory_ops.h).
#ifndef INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H
#define INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace indexical::compiled {

/// Rewrites the accesses of buffers of a function. Calls `made` with each call,
/// which belongs to it from then on and stands in no block, and with the plain
/// access in its place. Returns whether anything has changed; the function's
/// analyses are then old.
bool lowerBuffers(
    llvm::Function &function,
    llvm::function_ref<void(llvm::CallInst &call,
                            const llvm::Instruction &access)>
        made);

/// Gives the calls that make buffers the 64 bits of size that LLVM 22 has:
/// older files have 32, which its verifier refuses.
void widenBufferSizes(llvm::Module &module);

/// Whether an access goes through a pointer that holds a buffer, whose bound
/// decides what is accessed.
bool isBufferPointer(const llvm::Module &module, const llvm::Value *address);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H
