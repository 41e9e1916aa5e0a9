// The ops of Triton's IR that compute, by the names that HLO has for them;
// private to import/triton.
//
//   math.exp, __nv_expf            exponential
//   arith.cmpf une                 NE
//   arith.maxnumf                  none: it drops a NaN
#ifndef INDEXICAL_IMPORT_TRITON_VALUE_OPS_H
#define INDEXICAL_IMPORT_TRITON_VALUE_OPS_H

#include <optional>
#include <string>

#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"
#include "mlir/IR/Types.h"

namespace indexical::triton {

/// An op of elements: HLO's, or one that HLO does not have.
struct ValueOp {
  std::string name;
  bool isForeign = false;
};

/// Returns the op that computes each element of the one result from those of
/// the operands. Returns nothing for an op that does something else.
std::optional<ValueOp> valueOpOf(mlir::Operation &op);

/// Returns whether the op of that name is one of those whose order a reduction
/// leaves open.
bool isFree(llvm::StringRef name);

/// Returns HLO's name of the type, of a tensor that of its elements: `f32`,
/// `bf16`, `pred`, `s32`. Returns "" if HLO has none.
std::string valueTypeOf(mlir::Type type);

/// Returns how exactly the product of matrices multiplies numbers of 32 bits:
/// `tf32`, `tf32x3`…, or `ieee` where it says nothing.
std::string precisionOf(mlir::Operation &op);

/// Returns whether the op says that its compiler may use laws of real numbers.
bool hasFastMath(mlir::Operation &op);

/// Returns the flags that say of integers that a result does not overflow, or
/// that no bits are lost: `nsw`, `nuw`, `exact`. Otherwise it is poison.
std::vector<std::string> excludingFlags(mlir::Operation &op);
bool mayBePoison(mlir::Operation &op);

/// Returns the op's name without its dialect: `local_load`.
inline llvm::StringRef plainName(mlir::Operation *op) {
  return op->getName().getStringRef().split('.').second;
}

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_VALUE_OPS_H
