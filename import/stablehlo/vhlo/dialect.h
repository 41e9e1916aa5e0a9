// VHLO as a dialect that only reads bytecode.
//
// Types and attributes of VHLO become those of MLIR and StableHLO as soon as
// they are read (read.h). Its ops are those of the rows (ops.h), defined at run
// time: they have attributes, and verify nothing. The dialect does not have
// versions of ops without a row.
#ifndef INDEXICAL_IMPORT_STABLEHLO_VHLO_DIALECT_H
#define INDEXICAL_IMPORT_STABLEHLO_VHLO_DIALECT_H

#include "mlir/IR/ExtensibleDialect.h"

namespace indexical::vhlo {

class VhloDialect : public mlir::ExtensibleDialect {
 public:
  explicit VhloDialect(mlir::MLIRContext *context);
  static constexpr llvm::StringLiteral getDialectNamespace() { return "vhlo"; }
};

}  // namespace indexical::vhlo

MLIR_DECLARE_EXPLICIT_TYPE_ID(indexical::vhlo::VhloDialect)

#endif  // INDEXICAL_IMPORT_STABLEHLO_VHLO_DIALECT_H
