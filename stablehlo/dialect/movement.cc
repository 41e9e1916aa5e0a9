#include "stablehlo/dialect/movement.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/movement.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addMovementOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/movement.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
