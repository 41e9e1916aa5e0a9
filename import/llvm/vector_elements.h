// Indices in vectors, one element at a time; private to import/llvm.
//
//   %b = mul <2 x i32> %blocks, %sizes         %x = mul i32 %block, %size
//   %x = extractelement <2 x i32> %b, i64 0
//
// clang computes indices along several axes as one vector. Values are read as
// integers, so what leads to an element is repeated for that element alone.
// Loads and stores stay as they are.
#ifndef INDEXICAL_IMPORT_LLVM_VECTOR_ELEMENTS_H
#define INDEXICAL_IMPORT_LLVM_VECTOR_ELEMENTS_H

#include "llvm/IR/Function.h"

namespace indexical::compiled {

/// Replaces elements of vectors of integers by integers that are computed
/// alone. An element of a vector that is loaded, or that a call returns, stays.
/// Returns whether the function was changed.
bool takeElementsApart(llvm::Function &function);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_VECTOR_ELEMENTS_H
