// Bytecode that tests write themselves, and therefore trust.
#ifndef INDEXICAL_TESTS_IMPORT_STABLEHLO_BYTECODE_H
#define INDEXICAL_TESTS_IMPORT_STABLEHLO_BYTECODE_H

#include <string>

#include "gtest/gtest.h"
#include "llvm/Support/raw_ostream.h"
#include "mlir/Bytecode/BytecodeWriter.h"
#include "mlir/IR/BuiltinOps.h"

#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical::testing {

/// Options that read bytecode in the process of the test.
inline constexpr MlirParseOptions kTrusted{/*trustBytecode=*/true};

/// Returns a module as MLIR's own bytecode.
inline std::string bytecodeOf(mlir::ModuleOp module) {
  std::string bytes;
  llvm::raw_string_ostream out(bytes);
  EXPECT_TRUE(mlir::succeeded(mlir::writeBytecodeToFile(module, out)));
  return bytes;
}

}  // namespace indexical::testing

#endif  // INDEXICAL_TESTS_IMPORT_STABLEHLO_BYTECODE_H
