#include "indexical/import/stablehlo/import/argument_types.h"

#include <string>

#include "mlir/AsmParser/AsmParser.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/MLIRContext.h"

#include "indexical/import/stablehlo/describe/shapes.h"
#include "indexical/import/stablehlo/dialect/parse.h"

namespace indexical {

absl::StatusOr<Shape> shapeOfTypes(llvm::StringRef types) {
  const auto context = makeMlirContext();
  std::string why = "these are no types";
  mlir::ScopedDiagnosticHandler keep(
      context.get(),
      [&](mlir::Diagnostic &diagnostic) { why = diagnostic.str(); });
  const mlir::Type tuple =
      mlir::parseType("tuple<" + types.str() + ">", context.get());
  if (!tuple) return absl::InvalidArgumentError(why);
  return shapeOf(tuple);
}

}  // namespace indexical
