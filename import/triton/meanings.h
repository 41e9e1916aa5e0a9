// Meanings: what a trace knows of a value; private to import/triton.
//
//   %2 = arith.muli %0, %1 : i32        a term, mul i32 …
//   %3 = tt.make_tensor_ptr %base, [%m, %n], [%n, %c1], [%c0, %i]
//                                       a block pointer: base, sizes, strides,
//                                       offsets, each of them terms
//   %4 = tt.dot %a, %b, %c              nothing, for floats are not followed
//
// A pointer, an integer and a tensor of either is one term. A block pointer has
// one term for its base and three for each dimension. A tensor descriptor is a
// block pointer that checks all its dimensions, with the offsets of each
// access.
#ifndef INDEXICAL_IMPORT_TRITON_MEANINGS_H
#define INDEXICAL_IMPORT_TRITON_MEANINGS_H

#include <variant>

#include "llvm/ADT/SmallVector.h"

#include "indexical/program/kernel/terms.h"

namespace indexical::triton {

using kernels::TermId;
using TermList = llvm::SmallVector<TermId, 4>;

struct BlockPointer {
  TermId base = 0;
  TermList sizes, strides;  ///< 64 bits each
  TermList offsets;         ///< 64 bits each: Triton widens them first
  bool checksAll = false;   ///< whether every access checks all dimensions
};

using Meaning = std::variant<std::monostate, TermId, BlockPointer>;

inline bool isUnknown(const Meaning &meaning) {
  return std::holds_alternative<std::monostate>(meaning);
}

/// Calls `visit` with each term of the block pointer, which it may change: the
/// base, then the size, the stride and the offset of each dimension. `Pointer`
/// is a BlockPointer, const or not.
template <typename Pointer, typename Visit>
void visitTermsOf(Pointer &pointer, Visit visit) {
  visit(pointer.base);
  for (size_t k = 0; k < pointer.offsets.size(); ++k) {
    visit(pointer.sizes[k]);
    visit(pointer.strides[k]);
    visit(pointer.offsets[k]);
  }
}

/// Calls `visit` with each term of a meaning, which it may change.
template <typename Visit>
void visitTerms(Meaning &meaning, Visit visit) {
  if (auto *term = std::get_if<TermId>(&meaning)) visit(*term);
  if (auto *pointer = std::get_if<BlockPointer>(&meaning))
    visitTermsOf(*pointer, visit);
}

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_MEANINGS_H
