// The types of elements in memory that the caller gives; private to
// import/llvm.
//
//   arg0 of `bf16`    a load of 4 bytes takes two elements of type bf16
#ifndef INDEXICAL_IMPORT_LLVM_MEMORY_TYPES_H
#define INDEXICAL_IMPORT_LLVM_MEMORY_TYPES_H

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

#include "llvm/ADT/StringRef.h"

#include "indexical/import/llvm/memory_ops.h"

namespace indexical::compiled {

/// Returns the bits of an element in memory, for an HLO type's name: a truth
/// value is a byte.
int64_t bitsInMemory(llvm::StringRef type);

/// Returns the name of an element type as pointers have it: integers have no
/// sign, and a truth value is a byte.
std::string nameInMemory(llvm::StringRef type);

/// Returns the type of the elements, of `width` bytes, that the op accesses in
/// these arrays. Bits without a type of their own have the type of the arrays;
/// `types` has the known ones.
std::string elementTypeOf(const MemoryOp &op, int64_t width,
                          const std::optional<std::set<int64_t>> &arrays,
                          const std::map<int64_t, std::string> &types);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_MEMORY_TYPES_H
