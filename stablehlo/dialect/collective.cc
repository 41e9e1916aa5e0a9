#include "stablehlo/dialect/collective.h"

#include "stablehlo/dialect/format.h"

#define GET_OP_CLASSES
#include "stablehlo/dialect/collective.cc.inc"

namespace indexical::stablehlo {

void StablehloDialect::addCollectiveOps() {
  addOperations<
#define GET_OP_LIST
#include "stablehlo/dialect/collective.cc.inc"
      >();
}

}  // namespace indexical::stablehlo
