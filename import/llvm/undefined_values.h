// Ops without a defined result for some numbers, which a law has left out of a
// term; private to import/llvm.
//
//   %q = shl i32 %a, 40     poison
//   %r = mul i32 %q, 0      its term is 0, but %r is poison, too
//
// A term that has the op is undefined where the op is (pieces.h). One that
// lacks it says a number that the kernel may not have. A term has no flags:
// what `nuw` excludes has a number in it.
#ifndef INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H
#define INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/IR/Instruction.h"
#include "llvm/IR/Value.h"

#include "indexical/import/llvm/defined_ops.h"
#include "indexical/import/llvm/value_terms.h"

namespace indexical::compiled {

/// Returns an op of which the value is made, that is not known to be defined
/// (defined_ops.h), and that the value's term lacks; null if there is none.
/// With flags ignored, numbers that only flags exclude do not count: the term of
/// a place stands for the kernel where it is defined (failing_ops.cc).
const llvm::Instruction *undefinedLeftOut(
    ValueTerms &terms, const llvm::Value *value, TermId term, Flags flags,
    llvm::function_ref<bool(const llvm::Instruction &)> isDefined);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H
