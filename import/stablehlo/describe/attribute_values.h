// Attributes of ops by their names, in each of the forms that files have.
//
//   array<i64: 1, 2>, dense<[1, 2]> : tensor<2xi64>, [1, 2]      {1, 2}
//   true, unit                                                   true
//
// An error is a sentence without a place.
#ifndef INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H
#define INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H

#include <cstdint>
#include <vector>

#include "absl/status/status.h"
#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/ops/families.h"
#include "indexical/ops/op.h"

namespace indexical {

/// Sets integers from an attribute, in row major order. Returns an error if the
/// attribute is missing or of another kind, or an integer does not fit into 64
/// bits.
absl::Status takeIntegers(mlir::Operation *op, llvm::StringRef key,
                          Int64s &values);
/// Sets integers from an attribute, in row major order; if the attribute is
/// missing, they stay as they are. Returns an error if it is of another kind,
/// or if an integer does not fit into 64 bits.
absl::Status takeOptionalIntegers(mlir::Operation *op, llvm::StringRef key,
                                  Int64s &values);
absl::Status takeInteger(mlir::Operation *op, llvm::StringRef key,
                         int64_t &value);
absl::Status takeOptionalInteger(mlir::Operation *op, llvm::StringRef key,
                                 int64_t &value);
/// Returns whether the attribute exists and is not false.
bool hasFlag(mlir::Operation *op, llvm::StringRef key);

/// Returns the elements of a constant in row major order, or an empty list if
/// they are not integers (or i1), are too many, do not fit into 64 bits, or are
/// those of a resource.
std::vector<int64_t> constantValues(mlir::Attribute value);
/// Sets the bits of `constant` from its literal.
void takeBits(mlir::Attribute value, ConstantOp &constant);

}  // namespace indexical

#endif  // INDEXICAL_IMPORT_STABLEHLO_DESCRIBE_ATTRIBUTE_VALUES_H
