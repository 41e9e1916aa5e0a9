// Bits of registers that are those of other ones; private to import/llvm.
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

/// Whether HLO's type of that name is of integers or truth values.
bool isIntegerName(llvm::StringRef type);

/// Returns the bits of a type as registers hold it: parts of a structure lie
/// one behind the other. Returns 0 for one without a number.
int64_t bitsIn(const llvm::Type *type);

/// Returns the part of another register that this one is, for a reader who
/// takes it for that type. An integer that is converted is none, nor is one
/// that is computed.
std::optional<Part> samePart(const llvm::Value *value, int64_t bit,
                             llvm::StringRef type);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_PACKED_BITS_H
