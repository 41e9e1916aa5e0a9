// Attributes of ops by their names, in each of the forms that files have.
//
//   array<i64: 1, 2>, dense<[1, 2]> : tensor<2xi64>, [1, 2]      {1, 2}
//   true, unit                                                   true
//
// An error is a sentence without a place.
#ifndef INDEXICAL_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H
#define INDEXICAL_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/op.h"

namespace indexical {

/// Integers in row major order; an error where the attribute is missing or is
/// something else, or where one does not fit into 64 bits.
absl::Status takeIntegers(mlir::Operation *op, llvm::StringRef key,
                          Int64s &values);
/// As takeIntegers; what is missing stays as it is.
absl::Status takeOptionalIntegers(mlir::Operation *op, llvm::StringRef key,
                                  Int64s &values);
absl::Status takeInteger(mlir::Operation *op, llvm::StringRef key,
                         int64_t &value);
absl::Status takeOptionalInteger(mlir::Operation *op, llvm::StringRef key,
                                 int64_t &value);
/// Whether it is there and not false.
bool hasFlag(mlir::Operation *op, llvm::StringRef key);

/// The elements of a constant in row major order where they are integers (i1
/// too), not too many, and each fits into 64 bits; else empty. Elements of a
/// resource are not known.
std::vector<int64_t> constantValues(mlir::Attribute value);
/// The bits of `constant` from its literal.
void takeBits(mlir::Attribute value, ConstantOp &constant);

}  // namespace indexical

#endif  // INDEXICAL_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H
