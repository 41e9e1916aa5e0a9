#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"

#include "indexical/import/stablehlo/dialect/stablehlo.h"

// clang-format off: the generated code needs the header first.
#include "indexical/import/stablehlo/dialect/dialect.cc.inc"
#define GET_TYPEDEF_CLASSES
#include "indexical/import/stablehlo/dialect/types.cc.inc"
// clang-format on

namespace indexical::stablehlo {

void StablehloDialect::addTypes() {
  ::mlir::Dialect::addTypes<
#define GET_TYPEDEF_LIST
#include "indexical/import/stablehlo/dialect/types.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
