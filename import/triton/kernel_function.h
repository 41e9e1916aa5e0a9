// Which function of a module is the kernel; private to import/triton.
#ifndef INDEXICAL_IMPORT_TRITON_KERNEL_FUNCTION_H
#define INDEXICAL_IMPORT_TRITON_KERNEL_FUNCTION_H

#include <string>

#include "absl/status/statusor.h"
#include "llvm/ADT/StringRef.h"
#include "mlir/IR/Operation.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical::triton {

/// Returns the name of a function, "" of one without.
std::string nameOf(mlir::Operation *function);

/// Returns the function of that name, or the only one that no other calls if
/// `wanted` is empty. An error says what there is.
absl::StatusOr<mlir::Operation *> findFunction(const MlirModule &parsed,
                                               llvm::StringRef wanted);

}  // namespace indexical::triton

#endif  // INDEXICAL_IMPORT_TRITON_KERNEL_FUNCTION_H
