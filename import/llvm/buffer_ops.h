// Rewrites accesses of AMD's buffers as plain ones; private to import/llvm.
//
//   %r = make.buffer.rsrc(%p, stride 0, 4096 bytes, …)
//   %v = raw.ptr.buffer.load(%r, %offset, 0, 0)
//
//   if (%offset + 4 <= 4096) %v = load (%p + %offset) else %v = 0
//
// The offset is unsigned. A load outside of the buffer gives 0, and a store or
// an atomic does nothing: compilers write a mask as an offset that is too
// large. Generations of the hardware differ in accesses that straddle the end
// of the buffer, so a call becomes a plain access only if it never makes one:
// the offset and the size of the buffer are multiples of the access's bytes, or
// the size does not bound accesses in effect, such as the 2^31 - 2 bytes that
// Triton gives to all buffers. Buffers with a stride, buffers that are not made
// in the kernel, offsets that the bound ignores (`soffset`), other formats and
// transfers to shared memory are not rewritten: the kernel is then incomplete
// and says why (memory_ops.h).
#ifndef INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H
#define INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Function.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/Module.h"

namespace indexical::compiled {

/// Rewrites a function's accesses of buffers. Returns whether anything has
/// changed; the function's analyses are then stale. Calls `made` with each
/// removed call, which it takes ownership of, and with the plain access in its
/// place.
bool lowerBuffers(
    llvm::Function &function,
    llvm::function_ref<void(llvm::CallInst &call,
                            const llvm::Instruction &access)>
        made);

/// Widens the size of buffers to the 64 bits of LLVM 22 in the calls that make
/// them: older files have 32, which its verifier rejects.
void widenBufferSizes(llvm::Module &module);

/// Returns whether an address is that of a buffer, whose bound decides which
/// bytes are accessed.
bool isBufferPointer(const llvm::Module &module, const llvm::Value *address);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_BUFFER_OPS_H
