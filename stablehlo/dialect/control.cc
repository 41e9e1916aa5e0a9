#include "stablehlo/dialect/control.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/control.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addControlOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/control.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
