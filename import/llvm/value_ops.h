// Instructions as ops of HLO; private to import/llvm.
//
//   fadd float %a, %b                         add of %a, %b
//   call @llvm.nvvm.ex2.approx.f(%y)          exponential of %x, if %y is
//                                               %x * 1.44269502
//   call @llvm.maxnum.f32(%a, %b)             arith.maxnumf, which HLO lacks
//
// A function whose accuracy no one prescribes is one op, whatever computes it:
// a compiler writes the exponential as a power of two.
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
  bool isNegated = false;  ///< the truth value of the op is the opposite
};

/// Returns the name that HLO has for a type, integers as signed ones and one
/// bit as `pred`; "" if it has none.
std::string valueTypeOf(const llvm::Type *type);

/// Returns the bits of a type of that name: 16 of `bf16`, 1 of `pred`.
int64_t bitsOfName(llvm::StringRef type);

/// Returns the op that makes the bits from `bit` on of what an instruction
/// gives. Returns nothing if it is no op of numbers, or one that is not known.
std::optional<ValueOp> valueOpOf(const llvm::Instruction &at, int64_t bit);

/// Returns the reason for which the op does not compute what its name says: it
/// lets its compiler use other laws, or has no value for all numbers. "": there
/// is none.
std::string obstacleOf(const llvm::Instruction &at);

/// Whether a reduction by the op has the same result in any order, or one that
/// HLO leaves open.
bool isFreeOp(const ValueOp &op);

/// Returns the value behind bitcasts.
const llvm::Value *withoutCasts(const llvm::Value *value);

}  // namespace indexical::compiled

#endif  // INDEXICAL_IMPORT_LLVM_VALUE_OPS_H
