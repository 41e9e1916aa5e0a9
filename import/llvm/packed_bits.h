// Bits of registers that are copies of other registers' bits; private to
// import/llvm.
//
//   %v = insertelement <2 x bfloat> %u, bfloat %x, i64 1
//   %w = bitcast <2 x bfloat> %v to i32
//     bits 16 to 31 of %w, as a bfloat, are %x
#ifndef INDEXICAL_IMPORT_LLVM_PACKED_BITS_H
#define INDEXICAL_IMPORT_LLVM_PACKED_BITS_H

#include <cstdint>
#include <optional>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Type.h"
#include "llvm/IR/Value.h"

namespace indexical::compiled {

/// A part of a register: the bits from `bit` on.
struct Part {
  const llvm::Value *value = nullptr;
  int64_t bit = 0;
};

/// Returns whether the HLO type of that name has integers or truth values.
bool isIntegerName(llvm::StringRef type);

/// Returns the number of bits of a type in registers: parts of a structure are
/// concatenated. Returns 0 for a type without a fixed size.
int64_t bitsIn(const llvm::Type *type);

/// Returns the part of another register that these bits of `value` are, for a
/// reader that takes them for that type. Returns std::nullopt if they are
/// computed or converted.
std::optional<Part> samePart(const llvm::Value *value, int64_t bit,
                             llvm::StringRef type);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_PACKED_BITS_H
