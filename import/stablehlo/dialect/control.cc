#include "indexical/import/stablehlo/dialect/control.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/control.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addControlOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/control.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
