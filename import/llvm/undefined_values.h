// Ops without a defined result for some numbers, which a law has left out of a
// term; private to import/llvm.
//
//   %q = shl i32 %a, 40     poison
//   %r = mul i32 %q, 0      its term is 0, but %r is poison, too
//
// A term that has the op is undefined where the op is (pieces.h). One that
// lacks it says a number that the kernel may not have.
#ifndef INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H
#define INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H

#include "llvm/IR/Instruction.h"
#include "llvm/IR/Value.h"

#include "indexical/import/llvm/value_terms.h"
#include "indexical/indexing/budget.h"
#include "indexical/program/kernel/pieces.h"

namespace indexical::compiled {

/// Returns an op of which the value is made, that may be undefined in the
/// space, and that the value's term lacks; null if there is none.
const llvm::Instruction *undefinedLeftOut(ValueTerms &terms,
                                          const llvm::Value *value, TermId term,
                                          const kernels::PieceSpace &space,
                                          const Stop *stop);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_UNDEFINED_VALUES_H
