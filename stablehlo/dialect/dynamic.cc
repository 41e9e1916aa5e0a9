#include "stablehlo/dialect/dynamic.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/dynamic.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addDynamicOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/dynamic.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
