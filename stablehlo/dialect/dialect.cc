#include "llvm/ADT/TypeSwitch.h"
#include "mlir/IR/Builders.h"

#include "stablehlo/dialect/stablehlo.h"

// clang-format off: what is generated wants the header first.
#include "stablehlo/dialect/dialect.cc.inc"
#define GET_TYPEDEF_CLASSES
#include "stablehlo/dialect/types.cc.inc"
// clang-format on

namespace indexical::stablehlo {

void StablehloDialect::addTypes() {
  ::mlir::Dialect::addTypes<
#define GET_TYPEDEF_LIST
#include "stablehlo/dialect/types.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
