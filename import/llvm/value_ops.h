// Reads instructions as HLO ops; private to import/llvm.
//
//   fadd float %a, %b                         add of %a, %b
//   call @llvm.nvvm.ex2.approx.f(%y)          exponential of %x, if %y is
//                                               %x * 1.44269502
//   call @llvm.maxnum.f32(%a, %b)             arith.maxnumf, which HLO lacks
//
// A function without a specified accuracy is one op, whatever computes it: a
// compiler writes the exponential as a power of two.
#ifndef INDEXICAL_IMPORT_LLVM_VALUE_OPS_H
#define INDEXICAL_IMPORT_LLVM_VALUE_OPS_H

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "llvm/ADT/StringRef.h"
#include "llvm/IR/Instructions.h"

namespace indexical::compiled {

struct ValueOp {
  std::string name;  ///< of HLO, or as kernels::KernelValue::Foreign
  bool isForeign = false;
  std::string type;  ///< of the result
  struct Operand {
    const llvm::Value *value = nullptr;
    int64_t bit = 0;
    std::string type;
  };
  std::vector<Operand> operands;
  bool isNegated = false;  ///< the value is the negated truth value of the op
};

/// Returns HLO's name of a type, with integers as signed ones and one bit as
/// `pred`; "" if HLO lacks the type.
std::string valueTypeOf(const llvm::Type *type);

/// Returns the number of bits of a type of that name: 16 for `bf16`, 1 for
/// `pred`.
int64_t bitsOfName(llvm::StringRef type);

/// Returns the op that computes the bits from `bit` on of an instruction's
/// result. Returns std::nullopt if it is not an op on numbers, or unknown.
std::optional<ValueOp> valueOpOf(const llvm::Instruction &at, int64_t bit);

/// Returns why the op does not compute exactly what its name says: it allows
/// its compiler other laws, or has no value for some numbers. "" if it does.
std::string obstacleOf(const llvm::Instruction &at);
/// Returns the same of floats alone.
std::string obstacleOfFloats(const llvm::Instruction &at);

/// Returns whether a reduction by the op may run in any order: its result is
/// the same, or HLO leaves the order open.
bool isFreeOp(const ValueOp &op);

/// Returns the value upstream of bitcasts.
const llvm::Value *withoutCasts(const llvm::Value *value);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_VALUE_OPS_H
