#include "indexical/import/stablehlo/dialect/movement.h"

#include "indexical/import/stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "indexical/import/stablehlo/dialect/movement.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addMovementOps() {
  addOperations<
#define GET_OP_LIST
#include "indexical/import/stablehlo/dialect/movement.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
